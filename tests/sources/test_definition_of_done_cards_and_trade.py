"""The first definition of done: boundary values of cards, rolls and trade."""

from functools import partial

import pytest

from games.rules import MalformedMove, Phase, legal_moves
from games.rules.moves import (
    BuildRoad,
    BuyCard,
    ConfirmTrade,
    Discard,
    EndTurn,
    MoveRobber,
    OfferTrade,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Steal,
    StopPlacingRoads,
    TradeWithBank,
    from_json,
)
from games.rules.topology import edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK_6,
    CARD,
    CHARLIE,
    DESERT,
    LUMBER_8,
    ORE,
    WOOL,
    accept,
    bundle,
    give,
    hand,
    held_cards,
    hold,
    make,
    offer,
    raise_cities,
    refused,
    resources,
    roll,
    set_table,
    settle,
)

table = partial(set_table, "definition-of-done")

# Development cards


@pytest.mark.parametrize("count", [1, 2])
def test_a_card_is_bought_with_exactly_enough_and_with_more(count):
    state = table()
    give(state, ALICE, ore=count, wool=count, grain=count)
    make(state, BuyCard(ALICE))
    assert sum(hand(state, ALICE).values()) == 3 * (count - 1)


@pytest.mark.parametrize("missing", CARD)
def test_a_card_is_not_bought_with_a_resource_missing(missing):
    state = table()
    give(state, ALICE, **{name: 2 for name in CARD if name != missing})
    refused(state, BuyCard(ALICE), "cannot_pay")


def test_one_development_card_is_played_a_turn():
    state = table()
    hold(state, ALICE, "monopoly", "year_of_plenty")
    make(state, PlayMonopoly(ALICE, ORE))
    refused(state, PlayYearOfPlenty(ALICE, resources(ore=2)), "one_card_a_turn")


def test_a_card_waits_for_a_later_turn_than_its_purchase():
    state = table()
    give(state, ALICE, **CARD)
    make(state, BuyCard(ALICE))
    refused(state, PlayKnight(ALICE), "bought_this_turn")
    make(state, EndTurn(ALICE))
    state.active = ALICE
    make(state, PlayKnight(ALICE))


def test_a_turn_passes_with_one_card_played_or_none():
    for kinds in ((), ("monopoly",)):
        state = table()
        hold(state, ALICE, *kinds)
        if kinds:
            make(state, PlayMonopoly(ALICE, ORE))
        make(state, EndTurn(ALICE))
        assert state.active == BOB


def test_a_knight_sends_the_robber_to_any_hex_but_its_own():
    state = table()
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    refused(state, MoveRobber(ALICE, DESERT), "robber_must_move")
    elsewhere = [MoveRobber(ALICE, h) for h in range(19) if h != DESERT]
    assert legal_moves(state, ALICE) == elsewhere


def knight_on_brick(state):
    hold(state, ALICE, "knight")
    settle(state, BOB, 8)
    settle(state, CHARLIE, 18)
    give(state, BOB, brick=1, ore=1)
    give(state, CHARLIE, wool=3)
    make(state, PlayKnight(ALICE))
    make(state, MoveRobber(ALICE, BRICK_6))


def test_nobody_off_the_robbers_hex_is_stolen_from():
    state = table()
    settle(state, 3, 40)
    knight_on_brick(state)
    refused(state, Steal(ALICE, 3), "no_such_victim")


def test_one_card_of_one_player_is_stolen():
    state = table()
    knight_on_brick(state)
    make(state, Steal(ALICE, CHARLIE), 0)
    assert hand(state, CHARLIE) == {"wool": 2}
    refused(state, Steal(ALICE, BOB), "wrong_phase")


@pytest.mark.parametrize(("drawn", "stolen"), [(0, "brick"), (1, "ore")])
def test_chance_chooses_the_stolen_card(drawn, stolen):
    state = table()
    knight_on_brick(state)
    make(state, Steal(ALICE, BOB), drawn)
    assert hand(state, ALICE) == {stolen: 1}
    with pytest.raises(MalformedMove):
        from_json({"kind": "steal", "seat": ALICE, "victim": BOB, "resource": "ore"})


