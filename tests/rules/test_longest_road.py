"""Longest Road: how long a road is, who holds the card, and what a cut does."""

import pytest

from games.rules import NOBODY, Event, Phase, points
from games.rules.moves import BuildRoad, BuildSettlement, EndTurn
from games.rules.topology import edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    CHARLIE,
    DANA,
    ROAD,
    SETTLEMENT,
    WAYS,
    give,
    hold,
    make,
    pave,
    raise_cities,
    refused,
    set_table,
    settle,
)

NORTH_LOOP = (8, 13, 18, 23, 17, 12, 8)
EAST_LOOP = (9, 14, 19, 24, 18, 13, 9)
SOUTH_LOOP = (29, 35, 40, 44, 39, 34, 29)

# How long a road is


@pytest.mark.parametrize(
    ("ways", "length"),
    [
        pytest.param([], 0, id="no road"),
        pytest.param([WAYS[2][:2]], 1, id="one road"),
        pytest.param([WAYS[2]], 10, id="a chain"),
        pytest.param([WAYS[2][:4], WAYS[4][:5]], 4, id="two chains apart count singly"),
        pytest.param([WAYS[2][:5], (22, 28)], 4, id="a fork is not added up"),
        pytest.param([WAYS[2][:5], (22, 28, 34, 29)], 5, id="a fork may be the longer branch"),
        pytest.param([NORTH_LOOP], 6, id="a loop"),
        pytest.param([NORTH_LOOP, (23, 29)], 7, id="a loop with a spur"),
        pytest.param([NORTH_LOOP, (23, 29), (17, 22)], 7, id="a loop with two spurs side by side"),
        pytest.param([NORTH_LOOP, (23, 29), (8, 4)], 7, id="a loop with two spurs far apart"),
        pytest.param([NORTH_LOOP, EAST_LOOP], 11, id="two loops that share a path"),
        pytest.param([NORTH_LOOP, (23, 29), SOUTH_LOOP], 13, id="two loops joined by a path"),
    ],
)
def test_a_road_is_as_long_as_its_longest_way(ways, length):
    state = set_table()
    for way in ways:
        pave(state, ALICE, *way)
    assert state.road_lengths[ALICE] == length


@pytest.mark.parametrize(
    ("corner", "length"),
    [
        pytest.param(21, 6, id="at the end"),
        pytest.param(16, 5, id="one from the end"),
        pytest.param(22, 4, id="two from the end"),
        pytest.param(17, 3, id="in the middle"),
    ],
)
def test_a_road_ends_at_an_opponents_building_but_does_not_pass(corner, length):
    state = set_table()
    pave(state, ALICE, *WAYS[2][:7])
    settle(state, BOB, corner)
    assert state.road_lengths[ALICE] == length


def test_an_opponents_city_stops_a_road_like_a_settlement():
    state = set_table()
    pave(state, ALICE, *WAYS[2][:7])
    raise_cities(state, BOB, 17)
    assert state.road_lengths[ALICE] == 3


def test_ones_own_buildings_do_not_stop_a_road():
    state = set_table()
    pave(state, ALICE, *WAYS[2][:7])
    settle(state, ALICE, 16)
    raise_cities(state, ALICE, 17)
    assert state.road_lengths[ALICE] == 6


def test_a_loop_with_one_opponent_on_it_still_counts_all_its_roads():
    state = set_table()
    pave(state, ALICE, *NORTH_LOOP)
    settle(state, BOB, 13)
    assert state.road_lengths[ALICE] == 6
    settle(state, BOB, 17)
    assert state.road_lengths[ALICE] == 3


def test_a_road_may_be_built_up_to_an_opponents_building_and_not_beyond():
    state = set_table()
    settle(state, ALICE, 21)
    pave(state, ALICE, 21, 16, 22)
    settle(state, BOB, 17)
    give(state, ALICE, brick=2, lumber=2)
    make(state, BuildRoad(ALICE, edge_between(22, 17)))
    refused(state, BuildRoad(ALICE, edge_between(17, 23)), "not_connected")
    assert state.road_lengths[ALICE] == 3


