"""Where everything lies on the drawn board, in the units of its art: a hex measures 60 from its centre to a vertex."""

from math import atan2, degrees, hypot
from typing import Any, Final

from games.rules import View
from games.rules.topology import DOCKS, EDGE_VERTICES, HEX_POSITIONS, HEX_VERTICES, VERTEX_POSITIONS
from games.rules.views import Choices, listed

#: The grid's steps: half a hex's width and half its side.
_STEP_X: Final = 30 * 3**0.5
_STEP_Y: Final = 30.0
#: How far off the coast a harbour's ship lies.
_OFF_COAST: Final = 45.0


def _point(position: tuple[int, int]) -> tuple[float, float]:
    return position[0] * _STEP_X, position[1] * _STEP_Y


def _translate(x: float, y: float, turn: float | None = None) -> str:
    moved = f"translate({x:.1f} {y:.1f})"
    return moved if turn is None else f"{moved} rotate({turn:.0f})"


def _edge(ends: tuple[int, int]) -> str:
    (x1, y1), (x2, y2) = (_point(VERTEX_POSITIONS[vertex]) for vertex in ends)
    return _translate((x1 + x2) / 2, (y1 + y2) / 2, degrees(atan2(y2 - y1, x2 - x1)) % 180)


def _dock(edge: int) -> tuple[str, str]:
    """Where a harbour's ship lies, and the same turned so that its piers reach the two vertices."""
    ends = EDGE_VERTICES[edge]
    (x1, y1), (x2, y2) = (_point(VERTEX_POSITIONS[vertex]) for vertex in ends)
    middle_x, middle_y = (x1 + x2) / 2, (y1 + y2) / 2
    land = next(h for h, corners in enumerate(HEX_VERTICES) if set(ends) <= set(corners))
    land_x, land_y = _point(HEX_POSITIONS[land])
    out_x, out_y = middle_x - land_x, middle_y - land_y
    reach = _OFF_COAST / hypot(out_x, out_y)
    x, y = middle_x + out_x * reach, middle_y + out_y * reach
    return _translate(x, y), _translate(x, y, degrees(atan2(out_x, -out_y)) % 360)


HEX_TRANSFORMS: Final = tuple(_translate(*_point(position)) for position in HEX_POSITIONS)
VERTEX_TRANSFORMS: Final = tuple(_translate(*_point(position)) for position in VERTEX_POSITIONS)
EDGE_TRANSFORMS: Final = tuple(_edge(ends) for ends in EDGE_VERTICES)
DOCK_TRANSFORMS: Final = {edge: _dock(edge) for edge in DOCKS}


def board(view: View, colours: tuple[str, ...]) -> dict[str, Any]:
    """A view's board, ready for the template: every part with its place."""
    marks = _marks(view["choices"])
    return {
        "hexes": [
            h | {"transform": transform, "id": f"hex-{number}", "mark": marks.get(f"hex-{number}")}
            for number, (h, transform) in enumerate(zip(view["board"]["hexes"], HEX_TRANSFORMS, strict=True))
        ],
        "harbors": [
            {"kind": harbor["kind"], "ship": ship, "piers": piers}
            for harbor in view["board"]["harbors"]
            for ship, piers in [DOCK_TRANSFORMS[harbor["edge"]]]
        ],
        "robber": HEX_TRANSFORMS[view["robber"]] if view["rules"]["robber"] else None,
        "edges": _places("edge", EDGE_TRANSFORMS, marks),
        "vertices": _places("vertex", VERTEX_TRANSFORMS, marks),
        "roads": [
            {"key": f"road-{edge}", "colour": colour, "transform": EDGE_TRANSFORMS[edge]}
            for seat, colour in zip(view["seats"], colours, strict=False)
            for edge in seat["roads"]
        ],
        "buildings": [
            {"key": f"{kind}-{vertex}", "kind": kind, "colour": colour, "transform": VERTEX_TRANSFORMS[vertex]}
            for seat, colour in zip(view["seats"], colours, strict=False)
            for kind, vertices in (("settlement", seat["settlements"]), ("city", seat["cities"]))
            for vertex in vertices
        ],
    }


def _places(kind: str, transforms: tuple[str, ...], marks: dict[str, int]) -> list[dict[str, Any]]:
    return [
        {"id": f"{kind}-{number}", "transform": transform, "mark": marks.get(f"{kind}-{number}")}
        for number, transform in enumerate(transforms)
    ]


#: The moves that are made by pressing a place, and what kind of place.
PLACE_MOVES: Final = {
    "build_settlement": "vertex",
    "build_city": "vertex",
    "build_road": "edge",
    "move_robber": "hex",
}


def _marks(choices: Choices) -> dict[str, int]:
    """The legal places, numbered as the plain forms number them."""
    return {
        f"{place}-{arguments[place]}": number
        for kind, place in PLACE_MOVES.items()
        for number, arguments in enumerate(listed(choices).get(kind, []), start=1)
    }
