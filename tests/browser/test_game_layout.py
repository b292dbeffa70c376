"""The table fills every screen: all is in sight, nothing covers the island, nothing moves between two presses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from tests.browser.hands import Finger, Hands, Mouse, open_game
from tests.browser.making import Made, make_games
from tests.chromium import sign_in
from tests.sites import Site

pytestmark = pytest.mark.browser

PHONES = [(360, 640), (390, 844), (844, 390), (640, 400), (768, 1024)]
DESKS = [(1024, 768), (1280, 800), (1366, 768), (1920, 1080)]
#: How much of a screen is sea and island, in hundredths.
SHARES = {(1280, 800): 45, (1920, 1080): 55}

CARDS: dict[str, Any] = {"rules": "online", "seed": 14, "until": "play_knight", "after": 60, "every_card": True}
ROLL: dict[str, Any] = {"rules": "online", "seed": 14, "until": "roll", "after": 60}
WISHES: dict[str, dict[str, Any]] = {
    "cards": CARDS | {"hand": 3},
    "clock": ROLL | {"pace": "7 days", "left": 24 * 3600},
    "stand-in": ROLL | {"pace": "7 days", "replaced": True},
    "turn": ROLL,
    "double press": ROLL,
    # Somebody presses twice
    "build_settlement": {"rules": "online", "seed": 14, "until": "build_settlement", "after": 20},
    "build_road": {"rules": "online", "seed": 14, "until": "build_road offer_trade", "after": 20},
    "build_city": {"rules": "online", "seed": 14, "until": "build_city"},
    "play_knight": CARDS | {"hand": 2},
    # And once
    "move_robber": {"rules": "online", "seed": 14, "until": "move_robber"},
    "setup": {"seed": 14, "until": "build_settlement"},
    # The tray
    "trade": CARDS | {"hand": 3, "until": "offer_trade"},
    "offers": {"rules": "online", "seed": 14, "until": "accept_offer"},
    "discard": {"rules": "online", "seed": 14, "until": "discard"},
}


@pytest.fixture(scope="module")
def games(embedded_site: Site) -> dict[str, Made]:
    return dict(zip(WISHES, make_games(embedded_site.data, *WISHES.values()), strict=True))


@pytest.fixture(scope="module")
def open_page(browser: Browser, embedded_site: Site, games: dict[str, Made]) -> Iterator[Callable[[str], Page]]:
    """A game's page for whom it waits, in one window that takes every size."""
    page = browser.new_context(reduced_motion="reduce", has_touch=True).new_page()

    def open_page(which: str) -> Page:
        open_game(page, games[which], embedded_site.address)
        return page

    yield open_page
    page.context.close()


def each_size(page: Page, *sizes: tuple[int, int]) -> Iterator[tuple[int, int]]:
    for width, height in sizes or (*PHONES, *DESKS):
        page.set_viewport_size({"width": width, "height": height})
        # What follows the window's size is drawn a frame later.
        page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        yield width, height


def size_of_document(page: Page) -> tuple[int, int]:
    width, height = page.evaluate("(({ scrollWidth: w, scrollHeight: h }) => [w, h])(document.documentElement)")
    return width, height


def box_of(part: Locator) -> FloatRect:
    box = part.bounding_box()
    assert box is not None
    return box


def is_within(box: FloatRect, width: float, height: float) -> bool:
    return box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height


# What is in sight


def test_a_page_with_every_development_card_scrolls_nowhere_and_shows_all_of_it(
    open_page: Callable[[str], Page],
) -> None:
    page = open_page("cards")
    expect(page.locator(".development-card:visible")).to_have_count(5)
    parts = page.locator(
        "#prompt, #hand, .hand-card, .development-card, .action:visible, .seat-card, .site-nav :is(a, button)"
    )
    for width, height in each_size(page):
        assert size_of_document(page) == (width, height)
        out_of_sight = [
            each.inner_text()
            for each in parts.all()
            if each.is_visible() and not is_within(box_of(each), width, height)
        ]
        assert out_of_sight == [], width


