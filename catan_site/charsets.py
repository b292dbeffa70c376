"""What is sent to the site is UTF-8, as all browsers send it; anything else is refused in words.

Left alone, Django refuses a form in another charset, reads the form again to draw the page that says so,
fails for good, and answers with a bare 500.
"""

import codecs
from collections.abc import Callable, Iterable
from typing import Any, Final

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.template.loader import render_to_string
from django.utils.http import parse_header_parameters

from games.web import PROBLEM, problem

SENTENCE: Final = "Send it as UTF-8, or name no charset at all: what is sent in another one is not read here."
UNREADABLE: Final = b"text/plain; charset=unreadable"


class ReadableHeaders:
    """An ASGI application that lets another see a Content-Type which that one can read.

    Django reads it before any of its middleware is there to help, and fails for good. In its place comes one
    that `only_utf8` refuses, so that the answer is the same as to every other charset.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        if scope["type"] == "http" and not _is_readable(scope["headers"]):
            others = [(name, value) for name, value in scope["headers"] if name != b"content-type"]
            scope = {**scope, "headers": [*others, (b"content-type", UNREADABLE)]}
        await self.application(scope, receive, send)


def _is_readable(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    try:
        # As Django puts them together, should there be several.
        parse_header_parameters(b",".join(value for name, value in headers if name == b"content-type").decode("latin1"))
    except ValueError:
        return False
    return True


def only_utf8(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """The middleware that refuses other charsets."""

    def answer(request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset")
        if charset is None:
            return get_response(request)
        if _is_utf8(charset):
            # By one of its many names, of which Django knows only this one.
            request.encoding = "utf-8"
            return get_response(request)
        if request.path.startswith("/api/"):
            return JsonResponse(problem(400, "not_utf8", SENTENCE), status=400, content_type=PROBLEM)
        return HttpResponseBadRequest(render_to_string("400.html", {"why": SENTENCE}))

    return answer


def _is_utf8(charset: str) -> bool:
    try:
        return codecs.lookup(charset).name == "utf-8"
    except (LookupError, ValueError):
        return False
