"""Notices follow the clocks: each clock has its reminder, whatever became of the one before."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import services, snapshots
from games.models import Game, Proposal, TradeOffer
from games.paces import HOUR
from games.services.uptime import note_pulse
from lobby import tasks
from lobby.models import Delivery, Notice, User
from lobby.notice_models import ALL_WISHES, Kind
from tests.clock import Clock

from .noticing import (
    A_DAY,
    A_MINUTE,
    A_QUARTER,
    BRICK,
    GRAIN,
    LUMBER,
    ORE,
    WOOL,
    act,
    awaited,
    confirmed,
    days_game,
    in_main_phase,
    m,
    move,
    open_page,
    pass_turn,
    pass_turns_until,
    round_of_beat,
    told_by_mail,
    wish,
)

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]

EVERYTHING = sorted(ALL_WISHES)
YOUR_TURN = "Your turn in a game with Bob and Charlie"
RUNNING_OUT = "Time is running out in a game with Bob and Charlie"
OFFERED = "An offer for you in a game with Bob and Charlie"


@pytest.fixture(autouse=True)
def _everybody_has_an_address(alice: User, bob: User, charlie: User) -> None:
    for person in (alice, bob, charlie):
        confirmed(person)


@pytest.fixture
def game(clock: Clock, alice: User, bob: User, charlie: User) -> Game:
    """Over days, and Alice is to begin."""
    return days_game(alice, bob, charlie)


def give_time(game: Game, seconds: float, **clocks: float) -> None:
    """What the game waits for has this long from now on, and what follows has these clocks."""
    pace = {**game.pace, **{name: int(length) for name, length in clocks.items()}}
    Game.objects.filter(pk=game.pk).update(pace=pace, deadline=timezone.now() + timedelta(seconds=seconds))
    snapshots.drop(game.pk)
    game.refresh_from_db()


def deadline(game: Game) -> datetime:
    found = Game.objects.get(pk=game.pk).deadline
    assert found
    return found


def let_pass(clock: Clock, seconds: float, every: float = 1800) -> None:
    """Beat's rounds go on meanwhile."""
    until = clock.now + timedelta(seconds=seconds)
    while clock.now < until:
        clock.now = min(until, clock.now + timedelta(seconds=every))
        round_of_beat()


# One clock after another


def test_of_the_second_clock_of_a_turn_one_is_reminded_too(clock: Clock, game: Game, alice: User) -> None:
    """Alice places her settlement late, and then forgets the road."""
    clock.move(A_MINUTE)
    round_of_beat()
    clock.move(0.85 * A_DAY)
    round_of_beat()
    move(game)
    assert awaited(game) == 0
    let_pass(clock, 0.75 * A_DAY)
    assert told_by_mail(alice) == [YOUR_TURN, RUNNING_OUT]
    let_pass(clock, 0.2 * A_DAY)
    assert told_by_mail(alice) == [YOUR_TURN, RUNNING_OUT, RUNNING_OUT]
    assert "Place your road." in mail.outbox[-1].body


def test_a_second_clock_that_is_shorter_reminds_in_time(clock: Clock, game: Game, alice: User) -> None:
    give_time(game, 14 * A_DAY, placing=14 * A_DAY)
    clock.move(A_MINUTE)
    round_of_beat()
    give_time(game, 14 * A_DAY, placing=5 * HOUR)
    move(game)
    clock.now = deadline(game) - timedelta(minutes=61)
    round_of_beat()
    assert told_by_mail(alice) == [YOUR_TURN]
    clock.move(120)
    round_of_beat()
    assert told_by_mail(alice) == [YOUR_TURN, RUNNING_OUT]


def test_a_reminder_of_the_turn_before_says_nothing_of_this_one(clock: Clock, game: Game, alice: User) -> None:
    clock.move(A_MINUTE)
    round_of_beat()
    clock.move(0.7 * A_DAY)
    pass_turn(game)
    while awaited(game) != 0:
        pass_turn(game)
    let_pass(clock, 0.5 * A_DAY)
    assert told_by_mail(alice) == [YOUR_TURN, YOUR_TURN]
    let_pass(clock, 0.4 * A_DAY)
    assert told_by_mail(alice) == [YOUR_TURN, YOUR_TURN, RUNNING_OUT]


def test_whoever_looks_when_the_time_runs_out_is_not_reminded_later(clock: Clock, game: Game, alice: User) -> None:
    clock.move(A_MINUTE)
    round_of_beat()
    clock.move(0.8 * A_DAY)
    page = open_page(alice, game, is_visible=True)
    round_of_beat()
    page.delete()
    let_pass(clock, 0.1 * A_DAY)
    assert told_by_mail(alice) == [YOUR_TURN]


