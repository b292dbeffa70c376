"""Somebody is on holiday: their clocks stand still in games over days, and nobody else's do."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games import services, snapshots, tasks
from games.models import Game, Intervention, Pulse, Seat, TradeOffer
from games.paces import HOUR, PACES
from games.rules import PRESETS, Phase, State
from games.rules import moves as m
from games.rules.cards import KNIGHT
from games.services import presence
from games.services.uptime import GRACE, note_pulse
from games.verification import differences
from lobby.models import User

from .conftest import Clock
from .playing import ALICE, BOB, CHARLIE, lay_out, look, new_game, time_out_until
from .test_clocks import as_it_is, discarding, in_main_phase, last_move, robbing
from .waiting import check_kept_sitters

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

THREE_DAYS = PACES["3 days"]
DAY = timedelta(days=1)
#: Nothing was lost of the time for a move.
FULL = timedelta(seconds=THREE_DAYS.turn)

ONE, OTHER = (1, *(0,) * 9), (0, 1, *(0,) * 8)


@pytest.fixture
def users(alice: User, bob: User, charlie: User) -> list[User]:
    return [alice, bob, charlie]


def game_of(users: list[User], prepare: Callable[[State], None] = as_it_is, *, pace: str = "3 days") -> Game:
    """A game after its setup, Alice's turn, as the test wants it, its clocks just started."""
    game = new_game("standard turn_order=seat_order", seed="holidays", pace=pace, users=users)
    state = time_out_until(game.pk, lambda state: state.turn > 0).copy()
    prepare(state)
    lay_out(game.pk, state)
    services.pause(game.pk, now=timezone.now())
    services.resume(game.pk, now=timezone.now())
    return Game.objects.get(pk=game.pk)


def pass_time(clock: Clock, time: timedelta) -> datetime:
    return clock.move(time.total_seconds())


def sweep(game: Game) -> None:
    tasks.sweep()
    game.refresh_from_db()


def go(user: User, until: datetime | None, *games: Game) -> None:
    services.set_holiday(user.pk, until, timezone.now())
    for game in games:
        game.refresh_from_db()
        check_kept_sitters(game)


def move(game: Game, played: m.Move) -> None:
    services.play_move(game.pk, played, version=game.version, now=timezone.now())
    game.refresh_from_db()


def seat_of(game: Game, number: int) -> Seat:
    return Seat.objects.get(game=game, number=number)


# Those to act


def test_what_was_left_when_a_holiday_began_is_left_when_it_ends(clock: Clock, users: list[User]) -> None:
    game = game_of(users)
    pass_time(clock, DAY)
    until = clock.now + 10 * DAY
    go(users[ALICE], until, game)
    assert game.deadline == until + FULL - DAY
    pass_time(clock, 12 * DAY - timedelta(seconds=1))
    version = game.version
    sweep(game)
    assert game.version == version
    pass_time(clock, timedelta(seconds=1))
    sweep(game)
    assert (last_move(game).kind, last_move(game).by) == ("roll", "timeout")
    assert seat_of(game, ALICE).late == 1


def test_who_is_asked_during_their_holiday_has_the_full_time_after_it(clock: Clock, users: list[User]) -> None:
    game = game_of(users, in_main_phase)
    until = clock.now + 5 * DAY
    go(users[BOB], until, game)
    assert game.deadline == clock.now + FULL
    pass_time(clock, DAY)
    move(game, m.EndTurn(ALICE))
    assert game.deadline == until + FULL
    move(game, m.Roll(BOB))
    assert game.deadline == until + FULL


def test_who_plays_on_during_their_holiday_spends_no_time(clock: Clock, users: list[User]) -> None:
    game = game_of(users, in_main_phase)
    pass_time(clock, DAY)
    until = clock.now + 10 * DAY
    go(users[ALICE], until, game)
    pass_time(clock, 3 * DAY)
    move(game, m.OfferTrade(ALICE, (BOB,), ONE, OTHER))
    assert game.deadline == until + FULL - DAY
    pass_time(clock, DAY)
    move(game, m.EndTurn(ALICE))
    assert game.deadline == clock.now + FULL


