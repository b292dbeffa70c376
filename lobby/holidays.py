"""Holidays: so many days a year on which nobody's clock runs against one, in games over days.

Days, weeks and years are those of UTC, for everybody the same. A day that has begun counts; whole days that were
not used are given back.

One lock: the person's row, so that two tabs cannot take the last days both. The games are told once that is committed,
each under its own lock; whatever does not get there is made up for by `sweep`, which compares the games with the rows
here. That is also how a holiday that was planned begins.
"""

from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from typing_extensions import TypedDict

from games.models import Game, Seat
from games.paces import LIVE
from games.rules import Refusal
from games.services import hold_for_holiday, set_holiday
from lobby import limits
from lobby.models import Holiday, User

DAYS_A_YEAR: Final = 20
MOST_AT_ONCE: Final = 20
#: How far ahead one can plan.
AHEAD: Final = timedelta(days=365)

A_DAY: Final = timedelta(days=1)
FOR_ACCOUNTS: Final = "Holidays are for people with an account: sign up to keep your games, and you can take them too."


# Taking and ending one


def take(person: User, first: date, last: date, now: datetime) -> Holiday:
    """From a day on, which may be this very moment, to the end of another."""
    today = now.date()
    if first == today - A_DAY:
        # In the west it is still yesterday.
        first, last = today, today if last == first else last
    with transaction.atomic():
        if person.is_guest:
            raise Refusal(FOR_ACCOUNTS)
        limits.lock(person)
        _require_possible(first, last, today)
        holiday = Holiday(person=person, begins_at=max(now, _midnight(first)), until=_midnight(last) + A_DAY)
        _require_days_left(holiday)
        _require_weeks_of_its_own(holiday)
        _require_punctual(person, now)
        holiday.save()
    tell_games(person.pk, now, in_person=True)
    return holiday


def end(person: User, number: int, now: datetime) -> Holiday | None:
    """Come back before it is over, or call it off before it has begun. Pressed twice, there is nothing left to end."""
    with transaction.atomic():
        limits.lock(person)
        holiday = Holiday.objects.filter(person=person, pk=number, until__gt=now).first()
        if holiday is None:
            return None
        if holiday.begins_at < now:
            Holiday.objects.filter(pk=holiday.pk).update(until=now)
        else:
            holiday.delete()
    tell_games(person.pk, now, in_person=True)
    return holiday


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _require_possible(first: date, last: date, today: date) -> None:
    if first < today:
        raise Refusal("A holiday cannot begin in the past: choose today or a later day.")
    if last < first:
        raise Refusal("The last day comes before the first: choose a later last day.")
    if first > today + AHEAD:
        raise Refusal("That is more than a year ahead: choose an earlier day.")
    if (last - first).days >= MOST_AT_ONCE:
        raise Refusal(f"That is more than {MOST_AT_ONCE} days: choose an earlier last day.")


def _require_days_left(holiday: Holiday) -> None:
    for year in {holiday.first_day.year, holiday.last_day.year}:
        left = days_left(holiday.person, year)
        if holiday.days_in(year) > left:
            raise Refusal(
                f"You have {left} day{'' if left == 1 else 's'} left in {year}: choose a shorter holiday."
                if left
                else f"You have no days left in {year}: choose days in another year."
            )


def _require_weeks_of_its_own(holiday: Holiday) -> None:
    """Otherwise one who comes back for a moment could go again at once."""
    monday = _midnight(holiday.first_day - timedelta(days=holiday.first_day.weekday()))
    next_monday = _midnight(holiday.last_day + timedelta(days=7 - holiday.last_day.weekday()))
    if Holiday.objects.filter(person=holiday.person, until__gt=monday, begins_at__lt=next_monday).exists():
        raise Refusal("You have another holiday in that week, from Monday to Sunday: choose days in other weeks.")


