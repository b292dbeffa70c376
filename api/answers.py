"""What the API answers beside the types of the games and the lobby: small things around a page, and lists."""

from typing import TypedDict

from games.page import Asked, OfferCard, Page
from games.rules.views import DiscardChoice, Nothing, OfferChoice
from games.selectors import MoveView


class Who(TypedDict):
    """Who you are to this site."""

    #: Your profile is at /api/v1/players/{code}/. Guests have none.
    code: str | None
    #: What you are called; null for nobody.
    name: str | None
    is_guest: bool
    #: A program plays this account: it sits only at tables that allow bots.
    is_bot_account: bool
    #: How many of your games wait for you.
    waiting: int


class PageAnswer(TypedDict):
    page: Page


class MovedAnswer(TypedDict):
    """What a move has led to."""

    #: The number of your move.
    version: int
    #: Your page now, with all that happened since the version that you named.
    page: Page


class MovesAnswer(TypedDict):
    """Moves in their order. If the last of them is not the game’s version, ask again after it."""

    #: The number of the game’s last move.
    version: int
    moves: list[MoveView]


class ToFillIn(TypedDict, total=False):
    """Kinds of moves of which you make up the rest, and what there is to know for that."""

    #: How many cards you have to discard.
    discard: DiscardChoice
    #: Offers may be made.
    offer_trade: list[Nothing]
    #: The offers that you may answer with one of your own.
    counter_offer: list[OfferChoice]


class ChoicesAnswer(TypedDict):
    """All that you may do now."""

    #: To be sent with the move.
    version: int
    #: What the game wants of you: a move, a discard, an answer to an offer, or nothing.
    asked: Asked
    #: Every legal move, as it is sent.
    moves: list[dict[str, object]]
    to_fill_in: ToFillIn
    #: Why other kinds of moves, or trades as a whole, cannot be made now.
    reasons: dict[str, str]


class OffersAnswer(TypedDict):
    #: To be sent with an answer.
    version: int
    offers: list[OfferCard]


class RematchAnswer(TypedDict):
    #: The code of the table: /api/v1/tables/{code}/.
    table: str
