"""The first definition of done: boundary values of points, pieces, turns and awards."""

from functools import partial

import pytest

from games.rules import MalformedMove, Phase, RecordedChance, legal_moves, play, points
from games.rules.moves import (
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    EndTurn,
    PlayKnight,
    PlayVictoryPoint,
    from_json,
)
from games.rules.topology import NEIGHBORS, VERTICES, allows_settlement, edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    CARD,
    CITY,
    ROAD,
    SETTLEMENT,
    WAYS,
    fresh_table,
    give,
    hold,
    lay_open,
    make,
    pave,
    raise_cities,
    refused,
    set_table,
    settle,
)
from tests.sources.shared.building import place
from tests.sources.shared.cards import pass_round

table = partial(set_table, "definition-of-done")

# Points and the win


def test_building_a_settlement_adds_one_point():
    state = table()
    pave(state, ALICE, 17, 23)
    give(state, ALICE, **SETTLEMENT)
    make(state, BuildSettlement(ALICE, 23))
    assert points(state, ALICE) == 0 + 1


def test_building_a_city_adds_one_point():
    state = table()
    settle(state, ALICE, 17)
    give(state, ALICE, **CITY)
    make(state, BuildCity(ALICE, 17))
    assert points(state, ALICE) == 1 + 1


def test_playing_a_victory_point_card_adds_exactly_one_point():
    state = table()
    settle(state, ALICE, 17)
    hold(state, ALICE, "victory_point", "victory_point")
    assert points(state, ALICE) == 1
    for played in (1, 2):
        make(state, PlayVictoryPoint(ALICE))
        assert points(state, ALICE) == 1 + played
        pass_round(state)
        assert points(state, ALICE) == 1 + played


def test_longest_road_adds_two_points_and_takes_them_from_whom_it_leaves():
    state = table()
    pave(state, BOB, *WAYS[3][:6])
    state.longest_road = BOB
    pave(state, ALICE, *WAYS[2][:6])
    give(state, ALICE, **ROAD)
    before = points(state, ALICE), points(state, BOB)
    make(state, BuildRoad(ALICE, edge_between(18, 24)))
    assert (points(state, ALICE) - before[0], points(state, BOB) - before[1]) == (2, -2)


def test_largest_army_adds_two_points_and_takes_them_from_whom_it_leaves():
    state = table()
    lay_open(state, BOB, *["knight"] * 3)
    state.largest_army = BOB
    lay_open(state, ALICE, *["knight"] * 3)
    hold(state, ALICE, "knight")
    before = points(state, ALICE), points(state, BOB)
    make(state, PlayKnight(ALICE))
    assert (points(state, ALICE) - before[0], points(state, BOB) - before[1]) == (2, -2)


def nine_points(state, seat):
    raise_cities(state, seat, 0, 1, 2, 11)
    settle(state, seat, 29)


def test_nine_points_do_not_win():
    state = table()
    nine_points(state, ALICE)
    make(state, EndTurn(ALICE))
    assert state.phase is Phase.ROLLING


def test_ten_points_win_whoever_has_them():
    on_her_turn = table()
    nine_points(on_her_turn, ALICE)
    hold(on_her_turn, ALICE, "victory_point")
    make(on_her_turn, PlayVictoryPoint(ALICE))
    assert on_her_turn.winner == ALICE

    on_anothers = table()
    nine_points(on_anothers, BOB)
    lay_open(on_anothers, BOB, "victory_point")
    give(on_anothers, ALICE, **CARD)
    make(on_anothers, BuyCard(ALICE))
    assert on_anothers.winner == BOB


# Settlements


def corners_at(edges, start):
    """The corners so many edges from one of them, found by walking."""
    near, here = set(), {start}
    for _ in range(edges):
        near, here = near | here, {other for vertex in here for _, other in NEIGHBORS[vertex]} - near
    return here


