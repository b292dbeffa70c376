"""The figures for Prometheus, in its text format 0.0.4.

prometheus_client would count in each process, and put the counts of many together through files in a folder that they
share. Ours are not counted here: they are read from the database and the cache, which all processes have in common, so
that any of them can answer. What is left of such a package is the writing, and that is this page.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from moderation.figures import UNFINISHED, Figures

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

KINDS: Final = ("live", "days", "untimed")


@dataclass(frozen=True)
class Value:
    """Something that is unknown is left out: it is not nothing."""

    value: float | None
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Metric:
    name: str
    kind: Literal["counter", "gauge"]
    help: str
    values: Iterable[Value]


def text(found: Figures) -> str:
    return "".join(f"{line}\n" for metric in _metrics(found) for line in _lines(metric))


def _metrics(found: Figures) -> Iterator[Metric]:
    vitals = found.vitals
    games = [
        Value(found.games.get(status, {}).get(kind, 0), {"status": status, "pace": kind})
        for status in UNFINISHED
        for kind in KINDS
    ]
    yield Metric("catan_games", "gauge", "Games that are not over, by status and pace.", games)
    yield _gauge("catan_games_overdue", "Running games in which something should have happened.", found.overdue)
    yield _gauge(
        "catan_games_overdue_seconds", "How long ago the first deadline passed that is overdue.", found.overdue_age
    )
    yield _counter("catan_moves_total", "Moves played.", found.moves)
    yield _gauge("catan_cases_open", "Cases that no moderator has decided.", found.cases_open)
    yield _gauge("catan_cases_taken", "Open cases that a moderator works on.", found.cases_taken)
    yield _gauge("catan_case_oldest_seconds", "Age of the oldest open case.", found.case_age)
    yield _gauge("catan_reports_open", "Reports that have not been answered.", found.reports_open)
    yield _gauge("catan_appeals_open", "Appeals that have not been answered.", found.appeals_open)
    yield _gauge("catan_appeal_oldest_seconds", "Age of the oldest open appeal.", found.appeal_age)
    sockets = [Value(found.sockets_players, {"role": "player"}), Value(found.sockets_watchers, {"role": "watcher"})]
    yield Metric("catan_game_sockets", "gauge", "Open sockets of games’ pages.", sockets)
    people = [Value(found.players_here, {"role": "player"}), Value(found.watchers_here, {"role": "watcher"})]
    yield Metric("catan_game_people", "gauge", "People who have a game’s page open.", people)
    waiting = [Value(vitals.tasks_queued, {"where": "queue"}), Value(vitals.tasks_held, {"where": "worker"})]
    yield Metric("catan_tasks_waiting", "gauge", "Tasks that have not begun.", waiting)
    yield _gauge("catan_pulse_age_seconds", "Since a web process was last alive.", found.pulse_age)
    yield _gauge("catan_heartbeat_age_seconds", "Since a worker last did what beat asks for.", vitals.heartbeat_age)
    yield _counter("catan_errors_total", "Requests that failed by a mistake of ours.", vitals.errors)
    yield _counter(
        "catan_unavailable_total", "Requests that failed since a part of the site was away.", vitals.unavailable
    )
    yield _counter("catan_failed_tasks_total", "Tasks that failed.", vitals.failed_tasks)


def _gauge(name: str, help_text: str, value: float | None) -> Metric:
    return Metric(name, "gauge", help_text, [Value(value)])


def _counter(name: str, help_text: str, value: float | None) -> Metric:
    return Metric(name, "counter", help_text, [Value(value)])


def _lines(metric: Metric) -> Iterator[str]:
    known = [each for each in metric.values if each.value is not None]
    if known:
        yield f"# HELP {metric.name} {_escaped(metric.help)}"
        yield f"# TYPE {metric.name} {metric.kind}"
        yield from (f"{metric.name}{_labels(each.labels)} {each.value:.16g}" for each in known)


def _labels(labels: Mapping[str, str]) -> str:
    if not labels:
        return ""
    written = ",".join(f'{name}="{_quoted(value)}"' for name, value in labels.items())
    return f"{{{written}}}"


def _escaped(words: str) -> str:
    return words.replace("\\", "\\\\").replace("\n", "\\n")


def _quoted(value: str) -> str:
    return _escaped(value).replace('"', '\\"')
