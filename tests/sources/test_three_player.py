"""The simplified game for three."""

from random import Random

import pytest

from games.rules import PRESETS, Phase, RandomChance, RuleSetError, deal, legal_moves, points
from games.rules.boards import BEGINNER, TERRAIN_NAMES
from games.rules.moves import (
    BuildRoad,
    BuildSettlement,
    BuyCard,
    ConfirmTrade,
    Discard,
    EndTurn,
    MoveRobber,
    PlayKnight,
    PlayMonopoly,
    PlayYearOfPlenty,
    Roll,
    TradeWithBank,
)
from games.rules.topology import edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK_6,
    CARD,
    CHARLIE,
    ORE,
    SETTLEMENT,
    WAYS,
    WOOL,
    accept,
    costs,
    fresh_table,
    give,
    hand,
    held_cards,
    hold,
    make,
    offer,
    pave,
    raise_cities,
    refused,
    resources,
    roll,
    set_table,
    settle,
)
from tests.sources.shared import awards, building, cards, rolling

PRESET = "three-player"

# The game


def test_ten_points_win():
    assert PRESETS[PRESET].points_to_win == 10
    for seats in (2, 4):
        with pytest.raises(RuleSetError, match="for 3 players"):
            deal(PRESETS[PRESET], seats, "beginner", RandomChance(Random(1)))


def test_each_hex_but_the_desert_has_a_resource_and_a_number_from_2_to_12():
    assert len(BEGINNER.terrains) == 19
    for terrain, token in zip(BEGINNER.terrains, BEGINNER.tokens, strict=True):
        assert (token == 0) if TERRAIN_NAMES[terrain] == "desert" else 2 <= token <= 12


@pytest.mark.parametrize(
    ("vertex", "number", "resource"),
    [(2, 9, "lumber"), (8, 6, "brick"), (1, 2, "wool"), (11, 12, "grain"), (0, 10, "ore")],
)
def test_forest_hills_pasture_fields_and_mountains_produce(vertex, number, resource):
    state = set_table(PRESET, Phase.ROLLING)
    settle(state, ALICE, vertex)
    roll(state, number)
    assert hand(state, ALICE) == {resource: 1}


# Development cards


def test_a_development_card_costs_ore_wool_and_grain():
    costs(set_table(PRESET), BuyCard(ALICE), CARD)


def test_a_progress_card_is_gone_after_its_benefit():
    state = set_table(PRESET)
    hold(state, ALICE, "monopoly")
    make(state, PlayMonopoly(ALICE, ORE))
    refused(state, PlayMonopoly(ALICE, ORE), "card_not_held")


def test_monopoly_takes_all_cards_of_one_resource_from_all_others():
    cards.monopoly_takes_all_cards_of_one_resource_from_all_others(PRESET)


def test_road_building_places_two_roads_where_paid_ones_could_stand():
    cards.road_building_places_two_roads_where_paid_ones_could_stand(PRESET)


def test_year_of_plenty_takes_two_cards_to_use_in_the_same_turn():
    cards.the_cards_of_a_year_of_plenty_build_at_once(PRESET)


def test_three_knights_in_hand_hold_largest_army():
    state = set_table(PRESET)
    hold(state, ALICE, "knight", "knight")
    give(state, ALICE, **CARD)
    make(state, BuyCard(ALICE))
    assert held_cards(state, ALICE) == ["knight"] * 3
    assert state.largest_army == ALICE
    assert points(state, ALICE) == 2


def test_knights_are_never_played():
    state = set_table(PRESET)
    hold(state, ALICE, "knight")
    refused(state, PlayKnight(ALICE), "knights_never_played")


def test_a_victory_point_card_counts_for_whoever_holds_it():
    state = set_table(PRESET)
    hold(state, ALICE, *["victory_point"] * 5)
    assert points(state, ALICE) == 5


# Building


def test_a_road_costs_brick_and_lumber():
    building.a_road_costs_brick_and_lumber(PRESET)


@pytest.mark.parametrize("neighbor", ["road", "settlement", "city"])
def test_a_road_continues_an_own_road_settlement_or_city(neighbor):
    building.a_road_continues_an_own_road_settlement_or_city(PRESET, neighbor)


def test_a_road_apart_from_ones_own_pieces_is_refused():
    building.a_road_apart_from_ones_own_pieces_is_refused(PRESET)


def test_a_later_settlement_costs_brick_lumber_grain_and_wool():
    building.a_later_settlement_costs_brick_lumber_grain_and_wool(PRESET)


def test_settlements_keep_two_edges_between_them():
    building.settlements_keep_two_edges_between_them(PRESET)


def test_a_settlement_without_an_own_road_is_refused():
    building.a_settlement_without_an_own_road_is_refused(PRESET)


def test_a_settlement_is_worth_one_point():
    building.a_settlement_is_worth_one_point(PRESET)


def test_a_city_costs_two_grain_and_three_ore():
    building.a_city_costs_two_grain_and_three_ore(PRESET)


def test_a_city_replaces_a_settlement_and_adds_one_point():
    building.a_city_replaces_a_settlement_and_adds_one_point(PRESET)


def test_a_settlement_yields_one_card_and_a_city_two():
    rolling.a_settlement_yields_one_card_and_a_city_two(PRESET)


def test_everybody_receives_from_anybodys_roll():
    rolling.everybody_receives_from_anybodys_roll(PRESET)


# Trade


