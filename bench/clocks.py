"""Many clocks that run out in the same second, and how soon games move on after a part of the site was gone.

Run as ``python -m bench clocks``, which gives it a database and settings of its own.
"""

from __future__ import annotations

import os
import threading
import time
import urllib.request
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median, quantiles
from typing import Final
from urllib.parse import urlsplit

import django

django.setup()

from django.utils import timezone  # noqa: E402

from deploy.children import wait_until  # noqa: E402
from games import clocks  # noqa: E402
from games.models import Game, Move  # noqa: E402
from games.paces import Pace  # noqa: E402
from games.rules import RuleSet  # noqa: E402
from games.services import Entrant, start_game  # noqa: E402
from tests.keepers import WORKERS, Keepers, started  # noqa: E402

GAMES: Final = 2_000
GOAL: Final = 30
#: How many games wait while a part is gone, and within how many seconds they should move on when it is back.
WAITING: Final = 50
RECOVERY_GOAL: Final = 5
A_MINUTE: Final = 60


def main() -> None:
    home = Path(os.environ["DATA_DIR"])
    with started(home, os.environ, urlsplit(os.environ["REDIS_URL"]).port) as keepers:
        measure_one_second(keepers)
        measure_recovery(keepers)


# All at once


def measure_one_second(keepers: Keepers) -> None:
    print(f"Clocks: {GAMES:,} games whose time is up in the same second, on the full stack")
    games = waiting_games(GAMES)
    with Visitor(keepers.address) as before:
        time.sleep(3)
    with Visitor(keepers.address) as meanwhile:
        due = set_deadlines(games)
        wait_until(lambda: not left(games), "some games did not move on", limit=300)
    seconds = (last_moved(games) - due).total_seconds()
    print(f"  the last one moved on {seconds:.1f} s later ({GAMES / seconds:.0f} a second), goal {GOAL} s")
    print(f"  the site's front page meanwhile: {meanwhile}")
    print(f"  the site's front page before:    {before}")


class Visitor:
    """Somebody who looks at the front page all the time."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.taken: list[float] = []
        self.failed = 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.visit)

    def __enter__(self) -> Visitor:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()

    def visit(self) -> None:
        while not self.over.wait(0.05):
            began = time.perf_counter()
            try:
                with urllib.request.urlopen(self.address, timeout=30) as answer:
                    answer.read()
            except OSError:
                self.failed += 1
            self.taken.append(1000 * (time.perf_counter() - began))

    def __str__(self) -> str:
        p95 = quantiles(self.taken, n=20)[-1]
        return f"{len(self.taken)} looks, median {median(self.taken):.0f} ms, p95 {p95:.0f} ms, {self.failed} failed"


# After a loss


def measure_recovery(keepers: Keepers) -> None:
    print(f"Clocks: {WAITING} games overdue while a part was gone, goal {RECOVERY_GOAL} s after its return")
    ways: dict[str, tuple[int, Callable[[], None], Callable[[], None]]] = {
        "both workers killed": (5, lambda: keepers.kill(*WORKERS), lambda: keepers.start(*WORKERS)),
        "beat killed": (A_MINUTE, lambda: keepers.kill("beat"), lambda: keepers.start("beat")),
        "Redis killed, back empty": (5, keepers.kill_redis, keepers.start_redis),
    }
    for name, (seconds, take_away, bring_back) in ways.items():
        games = waiting_games(WAITING)
        take_away()
        set_deadlines(games, prompt=False)
        time.sleep(seconds)
        bring_back()
        back = timezone.now()
        wait_until(lambda games=games: not left(games), "some games did not move on")  # type: ignore[misc]
        taken = (last_moved(games) - back).total_seconds()
        twice = Move.objects.filter(game__in=games, number=2).count()
        print(f"  {name}, gone for {seconds} s: {taken:.1f} s until the last one moved on, {twice} moved twice")


# Games


def waiting_games(count: int) -> list[Game]:
    """Each waits for its first settlement; after that, it has time."""
    players = [Entrant(name) for name in ("Alice", "Bob", "Charlie", "Dana")]
    pace = Pace("relaxed", *(900,) * 7)
    return [start_game(RuleSet(), "random", players, pace=pace, now=timezone.now()) for _ in range(count)]


def set_deadlines(games: list[Game], *, prompt: bool = True) -> datetime:
    """The same for all, in a moment; with the tasks that a move would have set for it."""
    now = timezone.now()
    deadline = now + timedelta(seconds=5 if prompt else 1)
    Game.objects.filter(pk__in=[game.pk for game in games]).update(deadline=deadline)
    if prompt:
        for game in games:
            clocks.wake(game.pk, [deadline + clocks.PULSE_EVERY], now, is_watched=True)
    return deadline


def left(games: list[Game]) -> int:
    time.sleep(0.2)
    return Game.objects.filter(pk__in=[game.pk for game in games], version=0).count()


def last_moved(games: list[Game]) -> datetime:
    return Move.objects.filter(game__in=games).latest("played_at").played_at


if __name__ == "__main__":
    main()
