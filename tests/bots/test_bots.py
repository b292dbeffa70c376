"""Bots play whole games from their views: never illegally, never without end."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random

import pytest

from games.bots import BOTS, Bot, Memory
from games.rules import Move, Phase, RandomChance, View, play, player_view
from games.rules.boards import LAYOUTS
from tests.rules.strategies import Table, bots_move, preset_tables, random_table

pytestmark = pytest.mark.slow

BUILDER = BOTS["builder"]

Chooser = Callable[[View, Random], Move | None]


def remembering(bot: Bot) -> Chooser:
    return lambda view, source: bot(view, Memory(view["viewer"] or 0, len(view["seats"])), source)


def play_out(table: Table, bots: Sequence[Bot], most_moves: int = 3_000) -> list[Move]:
    """The moves of a game among bots; an illegal one would be refused, with an exception."""
    state, source = table.new_game()
    played: list[Move] = []
    while state.phase is not Phase.OVER and len(played) < most_moves:
        move = bots_move(state, source, [remembering(bot) for bot in bots])
        play(state, move, RandomChance(source))
        played.append(move)
    return played


@pytest.mark.parametrize(("preset", "seats"), preset_tables())
@pytest.mark.parametrize("layout", LAYOUTS)
def test_builders_play_every_preset_to_its_end(preset: str, seats: int, layout: str) -> None:
    assert len(play_out(Table(preset, seats, layout, 1), [BUILDER] * seats)) < 3_000


@pytest.mark.parametrize("seed", range(20))
def test_builders_move_legally_under_any_options(seed: int) -> None:
    play_out(random_table(seed), [BUILDER] * 4, most_moves=400)


@pytest.mark.parametrize("seed", range(20))
def test_a_random_bot_sits_down_with_builders(seed: int) -> None:
    play_out(random_table(seed), [BOTS["random"], BUILDER, BUILDER, BUILDER], most_moves=400)


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_plays_from_a_view_that_came_over_the_wire(name: str) -> None:
    state, _ = Table("standard", 4, "random", 1).new_game()
    view = player_view(state, state.active)
    sent = json.loads(json.dumps(view))
    assert remembering(BOTS[name])(sent, Random(1)) == remembering(BOTS[name])(view, Random(1))


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_does_nothing_when_nothing_is_asked_of_it(name: str) -> None:
    state, source = Table("standard", 4, "random", 1).new_game()
    for seat in range(4):
        move = remembering(BOTS[name])(player_view(state, seat), source)
        assert (move is not None) == (seat == state.active)


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_chooses_the_same_from_the_same_chance(name: str) -> None:
    table = Table("online", 3, "balanced", 7)
    first, second = (play_out(table, [BOTS[name]] * 3, most_moves=150) for _ in range(2))
    assert first == second
