"""What fields hold, where their Python type says less than programs may rely on: a `str` that is one of a few, cards
counted by their names, numbers of places.

A test holds the pages and records of whole games against it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from games.bots import STRENGTHS
from games.models import Game, Move, Seat
from games.paces import PACES
from games.page import COLOURS, EMBLEMS
from games.rules.boards import HARBOR_NAMES, TERRAIN_NAMES
from games.rules.cards import BUILDING_COSTS, BUNDLE_NAMES, CARD_NAMES, RESOURCE_NAMES
from games.rules.moves import KINDS, MOST_CARDS, MOST_OFFERS, MOST_SEATS
from games.rules.records import FORMAT
from games.rules.ruleset import OPTIONS, PRESETS, Option
from games.rules.topology import EDGES, HEXES, VERTICES


def number(allowed: range, description: str = "") -> dict[str, Any]:
    told = {"type": "integer", "minimum": allowed[0], "maximum": allowed[-1]}
    return told | ({"description": description} if description else {})


def one_of(names: Collection[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(names)}


def _counts(names: Sequence[str], description: str) -> dict[str, Any]:
    each = {name: number(range(MOST_CARDS + 1)) for name in names}
    return {"type": "object", "description": description, "properties": each, "additionalProperties": False}


def many(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    nullable = schema | {"type": [schema["type"], "null"]}
    return nullable | ({"enum": [*schema["enum"], None]} if "enum" in schema else {})


def keyed(names: Collection[str], values: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "propertyNames": {"enum": list(names)}, "additionalProperties": values}


SEAT: Final = number(range(MOST_SEATS), "The number of a seat.")
#: Of what happened to nobody in particular.
SEAT_OR_NOBODY: Final = number(range(-1, MOST_SEATS), "The number of a seat, or -1.")
VERTEX: Final = number(VERTICES, "A corner of the board.")
EDGE: Final = number(EDGES, "A path of the board.")
HEX: Final = number(HEXES, "A hex of the board.")
OFFER: Final = number(range(MOST_OFFERS), "The number of an offer in this game.")
RESOURCE: Final = one_of(RESOURCE_NAMES)
CARD: Final = one_of(CARD_NAMES)
RESOURCES: Final[dict[str, Any]] = {"$ref": "#/components/schemas/Resources"}
BUNDLE: Final[dict[str, Any]] = {"$ref": "#/components/schemas/Bundle"}
COUNT: Final = {"type": "integer", "minimum": 0}
RULES: Final[dict[str, Any]] = {"$ref": "#/components/schemas/RuleSet"}
SENT_MOVE: Final[dict[str, Any]] = {"$ref": "#/components/schemas/Move"}

#: By the name of a type and its field.
FIELDS: Final[dict[tuple[str, str], dict[str, Any]]] = {
    # The view
    ("HexView", "terrain"): one_of(TERRAIN_NAMES),
    ("HexView", "resource"): or_null(RESOURCE),
    ("HarborView", "edge"): EDGE,
    ("HarborView", "kind"): one_of(HARBOR_NAMES),
    ("HeldCard", "card"): CARD,
    **{
        (shape, name): schema
        for shape in ("SeatView", "Player")
        for name, schema in {
            "seat": SEAT,
            "settlements": many(VERTEX),
            "cities": many(VERTEX),
            "roads": many(EDGE),
            "played": many(CARD),
            "hand": RESOURCES,
            "rates": RESOURCES,
            **dict.fromkeys(("hand_size", "card_count", "must_discard", "road_length", "points"), COUNT),
        }.items()
    },
    ("Player", "colour"): one_of(COLOURS),
    ("Player", "emblem"): one_of(EMBLEMS),
    ("Player", "player"): one_of(Seat.Player.values),
    **{
        (shape, name): schema
        for shape in ("View", "Page")
        for name, schema in {
            "viewer": or_null(SEAT) | {"description": "Your own seat; null for whoever watches."},
            "rules": RULES,
            "costs": keyed(BUILDING_COSTS, RESOURCES),
            "order": many(SEAT),
            "active": SEAT,
            "to_act": many(SEAT) | {"description": "The seats that the game waits for."},
            "winner": or_null(SEAT),
            "dice": {"type": ["array", "null"], "items": number(range(1, 7)), "minItems": 2, "maxItems": 2},
            "robber": HEX,
            "bank": RESOURCES,
            "longest_road": or_null(SEAT),
            "largest_army": or_null(SEAT),
            "deck": COUNT | {"description": "How many development cards are left."},
        }.items()
    },
    **{
        (shape, name): schema
        for shape in ("OfferView", "OfferCard")
        for name, schema in {
            "number": OFFER,
            "maker": SEAT,
            **dict.fromkeys(("to", "accepted", "rejected"), many(SEAT)),
            **dict.fromkeys(("gives", "gets"), BUNDLE),
        }.items()
    },
    # What can be chosen
    ("VertexChoice", "vertex"): VERTEX,
    ("EdgeChoice", "edge"): EDGE,
    ("HexChoice", "hex"): HEX,
    ("VictimChoice", "victim"): SEAT,
    ("ResourcesChoice", "resources"): RESOURCES,
    ("ResourceChoice", "resource"): RESOURCE,
    ("BankChoice", "give"): RESOURCE,
    ("BankChoice", "take"): RESOURCE,
    ("OfferChoice", "offer"): OFFER,
    ("ConfirmChoice", "offer"): OFFER,
    ("ConfirmChoice", "partner"): SEAT,
    # The page
    ("Page", "status"): one_of(Game.Status.values),
    ("Page", "reasons"): {
        "type": "object",
        "propertyNames": {"enum": [*KINDS, "trade"]},
        "additionalProperties": {"type": "string"},
    },
    ("Page", "next"): or_null(one_of(("roll", "steal", "end_turn"))),
    ("Page", "turn_button"): one_of(("roll", "steal", "stop_placing_roads", "end_turn")),
    ("Page", "if_absent"): or_null(one_of(Seat.IfAbsent.values)),
    ("Page", "pace"): or_null(one_of(PACES)),
    ("Page", "removable"): many(SEAT),
    ("Answer", "seat"): SEAT,
    ("ProposalCard", "by"): SEAT,
    ("Victim", "seat"): SEAT,
    ("Gain", "seat"): SEAT,
    ("Gain", "resources"): RESOURCES,
    ("Terms", "given"): BUNDLE,
    ("Terms", "got"): BUNDLE,
    ("LogEntry", "seat"): or_null(SEAT),
    ("LogEntry", "event"): {"$ref": "#/components/schemas/Event"},
    ("SeatPresence", "seat"): SEAT,
    ("PlaceChoice", "kind"): one_of(("build_settlement", "build_city", "build_road", "move_robber")),
    ("PlaceChoice", "move"): SENT_MOVE,
    ("OfferButton", "move"): {
        "type": "object",
        "properties": {"kind": one_of(KINDS), "offer": OFFER, "partner": SEAT},
        "required": ["kind", "offer"],
        "additionalProperties": False,
    },
    # What happened
    ("MoveView", "seat"): SEAT,
    ("MoveView", "by"): one_of(Move.By.values),
    ("MoveView", "events"): many({"$ref": "#/components/schemas/Event"}),
    # The record
    ("WrittenRecord", "format"): {"type": "string", "const": FORMAT},
    ("WrittenRecord", "rules"): RULES,
    ("WrittenRecord", "bots"): many(one_of(["", *STRENGTHS])),
    ("WrittenMove", "move"): {
        "type": "object",
        "properties": {"kind": one_of(KINDS), "seat": SEAT},
        "required": ["kind", "seat"],
        "additionalProperties": True,
    },
    ("WrittenBoard", "terrains"): many(one_of(TERRAIN_NAMES)),
    ("WrittenBoard", "harbors"): many(one_of(HARBOR_NAMES)),
    ("WrittenDeal", "order"): many(SEAT),
    ("WrittenDeal", "deck"): many(CARD),
    ("Result", "winner"): SEAT_OR_NOBODY,
    # Orders
    ("OrderView", "order"): {"$ref": "#/components/schemas/Order"},
    # Answers of the API alone
    ("ChoicesAnswer", "moves"): many(SENT_MOVE),
}


def components() -> dict[str, dict[str, Any]]:
    return {
        "Resources": _counts(RESOURCE_NAMES, "Resource cards by their names; a name that is left out stands for none."),
        "Bundle": _counts(BUNDLE_NAMES, "Resource and development cards by their names."),
        "RuleSet": _rule_set(),
    }


def _rule_set() -> dict[str, Any]:
    """The options of a game, each with what its values mean at the table."""
    properties = {"preset": one_of(PRESETS)} | {option.name: _option(option) for option in OPTIONS}
    return {
        "type": "object",
        "description": "The rules that a table has agreed on: a rule book, and each of its options.",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _option(option: Option) -> dict[str, Any]:
    if option.numbers is not None:
        return number(option.numbers, f"{option.title}. {option.sentence.format('So many')}")
    said = "; ".join(f"{str(value).lower()}: {sentence}" for value, sentence in option.values)
    told: dict[str, Any] = {"enum": [value for value, _ in option.values], "description": f"{option.title}. {said}"}
    kinds = {type(value) for value, _ in option.values}
    return {"type": _JSON_TYPES[kinds.pop()], **told}


_JSON_TYPES: Final = {bool: "boolean", int: "integer", str: "string"}
