"""The strongest player."""

from __future__ import annotations

from random import Random

from games.rules import Move, View, moves
from games.rules.views import listed

from . import builder
from .considering import Consideration, Gain, GainKind
from .memory import Memory
from .position import Position

#: What each kind of move is mostly good for.
_GOOD_FOR: dict[str, tuple[GainKind, ...]] = {
    "build_settlement": ("production", "variety", "harbor", "points", "denial"),
    "build_city": ("points", "production"),
    "build_road": ("site", "longest_road"),
    "move_robber": ("robber",),
    "steal": ("robber",),
    "buy_card": ("cards", "largest_army"),
    "play_knight": ("largest_army", "robber"),
    "play_victory_point": ("points",),
}


def consider(view: View, memory: Memory, source: Random, most: int = 3) -> list[Consideration]:
    """The moves that are worth a thought, the best first."""
    first = builder.choose(view, source)
    if first is None:
        return []
    others = sorted((move for move in _of_kind(view, first) if move != first), key=lambda move: -_worth(view, move))
    return [
        Consideration(move, 0.3 - place / 100, tuple(Gain(kind, 1) for kind in _GOOD_FOR.get(move.kind, ("hand",))))
        for place, move in enumerate([first, *others][:most])
    ]


def _of_kind(view: View, first: Move) -> list[Move]:
    ways = listed(view["choices"]).get(first.kind, [])
    return [moves.from_json({"kind": first.kind, "seat": first.seat, **way}) for way in ways]


def _worth(view: View, move: Move) -> float:
    vertex = getattr(move, "vertex", None)
    return 0.0 if vertex is None else Position(view).worth(vertex)
