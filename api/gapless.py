"""What a stream brings: the page of a game, then every newer one, each from where the one before it ended.

A page that a socket misses is no harm to a browser, which asks for what it lacks. A stream asks in its reader's place:
it stands between them and the very consumer that a browser's page has, hears what that one says, and reads from the
database what is missing. A reader who is slow misses pages too, and reads what happened meanwhile in one.
"""

import asyncio
import json
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.utils import timezone

from api import throttles
from games import selectors, services
from games.consumers import NO_SUCH_GAME, RESTARTING, in_a_thread
from games.models import Game
from games.page import Mark, Page, dumps
from games.store import BrokenRows

#: Seconds without anything else after which a stream says that it is alive.
HEARTBEAT = 15.0
#: Seconds within which a line must be taken off our hands.
PATIENCE = 30.0
#: Pages and other lines that wait for a reader. A page too many is read anew; of the others nothing can be left out.
MOST_PAGES: Final = 3
MOST_LINES: Final = 200

#: Codes beside those of the sockets: the reader takes nothing, the game cannot be read, streams are opened too often.
TOO_SLOW: Final = 4408
SET_ASIDE: Final = 4409
TOO_OFTEN: Final = 4420

#: Where the scope of a stream, and of nothing else that comes in at the sockets' door, holds what is wanted.
WANTED: Final = "stream"


class Wanted(NamedTuple):
    """A game, and how much of it the reader knows already."""

    game_id: int
    after: Mark | None


class TooSlow(Exception):
    """A reader takes nothing of what is said."""


class Gapless:
    """An ASGI application before the sockets: it lets them through as they are, but for streams."""

    def __init__(self, sockets: Any) -> None:
        self.sockets = sockets

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if WANTED in scope:
            await Story(scope, send).tell(self.sockets, receive)
        else:
            await self.sockets(scope, receive, send)


@dataclass(frozen=True, slots=True)
class Pushed:
    """A page as the consumer says it."""

    text: str
    after: Mark
    mark: Mark


class Story:
    """One stream: hears a consumer, and tells a reader."""

    def __init__(self, scope: Any, send: Any) -> None:
        self.scope, self.send = scope, send
        self.wanted: Wanted = scope[WANTED]
        #: How far it has been told, and how far the game is known to have got.
        self.told: Mark | None = self.wanted.after
        self.heard_of: Mark | None = None
        self.pages: deque[Pushed] = deque(maxlen=MOST_PAGES)
        self.lines: deque[str] = deque(maxlen=MOST_LINES + 1)
        self.is_greeted, self.has_news = asyncio.Event(), asyncio.Event()
        self.to_consumer: asyncio.Queue[Any] = asyncio.Queue()

    async def tell(self, consumer: Any, receive: Any) -> None:
        """Until the consumer ends: the reader leaves it, it is closed, or something that it needs is away."""
        address, _ = self.scope.get("client") or ("", 0)
        is_programs = self.scope["token"] is not None
        if throttles.is_stream_too_much(self.scope["user"].pk, address, is_programs=is_programs):
            await self._close(TOO_OFTEN)
            return
        self.telling = asyncio.create_task(self._tell())
        self.telling.add_done_callback(self._leave_after_failure)
        passing_on = asyncio.create_task(self._pass_on(receive))
        try:
            await consumer(self.scope, self.to_consumer.get, self._hear)
        finally:
            passing_on.cancel()
            self.telling.cancel()
            await asyncio.wait([passing_on, self.telling])
            failure = None if self.telling.cancelled() else self.telling.exception()
        if failure:
            raise failure

    async def _pass_on(self, receive: Any) -> None:
        while True:
            self.to_consumer.put_nowait(await receive())

    def _leave_after_failure(self, telling: "asyncio.Task[None]") -> None:
        """The consumer is to write down that somebody is gone before anybody hears why."""
        if not telling.cancelled() and telling.exception():
            self.to_consumer.put_nowait({"type": "websocket.disconnect", "code": RESTARTING})

    # What the consumer says

    async def _hear(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self._take(message["text"])
            return
        if message["type"] == "websocket.close":
            # Whatever still waits is told by the next stream, to whoever may open one.
            self.telling.cancel()
        await self.send(message)

    def _take(self, text: str) -> None:
        match json.loads(text):
            case {"greeting": _}:
                self.is_greeted.set()
            case {"page": page}:
                self.pages.append(Pushed(text, page["after"], _mark(page)))
                self.heard_of = _mark(page)
            case {"mark": mark}:
                self.heard_of = mark
            case _:
                self.lines.append(text)
        self.has_news.set()

    # What the reader is told

    async def _tell(self) -> None:
        await self.is_greeted.wait()
        try:
            # The consumer listens by now: whatever happens from here on is heard.
            await self._say_what_is_read()
            while len(self.lines) <= MOST_LINES:
                await self._say_next()
            await self._close(TOO_SLOW)
        except TooSlow:
            await self._close(TOO_SLOW)
        except (Game.DoesNotExist, selectors.NoSpectators):
            await self._close(NO_SUCH_GAME)
        except BrokenRows as broken:
            await in_a_thread(services.set_aside)(self.wanted.game_id, str(broken), now=timezone.now())
            await self._close(SET_ASIDE)

    async def _say_next(self) -> None:
        # A page before what else is said: it may be older than that, and shows who is there too.
        if _is_further(self.heard_of, self.told):
            await self._say_page()
        elif self.lines:
            await self._say(self.lines.popleft())
        else:
            await self._say_heartbeat_unless_there_is_news()

    async def _say_page(self) -> None:
        """One that was pushed, if it begins where the last one ended."""
        while self.pages:
            page = self.pages.popleft()
            if page.after == self.told:
                await self._say(page.text)
                self.told = page.mark
                return
        await self._say_what_is_read()

    async def _say_what_is_read(self) -> None:
        # What was heard of so far is in there: it was committed before anybody spoke of it.
        self.heard_of = None
        page = await in_a_thread(self._read)()
        await self._say(dumps({"page": page}))
        self.told = _mark(page)

    def _read(self) -> Page:
        game_id, user_id = self.wanted.game_id, self.scope["user"].pk
        return selectors.page_for(game_id, user_id, after=self.told, whole=True, now=timezone.now())

    async def _say_heartbeat_unless_there_is_news(self) -> None:
        self.has_news.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(HEARTBEAT):
                await self.has_news.wait()
            return
        await self._say(json.dumps({"heartbeat": self.told}))

    async def _say(self, text: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self.send({"type": "websocket.send", "text": text})
        except TimeoutError:
            raise TooSlow from None

    async def _close(self, code: int) -> None:
        await self.send({"type": "websocket.close", "code": code})


def _mark(page: Page) -> Mark:
    return {"version": page["version"], "revision": page["revision"]}


def _is_further(mark: Mark | None, than: Mark | None) -> bool:
    """Both numbers only grow."""
    if mark is None or than is None:
        return mark is not None
    return (mark["version"], mark["revision"]) > (than["version"], than["revision"])
