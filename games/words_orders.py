"""What is said about standing orders, to their owner: each as a sentence, and what became of those that are gone."""

from typing import Final

from games.orders import ALL, DONE, OTHERS, REFUSED, Accept, Book, Build, Decline, EndTurn, KeepFirst, Order, Roll, Told
from games.rules.refusals import SENTENCES
from games.rules.views import BoardView
from games.words_places import place_names

ROLL: Final = "Roll the dice for me when my turn begins, even if I could play a card first."
END_TURN: Final = (
    "End my turn when there’s nothing I can do: nothing to build, buy or play, no possible trade with the bank and no "
    "open offer. It waits while I’m looking at the game, and as long as, from what the others can see, I might still "
    "play a development card."
)
#: In place of what somebody cannot order there.
IN_LIVE_GAMES: Final = (
    "In a live game, orders don’t accept offers, so that nobody trades with someone who may have left."
)

#: Which offers somebody can have declined.
DECLINED: Final = {
    ALL: "Decline every offer.",
    OTHERS: "Decline every offer that my other orders do not accept.",
}


def declined(asking: str) -> str:
    return DECLINED.get(asking) or f"Decline every offer that asks for {asking}."


def link(book: Book) -> str:
    """What leads to one's orders."""
    if book.told:
        return "Standing orders: news"
    if not book.orders:
        return "Standing orders"
    return "1 standing order" if len(book.orders) == 1 else f"{len(book.orders)} standing orders"


class Wording:
    """Speaks of orders on one board."""

    def __init__(self, board: BoardView) -> None:
        self._places = place_names(board)

    def sentence(self, order: Order) -> str:
        match order:
            case Roll():
                return ROLL
            case EndTurn():
                return END_TURN
            case KeepFirst():
                return f"On a seven, keep {', then '.join(order.keep)}."
            case Decline():
                return declined(order.asking)
            case Accept():
                return (
                    f"Accept any offer that asks me for at most {order.most} {order.give} and nothing else, "
                    f"and gives me at least {order.least} {order.get}: at most one a turn, and never one that would "
                    "take the cards for my next planned piece."
                )
            case Build():
                return f"Build a {order.piece} when I can pay for it: {self.place(order)}."
        raise ValueError(f"There are no words for {order.kind}.")

    def place(self, plan: Build) -> str:
        return (self._places.edges if plan.piece == "road" else self._places.vertices)[plan.place]

    def told(self, told: Told) -> str:
        sentence = self.sentence(told.order)
        if told.why == DONE:
            return f"Done: “{sentence}”"
        if told.why == REFUSED:
            return f"Set aside because the game didn’t allow it: “{sentence}”"
        return f"Dropped: “{sentence}” {SENTENCES[told.why]}"
