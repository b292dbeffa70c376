"""The strongest player: it values positions, looks through its whole turn, and trades for what helps it most."""

from __future__ import annotations

from random import Random
from typing import Final

from games.rules import Move, View

from .memory import Memory
from .mind import think
from .search import Effort

EFFORT: Final = Effort(width=6, positions=250, terms=6)


def choose(view: View, memory: Memory, source: Random) -> Move | None:
    """The move of the viewer's seat, or ``None`` when nothing is asked of it."""
    return think(view, memory, source, EFFORT)
