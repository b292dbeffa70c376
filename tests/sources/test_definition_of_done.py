"""The first definition of done: its game rules. The boundary lists are in the files beside this."""

import pytest

from games.rules import player_view, points
from games.rules.moves import PlayVictoryPoint
from tests.rules.table import ALICE, BOB, BRICK, GRAIN, LUMBER, ORE, WOOL, make, set_table
from tests.sources.shared import awards, board, building, cards, rolling, trading

PRESET = "definition-of-done"

# Settlements


def test_a_settlement_is_built_at_the_end_of_an_own_road():
    building.a_settlement_is_built_at_the_end_of_an_own_road(PRESET)


def test_nobody_has_a_sixth_settlement():
    building.nobody_has_a_sixth_settlement(PRESET)


def test_a_settlement_is_worth_one_point():
    building.a_settlement_is_worth_one_point(PRESET)


def test_the_first_two_settlements_and_their_roads_are_free():
    building.the_first_two_settlements_and_their_roads_are_free(PRESET)


def test_a_later_settlement_costs_brick_lumber_grain_and_wool():
    building.a_later_settlement_costs_brick_lumber_grain_and_wool(PRESET)


def test_settlements_keep_two_edges_between_them():
    building.settlements_keep_two_edges_between_them(PRESET)


def test_a_settlement_without_an_own_road_is_refused():
    building.a_settlement_without_an_own_road_is_refused(PRESET)


# Cities


def test_a_city_replaces_a_settlement_and_adds_one_point():
    building.a_city_replaces_a_settlement_and_adds_one_point(PRESET)


def test_nobody_has_a_fifth_city():
    building.nobody_has_a_fifth_city(PRESET)


def test_a_city_costs_two_grain_and_three_ore():
    building.a_city_costs_two_grain_and_three_ore(PRESET)


# Longest Road


def test_nobody_has_a_sixteenth_road():
    building.nobody_has_a_sixteenth_road(PRESET)


@pytest.mark.parametrize("neighbor", ["road", "settlement", "city"])
def test_a_road_continues_an_own_road_settlement_or_city(neighbor):
    building.a_road_continues_an_own_road_settlement_or_city(PRESET, neighbor)


def test_a_road_apart_from_ones_own_pieces_is_refused():
    building.a_road_apart_from_ones_own_pieces_is_refused(PRESET)


def test_a_road_may_end_at_an_opponents_building_but_not_pass_it():
    building.a_road_may_end_at_an_opponents_building_but_not_pass_it(PRESET)


def test_an_opponents_new_building_closes_the_paths_beyond_it():
    building.an_opponents_new_building_closes_the_paths_beyond_it(PRESET)


def test_a_path_holds_one_road():
    building.a_path_holds_one_road(PRESET)


def test_the_first_road_of_five_takes_longest_road_and_forks_do_not_add_up():
    awards.the_first_road_of_five_takes_longest_road_and_forks_do_not_add_up(PRESET)


def test_a_longer_road_takes_the_card_and_its_points():
    awards.a_longer_road_takes_the_card_and_its_points(PRESET)


def test_a_free_road_takes_the_card_at_once():
    awards.a_free_road_takes_the_card_at_once(PRESET)


def test_a_road_costs_brick_and_lumber():
    building.a_road_costs_brick_and_lumber(PRESET)


# Largest Army


def test_the_first_to_play_three_knights_takes_largest_army():
    awards.the_first_to_play_three_knights_takes_largest_army(PRESET)


def test_a_greater_army_takes_the_card_and_its_points_at_once():
    awards.a_greater_army_takes_the_card_and_its_points_at_once(PRESET)


def test_a_knight_comes_from_the_deck_for_wool_grain_and_ore():
    cards.a_knight_comes_from_the_deck_for_wool_grain_and_ore(PRESET)


# Victory point cards


def test_a_played_victory_point_card_counts_and_is_kept():
    state = set_table(PRESET)
    cards.buy(state, "victory_point")
    cards.pass_round(state)
    assert points(state, ALICE) == 0
    make(state, PlayVictoryPoint(ALICE))
    assert points(state, ALICE) == 1
    cards.pass_round(state)
    assert points(state, ALICE) == 1
    assert player_view(state, BOB)["seats"][ALICE]["played"] == ["victory_point"]


# Turns


def test_everybody_receives_from_anybodys_roll():
    rolling.everybody_receives_from_anybodys_roll(PRESET)


def test_others_accept_or_decline_what_the_player_to_move_offers():
    trading.others_accept_or_decline_what_the_player_to_move_offers(PRESET)


