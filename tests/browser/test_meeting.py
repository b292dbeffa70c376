"""Where people meet: strangers who look for a game, a host who arranges, invitations, and the tables that lie open."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import test_tables
from tests.browser.test_game_access import complaints_of_axe
from tests.browser.test_tables import GAME, TABLE, Visitors, fits, more, open_table, sit_down
from tests.sites import Site, manage

pytestmark = pytest.mark.browser

site, visitors = test_tables.site, test_tables.visitors

PHONE = {"width": 360, "color_scheme": "dark", "has_touch": True}


def find_a_game(page: Page, site: Site, name: str, pace: str) -> None:
    page.goto(site.address)
    page.get_by_role("link", name="Find a game").first.click()
    page.get_by_label("Your name").fill(name)
    page.get_by_label(pace, exact=False).check()
    page.get_by_role("button", name="Find a game").click()
    expect(page).to_have_url(TABLE)


def expect_404s(visitors: Visitors) -> None:
    """Chromium remarks on the answer 404, which a table that has vanished gives to pages that are still open."""
    visitors.complaints[:] = [complaint for complaint in visitors.complaints if "404" not in complaint]


@pytest.mark.parametrize("site", ["embedded_site", "full_stack_site"], indirect=True)
def test_two_strangers_find_each_other_get_ready_and_play(visitors: Visitors, site: Site) -> None:
    alice, bob = visitors.new(), visitors.new(**PHONE)
    find_a_game(alice, site, "Ada Alone", "Weekly")
    expect(alice.locator("main")).to_contain_text("Stay, and others will find you")
    find_a_game(bob, site, "Bea Beside", "Weekly")
    expect(bob.get_by_role("heading", level=1)).to_have_text("Ada Alone’s table")
    assert fits(bob)
    expect(alice.locator(".chair").nth(1)).to_contain_text("Bea Beside")
    expect(alice.get_by_role("button", name="I’m ready")).to_have_count(0)
    bob.get_by_role("button", name="Play black").click()
    for page in (alice, bob):
        expect(page.locator(".chair").nth(1)).to_have_class(re.compile("seat-black"))

    alice.get_by_role("button", name="Add a bot on chair 3").click()
    for page in (alice, bob):
        expect(page.get_by_role("button", name="I’m ready")).to_be_visible()
        assert complaints_of_axe(page) == []
    bob.get_by_role("button", name="I’m ready").click()
    expect(bob.get_by_role("button", name="Not ready after all")).to_be_visible()
    expect(alice.locator("#table-state")).to_contain_text("The game is waiting for you to be ready.")
    alice.get_by_role("button", name="I’m ready").click()
    for page in (alice, bob):
        expect(page).to_have_url(GAME)
        expect(page.get_by_role("region", name="Board")).to_be_visible()
        expect(page.locator("#players .seat-black").first).to_contain_text("Bea Beside")
    assert alice.url == bob.url


def test_a_host_arranges_the_table_hands_it_over_and_leaves(visitors: Visitors, site: Site) -> None:
    alice, bob, charlie = visitors.new(**PHONE), visitors.new(), visitors.new()
    link = open_table(alice, site, "Alice")
    sit_down(bob, link, "Bob")
    sit_down(charlie, link, "Charlie")
    chairs = charlie.locator(".chair-name")
    expect(chairs).to_have_text(["Alice", "Bob", "Charlie", "Free"])

    alice.get_by_label("Swap chair").select_option(label="1, you")
    alice.get_by_label("with chair").select_option(label="3, Charlie")
    alice.get_by_role("button", name="Swap", exact=True).click()
    for page in (alice, bob, charlie):
        expect(page.locator(".chair-name")).to_have_text(["Charlie", "Bob", "Alice", "Free"])
    alice.get_by_role("button", name="Remove Charlie").click()
    expect(charlie.locator("main")).to_contain_text("Alice has asked you to leave this table.")
    expect(charlie.get_by_role("button", name="Sit here")).to_have_count(0)
    alice.get_by_role("button", name="Let Charlie back in").click()
    expect(charlie.get_by_role("heading", name="Sit down")).to_be_visible()
    sit_down(charlie, link, "Charlie")

    alice.get_by_label("Let somebody else be the host").select_option(label="Bob")
    alice.get_by_role("button", name="Hand over").click()
    expect(bob.get_by_role("heading", name="Arrange the table")).to_be_visible()
    assert complaints_of_axe(bob) == []
    expect(alice.get_by_role("heading", name="Arrange the table")).to_have_count(0)
    alice.get_by_role("button", name="Leave the table").click()
    for page in (bob, charlie):
        expect(page.locator(".chair-name")).to_have_text(["Charlie", "Bob", "Free", "Free"])
    bob.get_by_role("button", name="Leave the table").click()
    charlie.get_by_role("button", name="Leave the table").click()
    expect(charlie).to_have_url(f"{site.address}/")
    # Alice still has the page of a table that is no longer there.
    expect(alice.get_by_role("heading", level=1)).to_have_text("This table isn’t here")
    expect_404s(visitors)


def test_open_tables_come_fill_and_vanish_before_ones_eyes(visitors: Visitors, site: Site) -> None:
    watcher, plain = visitors.new(), visitors.new(**PHONE, java_script_enabled=False)
    watcher.goto(site.address)
    host = visitors.new()
    host.goto(f"{site.address}/t/new/?public")
    host.get_by_label("Your name").fill("Otto Openly")
    host.get_by_label("3 Exactly three players").check()
    host.get_by_role("button", name="Open the table").click()
    card = watcher.locator(".open-table", has_text="Otto Openly’s table")
    expect(card.locator(".place-free")).to_have_count(2)
    plain.goto(site.address)
    expect(plain.locator(".open-table", has_text="Otto Openly")).to_be_visible()
    assert fits(plain)
    assert complaints_of_axe(watcher) == []

    guest = visitors.new()
    guest.goto(site.address)
    guest.get_by_role("link", name="Otto Openly’s table").click()
    guest.get_by_label("Your name").fill("Gerda")
    guest.get_by_role("button", name="Sit down").click()
    expect(card).to_contain_text("Gerda")
    expect(card.locator(".place-free")).to_have_count(1)
    last = visitors.new()
    sit_down(last, host.get_by_label("Link to this table").input_value(), "Lena")
    expect(card).to_have_count(0)
    plain.reload()
    expect(plain.locator(".open-table", has_text="Otto Openly")).to_have_count(0)
    last.get_by_role("button", name="Leave the table").click()
    expect(card).to_be_visible()
    host.get_by_role("button", name="Leave the table").click()
    expect(watcher.locator(".open-table", has_text="Gerda’s table")).to_be_visible()
    guest.get_by_role("button", name="Leave the table").click()
    expect(watcher.locator(".open-table", has_text="Gerda")).to_have_count(0)
    expect_404s(visitors)


MAKE_ACCOUNTS = """
from lobby.models import User
from tests.browser.making import _session
for name in ("Ivo", "Jule"):
    print("session", _session(User.objects.create_user(name.lower(), name=name)))