def test_every_development_card_can_be_pressed_and_on_a_desk_is_seen_whole(open_page: Callable[[str], Page]) -> None:
    page = open_page("cards")
    for size in each_size(page):
        covered: list[str] = page.locator(".development-card").evaluate_all(
            """(cards, isDesk) => cards.filter((card) => {
                const { left, top, width, height } = card.getBoundingClientRect();
                const points = isDesk ? [2, width / 2, width - 2] : [2, width / 2];
                return !points.every((x) => card.contains(document.elementFromPoint(left + x, top + height / 2)));
            }).map((card) => card.dataset.kind)""",
            size in DESKS,
        )
        assert covered == [], size


def test_no_sheet_leaves_the_screen(open_page: Callable[[str], Page]) -> None:
    page = open_page("cards")
    for width, height in each_size(page):
        boxes = page.locator("dialog").evaluate_all(
            """(sheets) => sheets.map((sheet) => {
                sheet.showModal();
                const { left, right, top, bottom } = sheet.getBoundingClientRect();
                const { scrollWidth } = document.documentElement;
                sheet.close();
                return [sheet.id, left, right, top, bottom, scrollWidth];
            })"""
        )
        assert len(boxes) == 5
        for sheet, left, right, top, bottom, document in boxes:
            assert document <= width, (sheet, width)
            assert 0 <= left < right <= width, (sheet, width)
            assert 0 <= top < bottom <= height, (sheet, height)


#: The longest that is said: where one presses for the second time, and why that was refused.
AT_LENGTH = """() => {
    document.getElementById("dice").hidden = false;
    document.getElementById("clock").hidden = false;
    document.querySelector("#clock b").textContent = "14:59";
    document.getElementById("prompt").textContent =
        "Press again to build a settlement: corner of 10 mountains, 11 mountains, 12 mountains.";
    document.getElementById("refusal").textContent =
        "The game has moved on: look at what happened, then choose again.";
}"""


@pytest.mark.parametrize("which", ["cards", "clock", "stand-in", "at length"])
def test_the_prompt_and_the_header_cover_neither_land_nor_harbours(
    open_page: Callable[[str], Page], which: str
) -> None:
    page = open_page("cards" if which == "at length" else which)
    if which == "at length":
        page.evaluate(AT_LENGTH)
    for size in each_size(page):
        covered = page.evaluate(
            """() => {
                const box = (part) => part.getBoundingClientRect();
                const over = [...document.querySelectorAll(".now, .site-header :is(a, button)")].map(box);
                const under = [...document.querySelectorAll(".land, #board use[href^='#harbor-']")];
                return under.filter((part) => over.some((one) => {
                    const { left, right, top, bottom } = box(part);
                    return one.left < right - 2 && one.right > left + 2 && one.top < bottom - 2 && one.bottom > top + 2;
                })).map((part) => part.id || part.getAttribute("href"));
            }"""
        )
        assert covered == [], size


def test_nobody_signs_in_or_out_on_the_sea(browser: Browser, embedded_site: Site, games: dict[str, Made]) -> None:
    page = browser.new_context().new_page()
    page.goto(embedded_site.address)
    come, go = page.get_by_role("link", name="Sign in"), page.get_by_role("button", name="Sign out")
    for link, other in ((come, go), (go, come)):
        expect(link).to_be_visible()
        page.goto(f"{embedded_site.address}/games/{games['turn'].game}/")
        for _ in each_size(page):
            expect(page.get_by_role("link", name="Online Catan")).to_be_visible()
            expect(link.or_(other)).to_be_hidden()
        if link is come:
            sign_in(page, embedded_site)
    page.context.close()


def test_the_island_has_half_of_a_desk(open_page: Callable[[str], Page]) -> None:
    page = open_page("cards")
    for width, height in each_size(page, *SHARES):
        panel = box_of(page.locator("#island-view"))
        assert panel["width"] * panel["height"] >= SHARES[width, height] / 100 * width * height


def test_a_phone_shows_who_holds_too_many_cards_and_what_happened_last(open_page: Callable[[str], Page]) -> None:
    page = open_page("cards")
    for _ in each_size(page, *PHONES):
        held = page.locator(".is-you .seat-hand")
        expect(held).to_have_text("15 resource cards, over the limit of 7")
        expect(held.locator("b")).to_be_in_viewport(ratio=1)
        expect(page.locator(".is-over-limit")).to_have_count(1)
        newest = [line.strip() for line in page.locator("#log > li").all_text_contents()[-2:]]
        assert [line.strip() for line in page.locator("#ticker > span").all_text_contents()] == newest
        page.locator("#ticker").tap()
        expect(page.locator("#log > li").last).to_be_in_viewport()
        page.locator("#side-close").tap()
        expect(page.locator("#log")).to_be_hidden()


