"""A game in figures: how the dice fell and whose cards went where; at its end, who won by what and how points grew.

The two charts are drawn here as numbers; the template only writes them down.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from games.page import Page, Player
from games.rules.events import Seen
from games.rules.views import View

#: In how many of 36 rolls each number comes up.
CHANCES: Final = {number: 6 - abs(7 - number) for number in range(2, 13)}

#: The plot of a chart, and where its corner lies.
WIDTH, HEIGHT = 440.0, 180.0
LEFT, TOP = 28.0, 12.0

_CITY_POINTS: Final = 2
_AWARD_POINTS: Final = 2


class Source(NamedTuple):
    """Points of one kind, and what they are for: "3 cities" are six."""

    points: int
    what: str


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the points of a player come from."""

    player: Player
    #: The player's own page, if there is one.
    address: str
    settlements: Source
    cities: Source
    road: Source
    army: Source
    cards: Source


class Line(NamedTuple):
    """How the points of a player grew."""

    player: Player
    path: str
    end: tuple[float, float]


class Rule(NamedTuple):
    points: int
    y: float


class PointsChart(NamedTuple):
    lines: list[Line]
    rules: list[Rule]
    turns: int


class Bar(NamedTuple):
    """How often a number was rolled, and was to be expected."""

    number: int
    rolled: int
    expected: float
    x: float
    middle: float
    width: float
    y: float
    height: float
    expected_y: float


class DiceChart(NamedTuple):
    total: int
    bars: list[Bar]


class Summary(NamedTuple):
    sources: list[Sources]
    points: PointsChart
    dice: DiceChart


def summary(page: Page, events: Sequence[Seen], addresses: Mapping[int, str]) -> Summary:
    return Summary(
        sources=[_sources(page, seat, addresses.get(seat, "")) for seat in _by_points(page)],
        points=_points_chart(page, points_by_turn(page, events)),
        dice=dice_chart(events),
    )


def _by_points(page: Page) -> list[int]:
    return sorted(page["order"], key=lambda seat: (seat != page["winner"], -page["seats"][seat]["points"]))


def _sources(page: Page, seat: int, address: str) -> Sources:
    player = page["seats"][seat]
    settlements, cities = len(player["settlements"]), len(player["cities"])
    road = _AWARD_POINTS * (page["longest_road"] == seat)
    army = _AWARD_POINTS * (page["largest_army"] == seat)
    cards = player["points"] - settlements - _CITY_POINTS * cities - road - army
    return Sources(
        player=player,
        address=address,
        settlements=Source(settlements, _counted(settlements, "settlement", "settlements")),
        cities=Source(_CITY_POINTS * cities, _counted(cities, "city", "cities")),
        road=Source(road, "Longest Road"),
        army=Source(army, "Largest Army"),
        cards=Source(cards, _counted(cards, "point card", "point cards")),
    )


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


# Points over turns


def points_by_turn(view: View, events: Iterable[Seen]) -> list[list[int]]:
    """For each seat its points at the start, after each turn and at the end.

    Hidden points are added at the end alone: until then nobody knew of them.
    """
    points = [0] * len(view["seats"])
    lines: list[list[int]] = [[0] for _ in points]
    for event in events:
        for seat, change in _changes(event):
            points[seat] += change
        if event["kind"] == "turn_began":
            for line, now in zip(lines, points, strict=True):
                line.append(now)
    for line, shown in zip(lines, view["seats"], strict=True):
        line.append(shown["points"])
    return lines


def _changes(event: Seen) -> Iterator[tuple[int, int]]:
    """Whose points an event changes, and by how much."""
    match event["kind"]:
        case "built_settlement" | "built_city":
            yield event["seat"], 1
        case "played_card" if event["card"] == "victory_point":
            yield event["seat"], 1
        case "longest_road" | "largest_army":
            for seat, change in ((event["seat"], _AWARD_POINTS), (event["from"], -_AWARD_POINTS)):
                if seat >= 0:
                    yield seat, change


def _points_chart(page: Page, lines: list[list[int]]) -> PointsChart:
    most = max(max(line) for line in lines)
    turns = len(lines[0]) - 1

    def at(turn: int, points: int) -> tuple[float, float]:
        return LEFT + WIDTH * turn / turns, TOP + HEIGHT * (1 - points / most)

    def path(line: list[int]) -> str:
        return " ".join("{:.1f},{:.1f}".format(*at(turn, now)) for turn, now in enumerate(line))

    return PointsChart(
        lines=[
            Line(player, path(line), at(turns, line[-1])) for player, line in zip(page["seats"], lines, strict=True)
        ],
        rules=[Rule(points, at(0, points)[1]) for points in range(0, most + 1, 2)],
        turns=turns - 1,
    )


# Cards


@dataclass(slots=True)
class Fortune:
    """What became of a player's cards, but for what was spent and traded."""

    player: Player
    got: int = 0
    discarded: int = 0
    lost: int = 0
    took: int = 0


def fortunes(page: Page, events: Iterable[Seen]) -> list[Fortune]:
    """In the order of play."""
    by_seat = {seat: Fortune(page["seats"][seat]) for seat in page["order"]}
    for event in events:
        match event["kind"]:
            case "received" | "starting_resources":
                by_seat[event["seat"]].got += sum(event["resources"].values())
            case "discarded":
                by_seat[event["seat"]].discarded += sum(event["resources"].values())
            case "stole" | "monopolized":
                by_seat[event["seat"]].took += event["count"]
                by_seat[event["victim"]].lost += event["count"]
    return list(by_seat.values())


# Dice


def dice_chart(events: Iterable[Seen]) -> DiceChart:
    """Bars for what was rolled, and a mark on each for what was to be expected."""
    rolls = Counter(sum(event["dice"]) for event in events if event["kind"] == "rolled")
    total = sum(rolls.values())
    expected = {number: total * chance / 36 for number, chance in CHANCES.items()}
    most = max(*rolls.values(), *expected.values(), 1)
    step = WIDTH / len(CHANCES)
    return DiceChart(
        total,
        [
            Bar(
                number=number,
                rolled=rolls[number],
                expected=round(expected[number], 1),
                x=LEFT + step * place + step * 0.15,
                middle=LEFT + step * (place + 0.5),
                width=step * 0.7,
                y=TOP + HEIGHT * (1 - rolls[number] / most),
                height=HEIGHT * rolls[number] / most,
                expected_y=TOP + HEIGHT * (1 - expected[number] / most),
            )
            for place, number in enumerate(CHANCES)
        ],
    )
