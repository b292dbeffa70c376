"""The page where somebody makes and revokes the tokens of their programs."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from api import tokens
from api.models import Token
from lobby import leaving
from lobby.models import User
from tests.clock import Clock
from tests.lobby.people import PASSWORD, sign_in, sign_up

pytestmark = pytest.mark.django_db

PAGE = "/account/programs/"
REVOKE = "/account/programs/revoke/"
MY_BOT = {"name": "My bot", "scope": "play"}


@pytest.fixture(autouse=True)
def _quick_and_forgetful(settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()


@pytest.fixture
def alice_browser(db: None) -> Client:
    """Alice has just said who she is."""
    browser = Client()
    sign_up(browser)
    browser.post("/account/again/?next=/", {"password": PASSWORD})
    return browser


def alice() -> User:
    return User.objects.get(name="Alice")


def make(person: User, name: str = "My bot", scope: str = "play") -> tuple[Token, str]:
    return tokens.make(person, name, scope, now=timezone.now())


def told(answer: Any) -> list[str]:
    """The tokens that a page tells."""
    return re.findall(r"catan_[A-Za-z0-9_-]{43}", answer.content.decode())


def test_a_new_token_is_told_once_and_lets_its_program_in(alice_browser: Client) -> None:
    made = alice_browser.post(PAGE, MY_BOT)
    [text] = told(made)
    assert "no-store" in made.headers["Cache-Control"]
    token = tokens.holder(text, timezone.now())
    assert token is not None
    assert (token.person, token.name, token.scope) == (alice(), "My bot", "play")
    later = alice_browser.get(PAGE)
    assert told(later) == []
    assert f"ends in <code>{token.hint}</code>" in later.content.decode()


def test_neither_an_address_nor_the_session_has_it(alice_browser: Client, settings: LazySettings) -> None:
    made = alice_browser.post(PAGE, MY_BOT)
    [text] = told(made)
    kept = [dict(alice_browser.session), *(row.get_decoded() for row in Session.objects.all())]
    headers = [*made.headers.items(), *((name, cookie.OutputString()) for name, cookie in made.cookies.items())]
    assert text not in json.dumps([kept, headers], default=str)


def test_whoever_has_been_signed_in_for_long_is_asked_for_the_password_first(db: None) -> None:
    sign_up(Client())
    browser = Client()
    sign_in(browser)
    assert browser.get(PAGE).status_code == 200
    asked = browser.post(PAGE, MY_BOT)
    assert asked.headers["Location"].startswith("/account/again/?next=")
    assert not Token.objects.exists()
    assert told(browser.post(asked.headers["Location"], {"password": "a guess"})) == []
    again = browser.post(asked.headers["Location"], {"password": PASSWORD, "next": PAGE})
    assert len(told(again)) == 1
    assert "no-store" in again.headers["Cache-Control"]
    assert told(browser.post(asked.headers["Location"], {"password": PASSWORD, "next": PAGE})) == []
    assert Token.objects.get().name == "My bot"


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"name": ""}, "Please name the token"),
        ({"name": "x" * 61}, "at most 60 characters"),
        ({"scope": "admin"}, "Select a valid choice"),
        ({"scope": ""}, "Please choose what it may do"),
    ],
)
def test_a_form_that_is_not_right_makes_no_token(alice_browser: Client, said: dict[str, str], sentence: str) -> None:
    refused = alice_browser.post(PAGE, MY_BOT | said)
    assert refused.status_code == 400
    assert sentence in refused.content.decode()
    assert not Token.objects.exists()


def test_who_has_as_many_as_one_can_have_is_told_to_revoke_one(alice_browser: Client) -> None:
    for _ in range(tokens.MOST_TOKENS):
        make(alice())
    refused = alice_browser.post(PAGE, MY_BOT)
    assert refused.status_code == 409
    assert "revoke one first" in refused.content.decode()


def test_who_makes_too_many_in_an_hour_is_told_to_wait(alice_browser: Client, settings: LazySettings) -> None:
    settings.TOKENS_AN_HOUR = 1
    alice_browser.post(PAGE, MY_BOT)
    refused = alice_browser.post(PAGE, MY_BOT)
    assert refused.status_code == 429
    assert "please try again later" in refused.content.decode()


def test_the_page_tells_what_each_may_do_and_when_it_was_used(alice_browser: Client, clock: Clock) -> None:
    make(alice(), "Idle")
    _, text = make(alice(), "<b>Watcher</b>", "read")
    tokens.holder(text, clock.now)
    page = alice_browser.get(PAGE).content.decode()
    watcher, idle = re.findall(r"<li>\s*<div><h3.*?</li>", page, re.S)
    assert "&lt;b&gt;Watcher&lt;/b&gt;" in watcher
    assert "Read, ends in" in watcher
    assert f"last used {clock.now.day} {clock.now:%B %Y, %H:%M} UTC" in watcher
    assert "Read and play, ends in" in idle
    assert "never used" in idle


def test_one_is_revoked_or_all(alice_browser: Client) -> None:
    first, second, third = (make(alice(), name) for name in ("First", "Second", "Third"))
    assert (
        "Second has been revoked." in alice_browser.post(REVOKE, {"token": second[0].pk}, follow=True).content.decode()
    )
    assert [tokens.holder(text, timezone.now()) is None for _, text in (first, second, third)] == [False, True, False]
    assert "already gone" in alice_browser.post(REVOKE, {"token": second[0].pk}, follow=True).content.decode()
    alice_browser.post(REVOKE, {"all": ""})
    assert not Token.objects.exists()


@pytest.mark.parametrize("said", [{}, {"token": ""}, {"token": "all"}, {"token": "9" * 30}, {"token": "²"}])
def test_nonsense_revokes_nothing(alice_browser: Client, said: dict[str, str]) -> None:
    make(alice())
    assert alice_browser.post(REVOKE, said).headers["Location"] == PAGE
    assert Token.objects.count() == 1


def test_nobody_sees_or_revokes_the_tokens_of_another(alice_browser: Client, bob: User) -> None:
    token, _ = make(bob, "Bob’s own")
    assert "Bob’s own" not in alice_browser.get(PAGE).content.decode()
    alice_browser.post(REVOKE, {"token": token.pk})
    alice_browser.post(REVOKE, {"all": ""})
    assert Token.objects.get() == token


def test_a_guest_is_led_to_where_they_can_have_an_account(client: Client, db: None) -> None:
    client.post("/play-now/")
    for answer in (client.get(PAGE), client.post(PAGE, MY_BOT), client.post(REVOKE, {"all": ""})):
        assert answer.headers["Location"] == "/account/"


def test_ones_account_leads_there(alice_browser: Client) -> None:
    assert f'href="{PAGE}"' in alice_browser.get("/account/").content.decode()
    page = alice_browser.get(PAGE).content.decode()
    assert 'href="/api/docs/"' in page
    assert 'href="/account/bot/"' in page


def test_who_changes_the_password_reads_that_tokens_stay_and_they_do(alice_browser: Client) -> None:
    assert PAGE not in alice_browser.get("/account/password/").content.decode()
    _, text = make(alice())
    page = alice_browser.get("/account/password/").content.decode()
    assert "Your programs stay signed in" in page
    assert f'href="{PAGE}"' in page
    new = "four ore for a city"
    changed = alice_browser.post("/account/password/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert changed.status_code == 302
    assert tokens.holder(text, timezone.now()) is not None


def test_tokens_go_with_the_account(bob: User, clock: Clock) -> None:
    sign_up(Client())
    (_, mine), (_, theirs) = make(alice()), make(bob)
    leaving.delete(alice(), clock.now)
    assert tokens.holder(mine, clock.now) is None
    assert tokens.holder(theirs, clock.now) is not None
    assert Token.objects.get().person == bob


def test_the_file_of_what_is_kept_names_tokens_without_what_they_say(alice_browser: Client, bob: User) -> None:
    make(bob, "Bob’s own")
    token, text = make(alice())
    tokens.holder(text, token.made_at + timedelta(hours=1))
    file = alice_browser.get("/account/data/")
    [kept] = file.json()["tokens"]
    assert kept.keys() == {"name", "scope", "ends_in", "made", "last_used"}
    assert (kept["name"], kept["scope"], kept["ends_in"]) == ("My bot", "play", token.hint)
    assert token.digest not in file.content.decode()