def test_what_is_left_of_a_turn_waits_for_the_robber_and_the_holiday(clock: Clock, users: list[User]) -> None:
    """Alice's turn has lost a day before her holiday; the knight she plays in it costs her nothing."""

    def with_knight(state: State) -> None:
        in_main_phase(state)
        knight = state.deck.index(KNIGHT)
        for card in range(knight + 1):
            state.cards[ALICE].append(card)
            state.bought_on[card] = 1
        state.dealt = knight + 1
        state.turn = 4

    game = game_of(users, with_knight)
    pass_time(clock, DAY)
    until = clock.now + 10 * DAY
    go(users[ALICE], until, game)
    move(game, m.PlayKnight(ALICE))
    assert game.turn_left == FULL - DAY
    assert game.deadline == until + timedelta(seconds=THREE_DAYS.robber)


def test_whoever_comes_back_early_has_what_was_left(clock: Clock, users: list[User]) -> None:
    game = game_of(users)
    pass_time(clock, DAY)
    go(users[ALICE], clock.now + 10 * DAY, game)
    pass_time(clock, 4 * DAY)
    go(users[ALICE], None, game)
    assert game.deadline == clock.now + FULL - DAY
    assert seat_of(game, ALICE).holiday_until is None


def test_a_holiday_that_gets_longer_or_shorter_takes_and_gives_nothing(clock: Clock, users: list[User]) -> None:
    game = game_of(users)
    pass_time(clock, DAY)
    for days in (10, 15, 3):
        until = clock.now + days * DAY
        go(users[ALICE], until, game)
        assert game.deadline == until + FULL - DAY
    revision = game.revision
    go(users[ALICE], until, game)
    assert game.revision == revision


def test_time_that_has_run_out_is_not_given_back(clock: Clock, users: list[User]) -> None:
    game = game_of(users)
    deadline = game.deadline
    pass_time(clock, FULL)
    until = clock.now + 10 * DAY
    go(users[ALICE], until, game)
    assert game.deadline == deadline
    sweep(game)
    assert last_move(game).by == "timeout"
    assert seat_of(game, ALICE).late == 1
    # What comes next waits for her.
    assert game.deadline == until + FULL


def test_the_end_of_a_holiday_is_noted_and_told(clock: Clock, users: list[User]) -> None:
    game = game_of(users)
    until = clock.now + 2 * DAY
    go(users[ALICE], until, game)
    deadline, revision = game.deadline, game.revision
    pass_time(clock, 2 * DAY)
    sweep(game)
    assert game.deadline == deadline
    assert game.revision > revision
    assert seat_of(game, ALICE).holiday_until is None
    said = [entry["text"] for entry in look(game, BOB)["log"] if "holiday" in entry["text"]]
    assert said == ["Alice is on holiday: their clock stands still.", "Alice is back from holiday."]
    mine = [entry["text"] for entry in look(game, ALICE)["log"] if "holiday" in entry["text"]]
    assert mine == ["You are on holiday: your clock stands still.", "You are back from holiday."]


@pytest.mark.parametrize("pace", ["normal", ""])
def test_live_games_and_games_without_clocks_go_on_as_they_are(clock: Clock, users: list[User], pace: str) -> None:
    game = game_of(users, pace=pace)
    deadline = game.deadline
    go(users[ALICE], clock.now + 10 * DAY, game)
    assert game.deadline == deadline
    page = look(game, BOB)
    assert page["seats"][ALICE]["presence"]["state"] == "away"
    assert not Intervention.objects.filter(game=game, what="go_on_holiday").exists()


# Several at once


def test_on_a_seven_the_clock_of_all_stands_still_until_the_last_is_back(clock: Clock, users: list[User]) -> None:
    game = game_of(users, discarding(BOB, CHARLIE))
    pass_time(clock, DAY)
    until = clock.now + 10 * DAY
    go(users[BOB], until, game)
    assert game.deadline == until + FULL - DAY
    for seat in (BOB, CHARLIE):
        assert look(game)["seats"][seat]["clock"] == {
            "ends": None,
            "left": (FULL - DAY).total_seconds(),
            "of": THREE_DAYS.discarding,
            "short_at": None,
        }
    pass_time(clock, 4 * DAY)
    move(game, m.Discard(BOB, (1, 1, 1, 1, 1)))
    # Charlie, who has had a day, is the only one now.
    assert game.deadline == clock.now + FULL - DAY


