"""A game that our own code cannot play must not be tried for ever, nor hold up the others."""

from datetime import datetime
from typing import Final

from django.db.models import F

from games.models import Game
from games.services.locking import set_aside
from games.signals import game_task_failed, send_after_commit

#: So many failed tasks in a row, and a game is set aside.
MOST_FAILURES: Final = 3


def note_failure(game_id: int, error: Exception, *, now: datetime) -> None:
    """A task failed on this game: count it, and set the game aside after the third."""
    Game.objects.filter(pk=game_id).update(failures=F("failures") + 1)
    send_after_commit(game_task_failed, game_id=game_id)
    failures = Game.objects.filter(pk=game_id).values_list("failures", flat=True).first() or 0
    if failures >= MOST_FAILURES:
        set_aside(game_id, f"A task failed {failures} times: {type(error).__name__}: {error}", now=now)


def note_success(game: Game) -> None:
    if game.failures:
        Game.objects.filter(pk=game.pk).update(failures=0)
