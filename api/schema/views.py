"""The document for programs, and as a page for people: the same for everybody."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.utils.decorators import method_decorator
from django.views.decorators.http import condition, require_safe
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from api.schema import document, pages
from api.schema.auto import Tagged
from api.schema.parameters import SEEN, of
from api.throttles import OF_AN_ADDRESS

#: It changes when the site does.
KEPT_FOR: Final = 300


@cache
def _tag() -> str:
    return f'W/"{sha256(document.written().encode()).hexdigest()[:24]}"'


def _tag_of(*_: object, **__: object) -> str:
    return _tag()


class Schema(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        parameters=of(SEEN),
        responses={200: Tagged({"type": "object"}, kept="Anybody may keep it for a while."), 304: None},
    )
    @method_decorator(condition(etag_func=_tag_of))
    def get(self, request: Request) -> HttpResponse:
        """This document: the API in OpenAPI 3.1."""
        answer = HttpResponse(document.written(), content_type="application/json")
        patch_cache_control(answer, public=True, max_age=KEPT_FOR)
        return answer


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """What is drawn of the document is drawn once; who is greeted above it differs."""
    limits = {what: getattr(settings, f"API_{what}_A_MINUTE") for what in ("READS", "MOVES", "OFFERS")} | {
        "OF_AN_ADDRESS": OF_AN_ADDRESS
    }
    address = request.build_absolute_uri("/").removesuffix("/")
    return render(request, "api/docs.html", {"reference": _reference(), "limits": limits, "address": address})


@cache
def _reference() -> str:
    return render_to_string("api/_reference.html", pages.context())
