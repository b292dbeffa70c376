"""Votes, moves and returns at the same moment: the one lock puts them in an order, and every order makes sense."""

from __future__ import annotations

from functools import partial

import pytest
from django.utils import timezone

from games import services, snapshots
from games.models import ABSENT_AFTER, Game, Proposal, Seat
from games.rules import legal_moves
from games.rules import moves as m
from games.rules.cards import ORE
from games.rules.refusals import IllegalMove, TooFast
from games.rules.topology import VERTICES, members
from games.services import NotNow
from games.verification import differences
from lobby.models import User

from .playing import ALICE, BOB, CHARLIE, DANA, lay_out, new_game, stored_state, time_out_until
from .test_clocks import in_main_phase
from .test_races import all_at_once

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ROUNDS = 6
Outcome = Proposal.Outcome


@pytest.fixture
def users(alice: User, bob: User, charlie: User) -> list[User]:
    return [alice, bob, charlie]


def check(game: Game) -> Game:
    """The counter on the row is what the rows say."""
    row = Game.objects.get(pk=game.pk)
    assert row.proposals_open == Proposal.objects.filter(game=game, outcome=Outcome.OPEN).count()
    return row


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_of_two_last_votes_at_once_one_decides_and_it_is_done_once(users: list[User], round_: int) -> None:
    game = new_game(seed=f"votes {round_}", users=users, pace="normal")
    services.propose_pace(game.pk, ALICE, "1 day", timezone.now())
    number = Proposal.objects.get().pk
    votes = [partial(services.answer, game.pk, seat, number, True, timezone.now()) for seat in (BOB, CHARLIE)]
    assert all_at_once(votes) == [None, None]
    row = check(game)
    assert (Proposal.objects.get().outcome, row.pace["name"]) == (Outcome.AGREED, "1 day")
    assert row.interventions.filter(what="change_pace").count() == 1
    assert differences(row) == []


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_of_a_yes_and_a_no_at_once_the_no_holds(users: list[User], round_: int) -> None:
    game = new_game(seed=f"no {round_}", users=users, pace="normal")
    services.propose_stop(game.pk, ALICE, timezone.now())
    number = Proposal.objects.get().pk
    votes = [
        partial(services.answer, game.pk, seat, number, agrees, timezone.now())
        for seat, agrees in ((BOB, True), (CHARLIE, False))
    ]
    all_at_once(votes, NotNow)
    assert check(game).status == Game.Status.RUNNING
    assert Proposal.objects.get().outcome == Outcome.DECLINED


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_of_two_who_propose_the_same_at_once_one_does(users: list[User], round_: int) -> None:
    game = new_game(seed=f"same {round_}", users=users, pace="normal")
    asking = [partial(services.propose_stop, game.pk, seat, timezone.now()) for seat in (ALICE, BOB, CHARLIE)]
    answers = all_at_once(asking, NotNow, TooFast)
    assert answers.count(None) == 1
    check(game)


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_a_last_vote_to_stop_against_the_move_that_wins(users: list[User], round_: int) -> None:
    """Either is first: the game is over with its winner, or it was stopped and has none."""
    game = new_game("standard turn_order=seat_order", seed="wins", users=users, pace="normal")
    time_out_until(game.pk, lambda state: state.turn > 0)
    services.propose_stop(game.pk, BOB, timezone.now())
    services.answer(game.pk, CHARLIE, Proposal.objects.get().pk, True, timezone.now())
    state = stored_state(game.pk).copy()
    in_main_phase(state)
    state.hands[ALICE][ORE] += 1
    state.bank[ORE] -= 1
    free = [vertex for vertex in VERTICES if not sum(state.settlements) >> vertex & 1]
    for _ in range(3):
        state.cities[ALICE] |= 1 << free.pop()
    state.settlements[ALICE] |= 1 << free.pop()
    lay_out(game.pk, state)
    corner = members(state.settlements[ALICE])[0]
    version = Game.objects.get(pk=game.pk).version
    win = partial(services.play_move, game.pk, m.BuildCity(ALICE, corner), version=version, now=timezone.now())
    stop = partial(services.answer, game.pk, ALICE, Proposal.objects.get().pk, True, timezone.now())
    all_at_once([win, stop] if round_ % 2 else [stop, win], NotNow, IllegalMove)
    row = check(game)
    assert row.status in (Game.Status.ABORTED, Game.Status.OVER)
    assert (row.status == Game.Status.ABORTED) == (Proposal.objects.get().outcome == Outcome.AGREED)
    assert (row.status == Game.Status.OVER) == (row.winner_id is not None)
    assert row.proposals_open == 0


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_a_last_vote_to_remove_against_the_return(users: list[User], round_: int) -> None:
    """Whoever says first that they are there stays; whoever is removed first has no seat to say it from."""
    game = new_game(seed=f"return {round_}", users=users, pace="1 day")
    Seat.objects.filter(pk=Seat.key(game.pk, BOB)).update(late=ABSENT_AFTER)
    snapshots.drop(game.pk)
    services.propose_removal(game.pk, ALICE, BOB, timezone.now())
    number = Proposal.objects.get().pk
    vote = partial(services.answer, game.pk, CHARLIE, number, True, timezone.now())
    back = partial(services.answer, game.pk, BOB, number, False, timezone.now())
    answers = all_at_once([vote, back] if round_ % 2 else [back, vote], NotNow)
    check(game)
    seat, outcome = Seat.objects.get(pk=Seat.key(game.pk, BOB)), Proposal.objects.get().outcome
    assert (seat.player, outcome) in ((Seat.Player.BOT, Outcome.AGREED), (Seat.Player.PERSON, Outcome.VOID))
    assert answers.count(None) == 1


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_a_last_vote_against_the_resignation_of_whoever_proposed_it(users: list[User], round_: int) -> None:
    game = new_game(seed=f"resigns {round_}", users=users, pace="normal")
    services.propose_pace(game.pk, ALICE, "1 day", timezone.now())
    number = Proposal.objects.get().pk
    services.answer(game.pk, BOB, number, True, timezone.now())
    vote = partial(services.answer, game.pk, CHARLIE, number, True, timezone.now())
    resign = partial(services.withdraw, game.pk, ALICE, timezone.now())
    all_at_once([vote, resign] if round_ % 2 else [resign, vote], NotNow)
    row = check(game)
    assert (row.pace["name"] == "1 day") == (Proposal.objects.get().outcome == Outcome.AGREED)
    assert row.proposals_open == 0


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_of_two_last_votes_at_once_while_somebody_is_away_it_is_told_once_what_is_waited_for(
    users: list[User], dana: User, round_: int
) -> None:
    game = new_game(seats=4, seed=f"away {round_}", users=[*users, dana], pace="normal")
    services.replace_by_bot(game.pk, DANA, timezone.now())
    services.propose_stop(game.pk, ALICE, timezone.now())
    proposal = Proposal.objects.get()
    votes = [partial(services.answer, game.pk, seat, proposal.pk, True, timezone.now()) for seat in (BOB, CHARLIE)]
    assert all_at_once(votes) == [None, None]
    assert check(game).interventions.filter(what="await_objections").count() == 1
    ends = [partial(services.end_overdue, proposal.ends_at)] * 2
    assert all_at_once(ends) == [None, None]
    row = check(game)
    assert (row.status, row.interventions.filter(what="stop").count()) == (Game.Status.ABORTED, 1)


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_a_last_vote_against_the_move_that_brings_somebody_back(users: list[User], round_: int) -> None:
    """Whoever moves has a say again. Either way it waits for them; whichever is first, they may still object."""
    game = new_game("standard turn_order=seat_order", seed=f"back {round_}", users=users, pace="1 day")
    Seat.objects.filter(pk=Seat.key(game.pk, ALICE)).update(late=ABSENT_AFTER)
    snapshots.drop(game.pk)
    services.propose_stop(game.pk, BOB, timezone.now())
    proposal = Proposal.objects.get()
    place = legal_moves(stored_state(game.pk), ALICE)[0]
    move = partial(services.play_move, game.pk, place, version=0, now=timezone.now())
    vote = partial(services.answer, game.pk, CHARLIE, proposal.pk, True, timezone.now())
    all_at_once([vote, move] if round_ % 2 else [move, vote])
    row = check(game)
    proposal.refresh_from_db()
    assert (row.status, row.version, proposal.outcome) == (Game.Status.RUNNING, 1, Outcome.OPEN)
    assert proposal.awaits_objections == row.interventions.filter(what="await_objections").exists()
    services.answer(game.pk, ALICE, proposal.pk, False, timezone.now())
    assert Proposal.objects.get().outcome == Outcome.DECLINED
    assert differences(check(game)) == []


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_the_end_of_the_time_to_object_against_an_objection(users: list[User], round_: int) -> None:
    game = new_game(seed=f"objects {round_}", users=users, pace="normal")
    services.replace_by_bot(game.pk, CHARLIE, timezone.now())
    services.propose_stop(game.pk, ALICE, timezone.now())
    proposal = Proposal.objects.get()
    services.answer(game.pk, BOB, proposal.pk, True, timezone.now())
    services.give_back(game.pk, CHARLIE, timezone.now())
    object_ = partial(services.answer, game.pk, CHARLIE, proposal.pk, False, timezone.now())
    end = partial(services.end_overdue, proposal.ends_at)
    all_at_once([object_, end] if round_ % 2 else [end, object_], NotNow)
    row = check(game)
    outcome = Proposal.objects.get().outcome
    assert (row.status, outcome) in ((Game.Status.RUNNING, Outcome.DECLINED), (Game.Status.ABORTED, Outcome.AGREED))
