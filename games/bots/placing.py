"""The first two settlements, with the snake in mind: who else will place where, and what is left for the second."""

from __future__ import annotations

from typing import Final

from games.rules import Move, Phase, State, legal_moves, play
from games.rules.moves import BuildSettlement

from .search import NO_CHANCE, Line
from .valuation import Valuation

#: So many corners are tried for a settlement; and for the second one, when only the first is placed.
CORNERS_TRIED: Final = 10
SECOND_CORNERS_TRIED: Final = 5


class Placing:
    """Plays the rest of the setup through, as everybody would at a glance, and values what comes of it."""

    def __init__(self, valuation: Valuation) -> None:
        self.valuation = valuation
        self.seat = valuation.viewer

    def lines(self, state: State) -> list[Line]:
        """The corners, or the paths of the first roads, the best first."""
        if state.phase is Phase.PLACING_SETTLEMENT:
            tried = self._corners(state, CORNERS_TRIED)
        else:
            tried = list(legal_moves(state, self.seat))
        lines = []
        for move in tried:
            after = state.copy()
            play(after, move, NO_CHANCE)
            lines.append(Line((move,), self._worth(after)))
        return sorted(lines, key=lambda line: line.worth, reverse=True)

    def _worth(self, state: State) -> float:
        """What the position is worth when everybody has placed."""
        state = state.copy()
        while state.phase in (Phase.PLACING_SETTLEMENT, Phase.PLACING_ROAD):
            if state.active == self.seat and state.phase is Phase.PLACING_SETTLEMENT:
                return max(self._after(state, move) for move in self._corners(state, SECOND_CORNERS_TRIED))
            play(state, self._at_a_glance(state), NO_CHANCE)
        return self.valuation.chance(state)

    def _after(self, state: State, move: Move) -> float:
        after = state.copy()
        play(after, move, NO_CHANCE)
        return self._worth(after)

    def _at_a_glance(self, state: State) -> Move:
        """Where somebody places who does not think long."""
        if state.phase is Phase.PLACING_SETTLEMENT:
            return self._corners(state, 1)[0]
        # Roads of others matter little here; one's own is for the way to the best corner left.
        roads = legal_moves(state, state.active)
        if state.active != self.seat:
            return roads[0]
        return max(roads, key=lambda road: self._promise(state, road))

    def _promise(self, state: State, road: Move) -> float:
        after = state.copy()
        play(after, road, NO_CHANCE)
        economies = [self.valuation.land.economy(after.settlements[seat], 0, after.robber) for seat in after.seats]
        return self.valuation.reaches(after, economies)[self.seat].best

    def _corners(self, state: State, most: int) -> list[BuildSettlement]:
        """The corners that look best for whoever is to place."""
        seat = state.active
        economy = self.valuation.land.economy(state.settlements[seat], 0, state.robber)
        moves = [move for move in legal_moves(state, seat) if isinstance(move, BuildSettlement)]
        moves.sort(key=lambda move: self.valuation.worth(move.vertex, economy), reverse=True)
        return moves[:most]
