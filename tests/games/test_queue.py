"""Where there is more to do than workers for it, games that somebody has open go first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from time import monotonic, sleep
from typing import Any

import pytest
from celery import signals
from celery.worker import WorkController, state
from django.conf import settings
from django.utils import timezone

from catan_site import pool
from catan_site.celery import app
from catan_site.pool import TaskPool
from games import clocks
from games.models import Presence, Seat
from lobby.models import User
from tests.clock import Clock

from .playing import new_game, time_out

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

#: Games that nobody has open, and that wait for the one thread there is.
CROWD = 150
BUSY, OPEN = 1, 2


def until(condition: Callable[[], bool]) -> None:
    limit = monotonic() + 60
    while not condition():
        assert monotonic() < limit, "this did not come about"
        sleep(0.01)


@contextmanager
def worker_with_one_thread() -> Iterator[WorkController]:
    app.control.purge()
    worker = WorkController(app=app, concurrency=1, without_gossip=True, without_heartbeat=True, without_mingle=True)
    running = threading.Thread(target=worker.start, daemon=True)
    running.start()
    try:
        until(lambda: bool(worker.consumer) and worker.consumer.task_consumer is not None)
        yield worker
    finally:
        app.control.shutdown()
        running.join(10)


class Watch:
    """Which games the worker looks at, one after another; it does not get beyond the first before it is let go."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.go = threading.Event()

    def note(self, args: list[Any], **_: object) -> None:
        self.seen.append(args[0])
        self.go.wait(60)


@pytest.fixture
def watch() -> Iterator[Watch]:
    watch = Watch()
    signals.task_prerun.connect(watch.note, weak=False)
    yield watch
    watch.go.set()
    signals.task_prerun.disconnect(watch.note)


def test_a_game_that_somebody_has_open_goes_before_all_those_that_nobody_has(watch: Watch) -> None:
    now = timezone.now()
    with worker_with_one_thread() as worker:
        assert isinstance(worker.pool, TaskPool)
        clocks.wake(BUSY, {now}, now, is_watched=False)
        until(lambda: watch.seen == [BUSY])
        crowd = list(range(100, 100 + CROWD))
        for game in crowd:
            clocks.wake(game, {now}, now, is_watched=False)
        clocks.wake(OPEN, {now}, now, is_watched=True)
        until(lambda: worker.pool.waiting == CROWD + 1)
        watch.go.set()
        until(lambda: len(watch.seen) == CROWD + 2)
    assert watch.seen[1] == OPEN
    assert sorted(watch.seen[2:]) == crowd


def test_rounds_that_expired_while_they_waited_are_not_made(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """All threads were busy for longer than a round may wait; the one that is still in time is enough."""
    seen: list[str] = []
    go = threading.Event()

    def note(task: Any, **_: object) -> None:
        seen.append(task.name)
        go.wait(60)

    signals.task_prerun.connect(note, weak=False)
    try:
        with worker_with_one_thread() as worker:
            clocks.wake(BUSY, {clock.now}, clock.now, is_watched=True)
            until(lambda: seen == ["games.tasks.act_when_due"])
            for _ in range(20):
                app.send_task("games.tasks.sweep", expires=600)
            app.send_task("games.tasks.sweep", expires=6000)
            until(lambda: worker.pool.waiting == 21)
            later = datetime.now(UTC) + timedelta(seconds=1200)
            monkeypatch.setattr(pool, "_now", lambda: later)
            go.set()
            until(lambda: not worker.pool.waiting and not state.reserved_requests)
        assert seen == ["games.tasks.act_when_due", "games.tasks.sweep"]
        assert left_in_the_broker() is None, "it need not keep them for a worker that comes later"
    finally:
        go.set()
        signals.task_prerun.disconnect(note)


def left_in_the_broker() -> Any:
    with app.connection_for_read() as connection, connection.channel() as channel:
        return channel.basic_get(app.conf.task_default_queue, no_ack=True)


def test_tidying_up_waits_for_games_that_nobody_has_open() -> None:
    tidying = {
        "catan_site.tasks.clear_expired_sessions",
        "lobby.tasks.clear_old_guests",
        "lobby.tasks.clear_old_notices",
        "moderation.tasks.find_unusual_pairs",
        "moderation.tasks.forget_addresses",
    }
    places = {each["task"]: each.get("options", {}).get("priority") for each in settings.CELERY_BEAT_SCHEDULE.values()}
    assert {task for task, place in places.items() if place == clocks.LATER} == tidying
    assert {place for task, place in places.items() if task not in tidying} == {None}


@pytest.mark.services
def test_the_broker_hands_it_out_first_too() -> None:
    """For a worker that was away, the queue is as long as the games that were played meanwhile."""
    now = timezone.now()
    app.control.purge()
    for game in range(100, 120):
        clocks.wake(game, {now}, now, is_watched=False)
    clocks.wake(OPEN, {now}, now, is_watched=True)
    first = left_in_the_broker()
    assert first is not None
    assert first.payload[0] == [OPEN]
    app.control.purge()


@pytest.mark.parametrize("is_here", [True, False])
def test_a_move_says_whether_anybody_has_the_game_open(alice: User, is_here: bool) -> None:
    game = new_game("standard", users=[alice], bots=(1, 2), pace="normal")
    Presence.objects.filter(seat=Seat.key(game.pk, 0)).update(is_here=is_here)
    sent: list[int] = []

    def note(headers: dict[str, Any], properties: dict[str, Any], **_: object) -> None:
        if headers["task"] == "games.tasks.act_when_due":
            sent.append(properties["priority"])

    signals.before_task_publish.connect(note, weak=False)
    try:
        for _ in range(8):
            time_out(game.pk)
    finally:
        signals.before_task_publish.disconnect(note)
    assert set(sent) == {0 if is_here else clocks.LATER}
