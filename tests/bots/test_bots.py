"""Bots play whole games from their views: never illegally, never without end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

import pytest

from games.bots import BOTS, STRENGTHS, Memory
from games.rules import Move, RuleSet, View, player_view
from games.rules.boards import LAYOUTS
from tests.rules.strategies import Table, preset_tables, random_table
from tools.arena import Match, play_game
from tools.bot_games import deal_game, steps

pytestmark = pytest.mark.slow

QUICK = ("easy", "builder")
#: How many moves of a game are played here by bots that think for longer. `make soak` lets them play whole games.
MOST_MOVES = {"medium": 100, "hard": 40}
SOAKED_GAMES = 20


def play_out(table: Table, bots: Sequence[str], most_moves: int = 3_000) -> list[Move]:
    """The moves of a game among bots, each of which must have been legal."""
    rules = RuleSet.from_text(table.rules)
    state, players, chance = deal_game(
        rules, [BOTS[name] for name in bots[: table.seats]], table.layout, f"{table.seed}"
    )
    made = list(steps(state, players, chance, most_moves))
    assert [step.mistake for step in made if step.mistake] == []
    return [step.move for step in made]


def first_choice(name: str, view: View) -> Move | None:
    return BOTS[name](view, Memory(view["viewer"] or 0, len(view["seats"])), Random(1))


@pytest.mark.parametrize(("preset", "seats"), preset_tables())
@pytest.mark.parametrize("name", QUICK)
def test_bots_play_every_preset_to_its_end(preset: str, seats: int, name: str) -> None:
    layout = list(LAYOUTS)[seats % len(LAYOUTS)]
    assert len(play_out(Table(preset, seats, layout, 1), [name] * seats)) < 3_000


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", QUICK)
def test_bots_play_on_every_board_to_the_end(layout: str, name: str) -> None:
    assert len(play_out(Table("standard", 4, layout, 2), [name] * 4)) < 3_000


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", [*STRENGTHS, "builder"])
def test_bots_move_legally_under_any_options(seed: int, name: str) -> None:
    play_out(random_table(seed), [name] * 4, MOST_MOVES.get(name, 400))


@pytest.mark.parametrize("seed", range(20))
def test_a_random_bot_sits_down_with_the_three_strengths(seed: int) -> None:
    play_out(random_table(seed), ["random", *STRENGTHS], MOST_MOVES["hard"])


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", STRENGTHS)
def test_bots_play_whole_games_legally_under_any_options(name: str) -> None:
    match = Match((name, name, name, "random"), rules="any")
    results = [play_game(match, game) for game in range(SOAKED_GAMES)]
    assert [mistake for result in results for deeds in result.deeds for mistake in deeds.mistakes] == []


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_plays_from_a_view_that_came_over_the_wire(name: str) -> None:
    state, _ = Table("standard", 4, "random", 1).new_game()
    view = player_view(state, state.active)
    sent = json.loads(json.dumps(view))
    assert first_choice(name, sent) == first_choice(name, view)


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_does_nothing_when_nothing_is_asked_of_it(name: str) -> None:
    state, _ = Table("standard", 4, "random", 1).new_game()
    for seat in range(4):
        move = first_choice(name, player_view(state, seat))
        assert (move is not None) == (seat == state.active)


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_chooses_the_same_from_the_same_chance(name: str) -> None:
    table = Table("online", 3, "balanced", 7)
    first, second = (play_out(table, [name] * 3, MOST_MOVES.get(name, 150)) for _ in range(2))
    assert first == second
