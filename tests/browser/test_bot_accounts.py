"""An account that a program plays, as others meet it: on a desk and on a phone, drawn by the server and by scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.making import Made, make_games
from tests.browser.test_game_access import complaints_of_axe
from tests.lobby.people import PASSWORD
from tests.sites import Site

pytestmark = pytest.mark.browser

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 640}


def at_seat(browser: Browser, site: Site, made: Made, seat: int, size: dict[str, int] = DESK, **more: str) -> Page:
    context: BrowserContext = browser.new_context(viewport=size, reduced_motion="reduce", **more)  # type: ignore[arg-type]
    context.add_cookies([made.cookie(seat, site.address)])  # type: ignore[list-item]
    page = context.new_page()
    page.goto(f"{site.address}/games/{made.game}/")
    expect(page.locator("html.live")).to_have_count(1)
    return page


def label(page: Page, seat: int) -> Locator:
    return page.locator(f"#seat-{seat} .badge-bot")


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")], ids=["desk", "phone"])
def test_a_program_is_known_by_its_card_and_by_what_it_says(
    browser: Browser, embedded_site: Site, size: dict[str, int], scheme: str
) -> None:
    [made] = make_games(embedded_site.data, {"programs": [1]})
    alice = at_seat(browser, embedded_site, made, 0, size, color_scheme=scheme)
    expect(label(alice, 1)).to_be_visible()
    expect(label(alice, 1)).to_have_text("bot account")
    for person in (0, 2, 3):
        expect(label(alice, person)).to_have_count(0)
    if size == PHONE:
        alice.locator("#side-open").click()
    bob, charlie = (at_seat(browser, embedded_site, made, seat) for seat in (1, 2))
    said = alice.locator("#chat-lines .chat-line")
    for number, page in enumerate((bob, charlie), start=1):
        page.locator("#chat-text").fill("Hello")
        page.locator("#chat-text").press("Enter")
        expect(said).to_have_count(number)
    expect(said.nth(0).locator(".badge-bot")).to_be_visible()
    expect(said.nth(1).locator(".badge-bot")).to_have_count(0)
    assert complaints_of_axe(alice) == []
    for page in (alice, bob, charlie):
        page.context.close()


def test_a_guest_who_signs_in_as_a_bot_account_is_labelled_while_others_look_on(
    browser: Browser, embedded_site: Site
) -> None:
    [made] = make_games(embedded_site.data, {})
    owner = browser.new_context().new_page()
    owner.goto(f"{embedded_site.address}/sign-up/")
    owner.get_by_label("Name").fill("Clockwork Carl")
    owner.get_by_label("Password", exact=True).fill(PASSWORD)
    owner.get_by_label("Password again").fill(PASSWORD)
    owner.get_by_role("button", name="Sign up").click()
    owner.goto(f"{embedded_site.address}/account/")
    owner.get_by_role("link", name="what a bot account is").click()
    owner.get_by_role("checkbox").check()
    owner.get_by_role("button", name="Make this a bot account").click()
    expect(owner.get_by_role("button", name="Make this a bot account")).to_have_count(0)

    alice, charlie = (at_seat(browser, embedded_site, made, seat) for seat in (0, 2))
    expect(label(alice, 2)).to_have_count(0)
    charlie.goto(f"{embedded_site.address}/sign-in/")
    charlie.get_by_label("Name or e-mail address").fill("Clockwork Carl")
    charlie.get_by_label("Password").fill(PASSWORD)
    charlie.get_by_role("button", name="Sign in").click()
    expect(label(alice, 2)).to_be_visible()
    for page in (owner, alice, charlie):
        page.context.close()
