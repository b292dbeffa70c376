"""Questions that a thinker does not get over easily."""

from __future__ import annotations

import os
import time


def who() -> int:
    """The process that thinks."""
    return os.getpid()


def priority() -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)


def brood(seconds: float, note: str = "") -> int:
    """Keep a core busy, as a bot does that looks far ahead; a file says by whom."""
    if note:
        with open(note, "w") as file:
            file.write(f"{os.getpid()}\n")
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return os.getpid()


def fail(why: str) -> None:
    raise ValueError(why)


def talk(word: str) -> str:
    print(word)
    return word


def die(note: str, times: int) -> int:
    """So often; whoever is asked then survives."""
    with open(note, "a+") as file:
        file.write("x")
    if os.path.getsize(note) <= times:
        os._exit(1)
    return os.path.getsize(note)
