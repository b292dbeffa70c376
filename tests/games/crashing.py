"""A process that plays and is killed, again and again: ``python -m tests.games.crashing``.

It loads Django once. For each line it reads, a child is forked that plays until somebody kills it.
It prints ``born PID``, then ``GAME VERSION`` for every move that the services have acknowledged, and
``dead CODE`` when the child is.
"""

from __future__ import annotations

import os
import sys
from random import Random

import django


def say(line: str) -> None:
    # Past Python's buffers: what was said before the kill has been said.
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


def play_until_killed(source: Random) -> None:
    from django.utils import timezone

    from games import services, snapshots
    from games.models import Game

    from .playing import new_game, some_move

    while True:
        game = Game.objects.filter(status=Game.Status.RUNNING).first() or new_game(seed=source.random())
        _, snapshot = snapshots.read(game.pk)
        played = services.play_move(
            game.pk, some_move(snapshot.state, source), version=snapshot.version, now=timezone.now()
        )
        say(f"{game.pk} {played.version}")


def main() -> None:
    django.setup()
    # Loaded before the fork, so that a child begins to play at once. Nothing here opens the database.
    from . import playing  # noqa: F401

    for line in sys.stdin:
        child = os.fork()
        if not child:
            play_until_killed(Random(int(line)))
        say(f"born {child}")
        _, status = os.waitpid(child, 0)
        say(f"dead {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    main()
