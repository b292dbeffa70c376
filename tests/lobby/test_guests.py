"""Whoever plays without an account is a guest, known by the session alone."""

import re
from collections.abc import Callable

import pytest
from django.conf import LazySettings
from django.test import Client

from games.models import Game, Seat
from lobby import names
from lobby.guests import GUEST_SESSION
from lobby.models import Chair, Table, User
from tests.lobby.conftest import names_at, sit


def test_play_now_is_one_press_to_a_game_against_three_bots(client: Client, db: None) -> None:
    answer = client.post("/play-now/")
    game = Game.objects.get()
    assert answer.headers["Location"] == f"/games/{game.pk}/"
    seats = Seat.objects.filter(game=game).order_by("number")
    assert [seat.player for seat in seats] == ["person", "bot", "bot", "bot"]
    guest = User.objects.get()
    assert seats[0].user == guest
    assert guest.is_guest
    assert guest.name.startswith("Guest ")
    assert client.session["_auth_user_id"] == str(guest.pk)
    assert len({seat.name for seat in seats}) == 4


def test_a_guest_who_plays_again_is_the_same_guest(client: Client, db: None) -> None:
    client.post("/play-now/")
    client.post("/play-now/")
    assert User.objects.count() == 1
    assert Game.objects.count() == 2


def test_somebody_with_an_account_plays_as_themselves(client: Client, alice: User) -> None:
    client.force_login(alice)
    client.post("/play-now/")
    assert User.objects.get() == alice
    assert Seat.objects.get(number=0).name == "alice"


def test_looking_makes_no_guest(client: Client, table: Table) -> None:
    for address in ("/", "/t/new/", f"/t/{table.code}/"):
        assert client.get(address).status_code == 200
    assert User.objects.count() == 1, "Alice, who opened the table"
    assert "_auth_user_id" not in client.session


def test_a_guest_cannot_sign_in_with_a_password(client: Client, db: None) -> None:
    client.post("/play-now/")
    assert not User.objects.get().has_usable_password()


def test_a_guests_session_outlasts_a_slow_game(client: Client, db: None) -> None:
    client.post("/play-now/")
    assert client.session.get_expiry_age() == GUEST_SESSION
    assert int(client.cookies["sessionid"]["max-age"]) == GUEST_SESSION


def test_a_guest_keeps_the_chair_by_the_session(table: Table, visitors: Callable[[], Client]) -> None:
    bob = visitors()
    sit(bob, table, "Bob")
    assert "Leave the table" in bob.get(f"/t/{table.code}/").content.decode()
    assert "Leave the table" not in visitors().get(f"/t/{table.code}/").content.decode()


def test_becoming_a_guest_frees_nobody_who_guesses_passwords(
    client: Client, alice: User, settings: LazySettings
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    guess = {"username": "alice", "password": "a wrong guess"}
    for _ in range(5):
        client.post("/sign-in/", guess)
    Client().post("/play-now/")
    assert client.post("/sign-in/", guess).status_code == 429
    assert Client().post("/play-now/").status_code == 302, "the wait is for sign-in alone"


@pytest.mark.parametrize(
    "name", ["", "x" * 21, "Al\u200bice", "Alice", "ALICE", "Аlice", "AI1ce", "You", "Dana", "DАNA"]
)
def test_a_bad_name_is_refused_and_leaves_no_guest_behind(
    table: Table, dana: User, visitors: Callable[[], Client], name: str
) -> None:
    dana.name = "Dana"
    dana.save()
    bob = visitors()
    before = User.objects.count()
    page = sit(bob, table, name)
    assert "Problem:" in page
    assert "please" in page
    assert User.objects.count() == before
    assert "_auth_user_id" not in bob.session
    assert Chair.objects.filter(table=table, user__isnull=False).count() == 1


def test_nobody_learns_by_sitting_down_whether_there_is_a_sign_in_name(
    table: Table, dana: User, visitors: Callable[[], Client]
) -> None:
    dana.name = "The Librarian"
    dana.save()
    sit(visitors(), table, "dana")
    assert names_at(table)[:2] == ["Alice", "dana"]


def test_a_taken_name_is_refused_in_the_same_words_whoever_has_it(
    table: Table, dana: User, visitors: Callable[[], Client]
) -> None:
    dana.name = "The Librarian"
    dana.save()
    answers = [sit(visitors(), table, name) for name in ("alice", "the librarian")]
    assert all(names.TAKEN in answer for answer in answers)
    opened = visitors().post("/t/new/", {"preset": "standard", "name": "The Librarian"})
    assert names.TAKEN in opened.content.decode()


def test_a_name_written_from_right_to_left_turns_nothing_around_it(
    table: Table, visitors: Callable[[], Client]
) -> None:
    sarah = visitors()
    page = sit(sarah, table, "שרה")
    assert page.count("שרה") == page.count("<bdi>שרה</bdi>") + page.count('signed-in">שרה</bdi>') + len(
        re.findall('value="שרה"', page)
    )
    assert "With <bdi>Alice</bdi>" in sarah.get("/").content.decode()


def test_an_account_sits_under_its_own_name_whatever_it_sends(table: Table, dana: User, client: Client) -> None:
    client.force_login(dana)
    sit(client, table, "Alice the Great")
    assert Chair.objects.get(table=table, user=dana).name == "dana"


def test_the_page_shows_a_guests_name_and_no_way_to_lose_it(table: Table, alice_browser: Client) -> None:
    page = alice_browser.get("/").content.decode()
    assert '<bdi class="signed-in">Alice</bdi>' in page
    assert "Sign out" not in page
