"""The cards and pieces of the box: resources, development cards, building costs, supplies.

Resources and development cards are small integers, so that a hand is a flat list of counts; their
names are for people and for JSON. A *bundle* counts both kinds at once, resources first: what is
given or asked for in a trade.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

Resource: TypeAlias = int
#: One of the five kinds of development card.
CardKind: TypeAlias = int
#: Counts of the five resources.
Resources: TypeAlias = tuple[int, int, int, int, int]
#: Counts of the five resources, then of the five kinds of development card.
Bundle: TypeAlias = tuple[int, ...]
#: Cards by their names, as many as there are of each.
Counts: TypeAlias = dict[str, int]

BRICK, LUMBER, WOOL, GRAIN, ORE = range(5)
RESOURCE_NAMES: Final = ("brick", "lumber", "wool", "grain", "ore")
RESOURCES: Final = range(5)

KNIGHT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY, VICTORY_POINT = range(5)
CARD_NAMES: Final = ("knight", "road_building", "year_of_plenty", "monopoly", "victory_point")

#: What the box holds of each.
RESOURCE_SUPPLY: Final = 19
CARD_SUPPLY: Final = (14, 2, 2, 2, 5)
DECK: Final = tuple(kind for kind, count in enumerate(CARD_SUPPLY) for _ in range(count))

#: Pieces of each player.
ROADS: Final = 15
SETTLEMENTS: Final = 5
CITIES: Final = 4

ROAD_COST: Final[Resources] = (1, 1, 0, 0, 0)
SETTLEMENT_COST: Final[Resources] = (1, 1, 1, 1, 0)
CITY_COST: Final[Resources] = (0, 0, 0, 2, 3)
CARD_COST: Final[Resources] = (0, 0, 1, 1, 1)
BUILDING_COSTS: Final[Mapping[str, Resources]] = {
    "road": ROAD_COST,
    "settlement": SETTLEMENT_COST,
    "city": CITY_COST,
    "development_card": CARD_COST,
}

BUNDLE_NAMES: Final = RESOURCE_NAMES + CARD_NAMES


def named(counts: Iterable[int]) -> Counts:
    """Counts of resources, or a bundle, as the names and numbers of what is there."""
    return {name: count for name, count in zip(BUNDLE_NAMES, counts, strict=False) if count}


def ways_to_take(hand: Sequence[int], count: int) -> Iterator[Resources]:
    """All ways to take this many cards from a hand."""
    brick, lumber, wool, grain, ore = hand
    for a in range(min(brick, count) + 1):
        for b in range(min(lumber, count - a) + 1):
            for c in range(min(wool, count - a - b) + 1):
                rest = count - a - b - c
                for d in range(max(0, rest - ore), min(grain, rest) + 1):
                    yield a, b, c, d, rest - d
