"""The life of a process that serves pages, from its first event to its last."""

import asyncio
import resource
from concurrent.futures import ThreadPoolExecutor

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable
from django.conf import settings

from catan_site import busy, pulse


async def live(receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """ASGI's lifespan."""
    await receive()
    # As many files as this account may have: each page needs one, and the limit that a shell gives is for programs that
    # still count them in a fixed table.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    # For what sockets do in the database. There are fewer of these than connections, so a herd of sockets waits here,
    # and leaves connections to the pages.
    asyncio.get_running_loop().set_default_executor(
        ThreadPoolExecutor(settings.SOCKET_THREADS, thread_name_prefix="sockets")
    )
    # The page that says "busy" is not to be drawn when there is no time.
    await asyncio.to_thread(busy.page)
    beating = asyncio.create_task(pulse.beat())
    await send({"type": "lifespan.startup.complete"})
    await receive()
    beating.cancel()
    await send({"type": "lifespan.shutdown.complete"})
