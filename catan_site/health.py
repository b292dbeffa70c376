"""Which of the parts that the site needs answer.

A package for this exists (django-health-check); it knows no channel layer, and answers 500 where a load balancer
wants 503. This is all we need of it.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import structlog
from django.db import connection

from catan_site.celery import app
from games import broadcast

LIMIT = 2
"""Seconds a part may take. One that needs longer is as good as down for whoever waits."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Part:
    name: str
    ok: bool

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").capitalize()


def database_answers() -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    finally:
        connection.close()


def broker_answers() -> None:
    with app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1, timeout=LIMIT)


CHECKS: dict[str, Callable[[], None]] = {
    "database": database_answers,
    "channel_layer": broadcast.check,
    "broker": broker_answers,
}

# Threads of their own: a part that hangs must not hold up the answer, nor the thread Django works in.
_threads = ThreadPoolExecutor(max_workers=2 * len(CHECKS), thread_name_prefix="health")


def check_parts() -> list[Part]:
    running = {name: _threads.submit(check) for name, check in CHECKS.items()}
    return [Part(name, _succeeds(name, future)) for name, future in running.items()]


def _succeeds(name: str, check: "Future[None]") -> bool:
    try:
        check.result(timeout=LIMIT)
    except Exception as error:
        # Only the kind of error: its text may hold an address or a password.
        logger.error("part_is_down", part=name, error=type(error).__name__)
        return False
    return True
