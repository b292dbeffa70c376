"""Orders that people give: sensible ones, and any at all."""

from __future__ import annotations

from random import Random

from games.orders import ALL, OTHERS, Accept, Book, Build, Decline, EndTurn, KeepFirst, Order, Roll, possible_plans
from games.rules import View
from games.rules.cards import RESOURCE_NAMES


def book_of(*orders: Order) -> Book:
    book = Book()
    for order in orders:
        book = book.with_order(order)
    return book


def some_order(view: View, book: Book, source: Random) -> Order:
    """Anything that can be ordered; planned pieces where they could come to stand."""
    give, get = source.sample(RESOURCE_NAMES, 2)
    likely: list[Order] = [
        Roll(),
        EndTurn(),
        KeepFirst(tuple(source.sample(RESOURCE_NAMES, source.randint(1, 5)))),
        Decline(source.choice([ALL, OTHERS, *RESOURCE_NAMES])),
        Accept(give, source.randint(1, 3), get, source.randint(1, 2)),
    ]
    plans: list[Build] = possible_plans(view, book)
    # Roads are many: without this nobody would plan anything else.
    pieces = sorted({plan.piece for plan in plans})
    if pieces and source.random() < 0.5:
        piece = source.choice(pieces)
        return source.choice([plan for plan in plans if plan.piece == piece])
    return source.choice(likely)
