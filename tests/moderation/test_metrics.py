"""What Prometheus reads: only with the token, and so that it understands every line."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client

from games import services
from lobby.models import User
from moderation import metrics
from moderation.figures import Figures, Vitals
from tests.clock import Clock
from tests.games.playing import new_game
from tests.staff import browser_of, make_staff

pytestmark = pytest.mark.django_db

TOKEN = "a token that is long enough for all".replace(" ", "-")


@pytest.fixture(autouse=True)
def _token(settings: LazySettings) -> None:
    settings.METRICS_TOKEN = TOKEN
    cache.clear()


@dataclass
class Read:
    """What a strict reader of the format makes of it."""

    kinds: dict[str, str]
    values: dict[tuple[str, frozenset[tuple[str, str]]], float]

    def __getitem__(self, name: str) -> float:
        return self.values[name, frozenset()]

    def of(self, name: str, **labels: str) -> float:
        return self.values[name, frozenset(labels.items())]


NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)")


def read(text: str) -> Read:
    """The text format 0.0.4: of each metric its help, its type and then its samples, once and in one piece."""
    assert text.endswith("\n")
    found = Read({}, {})
    helped: list[str] = []
    for line in text.removesuffix("\n").split("\n"):
        if line.startswith("# HELP "):
            name, words = line.removeprefix("# HELP ").split(" ", 1)
            assert re.fullmatch(NAME, name), line
            assert re.fullmatch(r"(?:[^\\\n]|\\\\|\\n)+", words), line
            assert name not in helped, line
            helped.append(name)
        elif line.startswith("# TYPE "):
            name, kind = line.removeprefix("# TYPE ").split(" ")
            assert name == helped[-1], line
            assert kind in ("counter", "gauge"), line
            assert (kind == "counter") == name.endswith("_total"), line
            found.kinds[name] = kind
        else:
            sample = SAMPLE.fullmatch(line)
            assert sample, line
            assert sample[1] == [*found.kinds][-1], line
            labels = frozenset(re.findall(LABEL, sample[2] or ""))
            assert (sample[1], labels) not in found.values, line
            found.values[sample[1], labels] = float(sample[7])
    assert {*helped} == found.kinds.keys() == {name for name, _ in found.values}
    return found


def ask(**headers: str) -> tuple[int, str]:
    answer = Client().get("/metrics", headers=headers)
    return answer.status_code, answer.content.decode()


def test_whoever_knows_the_token_reads_the_figures(clock: Clock) -> None:
    new_game(pace="normal")
    services.pause(new_game(pace="1 day").pk, now=clock.now, why="by a test")
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert "no-store" in answer.headers["Cache-Control"]
    found = read(answer.content.decode())
    assert found.of("catan_games", status="running", pace="live") == 1
    assert found.of("catan_games", status="paused", pace="days") == 1
    assert found.of("catan_games", status="needs_attention", pace="untimed") == 0
    assert found["catan_errors_total"] == 0
    assert found.kinds["catan_moves_total"] == "counter"
    assert found.kinds["catan_tasks_waiting"] == "gauge"


@pytest.mark.parametrize(
    "said",
    [
        *("", "Bearer", "Bearer ", "Bearer wrong", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN} more"),
        *(f"Basic {TOKEN}", TOKEN, f"Bearer Bearer {TOKEN}", "Bearer é", f"bearer{TOKEN}"),
    ],
)
def test_for_everybody_else_there_is_no_such_page(said: str) -> None:
    status, page = ask(Authorization=said)
    assert status == 404
    assert "catan_" not in page


def test_the_word_before_the_token_is_read_in_any_case() -> None:
    assert ask(Authorization=f"bearer {TOKEN}")[0] == 200


@pytest.mark.parametrize("said", ["", "Bearer", "Bearer ", f"Bearer {TOKEN}"])
def test_without_a_token_of_ours_nobody_reads_them(settings: LazySettings, said: str) -> None:
    settings.METRICS_TOKEN = ""
    assert ask(Authorization=said)[0] == 404


def test_being_staff_is_no_token(alice: User) -> None:
    assert browser_of(make_staff(alice, "administrator")).get("/metrics").status_code == 404


def test_they_are_only_read() -> None:
    assert Client().post("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 405


def test_what_is_unknown_is_left_out_and_what_is_nothing_is_not() -> None:
    found = read(metrics.text(Figures()))
    assert found["catan_cases_open"] == 0
    assert not {"catan_errors_total", "catan_tasks_waiting", "catan_pulse_age_seconds"} & found.kinds.keys()
    known = read(metrics.text(Figures(pulse_age=2, vitals=Vitals(tasks_queued=0, errors=7))))
    assert (known["catan_pulse_age_seconds"], known["catan_errors_total"]) == (2, 7)
    assert known.of("catan_tasks_waiting", where="queue") == 0


def test_large_numbers_are_written_in_full() -> None:
    assert "catan_moves_total 12345678901\n" in metrics.text(Figures(moves=12_345_678_901))


def test_nothing_that_a_name_holds_breaks_a_line() -> None:
    odd = metrics.Metric("catan_odd", "gauge", "a\\b\nc", [metrics.Value(1.5, {"what": 'x"\\\ny'})])
    text = "".join(f"{line}\n" for line in metrics._lines(odd))
    assert text == '# HELP catan_odd a\\\\b\\nc\n# TYPE catan_odd gauge\ncatan_odd{what="x\\"\\\\\\ny"} 1.5\n'
    assert read(text).of("catan_odd", what='x\\"\\\\\\ny') == 1.5
