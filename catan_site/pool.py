"""Celery's pool of threads, in which what is urgent does not wait for what is not.

A worker takes tasks for a moment out of the broker at once and keeps them until then, so whatever order a broker
knows is gone when they are due, and the broker in memory knows none. So workers take everything there is
(`CELERY_WORKER_PREFETCH_MULTIPLIER`), and this pool is the queue in which tasks wait while all threads are busy.

A worker looks whether a task has expired when it takes it out of the broker; this pool looks again when
its turn comes, so that rounds for which there was no thread are not all made afterwards.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from queue import PriorityQueue
from typing import Any, Final
from weakref import WeakSet

from celery.concurrency import thread
from celery.concurrency.base import apply_target

#: As Redis has it, 0 comes first. It is what a task has for which nobody says anything else.
FIRST: Final = 0

#: The pools of this process, while they are in use.
_POOLS: Final["WeakSet[TaskPool]"] = WeakSet()


class TaskPool(thread.TaskPool):
    """Each task is a turn for some thread; whose turn it is, is decided only when the thread is free."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._waiting: PriorityQueue[tuple[int, int, Callable[[], object]]] = PriorityQueue()
        self._numbers = count()
        _POOLS.add(self)

    @property
    def waiting(self) -> int:
        """How many tasks no thread has taken yet."""
        return self._waiting.qsize()

    def on_apply(
        self,
        target: Callable[..., Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        callback: Callable[..., Any] | None = None,
        accept_callback: Callable[..., Any] | None = None,
        **options: Any,
    ) -> Any:
        request = _request(args)

        def run() -> None:
            # One that is not run is answered for all the same: the worker and the broker are through with it.
            apply_target(_nothing if _has_expired(request) else target, args, kwargs, callback, accept_callback)

        # Among equals, whoever came first.
        self._waiting.put((_priority(request), next(self._numbers), run))
        return super().on_apply(self._run_most_urgent, (), callback=_done, **options)

    def _run_most_urgent(self) -> None:
        # There is one for every turn, and so at least one for this.
        _, _, run = self._waiting.get_nowait()
        run()


def waiting() -> int:
    """The same for all workers of this process."""
    return sum(pool.waiting for pool in tuple(_POOLS))


def _done(_: None) -> None:
    """A turn is over; the task that was run in it has told of its own end."""


def _nothing(*_: Any) -> tuple[int, None, float]:
    """What a task says that went well: no failure, no result, no time."""
    return 0, None, 0.0


def _request(args: tuple[Any, ...] | None) -> dict[str, Any]:
    """What was said when the task was sent: the third that a worker hands over."""
    return args[2] if args and len(args) > 2 and isinstance(args[2], dict) else {}


def _priority(request: dict[str, Any]) -> int:
    priority: int | None = request.get("delivery_info", {}).get("priority")
    return FIRST if priority is None else priority


def _has_expired(request: dict[str, Any]) -> bool:
    expires: str | None = request.get("expires")
    return expires is not None and datetime.fromisoformat(expires) <= _now()


def _now() -> datetime:
    """By the clock of whoever sent a task, which is Celery's own."""
    return datetime.now(UTC)
