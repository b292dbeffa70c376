"""The shape of the island: which hexes, vertices and edges there are, and what touches what.

Every game has the same shape, so everything here is a constant, computed once. Hexes are numbered
by rows from the top left, vertices and edges by rows too. Sets of vertices and sets of edges are
integers used as bit sets: vertex 5 is in the set when bit 5 is one. That makes "which corners are
free and on my road" a single ``&``, and a copy of a game cheap.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, TypeAlias

Hex: TypeAlias = int
Vertex: TypeAlias = int
Edge: TypeAlias = int
#: A set of vertices, edges or hexes as the bits of an integer.
BitSet: TypeAlias = int

#: Hexes in the five rows of the island.
ROWS: Final = (3, 4, 5, 4, 3)

#: On a grid of half hex widths and half side lengths, a hex's corners, clockwise from the top.
_CORNERS: Final = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))


def bit_set(members: Iterable[int]) -> BitSet:
    result = 0
    for member in members:
        result |= 1 << member
    return result


@lru_cache(maxsize=8192)
def members(bits: BitSet) -> tuple[int, ...]:
    """The members of a bit set, in rising order."""
    result = []
    while bits:
        lowest = bits & -bits
        result.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(result)


def _hex_centers() -> tuple[tuple[int, int], ...]:
    return tuple(
        (2 * column - (length - 1), 3 * (row - len(ROWS) // 2))
        for row, length in enumerate(ROWS)
        for column in range(length)
    )


#: Where things lie, for drawing: x in half hex widths, y in half side lengths.
HEX_POSITIONS: Final = _hex_centers()
VERTEX_POSITIONS: Final = tuple(
    sorted(
        {(x + dx, y + dy) for x, y in HEX_POSITIONS for dx, dy in _CORNERS},
        key=lambda position: (position[1], position[0]),
    )
)
_VERTEX_AT: Final = {position: vertex for vertex, position in enumerate(VERTEX_POSITIONS)}

#: The six corners of each hex, clockwise from the top.
HEX_VERTICES: Final = tuple(tuple(_VERTEX_AT[x + dx, y + dy] for dx, dy in _CORNERS) for x, y in HEX_POSITIONS)

#: The two ends of each edge, lower vertex first.
EDGE_VERTICES: Final = tuple(
    sorted(
        {
            (min(pair), max(pair))
            for corners in HEX_VERTICES
            for pair in zip(corners, corners[1:] + corners[:1], strict=True)
        }
    )
)
_EDGE_AT: Final = {ends: edge for edge, ends in enumerate(EDGE_VERTICES)}

HEXES: Final = range(len(HEX_POSITIONS))
VERTICES: Final = range(len(VERTEX_POSITIONS))
EDGES: Final = range(len(EDGE_VERTICES))

#: For each vertex, the (edge, vertex at its other end) pairs that leave it.
NEIGHBORS: Final = tuple(
    tuple((edge, b if a == vertex else a) for edge, (a, b) in enumerate(EDGE_VERTICES) if vertex in (a, b))
    for vertex in VERTICES
)

VERTEX_HEXES: Final = tuple(tuple(h for h in HEXES if vertex in HEX_VERTICES[h]) for vertex in VERTICES)
HEX_NEIGHBORS: Final = tuple(
    tuple(b for b in HEXES if b != a and len(set(HEX_VERTICES[a]) & set(HEX_VERTICES[b])) == 2) for a in HEXES
)

# The same facts as bit sets, for the rules that ask of many places at once.
HEX_VERTEX_SET: Final = tuple(bit_set(corners) for corners in HEX_VERTICES)
VERTEX_EDGE_SET: Final = tuple(bit_set(edge for edge, _ in pairs) for pairs in NEIGHBORS)
EDGE_VERTEX_SET: Final = tuple(bit_set(ends) for ends in EDGE_VERTICES)
ALL_VERTICES: Final = bit_set(VERTICES)
ALL_EDGES: Final = bit_set(EDGES)


def edge_between(a: Vertex, b: Vertex) -> Edge:
    """The edge that joins two vertices; ``KeyError`` when none does."""
    return _EDGE_AT[min(a, b), max(a, b)]


def _distances_from(start: Vertex) -> tuple[int, ...]:
    distance = {start: 0}
    queue = deque([start])
    while queue:
        vertex = queue.popleft()
        for _, other in NEIGHBORS[vertex]:
            if other not in distance:
                distance[other] = distance[vertex] + 1
                queue.append(other)
    return tuple(distance[vertex] for vertex in VERTICES)


_DISTANCES: Final = tuple(_distances_from(vertex) for vertex in VERTICES)
GREATEST_DISTANCE: Final = max(max(row) for row in _DISTANCES)


def distance(a: Vertex, b: Vertex) -> int:
    """How many edges lie between two vertices, by the shortest way: 0 to 11."""
    if a not in VERTICES or b not in VERTICES:
        raise ValueError(f"A vertex is a number from 0 to {VERTICES[-1]}.")
    return _DISTANCES[a][b]


def allows_settlement(distance_to_nearest: int) -> bool:
    """The distance rule: 0 and 1 refuse a settlement, 2 to 11 do not."""
    if not 0 <= distance_to_nearest <= GREATEST_DISTANCE:
        raise ValueError(
            f"No two vertices of the island are {distance_to_nearest} edges apart: "
            f"a distance is a number from 0 to {GREATEST_DISTANCE}."
        )
    return distance_to_nearest >= 2


#: For each vertex, those where a building on it forbids a settlement: itself and its neighbors.
TOO_CLOSE_SET: Final = tuple(
    bit_set(other for other in VERTICES if not allows_settlement(distance(vertex, other))) for vertex in VERTICES
)


def _coast() -> tuple[Edge, ...]:
    """The coast's edges, clockwise from the upper left edge of the top left hex."""
    hexes_at_edge = [0] * len(EDGE_VERTICES)
    for corners in HEX_VERTICES:
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
            hexes_at_edge[edge_between(a, b)] += 1
    vertex, end = HEX_VERTICES[0][5], HEX_VERTICES[0][0]
    coast = [edge_between(vertex, end)]
    while end != HEX_VERTICES[0][5]:
        edge, vertex = next(
            (edge, other) for edge, other in NEIGHBORS[end] if hexes_at_edge[edge] == 1 and edge != coast[-1]
        )
        coast.append(edge)
        end = vertex
    return tuple(coast)