"""


def test_an_invitation_is_seen_declined_and_accepted_and_nobody_else_finds_the_table(
    visitors: Visitors, site: Site
) -> None:
    made = manage("shell", "-v", "0", "-c", MAKE_ACCOUNTS, DATA_DIR=str(site.data), LOG_LEVEL="ERROR")
    sessions = re.findall(r"session (\w+)", made.stdout)
    ivo, jule, stranger = visitors.new(), visitors.new(**PHONE), visitors.new()
    for page, session in zip((ivo, jule), sessions, strict=True):
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
    jule.goto(site.address)
    ivo.goto(f"{site.address}/t/new/")
    more(ivo)
    ivo.get_by_label("Invited only").check()
    ivo.get_by_role("button", name="Open the table").click()
    expect(ivo).to_have_url(TABLE)
    expect(ivo.locator("#link")).to_have_count(0)

    for answer in ("Decline", "Sit down"):
        ivo.get_by_label("Invite by account name").fill("Jule")
        ivo.get_by_role("button", name="Invite", exact=True).click()
        expect(ivo.locator(".chair").nth(1)).to_contain_text("Kept for Jule")
        # It comes to the open page by itself.
        invitation = jule.locator("#front li", has_text="Ivo invites you")
        expect(invitation).to_be_visible()
        assert complaints_of_axe(jule) == []
        assert fits(jule)
        invitation.get_by_role("button", name=answer).click()
        expect(ivo.locator(".chair").nth(1)).to_contain_text("Free" if answer == "Decline" else "Jule")
    expect(jule).to_have_url(ivo.url)

    stranger.goto(site.address)
    expect(stranger.locator(".open-table", has_text="Ivo")).to_have_count(0)
    stranger.goto(ivo.url)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("This table isn’t here")
    expect_404s(visitors)
