"""The moves that programs send: one component for each kind, with an example, and all of them together.

A move is sent without its seat, which is the sender's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from api.schema.narrowed import BUNDLE, EDGE, HEX, OFFER, RESOURCE, RESOURCES, SEAT, VERTEX, number
from games.rules.moves import KINDS, MOST_CARDS, MOST_SEATS
from games.typed import docstring

_SEATS: Final = range(MOST_SEATS)

#: What each field of a move may hold. A test holds it against what the rules read.
FIELDS: Final[dict[str, dict[str, Any]]] = {
    "vertex": VERTEX,
    "edge": EDGE,
    "hex": HEX,
    "victim": SEAT | {"description": "The seat to steal from."},
    "partner": SEAT | {"description": "The seat to trade with, one of those that accepted."},
    "paid": number(range(MOST_CARDS + 1), "How many cards you pay: exactly your rate."),
    "offer": OFFER,
    "resource": RESOURCE | {"description": "What everybody gives you all of."},
    "give": RESOURCE | {"description": "What you pay with."},
    "take": RESOURCE | {"description": "What you get one card of."},
    "resources": RESOURCES | {"description": "How many cards of each resource."},
    "gives": BUNDLE | {"description": "What you would give."},
    "gets": BUNDLE | {"description": "What you would get."},
    "to": {
        "type": "array",
        "enum": [list(seats) for size in _SEATS for seats in combinations(_SEATS, size + 1)],
        "description": "The seats that the offer goes to, in rising order.",
    },
}

#: What kinds without a docstring of their own are.
_WHAT: Final = {
    "build_city": "Turn one of your settlements into a city.",
    "roll": "Roll the dice.",
    "discard": "After a seven, give back half of your cards, rounded down: the choices say how many.",
    "move_robber": "Move the robber to another hex.",
    "steal": "Take a card at random from somebody with a building on the robber’s hex.",
    "buy_card": "Buy a development card.",
    "play_knight": "Play a knight: move the robber.",
    "play_road_building": "Play Road Building: place two roads for nothing.",
    "play_year_of_plenty": "Play Year of Plenty: take two cards from the bank.",
    "play_monopoly": "Play Monopoly: take all cards of one resource from everybody.",
    "play_victory_point": "Lay open a victory point, where it counts only once it is played.",
    "accept_offer": "Say yes to an offer. The trade is made once the player to move confirms it.",
    "reject_offer": "Say no to an offer.",
    "end_turn": "End your turn.",
}

#: A move of each kind, as it is sent.
EXAMPLES: Final[dict[str, dict[str, Any]]] = {
    str(each["kind"]): each
    for each in (
        {"kind": "build_settlement", "vertex": 20},
        {"kind": "build_road", "edge": 7},
        {"kind": "build_city", "vertex": 20},
        {"kind": "roll"},
        {"kind": "skip_roll"},
        {"kind": "discard", "resources": {"wool": 3, "ore": 1}},
        {"kind": "move_robber", "hex": 9},
        {"kind": "steal", "victim": 2},
        {"kind": "buy_card"},
        {"kind": "play_knight"},
        {"kind": "play_road_building"},
        {"kind": "stop_placing_roads"},
        {"kind": "play_year_of_plenty", "resources": {"grain": 1, "ore": 1}},
        {"kind": "play_monopoly", "resource": "wool"},
        {"kind": "play_victory_point"},
        {"kind": "trade_with_bank", "give": "wool", "paid": 4, "take": "brick"},
        {"kind": "offer_trade", "to": [0, 2], "gives": {"wool": 1}, "gets": {"brick": 1}},
        {"kind": "accept_offer", "offer": 3},
        {"kind": "reject_offer", "offer": 3},
        {"kind": "counter_offer", "offer": 3, "gives": {"brick": 1}, "gets": {"wool": 2}},
        {"kind": "confirm_trade", "offer": 3, "partner": 2},
        {"kind": "withdraw_offer", "offer": 3},
        {"kind": "end_turn"},
    )
}


def components() -> dict[str, dict[str, Any]]:
    kinds = {f"{shape.__name__}Move": _move(kind) for kind, shape in KINDS.items()}
    return {**kinds, "Move": union("A move, without its seat, which is yours.", kinds)}


def _move(kind: str) -> dict[str, Any]:
    shape = KINDS[kind]
    fields: Sequence[str] = shape.__match_args__
    what = " ".join(docstring(shape).replace("``", "").split()) or _WHAT[kind]
    return value_of_kind(kind, what, {name: FIELDS[name] for name in fields if name != "seat"}, EXAMPLES[kind])


def value_of_kind(
    kind: str, what: str, fields: Mapping[str, dict[str, Any]], example: object = None, optional: Sequence[str] = ()
) -> dict[str, Any]:
    """A value that says of which kind it is, and has the fields that belong to it."""
    properties = {"kind": {"type": "string", "const": kind}, **fields}
    return {
        "type": "object",
        "description": what,
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
        **({} if example is None else {"examples": [example]}),
    }


def union(what: str, kinds: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Any of these, told apart by their kind."""
    address: Callable[[str], str] = "#/components/schemas/{}".format
    by_kind = {schema["properties"]["kind"]["const"]: address(name) for name, schema in kinds.items()}
    return {
        "description": what,
        "oneOf": [{"$ref": each} for each in by_kind.values()],
        "discriminator": {"propertyName": "kind", "mapping": by_kind},
    }
