"""Files of the pages on one's own machine: as they lie, so that an edit is seen at once, and compressed on their way.

A server's nginx has collected and compressed copies of them, and asks nobody.
"""

import gzip
from collections.abc import Iterator
from typing import Any, Final

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from csp.utils import build_policy
from django.conf import settings
from django.contrib.staticfiles import finders
from servestatic import ServeStaticASGI

PREFIXES: Final = (b"text/", b"application/javascript", b"application/json", b"image/svg+xml")


class Files(ServeStaticASGI):  # type: ignore[misc]
    """An ASGI application that answers for the files, and leaves everything else to another."""

    def __init__(self, application: Any) -> None:
        super().__init__(
            application, autorefresh=True, max_age=0, allow_all_origins=False, add_headers_function=_protect
        )

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        if scope["type"] == "http" and scope["path"].startswith(settings.STATIC_URL):
            await super().__call__(scope, receive, _compressing(send) if _accepts_gzip(scope["headers"]) else send)
        else:
            await self.application(scope, receive, send)

    def candidate_paths_for_url(self, url: str) -> Iterator[str]:
        """Where Django finds it: among our own files or among an app's."""
        found = finders.find(url.removeprefix(settings.STATIC_URL))
        if found:
            yield found


def _protect(headers: Any, path: str, url: str) -> None:
    headers["Content-Security-Policy"] = build_policy()
    headers["X-Content-Type-Options"] = "nosniff"


def _compressing(send: ASGISendCallable) -> Any:
    held: list[Any] = []

    async def hold_back(message: Any) -> None:
        held.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            for ready in _compressed(held):
                await send(ready)

    return hold_back


def _accepts_gzip(headers: Any) -> bool:
    return any(name == b"accept-encoding" and b"gzip" in value for name, value in headers)


def _compressed(messages: list[Any]) -> list[Any]:
    """A whole answer again; compressed if it is a text."""
    start, *parts = messages
    headers = {name.lower(): value for name, value in start["headers"]}
    is_text = headers.get(b"content-type", b"").startswith(PREFIXES)
    if start["status"] != 200 or not is_text or b"content-encoding" in headers:
        return messages
    body = gzip.compress(b"".join(part.get("body", b"") for part in parts))
    headers |= {b"content-encoding": b"gzip", b"content-length": b"%d" % len(body), b"vary": b"Accept-Encoding"}
    return [start | {"headers": list(headers.items())}, {"type": "http.response.body", "body": body}]