def _require_punctual(person: User, now: datetime) -> None:
    """A holiday is no way out for whoever keeps others waiting: their time was up, the game still waits for them to
    move, and they have not moved since.

    One that was planned in time begins all the same; what had run out by then stays so.
    """
    late = Seat.objects.filter(
        Q(late__gt=0) | Q(game__deadline__lte=now),
        user=person,
        player=Seat.Player.PERSON,
        asked__in=(Seat.Asked.MOVE, Seat.Asked.DISCARD),
        game__status=Game.Status.RUNNING,
        game__pace__isnull=False,
    ).exclude(game__pace__name__in=LIVE)
    if late.exists():
        raise Refusal("Your time is already up in a game: make your move there first, then take a holiday.")


# What games are told


def until(people: Collection[int], now: datetime) -> dict[int, datetime]:
    """Who of these is on holiday now, and until when."""
    return dict(_at(now).filter(person__in=people).values_list("person", "until"))


def tell_games(user_id: int, now: datetime, *, in_person: bool = False) -> None:
    holiday = _at(now).filter(person=user_id).first()
    ends_at, since = (holiday.until, holiday.begins_at) if holiday else (None, None)
    set_holiday(user_id, ends_at, now, since=since, in_person=in_person)


def sweep(now: datetime) -> None:
    """Beat's round: everybody whose games do not know yet that they have gone, or have come back."""
    lasting = Seat.objects.exclude(player=Seat.Player.BOT).exclude(
        game__status__in=(Game.Status.OVER, Game.Status.ABORTED)
    )
    of_seat = _at(now).filter(person=OuterRef("user"))
    gone = lasting.filter(user__holidays__in=_at(now)).exclude(Exists(of_seat.filter(until=OuterRef("holiday_until"))))
    back = lasting.filter(user__isnull=False, holiday_until__gt=now).exclude(Exists(of_seat))
    for user_id in sorted({*gone.values_list("user", flat=True), *back.values_list("user", flat=True)}):
        tell_games(user_id, now)


def hold_clocks(game: Game, seats: Collection[int], due: datetime, now: datetime) -> None:
    """Time seems to be up for these, while a holiday that was planned had begun, and no round has told the game yet:
    beat or the workers were away. What had run out before it stays so.
    """
    away = Seat.objects.filter(
        game=game,
        number__in=seats,
        player=Seat.Player.PERSON,
        user__holidays__begins_at__lt=due,
        user__holidays__until__gt=now,
    )
    moments = away.values_list("number", "holiday_until", "user__holidays__begins_at", "user__holidays__until")
    for number, known, begins_at, until in moments:
        if known is None or known < until:
            hold_for_holiday(game, number, begins_at, until, now)


def _at(now: datetime) -> QuerySet[Holiday]:
    return Holiday.objects.filter(begins_at__lte=now, until__gt=now)


# What people see


def current(person: User, now: datetime) -> Holiday | None:
    """The one that somebody is on now."""
    return _at(now).filter(person=person).first()


def days_left(person: User, year: int) -> int:
    return DAYS_A_YEAR - sum(holiday.days_in(year) for holiday in _of_year(person, year))


def _of_year(person: User, year: int) -> QuerySet[Holiday]:
    begin, end = _midnight(date(year, 1, 1)), _midnight(date(year + 1, 1, 1))
    return Holiday.objects.filter(person=person, until__gt=begin, begins_at__lt=end)


class HolidaysPage(TypedDict):
    """What somebody's page of holidays shows."""

    current: Holiday | None
    coming: list[Holiday]
    past: list[Holiday]
    #: What is left of this year and the next.
    left: list[tuple[int, int]]
    a_year: int


def page_of(person: User, now: datetime) -> HolidaysPage:
    taken = list(Holiday.objects.filter(person=person).order_by("begins_at"))
    return {
        "current": next((one for one in taken if one.begins_at <= now < one.until), None),
        "coming": [one for one in taken if one.begins_at > now],
        "past": [one for one in reversed(taken) if one.until <= now],
        "left": [(year, days_left(person, year)) for year in (now.year, now.year + 1)],
        "a_year": DAYS_A_YEAR,
    }
