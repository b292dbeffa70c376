"""Files of the pages, compressed on their way, on one's own machine.

A server's nginx has compressed copies of them. Here nobody has made any, since the files may be edited at any
time; and Django's own middleware cannot be used for them: it cuts short what servestatic streams.
"""

import gzip
from typing import Any, Final

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope

PREFIXES: Final = (b"text/", b"application/javascript", b"application/json", b"image/svg+xml")


class CompressedFiles:
    """An ASGI application that compresses the text files of another."""

    def __init__(self, application: Any, path: str) -> None:
        self.application, self.path = application, path

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(self.path) or not _accepts_gzip(scope["headers"]):
            await self.application(scope, receive, send)
            return
        held: list[Any] = []

        async def hold_back(message: Any) -> None:
            held.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                for ready in _compressed(held):
                    await send(ready)

        await self.application(scope, receive, hold_back)


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
