"""One seat's thoughts about one position: what could be done now, whatever the game waits for."""

from __future__ import annotations

from operator import attrgetter
from random import Random
from typing import Final

from games.rules import Move, Phase, State, View, legal_moves
from games.rules.cards import RESOURCES, Resources, ways_to_take
from games.rules.moves import Discard, PlayKnight, Roll, Steal

from .dealing import Dealing
from .economy import land
from .imagining import imagine
from .memory import Memory
from .placing import Placing
from .search import Effort, Line, Search
from .valuation import Valuation, stage_of

#: With a win in sight nobody asks for cards.
CERTAIN: Final = 0.999


def think(view: View, memory: Memory, source: Random, effort: Effort) -> Move | None:
    """The best move of the viewer's seat, or ``None`` when nothing is asked of it."""
    if not view["choices"]:
        return None
    lines = Mind(imagine(view, memory, source), memory, effort).lines()
    return lines[0].moves[0] if lines else None


class Mind:
    """A seat, a game that it cannot tell from the real one, and how much thought it takes."""

    def __init__(self, state: State, memory: Memory, effort: Effort) -> None:
        self.state = state
        self.seat = memory.seat
        self.memory = memory
        self.valuation = Valuation(land(state.board, state.rules), self.seat, stage_of(state))
        self.search = Search(self.valuation, effort)

    def lines(self) -> list[Line]:
        """What could be done, the best first; nothing where nothing is asked."""
        state = self.state
        if state.discards[self.seat]:
            return self._discards()
        if state.active != self.seat:
            return Dealing(self.search, self.memory, state).answers()
        match state.phase:
            case Phase.PLACING_SETTLEMENT | Phase.PLACING_ROAD:
                return Placing(self.valuation).lines(state)
            case Phase.ROLLING:
                return self._before_roll()
            case Phase.MOVING_ROBBER:
                return self.search.robbery(state)
            case Phase.STEALING:
                return self._thefts()
            case Phase.MAIN:
                return self._turn()
            case _:
                return self.search.lines(state)

    def _before_roll(self) -> list[Line]:
        """A knight drives the robber away, or wins; everything else can wait for the dice."""
        state, seat = self.state, self.seat
        now = self.valuation.chance(state)
        lines = [Line((Roll(seat),), now)]
        for move in legal_moves(state, seat):
            if isinstance(move, PlayKnight):
                worth, is_won = self.search.knighted(state, move)
                own = self.valuation.land.economy(state.settlements[seat], state.cities[seat], state.robber)
                if is_won or (own.blocked > 0 and worth > now):
                    lines.insert(0, Line((move,), worth))
        return lines

    def _thefts(self) -> list[Line]:
        now = self.valuation.chance(self.state)
        thefts = [
            Line((move,), now + self.search.theft(self.state, move.victim))
            for move in legal_moves(self.state, self.seat)
            if isinstance(move, Steal)
        ]
        return sorted(thefts, key=attrgetter("worth"), reverse=True)

    def _discards(self) -> list[Line]:
        hand = self.state.hands[self.seat]

        def kept(cards: Resources) -> float:
            after = self.state.copy()
            after.hands[self.seat] = [hand[resource] - cards[resource] for resource in RESOURCES]
            return self.valuation.chance(after)

        ways = ways_to_take(hand, self.state.discards[self.seat])
        lines = [Line((Discard(self.seat, cards),), kept(cards)) for cards in ways]
        return sorted(lines, key=attrgetter("worth"), reverse=True)

    def _turn(self) -> list[Line]:
        lines = self.search.lines(self.state)
        dealing = Dealing(self.search, self.memory, self.state)
        best = lines[0].worth
        deal = dealing.conclude(best) if self.state.offers else None
        if deal is None and best < CERTAIN:
            deal = dealing.offer(best)
        return [deal, *lines] if deal else lines
