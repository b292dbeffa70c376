"""What the first page of the admin shows of the figures: cards with the number of the moment, and how it was before."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from games.models import Game
from moderation import charts, figures
from moderation.charts import Chart, Point
from moderation.figures import Figures, Sampled, Span

UNKNOWN: Final = "unknown"
#: What grows is known once it has been looked at twice.
NO_FIGURES: Final = "–"

#: Beyond these a card is marked: somebody should look. Beat asks every ten seconds for a heartbeat, a web process has a
#: pulse every second, and what is due is done within two.
HEARTBEAT_LATE: Final = 60
PULSE_LATE: Final = 10
OVERDUE_LATE: Final = 30
MANY_TASKS: Final = 200
CASE_LATE: Final = 24 * 3600
APPEAL_LATE: Final = 3 * 24 * 3600


@dataclass(frozen=True)
class Card:
    name: str
    now: str
    more: str = ""
    is_bad: bool = False
    #: Of the list where it is worked on, if whoever looks may see that.
    address: str = ""
    chart: Chart | None = None


@dataclass(frozen=True)
class Board:
    span: Span
    spans: Sequence[Span]
    waiting: Sequence[Card]
    health: Sequence[Card]
    measured: Sequence[Card]
    #: The points of the charts in words, for whoever would rather read them: the names, then a row for each moment.
    names: Sequence[str]
    rows: Sequence[tuple[datetime, Sequence[str]]]


def span_of(name: str | None) -> Span:
    return figures.SPANS.get(name or "", figures.HOUR)


def draw(
    found: Figures,
    taken: Mapping[str, Sequence[Sampled]],
    span: Span,
    address_of: Callable[[str], str],
    now: datetime,
) -> Board:
    lines = {name: line(taken[span.name]) for name, line in LINES.items()}
    moments = span.moments(now)
    step = timedelta(minutes=span.step)

    def chart(name: str) -> Chart | None:
        words = f"{NAMES[name]}, {span.title.lower()}"
        return charts.draw(words, lines[name], moments[0], moments[-1], step)

    return Board(
        span=span,
        spans=tuple(figures.SPANS.values()),
        waiting=_waiting(found, address_of),
        health=_health(found),
        measured=[_measured(name, found, taken, chart(name), lines[name]) for name in NAMES],
        names=list(NAMES.values()),
        rows=_rows(moments, lines),
    )


# What waits for the staff, and whether the site is well


def _waiting(found: Figures, address_of: Callable[[str], str]) -> list[Card]:
    games = address_of("games.game")
    cases = "nothing has been reported"
    if found.cases_open:
        reports = _count(found.reports_open, "report")
        cases = f"{reports}, {found.cases_taken} taken; the oldest has waited {spoken(found.case_age)}"
    return [
        Card("Open cases", f"{found.cases_open:,}", cases, found.case_age > CASE_LATE, address_of("moderation.case")),
        Card(
            "Open appeals",
            f"{found.appeals_open:,}",
            f"the oldest has waited {spoken(found.appeal_age)}" if found.appeals_open else "nobody waits for an answer",
            found.appeal_age > APPEAL_LATE,
            address_of("moderation.appeal"),
        ),
        Card(
            "Games that need attention",
            f"{found.needing_attention:,}",
            "set aside: our code could not play on" if found.needing_attention else "all can be played",
            found.needing_attention > 0,
            games and f"{games}?status__exact={Game.Status.NEEDS_ATTENTION}",
        ),
    ]


def _health(found: Figures) -> list[Card]:
    beat, pulse = found.vitals.heartbeat_age, found.pulse_age
    return [
        Card("Last heartbeat of a worker", _ago(beat), "every 10 s", beat is None or beat > HEARTBEAT_LATE),
        Card("Last pulse of a web process", _ago(pulse), "every second", pulse is None or pulse > PULSE_LATE),
    ]


def _ago(seconds: int | None) -> str:
    return "none yet" if seconds is None else f"{spoken(seconds)} ago"


def spoken(seconds: float) -> str:
    for length, unit in ((24 * 3600, "day"), (3600, "h"), (60, "min")):
        if seconds >= 2 * length or (unit != "day" and seconds >= length):
            number = int(seconds // length)
            return _count(number, unit) if unit == "day" else f"{number} {unit}"
    return f"{int(seconds)} s"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


# What is measured over time


def _measured(
    name: str, found: Figures, taken: Mapping[str, Sequence[Sampled]], chart: Chart | None, line: Sequence[Point]
) -> Card:
    now, more, is_bad = CARDS[name](found, taken)
    if name == "moves":
        now = f"{line[-1].value:,.0f}" if line else NO_FIGURES
    return Card(NAMES[name], now, more, is_bad, chart=chart)


Said = tuple[str, str, bool]


def _running(found: Figures, taken: Mapping[str, Sequence[Sampled]]) -> Said:
    paces = found.games.get(Game.Status.RUNNING, {})
    kinds = {"live": "live", "days": "over days", "untimed": "untimed"}
    parts = [f"{paces[kind]:,} {words}" for kind, words in kinds.items() if paces.get(kind)]
    others = {Game.Status.PAUSED: "paused", Game.Status.RESTING: "resting"}
    beside = [f"{found.in_status(status):,} {words}" for status, words in others.items() if found.in_status(status)]
    more = ", ".join(parts) + (f"; not running: {', '.join(beside)}" if beside else "")
    return f"{found.running:,}", more.removeprefix("; "), False


def _moves(found: Figures, taken: Mapping[str, Sequence[Sampled]]) -> Said:
    hour, day = figures.recent_growth(taken, "moves", found.moves)
    return NO_FIGURES, _in_hour_and_day(hour, day), False


def _people(found: Figures, taken: Mapping[str, Sequence[Sampled]]) -> Said:
    return f"{found.people_here:,}", f"{found.players_here:,} at their games, {found.watchers_here:,} watching", False


def _sockets(found: Figures, taken: Mapping[str, Sequence[Sampled]]) -> Said:
    return f"{found.sockets:,}", f"{found.sockets_players:,} of players, {found.sockets_watchers:,} of watchers", False


def _overdue(found: Figures, taken: Mapping[str, Sequence[Sampled]]) -> Said:
    more = "everything is on time"
    if found.overdue:
        more = f"the oldest deadline passed {spoken(found.overdue_age)} ago" if found.overdue_age else "only just"
    return f"{found.overdue:,}", more, found.overdue_age > OVERDUE_LATE


def _tasks(found: Figures, taken: Mapping[str, Sequence[Sampled]]) -> Said:
    waiting = found.tasks_waiting
    if waiting is None:
        return UNKNOWN, "the broker does not answer", True
    queued, held = found.vitals.tasks_queued, found.vitals.tasks_held
    return f"{waiting:,}", f"{queued:,} in the queue, {held:,} held by workers", waiting > MANY_TASKS


def _counted(name: str) -> Callable[[Figures, Mapping[str, Sequence[Sampled]]], Said]:
    def said(found: Figures, taken: Mapping[str, Sequence[Sampled]]) -> Said:
        ever: int | None = getattr(found.vitals, name)
        hour, day = figures.recent_growth(taken, name, ever)
        return (NO_FIGURES, "", False) if hour is None else (f"{hour:,}", _in_day(day), bool(hour))

    return said


def _in_hour_and_day(hour: int | None, day: int | None) -> str:
    return "" if hour is None or day is None else f"{hour:,} in the last hour, {day:,} in the last day"


def _in_day(day: int | None) -> str:
    return "in the last hour" + ("" if day is None else f", {day:,} in the last day")


#: In the order of the page.
NAMES: Final = {
    "moves": "Moves a minute",
    "running": "Games running",
    "people_here": "People at games",
    "sockets": "Sockets at games",
    "overdue": "Overdue games",
    "tasks_waiting": "Tasks waiting",
    "errors": "Errors",
    "failed_tasks": "Failed tasks",
    "unavailable": "Requests lost to outages",
}

CARDS: Final[dict[str, Callable[[Figures, Mapping[str, Sequence[Sampled]]], Said]]] = {
    "moves": _moves,
    "running": _running,
    "people_here": _people,
    "sockets": _sockets,
    "overdue": _overdue,
    "tasks_waiting": _tasks,
    "errors": _counted("errors"),
    "failed_tasks": _counted("failed_tasks"),
    "unavailable": _counted("unavailable"),
}


def _level(name: str) -> Callable[[Sequence[Sampled]], list[Point]]:
    """Something that is so many at a time."""

    def line(taken: Sequence[Sampled]) -> list[Point]:
        return [Point(each.at, value) for each in taken if (value := each.values.get(name)) is not None]

    return line


def _growing(name: str, *, a_minute: bool = False) -> Callable[[Sequence[Sampled]], list[Point]]:
    """Something that is counted for ever: what was added between two samples."""

    def line(taken: Sequence[Sampled]) -> list[Point]:
        known = [(each.at, value) for each in taken if (value := each.values.get(name)) is not None]
        added = figures.steps([value for _, value in known])
        between = zip(known, known[1:], added, strict=False)
        return [
            Point(at, more / ((at - before) / timedelta(minutes=1)) if a_minute else more)
            for (before, _), (at, _), more in between
        ]

    return line


LINES: Final[dict[str, Callable[[Sequence[Sampled]], list[Point]]]] = {
    "moves": _growing("moves", a_minute=True),
    **{name: _level(name) for name in ("running", "people_here", "sockets", "overdue", "tasks_waiting")},
    **{name: _growing(name) for name in ("errors", "failed_tasks", "unavailable")},
}

#: A table is to be read: a dozen rows are enough of it.
TABLE_ROWS: Final = 12


def _rows(moments: Sequence[datetime], lines: Mapping[str, Sequence[Point]]) -> list[tuple[datetime, Sequence[str]]]:
    at = {name: {point.at: point.value for point in line} for name, line in lines.items()}
    shown = moments[:: -max(1, len(moments) // TABLE_ROWS)]
    return [
        (moment, [f"{value:,.0f}" if (value := at[name].get(moment)) is not None else "–" for name in NAMES])
        for moment in shown
    ]
