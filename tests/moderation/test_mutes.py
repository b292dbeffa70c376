"""A muted person reads, plays and trades, and says nothing in any chat, until the mute is over by itself."""

from __future__ import annotations

import json
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import snapshots
from games.models import Game
from lobby import chat, moving, restrictions, rooms
from lobby.models import ChatLine, Table, User
from tests.clock import Clock
from tests.games.playing import new_game, some_move
from tests.lobby import talking
from tests.lobby.conftest import opened
from tests.lobby.test_races import all_at_once
from tests.staff import browser_of

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]

AN_HOUR = 3600
KINDS = ("table", "players", "watchers")


@pytest.fixture
def places(clock: Clock, alice: User, bob: User, charlie: User) -> dict[str, str]:
    """Where Alice may speak: at a table, in a game of hers, and beside one that she watches."""
    table = opened(browser_of(alice), preset="standard")
    played, watched = new_game(users=[alice, bob]), new_game(users=[bob, charlie], seed=1)
    return {
        "table": f"/t/{table.code}/chat/",
        "players": f"/games/{played.pk}/chat/",
        "watchers": f"/games/{watched.pk}/watchers/",
    }


def post(person: User, address: str, text: str = "Hello!", *, by_script: bool = False) -> Any:
    return talking.say(browser_of(person), address, text, page=not by_script)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", ["typed by hand", "Hello!"])
def test_a_muted_person_says_nothing_anywhere_and_is_told_until_when(
    places: dict[str, str], clock: Clock, alice: User, kind: str, text: str
) -> None:
    until = clock.now.replace(second=0, microsecond=0) + timedelta(days=400)
    restrictions.mute(alice, until)
    told = f"until {until.day} {until:%B %Y, %H:%M} UTC"
    plain, scripted = (post(alice, places[kind], text, by_script=by_script) for by_script in (False, True))
    assert (plain.status_code, scripted.status_code) == (403, 403)
    assert scripted.json()["code"] == "muted"
    for said in (plain.content.decode(), scripted.json()["detail"]):
        assert f"You’re muted {told}" in said
        assert "message in your account says why" in said
    assert not ChatLine.objects.exists()


@pytest.mark.parametrize("kind", KINDS)
def test_a_mute_ends_by_itself(places: dict[str, str], clock: Clock, alice: User, kind: str) -> None:
    restrictions.mute(alice, clock.now + timedelta(hours=1))
    clock.move(AN_HOUR)
    assert post(alice, places[kind], by_script=True).status_code == 201
    assert "You’re muted" not in browser_of(alice).get(places[kind]).content.decode()


def test_a_mute_is_lifted_at_once(places: dict[str, str], alice: User) -> None:
    restrictions.mute(alice, restrictions.FOR_GOOD)
    assert "for good" in post(alice, places["table"], by_script=True).json()["detail"]
    restrictions.lift_mute(alice)
    assert post(alice, places["table"], by_script=True).status_code == 201


@pytest.mark.parametrize("kind", KINDS)
def test_a_chats_page_says_so_before_anything_is_typed(places: dict[str, str], alice: User, kind: str) -> None:
    form = 'name="text"'
    page = browser_of(alice).get(places[kind]).content.decode()
    assert form in page
    restrictions.mute(alice, restrictions.FOR_GOOD)
    page = browser_of(alice).get(places[kind]).content.decode()
    assert form not in page
    assert "You’re muted for good" in page


def test_the_pages_of_the_table_and_the_game_say_so_too(places: dict[str, str], alice: User) -> None:
    restrictions.mute(alice, restrictions.FOR_GOOD)
    for address in (places["table"], places["players"], places["watchers"]):
        page = browser_of(alice).get(address.replace("chat/", "").replace("watchers/", "")).content.decode()
        assert page.count("You’re muted for good") == 1, address
        assert "chat-form" not in page, address


def test_whoever_may_not_speak_anyway_is_told_of_that_alone(places: dict[str, str], alice: User, charlie: User) -> None:
    restrictions.mute(charlie, restrictions.FOR_GOOD)
    assert post(charlie, places["players"], by_script=True).json()["code"] == "not_seated"
    assert "muted" not in browser_of(charlie).get(places["players"]).content.decode()


def test_a_muted_person_reads_and_plays_on(places: dict[str, str], clock: Clock, alice: User, bob: User) -> None:
    restrictions.mute(alice, restrictions.FOR_GOOD)
    assert post(bob, places["players"], "Any wool?", by_script=True).status_code == 201
    assert "Any wool?" in browser_of(alice).get(places["players"]).content.decode()
    game = new_game("standard turn_order=seat_order", users=[alice, bob])
    move = some_move(snapshots.read(game.pk)[1].state, Random(1)).to_json()
    del move["seat"]
    body = {"move": move, "version": 0, "client_id": "a" * 32}
    answer = browser_of(alice).post(f"/api/v1/games/{game.pk}/moves/", json.dumps(body), "application/json")
    assert answer.status_code < 300, answer.content


def test_a_line_costs_whoever_is_not_muted_no_statement_more(places: dict[str, str], clock: Clock, bob: User) -> None:
    """The row whose lock is taken is the one that says it."""
    game = Game.objects.earliest("started_at", "pk")
    room = rooms.of_players(game.pk)
    chat.say(room, bob, "Hello", now=clock.now)
    with CaptureQueriesContext(connection) as statements:
        chat.say(room, bob, "Hello again", now=clock.now)
    of_people = [query["sql"] for query in statements if 'FROM "lobby_user"' in query["sql"]]
    assert len(of_people) == 1, of_people


@pytest.mark.django_db(transaction=True)
def test_a_line_that_is_sent_in_the_moment_of_the_mute_is_said_before_it_or_not_at_all(alice: User, bob: User) -> None:
    """Both take the person’s lock: whichever is second sees what the first has done."""
    game = new_game(users=[alice, bob])
    clock = Clock()

    def speak() -> int:
        return chat.say(rooms.of_players(game.pk), User.objects.get(pk=alice.pk), "Hello", now=clock.now)

    said, _ = all_at_once([speak, lambda: restrictions.mute(alice, restrictions.FOR_GOOD)])
    assert isinstance(said, restrictions.Muted) == (not ChatLine.objects.exists())
    with pytest.raises(restrictions.Muted):
        speak()


# Whoever somebody turns out to be


def test_a_muted_guest_who_signs_in_is_muted_at_the_account(clock: Clock, alice: User) -> None:
    guest = User.guest("Wanderer")
    guest.save()
    until, later = clock.now + timedelta(days=1), clock.now + timedelta(days=2)
    restrictions.mute(guest, until)
    restrictions.mute(alice, later)
    moving.move(guest, alice, clock.now)
    assert User.objects.get(pk=alice.pk).muted_until == later
    other = User.objects.create_user("other")
    User.objects.filter(pk=guest.pk).update(is_active=True)
    moving.move(guest, other, clock.now)
    assert User.objects.get(pk=other.pk).muted_until == until


def test_a_guest_who_signs_up_is_muted_still() -> None:
    browser = Client()
    browser.post("/t/new/", {"preset": "standard", "name": "Alice"})
    guest = User.objects.get()
    restrictions.mute(guest, restrictions.FOR_GOOD)
    form = {"username": "Alicia", "email": "", "password1": "three sheep for a brick"}
    browser.post("/sign-up/", form | {"password2": form["password1"]})
    assert not User.objects.get().is_guest
    code = Table.objects.get().code
    answer = talking.say(browser, f"/t/{code}/chat/", "Hello")
    assert answer.json()["code"] == "muted"
