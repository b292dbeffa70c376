"""A live game that everybody has left rests, rather than being played to its end by stand-ins.

Whoever comes back may go on at once, or propose to carry on over days (`games.services.agreements`).
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from games import clocks, snapshots
from games.models import Game, Intervention, Move, Presence, Seat
from games.services.agreements import recount
from games.services.locking import halt, intervene, locked, run_again, seat_row, trusted_rows, write_sitters
from games.services.refusals import NotRunning, NotYourSeat
from games.store import Sitter, Snapshot

Status = Game.Status

#: Nobody was there, and nobody did anything, for so long: everybody has left.
RESTS_AFTER: Final = timedelta(minutes=2)


def has_been_left(game: Game, snapshot: Snapshot, now: datetime) -> bool:
    """Whether the people of a live game had its page open, and all of them are gone.

    Who plays without scripts, or by a program, has no page that could be lost: until they have missed too much, they
    are there, and wait for the others as anybody does. Nor is a game left in which somebody has moved just now.
    """
    pace = clocks.pace_of(game)
    if pace is None or not pace.is_live:
        return False
    people = {
        Seat.key(game.pk, seat): sitter
        for seat, sitter in enumerate(snapshot.sitters)
        if sitter.player != Seat.Player.BOT
    }
    seen = list(Presence.objects.filter(pk__in=people).values_list("pk", "is_here", "gone_at"))
    gone = [gone_at for _, _, gone_at in seen if gone_at]
    if any(is_here or (gone_at is None and people[pk].has_a_say) for pk, is_here, gone_at in seen):
        return False
    if not gone or max(gone) > now - RESTS_AFTER:
        return False
    moved = Move.objects.filter(game=game, by=Move.By.PLAYER, played_at__gt=now - RESTS_AFTER)
    done = Intervention.objects.filter(game=game, at__gt=now - RESTS_AFTER)
    return not moved.exists() and not done.exists()


def rest(game: Game, snapshot: Snapshot, now: datetime) -> None:
    """All clocks stop. Stand-ins leave: nobody was missed by anybody, and each may come back."""
    write_sitters(game, snapshot.sitters, [_at_rest(sitter) for sitter in snapshot.sitters])
    halt(game, {"status": Status.RESTING})
    intervene(game, "rest", now=now)
    recount(game, now)


def _at_rest(sitter: Sitter) -> Sitter:
    player = Seat.Player.PERSON if sitter.player == Seat.Player.STAND_IN else sitter.player
    return replace(sitter, player=player, late=0, asked=Seat.Asked.NOTHING, awaited_since=None)


def rest_if_left(game_id: int, now: datetime) -> bool:
    """A stand-in is about to move: if it would play for nobody, the game rests instead."""
    with trusted_rows(game_id, now), locked(game_id) as game:
        if game.status != Status.RUNNING:
            return False
        snapshot = snapshots.of(game)
        if not has_been_left(game, snapshot, now):
            return False
        rest(game, snapshot, now)
        return True


def go_on(game_id: int, seat: int, now: datetime) -> None:
    """Somebody is back: the game goes on as it was.

    If they have no page open, they play without one from now on. Else the next clock that runs out would put the game
    to rest again, and whoever does not come back would never be missed.
    """
    with trusted_rows(game_id, now), locked(game_id) as game:
        if game.status != Status.RESTING:
            raise NotRunning("The game does not rest.")
        row = seat_row(game, seat)
        if row.player != Seat.Player.PERSON:
            raise NotYourSeat("A stand-in plays your seat: take it back first.")
        snapshot = snapshots.of(game)
        Presence.objects.filter(pk=row.pk, is_here=False).update(gone_at=None, lost_due=None)
        intervene(game, "go_on", now=now, seat_id=row.pk)
        run_again(game, snapshot, snapshot.sitters, now)
