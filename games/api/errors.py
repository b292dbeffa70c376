"""What the API answers when it refuses: a code for programs and a sentence for people.

A request of the wrong shape is a 400, a move that the rules or the state of the game forbid a 409.
"""

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from django.utils import timezone
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from games import services
from games.models import Game
from games.rules import IllegalMove, MalformedMove
from games.store import BrokenRows


class NotSeated(exceptions.PermissionDenied):
    default_detail = "You have no seat in this game: you can watch it, not play it."


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """The exception handler of the API."""
    match error:
        case MalformedMove():
            return _refusal(status.HTTP_400_BAD_REQUEST, "malformed_move", str(error))
        case IllegalMove():
            return _refusal(status.HTTP_409_CONFLICT, error.code, error.sentence)
        case services.Refused():
            return _refusal(status.HTTP_409_CONFLICT, error.code, error.sentence)
        case RecursionError():
            return _refusal(status.HTTP_400_BAD_REQUEST, "malformed_move", "No move is nested as deeply as this.")
        case BrokenRows():
            services.set_aside(context["kwargs"]["game_id"], str(error), now=timezone.now())
            return _refusal(status.HTTP_409_CONFLICT, services.SetAside.code, services.SET_ASIDE)
        case RequestDataTooBig():
            return _refusal(status.HTTP_413_REQUEST_ENTITY_TOO_LARGE, "too_long", "No move is as long as this.")
        case Game.DoesNotExist() | Http404():
            return _refusal(status.HTTP_404_NOT_FOUND, "no_such_game", "There is no such game.")
    response = exception_handler(error, context)
    if response is not None and isinstance(error, exceptions.APIException):
        response.data = {"code": str(error.get_codes()), "sentence": str(error.detail)}
    return response


def _refusal(code: int, rule: str, sentence: str) -> Response:
    return Response({"code": rule, "sentence": sentence}, status=code)