@pytest.mark.parametrize("choice", [None, ["ore", "wool"], "gold"])
def test_monopoly_without_exactly_one_resource_is_malformed(choice):
    move = {"kind": "play_monopoly", "seat": ALICE}
    with pytest.raises(MalformedMove):
        from_json(move if choice is None else move | {"resource": choice})


def test_monopoly_leaves_the_others_none_of_the_resource():
    state = table()
    give(state, BOB, ore=2)
    give(state, CHARLIE, ore=1, wool=1)
    hold(state, ALICE, "monopoly")
    make(state, PlayMonopoly(ALICE, ORE))
    assert [state.hands[seat][ORE] for seat in state.seats] == [3, 0, 0, 0]


def test_road_building_waits_for_the_second_road():
    state = table()
    settle(state, ALICE, 17)
    hold(state, ALICE, "road_building")
    make(state, PlayRoadBuilding(ALICE))
    refused(state, StopPlacingRoads(ALICE), "must_place_roads")
    make(state, BuildRoad(ALICE, edge_between(17, 23)))
    refused(state, StopPlacingRoads(ALICE), "must_place_roads")
    refused(state, EndTurn(ALICE), "wrong_phase")
    make(state, BuildRoad(ALICE, edge_between(17, 22)))
    make(state, EndTurn(ALICE))


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_year_of_plenty_takes_two_cards_no_more_and_no_fewer(count):
    state = table()
    hold(state, ALICE, "year_of_plenty")
    move = PlayYearOfPlenty(ALICE, resources(ore=count))
    if count == 2:
        make(state, move)
        assert state.bank == [19, 19, 19, 19, 17]
    else:
        refused(state, move, "take_two")


def test_a_played_card_stays_with_nobody_and_in_no_deck():
    state = table()
    hold(state, ALICE, "monopoly")
    deck = len(state.deck) - state.dealt
    make(state, PlayMonopoly(ALICE, ORE))
    assert held_cards(state, ALICE) == []
    assert len(state.deck) - state.dealt == deck


# Results of rolling


def test_everybody_with_a_building_at_the_rolled_number_is_paid():
    state = table(Phase.ROLLING)
    settle(state, ALICE, 8, 40)
    settle(state, BOB, 18)
    settle(state, CHARLIE, 26)
    roll(state, 6)
    assert [hand(state, seat) for seat in range(3)] == [
        {"brick": 1, "grain": 1},
        {"brick": 1},
        {},
    ]


@pytest.mark.parametrize("held", [0, 3])
def test_a_payment_adds_one_card_to_those_held(held):
    state = table(Phase.ROLLING)
    settle(state, ALICE, 8)
    give(state, ALICE, brick=held)
    roll(state, 6)
    assert hand(state, ALICE) == {"brick": held + 1}


@pytest.mark.parametrize(("held", "lost"), [(6, 0), (7, 0), (8, 4), (9, 4)])
def test_a_seven_costs_half_of_a_hand_above_seven(held, lost):
    state = table(Phase.ROLLING)
    give(state, BOB, ore=held)
    roll(state, 7)
    assert state.discards[BOB] == lost
    if lost:
        refused(state, Discard(BOB, resources(ore=lost - 1)), "wrong_discard")
        refused(state, Discard(BOB, resources(ore=lost + 1)), "wrong_discard")
        make(state, Discard(BOB, resources(ore=lost)))
    assert hand(state, BOB) == {"ore": held - lost}
    assert state.phase is Phase.MOVING_ROBBER


def test_after_a_seven_the_robber_may_not_stay():
    state = table(Phase.ROLLING)
    state.robber = LUMBER_8
    roll(state, 7)
    refused(state, MoveRobber(ALICE, LUMBER_8), "robber_must_move")
    make(state, MoveRobber(ALICE, DESERT))
    assert state.robber == DESERT


