"""Whoever deletes the account leaves every game and every table; the games stay, without the name."""

import pytest
from allauth.account.models import EmailAddress
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games.models import Game, Seat
from lobby import chat, leaving, rooms
from lobby.models import Chair, ChatLine, Table, User

from .people import PASSWORD, sign_up, who
from .test_moving import game_of, guest, table_of

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _quick_and_forgetful(settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()


def test_the_password_deletes_the_account_and_nothing_less_does(client: Client) -> None:
    sign_up(client, email="alice@catan.example")
    assert "none of this can be undone" in client.get("/account/delete/").content.decode().lower()
    for said in ({}, {"password": ""}, {"password": "a wrong guess"}):
        assert client.post("/account/delete/", said).status_code == 200
        assert User.objects.count() == 1
    answer = client.post("/account/delete/", {"password": PASSWORD})
    assert "Your account has been deleted" in client.get(answer.headers["Location"]).content.decode()
    assert not User.objects.exists()
    assert not EmailAddress.objects.exists()
    assert who(client) is None


def test_guesses_at_the_password_are_counted_here_too(client: Client) -> None:
    sign_up(client)
    answers = [client.post("/account/delete/", {"password": f"guess {n}"}).status_code for n in range(5)]
    assert answers == [200, 200, 200, 200, 429]
    assert client.post("/account/delete/", {"password": PASSWORD}).status_code == 429
    assert User.objects.exists()


def test_a_running_game_goes_on_with_a_bot_and_somebody_in_it(alice: User) -> None:
    alice.name = "Alice"
    alice.save()
    other = guest("Bob")
    game = game_of(alice, other)
    chat.say(rooms.of_players(game.pk), alice, "Any wool?", now=timezone.now())
    leaving.delete(alice, timezone.now())
    seat = Seat.objects.get(game=game, number=0)
    assert (seat.user, seat.name, seat.player) == (None, "Somebody", "bot")
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING
    line = ChatLine.objects.get()
    assert (line.user, line.name, line.text) == (None, "Somebody", "Any wool?")
    table = Table.objects.get(game=game)
    assert table.host == other, "the link to the game still leads there"
    assert [chair.name for chair in table.chairs.all()][:2] == ["Somebody", "Bob"]
    assert "Alice" not in Client().get(f"/games/{game.pk}/").content.decode()


def test_a_game_against_bots_ends_and_stays(alice: User) -> None:
    game = game_of(alice)
    leaving.delete(alice, timezone.now())
    game.refresh_from_db()
    assert game.status == Game.Status.ABORTED
    assert Client().get(f"/games/{game.pk}/").status_code == 200


def test_a_finished_game_keeps_its_result(alice: User) -> None:
    game = game_of(alice, guest("Bob"))
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER, winner=Seat.key(game.pk, 0))
    leaving.delete(alice, timezone.now())
    game.refresh_from_db()
    assert (game.status, game.winner_id) == (Game.Status.OVER, Seat.key(game.pk, 0))
    assert Seat.objects.get(pk=game.winner_id).name == "Somebody"


def test_open_tables_go_to_those_who_sit_there_and_empty_ones_go(alice: User) -> None:
    other = guest("Bob")
    shared, alone = table_of(alice, other), table_of(alice)
    as_visitor = table_of(other, alice)
    leaving.delete(alice, timezone.now())
    shared.refresh_from_db()
    assert shared.host == other
    assert not Table.objects.filter(pk=alone.pk).exists()
    assert [chair.is_free for chair in Chair.objects.filter(table=as_visitor)] == [False, True, True, True]
