"""The way of a person through their account: from guest to account, a forgotten password, a second factor, the end."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.lobby.people import PASSWORD, code_of
from tests.sites import Site

from .test_game_access import complaints_of_axe

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
NEW_PASSWORD = "four ore for a city"


@pytest.fixture
def device(browser: Browser, embedded_site: Site) -> Iterator[Callable[[], Page]]:
    """Each call is another device, at the front page."""
    contexts = []

    def new_device() -> Page:
        context = browser.new_context(base_url=embedded_site.address, viewport=PHONE)
        contexts.append(context)
        page = context.new_page()
        page.goto("/")
        return page

    yield new_device
    for context in contexts:
        context.close()


def send(page: Page, button: str, **fields: str) -> None:
    """Fill in a form of the page and send it."""
    for name, text in fields.items():
        page.locator(f"main input[name={name}]").fill(text)
    page.locator("main").get_by_role("button", name=button, exact=True).click()


def sign_up(page: Page, name: str, email: str = "") -> None:
    page.goto("/sign-up/")
    send(page, "Sign up", username=name, email=email, password1=PASSWORD, password2=PASSWORD)
    expect(page.locator(".own-account")).to_have_text(name)


def sign_in(page: Page, name: str, password: str = PASSWORD) -> None:
    page.goto("/sign-in/")
    send(page, "Sign in", username=name, password=password)


def link_in_mail_to(site: Site, address: str, path: str) -> str:
    """What the newest mail to somebody leads to, as a site on one's own machine writes it down."""
    files = sorted((site.data / "mail").iterdir(), key=lambda file: file.stat().st_mtime)
    mails = [file.read_text() for file in files]
    links = [link for mail in mails if f"To: {address}" in mail for link in re.findall(rf"http\S+{path}\S+", mail)]
    return str(links[-1])


def test_a_guest_signs_up_and_finds_every_game_on_another_device(device: Callable[[], Page]) -> None:
    page = device()
    page.get_by_role("button", name="Play now against bots").click()
    expect(page.locator("#prompt")).to_be_visible()
    game = re.findall(r"/games/\d+/", page.url)[0]
    page.goto("/")
    page.get_by_role("link", name="Keep my games").click()
    expect(page.get_by_role("heading", name="Keep your games")).to_be_visible()
    assert complaints_of_axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    send(page, "Sign up", username="Walker", password1=PASSWORD, password2=PASSWORD)
    expect(page.locator(".own-account")).to_have_text("Walker")
    expect(page.locator(f"a[href='{game}']")).to_be_visible()
    other = device()
    other.get_by_role("link", name="Sign in").click()
    assert complaints_of_axe(other) == []
    send(other, "Sign in", username="walker", password=PASSWORD)
    other.locator(f"a[href='{game}']").click()
    expect(other.locator(".hand")).to_be_visible()


def test_a_forgotten_password_is_replaced_by_way_of_the_mail(device: Callable[[], Page], embedded_site: Site) -> None:
    page, address = device(), "sailor@catan.example"
    sign_up(page, "Sailor", address)
    expect(page.locator(".messages")).to_contain_text(str(embedded_site.data / "mail"))
    page.goto(link_in_mail_to(embedded_site, address, "/account/link/email/"))
    send(page, "Yes, confirm it")
    expect(page.locator(".messages")).to_contain_text("is confirmed")
    assert complaints_of_axe(page) == []
    other = device()
    other.goto("/sign-in/")
    other.get_by_role("link", name="Forgot your password?").click()
    send(other, "Send me the link", email=address)
    expect(other.locator("main")).to_contain_text(str(embedded_site.data / "mail"))
    other.goto(link_in_mail_to(embedded_site, address, "/account/link/password/"))
    send(other, "Save new password", password1=NEW_PASSWORD, password2=NEW_PASSWORD)
    expect(other.get_by_role("heading", name="Your password has been changed")).to_be_visible()
    sign_in(other, address, NEW_PASSWORD)
    expect(other.locator(".own-account")).to_have_text("Sailor")
    page.reload()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_second_factor_guards_the_account_until_it_is_deleted(device: Callable[[], Page]) -> None:
    page = device()
    sign_up(page, "Careful")
    page.locator(".own-account").click()
    assert complaints_of_axe(page) == []
    page.get_by_role("link", name="Set up the second factor").click()
    page.get_by_role("link", name="Set it up").click()
    send(page, "Continue", password=PASSWORD)
    expect(page.locator(".qr-code svg")).to_be_visible()
    assert complaints_of_axe(page) == []
    key = page.locator("#totp-key").inner_text()
    send(page, "Turn it on", code=code_of(key))
    expect(page.locator(".codes li")).to_have_count(10)
    assert complaints_of_axe(page) == []

    other = device()
    sign_in(other, "Careful")
    expect(other.get_by_role("heading", name="One more step")).to_be_visible()
    assert complaints_of_axe(other) == []
    send(other, "Sign in", code=code_of(key))
    expect(other.locator(".own-account")).to_have_text("Careful")

    page.goto("/account/sessions/")
    expect(page.locator("main .rows > li")).to_have_count(2)
    assert complaints_of_axe(page) == []
    send(page, "End all others")
    expect(page.locator("main .rows > li")).to_have_count(1)
    other.reload()
    expect(other.get_by_role("link", name="Sign in")).to_be_visible()

    page.goto("/account/delete/")
    assert complaints_of_axe(page) == []
    send(page, "Delete my account", password=PASSWORD)
    expect(page.locator(".messages")).to_contain_text("Your account has been deleted")
    sign_in(page, "Careful")
    expect(page.locator("main [role=alert]")).to_contain_text("There is no account")