def test_players_trade_resources_and_development_cards_as_they_like():
    state = set_table(PRESET)
    hold(state, ALICE, "knight")
    give(state, BOB, ore=2, wool=1)
    offer(state, (BOB, CHARLIE), {"knight": 1}, {"ore": 2, "wool": 1})
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert hand(state, ALICE) == {"wool": 1, "ore": 2}
    assert held_cards(state, BOB) == ["knight"]


def test_a_traded_knight_takes_largest_army_along():
    state = set_table(PRESET)
    hold(state, ALICE, *["knight"] * 3)
    state.largest_army = ALICE
    hold(state, BOB, *["knight"] * 2)
    give(state, BOB, ore=1)
    offer(state, (BOB,), {"knight": 1}, {"ore": 1})
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert state.largest_army == BOB


def test_the_bank_does_not_trade():
    state = set_table(PRESET)
    settle(state, ALICE, 0)
    give(state, ALICE, ore=4)
    refused(state, TradeWithBank(ALICE, ORE, 3, WOOL), "no_maritime_trade")
    refused(state, TradeWithBank(ALICE, ORE, 4, WOOL), "no_maritime_trade")


# The course of the game


def test_the_setup_goes_round_the_table_and_back():
    building.the_setup_goes_round_the_table_and_back(PRESET)


def test_two_settlements_make_the_first_two_points():
    state = fresh_table(PRESET)
    while state.phase is not Phase.ROLLING:
        make(state, legal_moves(state, state.active)[0])
    assert [points(state, seat) for seat in state.seats] == [2, 2, 2]


def test_the_start_brings_one_card_of_each_type_that_touches_either_settlement():
    state = fresh_table(PRESET)
    # Alice: ore 10, wool 2 and brick 6; then lumber 11, brick 6 and the desert.
    for home in ((8, 4), (0, 3), (2, 5), (26, 20), (42, 37)):
        building.place(state, *home)
    make(state, BuildSettlement(ALICE, 23))
    assert hand(state, ALICE) == {"brick": 1, "lumber": 1, "wool": 1, "ore": 1}


def test_the_turns_go_in_the_order_of_the_seats():
    dealt = deal(PRESETS[PRESET], 3, "random", RandomChance(Random(9)))
    assert dealt.order == (0, 1, 2)
    state = set_table(PRESET)
    for seat in (ALICE, BOB, CHARLIE):
        state.phase = Phase.MAIN
        make(state, EndTurn(seat))
    assert state.active == ALICE


def test_two_dice_decide_what_is_produced():
    state = set_table(PRESET, Phase.ROLLING)
    settle(state, ALICE, 24)
    make(state, Roll(ALICE), 0, 1)
    assert (state.dice, hand(state, ALICE)) == ((1, 2), {"lumber": 1})


def test_a_turn_trades_builds_and_buys_without_limit():
    state = set_table(PRESET)
    settle(state, ALICE, 17)
    give(state, ALICE, brick=2, lumber=2, ore=2, wool=2, grain=2)
    make(state, BuyCard(ALICE))
    make(state, BuildRoad(ALICE, edge_between(17, 23)))
    make(state, BuyCard(ALICE))
    make(state, BuildRoad(ALICE, edge_between(23, 18)))
    hold(state, ALICE, "monopoly", "year_of_plenty")
    make(state, PlayMonopoly(ALICE, ORE))
    make(state, PlayYearOfPlenty(ALICE, resources(ore=2)))
    offer(state, (BOB,), {"ore": 1}, {"wool": 1})
    offer(state, (CHARLIE,), {"ore": 1}, {"wool": 1})
    make(state, EndTurn(ALICE))


@pytest.mark.parametrize(("turn", "again"), [(1, True), (6, True), (7, False)])
def test_a_seven_of_the_first_two_rounds_is_rolled_again(turn, again):
    state = set_table(PRESET, Phase.ROLLING)
    state.turn = turn
    events = make(state, Roll(ALICE), 0, 5, *[3, 3] * again)
    assert [event.kind for event in events].count("rolled") == 1 + again
    assert sum(state.dice) == (8 if again else 7)


def test_a_seven_only_makes_hands_above_seven_give_back_half():
    state = set_table(PRESET, Phase.ROLLING)
    settle(state, BOB, 8)
    give(state, BOB, ore=9)
    give(state, CHARLIE, wool=7)
    roll(state, 7)
    assert state.discards == [0, 4, 0]
    make(state, Discard(BOB, resources(ore=4)))
    assert state.phase is Phase.MAIN
    assert state.bank[ORE] == 14
    refused(state, MoveRobber(ALICE, BRICK_6), "wrong_phase")


# The end


def test_ten_points_must_be_held_when_ones_own_turn_begins():
    state = set_table(PRESET)
    awards.nine_points_then_a_city(state)
    assert points(state, ALICE) == 10
    assert state.phase is Phase.MAIN
    make(state, EndTurn(ALICE))
    for seat in (BOB, CHARLIE):
        roll(state, 2)
        assert state.winner == -1
        make(state, EndTurn(seat))
    assert (state.phase, state.winner) == (Phase.OVER, ALICE)


def test_points_lost_before_ones_turn_begins_do_not_win():
    state = set_table(PRESET)
    raise_cities(state, ALICE, 0, 1, 2, 52)
    pave(state, ALICE, *WAYS[2][:6])
    state.longest_road = ALICE
    make(state, EndTurn(ALICE))
    pave(state, BOB, 17, 12)
    give(state, BOB, **SETTLEMENT)
    state.phase = Phase.MAIN
    make(state, BuildSettlement(BOB, 17))
    make(state, EndTurn(BOB))
    state.phase = Phase.MAIN
    make(state, EndTurn(CHARLIE))
    assert (state.active, state.winner) == (ALICE, -1)