@pytest.mark.parametrize("edges", range(12))
def test_a_settlement_stands_two_to_eleven_edges_from_the_next(edges):
    """Bob's is at one end of the island; Alice has roads wherever she likes, or none in the setup."""
    assert corners_at(edges, 3)
    for vertex in corners_at(edges, 3):
        state = table()
        settle(state, BOB, 3)
        pave(state, ALICE, vertex, NEIGHBORS[vertex][0][1])
        give(state, ALICE, **SETTLEMENT)
        in_setup = fresh_table("definition-of-done")
        place(in_setup, 3, 0)
        for settled in (state, in_setup):
            move = BuildSettlement(settled.active, vertex)
            if edges < 2:
                refused(settled, move, "too_close" if edges else "vertex_taken")
            else:
                make(settled, move)


def test_no_two_corners_are_more_than_eleven_edges_apart():
    for start in VERTICES:
        assert set().union(*(corners_at(edges, start) for edges in range(12))) == set(VERTICES)
        assert not corners_at(12, start)


@pytest.mark.parametrize("number", [-1, 12])
def test_the_distance_rule_knows_no_distance_below_none_or_above_eleven(number):
    with pytest.raises(ValueError, match=f"{number} edges apart"):
        allows_settlement(number)


@pytest.mark.parametrize("vertex", [-1, 54])
def test_a_settlement_beyond_the_island_is_malformed(vertex):
    with pytest.raises(MalformedMove):
        BuildSettlement(ALICE, vertex)


def test_a_settlement_needs_an_own_road_beside_it():
    state = table()
    pave(state, ALICE, 17, 23)
    give(state, ALICE, **SETTLEMENT)
    refused(state, BuildSettlement(ALICE, 30), "not_connected")
    make(state, BuildSettlement(ALICE, 17))


@pytest.mark.parametrize("missing", [None, *SETTLEMENT])
def test_a_settlement_needs_all_four_cards(missing):
    state = table()
    pave(state, ALICE, 17, 23)
    give(state, ALICE, **{name: 1 for name in SETTLEMENT if name != missing})
    if missing:
        refused(state, BuildSettlement(ALICE, 17), "cannot_pay")
    else:
        make(state, BuildSettlement(ALICE, 17))


# Cities


@pytest.mark.parametrize(("grain", "ore"), [(1, 3), (2, 2), (2, 3)])
def test_a_city_needs_two_grain_and_three_ore(grain, ore):
    state = table()
    settle(state, ALICE, 17)
    give(state, ALICE, grain=grain, ore=ore)
    if grain + ore < 5:
        refused(state, BuildCity(ALICE, 17), "cannot_pay")
    else:
        make(state, BuildCity(ALICE, 17))


def test_a_city_rises_only_from_an_own_settlement():
    state = table()
    settle(state, ALICE, 17)
    settle(state, BOB, 29)
    give(state, ALICE, **CITY)
    refused(state, BuildCity(ALICE, 29), "not_your_settlement")
    refused(state, BuildCity(ALICE, 40), "not_your_settlement")
    make(state, BuildCity(ALICE, 17))


# Roads


@pytest.mark.parametrize(("brick", "lumber"), [(0, 1), (1, 0), (1, 1)])
def test_a_road_needs_a_brick_and_a_lumber(brick, lumber):
    state = table()
    settle(state, ALICE, 17)
    give(state, ALICE, brick=brick, lumber=lumber)
    if brick and lumber:
        make(state, BuildRoad(ALICE, edge_between(17, 23)))
    else:
        refused(state, BuildRoad(ALICE, edge_between(17, 23)), "cannot_pay")


def test_a_road_needs_an_own_piece_beside_it_and_a_free_path():
    state = table()
    settle(state, ALICE, 17)
    pave(state, BOB, 17, 22)
    give(state, ALICE, **ROAD)
    refused(state, BuildRoad(ALICE, edge_between(30, 35)), "not_connected")
    refused(state, BuildRoad(ALICE, edge_between(17, 22)), "edge_taken")
    make(state, BuildRoad(ALICE, edge_between(17, 23)))


