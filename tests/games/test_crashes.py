"""A process is killed while it plays: whatever it had acknowledged is there, and whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from random import Random

import pytest
from django.db import transaction

from games.models import Game, Move
from games.verification import differences
from tests.sites import ROOT

from .processes import environment

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

#: A move takes a few milliseconds: a kill within so many seconds strikes at any point of one.
MOMENT = 0.02

Nursery = subprocess.Popen[str]


@pytest.fixture
def nursery() -> Iterator[Nursery]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.games.crashing"],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.stdin.close()  # type: ignore[union-attr]


def live_and_die(nursery: Nursery, acknowledgements: int, moment: float) -> list[tuple[int, int]]:
    """One life: killed so long after so many acknowledged moves. All moves that were acknowledged."""
    assert nursery.stdin
    assert nursery.stdout
    nursery.stdin.write(f"{time.perf_counter_ns()}\n")
    nursery.stdin.flush()
    child, heard = 0, []
    while True:
        word, number = nursery.stdout.readline().split()
        if word == "dead":
            assert int(number) == -signal.SIGKILL, "it died of something else"
            return heard
        if word == "born":
            child = int(number)
        else:
            heard.append((int(word), int(number)))
        if child and len(heard) >= acknowledgements:
            time.sleep(moment)
            os.kill(child, signal.SIGKILL)
            child = 0


def check(heard: list[tuple[int, int]]) -> int:
    """Every acknowledged move is there, and nothing by halves; tells how many moves there are."""
    for game in Game.objects.order_by("pk"):
        with transaction.atomic():
            # PostgreSQL may still be busy with the last wish of the dead: its lock is waited for.
            game = Game.objects.select_for_update().get(pk=game.pk)
            assert differences(game) == []
        acknowledged = max((version for number, version in heard if number == game.pk), default=0)
        # One more than was acknowledged may be there: the process died before it could say so.
        assert game.version >= acknowledged
    return Move.objects.count()


def crash(nursery: Nursery, kills: int) -> None:
    source, before = Random(kills), 0
    for _ in range(kills):
        heard = live_and_die(nursery, source.randrange(5), source.random() * MOMENT)
        moves = check(heard)
        assert len(heard) <= moves - before <= len(heard) + 1
        before = moves
    assert len(live_and_die(nursery, 5, 0)) >= 5, "the game does not go on"


def test_no_acknowledged_move_is_lost_in_30_kills(nursery: Nursery) -> None:
    crash(nursery, 30)


@pytest.mark.soak
@pytest.mark.timeout(1_800)
def test_no_acknowledged_move_is_lost_in_200_kills(
    nursery: Nursery, record_property: Callable[[str, int], None]
) -> None:
    crash(nursery, 200)
    record_property("kills", 200)
    record_property("kept_moves", Move.objects.count())
