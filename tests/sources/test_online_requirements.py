"""The product requirements: the board, the setup, a turn, production, the seven."""

from random import Random

import pytest

from games.rules import PRESETS, Event, Phase, RandomChance, deal, player_view, to_act
from games.rules.moves import (
    BuildRoad,
    BuyCard,
    Discard,
    EndTurn,
    MoveRobber,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
    SkipRoll,
    TradeWithBank,
)
from games.rules.topology import EDGES, VERTICES, edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK,
    BRICK_6,
    CARD,
    CHARLIE,
    ORE,
    fresh_table,
    give,
    hand,
    held_cards,
    hold,
    make,
    raise_cities,
    refused,
    resources,
    roll,
    set_table,
    settle,
)
from tests.sources.shared import awards, board, building, cards, rolling

PRESET = "online"

# The board and the setup


def test_the_board_has_nineteen_hexes_three_of_them_brick():
    board.the_island_has_nineteen_hexes(PRESET)


def test_tokens_run_from_two_to_twelve_without_seven_and_none_lies_on_the_desert():
    board.tokens_run_from_two_to_twelve_without_seven(PRESET)


def test_the_robber_starts_in_the_desert():
    rolling.the_robber_starts_in_the_desert(PRESET)


def test_nine_harbors_are_four_generic_and_one_for_each_resource():
    board.nine_harbors_are_four_generic_and_one_for_each_resource(PRESET)


def test_the_board_has_54_corners_and_72_paths():
    assert (len(VERTICES), len(EDGES)) == (54, 72)


def test_there_are_five_resources():
    state = fresh_table(PRESET)
    assert list(player_view(state, None)["bank"]) == ["brick", "lumber", "wool", "grain", "ore"]


def test_the_turn_order_is_drawn_at_random_or_the_hosts():
    orders = {deal(PRESETS[PRESET], 4, "beginner", RandomChance(Random(seed))).order for seed in range(40)}
    assert len(orders) > 10
    hosts = PRESETS[PRESET].with_options(turn_order="seat_order")
    assert deal(hosts, 4, "beginner", RandomChance(Random(1))).order == (0, 1, 2, 3)


def test_the_setup_goes_round_the_table_and_back():
    building.the_setup_goes_round_the_table_and_back(PRESET)


def test_the_second_settlement_alone_brings_a_card_for_each_of_its_hexes():
    building.the_second_settlement_alone_brings_a_card_for_each_of_its_hexes(PRESET)


def test_the_setup_keeps_the_distance_rule():
    building.the_setup_keeps_the_distance_rule(PRESET)


# The win


def test_the_tenth_point_wins_on_ones_own_turn():
    awards.the_tenth_point_wins_on_ones_own_turn(PRESET)


def test_a_bought_victory_point_card_wins_at_once():
    state = set_table(PRESET)
    raise_cities(state, ALICE, 0, 1, 2, 11)
    settle(state, ALICE, 29)
    hold(state, BOB, *["knight"] * 14)
    hold(state, ALICE, *["road_building"] * 2, *["year_of_plenty"] * 2, *["monopoly"] * 2)
    give(state, ALICE, **CARD)
    events = make(state, BuyCard(ALICE))
    assert held_cards(state, ALICE)[-1] == "victory_point"
    assert events[-1] == Event("won", ALICE, {"points": 10})


def test_pieces_awards_and_cards_make_the_points():
    awards.pieces_awards_and_cards_make_the_points(PRESET)


def test_a_city_replaces_a_settlement_and_adds_one_point():
    building.a_city_replaces_a_settlement_and_adds_one_point(PRESET)


def test_a_longer_road_takes_the_card_and_its_points():
    awards.a_longer_road_takes_the_card_and_its_points(PRESET)


def test_a_greater_army_takes_the_card_and_its_points_at_once():
    awards.a_greater_army_takes_the_card_and_its_points_at_once(PRESET)


# Pieces


def test_nobody_has_a_sixteenth_road():
    building.nobody_has_a_sixteenth_road(PRESET)


def test_nobody_has_a_sixth_settlement():
    building.nobody_has_a_sixth_settlement(PRESET)


def test_nobody_has_a_fifth_city():
    building.nobody_has_a_fifth_city(PRESET)


def test_a_city_gives_its_settlement_back():
    building.a_city_gives_its_settlement_back(PRESET)


# A turn


@pytest.mark.parametrize(
    ("kind", "move"),
    [
        ("knight", PlayKnight(ALICE)),
        ("monopoly", PlayMonopoly(ALICE, ORE)),
        ("year_of_plenty", PlayYearOfPlenty(ALICE, resources(ore=2))),
        ("road_building", PlayRoadBuilding(ALICE)),
    ],
)
def test_any_card_but_a_victory_point_may_be_played_before_the_roll(kind, move):
    state = set_table(PRESET, Phase.ROLLING)
    settle(state, ALICE, 17)
    hold(state, ALICE, kind, "victory_point")
    refused(state, PlayVictoryPoint(ALICE), "points_count_already")
    make(state, move)


