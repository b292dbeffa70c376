"""Hands on the table: what moderators do to a game beside its moves."""

from datetime import datetime

from games import snapshots
from games.models import Game
from games.services.agreements import put_off, recount
from games.services.locking import break_off, halt, intervene, locked, require_running, run_again, trusted_rows
from games.services.refusals import NotRunning

Status = Game.Status


def pause(game_id: int, *, now: datetime, why: str = "") -> None:
    """Stop all clocks; nobody can move until the game is resumed."""
    with locked(game_id) as game:
        require_running(game)
        halt(game, {"status": Status.PAUSED})
        intervene(game, "pause", now=now, why=why)


def resume(game_id: int, *, now: datetime, why: str = "") -> None:
    """Go on with a paused game, or with one that needed attention and has had it."""
    with trusted_rows(game_id, now), locked(game_id) as game:
        if game.status not in (Status.PAUSED, Status.RESTING, Status.NEEDS_ATTENTION):
            raise NotRunning("Only a paused game can be resumed.")
        snapshot = snapshots.of(game)
        intervene(game, "resume", now=now, why=why)
        run_again(game, snapshot, snapshot.sitters, now)
        put_off(game, now)
        recount(game, now)


def abort(game_id: int, *, now: datetime, why: str = "") -> None:
    """End a game without a winner."""
    with locked(game_id) as game:
        if game.status in (Status.OVER, Status.ABORTED):
            raise NotRunning("The game has ended already.")
        break_off(game, "abort", now=now, why=why)
