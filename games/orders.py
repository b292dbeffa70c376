"""Standing orders: what somebody wants to be done for their seat without being there.

An order is a small value with a JSON form that cannot be made malformed, as a move is. What the orders of a seat come
to is decided from that seat's own view of the game and nothing else, so they know no more than its player does;
`decide` chooses among what the view lists as possible, so what it chooses is legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Final

from games.rules import moves
from games.rules.cards import RESOURCE_NAMES, RESOURCE_SUPPLY
from games.rules.moves import MOST_OFFERS, Move
from games.rules.refusals import SENTENCES, Malformed
from games.rules.state import OfferView
from games.rules.topology import EDGE_VERTICES, EDGES, TOO_CLOSE_SET, VERTICES
from games.rules.views import SeatView, View, listed, own_seat
from games.rules.written import Json

#: More pieces are not planned ahead, and more orders not given in all: a list that one still takes in.
MOST_PLANS: Final = 10
MOST_ORDERS: Final = 20
#: So much of what became of orders that are gone is kept for their owner.
MOST_TOLD: Final = 10

#: What somebody does not want to be asked for: anything at all, anything that no other order accepts, or a resource.
ALL, OTHERS = "all", "others"

DONE, REFUSED = "done", "refused"


class MalformedOrder(Malformed):
    """The order has no meaning in any game: an unknown kind or resource, a negative number, a vertex 54."""

    code = "malformed_order"


# The orders


@dataclass(frozen=True, slots=True)
class Order:
    """Something that one seat wants to be done."""

    kind: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for each in fields(self):
            if not FIELDS[each.name].is_fine(getattr(self, each.name)):
                raise MalformedOrder(FIELDS[each.name].refusal)

    def to_json(self) -> dict[str, Json]:
        data: dict[str, Json] = {"kind": self.kind}
        for each in fields(self):
            value = getattr(self, each.name)
            data[each.name] = list(value) if isinstance(value, tuple) else value
        return data


@dataclass(frozen=True, slots=True)
class Roll(Order):
    """Roll the dice as soon as the turn begins, whatever card could be played first."""

    kind: ClassVar[str] = "roll"


@dataclass(frozen=True, slots=True)
class EndTurn(Order):
    """End the turn once nothing can be built, bought, played or traded with the bank, and no offer lies open.

    Every card that its owner could play, as far as others know, counts as one that can be played.
    """

    kind: ClassVar[str] = "end_turn"


@dataclass(frozen=True, slots=True)
class KeepFirst(Order):
    """On a seven, keep these, the first above all; of what is not named, keep what there is least of."""

    kind: ClassVar[str] = "keep_first"
    keep: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decline(Order):
    """Say no to offers that ask for a resource, to all that no order accepts, or to all."""

    kind: ClassVar[str] = "decline"
    asking: str


@dataclass(frozen=True, slots=True)
class Accept(Order):
    """Say yes to an offer that asks for nothing but one resource, and for no more of it, and gives enough.

    Once a turn, or somebody could have a whole hand by one offer after another; and not with the cards for the next
    planned piece.
    """

    kind: ClassVar[str] = "accept"
    give: str
    most: int
    get: str
    least: int

    def __post_init__(self) -> None:
        # Without arguments `super` does not find its class here: slots make the class anew.
        super(Accept, self).__post_init__()
        if self.give == self.get:
            raise MalformedOrder(SENTENCES["same_resource"])


@dataclass(frozen=True, slots=True)
class Build(Order):
    """Build this when it can be paid for, after the roll; one planned piece after the other."""

    kind: ClassVar[str] = "build"
    piece: str
    place: int

    def __post_init__(self) -> None:
        super(Build, self).__post_init__()
        if self.place not in (EDGES if self.piece == "road" else VERTICES):
            raise MalformedOrder("There is no such place on the board.")


KINDS: Final[dict[str, type[Order]]] = {each.kind: each for each in (Roll, EndTurn, KeepFirst, Decline, Accept, Build)}
PIECES: Final = ("road", "settlement", "city")


@dataclass(frozen=True, slots=True)
class FieldType:
    """What a field of an order may hold, and what somebody is told who gives it something else."""

    refusal: str
    is_fine: Callable[[Any], bool]


def _is_one_of(allowed: Sequence[Any]) -> Callable[[Any], bool]:
    # A truth value is a number to Python, and no number of cards to us.
    return lambda value: type(value) in (str, int) and value in allowed


def _is_ranking(value: Any) -> bool:
    is_named = isinstance(value, tuple) and 0 < len(value) == len({*map(str, value)})
    return is_named and all(map(_is_one_of(RESOURCE_NAMES), value))


_A_RESOURCE: Final = f"A resource is one of {', '.join(RESOURCE_NAMES)}."
_A_COUNT: Final = f"A number of cards is a whole number from 1 to {RESOURCE_SUPPLY}."
_COUNTS: Final = range(1, RESOURCE_SUPPLY + 1)

FIELDS: Final = {
    "keep": FieldType(f"Name what you keep first, each once: {', '.join(RESOURCE_NAMES)}.", _is_ranking),
    "asking": FieldType(
        f"Say which offers to decline: {ALL}, {OTHERS}, or one of {', '.join(RESOURCE_NAMES)}.",
        _is_one_of((ALL, OTHERS, *RESOURCE_NAMES)),
    ),
    "give": FieldType(_A_RESOURCE, _is_one_of(RESOURCE_NAMES)),
    "get": FieldType(_A_RESOURCE, _is_one_of(RESOURCE_NAMES)),
    "most": FieldType(_A_COUNT, _is_one_of(_COUNTS)),
    "least": FieldType(_A_COUNT, _is_one_of(_COUNTS)),
    "piece": FieldType(f"A planned piece is one of {', '.join(PIECES)}.", _is_one_of(PIECES)),
    "place": FieldType("There is no such place on the board.", _is_one_of(EDGES)),
}


def from_json(data: Any) -> Order:
    """Read an order from its JSON form; anything but a well-formed order is refused."""
    kind = data.get("kind") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise MalformedOrder(f"A standing order is an object whose kind is one of {', '.join(KINDS)}.")
    order_type = KINDS[kind]
    names = [each.name for each in fields(order_type)]
    if data.keys() != {"kind", *names}:
        raise MalformedOrder(f"{kind} has exactly these fields: {', '.join(('kind', *names))}.")
    return order_type(*(tuple(value) if isinstance(value := data[name], list) else value for name in names))


# All that one seat has ordered


@dataclass(frozen=True, slots=True)
class Given:
    """An order that was given, with the number by which it is cancelled."""

    number: int
    order: Order
    #: The open offers that it would accept, and that it or its player has answered: whoever takes such an answer back
    #: has changed their mind about it.
    answered: tuple[int, ...] = ()
    #: The turn in which it last said yes.
    accepted_on: int = 0

    def to_json(self) -> dict[str, Json]:
        notes: dict[str, Json] = {"answered": list(self.answered), "accepted_on": self.accepted_on}
        return {"number": self.number, **notes, **self.order.to_json()}

    @staticmethod
    def from_json(data: Any) -> Given:
        rest = dict(data)
        # Those of games that began earlier have not been counted.
        number, answered, accepted_on = rest.pop("number"), tuple(rest.pop("answered")), rest.pop("accepted_on", 0)
        if {type(number), type(accepted_on)} != {int} or any(offer not in range(MOST_OFFERS) for offer in answered):
            raise ValueError("This is not how an order is written down.")
        return Given(number, from_json(rest), answered, accepted_on)


@dataclass(frozen=True, slots=True)
class Told:
    """What became of an order that is gone, for its owner to read: it was done, or why it cannot be."""

    order: Order
    why: str

    def to_json(self) -> dict[str, Json]:
        return {"why": self.why, "order": self.order.to_json()}

    @staticmethod
    def from_json(data: Any) -> Told:
        if data["why"] not in (DONE, REFUSED, *SENTENCES):
            raise ValueError("Nothing else becomes of an order.")
        return Told(from_json(data["order"]), data["why"])


@dataclass(frozen=True, slots=True)
class Book:
    """All orders of a seat, planned pieces in the order in which they are built, and what became of others."""

    orders: tuple[Given, ...] = ()
    told: tuple[Told, ...] = ()
    #: How many were given in all: no number is used twice, so a page that is out of date cancels nothing else.
    given: int = 0

    def find(self, number: int) -> Given | None:
        return next((given for given in self.orders if given.number == number), None)

    def with_order(self, order: Order) -> Book:
        """Of what to keep on a seven, the last word counts."""
        kept = self.orders if type(order) is not KeepFirst else [*filter(_is_no_ranking, self.orders)]
        return replace(self, orders=(*kept, Given(self.given, order)), given=self.given + 1)

    def without(self, number: int, why: str | None = None) -> Book:
        """Cancelled, or gone for a reason that its owner is told."""
        gone = [Told(given.order, why) for given in self.orders if given.number == number and why]
        orders = tuple(given for given in self.orders if given.number != number)
        return replace(self, orders=orders, told=(*self.told, *gone)[-MOST_TOLD:])

    def without_told(self) -> Book:
        return replace(self, told=())

    def after(self, decision: Decision, view: View) -> Book:
        """With a note of the offer that an order has just accepted."""
        if not isinstance(decision.move, moves.AcceptOffer):
            return self
        book = self.after_answer(decision.move.offer, view["offers"])
        orders = (
            replace(given, accepted_on=view["turn"]) if given.number == decision.number else given
            for given in book.orders
        )
        return replace(book, orders=tuple(orders))

    def after_answer(self, number: int, offers: Sequence[OfferView]) -> Book:
        """One of the open offers was answered: no order answers it again. Of others, that are gone, no note is kept."""
        still_open = {offer["number"]: offer for offer in offers}
        orders = (
            replace(given, answered=(*sorted({*given.answered, number}.intersection(still_open)),))
            if _accepts(given.order, still_open[number])
            else given
            for given in self.orders
        )
        return replace(self, orders=tuple(orders))

    def to_json(self) -> dict[str, Json]:
        if not self.given:
            return {}
        return {
            "orders": [given.to_json() for given in self.orders],
            "told": [told.to_json() for told in self.told],
            "given": self.given,
        }

    @staticmethod
    def from_json(data: Any) -> Book:
        if data == {}:
            return EMPTY
        return Book(
            tuple(map(Given.from_json, data["orders"])), tuple(map(Told.from_json, data["told"])), data["given"]
        )


EMPTY: Final = Book()


def _is_no_ranking(given: Given) -> bool:
    return type(given.order) is not KeepFirst


def contradicting(book: Book, order: Order) -> Order | None:
    """An order that was given and wants the contrary of this one, about the same offer."""
    others = (given.order for given in book.orders)
    return next((other for other in others if _contradict(order, other) or _contradict(other, order)), None)


def _contradict(yes: Order, no: Order) -> bool:
    return isinstance(yes, Accept) and isinstance(no, Decline) and no.asking in (ALL, yes.give)


# Planned pieces


def obstacle(view: View, plan: Build, before: Sequence[Build]) -> str | None:
    """The code of the rule by which a planned piece cannot come to stand, once those before it do; or none."""
    match plan.piece:
        case "road":
            return _obstacle_to_road(view, plan.place, before)
        case "settlement":
            return _obstacle_to_settlement(view, plan.place, before)
        case _:
            return _obstacle_to_city(view, plan.place, before)


def _obstacle_to_road(view: View, edge: int, before: Sequence[Build]) -> str | None:
    own = own_seat(view)
    if any(edge in seat["roads"] for seat in view["seats"]):
        return "edge_taken"
    if own["roads_left"] <= len(_planned(before, "road")):
        return "no_road_left"
    opponents = {vertex for seat in view["seats"] if seat is not own for vertex in _buildings(seat)}
    reached = {*_reach(own, before), *_buildings(own)} - opponents
    return None if reached.intersection(EDGE_VERTICES[edge]) else "not_connected"


def _obstacle_to_settlement(view: View, vertex: int, before: Sequence[Build]) -> str | None:
    own = own_seat(view)
    built = {corner for seat in view["seats"] for corner in _buildings(seat)}
    if vertex in built:
        return "vertex_taken"
    if any(TOO_CLOSE_SET[corner] >> vertex & 1 for corner in built | _planned(before, "settlement")):
        return "too_close"
    # A settlement comes back when a city replaces it, as long as there are cities.
    if not own["settlements_left"] and not own["cities_left"]:
        return "no_settlement_left"
    return None if vertex in _reach(own, before) else "not_connected"


def _obstacle_to_city(view: View, vertex: int, before: Sequence[Build]) -> str | None:
    own = own_seat(view)
    if vertex not in _planned(before, "settlement").union(own["settlements"]):
        return "not_your_settlement"
    return "no_city_left" if own["cities_left"] <= len(_planned(before, "city")) else None


def _planned(plans: Sequence[Build], piece: str) -> set[int]:
    return {plan.place for plan in plans if plan.piece == piece}


def _buildings(seat: SeatView) -> list[int]:
    return seat["settlements"] + seat["cities"]


def _reach(own: SeatView, before: Sequence[Build]) -> set[int]:
    return {vertex for edge in _planned(before, "road").union(own["roads"]) for vertex in EDGE_VERTICES[edge]}


def kept_plans(view: View, book: Book) -> Book:
    """The book without planned pieces that stand by now, or that cannot come to stand any more."""
    before: list[Build] = []
    for number, plan in _plans(book):
        why = DONE if _stands(own_seat(view), plan) else obstacle(view, plan, before)
        if why:
            book = book.without(number, why)
        else:
            before.append(plan)
    return book


def _stands(own: SeatView, plan: Build) -> bool:
    standing = {"road": own["roads"], "settlement": _buildings(own), "city": own["cities"]}
    return plan.place in standing[plan.piece]


def possible_plans(view: View, book: Book) -> list[Build]:
    """What could be planned behind all that is planned already."""
    before = plans(book)
    every = [Build(piece, place) for piece in PIECES for place in (EDGES if piece == "road" else VERTICES)]
    return [plan for plan in every if plan not in before and obstacle(view, plan, before) is None]


def plans(book: Book) -> list[Build]:
    return [plan for _, plan in _plans(book)]


def _plans(book: Book) -> list[tuple[int, Build]]:
    return [(given.number, given.order) for given in book.orders if isinstance(given.order, Build)]


# What the orders of a seat come to


@dataclass(frozen=True, slots=True)
class Decision:
    """A move that an order wants to be made now."""

    move: Move
    #: Of the order.
    number: int


def decide(view: View, book: Book, *, may_promise: bool) -> Decision | None:
    """What the viewer's orders want now, if anything; whether they may say yes to offers is for the table to tell."""
    if "discard" in view["choices"]:
        return _discard(view, book)
    return _answer(view, book, may_promise=may_promise) or _take_turn(view, book)


