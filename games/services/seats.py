"""Who plays a seat: its person, a stand-in while they are away, or a bot for good."""

from games import tables
from games.models import Game, Seat
from games.services.locking import (
    announce,
    intervene,
    locked,
    punctual,
    seat_row,
    start_clocks,
    trusted_rows,
    write_game,
)
from games.services.refusals import NothingToDo, NotRunning

Status = Game.Status


def replace_by_bot(game_id: int, seat: int) -> None:
    """Let a bot stand in for an absent person, who can take the seat back at any time."""
    _hand_over(game_id, seat, {Seat.Player.PERSON}, Seat.Player.STAND_IN, "replace_by_bot")


def give_back(game_id: int, seat: int) -> None:
    """The person is back: the stand-in leaves."""
    _hand_over(game_id, seat, {Seat.Player.STAND_IN}, Seat.Player.PERSON, "give_back")


def withdraw(game_id: int, seat: int) -> None:
    """A person leaves for good; a bot plays the seat to the end."""
    _hand_over(game_id, seat, {Seat.Player.PERSON, Seat.Player.STAND_IN}, Seat.Player.BOT, "withdraw")


def _hand_over(game_id: int, seat: int, held_by: set[Seat.Player], goes_to: Seat.Player, what: str) -> None:
    with trusted_rows(game_id), locked(game_id) as game:
        if game.status in (Status.OVER, Status.ABORTED):
            raise NotRunning("The game has ended.")
        row = seat_row(game, seat)
        if row.player not in held_by:
            raise NothingToDo(f"This seat is held by {row.get_player_display()}.")
        Seat.objects.filter(pk=row.pk).update(player=goes_to)
        write_game(game, {"late": punctual(game.late, seat)})
        table = tables.of(game)
        intervene(game, what, seat_id=row.pk)
        if game.status == Status.RUNNING:
            start_clocks(game, table.with_seat(seat, player=goes_to))


def choose_if_absent(game_id: int, seat: int, choice: Seat.IfAbsent) -> None:
    """What a player wants to happen when they do not move in time. It is nobody else's business."""
    with locked(game_id) as game:
        row = seat_row(game, seat)
        if row.if_absent == choice:
            return
        Seat.objects.filter(pk=row.pk).update(if_absent=choice)
        # Whoever remembers the table must read it again.
        write_game(game, {"revision": game.revision + 1})
        announce(game)