# What lies above what


def test_pieces_lie_above_the_hexes_that_can_be_chosen_and_the_robber_leaves_the_number_in_sight(
    open_page: Callable[[str], Page],
) -> None:
    page = open_page("move_robber")
    hexes_below = """() => {
        const follows = (a, b) => Boolean(a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING);
        const [places, buildings] = [[...document.querySelectorAll(".place")], document.getElementById("buildings")];
        const isAbove = (piece) => (place) => follows(place, piece);
        return [
            places.filter((place) => place.matches(".hex")).every(isAbove(buildings)),
            places.every(isAbove(document.getElementById("ghost"))),
        ];
    }"""
    assert page.evaluate(hexes_below) == [True, True]
    for _ in each_size(page, PHONES[0], DESKS[1]):
        robber, token = page.evaluate(
            """() => {
                const robber = document.getElementById("robber-piece");
                const land = [...document.querySelectorAll(".land")].find(
                    (hex) => hex.getAttribute("transform") === robber.getAttribute("transform"));
                const token = land.querySelector("[href^='#token-']");
                return [robber, token].map((part) => part?.getBoundingClientRect());
            }"""
        )
        assert token is None or robber["bottom"] < token["top"] + token["height"] / 4


# Two presses


PRESSED = {
    "build_settlement": ".vertex.legal[data-kind=build_settlement]",
    "build_road": ".edge.legal",
    "build_city": ".vertex.legal[data-kind=build_city]",
    "play_knight": ".development-card[data-kind=play_knight]",
}


#: What the log says then.
DONE = {
    "build_settlement": "built_settlement",
    "build_road": "built_road",
    "build_city": "built_city",
    "play_knight": "played_card",
}


def what_happened_after(version: int, hands: Hands) -> list[str]:
    moves = hands.ask(f"moves/?after={version}")["moves"]
    return [event["kind"] for move in moves for event in move["events"]]


def point_in(box: FloatRect) -> tuple[float, float]:
    """Beside the middle: nobody hits that."""
    return box["x"] + box["width"] / 2 + 5, box["y"] + box["height"] / 2 - 5


@pytest.mark.parametrize("kind", PRESSED)
def test_what_is_pressed_twice_at_the_same_point_is_done(
    browser: Browser, embedded_site: Site, games: dict[str, Made], kind: str
) -> None:
    made = games[kind]
    hands = Finger(browser, embedded_site.address).sit_down(made, made.seat)
    page, version = hands.page, hands.look()["version"]
    for pressed in (page.locator(PRESSED[kind]).last, page.locator(PRESSED[kind]).first):
        for width, height in each_size(page, (1280, 800), (768, 1024), (844, 390), (390, 844), (360, 640)):
            x, y = point_in(box_of(pressed))
            page.touchscreen.tap(x, y)
            expect(page.locator("#confirm-yes")).to_be_visible()
            expect(page.locator(".place.selected, .is-armed")).to_have_count(1)
            assert point_in(box_of(pressed)) == pytest.approx((x, y), abs=0.5)
            bubble = box_of(page.locator("#confirm"))
            assert is_within(bubble, width, height)
            assert not (0 <= x - bubble["x"] <= bubble["width"] and 0 <= y - bubble["y"] <= bubble["height"])
            page.locator("#confirm-no").tap()
            expect(page.locator("#confirm")).to_be_hidden()
    x, y = point_in(box_of(page.locator(PRESSED[kind]).first))
    for _ in range(2):
        page.touchscreen.tap(x, y)
    hands.wait_for(version + 1)
    assert what_happened_after(version, hands)[0] == DONE[kind]
    hands.context.close()


@pytest.mark.parametrize(
    ("which", "place", "done"),
    [("move_robber", ".hex.legal", "moved_robber"), ("setup", ".vertex.legal", "built_settlement")],
)
def test_what_costs_no_cards_is_pressed_once(
    browser: Browser, embedded_site: Site, games: dict[str, Made], which: str, place: str, done: str
) -> None:
    made = games[which]
    hands = Finger(browser, embedded_site.address).sit_down(made, made.seat)
    version = hands.look()["version"]
    hands.press(f"{place} >> nth=0")
    hands.wait_for(version + 1)
    assert what_happened_after(version, hands)[0] == done
    hands.context.close()


