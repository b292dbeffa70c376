"""Hands on the table: what moderators do to a game beside its moves.

The players read in the log what was done; why, and by whom, is written down for moderators alone.
"""

from datetime import datetime, timedelta
from typing import Final

from games import clocks, snapshots
from games.models import Game, Seat
from games.rules import Malformed, to_act
from games.services.agreements import put_off, recount
from games.services.locking import (
    break_off,
    halt,
    intervene,
    locked,
    require_running,
    run_again,
    tell_clocks,
    trusted_rows,
    wake,
    write_game,
)
from games.services.refusals import NothingToDo, NotRunning
from games.services.seats import hand_over

Status = Game.Status

#: Nobody is waited for longer than this because somebody pressed a button again and again.
MOST_TIME_LEFT: Final = timedelta(days=14)


class BadExtension(Malformed):
    code = "bad_extension"


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


def extend(game_id: int, by: timedelta, *, now: datetime, why: str = "") -> None:
    """Give those to act more time; a deadline that has just passed counts from now on."""
    if by <= timedelta():
        raise BadExtension("Time is given, not taken: choose how much more they get.")
    with trusted_rows(game_id, now), locked(game_id) as game:
        require_running(game)
        if game.deadline is None:
            raise NothingToDo("Nobody is hurried in this game: there is no deadline to extend.")
        snapshot = snapshots.of(game)
        acting = [seat for seat in to_act(snapshot.state) if seat not in snapshot.bots]
        if not acting:
            raise NothingToDo("The game waits for a bot, which needs no more time.")
        deadline = max(game.deadline, now) + by
        if deadline > now + MOST_TIME_LEFT:
            raise BadExtension(f"They would have more than {MOST_TIME_LEFT.days} days: pause the game instead.")
        known, known_short = clocks.moments(game), clocks.short_from(game, snapshot)
        write_game(game, clocks.extended(game, snapshot, deadline, now).columns)
        intervene(game, "extend", now=now, why=why, told={"to": acting, "seconds": int(by.total_seconds())})
        wake(game, clocks.moments(game) - known, now)
        tell_clocks(game, snapshot, known_short, now)


def stand_in(game_id: int, seat: int, *, now: datetime, why: str = "") -> None:
    """Let a bot play for somebody, who can take the seat back at any time."""
    hand_over(game_id, seat, now, {Seat.Player.PERSON}, Seat.Player.STAND_IN, "stand_in", why)


def abort(game_id: int, *, now: datetime, why: str = "") -> None:
    """End a game without a winner, so that it counts for nobody."""
    with locked(game_id) as game:
        if game.status in (Status.OVER, Status.ABORTED):
            raise NotRunning("The game has ended already.")
        break_off(game, "abort", now=now, why=why)
