"""What players say about their own seat: take it back, resign, choose what happens when they are absent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import selectors, services
from games.bots import DEFAULT
from games.models import Game, Seat
from lobby.models import User

from .playing import ALICE, BOB, look, new_game

pytestmark = pytest.mark.django_db(transaction=True)

#: What every log begins with.
OPENING = ("rolled_for_first_turn", "begins")


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return new_game(seed="seats", users=[alice, bob], pace="normal")


@pytest.fixture
def alices(alice: User) -> Client:
    browser = Client()
    browser.force_login(alice)
    return browser


def say(browser: Client, game: Game, way: str, **wish: Any) -> Any:
    """By the API or by a plain form."""
    if way == "api":
        return browser.post(f"/api/v1/games/{game.pk}/seat/", wish, content_type="application/json")
    return browser.post(f"/games/{game.pk}/seat/", wish, follow=True)


def seat_of(game: Game, number: int = ALICE) -> Seat:
    return Seat.objects.get(game=game, number=number)


WAYS = pytest.mark.parametrize("way", ["api", "form"])


@WAYS
def test_a_seat_is_taken_back_from_the_stand_in(game: Game, alices: Client, way: str) -> None:
    services.replace_by_bot(game.pk, ALICE, now=timezone.now())
    assert say(alices, game, way, wish="take_back").status_code == 200
    assert seat_of(game).player == Seat.Player.PERSON


@WAYS
def test_a_seat_that_nobody_took_cannot_be_taken_back(game: Game, alices: Client, way: str) -> None:
    answer = say(alices, game, way, wish="take_back")
    assert "This seat is held by" in answer.content.decode()
    assert (answer.status_code == 409) == (way == "api")


@WAYS
def test_whoever_resigns_becomes_a_spectator_and_a_bot_plays_on(
    game: Game, alices: Client, alice: User, way: str
) -> None:
    assert say(alices, game, way, wish="resign").status_code == 200
    assert (seat_of(game).player, seat_of(game).strength) == (Seat.Player.BOT, DEFAULT)
    assert selectors.seat_of(game.pk, alice.pk) is None


@WAYS
@pytest.mark.parametrize("choice", Seat.IfAbsent.values)
def test_everybody_chooses_what_happens_when_they_are_absent(game: Game, alices: Client, way: str, choice: str) -> None:
    assert say(alices, game, way, wish="if_absent", if_absent=choice).status_code == 200
    assert seat_of(game).if_absent == choice
    assert look(game, ALICE)["if_absent"] == choice


@WAYS
def test_a_wish_wakes_the_pages_when_it_is_new_and_then_no_more(
    game: Game, alices: Client, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[dict[str, Any]] = []
    monkeypatch.setattr("games.broadcast.send", lambda _, message: woken.append(message))
    before = Game.objects.get(pk=game.pk).revision
    for _ in range(3):
        assert say(alices, game, way, wish="if_absent", if_absent="wait").status_code == 200
    assert Game.objects.get(pk=game.pk).revision == before + 1, "one's own second page hears of it, once"
    assert [json.loads(message["mark"]) for message in woken if message["type"] == "game.pages"] == [
        {"mark": {"version": 0, "revision": before + 1}}
    ]
    assert look(game, ALICE)["if_absent"] == "wait"


def test_what_somebody_chose_is_nobody_elses_business(game: Game, alices: Client) -> None:
    say(alices, game, "api", wish="if_absent", if_absent="resign")
    for viewer in (BOB, None):
        page = look(game, viewer)
        assert page["if_absent"] != "resign"
        assert all("if_absent" not in seat for seat in page["seats"])


@WAYS
@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"wish": "everything"},
        {"wish": "if_absent"},
        {"wish": "if_absent", "if_absent": "burn the board"},
    ],
)
def test_nonsense_about_a_seat_is_refused_and_changes_nothing(
    game: Game, alices: Client, way: str, wish: dict[str, str]
) -> None:
    answer = say(alices, game, way, **wish)
    if way == "api":
        assert answer.status_code == 400
        assert answer.json()["code"] in ("malformed", "malformed_move")
    else:
        assert "A seat can be taken back or resigned" in answer.content.decode()
    assert (seat_of(game).player, seat_of(game).if_absent) == (Seat.Player.PERSON, Seat.IfAbsent.STAND_IN)


@WAYS
def test_nobody_decides_about_the_seat_of_another(game: Game, charlie: User, way: str) -> None:
    stranger = Client()
    stranger.force_login(charlie)
    answer = say(stranger, game, way, wish="resign")
    assert "You have no seat in this game" in answer.content.decode()
    assert {seat.player for seat in Seat.objects.filter(game=game)} == {Seat.Player.PERSON}


def test_there_must_be_a_game_to_have_a_seat_in(alices: Client) -> None:
    assert (
        alices.post("/api/v1/games/999/seat/", {"wish": "resign"}, content_type="application/json").status_code == 404
    )


def test_whoever_is_replaced_is_told_so_and_offered_no_moves(game: Game) -> None:
    active = Game.objects.get(pk=game.pk).active
    assert active
    services.replace_by_bot(game.pk, active.number, now=timezone.now())
    page = look(game, active.number)
    assert page["is_replaced"]
    assert page["choices"] == {}
    assert page["prompt"].startswith("A stand-in is playing your seat")
    other = look(game, (active.number + 1) % 3)
    assert not other["is_replaced"]


def test_the_log_tells_what_was_done_beside_the_moves_and_news_tell_it_once(game: Game) -> None:
    services.replace_by_bot(game.pk, BOB, now=timezone.now())
    services.give_back(game.pk, BOB, now=timezone.now())
    told = [entry["text"] for entry in look(game, ALICE)["log"] if entry["event"]["kind"] not in OPENING]
    assert told == ["A stand-in is playing for Bob now.", "Bob is back: the stand-in has left."]
    revision = look(game, ALICE)["revision"]
    assert look(game, ALICE, after=(0, revision))["log"] == []
    news = look(game, ALICE, after=(0, revision - 1))["log"]
    assert [entry["text"] for entry in news] == told[1:]
