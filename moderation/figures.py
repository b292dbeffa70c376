"""How the site is doing, in figures: counted in one place for the page of the staff, for the charts and for Prometheus.

Each costs one query that an index answers, however many games there have been. What the database does not know (the
queue of tasks, what went wrong) the site knows, which is above: it says so through a setting.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Final, cast

from django.conf import settings
from django.db.models import Count, Max, Min, Q
from django.utils.module_loading import import_string

from games import clocks
from games.models import Connection, Game, Move, Pulse
from games.paces import LIVE
from lobby.models import Watcher
from moderation.models import Appeal, Case, Report, Sample

#: For so long samples are kept: a week can be compared with the one before its last day.
KEPT: Final = timedelta(days=8)

#: Games that are not over, by what they wait for.
UNFINISHED: Final = (Game.Status.RUNNING, Game.Status.PAUSED, Game.Status.RESTING, Game.Status.NEEDS_ATTENTION)


@dataclass(frozen=True)
class Vitals:
    """What the site knows of itself that no row says. A part that is away leaves its figures unknown."""

    #: Seconds since a worker last did what beat asks for.
    heartbeat_age: int | None = None
    #: Tasks that no worker has taken, and those that one has taken and not begun.
    tasks_queued: int | None = None
    tasks_held: int | None = None
    #: Ever, since the cache was last emptied: failures of requests that are our mistake, answers that a part which was
    #: away has cost, and tasks that failed.
    errors: int | None = None
    unavailable: int | None = None
    failed_tasks: int | None = None


@dataclass(frozen=True)
class Figures:
    #: Unfinished games, by status and by pace: live, days, or untimed.
    games: dict[str, dict[str, int]] = field(default_factory=dict)
    #: Running games in which something should have happened, and since when the first of them waits for a deadline.
    overdue: int = 0
    overdue_age: int = 0
    #: Ever. Their numbers are given one after another, and the last says how many there were.
    moves: int = 0
    cases_open: int = 0
    cases_taken: int = 0
    case_age: int = 0
    reports_open: int = 0
    appeals_open: int = 0
    appeal_age: int = 0
    #: Sockets of games' pages, and how many people have them.
    sockets_players: int = 0
    sockets_watchers: int = 0
    players_here: int = 0
    watchers_here: int = 0
    #: Seconds since a web process last was alive; unknown before the first.
    pulse_age: int | None = None
    vitals: Vitals = field(default_factory=Vitals)

    def in_status(self, status: str) -> int:
        return sum(self.games.get(status, {}).values())

    @property
    def running(self) -> int:
        return self.in_status(Game.Status.RUNNING)

    @property
    def needing_attention(self) -> int:
        return self.in_status(Game.Status.NEEDS_ATTENTION)

    @property
    def sockets(self) -> int:
        return self.sockets_players + self.sockets_watchers

    @property
    def people_here(self) -> int:
        return self.players_here + self.watchers_here

    @property
    def tasks_waiting(self) -> int | None:
        if self.vitals.tasks_queued is None or self.vitals.tasks_held is None:
            return None
        return self.vitals.tasks_queued + self.vitals.tasks_held


def collect(now: datetime) -> Figures:
    found: dict[str, Any] = {}
    for count in (_games, _clocks, _moves, _cases, _appeals, _players, _watchers):
        found |= count(now)
    read = cast("Callable[[], Vitals]", import_string(settings.VITALS))
    return Figures(**found, vitals=read())


def _games(_: datetime) -> dict[str, Any]:
    games: dict[str, Counter[str]] = {}
    rows = Game.objects.filter(status__in=UNFINISHED).values_list("status", "pace__name").annotate(Count("pk"))
    for status, pace, number in rows:
        games.setdefault(status, Counter())[_kind(pace)] += number
    return {"games": {status: dict(kinds) for status, kinds in games.items()}}


def _kind(pace: str | None) -> str:
    return "untimed" if pace is None else "live" if pace in LIVE else "days"


def _clocks(now: datetime) -> dict[str, Any]:
    """The pulse, and what is overdue: nobody is late by a moment after the last one."""
    pulse = Pulse.objects.values_list("at", flat=True).first()
    overdue = clocks.overdue(now, alive_at=pulse or now).order_by()
    found = overdue.aggregate(number=Count("pk"), since=Min("deadline", filter=Q(deadline__lte=now)))
    return {
        "pulse_age": None if pulse is None else _age(pulse, now),
        "overdue": found["number"],
        "overdue_age": _age(found["since"], now),
    }


def _moves(_: datetime) -> dict[str, Any]:
    return {"moves": Move.objects.aggregate(last=Max("pk"))["last"] or 0}


def _cases(now: datetime) -> dict[str, Any]:
    # Of a case that is open all reports are: they are answered with it.
    found = Case.objects.filter(closed_at=None).aggregate(
        cases=Count("pk", distinct=True),
        taken=Count("pk", distinct=True, filter=Q(taken_by__isnull=False)),
        since=Min("opened_at"),
        reports=Count("reports", filter=Q(reports__outcome=Report.Outcome.OPEN)),
    )
    return {
        "cases_open": found["cases"],
        "cases_taken": found["taken"],
        "case_age": _age(found["since"], now),
        "reports_open": found["reports"],
    }


def _appeals(now: datetime) -> dict[str, Any]:
    waiting = Appeal.objects.filter(outcome=Appeal.Outcome.OPEN)
    found = waiting.aggregate(number=Count("pk"), since=Min("made_at"))
    return {"appeals_open": found["number"], "appeal_age": _age(found["since"], now)}


def _players(_: datetime) -> dict[str, Any]:
    found = Connection.objects.aggregate(sockets=Count("pk"), people=Count("seat__user", distinct=True))
    return {"sockets_players": found["sockets"], "players_here": found["people"]}


def _watchers(_: datetime) -> dict[str, Any]:
    # Each page of somebody who has not signed in is a person, as `lobby.watching` counts them.
    found = Watcher.objects.aggregate(
        sockets=Count("pk"), people=Count("user", distinct=True), strangers=Count("pk", filter=Q(user=None))
    )
    return {"sockets_watchers": found["sockets"], "watchers_here": found["people"] + found["strangers"]}


def _age(since: datetime | None, now: datetime) -> int:
    return 0 if since is None else max(0, int((now - since).total_seconds()))


# Samples


@dataclass(frozen=True)
class Sampled:
    """What the charts need of one minute."""

    at: datetime
    values: dict[str, int | None]


def take_sample(now: datetime) -> None:
    """Write down how this minute is, once, and forget those of long ago."""
    found = collect(now)
    values = {
        "running": found.running,
        "needing_attention": found.needing_attention,
        "overdue": found.overdue,
        "moves": found.moves,
        "cases_open": found.cases_open,
        "sockets": found.sockets,
        "people_here": found.people_here,
        "tasks_waiting": found.tasks_waiting,
        "errors": found.vitals.errors,
        "unavailable": found.vitals.unavailable,
        "failed_tasks": found.vitals.failed_tasks,
    }
    Sample.objects.get_or_create(at=minute_of(now), defaults={"figures": values})
    Sample.objects.filter(at__lt=now - KEPT).delete()


def minute_of(now: datetime) -> datetime:
    return now.replace(second=0, microsecond=0)


@dataclass(frozen=True)
class Span:
    """How far back a chart goes, and how many minutes lie between two of its points."""

    name: str
    title: str
    began: str
    minutes: int
    step: int

    def moments(self, now: datetime) -> list[datetime]:
        """The whole minutes that it has samples of, the latest last. They are the same from one minute to the next."""
        last = minute_of(now)
        last -= timedelta(minutes=(last.hour * 60 + last.minute) % self.step)
        return [last - timedelta(minutes=back) for back in range(self.minutes, -1, -self.step)]


HOUR: Final = Span("hour", "Last hour", "an hour ago", 60, 1)
DAY: Final = Span("day", "Last day", "a day ago", 24 * 60, 10)
WEEK: Final = Span("week", "Last week", "a week ago", 7 * 24 * 60, 60)
SPANS: Final = {span.name: span for span in (HOUR, DAY, WEEK)}


def samples(now: datetime) -> dict[str, list[Sampled]]:
    """Those of each span, the oldest first, read at once: by their very minutes, of which no chart has many."""
    moments = {name: span.moments(now) for name, span in SPANS.items()}
    wanted = {at for each in moments.values() for at in each}
    rows = {row.at: Sampled(row.at, row.figures) for row in Sample.objects.filter(at__in=wanted)}
    return {name: [rows[at] for at in each if at in rows] for name, each in moments.items()}


def recent_growth(
    taken: Mapping[str, Sequence[Sampled]], name: str, now_is: int | None
) -> tuple[int | None, int | None]:
    """By how much something has grown in the last hour and in the last day."""
    # In one line: the last hour is known by the minute, and belongs to the day.
    day = {each.at: each for span in (DAY, HOUR) for each in taken[span.name]}
    return growth(taken[HOUR.name], name, now_is), growth([day[at] for at in sorted(day)], name, now_is)


def growth(taken: Sequence[Sampled], name: str, now_is: int | None) -> int | None:
    """By how much something that is counted for ever has grown since the first of the samples, if that is known."""
    counts = [count for each in taken if (count := each.values.get(name)) is not None]
    if now_is is None or not counts:
        return None
    counts.append(now_is)
    return sum(steps(counts))


def steps(counts: Sequence[int]) -> list[int]:
    """What was added from each count to the next. One that is smaller than before has begun anew from nothing."""
    return [after - before if after >= before else after for before, after in pairwise(counts)]