def _decision(view: View, number: int, kind: str, **arguments: Any) -> Decision:
    return Decision(moves.from_json({"kind": kind, "seat": view["viewer"], **arguments}), number)


def _discard(view: View, book: Book) -> Decision | None:
    for given in book.orders:
        if isinstance(given.order, KeepFirst):
            return _decision(view, given.number, "discard", resources=_lost(own_seat(view), given.order.keep))
    return None


def _lost(own: SeatView, keep: Sequence[str]) -> dict[str, int]:
    hand = own["hand"]
    unnamed = sorted((name for name in RESOURCE_NAMES if name not in keep), key=hand.__getitem__)
    left = sum(hand.values()) - own["must_discard"]
    lost = {}
    for name in (*keep, *unnamed):
        kept = min(hand[name], left)
        left -= kept
        lost[name] = hand[name] - kept
    return lost


def _answer(view: View, book: Book, *, may_promise: bool) -> Decision | None:
    """To the first open offer that some order is about. What its player has answered stays as it is.

    An offer that would be accepted, if only the cards were there, is like any other: silence would tell of the hand.
    """
    if not view["offers"]:
        return None
    ways = listed(view["choices"])
    can_accept, can_decline = (
        {way["offer"] for way in ways.get(kind, ())} for kind in ("accept_offer", "reject_offer")
    )
    for offer in view["offers"]:
        number = offer["number"]
        is_asked = view["viewer"] in offer["to"] and view["viewer"] not in offer["accepted"] + offer["rejected"]
        if not is_asked or number not in can_decline:
            continue
        wanted = [given for given in book.orders if _accepts(given.order, offer)]
        if may_promise and number in can_accept and not _would_cost_the_plan(view, book, offer):
            fresh = (given for given in wanted if number not in given.answered and given.accepted_on != view["turn"])
            if yes := next(fresh, None):
                return _decision(view, yes.number, "accept_offer", offer=number)
        if any(number in given.answered for given in wanted):
            continue
        no = next((given for given in book.orders if _declines(given.order, offer)), None)
        if no:
            return _decision(view, no.number, "reject_offer", offer=number)
    return None


