"""Celery inside the server's process, for the embedded stack: two real workers and a real beat, each in a thread."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from celery import Celery
from celery.beat import Service
from celery.worker import WorkController
from django.conf import settings

from catan_site.celery import app

STOP_LIMIT = 5.0
"""Seconds a running task gets to finish. What it leaves undone, the next start finds in the database."""


@contextmanager
def celery() -> Iterator[None]:
    with workers():
        # Beat has nothing to finish and ends with the process.
        beat = Service(app, scheduler_cls=app.conf.beat_scheduler)
        threading.Thread(target=beat.start, name="beat", daemon=True).start()
        yield


@contextmanager
def workers() -> Iterator[None]:
    # The first one imports the tasks for both.
    both = [
        _worker(app, app.conf.task_default_queue, concurrency=4),
        _worker(_app_of_its_own(), settings.THINKING_QUEUE, concurrency=app.conf.worker_concurrency),
    ]
    running = [threading.Thread(target=worker.start, name=str(worker), daemon=True) for worker in both]
    for thread in running:
        thread.start()
    try:
        yield
    finally:
        app.control.shutdown()
        for thread in running:
            thread.join(STOP_LIMIT)


def _worker(of: Celery, queue: str, *, concurrency: int) -> WorkController:
    # The plain controller: Celery's command line one would take the signals that the server needs.
    return WorkController(
        app=of,
        queues=queue,
        hostname=f"{queue}@embedded",
        concurrency=concurrency,
        without_gossip=True,
        without_heartbeat=True,
        without_mingle=True,
    )


def _app_of_its_own() -> Celery:
    """From which queues to take tasks is kept by the app, not by the worker. What Django needs is done by the first."""
    second = Celery(app.main, set_as_current=False, fixups=[])
    second.config_from_object("django.conf:settings", namespace="CELERY")
    return second
