"""What bots remember: all that their seats saw, and nothing else, however it was come by."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import bots, memories
from games.models import Game, Move
from games.rules import Event
from games.rules.events import Seen

from .playing import ALICE, BOB, CHARLIE, new_game, play_on

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

SEATS = 3


class Diary(bots.Memory):
    """A memory that keeps every word."""

    def __init__(self, seat: int, seats: int) -> None:
        super().__init__(seat, seats)
        self.lines: list[list[Seen]] = []

    def learn(self, events: Iterable[Seen]) -> None:
        self.lines.append(list(events))


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setattr(memories, "Memory", Diary)
    game = new_game(seed="memories")
    play_on(game.pk, Random(1), 90)
    return Game.objects.get(pk=game.pk)


def read(game: Game, seat: int, version: int | None = None) -> list[list[Seen]]:
    memory = memories.of(game.pk, seat, seats=SEATS, version=game.version if version is None else version)
    assert isinstance(memory, Diary)
    assert (memory.seat, memory.seats) == (seat, SEATS)
    return memory.lines


def seen(game: Game, seat: int | None, version: int) -> list[list[Seen]]:
    moves = Move.objects.filter(game=game, number__lte=version).order_by("number")
    return [[Event.from_json(event).seen_by(seat) for event in move.events] for move in moves]


def test_a_bot_remembers_what_its_seat_saw_and_nothing_else(game: Game) -> None:
    for seat in (ALICE, BOB, CHARLIE):
        assert read(game, seat) == seen(game, seat, game.version)
        assert read(game, seat) != seen(game, None, game.version), "its own secrets are among it"


@pytest.mark.parametrize("step", [3, 20])
def test_what_is_learnt_bit_by_bit_is_what_is_learnt_at_once(game: Game, step: int) -> None:
    for version in range(0, game.version, step):
        assert read(game, BOB, version) == seen(game, BOB, version)


def test_only_moves_that_are_new_are_learnt_and_in_one_statement(game: Game) -> None:
    before = read(game, ALICE, game.version - 3)
    before[0] = [{"kind": "a mark", "seat": ALICE}]
    with CaptureQueriesContext(connection) as statements:
        now = read(game, ALICE)
    assert now == [before[0], *seen(game, ALICE, game.version)[1:]]
    assert len(statements) == 1


def test_whoever_still_thinks_with_a_memory_keeps_it_as_it_was(game: Game) -> None:
    before = read(game, ALICE, game.version - 3)
    read(game, ALICE)
    assert before == seen(game, ALICE, game.version - 3)


def test_a_memory_of_a_later_version_does_not_serve_for_an_earlier_one(game: Game) -> None:
    read(game, ALICE)
    assert read(game, ALICE, 20) == seen(game, ALICE, 20)


def test_a_memory_of_a_log_that_is_no_more_is_given_up(game: Game) -> None:
    """Somebody set the game right by hand, from an earlier version on."""
    read(game, ALICE)
    last = Move.objects.get(game=game, number=game.version)
    last.delete()
    last.pk, last.events = None, [Event("turn_began", BOB, {"turn": 99}).to_json()]
    last.save(force_insert=True)
    assert read(game, ALICE)[-1] == [{"kind": "turn_began", "seat": BOB, "turn": 99}]
    assert read(game, ALICE) == seen(game, ALICE, game.version)


def test_the_memories_that_were_wanted_longest_ago_are_given_up_first(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "MOST_KEPT", 2)
    for seat in (ALICE, BOB, ALICE, CHARLIE):
        read(game, seat)
    assert list(memories._kept) == [(game.pk, ALICE), (game.pk, CHARLIE)]