def test_on_a_seven_who_has_discarded_may_go_and_holds_nobody_up(clock: Clock, users: list[User]) -> None:
    game = game_of(users, discarding(BOB, CHARLIE))
    deadline = game.deadline
    move(game, m.Discard(BOB, (1, 1, 1, 1, 1)))
    go(users[BOB], clock.now + 10 * DAY, game)
    assert game.deadline == deadline
    pass_time(clock, FULL)
    sweep(game)
    assert game.phase == Phase.MOVING_ROBBER.value


def test_two_on_holiday_are_both_waited_for(clock: Clock, users: list[User]) -> None:
    game = game_of(users, discarding(BOB, CHARLIE))
    sooner, later = clock.now + 3 * DAY, clock.now + 9 * DAY
    go(users[CHARLIE], later, game)
    go(users[BOB], sooner, game)
    assert game.deadline == later + FULL
    pass_time(clock, DAY)
    move(game, m.Discard(CHARLIE, (1, 1, 1, 1, 1)))
    assert game.deadline == sooner + FULL


# Offers


def offered(users: list[User], *to: int) -> Game:
    game = game_of(users, in_main_phase)
    move(game, m.OfferTrade(ALICE, to, ONE, OTHER))
    return game


def answers_of(game: Game) -> dict[str, set[int]]:
    [offer] = snapshots.read(game.pk)[1].state.offers
    return {"accepted": {*offer.accepted}, "rejected": {*offer.rejected}}


def test_an_offer_waits_for_those_who_are_there_alone(clock: Clock, users: list[User]) -> None:
    game = offered(users, BOB, CHARLIE)
    go(users[BOB], clock.now + 10 * DAY, game)
    assert game.answers_due == clock.now + timedelta(seconds=THREE_DAYS.answer)
    pass_time(clock, timedelta(seconds=THREE_DAYS.answer))
    sweep(game)
    assert answers_of(game) == {"accepted": set(), "rejected": {CHARLIE}}
    assert game.answers_due is None
    card = look(game, ALICE)["offers"][0]
    assert card["ends"] is None
    # He may answer all the same.
    [offer] = snapshots.read(game.pk)[1].state.offers
    move(game, m.AcceptOffer(BOB, offer.number))
    assert answers_of(game)["accepted"] == {BOB}


def test_who_comes_back_has_the_full_time_to_answer(clock: Clock, users: list[User]) -> None:
    game = offered(users, BOB)
    go(users[BOB], clock.now + 2 * DAY, game)
    assert game.answers_due is None
    assert look(game, BOB)["seats"][BOB]["clock"] == {
        "ends": None,
        "left": THREE_DAYS.answer,
        "of": THREE_DAYS.answer,
        "short_at": None,
    }
    pass_time(clock, 2 * DAY)
    sweep(game)
    assert game.answers_due == clock.now + timedelta(seconds=THREE_DAYS.answer)
    assert TradeOffer.objects.get(game=game).answers_due == game.answers_due
    pass_time(clock, FULL - 2 * DAY)
    # Alice's turn is over before that: her clock has run all the while.
    sweep(game)
    assert last_move(game).kind == "end_turn"
    assert not snapshots.read(game.pk)[1].state.offers


def test_an_offer_to_somebody_on_holiday_makes_no_bot_wait(clock: Clock, users: list[User]) -> None:
    game = game_of(users, in_main_phase)
    go(users[BOB], clock.now + 10 * DAY, game)
    services.withdraw(game.pk, ALICE, clock.now)
    game.refresh_from_db()
    services.play_move(game.pk, m.OfferTrade(ALICE, (BOB,), ONE, OTHER), version=game.version, now=clock.now, by="bot")
    game.refresh_from_db()
    assert game.bots_due is not None
    assert game.bots_due < clock.now + timedelta(minutes=1)


