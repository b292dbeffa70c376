"""A page for everybody: in order by axe, light, large enough for a finger, and never at a loss for words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.hands import Finger, Keys, Mouse, open_game, open_menu
from tests.browser.making import Made, make_games
from tests.sites import Site

pytestmark = pytest.mark.browser

SIZES = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 360, "height": 640}}
FINGERS = {"viewport": SIZES["phone"], "has_touch": True, "is_mobile": True}
#: What a page of a running game may weigh, in bytes over the wire.
MOST_WEIGHT = 150_000

MOMENTS: dict[str, dict[str, Any]] = {
    "setup": {"seed": 14, "until": "build_settlement"},
    "main": {"rules": "online", "seed": 14, "until": "buy_card", "after": 60},
    "offer": {"rules": "online", "seed": 14, "until": "accept_offer"},
    "discard": {"rules": "online", "seed": 14, "until": "discard"},
    "end": {"rules": "standard points_to_win=8", "seed": 53, "until": "never"},
}
#: Whoever moves has a game to themselves.
OWN_GAMES: dict[str, dict[str, Any]] = {
    "to place": {"seed": 14, "until": "build_settlement"},
    "to place by the keys": {"rules": "online", "seed": 14, "until": "build_road offer_trade", "after": 20},
    "to trade": {"rules": "online", "seed": 14, "until": "trade_with_bank"},
    "to reject": MOMENTS["offer"],
    "to refuse by a key": MOMENTS["offer"],
    "to offer by the keys": {"rules": "online", "seed": 14, "until": "offer_trade", "after": 60},
    "to build": {"rules": "online", "seed": 14, "until": "build_road offer_trade", "after": 20},
}


@pytest.fixture(scope="module")
def games(embedded_site: Site) -> dict[str, Made]:
    wishes = MOMENTS | OWN_GAMES
    return dict(zip(wishes, make_games(embedded_site.data, *wishes.values()), strict=True))


@pytest.fixture(scope="module")
def open_page(browser: Browser, embedded_site: Site, games: dict[str, Made]) -> Iterator[Callable[..., Page]]:
    """Opens a game's page for whom it waits, in windows that are kept: in a new one it takes three times as long."""
    windows: dict[str, Page] = {}

    def open_page(which: str, **options: Any) -> Page:
        if f"{options}" not in windows:
            windows[f"{options}"] = browser.new_context(reduced_motion="reduce", **options).new_page()
        page, made = windows[f"{options}"], games[which]
        open_game(page, made, embedded_site.address)
        return page

    yield open_page
    for page in windows.values():
        page.context.close()


def complaints_of_axe(page: Page) -> list[str]:
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [violation["help"] for violation in found]


@pytest.mark.parametrize(("size", "scheme"), [("desk", "light"), ("desk", "dark"), ("phone", "dark")])
@pytest.mark.parametrize("which", MOMENTS)
def test_axe_finds_nothing_wrong(open_page: Callable[..., Page], which: str, size: str, scheme: str) -> None:
    page = open_page(which, viewport=SIZES[size], color_scheme=scheme)
    assert complaints_of_axe(page) == []
    if which == "main":
        page.locator(".action[data-kind=buy_card]").click()
        expect(page.locator("#confirm")).to_be_visible()
        assert complaints_of_axe(page) == []
        open_menu(page)
        page.locator("#about .all-rules > summary").click()
        assert complaints_of_axe(page) == []
        page.locator("#menu-close").click()
        page.locator(".action[data-kind=trade]").click()
        expect(page.locator("#tray-send")).to_be_visible()
        assert complaints_of_axe(page) == []
        page.keyboard.press("Escape")
        page.locator("#statistics-open").dispatch_event("click")
        expect(page.locator("#statistics-sheet tbody tr")).to_have_count(4)
        assert complaints_of_axe(page) == []
        page.keyboard.press("Escape")
        for sheet in ("monopoly-sheet", "steal-sheet"):
            page.evaluate(f"document.getElementById('{sheet}').showModal()")
            assert complaints_of_axe(page) == []
            page.keyboard.press("Escape")


def test_the_figures_of_a_game_are_one_press_away_and_close_again(open_page: Callable[..., Page]) -> None:
    page = open_page("main", viewport=SIZES["desk"])
    page.locator("#statistics-open").click()
    expect(page.locator("#statistics-sheet figcaption")).to_contain_text("rolls")
    page.locator("#statistics-sheet [data-close]").click()
    expect(page.locator("#statistics-sheet")).to_be_hidden()


@pytest.mark.parametrize("which", ["setup", "main", "offer", "discard"])
def test_a_page_of_a_running_game_is_light(
    browser: Browser, embedded_site: Site, games: dict[str, Made], which: str
) -> None:
    made = games[which]
    context = browser.new_context()
    context.add_cookies([made.cookie(made.seat, embedded_site.address)])  # type: ignore[list-item]
    page = context.new_page()
    session = context.new_cdp_session(page)
    weights: list[int] = []
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    page.goto(f"{embedded_site.address}/games/{made.game}/")
    # Only now: a slow machine is idle long before a page has asked for all it needs.
    page.wait_for_load_state("networkidle")
    assert 20_000 < sum(weights) <= MOST_WEIGHT
    context.close()


