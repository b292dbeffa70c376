"""A web process of a server: `python -m catan_site.server --uds /run/catan/web-1.sock`.

It is uvicorn, but for its end. uvicorn closes all sockets in one moment, and all their pages come back in the next;
and it waits for answers to end, which a stream (`api/stream.py`) does when it is told to.
"""

import argparse
import asyncio
import importlib
import os
import random
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from api.open_streams import Stream, open_streams

HANDED_OVER_A_SECOND: Final = 60
LONGEST_HAND_OVER: Final = 8.0
"""Seconds. A unit waits longer for its process to end (TimeoutStopSec)."""

APPLICATION: Final = "catan_site.asgi:application"

GENTLE: Final = 10
"""As `nice` counts it: with nothing to spare, a tenth of what others get."""

GRACE: Final = 5
"""Seconds that requests get which are under way at the very end."""


class Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            tell_systemd("READY=1")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        tell_systemd("STOPPING=1")
        # From now on nginx finds nobody here, and goes to the other process: so do the pages whose sockets close.
        for listener in self.servers:
            listener.close()
        await self.hand_over()
        open_streams.shut()
        await super().shutdown(sockets)

    async def hand_over(self) -> None:
        """Closes the sockets and streams one by one, in any order."""
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + LONGEST_HAND_OVER
        while (held := self._held()) and not self.force_exit and loop.time() < ends_at:
            random.choice(held).shutdown()  # noqa: S311
            pause = min(1 / HANDED_OVER_A_SECOND, (ends_at - loop.time()) / len(held))
            # Between nothing and twice as long.
            await asyncio.sleep(2 * pause * random.random())  # noqa: S311

    def _held(self) -> "list[WebSocketsSansIOProtocol | Stream]":
        return [*self._sockets(), *open_streams.going_on()]

    def _sockets(self) -> list[WebSocketsSansIOProtocol]:
        """Those that are open; one that is just being opened would be told of a mistake of ours."""
        return [
            connection
            for connection in self.server_state.connections
            if isinstance(connection, WebSocketsSansIOProtocol)
            and connection.handshake_complete
            and not connection.transport.is_closing()
        ]


def import_gently() -> None:
    """The application, in a thread that steps back for others.

    A process that starts again after a crash has seconds of work before it serves anybody, just when the process that
    is left has all visitors. A thread has its own priority; this one's ends with it.
    """

    def load() -> None:
        # On Linux that is this thread's, not the process's.
        os.nice(GENTLE)
        importlib.import_module(APPLICATION.partition(":")[0])

    with ThreadPoolExecutor(1) as thread:
        thread.submit(load).result()


def tell_systemd(what: str) -> None:
    """So that `systemctl restart` returns when the new process serves, and the next one can be restarted."""
    address = os.environ.get("NOTIFY_SOCKET")
    if address:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(what.encode(), address.replace("@", "\0", 1) if address.startswith("@") else address)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m catan_site.server")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--uds", help="the socket that nginx speaks to")
    where.add_argument("--port", type=int, help="a port of this machine, for tests")
    told = parser.parse_args(words)
    config = uvicorn.Config(
        APPLICATION,
        uds=told.uds,
        port=told.port,
        ws=WebSocketsSansIOProtocol,
        lifespan="on",
        log_config=None,
        access_log=False,
        # Only nginx reaches the socket (its group, the folder's mode), so what it says of a visitor is believed.
        proxy_headers=True,
        forwarded_allow_ips="*",
        timeout_graceful_shutdown=GRACE,
    )
    import_gently()
    Server(config).run()


if __name__ == "__main__":
    main()