def test_the_maker_of_an_offer_may_be_on_holiday(clock: Clock, users: list[User]) -> None:
    game = offered(users, BOB)
    until = clock.now + 10 * DAY
    go(users[ALICE], until, game)
    pass_time(clock, timedelta(seconds=THREE_DAYS.answer))
    sweep(game)
    assert (last_move(game).kind, last_move(game).by) == ("reject_offer", "timeout")
    assert game.deadline == until + FULL


# What else happens to a game


def test_a_game_that_starts_during_a_holiday_waits_too(clock: Clock, users: list[User]) -> None:
    until = clock.now + 4 * DAY
    game = services.start_game(
        PRESETS["standard"],
        "random",
        [services.Entrant(user.username, user_id=user.pk, holiday_until=until) for user in users],
        now=clock.now,
        pace=THREE_DAYS,
    )
    game.refresh_from_db()
    assert game.deadline == until + timedelta(seconds=THREE_DAYS.placing)


def test_a_pause_in_a_holiday_gives_the_full_time_after_it_once(clock: Clock, users: list[User]) -> None:
    game = game_of(users)
    until = clock.now + 10 * DAY
    go(users[ALICE], until, game)
    services.pause(game.pk, now=clock.now)
    pass_time(clock, 3 * DAY)
    services.resume(game.pk, now=clock.now)
    game.refresh_from_db()
    assert game.deadline == until + FULL


def test_a_holiday_that_begins_and_ends_in_a_pause_is_forgotten(clock: Clock, users: list[User]) -> None:
    game = game_of(users)
    services.pause(game.pk, now=clock.now)
    go(users[ALICE], clock.now + 2 * DAY, game)
    assert game.deadline is None
    pass_time(clock, 3 * DAY)
    sweep(game)
    assert seat_of(game, ALICE).holiday_until is None
    services.resume(game.pk, now=clock.now)
    game.refresh_from_db()
    assert game.deadline == clock.now + FULL


def test_an_outage_in_a_holiday_is_not_made_up_for_twice(clock: Clock, users: list[User]) -> None:
    game = game_of(users)
    until = clock.now + 10 * DAY
    go(users[ALICE], until, game)
    note_pulse(clock.now)
    pass_time(clock, 2 * DAY)
    note_pulse(clock.now)
    game.refresh_from_db()
    assert game.deadline == until + FULL


def test_of_an_outage_that_outlasts_a_holiday_only_the_rest_is_made_up_for(clock: Clock, users: list[User]) -> None:
    game = game_of(users)
    until = clock.now + DAY
    go(users[ALICE], until, game)
    note_pulse(clock.now)
    pass_time(clock, 3 * DAY)
    # The workers are back first: the holiday is not forgotten before the outage is reckoned with.
    sweep(game)
    note_pulse(clock.now)
    sweep(game)
    assert game.deadline == clock.now + FULL + GRACE
    assert seat_of(game, ALICE).holiday_until is None


def test_a_holiday_that_begins_while_the_site_is_down_loses_nothing(clock: Clock, users: list[User]) -> None:
    game = game_of(users)
    note_pulse(clock.now)
    pass_time(clock, DAY)
    until = clock.now + 5 * DAY
    go(users[ALICE], until, game)
    pass_time(clock, DAY)
    note_pulse(clock.now)
    game.refresh_from_db()
    assert game.deadline == until + FULL


def test_an_outage_while_somebody_else_is_to_move_is_made_up_for_as_ever(clock: Clock, users: list[User]) -> None:
    game = game_of(users)
    deadline = game.deadline
    go(users[BOB], clock.now + 10 * DAY, game)
    note_pulse(clock.now)
    pass_time(clock, DAY)
    note_pulse(clock.now)
    game.refresh_from_db()
    assert deadline
    assert game.deadline == deadline + DAY + GRACE


