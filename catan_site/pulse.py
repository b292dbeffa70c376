"""A web process tells every second that it is alive: people's clocks count only while one is."""

import asyncio
import time

import structlog
from asgiref.sync import sync_to_async
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable
from django.db import Error, close_old_connections
from django.utils import timezone

from games import clocks
from games.services import presence, uptime

log = structlog.get_logger(__name__)


async def lifespan(receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """ASGI's word for the life of a process, from its first event to its last."""
    await receive()
    beating = asyncio.create_task(_beat())
    await send({"type": "lifespan.startup.complete"})
    await receive()
    beating.cancel()
    await send({"type": "lifespan.shutdown.complete"})


async def _beat() -> None:
    kept = 0.0
    while True:
        # A thread of its own: a pulse must not wait behind the pages.
        keeps = time.monotonic() - kept >= presence.SEEN_EVERY.total_seconds()
        if await sync_to_async(_note, thread_sensitive=False)(keeps) and keeps:
            kept = time.monotonic()
        await asyncio.sleep(clocks.PULSE_EVERY.total_seconds())


def _note(keeps_connections: bool) -> bool:
    """Whether it could be written down: while the database is away, the site is down."""
    close_old_connections()
    try:
        uptime.note_pulse(timezone.now())
        if keeps_connections:
            presence.keep_connections(timezone.now())
    except Error as error:
        # Only the kind of error: its text may hold an address or a password.
        log.warning("no_pulse", error=type(error).__name__)
        return False
    finally:
        close_old_connections()
    return True
