"""Log lines about trouble that comes a thousand times a second: one now and then, with the number of the others."""

import logging
import sys
import threading
import time
from typing import Any, Final

import structlog

from catan_site import away

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


part_is_away = Seldom("part_is_away")


class WithoutTracebacksOfAbsence(logging.Filter):
    """That a part is away is nobody's mistake: instead of a traceback for every page and task, a line now and then."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = _error_of(record)
        part = away.part(error)
        if part is not None:
            # Only the kind of error: its text may hold an address or a password.
            part_is_away.say(part=part, error=type(error).__name__, instead_of=record.name)
        return part is None


def _error_of(record: logging.LogRecord) -> BaseException | None:
    # structlog hands its own lines on as they are.
    told: Any = record.msg.get("exc_info") if isinstance(record.msg, dict) else record.exc_info
    if told is True:
        told = sys.exc_info()
    return told[1] if isinstance(told, tuple) else told or None