def test_who_is_told_of_a_turn_when_its_time_is_short_needs_no_reminder(
    clock: Clock, alice: User, bob: User, charlie: User
) -> None:
    clock.now = datetime(2026, 11, 18, 22, 30, tzinfo=UTC)
    wish(alice, zone="UTC", quiet_from=time(22), quiet_until=time(7))
    game = days_game(alice, bob, charlie)
    give_time(game, 9 * HOUR, placing=9 * HOUR)
    let_pass(clock, 9 * HOUR - 60)
    assert told_by_mail(alice) == [YOUR_TURN]


def test_in_quiet_hours_nobody_is_reminded_and_after_them_who_still_has_time(
    clock: Clock, alice: User, bob: User, charlie: User
) -> None:
    clock.now = datetime(2026, 11, 18, 18, 0, tzinfo=UTC)
    wish(alice, zone="UTC", quiet_from=time(22), quiet_until=time(7))
    short, long = days_game(alice, bob, charlie), days_game(alice, bob, charlie)
    give_time(short, 12 * HOUR, placing=12 * HOUR)
    give_time(long, 14 * HOUR, placing=14 * HOUR)
    let_pass(clock, 13 * HOUR - 60)
    assert told_by_mail(alice) == ["2 games are waiting for you"]
    pass_turn(short)
    let_pass(clock, 120)
    assert told_by_mail(alice) == ["2 games are waiting for you", RUNNING_OUT]
    assert f"/games/{long.pk}/" == Delivery.objects.filter(person=alice).latest("pk").items[0]["path"]


# Holidays and outages


def test_whoever_comes_back_from_a_holiday_is_reminded_by_what_is_left(clock: Clock, game: Game, alice: User) -> None:
    clock.move(A_MINUTE)
    round_of_beat()
    services.set_holiday(alice.pk, clock.now + timedelta(days=5), clock.now)
    let_pass(clock, 5 * A_DAY, every=3 * HOUR)
    assert told_by_mail(alice) == [YOUR_TURN]
    services.end_holidays(clock.now)
    clock.now = deadline(game) - timedelta(hours=4.8, minutes=1)
    round_of_beat()
    assert told_by_mail(alice) == [YOUR_TURN]
    clock.move(60)
    round_of_beat()
    assert told_by_mail(alice) == [YOUR_TURN, RUNNING_OUT]


def test_whoever_comes_back_early_is_reminded_early(clock: Clock, game: Game, alice: User) -> None:
    clock.move(A_MINUTE)
    round_of_beat()
    services.set_holiday(alice.pk, clock.now + timedelta(days=20), clock.now)
    let_pass(clock, A_DAY, every=3 * HOUR)
    services.set_holiday(alice.pk, None, clock.now)
    clock.now = deadline(game) - timedelta(hours=4.7)
    round_of_beat()
    assert told_by_mail(alice) == [YOUR_TURN, RUNNING_OUT]


def test_an_offer_that_still_lies_there_after_a_holiday_reminds_too(clock: Clock, alice: User, bob: User) -> None:
    game = days_game(alice, bob)
    in_main_phase(game, 0)
    Notice.objects.all().delete()
    act(game, m.OfferTrade(0, (1,), BRICK, ORE))
    clock.move(A_MINUTE)
    round_of_beat()
    services.set_holiday(bob.pk, clock.now + timedelta(hours=10), clock.now)
    let_pass(clock, 10 * HOUR)
    services.end_holidays(clock.now)
    before = len(told_by_mail(bob))
    let_pass(clock, 6 * HOUR)
    assert len(told_by_mail(bob)) == before
    let_pass(clock, HOUR)
    assert told_by_mail(bob)[before:] == ["Time is running out in a game with Alice and Charlie"]


def test_a_clock_that_ran_out_in_an_outage_reminds_again_once_it_is_put_back(
    clock: Clock, game: Game, alice: User
) -> None:
    clock.move(A_MINUTE)
    round_of_beat()
    clock.move(0.7 * A_DAY)
    note_pulse(clock.now)
    clock.move(0.4 * A_DAY)
    # The workers are back before the first web process.
    round_of_beat()
    assert told_by_mail(alice) == [YOUR_TURN]
    note_pulse(clock.now)
    clock.now = deadline(game) - timedelta(hours=4.7)
    round_of_beat()
    assert told_by_mail(alice) == [YOUR_TURN, RUNNING_OUT]


# Another pace


