"""Small charts, drawn here: lines of an SVG, and the same in words for whoever does not see them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

#: The drawing's own units; pages stretch it to their width.
WIDTH: Final = 300
HEIGHT: Final = 60


@dataclass(frozen=True)
class Point:
    at: datetime
    value: float


@dataclass(frozen=True)
class Chart:
    line: str
    area: str
    words: str
    most: str

    width: int = WIDTH
    height: int = HEIGHT


def draw(name: str, points: Sequence[Point], since: datetime, until: datetime, step: timedelta) -> Chart | None:
    """One line over time, from nothing up to the most there was. Where samples are missing, so is the line."""
    if len(points) < 2:
        return None
    most = max(point.value for point in points)
    length = (until - since) / timedelta(seconds=1)

    def place(point: Point) -> tuple[float, float]:
        across = (point.at - since) / timedelta(seconds=1) / length
        return round(WIDTH * across, 1), round(HEIGHT - HEIGHT * (point.value / most if most else 0), 1)

    pieces = [[place(point) for point in piece] for piece in _pieces(points, step)]
    return Chart(
        line=" ".join(_path(piece) for piece in pieces),
        area=" ".join(f"{_path(piece)}V{HEIGHT}H{piece[0][0]:g}Z" for piece in pieces),
        words=f"{name}: at first {_said(points[0].value)}, at most {_said(most)}, "
        f"at least {_said(min(point.value for point in points))}, now {_said(points[-1].value)}.",
        most=_said(most),
    )


def _pieces(points: Sequence[Point], step: timedelta) -> list[list[Point]]:
    pieces: list[list[Point]] = []
    for point in points:
        if pieces and point.at - pieces[-1][-1].at <= step:
            pieces[-1].append(point)
        else:
            pieces.append([point])
    # A line of one point is not to be seen: it lies where it is for a moment.
    return [piece if len(piece) > 1 else [*piece, *piece] for piece in pieces]


def _path(piece: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{across:g} {up:g}" for across, up in piece)


def _said(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.1f}"
