"""Who may take a holiday, when, and for how long; and that games hear of it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import snapshots
from games.models import Game, Seat, TradeOffer
from games.paces import PACES
from games.rules import PRESETS, Phase, Refusal
from games.rules.state import Offer
from games.services import Entrant, end_holidays, play_overdue, start_game
from lobby import holidays, leaving, moving, services, tasks
from lobby.company import Company
from lobby.models import Holiday, User
from tests.games.playing import lay_out

from .people import sign_in, sign_up, who
from .test_races import all_at_once

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

#: A Wednesday.
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
TODAY = NOON.date()
DAY = timedelta(days=1)
PACE = PACES["3 days"]


@pytest.fixture
def people(alice: User) -> list[User]:
    return [alice, User.objects.create_user("bob"), User.objects.create_user("charlie")]


def game_of(people: list[User], now: datetime = NOON) -> Game:
    """A game over days in which Alice places first."""
    rules = PRESETS["standard"].with_options(turn_order="seat_order")
    players = [Entrant(person.username, user_id=person.pk) for person in people]
    return start_game(rules, "random", players, now=now, pace=PACE)


def deadline(game: Game) -> datetime:
    at = Game.objects.values_list("deadline", flat=True).get(pk=game.pk)
    assert at
    return at


def until_of(game: Game, person: User) -> datetime | None:
    return Seat.objects.values_list("holiday_until", flat=True).get(game=game, user=person)


def midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def refusal_of(person: User, first: date, last: date, now: datetime = NOON) -> str:
    """Why somebody cannot take these days; nothing is changed by asking."""
    before = list(Holiday.objects.values_list())
    with pytest.raises(Refusal) as refused:
        holidays.take(person, first, last, now)
    assert list(Holiday.objects.values_list()) == before
    assert not Seat.objects.filter(user=person, holiday_until__isnull=False).exists() or before
    return str(refused.value)


# Taking one


def test_a_holiday_from_today_on_begins_at_once_and_ends_with_its_last_day(people: list[User]) -> None:
    game = game_of(people)
    taken = holidays.take(people[0], TODAY, TODAY + 4 * DAY, NOON)
    assert (taken.begins_at, taken.until) == (NOON, midnight(TODAY + 5 * DAY))
    assert until_of(game, people[0]) == taken.until
    assert deadline(game) == taken.until + timedelta(seconds=PACE.placing)
    assert holidays.days_left(people[0], 2026) == 15


def test_one_that_is_planned_begins_at_its_moment(people: list[User]) -> None:
    game = game_of(people)
    first = TODAY + DAY
    holidays.take(people[0], first, first + 2 * DAY, NOON)
    assert until_of(game, people[0]) is None
    holidays.sweep(midnight(first) - timedelta(seconds=1))
    assert until_of(game, people[0]) is None
    holidays.sweep(midnight(first))
    assert until_of(game, people[0]) == midnight(first + 3 * DAY)
    # It has lost the half day before.
    assert deadline(game) == midnight(first + 3 * DAY) + timedelta(seconds=PACE.placing) - DAY / 2
    revision = Game.objects.get(pk=game.pk).revision
    holidays.sweep(midnight(first) + timedelta(seconds=5))
    assert Game.objects.get(pk=game.pk).revision == revision, "who knows it is not told again"


def test_it_ends_by_itself(people: list[User]) -> None:
    game = game_of(people)
    taken = holidays.take(people[0], TODAY, TODAY, NOON)
    end_holidays(taken.until)
    holidays.sweep(taken.until)
    assert until_of(game, people[0]) is None
    assert deadline(game) == taken.until + timedelta(seconds=PACE.placing)


def test_who_comes_back_gets_the_days_back_that_have_not_begun(people: list[User]) -> None:
    game = game_of(people)
    taken = holidays.take(people[0], TODAY, TODAY + 9 * DAY, NOON)
    later = NOON + 3 * DAY
    holidays.end(people[0], taken.pk, later)
    assert holidays.days_left(people[0], 2026) == 16
    assert until_of(game, people[0]) is None
    assert deadline(game) == later + timedelta(seconds=PACE.placing)
    assert holidays.end(people[0], taken.pk, later) is None


def test_one_that_is_called_off_before_it_begins_costs_nothing(people: list[User]) -> None:
    taken = holidays.take(people[0], TODAY + 7 * DAY, TODAY + 9 * DAY, NOON)
    holidays.end(people[0], taken.pk, NOON + DAY)
    assert holidays.days_left(people[0], 2026) == 20
    holidays.take(people[0], TODAY + 8 * DAY, TODAY + 8 * DAY, NOON + DAY)


def test_one_over_a_years_end_takes_of_both_years(people: list[User]) -> None:
    holidays.take(people[0], date(2026, 12, 28), date(2027, 1, 5), NOON)
    assert holidays.days_left(people[0], 2026) == 16
    assert holidays.days_left(people[0], 2027) == 15
    refusal = refusal_of(people[0], date(2027, 1, 18), date(2027, 2, 2))
    assert refusal == "You have 15 days left in 2027: choose a shorter holiday."


def test_nobody_ends_another_persons_holiday(people: list[User]) -> None:
    taken = holidays.take(people[0], TODAY, TODAY, NOON)
    assert holidays.end(people[1], taken.pk, NOON + timedelta(hours=1)) is None
    assert Holiday.objects.get().until == taken.until


@pytest.mark.parametrize(("last", "days"), [(TODAY - DAY, 1), (TODAY, 1), (TODAY + DAY, 2)])
def test_where_it_is_still_yesterday_today_counts(people: list[User], last: date, days: int) -> None:
    taken = holidays.take(people[0], TODAY - DAY, last, NOON)
    assert (taken.begins_at, taken.days) == (NOON, days)


def test_whoever_takes_a_holiday_or_comes_back_from_it_is_not_away_any_more(people: list[User]) -> None:
    """One that was planned begins without a word."""
    game = game_of(people)
    seat = Seat.objects.filter(game=game, user=people[1])

    def missed() -> int:
        left = seat.values_list("late", flat=True).get()
        seat.update(late=3)
        snapshots.drop(game.pk)
        return left

    missed()
    taken = holidays.take(people[1], TODAY, TODAY, NOON)
    assert missed() == 0
    later = NOON + timedelta(hours=1)
    holidays.end(people[1], taken.pk, later)
    assert missed() == 0
    planned = holidays.take(people[1], TODAY + 14 * DAY, TODAY + 15 * DAY, later)
    holidays.sweep(planned.begins_at)
    assert until_of(game, people[1]) == planned.until
    assert missed() == 3


# What is refused


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        (-2, 3, "A holiday cannot begin in the past: choose today or a later day."),
        (-400, -390, "A holiday cannot begin in the past: choose today or a later day."),
        (-1, -2, "The last day comes before the first: choose a later last day."),
        (3, 2, "The last day comes before the first: choose a later last day."),
        (366, 367, "That is more than a year ahead: choose an earlier day."),
        (0, 20, "That is more than 20 days: choose an earlier last day."),
        (0, 400, "That is more than 20 days: choose an earlier last day."),
    ],
)
def test_days_that_cannot_be_taken_are_refused_in_a_sentence(
    people: list[User], first: int, last: int, said: str
) -> None:
    game_of(people)
    assert refusal_of(people[0], TODAY + first * DAY, TODAY + last * DAY) == said


def test_there_are_twenty_days_a_year(people: list[User]) -> None:
    holidays.take(people[0], TODAY, TODAY + 14 * DAY, NOON)
    monday = date(2026, 12, 7)
    assert refusal_of(people[0], monday, monday + 5 * DAY) == "You have 5 days left in 2026: choose a shorter holiday."
    holidays.take(people[0], monday, monday + 4 * DAY, NOON)
    monday += 7 * DAY
    assert refusal_of(people[0], monday, monday) == "You have no days left in 2026: choose days in another year."
    holidays.take(people[0], date(2027, 1, 4), date(2027, 1, 4), NOON)


@pytest.mark.parametrize("days", [(-2, -1), (0, 0), (2, 4), (3, 8), (-9, -2)])
def test_two_holidays_do_not_touch_the_same_week(people: list[User], days: tuple[int, int]) -> None:
    """Wednesday is taken, two weeks ahead; its week is from two days before to four days after it."""
    wednesday = TODAY + 14 * DAY
    holidays.take(people[0], wednesday, wednesday, NOON)
    first, last = (wednesday + day * DAY for day in days)
    assert refusal_of(people[0], first, last) == (
        "You have another holiday in that week, from Monday to Sunday: choose days in other weeks."
    )


@pytest.mark.parametrize("days", [(-4, -3), (5, 6)])
def test_the_week_before_and_the_week_after_are_free(people: list[User], days: tuple[int, int]) -> None:
    wednesday = TODAY + 14 * DAY
    holidays.take(people[0], wednesday, wednesday, NOON)
    first, last = (wednesday + day * DAY for day in days)
    assert holidays.take(people[0], first, last, NOON).days == 2


def test_who_came_back_early_does_not_go_again_in_that_week(people: list[User]) -> None:
    taken = holidays.take(people[0], TODAY, TODAY + DAY, NOON)
    later = NOON + timedelta(hours=1)
    holidays.end(people[0], taken.pk, later)
    assert "another holiday in that week" in refusal_of(people[0], TODAY + DAY, TODAY + DAY, later)


WAITED: Any = "Your time is already up in a game: make your move there first, then take a holiday."


def test_whoever_is_waited_for_beyond_the_deadline_moves_first(people: list[User]) -> None:
    game = game_of(people)
    late = deadline(game)
    # The clock has run out, and nobody has played for Alice yet.
    assert refusal_of(people[0], late.date(), late.date(), late) == WAITED
    play_overdue(game.pk, late)
    # Now she has to place a road, and has not been here since.
    assert refusal_of(people[0], late.date() + 7 * DAY, late.date() + 8 * DAY, late) == WAITED
    # Nobody waits for Bob.
    holidays.take(people[1], late.date(), late.date(), late)


def test_who_was_late_and_is_not_waited_for_any_more_may_go(people: list[User]) -> None:
    game = game_of(people)
    now = deadline(game)
    play_overdue(game.pk, now)
    now = deadline(game)
    play_overdue(game.pk, now)
    assert Seat.objects.get(game=game, user=people[0]).late == 2
    holidays.take(people[0], now.date(), now.date(), now)


def test_a_live_game_in_which_one_is_late_is_no_obstacle(people: list[User]) -> None:
    players = [Entrant(person.username, user_id=person.pk) for person in people]
    start_game(PRESETS["standard"], "random", players, now=NOON - DAY, pace=PACES["normal"])
    for person in people:
        holidays.take(person, TODAY, TODAY, NOON)


def test_a_guest_has_no_holidays() -> None:
    guest = User.guest("Alice")
    guest.save()
    assert refusal_of(guest, TODAY, TODAY) == holidays.FOR_ACCOUNTS


# Races


@pytest.mark.slow
def test_two_tabs_do_not_take_the_last_days_both(people: list[User]) -> None:
    holidays.take(people[0], TODAY, TODAY + 11 * DAY, NOON)
    monday = date(2026, 12, 7)
    answers = all_at_once(
        [
            lambda: holidays.take(people[0], monday, monday + 6 * DAY, NOON),
            lambda: holidays.take(people[0], monday + 7 * DAY, monday + 13 * DAY, NOON),
        ]
    )
    [refused] = [answer for answer in answers if isinstance(answer, Refusal)]
    assert str(refused) == "You have 1 day left in 2026: choose a shorter holiday."
    assert holidays.days_left(people[0], 2026) == 1


@pytest.mark.slow
def test_two_tabs_do_not_take_the_same_days_both(people: list[User]) -> None:
    answers = all_at_once([lambda: holidays.take(people[0], TODAY, TODAY, NOON)] * 4)
    assert sum(isinstance(answer, Holiday) for answer in answers) == 1
    assert Holiday.objects.count() == 1


@pytest.mark.slow
def test_a_holiday_that_begins_while_the_clock_runs_out_gives_the_time_once(people: list[User]) -> None:
    """Either the clock was first, or it has run out all the same: time that is over is not given back."""
    game = game_of(people, NOON)
    late = deadline(game)
    Holiday.objects.create(person=people[0], begins_at=late, until=late + 5 * DAY)
    all_at_once([lambda: holidays.sweep(late), lambda: play_overdue(game.pk, late)] * 2)
    while play_overdue(game.pk, late):
        pass
    seat = Seat.objects.get(game=game, user=people[0])
    assert (seat.late, seat.holiday_until) == (1, late + 5 * DAY)
    assert deadline(game) == late + 5 * DAY + timedelta(seconds=PACE.placing)
    assert Game.objects.get(pk=game.pk).version == 1


@pytest.mark.parametrize("is_told_first", [True, False])
def test_whose_time_was_up_after_a_planned_holiday_had_begun_is_not_late(
    people: list[User], is_told_first: bool
) -> None:
    """The workers were away from before its first moment until after the deadline."""
    game = game_of(people)
    first, late = TODAY + DAY, deadline(game)
    holidays.take(people[0], first, first + 7 * DAY, NOON)
    now = late + timedelta(hours=1)
    if is_told_first:
        holidays.sweep(now)
    while play_overdue(game.pk, now):
        pass
    holidays.sweep(now)
    seat = Seat.objects.get(game=game, user=people[0])
    assert (seat.late, seat.holiday_until) == (0, midnight(first + 8 * DAY))
    assert Game.objects.get(pk=game.pk).version == 0
    assert deadline(game) == midnight(first + 8 * DAY) + (late - midnight(first))


def test_whoever_was_asked_in_a_holiday_that_no_game_had_heard_of_has_the_full_time_and_no_more(
    people: list[User],
) -> None:
    first = TODAY + DAY
    holidays.take(people[0], first, first + 7 * DAY, NOON)
    game = game_of(people, midnight(first) + DAY)
    Seat.objects.filter(game=game).update(holiday_until=None)
    Game.objects.filter(pk=game.pk).update(deadline=midnight(first) + DAY + timedelta(seconds=PACE.placing))
    snapshots.drop(game.pk)
    assert play_overdue(game.pk, deadline(game))
    assert deadline(game) == midnight(first + 8 * DAY) + timedelta(seconds=PACE.placing)


def test_what_had_run_out_before_a_planned_holiday_began_stays_so(people: list[User]) -> None:
    game = game_of(people)
    late = deadline(game)
    Holiday.objects.create(person=people[0], begins_at=late + timedelta(seconds=1), until=late + 5 * DAY)
    play_overdue(game.pk, late + DAY)
    assert Seat.objects.get(game=game, user=people[0]).late == 1


def test_an_offer_is_not_declined_for_somebody_whose_holiday_no_game_has_heard_of(people: list[User]) -> None:
    game = game_of(people)
    state = snapshots.read(game.pk)[1].state.copy()
    state.phase, state.turn, state.active, state.rolled = Phase.MAIN, 1, 0, True
    state.hands[0], state.hands[1] = [1, 0, 0, 0, 0], [0, 1, 0, 0, 0]
    state.offers = (Offer(0, 0, (1,), (1, *(0,) * 9), (0, 1, *(0,) * 8), (), (), None),)
    lay_out(game.pk, state)
    due = NOON + timedelta(seconds=PACE.answer)
    TradeOffer.objects.filter(game=game).update(made_at=NOON, answers_due=due)
    Game.objects.filter(pk=game.pk).update(answers_due=due)
    snapshots.drop(game.pk)
    Holiday.objects.create(person=people[1], begins_at=due - timedelta(seconds=1), until=due + 5 * DAY)
    known = deadline(game)
    while play_overdue(game.pk, due):
        pass
    [offer] = snapshots.read(game.pk)[1].state.offers
    assert offer.rejected == ()
    assert deadline(game) == known, "nobody else has more time for it"
    assert Game.objects.get(pk=game.pk).answers_due is None


@pytest.mark.slow
def test_many_who_share_games_go_at_once(people: list[User]) -> None:
    games = [game_of(people) for _ in range(3)]
    calls = [lambda person=person: holidays.take(person, TODAY, TODAY, NOON) for person in people]  # type: ignore[misc]
    answers = all_at_once(calls)
    assert all(isinstance(answer, Holiday) for answer in answers)
    for game in games:
        assert all(until_of(game, person) == midnight(TODAY + DAY) for person in people)


# Games that hear of it otherwise


def test_what_a_game_has_not_heard_is_made_up_for(people: list[User]) -> None:
    game = game_of(people)
    now = timezone.now()
    Holiday.objects.create(person=people[0], begins_at=now - DAY, until=now + DAY)
    tasks.begin_and_end_holidays()
    assert until_of(game, people[0]) == now + DAY
    Holiday.objects.all().delete()
    tasks.begin_and_end_holidays()
    assert until_of(game, people[0]) is None


def test_a_table_that_starts_during_a_holiday_knows_of_it(people: list[User]) -> None:
    taken = holidays.take(people[0], TODAY, TODAY + DAY, NOON)
    table = services.open_table(people[0], "Alice", PRESETS["standard"], "random", PACE, company=Company(), now=NOON)
    for person in people[1:]:
        services.sit_down(table.code, person, person.username)
    game = services.start(table.code, people[0], fill_with_bots=False, now=NOON)
    assert until_of(game, people[0]) == taken.until
    assert until_of(game, people[1]) is None


def test_the_games_of_a_guest_who_signs_in_wait_for_the_account(people: list[User]) -> None:
    guest = User.guest("Alice at large")
    guest.save()
    game = game_of([guest, *people[1:]])
    taken = holidays.take(people[0], TODAY, TODAY + DAY, NOON)
    moving.move(guest, people[0], NOON)
    assert until_of(game, people[0]) == taken.until
    assert deadline(game) == taken.until + timedelta(seconds=PACE.placing)


def test_holidays_are_among_a_persons_data_and_go_with_the_account(people: list[User]) -> None:
    game = game_of(people)
    taken = holidays.take(people[0], TODAY, TODAY + DAY, NOON)
    assert leaving.kept_of(people[0])["holidays"] == [{"begins_at": NOON, "until": taken.until}]
    leaving.delete(people[0], NOON)
    assert not Holiday.objects.exists()
    assert deadline(game) == NOON + timedelta(seconds=PACE.placing)


# The page


@pytest.fixture
def browser(db: None) -> Client:
    browser = Client()
    sign_up(browser, "Alice")
    return browser


def send(browser: Client, first: object, last: object) -> tuple[int, str]:
    answer = browser.post("/account/holidays/", {"first": first, "last": last}, follow=True)
    return answer.status_code, answer.content.decode()


def test_a_holiday_is_taken_and_ended_on_ones_own_page(browser: Client) -> None:
    today = timezone.now().date()
    status, page = send(browser, today, today + 3 * DAY)
    assert status == 200
    assert "You are on holiday until the end of" in page
    [taken] = Holiday.objects.all()
    assert f'value="{taken.pk}">End my holiday now' in page
    last = f"{(today + 3 * DAY).day} {today + 3 * DAY:%B}"
    assert f"You are on holiday until the end of {last}." in browser.get("/account/").content.decode()
    person = who(browser)
    assert person
    profile = Client().get(person.get_absolute_url()).content.decode()
    assert "On holiday until the end of" in profile
    assert f">{last}</time>" in profile
    assert "/account/holidays/" not in profile
    assert "/account/holidays/" in browser.get(person.get_absolute_url()).content.decode()
    back = browser.post("/account/holidays/", {"end": taken.pk}, follow=True).content.decode()
    assert "Welcome back: your clocks run again." in back
    assert "End my holiday now" not in back
    again = browser.post("/account/holidays/", {"end": taken.pk}, follow=True).content.decode()
    assert "That holiday is already over." in again
    assert "On holiday until" not in Client().get(person.get_absolute_url()).content.decode()


def test_a_holiday_is_planned_and_called_off(browser: Client) -> None:
    today = timezone.now().date()
    _, page = send(browser, today + 10 * DAY, today + 12 * DAY)
    assert "Your holiday is planned" in page
    assert "3 days, planned" in page
    [planned] = Holiday.objects.all()
    assert "called off" in browser.post("/account/holidays/", {"end": planned.pk}, follow=True).content.decode()
    assert not Holiday.objects.exists()


@pytest.mark.parametrize(
    ("first", "last", "status", "said"),
    [
        ("", "", 400, "Please choose a day."),
        ("soon", "later", 400, "This isn’t a date: write it like 2026-12-31."),
        ("2026-02-30", "2026-13-01", 400, "This isn’t a date: write it like 2026-12-31."),
        ("0001-01-01", "9999-12-31", 409, "A holiday cannot begin in the past: choose today or a later day."),
        ("9999-12-31", "9999-12-31", 409, "That is more than a year ahead: choose an earlier day."),
    ],
)
def test_nonsense_is_answered_in_a_sentence(browser: Client, first: str, last: str, status: int, said: str) -> None:
    got, page = send(browser, first, last)
    assert (got, said in page) == (status, True)
    assert not Holiday.objects.exists()


@pytest.mark.parametrize("number", ["", "-1", "1e9", "9" * 40, "'", "1"])
def test_what_is_no_holiday_of_ones_own_is_not_ended(browser: Client, number: str) -> None:
    page = browser.post("/account/holidays/", {"end": number}, follow=True).content.decode()
    assert "There is no such holiday to end." in page


def test_a_guest_is_told_how_to_have_holidays() -> None:
    browser = Client()
    browser.post("/t/new/", {"preset": "standard", "name": "Alice"})
    page = browser.post("/account/holidays/", {"first": "2026-12-01", "last": "2026-12-02"}, follow=True)
    assert holidays.FOR_ACCOUNTS in page.content.decode()
    assert "You are a guest" in page.content.decode()
    assert not Holiday.objects.exists()


def test_whoever_signs_in_again_finds_their_holidays(browser: Client) -> None:
    today = timezone.now().date()
    send(browser, today, today)
    elsewhere = Client()
    sign_in(elsewhere, "Alice")
    assert "End my holiday now" in elsewhere.get("/account/holidays/").content.decode()
