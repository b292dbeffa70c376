"""Where everything lies on the drawn board, in the units of its art: a hex measures 60 from its centre to a vertex."""

from collections.abc import Mapping, Sequence
from math import atan2, degrees, hypot
from typing import Final, NamedTuple

from typing_extensions import TypedDict

from games.rules import RuleSet
from games.rules.events import Seen
from games.rules.topology import DOCKS, EDGE_VERTICES, HEX_POSITIONS, HEX_VERTICES, VERTEX_POSITIONS
from games.rules.views import BoardView, Choices, View, listed
from games.words_help import harbor_words, hex_words

#: The grid's steps: half a hex's width and half its side.
_STEP_X: Final = 30 * 3**0.5
_STEP_Y: Final = 30.0
#: How far off the coast a harbor's ship lies.
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
    """Where a harbor's ship lies, and the same turned so that its piers reach the two vertices."""
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


class Part(NamedTuple):
    """Something on the drawn board: what it is, and where it lies."""

    key: str
    kind: str
    transform: str
    colour: str = ""
    #: The number of a place that can be pressed.
    mark: int | None = None


class Land(NamedTuple):
    terrain: str
    token: int | None
    transform: str
    words: str


class Dock(NamedTuple):
    kind: str
    ship: str
    piers: str
    words: str


class Island(NamedTuple):
    """The land and the harbors, which nobody has touched yet."""

    lands: list[Land]
    harbors: list[Dock]


def island(board: BoardView, rules: RuleSet) -> Island:
    return Island(
        lands=[
            Land(shown["terrain"], shown["token"], transform, hex_words(**shown))
            for shown, transform in zip(board["hexes"], HEX_TRANSFORMS, strict=True)
        ],
        harbors=[
            Dock(harbor["kind"], *DOCK_TRANSFORMS[harbor["edge"]], harbor_words(harbor["kind"], rules))
            for harbor in board["harbors"]
        ],
    )


class Drawing(NamedTuple):
    """The board, ready for the template: every part with its place."""

    lands: list[Land]
    harbors: list[Dock]
    roads: list[Part]
    buildings: list[Part]
    robber: str | None
    places: list[Part]


def board(view: View, colours: Sequence[str]) -> Drawing:
    marks = {place["id"]: place["number"] for place in place_choices(view["choices"])}
    lands, harbors = island(view["board"], RuleSet.from_json(view["rules"]))
    transforms = (("hex", HEX_TRANSFORMS), ("edge", EDGE_TRANSFORMS), ("vertex", VERTEX_TRANSFORMS))
    return Drawing(
        lands=lands,
        harbors=harbors,
        roads=[
            Part(f"road-{edge}", "road", EDGE_TRANSFORMS[edge], colours[seat["seat"]])
            for seat in view["seats"]
            for edge in seat["roads"]
        ],
        buildings=[
            Part(f"{kind}-{vertex}", kind, VERTEX_TRANSFORMS[vertex], colours[seat["seat"]])
            for seat in view["seats"]
            for kind, vertices in (("settlement", seat["settlements"]), ("city", seat["cities"]))
            for vertex in vertices
        ],
        robber=HEX_TRANSFORMS[view["robber"]] if view["rules"]["robber"] else None,
        places=[
            Part(key := f"{kind}-{number}", kind, transform, mark=marks.get(key))
            for kind, each in transforms
            for number, transform in enumerate(each)
        ],
    )


# Places that can be pressed


class PlaceChoice(TypedDict):
    """A place, and the move that pressing it stands for."""

    id: str
    #: As the plain forms number the places of a kind of move.
    number: int
    kind: str
    move: Mapping[str, object]


#: The moves that are made by pressing a place, and what kind of place.
_PLACE_MOVES: Final = {
    "build_settlement": "vertex",
    "build_city": "vertex",
    "build_road": "edge",
    "move_robber": "hex",
}


def place_choices(choices: Choices) -> list[PlaceChoice]:
    return [
        {"id": f"{place}-{way[place]}", "number": number, "kind": kind, "move": {"kind": kind, **way}}
        for kind, place in _PLACE_MOVES.items()
        for number, way in enumerate(listed(choices).get(kind, []), start=1)
    ]


def places_of(event: Seen) -> list[str]:
    """The places on the board that an event is about."""
    return [f"{place}-{number}" for place in ("hex", "vertex", "edge") if (number := event.get(place)) is not None]
