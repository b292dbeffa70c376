"""A board that is seen before the game, shuffled in one browser and followed in another."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import test_tables
from tests.browser.test_game_access import complaints_of_axe
from tests.browser.test_tables import GAME, TABLE, Visitors, fits, more, open_table, sit_down
from tests.sites import Site

pytestmark = pytest.mark.browser

site, visitors = test_tables.site, test_tables.visitors

PHONE = {"width": 360, "color_scheme": "dark", "has_touch": True}

#: What lies on each hex, as the table's page and the game's page draw it.
DRAWN = """lands => lands.map(land => [...land.querySelectorAll("use")].map(use => use.getAttribute("href"))
    .filter(href => /^#(terrain|token)-/.test(href)).join(" "))"""


def board_of(page: Page) -> list[str]:
    lands: list[str] = page.locator('.board g:has(> use[href^="#terrain-"])').evaluate_all(DRAWN)
    assert len(lands) == 19
    return lands


def open_table_with_its_board(page: Page, site: Site) -> str:
    page.goto(site.address)
    page.get_by_role("link", name="Play with friends").click()
    page.get_by_label("Your name").fill("Alice")
    more(page)
    page.get_by_label("Seen beforehand").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page).to_have_url(TABLE)
    return page.get_by_label("Link to this table").input_value()


def board_is_not(page: Page, before: str) -> None:
    expect(page.locator("#preview-text")).to_be_attached()
    expect(page.locator("#preview-text")).not_to_have_text(before)


@pytest.mark.parametrize("site", ["embedded_site", "full_stack_site"], indirect=True)
def test_the_host_shuffles_everybody_follows_and_the_game_has_that_board(visitors: Visitors, site: Site) -> None:
    alice, bob, charlie = visitors.new(), visitors.new(**PHONE), visitors.new(java_script_enabled=False)
    link = open_table_with_its_board(alice, site)
    sit_down(bob, link, "Bob")
    first, words = board_of(bob), bob.locator("#preview-text").text_content() or ""
    assert first == board_of(alice)
    expect(bob.locator("main")).to_contain_text("Alice can shuffle the board until somebody is ready.")
    expect(bob.get_by_role("button", name="Shuffle the board")).to_have_count(0)

    alice.get_by_role("button", name="Shuffle the board").click()
    for page in (alice, bob):
        board_is_not(page, words)
    second = board_of(alice)
    assert second != first
    assert board_of(bob) == second
    for page in (alice, bob):
        assert fits(page)
        assert complaints_of_axe(page) == []

    sit_down(charlie, link, "Charlie")
    assert board_of(charlie) == second
    charlie.get_by_role("button", name="I’m ready").click()
    for page in (alice, bob):
        expect(page.locator("main")).to_contain_text("The board stays as it is: Charlie is ready to play on it.")
    expect(alice.get_by_role("button", name="Shuffle the board")).to_have_count(0)
    bob.get_by_role("button", name="I’m ready").click()
    expect(alice.locator(".chair").nth(1)).to_contain_text("ready")
    alice.get_by_role("button", name="Start with 3 players").click()
    for page in (alice, bob):
        expect(page).to_have_url(GAME)
        expect(page.get_by_role("region", name="Board")).to_be_visible()
        assert board_of(page) == second


def test_without_scripts_a_host_shuffles_too(visitors: Visitors, site: Site) -> None:
    alice = visitors.new(**PHONE, java_script_enabled=False)
    open_table_with_its_board(alice, site)
    before = board_of(alice)
    alice.get_by_role("button", name="Shuffle the board").click()
    expect(alice).to_have_url(TABLE)
    after = board_of(alice)
    assert after != before
    alice.get_by_role("button", name=re.compile("Fill with 3 medium bots and start")).click()
    expect(alice).to_have_url(GAME)
    assert board_of(alice) == after


def test_a_press_on_ready_does_not_count_for_a_board_that_came_meanwhile(visitors: Visitors, site: Site) -> None:
    alice, bob = visitors.new(), visitors.new()
    link = open_table_with_its_board(alice, site)
    # Bob's page hears nothing: it shows the board as it was.
    bob.route_web_socket("**/ws/tables/**", lambda _: None)
    sit_down(bob, link, "Bob")
    alice.get_by_role("button", name="Add a bot").first.click()
    bob.goto(link)
    old = board_of(bob)
    expect(alice.get_by_role("button", name="Start with 3 players")).to_be_visible()
    words = alice.locator("#preview-text").text_content() or ""
    alice.get_by_role("button", name="Shuffle the board").click()
    board_is_not(alice, words)
    bob.get_by_role("button", name="I’m ready").click()
    expect(bob.get_by_role("status").filter(has_text="The board has just changed")).to_be_visible()
    assert board_of(bob) == board_of(alice) != old
    expect(alice.get_by_role("button", name="Shuffle the board")).to_be_visible()


def test_a_surprise_stays_face_down(visitors: Visitors, site: Site) -> None:
    alice = visitors.new(**PHONE)
    open_table(alice, site, "Alice")
    expect(alice.locator(".face-down")).to_have_count(19)
    expect(alice.get_by_role("button", name="Shuffle the board")).to_have_count(0)
