"""What a player can do: one small class a move.

A move is a hashable value with a JSON form, for the network, and a text form, for people and logs.
It cannot be made malformed: a vertex 54 or a negative count is a :class:`MalformedMove`, wherever
the move comes from. Whether it is *legal* only a game can tell.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from .cards import BUNDLE_NAMES, RESOURCE_NAMES, Bundle, Resource, Resources, named
from .numbers import whole_number
from .refusals import MalformedMove
from .topology import EDGES, HEXES, VERTICES, Edge, Hex, Vertex
from .written import Json

#: More of anything than the game has: beyond it a number is nonsense, not just illegal.
MOST_CARDS: Final = 500
MOST_OFFERS: Final = 1_000_000
#: The longest JSON a move is read from.
LONGEST_MOVE: Final = 10_000

MOST_SEATS: Final = 4


@dataclass(frozen=True, slots=True)
class Move:
    """Something one seat does."""

    kind: ClassVar[str] = ""

    seat: int

    def __post_init__(self) -> None:
        for name in self.__match_args__:
            FIELDS[name].check(getattr(self, name))

    def to_json(self) -> dict[str, Json]:
        data: dict[str, Json] = {"kind": self.kind}
        for name in self.__match_args__:
            data[name] = FIELDS[name].write(getattr(self, name))
        return data

    def __str__(self) -> str:
        words = [f"{self.seat}", self.kind]
        names: tuple[str, ...] = self.__match_args__
        for name in names[1:]:
            value = FIELDS[name].write(getattr(self, name))
            if isinstance(value, dict):
                value = "+".join(f"{count}.{card}" for card, count in value.items()) or "-"
            elif isinstance(value, list):
                value = ",".join(map(str, value)) or "-"
            words.append(f"{name}={value}")
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class BuildSettlement(Move):
    """Place a settlement, free in the setup and paid for later."""

    kind: ClassVar[str] = "build_settlement"
    vertex: Vertex


@dataclass(frozen=True, slots=True)
class BuildRoad(Move):
    """Place a road: in the setup, for a Road Building card, or paid for."""

    kind: ClassVar[str] = "build_road"
    edge: Edge


@dataclass(frozen=True, slots=True)
class BuildCity(Move):
    kind: ClassVar[str] = "build_city"
    vertex: Vertex


@dataclass(frozen=True, slots=True)
class Roll(Move):
    kind: ClassVar[str] = "roll"


@dataclass(frozen=True, slots=True)
class SkipRoll(Move):
    """Let a knight played before the roll replace it, where the table plays so."""

    kind: ClassVar[str] = "skip_roll"


@dataclass(frozen=True, slots=True)
class Discard(Move):
    kind: ClassVar[str] = "discard"
    resources: Resources


@dataclass(frozen=True, slots=True)
class MoveRobber(Move):
    kind: ClassVar[str] = "move_robber"
    hex: Hex


@dataclass(frozen=True, slots=True)
class Steal(Move):
    kind: ClassVar[str] = "steal"
    victim: int


@dataclass(frozen=True, slots=True)
class BuyCard(Move):
    kind: ClassVar[str] = "buy_card"


@dataclass(frozen=True, slots=True)
class PlayKnight(Move):
    kind: ClassVar[str] = "play_knight"


@dataclass(frozen=True, slots=True)
class PlayRoadBuilding(Move):
    kind: ClassVar[str] = "play_road_building"


@dataclass(frozen=True, slots=True)
class StopPlacingRoads(Move):
    """Leave the rest of a Road Building card unused, where the table plays so."""

    kind: ClassVar[str] = "stop_placing_roads"


@dataclass(frozen=True, slots=True)
class PlayYearOfPlenty(Move):
    kind: ClassVar[str] = "play_year_of_plenty"
    resources: Resources


@dataclass(frozen=True, slots=True)
class PlayMonopoly(Move):
    kind: ClassVar[str] = "play_monopoly"
    resource: Resource


@dataclass(frozen=True, slots=True)
class PlayVictoryPoint(Move):
    kind: ClassVar[str] = "play_victory_point"


@dataclass(frozen=True, slots=True)
class TradeWithBank(Move):
    """Maritime trade: ``paid`` cards of the resource ``give`` for one of ``take``."""

    kind: ClassVar[str] = "trade_with_bank"
    give: Resource
    paid: int
    take: Resource


@dataclass(frozen=True, slots=True)
class OfferTrade(Move):
    """Offer ``gives`` for ``gets`` to some of the other seats."""

    kind: ClassVar[str] = "offer_trade"
    to: tuple[int, ...]
    gives: Bundle
    gets: Bundle


@dataclass(frozen=True, slots=True)
class AcceptOffer(Move):
    kind: ClassVar[str] = "accept_offer"
    offer: int


@dataclass(frozen=True, slots=True)
class RejectOffer(Move):
    kind: ClassVar[str] = "reject_offer"
    offer: int


@dataclass(frozen=True, slots=True)
class CounterOffer(Move):
    """Answer an offer with one of your own: what *you* would give and get."""

    kind: ClassVar[str] = "counter_offer"
    offer: int
    gives: Bundle
    gets: Bundle


@dataclass(frozen=True, slots=True)
class ConfirmTrade(Move):
    """The player to move concludes an offer with one of those who agreed to it."""

    kind: ClassVar[str] = "confirm_trade"
    offer: int
    partner: int


@dataclass(frozen=True, slots=True)
class WithdrawOffer(Move):
    """Take back your own offer, or your acceptance of somebody's."""

    kind: ClassVar[str] = "withdraw_offer"
    offer: int


@dataclass(frozen=True, slots=True)
class EndTurn(Move):
    kind: ClassVar[str] = "end_turn"


