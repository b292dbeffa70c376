"""Games in which every seat remembers what it has seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from games.bots import Memory
from games.rules import Event, Move, Phase, RandomChance, State, play
from games.rules.boards import LAYOUTS
from tests.rules.strategies import (
    Table,
    bots_move,
    eager_move,
    haggling_move,
    hoarding_move,
    meddling_move,
    preset_tables,
    random_table,
)

Chooser = Callable[[State, Random], Move]

PLAYERS: Sequence[Chooser] = (haggling_move, bots_move, eager_move, hoarding_move, meddling_move)


class Moment(NamedTuple):
    """A game just after a move."""

    state: State
    #: What was just before the move.
    before: State
    move: Move
    events: list[Event]
    memories: list[Memory]


def remembered_game(table: Table, choose: Chooser, most_moves: int) -> Iterator[Moment]:
    state, source = table.new_game()
    chance = RandomChance(source)
    memories = [Memory(seat, table.seats) for seat in range(table.seats)]
    for _ in range(most_moves):
        if state.phase is Phase.OVER:
            return
        move, before = choose(state, source), state.copy()
        events = play(state, move, chance)
        for memory in memories:
            teach(memory, events)
        yield Moment(state, before, move, events, memories)


def teach(memory: Memory, events: Sequence[Event]) -> None:
    memory.learn([event.seen_by(memory.seat) for event in events])


def some_tables(presets: int, others: int) -> list[tuple[Table, Chooser]]:
    """So many tables of each preset, and so many with house rules at random; all kinds of players take turns."""
    tables = [
        Table(preset, seats, list(LAYOUTS)[seed % len(LAYOUTS)], seed)
        for seed in range(presets)
        for preset, seats in preset_tables()
    ]
    tables += [random_table(seed) for seed in range(others)]
    return [(table, PLAYERS[number % len(PLAYERS)]) for number, table in enumerate(tables)]
