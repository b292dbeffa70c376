"""`manage.py play`: the embedded stack, everything in one process."""

import errno
import signal
import socket
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, connections

from api.open_streams import open_streams
from catan_site import embedded
from catan_site.asgi import application


class Command(BaseCommand):
    help = "Starts the whole site in one process: web server, Celery worker and beat. Ctrl-C stops it."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.REDIS_URL:
            raise CommandError("play is the embedded stack, without Redis: unset REDIS_URL, or use make stack.")
        listener = listen(settings.HOST, settings.PORT)
        call_command("migrate", verbosity=0)
        # Each thread keeps its connection: they are few and live long, and go on when the process is out of files.
        connections.settings[DEFAULT_DB_ALIAS]["CONN_MAX_AGE"] = None
        # The server hands a signal on after its own shutdown. Left to its default, it would end the process
        # before the worker could finish its task.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        with embedded.celery():
            Server(self).run(sockets=[listener])
        self.stdout.write("Stopped.")


class Server(uvicorn.Server):
    """Says where it listens once it really does."""

    def __init__(self, command: Command) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                lifespan="on",
                log_config=None,
                access_log=False,
                timeout_graceful_shutdown=2,
                # No proxy stands before this server, so whoever claims to speak for another is not believed.
                proxy_headers=False,
            )
        )
        self.command = command

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        host = f"[{settings.HOST}]" if ":" in settings.HOST else settings.HOST
        self.command.stdout.write(f"Online Catan is at http://{host}:{settings.PORT} (Ctrl-C stops it)")
        self.command.stdout.flush()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # uvicorn waits for answers to end, and these do not by themselves.
        open_streams.shut()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server((str(address[0]), port), family=family)
        # Connections inherit this. Without it each answer waits 40 ms for the browser to confirm its first half.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CommandError(
                f"Port {port} is taken. Stop what uses it, or take another: PORT=8001 make play"
            ) from None
        if error.errno == errno.EACCES:
            raise CommandError(f"Port {port} is reserved for the administrator. Take one from 1024 on.") from None
        raise CommandError(f"HOST={host} is not an address of this machine. Try HOST=127.0.0.1.") from None
