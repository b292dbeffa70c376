"""Whoever has never played finds out how: things explain themselves, and a first game against bots gives hints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from games.rules import RuleSet
from games.words_help import HintName, hints
from tests.browser.hands import Finger, open_game, open_menu, until_drawn
from tests.browser.making import Made, make_games
from tests.browser.test_game_access import complaints_of_axe
from tests.browser.test_game_layout import DESKS, PHONES, box_of, each_size, is_within
from tests.sites import Site

pytestmark = pytest.mark.browser

DESK, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 640}
ONLINE: dict[str, Any] = {"rules": "online", "seed": 14}
WISHES: dict[str, dict[str, Any]] = {
    "among people": ONLINE | {"until": "buy_card", "after": 60, "every_card": True, "hand": 1},
    "setup": {"seed": 14, "until": "build_settlement"},
    "to settle": {"seed": 14, "until": "build_settlement"},
    # Games against bots, at the moment of a hint
    "first_settlement": {"seed": 14, "until": "build_settlement", "alone": True},
    "roll": ONLINE | {"until": "roll", "alone": True},
    "to roll": ONLINE | {"until": "roll", "alone": True},
    "discard": ONLINE | {"until": "discard", "alone": True},
    "robber": ONLINE | {"until": "move_robber", "alone": True},
    "answer_offer": ONLINE | {"until": "accept_offer", "alone": True, "pace": "7 days"},
    "card": ONLINE | {"until": "buy_card", "after": 60, "every_card": True, "hand": 1, "alone": True},
}

SAID = hints(RuleSet())


@pytest.fixture(scope="module")
def games(embedded_site: Site) -> dict[str, Made]:
    return dict(zip(WISHES, make_games(embedded_site.data, *WISHES.values()), strict=True))


@pytest.fixture
def sit_down(browser: Browser, embedded_site: Site, games: dict[str, Made]) -> Iterator[Callable[..., Page]]:
    """Opens a game's page for whom it waits, in a browser that remembers nothing yet, or in one that is open."""
    contexts: list[BrowserContext] = []

    def sit_down(which: str, page: Page | None = None, **options: Any) -> Page:
        if page is None:
            contexts.append(browser.new_context(reduced_motion="reduce", **{"viewport": DESK, **options}))
            page = contexts[-1].new_page()
        open_game(page, games[which], embedded_site.address)
        return page

    yield sit_down
    for context in contexts:
        context.close()


@pytest.fixture
def newcomer(browser: Browser, embedded_site: Site) -> Iterator[Page]:
    """Somebody who has just pressed "Play now against bots", with a thumb."""
    context = browser.new_context(reduced_motion="reduce", **Finger.options)
    page = context.new_page()
    page.goto(embedded_site.address)
    page.get_by_text("Play now against bots").tap()
    until_drawn(page)
    yield page
    context.close()


# What a thing is


