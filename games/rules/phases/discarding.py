"""After a seven, everybody over the limit discards, in any order; the robber waits for the last."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ..cards import Resources, named, ways_to_take
from ..chance import Chance
from ..events import Event
from ..moves import Discard, Move
from ..refusals import refuse
from ..state import State
from .building import can_pay, pay
from .rolling import begin_robbery


def legal_moves(state: State, seat: int) -> Sequence[Move]:
    """Every choice of the cards to lose."""
    if not state.discards[seat]:
        return ()
    count = state.discards[seat]
    return [_discard(seat, cards) for cards in ways_to_take(state.hands[seat], count)]


# There are dozens of ways to discard, and the same ones come up again and again.
@lru_cache(maxsize=65_536)
def _discard(seat: int, cards: Resources) -> Move:
    return Discard(seat, cards)


def discard(state: State, move: Discard, _: Chance) -> list[Event]:
    seat = move.seat
    if not state.discards[seat]:
        refuse("nothing_to_discard")
    if sum(move.resources) != state.discards[seat]:
        refuse("wrong_discard")
    if not can_pay(state.hands[seat], move.resources):
        refuse("cards_not_held")
    pay(state, seat, move.resources)
    state.discards[seat] = 0
    if not any(state.discards):
        begin_robbery(state)
    return [Event("discarded", seat, {"resources": named(move.resources)})]
