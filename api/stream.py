"""`GET /api/v1/games/<id>/stream/`: what a game's page hears over its socket, as lines of JSON over HTTP.

A request opens the very door that sockets come in by, with its own headers, so that whoever is known, counted, banned
or recalled there is so here too. What the socket would say becomes lines (`gapless.py` makes them a story without
gaps); the code with which it would close becomes a problem or, once there were lines, the last of them.
docs/streams.md tells the rest.
"""

import asyncio
import json
import random
import re
from contextlib import suppress
from http import HTTPStatus
from io import BytesIO
from typing import Any, Final, NamedTuple

from django.core.exceptions import DisallowedHost, SuspiciousOperation
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django.middleware.security import SecurityMiddleware

from api import problems, tokens
from api.gapless import SET_ASIDE, TOO_OFTEN, TOO_SLOW, WANTED, Wanted
from api.open_streams import open_streams
from games import services
from games.consumers import NO_SUCH_GAME, RESTARTING
from games.converters import GameConverter
from games.rules.refusals import Malformed
from games.web import PROBLEM, problem, read_number
from lobby.consumers import SHUT_OUT

ADDRESS: Final = re.compile(rf"/api/v1/games/(?P<game>{GameConverter.regex})/stream/")
LINES: Final = "application/x-ndjson"

#: Seconds within which a reader must take the last line: a server that ends cannot wait for longer.
BYE_WITHIN = 1.0

#: What the sockets' door says (`catan_site/doorway.py`), a token that is none any more, and a line that is cut.
TRY_AGAIN_LATER: Final = 1013
UNKNOWN: Final = 4401
TOO_MANY: Final = 4429
GONE: Final = 1006


class End(NamedTuple):
    """Why a stream ends, or never begins."""

    status: HTTPStatus
    code: str
    sentence: str
    #: Seconds, from and to, after which to try again: those who are sent away together do not come back together.
    again: tuple[int, int] | None = None


ENDS: Final = {
    RESTARTING: End(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "restarting",
        "This stream ends here and goes on elsewhere: open it again, after the last page you were sent.",
        (1, 2),
    ),
    TRY_AGAIN_LATER: End(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "try_again",
        "The site is busy or just starting. Try again in a few seconds.",
        (2, 6),
    ),
    TOO_MANY: End(
        HTTPStatus.TOO_MANY_REQUESTS,
        "too_fast",
        "You have too many streams and pages open at once. Close some, then try again.",
        (30, 60),
    ),
    TOO_OFTEN: End(
        HTTPStatus.TOO_MANY_REQUESTS,
        "too_fast",
        "Slow down: you open streams too often. Keep one open, and wait a moment before you open it again.",
        (1, 2),
    ),
    UNKNOWN: End(HTTPStatus.UNAUTHORIZED, tokens.BadToken.code, tokens.UNKNOWN),
    SHUT_OUT: End(
        HTTPStatus.FORBIDDEN,
        "banned",
        "You’re banned. Any page of this site says until when, why, and how to appeal.",
    ),
    NO_SUCH_GAME: End(HTTPStatus.NOT_FOUND, "no_such_game", problems.NO_SUCH_GAME),
    SET_ASIDE: End(HTTPStatus.CONFLICT, services.SetAside.code, services.SET_ASIDE),
    TOO_SLOW: End(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "too_slow",
        "You read too slowly. Open the stream again, after the last page you were sent.",
        (1, 2),
    ),
}

HEADERS: Final = {
    # All of this is one reader's own, and old as soon as it is sent.
    "Cache-Control": "private, no-store",
    # nginx passes each line on as it comes, and collects none on its disk for a reader who is slow.
    "X-Accel-Buffering": "no",
}


class Streams:
    """An ASGI application that answers for the streams, and leaves everything else to another."""

    def __init__(self, application: Any, door: Any) -> None:
        self.application, self.door = application, door

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        found = ADDRESS.fullmatch(scope["path"])
        if found is None:
            await self.application(scope, receive, send)
            return
        request = ASGIRequest(scope, BytesIO())
        answer = Answer(request, send)
        try:
            if refusal := _refusal(request):
                await answer.refuse(refusal)
                return
            wanted = Wanted(int(found["game"]), _read_mark(request))
        except Malformed as malformed:
            end = End(HTTPStatus.BAD_REQUEST, malformed.code, malformed.sentence)
            await answer.refuse(_problem(end, **problems.fields_of(malformed)))
            return
        await answer.give(self.door, _as_socket(scope, wanted), receive)


