"""The edge that nobody presses: bots' moves, standing orders and what happens when time is up.

A task can come late, twice, or in two workers at once. It only says "look at this game": what is due
is read from the game's row, and the services refuse whatever no longer fits it.

Bots think in a queue of their own (`let_bot_act`), with workers of its own, so that nothing else waits for them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from random import SystemRandom
from typing import Final

import structlog
from celery import shared_task
from django.conf import settings
from django.core.cache import cache
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from games import bots, clocks, memories, services, snapshots, thinking
from games.models import Game, Move, Seat
from games.rules import IllegalMove, View, player_view
from games.rules import Move as RulesMove
from games.rules.moves import ConfirmTrade
from games.services import presence
from games.store import BrokenRows, Snapshot

log = structlog.get_logger(__name__)

#: While one sweep is at work, others leave it alone. One that died in the middle loses its place after this
#: many seconds, which it would have asked for anew.
SWEEPING: Final = "sweeping"
PLACE_KEPT: Final = 3

#: A bot that has been queued to think, and of which nothing has come for so many seconds, is queued once more.
QUEUED_AGAIN: Final = 10


@shared_task
def sweep() -> None:
    """Beat's round: every game in which something is overdue, who is back and who is gone, what was not decided."""
    if not cache.add(SWEEPING, True, timeout=PLACE_KEPT):
        return
    try:
        now = timezone.now()
        for game_id in clocks.overdue(now).values_list("pk", flat=True):
            act_when_due(game_id)
            cache.touch(SWEEPING, timeout=PLACE_KEPT)
        services.end_holidays(now)
        presence.sweep(now)
        services.end_overdue(now)
    finally:
        cache.delete(SWEEPING)


@shared_task
def note_lost(seat_id: int) -> None:
    """The moment has come at which somebody without a connection counts as gone."""
    presence.note_lost(seat_id, timezone.now())


@shared_task
def act_when_due(game_id: int) -> None:
    """Have a bot think, carry out an order, and play for whoever is late, if it is time for that."""
    now = timezone.now()
    moments = Game.objects.only("version", "bots_due", "orders_due", "deadline", "answers_due", "failures")
    game = moments.filter(pk=game_id, status=Game.Status.RUNNING).first()
    if game is None:
        return
    is_for_bot = bool(game.bots_due and game.bots_due <= now)
    if is_for_bot and settings.THINKERS:
        _queue_for_thinking(game)
    with _failures_counted(game_id, now):
        if is_for_bot and not settings.THINKERS:
            _let_bot_act_if_it_can(game_id, now)
        _see_to_people(game, now)
        if not (is_for_bot and settings.THINKERS):
            # Where the bot acts, it is seen whether that goes well.
            services.note_success(game)


@shared_task
def let_bot_act(game_id: int, version: int) -> None:
    """Have a bot think and move, if the game is still the one for which this was queued.

    Whoever has moved meanwhile has seen to it that somebody looks at the game again.
    """
    now = timezone.now()
    cache.touch(_place(game_id, version), timeout=QUEUED_AGAIN)
    try:
        with _failures_counted(game_id, now):
            game, snapshot = snapshots.read(game_id)
            if game.version == version:
                _let_bot_act(game, snapshot, now)
                services.note_success(game)
    except Game.DoesNotExist:
        log.debug("game_is_gone", game=game_id)
    finally:
        cache.delete(_place(game_id, version))


@contextmanager
def _failures_counted(game_id: int, now: datetime) -> Iterator[None]:
    """What goes wrong with one game holds up no other; one with which it happens again and again is set aside."""
    try:
        yield
    except services.NotNow as refusal:
        # Somebody was quicker, or the game has been paused: nothing is due any more.
        log.debug("nothing_due", game=game_id, refusal=refusal.code)
    except BrokenRows as error:
        services.set_aside(game_id, str(error), now=now)
    except (OperationalError, InterfaceError, Game.DoesNotExist):
        # The database is away, or the game is gone, and that is not the game's fault.
        raise
    except Exception as error:
        log.exception("task_failed", game=game_id)
        services.note_failure(game_id, error, now=now)


