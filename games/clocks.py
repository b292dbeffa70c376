"""When a game stops waiting: for a person who takes too long, and for a bot that has thought enough.

Both moments are indexed columns of the game's row, written with the move that set them. A task is
queued for a moment that is near, so that it is kept promptly; beat's sweep finds whatever a lost task
or a restart has missed.
"""

from datetime import datetime, timedelta
from typing import Final

from celery import current_app
from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import Game
from games.rules import Move, Phase, State, to_act

#: A moment nearer than this is worth a task of its own; a later one is left to the sweep.
NEAR: Final = timedelta(seconds=60)


def deadline(game: Game, before: State | None, after: State, move: Move | None) -> datetime | None:
    """When the people that the game now waits for will be late.

    Somebody else's answer to an offer does not give the player to move more time.
    """
    if game.seconds_a_move is None or after.phase is Phase.OVER:
        return None
    if before and move and move.seat not in to_act(before) and _waits_alike(before, after):
        return game.deadline
    return timezone.now() + timedelta(seconds=game.seconds_a_move)


def _waits_alike(before: State, after: State) -> bool:
    return (before.turn, before.phase, to_act(before)) == (after.turn, after.phase, to_act(after))


def bots_due(state: State, bots: frozenset[int]) -> datetime | None:
    """When the next bot acts: after a pause in which a person can see what was done last."""
    if not bots_to_act(state, bots):
        return None
    return timezone.now() + timedelta(milliseconds=settings.BOT_PAUSE_MS)


def bots_to_act(state: State, bots: frozenset[int]) -> list[int]:
    """The bots of whom something is asked: a move, or the answer to an offer."""
    asked = set(to_act(state))
    for offer in state.offers:
        asked |= set(offer.to) - set(offer.accepted) - set(offer.rejected)
    return sorted(asked & bots)


def overdue() -> QuerySet[Game]:
    now = timezone.now()
    return Game.objects.filter(Q(deadline__lte=now) | Q(bots_due__lte=now), status=Game.Status.RUNNING)


def wake(game_id: int, *moments: datetime | None) -> None:
    """Have somebody look at the game at these moments, as far as they are near."""
    now = timezone.now()
    for moment in moments:
        if moment is not None and moment - now < NEAR:
            # By its name: the task is above us and calls the services that call us.
            current_app.send_task("games.tasks.act_when_due", [game_id], eta=moment, retry=False)
