"""Advice over HTTP: what a hard bot would consider, for whoever plays against bots alone."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from games.models import Game
from lobby.models import User
from tests.api.programs import Program, refusal, wrong_fields
from tests.games.playing import BOB, CHARLIE, new_game, time_out

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def game(alice: User) -> Game:
    return new_game("standard turn_order=seat_order", users=[alice], bots=(BOB, CHARLIE))


def test_a_program_asks_and_plays_what_it_was_told(game: Game, alice: User) -> None:
    program = Program(alice)
    told = program.done(f"games/{game.pk}/advice/", version=0)
    assert told.keys() == {"version", "moves"}
    best = told["moves"][0]
    assert best.keys() == {"title", "reason", "places", "move"}
    played = program.done(f"games/{game.pk}/moves/", version=told["version"], move=best["move"])
    assert played["version"] == 1


def test_what_is_refused_says_why(game: Game, alice: User, bob: User, dana: User) -> None:
    address = f"games/{game.pk}/advice/"
    assert refusal(Program().post(address, version=0)) == (401, "not_authenticated")
    assert refusal(Program(dana).post(address, version=0)) == (403, "permission_denied")
    assert refusal(Program(alice).post(address, version=1)) == (409, "stale_version")
    assert wrong_fields(Program(alice).post(address, version="0")) == ["version"]
    assert wrong_fields(Program(alice).post(address)) == ["version"]
    assert refusal(Program(alice).get(address)) == (405, "method_not_allowed")
    among_people = new_game("standard", users=[alice, bob], bots=(CHARLIE,))
    assert refusal(Program(alice).post(f"games/{among_people.pk}/advice/", version=0)) == (409, "no_advice")
    assert refusal(Program(alice).post("games/7/advice/", version=0)) == (404, "no_such_game")


def test_whoever_asks_too_soon_is_told_when_to_come_back(game: Game, alice: User) -> None:
    program = Program(alice)
    program.done(f"games/{game.pk}/advice/", version=0)
    time_out(game.pk)
    answer = program.post(f"games/{game.pk}/advice/", version=1)
    assert refusal(answer) == (429, "too_fast")
    assert answer["Retry-After"] == "2"
    cache.clear()
    assert program.done(f"games/{game.pk}/advice/", version=1)["moves"]
