"""What people call a place on the board: "corner of 6 ore, 9 grain, 3:1 harbor".

Numbers are for programs. A name tells what the place is worth, and no two places of a board share one.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import atan2, pi
from typing import Final, NamedTuple

from games.rules.topology import EDGE_VERTICES, EDGES, HEX_POSITIONS, HEXES, VERTEX_HEXES, VERTEX_POSITIONS, VERTICES
from games.rules.views import BoardView

#: The winds, clockwise from the east, as angles grow on a map whose y points south.
_WINDS: Final = ("east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east")

#: Half a hex's width and half its side are not equally long.
_GRID: Final = (3**0.5, 1.0)


class Places(NamedTuple):
    hexes: tuple[str, ...]
    vertices: tuple[str, ...]
    edges: tuple[str, ...]


def place_names(board: BoardView) -> Places:
    """The names of all hexes, vertices and edges of the board of a view."""
    hexes = tuple((h["terrain"], h["resource"], h["token"]) for h in board["hexes"])
    return _place_names(hexes, tuple((h["edge"], h["kind"]) for h in board["harbors"]))


def board_words(board: BoardView) -> str:
    """The whole board, for those who listen to a picture of it."""
    rows: dict[int, list[str]] = {}
    for (_, y), shown in zip(HEX_POSITIONS, board["hexes"], strict=True):
        rows.setdefault(y, []).append(f"{shown['terrain']} {shown['token'] or ''}".strip())
    land = "; ".join(", ".join(row) for row in rows.values())
    harbors = ", ".join(_harbor(harbor["kind"]).removesuffix(" harbor") for harbor in board["harbors"])
    return f"Row by row from the north: {land}. Harbors clockwise from the north-west: {harbors}."


@lru_cache(maxsize=256)
def _place_names(hexes: tuple[tuple[str, str | None, int | None], ...], harbors: tuple[tuple[int, str], ...]) -> Places:
    yields = [f"{token} {resource}" if resource else terrain for terrain, resource, token in hexes]
    harbor_at_edge = {edge: _harbor(kind) for edge, kind in harbors}
    harbor_at_vertex = {vertex: name for edge, name in harbor_at_edge.items() for vertex in EDGE_VERTICES[edge]}
    corners = [_with(_corner(vertex, yields), harbor_at_vertex.get(vertex)) for vertex in VERTICES]
    edge_positions = [_middle(*(VERTEX_POSITIONS[vertex] for vertex in ends)) for ends in EDGE_VERTICES]
    return Places(
        _distinct([f"{terrain} {token}" if token else terrain for terrain, _, token in hexes], HEX_POSITIONS),
        _distinct(corners, VERTEX_POSITIONS),
        _distinct(
            [_with(_path(edge, edge_positions[edge], yields), harbor_at_edge.get(edge)) for edge in EDGES],
            edge_positions,
        ),
    )


def _harbor(kind: str) -> str:
    return "3:1 harbor" if kind == "generic" else f"2:1 {kind} harbor"


def _with(name: str, harbor: str | None) -> str:
    return f"{name}, {harbor}" if harbor else name


def _corner(vertex: int, yields: Sequence[str]) -> str:
    hexes = VERTEX_HEXES[vertex]
    if len(hexes) == 1:
        return f"{_wind(HEX_POSITIONS[hexes[0]], VERTEX_POSITIONS[vertex])} corner of {yields[hexes[0]]}"
    return f"corner of {', '.join(_in_order(hexes, yields))}"


def _path(edge: int, position: tuple[float, float], yields: Sequence[str]) -> str:
    one_end, other_end = EDGE_VERTICES[edge]
    beside = [h for h in HEXES if h in VERTEX_HEXES[one_end] and h in VERTEX_HEXES[other_end]]
    if len(beside) == 1:
        return f"coast path {_wind(HEX_POSITIONS[beside[0]], position)} of {yields[beside[0]]}"
    return f"path between {' and '.join(_in_order(beside, yields))}"


def _in_order(hexes: Sequence[int], yields: Sequence[str]) -> list[str]:
    """By number, the desert last: the same hexes are then always named alike."""
    return sorted((yields[h] for h in hexes), key=lambda name: (not name[0].isdigit(), len(name.split()[0]), name))


def _middle(a: tuple[int, int], b: tuple[int, int]) -> tuple[float, float]:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _wind(start: tuple[float, float], end: tuple[float, float]) -> str:
    """The direction from one place to another, of eight."""
    dx, dy = ((end[axis] - start[axis]) * _GRID[axis] for axis in (0, 1))
    return _WINDS[round(atan2(dy, dx) / (pi / 4)) % 8]


def _distinct(names: Sequence[str], positions: Sequence[tuple[float, float]]) -> tuple[str, ...]:
    """Places that would share a name are told apart by where on the island they lie."""
    shared = Counter(names)
    named: list[str] = []
    for name, position in zip(names, positions, strict=True):
        if shared[name] > 1:
            twins = [other for other, twin in zip(positions, names, strict=True) if twin == name]
            middle = (sum(x for x, _ in twins) / len(twins), sum(y for _, y in twins) / len(twins))
            where = "middle" if position == middle else f"{_wind(middle, position)}ern"
            named.append(f"{name}, the {where} one")
        else:
            named.append(name)
    return tuple(named)
