"""The second definition of done."""

import pytest

from games.rules import NOBODY, Phase, legal_moves, points
from games.rules.moves import BuildRoad, BuildSettlement, MoveRobber, PlayMonopoly, PlayRoadBuilding, TradeWithBank
from games.rules.topology import NEIGHBORS, edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK,
    CHARLIE,
    DANA,
    DESERT,
    GRAIN,
    LUMBER,
    ORE,
    ROAD,
    SETTLEMENT,
    WAYS,
    WOOL,
    give,
    hand,
    held_cards,
    hold,
    make,
    pave,
    refused,
    roll,
    set_table,
    settle,
)
from tests.sources.shared import awards, building, cards, rolling, trading
from tests.sources.shared.building import build
from tests.sources.shared.cards import pass_round

PRESET = "excellent"

#: A corner of no harbor, of a generic one and of the ore harbor, with the rate for ore there.
RATES = pytest.mark.parametrize(("vertex", "rate"), [(17, 4), (0, 3), (10, 2)])

# Resource cards


def test_an_empty_bank_pays_nobody():
    rolling.an_empty_bank_pays_nobody(PRESET)


def test_nobody_gets_a_resource_that_the_bank_is_too_short_of():
    rolling.nobody_gets_a_resource_that_the_bank_is_too_short_of(PRESET)


def test_a_sole_claimant_gets_nothing_from_a_short_bank():
    rolling.a_sole_claimant_gets_nothing_from_a_short_bank(PRESET)


def test_the_robbers_hex_produces_nothing():
    rolling.the_robbers_hex_produces_nothing(PRESET)


# Maritime trade


@RATES
def test_a_bank_trade_needs_the_cards_and_takes_exactly_the_rate(vertex, rate):
    trading.the_bank_takes_exactly_the_rate(PRESET, vertex, rate)


@RATES
def test_a_card_the_bank_does_not_have_is_not_traded(vertex, rate):
    trading.the_bank_trades_only_what_it_has(PRESET, vertex, rate)


def test_a_harbor_serves_both_its_corners_and_cities_too():
    trading.a_harbor_serves_both_its_corners_and_cities_too(PRESET)


@pytest.mark.parametrize("take", [BRICK, LUMBER, WOOL, GRAIN])
def test_a_special_harbor_gives_any_other_resource_for_two_of_its_own(take):
    state = set_table(PRESET)
    settle(state, ALICE, 10)
    give(state, ALICE, ore=2)
    refused(state, TradeWithBank(ALICE, ORE, 2, ORE), "same_resource")
    make(state, TradeWithBank(ALICE, ORE, 2, take))
    assert state.hands[ALICE] == [int(resource == take) for resource in range(5)]


def test_a_special_harbor_takes_two_of_its_own_resource_and_favors_no_other():
    trading.a_special_harbor_takes_two_of_its_own_resource_and_favors_no_other(PRESET)


# Robber


def test_whoever_rolls_a_seven_moves_the_robber_off_its_hex():
    rolling.whoever_rolls_a_seven_moves_the_robber_off_its_hex(PRESET)


def test_the_robber_may_go_to_all_eighteen_other_hexes():
    state = set_table(PRESET, Phase.ROLLING)
    roll(state, 7)
    assert legal_moves(state, ALICE) == [MoveRobber(ALICE, h) for h in range(19) if h != DESERT]


def test_a_hand_above_seven_loses_half_rounded_down():
    rolling.a_hand_above_seven_loses_half_rounded_down(PRESET)


# Roads


@pytest.mark.parametrize("neighbor", ["road", "settlement", "city"])
def test_a_road_continues_an_own_road_settlement_or_city(neighbor):
    building.a_road_continues_an_own_road_settlement_or_city(PRESET, neighbor)


def test_a_road_apart_from_ones_own_pieces_is_refused():
    building.a_road_apart_from_ones_own_pieces_is_refused(PRESET)


def test_a_path_holds_one_road():
    building.a_path_holds_one_road(PRESET)


def test_the_first_road_of_five_takes_longest_road_and_forks_do_not_add_up():
    awards.the_first_road_of_five_takes_longest_road_and_forks_do_not_add_up(PRESET)


def test_a_longer_road_takes_the_card_and_its_points():
    awards.a_longer_road_takes_the_card_and_its_points(PRESET)


