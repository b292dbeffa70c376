"""Rules about trade that several rule books share."""

from itertools import pairwise

from games.rules import Phase, legal_moves
from games.rules.cards import CARD_NAMES, RESOURCE_NAMES
from games.rules.moves import OfferTrade, RejectOffer, TradeWithBank
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK,
    CHARLIE,
    GRAIN,
    LUMBER,
    ORE,
    WOOL,
    accept,
    bundle,
    give,
    hand,
    hold,
    leave_in_bank,
    make,
    offer,
    raise_cities,
    refused,
    set_table,
    settle,
)


def others_accept_or_decline_what_the_player_to_move_offers(preset):
    state = set_table(preset)
    give(state, ALICE, brick=1)
    give(state, BOB, ore=1)
    offer(state, (BOB, CHARLIE), {"brick": 1}, {"ore": 1})
    accept(state, BOB)
    make(state, RejectOffer(CHARLIE, 0))
    assert state.offers[0].accepted == (BOB,)
    assert state.offers[0].rejected == (CHARLIE,)


def players_trade_after_the_roll_and_only_with_the_player_to_move(preset):
    state = set_table(preset, Phase.ROLLING)
    give(state, ALICE, brick=1)
    give(state, BOB, ore=1)
    to_bob = OfferTrade(ALICE, (BOB,), bundle(brick=1), bundle(ore=1))
    refused(state, to_bob, "roll_first")
    state.phase = Phase.MAIN
    refused(state, OfferTrade(BOB, (CHARLIE,), bundle(ore=1), bundle(brick=1)), "not_your_turn")
    make(state, to_bob)


def the_bank_does_not_trade_on_anothers_turn(preset):
    state = set_table(preset)
    give(state, BOB, ore=4)
    refused(state, TradeWithBank(BOB, ORE, 4, WOOL), "not_your_turn")


def the_bank_gives_one_card_for_four_identical_ones(preset):
    state = set_table(preset)
    give(state, ALICE, ore=4)
    make(state, TradeWithBank(ALICE, ORE, 4, WOOL))
    assert hand(state, ALICE) == {"wool": 1}


def players_exchange_any_number_of_different_resources(preset):
    state = set_table(preset)
    give(state, ALICE, brick=2, lumber=1)
    give(state, BOB, ore=1, wool=3)
    offer(state, (BOB,), {"brick": 2, "lumber": 1}, {"ore": 1, "wool": 3})
    accept(state, BOB)
    make(state, next(m for m in legal_moves(state, ALICE) if m.kind == "confirm_trade"))
    assert hand(state, ALICE) == {"wool": 3, "ore": 1}
    assert hand(state, BOB) == {"brick": 2, "lumber": 1}


def cards_are_not_given_away(preset):
    state = set_table(preset)
    give(state, ALICE, brick=1)
    refused(state, OfferTrade(ALICE, (BOB,), bundle(brick=1), bundle()), "gift")


def development_cards_are_not_traded(preset):
    """Neither offered nor asked for, alone or among resources."""
    for kind, other_kind in pairwise((*CARD_NAMES, CARD_NAMES[0])):
        state = set_table(preset)
        give(state, ALICE, brick=1)
        give(state, BOB, ore=1)
        hold(state, ALICE, kind)
        hold(state, BOB, kind, other_kind)
        for gives, gets in (
            ({kind: 1}, {"ore": 1}),
            ({"brick": 1, kind: 1}, {"ore": 1}),
            ({"brick": 1}, {kind: 1}),
            ({"brick": 1}, {"ore": 1, kind: 1}),
            ({kind: 1}, {other_kind: 1}),
        ):
            refused(state, OfferTrade(ALICE, (BOB,), bundle(**gives), bundle(**gets)), "cards_not_traded")
        offer(state, (BOB,), {"brick": 1}, {"ore": 1})