class Answer:
    """What is sent to one reader."""

    def __init__(self, request: ASGIRequest, send: Any) -> None:
        self.request, self.send = request, send
        self.is_begun = self.is_over = self.is_left = False
        #: What the socket is told: that it is opened, and with which code it was closed.
        self.told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def give(self, door: Any, scope: dict[str, Any], receive: Any) -> None:
        self.told.put_nowait({"type": "websocket.connect"})
        watching = asyncio.create_task(self._watch(receive))
        try:
            with open_streams.holding(self):
                if not self.is_left:
                    await door(scope, self.told.get, self._say)
                await self._end(RESTARTING)
        finally:
            watching.cancel()

    def shutdown(self) -> None:
        """Ends it from outside, for a server that restarts."""
        self._leave(RESTARTING)

    async def refuse(self, response: HttpResponse) -> None:
        self.is_over = True
        await self._start(response)
        await self.send({"type": "http.response.body", "body": response.content, "more_body": False})

    async def _watch(self, receive: Any) -> None:
        """Until the reader goes away. Nothing that a request brings with it counts here."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self.is_over = True
        self._leave(GONE)

    def _leave(self, code: int) -> None:
        if not self.is_left:
            self.is_left = True
            self.told.put_nowait({"type": "websocket.disconnect", "code": code})

    async def _say(self, message: Any) -> None:
        """What the socket says."""
        if message["type"] == "websocket.close":
            await self._end(message["code"])
        elif message["type"] == "websocket.send" and not self.is_over:
            await self._begin()
            await self._send_line(message["text"], is_last=False)

    async def _begin(self) -> None:
        if not self.is_begun:
            await self._start(HttpResponse(content_type=LINES, headers=HEADERS))
            self.is_begun = True

    async def _end(self, code: int) -> None:
        if self.is_over:
            return
        self.is_over = True
        end = ENDS[code]
        if self.is_begun:
            bye = {"bye": {"code": end.code, "sentence": end.sentence}}
            with suppress(TimeoutError):
                async with asyncio.timeout(BYE_WITHIN):
                    await self._send_line(json.dumps(bye), is_last=True)
        else:
            await self.refuse(_problem(end))
        self._leave(code)

    async def _start(self, response: HttpResponse) -> None:
        SecurityMiddleware(lambda _: response).process_response(self.request, response)
        headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
        await self.send({"type": "http.response.start", "status": response.status_code, "headers": headers})

    async def _send_line(self, text: str, *, is_last: bool) -> None:
        body = f"{text}\n".encode()
        await self.send({"type": "http.response.body", "body": body, "more_body": not is_last})


def _refusal(request: ASGIRequest) -> HttpResponse | None:
    """What Django's own middleware says of any other address: streams do not pass through it."""
    try:
        request.get_host()
    except DisallowedHost:
        raise Malformed("This site has another name: ask for the stream by that.") from None
    elsewhere = SecurityMiddleware(lambda _: HttpResponse()).process_request(request)
    if elsewhere is not None:
        return elsewhere
    if request.method != "GET":
        sentence = "A stream is read with GET. Moves are sent to moves/."
        refusal = _problem(End(HTTPStatus.METHOD_NOT_ALLOWED, "method_not_allowed", sentence))
        refusal["Allow"] = "GET"
        return refusal
    return None


def _problem(end: End, **more: object) -> HttpResponse:
    body = json.dumps(problem(end.status, end.code, end.sentence, **more))
    response = HttpResponse(body, status=end.status, content_type=PROBLEM, headers={"Cache-Control": "no-store"})
    response["Content-Length"] = f"{len(response.content)}"
    if end.again is not None:
        response["Retry-After"] = f"{random.randint(*end.again)}"  # noqa: S311
    if end.status is HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = 'Bearer realm="catan"'
    return response


def _read_mark(request: ASGIRequest) -> Any:
    """The last version and revision that the reader has seen; nothing for those who have seen none."""
    numbers = {name: _read_number(request, said) for name, said in (("version", "after"), ("revision", "revision"))}
    if all(number is None for number in numbers.values()):
        return None
    return {name: number or 0 for name, number in numbers.items()}


def _read_number(request: ASGIRequest, name: str) -> int | None:
    try:
        said = request.GET.get(name)
    except SuspiciousOperation:
        raise Malformed("Ask with after and revision, and nothing else.") from None
    seen = "version" if name == "after" else name
    wrong = Malformed(f"{name} is the last {seen} you have seen: a number.", name)
    return None if said is None else read_number(said, wrong)


def _as_socket(scope: dict[str, Any], wanted: Wanted) -> dict[str, Any]:
    """The same request, had it been for the socket of the game's page."""
    path = f"/ws/games/{wanted.game_id}/"
    return scope | {
        "type": "websocket",
        "scheme": "wss" if scope.get("scheme") == "https" else "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "subprotocols": [],
        WANTED: wanted,
    }