def test_the_road_that_closes_a_loop_counts():
    state = set_table()
    pave(state, ALICE, *NORTH_LOOP[:-1])
    give(state, ALICE, **ROAD)
    make(state, BuildRoad(ALICE, edge_between(12, 8)))
    assert state.road_lengths[ALICE] == 6


def test_the_road_that_joins_two_chains_makes_them_one():
    state = set_table()
    pave(state, ALICE, *WAYS[2][:4])
    pave(state, ALICE, *WAYS[2][4:7])
    give(state, ALICE, **ROAD)
    make(state, BuildRoad(ALICE, edge_between(17, 23)))
    assert state.road_lengths[ALICE] == 6
    assert state.longest_road == ALICE


# Who holds the card


def cut(length, others, *, corner=17, preset="standard", **options):
    """Bob holds Longest Road along the widest way; Alice is about to settle on it.

    ``others`` are the lengths of Charlie's and Dana's roads.
    """
    state = set_table(preset, **options)
    pave(state, BOB, *WAYS[2][: length + 1])
    state.longest_road = BOB
    for seat, way, size in zip((CHARLIE, DANA), (WAYS[4], WAYS[1][::-1]), others, strict=True):
        pave(state, seat, *way[: size + 1])
    pave(state, ALICE, corner, 12)
    give(state, ALICE, **SETTLEMENT)
    return state, BuildSettlement(ALICE, corner)


@pytest.mark.parametrize(
    ("length", "others", "left", "holder"),
    [
        pytest.param(5, (0, 0), 3, NOBODY, id="all below five: set aside"),
        pytest.param(5, (4, 4), 3, NOBODY, id="four is not enough for anybody"),
        pytest.param(7, (5, 0), 4, CHARLIE, id="the one other takes it"),
        pytest.param(7, (5, 6), 4, DANA, id="the longest of the others takes it"),
        pytest.param(7, (5, 5), 4, NOBODY, id="a tie of the others sets it aside"),
        pytest.param(9, (6, 6), 6, BOB, id="a holder who ties keeps it"),
        pytest.param(9, (5, 5), 6, BOB, id="a holder still longest keeps it"),
        pytest.param(8, (6, 6), 5, NOBODY, id="a tie above a shortened holder sets it aside"),
    ],
)
def test_a_cut_road_is_counted_again(length, others, left, holder):
    state, settlement = cut(length, others)
    make(state, settlement)
    assert state.road_lengths[BOB] == left
    assert state.longest_road == holder


def test_a_card_set_aside_goes_to_the_next_who_is_longest_alone():
    state, settlement = cut(7, (5, 5))
    make(state, settlement)
    give(state, ALICE, **ROAD)
    make(state, EndTurn(ALICE))
    state.active, state.phase = DANA, Phase.MAIN
    give(state, DANA, **ROAD)
    make(state, BuildRoad(DANA, edge_between(*WAYS[1][::-1][5:7])))
    assert state.longest_road == DANA


def test_a_cut_of_somebody_elses_road_changes_no_card():
    state, settlement = cut(4, (5, 0))
    state.longest_road = CHARLIE
    make(state, settlement)
    assert state.longest_road == CHARLIE


def test_the_table_is_told_who_took_the_card_from_whom():
    state, settlement = cut(7, (5, 0))
    events = make(state, settlement)
    assert events[1:] == [Event("longest_road", CHARLIE, {"from": BOB})]


# The card that is lost at any cut


@pytest.mark.parametrize(
    ("length", "others", "holder"),
    [
        pytest.param(5, (0, 0), NOBODY, id="all below five: lies aside"),
        pytest.param(9, (5, 5), NOBODY, id="a holder still longest loses it all the same"),
        pytest.param(9, (6, 5), NOBODY, id="a holder who ties loses it, and a tie is not the single longest"),
        pytest.param(7, (5, 0), CHARLIE, id="another with the single longest takes it at once"),
        pytest.param(8, (6, 5), CHARLIE, id="the single longest of all takes it at once"),
        pytest.param(7, (5, 5), NOBODY, id="a tie of the others leaves it aside"),
    ],
)
def test_a_holder_whose_road_is_split_loses_the_card(length, others, holder):
    state, settlement = cut(length, others, preset="excellent")
    events = make(state, settlement)
    assert state.longest_road == holder
    assert events[1:] == [Event("longest_road", holder, {"from": BOB})]


