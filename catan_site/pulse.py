"""A web process tells every second that it is alive: people's clocks count only while one is."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

from django.db import Error, connection
from django.utils import timezone

from catan_site.seldom import Seldom
from games import clocks
from games.services import presence, uptime
from lobby import watching

no_pulse = Seldom("no_pulse")


async def beat() -> None:
    kept = 0.0
    # A thread of its own, with a connection that stays open: a pulse waits neither behind the pages nor behind the
    # sockets, and needs no new connection when the process is out of files. The site is not down then.
    with ThreadPoolExecutor(1, thread_name_prefix="pulse") as thread:
        while True:
            keeps = time.monotonic() - kept >= presence.SEEN_EVERY.total_seconds()
            noted = await asyncio.get_running_loop().run_in_executor(thread, _note, keeps)
            if noted and keeps:
                kept = time.monotonic()
            await asyncio.sleep(clocks.PULSE_EVERY.total_seconds())


def _note(keeps_connections: bool) -> bool:
    """Whether it could be written down: while the database is away, the site is down."""
    try:
        uptime.note_pulse(timezone.now())
        if keeps_connections:
            presence.keep_connections(timezone.now())
            watching.keep(timezone.now())
    except Error as error:
        # Only the kind of error: its text may hold an address or a password.
        no_pulse.say(error=type(error).__name__)
        connection.close()
        return False
    return True
