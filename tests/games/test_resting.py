"""A live game that everybody has left rests, until somebody comes back."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from games import services, snapshots, tasks
from games.models import Game, Proposal, Seat
from games.paces import PACES
from games.rules import to_act
from games.services import NotRunning, presence
from games.services.resting import RESTS_AFTER

from .agreeing import check, come, deadline_of, go, let_time_pass, row, say, seat_of, told
from .conftest import Clock
from .playing import ALICE, BOB, CHARLIE, look, some_move

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

Status = Game.Status
IfAbsent = Seat.IfAbsent
Outcome = Proposal.Outcome

A_DAY = 24 * 3600


def test_a_live_game_that_everybody_left_rests_rather_than_being_played_to_its_end(left: Game, clock: Clock) -> None:
    let_time_pass(clock, 3600)
    game = row(left)
    assert game.status == Status.RESTING
    assert (game.deadline, game.bots_due, game.answers_due) == (None, None, None)
    assert {seat.player for seat in Seat.objects.filter(game=game)} == {Seat.Player.PERSON}
    assert not Seat.objects.filter(game=game).exclude(asked="", late=0).exists()
    assert told(left)[-1] == "Everybody has left, so the game rests."
    check(left)


def test_it_rests_no_sooner_than_two_minutes_after_the_last_has_left(left: Game, clock: Clock) -> None:
    let_time_pass(clock, RESTS_AFTER.total_seconds() - 5)
    assert row(left).status == Status.RUNNING


def test_it_rests_also_where_stand_ins_play_for_all(left: Game, clock: Clock) -> None:
    for seat in (ALICE, BOB, CHARLIE):
        services.choose_if_absent(left.pk, seat, IfAbsent.AT_ONCE, now=clock.now)
    services.replace_by_bot(left.pk, ALICE, clock.now)
    let_time_pass(clock, 3600)
    assert row(left).status == Status.RESTING
    assert {seat.player for seat in Seat.objects.filter(game=left)} == {Seat.Player.PERSON}


def test_it_does_not_rest_while_one_of_them_is_there(left: Game, clock: Clock) -> None:
    come(left, BOB, clock)
    for _ in range(150):
        clock.move(10)
        presence.keep_connections(clock.now)
        tasks.sweep()
    assert row(left).status == Status.RUNNING
    assert Seat.objects.filter(game=left, player=Seat.Player.STAND_IN).exists()


def test_it_does_not_rest_while_somebody_plays_without_an_open_page(left: Game, clock: Clock) -> None:
    source = Random(7)
    for _ in range(12):
        snapshot = snapshots.read(left.pk)[1]
        services.play_move(left.pk, some_move(snapshot.state, source), version=snapshot.version, now=clock.now)
        let_time_pass(clock, 30)
    assert row(left).status == Status.RUNNING


def test_it_does_not_rest_while_others_play_who_never_opened_a_page(live: Game, clock: Clock) -> None:
    """Alice has left; Bob and Charlie play by plain forms, and wait for her: she is missed as in any other game."""
    come(live, ALICE, clock)
    go(live, ALICE, clock)
    source = Random(3)
    while seat_of(live, ALICE).player == Seat.Player.PERSON:
        assert row(live).status == Status.RUNNING
        snapshot = snapshots.read(live.pk)[1]
        if ALICE in to_act(snapshot.state):
            let_time_pass(clock, 200)
        else:
            move = next(move for _ in range(99) if (move := some_move(snapshot.state, source)).seat != ALICE)
            services.play_move(live.pk, move, version=snapshot.version, now=clock.now)


def test_somebody_without_a_page_counts_as_there_until_they_have_missed_three_deadlines(
    live: Game, clock: Clock
) -> None:
    """Bob and Charlie never come: they are played for, and then the game rests rather than being played to its end."""
    come(live, ALICE, clock)
    go(live, ALICE, clock)
    missed: set[tuple[int, int]] = set()
    while row(live).status == Status.RUNNING:
        let_time_pass(clock, 30)
        missed |= set(Seat.objects.filter(game=live).values_list("number", "late"))
    assert {(BOB, 2), (CHARLIE, 2)} <= missed
    assert row(live).status == Status.RESTING


def test_whoever_goes_on_without_a_page_is_there_and_whoever_stays_away_is_missed(left: Game, clock: Clock) -> None:
    """Else the next clock that runs out would put the game to rest again, and nobody would ever stand in for Alice."""
    let_time_pass(clock, 300)
    services.go_on(left.pk, BOB, clock.now)
    while not Seat.objects.filter(game=left, player=Seat.Player.STAND_IN).exists():
        let_time_pass(clock, 30)
        assert row(left).status == Status.RUNNING
    check(left)


@pytest.mark.parametrize("is_gone", [True, False])
def test_whoever_goes_on_by_an_open_page_and_leaves_it_has_left(left: Game, clock: Clock, is_gone: bool) -> None:
    """In whatever order that arrives."""
    let_time_pass(clock, 300)
    come(left, BOB, clock)
    if is_gone:
        go(left, BOB, clock)
    services.go_on(left.pk, BOB, clock.now)
    if not is_gone:
        go(left, BOB, clock)
    let_time_pass(clock, 300)
    assert row(left).status == Status.RESTING


def test_a_game_over_days_never_rests(over_days: Game, clock: Clock) -> None:
    for act in (come, go):
        for seat in (ALICE, BOB, CHARLIE):
            act(over_days, seat, clock)
    for _ in range(5):
        clock.move(2 * A_DAY)
        tasks.sweep()
    assert row(over_days).status == Status.RUNNING
    assert row(over_days).version > 0


def test_whoever_comes_back_goes_on_at_once(left: Game, clock: Clock) -> None:
    let_time_pass(clock, 300)
    version = row(left).version
    clock.move(A_DAY)
    page = look(left, BOB)
    assert (page["status"], page["choices"], page["asked"]) == ("resting", {}, "")
    services.go_on(left.pk, BOB, clock.now)
    game = row(left)
    assert (game.status, game.version) == (Status.RUNNING, version)
    assert deadline_of(left) > clock.now
    assert Seat.objects.filter(game=game).exclude(asked="").exists()
    assert told(left)[-1] == "Bob is back: the game goes on."
    check(left)
    tasks.sweep()
    assert row(left).status == Status.RUNNING
    with pytest.raises(NotRunning):
        services.go_on(left.pk, BOB, clock.now)


def test_a_game_that_rests_is_carried_on_over_days_once_all_have_agreed(left: Game, clock: Clock) -> None:
    let_time_pass(clock, 300)
    clock.move(3600)
    services.propose_pace(left.pk, CHARLIE, "1 day", clock.now)
    clock.move(A_DAY)
    services.end_overdue(clock.now)
    say(left, ALICE, True, clock)
    assert row(left).status == Status.RESTING
    say(left, BOB, True, clock)
    game = row(left)
    assert (game.status, game.pace) == (Status.RUNNING, PACES["1 day"].to_json())
    assert game.deadline == clock.now + timedelta(days=1)
    check(left)


def test_a_moderators_pause_is_not_ended_by_players(live: Game, clock: Clock) -> None:
    services.pause(live.pk, now=clock.now)
    with pytest.raises(NotRunning):
        services.go_on(live.pk, ALICE, clock.now)
    assert row(live).status == Status.PAUSED


def test_nobody_moves_while_the_game_rests(left: Game, clock: Clock) -> None:
    let_time_pass(clock, 300)
    snapshot = snapshots.read(left.pk)[1]
    with pytest.raises(NotRunning):
        services.play_move(left.pk, some_move(snapshot.state, Random(1)), version=snapshot.version, now=clock.now)


def test_when_the_last_person_resigns_a_resting_game_ends(left: Game, clock: Clock) -> None:
    let_time_pass(clock, 300)
    for seat in (ALICE, BOB, CHARLIE):
        services.withdraw(left.pk, seat, clock.now)
    assert row(left).status == Status.ABORTED
