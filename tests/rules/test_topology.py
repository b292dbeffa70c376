"""The shape of the island, by its own count."""

from collections import Counter
from itertools import combinations, pairwise

import pytest

from games.rules.topology import (
    COAST,
    CORNER_HEXES,
    DOCKS,
    EDGE_VERTICES,
    EDGES,
    FRAME,
    HEX_NEIGHBORS,
    HEX_POSITIONS,
    HEX_VERTICES,
    HEXES,
    NEIGHBORS,
    VERTEX_HEXES,
    VERTEX_POSITIONS,
    VERTICES,
    allows_settlement,
    bit_set,
    distance,
    edge_between,
    members,
    spiral,
)


def test_the_island_has_19_hexes_54_vertices_and_72_edges():
    assert (len(HEXES), len(VERTICES), len(EDGES)) == (19, 54, 72)
    assert len(set(HEX_POSITIONS)) == 19
    assert len(set(VERTEX_POSITIONS)) == 54
    assert len(set(EDGE_VERTICES)) == 72


def test_a_hex_has_six_corners_and_a_vertex_two_or_three_edges():
    assert {len(set(corners)) for corners in HEX_VERTICES} == {6}
    # 24 corners of the island lie at three hexes, 12 at two, 18 at one.
    assert Counter(map(len, VERTEX_HEXES)) == {3: 24, 2: 12, 1: 18}
    assert Counter(map(len, NEIGHBORS)) == {3: 36, 2: 18}


def test_hexes_touch_along_42_edges_and_the_sea_along_30():
    assert sum(map(len, HEX_NEIGHBORS)) == 2 * 42
    assert len(COAST) == len(set(COAST)) == 30


def test_the_coast_is_one_round_way():
    for edge, following in zip(COAST, COAST[1:] + COAST[:1], strict=True):
        assert len(set(EDGE_VERTICES[edge]) & set(EDGE_VERTICES[following])) == 1
    assert all(
        sum({a, b} <= set(corners) for corners in HEX_VERTICES) == 1 for a, b in map(EDGE_VERTICES.__getitem__, COAST)
    )


def test_nine_harbors_dock_at_the_coast_and_share_no_vertex():
    assert len(DOCKS) == 9
    assert set(DOCKS) <= set(COAST)
    ends = [vertex for dock in DOCKS for vertex in EDGE_VERTICES[dock]]
    assert len(set(ends)) == 18


def test_six_frame_pieces_of_five_edges_meet_at_equal_numbers():
    assert [len(piece["coast"]) for piece in FRAME] == [5] * 6
    assert [edge for piece in FRAME for edge in piece["coast"]] == list(COAST)
    ends = [piece["ends"] for piece in FRAME]
    assert all(one[1] == other[0] for one, other in zip(ends, ends[1:] + ends[:1], strict=True))
    assert sorted(start for start, _ in ends) == [1, 2, 3, 4, 5, 6]


# Distance


def test_distances_run_from_0_to_11_and_all_of_them_occur():
    assert {distance(a, b) for a in VERTICES for b in VERTICES} == set(range(12))


def test_distance_is_none_at_home_one_along_an_edge_and_the_same_both_ways():
    for a, b in combinations(VERTICES, 2):
        assert distance(a, b) == distance(b, a)
        assert (distance(a, b) == 1) == ((a, b) in EDGE_VERTICES)
    assert {distance(vertex, vertex) for vertex in VERTICES} == {0}


def test_every_step_along_an_edge_changes_a_distance_by_one():
    # The corners of a hex grid come in two colors, so no step leaves a distance as it was.
    for start in VERTICES:
        for a, b in EDGE_VERTICES:
            assert abs(distance(start, a) - distance(start, b)) == 1


@pytest.mark.parametrize(("edges", "allowed"), [(0, False), (1, False), (2, True), (10, True), (11, True)])
def test_the_distance_rule_asks_for_two_edges(edges, allowed):
    assert allows_settlement(edges) is allowed


@pytest.mark.parametrize("edges", [-1, 12, 54])
def test_a_distance_the_island_does_not_have_is_an_error(edges):
    with pytest.raises(ValueError, match="from 0 to 11"):
        allows_settlement(edges)


@pytest.mark.parametrize(("a", "b"), [(-1, 0), (0, -1), (54, 0), (0, 54)])
def test_the_distance_to_a_vertex_the_island_does_not_have_is_an_error(a, b):
    with pytest.raises((ValueError, IndexError)):
        distance(a, b)


# Edges and sets


def test_an_edge_is_found_from_either_end():
    for edge, (a, b) in enumerate(EDGE_VERTICES):
        assert edge_between(a, b) == edge_between(b, a) == edge


def test_two_vertices_apart_have_no_edge():
    with pytest.raises(KeyError):
        edge_between(0, 53)


def test_a_bit_set_gives_back_its_members_in_order():
    assert members(bit_set([53, 0, 7])) == (0, 7, 53)
    assert members(bit_set([])) == ()


# The spiral


@pytest.mark.parametrize("corner", CORNER_HEXES)
def test_the_spiral_from_any_corner_visits_every_hex_inward(corner):
    path = spiral(corner)
    assert path[0] == corner
    assert sorted(path) == list(HEXES)
    assert all(following in HEX_NEIGHBORS[h] for h, following in pairwise(path))
    # Twelve hexes at the coast have fewer than six neighbors, then six around the middle.
    assert all(len(HEX_NEIGHBORS[h]) < 6 for h in path[:12])
    assert path[-1] == 9
    assert all(9 in HEX_NEIGHBORS[h] for h in path[12:18])


def test_a_corner_of_the_island_has_three_neighbors():
    assert sorted(CORNER_HEXES) == [h for h in HEXES if len(HEX_NEIGHBORS[h]) == 3]
