"""Bots think in a queue of their own: each version of a game lies there once, and nobody else waits for it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from celery import signals
from django.conf import LazySettings
from django.conf import settings as site_settings
from django.db import OperationalError

from catan_site import embedded, pool
from catan_site.celery import app
from deploy.children import wait_until
from games import bots, clocks, memories, services, snapshots, tasks, thinking
from games.models import Game, Move, Presence, Seat
from games.paces import BOT_SPEEDS
from games.rules import moves as m
from lobby.models import User
from tests.clock import Clock

from .playing import ALICE, BOB, CHARLIE, new_game
from .test_clocks import NORMAL, discarding, in_main_phase, last_move, live_game

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

CALM = BOT_SPEEDS["calm"]


class Queued(NamedTuple):
    queue: str
    game: int
    version: int
    priority: int


class Queue(list[Queued]):
    """What has been queued for bots; nobody takes it out but the test."""

    def note(
        self, headers: dict[str, Any], body: Any, routing_key: str, properties: dict[str, Any], **_: object
    ) -> None:
        if headers["task"] == tasks.let_bot_act.name:
            game, version = body[0]
            self.append(Queued(routing_key, game, version, properties["priority"]))

    def let_bots_act(self) -> None:
        while self:
            queued = self.pop(0)
            tasks.let_bot_act(queued.game, queued.version)


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch, settings: LazySettings) -> Iterator[Queue]:
    """Whoever takes a task out thinks here."""
    settings.THINKERS = 1
    monkeypatch.setattr(thinking, "ask", lambda question, *arguments: question(*arguments))
    queue = Queue()
    signals.before_task_publish.connect(queue.note)
    yield queue
    signals.before_task_publish.disconnect(queue.note)
    with app.connection_for_write() as broker:
        broker.default_channel.queue_purge(site_settings.THINKING_QUEUE)


@pytest.fixture
def game(clock: Clock, queue: Queue) -> Game:
    """It is a bot's turn, and it has thought long enough."""
    game = live_game(in_main_phase)
    services.withdraw(game.pk, ALICE, now=clock.now)
    clock.move(CALM)
    return fresh(game)


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def test_a_look_at_a_game_does_not_wait_for_its_bot(game: Game, queue: Queue) -> None:
    tasks.act_when_due(game.pk)
    assert fresh(game).version == game.version
    assert queue == [Queued(site_settings.THINKING_QUEUE, game.pk, game.version, clocks.LATER)]
    queue.let_bots_act()
    assert last_move(game).by == Move.By.BOT


def test_however_often_a_game_is_looked_at_its_bot_is_queued_once(game: Game, queue: Queue) -> None:
    for _ in range(3):
        tasks.act_when_due(game.pk)
        tasks.sweep()
    assert len(queue) == 1


def test_the_next_version_is_queued_although_the_last_one_was_just_now(game: Game, queue: Queue, clock: Clock) -> None:
    versions = set()
    for _ in range(5):
        tasks.sweep()
        versions |= {queued.version for queued in queue}
        queue.let_bots_act()
        clock.move(CALM)
    assert len(versions) == 5


def test_what_was_lost_with_a_worker_is_queued_again_after_a_while(
    game: Game, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "QUEUED_AGAIN", 0)
    tasks.sweep()
    tasks.sweep()
    assert [queued.version for queued in queue] == [game.version] * 2
    queue.let_bots_act()
    assert fresh(game).version == game.version + 1, "the second finds that the bot has moved"