def test_the_roll_is_skipped_only_after_a_knight():
    state = set_table(PRESET, Phase.ROLLING)
    hold(state, ALICE, "knight")
    refused(state, SkipRoll(ALICE), "must_roll")
    refused(state, EndTurn(ALICE), "roll_first")
    make(state, PlayKnight(ALICE))
    make(state, MoveRobber(ALICE, BRICK_6))
    make(state, SkipRoll(ALICE))
    make(state, EndTurn(ALICE))


def test_a_roll_pays_out_or_on_a_seven_moves_the_robber():
    paying = set_table(PRESET, Phase.ROLLING)
    settle(paying, ALICE, 8)
    roll(paying, 6)
    assert (paying.phase, hand(paying, ALICE)) == (Phase.MAIN, {"brick": 1})
    robbing = set_table(PRESET, Phase.ROLLING)
    roll(robbing, 7)
    assert robbing.phase is Phase.MOVING_ROBBER


def test_a_turn_holds_any_number_of_trades_and_buildings_in_any_order():
    state = set_table(PRESET)
    settle(state, ALICE, 17)
    give(state, ALICE, brick=7, lumber=3, wool=1, grain=1)
    make(state, BuildRoad(ALICE, edge_between(17, 23)))
    make(state, TradeWithBank(ALICE, BRICK, 4, ORE))
    make(state, BuildRoad(ALICE, edge_between(23, 18)))
    make(state, BuyCard(ALICE))
    assert hand(state, ALICE) == {"brick": 1, "lumber": 1}


def test_the_turn_passes_only_when_it_is_ended():
    state = set_table(PRESET)
    give(state, ALICE, **CARD)
    make(state, BuyCard(ALICE))
    assert state.active == ALICE
    make(state, EndTurn(ALICE))
    assert (state.active, state.phase) == (BOB, Phase.ROLLING)


# Production


@pytest.mark.parametrize("number", range(2, 13))
def test_a_roll_is_the_sum_of_two_dice(number):
    state = set_table(PRESET, Phase.ROLLING)
    roll(state, number)
    assert sum(state.dice) == number
    assert all(1 <= die <= 6 for die in state.dice)


def test_everybody_receives_from_anybodys_roll():
    rolling.everybody_receives_from_anybodys_roll(PRESET)


def test_a_settlement_yields_one_card_and_a_city_two():
    rolling.a_settlement_yields_one_card_and_a_city_two(PRESET)


def test_a_resource_the_bank_is_short_of_is_paid_to_nobody_even_a_sole_claimant():
    rolling.a_sole_claimant_gets_nothing_from_a_short_bank(PRESET)


# The seven


def test_a_seven_and_a_knight_move_the_robber():
    rolling.a_seven_and_a_knight_move_the_robber(PRESET)


def test_a_seven_produces_nothing():
    rolling.a_seven_produces_nothing(PRESET)


def test_a_hand_above_seven_loses_half_rounded_down():
    rolling.a_hand_above_seven_loses_half_rounded_down(PRESET)


def test_the_player_chooses_the_cards_to_discard():
    state = set_table(PRESET, Phase.ROLLING)
    give(state, BOB, ore=4, wool=4)
    roll(state, 7)
    refused(state, Discard(BOB, resources(brick=4)), "cards_not_held")
    make(state, Discard(BOB, resources(ore=1, wool=3)))
    assert hand(state, BOB) == {"wool": 1, "ore": 3}


def test_the_robber_waits_for_the_last_to_discard_whatever_their_order():
    state = set_table(PRESET, Phase.ROLLING)
    for seat, name in ((ALICE, "ore"), (BOB, "wool"), (CHARLIE, "brick")):
        give(state, seat, **{name: 8})
    roll(state, 7)
    assert to_act(state) == (ALICE, BOB, CHARLIE)
    make(state, Discard(CHARLIE, resources(brick=4)))
    make(state, Discard(ALICE, resources(ore=4)))
    refused(state, MoveRobber(ALICE, BRICK_6), "wrong_phase")
    make(state, Discard(BOB, resources(wool=4)))
    assert state.phase is Phase.MOVING_ROBBER


def test_whoever_rolls_a_seven_moves_the_robber_off_its_hex():
    rolling.whoever_rolls_a_seven_moves_the_robber_off_its_hex(PRESET)


def test_the_robbers_hex_produces_nothing():
    rolling.the_robbers_hex_produces_nothing(PRESET)


def test_the_thief_chooses_among_several_players_on_the_hex():
    rolling.the_thief_chooses_among_several_players_on_the_hex(PRESET)


def test_a_hex_without_opponents_yields_no_card():
    rolling.a_hex_without_opponents_yields_no_card(PRESET)


def test_a_victim_without_cards_yields_none():
    rolling.a_victim_without_cards_yields_none(PRESET)


def test_a_knight_moves_the_robber_and_steals_a_random_card_from_a_player_there():
    cards.a_knight_moves_the_robber_and_steals_a_random_card_from_a_player_there(PRESET)
