"""Hours in which somebody is not to be disturbed, by the clock on their own wall."""

from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from games.rules import Refusal

_A_MINUTE: Final = timedelta(minutes=1)


@cache
def zones() -> tuple[str, ...]:
    """Those that people live in, by their places; and UTC, for whoever says nothing."""
    return ("UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/")))


def zone_called(name: str) -> str:
    if name not in zones():
        raise Refusal(f"There is no time zone “{name[:60]}”: please choose one of the list.")
    return name


def local(moment: datetime, zone: str) -> datetime:
    return moment.astimezone(_place(zone))


def _place(zone: str) -> tzinfo:
    """A zone that has since been renamed away is no reason to tell nobody anything."""
    return ZoneInfo(zone) if zone in zones() else UTC


def quiet_until(now: datetime, zone: str, first: time | None, last: time | None) -> datetime | None:
    """When the quiet hours end that somebody has just now, if they have.

    The clock on the wall counts, on days too on which an hour is left out or comes twice. So nothing is computed: the
    clock is looked at, minute by minute.
    """
    if first is None or last is None:
        return None
    # By whole minutes: in what leaves out less than one, the end would never be seen.
    first, last = first.replace(second=0, microsecond=0), last.replace(second=0, microsecond=0)
    if first == last:
        return None
    place = _place(zone)
    if not _is_within(now.astimezone(place).time(), first, last):
        return None
    end = now.replace(second=0, microsecond=0) + _A_MINUTE
    while _is_within(end.astimezone(place).time(), first, last):
        end += _A_MINUTE
    return end


def _is_within(clock: time, first: time, last: time) -> bool:
    return first <= clock < last if first < last else clock >= first or clock < last