def test_the_owners_of_buildings_on_the_robbers_hex_are_its_victims():
    state = table(Phase.ROLLING)
    settle(state, ALICE, 12)
    settle(state, BOB, 8)
    raise_cities(state, CHARLIE, 18)
    give(state, BOB, ore=1)
    roll(state, 7)
    make(state, MoveRobber(ALICE, BRICK_6))
    assert legal_moves(state, ALICE) == [Steal(ALICE, BOB), Steal(ALICE, CHARLIE)]


@pytest.mark.parametrize("held", [0, 1, 2])
def test_a_theft_takes_one_card_where_there_is_one(held):
    state = table(Phase.ROLLING)
    settle(state, BOB, 8)
    give(state, BOB, ore=held)
    roll(state, 7)
    make(state, MoveRobber(ALICE, BRICK_6), *[0] * bool(held))
    assert state.hands[ALICE][ORE] == min(held, 1)
    assert state.hands[BOB][ORE] == max(held - 1, 0)
    assert state.phase is Phase.MAIN


# Trade


def test_a_player_trades_on_their_own_turn_alone():
    state = table()
    for seat in (ALICE, BOB):
        give(state, seat, ore=5)
    refused(state, TradeWithBank(BOB, ORE, 4, WOOL), "not_your_turn")
    refused(state, OfferTrade(BOB, (ALICE,), bundle(ore=1), bundle(wool=1)), "not_your_turn")
    make(state, TradeWithBank(ALICE, ORE, 4, WOOL))
    offer(state, (BOB,), {"ore": 1}, {"wool": 1})


@pytest.mark.parametrize("paid", [3, 4, 5])
def test_the_bank_takes_four_cards_no_fewer_and_no_more(paid):
    state = table()
    give(state, ALICE, ore=5)
    move = TradeWithBank(ALICE, ORE, paid, WOOL)
    if paid == 4:
        make(state, move)
        assert hand(state, ALICE) == {"ore": 1, "wool": 1}
    else:
        refused(state, move, "wrong_rate")


def test_four_cards_not_held_buy_nothing():
    state = table()
    give(state, ALICE, ore=3)
    refused(state, TradeWithBank(ALICE, ORE, 4, WOOL), "cards_not_held")


def test_the_bank_does_not_give_back_the_same_resource():
    state = table()
    give(state, ALICE, ore=4)
    refused(state, TradeWithBank(ALICE, ORE, 4, ORE), "same_resource")


@pytest.mark.parametrize(
    ("gives", "gets", "code"),
    [
        ({"brick": 1}, {"ore": 1}, None),
        ({}, {"ore": 1}, "gift"),
        ({"brick": 1}, {"brick": 1}, "same_on_both_sides"),
        ({"brick": 1}, {}, "gift"),
        ({"brick": 2, "wool": 1}, {"ore": 2, "grain": 1}, None),
    ],
)
def test_an_offer_has_different_cards_on_both_sides(gives, gets, code):
    state = table()
    give(state, ALICE, brick=2, wool=1)
    give(state, BOB, ore=2, grain=1)
    if code:
        refused(state, OfferTrade(ALICE, (BOB,), bundle(**gives), bundle(**gets)), code)
        return
    offer(state, (BOB,), gives, gets)
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert hand(state, ALICE).items() >= gets.items()


@pytest.mark.parametrize(("vertex", "rate"), [(17, 4), (0, 3), (10, 2)])
def test_a_harbor_trades_at_exactly_its_rate_for_whoever_built_there(vertex, rate):
    state = table()
    settle(state, ALICE, vertex)
    give(state, ALICE, ore=5)
    refused(state, TradeWithBank(ALICE, ORE, rate - 1, WOOL), "wrong_rate")
    refused(state, TradeWithBank(ALICE, ORE, rate + 1, WOOL), "wrong_rate")
    make(state, TradeWithBank(ALICE, ORE, rate, WOOL))
    assert hand(state, ALICE) == {"ore": 5 - rate, "wool": 1}


def test_a_roll_that_is_not_a_seven_moves_no_robber():
    state = table(Phase.ROLLING)
    give(state, BOB, ore=8)
    roll(state, 6)
    assert state.phase is Phase.MAIN
    refused(state, MoveRobber(ALICE, BRICK_6), "wrong_phase")