def a_resource_is_not_traded_for_itself(preset):
    """Not alone, and not as one of several: without it the same offer stands."""
    names = (*RESOURCE_NAMES, *RESOURCE_NAMES)
    for place, name in enumerate(RESOURCE_NAMES):
        one, another, third = names[place + 1 : place + 4]
        state = set_table(preset)
        give(state, ALICE, **{name: 2, one: 1, another: 1})
        for gives, gets in (
            ({name: 1}, {name: 1}),
            ({name: 2}, {name: 1}),
            ({name: 1, one: 1}, {name: 1}),
            ({name: 1}, {name: 1, third: 1}),
            ({name: 1, one: 1}, {name: 2, third: 1}),
            ({name: 1, one: 1, another: 1}, {name: 1, third: 2}),
        ):
            refused(state, OfferTrade(ALICE, (BOB,), bundle(**gives), bundle(**gets)), "same_on_both_sides")
        offer(state, (BOB,), {name: 1, one: 1, another: 1}, {third: 2})


def maritime_trade_needs_no_other_player(preset):
    state = set_table(preset)
    settle(state, ALICE, 0)
    give(state, ALICE, ore=3)
    make(state, TradeWithBank(ALICE, ORE, 3, GRAIN))
    assert hand(state, ALICE) == {"grain": 1}


def a_harbor_serves_only_those_who_built_on_it(preset, vertex):
    state = set_table(preset)
    settle(state, ALICE, vertex)
    settle(state, BOB, 0)
    give(state, ALICE, ore=3)
    refused(state, TradeWithBank(ALICE, ORE, 3, WOOL), "wrong_rate")


def a_generic_harbor_takes_three_of_anything_for_one_other(preset, give_away):
    state = set_table(preset)
    raise_cities(state, ALICE, 0)
    state.hands[ALICE][give_away] = 3
    take = (give_away + 1) % 5
    make(state, TradeWithBank(ALICE, give_away, 3, take))
    assert state.hands[ALICE] == [int(resource == take) for resource in range(5)]


def a_special_harbor_takes_two_of_its_own_resource_and_favors_no_other(preset):
    state = set_table(preset)
    settle(state, ALICE, 10)
    give(state, ALICE, ore=2, wool=3)
    refused(state, TradeWithBank(ALICE, WOOL, 2, BRICK), "wrong_rate")
    refused(state, TradeWithBank(ALICE, WOOL, 3, BRICK), "wrong_rate")
    make(state, TradeWithBank(ALICE, ORE, 2, BRICK))
    assert hand(state, ALICE) == {"brick": 1, "wool": 3}


def a_harbor_serves_both_its_corners_and_cities_too(preset):
    for build in (settle, raise_cities):
        for vertex in (0, 3):
            state = set_table(preset)
            build(state, ALICE, vertex)
            give(state, ALICE, ore=3)
            make(state, TradeWithBank(ALICE, ORE, 3, WOOL))


def the_bank_takes_exactly_the_rate(preset, vertex, rate):
    state = set_table(preset)
    settle(state, ALICE, vertex)
    give(state, ALICE, ore=rate - 1)
    refused(state, TradeWithBank(ALICE, ORE, rate, WOOL), "cards_not_held")
    give(state, ALICE, ore=2)
    refused(state, TradeWithBank(ALICE, ORE, rate - 1, WOOL), "wrong_rate")
    refused(state, TradeWithBank(ALICE, ORE, rate + 1, WOOL), "wrong_rate")
    make(state, TradeWithBank(ALICE, ORE, rate, WOOL))
    assert hand(state, ALICE) == {"wool": 1, "ore": 1}


def the_bank_trades_only_what_it_has(preset, vertex, rate):
    state = set_table(preset)
    settle(state, ALICE, vertex)
    give(state, ALICE, ore=rate)
    leave_in_bank(state, BOB, wool=0)
    refused(state, TradeWithBank(ALICE, ORE, rate, WOOL), "bank_lacks")


def several_bank_trades_fit_in_one_turn(preset):
    state = set_table(preset)
    give(state, ALICE, lumber=4, brick=4)
    make(state, TradeWithBank(ALICE, LUMBER, 4, ORE))
    make(state, TradeWithBank(ALICE, BRICK, 4, GRAIN))
    assert hand(state, ALICE) == {"grain": 1, "ore": 1}