def _would_cost_the_plan(view: View, book: Book, offer: OfferView) -> bool:
    """Whether the next planned piece can be paid for, and could not be after this trade and those promised before."""
    planned = _next_plan(view, book)
    if planned is None:
        return False
    hand, cost = own_seat(view)["hand"], view["costs"][planned[1].piece]
    promised = [other["gets"] for other in view["offers"] if view["viewer"] in other["accepted"]]
    asked = sum(map(Counter, promised), Counter(offer["gets"]))
    left = {name: held - asked[name] for name, held in hand.items()}
    return _can_pay(hand, cost) and not _can_pay(left, cost)


def _can_pay(hand: Mapping[str, int], cost: Mapping[str, int]) -> bool:
    return all(hand[name] >= count for name, count in cost.items())


def _accepts(order: Order, offer: OfferView) -> bool:
    if not isinstance(order, Accept):
        return False
    asked = offer["gets"]
    is_all_it_asks = asked.keys() == {order.give} and asked[order.give] <= order.most
    return is_all_it_asks and offer["gives"].get(order.get, 0) >= order.least


def _declines(order: Order, offer: OfferView) -> bool:
    """What is to be accepted has been by now: the rest are others."""
    return isinstance(order, Decline) and (order.asking in (ALL, OTHERS) or order.asking in offer["gets"])


