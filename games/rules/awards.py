"""Longest Road and Largest Army: how they are counted and how they change hands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from .topology import EDGE_VERTEX_SET, EDGE_VERTICES, NEIGHBORS, BitSet, Edge, Vertex, members

SHORTEST_LONGEST_ROAD: Final = 5
SMALLEST_LARGEST_ARMY: Final = 3

_NOBODY: Final = -1


def longest_road_length(roads: BitSet, blocked: BitSet) -> int:
    """The longest way along these roads that uses each once.

    ``blocked`` are the corners with opponents' buildings: a way may end there but not pass.
    """
    ends = 0
    for edge in members(roads):
        ends |= EDGE_VERTEX_SET[edge]
    longest = 0
    for start in members(ends):
        # A way may also begin at a blocked corner: beginning is ending, seen from the other side.
        for edge, vertex in NEIGHBORS[start]:
            if roads >> edge & 1:
                longest = max(longest, 1 + _longest_from(vertex, roads ^ 1 << edge, blocked))
    return longest


def longest_road_through(edge: Edge, roads: BitSet, blocked: BitSet) -> int:
    """The longest way that uses one edge: all that a new road can add to what was there."""
    one_end, other_end = EDGE_VERTICES[edge]
    return _longest_two_ended(one_end, other_end, roads & ~(1 << edge), blocked) + 1


def is_on_longest_road(vertex: Vertex, roads: BitSet, blocked: BitSet, length: int) -> bool:
    """Whether a way of this length along these roads passes through the corner."""
    here = [(edge, other) for edge, other in NEIGHBORS[vertex] if roads >> edge & 1]
    for (one, head), (another, tail) in combinations(here, 2):
        others = roads & ~(1 << one | 1 << another)
        if 2 + _longest_two_ended(head, tail, others, blocked) >= length:
            return True
    return False


def _longest_from(vertex: Vertex, roads: BitSet, blocked: BitSet) -> int:
    """The longest way onward from a corner."""
    if blocked >> vertex & 1:
        return 0
    longest = 0
    for edge, other in NEIGHBORS[vertex]:
        if roads >> edge & 1:
            length = 1 + _longest_from(other, roads ^ 1 << edge, blocked)
            if length > longest:
                longest = length
    return longest


def _longest_two_ended(head: Vertex, tail: Vertex, roads: BitSet, blocked: BitSet) -> int:
    """The longest sum of a way onward from the head and, sharing no road with it, from the tail."""
    longest = _longest_from(tail, roads, blocked)
    if blocked >> head & 1:
        return longest
    for edge, other in NEIGHBORS[head]:
        if roads >> edge & 1:
            length = 1 + _longest_two_ended(other, tail, roads ^ 1 << edge, blocked)
            if length > longest:
                longest = length
    return longest


def award_holder(holder: int, sizes: Sequence[int], least: int) -> int:
    """Who holds an award after a change, given everybody's road length or army size.

    Equal never takes it: the holder keeps it while nobody exceeds them. Else the one who is
    greatest takes it; a tie for the greatest, or nobody large enough, sets it aside.
    """
    greatest = max(sizes)
    if greatest < least:
        return _NOBODY
    if holder != _NOBODY and sizes[holder] == greatest:
        return holder
    if sizes.count(greatest) == 1:
        return sizes.index(greatest)
    return _NOBODY