# Development cards


def test_a_knight_moves_the_robber_and_steals_a_random_card_from_a_player_there():
    cards.a_knight_moves_the_robber_and_steals_a_random_card_from_a_player_there(PRESET)


def test_monopoly_takes_all_cards_of_one_resource_from_all_others():
    cards.monopoly_takes_all_cards_of_one_resource_from_all_others(PRESET)


def test_road_building_places_two_roads_where_paid_ones_could_stand():
    cards.road_building_places_two_roads_where_paid_ones_could_stand(PRESET)


def test_year_of_plenty_takes_any_two_cards_of_the_bank():
    cards.year_of_plenty_takes_any_two_cards_of_the_bank(PRESET)


def test_a_development_card_costs_wool_grain_and_ore_on_ones_own_turn():
    cards.a_development_card_costs_wool_grain_and_ore_on_ones_own_turn(PRESET)


@pytest.mark.parametrize("kind", cards.BOX)
def test_a_card_is_not_played_on_the_turn_it_was_bought(kind):
    cards.a_card_is_not_played_on_the_turn_it_was_bought(PRESET, [kind])


def test_a_played_card_is_gone_for_the_game():
    cards.a_played_card_is_gone_for_the_game(PRESET, cards.BOX)


# Results of rolling


def test_a_settlement_yields_one_card_and_a_city_two():
    rolling.a_settlement_yields_one_card_and_a_city_two(PRESET)


def test_nobody_gets_a_resource_that_the_bank_is_too_short_of():
    rolling.nobody_gets_a_resource_that_the_bank_is_too_short_of(PRESET)


def test_the_robbers_hex_produces_nothing():
    rolling.the_robbers_hex_produces_nothing(PRESET)


def test_a_seven_makes_everybody_above_seven_cards_discard_half_rounded_down():
    rolling.a_seven_makes_everybody_above_seven_cards_discard_half_rounded_down(PRESET)


def test_whoever_rolls_a_seven_moves_the_robber_off_its_hex():
    rolling.whoever_rolls_a_seven_moves_the_robber_off_its_hex(PRESET)


def test_the_theft_comes_after_the_discards():
    rolling.the_theft_comes_after_the_discards(PRESET)


def test_a_hex_without_opponents_yields_no_card():
    rolling.a_hex_without_opponents_yields_no_card(PRESET)


# Robber


def test_the_robber_starts_in_the_desert():
    rolling.the_robber_starts_in_the_desert(PRESET)


def test_a_seven_and_a_knight_move_the_robber():
    rolling.a_seven_and_a_knight_move_the_robber(PRESET)


# Trade


def test_players_trade_after_the_roll_and_only_with_the_player_to_move():
    trading.players_trade_after_the_roll_and_only_with_the_player_to_move(PRESET)


def test_the_bank_does_not_trade_on_anothers_turn():
    trading.the_bank_does_not_trade_on_anothers_turn(PRESET)


def test_the_bank_gives_one_card_for_four_identical_ones():
    trading.the_bank_gives_one_card_for_four_identical_ones(PRESET)


def test_players_exchange_any_number_of_different_resources():
    trading.players_exchange_any_number_of_different_resources(PRESET)


def test_cards_are_not_given_away():
    trading.cards_are_not_given_away(PRESET)


def test_development_cards_are_not_traded():
    trading.development_cards_are_not_traded(PRESET)


def test_a_resource_is_not_traded_for_itself():
    trading.a_resource_is_not_traded_for_itself(PRESET)


def test_maritime_trade_needs_no_other_player():
    trading.maritime_trade_needs_no_other_player(PRESET)


@pytest.mark.parametrize("vertex", [4, 17])
def test_a_harbor_serves_only_those_who_built_on_it(vertex):
    trading.a_harbor_serves_only_those_who_built_on_it(PRESET, vertex)


@pytest.mark.parametrize("give_away", [BRICK, LUMBER, WOOL, GRAIN, ORE])
def test_a_generic_harbor_takes_three_of_anything_for_one_other(give_away):
    trading.a_generic_harbor_takes_three_of_anything_for_one_other(PRESET, give_away)


def test_a_special_harbor_takes_two_of_its_own_resource_and_favors_no_other():
    trading.a_special_harbor_takes_two_of_its_own_resource_and_favors_no_other(PRESET)


def test_each_resource_has_one_special_harbor():
    board.nine_harbors_are_four_generic_and_one_for_each_resource(PRESET)


def test_the_thief_chooses_among_several_players_on_the_hex():
    rolling.the_thief_chooses_among_several_players_on_the_hex(PRESET)
