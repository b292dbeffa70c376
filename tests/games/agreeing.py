"""What the tests of agreements and of games that rest have in common."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from games import services, snapshots, tasks
from games.models import ABSENT_AFTER, Game, Intervention, Proposal, Seat
from games.rules import to_act
from games.services import presence
from games.verification import differences
from tests.clock import Clock

from .playing import look, some_move
from .waiting import check_kept_sitters

Outcome = Proposal.Outcome


def told(game: Game, viewer: int | None = None) -> list[str]:
    """What the log says was done beside the moves."""
    kinds = {each.what for each in Intervention.objects.filter(game=game)}
    return [entry["text"] for entry in look(game, viewer)["log"] if entry["event"]["kind"] in kinds]


def the_open(game: Game) -> int:
    return Proposal.objects.get(game=game, outcome=Outcome.OPEN).pk


def outcome_of(game: Game) -> str:
    return Proposal.objects.filter(game=game).latest("pk").outcome


def say(game: Game, seat: int, agrees: bool, clock: Clock) -> None:
    services.answer(game.pk, seat, the_open(game), agrees, clock.now)


def seat_of(game: Game, seat: int) -> Seat:
    return Seat.objects.get(game=game, number=seat)


def row(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def let_its_time_run_out(game: Game, clock: Clock) -> None:
    """The time to answer the open proposal is over, and nothing else happens meanwhile."""
    clock.now = Proposal.objects.get(game=game, outcome=Outcome.OPEN).ends_at
    services.end_overdue(clock.now)


def check(game: Game) -> None:
    """The counter on the game's row is what the rows say, and the log still leads to every row."""
    open_ones = Proposal.objects.filter(game=game, outcome=Outcome.OPEN).count()
    assert row(game).proposals_open == open_ones
    check_kept_sitters(game)
    assert differences(row(game)) == []


def make_late(game: Game, seat: int, clock: Clock, times: int = ABSENT_AFTER) -> None:
    """Everybody else plays, and this one lets so many deadlines pass."""
    source = Random(f"{seat}")
    while seat_of(game, seat).late < times:
        snapshot = snapshots.read(game.pk)[1]
        acting = to_act(snapshot.state)
        if seat in acting:
            clock.now = deadline_of(game) + timedelta(seconds=1)
            assert not services.play_overdue(game.pk, clock.now)
            continue
        while (move := some_move(snapshot.state, source)).seat == seat:
            pass
        services.play_move(game.pk, move, version=snapshot.version, now=clock.now)
    check(game)


def deadline_of(game: Game) -> datetime:
    deadline = row(game).deadline
    assert deadline
    return deadline


def come(game: Game, seat: int, clock: Clock) -> None:
    user = seat_of(game, seat).user
    assert user
    presence.arrive(game.pk, user.pk, f"tab of {seat} in {game.pk}", clock.now)


def go(game: Game, seat: int, clock: Clock) -> None:
    presence.leave(f"tab of {seat} in {game.pk}", clock.now)


def let_time_pass(clock: Clock, seconds: float) -> None:
    until = clock.now + timedelta(seconds=seconds)
    while clock.now < until:
        clock.move(5)
        tasks.sweep()
