"""What all endpoints have in common: who asks, when, and how an answer may be kept."""

import hashlib
import math
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, ClassVar, Final, NoReturn

from django.utils import timezone
from django.utils.cache import patch_cache_control
from rest_framework.exceptions import APIException, MethodNotAllowed
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.viewsets import ViewSet

from api import throttles
from games.page import dumps
from games.rules.refusals import Forbidden, Malformed, TooFast
from games.web import read_number
from lobby.models import User

YES_OR_NO: Final = {"true": True, "false": False}


class Endpoint(ViewSet):
    """A thing of the API, and what can be done with it."""

    #: What the addresses of some endpoints say of which one is meant.
    lookup_value_converter: ClassVar[str]

    @property
    def now(self) -> datetime:
        return timezone.now()

    @property
    def person(self) -> User:
        """Nobody who is saved, for those who have not said who they are."""
        user = self.request.user
        return user if isinstance(user, User) else User()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """What nobody can do here is refused before it is asked who asks."""
        if self.action is None:
            raise MethodNotAllowed(request.method or "")
        super().initial(request, *args, **kwargs)

    def check_permissions(self, request: Request) -> None:
        """What somebody may not do is asked for too, and counts."""
        try:
            super().check_permissions(request)
        except (APIException, Forbidden):
            self.check_throttles(request)
            raise

    def throttled(self, request: Request, wait: float | None) -> NoReturn:
        seconds = wait or 0
        raise TooFast(throttles.sentence(throttles.kind_of(request), seconds), max(1, math.ceil(seconds)))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Most answers are one person's, and many hold a hand: nobody on their way keeps them."""
        response = super().finalize_response(request, response, *args, **kwargs)
        if not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_store=True)
        return response


def tagged(request: Request, answer: Mapping[str, Any], *, unlike: frozenset[str] = frozenset()) -> Response:
    """An answer with its ETag, or 304 for whoever has one that differs in nothing but what is named here."""
    told = dumps({name: value for name, value in answer.items() if name not in unlike})
    tag = f'W/"{hashlib.sha256(told.encode()).hexdigest()[:24]}"'
    seen = request.headers.get("If-None-Match", "")
    is_seen = tag in (each.strip() for each in seen.split(",")) or seen.strip() == "*"
    response = Response(status=304) if is_seen else Response(answer)
    response["ETag"] = tag
    return response


def said(serializer: type[Serializer[Any]], request: Request) -> dict[str, Any]:
    """What was sent, if it fits."""
    read = serializer(data=request.data)
    read.is_valid(raise_exception=True)
    sent: dict[str, Any] = read.validated_data
    return sent


def number_in(request: Request, name: str) -> int | None:
    """A number of the query."""
    value = request.query_params.get(name)
    if value is None:
        return None
    return read_number(value, Malformed(f"{name} is a number of at most nine digits.", name))


def yes_or_no_in(request: Request, name: str) -> bool | None:
    value = request.query_params.get(name)
    if value is not None and value not in YES_OR_NO:
        raise Malformed(f"{name} is true or false.", name)
    return None if value is None else YES_OR_NO[value]


def one_of_in(request: Request, name: str, choices: Collection[str]) -> str | None:
    value = request.query_params.get(name)
    if value is not None and value not in choices:
        raise Malformed(f"{name} is one of {', '.join(choices)}.", name)
    return value
