"""Standing orders: given, and cancelled. Whoever cancels one has the game's lock, so it is not carried out any more.

Nothing of this is seen by anybody else: the revision stays, and no page is sent.
"""

from collections.abc import Callable
from datetime import datetime

from games import orders, snapshots, words_orders
from games.clocks import pace_of
from games.models import Game, Seat
from games.orders import Accept, Book, Build, Order
from games.rules import IllegalMove, View, player_view
from games.services.locking import locked, trusted_rows, write_orders
from games.services.refusals import SET_ASIDE, NothingToDo, NotRunning, NotYourSeat, SetAside
from games.store import Snapshot

Status = Game.Status


class OrderRefused(NothingToDo):
    """An order that does not go with others, or is one too many."""

    code = "order_refused"


def give_order(game_id: int, seat: int, order: Order, *, now: datetime) -> None:
    def change(game: Game, snapshot: Snapshot) -> Book:
        book = snapshot.sitters[seat].orders
        pace = pace_of(game)
        if isinstance(order, Accept) and (pace is None or pace.is_live):
            raise OrderRefused(words_orders.IN_LIVE_GAMES)
        _require_fits(book, order, player_view(snapshot.state, seat))
        return book.with_order(order)

    _change(game_id, seat, change, now)


def cancel_order(game_id: int, seat: int, number: int, *, now: datetime) -> None:
    """Once this has returned, the order is not carried out any more."""

    def change(_: Game, snapshot: Snapshot) -> Book:
        book = snapshot.sitters[seat].orders
        if book.find(number) is None:
            raise NothingToDo("This order is no longer there: it was carried out or cancelled before.")
        return book.without(number)

    _change(game_id, seat, change, now)


def forget_told(game_id: int, seat: int, *, now: datetime) -> None:
    """Somebody has read what became of their orders."""
    _change(game_id, seat, lambda _, snapshot: snapshot.sitters[seat].orders.without_told(), now)


def _change(game_id: int, seat: int, change: Callable[[Game, Snapshot], Book], now: datetime) -> None:
    with trusted_rows(game_id, now), locked(game_id) as game:
        if game.status in (Status.OVER, Status.ABORTED):
            raise NotRunning("The game has ended: there is nothing left to order.")
        if game.status == Status.NEEDS_ATTENTION:
            raise SetAside(SET_ASIDE)
        snapshot = snapshots.of(game)
        if snapshot.sitters[seat].player == Seat.Player.BOT:
            raise NotYourSeat("You have resigned: a bot plays this seat.")
        book = change(game, snapshot)
        if book != snapshot.sitters[seat].orders:
            write_orders(game, snapshot, seat, book, now)


def _require_fits(book: Book, order: Order, view: View) -> None:
    words = words_orders.Wording(view["board"])
    if any(given.order == order for given in book.orders):
        raise OrderRefused(f"You have given this order already: “{words.sentence(order)}”")
    other = orders.contradicting(book, order)
    if other:
        raise OrderRefused(
            f"These two contradict each other: “{words.sentence(order)}” and “{words.sentence(other)}” "
            "Cancel the old one first, or keep it."
        )
    if len(book.with_order(order).orders) > orders.MOST_ORDERS:
        raise OrderRefused(f"You have {orders.MOST_ORDERS} standing orders, which is the most: cancel one first.")
    if isinstance(order, Build):
        before = orders.plans(book)
        if len(before) >= orders.MOST_PLANS:
            raise OrderRefused(f"You plan {orders.MOST_PLANS} pieces, which is the most: cancel one first.")
        code = orders.obstacle(view, order, before)
        if code:
            raise IllegalMove(code)
