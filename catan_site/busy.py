"""What is answered when something cannot be answered now: 503, when to come back, and a page in our look.

It needs no database and no thread: it is what is left when these are short.
"""

import random
from functools import cache
from http import HTTPStatus
from typing import Final

from csp.utils import build_policy
from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string

from games.web import PROBLEM, problem

CODE: Final = "try_again"
SENTENCE: Final = "The site is busy or just starting. Try again in a few seconds."

#: Seconds. Those who are turned away together do not come back together.
SOONEST, LATEST = 2, 6


def answer(path: str) -> HttpResponse:
    if path.startswith("/api/"):
        response: HttpResponse = JsonResponse(told(), status=503, content_type=PROBLEM)
    else:
        response = HttpResponse(page(), status=503)
    for name, value in _headers().items():
        response[name] = value
    response["Retry-After"] = str(random.randint(SOONEST, LATEST))  # noqa: S311
    return response


def told() -> dict[str, object]:
    """The same for programs."""
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, CODE, SENTENCE)


@cache
def page() -> str:
    return render_to_string("503.html")


@cache
def _headers() -> dict[str, str]:
    """Those that middleware gives every other answer: this one may be given before any was asked."""
    return {
        "Cache-Control": "no-store",
        "Content-Security-Policy": build_policy(),
        "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": settings.X_FRAME_OPTIONS,
    }
