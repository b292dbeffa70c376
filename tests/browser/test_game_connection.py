"""Lines break and servers restart in the middle of a turn; no move is lost and none is made twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from deploy.children import free_port
from tests.browser.hands import Mouse
from tests.browser.making import Made, make_games
from tests.sites import Site, embedded

pytestmark = pytest.mark.browser

#: Somebody is in the middle of a turn and can place a road, or buy a card.
ROAD = {"rules": "online", "seed": 14, "until": "build_road", "after": 20}
CARD = {"rules": "online", "seed": 14, "until": "buy_card", "after": 20}
#: A game for each test.
WISHES = {"cut": CARD, "late": CARD, "failed": ROAD, "tabs": CARD, "seen": ROAD}


@pytest.fixture(scope="module")
def games(embedded_site: Site) -> dict[str, Made]:
    return dict(zip(WISHES, make_games(embedded_site.data, *WISHES.values()), strict=True))


@pytest.fixture
def sit_down(browser: Browser, embedded_site: Site) -> Iterator[Callable[[Made, int], Mouse]]:
    """Somebody at a seat, in a window of their own until the end of the test."""
    with ExitStack() as at_the_end:

        def sit_down(made: Made, seat: int, address: str = embedded_site.address) -> Mouse:
            hands = Mouse(browser, address)
            at_the_end.callback(hands.context.close)
            return hands.sit_down(made, seat % 4)

        yield sit_down


def road(hands: Mouse) -> dict[str, object]:
    return {"kind": "build_road", **hands.look()["choices"]["build_road"][0]}


def assert_clock_is_the_servers(hands: Mouse, seat: int) -> None:
    seen = hands.look()
    ends, now = (datetime.fromisoformat(at) for at in (seen["seats"][seat]["clock"]["ends"], seen["now"]))
    minutes, seconds = hands.page.locator(f"#seat-{seat} .clock b").inner_text().split(":")
    # An answer may be a few seconds on its way, where much else is going on.
    assert abs(60 * int(minutes) + int(seconds) - (ends - now).total_seconds()) <= 5


def test_a_line_cut_twice_in_one_turn_loses_and_doubles_nothing(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["cut"]
    mover, other = sit_down(made, made.seat), sit_down(made, made.seat + 1)
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
        expect(mover.page.locator("#connection")).to_be_hidden()
    moves = mover.ask(f"moves/?after={version - 2}")["moves"]
    assert [move["version"] for move in moves] == [version - 1, version]


def test_a_late_answer_to_one_move_does_not_hold_up_the_next(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["late"]
    mover = sit_down(made, made.seat)
    version = mover.look()["version"]

    def play_on_before_answering(route: Route) -> None:
        answer = route.fetch()
        mover.wait_for(version + 1)
        mover.make({"kind": "end_turn"})
        mover.wait_for(version + 2)
        route.fulfill(response=answer)

    mover.page.route("**/moves/", play_on_before_answering, times=1)
    with mover.page.expect_response(lambda answer: "buy_card" in str(answer.request.post_data)):
        mover.make({"kind": "buy_card"})
    expect(mover.page.locator("#refusal")).to_be_empty()


@pytest.mark.timeout(240)
def test_a_server_restarted_in_mid_turn_is_found_again_and_play_and_clocks_go_on(
    sit_down: Callable[..., Mouse], tmp_path: Path
) -> None:
    port = free_port()
    with ExitStack() as first_run:
        site = first_run.enter_context(embedded(tmp_path, port))
        (made,) = make_games(tmp_path, ROAD | {"pace": "relaxed", "clocks": {"turn": 900}})
        mover, other = (sit_down(made, seat, site.address) for seat in (made.seat, made.seat + 1))
        version = mover.look()["version"]
    for hands in (mover, other):
        expect(hands.page.locator("#connection")).to_be_visible()
    with embedded(tmp_path, port):
        for hands in (mover, other):
            # The pauses between two attempts grow to half a minute.
            expect(hands.page.locator("#connection")).to_be_hidden(timeout=60_000)
        mover.make(road(mover))
        for hands in (mover, other):
            hands.wait_for(version + 1)
            assert_clock_is_the_servers(hands, made.seat)
        assert mover.look()["seats"][made.seat]["roads"] == other.look()["seats"][made.seat]["roads"]


def test_two_tabs_of_one_player_stay_equal(sit_down: Callable[..., Mouse], games: dict[str, Made]) -> None:
    made = games["tabs"]
    one, other = (sit_down(made, made.seat) for _ in range(2))
    version = one.look()["version"]
    one.make({"kind": "buy_card"})
    other.wait_for(version + 1)
    other.make({"kind": "end_turn"})
    for hands in (one, other):
        hands.wait_for(version + 2)
    for part in ("#prompt", "#hand", "#players", "#log"):
        assert one.page.locator(part).inner_text() == other.page.locator(part).inner_text()


def test_what_others_do_is_seen_and_said_without_asking(sit_down: Callable[..., Mouse], games: dict[str, Made]) -> None:
    made = games["seen"]
    mover, other = sit_down(made, made.seat), sit_down(made, made.seat + 1)
    name = other.page.locator(f"#seat-{made.seat} .seat-name").inner_text().split()[0]
    before = other.page.locator("#roads > g").count()
    mover.make(road(mover))
    expect(other.page.locator("#roads > g")).to_have_count(before + 1)
    expect(other.page.locator("#announcer")).to_contain_text(f"{name} built a road")
    expect(other.page.locator("#log > li").last).to_contain_text(f"{name} built a road")


def test_news_that_could_not_be_fetched_is_fetched_again(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["failed"]
    mover, other = sit_down(made, made.seat), sit_down(made, made.seat + 1)
    version = mover.look()["version"]
    failed: list[Route] = []
    other.page.route("**/api/v1/games/**", lambda route: (failed.append(route), route.abort()), times=1)
    other.context.set_offline(True)
    expect(other.page.locator("#connection")).to_be_visible()
    mover.make(road(mover))
    mover.wait_for(version + 1)
    other.context.set_offline(False)
    other.wait_for(version + 1)
    assert failed
    expect(other.page.locator("#connection")).to_be_hidden()
