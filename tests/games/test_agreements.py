"""What the people of a game decide together: its pace, its end, and who is waited for no longer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext

from games import services, snapshots, tasks
from games.models import ABSENT_AFTER, Game, Intervention, Proposal, Seat, Vote
from games.orders import Roll
from games.paces import PACES
from games.rules import to_act
from games.rules.refusals import TooFast
from games.services import AlreadyProposed, NoSuchProposal, NotAway, NothingToDo, NotRunning, NotYourSeat
from games.services.agreements import AGAIN_AFTER, ANSWERED_LIVE, ANSWERED_OVER_DAYS
from games.services.uptime import note_pulse
from lobby.models import User

from .agreeing import (
    check,
    come,
    deadline_of,
    go,
    let_its_time_run_out,
    let_time_pass,
    make_late,
    outcome_of,
    row,
    say,
    seat_of,
    the_open,
    told,
)
from .conftest import Clock
from .playing import ALICE, BOB, CHARLIE, DANA, look, new_game, some_move

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

Status = Game.Status
IfAbsent = Seat.IfAbsent
Outcome = Proposal.Outcome

A_DAY = 24 * 3600
LAST_SECOND = 0.001
UNLESS = "It happens when the time to answer is up, unless"


# Another pace


@pytest.mark.parametrize("name", [name for name in PACES if name != "normal"])
def test_a_table_switches_its_pace_once_all_have_agreed(live: Game, clock: Clock, name: str) -> None:
    services.propose_pace(live.pk, BOB, name, clock.now)
    say(live, ALICE, True, clock)
    assert row(live).pace == PACES["normal"].to_json()
    clock.move(10)
    say(live, CHARLIE, True, clock)
    game = row(live)
    assert game.pace == PACES[name].to_json()
    assert game.deadline == clock.now + timedelta(seconds=PACES[name].placing), "the clocks start afresh"
    assert outcome_of(live) == Outcome.AGREED
    check(live)


def test_what_happens_to_the_absent_follows_the_pace_unless_they_chose_it(live: Game, clock: Clock) -> None:
    services.choose_if_absent(live.pk, CHARLIE, IfAbsent.RESIGN, now=clock.now)
    for name, usual in (("3 days", IfAbsent.WAIT), ("fast", IfAbsent.STAND_IN)):
        services.propose_pace(live.pk, ALICE, name, clock.now)
        for seat in (BOB, CHARLIE):
            say(live, seat, True, clock)
        assert [seat_of(live, seat).if_absent for seat in (ALICE, BOB, CHARLIE)] == [usual, usual, IfAbsent.RESIGN]
        check(live)


def test_a_game_without_a_clock_can_be_given_one(clock: Clock, alice: User, bob: User) -> None:
    game = new_game(seed="clock", users=[alice, bob])
    services.withdraw(game.pk, CHARLIE, clock.now)
    services.propose_pace(game.pk, ALICE, "fast", clock.now)
    say(game, BOB, True, clock)
    assert deadline_of(game) == clock.now + timedelta(seconds=PACES["fast"].placing)


def test_one_no_is_enough_and_the_game_goes_on_as_it_was(live: Game, clock: Clock) -> None:
    before = row(live).deadline
    services.propose_pace(live.pk, ALICE, "1 day", clock.now)
    say(live, BOB, False, clock)
    assert (row(live).pace, row(live).deadline) == (PACES["normal"].to_json(), before)
    assert outcome_of(live) == Outcome.DECLINED
    with pytest.raises(NoSuchProposal):
        services.answer(live.pk, CHARLIE, Proposal.objects.get().pk, True, clock.now)
    check(live)


def test_whoever_plays_alone_against_bots_asks_nobody(clock: Clock, alice: User) -> None:
    game = new_game(seed="alone", users=[alice], bots=[BOB, CHARLIE], pace="fast")
    services.propose_pace(game.pk, ALICE, "7 days", clock.now)
    assert row(game).pace == PACES["7 days"].to_json()
    check(game)


def test_the_pace_that_a_game_has_cannot_be_proposed(live: Game, clock: Clock) -> None:
    with pytest.raises(NothingToDo):
        services.propose_pace(live.pk, ALICE, "normal", clock.now)
    assert not Proposal.objects.exists()


# The end


def test_all_may_agree_to_stop_a_game(live: Game, clock: Clock) -> None:
    services.propose_stop(live.pk, ALICE, clock.now)
    for seat in (BOB, CHARLIE):
        assert row(live).status == Status.RUNNING
        say(live, seat, True, clock)
    game = row(live)
    assert (game.status, game.winner, game.ended_at, game.deadline) == (Status.ABORTED, None, clock.now, None)
    assert told(live) == [
        "Alice proposed to stop this game without a winner.",
        "Bob agreed to stop this game without a winner.",
        "Everybody agreed to stop: the game ends without a winner.",
    ]
    check(live)


def test_with_the_end_of_a_game_nothing_is_left_to_be_decided(live: Game, clock: Clock) -> None:
    services.propose_pace(live.pk, ALICE, "1 day", clock.now)
    services.propose_stop(live.pk, BOB, clock.now)
    services.abort(live.pk, now=clock.now)
    assert {each.outcome for each in Proposal.objects.all()} == {Outcome.VOID}
    assert look(live, ALICE)["proposals"] == []
    check(live)
    with pytest.raises(NotRunning):
        services.propose_stop(live.pk, CHARLIE, clock.now)


# Removal


def test_whoever_was_away_for_three_deadlines_is_removed_by_vote(over_days: Game, clock: Clock) -> None:
    make_late(over_days, BOB, clock)
    assert seat_of(over_days, BOB).player == Seat.Player.PERSON, "over days nobody is replaced unasked"
    services.propose_removal(over_days.pk, ALICE, BOB, clock.now)
    assert seat_of(over_days, BOB).player == Seat.Player.PERSON
    say(over_days, CHARLIE, True, clock)
    assert seat_of(over_days, BOB).player == Seat.Player.BOT
    assert row(over_days).status == Status.RUNNING
    assert told(over_days, BOB)[-1] == "You were removed by vote; a bot plays on."
    check(over_days)


def test_most_of_the_others_are_enough(clock: Clock, alice: User, bob: User, charlie: User, dana: User) -> None:
    users = [alice, bob, charlie, dana]
    game = new_game("standard turn_order=seat_order", seats=4, seed="four", users=users, pace="1 day")
    make_late(game, BOB, clock)
    services.propose_removal(game.pk, ALICE, BOB, clock.now)
    say(game, CHARLIE, False, clock)
    assert seat_of(game, BOB).player == Seat.Player.PERSON
    say(game, DANA, True, clock)
    assert seat_of(game, BOB).player == Seat.Player.BOT
    check(game)


def test_a_removal_that_most_are_against_is_off(
    clock: Clock, alice: User, bob: User, charlie: User, dana: User
) -> None:
    users = [alice, bob, charlie, dana]
    game = new_game("standard turn_order=seat_order", seats=4, seed="four", users=users, pace="1 day")
    make_late(game, BOB, clock)
    services.propose_removal(game.pk, ALICE, BOB, clock.now)
    say(game, CHARLIE, False, clock)
    say(game, DANA, False, clock)
    assert (outcome_of(game), seat_of(game, BOB).player) == (Outcome.DECLINED, Seat.Player.PERSON)
    check(game)


def test_of_two_who_play_the_one_who_is_there_decides(clock: Clock, alice: User, bob: User) -> None:
    game = new_game("standard turn_order=seat_order", seed="two", users=[alice, bob], bots=[CHARLIE], pace="1 day")
    make_late(game, BOB, clock)
    services.propose_removal(game.pk, ALICE, BOB, clock.now)
    assert [seat.player for seat in Seat.objects.filter(game=game).order_by("number")] == ["person", "bot", "bot"]
    assert row(game).status == Status.RUNNING
    check(game)


@pytest.mark.parametrize("times", range(ABSENT_AFTER))
def test_nobody_is_removed_for_fewer_than_three_deadlines(over_days: Game, clock: Clock, times: int) -> None:
    make_late(over_days, BOB, clock, times)
    with pytest.raises(NotAway):
        services.propose_removal(over_days.pk, ALICE, BOB, clock.now)
    assert not Proposal.objects.exists()


def test_deadlines_that_passed_in_an_outage_make_nobody_removable(over_days: Game, clock: Clock) -> None:
    seat = to_act(snapshots.read(over_days.pk)[1].state)[0]
    for _ in range(ABSENT_AFTER):
        note_pulse(clock.now)
        clock.move(10 * A_DAY)
        # The workers are back before the first web process.
        tasks.sweep()
        note_pulse(clock.now)
        tasks.sweep()
    assert row(over_days).version == 0
    assert seat_of(over_days, seat).late == 0
    with pytest.raises(NotAway):
        services.propose_removal(over_days.pk, (seat + 1) % 3, seat, clock.now)


def test_nobody_removes_themselves_or_a_bot_or_somebody_who_is_not_there(over_days: Game, clock: Clock) -> None:
    make_late(over_days, BOB, clock)
    services.withdraw(over_days.pk, CHARLIE, clock.now)
    for whom in (ALICE, CHARLIE, DANA):
        with pytest.raises(NothingToDo):
            services.propose_removal(over_days.pk, ALICE, whom, clock.now)
    assert not Proposal.objects.exists()


def test_whoever_moves_again_is_not_removed(over_days: Game, clock: Clock) -> None:
    make_late(over_days, BOB, clock)
    services.propose_removal(over_days.pk, ALICE, BOB, clock.now)
    source = Random(5)
    while seat_of(over_days, BOB).late:
        snapshot = snapshots.read(over_days.pk)[1]
        services.play_move(over_days.pk, some_move(snapshot.state, source), version=snapshot.version, now=clock.now)
    assert outcome_of(over_days) == Outcome.VOID
    assert told(over_days, CHARLIE)[-1] == "The proposal to remove Bob is off."
    check(over_days)
    with pytest.raises(NotAway):
        services.propose_removal(over_days.pk, ALICE, BOB, clock.now)


def test_whoever_is_to_be_removed_can_say_that_they_are_there(over_days: Game, clock: Clock) -> None:
    make_late(over_days, BOB, clock)
    services.propose_removal(over_days.pk, ALICE, BOB, clock.now)
    with pytest.raises(NothingToDo):
        say(over_days, BOB, True, clock)
    assert [button["words"] for button in look(over_days, BOB)["proposals"][0]["buttons"]] == ["I’m here"]
    say(over_days, BOB, False, clock)
    assert (outcome_of(over_days), seat_of(over_days, BOB).late) == (Outcome.VOID, 0)
    check(over_days)


def test_whoever_was_away_is_not_removed_from_a_game_that_starts_afresh_at_another_pace(
    over_days: Game, clock: Clock
) -> None:
    make_late(over_days, BOB, clock)
    services.propose_removal(over_days.pk, ALICE, BOB, clock.now)
    removal = the_open(over_days)
    services.propose_pace(over_days.pk, ALICE, "3 days", clock.now)
    pace = Proposal.objects.get(kind=Proposal.Kind.PACE)
    services.answer(over_days.pk, CHARLIE, pace.pk, True, clock.now)
    Proposal.objects.filter(pk=removal).update(ends_at=clock.now + timedelta(days=9))
    clock.move(ANSWERED_OVER_DAYS.total_seconds())
    services.end_overdue(clock.now)
    assert (row(over_days).pace["name"], seat_of(over_days, BOB).late) == ("3 days", 0)
    assert Proposal.objects.get(pk=removal).outcome == Outcome.VOID
    assert look(over_days, CHARLIE)["proposals"] == []
    check(over_days)


def test_whoever_was_away_is_not_removed_from_a_game_that_rests(live: Game, clock: Clock) -> None:
    services.choose_if_absent(live.pk, BOB, IfAbsent.WAIT, now=clock.now)
    make_late(live, BOB, clock)
    services.propose_removal(live.pk, ALICE, BOB, clock.now)
    Proposal.objects.update(ends_at=clock.now + timedelta(days=9))
    for act in (come, go):
        for seat in (ALICE, CHARLIE):
            act(live, seat, clock)
    let_time_pass(clock, 600)
    assert (row(live).status, outcome_of(live)) == (Status.RESTING, Outcome.VOID)
    check(live)


def test_nobody_is_removed_while_they_are_on_holiday(over_days: Game, clock: Clock, bob: User) -> None:
    """One that was planned begins, though the others have waited in vain."""
    make_late(over_days, BOB, clock)
    services.propose_removal(over_days.pk, ALICE, BOB, clock.now)
    services.set_holiday(bob.pk, clock.now + timedelta(days=5), clock.now)
    assert (outcome_of(over_days), seat_of(over_days, BOB).late) == (Outcome.VOID, ABSENT_AFTER)
    with pytest.raises(NotAway, match="Bob is on holiday"):
        services.propose_removal(over_days.pk, CHARLIE, BOB, clock.now)
    assert look(over_days, CHARLIE)["removable"] == []
    clock.move(5 * A_DAY)
    services.end_holidays(clock.now)
    services.propose_removal(over_days.pk, CHARLIE, BOB, clock.now)
    check(over_days)


@pytest.mark.parametrize("days", [5, 0])
def test_whoever_takes_a_holiday_or_ends_it_has_spoken(over_days: Game, clock: Clock, bob: User, days: int) -> None:
    make_late(over_days, BOB, clock)
    if not days:
        services.set_holiday(bob.pk, clock.now + timedelta(days=5), clock.now)
    services.set_holiday(bob.pk, clock.now + timedelta(days=days), clock.now, in_person=True)
    assert seat_of(over_days, BOB).late == 0
    stop(over_days, ALICE, clock)
    say(over_days, CHARLIE, True, clock)
    assert not Proposal.objects.get().awaits_objections, "Bob has a say"
    check(over_days)


def test_a_holiday_is_no_word_in_a_live_game(live: Game, clock: Clock, bob: User) -> None:
    """Its clocks go on, and whoever is away from it is still away."""
    services.choose_if_absent(live.pk, BOB, IfAbsent.WAIT, now=clock.now)
    make_late(live, BOB, clock)
    services.set_holiday(bob.pk, clock.now + timedelta(days=5), clock.now, in_person=True)
    assert seat_of(live, BOB).late == ABSENT_AFTER


def test_who_is_removed_leaves_no_orders_behind(over_days: Game, clock: Clock) -> None:
    make_late(over_days, BOB, clock)
    services.give_order(over_days.pk, BOB, Roll(), now=clock.now)
    services.propose_removal(over_days.pk, ALICE, BOB, clock.now)
    say(over_days, CHARLIE, True, clock)
    seat = seat_of(over_days, BOB)
    assert (seat.player, seat.orders) == (Seat.Player.BOT, {})


# Who has a say


def test_somebody_who_is_away_holds_nobody_up_for_longer_than_the_time_to_answer(over_days: Game, clock: Clock) -> None:
    make_late(over_days, BOB, clock)
    services.propose_stop(over_days.pk, ALICE, clock.now)
    say(over_days, CHARLIE, True, clock)
    clock.move(ANSWERED_OVER_DAYS.total_seconds() - LAST_SECOND)
    services.end_overdue(clock.now)
    assert row(over_days).status == Status.RUNNING
    clock.move(LAST_SECOND)
    services.end_overdue(clock.now)
    assert (row(over_days).status, outcome_of(over_days)) == (Status.ABORTED, Outcome.AGREED)
    assert told(over_days)[-4:] == [
        "Alice proposed to stop this game without a winner.",
        "Charlie agreed to stop this game without a winner.",
        f"The others agreed to stop this game without a winner. {UNLESS} Bob comes back and objects.",
        "Nobody objected in time: the game ends without a winner.",
    ]
    assert told(over_days, BOB)[-2].endswith("unless you come back and object.")
    check(over_days)


def stop(game: Game, seat: int, clock: Clock) -> None:
    services.propose_stop(game.pk, seat, clock.now)


def slow_down(game: Game, seat: int, clock: Clock) -> None:
    services.propose_pace(game.pk, seat, "7 days", clock.now)


OF_THE_WHOLE_GAME = pytest.mark.parametrize("propose", [stop, slow_down])


def is_done(game: Game) -> bool:
    return row(game).status == Status.ABORTED or row(game).pace["name"] == "7 days"


@pytest.fixture
def with_a_stand_in(live: Game, clock: Clock) -> Game:
    """Bob has lost the connection, and a bot plays for him meanwhile."""
    services.replace_by_bot(live.pk, BOB, clock.now)
    return live


@OF_THE_WHOLE_GAME
def test_nothing_is_done_to_the_game_behind_the_back_of_somebody_with_a_stand_in(
    with_a_stand_in: Game, clock: Clock, propose: Callable[..., None]
) -> None:
    """He may be in the lead of a rated game, and come back in a minute."""
    propose(with_a_stand_in, ALICE, clock)
    say(with_a_stand_in, CHARLIE, True, clock)
    assert not is_done(with_a_stand_in)
    services.give_back(with_a_stand_in.pk, BOB, clock.now)
    assert not is_done(with_a_stand_in)
    say(with_a_stand_in, BOB, False, clock)
    assert outcome_of(with_a_stand_in) == Outcome.DECLINED
    assert not is_done(with_a_stand_in)
    check(with_a_stand_in)


@OF_THE_WHOLE_GAME
def test_whoever_comes_back_and_agrees_is_the_last_to_be_waited_for(
    with_a_stand_in: Game, clock: Clock, propose: Callable[..., None]
) -> None:
    propose(with_a_stand_in, ALICE, clock)
    say(with_a_stand_in, CHARLIE, True, clock)
    services.give_back(with_a_stand_in.pk, BOB, clock.now)
    say(with_a_stand_in, BOB, True, clock)
    assert is_done(with_a_stand_in)
    assert told(with_a_stand_in)[-1].startswith("Everybody agreed")
    check(with_a_stand_in)


@OF_THE_WHOLE_GAME
def test_whoever_comes_back_and_says_nothing_has_not_objected(
    with_a_stand_in: Game, clock: Clock, propose: Callable[..., None]
) -> None:
    propose(with_a_stand_in, ALICE, clock)
    say(with_a_stand_in, CHARLIE, True, clock)
    services.give_back(with_a_stand_in.pk, BOB, clock.now)
    let_its_time_run_out(with_a_stand_in, clock)
    assert is_done(with_a_stand_in)
    assert told(with_a_stand_in)[-1].startswith("Nobody objected in time")
    check(with_a_stand_in)


@OF_THE_WHOLE_GAME
def test_it_lapses_if_somebody_who_was_there_all_along_does_not_answer(
    with_a_stand_in: Game, clock: Clock, propose: Callable[..., None]
) -> None:
    propose(with_a_stand_in, ALICE, clock)
    let_its_time_run_out(with_a_stand_in, clock)
    assert outcome_of(with_a_stand_in) == Outcome.LAPSED
    assert not is_done(with_a_stand_in)


@OF_THE_WHOLE_GAME
def test_until_it_is_done_the_others_can_change_their_minds(
    with_a_stand_in: Game, clock: Clock, propose: Callable[..., None]
) -> None:
    propose(with_a_stand_in, ALICE, clock)
    say(with_a_stand_in, CHARLIE, True, clock)
    say(with_a_stand_in, CHARLIE, False, clock)
    assert outcome_of(with_a_stand_in) == Outcome.DECLINED


@OF_THE_WHOLE_GAME
def test_once_nobody_is_left_to_come_back_it_is_done_at_once(
    with_a_stand_in: Game, clock: Clock, propose: Callable[..., None]
) -> None:
    propose(with_a_stand_in, ALICE, clock)
    say(with_a_stand_in, CHARLIE, True, clock)
    services.withdraw(with_a_stand_in.pk, BOB, clock.now)
    assert is_done(with_a_stand_in)
    check(with_a_stand_in)


@OF_THE_WHOLE_GAME
def test_whoever_alone_is_there_waits_for_all_the_others(
    with_a_stand_in: Game, clock: Clock, propose: Callable[..., None]
) -> None:
    services.replace_by_bot(with_a_stand_in.pk, CHARLIE, clock.now)
    propose(with_a_stand_in, ALICE, clock)
    assert not is_done(with_a_stand_in)
    assert told(with_a_stand_in)[-1].endswith("unless Bob or Charlie comes back and objects.")
    let_its_time_run_out(with_a_stand_in, clock)
    assert is_done(with_a_stand_in)


def test_it_is_told_once_that_objections_are_awaited(with_a_stand_in: Game, clock: Clock) -> None:
    stop(with_a_stand_in, ALICE, clock)
    say(with_a_stand_in, CHARLIE, True, clock)
    for act in (services.give_back, services.replace_by_bot):
        act(with_a_stand_in.pk, BOB, clock.now)
    assert Intervention.objects.filter(what="await_objections").count() == 1


def test_whoever_is_to_be_removed_is_not_waited_for(over_days: Game, clock: Clock) -> None:
    """Nor is a removal put off: it is there for those who do not come back."""
    make_late(over_days, BOB, clock)
    stop(over_days, ALICE, clock)
    say(over_days, CHARLIE, True, clock)
    services.propose_removal(over_days.pk, ALICE, BOB, clock.now)
    removal = Proposal.objects.get(kind=Proposal.Kind.REMOVE)
    services.answer(over_days.pk, CHARLIE, removal.pk, True, clock.now)
    assert seat_of(over_days, BOB).player == Seat.Player.BOT
    assert row(over_days).status == Status.ABORTED, "with Bob the last has gone who could have objected"
    check(over_days)


def test_whoever_has_missed_deadlines_is_back_with_their_first_word(over_days: Game, clock: Clock) -> None:
    make_late(over_days, BOB, clock)
    services.propose_stop(over_days.pk, ALICE, clock.now)
    say(over_days, BOB, False, clock)
    assert (outcome_of(over_days), seat_of(over_days, BOB).late) == (Outcome.DECLINED, 0)
    check(over_days)


@pytest.mark.parametrize("word", [slow_down, lambda game, seat, clock: say(game, seat, True, clock)])
def test_whoever_agreed_before_they_were_away_has_agreed_once_they_speak_again(
    over_days: Game, clock: Clock, word: Callable[..., None]
) -> None:
    make_late(over_days, BOB, clock, times=ABSENT_AFTER - 1)
    services.propose_stop(over_days.pk, ALICE, clock.now)
    say(over_days, BOB, True, clock)
    make_late(over_days, BOB, clock)
    say(over_days, CHARLIE, True, clock)
    assert not is_done(over_days)
    word(over_days, BOB, clock)
    assert is_done(over_days)
    assert told(over_days)[-1].startswith("Everybody agreed")
    check(over_days)


def test_a_stand_in_has_no_say_and_its_person_has_none_until_they_are_back(live: Game, clock: Clock) -> None:
    services.replace_by_bot(live.pk, CHARLIE, clock.now)
    services.propose_stop(live.pk, ALICE, clock.now)
    for speak in (
        lambda: say(live, CHARLIE, False, clock),
        lambda: services.propose_pace(live.pk, CHARLIE, "1 day", clock.now),
    ):
        with pytest.raises(NotYourSeat):
            speak()
    services.give_back(live.pk, CHARLIE, clock.now)
    say(live, BOB, True, clock)
    assert row(live).status == Status.RUNNING, "Charlie has a say again"
    say(live, CHARLIE, True, clock)
    assert row(live).status == Status.ABORTED


LEAVES = {"resigns": services.withdraw, "is replaced": services.replace_by_bot}


@pytest.mark.parametrize("leave", LEAVES.values(), ids=LEAVES)
def test_when_the_last_who_has_not_answered_leaves_it_is_decided(
    live: Game, clock: Clock, leave: Callable[..., None]
) -> None:
    services.propose_pace(live.pk, ALICE, "1 day", clock.now)
    say(live, BOB, True, clock)
    leave(live.pk, CHARLIE, clock.now)
    if leave is services.replace_by_bot:
        let_its_time_run_out(live, clock)
    assert row(live).pace == PACES["1 day"].to_json()
    check(live)


def test_when_a_timeout_brings_a_stand_in_the_votes_are_counted_again(live: Game, clock: Clock) -> None:
    services.propose_stop(live.pk, ALICE, clock.now)
    say(live, BOB, True, clock)
    Proposal.objects.update(ends_at=clock.now + timedelta(days=1))
    services.choose_if_absent(live.pk, CHARLIE, IfAbsent.AT_ONCE, now=clock.now)
    while seat_of(live, CHARLIE).player == Seat.Player.PERSON:
        clock.now = deadline_of(live) + timedelta(seconds=1)
        services.play_overdue(live.pk, clock.now)
    assert told(live)[-1].endswith("unless Charlie comes back and objects.")
    let_its_time_run_out(live, clock)
    assert (row(live).status, outcome_of(live)) == (Status.ABORTED, Outcome.AGREED)


@pytest.mark.parametrize("leave", LEAVES.values(), ids=LEAVES)
def test_a_proposal_goes_with_whoever_made_it(live: Game, clock: Clock, leave: Callable[..., None]) -> None:
    services.propose_stop(live.pk, ALICE, clock.now)
    say(live, BOB, True, clock)
    leave(live.pk, ALICE, clock.now)
    assert (row(live).status, outcome_of(live)) == (Status.RUNNING, Outcome.VOID)
    check(live)


def test_nothing_is_decided_while_moderators_have_paused_the_game(live: Game, clock: Clock) -> None:
    services.propose_stop(live.pk, ALICE, clock.now)
    say(live, BOB, True, clock)
    services.pause(live.pk, now=clock.now)
    with pytest.raises(NotRunning):
        say(live, CHARLIE, True, clock)
    services.withdraw(live.pk, CHARLIE, clock.now)
    assert row(live).status == Status.PAUSED
    assert look(live, BOB)["proposals"][0]["buttons"] == []
    services.resume(live.pk, now=clock.now)
    assert (row(live).status, outcome_of(live)) == (Status.ABORTED, Outcome.AGREED)


def set_aside(game: Game, clock: Clock) -> None:
    services.set_aside(game.pk, "Somebody must look at it.", now=clock.now)


def pause(game: Game, clock: Clock) -> None:
    services.pause(game.pk, now=clock.now)


@pytest.mark.parametrize("stop_it", [pause, set_aside])
def test_the_time_to_answer_does_not_run_while_the_game_is_stopped(
    live: Game, clock: Clock, stop_it: Callable[..., None]
) -> None:
    """Nor is whoever asked punished for it."""
    stop(live, ALICE, clock)
    clock.move(ANSWERED_LIVE.total_seconds() - 1)
    stop_it(live, clock)
    clock.move(A_DAY)
    services.end_overdue(clock.now)
    assert look(live, BOB)["proposals"][0]["clock"] is None
    services.resume(live.pk, now=clock.now)
    services.end_overdue(clock.now)
    clock.move(ANSWERED_LIVE.total_seconds() - 1)
    services.end_overdue(clock.now)
    say(live, BOB, True, clock)
    say(live, CHARLIE, True, clock)
    assert outcome_of(live) == Outcome.AGREED


def test_a_resumed_game_takes_no_time_from_those_who_have_more(left: Game, clock: Clock) -> None:
    """While the game rested, people had days to answer."""
    let_time_pass(clock, 300)
    services.propose_pace(left.pk, CHARLIE, "1 day", clock.now)
    ends_at = Proposal.objects.get().ends_at
    services.resume(left.pk, now=clock.now)
    assert Proposal.objects.get().ends_at == ends_at


# Changed minds, and time


def test_an_answer_can_be_changed_until_it_is_decided(
    clock: Clock, alice: User, bob: User, charlie: User, dana: User
) -> None:
    users = [alice, bob, charlie, dana]
    game = new_game("standard turn_order=seat_order", seats=4, seed="four", users=users, pace="1 day")
    make_late(game, BOB, clock)
    services.propose_removal(game.pk, ALICE, BOB, clock.now)
    say(game, CHARLIE, False, clock)
    revision = row(game).revision
    say(game, CHARLIE, False, clock)
    assert row(game).revision == revision, "the same answer twice is one"
    say(game, CHARLIE, True, clock)
    assert seat_of(game, BOB).player == Seat.Player.BOT


def test_a_proposal_can_be_taken_back(live: Game, clock: Clock) -> None:
    services.propose_stop(live.pk, ALICE, clock.now)
    say(live, ALICE, False, clock)
    assert outcome_of(live) == Outcome.TAKEN_BACK
    assert told(live, ALICE)[-1] == "You took back the proposal to stop this game without a winner."
    check(live)


@pytest.mark.parametrize("how", ["declined", "taken back", "lapsed"])
def test_whoever_was_told_no_waits_before_they_ask_again(live: Game, clock: Clock, how: str) -> None:
    services.propose_stop(live.pk, ALICE, clock.now)
    if how == "lapsed":
        clock.move(ANSWERED_LIVE.total_seconds())
        services.end_overdue(clock.now)
    else:
        say(live, BOB if how == "declined" else ALICE, False, clock)
    with pytest.raises(TooFast) as too_fast:
        services.propose_stop(live.pk, ALICE, clock.now)
    assert 0 < too_fast.value.retry_after <= AGAIN_AFTER.total_seconds() + 1
    services.propose_pace(live.pk, ALICE, "1 day", clock.now)
    services.propose_stop(live.pk, BOB, clock.now)
    stop = Proposal.objects.get(kind=Proposal.Kind.STOP, outcome=Outcome.OPEN)
    services.answer(live.pk, CHARLIE, stop.pk, False, clock.now)
    clock.move(AGAIN_AFTER.total_seconds())
    services.propose_stop(live.pk, ALICE, clock.now)


@pytest.mark.parametrize(("pace", "waits"), [("normal", ANSWERED_LIVE), ("1 day", ANSWERED_OVER_DAYS)])
def test_a_proposal_lapses_when_not_everybody_answers_in_time(
    clock: Clock, alice: User, bob: User, pace: str, waits: timedelta
) -> None:
    game = new_game(seed="lapse", users=[alice, bob], pace=pace)
    services.propose_stop(game.pk, ALICE, clock.now)
    number = the_open(game)
    clock.move(waits.total_seconds() - LAST_SECOND)
    services.end_overdue(clock.now)
    assert outcome_of(game) == Outcome.OPEN
    clock.move(LAST_SECOND)
    with pytest.raises(NoSuchProposal):
        services.answer(game.pk, BOB, number, True, clock.now)
    tasks.sweep()
    assert outcome_of(game) == Outcome.LAPSED
    assert told(game)[-1].endswith("has lapsed: not everybody answered in time.")


def test_the_time_of_an_outage_is_given_back_to_those_who_have_to_answer(live: Game, clock: Clock) -> None:
    note_pulse(clock.now)
    services.propose_stop(live.pk, ALICE, clock.now)
    clock.move(3600)
    services.end_overdue(clock.now)
    note_pulse(clock.now)
    services.end_overdue(clock.now)
    say(live, BOB, True, clock)
    assert outcome_of(live) == Outcome.OPEN


def test_there_is_one_open_proposal_of_a_kind(live: Game, clock: Clock) -> None:
    services.propose_pace(live.pk, ALICE, "1 day", clock.now)
    with pytest.raises(AlreadyProposed):
        services.propose_pace(live.pk, BOB, "3 days", clock.now)
    services.propose_stop(live.pk, BOB, clock.now)
    assert len(look(live, CHARLIE)["proposals"]) == 2
    again = Proposal.objects.get(kind=Proposal.Kind.STOP)
    again.pk = None
    with pytest.raises(IntegrityError):
        again.save(force_insert=True)


def test_a_proposal_of_another_game_cannot_be_answered_here(live: Game, over_days: Game, clock: Clock) -> None:
    services.propose_stop(over_days.pk, ALICE, clock.now)
    with pytest.raises(NoSuchProposal):
        services.answer(live.pk, BOB, Proposal.objects.get().pk, True, clock.now)
    assert Vote.objects.count() == 1


# What it costs


def test_an_answer_that_decides_nothing_takes_few_statements(live: Game, clock: Clock) -> None:
    stop(live, ALICE, clock)
    number = the_open(live)
    with CaptureQueriesContext(connection) as statements:
        services.answer(live.pk, BOB, number, True, clock.now)
    asked = [query["sql"] for query in statements]
    end = len(asked) - asked[::-1].index("COMMIT")
    assert end <= 9, asked[:end]
    # Everybody's pages: the game is read anew, with the log, and the proposals with their votes.
    assert len(asked) - end <= 8, asked[end:]


def test_proposals_cost_a_page_two_statements_however_many_there_are(live: Game, clock: Clock) -> None:
    def cost() -> int:
        look(live, BOB)
        with CaptureQueriesContext(connection) as statements:
            look(live, BOB)
        return len(statements)

    without = cost()
    stop(live, ALICE, clock)
    assert cost() == without + 2
    slow_down(live, BOB, clock)
    assert cost() == without + 2
