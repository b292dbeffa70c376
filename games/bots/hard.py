"""The strongest player: it values positions, looks through its whole turn, and trades for what helps it most."""

from __future__ import annotations

from random import Random
from typing import Final

from games.rules import Move, View

from .considering import Consideration
from .gains import gains
from .imagining import imagine
from .memory import Memory
from .mind import Mind, think
from .search import Effort

EFFORT: Final = Effort(width=6, positions=250, terms=6)

#: What costs more of the chance to win than this, beside the best move, nobody would consider.
CLOSE: Final = 0.2


def choose(view: View, memory: Memory, source: Random) -> Move | None:
    """The move of the viewer's seat, or ``None`` when nothing is asked of it."""
    return think(view, memory, source, EFFORT)


def consider(view: View, memory: Memory, source: Random, most: int = 3) -> list[Consideration]:
    """The moves that are worth a thought, the best first, and what each is good for."""
    if not view["choices"]:
        return []
    mind = Mind(imagine(view, memory, source), memory, EFFORT)
    lines = mind.lines()[:most]
    return [
        Consideration(line.moves[0], line.worth, gains(mind, line.moves[0]))
        for line in lines
        if line.worth >= lines[0].worth - CLOSE
    ]