@pytest.mark.parametrize("move", ["build_road", "build_city"])
def test_a_piece_without_a_place_is_malformed(move):
    with pytest.raises(MalformedMove):
        from_json({"kind": move, "seat": ALICE})


# Turns


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("beyond", [-1, 0])
def test_there_is_no_turn_of_a_seat_below_none_or_beyond_the_last(seats, beyond):
    state = table(seats=seats)
    seat = -1 if beyond else seats
    with pytest.raises(MalformedMove):
        play(state, EndTurn(seat), RecordedChance(()))
    with pytest.raises(MalformedMove):
        legal_moves(state, seat)


# Longest Road


def roads_of(state, seat, count):
    """So many roads of one player, ten of them along the widest way."""
    pave(state, seat, *WAYS[2])
    pave(state, seat, *WAYS[4][: count - 9])
    assert state.roads[seat].bit_count() == count


def test_the_fifteenth_road_is_the_last():
    state = table()
    roads_of(state, ALICE, 14)
    give(state, ALICE, brick=2, lumber=2)
    make(state, BuildRoad(ALICE, edge_between(17, 12)))
    refused(state, BuildRoad(ALICE, edge_between(12, 8)), "no_road_left")


def test_a_path_is_free_until_somebody_has_paved_it():
    state = table()
    settle(state, ALICE, 17)
    give(state, ALICE, brick=2, lumber=2)
    move = BuildRoad(ALICE, edge_between(17, 23))
    make(state, move)
    refused(state, move, "edge_taken")


def test_longest_road_without_a_holder_goes_to_the_first_road_of_five():
    state = table()
    pave(state, ALICE, *WAYS[2][:5])
    give(state, ALICE, **ROAD)
    assert state.longest_road == -1
    make(state, BuildRoad(ALICE, edge_between(23, 18)))
    assert state.longest_road == ALICE


@pytest.mark.parametrize(("length", "taken"), [(4, False), (5, False), (6, True)])
def test_only_a_longer_road_takes_longest_road_from_its_holder(length, taken):
    state = table()
    pave(state, BOB, *WAYS[3][:6])
    state.longest_road = BOB
    pave(state, ALICE, *WAYS[2][:length])
    give(state, ALICE, **ROAD)
    make(state, BuildRoad(ALICE, edge_between(*WAYS[2][length - 1 : length + 1])))
    assert state.road_lengths[ALICE] == length
    assert state.longest_road == (ALICE if taken else BOB)


@pytest.mark.parametrize(("length", "taken"), [(4, False), (5, True), (6, True)])
def test_longest_road_takes_five_roads_in_a_row(length, taken):
    state = table()
    pave(state, ALICE, *WAYS[2][:length])
    give(state, ALICE, **ROAD)
    make(state, BuildRoad(ALICE, edge_between(*WAYS[2][length - 1 : length + 1])))
    assert (state.longest_road == ALICE) is taken


# Largest Army


def play_a_knight_after(state, played):
    lay_open(state, ALICE, *["knight"] * played)
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))


@pytest.mark.parametrize(("knights", "taken"), [(2, False), (3, True), (4, True)])
def test_largest_army_without_a_holder_takes_three_knights(knights, taken):
    state = table()
    play_a_knight_after(state, knights - 1)
    assert (state.largest_army == ALICE) is taken


@pytest.mark.parametrize(("knights", "taken"), [(2, False), (3, False), (4, True)])
def test_only_more_knights_take_largest_army_from_its_holder(knights, taken):
    state = table()
    lay_open(state, BOB, *["knight"] * 3)
    state.largest_army = BOB
    play_a_knight_after(state, knights - 1)
    assert state.largest_army == (ALICE if taken else BOB)
