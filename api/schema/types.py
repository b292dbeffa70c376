"""Python types as JSON Schema: those of answers, which are the games' and the lobby's own.

What has fields becomes a component of its own, and has these fields and no others.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Final, Literal, NotRequired, Required, TypeAlias, Union, get_args, get_origin

from typing_extensions import ReadOnly

from api.schema import narrowed
from games.typed import LISTS, RECORDS, collect, docstring, field_comments, has_fields, hints, is_optional

Schema: TypeAlias = "dict[str, Any]"

_PLAIN: Final[dict[Any, Schema]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
    Any: {},
    object: {},
}


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def components(roots: Iterable[Any]) -> dict[str, Schema]:
    """A component of each of these types, and of all that they are made of."""
    found: dict[str, type] = {}
    for root in roots:
        collect(root, found)
    return {name: component(shape) for name, shape in found.items()}


def component(shape: type) -> Schema:
    comments, fields = field_comments(shape), hints(shape)
    properties = {
        key: _told(narrowed.FIELDS.get((shape.__name__, key)) or schema_of(hint), comments.get(key, ""))
        for key, hint in fields.items()
    }
    required = [key for key, hint in fields.items() if not is_optional(shape, key, hint)]
    told: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return _told(told | ({"required": required} if required else {}), docstring(shape))


def _told(schema: Schema, comment: str) -> Schema:
    return {**schema, "description": " ".join(comment.split())} if comment else schema


def schema_of(hint: Any) -> Schema:
    """What JSON holds where Python has this type."""
    origin, parts = get_origin(hint), get_args(hint)
    if has_fields(hint):
        return ref(hint.__name__)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _one_of_values([member.value for member in hint])
    if origin is None:
        return dict(_PLAIN[hint])
    if origin is Literal:
        return _one_of_values(list(parts))
    if origin in (Union, UnionType):
        return _any_of([schema_of(part) for part in parts])
    if origin in (Required, NotRequired, ReadOnly):
        return schema_of(parts[0])
    if origin in LISTS or (origin is tuple and parts[1:] == (...,)):
        return {"type": "array", "items": schema_of(parts[0])}
    if origin is tuple:
        return {"type": "array", "prefixItems": [*map(schema_of, parts)], "minItems": len(parts), "items": False}
    if origin in RECORDS:
        return {"type": "object", "additionalProperties": schema_of(parts[1])}
    raise TypeError(f"{hint} has no form in an answer: JSON does not know it.")


def _one_of_values(values: list[Any]) -> Schema:
    kinds = {type(value) for value in values}
    return {**(_PLAIN[kinds.pop()] if len(kinds) == 1 else {}), "enum": values}


def _any_of(schemas: list[Schema]) -> Schema:
    """A plain type that may be missing is what it is, or null."""
    *others, last = sorted(schemas, key=lambda schema: schema == _PLAIN[NoneType])
    if last == _PLAIN[NoneType] and len(others) == 1 and "type" in others[0]:
        return others[0] | {"type": [others[0]["type"], "null"]} | _with_null(others[0])
    return {"anyOf": [*others, last]}


def _with_null(schema: Schema) -> Schema:
    return {"enum": [*schema["enum"], None]} if "enum" in schema else {}
