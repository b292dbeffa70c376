"""What a bot weighs: the moves that it would consider, and what each of them is good for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from games.rules import Move

#: What a move improves, by the part of the valuation.
GainKind: TypeAlias = Literal[
    # Victory points, at once.
    "points",
    # Cards that the dice bring.
    "production",
    # A resource that the seat did not produce.
    "variety",
    # A better rate at the bank.
    "harbor",
    # A place for another settlement comes nearer.
    "site",
    "longest_road",
    "largest_army",
    # Development cards in hand.
    "cards",
    # Cards that bring the next piece nearer, or fewer to lose on a seven.
    "hand",
    # What the robber blocks or frees, and whom that harms.
    "robber",
    # A place that somebody else would have taken.
    "denial",
]


@dataclass(frozen=True, slots=True)
class Gain:
    """By how much a move improves one part of the valuation, against doing nothing."""

    kind: GainKind
    weight: float


@dataclass(frozen=True, slots=True)
class Consideration:
    """A move that is worth a thought."""

    move: Move
    #: How likely the seat is to win after it, from 0 to 1.
    chance: float
    #: What it is good for, the weightiest first.
    gains: tuple[Gain, ...]
