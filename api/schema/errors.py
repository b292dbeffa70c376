"""What each operation may answer when it does not do what it was asked for: problem documents (RFC 9457)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from api.schema.codes import CODES
from api.schema.narrowed import many
from games.web import PROBLEM, problem

RETRY_AFTER: Final = {
    "Retry-After": {
        "description": "So many seconds later it is worth another try.",
        "required": True,
        "schema": {"type": "integer", "minimum": 1},
    }
}
WWW_AUTHENTICATE: Final = {
    "WWW-Authenticate": {
        "description": "How to say who you are: Bearer.",
        "required": True,
        "schema": {"type": "string"},
    }
}

#: Name, status, what it means, the code of the example, and headers.
_RESPONSES: Final[dict[str, tuple[int, str, str, dict[str, Any]]]] = {
    "Malformed": (400, "What was sent does not fit; errors names the fields.", "malformed", {}),
    "NotKnown": (
        401,
        "It is not known who asks, or the token is unknown or revoked.",
        "not_authenticated",
        WWW_AUTHENTICATE,
    ),
    "Forbidden": (403, "It is not for you to do or to see, or not with this token.", "permission_denied", {}),
    "NotThere": (404, "There is no such thing, or you may not know of it.", "not_found", {}),
    "NotNow": (409, "The rules, or how things stand, forbid it: the code says which, detail says why.", "refused", {}),
    "TooLong": (413, "More was sent than is read here.", "too_long", {}),
    "NotJson": (415, "Send application/json.", "unsupported_media_type", {}),
    "TooFast": (429, "That was too much in too short a time.", "too_fast", RETRY_AFTER),
    "TryAgain": (503, "The site is busy or just starting.", "try_again", RETRY_AFTER),
}
_NAMES: Final = {status: name for name, (status, *_) in _RESPONSES.items()}


def component() -> dict[str, Any]:
    """The problem document."""
    return {
        "type": "object",
        "description": "What was not done, and why: a problem document (RFC 9457).",
        "properties": {
            "type": {
                "type": "string",
                "format": "uri-reference",
                "description": "Where the code is explained.",
            },
            "title": {"type": "string", "description": "The code in words."},
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "detail": {"type": "string", "description": "A sentence for people: what happened, why, what to do."},
            "code": {"type": "string", "enum": sorted(CODES), "description": "For programs; it stays as it is."},
            "errors": many({"$ref": "#/components/schemas/FieldError"})
            | {"description": "Of what was malformed: which fields, and why."},
            "version": {
                "type": "integer",
                "minimum": 0,
                "description": "Of a stale move: the number of the game’s last move.",
            },
            "missed": many({"$ref": "#/components/schemas/MoveView"})
            | {"description": "Of a stale move: what happened since the version that you named."},
        },
        "required": ["type", "title", "status", "detail", "code"],
        "additionalProperties": False,
        "examples": [problem(409, "not_your_turn", CODES["not_your_turn"].meaning)],
    }


def field_error() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "field": {"type": "string", "description": "Its path, such as move.vertex; empty for the whole."},
            "detail": {"type": "string"},
        },
        "required": ["field", "detail"],
        "additionalProperties": False,
    }


def responses() -> dict[str, Any]:
    """Those that operations share."""
    return {
        name: {
            "description": what,
            **({"headers": headers} if headers else {}),
            "content": {
                PROBLEM: {
                    "schema": {"$ref": "#/components/schemas/Problem"},
                    "examples": {code: {"value": problem(status, code, CODES[code].meaning)}},
                }
            },
        }
        for name, (status, what, code, headers) in _RESPONSES.items()
    }


def of_operation(
    *, is_for_all: bool, is_change: bool, sends: bool, asks: bool, names: bool, may_refuse: bool
) -> Iterator[tuple[str, dict[str, Any]]]:
    """By status, what an operation may answer instead of what it was asked for."""
    statuses = [
        (400, sends or asks),
        # A token that does not count is refused wherever it is read.
        (401, not is_for_all),
        (403, not is_for_all),
        (404, names),
        (409, is_change or may_refuse),
        (413, sends),
        (415, sends),
        (429, True),
        (503, True),
    ]
    return (
        (str(status), {"$ref": f"#/components/responses/{_NAMES[status]}"}) for status, may_be in statuses if may_be
    )
