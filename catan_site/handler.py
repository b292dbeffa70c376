"""Django's requests in threads of ours: one hop there, one back, and a bounded number of them.

Left alone under ASGI, Django makes a thread for every request and goes there and back for every middleware and for
the view: all of ours are synchronous. Here a request goes to a thread once, with everything that belongs to it, and
threads are used again. How many requests may wait for one is bounded: whoever comes when all places are taken is told
so at once (`busy.py`), which costs nothing, instead of waiting for an answer that nobody will be there to read.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from typing import IO, Any, Final

from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import HttpResponse
from django.urls import set_script_prefix

from catan_site import busy
from catan_site.seldom import Seldom

#: Seconds. Whoever waited longer for a thread, because the database hangs, say, is not made to wait for the answer too.
PATIENCE: Final = 3.0
#: Those who watch the site do not queue with its visitors.
HEALTH: Final = ("/healthz", "/readyz", "/metrics")

#: Threads for open pages that look for what they have missed.
LOOKING: Final = 2
#: Threads for programs, which never tire: fewer than people have, who are served while all of these are busy.
PROGRAMS: Final = 2
#: Requests that may wait, for each thread. At some ten milliseconds each, the last waits for less than a second.
WAITING_FOR_EACH: Final = 12
#: The same for programs, before which nobody sits: the last may wait for two seconds, and is still answered.
PROGRAMS_WAITING_FOR_EACH: Final = 24

turned_away = Seldom("requests_turned_away")

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


@dataclass
class Visit:
    scope: dict[str, Any]
    body: IO[bytes]
    came_at: float
    is_gone: bool = False


class Lane:
    """Some threads, and places for those who wait for one."""

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self.executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self.threads, self.places = threads, threads + waiting
        self.taken = 0

    @property
    def is_full(self) -> bool:
        return self.taken >= self.places

    @property
    def is_busy(self) -> bool:
        """So that whoever comes now has to wait."""
        return self.taken >= self.threads

    def take(self, work: "Callable[[], HttpResponse | None]") -> "asyncio.Future[HttpResponse | None]":
        self.taken += 1
        # A context of its own, so that what is known of one request (its id in the log) is not known of the next.
        answering = asyncio.get_running_loop().run_in_executor(self.executor, copy_context().run, work)
        answering.add_done_callback(self._leave)
        return answering

    def _leave(self, _: object) -> None:
        self.taken -= 1


class Pages(ASGIHandler):
    #: All of our answers go in one piece.
    chunk_size = 2**20

    def __init__(self) -> None:
        # Not ASGIHandler's own way, which loads the middleware for asynchronous use.
        self.load_middleware(is_async=False)
        threads = settings.WEB_THREADS
        self.people = Lane("pages", threads, WAITING_FOR_EACH * threads)
        # Open pages that ask for what they have missed. After a restart that is all of them; people who want to see
        # a page, or make a move, do not queue behind them.
        self.open_pages = Lane("pages-looking", LOOKING, WAITING_FOR_EACH * LOOKING)
        # Whoever sends a token, to look or to move. However many programs there are, no page waits for one.
        self.programs = Lane("programs", PROGRAMS, PROGRAMS_WAITING_FOR_EACH * PROGRAMS)
        self.watchmen = Lane("pages-health", 2, 100)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        visit = Visit(scope, body, time.monotonic())
        response = await self._in_turn(self._lane(scope), visit, receive)
        if response is not None:
            await self.send_response(response, send)

    def _lane(self, scope: dict[str, Any]) -> Lane:
        if scope["path"] in HEALTH:
            return self.watchmen
        if any(name == b"authorization" for name, _ in scope["headers"]):
            return self.programs
        return self.open_pages if scope["method"] == "GET" and scope["path"].startswith("/api/") else self.people

    async def _in_turn(self, lane: Lane, visit: Visit, receive: Receive) -> HttpResponse | None:
        if lane.is_full:
            visit.body.close()
            turned_away.say()
            return busy.answer(visit.scope["path"])
        has_to_wait = lane.is_busy
        answering = lane.take(partial(self._answer, visit))
        if has_to_wait:
            leaving: asyncio.Future[Any] = asyncio.ensure_future(receive())
            await asyncio.wait([answering, leaving], return_when=asyncio.FIRST_COMPLETED)
            if leaving.done() and not answering.done():
                # A request that is under way is carried out all the same, like any other.
                visit.is_gone = True
                return None
            leaving.cancel()
        return await answering

    def _answer(self, visit: Visit) -> HttpResponse | None:
        with visit.body:
            if visit.is_gone:
                return None
            if time.monotonic() - visit.came_at > PATIENCE:
                turned_away.say()
                return busy.answer(visit.scope["path"])
            set_script_prefix(get_script_prefix(visit.scope))
            signals.request_started.send(sender=type(self), scope=visit.scope)
            request, refusal = self.create_request(visit.scope, visit.body)
            response: Any = refusal if request is None else self.get_response(request)
            response._handler_class = type(self)
            answer = _whole(response) if response.streaming else response
            # Tells that the request is over, which gives the database connection back. What was drawn stays.
            response.close()
            return answer


def _whole(streamed: Any) -> HttpResponse:
    """None of our pages is a stream; one that a library should answer with is read in its thread."""
    answer = HttpResponse(b"".join(streamed), status=streamed.status_code, headers=dict(streamed.items()))
    answer.cookies = streamed.cookies
    return answer
