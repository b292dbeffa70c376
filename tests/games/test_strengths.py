"""How strong the bots are that hold seats: as was chosen for each, or medium where one takes a person's seat."""

from __future__ import annotations

import pytest
from django.utils import timezone

from games import bots, services, snapshots, tasks
from games.models import Game, Seat
from games.paces import BOT_SPEEDS
from games.rules import RuleSet, to_act
from games.services import Entrant

from .conftest import Clock
from .playing import ALICE, BOB, CHARLIE, new_game
from .test_clocks import live_game, skip_until_late

pytestmark = pytest.mark.django_db(transaction=True)


def strengths(game: Game) -> list[str]:
    return [seat.strength for seat in Seat.objects.filter(game=game).order_by("number")]


def test_each_bot_plays_as_was_chosen_for_its_seat(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = set()
    for strength in bots.STRENGTHS:

        def choose(_view: bots.View, memory: bots.Memory, _source: object, strength: str = strength) -> None:
            asked.add((memory.seat, strength))

        monkeypatch.setitem(bots.BOTS, strength, choose)
    rules = RuleSet.from_text("standard turn_order=seat_order")
    players = [Entrant("Alice"), *(Entrant(strength, strength=strength) for strength in bots.STRENGTHS)]
    game = services.start_game(rules, "random", players, now=clock.now)
    while len(asked) < 3:
        game, snapshot = snapshots.read(game.pk)
        if ALICE in to_act(snapshot.state):
            services.play_timeout(game.pk, ALICE, version=game.version, now=clock.now)
        else:
            clock.move(BOT_SPEEDS["calm"])
            tasks.sweep()
    assert asked == {(1, "easy"), (2, "medium"), (3, "hard")}


def test_the_bot_that_takes_a_seat_over_is_of_the_usual_strength() -> None:
    game = new_game(seats=4, bots=[CHARLIE], strength="hard")
    services.replace_by_bot(game.pk, ALICE, now=timezone.now())
    assert strengths(game) == ["", "", "hard", ""], "a stand-in is nobody's choice"
    services.withdraw(game.pk, ALICE, now=timezone.now())
    assert strengths(game) == [bots.DEFAULT, "", "hard", ""]


def test_a_bot_that_takes_the_seat_of_somebody_absent_has_a_strength_too(clock: Clock) -> None:
    game = live_game()
    services.choose_if_absent(game.pk, BOB, Seat.IfAbsent.RESIGN, now=clock.now)
    skip_until_late(game, clock, BOB, 3)
    assert strengths(game) == ["", bots.DEFAULT, ""]


def test_the_bots_of_a_game_that_the_last_person_leaves_have_strengths_all() -> None:
    game = new_game(bots=[BOB, CHARLIE], strength="easy")
    services.withdraw(game.pk, ALICE, now=timezone.now())
    assert strengths(game) == [bots.DEFAULT, "easy", "easy"]
