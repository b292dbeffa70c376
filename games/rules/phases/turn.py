"""A turn from its beginning to its end."""

from __future__ import annotations

from typing import Final

from ..chance import Chance
from ..events import Event
from ..moves import MOST_SEATS, EndTurn
from ..state import Phase, State

END_TURN: Final = [EndTurn(seat) for seat in range(MOST_SEATS)]


def begin_turn(state: State, seat: int) -> list[Event]:
    state.active = seat
    state.turn += 1
    state.phase = Phase.ROLLING
    state.rolled = False
    state.may_skip_roll = False
    state.cards_played = 0
    return [Event("turn_began", seat, {"turn": state.turn})]


def resume_turn(state: State) -> None:
    """Go on where a card or the robber interrupted the turn: before the roll, or after it."""
    state.phase = Phase.MAIN if state.rolled else Phase.ROLLING


def next_seat(state: State, seat: int) -> int:
    """The next seat in the order of play, the first again after the last."""
    place = state.order.index(seat) + 1
    return state.order[place % len(state.order)]


def end_turn(state: State, move: EndTurn, _: Chance) -> list[Event]:
    """Pass the dice. Whatever was offered this turn is void."""
    events = [Event("offer_void", offer.maker, {"offer": offer.number}) for offer in state.offers]
    state.offers = ()
    return events + begin_turn(state, next_seat(state, move.seat))
