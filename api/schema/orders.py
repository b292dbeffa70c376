"""Standing orders as programs send them: one component for each kind, with an example, and all of them together."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from api.schema.moves import union, value_of_kind
from api.schema.narrowed import RESOURCE, number, one_of
from games.orders import ALL, KINDS, OTHERS, PIECES
from games.rules.cards import RESOURCE_NAMES, RESOURCE_SUPPLY
from games.rules.topology import EDGES, VERTICES
from games.typed import docstring

_COUNT: Final = number(range(1, RESOURCE_SUPPLY + 1))

FIELDS: Final[dict[str, dict[str, Any]]] = {
    "keep": {
        "type": "array",
        "items": RESOURCE,
        "minItems": 1,
        "maxItems": len(RESOURCE_NAMES),
        "uniqueItems": True,
        "description": "What to keep first, each once.",
    },
    "asking": one_of((ALL, OTHERS, *RESOURCE_NAMES))
    | {"description": "Offers that ask for this; all of them; or others than your orders accept."},
    "give": RESOURCE | {"description": "The one resource that the offer may ask for; not what it gives."},
    "most": _COUNT | {"description": "How many of it at most."},
    "get": RESOURCE | {"description": "What the offer has to give."},
    "least": _COUNT | {"description": "How many of it at least."},
    "piece": one_of(PIECES),
    "place": number(EDGES, "An edge for a road, a vertex for a settlement or city."),
}

EXAMPLES: Final[dict[str, dict[str, Any]]] = {
    str(each["kind"]): each
    for each in (
        {"kind": "roll"},
        {"kind": "end_turn"},
        {"kind": "keep_first", "keep": ["ore", "grain"]},
        {"kind": "decline", "asking": "ore"},
        {"kind": "accept", "give": "wool", "most": 1, "get": "brick", "least": 1},
        {"kind": "build", "piece": "road", "place": 7},
    )
}

#: What fields allow only together.
_TOGETHER: Final[dict[str, dict[str, Any]]] = {
    "accept": {
        "anyOf": [
            {
                "properties": {
                    "give": {"const": give},
                    "get": {"enum": [name for name in RESOURCE_NAMES if name != give]},
                }
            }
            for give in RESOURCE_NAMES
        ]
    },
    "build": {
        "anyOf": [
            {"properties": {"piece": {"const": "road"}}},
            {"properties": {"place": {"maximum": VERTICES[-1]}}},
        ]
    },
}


def components() -> dict[str, dict[str, Any]]:
    kinds = {f"{shape.__name__}Order": _order(kind) for kind, shape in KINDS.items()}
    return {**kinds, "Order": union("A standing order: what is done for your seat without you.", kinds)}


def _order(kind: str) -> dict[str, Any]:
    shape = KINDS[kind]
    what = " ".join(docstring(shape).split())
    told = value_of_kind(kind, what, {each.name: FIELDS[each.name] for each in fields(shape)}, EXAMPLES[kind])
    return told | _TOGETHER.get(kind, {})
