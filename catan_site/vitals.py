"""What the site knows of itself that no row says: the queues of tasks, and how often something went wrong.

What went wrong is counted where all processes see it and where counting costs least: in the cache. A cache that is
emptied loses the count, which then begins anew; charts and Prometheus know such counts. The log has each single case.
"""

import sys
from contextlib import suppress
from typing import Any, Final

import redis
import structlog
from celery import signals as tasks_signals
from django.conf import settings
from django.core.cache import cache
from django.core.signals import got_request_exception
from kombu.exceptions import ChannelError, OperationalError

from catan_site import away, pool, tasks
from catan_site.celery import app
from games.signals import game_task_failed
from moderation.figures import Vitals

ERRORS: Final = "errors"
UNAVAILABLE: Final = "unavailable"
FAILED_TASKS: Final = "failed_tasks"

logger = structlog.get_logger(__name__)


def read() -> Vitals:
    queued, held = _tasks()
    try:
        return Vitals(
            heartbeat_age=tasks.heartbeat_age(),
            tasks_queued=queued,
            tasks_held=held,
            errors=counted(ERRORS),
            unavailable=counted(UNAVAILABLE),
            failed_tasks=counted(FAILED_TASKS),
        )
    except redis.RedisError:
        return Vitals(tasks_queued=queued, tasks_held=held)


# The queues


def _tasks() -> tuple[int | None, int | None]:
    """Tasks in the broker; and those that workers have taken, not begun: in Redis also those for a moment to come."""
    try:
        with app.connection_for_read() as broker:
            channel = broker.default_channel
            return _queued(channel), _held(channel)
    except (OperationalError, redis.RedisError, OSError) as error:
        # Only the kind of error: its text may hold an address or a password.
        logger.warning("queue_not_counted", error=type(error).__name__)
        return None, None


def _queued(channel: Any) -> int:
    return sum(_length(channel, queue) for queue in (app.conf.task_default_queue, settings.THINKING_QUEUE))


def _length(channel: Any, queue: str) -> int:
    try:
        # Asked for by name alone, it counts all places in the queue (games.clocks.LATER).
        return int(channel.queue_declare(queue=queue, passive=True).message_count)
    except ChannelError:
        # The broker forgets a queue in which nothing lies.
        return 0


def _held(channel: Any) -> int:
    # Redis keeps what a worker has taken until it is begun. The broker in memory keeps it in the worker's own process,
    # which is this one.
    if hasattr(channel, "unacked_key"):
        return int(channel.client.hlen(channel.unacked_key))
    return pool.waiting()


# What went wrong


def counted(what: str) -> int:
    return int(cache.get(_key(what), 0))


def count(what: str) -> None:
    """One more. Where there is no cache, nothing is counted: whatever went wrong must not fail a second time here."""
    with suppress(redis.RedisError):
        cache.add(_key(what), 0, timeout=None)
        cache.incr(_key(what))


def _key(what: str) -> str:
    return f"counted-{what}"


def _note_request(**_: Any) -> None:
    count(UNAVAILABLE if away.part(sys.exc_info()[1]) else ERRORS)


def _note_task(**_: Any) -> None:
    count(FAILED_TASKS)


def watch() -> None:
    """A request that failed, a task that failed, and one that games caught, because they go on without it."""
    got_request_exception.connect(_note_request)
    tasks_signals.task_failure.connect(_note_task)
    game_task_failed.connect(_note_task)
