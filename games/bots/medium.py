"""A player for every day: it judges positions as the hard one does, but looks no further than a move or two ahead."""

from __future__ import annotations

from random import Random
from typing import Final

from games.rules import Move, View

from .memory import Memory
from .mind import think
from .search import Effort

EFFORT: Final = Effort(width=2, positions=40, terms=2)


def choose(view: View, memory: Memory, source: Random) -> Move | None:
    """The move of the viewer's seat, or ``None`` when nothing is asked of it."""
    return think(view, memory, source, EFFORT)
