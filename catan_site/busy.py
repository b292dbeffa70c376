"""What is answered when something cannot be answered now: 503, when to come back, and a page in our look.

It needs no database and no thread: it is what is left when these are short.
"""

import random
from functools import cache
from typing import Final

from csp.utils import build_policy
from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string

CODE: Final = "try_again"
SENTENCE: Final = "The site is busy or just starting. Try again in a few seconds."

#: Seconds. Those who are turned away together do not come back together.
SOONEST, LATEST = 2, 6


def answer(path: str) -> HttpResponse:
    if path.startswith("/api/"):
        response: HttpResponse = JsonResponse({"code": CODE, "sentence": SENTENCE}, status=503)
    else:
        response = HttpResponse(page(), status=503)
    for name, value in _headers().items():
        response[name] = value
    response["Retry-After"] = str(random.randint(SOONEST, LATEST))  # noqa: S311
    return response


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