def test_a_holder_with_another_road_as_long_loses_the_card_with_the_one_that_is_split():
    state, settlement = cut(6, (0, 0), preset="excellent")
    pave(state, BOB, *WAYS[5])
    assert state.road_lengths[BOB] == 6
    make(state, settlement)
    assert (state.road_lengths[BOB], state.longest_road) == (6, NOBODY)


def test_a_holder_keeps_the_card_when_a_shorter_road_of_theirs_is_split():
    state, settlement = cut(4, (0, 0), preset="excellent")
    pave(state, BOB, *WAYS[5])
    make(state, settlement)
    assert state.longest_road == BOB


def test_a_holder_keeps_the_card_when_only_the_end_of_their_road_is_taken():
    state, settlement = cut(0, (0, 0), preset="excellent")
    pave(state, BOB, *WAYS[2][3:])
    make(state, settlement)
    assert (state.road_lengths[BOB], state.longest_road) == (7, BOB)


def test_a_card_that_lies_aside_goes_to_nobody_before_somebody_builds_the_single_longest_road():
    state, settlement = cut(9, (5, 4), preset="excellent")
    make(state, settlement)
    assert (state.road_lengths[BOB], state.longest_road) == (6, NOBODY)

    def builds(seat, *way):
        state.active, state.phase = seat, Phase.MAIN
        give(state, seat, **ROAD)
        make(state, BuildRoad(seat, edge_between(*way)))

    # Dana's road grows, but Bob's is longer; Bob builds, but not on his longest road.
    builds(DANA, *WAYS[1][::-1][4:6])
    settle(state, BOB, 51)
    builds(BOB, 51, 48)
    assert state.longest_road == NOBODY
    # Charlie catches up with Bob: still no single longest.
    builds(CHARLIE, *WAYS[4][5:7])
    assert state.longest_road == NOBODY
    builds(CHARLIE, *WAYS[4][6:8])
    assert state.longest_road == CHARLIE


def test_a_card_that_lies_aside_stays_there_when_a_cut_leaves_one_road_the_longest():
    state, settlement = cut(7, (6, 6), preset="excellent")
    make(state, settlement)
    assert state.longest_road == NOBODY
    # Alice also settles on Dana's road.
    corner = WAYS[1][::-1][3]
    pave(state, ALICE, corner, 5)
    give(state, ALICE, **SETTLEMENT)
    make(state, BuildSettlement(ALICE, corner))
    assert state.road_lengths[CHARLIE] > max(state.road_lengths[BOB], state.road_lengths[DANA])
    assert state.longest_road == NOBODY


# A cut that ends the game


@pytest.mark.parametrize(
    ("win_declared", "wins_at"),
    [("any_moment", ALICE), ("own_turn", CHARLIE), ("turn_begins", CHARLIE)],
)
def test_a_cut_that_hands_a_third_player_the_tenth_point(win_declared, wins_at):
    state, settlement = cut(7, (5, 0), win_declared=win_declared)
    raise_cities(state, CHARLIE, 0, 2, 49, 51)
    make(state, settlement)
    assert (state.longest_road, points(state, CHARLIE)) == (CHARLIE, 10)
    while state.winner == NOBODY:
        state.phase = Phase.MAIN
        make(state, EndTurn(state.active))
    assert state.winner == CHARLIE
    assert state.active == wins_at
    assert state.phase is Phase.OVER


def test_the_player_to_move_wins_before_another_with_ten_points():
    state, settlement = cut(7, (5, 0), win_declared="any_moment")
    raise_cities(state, CHARLIE, 0, 2, 49, 51)
    raise_cities(state, ALICE, 26, 28, 33, 37)
    hold(state, ALICE, "victory_point")
    make(state, settlement)
    assert state.winner == ALICE
