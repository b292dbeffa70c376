"""The state: copies go their own way, and JSON brings the same game back."""

import json
from random import Random

import pytest

from games.rules import PRESETS, RandomChance, State, legal_moves, new_game, play, to_act
from games.rules.moves import BuyCard, CounterOffer
from games.rules.state import DERIVED, derive
from tests.rules.table import ALICE, BOB, CARD, bundle, give, make, offer, set_table


def in_mid_game(preset, moves=150):
    """Some random moves into a game."""
    random = Random(preset)
    state = new_game(PRESETS[preset], 3, "random", RandomChance(random))
    for _ in range(moves):
        seat = random.choice(to_act(state))
        play(state, random.choice(legal_moves(state, seat)), RandomChance(random))
    return state


@pytest.mark.parametrize("preset", PRESETS)
def test_a_state_is_the_same_after_json(preset):
    state = in_mid_game(preset)
    assert State.from_json(json.loads(json.dumps(state.to_json()))) == state


def test_open_offers_are_the_same_after_json():
    state = set_table()
    give(state, ALICE, ore=1)
    give(state, BOB, wool=1)
    offer(state, (BOB,), {"ore": 1}, {"wool": 1})
    offer(state, (BOB, 2), {"ore": 1}, {"brick": 1})
    make(state, CounterOffer(BOB, 1, bundle(wool=1), bundle(ore=1)))
    assert State.from_json(json.loads(json.dumps(state.to_json()))) == state


def test_a_loaded_game_leaves_the_json_it_came_from_alone():
    state = set_table()
    give(state, ALICE, **CARD)
    data = state.to_json()
    before = json.dumps(data)
    make(State.from_json(data), BuyCard(ALICE))
    assert json.dumps(data) == before


@pytest.mark.parametrize("preset", PRESETS)
def test_a_copy_goes_its_own_way(preset):
    state = in_mid_game(preset)
    before = json.dumps(state.to_json())
    random = Random(2)
    for move in legal_moves(state, to_act(state)[0]):
        twin = state.copy()
        assert twin == state
        play(twin, move, RandomChance(random))
        assert twin != state
        for _ in range(20):
            if to_act(twin):
                play(twin, random.choice(legal_moves(twin, to_act(twin)[0])), RandomChance(random))
    assert json.dumps(state.to_json()) == before


def test_states_that_differ_in_one_field_are_not_equal():
    state = set_table()
    for name in set(State.__slots__) - {"rules", "board"}:
        twin = state.copy()
        setattr(twin, name, "something else")
        assert twin != state
    assert state != "a state"


@pytest.mark.parametrize("preset", PRESETS)
def test_what_follows_from_the_rest_is_kept_up_to_date(preset):
    state = in_mid_game(preset)
    kept = {name: getattr(state, name) for name in DERIVED}
    derive(state)
    assert {name: getattr(state, name) for name in DERIVED} == kept
