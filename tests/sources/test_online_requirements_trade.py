"""The product requirements: trade and costs."""

import pytest

from games.rules.moves import (
    AcceptOffer,
    ConfirmTrade,
    CounterOffer,
    RejectOffer,
    TradeWithBank,
    WithdrawOffer,
)
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK,
    CHARLIE,
    DANA,
    GRAIN,
    LUMBER,
    ORE,
    WOOL,
    accept,
    bundle,
    give,
    hand,
    leave_in_bank,
    make,
    offer,
    refused,
    set_table,
)
from tests.sources.shared import building, cards, handshake, trading

PRESET = "online"

# Trade among players


def test_a_trade_is_offered_accepted_and_confirmed():
    state = set_table(PRESET)
    give(state, ALICE, lumber=1, brick=1)
    give(state, BOB, ore=1, grain=1)
    offer(state, (BOB,), {"lumber": 1, "brick": 1}, {"ore": 1, "grain": 1})
    refused(state, ConfirmTrade(ALICE, 0, BOB), "not_accepted")
    accept(state, BOB)
    assert hand(state, ALICE) == {"lumber": 1, "brick": 1}
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert hand(state, ALICE) == {"ore": 1, "grain": 1}
    assert hand(state, BOB) == {"lumber": 1, "brick": 1}


def test_nobody_offers_accepts_or_counters_with_cards_they_do_not_hold():
    handshake.nobody_offers_accepts_or_counters_with_cards_they_do_not_hold(PRESET)


def test_a_trade_is_not_confirmed_without_the_cards_for_it():
    handshake.a_trade_is_not_confirmed_without_the_cards_for_it(PRESET)


def test_a_promise_that_cannot_be_kept_is_found_out_by_whoever_confirms_it():
    handshake.a_promise_that_cannot_be_kept_is_found_out_by_whoever_confirms_it(PRESET)


def test_players_trade_after_the_roll_and_only_with_the_player_to_move():
    trading.players_trade_after_the_roll_and_only_with_the_player_to_move(PRESET)


@pytest.mark.parametrize("partner", [BOB, CHARLIE, DANA])
def test_the_player_to_move_trades_with_anybody(partner):
    state = set_table(PRESET)
    give(state, ALICE, brick=1)
    give(state, partner, ore=1)
    offer(state, (partner,), {"brick": 1}, {"ore": 1})
    accept(state, partner)
    make(state, ConfirmTrade(ALICE, 0, partner))
    assert hand(state, partner) == {"brick": 1}


@pytest.mark.parametrize(
    ("answer", "open_offers"),
    [
        (AcceptOffer(BOB, 0), [0]),
        (RejectOffer(BOB, 0), []),
        (CounterOffer(BOB, 0, bundle(ore=1), bundle(brick=2)), [1]),
    ],
)
def test_an_offer_is_accepted_rejected_or_countered(answer, open_offers):
    state = set_table(PRESET)
    give(state, ALICE, brick=2)
    give(state, BOB, ore=1)
    offer(state, (BOB,), {"brick": 1}, {"ore": 1})
    make(state, answer)
    assert [offer.number for offer in state.offers] == open_offers


def test_one_offer_goes_to_everybody_and_one_of_them_gets_the_trade():
    state = set_table(PRESET)
    give(state, ALICE, brick=1)
    give(state, BOB, ore=1)
    give(state, DANA, ore=1)
    offer(state, (BOB, CHARLIE, DANA), {"brick": 1}, {"ore": 1})
    make(state, AcceptOffer(BOB, 0))
    make(state, AcceptOffer(DANA, 0))
    make(state, ConfirmTrade(ALICE, 0, DANA))
    assert hand(state, DANA) == {"brick": 1}
    assert hand(state, BOB) == {"ore": 1}
    assert state.offers == ()


def test_offers_to_several_players_follow_one_another():
    state = set_table(PRESET)
    give(state, ALICE, brick=1)
    offer(state, (BOB,), {"brick": 1}, {"ore": 1})
    offer(state, (CHARLIE,), {"brick": 1}, {"wool": 1})
    assert [(offer.number, offer.to) for offer in state.offers] == [(0, (BOB,)), (1, (CHARLIE,))]


def test_either_side_withdraws_until_the_trade_is_confirmed():
    state = set_table(PRESET)
    give(state, ALICE, brick=1)
    give(state, BOB, ore=1)
    offer(state, (BOB,), {"brick": 1}, {"ore": 1})
    accept(state, BOB)
    make(state, WithdrawOffer(BOB, 0))
    refused(state, ConfirmTrade(ALICE, 0, BOB), "not_accepted")
    make(state, WithdrawOffer(ALICE, 0))
    refused(state, AcceptOffer(BOB, 0), "no_such_offer")


@pytest.mark.parametrize("interruption", handshake.INTERRUPTIONS)
def test_offers_outlast_a_card_and_are_confirmed_after_it(interruption):
    handshake.offers_outlast_a_card_and_are_confirmed_after_it(PRESET, interruption)


@pytest.mark.parametrize("interruption", handshake.INTERRUPTIONS)
@pytest.mark.parametrize(("answer", "open_offers"), handshake.ANSWERS)
def test_an_offer_is_answered_and_withdrawn_while_a_card_is_played(interruption, answer, open_offers):
    handshake.an_offer_is_answered_and_withdrawn_while_a_card_is_played(PRESET, interruption, answer, open_offers)


def test_a_theft_that_breaks_a_promise_is_told_to_nobody_but_whoever_confirms():
    handshake.a_theft_that_breaks_a_promise_is_told_to_nobody_but_whoever_confirms(PRESET)


# Trade with the bank


def test_the_bank_never_runs_out_in_a_trade():
    state = set_table(PRESET)
    give(state, ALICE, ore=4)
    leave_in_bank(state, BOB, wool=0)
    make(state, TradeWithBank(ALICE, ORE, 4, WOOL))
    assert hand(state, ALICE) == {"wool": 1}
    assert state.bank[WOOL] == 0


def test_the_bank_gives_one_card_for_four_identical_ones():
    trading.the_bank_gives_one_card_for_four_identical_ones(PRESET)


@pytest.mark.parametrize("give_away", [BRICK, LUMBER, WOOL, GRAIN, ORE])
def test_a_generic_harbor_takes_three_of_anything_for_one_other(give_away):
    trading.a_generic_harbor_takes_three_of_anything_for_one_other(PRESET, give_away)


def test_a_special_harbor_takes_two_of_its_own_resource_and_favors_no_other():
    trading.a_special_harbor_takes_two_of_its_own_resource_and_favors_no_other(PRESET)


def test_a_harbor_serves_both_its_corners_and_cities_too():
    trading.a_harbor_serves_both_its_corners_and_cities_too(PRESET)


def test_several_bank_trades_fit_in_one_turn():
    trading.several_bank_trades_fit_in_one_turn(PRESET)


def test_the_bank_does_not_trade_on_anothers_turn():
    trading.the_bank_does_not_trade_on_anothers_turn(PRESET)


# Costs


def test_a_road_costs_brick_and_lumber():
    building.a_road_costs_brick_and_lumber(PRESET)


def test_a_later_settlement_costs_brick_lumber_grain_and_wool():
    building.a_later_settlement_costs_brick_lumber_grain_and_wool(PRESET)


def test_a_city_costs_two_grain_and_three_ore():
    building.a_city_costs_two_grain_and_three_ore(PRESET)


def test_a_development_card_costs_wool_grain_and_ore_on_ones_own_turn():
    cards.a_development_card_costs_wool_grain_and_ore_on_ones_own_turn(PRESET)
