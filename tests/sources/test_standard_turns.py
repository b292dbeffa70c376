"""The game design document: trade, building, development cards, awards, the win."""

from random import Random

import pytest

from games.rules import PRESETS, Phase, RandomChance, deal, player_view, points
from games.rules.cards import CARD_NAMES
from games.rules.moves import BuildCity, BuildRoad, BuildSettlement, BuyCard, PlayMonopoly, TradeWithBank
from games.rules.topology import COAST, edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK,
    CARD,
    CITY,
    GRAIN,
    LUMBER,
    ORE,
    ROAD,
    SETTLEMENT,
    WAYS,
    WOOL,
    give,
    held_cards,
    hold,
    make,
    pave,
    raise_cities,
    refused,
    set_table,
    settle,
)
from tests.sources.shared import awards, building, cards, trading

PRESET = "standard"

# Trade


def test_players_trade_after_the_roll_and_only_with_the_player_to_move():
    trading.players_trade_after_the_roll_and_only_with_the_player_to_move(PRESET)


def test_players_exchange_any_number_of_different_resources():
    trading.players_exchange_any_number_of_different_resources(PRESET)


def test_cards_are_not_given_away():
    trading.cards_are_not_given_away(PRESET)


def test_a_resource_is_not_traded_for_itself():
    trading.a_resource_is_not_traded_for_itself(PRESET)


def test_the_bank_gives_one_card_for_four_identical_ones():
    trading.the_bank_gives_one_card_for_four_identical_ones(PRESET)


@pytest.mark.parametrize("give_away", [BRICK, LUMBER, WOOL, GRAIN, ORE])
def test_a_generic_harbor_takes_three_of_anything_for_one_other(give_away):
    trading.a_generic_harbor_takes_three_of_anything_for_one_other(PRESET, give_away)


@pytest.mark.parametrize("vertex", [4, 17])
def test_a_harbor_serves_only_those_who_built_on_it(vertex):
    trading.a_harbor_serves_only_those_who_built_on_it(PRESET, vertex)


def test_a_special_harbor_takes_two_of_its_own_resource_and_favors_no_other():
    trading.a_special_harbor_takes_two_of_its_own_resource_and_favors_no_other(PRESET)


def test_a_harbor_serves_in_the_turn_of_the_building():
    state = set_table(PRESET)
    pave(state, ALICE, 0, 4)
    give(state, ALICE, **SETTLEMENT, ore=3)
    make(state, BuildSettlement(ALICE, 0))
    make(state, TradeWithBank(ALICE, ORE, 3, WOOL))


# Building


def test_a_road_costs_brick_and_lumber():
    building.a_road_costs_brick_and_lumber(PRESET)


def test_a_later_settlement_costs_brick_lumber_grain_and_wool():
    building.a_later_settlement_costs_brick_lumber_grain_and_wool(PRESET)


def test_a_city_costs_two_grain_and_three_ore():
    building.a_city_costs_two_grain_and_three_ore(PRESET)


def test_a_development_card_costs_wool_grain_and_ore_on_ones_own_turn():
    cards.a_development_card_costs_wool_grain_and_ore_on_ones_own_turn(PRESET)


@pytest.mark.parametrize("neighbor", ["road", "settlement", "city"])
def test_a_road_continues_an_own_road_settlement_or_city(neighbor):
    building.a_road_continues_an_own_road_settlement_or_city(PRESET, neighbor)


def test_a_road_apart_from_ones_own_pieces_is_refused():
    building.a_road_apart_from_ones_own_pieces_is_refused(PRESET)


def test_a_path_holds_one_road():
    building.a_path_holds_one_road(PRESET)


def test_a_road_may_follow_the_coast():
    state = set_table(PRESET)
    settle(state, ALICE, 0)
    give(state, ALICE, **ROAD)
    coast = edge_between(0, 3)
    assert coast in COAST
    make(state, BuildRoad(ALICE, coast))


def test_roads_alone_are_worth_nothing_until_they_are_the_longest():
    state = set_table(PRESET)
    pave(state, ALICE, *WAYS[2][:5])
    give(state, ALICE, **ROAD)
    assert points(state, ALICE) == 0
    make(state, BuildRoad(ALICE, edge_between(23, 18)))
    assert points(state, ALICE) == 2


def test_settlements_keep_two_edges_between_them():
    building.settlements_keep_two_edges_between_them(PRESET)


def test_own_settlements_keep_their_distance_too():
    building.own_settlements_keep_their_distance_too(PRESET)


def test_a_settlement_without_an_own_road_is_refused():
    building.a_settlement_without_an_own_road_is_refused(PRESET)


def test_a_corner_holds_one_building():
    state = set_table(PRESET)
    settle(state, BOB, 17)
    pave(state, ALICE, 17, 23)
    give(state, ALICE, **SETTLEMENT)
    refused(state, BuildSettlement(ALICE, 17), "vertex_taken")


def test_a_settlement_is_worth_one_point():
    building.a_settlement_is_worth_one_point(PRESET)


