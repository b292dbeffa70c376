"""What programs are told when something is not done: a problem document, for whatever it was.

A request of the wrong shape is a 400 that names the field; what the rules, or the state of a game or table, forbid is a
409 (`games.web.status_of`).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from django.utils import timezone
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler, set_rollback

from games import selectors, services
from games.models import Game
from games.rules import Refusal
from games.rules.refusals import Malformed
from games.store import BrokenRows
from games.web import PROBLEM, headers_of, problem, status_of
from lobby.models import Table

NO_SUCH_GAME: Final = "There is no such game."
NO_SUCH_TABLE: Final = "There is no such table. It may have been closed, or its game may be over."
NOT_FOUND: Final = "There is nothing at this address."
NOT_FIT: Final = "Some of what was sent does not fit: see which fields, and why."

#: To people: programs with a session know by the code that they have to send its X-CSRFToken.
OTHER_SESSION: Final = "You have signed in or out since this page was loaded. Reload it, and try again."

#: What Django REST framework says in its own words, and often enough, in ours.
_SENTENCES: Final[dict[str, str]] = {
    "not_authenticated": "You aren’t signed in: sign in, or send a token of your account.",
    "parse_error": "What was sent is not JSON.",
    "unsupported_media_type": "Send JSON, and say so: Content-Type: application/json.",
    "method_not_allowed": "This address does not know that method.",
    "not_found": NOT_FOUND,
}


class StaleMove(services.StaleVersion):
    """A move on a picture of the game that is out of date, with what its player has missed."""

    def __init__(self, stale: services.StaleVersion, missed: list[selectors.MoveView]) -> None:
        super().__init__(stale.version)
        self.missed = missed


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """The exception handler of the API."""
    told = _answer(error, context)
    if told is not None:
        set_rollback()
    return told


def _answer(error: Exception, context: dict[str, Any]) -> Response | None:
    match error:
        case StaleMove():
            return refused(error, version=error.version, missed=error.missed)
        case Malformed():
            return refused(error, **fields_of(error))
        case selectors.NoSpectators():
            # Whoever may not see a game does not learn that there is one.
            return told(status.HTTP_404_NOT_FOUND, "no_such_game", NO_SUCH_GAME)
        case Refusal():
            return refused(error)
        case RecursionError():
            return refused(Malformed("Nothing that is sent here is nested as deeply."))
        case BrokenRows():
            services.set_aside(context["kwargs"]["game_id"], str(error), now=timezone.now())
            return refused(services.SetAside(services.SET_ASIDE))
        case RequestDataTooBig():
            return told(
                status.HTTP_413_REQUEST_ENTITY_TOO_LARGE, "too_long", "Nothing that is sent here needs to be that long."
            )
        case Game.DoesNotExist():
            return told(status.HTTP_404_NOT_FOUND, "no_such_game", NO_SUCH_GAME)
        case Table.DoesNotExist():
            return told(status.HTTP_404_NOT_FOUND, "no_such_table", NO_SUCH_TABLE)
        case Http404():
            return told(status.HTTP_404_NOT_FOUND, "not_found", NOT_FOUND)
        case exceptions.ValidationError():
            return told(error.status_code, "malformed", NOT_FIT, errors=list(_fields(error.detail)))
        case exceptions.PermissionDenied() if str(error.detail).startswith("CSRF Failed"):
            return told(error.status_code, "csrf", OTHER_SESSION)
        case exceptions.APIException():
            return _of_the_framework(error, context)
    return None


def _of_the_framework(error: exceptions.APIException, context: dict[str, Any]) -> Response:
    code = str(error.get_codes())
    response = exception_handler(error, context)
    headers = {} if response is None else dict(response.items())
    # An answer of its own, so that its type is ours; what goes with it, such as WWW-Authenticate, stays.
    headers.pop("Content-Type", None)
    return told(error.status_code, code, _SENTENCES.get(code, str(error.detail)), headers=headers)


def fields_of(malformed: Malformed) -> dict[str, object]:
    """The field that a refusal names, as every refusal of fields says it."""
    return {"errors": [{"field": malformed.field, "detail": malformed.sentence}]} if malformed.field else {}


def _fields(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Of errors as a serializer has them: nested by field, or a list of sentences."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            own = "" if name == "non_field_errors" else str(name)
            yield from _fields(inner, ".".join(filter(None, (path, own))))
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            yield from _fields(inner, path if isinstance(inner, str) else f"{path}.{number}")
    else:
        yield {"field": path, "detail": str(detail)}


def refused(refusal: Refusal, **more: object) -> Response:
    return told(status_of(refusal), refusal.code, refusal.sentence, headers=headers_of(refusal), **more)


def told(
    status: int, code: str, sentence: str, *, headers: Mapping[str, str] | None = None, **more: object
) -> Response:
    return Response(problem(status, code, sentence, **more), status=status, headers=headers, content_type=PROBLEM)
