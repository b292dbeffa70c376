"""Hands on the table: what moderators do to a game beside its moves."""

from django.utils import timezone

from games import clocks, tables
from games.models import Game
from games.services import presence
from games.services.locking import intervene, locked, require_running, start_clocks, trusted_rows, write_game
from games.services.refusals import NotRunning

Status = Game.Status


def pause(game_id: int, *, why: str = "") -> None:
    """Stop all clocks; nobody can move until the game is resumed."""
    with locked(game_id) as game:
        require_running(game)
        write_game(game, {"status": Status.PAUSED, **clocks.STOPPED})
        intervene(game, "pause", why=why)


def resume(game_id: int, *, why: str = "") -> None:
    """Go on with a paused game, or with one that needed attention and has had it."""
    with trusted_rows(game_id), locked(game_id) as game:
        if game.status not in (Status.PAUSED, Status.NEEDS_ATTENTION):
            raise NotRunning("Only a paused game can be resumed.")
        table = tables.of(game)
        write_game(game, {"status": Status.RUNNING, "attention": "", "failures": 0})
        intervene(game, "resume", why=why)
        start_clocks(game, table)
        presence.miss_again(game_id, timezone.now())


def abort(game_id: int, *, why: str = "") -> None:
    """End a game without a winner."""
    with locked(game_id) as game:
        if game.status in (Status.OVER, Status.ABORTED):
            raise NotRunning("The game has ended already.")
        write_game(game, {"status": Status.ABORTED, "ended_at": timezone.now(), **clocks.STOPPED})
        intervene(game, "abort", why=why)