# The tray


def test_the_tray_covers_nothing_and_moves_no_card_of_the_hand(open_page: Callable[[str], Page]) -> None:
    page = open_page("trade")
    card = page.locator(".hand-card > button").nth(1)
    for size in each_size(page):
        place = box_of(card)
        card.tap()
        expect(page.locator("#tray-send")).to_be_visible()
        assert box_of(card) == place, size
        card.tap()
        page.locator(".bank-card").last.tap()
        expect(page.locator("#tray [data-row=gives] b")).to_have_text("2")
        assert size_of_document(page) == size
        cut_off = page.locator("#tray :is(button, label, p):visible, .hand-card:visible, #board").evaluate_all(
            """(parts) => parts.filter((part) => {
                const { left, right, top, bottom } = part.getBoundingClientRect();
                const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
                const isCovered = right > left && !part.contains(at) && !at?.contains(part);
                return right > innerWidth || bottom > innerHeight || isCovered;
            }).map((part) => part.id || part.className || part.textContent)"""
        )
        assert cut_off == [], size
        board = box_of(page.locator("#board"))
        assert min(board["width"], board["height"]) >= 180, size
        page.locator("#tray-close").tap()
        expect(page.locator("#tray-send")).to_be_hidden()


def test_offers_cover_nothing_of_the_board(open_page: Callable[[str], Page]) -> None:
    page = open_page("offers")
    for size in each_size(page):
        offers, island = box_of(page.locator(".offers")), box_of(page.locator("#island-view"))
        apart = offers["y"] >= island["y"] + island["height"] - 1 or offers["x"] >= island["x"] + island["width"] - 1
        assert apart, size
        expect(page.locator("#offers button[data-kind=accept_offer]").first).to_be_in_viewport(ratio=1)
        assert size_of_document(page) == size


def test_cards_are_discarded_in_sight_of_the_board(open_page: Callable[[str], Page]) -> None:
    page = open_page("discard")
    for size in each_size(page):
        expect(page.locator("#tray-send")).to_be_in_viewport(ratio=1)
        expect(page.locator("#tray-close")).to_be_hidden()
        expect(page.locator("#tray-note")).to_contain_text("Choose cards to discard: 0 of")
        assert size_of_document(page) == size


# One button for a turn


def test_the_space_bar_rolls_and_ends_the_turn_by_the_one_button(
    browser: Browser, embedded_site: Site, games: dict[str, Made]
) -> None:
    made = games["turn"]
    hands = Mouse(browser, embedded_site.address).sit_down(made, made.seat)
    page, version = hands.page, hands.look()["version"]
    turn = page.locator("#turn")
    place = box_of(turn)
    for other in ("#chat-text", ".action[data-kind=trade]"):
        page.locator(other).focus()
        page.keyboard.press("Space")
    expect(page.locator("#chat-text")).to_have_value(" ")
    page.evaluate("document.activeElement.blur()")
    expect(turn).to_have_accessible_name("Roll")
    page.keyboard.press("Space")
    hands.wait_for(version + 1)
    expect(turn).to_have_accessible_name("End turn")
    expect(turn).to_have_attribute("aria-disabled", "false")
    assert box_of(turn) == place
    page.keyboard.press("Space")
    hands.wait_for(version + 2)
    assert {"rolled", "turn_began"} <= {*what_happened_after(version, hands)}
    hands.context.close()


def test_a_double_press_of_roll_does_not_end_the_turn(
    browser: Browser, embedded_site: Site, games: dict[str, Made]
) -> None:
    made = games["double press"]
    hands = Mouse(browser, embedded_site.address).sit_down(made, made.seat)
    page, version = hands.page, hands.look()["version"]
    # The second press comes in the very moment in which the button says something else.
    page.evaluate(
        """() => {
            const button = document.getElementById("turn");
            new MutationObserver(() => button.click()).observe(button, { attributeFilter: ["data-kind"] });
        }"""
    )
    hands.make({"kind": "roll"})
    hands.wait_for(version + 1)
    expect(page.locator("#turn[data-kind=end_turn]")).to_have_attribute("aria-disabled", "false")
    assert hands.look()["version"] == version + 1
    hands.context.close()