@pytest.mark.parametrize("which", ["setup", "main", "offer", "discard"])
def test_a_finger_can_hit_every_control_of_a_phone(open_page: Callable[..., Page], which: str) -> None:
    page = open_page(which, **FINGERS)
    small = page.locator("#game button:visible").evaluate_all(
        """buttons => buttons.map((button) => [button.innerText, button.getBoundingClientRect()])
            .filter(([, { width, height }]) => width < 43.5 || height < 43.5).map(([text]) => text)"""
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_tap_beside_a_corner_means_the_nearest_one(open_page: Callable[..., Page]) -> None:
    page = open_page("to place", **FINGERS)
    box = page.locator("#vertex-0").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 18)
    expect(page.locator("#buildings [data-key=settlement-0]")).to_be_visible()


def test_a_double_tap_zooms_the_board_and_another_shows_it_whole(open_page: Callable[..., Page]) -> None:
    page = open_page("offer", viewport=SIZES["phone"])
    board = page.locator("#board")
    whole = board.get_attribute("viewBox")
    double_tap(page, 40, 200)
    expect(board).not_to_have_attribute("viewBox", str(whole))
    double_tap(page, 40, 200)
    expect(board).to_have_attribute("viewBox", str(whole))


def double_tap(page: Page, x: int, y: int) -> None:
    """Two presses a tenth of a second apart by their own stamps, however long the machine takes over them."""
    session = page.context.new_cdp_session(page)
    start = time.time()
    for tap in (1, 2):
        press = {"x": x, "y": y, "button": "left", "clickCount": tap, "timestamp": start + tap / 10}
        for kind in ("mousePressed", "mouseReleased"):
            session.send("Input.dispatchMouseEvent", {"type": kind, **press})
    session.detach()


def test_an_action_that_is_not_possible_says_why(open_page: Callable[..., Page]) -> None:
    page = open_page("main", viewport=SIZES["desk"])
    city = page.locator(".action[data-kind=build_city]")
    expect(city).to_have_attribute("aria-disabled", "true")
    city.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#refusal")).to_have_text("You need 1 more grain and 1 more ore.")


def test_a_redraw_takes_the_focus_from_nothing_in_the_tray(open_page: Callable[..., Page]) -> None:
    page = open_page("to trade", viewport=SIZES["desk"])
    page.locator(".action[data-kind=trade]").click()
    deal = page.locator(".bank-card").first
    deal.focus()
    # The page looks at the game again; that its version is back on the page shows that it has drawn it.
    version = page.locator("#game").get_attribute("data-version")
    page.evaluate("document.getElementById('game').dataset.version = ''; dispatchEvent(new Event('online'))")
    expect(page.locator("#game")).to_have_attribute("data-version", str(version))
    expect(deal).to_be_focused()


def test_a_single_press_builds_nothing_unless_the_player_wants_it_so(
    browser: Browser, embedded_site: Site, games: dict[str, Made]
) -> None:
    made = games["to place by the keys"]
    hands = Keys(browser, embedded_site.address).sit_down(made, made.seat)
    seen = hands.look()
    edge = seen["choices"]["build_road"][0]["edge"]
    hands.press(f"#edge-{edge}.legal")
    expect(hands.page.locator("#prompt")).to_contain_text("Press again to build a road: ")
    assert hands.look()["version"] == seen["version"]
    expect(hands.page.locator(f"#edge-{edge}")).to_be_focused()
    open_menu(hands.page)
    hands.page.locator("#settings > summary").click()
    hands.page.locator("#setting-guard").uncheck()
    hands.open()
    hands.press(f"#edge-{edge}.legal")
    hands.wait_for(seen["version"] + 1)
    expect(hands.page.locator(f"#edge-{edge}")).to_be_focused()
    hands.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_the_costs_are_a_press_away_and_come_into_sight(open_page: Callable[..., Page], size: str) -> None:
    page = open_page("offer", viewport=SIZES[size])
    costs = page.locator("#about .costs")
    expect(costs).to_be_hidden()
    open_menu(page)
    expect(costs).to_be_in_viewport(ratio=1)


def test_the_pieces_that_are_left_are_counted_down(
    browser: Browser, embedded_site: Site, games: dict[str, Made]
) -> None:
    made = games["to build"]
    hands = Mouse(browser, embedded_site.address).sit_down(made, made.seat)
    seen = hands.look()
    left = seen["seats"][made.seat]["roads_left"]
    hands.make({"kind": "build_road", **seen["choices"]["build_road"][0]})
    hands.wait_for(seen["version"] + 1)
    expect(hands.page.locator(".action [data-left=roads]")).to_have_text(f"{left - 1}")
    open_menu(hands.page)
    expect(hands.page.locator(f"[data-pieces='{made.seat}'] [data-left=roads]")).to_have_text(f"{left - 1}")
    hands.context.close()


