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
from typing import IO, Any, Final

from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import HttpResponse
from django.urls import set_script_prefix

from catan_site import busy
from catan_site.seldom import Seldom

#: Requests that may wait, for each thread. At some ten milliseconds each, the last waits for less than a second.
WAITING_FOR_EACH: Final = 12
#: Seconds. Whoever waited longer for a thread, because the database hangs, say, is not made to wait for the answer too.
PATIENCE: Final = 3.0
#: Those who watch the site do not queue with its visitors.
HEALTH: Final = ("/healthz", "/readyz")

turned_away = Seldom("requests_turned_away")

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


@dataclass
class Visit:
    scope: dict[str, Any]
    body: IO[bytes]
    came_at: float
    is_gone: bool = False


class Pages(ASGIHandler):
    #: All of our answers go in one piece.
    chunk_size = 2**20

    def __init__(self) -> None:
        # Not ASGIHandler's own way, which loads the middleware for asynchronous use.
        self.load_middleware(is_async=False)
        self.threads = ThreadPoolExecutor(settings.WEB_THREADS, thread_name_prefix="pages")
        self.places = settings.WEB_THREADS * (1 + WAITING_FOR_EACH)
        self.taken = 0
        self.threads_for_health = ThreadPoolExecutor(2, thread_name_prefix="pages-health")

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        visit = Visit(scope, body, time.monotonic())
        if scope["path"] in HEALTH:
            response = await self._in_a_thread(self.threads_for_health, visit)
        elif self.taken < self.places:
            response = await self._in_turn(visit, receive)
        else:
            body.close()
            turned_away.say()
            response = busy.answer(scope["path"])
        if response is not None:
            await self.send_response(response, send)

    async def _in_turn(self, visit: Visit, receive: Receive) -> HttpResponse | None:
        has_to_wait = self.taken >= settings.WEB_THREADS
        self.taken += 1
        answering = self._in_a_thread(self.threads, visit)
        answering.add_done_callback(self._leave)
        if has_to_wait:
            leaving: asyncio.Future[Any] = asyncio.ensure_future(receive())
            await asyncio.wait([answering, leaving], return_when=asyncio.FIRST_COMPLETED)
            if leaving.done() and not answering.done():
                # A request that is under way is carried out all the same, like any other.
                visit.is_gone = True
                return None
            leaving.cancel()
        return await answering

    def _leave(self, _: Any) -> None:
        self.taken -= 1

    def _in_a_thread(self, threads: ThreadPoolExecutor, visit: Visit) -> "asyncio.Future[HttpResponse | None]":
        # A context of its own, so that what is known of one request (its id in the log) is not known of the next.
        return asyncio.get_running_loop().run_in_executor(threads, copy_context().run, self._answer, visit)

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