def test_a_free_road_takes_the_card_at_once():
    awards.a_free_road_takes_the_card_at_once(PRESET)


def bobs_road(length, charlies=0, danas=0):
    """Bob holds Longest Road with so many roads along a way; Charlie and Dana have roads elsewhere."""
    state = set_table(PRESET)
    for seat, way, count in ((BOB, WAYS[2], length), (CHARLIE, WAYS[4], charlies), (DANA, WAYS[1][::-1], danas)):
        pave(state, seat, *way[: count + 1])
    state.longest_road = BOB
    return state


def settle_on_it(state, corner, seat=ALICE):
    """Somebody comes from aside and settles on a corner of Bob's way."""
    aside = next(other for _, other in NEIGHBORS[corner] if other not in WAYS[2])
    pave(state, seat, corner, aside)
    build(state, BuildSettlement(seat, corner), SETTLEMENT)


def lay_road(state, seat, *ends):
    build(state, BuildRoad(seat, edge_between(*ends)), ROAD)


@pytest.mark.parametrize("place", range(11))
@pytest.mark.parametrize("seat", [ALICE, CHARLIE])
def test_whoever_splits_the_longest_road_anywhere_takes_the_card_from_its_holder(place, seat):
    """Even where the rest is still the longest; only at its two ends it is not split."""
    state = bobs_road(10)
    settle_on_it(state, WAYS[2][place], seat)
    split = 0 < place < 10
    assert max(state.road_lengths) == state.road_lengths[BOB] == max(place, 10 - place)
    assert state.longest_road == (NOBODY if split else BOB)
    assert points(state, BOB) == (0 if split else 2)


@pytest.mark.parametrize(
    ("length", "charlies", "danas", "holder"),
    [
        pytest.param(7, 6, 0, CHARLIE, id="another has the single longest"),
        pytest.param(7, 6, 5, CHARLIE, id="the longest of the others"),
        pytest.param(6, 5, 0, CHARLIE, id="five are enough"),
        pytest.param(6, 4, 0, NOBODY, id="nobody has five"),
        pytest.param(7, 5, 0, NOBODY, id="another ties with what is left"),
        pytest.param(8, 5, 0, NOBODY, id="what is left is still longer"),
        pytest.param(7, 6, 6, NOBODY, id="two others tie"),
    ],
)
def test_a_split_gives_the_card_to_another_with_the_single_longest_road_or_lays_it_aside(
    length, charlies, danas, holder
):
    state = bobs_road(length, charlies, danas)
    settle_on_it(state, 22)
    assert state.road_lengths == [1, length - 2, charlies, danas]
    assert state.longest_road == holder
    assert [points(state, seat) for seat in state.seats] == [1, 0, 2 if holder == CHARLIE else 0, 0]


@pytest.mark.parametrize("builder", [BOB, CHARLIE])
def test_a_card_laid_aside_waits_until_somebody_builds_the_single_longest_road(builder):
    """Bob has five left and Charlie as many: the first to build a sixth takes it."""
    state = bobs_road(7, charlies=5)
    settle_on_it(state, 22)
    pass_round(state)
    roll(state, 2)
    settle(state, DANA, 3)
    lay_road(state, DANA, 3, 0)
    assert state.longest_road == NOBODY
    lay_road(state, builder, *((19, 25) if builder == BOB else (45, 41)))
    assert state.longest_road == builder


def test_a_card_laid_aside_is_not_taken_by_a_road_that_only_catches_up():
    state = bobs_road(8, charlies=4)
    settle_on_it(state, 22)
    for way in ((40, 45), (45, 41)):
        lay_road(state, CHARLIE, *way)
        assert state.longest_road == NOBODY
    lay_road(state, CHARLIE, 41, 46)
    assert (state.road_lengths[CHARLIE], state.longest_road) == (7, CHARLIE)


def test_a_card_laid_aside_is_not_taken_by_a_road_that_lengthens_nothing():
    """What is left of Bob's road is the longest: neither his fork nor another's first road brings the card back."""
    state = bobs_road(8)
    settle_on_it(state, 22)
    settle(state, DANA, 3)
    for seat, *ends in ((DANA, 3, 0), (BOB, 18, 13), (DANA, 3, 7)):
        lay_road(state, seat, *ends)
        assert (state.road_lengths[BOB], state.longest_road) == (6, NOBODY)
    lay_road(state, BOB, 25, 20)
    assert (state.road_lengths[BOB], state.longest_road) == (7, BOB)