def test_a_bot_that_comes_to_a_later_version_does_not_even_think(
    game: Game, queue: Queue, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks.sweep()
    services.play_move(game.pk, m.EndTurn(ALICE), version=game.version, by=Move.By.BOT, now=clock.now)
    monkeypatch.setattr(thinking, "ask", lambda *_: pytest.fail("it thinks"))
    queue.let_bots_act()
    assert fresh(game).version == game.version + 1


def test_a_bot_that_was_put_off_is_queued_again_for_the_same_version(game: Game, queue: Queue, clock: Clock) -> None:
    tasks.sweep()
    Game.objects.filter(pk=game.pk).update(bots_due=clock.now + timedelta(seconds=30))
    queue.let_bots_act()
    assert fresh(game).version == game.version
    clock.move(31)
    tasks.sweep()
    assert [queued.version for queued in queue] == [game.version]


@pytest.mark.parametrize("is_here", [True, False])
def test_bots_of_games_that_somebody_has_open_think_first(
    alice: User, clock: Clock, queue: Queue, is_here: bool
) -> None:
    game = new_game(users=[alice], bots=(BOB, CHARLIE), seed="queue")
    Presence.objects.filter(seat=Seat.key(game.pk, ALICE)).update(is_here=is_here)
    Game.objects.filter(pk=game.pk).update(bots_due=clock.now)
    tasks.act_when_due(game.pk)
    assert [queued.priority for queued in queue] == [0 if is_here else clocks.LATER]


# What does not wait for it


def test_people_are_played_for_in_time_while_bots_think_and_bots_only_later(clock: Clock, queue: Queue) -> None:
    game = live_game(discarding(ALICE, BOB))
    services.withdraw(game.pk, ALICE, now=clock.now)
    clock.move(NORMAL.discarding)
    tasks.sweep()
    assert (last_move(game).kind, last_move(game).seat.number, last_move(game).by) == ("discard", BOB, "timeout")
    clock.move(clocks.BOTS_RESERVE.total_seconds() - 1)
    tasks.sweep()
    assert last_move(game).seat.number == BOB
    clock.move(1)
    tasks.sweep()
    assert (last_move(game).kind, last_move(game).seat.number, last_move(game).by) == ("discard", ALICE, "timeout")


def test_a_pause_begins_when_a_bot_has_thought(
    game: Game, queue: Queue, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(*_: object) -> m.Move:
        clock.move(4)
        return m.EndTurn(ALICE)

    monkeypatch.setitem(bots.BOTS, bots.DEFAULT, choose)
    services.withdraw(game.pk, BOB, now=clock.now)
    clock.move(CALM)
    tasks.sweep()
    queue.let_bots_act()
    assert last_move(game).played_at == clock.now
    assert fresh(game).bots_due == clock.now + timedelta(seconds=CALM)


# What goes wrong


def no_answer(*_: object) -> None:
    raise thinking.NoAnswer("It took longer than 5 s.")


def test_where_nothing_comes_of_thinking_a_quick_bot_chooses(
    game: Game, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(bot: str, view: bots.View, memory: bots.Memory, seed: int) -> m.Move | None:
        return m.BuyCard(ALICE) if bot == bots.QUICK else no_answer()

    monkeypatch.setattr(bots, "choose", choose)
    tasks.sweep()
    queue.let_bots_act()
    assert (last_move(game).kind, last_move(game).by) == ("buy_card", Move.By.BOT)


def test_where_nothing_comes_of_a_stand_in_the_rules_choose(
    clock: Clock, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The quick bot would trade and spend cards, which a stand-in never does."""
    game = live_game(in_main_phase)
    services.replace_by_bot(game.pk, ALICE, now=clock.now)
    monkeypatch.setattr(bots, "choose", lambda bot, *_: m.BuyCard(ALICE) if bot == bots.QUICK else no_answer())
    clock.move(CALM)
    tasks.sweep()
    queue.let_bots_act()
    assert (last_move(game).kind, last_move(game).by) == ("end_turn", Move.By.STAND_IN)


def test_a_game_at_which_thinking_fails_again_and_again_is_set_aside(
    game: Game, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "of", lambda *_, **__: 1 // 0)
    for _ in range(3):
        assert fresh(game).status == Game.Status.RUNNING
        tasks.sweep()
        queue.let_bots_act()
        # Looks at it that went well do not make up for that.
        tasks.act_when_due(game.pk)
    assert fresh(game).status == Game.Status.NEEDS_ATTENTION
    assert "ZeroDivisionError" in fresh(game).attention


def test_a_bot_that_moves_makes_failures_forgotten(game: Game, queue: Queue) -> None:
    Game.objects.filter(pk=game.pk).update(failures=2)
    tasks.sweep()
    queue.let_bots_act()
    assert fresh(game).failures == 0


def test_a_database_that_is_away_is_not_the_games_fault(
    game: Game, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise OperationalError("away")

    tasks.sweep()
    with monkeypatch.context() as patch:
        patch.setattr(snapshots, "read", away)
        with pytest.raises(OperationalError):
            queue.let_bots_act()
    assert fresh(game).failures == 0
    tasks.sweep()
    assert len(queue) == 1, "it is queued again at the next look"


def test_a_bot_of_a_game_that_is_gone_does_nothing(queue: Queue) -> None:
    tasks.let_bot_act(12345, 0)


# The embedded workers


@pytest.mark.skipif(bool(site_settings.REDIS_URL), reason="embedded there is no Redis")
def test_each_queue_of_the_embedded_site_has_a_worker_of_its_own() -> None:
    """The one for bots has a single thread here, the other has four."""
    begun: Counter[str] = Counter()
    goes_on = threading.Event()

    def note(task: Any, **_: object) -> None:
        begun[task.name] += 1
        if task.name == tasks.let_bot_act.name:
            goes_on.wait(30)

    signals.task_prerun.connect(note)
    try:
        app.control.purge()
        with embedded.workers():
            for version in range(5):
                tasks.let_bot_act.apply_async((12345, version))
            wait_until(lambda: begun[tasks.let_bot_act.name] == 1 and pool.waiting() == 4, "no bot thinks", limit=30)
            for _ in range(5):
                tasks.act_when_due.apply_async((12345,))
            wait_until(lambda: begun[tasks.act_when_due.name] == 5, "clocks wait for a bot", limit=30)
            assert begun[tasks.let_bot_act.name] == 1
            goes_on.set()
            wait_until(lambda: begun[tasks.let_bot_act.name] == 5, "bots do not go on", limit=30)
    finally:
        goes_on.set()
        signals.task_prerun.disconnect(note)
