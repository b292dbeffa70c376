"""The stream of a game, which is no view of the framework's: an ASGI application of its own (`api/stream.py`)."""

from __future__ import annotations

import json
from typing import Any, Final

from api.schema import errors
from api.schema.auto import NOT_KEPT
from api.schema.parameters import AFTER, GAME, REVISION
from api.schema.types import ref
from games.page import Mark, Page, SeatPresence
from lobby.chat import ChatNews

PATH: Final = "/api/v1/games/{game_id}/stream/"
NDJSON: Final = "application/x-ndjson"
TYPES: Final = (Page, Mark, SeatPresence, ChatNews)

_LINES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "page": (
        "Your page: at first, and anew after each change, with what happened since.",
        ref("Page"),
    ),
    "presence": ("Somebody came, went or is away.", ref("SeatPresence")),
    "chat": ("A line of the game’s chats; without a line where you do not hear its speaker.", ref("ChatNews")),
    "waiting": ("How many of your games wait for you.", {"type": "integer", "minimum": 0}),
    "heartbeat": ("Nothing happened for a while; this is how far the game has got.", ref("Mark")),
    "bye": (
        "The stream ends, for the reason that the code says. Come back, unless it says that you may not.",
        {
            "type": "object",
            "properties": {"code": {"type": "string"}, "sentence": {"type": "string"}},
            "required": ["code", "sentence"],
            "additionalProperties": False,
        },
    ),
}

_OFFLINE: Final = {"state": "lost", "words": "offline", "short": "", "then": None, "then_at": None}
_EXAMPLE: Final = (
    {"heartbeat": {"version": 41, "revision": 2}},
    {
        "presence": {
            "seat": 1,
            "presence": {"state": "lost", "words": "offline", "short": "", "then": None, "then_at": None},
        }
    },
    {"waiting": 1},
    {"bye": {"code": "try_again", "sentence": "The site is restarting. Come back in a moment."}},
)


def component() -> dict[str, Any]:
    return {
        "description": "A line of a stream: an object with one field, which says what it is.",
        "oneOf": [
            {
                "type": "object",
                "description": what,
                "properties": {name: schema},
                "required": [name],
                "additionalProperties": False,
            }
            for name, (what, schema) in _LINES.items()
        ],
    }


def path() -> dict[str, Any]:
    may_refuse = errors.of_operation(
        is_for_all=False, is_change=False, sends=False, asks=True, names=True, may_refuse=True
    )
    lines = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in _EXAMPLE)
    operation = {
        "operationId": "games_stream",
        "summary": "Hear what happens in a game, as it happens",
        "description": (
            "An answer that does not end: each line is a JSON object. It begins with your page, and says so when "
            "nothing happens for a while. After a cut, come back with `after` and `revision` of the last page that "
            "you have seen: the first page then tells what happened since, nothing twice and nothing left out. "
            "Browsers have the same over a socket, at /ws/games/{game_id}/."
        ),
        "tags": ["Games"],
        "parameters": [parameter.told() for parameter in (GAME, AFTER, REVISION)],
        "security": [{"token": ["read"]}, {"session": []}, {}],
        "responses": {
            "200": {
                "description": "Lines, one at a time.",
                "headers": NOT_KEPT,
                "content": {NDJSON: {"schema": ref("StreamLine"), "examples": {"lines": {"value": lines}}}},
            },
            **dict(may_refuse),
        },
        "x-scope": "read",
    }
    return {PATH: {"get": operation}}
