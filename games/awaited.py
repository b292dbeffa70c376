"""Whom a game waits for, and for what: columns of the seats, written with whatever changes it.

They follow from the state, from who sits where, and from whether the game is running at all. Only people are
waited for: a bot is never late.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from games.clocks import unanswered
from games.models import Seat
from games.rules import Phase, State, to_act
from games.store import Sitter

Asked = Seat.Asked


def asked(state: State, seat: int) -> Asked:
    """What a running game wants of a seat.

    On a seven, whoever has to discard is waited for, and whoever rolled is not.
    """
    if state.phase is Phase.OVER:
        return Asked.NOTHING
    if seat in to_act(state):
        return Asked.DISCARD if state.phase is Phase.DISCARDING else Asked.MOVE
    return Asked.OFFER if any(seat in unanswered(offer) for offer in state.offers) else Asked.NOTHING


def seated(sitters: Sequence[Sitter], state: State, now: datetime) -> tuple[Sitter, ...]:
    """Those who sit at a running game, with what this state asks of them; for what was asked before, since then."""
    return tuple(_with_wait(sitter, asked(state, seat), now) for seat, sitter in enumerate(sitters))


def _with_wait(sitter: Sitter, wanted: Asked, now: datetime) -> Sitter:
    if sitter.player != Seat.Player.PERSON:
        wanted = Asked.NOTHING
    if wanted == sitter.asked:
        return sitter
    return replace(sitter, asked=wanted, awaited_since=now if wanted else None)