COAST: Final = _coast()

#: The sea frame: six pieces of five coast edges each. Equal numbers on two ends meet.
FRAME: Final = tuple(
    {"ends": (piece + 1, (piece + 1) % 6 + 1), "coast": COAST[5 * piece : 5 * piece + 5]} for piece in range(6)
)

#: The nine coast edges where a harbor docks; no two of them share a vertex.
DOCKS: Final = tuple(COAST[place] for place in (0, 3, 7, 10, 13, 17, 20, 23, 27))

#: The rings of the island, counter-clockwise, the inner one beginning beside the outer one's start.
_OUTER_RING: Final = (0, 3, 7, 12, 16, 17, 18, 15, 11, 6, 2, 1)
_INNER_RING: Final = (4, 8, 13, 14, 10, 5)
_MIDDLE: Final = (9,)

#: Where the spiral of number tokens may begin.
CORNER_HEXES: Final = _OUTER_RING[::2]


def spiral(corner: Hex) -> tuple[Hex, ...]:
    """All hexes from a corner, counter-clockwise along the coast and inward to the middle."""
    start = _OUTER_RING.index(corner)
    outer = _OUTER_RING[start:] + _OUTER_RING[:start]
    inner = _INNER_RING[start // 2 :] + _INNER_RING[: start // 2]
    return outer + inner + _MIDDLE
