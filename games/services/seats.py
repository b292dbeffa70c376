"""Who plays a seat: its person, a stand-in while they are away, or a bot for good."""

from dataclasses import replace
from datetime import datetime

from games import awaited, ordered, signals, snapshots
from games.models import Game, Seat
from games.services.agreements import recount
from games.services.locking import (
    intervene,
    locked,
    raise_revision,
    resign_as_last,
    seat_row,
    start_clocks,
    trusted_rows,
    write_sitters,
)
from games.services.refusals import NothingToDo, NotRunning

Status = Game.Status


def replace_by_bot(game_id: int, seat: int, now: datetime) -> None:
    """Let a bot stand in for an absent person, who can take the seat back at any time."""
    hand_over(game_id, seat, now, {Seat.Player.PERSON}, Seat.Player.STAND_IN, "replace_by_bot")


def give_back(game_id: int, seat: int, now: datetime) -> None:
    """The person is back: the stand-in leaves."""
    hand_over(game_id, seat, now, {Seat.Player.STAND_IN}, Seat.Player.PERSON, "give_back")


def withdraw(game_id: int, seat: int, now: datetime) -> None:
    """A person leaves for good; a bot plays the seat to the end, or the game ends if nobody else is left."""
    hand_over(game_id, seat, now, {Seat.Player.PERSON, Seat.Player.STAND_IN}, Seat.Player.BOT, "withdraw")


def hand_over(
    game_id: int, seat: int, now: datetime, held_by: set[Seat.Player], goes_to: Seat.Player, what: str, why: str = ""
) -> None:
    with trusted_rows(game_id, now), locked(game_id) as game:
        if game.status in (Status.OVER, Status.ABORTED):
            raise NotRunning("The game has ended.")
        row = seat_row(game, seat)
        if row.player not in held_by:
            raise NothingToDo(f"This seat is held by {row.get_player_display()}.")
        if goes_to == Seat.Player.PERSON:
            signals.send_within(signals.seat_returning, game=game, seat=row, now=now)
        snapshot = snapshots.of(game)
        if goes_to == Seat.Player.BOT and snapshot.is_last_person(seat):
            resign_as_last(game, snapshot, seat, now)
            return
        sitters = ordered.kept(snapshot.handed_over(seat, goes_to, late=0), snapshot.state)
        if game.status == Status.RUNNING:
            sitters = awaited.seated(sitters, snapshot.state, now)
        write_sitters(game, snapshot.sitters, sitters)
        intervene(game, what, now=now, seat_id=row.pk, why=why)
        if game.status == Status.RUNNING:
            start_clocks(game, replace(snapshot, sitters=sitters), now)
        recount(game, now)


def choose_if_absent(game_id: int, seat: int, choice: Seat.IfAbsent, *, now: datetime) -> None:
    """What a player wants to happen when they do not move in time. It is nobody else's business."""
    with locked(game_id) as game:
        row = seat_row(game, seat)
        if row.if_absent == choice:
            return
        Seat.objects.filter(pk=row.pk).update(if_absent=choice)
        raise_revision(game, now)
