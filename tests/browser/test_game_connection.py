"""Lines break and servers restart in the middle of a turn; no move is lost and none is made twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from deploy.children import free_port
from tests.browser.hands import PATIENCE, Mouse
from tests.browser.making import Made, make_games
from tests.sites import Site, embedded

pytestmark = pytest.mark.browser

#: Somebody is in the middle of a turn and can place a road, or buy a card.
ROAD = {"rules": "online", "seed": 14, "until": "build_road", "after": 20}
CARD = {"rules": "online", "seed": 14, "until": "buy_card", "after": 20}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("connection")


@pytest.fixture(scope="module")
def site(data: Path) -> Iterator[Site]:
    with embedded(data) as site:
        yield site


def sit_down(browser: Browser, site: Site, made: Made, seat: int) -> Mouse:
    return Mouse(browser, made.cookie(seat, site.address), site.address, made.game)


def road(hands: Mouse) -> dict[str, object]:
    return {"kind": "build_road", **hands.look()["view"]["moves"]["build_road"][0]}


def assert_clock_is_the_servers(hands: Mouse, seat: int) -> None:
    seen = hands.look()
    ends, now = (datetime.fromisoformat(at) for at in (seen["seats"][seat]["clock"]["ends"], seen["now"]))
    minutes, seconds = hands.page.locator(f"#seat-{seat} .clock b").inner_text().split(":")
    # An answer may be a few seconds on its way, where much else is going on.
    assert abs(60 * int(minutes) + int(seconds) - (ends - now).total_seconds()) <= 5


def test_a_line_cut_twice_in_one_turn_loses_and_doubles_nothing(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, CARD)
    mover = sit_down(browser, site, made, made.seat)
    other = sit_down(browser, site, made, (made.seat + 1) % 4)
    version = mover.look()["version"]
    for move in ({"kind": "buy_card"}, {"kind": "end_turn"}):
        mover.context.set_offline(True)
        expect(mover.page.locator("#connection")).to_be_visible()
        mover.make(move)
        expect(other.page.locator("#game")).to_have_attribute("data-version", f"{version}")
        mover.context.set_offline(False)
        version += 1
        for hands in (mover, other):
            hands.wait_for(version)
        expect(mover.page.locator("#connection")).to_be_hidden(timeout=PATIENCE)
    moves = mover.context.request.get(f"{mover.api}moves/?after={version - 2}").json()["moves"]
    assert [move["version"] for move in moves] == [version - 1, version]
    for hands in (mover, other):
        hands.context.close()


@pytest.mark.timeout(240)
def test_a_server_restarted_in_mid_turn_is_found_again_and_play_and_clocks_go_on(
    browser: Browser, tmp_path: Path
) -> None:
    port = free_port()
    with ExitStack() as first_run:
        site = first_run.enter_context(embedded(tmp_path, port))
        (made,) = make_games(tmp_path, ROAD | {"pace": "relaxed", "clocks": {"turn": 900}})
        mover = sit_down(browser, site, made, made.seat)
        other = sit_down(browser, site, made, (made.seat + 1) % 4)
        version = mover.look()["version"]
    for hands in (mover, other):
        expect(hands.page.locator("#connection")).to_be_visible(timeout=PATIENCE)
    with embedded(tmp_path, port):
        for hands in (mover, other):
            expect(hands.page.locator("#connection")).to_be_hidden(timeout=60_000)
        mover.make(road(mover))
        for hands in (mover, other):
            hands.wait_for(version + 1)
            assert_clock_is_the_servers(hands, made.seat)
        assert mover.look()["view"]["seats"][made.seat]["roads"] == other.look()["view"]["seats"][made.seat]["roads"]
        for hands in (mover, other):
            hands.context.close()


def test_two_tabs_of_one_player_stay_equal(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, CARD)
    one, other = (sit_down(browser, site, made, made.seat) for _ in range(2))
    version = one.look()["version"]
    one.make({"kind": "buy_card"})
    other.wait_for(version + 1)
    other.make({"kind": "end_turn"})
    one.wait_for(version + 2)
    for part in ("#prompt", "#hand", "#players", "#log"):
        assert one.page.locator(part).inner_text() == other.page.locator(part).inner_text()
    for hands in (one, other):
        hands.context.close()


def test_what_others_do_is_seen_and_said_without_asking(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, ROAD)
    mover, other = sit_down(browser, site, made, made.seat), sit_down(browser, site, made, (made.seat + 1) % 4)
    name = other.page.locator(f"#seat-{made.seat} .seat-name").inner_text().split()[0]
    before = other.page.locator("#roads > g").count()
    mover.make(road(mover))
    expect(other.page.locator("#roads > g")).to_have_count(before + 1)
    expect(other.page.locator("#announcer")).to_contain_text(f"{name} built a road")
    expect(other.page.locator("#log > li").first).to_contain_text(f"{name} built a road")
    for hands in (mover, other):
        hands.context.close()
