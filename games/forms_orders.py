"""The page of one's standing orders: plain forms, drawn with what can be ordered, and read when they are sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from games import orders, services, words_orders
from games.forms import NOT_A_COUNT, NOT_OUR_FORM
from games.orders import ALL, OTHERS, PIECES, Book, EndTurn, Order, Roll
from games.page import Page
from games.rules import MalformedMove
from games.rules.cards import RESOURCE_NAMES, RESOURCE_SUPPLY
from games.rules.views import Choices
from games.web import read_number

#: The places of what is kept first on a seven, as the form asks for them.
RANKS: Final = {f"keep-{rank}": word for rank, word in enumerate(("First", "then", "then", "then", "then"), start=1)}


# As it is drawn


@dataclass(frozen=True, slots=True)
class Plans:
    """The pieces of a kind that can be planned, as a form's choices."""

    piece: str
    choices: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Offered:
    """What can be ordered on a page, beside what is ordered already."""

    roll: str
    end_turn: str
    ranks: Mapping[str, str]
    resources: tuple[str, ...]
    most_cards: int
    declined: list[tuple[str, str]]
    #: Nothing where they can be.
    why_none_accepted: str
    plans: list[Plans]


def offered(page: Page, book: Book, *, is_over_days: bool) -> Offered:
    given = {given.order for given in book.orders}
    return Offered(
        roll="" if Roll() in given else words_orders.ROLL,
        end_turn="" if EndTurn() in given else words_orders.END_TURN,
        ranks=RANKS,
        resources=RESOURCE_NAMES,
        most_cards=RESOURCE_SUPPLY,
        declined=[(asking, words_orders.declined(asking)) for asking in (ALL, OTHERS, *RESOURCE_NAMES)],
        why_none_accepted="" if is_over_days else words_orders.IN_LIVE_GAMES,
        plans=_plans(page, book),
    )


def _plans(page: Page, book: Book) -> list[Plans]:
    """Numbered as they are on the board beside the form."""
    wording = words_orders.Wording(page["board"])
    by_piece: dict[str, list[tuple[str, str]]] = {piece: [] for piece in PIECES}
    for plan in orders.possible_plans(page, book):
        choices = by_piece[plan.piece]
        choices.append((f"{plan.piece}-{plan.place}", f"{len(choices) + 1}: {wording.place(plan)}"))
    return [Plans(piece, choices) for piece, choices in by_piece.items() if choices]


def places(page: Page, book: Book) -> Choices:
    """The same pieces in the form of choices, for the board."""
    ways: dict[str, list[dict[str, int]]] = {}
    for plan in orders.possible_plans(page, book):
        where = "edge" if plan.piece == "road" else "vertex"
        ways.setdefault(f"build_{plan.piece}", []).append({where: plan.place})
    return cast("Choices", ways)


# As it is sent


def grant(data: Mapping[str, Any], game_id: int, seat: int, now: datetime) -> None:
    """Do what a form of the page asks for."""
    match data.get("wish"):
        case "give":
            services.give_order(game_id, seat, _sent(data), now=now)
        case "cancel":
            number = read_number(data.get("number", ""), MalformedMove(NOT_OUR_FORM))
            services.cancel_order(game_id, seat, number, now=now)
        case "read":
            services.forget_told(game_id, seat, now=now)
        case _:
            raise MalformedMove(NOT_OUR_FORM)


def _sent(data: Mapping[str, Any]) -> Order:
    """An order that somebody has filled in; whatever is not right about it, the order itself says."""
    says: dict[str, object] = {}
    match kind := data.get("kind", ""):
        case "keep_first":
            says["keep"] = [kept for rank in RANKS if (kept := data.get(rank, ""))]
        case "decline":
            says["asking"] = data.get("asking", "")
        case "accept":
            says = {name: data.get(name, "") for name in ("give", "get")}
            counts = ("most", "least")
            says |= {name: read_number(data.get(name, ""), MalformedMove(NOT_A_COUNT)) for name in counts}
        case "build":
            piece, _, place = data.get("plan", "").partition("-")
            says = {"piece": piece, "place": read_number(place, MalformedMove(NOT_OUR_FORM))}
    return orders.from_json({"kind": kind, **says})
