"""A finished game in figures: who won by what, how the points grew, how the dice fell.

The two charts are drawn here as numbers; the template only writes them down.
"""

from collections import Counter
from typing import Any, Final

#: In how many of 36 rolls each number comes up.
CHANCES: Final = {number: 6 - abs(7 - number) for number in range(2, 13)}

#: The plot of a chart, and where its corner lies.
WIDTH, HEIGHT = 440.0, 180.0
LEFT, TOP = 28.0, 12.0

_AWARD_POINTS: Final = 2


def summary(page: dict[str, Any], moves: list[dict[str, Any]]) -> dict[str, Any]:
    events = [event for move in moves for event in move["events"]]
    return {
        "sources": [_sources(page, seat) for seat in _by_points(page["view"])],
        "points": _points_chart(page, points_by_turn(page["view"], events)),
        "dice": _dice_chart(events),
    }


def _by_points(view: dict[str, Any]) -> list[int]:
    return sorted(view["order"], key=lambda seat: (seat != view["winner"], -view["seats"][seat]["points"]))


def _sources(page: dict[str, Any], seat: int) -> dict[str, Any]:
    """Where the points of a seat come from."""
    view, shown = page["view"], page["view"]["seats"][seat]
    sources = {
        "settlement_points": len(shown["settlements"]),
        "city_points": 2 * len(shown["cities"]),
        "road_points": _AWARD_POINTS * (view["longest_road"] == seat),
        "army_points": _AWARD_POINTS * (view["largest_army"] == seat),
    }
    return {**page["seats"][seat], **shown, **sources, "card_points": shown["points"] - sum(sources.values())}


# Points over turns


def points_by_turn(view: dict[str, Any], events: list[dict[str, Any]]) -> list[list[int]]:
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


def _changes(event: dict[str, Any]) -> list[tuple[int, int]]:
    """Whose points an event changes, and by how much."""
    match event["kind"]:
        case "built_settlement" | "built_city":
            return [(event["seat"], 1)]
        case "played_card" if event["card"] == "victory_point":
            return [(event["seat"], 1)]
        case "longest_road" | "largest_army":
            both = (event["seat"], _AWARD_POINTS), (event["from"], -_AWARD_POINTS)
            return [(seat, change) for seat, change in both if seat >= 0]
    return []


def _points_chart(page: dict[str, Any], lines: list[list[int]]) -> dict[str, Any]:
    most = max(max(line) for line in lines)
    turns = len(lines[0]) - 1

    def at(turn: int, points: int) -> tuple[float, float]:
        return LEFT + WIDTH * turn / turns, TOP + HEIGHT * (1 - points / most)

    return {
        "lines": [
            {
                "colour": seat["colour"],
                "emblem": seat["emblem"],
                "name": seat["name"],
                "path": " ".join("{:.1f},{:.1f}".format(*at(turn, now)) for turn, now in enumerate(line)),
                "end": at(turns, line[-1]),
            }
            for seat, line in zip(page["seats"], lines, strict=True)
        ],
        "rules": [{"points": points, "y": at(0, points)[1]} for points in range(0, most + 1, 2)],
        "turns": turns - 1,
    }


# Dice


def _dice_chart(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Bars for what was rolled, and a mark on each for what was to be expected."""
    rolls = Counter(sum(event["dice"]) for event in events if event["kind"] == "rolled")
    total = sum(rolls.values())
    expected = {number: total * chance / 36 for number, chance in CHANCES.items()}
    most = max(*rolls.values(), *expected.values(), 1)
    step = WIDTH / len(CHANCES)
    return {
        "total": total,
        "bars": [
            {
                "number": number,
                "rolled": rolls[number],
                "expected": round(expected[number], 1),
                "x": LEFT + step * place + step * 0.15,
                "middle": LEFT + step * (place + 0.5),
                "width": step * 0.7,
                "y": TOP + HEIGHT * (1 - rolls[number] / most),
                "height": HEIGHT * rolls[number] / most,
                "expected_y": TOP + HEIGHT * (1 - expected[number] / most),
            }
            for place, number in enumerate(CHANCES)
        ],
    }
