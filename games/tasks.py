"""The edge that nobody presses: bots' moves, standing orders and what happens when time is up.

A task can come late, twice, or in two workers at once. It only says "look at this game": what is due
is read from the game's row, and the services refuse whatever no longer fits it.
"""

from datetime import datetime
from random import SystemRandom
from typing import Final

import structlog
from celery import shared_task
from django.core.cache import cache
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from games import bots, clocks, services, snapshots
from games.models import Game, Move, Seat
from games.rules import IllegalMove, View, player_view
from games.rules import Move as RulesMove
from games.rules.moves import ConfirmTrade
from games.rules.views import own_seat
from games.services import presence
from games.store import BrokenRows, Snapshot

log = structlog.get_logger(__name__)

#: While one sweep is at work, others leave it alone. One that died in the middle loses its place after this
#: many seconds, which it would have asked for anew.
SWEEPING: Final = "sweeping"
PLACE_KEPT: Final = 3


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
    """Let a bot move, carry out an order, and play for whoever is late, if it is time for that."""
    now = timezone.now()
    moments = Game.objects.only("bots_due", "orders_due", "deadline", "answers_due", "failures")
    game = moments.filter(pk=game_id, status=Game.Status.RUNNING).first()
    if game is None:
        return
    try:
        _act(game, now)
        services.note_success(game)
    except services.NotNow as refusal:
        # Somebody was quicker, or the game has been paused: nothing is due any more.
        log.debug("nothing_due", game=game_id, refusal=refusal.code)
    except BrokenRows as error:
        services.set_aside(game_id, str(error), now=now)
    except (OperationalError, InterfaceError):
        # The database is away, and that is not the game's fault.
        raise
    except Exception as error:
        log.exception("task_failed", game=game_id)
        services.note_failure(game_id, error, now=now)


def _act(game: Game, now: datetime) -> None:
    if game.bots_due and game.bots_due <= now:
        try:
            _let_bot_act(game.pk, now)
        except services.NotNow as refusal:
            # Whatever keeps a bot from moving must not keep people's clocks from running.
            log.debug("bot_did_not_move", game=game.pk, refusal=refusal.code)
    if game.orders_due and game.orders_due <= now:
        services.play_ordered(game.pk, now)
    if any(at and at <= now for at in (game.deadline, game.answers_due)):
        # Several may be late at once, on a seven.
        while services.play_overdue(game.pk, now):
            pass


def _let_bot_act(game_id: int, now: datetime) -> None:
    game, snapshot = snapshots.read(game_id)
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
        services.put_bots_off(game_id, ready[seat], version=snapshot.version, revision=snapshot.revision)
        return
    sitter = snapshot.sitters[seat]
    is_stand_in = sitter.player == Seat.Player.STAND_IN
    if is_stand_in and services.rest_if_left(game_id, now):
        return
    name, by = (bots.STAND_IN, Move.By.STAND_IN) if is_stand_in else (sitter.strength, Move.By.BOT)
    _play_choice_of(name, game_id, snapshot, seat, by, now)


def _play_choice_of(bot: str, game_id: int, snapshot: Snapshot, seat: int, by: Move.By, now: datetime) -> None:
    view = player_view(snapshot.state, seat)
    move = _choice_of(bot, view, snapshot.version)
    try:
        if move is not None:
            services.play_move(game_id, move, version=snapshot.version, now=now, by=by)
            return
    except IllegalMove as refusal:
        if isinstance(move, ConfirmTrade) and refusal.code == "promise_broken":
            services.play_move(game_id, bots.give_up_trade(view, move), version=snapshot.version, now=now, by=by)
            return
        log.error("bot_chose_illegal_move", game=game_id, move=str(move), refusal=refusal.code)
    # A bot that errs or has no idea must not hold the others up.
    services.play_timeout(game_id, seat, version=snapshot.version, now=now, by=by)


def _choice_of(bot: str, view: View, version: int) -> RulesMove | None:
    try:
        return bots.BOTS[bot](view, bots.Memory(own_seat(view)["seat"], len(view["seats"])), SystemRandom())
    except Exception:
        log.exception("bot_failed", bot=bot, seat=view["viewer"], version=version)
        return None