def _take_turn(view: View, book: Book) -> Decision | None:
    choices = view["choices"]
    # Whoever has played a knight first may skip the roll: that is theirs to choose.
    if "roll" in choices:
        return None if "skip_roll" in choices else _simply(view, book, Roll)
    if view["phase"] != "main" or "end_turn" not in choices:
        return None
    return _build(view, book) or (_simply(view, book, EndTurn) if _can_do_nothing(view) else None)


def _simply(view: View, book: Book, kind: type[Order]) -> Decision | None:
    return next((_decision(view, given.number, kind.kind) for given in book.orders if type(given.order) is kind), None)


def _build(view: View, book: Book) -> Decision | None:
    """The next of the planned pieces; those after it wait, so that they do not eat up what it costs."""
    planned = _next_plan(view, book)
    if planned is None:
        return None
    number, plan = planned
    kind, way = f"build_{plan.piece}", {"edge" if plan.piece == "road" else "vertex": plan.place}
    return _decision(view, number, kind, **way) if way in listed(view["choices"]).get(kind, ()) else None


def _next_plan(view: View, book: Book) -> tuple[int, Build] | None:
    """The first, but for a settlement when none is left: it waits for a city, which may be planned after it."""
    is_out = not own_seat(view)["settlements_left"]
    return next((each for each in _plans(book) if not (is_out and each[1].piece == "settlement")), None)


#: To offer something is always possible with a card in hand: whoever can do no more than that can do nothing.
_NOTHING: Final = frozenset({"end_turn", "offer_trade"})


def _can_do_nothing(view: View) -> bool:
    return not view["offers"] and view["choices"].keys() <= _NOTHING and not _may_hold_a_play(view)


def _may_hold_a_play(view: View) -> bool:
    """Whether a development card might be played, for all the table knows.

    If the turn ended by order with a victory point card in hand alone, everybody would know that it is one.
    """
    cards, rules = own_seat(view)["cards"], view["rules"]
    if rules["victory_point_cards"] == "when_played":
        # Such a card is played on the turn it was bought too, and beside another: each may be one.
        return bool(cards)
    has_played = view["cards_played"] > 0 and rules["cards_a_turn"] == "one"
    return not has_played and any(not held["new"] for held in cards)
