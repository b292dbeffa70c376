"""After the roll: trade, build, buy and play cards in any order, until the turn is ended."""

from __future__ import annotations

from collections.abc import Sequence

from ..moves import Move
from ..state import State
from . import building, cards, trading
from .turn import END_TURN


def legal_moves(state: State, seat: int) -> Sequence[Move]:
    if seat != state.active:
        return ()
    moves: list[Move] = [END_TURN[seat]]
    if any(state.hands[seat]):
        moves += building.building_moves(state, seat)
        moves += cards.buying_moves(state, seat)
        moves += trading.bank_moves(state, seat)
    if state.cards[seat]:
        moves += cards.legal_moves(state, seat)
    return moves