def test_letters_press_the_buttons_that_people_press_most_but_not_while_one_types(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("main", viewport=SIZES["desk"])
    page.locator("#chat-text").click()
    page.keyboard.type("drt?")
    expect(page.locator("#chat-text")).to_have_value("drt?")
    expect(page.locator("dialog[open], .action.is-chosen")).to_have_count(0)
    page.locator("#prompt").focus()
    page.keyboard.press("d")
    expect(page.locator(".action[data-kind=buy_card].is-chosen")).to_be_visible()
    expect(page.locator("#prompt")).to_have_text("Press again to buy a development card.")
    page.keyboard.press("Escape")
    expect(page.locator(".action.is-chosen")).to_have_count(0)
    page.keyboard.press("c")
    expect(page.locator("#refusal")).to_have_text("You need 1 more grain and 1 more ore.")
    page.keyboard.press("t")
    expect(page.locator("#tray-send")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#menu .keys")).to_be_visible()
    page.keyboard.press("Escape")


def test_digits_give_and_get_resources_and_enter_sends_the_offer(
    browser: Browser, embedded_site: Site, games: dict[str, Made]
) -> None:
    made = games["to offer by the keys"]
    hands = Mouse(browser, embedded_site.address).sit_down(made, made.seat)
    seen, page = hands.look(), hands.page
    hand = seen["seats"][made.seat]["hand"]
    given = max(hand, key=hand.__getitem__)
    wanted = next(name for name in hand if name != given)
    page.locator("#chat-text").click()
    page.keyboard.type("12345")
    expect(page.locator("#tray-send")).to_be_hidden()
    page.locator("#prompt").focus()
    page.keyboard.press(f"Digit{[*hand].index(given) + 1}")
    page.keyboard.press(f"Shift+Digit{[*hand].index(wanted) + 1}")
    page.keyboard.press("Escape")
    expect(page.locator("#tray-send")).to_be_hidden()
    page.keyboard.press("t")
    page.keyboard.press(f"Digit{[*hand].index(given) + 1}")
    page.keyboard.press(f"Shift+Digit{[*hand].index(wanted) + 1}")
    expect(page.locator("#tray-send")).to_have_attribute("aria-disabled", "false")
    # The turn's own key does nothing while an offer is put together.
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    offers = hands.look_until(seen["version"] + 1)["offers"]
    assert (offers[-1]["gives"], offers[-1]["gets"]) == ({given: 1}, {wanted: 1})
    hands.context.close()


def test_a_letter_says_no_to_the_topmost_offer(browser: Browser, embedded_site: Site, games: dict[str, Made]) -> None:
    made = games["to refuse by a key"]
    hands = Mouse(browser, embedded_site.address).sit_down(made, made.seat)
    version = hands.look()["version"]
    hands.page.keyboard.press("n")
    assert hands.look_until(version + 1)["log"][-1]["event"]["kind"] == "rejected"
    hands.context.close()


def test_a_line_of_the_log_lights_up_its_place(open_page: Callable[..., Page]) -> None:
    page = open_page("main", viewport=SIZES["desk"])
    line = page.locator("#log [data-places]").first
    place = str(line.get_attribute("data-places")).strip()
    line.focus()
    expect(page.locator(f"#{place}")).to_have_class(f"place {place.split('-')[0]} lit")


def test_nonsense_over_the_socket_hurts_nobody(browser: Browser, embedded_site: Site, games: dict[str, Made]) -> None:
    """Two hundred messages of garbage, and claims of moves in another's name: the game goes on untouched."""
    made = games["to reject"]
    hands = Finger(browser, embedded_site.address).sit_down(made, made.seat)
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
    assert hands.look() | {"now": before["now"]} == before
    hands.make({"kind": "reject_offer", "offer": before["choices"]["reject_offer"][0]["offer"]})
    hands.wait_for(before["version"] + 1)
    assert embedded_site.find("Traceback") == []
    hands.context.close()


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_every_column_of_the_points_at_the_end_is_on_the_screen(open_page: Callable[..., Page], width: int) -> None:
    page = open_page("end", viewport={"width": width, "height": 800})
    rows = page.locator(".end-table tbody tr")
    expect(rows).to_have_count(4)
    outside = page.locator(".end-table :is(th, td)").evaluate_all(
        """(cells) => cells.filter((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            const { left, right } = range.getBoundingClientRect();
            return cell.checkVisibility() && (left < 0 || right > innerWidth);
        }).map((cell) => cell.textContent)"""
    )
    assert outside == []
    for row in rows.all():
        expect(row.locator(".end-total")).to_be_visible()
        brought = [int(cell.inner_text()) for cell in row.locator(".end-source:visible b").all()]
        assert sum(brought) == int(row.locator(".end-total b").inner_text())
