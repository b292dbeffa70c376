"""The island of one game: terrain and number tokens on the hexes, harbors on the docks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from typing_extensions import TypedDict

from . import topology
from .cards import BRICK, GRAIN, LUMBER, ORE, RESOURCES, WOOL, Resource
from .chance import Chance, shuffled
from .topology import DOCKS, HEX_NEIGHBORS, HEXES, BitSet, Hex

#: The boards a host may choose, see :data:`LAYOUTS`.
Layout = Literal["beginner", "variable", "random", "balanced"]

TERRAIN_NAMES: Final = ("hills", "forest", "pasture", "fields", "mountains", "desert")
#: A terrain is numbered like the resource it produces; the desert produces none.
DESERT: Final = 5
TERRAINS: Final = (BRICK,) * 3 + (LUMBER,) * 4 + (WOOL,) * 4 + (GRAIN,) * 4 + (ORE,) * 3 + (DESERT,)

#: The number tokens by their letters, A to R.
TOKENS: Final = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
NO_TOKEN: Final = 0

#: A harbor is numbered like the resource it trades two for one; a generic one trades three.
GENERIC: Final = 5
HARBORS: Final = (GENERIC,) * 4 + tuple(RESOURCES)
HARBOR_NAMES: Final = ("brick", "lumber", "wool", "grain", "ore", "generic")

#: In how many of the 36 rolls a number comes up: the dots on its token.
PIPS: Final = {number: 6 - abs(7 - number) for number in range(2, 13) if number != 7}
RED_NUMBERS: Final = (6, 8)


class BoardError(ValueError):
    """There is no such board."""


class WrittenBoard(TypedDict):
    terrains: list[str]
    tokens: list[int]
    harbors: list[str]


@dataclass(frozen=True, slots=True)
class Board:
    """Terrain and token of each hex, harbor of each dock."""

    terrains: tuple[int, ...]
    tokens: tuple[int, ...]
    harbors: tuple[int, ...]
    #: The hexes that produce on a roll, by its number.
    producing: tuple[tuple[Hex, ...], ...] = field(init=False, compare=False, repr=False)
    desert: Hex = field(init=False, compare=False, repr=False)
    _harbor_vertices: BitSet = field(init=False, compare=False, repr=False)
    _rates: dict[BitSet, tuple[int, ...]] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if sorted(self.terrains) != sorted(TERRAINS):
            raise BoardError("A board has the 19 hexes of the box.")
        if sorted(self.harbors) != sorted(HARBORS):
            raise BoardError("A board has the 9 harbors of the box.")
        desert = self.terrains.index(DESERT)
        if len(self.tokens) != len(HEXES) or self.tokens[desert] != NO_TOKEN:
            raise BoardError("Every hex but the desert has a number token.")
        if sorted(self.tokens) != sorted((NO_TOKEN, *TOKENS)):
            raise BoardError("A board has the 18 number tokens of the box.")
        producing = tuple(
            tuple(h for h in HEXES if self.tokens[h] == number and number != NO_TOKEN) for number in range(13)
        )
        docked = 0
        for dock in DOCKS:
            docked |= topology.EDGE_VERTEX_SET[dock]
        # A frozen dataclass sets its derived fields this way.
        object.__setattr__(self, "producing", producing)
        object.__setattr__(self, "desert", desert)
        object.__setattr__(self, "_harbor_vertices", docked)
        object.__setattr__(self, "_rates", {})

    def maritime_rates(self, buildings: BitSet) -> tuple[int, ...]:
        """How many cards of each resource buy one of the bank, for the owner of these buildings.

        Asked at every turn, so the answer for each set of harbors is kept.
        """
        docked = buildings & self._harbor_vertices
        if docked not in self._rates:
            self._rates[docked] = tuple(self._rate(resource, docked) for resource in RESOURCES)
        return self._rates[docked]

    def _rate(self, resource: Resource, docked: BitSet) -> int:
        reached = {
            harbor for dock, harbor in zip(DOCKS, self.harbors, strict=True) if docked & topology.EDGE_VERTEX_SET[dock]
        }
        if resource in reached:
            return 2
        return 3 if GENERIC in reached else 4

    def to_json(self) -> WrittenBoard:
        return {
            "terrains": [TERRAIN_NAMES[terrain] for terrain in self.terrains],
            "tokens": list(self.tokens),
            "harbors": [HARBOR_NAMES[harbor] for harbor in self.harbors],
        }

    @staticmethod
    def from_json(data: Any) -> Board:
        try:
            terrains = tuple(TERRAIN_NAMES.index(name) for name in data["terrains"])
            tokens = tuple(int(token) for token in data["tokens"])
            harbors = tuple(HARBOR_NAMES.index(name) for name in data["harbors"])
        except (KeyError, TypeError, ValueError) as error:
            raise BoardError("This is not a board.") from error
        return Board(terrains, tokens, harbors)


def _rows(*hexes: tuple[int, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(terrain for terrain, _ in hexes), tuple(token for _, token in hexes)


#: The fixed layout for the first games, by rows from the top left.
BEGINNER: Final = Board(
    *_rows(
        *((ORE, 10), (WOOL, 2), (LUMBER, 9)),
        *((GRAIN, 12), (BRICK, 6), (WOOL, 4), (BRICK, 10)),
        *((GRAIN, 9), (LUMBER, 11), (DESERT, NO_TOKEN), (LUMBER, 3), (ORE, 8)),
        *((LUMBER, 8), (ORE, 3), (GRAIN, 4), (WOOL, 5)),
        *((BRICK, 5), (GRAIN, 6), (WOOL, 11)),
    ),
    (GENERIC, GRAIN, ORE, GENERIC, WOOL, GENERIC, GENERIC, BRICK, LUMBER),
)


def beginner(_: Chance) -> Board:
    return BEGINNER


def variable(chance: Chance) -> Board:
    """Shuffled terrain and harbors; tokens A to R in a spiral that skips the desert."""
    terrains = shuffled(TERRAINS, chance)
    corners = topology.CORNER_HEXES
    path = topology.spiral(corners[chance.below(len(corners))])
    tokens = [NO_TOKEN] * len(HEXES)
    with_token = [h for h in path if terrains[h] != DESERT]
    for h, token in zip(with_token, TOKENS, strict=True):
        tokens[h] = token
    return Board(tuple(terrains), tuple(tokens), tuple(shuffled(HARBORS, chance)))


def random(chance: Chance) -> Board:
    """Everything shuffled, the tokens too."""
    terrains = shuffled(TERRAINS, chance)
    return Board(tuple(terrains), _shuffled_tokens(terrains, chance), tuple(shuffled(HARBORS, chance)))


def balanced(chance: Chance) -> Board:
    """Random, but fair to look at: each part is shuffled again until it is."""
    terrains = shuffled(TERRAINS, chance)
    while has_bunched_resource(terrains):
        terrains = shuffled(TERRAINS, chance)
    tokens = _shuffled_tokens(terrains, chance)
    while has_red_neighbors(tokens):
        tokens = _shuffled_tokens(terrains, chance)
    harbors = shuffled(HARBORS, chance)
    while has_harbor_at_its_best_hex(terrains, tokens, harbors):
        harbors = shuffled(HARBORS, chance)
    return Board(tuple(terrains), tokens, tuple(harbors))


def _shuffled_tokens(terrains: Sequence[int], chance: Chance) -> tuple[int, ...]:
    tokens = shuffled(TOKENS, chance)
    tokens.insert(terrains.index(DESERT), NO_TOKEN)
    return tuple(tokens)


def has_bunched_resource(terrains: Sequence[int]) -> bool:
    """Three hexes of one resource hang together."""
    return any(sum(terrains[other] == terrains[h] for other in HEX_NEIGHBORS[h]) >= 2 for h in HEXES)


def has_red_neighbors(tokens: Sequence[int]) -> bool:
    """A 6 or 8 lies beside a 6 or 8."""
    return any(tokens[h] in RED_NUMBERS and tokens[other] in RED_NUMBERS for h in HEXES for other in HEX_NEIGHBORS[h])


def has_harbor_at_its_best_hex(terrains: Sequence[int], tokens: Sequence[int], harbors: Sequence[int]) -> bool:
    """A special harbor docks at a hex that produces its resource as often as any does."""
    for dock, harbor in zip(DOCKS, harbors, strict=True):
        if harbor == GENERIC:
            continue
        best = max(PIPS[tokens[h]] for h in HEXES if terrains[h] == harbor)
        for vertex in topology.EDGE_VERTICES[dock]:
            for h in topology.VERTEX_HEXES[vertex]:
                if terrains[h] == harbor and PIPS[tokens[h]] == best:
                    return True
    return False


#: How each board is laid, see :func:`lay`.
LAYOUTS: Final[Mapping[Layout, Callable[[Chance], Board]]] = {
    "beginner": beginner,
    "variable": variable,
    "random": random,
    "balanced": balanced,
}


def lay(layout: Layout, chance: Chance) -> Board:
    if layout not in LAYOUTS:
        raise BoardError(f"There is no board {layout!r}. Boards: {', '.join(LAYOUTS)}.")
    return LAYOUTS[layout](chance)