def test_a_card_laid_aside_is_not_given_by_another_split():
    """Alice splits Dana's road too, so that Charlie's is the single longest: but nobody has built it."""
    state = bobs_road(7, charlies=6, danas=6)
    settle_on_it(state, 22)
    pave(state, ALICE, 9, 5)
    build(state, BuildSettlement(ALICE, 9), SETTLEMENT)
    assert state.road_lengths[1:] == [5, 6, 3]
    assert state.longest_road == NOBODY
    lay_road(state, CHARLIE, 41, 46)
    assert state.longest_road == CHARLIE


def test_a_settlement_on_a_road_cuts_it_in_two():
    awards.a_settlement_on_a_road_cuts_it_in_two(PRESET)


# Settlements and cities


def test_settlements_keep_two_edges_between_them():
    building.settlements_keep_two_edges_between_them(PRESET)


def test_a_settlement_without_an_own_road_is_refused():
    building.a_settlement_without_an_own_road_is_refused(PRESET)


def test_nobody_has_a_sixth_settlement():
    building.nobody_has_a_sixth_settlement(PRESET)


def test_a_city_replaces_only_an_own_settlement():
    building.a_city_replaces_only_an_own_settlement(PRESET)


def test_a_city_replaces_a_settlement_and_adds_one_point():
    building.a_city_replaces_a_settlement_and_adds_one_point(PRESET)


def test_nobody_has_a_fifth_city():
    building.nobody_has_a_fifth_city(PRESET)


# Development cards


def test_one_development_card_is_played_a_turn():
    cards.one_development_card_is_played_a_turn(PRESET)


def test_a_card_is_not_played_on_the_turn_it_was_bought():
    cards.a_card_is_not_played_on_the_turn_it_was_bought(PRESET)


def test_a_seven_and_a_knight_move_the_robber():
    rolling.a_seven_and_a_knight_move_the_robber(PRESET)


def test_the_first_to_play_three_knights_takes_largest_army():
    awards.the_first_to_play_three_knights_takes_largest_army(PRESET)


def test_a_greater_army_takes_the_card_and_its_points_at_once():
    awards.a_greater_army_takes_the_card_and_its_points_at_once(PRESET)


def test_an_equal_army_leaves_the_card_with_its_holder():
    awards.an_equal_army_leaves_the_card_with_its_holder(PRESET)


@pytest.mark.parametrize(("used", "placed"), [(13, 2), (14, 1), (15, 0)])
def test_road_building_places_the_roads_that_are_left_and_is_spent_for_none(used, placed):
    state = set_table(PRESET)
    pave(state, ALICE, *WAYS[2])
    pave(state, ALICE, *WAYS[4][: used - 9])
    hold(state, ALICE, "road_building")
    make(state, PlayRoadBuilding(ALICE))
    for _ in range(placed):
        assert state.phase is Phase.PLACING_FREE_ROADS
        make(state, legal_moves(state, ALICE)[0])
    assert state.phase is Phase.MAIN
    assert state.roads[ALICE].bit_count() == used + placed
    assert held_cards(state, ALICE) == []


def test_year_of_plenty_takes_only_what_the_bank_has():
    cards.year_of_plenty_takes_only_what_the_bank_has(PRESET)


def test_monopoly_on_a_resource_nobody_else_holds_brings_nothing():
    state = set_table(PRESET)
    give(state, BOB, wool=2)
    hold(state, ALICE, "monopoly")
    make(state, PlayMonopoly(ALICE, ORE))
    assert hand(state, ALICE) == {}
    assert state.bank[ORE] == 19


# Victory points


def test_nine_points_do_not_win():
    awards.nine_points_do_not_win(PRESET)


def test_the_tenth_point_wins_on_ones_own_turn():
    awards.the_tenth_point_wins_on_ones_own_turn(PRESET)


def test_ten_points_on_anothers_turn_win_when_ones_own_begins():
    awards.ten_points_on_anothers_turn_win_when_ones_own_begins(PRESET)