def agree_on(game: Game, pace: str, clock: Clock) -> None:
    services.propose_pace(game.pk, 1, pace, clock.now)  # type: ignore[arg-type]
    for seat in (0, 2):
        services.answer(game.pk, seat, Proposal.objects.latest("pk").pk, True, clock.now)
    assert Game.objects.get(pk=game.pk).pace["name"] == pace


def test_who_is_to_move_when_a_live_game_goes_on_over_days_is_told_and_reminded(
    clock: Clock, alice: User, bob: User, charlie: User
) -> None:
    game = days_game(alice, bob, charlie, pace="relaxed")
    clock.move(10)
    round_of_beat()
    assert (told_by_mail(alice), Notice.objects.count()) == ([], 0)
    agree_on(game, "1 day", clock)
    clock.move(A_MINUTE)
    round_of_beat()
    assert told_by_mail(alice) == [YOUR_TURN]
    let_pass(clock, 0.9 * A_DAY)
    assert told_by_mail(alice) == [YOUR_TURN, RUNNING_OUT]


def test_who_heard_of_a_turn_before_the_game_was_live_hears_of_the_one_after_it_too(
    clock: Clock, alice: User, bob: User, charlie: User
) -> None:
    """Of what was asked while it was live they were told nothing: an older reminder does not say that they were."""
    game = days_game(alice, bob, charlie, pace="1 day")
    clock.move(A_MINUTE)
    round_of_beat()
    assert told_by_mail(alice) == [YOUR_TURN]
    agree_on(game, "relaxed", clock)
    pass_turn(game)
    while awaited(game) != 0:
        pass_turn(game)
    clock.move(10)
    round_of_beat()
    agree_on(game, "1 day", clock)
    clock.move(A_QUARTER)
    round_of_beat()
    assert told_by_mail(alice) == [YOUR_TURN, YOUR_TURN]


def test_by_a_shorter_pace_one_is_reminded_sooner_and_told_nothing_twice(
    clock: Clock, alice: User, bob: User, charlie: User
) -> None:
    game = days_game(alice, bob, charlie, pace="7 days")
    clock.move(A_MINUTE)
    round_of_beat()
    agree_on(game, "12 hours", clock)
    let_pass(clock, 9 * HOUR)
    assert told_by_mail(alice) == [YOUR_TURN]
    let_pass(clock, 2 * HOUR)
    assert told_by_mail(alice) == [YOUR_TURN, RUNNING_OUT]


def test_after_a_reminder_clocks_that_start_afresh_remind_again(clock: Clock, game: Game, alice: User) -> None:
    """Charlie resigns, and everybody has their full time."""
    clock.move(A_MINUTE)
    round_of_beat()
    clock.move(0.85 * A_DAY)
    round_of_beat()
    services.withdraw(game.pk, 2, clock.now)
    let_pass(clock, 0.7 * A_DAY)
    assert told_by_mail(alice) == [YOUR_TURN, RUNNING_OUT]
    let_pass(clock, 0.2 * A_DAY)
    assert told_by_mail(alice) == [YOUR_TURN, RUNNING_OUT, RUNNING_OUT]


# Offers


def test_a_counter_offer_to_whose_turn_it_is_is_told(clock: Clock, game: Game, alice: User) -> None:
    in_main_phase(game, 0)
    act(game, m.OfferTrade(0, (1, 2), BRICK, ORE))
    clock.move(A_MINUTE)
    round_of_beat()
    mail.outbox.clear()
    clock.move(HOUR)
    act(game, m.CounterOffer(1, 0, WOOL, BRICK))
    round_of_beat()
    assert told_by_mail(alice) == []
    clock.move(A_MINUTE)
    round_of_beat()
    assert told_by_mail(alice) == [OFFERED]
    [message] = [message for message in mail.outbox if message.to == ["alice@catan.example"]]
    assert "Bob offers you 1 wool for 1 brick." in message.body
    assert "Finish your turn." not in message.body
    [item] = Delivery.objects.filter(person=alice).latest("pk").items
    due = TradeOffer.objects.get(game=game, number=1).answers_due
    assert due
    assert item["ends"] == due.isoformat(), "the time for the offer, not for the turn"


def test_who_is_told_of_their_turn_hears_of_an_offer_that_came_first(clock: Clock, game: Game, alice: User) -> None:
    in_main_phase(game, 0)
    act(game, m.OfferTrade(0, (1, 2), BRICK, ORE))
    act(game, m.CounterOffer(1, 0, WOOL, BRICK))
    wish(alice, wishes=["mail-days-turn"])
    Notice.objects.filter(seat__user=alice).update(due_at=clock.now)
    round_of_beat()
    assert told_by_mail(alice) == [YOUR_TURN]
    assert "Finish your turn. Bob offers you 1 wool for 1 brick." in mail.outbox[-1].body