def test_a_city_gives_its_settlement_back():
    building.a_city_gives_its_settlement_back(PRESET)


def test_a_city_replaces_a_settlement_and_adds_one_point():
    building.a_city_replaces_a_settlement_and_adds_one_point(PRESET)


def test_nobody_has_a_fifth_city():
    building.nobody_has_a_fifth_city(PRESET)


def test_nobody_has_a_sixth_settlement():
    building.nobody_has_a_sixth_settlement(PRESET)


def test_nobody_has_a_sixteenth_road():
    building.nobody_has_a_sixteenth_road(PRESET)


def test_an_upgrade_does_not_ask_for_the_distance():
    state = set_table(PRESET)
    settle(state, ALICE, 17)
    settle(state, BOB, 23)
    give(state, ALICE, **CITY)
    make(state, BuildCity(ALICE, 17))


# Development cards


def test_a_bought_card_is_the_top_one_of_the_shuffled_deck():
    decks = {deal(PRESETS[PRESET], 4, "beginner", RandomChance(Random(seed))).deck for seed in range(5)}
    assert len(decks) == 5
    state = set_table(PRESET)
    top = CARD_NAMES[state.deck[0]]
    give(state, ALICE, **CARD)
    make(state, BuyCard(ALICE))
    assert held_cards(state, ALICE) == [top]


def test_a_card_in_hand_is_hidden_from_the_others():
    state = set_table(PRESET)
    hold(state, ALICE, "monopoly")
    for viewer in (None, BOB):
        seen = player_view(state, viewer)["seats"][ALICE]
        assert seen["card_count"] == 1
        assert "cards" not in seen


def test_one_development_card_is_played_a_turn():
    cards.one_development_card_is_played_a_turn(PRESET)


def test_a_card_is_not_played_on_the_turn_it_was_bought():
    cards.a_card_is_not_played_on_the_turn_it_was_bought(PRESET)


def test_a_played_card_is_gone_for_the_game():
    cards.a_played_card_is_gone_for_the_game(PRESET)


def test_a_knight_moves_the_robber_and_steals_a_random_card_from_a_player_there():
    cards.a_knight_moves_the_robber_and_steals_a_random_card_from_a_player_there(PRESET)


def test_a_played_knight_stays_in_view():
    cards.a_played_knight_stays_in_view(PRESET)


def test_road_building_places_two_roads_where_paid_ones_could_stand():
    cards.road_building_places_two_roads_where_paid_ones_could_stand(PRESET)


def test_year_of_plenty_takes_any_two_cards_of_the_bank():
    cards.year_of_plenty_takes_any_two_cards_of_the_bank(PRESET)


def test_the_cards_of_a_year_of_plenty_build_at_once():
    cards.the_cards_of_a_year_of_plenty_build_at_once(PRESET)


def test_monopoly_takes_all_cards_of_one_resource_from_all_others():
    cards.monopoly_takes_all_cards_of_one_resource_from_all_others(PRESET)


def test_a_victory_point_card_counts_at_once_and_stays_hidden():
    cards.a_victory_point_card_counts_at_once_and_stays_hidden(PRESET)


def test_victory_point_cards_win_together_even_on_the_turn_bought():
    state = set_table(PRESET)
    raise_cities(state, ALICE, 0, 1, 2, 11)
    hold(state, ALICE, "victory_point", "victory_point", new=True)
    give(state, ALICE, **CARD)
    make(state, BuyCard(ALICE))
    assert state.winner == ALICE
    shown = player_view(state, BOB)["seats"][ALICE]
    assert shown["points"] == 10


def test_a_card_may_be_played_before_the_roll_or_after_it():
    for phase in (Phase.ROLLING, Phase.MAIN):
        state = set_table(PRESET, phase)
        hold(state, ALICE, "monopoly")
        make(state, PlayMonopoly(ALICE, ORE))
        assert state.phase is phase


def test_nothing_is_bought_from_an_empty_deck():
    cards.nothing_is_bought_from_an_empty_deck(PRESET)


# Awards and points


def test_a_settlement_on_a_road_cuts_it_in_two():
    awards.a_settlement_on_a_road_cuts_it_in_two(PRESET)


def test_an_equal_road_leaves_the_card_with_its_holder():
    awards.an_equal_road_leaves_the_card_with_its_holder(PRESET)


def test_two_knights_are_no_army():
    awards.two_knights_are_no_army(PRESET)


def test_a_greater_army_takes_the_card_and_its_points_at_once():
    awards.a_greater_army_takes_the_card_and_its_points_at_once(PRESET)


def test_pieces_awards_and_cards_make_the_points():
    awards.pieces_awards_and_cards_make_the_points(PRESET)


def test_the_tenth_point_wins_on_ones_own_turn():
    awards.the_tenth_point_wins_on_ones_own_turn(PRESET)


def test_nine_points_do_not_win():
    awards.nine_points_do_not_win(PRESET)


def test_ten_points_on_anothers_turn_win_only_when_ones_own_begins():
    awards.ten_points_on_anothers_turn_win_when_ones_own_begins(PRESET)
