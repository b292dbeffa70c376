"""What the API answers when it refuses: a code for programs and a sentence for people.

A request of the wrong shape is a 400, a move that the rules or the state of the game forbid a 409
(`games.web.status_of`).
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
from games.rules import MalformedMove, Refusal
from games.store import BrokenRows
from games.web import headers_of, status_of


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """The exception handler of the API."""
    match error:
        case Refusal():
            return _refusal(error)
        case RecursionError():
            return _refusal(MalformedMove("No move is nested as deeply as this."))
        case BrokenRows():
            services.set_aside(context["kwargs"]["game_id"], str(error), now=timezone.now())
            return _refusal(services.SetAside(services.SET_ASIDE))
        case RequestDataTooBig():
            return _answer(status.HTTP_413_REQUEST_ENTITY_TOO_LARGE, "too_long", "No move is as long as this.")
        case Game.DoesNotExist() | Http404():
            return _answer(status.HTTP_404_NOT_FOUND, "no_such_game", "There is no such game.")
    response = exception_handler(error, context)
    if response is not None and isinstance(error, exceptions.APIException):
        response.data = {"code": str(error.get_codes()), "sentence": str(error.detail)}
    return response


def _refusal(refusal: Refusal) -> Response:
    return _answer(status_of(refusal), refusal.code, refusal.sentence, headers_of(refusal))


def _answer(status: int, code: str, sentence: str, headers: dict[str, str] | None = None) -> Response:
    return Response({"code": code, "sentence": sentence}, status=status, headers=headers)
