"""Celery inside the server's process, for the embedded stack: a real worker and a real beat, each in a thread."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from celery.beat import Service
from celery.worker import WorkController

from catan_site.celery import app

STOP_LIMIT = 5.0
"""Seconds a running task gets to finish. What it leaves undone, the next start finds in the database."""


@contextmanager
def celery() -> Iterator[None]:
    # The plain controller: Celery's command line one would take the signals that the server needs.
    worker = WorkController(
        app=app,
        concurrency=4,
        without_gossip=True,
        without_heartbeat=True,
        without_mingle=True,
    )
    running = threading.Thread(target=worker.start, name="worker", daemon=True)
    running.start()
    threading.Thread(target=Service(app, scheduler_cls=app.conf.beat_scheduler).start, name="beat", daemon=True).start()
    try:
        yield
    finally:
        # Beat has nothing to finish and ends with the process.
        app.control.shutdown()
        running.join(STOP_LIMIT)
