"""A code from an app, asked for beside the password, for the admin's pages too."""

import re

import pytest
from allauth.mfa.models import Authenticator
from django.conf import LazySettings
from django.core import mail
from django.core.cache import cache
from django.test import Client

from games.models import Seat
from lobby.models import User

from .people import PASSWORD, code_of, link_in, sign_in, sign_up, who


@pytest.fixture(autouse=True)
def _quick_and_forgetful(settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()


@pytest.fixture
def key(client: Client, db: None) -> str:
    """Alice has an account with a second factor; the key that her app has."""
    sign_up(client)
    where = "/account/second-factor/app/"
    asked = client.get(where)
    assert asked.headers["Location"].startswith("/account/again/?next=")
    client.post(asked.headers["Location"], {"password": PASSWORD})
    page = client.get(where).content.decode()
    [found] = re.findall(r'id="totp-key">(\w+)<', page)
    assert "<svg" in page
    assert client.post(where, {"code": "000000"}).status_code == 200
    assert client.post(where, {"code": code_of(found)}).headers["Location"] == "/account/second-factor/codes/"
    return str(found)


def test_a_code_is_asked_for_beside_the_password(key: str) -> None:
    browser = Client()
    assert sign_in(browser).headers["Location"] == "/sign-in/code/"
    assert who(browser) is None
    assert "One more step" in browser.get("/sign-in/code/").content.decode()
    assert "already been used" in browser.post("/sign-in/code/", {"code": "123"}).content.decode()
    assert browser.post("/sign-in/code/", {"code": code_of(key)}).headers["Location"] == "/"
    assert (who(browser) or User()).name == "Alice"


def test_a_code_counts_once(key: str) -> None:
    code = code_of(key)
    first, second = Client(), Client()
    for browser in (first, second):
        sign_in(browser)
        browser.post("/sign-in/code/", {"code": code})
    assert who(first) is not None
    assert who(second) is None


def test_codes_cannot_be_guessed_without_end(key: str) -> None:
    browser = Client()
    sign_in(browser)
    pages = [browser.post("/sign-in/code/", {"code": f"{n:06}"}).content.decode() for n in range(6)]
    assert "wait five minutes" in pages[-1]
    browser.post("/sign-in/code/", {"code": code_of(key)})
    assert who(browser) is None


def test_without_the_password_there_is_no_page_for_codes(client: Client, db: None) -> None:
    assert client.get("/sign-in/code/").headers["Location"] == "/sign-in/"
    assert client.post("/sign-in/code/", {"code": "000000"}).headers["Location"] == "/sign-in/"


def test_a_recovery_code_lets_her_in_once(client: Client, key: str) -> None:
    page = client.get("/account/second-factor/codes/").content.decode()
    codes = re.findall(r"<code>(\d{8})</code>", page)
    assert len(codes) == 10
    for expected in ("Alice", None):
        browser = Client()
        sign_in(browser)
        browser.post("/sign-in/code/", {"code": codes[0]})
        assert getattr(who(browser), "name", None) == expected


def test_new_recovery_codes_end_the_old_ones(client: Client, key: str) -> None:
    old = client.get("/account/second-factor/codes/").content.decode()
    assert "will no longer work" in client.get("/account/second-factor/codes/new/").content.decode()
    client.post("/account/second-factor/codes/new/")
    new = client.get("/account/second-factor/codes/").content.decode()
    assert not set(re.findall(r"\d{8}", old)) & set(re.findall(r"<code>(\d{8})", new))


def test_without_the_second_factor_the_password_is_enough_again(client: Client, key: str) -> None:
    assert "Anyone who knows your password" in client.get("/account/second-factor/app/remove/").content.decode()
    client.post("/account/second-factor/app/remove/")
    assert not Authenticator.objects.exists()
    assert sign_in(Client()).headers["Location"] == "/"


def test_the_admin_asks_for_it_too(client: Client, key: str) -> None:
    User.objects.update(is_staff=True, is_superuser=True)
    browser = Client()
    asked = browser.get("/admin/", follow=True)
    assert asked.redirect_chain[-1][0] == "/sign-in/?next=/admin/"
    assert sign_in(browser, next="/admin/").headers["Location"] == "/sign-in/code/"
    assert browser.get("/admin/").status_code == 302
    assert browser.post("/sign-in/code/", {"code": code_of(key)}).headers["Location"] == "/admin/"
    assert browser.get("/admin/").status_code == 200


def test_a_guest_is_the_guest_until_the_code_was_right(key: str) -> None:
    browser = Client()
    browser.post("/play-now/")
    guest = who(browser)
    sign_in(browser)
    assert who(browser) == guest
    assert Seat.objects.get(number=0).user == guest
    assert "One more step" in browser.get("/sign-in/code/").content.decode()
    browser.post("/sign-in/code/", {"code": code_of(key)})
    account = who(browser)
    assert account is not None
    assert account.name == "Alice"
    assert Seat.objects.get(number=0).user == account


def test_a_new_password_by_mail_does_not_go_around_the_second_factor(client: Client, key: str) -> None:

    client.post("/account/email/", {"action_add": "", "email": "alice@catan.example"})
    browser = Client()
    browser.post("/account/password/forgotten/", {"email": "alice@catan.example"})
    assert len(mail.outbox) == 2
    form = browser.get(link_in(), follow=True)
    new = "four ore for a city"
    browser.post(form.request["PATH_INFO"], {"password1": new, "password2": new})
    assert who(browser) is None
    assert sign_in(browser, password=new).headers["Location"] == "/sign-in/code/"
