"""A program's end of a stream, without a server: what it is sent, line by line, as fast as it wants to read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from asgiref.sync import async_to_sync
from django.test import Client

from catan_site.asgi import application

#: Seconds until a stream counts as silent, on a machine that has other things to do as well.
PATIENCE = 10

#: What may be said at any moment, by people who come and go.
PASSING = {"watching", "presence", "heartbeat"}


def awaited(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @wraps(test)
    def run(**fixtures: Any) -> None:
        async_to_sync(test)(**fixtures)

    return run


class Reader:
    """Opened with the cookies of a test client, so it belongs to whoever is signed in there."""

    def __init__(
        self,
        client: Client,
        game_id: int,
        query: str = "",
        *,
        method: str = "GET",
        app: Any = application,
        **headers: str,
    ) -> None:
        cookies = "; ".join(f"{name}={cookie.value}" for name, cookie in client.cookies.items())
        told = {"host": "localhost", "cookie": cookies} | headers
        self.scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http",
            "method": method,
            "path": f"/api/v1/games/{game_id}/stream/",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in told.items()],
            "client": ("127.0.0.1", 1),
        }
        self.app = app
        self.status, self.headers = 0, dict[str, str]()
        self.is_whole = False
        #: Whoever reads nothing more has this cleared.
        self.reads = asyncio.Event()
        self.reads.set()
        self.sent: asyncio.Queue[bytes] = asyncio.Queue()
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def open(self) -> Reader:
        self.said.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        self.answering = asyncio.create_task(self.app(self.scope, self.said.get, self._take))
        return self

    async def _take(self, message: dict[str, Any]) -> None:
        await self.reads.wait()
        if message["type"] == "http.response.start":
            assert not self.status
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            return
        assert self.status
        assert not self.is_whole
        self.is_whole = not message["more_body"]
        self.sent.put_nowait(message["body"])

    async def line(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            body = await self.sent.get()
        line: dict[str, Any] = json.loads(body)
        assert body.count(b"\n") == body.endswith(b"\n") == (self.status == 200)
        return line

    async def hear(self, kind: str) -> Any:
        """The next line, of this kind."""
        while (line := await self.line()).keys() <= PASSING and kind not in line:
            pass
        assert line.keys() == {kind}, line
        return line[kind]

    async def refusal(self) -> dict[str, Any]:
        """Of a stream that is not opened."""
        async with asyncio.timeout(PATIENCE):
            body = await self.sent.get()
            await self.answering
        assert self.is_whole
        assert self.headers["content-type"] == "application/problem+json"
        problem: dict[str, Any] = json.loads(body)
        assert problem["status"] == self.status
        return problem

    async def bye(self) -> str:
        """Why it ends; the last thing that is said."""
        async with asyncio.timeout(PATIENCE):
            while "bye" not in (line := await self.line()):
                pass
            await self.answering
        assert self.is_whole
        assert self.sent.empty()
        code: str = line["bye"]["code"]
        return code

    async def leave(self) -> None:
        self.said.put_nowait({"type": "http.disconnect"})
        async with asyncio.timeout(3 * PATIENCE):
            await self.answering
