"""Open pages of games without browsers: on the line they do what `static/games/connection.js` does there.

All of them live in one event loop and are as lean as can be: they share the machine with what is measured.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import secrets
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.typing import Origin

from games.rules import Move

# What static/games/connection.js waits, in seconds, and below what static/site/socket.js does.
POLL_EVERY: Final = 5.0
PRESENCE_WITHIN: Final = 10.0
RESEND_AFTER: Final = (0.5, 2.0)

LONGEST_PAUSE: Final = 30.0
#: What a server says when it closes a socket; what a browser says when it was not closed but lost, or never opened.
RESTARTING: Final = 1012
TRY_AGAIN_LATER: Final = 1013
LOST: Final = 1006

#: How an answer is counted that says when to come again.
TOLD_WHEN: Final = "503 with Retry-After"
#: A browser waits longer; nginx does not.
PATIENCE: Final = 70.0

source: Final = random.Random(2)  # noqa: S311 - a simulation


def pause(code: int, failures: int) -> float:
    """Until a socket is opened again, after so many attempts that failed."""
    span = min(LONGEST_PAUSE, 2.0 * 2**failures)
    if code == RESTARTING and failures == 0:
        return source.uniform(0, 1)
    if code == TRY_AGAIN_LATER:
        return min(LONGEST_PAUSE, 1.0 * 2**failures) * source.uniform(0.5, 1.5)
    return source.uniform(0, span)


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def name(self) -> str:
        """As it is counted: being told when to come again is something else than being turned away."""
        told_when = self.status == 503 and "retry-after" in self.headers
        return TOLD_WHEN if told_when else str(self.status)


@dataclass
class Site:
    """Where the pages come from, and what all of them together met with."""

    address: str
    requests: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    lost_sockets: Counter[str] = field(default_factory=Counter)
    open_pages: int = 0

    def __post_init__(self) -> None:
        self.host = urlsplit(self.address).netloc
        self.port = urlsplit(self.address).port

    def forget(self) -> None:
        self.requests = 0
        self.answers.clear()
        self.lost_sockets.clear()

    @property
    def failures(self) -> int:
        return self.answers.total() - self.answers["200"] - self.answers["201"] + self.lost_sockets.total()


@dataclass(frozen=True)
class Person:
    """Signed in, at a computer with an address of its own."""

    cookie: str
    token: str
    address: str


class Browser:
    """Somebody's connections to the site, kept open as browsers do."""

    def __init__(self, site: Site, person: Person) -> None:
        self.site = site
        self.person = person
        self.idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def get(self, path: str) -> Answer:
        return await self._ask(f"GET {path}", "", b"")

    async def post(self, path: str, data: object) -> Answer:
        body = json.dumps(data).encode()
        headers = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nOrigin: {self.site.address}\r\n"
        return await self._ask(f"POST {path}", f"{headers}X-CSRFToken: {self.person.token}\r\n", body)

    def close(self) -> None:
        for _, writer in self.idle:
            writer.close()
        self.idle.clear()

    async def _ask(self, what: str, headers: str, body: bytes) -> Answer:
        """Counts, whatever comes of it; an `OSError` is no answer at all."""
        self.site.requests += 1
        text = (
            f"{what} HTTP/1.1\r\nHost: {self.site.host}\r\nAccept: */*\r\nAccept-Encoding: gzip\r\n"
            f"Cookie: {self.person.cookie}\r\nReferer: {self.site.address}/\r\n{headers}\r\n"
        )
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await self._exchange(text.encode() + body)
        except (OSError, EOFError, TimeoutError) as error:
            self.site.answers["no answer"] += 1
            raise ConnectionError("no answer") from error
        self.site.answers[answer.name] += 1
        return answer

    async def _exchange(self, request: bytes) -> Answer:
        while self.idle:
            line = self.idle.pop()
            # One that was closed for want of use is no failure; browsers take another one too.
            with suppress(OSError, EOFError):
                return await self._exchange_on(line, request)
        here = (self.person.address, 0)
        line = await asyncio.open_connection("127.0.0.1", self.site.port, local_addr=here, limit=2**20)
        return await self._exchange_on(line, request)

    async def _exchange_on(self, line: tuple[asyncio.StreamReader, asyncio.StreamWriter], request: bytes) -> Answer:
        reader, writer = line
        try:
            writer.write(request)
            answer = await _read(reader)
        except BaseException:
            writer.close()
            raise
        if answer.headers.get("connection") == "close":
            writer.close()
        else:
            self.idle.append(line)
        return answer


async def _read(reader: asyncio.StreamReader) -> Answer:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    if headers.get("transfer-encoding") == "chunked":
        body = b""
        while size := int(await reader.readuntil(b"\r\n"), 16):
            body += (await reader.readexactly(size + 2))[:-2]
        await reader.readuntil(b"\r\n")
    else:
        body = await reader.readexactly(int(headers["content-length"]))
    if headers.get("content-encoding") == "gzip":
        body = gzip.decompress(body)
    return Answer(int(first.split()[1]), headers, body)


