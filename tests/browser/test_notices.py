"""Being told what waits while one looks elsewhere: the page where one chooses it, and a mail that leads back."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from lobby.models import User
from lobby.names import LONGEST_NAME
from lobby.notices import mail, words
from lobby.notices.words import Item
from tests.sites import Site, embedded

from .absent import ADDRESS, absent
from .test_accounts import link_in_mail_to, sign_up
from .test_game_access import complaints_of_axe

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

#: A browser without a screen has no tab behind others.
HIDE = """() => {
  Object.defineProperty(document, "hidden", { get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_hidden_page_gets_a_mail_and_a_visible_one_none(browser: Browser, tmp_path: Path) -> None:
    with embedded(tmp_path) as site:
        made = absent(site.data, "make")
        context = browser.new_context(base_url=site.address)
        context.add_cookies([{"name": "sessionid", "value": made["session"], "url": site.address}])
        hidden, visible = (open_game(context, game) for game in made["games"])
        hidden.evaluate(HIDE)
        absent(site.data, "ask", *map(str, made["games"]))
        assert absent(site.data, "told") == made["games"][:1]
        expect(visible.locator("#prompt")).to_be_visible()
        # In the HTML of a mail, a quote ends it.
        visible.goto(link_in_mail_to(site, ADDRESS, "/account/link/notice/").partition('"')[0])
        expect(visible).to_have_url(f"{site.address}/games/{made['games'][0]}/")
        context.close()


def open_game(context: BrowserContext, game: int) -> Page:
    page = context.new_page()
    page.goto(f"/games/{game}/")
    return page


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_what_one_is_told_is_chosen_on_a_phone_with_scripts_and_without(
    browser: Browser, embedded_site: Site, scripts: bool
) -> None:
    context = browser.new_context(
        base_url=embedded_site.address,
        viewport={"width": 360, "height": 740},
        java_script_enabled=scripts,
        timezone_id="America/New_York",
    )
    page = context.new_page()
    name = "Teller" if scripts else "Plain Teller"
    address = f"{name.replace(' ', '')}@catan.example".lower()
    sign_up(page, name, email=address)
    page.goto(link_in_mail_to(embedded_site, address, "/account/link/email/"))
    page.locator("main").get_by_role("button").click()
    page.goto("/account/")
    page.get_by_role("link", name="Choose your notices").click()
    expect(page.get_by_role("heading", name="Notices")).to_be_visible()
    turn = page.get_by_role("checkbox", name="E-mail, live games: It is my turn")
    expect(turn).not_to_be_checked()
    turn.check()
    page.get_by_role("checkbox", name="Quiet hours").check()
    if scripts:
        assert complaints_of_axe(page) == []
        expect(page.get_by_label("Time zone")).to_have_value("America/New_York")
    else:
        page.get_by_label("Time zone").select_option("America/New_York")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_role("checkbox", name="E-mail, live games: It is my turn")).to_be_checked()
    expect(page.get_by_label("Time zone")).to_have_value("America/New_York")
    context.close()


@pytest.mark.parametrize("width", [600, 360])
def test_a_mail_fits_a_phone_whatever_people_are_called(browser: Browser, width: int) -> None:
    name = "W" * LONGEST_NAME
    item: Item = {
        "kind": "turn",
        "pace": "days",
        "title": f"Your turn in a game with {words.marked(name)} and {words.marked('Bob')}",
        "sentence": f"{words.marked(name)} offers you 1 brick for 1 ore.",
        "until": "Friday, 20 November at 03:56 (America/Argentina/Buenos Aires)",
        "ends": None,
        "path": "/games/1/",
        "seat": 1,
        "since": None,
        "table": None,
    }
    made = mail.composed(User(pk=1, name=name), "w@catan.example", "key", [item])
    page = browser.new_page(viewport={"width": width, "height": 740})
    page.set_content(str(made.alternatives[0][0]))
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.close()