KINDS: Final[dict[str, type[Move]]] = {
    move_type.kind: move_type
    for move_type in (
        BuildSettlement,
        BuildRoad,
        BuildCity,
        Roll,
        SkipRoll,
        Discard,
        MoveRobber,
        Steal,
        BuyCard,
        PlayKnight,
        PlayRoadBuilding,
        StopPlacingRoads,
        PlayYearOfPlenty,
        PlayMonopoly,
        PlayVictoryPoint,
        TradeWithBank,
        OfferTrade,
        AcceptOffer,
        RejectOffer,
        CounterOffer,
        ConfirmTrade,
        WithdrawOffer,
        EndTurn,
    )
}


# What each field of a move may hold, and how it is written in JSON.


@dataclass(frozen=True, slots=True)
class FieldType:
    """The shape of one field: check a value, write it as JSON, read it from JSON."""

    check: Callable[[Any], None]
    write: Callable[[Any], Json]
    read: Callable[[Any], Any]


def _number(name: str, allowed: range) -> FieldType:
    def check(value: Any) -> None:
        if type(value) is not int or value not in allowed:
            raise MalformedMove(f"{name} is a whole number from {allowed[0]} to {allowed[-1]}.", name)

    return FieldType(check, _same, _same)


def _same(value: Any) -> Any:
    return value


def _resource(name: str) -> FieldType:
    def check(value: Any) -> None:
        if type(value) is not int or not 0 <= value < len(RESOURCE_NAMES):
            raise MalformedMove(f"{name} is one of {', '.join(RESOURCE_NAMES)}.", name)

    def read(value: Any) -> Any:
        return RESOURCE_NAMES.index(value) if value in RESOURCE_NAMES else None

    return FieldType(check, RESOURCE_NAMES.__getitem__, read)


def _counts(name: str, of: tuple[str, ...]) -> FieldType:
    def check(value: Any) -> None:
        if type(value) is tuple and len(value) == len(of):
            for count in value:
                if type(count) is not int or not 0 <= count <= MOST_CARDS:
                    break
            else:
                return
        raise MalformedMove(f"{name} counts cards by name: {', '.join(of)}.", name)

    def read(value: Any) -> Any:
        if not isinstance(value, dict) or not value.keys() <= set(of):
            return None
        return tuple(value.get(card, 0) for card in of)

    return FieldType(check, named, read)


def _seats(name: str) -> FieldType:
    def check(value: Any) -> None:
        if not (
            type(value) is tuple
            and value
            and all(type(seat) is int and 0 <= seat < MOST_SEATS for seat in value)
            and list(value) == sorted(set(value))
        ):
            raise MalformedMove(f"{name} lists seats in rising order, each once.", name)

    def read(value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else None

    return FieldType(check, list, read)


FIELDS: Final = {
    "seat": _number("seat", range(MOST_SEATS)),
    "vertex": _number("vertex", VERTICES),
    "edge": _number("edge", EDGES),
    "hex": _number("hex", HEXES),
    "victim": _number("victim", range(MOST_SEATS)),
    "partner": _number("partner", range(MOST_SEATS)),
    "paid": _number("paid", range(MOST_CARDS + 1)),
    "offer": _number("offer", range(MOST_OFFERS)),
    "resource": _resource("resource"),
    "give": _resource("give"),
    "take": _resource("take"),
    "resources": _counts("resources", RESOURCE_NAMES),
    "gives": _counts("gives", BUNDLE_NAMES),
    "gets": _counts("gets", BUNDLE_NAMES),
    "to": _seats("to"),
}


def from_json(data: Any) -> Move:
    """Read a move from its JSON form; anything but a well-formed move is refused."""
    if not isinstance(data, dict):
        raise MalformedMove("A move is an object with a kind, a seat and what belongs to the kind.")
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise MalformedMove(f"A move's kind is one of {', '.join(KINDS)}.", "kind")
    move_type = KINDS[kind]
    names = move_type.__match_args__
    if data.keys() != {"kind", *names}:
        raise MalformedMove(f"{kind} has exactly these fields: {', '.join(('kind', *names))}.")
    return move_type(*(FIELDS[name].read(data[name]) for name in names))


def loads(text: str | bytes) -> Move:
    """Read a move from JSON text, of a sensible length."""
    if len(text) > LONGEST_MOVE:
        raise MalformedMove(f"A move is written in at most {LONGEST_MOVE} characters.")
    try:
        return from_json(json.loads(text))
    except (ValueError, RecursionError) as error:
        if isinstance(error, MalformedMove):
            raise
        raise MalformedMove("This is not JSON.") from error


def from_text(text: str) -> Move:
    """Read a move from its text form; any other text than ``str(move)`` writes is refused."""
    words = text.split() if len(text) <= LONGEST_MOVE else []
    if len(words) < 2:
        raise MalformedMove("A move is written as a seat, a kind and its fields: 0 build_road edge=7.")
    data: dict[str, Json] = {"kind": words[1], "seat": _int(words[0])}
    for word in words[2:]:
        name, _, value = word.partition("=")
        data[name] = _from_word(name, value)
    move = from_json(data)
    if str(move) != " ".join(words):
        raise MalformedMove(f"This move is written: {move}.")
    return move


def _int(word: str) -> int | str:
    number = whole_number(word, digits=9)
    return word if number is None else number


def _from_word(name: str, word: str) -> Json:
    if name == "to":
        return [_int(part) for part in word.split(",")]
    if name in ("resources", "gives", "gets"):
        parts = [] if word == "-" else [part.partition(".") for part in word.split("+")]
        return {card: _int(count) for count, _, card in parts}
    return _int(word)
