"""What may stand in an address, or in a header, beside what is sent."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from drf_spectacular.utils import OpenApiParameter

from api.pagination import MOST_LISTED, MOST_MOVES, Newest
from api.schema.narrowed import number, one_of
from games.keys import GAME_DIGITS
from games.models import Game
from games.web import MOST_DIGITS
from lobby.rating_models import Kind

_SMALL: Final = range(10**MOST_DIGITS)
_YES_OR_NO: Final = {"type": "boolean"}


class Parameter(NamedTuple):
    name: str
    schema: dict[str, Any]
    description: str
    location: Literal["query", "path", "header"] = OpenApiParameter.QUERY

    def told(self) -> dict[str, Any]:
        """As the document has it."""
        required = {"required": True} if self.location == OpenApiParameter.PATH else {}
        where = {"in": self.location, "name": self.name, "description": self.description}
        return {**where, **required, "schema": self.schema}

    def for_view(self) -> OpenApiParameter:
        return OpenApiParameter(self.name, self.schema, self.location, description=self.description)


GAME: Final = Parameter(
    "game_id", number(range(1, 10**GAME_DIGITS)), "The game’s number, as in its address.", OpenApiParameter.PATH
)
CODE: Final = Parameter(
    "code",
    {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
    "By which a table or a person is found: the page there has it in its address.",
    OpenApiParameter.PATH,
)
LADDER: Final = Parameter("kind", one_of(Kind.values), "The ladder.", OpenApiParameter.PATH)
PAGE: Final = Parameter("page", number(range(1, 10**MOST_DIGITS)), "From 1.")
AFTER_LINE: Final = Parameter("after", number(_SMALL), "The number of the last line that you have seen.")
AFTER: Final = Parameter(
    "after", number(_SMALL), "The number of the last move that you have seen; without it you get the newest."
)
AFTER_MOVE: Final = Parameter("after", number(_SMALL), "The number of the last move that you have seen; 0 without it.")
REVISION: Final = Parameter(
    "revision", number(_SMALL), "The revision that you have seen last: what was done to the game beside its moves."
)
LIMIT: Final = Parameter("limit", number(range(1, MOST_MOVES + 1)), f"How many moves at most; {MOST_MOVES} without it.")
SEEN: Final = Parameter(
    "If-None-Match", {"type": "string"}, "The ETag of an answer that you have.", OpenApiParameter.HEADER
)
CURSOR: Final = Parameter("cursor", {"type": "string"}, "Of another page: it stands in next and previous.")
PAGE_SIZE: Final = Parameter(
    "page_size", number(range(1, MOST_LISTED + 1)), f"How many of the list at once; {Newest.page_size} without it."
)
#: What every list may be asked.
OF_LISTS: Final = (CURSOR, PAGE_SIZE)
MINE: Final = Parameter("mine", _YES_OR_NO, "Games in which you play, or others.")
WAITING: Final = Parameter(
    "waiting", _YES_OR_NO, "Games that wait for a move, a discard or an answer of yours, or others."
)
STATUS: Final = Parameter("status", one_of(Game.Status.values), "How the game stands.")


def of(*parameters: Parameter) -> list[OpenApiParameter | type]:
    """As a view’s decorator takes them."""
    return [parameter.for_view() for parameter in parameters]


#: What addresses name.
PATHS: Final = {parameter.name: parameter for parameter in (GAME, CODE)}