class Page:
    """The page of a game as one person has it open."""

    def __init__(self, site: Site, person: Person, game: int, on_page: Callable[[], None]) -> None:
        self.site = site
        self.browser = Browser(site, person)
        self.game = game
        self.on_page = on_page
        self.shown: dict[str, Any] = {}
        self.is_open = self.is_behind = False
        self.looking: asyncio.Task[None] | None = None
        self.is_asked_again = False
        self.tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Until it has been greeted."""
        answer = await self.browser.get(f"/api/v1/games/{self.game}/")
        self._show(json.loads(answer.body))
        greeted = asyncio.Event()
        self.tasks = [asyncio.create_task(work) for work in (self._stay_connected(greeted), self._poll())]
        await greeted.wait()

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.browser.close()

    @property
    def version(self) -> int:
        return int(self.shown["version"])

    # The protocol

    def _hear(self, frame: dict[str, Any], *, is_first: bool) -> None:
        """What people say and whether they are there makes no work on the line."""
        if "page" in frame:
            self._take(frame["page"])
        elif "greeting" in frame:
            if _mark(frame["greeting"]) > _mark(self.shown):
                self.look()
            elif not is_first:
                # While nobody listened, people may have come and gone.
                asyncio.get_running_loop().call_later(source.uniform(0, PRESENCE_WITHIN), self.look)
        elif "mark" in frame and _mark(frame["mark"]) > _mark(self.shown):
            self.look()

    def _take(self, page: dict[str, Any]) -> None:
        """A page that begins later than this one has got was not the next one."""
        if _mark(page) > _mark(self.shown):
            if any(page["after"][count] > self.shown[count] for count in ("version", "revision")):
                self.look()
            else:
                self._show(page)

    def _show(self, page: dict[str, Any]) -> None:
        self.shown = page
        self.on_page()

    async def send(self, move: Move) -> int:
        """The status of the answer, after as many attempts as it takes: its id makes a resend harmless."""
        data = move.to_json()
        del data["seat"]
        request = {"move": data, "version": self.version, "client_id": secrets.token_hex(16)}
        while True:
            with suppress(ConnectionError):
                answer = await self.browser.post(f"/api/v1/games/{self.game}/moves/", request)
                if answer.status == 201:
                    self._take(json.loads(answer.body)["page"])
                elif answer.status < 500:
                    self.look()
                if answer.status < 500:
                    return answer.status
            await asyncio.sleep(source.uniform(*RESEND_AFTER))

    def look(self) -> None:
        """Whoever asks while a look is on its way gets one more."""
        if self.looking:
            self.is_asked_again = True
        else:
            self.looking = asyncio.create_task(self._look())

    async def _look(self) -> None:
        before = self.shown
        self.is_behind = True
        with suppress(ConnectionError):
            mark = f"after={before['version']}&revision={before['revision']}"
            answer = await self.browser.get(f"/api/v1/games/{self.game}/?{mark}")
            if answer.status == 200:
                self.is_behind = False
                page = json.loads(answer.body)
                # An answer that was overtaken must not turn the table back, nor tell anything twice.
                if self.shown is before:
                    self._show(page)
                elif _mark(page) > _mark(self.shown):
                    self.is_asked_again = True
        self.looking = None
        if self.is_asked_again:
            self.is_asked_again = False
            self.look()

    # The line

    async def _stay_connected(self, greeted: asyncio.Event) -> None:
        failures = 0
        while True:
            code = LOST
            try:
                async with self._connect() as line:
                    async for frame in line:
                        failures = 0
                        self._set_open(True)
                        self._hear(json.loads(frame), is_first=not greeted.is_set())
                        greeted.set()
                code = line.close_code or LOST
                self.site.lost_sockets[f"closed with {code}"] += 1
            except ConnectionClosed as end:
                code = end.rcvd.code if end.rcvd else LOST
                self.site.lost_sockets[f"closed with {code}"] += 1
            except InvalidStatus as refusal:
                self.site.lost_sockets[f"refused with {refusal.response.status_code}"] += 1
            except (OSError, WebSocketException, TimeoutError):
                self.site.lost_sockets["no answer"] += 1
            finally:
                self._set_open(False)
            await asyncio.sleep(pause(code, failures))
            failures += 1

    def _connect(self) -> connect:
        person = self.browser.person
        return connect(
            f"ws://{self.site.host}/ws/games/{self.game}/",
            origin=Origin(self.site.address),
            additional_headers={"Cookie": person.cookie},
            local_addr=(person.address, 0),
            open_timeout=PATIENCE,
            ping_interval=None,
            proxy=None,
        )

    def _set_open(self, is_open: bool) -> None:
        self.site.open_pages += is_open - self.is_open
        self.is_open = is_open

    async def _poll(self) -> None:
        await asyncio.sleep(source.uniform(0, POLL_EVERY))
        while True:
            await asyncio.sleep(POLL_EVERY)
            if not self.is_open or self.is_behind:
                self.look()


def _mark(page: dict[str, Any]) -> tuple[int, int]:
    """How far a page has got."""
    return page["version"], page["revision"]