def test_a_stand_in_has_no_holiday_and_its_person_has(clock: Clock, users: list[User]) -> None:
    game = game_of(users)
    until = clock.now + 10 * DAY
    go(users[ALICE], until, game)
    services.replace_by_bot(game.pk, ALICE, clock.now)
    game.refresh_from_db()
    assert game.deadline == clock.now + FULL
    services.give_back(game.pk, ALICE, clock.now)
    game.refresh_from_db()
    assert game.deadline == until + FULL


def test_a_seat_that_is_given_up_has_no_holiday_any_more(clock: Clock, users: list[User]) -> None:
    game = game_of(users)
    go(users[ALICE], clock.now + 10 * DAY, game)
    services.withdraw(game.pk, ALICE, clock.now)
    game.refresh_from_db()
    assert game.deadline == clock.now + FULL
    go(users[ALICE], None, game)
    pass_time(clock, 11 * DAY)
    Pulse.objects.all().delete()
    sweep(game)
    assert seat_of(game, ALICE).holiday_until is None


def test_a_game_that_begins_to_be_played_over_days_knows_who_is_on_holiday(clock: Clock, users: list[User]) -> None:
    game = game_of(users, pace="normal")
    until = clock.now + 10 * DAY
    go(users[ALICE], until, game)
    Game.objects.filter(pk=game.pk).update(pace=THREE_DAYS.to_json())
    services.pause(game.pk, now=clock.now)
    services.resume(game.pk, now=clock.now)
    game.refresh_from_db()
    assert game.deadline == until + FULL


def test_one_broken_game_keeps_no_other_from_hearing_of_it(clock: Clock, users: list[User]) -> None:
    broken, sound = sorted((game_of(users), game_of(users)), key=lambda game: game.pk)
    Game.objects.filter(pk=broken.pk).update(phase="no such phase")
    snapshots.drop(broken.pk)
    until = clock.now + 10 * DAY
    services.set_holiday(users[ALICE].pk, until, clock.now)
    sound.refresh_from_db()
    assert sound.deadline == until + FULL
    broken.refresh_from_db()
    assert broken.status == Game.Status.NEEDS_ATTENTION


def test_the_rows_still_agree_with_the_log(clock: Clock, users: list[User]) -> None:
    game = new_game("standard turn_order=seat_order", pace="3 days", users=users)
    go(users[ALICE], clock.now + DAY, game)
    pass_time(clock, 10 * DAY)
    sweep(game)
    assert game.version == 1
    assert differences(game) == []


# What others see


def test_everybody_sees_until_when_and_a_clock_that_stands_still(clock: Clock, users: list[User]) -> None:
    clock.now = clock.now.replace(month=11, day=20, hour=12)
    game = game_of(users)
    pass_time(clock, DAY)
    go(users[ALICE], clock.now.replace(month=12, day=3, hour=0, minute=0, second=0, microsecond=0), game)
    for viewer, words in (
        (BOB, "on holiday until the end of 2 Dec"),
        (None, "on holiday until the end of 2 Dec"),
        (ALICE, "you, on holiday until the end of 2 Dec"),
    ):
        seat = look(game, viewer)["seats"][ALICE]
        assert seat["presence"]["state"] == "holiday"
        assert seat["presence"]["words"] == words
        assert seat["presence"]["short"] == "2 Dec"
        assert seat["clock"] == {
            "ends": None,
            "left": (FULL - DAY).total_seconds(),
            "of": THREE_DAYS.rolling,
            "short_at": None,
        }


def test_who_comes_and_goes_in_their_holiday_is_still_on_holiday(clock: Clock, users: list[User]) -> None:
    game = game_of(users)
    go(users[ALICE], clock.now + DAY, game)
    presence.arrive(game.pk, users[ALICE].pk, "a page", clock.now)
    assert look(game, BOB)["seats"][ALICE]["presence"]["state"] == "holiday"


def test_a_game_of_hours_has_holidays_too(clock: Clock, users: list[User]) -> None:
    game = game_of(users, robbing, pace="12 hours")
    until = clock.now + DAY
    go(users[ALICE], until, game)
    assert game.deadline == until + timedelta(seconds=12 * HOUR)