class Thumb:
    """A finger that can stay where it is."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def down(self, thing: Locator) -> None:
        box = box_of(thing)
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        self.session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})

    def up(self) -> None:
        self.session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def hold(self, thing: Locator) -> None:
        """Until it is explained."""
        self.down(thing)
        expect(note_of(self.page)).to_be_visible()
        self.up()


def note_of(page: Page) -> Locator:
    return page.locator("#note")


def test_a_long_press_explains_and_does_not_press(sit_down: Callable[..., Page]) -> None:
    page = sit_down("among people", **Finger.options)
    thumb = Thumb(page)
    buy = page.locator(".action[data-kind=buy_card]")
    thumb.hold(buy)
    expect(note_of(page)).to_contain_text("A development card costs 1 wool, 1 grain and 1 ore.")
    assert page.evaluate("getSelection().isCollapsed")
    # It stays to be read, and the next tap is a press again.
    expect(page.locator(".is-chosen, .is-armed")).to_have_count(0)
    buy.tap()
    expect(note_of(page)).to_be_hidden()
    expect(page.locator(".action[data-kind=buy_card].is-chosen")).to_be_visible()


def test_a_long_press_on_a_free_corner_names_it_and_does_not_choose_it(sit_down: Callable[..., Page]) -> None:
    page = sit_down("to settle", **Finger.options)
    corner = page.locator("#vertex-20.legal")
    Thumb(page).hold(corner)
    expect(note_of(page)).to_contain_text("orner of")
    expect(page.locator("#buildings > *")).to_have_count(0)
    corner.tap()
    expect(page.locator("#buildings > *")).to_have_count(1)
    expect(note_of(page)).to_be_hidden()


def test_a_finger_that_strays_or_is_quick_asks_nothing(sit_down: Callable[..., Page]) -> None:
    page = sit_down("among people", **Finger.options)
    thumb = Thumb(page)
    card = page.locator(".hand-card[data-resource=wool]")
    thumb.down(card)
    box = box_of(card)
    strayed = {"x": box["x"] + 30, "y": box["y"] - 30}
    thumb.session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [strayed]})
    page.wait_for_timeout(800)
    expect(note_of(page)).to_be_hidden()
    thumb.up()
    thumb.hold(card)
    expect(note_of(page)).to_have_text("Wool comes from pasture. It pays for settlements and development cards.")


def test_the_keys_explain_whatever_they_reach(sit_down: Callable[..., Page]) -> None:
    page = sit_down("among people")
    page.keyboard.press("Tab")
    page.locator(".action[data-kind=build_road]").focus()
    expect(note_of(page)).to_contain_text("A road costs 1 brick and 1 lumber.")
    page.keyboard.press("Escape")
    expect(note_of(page)).to_be_hidden()
    page.locator(".development-card[data-kind=play_monopoly]").focus()
    expect(note_of(page)).to_contain_text("Name a resource")
    page.locator(".place[tabindex='0']").focus()
    expect(note_of(page)).to_be_visible()
    page.locator("#chat-text").focus()
    expect(note_of(page)).to_be_hidden()


def test_the_arrow_keys_walk_over_the_figures_of_the_players(sit_down: Callable[..., Page]) -> None:
    page = sit_down("among people")
    badges = page.locator("#players [data-explain]")
    expect(page.locator("#players [data-explain][tabindex='0']")).to_have_count(1)
    page.keyboard.press("Tab")
    badges.first.focus()
    seen = []
    for badge in badges.all():
        expect(badge).to_be_focused()
        seen.append(note_of(page).inner_text())
        page.keyboard.press("ArrowRight")
    expect(badges.first).to_be_focused()
    assert len(seen) == 4 * 5 + 6
    assert seen[0] == "Victory points you can see. 10 victory points win."
    assert seen[-1] == "Development cards left to buy."


def test_a_button_that_cannot_be_used_explains_why_before_it_is_pressed(sit_down: Callable[..., Page]) -> None:
    page = sit_down("among people")
    city = page.locator(".action[data-kind=build_city]")
    city.hover()
    why = "You need 1 more grain and 2 more ore."
    expect(note_of(page).locator("strong")).to_have_text(why)
    expect(note_of(page)).to_contain_text("A city costs 2 grain and 3 ore")
    # Those who listen hear the same, once.
    expect(city).to_have_accessible_description(f"{why} {city.get_attribute('data-explain')}")
    expect(note_of(page)).to_have_attribute("aria-hidden", "true")
    page.mouse.down()
    page.mouse.up()
    expect(note_of(page)).to_be_hidden()
    expect(page.locator("#refusal")).to_have_text(why)


def test_the_browsers_own_tooltips_are_gone(sit_down: Callable[..., Page]) -> None:
    page = sit_down("among people")
    expect(page.locator("#game [title]")).to_have_count(0)


EXPLAINED = {
    ".is-you .seat-points": "Victory points",
    ".seat-card:last-child .seat-hand": "Resource cards in hand.",
    ".seat-card:first-child .seat-developments": "Development cards in hand.",
    ".hand-card:first-child": "Brick comes from hills.",
    ".development-card[data-kind=play_knight]": "Move the robber",
    ".action[data-kind=build_road]": "A road costs",
    "#turn": "This button leads through your turn",
    "#dice": "The last roll.",
    "#board [href^='#harbor-']:not([href='#harbor-any'])": "2:1 harbor",
    "#land-0": "of 36 rolls",
    "#land-18": "of 36 rolls",
    "#buildings > g": "brings",
}


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_every_note_stays_on_the_screen_beside_what_it_explains(
    sit_down: Callable[..., Page], size: dict[str, int]
) -> None:
    page = sit_down("among people", viewport=size)
    for thing, words in EXPLAINED.items():
        explained = page.locator(thing).first
        target = explained.locator("[href^='#token-']") if thing.startswith("#land-") else explained
        at = box_of(target)
        page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
        expect(note_of(page)).to_be_visible()
        expect(note_of(page)).to_contain_text(words)
        note, it = box_of(note_of(page)), box_of(explained)
        assert is_within(note, **size), thing
        assert note["y"] + note["height"] <= it["y"] or note["y"] >= it["y"] + it["height"], thing
        page.mouse.move(0, 0)
        expect(note_of(page)).to_be_hidden()


# The help


@pytest.mark.parametrize("options", [{"viewport": DESK}, {**Finger.options}], ids=["desk", "phone"])
def test_the_help_of_a_game_is_a_press_away_topic_by_topic(
    sit_down: Callable[..., Page], options: dict[str, Any]
) -> None:
    page = sit_down("among people", **options)
    open_menu(page)
    for link in page.locator("#about .topics a").all():
        link.click()
        title = page.locator(str(link.get_attribute("href")))
        expect(title).to_be_in_viewport(ratio=1)
        covered = title.evaluate(
            """(title) => {
                const { left, top, height } = title.getBoundingClientRect();
                return !title.contains(document.elementFromPoint(left + 5, top + height / 2));
            }"""
        )
        assert not covered
    assert page.locator("#about .topics li").count() == 9


def test_the_help_lies_open_below_a_game_without_scripts(sit_down: Callable[..., Page], browser: Browser) -> None:
    address, cookies = (page := sit_down("among people")).url, page.context.cookies()
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(cookies)  # type: ignore[arg-type]
    plain = context.new_page()
    plain.goto(address)
    plain.locator("#about > summary").click()
    expect(plain.locator("#help-seven ~ p").last).to_be_visible()
    expect(plain.locator("#hint, #note, #hints-again").locator("visible=true")).to_have_count(0)
    context.close()


# A first game


def expect_hint(page: Page, name: HintName) -> None:
    expect(page.locator(".hint.is-shown #hint-text")).to_have_text(SAID[name])


def expect_no_hint(page: Page) -> None:
    expect(page.locator("#hint-text")).to_have_text("")
    expect(page.locator("#hint-got")).to_be_hidden()


def test_a_first_game_tells_of_settlements_and_roads_each_once(newcomer: Page) -> None:
    page = newcomer
    expect_hint(page, "first_settlement")
    # Not yet said for good: its moment lasts.
    page.reload()
    expect_hint(page, "first_settlement")
    page.locator(".vertex.legal").first.tap()
    expect_hint(page, "first_road")
    page.locator("#hint-got").tap()
    expect_no_hint(page)
    expect(page.locator(".edge.legal").first).to_be_visible()
    page.reload()
    until_drawn(page)
    expect(page.locator(".edge.legal").first).to_be_visible()
    expect_no_hint(page)
    page.locator(".edge.legal").first.tap()
    expect_hint(page, "second_settlement")
    page.locator(".vertex.legal").first.tap()
    # The second road is like the first.
    expect(page.locator(".edge.legal").first).to_be_visible()
    expect_no_hint(page)


@pytest.mark.parametrize("name", ["roll", "discard", "robber", "answer_offer"])
def test_a_hint_comes_at_its_moment(sit_down: Callable[..., Page], name: HintName) -> None:
    page = sit_down(name)
    expect_hint(page, name)


def test_a_hint_goes_with_its_moment_and_does_not_come_again(sit_down: Callable[..., Page]) -> None:
    page = sit_down("to roll")
    expect_hint(page, "roll")
    page.locator("#turn[data-kind=roll]").click()
    # The roll is one that brings this player cards.
    expect_hint(page, "production")
    page.locator("#turn[data-kind=end_turn][aria-disabled=false]").click()
    expect(page.locator("#hint-text")).not_to_have_text(SAID["production"])
    given = page.evaluate("localStorage.getItem('catan-hints').split(' ')")
    assert {"roll", "production"} <= {*given}
    sit_down("roll", page)
    expect_no_hint(page)


def test_what_is_got_makes_room_for_the_next_hint_and_stays_got(sit_down: Callable[..., Page]) -> None:
    page = sit_down("card")
    seen: list[str] = []
    while page.locator("#hint-got").is_visible():
        seen.append(page.locator("#hint-text").inner_text())
        page.locator("#hint-got").click()
        expect(page.locator("#hint-text")).not_to_have_text(seen[-1])
    names = {words: name for name, words in SAID.items()}
    assert [names[words] for words in seen] == ["card", "harbor", "build", "end_turn"]
    expect(page.locator("#prompt")).to_be_focused()
    sit_down("card", page)
    expect_no_hint(page)
    open_menu(page)
    page.locator("#settings > summary").click()
    page.locator("#hints-again").click()
    expect_hint(page, "card")


def test_no_more_hints_ends_them_for_good(sit_down: Callable[..., Page]) -> None:
    page = sit_down("card")
    expect_hint(page, "card")
    page.locator("#hint-skip").click()
    expect_no_hint(page)
    for which in ("card", "discard", "first_settlement"):
        sit_down(which, page)
        expect_no_hint(page)


@pytest.mark.parametrize("which", ["among people", "setup"])
def test_a_game_with_people_has_no_hints(sit_down: Callable[..., Page], which: str) -> None:
    page = sit_down(which)
    expect(page.locator("#prompt")).to_be_visible()
    expect(page.locator("#hint, #hints-again")).to_have_count(0)


@pytest.mark.parametrize("which", ["first_settlement", "card", "robber", "answer_offer"])
def test_a_hint_covers_nothing_that_is_to_be_pressed(sit_down: Callable[..., Page], which: str) -> None:
    page = sit_down(which, has_touch=True)
    expect(page.locator("#hint-got")).to_be_visible()
    longest = max(SAID.values(), key=len)
    page.locator("#hint-text").evaluate("(line, text) => { line.textContent = text; }", longest)
    for width, height in each_size(page, *PHONES, *DESKS):
        hint = page.locator("#hint")
        assert is_within(box_of(hint), width, height)
        assert page.locator("#hint .button").evaluate_all("them => them.every((one) => one.clientHeight >= 40)")
        covered = hint.evaluate(
            """(hint) => {
                const over = hint.getBoundingClientRect();
                const pressed = ".place.legal .mark, .hand-card, .development-card, .action, .offer";
                return [...document.querySelectorAll(pressed)].filter((part) => {
                    const { left, right, top, bottom, width } = part.getBoundingClientRect();
                    const isBeside = left >= over.right || right <= over.left;
                    return width > 0 && !isBeside && top < over.bottom && bottom > over.top;
                }).map((part) => part.className.baseVal ?? part.className);
            }"""
        )
        assert covered == [], (width, height)


def test_a_hint_takes_no_focus_and_is_read_out(sit_down: Callable[..., Page]) -> None:
    page = sit_down("first_settlement")
    expect_hint(page, "first_settlement")
    expect(page.locator("#hint-text")).to_have_role("status")
    assert page.evaluate("document.activeElement === document.body")


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")], ids=["desk", "phone"])
def test_axe_finds_nothing_wrong_with_a_hint_a_note_and_the_help(
    sit_down: Callable[..., Page], size: dict[str, int], scheme: str
) -> None:
    page = sit_down("card", viewport=size, color_scheme=scheme)
    expect_hint(page, "card")
    page.keyboard.press("Tab")
    page.locator(".action[data-kind=build_city]").focus()
    expect(note_of(page)).to_be_visible()
    assert complaints_of_axe(page) == []
    page.keyboard.press("?")
    expect(page.locator("#hints-again")).to_be_visible()
    assert complaints_of_axe(page) == []
    page.locator("#about > summary").click()
    expect(page.locator("#help-seven")).to_be_visible()
    assert complaints_of_axe(page) == []
