"""What the standing orders at a table come to: who has ordered something for this very moment, and what remains.

Only people's orders count. Those of somebody for whom a stand-in plays rest until they are back; who resigns has none.
"""

from collections.abc import Sequence
from dataclasses import replace

from games import orders
from games.models import Seat
from games.orders import Book, Decision
from games.paces import Pace
from games.rules import Move, Phase, State, player_view, to_act
from games.rules.moves import AcceptOffer, RejectOffer, WithdrawOffer
from games.store import Sitter


def decisions(sitters: Sequence[Sitter], state: State, pace: Pace | None) -> dict[int, Decision]:
    """What is to be done by order now, by seat. Where nobody has ordered anything, this looks at nothing."""
    return {
        seat: decision
        for seat, sitter in enumerate(sitters)
        if sitter.orders.orders and (decision := decision_of(sitters, state, seat, pace))
    }


def decision_of(sitters: Sequence[Sitter], state: State, seat: int, pace: Pace | None) -> Decision | None:
    if sitters[seat].player != Seat.Player.PERSON or not _is_asked(state, seat):
        return None
    # In a live game nobody trades with somebody who may have left: see `services.presence`.
    may_promise = pace is not None and not pace.is_live
    return orders.decide(player_view(state, seat), sitters[seat].orders, may_promise=may_promise)


def _is_asked(state: State, seat: int) -> bool:
    return seat in to_act(state) or any(seat in offer.to for offer in state.offers)


def after_answer(sitter: Sitter, state: State, move: Move) -> Book:
    """The orders of somebody who makes a move themselves: an offer that they answer, or take an answer back from, is
    not answered by order any more."""
    book = sitter.orders
    if not book.orders or not isinstance(move, AcceptOffer | RejectOffer | WithdrawOffer):
        return book
    offers = [offer.to_json() for offer in state.offers if move.seat in offer.to]
    return book.after_answer(move.offer, offers) if any(move.offer == offer["number"] for offer in offers) else book


def kept(sitters: Sequence[Sitter], state: State) -> tuple[Sitter, ...]:
    """The sitters with what is left of their orders: none once the game is over, or for a seat that was given up."""
    return tuple(_kept(sitter, seat, state) if sitter.orders.given else sitter for seat, sitter in enumerate(sitters))


def _kept(sitter: Sitter, seat: int, state: State) -> Sitter:
    if state.phase is Phase.OVER or sitter.player == Seat.Player.BOT:
        return replace(sitter, orders=orders.EMPTY)
    if not orders.plans(sitter.orders):
        return sitter
    return replace(sitter, orders=orders.kept_plans(player_view(state, seat), sitter.orders))
