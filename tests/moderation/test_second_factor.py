"""Staff come in by the site's own doors, and only with more than a password."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from lobby.models import User
from moderation.models import AuditLine
from tests.lobby.people import code_of
from tests.staff import browser_of, give_second_factor, make_staff

pytestmark = pytest.mark.django_db

PAGES = ("/admin/", "/admin/games/game/", "/admin/lobby/user/")


def moderator_without(person: User) -> User:
    """A moderator who has not set up a second factor."""
    make_staff(person, "moderator").authenticator_set.all().delete()
    return person


def signed_in(person: User) -> Client:
    """With a password alone."""
    browser = Client()
    browser.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return browser


@pytest.mark.parametrize("where", PAGES)
def test_a_moderator_without_a_second_factor_is_told_how_to_set_one_up(alice: User, where: str) -> None:
    browser = signed_in(moderator_without(alice))
    answer = browser.get(where, follow=True)
    assert answer.status_code == 403
    told = answer.content.decode()
    assert "a password alone doesn’t open these pages" in told
    assert f'href="{reverse("mfa_index")}"' in told


def test_to_be_turned_away_for_it_is_written_down(alice: User) -> None:
    signed_in(moderator_without(alice)).get("/admin/games/game/", follow=True)
    line = AuditLine.objects.get()
    assert (line.act, line.staff, line.why) == ("was_refused", alice.pk, "No second factor.")
    assert line.details == {"wanted": "/admin/games/game/"}


def test_a_session_that_was_begun_with_a_password_alone_is_asked_for_the_code(alice: User) -> None:
    """Somebody who has the password was signed in before its owner set up a second factor."""
    make_staff(alice, "moderator").authenticator_set.all().delete()
    browser = signed_in(alice)
    key = give_second_factor(alice)
    asked = browser.get("/admin/games/game/", follow=True)
    where, _ = asked.redirect_chain[-1]
    assert where == "/account/again/code/?next=%2Fadmin%2Fgames%2Fgame%2F"
    assert browser.post(where, {"code": "000000"}).status_code == 200
    assert browser.get("/admin/games/game/").status_code == 302
    assert browser.post(where, {"code": code_of(key)}).headers["Location"] == "/admin/games/game/"
    assert browser.get("/admin/games/game/").status_code == 200


def test_whoever_takes_their_second_factor_away_is_out_at_once(alice: User) -> None:
    browser = browser_of(make_staff(alice, "moderator"))
    assert browser.get("/admin/").status_code == 200
    alice.authenticator_set.all().delete()
    assert browser.get("/admin/").status_code == 302


def test_while_developing_a_password_is_enough(alice: User, settings: LazySettings) -> None:
    settings.DEBUG = True
    assert signed_in(moderator_without(alice)).get("/admin/").status_code == 200


def test_nobody_else_learns_more_than_that_it_is_not_for_them(alice: User) -> None:
    assert signed_in(alice).get("/admin/", follow=True).status_code == 403
    assert not AuditLine.objects.exists()


@pytest.mark.parametrize("elsewhere", ["https://mallory.example/", "//mallory.example/", "javascript:alert(1)", ""])
def test_nobody_is_led_elsewhere(alice: User, elsewhere: str) -> None:
    assert browser_of(make_staff(alice, "moderator")).get("/admin/login/", {"next": elsewhere}).headers["Location"] == (
        "/admin/"
    )


@pytest.mark.parametrize(
    ("where", "ours"), [("/admin/logout/", "/sign-out/"), ("/admin/password_change/", "/account/password/")]
)
def test_the_admin_has_no_doors_of_its_own(alice: User, where: str, ours: str) -> None:
    """Django's would end a session, or change a password, and leave sockets and devices as they are."""
    assert browser_of(make_staff(alice, "moderator")).post(where).headers["Location"] == ours


@pytest.mark.both_stacks
@pytest.mark.django_db(transaction=True)
def test_where_they_wanted_to_go_can_be_written_down_whatever_it_is(alice: User) -> None:
    answer = signed_in(moderator_without(alice)).get("/admin/login/?next=/admin/%00")
    assert answer.status_code == 403
    assert AuditLine.objects.get().details == {"wanted": "/admin/"}
