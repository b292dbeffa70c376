"""Somebody gives a program a token, and takes it away again."""

import pytest
from playwright.sync_api import Browser, expect

from tests.lobby.people import PASSWORD
from tests.sites import Site

from .test_accounts import PHONE, send, sign_up
from .test_game_access import complaints_of_axe

pytestmark = pytest.mark.browser


def test_a_token_is_made_copied_used_and_revoked(browser: Browser, embedded_site: Site) -> None:
    context = browser.new_context(base_url=embedded_site.address, viewport=PHONE)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=embedded_site.address)
    page = context.new_page()
    # Without the session of the page.
    elsewhere = browser.new_context(base_url=embedded_site.address)
    program = elsewhere.request
    sign_up(page, "Programmer")
    page.goto("/account/")
    page.get_by_role("link", name="Manage your programs").click()
    assert complaints_of_axe(page) == []
    send(page, "Make a token", name="My bot")
    send(page, "Continue", password=PASSWORD)
    expect(page.locator("#new-token")).to_be_focused()
    assert complaints_of_axe(page) == []
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    token = page.evaluate("navigator.clipboard.readText()")
    header = {"Authorization": f"Bearer {token}"}
    assert program.get("/api/v1/me/", headers=header).json()["name"] == "Programmer"
    page.reload()
    expect(page.get_by_role("button", name="Revoke")).to_have_count(1)
    assert token not in page.content()
    assert page.url.endswith("/account/programs/")
    assert complaints_of_axe(page) == []
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("My bot has been revoked.")).to_be_visible()
    assert program.get("/api/v1/me/", headers=header).status == 401
    elsewhere.close()
    context.close()


def test_a_link_of_the_documentation_opens_the_address_that_it_leads_to(browser: Browser, embedded_site: Site) -> None:
    page = browser.new_page(base_url=embedded_site.address, viewport=PHONE)
    page.goto("/api/docs/")
    page.get_by_role("link", name="stream", exact=True).first.click()
    expect(page.locator("#games_stream")).to_have_attribute("open", "")
    page.goto("/api/docs/#type-Problem")
    page.reload()
    expect(page.locator("#type-Problem")).to_have_attribute("open", "")
    page.close()
