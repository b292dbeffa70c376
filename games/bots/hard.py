"""A player who thinks: it values positions, looks through its whole turn, and trades for what helps it most."""

from __future__ import annotations

from random import Random
from typing import Final

from games.rules import Move, Phase, State, View
from games.rules.moves import Discard, EndTurn, MoveRobber, PlayKnight, Roll, Steal
from games.rules.cards import ways_to_take
from .dealing import Dealing
from .economy import land
from .memory import Memory
from .placing import Placing
from .search import NO_CHANCE, Effort, Line, Search
from .valuation import Valuation

EFFORT: Final = Effort(width=6, positions=250)


class Mind:
    def __init__(self, state: State, seat: int, memory, source: Random, effort: Effort = EFFORT) -> None:
        self.state, self.seat, self.source = state, seat, source
        self.memory = memory
        self.valuation = Valuation(land(state.board, state.rules), seat)
        self.search = Search(self.valuation, effort)

    def choose(self) -> Move | None:
        state, seat = self.state, self.seat
        if state.discards[seat]:
            return self.discard()
        if state.active != seat:
            return Dealing(self.search, self.memory, state).answer() if state.offers else None
        match state.phase:
            case Phase.PLACING_SETTLEMENT | Phase.PLACING_ROAD:
                return Placing(self.valuation).lines(state)[0].moves[0]
            case Phase.ROLLING:
                return self.before_roll()
            case Phase.MOVING_ROBBER:
                return self.search.robbery(state)[0][0]
            case Phase.STEALING:
                return self.steal()
            case Phase.MAIN:
                return self.turn()
            case _:
                return self.search.lines(state)[0].moves[0]

    def before_roll(self) -> Move:
        from games.rules import legal_moves
        state = self.state
        for move in legal_moves(state, self.seat):
            if isinstance(move, PlayKnight):
                worth, won = self.search.knighted(state, move)
                e = self.valuation.land.economy(state.settlements[self.seat], state.cities[self.seat], state.robber)
                if won or (e.blocked > 0 and worth > self.valuation.chance(state)):
                    return move
        return Roll(self.seat)

    def steal(self) -> Move:
        from games.rules import legal_moves
        return max(legal_moves(self.state, self.seat), key=lambda m: self.search.theft(self.state, m.victim))

    def discard(self) -> Move:
        best=None
        for cards in ways_to_take(self.state.hands[self.seat], self.state.discards[self.seat]):
            after = self.state.copy()
            after.hands[self.seat] = [h - c for h, c in zip(after.hands[self.seat], cards)]
            w = self.valuation.chance(after)
            if best is None or w > best[0]: best = (w, cards)
        return Discard(self.seat, best[1])

    def turn(self) -> Move:
        line = self.search.lines(self.state)[0]
        dealing = Dealing(self.search, self.memory, self.state)
        if self.state.offers and (move := dealing.conclude(line.worth)):
            return move
        if line.worth < 0.999 and (offer := dealing.offer(line.worth)):
            return offer
        if not line.moves:
            return EndTurn(self.seat)
        return line.moves[0]
