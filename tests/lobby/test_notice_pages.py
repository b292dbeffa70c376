"""Where people choose what they are told, and where the links of the mails lead."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import signing
from django.test import Client

from lobby import leaving
from lobby.models import Delivery, Notice, NoticeWishes, User
from lobby.notice_models import Kind, usual_wishes
from lobby.notices import links
from tests.clock import Clock

from .noticing import A_MINUTE, confirmed, days_game, round_of_beat

pytestmark = pytest.mark.django_db

PAGE = "/account/notices/"
QUIET = {"has_quiet_hours": "on", "quiet_from": "22:00", "quiet_until": "07:00"}


@pytest.fixture
def alices(alice: User) -> Client:
    client = Client()
    client.force_login(confirmed(alice), backend="django.contrib.auth.backends.ModelBackend")
    return client


def save(alices: Client, **said: Any) -> Any:
    return alices.post(PAGE, {"shown": "mail", "zone": "Europe/Berlin"} | said)


def path_of(link: str) -> str:
    return "/" + link.split("/", 3)[3]


# The page


def test_whoever_has_chosen_nothing_hears_of_games_over_days(alices: Client) -> None:
    page = alices.get(PAGE).content.decode()
    for kind in Kind:
        assert f'value="mail-days-{kind}" aria-label' in page
    assert page.count(" checked>") == len(Kind)
    assert 'value="mail-live-turn"' in page
    assert not NoticeWishes.objects.exists(), "to look changes nothing"


def test_what_is_chosen_is_kept_and_what_was_not_shown_stays(alices: Client, alice: User) -> None:
    assert save(alices, wish=["mail-live-turn", "push-live-turn"], **QUIET).status_code == 302
    wishes = NoticeWishes.objects.get(person=alice)
    assert wishes.wishes == sorted(["mail-live-turn", *(each for each in usual_wishes() if "mail" not in each)])
    assert (wishes.zone, str(wishes.quiet_from), str(wishes.quiet_until)) == ("Europe/Berlin", "22:00:00", "07:00:00")
    page = alices.get(PAGE).content.decode()
    assert 'value="Europe/Berlin" selected' in page
    assert page.count('id="id_has_quiet_hours" checked') == 1
    save(alices)
    assert NoticeWishes.objects.get(person=alice).quiet_from is None


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"zone": "Mars/Olympus"}, "There is no time zone “Mars/Olympus”"),
        ({"zone": ""}, "This field is required."),
        ({**QUIET, "quiet_until": ""}, "please enter both"),
        ({**QUIET, "quiet_until": "22:00"}, "begin and end at the same time"),
        ({**QUIET, "quiet_from": "25:00"}, "Enter a valid time"),
        ({**QUIET, "quiet_from": "00:00", "quiet_until": "23:59:59"}, "Enter a valid time"),
        ({"wish": "mail-days-everything"}, ""),
        ({"shown": "pigeon"}, ""),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(alices: Client, said: dict[str, str], sentence: str) -> None:
    answer = save(alices, **said)
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert not NoticeWishes.objects.exists()


def test_the_page_says_what_live_games_bring(alices: Client) -> None:
    assert "as soon as it has waited for five seconds" in alices.get(PAGE).content.decode()


def test_without_a_confirmed_address_the_page_says_how_to_have_one(alices: Client, alice: User) -> None:
    alice.emailaddress_set.all().delete()  # type: ignore[attr-defined]
    page = alices.get(PAGE).content.decode()
    assert "we need a confirmed address" in page
    assert 'value="mail-days-turn"' not in page


# The link to a game


@pytest.fixture
def link(alice: User) -> str:
    return path_of(links.opening(alice.pk, "/games/7/"))


def test_the_link_leads_its_person_to_the_game(alices: Client, link: str) -> None:
    assert alices.get(link)["Location"] == "/games/7/"


def test_who_is_not_signed_in_signs_in_and_comes_to_the_game(link: str) -> None:
    where = Client().get(link)["Location"]
    assert where == "/sign-in/?next=/games/7/"
    assert "link" not in where, "the log has the sign-in page’s address"


def test_somebody_else_is_told_whom_it_is_for(link: str, alice: User, bob: User) -> None:
    client = Client()
    client.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.get(link)
    page = answer.content.decode()
    assert answer.status_code == 403
    assert "This link is for <bdi>alice</bdi>" in page
    assert 'href="/games/7/"' in page
    assert "catan.example" not in page


def test_a_forged_or_old_or_foreign_link_opens_nothing(alices: Client, link: str, alice: User, clock: Clock) -> None:
    token = link.rstrip("/").rpartition("/")[2]
    forged = [token[:-1] + ("A" if token[-1] != "A" else "B"), "nonsense", "a:b:c"]
    foreign = signing.dumps([alice.pk, "/games/7/"], salt="elsewhere")
    ending = links.ending(alice.pk).rstrip("/").rpartition("/")[2]
    for each in (*forged, foreign, ending):
        answer = alices.get(f"/account/link/notice/{each}/")
        assert answer.status_code == 404
        assert "This link doesn’t work" in answer.content.decode()


def test_a_link_grows_old(alices: Client, link: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "OPENS_FOR", -1)
    assert alices.get(link).status_code == 404


def test_the_link_of_a_deleted_account_opens_nothing(link: str, alice: User, clock: Clock) -> None:
    leaving.delete(alice, clock.now)
    assert Client().get(link).status_code == 404


# The end of mails


def test_one_press_in_a_mail_program_ends_the_mails_without_a_session_or_a_token_of_a_form(alice: User) -> None:
    where = path_of(links.ending(alice.pk))
    answer = Client(enforce_csrf_checks=True).post(where, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert "You won’t get any more e-mails about your games." in answer.content.decode()
    wishes = NoticeWishes.objects.get(person=alice).wishes
    assert wishes == [each for each in usual_wishes() if not each.startswith("mail")]


def test_to_look_at_that_page_ends_nothing(alice: User) -> None:
    page = Client().get(path_of(links.ending(alice.pk)))
    assert (page.status_code, NoticeWishes.objects.count()) == (200, 0)
    assert '<button class="button button-primary">Stop these e-mails</button>' in page.content.decode()


def test_a_forged_end_ends_nothing(alice: User, link: str) -> None:
    token = link.rstrip("/").rpartition("/")[2]
    for each in (token, "nonsense", signing.dumps(alice.pk)):
        assert Client().post(f"/account/link/no-more/{each}/").status_code == 404
    assert not NoticeWishes.objects.exists()


# What the site keeps


def test_what_somebody_was_told_is_theirs_to_read_and_goes_with_them(alice: User, bob: User, clock: Clock) -> None:
    days_game(confirmed(alice), bob)
    clock.move(A_MINUTE)
    round_of_beat()
    days_game(alice, bob)
    told = leaving.kept_of(alice)["told"]
    assert told["wishes"]["zone"] == "UTC"
    assert [each["items"][0]["title"] for each in told["messages"]] == ["Your turn in a game with Bob and Charlie"]
    leaving.delete(alice, clock.now)
    assert not Delivery.objects.exists()
    assert not NoticeWishes.objects.exists()
    clock.move(24 * 3600)
    round_of_beat()
    assert not Notice.objects.exists(), "not of those seats either, once they are due"
