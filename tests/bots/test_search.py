"""Looking through a turn: what the lines of medium and hard find, and what they say of it."""

from __future__ import annotations

from random import Random

import pytest

from games.bots import hard
from games.bots.imagining import imagine
from games.bots.mind import Mind
from games.bots.search import Effort, Search
from games.rules import Phase, RandomChance, State, is_legal, moves, play, player_view
from games.rules.cards import CARD_SUPPLY, KNIGHT
from tests.bots.remembered import memory_of
from tests.bots.test_sense import table_of_four
from tests.rules.strategies import eager_move, random_table
from tests.rules.table import ALICE, BOB, give, hold, lay_open


def mind_of(state: State, seat: int = ALICE, effort: Effort = hard.EFFORT) -> Mind:
    memory = memory_of(state, seat)
    return Mind(imagine(player_view(state, seat), memory, Random(0)), memory, effort)


def test_a_line_leads_over_the_bank_to_a_city() -> None:
    state = table_of_four()
    give(state, ALICE, ore=2, grain=2, wool=4)
    best = mind_of(state).search.lines(state)[0]
    assert [move.kind for move in best.moves][:2] == ["trade_with_bank", "build_city"]


def test_a_line_that_wins_is_certain() -> None:
    state = table_of_four()
    lay_open(state, ALICE, *["victory_point"] * 5)
    give(state, ALICE, ore=6, grain=4)
    state.rules = state.rules.with_options(points_to_win=9)
    assert mind_of(state).search.lines(state)[0].worth == 1


def test_lines_are_told_from_the_best_and_begin_differently() -> None:
    state = table_of_four()
    give(state, ALICE, ore=3, grain=3, brick=2, lumber=2, wool=1)
    lines = mind_of(state).search.lines(state)
    worths = [line.worth for line in lines]
    assert worths == sorted(worths, reverse=True)
    first = [line.moves[0] for line in lines]
    assert len(set(first)) == len(first)
    assert moves.EndTurn(ALICE) in first


def test_looking_ahead_changes_nothing() -> None:
    state = table_of_four()
    give(state, ALICE, ore=3, grain=3, brick=2, lumber=2, wool=1)
    hold(state, ALICE, "knight", "monopoly")
    before = state.copy()
    mind_of(state).search.lines(state)
    assert state == before


def test_cards_that_nobody_has_seen_are_the_box_less_those_in_sight() -> None:
    state = table_of_four()
    hold(state, ALICE, "knight")
    hold(state, BOB, "knight", "monopoly")
    lay_open(state, BOB, "knight")
    unseen = mind_of(state).search.unseen(state)
    assert unseen[KNIGHT] == CARD_SUPPLY[KNIGHT] - 2
    assert sum(unseen) == sum(CARD_SUPPLY) - 2


def test_more_thought_looks_at_more_positions() -> None:
    state = table_of_four()
    give(state, ALICE, ore=4, grain=4, brick=4, lumber=4, wool=4)
    valuation = mind_of(state).valuation
    assert len(Search(valuation, Effort(width=1, positions=3)).lines(state)) <= 4
    assert len(Search(valuation, Effort(width=6, positions=250)).lines(state)) > 10


# What hard would consider


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_considered_is_legal_in_every_phase_under_any_rules(seed: int) -> None:
    state, source = random_table(seed).new_game()
    chance = RandomChance(source)
    asked = set()
    for number in range(400):
        if state.phase is Phase.OVER:
            break
        for seat in state.seats if number % 10 == 0 or state.phase not in asked else ():
            view = player_view(state, seat)
            considered = hard.consider(view, memory_of(state, seat), Random(seed))
            if considered:
                asked.add(state.phase)
            assert bool(considered) == bool(view["choices"]) or state.active != seat
            assert len(considered) <= 3
            for each in considered:
                assert is_legal(state, each.move) or isinstance(each.move, moves.ConfirmTrade)
                assert 0 <= each.chance <= 1.0001
                assert all(gain.weight > 0 for gain in each.gains)
        play(state, eager_move(state, source), chance)
    assert asked


def test_what_hard_considers_first_is_what_it_does() -> None:
    state = table_of_four()
    give(state, ALICE, ore=3, grain=2)
    considered = hard.consider(player_view(state, ALICE), memory_of(state, ALICE), Random(1))
    assert considered[0].move == hard.choose(player_view(state, ALICE), memory_of(state, ALICE), Random(1))
    assert considered[0].move.kind == "build_city"
    assert {"points", "production"} <= {gain.kind for gain in considered[0].gains}


def test_a_card_that_may_be_stolen_is_worth_something_to_whoever_steals() -> None:
    state = table_of_four()
    give(state, BOB, ore=2)
    mind = mind_of(state)
    assert mind.search.theft(mind.state, BOB) > 0


def test_nothing_is_gained_by_stealing_from_an_empty_hand() -> None:
    assert mind_of(table_of_four()).search.theft(table_of_four(), BOB) == 0
