"""Log lines about trouble that comes a thousand times a second: one now and then, with the number of the others."""

import threading
import time
from typing import Any, Final

import structlog

log = structlog.get_logger(__name__)

EVERY: Final = 10.0
"""Seconds between two lines of one kind."""


class Seldom:
    """One kind of trouble."""

    def __init__(self, event: str) -> None:
        self.event = event
        self.lock = threading.Lock()
        self.next_at, self.unsaid = 0.0, 0

    def say(self, **details: Any) -> None:
        with self.lock:
            if time.monotonic() < self.next_at:
                self.unsaid += 1
                return
            unsaid, self.unsaid = self.unsaid, 0
            self.next_at = time.monotonic() + EVERY
        log.warning(self.event, **details, others=unsaid)
