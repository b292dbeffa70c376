"""The edge that nobody presses: bots' moves and what happens when time is up.

A task can come late, twice, or in two workers at once. It only says "look at this game": what is due
is read from the game's row, and the services refuse whatever no longer fits its version.
"""

from random import SystemRandom

import structlog
from celery import shared_task
from django.utils import timezone

from games import bots, clocks, services, tables
from games.models import Game
from games.rules import IllegalMove, player_view, to_act
from games.store import BrokenRows, Table

log = structlog.get_logger(__name__)


@shared_task
def sweep() -> None:
    """Beat's round: every game in which something is overdue."""
    for game_id in clocks.overdue().values_list("pk", flat=True):
        act_when_due(game_id)


@shared_task
def act_when_due(game_id: int) -> None:
    """Let a bot move, or play for whoever is late, if it is time for that."""
    try:
        game, table = tables.read(game_id)
    except Game.DoesNotExist:
        return
    except BrokenRows as error:
        services.set_aside(game_id, str(error))
        return
    if game.status != Game.Status.RUNNING:
        return
    now = timezone.now()
    try:
        if game.bots_due is not None and game.bots_due <= now:
            _let_bot_act(game_id, table)
        elif game.deadline is not None and game.deadline <= now:
            services.play_timeout(game_id, to_act(table.state)[0], version=table.version)
    except services.Refused as refusal:
        # Somebody was quicker, or the game has been paused: nothing is due any more.
        log.debug("nothing_due", game=game_id, refusal=refusal.code)


def _let_bot_act(game_id: int, table: Table) -> None:
    seat = clocks.bots_to_act(table.state, table.bots)[0]
    move = bots.BOTS[bots.DEFAULT](player_view(table.state, seat), SystemRandom())
    try:
        if move is not None:
            services.play_move(game_id, move, version=table.version)
            return
    except IllegalMove as refusal:
        log.error("bot_chose_illegal_move", game=game_id, move=str(move), refusal=refusal.code)
    # A bot that errs or has no idea must not hold the others up.
    services.play_timeout(game_id, seat, version=table.version)
