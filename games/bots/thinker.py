"""`python -m games.bots.thinker`: a process that thinks, so that nobody else's threads wait for it.

What it is asked comes in by its standard input, what it finds goes out by its standard output, see `games.thinking`.
"""

from __future__ import annotations

import os
import pickle
import signal
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

#: A function of some module that this process can import, and its arguments.
Question: TypeAlias = tuple[Callable[..., object], tuple[object, ...]]
#: Whether it went well, and what came of it: if it did not, how it failed.
Answer: TypeAlias = tuple[bool, object]

STDIN, STDOUT, STDERR = 0, 1, 2


def main() -> None:
    # It ends with whoever asks it. systemd tells all processes of a service to stop, also one that is wanted
    # until the last task is done.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    answers: Connection[bytes, bytes] = Connection(os.dup(STDOUT), readable=False)
    # What a bot prints is no answer.
    os.dup2(STDERR, STDOUT)
    asked: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(asked,), daemon=True).start()
    while True:
        answers.send_bytes(_answer(asked.get()))


def _listen(asked: SimpleQueue[bytes]) -> None:
    """In a thread of its own, so that it is heard at once, in the midst of thinking, when nobody is there any more."""
    questions: Connection[bytes, bytes] = Connection(STDIN, writable=False)
    try:
        while True:
            asked.put(questions.recv_bytes())
    finally:
        os._exit(0)


def _answer(asked: bytes) -> bytes:
    try:
        question, arguments = pickle.loads(asked)  # noqa: S301 - our own process asks
        return pickle.dumps((True, question(*arguments)))
    except Exception:
        return pickle.dumps((False, traceback.format_exc()))


if __name__ == "__main__":
    main()
