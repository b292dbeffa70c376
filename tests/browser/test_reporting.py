"""Somebody reports what was said in a real game, and follows what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.making import Made, make_games
from tests.sites import Site

pytestmark = pytest.mark.browser

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 640}
GAME = {"rules": "online", "seed": 14, "until": "roll"}
MOST_GAMES = 4


class Places:
    """A site with games in it; each person has a browser of their own."""

    def __init__(self, browser: Browser, site: Site, games: Iterator[Made]) -> None:
        self.browser, self.site, self.games = browser, site, games
        self.complaints: list[str] = []

    def visit(self, made: Made, seat: int, size: Any = DESK, **options: Any) -> Page:
        context = self.browser.new_context(viewport=size, reduced_motion="reduce", **options)
        context.add_cookies([made.cookie(seat, self.site.address)])  # type: ignore[list-item]
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(f"{error}"))
        page.goto(f"{self.site.address}/games/{made.game}/")
        return page


@pytest.fixture(scope="module")
def games(embedded_site: Site) -> Iterator[Made]:
    return iter(make_games(embedded_site.data, *[GAME] * MOST_GAMES))


@pytest.fixture
def places(browser: Browser, embedded_site: Site, games: Iterator[Made]) -> Iterator[Places]:
    places = Places(browser, embedded_site, games)
    yield places
    for context in browser.contexts:
        context.close()
    # A page may be left while one of its sockets is still being opened.
    assert [complaint for complaint in places.complaints if "before the connection" not in complaint] == []


def say(page: Page, text: str) -> None:
    expect(page.locator("#chat-lines")).to_have_attribute("aria-live", "polite")
    page.locator("#chat-text").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator("#chat-text")).to_have_value("")


def check(page: Page, width: int) -> None:
    """Nothing for a screen reader to stumble over, and nothing beyond the edge."""
    assert [violation["help"] for violation in Axe().run(page).response["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_line_is_reported_from_the_chat_of_a_game_and_its_state_can_be_read(places: Places) -> None:
    made = next(places.games)
    alice, bob = places.visit(made, 0), places.visit(made, 1)
    say(bob, "You are all cheats & liars")
    line = alice.locator(".chat-line", has_text="cheats")
    line.get_by_text("Bob").click()
    sheet = alice.get_by_role("dialog", name="People in this chat")
    check(alice, DESK["width"])
    sheet.get_by_role("link", name="Report this line of Bob").click()
    expect(alice.get_by_role("heading", name="Report a line")).to_be_visible()
    expect(alice.get_by_text("You are all cheats & liars")).to_be_visible()
    expect(alice.get_by_label("Abusive or hateful words")).to_be_checked()
    check(alice, DESK["width"])
    alice.get_by_label("What happened?").fill("This is no way to talk.")
    alice.get_by_role("button", name="Send the report").click()

    expect(alice.get_by_role("heading", name="Thank you for your report")).to_be_visible()
    expect(alice.get_by_text("waiting", exact=True)).to_be_visible()
    check(alice, DESK["width"])
    alice.get_by_role("link", name="Your reports").click()
    [report] = alice.locator(".reports > li").all()
    expect(report).to_contain_text("Bob waiting")
    expect(report).to_contain_text("Abusive or hateful words, in the chat")
    expect(report).to_contain_text("This is no way to talk.")
    check(alice, DESK["width"])
    alice.go_back()
    alice.get_by_role("link", name="Back to the game").click()
    expect(alice.locator(".chat-line", has_text="cheats")).to_be_visible()
    # It was not told to whom it is about.
    expect(bob.locator(".chat-line")).to_have_count(1)


def test_on_a_phone_a_line_is_reported_by_finger(places: Places) -> None:
    made = next(places.games)
    bob = places.visit(made, 1)
    say(bob, "Losers!")
    alice = places.visit(made, 0, PHONE, has_touch=True, is_mobile=True)
    alice.locator("#side-open").tap()
    alice.locator(".chat-line", has_text="Losers").get_by_text("Bob").tap()
    link = alice.get_by_role("dialog", name="People in this chat").get_by_role("link", name="Report this line of Bob")
    check(alice, PHONE["width"])
    link.tap()
    expect(alice.get_by_role("heading", name="Report a line")).to_be_visible()
    small = alice.locator("main :is(a, button, label):visible").evaluate_all(
        "controls => controls.filter((control) => control.tagName !== 'LABEL' || control.querySelector('input'))"
        ".filter((control) => control.getBoundingClientRect().height < 43.5).length"
    )
    assert small == 0
    check(alice, PHONE["width"])
    alice.get_by_label("Something else").tap()
    alice.get_by_role("button", name="Send the report").tap()
    expect(alice.get_by_role("alert")).to_contain_text("what happened")
    expect(alice.get_by_label("Something else")).to_be_checked()
    alice.get_by_label("What happened?").fill("He says that we lose.")
    alice.get_by_role("button", name="Send the report").tap()
    expect(alice.get_by_role("heading", name="Thank you for your report")).to_be_visible()
    check(alice, PHONE["width"])
    alice.get_by_role("link", name="Back to the game").tap()
    expect(alice.get_by_role("region", name="Board")).to_be_visible()
    places.complaints = [complaint for complaint in places.complaints if "400" not in complaint]


def test_a_player_is_reported_from_the_menu_of_the_game(places: Places) -> None:
    made = next(places.games)
    alice = places.visit(made, 0)
    alice.get_by_role("button", name="Help, rules and settings").click()
    alice.get_by_text("Report something").click()
    check(alice, DESK["width"])
    expect(alice.get_by_role("link", name="Report Alice")).to_have_count(0)
    alice.get_by_role("link", name="Report Charlie").click()
    expect(alice.get_by_label("Stalling")).to_be_checked()
    alice.get_by_role("button", name="Send the report").click()
    expect(alice.locator(".report")).to_contain_text("Charlie waiting")


def test_without_scripts_a_line_is_reported_by_plain_pages(places: Places) -> None:
    made = next(places.games)
    say(places.visit(made, 1), "Rude words")
    alice = places.visit(made, 0, java_script_enabled=False)
    alice.goto(f"{places.site.address}/games/{made.game}/chat/")
    alice.get_by_role("link", name="Bob").click()
    alice.get_by_role("link", name="Report this line of Bob").click()
    alice.get_by_role("button", name="Send the report").click()
    expect(alice.get_by_role("heading", name="Thank you for your report")).to_be_visible()
