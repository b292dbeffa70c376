"""A page for everybody: in order by axe, light, large enough for a finger, and never at a loss for words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.hands import Finger, Keys, Mouse
from tests.browser.making import Made, make_games
from tests.sites import Site, embedded

pytestmark = pytest.mark.browser

SIZES = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 360, "height": 640}}
#: What a page of a running game may weigh, in bytes over the wire.
MOST_WEIGHT = 150_000

WISHES: dict[str, dict[str, Any]] = {
    "setup": {"seed": 14},
    "main": {"rules": "online", "seed": 14, "until": "buy_card", "after": 60},
    "offer": {"rules": "online", "seed": 14, "until": "accept_offer"},
    "discard": {"rules": "online", "seed": 14, "until": "discard"},
    "end": {"rules": "standard points_to_win=8", "seed": 53, "until": "never"},
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, dict[str, Made]]]:
    data = tmp_path_factory.mktemp("access")
    with embedded(data) as site:
        yield site, dict(zip(WISHES, make_games(data, *WISHES.values()), strict=True))


def open_page(browser: Browser, tables: tuple[Site, dict[str, Made]], which: str, **options: Any) -> Page:
    site, made = tables[0], tables[1][which]
    context = browser.new_context(reduced_motion="reduce", **options)
    context.add_cookies([made.cookie(made.seat, site.address)])  # type: ignore[list-item]
    page = context.new_page()
    page.goto(f"{site.address}/games/{made.game}/")
    expect(page.locator("html")).to_have_class("live")
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("which", WISHES)
def test_axe_finds_nothing_wrong(browser: Browser, tables: Any, which: str, size: str, scheme: str) -> None:
    page = open_page(browser, tables, which, viewport=SIZES[size], color_scheme=scheme)
    assert [violation["help"] for violation in Axe().run(page).response["violations"]] == []
    if which == "main":
        page.locator(".action[data-kind=trade]").click()
        assert [violation["help"] for violation in Axe().run(page).response["violations"]] == []
    page.context.close()


@pytest.mark.parametrize("which", ["setup", "main", "offer", "discard"])
def test_a_page_of_a_running_game_is_light(browser: Browser, tables: Any, which: str) -> None:
    site, made = tables[0], tables[1][which]
    context = browser.new_context()
    context.add_cookies([made.cookie(made.seat, site.address)])  # type: ignore[list-item]
    page = context.new_page()
    session = context.new_cdp_session(page)
    weights: list[int] = []
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    page.goto(f"{site.address}/games/{made.game}/", wait_until="networkidle")
    assert 20_000 < sum(weights) <= MOST_WEIGHT
    context.close()


@pytest.mark.parametrize("which", ["setup", "main", "offer", "discard"])
def test_a_finger_can_hit_every_control_of_a_phone(browser: Browser, tables: Any, which: str) -> None:
    page = open_page(browser, tables, which, viewport=SIZES["phone"], has_touch=True, is_mobile=True)
    small = page.locator("#game button:visible").evaluate_all(
        """buttons => buttons.map((button) => [button.innerText, button.getBoundingClientRect()])
            .filter(([, { width, height }]) => width < 43.5 || height < 43.5).map(([text]) => text)"""
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.context.close()


def test_a_tap_beside_a_corner_means_the_nearest_one(browser: Browser, tables: Any) -> None:
    page = open_page(browser, tables, "setup", viewport=SIZES["phone"], has_touch=True, is_mobile=True)
    seat = tables[0], tables[1]["setup"]
    active = page.locator(".is-active").get_attribute("data-seat")
    page.context.add_cookies([seat[1].cookie(int(str(active)), seat[0].address)])
    page.reload()
    box = page.locator("#vertex-0").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 18)
    expect(page.locator("#vertex-0")).to_have_class("place vertex legal selected")
    page.context.close()


def test_a_double_tap_zooms_the_board_and_another_shows_it_whole(browser: Browser, tables: Any) -> None:
    page = open_page(browser, tables, "offer", viewport=SIZES["phone"])
    board = page.locator("#board")
    whole = board.get_attribute("viewBox")
    page.mouse.dblclick(40, 200)
    expect(board).not_to_have_attribute("viewBox", str(whole))
    page.mouse.dblclick(40, 200)
    expect(board).to_have_attribute("viewBox", str(whole))
    page.context.close()


def test_an_action_that_is_not_possible_says_why(browser: Browser, tables: Any) -> None:
    page = open_page(browser, tables, "main")
    roll = page.locator(".action[data-kind=roll]")
    expect(roll).to_have_attribute("aria-disabled", "true")
    roll.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#refusal")).to_have_text("The dice have been rolled this turn.")
    page.context.close()


def test_a_single_press_builds_nothing_unless_the_player_wants_it_so(browser: Browser, tables: Any) -> None:
    site, made = tables[0], tables[1]["setup"]
    active = Mouse(browser, made.cookie(0, site.address), site.address, made.game).look()["view"]["active"]
    hands = Keys(browser, made.cookie(active, site.address), site.address, made.game)
    hands.press("#vertex-20.legal")
    expect(hands.page.locator("#prompt")).to_contain_text("Press again to build a settlement: corner of")
    assert hands.look()["version"] == 0
    assert hands.page.evaluate("document.activeElement.id") == "vertex-20"
    hands.page.locator("#settings > summary").click()
    hands.page.locator("#setting-guard").uncheck()
    # What the page has heard cannot be read any more once it is left.
    hands.page.wait_for_load_state("networkidle")
    hands.watch.note()
    hands.page.reload()
    hands.press("#vertex-30.legal")
    hands.wait_for(1)
    assert hands.page.evaluate("document.activeElement.id") == "vertex-30"
    hands.context.close()


def test_a_line_of_the_log_lights_up_its_place(browser: Browser, tables: Any) -> None:
    page = open_page(browser, tables, "main")
    line = page.locator("#log [data-places]").first
    place = str(line.get_attribute("data-places")).strip()
    line.focus()
    expect(page.locator(f"#{place}")).to_have_class(f"place {place.split('-')[0]} lit")
    page.context.close()


def test_nonsense_over_the_socket_hurts_nobody(browser: Browser, tables: Any) -> None:
    """Two hundred messages of garbage, and claims of moves in another's name: the game goes on untouched."""
    site, made = tables[0], tables[1]["offer"]
    hands = Finger(browser, made.cookie(made.seat, site.address), site.address, made.game)
    before = hands.look()
    hands.page.evaluate(
        """async (path) => {
            for (const nonsense of ["}{", "[]", '{"kind": "end_turn", "seat": 1}', "x".repeat(70000)]) {
                const socket = new WebSocket(`ws://${location.host}${path}`);
                await new Promise((open) => socket.addEventListener("open", open));
                for (let count = 0; count < 50 && socket.readyState === 1; count += 1) socket.send(nonsense);
                socket.close();
            }
        }""",
        f"/ws/games/{made.game}/",
    )
    assert hands.look()["view"] == before["view"]
    hands.make({"kind": "reject_offer", "offer": before["view"]["moves"]["reject_offer"][0]["offer"]})
    hands.wait_for(before["version"] + 1)
    assert site.find("Traceback") == []
    hands.context.close()
