"""Quiet hours, by the clock on the wall of whoever has them."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from games.rules import Refusal
from lobby.notices import hours


@pytest.mark.parametrize(
    ("now", "ends"),
    [
        ("2026-11-18T20:59", None),
        ("2026-11-18T21:00", "2026-11-19T06:00"),
        ("2026-11-19T05:59", "2026-11-19T06:00"),
        ("2026-11-19T06:00", None),
        # On the last Sunday in March an hour is left out, in October one comes twice: 7 o’clock is 7 o’clock.
        ("2026-03-28T21:00", "2026-03-29T05:00"),
        ("2026-10-24T20:00", "2026-10-25T06:00"),
    ],
)
def test_quiet_hours_follow_the_clock_on_the_wall(now: str, ends: str | None) -> None:
    found = hours.quiet_until(at(now), "Europe/Berlin", time(22), time(7))
    assert found == (None if ends is None else at(ends))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "now", "last", "ends"),
    [
        # In Berlin the clock jumps from 2 to 3 o’clock on this morning: half past two is over then.
        ("Europe/Berlin", "2026-03-28T23:00", time(2, 30), "2026-03-29T01:00"),
        ("Europe/Berlin", "2026-03-28T23:00", time(2), "2026-03-29T01:00"),
        # And back from 3 to 2 o’clock on this one: half past two is there twice.
        ("Europe/Berlin", "2026-10-24T23:00", time(2, 30), "2026-10-25T00:30"),
        ("Europe/Berlin", "2026-10-25T01:10", time(2, 30), "2026-10-25T01:30"),
        # On Lord Howe Island it is half an hour.
        ("Australia/Lord_Howe", "2026-10-03T15:00", time(2, 15), "2026-10-03T15:30"),
        ("Australia/Lord_Howe", "2026-04-04T15:05", time(1, 45), "2026-04-04T15:15"),
        # Where the clock goes back at midnight, it is eleven o’clock again.
        ("America/Santiago", "2026-04-05T02:30", time(0, 30), "2026-04-05T04:30"),
    ],
)
def test_quiet_hours_end_by_a_clock_that_jumps(zone: str, now: str, last: time, ends: str) -> None:
    assert hours.quiet_until(at(now), zone, time(22), last) == at(ends)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Australia/Lord_Howe", "America/Santiago"])
def test_nothing_comes_in_quiet_hours_and_everything_in_the_first_minute_after_them(zone: str) -> None:
    place = ZoneInfo(zone)
    for day in ("2026-03-28", "2026-03-29", "2026-04-04", "2026-09-05", "2026-10-03", "2026-10-24", "2026-10-25"):
        for minutes in range(0, 24 * 60, 45):
            now = at(f"{day}T00:00") + timedelta(minutes=minutes)
            for first, last in [(time(1), time(2, 30)), (time(22), time(2, 30)), (time(2), time(2, 30))]:
                ends = hours.quiet_until(now, zone, first, last)
                walls = [now.astimezone(place).time()]
                if ends is not None:
                    assert now < ends
                    walls = [(ends - timedelta(minutes=1)).astimezone(place).time(), walls[0]]
                    assert not is_between(first, ends.astimezone(place).time(), last)
                assert [is_between(first, wall, last) for wall in walls] == [ends is not None] * len(walls)


def is_between(first: time, clock: time, last: time) -> bool:
    return first <= clock < last if first < last else not last <= clock < first


@pytest.mark.parametrize(
    ("first", "last", "ends"),
    [
        (time(0), time(23, 59, 59), "2026-11-18T23:59"),
        (time(12, 0, 30), time(12, 0, 29), None),
        (time(12, 0, 1), time(11, 59, 59), "2026-11-19T11:59"),
    ],
)
def test_quiet_hours_that_leave_out_less_than_a_minute_come_to_an_end(
    first: time, last: time, ends: str | None
) -> None:
    assert hours.quiet_until(at("2026-11-18T12:00"), "UTC", first, last) == (at(ends) if ends else None)


def test_a_zone_that_does_not_exist_is_refused() -> None:
    with pytest.raises(Refusal, match="no time zone “Mars/Olympus”"):
        hours.zone_called("Mars/Olympus")