def test_a_second_offer_is_told_while_the_first_is_unanswered(clock: Clock, game: Game, bob: User) -> None:
    in_main_phase(game, 0)
    act(game, m.OfferTrade(0, (1, 2), BRICK, ORE))
    clock.move(A_MINUTE)
    round_of_beat()
    mail.outbox.clear()
    clock.move(HOUR)
    act(game, m.OfferTrade(0, (1, 2), GRAIN, LUMBER))
    clock.move(A_MINUTE)
    round_of_beat()
    assert told_by_mail(bob) == ["An offer for you in a game with Alice and Charlie"]
    [message] = [message for message in mail.outbox if message.to == ["bob@catan.example"]]
    assert "Alice offers you 1 grain for 1 lumber." in message.body


def test_who_was_reminded_of_a_turn_is_reminded_of_a_later_offer_once(clock: Clock, game: Game, alice: User) -> None:
    """Alice rolls in time; the reminder of that turn must not remind of the offer too."""
    pass_turns_until(game, 0)
    Notice.objects.exclude(seat__user=alice).delete()
    began = clock.now
    clock.move(A_MINUTE)
    round_of_beat()
    pass_turn(game)
    clock.now = began + timedelta(hours=12)
    in_main_phase(game, 1)
    act(game, m.OfferTrade(1, (0,), BRICK, ORE))
    let_pass(clock, 9 * HOUR)
    assert told_by_mail(alice) == [YOUR_TURN, OFFERED, RUNNING_OUT]


# Reminders beside what is gathered


def test_a_turn_that_waits_for_others_is_told_before_its_time_runs_out_and_only_once(
    clock: Clock, game: Game, alice: User
) -> None:
    wish(alice, told_at=clock.now)
    give_time(game, 14.5 * 60, placing=15 * 60)
    let_pass(clock, 11 * 60, every=30)
    assert told_by_mail(alice) == []
    let_pass(clock, A_QUARTER, every=30)
    assert told_by_mail(alice) == [YOUR_TURN]


def test_what_is_asked_anew_takes_the_place_of_what_was_put_off(clock: Clock, game: Game, alice: User) -> None:
    """The old notice waits for others, and the new one is told with another game that cannot wait."""
    wish(alice, told_at=clock.now)
    clock.move(A_MINUTE)
    round_of_beat()
    pressing = days_game(*(seat.user for seat in game.seat_set.order_by("number")))  # type: ignore[misc]
    give_time(pressing, 12 * 60, placing=HOUR)
    pass_turn(game)
    while awaited(game) != 0:
        pass_turn(game)
    let_pass(clock, 40 * 60, every=30)
    told = [item["path"] for each in Delivery.objects.filter(person=alice) for item in each.items]
    assert sorted(told) == sorted(f"/games/{each.pk}/" for each in (game, pressing))


def test_a_live_reminder_is_given_to_whoever_wished_it(clock: Clock, alice: User, bob: User, charlie: User) -> None:
    wish(alice, wishes=["mail-live-reminder"])
    days_game(alice, bob, charlie, pace="relaxed")
    let_pass(clock, 140, every=5)
    assert told_by_mail(alice) == []
    let_pass(clock, 30, every=5)
    assert told_by_mail(alice) == [RUNNING_OUT]


def test_a_reminder_that_was_given_is_forgotten_once_nothing_is_asked_any_more(
    clock: Clock, game: Game, alice: User
) -> None:
    move(game)
    clock.move(A_MINUTE)
    round_of_beat()
    clock.move(0.85 * A_DAY)
    round_of_beat()
    assert Notice.objects.get(seat__user=alice).due_at is None
    tasks.clear_old_notices()
    assert Notice.objects.filter(seat__user=alice).exists()
    move(game)
    assert awaited(game) == 1
    tasks.clear_old_notices()
    assert not Notice.objects.filter(seat__user=alice).exists()


def test_of_each_kind_a_seat_has_one_notice(clock: Clock, game: Game, alice: User) -> None:
    for _ in range(3):
        clock.move(A_MINUTE)
        round_of_beat()
        pass_turn(game)
        while awaited(game) != 0:
            pass_turn(game)
    kinds = list(Notice.objects.filter(seat__user=alice).values_list("kind", flat=True))
    assert sorted(kinds) == [Kind.REMINDER, Kind.TURN]


def test_a_move_that_starts_another_clock_for_the_same_person_costs_one_statement(clock: Clock, game: Game) -> None:
    clock.move(HOUR)
    with CaptureQueriesContext(connection) as statements:
        move(game)
    assert awaited(game) == 0
    assert sum("lobby_notice" in query["sql"] for query in statements) == 1
