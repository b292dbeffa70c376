"""Thinking is done in processes of its own, with the lowest priority: a bot that ponders keeps Python's lock, and so
would hold up everything else that its process does.

A thinker (`games/bots/thinker.py`) knows rules and bots and nothing of the site. It is started when it is first asked
something, asked one thing at a time, and started again when it has died.
"""

import atexit
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection, Pipe
from queue import Empty, LifoQueue
from typing import Final, NamedTuple, TypeVar, TypeVarTuple, cast

from django.conf import settings

from games.bots.thinker import Answer

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

#: Whoever thinks for longer is stopped.
LIMIT: Final = 5.0
#: Everybody else comes first.
LOWEST_PRIORITY: Final = 19


class NoAnswer(Exception):
    """Nothing came of thinking: it failed, took too long, or nobody was free for it."""


def ask(question: Callable[[*Ts], T], *arguments: *Ts, seconds: float = LIMIT) -> T:
    """What a function of `games.bots` makes of its arguments; `NoAnswer` if it fails, or takes longer than that.

    Before that it may have to wait for as long, until somebody is free. Where there are no thinkers (`THINKERS=0`), it
    is done here and now, however long it takes.
    """
    if settings.THINKERS:
        return _thinkers(settings.THINKERS).ask(question, *arguments, seconds=seconds)
    try:
        return question(*arguments)
    except Exception as error:
        raise NoAnswer("It failed here.") from error


@cache
def _thinkers(count: int) -> "Thinkers":
    """Those of this process."""
    thinkers = Thinkers(count)
    atexit.register(thinkers.close)
    return thinkers


class Thinkers:
    """Some of them, for any number of threads."""

    def __init__(self, count: int) -> None:
        # Whoever thought last is asked first: no more are started than are needed at once.
        self._idle: LifoQueue[Thinker] = LifoQueue()
        for _ in range(count):
            self._idle.put(Thinker())

    def ask(self, question: Callable[[*Ts], T], *arguments: *Ts, seconds: float = LIMIT) -> T:
        try:
            thinker = self._idle.get(timeout=seconds)
        except Empty:
            raise NoAnswer(f"Nobody was free for it within {seconds:g} s.") from None
        try:
            return cast("T", thinker.ask(pickle.dumps((question, arguments)), seconds))
        finally:
            self._idle.put(thinker)

    def close(self) -> None:
        """Nobody is asked any more. Those who think at this moment end with this process."""
        with suppress(Empty):
            while True:
                self._idle.get_nowait().end()


class Running(NamedTuple):
    process: "subprocess.Popen[bytes]"
    questions: "Connection[bytes, bytes]"
    answers: "Connection[bytes, bytes]"


class Thinker:
    """One process, for one thread at a time."""

    def __init__(self) -> None:
        self._running: Running | None = None

    def ask(self, question: bytes, seconds: float) -> object:
        # One that has died, whenever that was, is replaced once: the question may be what killed it.
        for _ in range(2):
            try:
                went_well, found = self._exchange(question, seconds)
            except (EOFError, OSError):
                self.end()
            else:
                if went_well:
                    return found
                raise NoAnswer(f"It failed:\n{found}")
        raise NoAnswer("It ended in the midst of it, twice.")

    def _exchange(self, question: bytes, seconds: float) -> Answer:
        running = self._running = self._running or _start()
        running.questions.send_bytes(question)
        if not running.answers.poll(seconds):
            self.end()
            raise NoAnswer(f"It took longer than {seconds:g} s.")
        answer: Answer = pickle.loads(running.answers.recv_bytes())  # noqa: S301 - our own process answers
        return answer

    def end(self) -> None:
        if self._running:
            process, questions, answers = self._running
            self._running = None
            process.kill()
            process.wait()
            questions.close()
            answers.close()


def _start() -> Running:
    asked, questions = Pipe(duplex=False)
    answers, answered = Pipe(duplex=False)
    with asked, answered:
        process = subprocess.Popen(
            [sys.executable, "-m", "games.bots.thinker"],
            cwd=settings.BASE_DIR,
            stdin=asked.fileno(),
            stdout=answered.fileno(),
            # Ctrl-C is meant for whoever asks; when that process ends, this one does.
            process_group=0,
        )
    os.setpriority(os.PRIO_PROCESS, process.pid, LOWEST_PRIORITY)
    return Running(process, questions, answers)
