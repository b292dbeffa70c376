"""House rules: balanced dice, no trade before everyone has built, and the friendly robber with nowhere to go."""

from itertools import product
from random import Random

import pytest

from games.rules import PRESETS, Event, Phase, RandomChance, RecordedChance, legal_moves, new_game, play, player_view
from games.rules.moves import MoveRobber, OfferTrade, Roll, TradeWithBank
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK_6,
    CHARLIE,
    DANA,
    DESERT,
    ORE,
    WAYS,
    WOOL,
    bundle,
    give,
    hand,
    make,
    offer,
    pave,
    raise_cities,
    refused,
    set_table,
    settle,
)

# Balanced dice


def test_balanced_dice_deal_24_different_rolls_then_all_36_again():
    state = set_table(phase=Phase.ROLLING, balanced_dice=True)
    state.dice_deck = list(range(36))
    chance = RandomChance(Random(7))
    dealt = []
    for _ in range(48):
        state.phase = Phase.ROLLING
        play(state, Roll(ALICE), chance)
        dealt.append(state.dice)
        if len(dealt) in (24, 48):
            assert len(state.dice_deck) == 12
    assert len(set(dealt[:24])) == len(set(dealt[24:])) == 24


@pytest.mark.parametrize(("left", "after"), [(13, 12), (12, 35), (1, 35), (0, 35)])
def test_balanced_dice_are_shuffled_anew_at_twelve_or_fewer(left, after):
    state = set_table(phase=Phase.ROLLING, balanced_dice=True)
    state.dice_deck = list(range(left))
    make(state, Roll(ALICE), 0)
    assert len(state.dice_deck) == after


def test_each_of_the_36_rolls_is_in_the_deck_of_a_new_game():
    rules = PRESETS["standard"].with_options(balanced_dice=True)
    state = new_game(rules, 4, "beginner", RandomChance(Random(1)))
    rolls = set()
    for place in range(36):
        twin = state.copy()
        twin.phase = Phase.ROLLING
        play(twin, Roll(twin.active), RecordedChance([place]))
        rolls.add(twin.dice)
    assert rolls == set(product(range(1, 7), repeat=2))


# No trade before everyone has built


def everyone_has_built_but(state, last):
    for seat, way in zip(state.seats, WAYS, strict=False):
        settle(state, seat, way[0], way[4])
        pave(state, seat, *way[: 2 if seat == last else 3])
        pave(state, seat, *way[4:6])
    give(state, ALICE, ore=1)


@pytest.mark.parametrize("last", [ALICE, BOB, DANA])
def test_nobody_trades_before_the_last_has_built(last):
    state = set_table(trade_after_all_built=True)
    everyone_has_built_but(state, last)
    move = OfferTrade(ALICE, (BOB,), bundle(ore=1), bundle(wool=1))
    refused(state, move, "no_trade_yet")
    assert "offer_trade" not in player_view(state, ALICE)["choices"]
    pave(state, last, *WAYS[last][1:3])
    assert "offer_trade" in player_view(state, ALICE)["choices"]
    make(state, move)


@pytest.mark.parametrize("build", [settle, raise_cities])
def test_any_building_after_the_setup_counts(build):
    state = set_table(trade_after_all_built=True)
    everyone_has_built_but(state, BOB)
    build(state, BOB, 46)
    offer(state, (BOB,), {"ore": 1}, {"wool": 1})


def test_the_bank_trades_before_everyone_has_built():
    state = set_table(trade_after_all_built=True)
    give(state, ALICE, ore=4)
    make(state, TradeWithBank(ALICE, ORE, 4, WOOL))


# The friendly robber with no hex left


def surrounded(robber, bobs_building):
    """On every hex but the desert stands somebody who shows two points; Bob builds in the desert, and holds cards."""
    state = set_table(phase=Phase.MOVING_ROBBER, friendly_robber=True)
    for seat, corners in ((ALICE, (8, 14)), (CHARLIE, (22, 31)), (DANA, (39, 45))):
        settle(state, seat, *corners)
    settle(state, BOB, 0)
    bobs_building(state, BOB, 35)
    for seat in state.seats:
        give(state, seat, ore=2)
    state.robber = robber
    return state


def test_a_friendly_robber_with_no_hex_left_goes_to_the_desert_and_takes_nothing_from_the_protected():
    state = surrounded(BRICK_6, settle)
    assert legal_moves(state, ALICE) == [MoveRobber(ALICE, DESERT)]
    events = make(state, MoveRobber(ALICE, DESERT))
    assert events == [Event("moved_robber", ALICE, {"from": BRICK_6, "hex": DESERT})]
    assert (state.robber, state.phase) == (DESERT, Phase.MAIN)
    assert hand(state, BOB) == {"ore": 2}


def test_a_friendly_robber_in_the_desert_with_no_hex_left_stays_there_and_takes_nothing_from_the_protected():
    state = surrounded(DESERT, settle)
    assert legal_moves(state, ALICE) == [MoveRobber(ALICE, DESERT)]
    events = make(state, MoveRobber(ALICE, DESERT))
    assert events == [Event("robber_stayed", ALICE, {"hex": DESERT})]
    assert (state.robber, state.phase) == (DESERT, Phase.MAIN)
    assert hand(state, BOB) == {"ore": 2}


def test_whoever_shows_three_points_is_robbed_by_a_friendly_robber_that_stays():
    state = surrounded(DESERT, raise_cities)
    events = make(state, MoveRobber(ALICE, DESERT), 0)
    assert [event.kind for event in events] == ["robber_stayed", "stole"]
    assert hand(state, BOB) == {"ore": 1}