def _see_to_people(game: Game, now: datetime) -> None:
    if game.orders_due and game.orders_due <= now:
        services.play_ordered(game.pk, now)
    if any(at and at <= now for at in (game.deadline, game.answers_due)):
        # Several may be late at once, on a seven.
        while services.play_overdue(game.pk, now):
            pass


# Bots


def _queue_for_thinking(game: Game) -> None:
    """Once for each version of a game, however often it is looked at while the queue is long.

    What is lost with a worker is queued again after a while; should both be there after all, the second finds that the
    game has moved on.
    """
    if cache.add(_place(game.pk, game.version), True, timeout=QUEUED_AGAIN):
        priority = clocks.priority(is_watched=clocks.is_watched(game.pk))
        let_bot_act.apply_async((game.pk, game.version), priority=priority, retry=False)


def _place(game_id: int, version: int) -> str:
    return f"thinking-{game_id}-{version}"


def _let_bot_act_if_it_can(game_id: int, now: datetime) -> None:
    try:
        _let_bot_act(*snapshots.read(game_id), now)
    except services.NotNow as refusal:
        # Whatever keeps a bot from moving must not keep people's clocks from running.
        log.debug("bot_did_not_move", game=game_id, refusal=refusal.code)


def _let_bot_act(game: Game, snapshot: Snapshot, now: datetime) -> None:
    if game.bots_due is None or game.bots_due > now:
        # Another worker was quicker, and the next bot has its pause.
        return
    holidays = clocks.on_holiday(game, snapshot.sitters)
    ready = clocks.bots_ready(snapshot, snapshot.state, snapshot.offer_clocks, game.deadline, holidays)
    if not ready:
        return
    seat = min(ready, key=lambda seat: (ready[seat], seat))
    if ready[seat] > now:
        # An outage of the site was made up for: people have longer to answer.
        services.put_bots_off(game.pk, ready[seat], version=snapshot.version, revision=snapshot.revision)
        return
    sitter = snapshot.sitters[seat]
    is_stand_in = sitter.player == Seat.Player.STAND_IN
    if is_stand_in and services.rest_if_left(game.pk, now):
        return
    name, by = (bots.STAND_IN, Move.By.STAND_IN) if is_stand_in else (sitter.strength, Move.By.BOT)
    _play_choice_of(name, game.pk, snapshot, seat, by)


def _play_choice_of(bot: str, game_id: int, snapshot: Snapshot, seat: int, by: Move.By) -> None:
    view, version = player_view(snapshot.state, seat), snapshot.version
    memory = memories.of(game_id, seat, seats=len(snapshot.sitters), version=version)
    move = _choice_of(bot, view, memory, version)
    # Thinking takes its time, and the clocks of whoever comes next begin after it.
    now = timezone.now()
    try:
        if move is not None:
            services.play_move(game_id, move, version=version, now=now, by=by)
            return
    except IllegalMove as refusal:
        if isinstance(move, ConfirmTrade) and refusal.code == "promise_broken":
            services.play_move(game_id, bots.give_up_trade(view, move), version=version, now=now, by=by)
            return
        log.error("bot_chose_illegal_move", game=game_id, move=str(move), refusal=refusal.code)
    # A bot that errs or has no idea must not hold the others up.
    services.play_timeout(game_id, seat, version=version, now=now, by=by)


def _choice_of(bot: str, view: View, memory: bots.Memory, version: int) -> RulesMove | None:
    """One that fails, or takes too long, has another choose for it; a stand-in has nobody that is as careful."""
    for name in [bot] if bot == bots.STAND_IN else [bot, bots.QUICK]:
        try:
            return thinking.ask(bots.choose, name, view, memory, SystemRandom().getrandbits(64))
        except thinking.NoAnswer:
            log.exception("bot_failed", bot=name, seat=view["viewer"], version=version)
    return None
