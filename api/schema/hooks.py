"""What the document has beside the endpoints that the framework knows: components that all share, and the stream."""

from __future__ import annotations

from typing import Any, Final

from api.schema import errors, events, moves, narrowed, orders, stream, types
from games.selectors import MoveView

#: Of what is described, as its addresses say it: /api/v1/.
VERSION: Final = "1"

_SCHEMAS: Final = "#/components/schemas/"

#: Types that components of ours speak of, whether or not an endpoint answers with them.
_SPOKEN_OF: Final = (MoveView, *stream.TYPES)


def complete(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    result["info"]["version"] = VERSION
    result["paths"] = dict(sorted((result["paths"] | stream.path()).items()))
    components = result["components"]
    components["responses"] = errors.responses()
    schemas = _with_shared(components["schemas"])
    components["schemas"] = {name: schemas[name] for name in sorted(_reached(result, schemas))}
    return result


def _with_shared(schemas: dict[str, Any]) -> dict[str, Any]:
    shared = {
        **narrowed.components(),
        **moves.components(),
        **orders.components(),
        **events.components(),
        **types.components(_SPOKEN_OF),
        "Problem": errors.component(),
        "FieldError": errors.field_error(),
        "StreamLine": stream.component(),
    }
    # A type that an endpoint answers with is there already; two of one name would be one too many.
    twice = [name for name, schema in shared.items() if schemas.get(name, schema) != schema]
    if twice:
        raise ValueError(f"Two components have the same name: {', '.join(twice)}.")
    return schemas | shared


def _reached(result: dict[str, Any], schemas: dict[str, Any]) -> set[str]:
    """The components that something leads to: of some Python types, the document says more than the type itself."""
    found: set[str] = set()
    ahead = _named_in([result["paths"], result["components"]["responses"]])
    while ahead:
        found |= ahead
        ahead = {name for known in ahead for name in _named_in(schemas[known])} - found
    return found


def _named_in(part: Any) -> set[str]:
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    own = (
        {part["$ref"].removeprefix(_SCHEMAS)} if isinstance(part, dict) and _SCHEMAS in part.get("$ref", "") else set()
    )
    return own.union(*map(_named_in, inner))
