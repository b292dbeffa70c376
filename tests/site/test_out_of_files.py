"""A process that has opened all the files it may: that is no outage, and it is over when files are closed."""

from __future__ import annotations

import resource
import socket
import sqlite3
from contextlib import ExitStack, closing, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from deploy.children import wait_until
from games.services.uptime import DOWN_AFTER
from tests.sites import Site, embedded, manage, seconds_of_work

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

START = """
from django.utils import timezone

from games.paces import PACES
from games.rules import RuleSet
from games.services import Entrant, start_game

players = [Entrant(name) for name in ("Alice", "Bob", "Charlie")]
print(start_game(RuleSet(), "balanced", players, now=timezone.now(), pace=PACES["1 day"]).pk)
"""


def read(site: Site, query: str) -> Any:
    with closing(sqlite3.connect(site.data / "catan.sqlite3")) as database:
        return database.execute(query).fetchone()[0]


def pulse(site: Site) -> datetime:
    return datetime.fromisoformat(read(site, "SELECT at FROM games_pulse"))


def open_files(site: Site) -> int:
    return len(list(Path(f"/proc/{site.process.pid}/fd").iterdir()))


def answers(site: Site) -> bool:
    # Those who came last may still be turned away.
    with suppress(OSError):
        return site.get("/") == 200
    return False


def test_a_process_without_a_file_to_spare_goes_on_and_recovers(tmp_path: Path) -> None:
    with embedded(tmp_path) as site, ExitStack() as lines:
        assert site.get("/") == 200
        manage("shell", "--no-imports", "-c", START, DATA_DIR=str(tmp_path)).check_returncode()
        deadline = read(site, "SELECT deadline FROM games_game")
        limit = open_files(site) + 15
        resource.prlimit(site.process.pid, resource.RLIMIT_NOFILE, (limit, limit))
        lines_before = len(site.log.read_text().splitlines())
        began_at, work_before = pulse(site), seconds_of_work(site.process.pid)

        def come() -> bool:
            lines.enter_context(socket.create_connection(("127.0.0.1", urlsplit(site.address).port or 0)))
            return open_files(site) >= limit - 1

        wait_until(come, "the process has files to spare")
        # People go on coming, for longer than an outage takes to be one.
        wait_until(
            lambda: come() and pulse(site) > began_at + DOWN_AFTER + timedelta(seconds=3), "the site has no pulse"
        )
        assert seconds_of_work(site.process.pid) - work_before < 5
        said = site.log.read_text().splitlines()[lines_before:]
        assert len(said) < 30, said
        lines.close()
        wait_until(lambda: answers(site), "the site did not recover")
        assert read(site, "SELECT deadline FROM games_game") == deadline
        assert "made_up_for_outage" not in site.log.read_text()
        assert "Traceback" not in site.log.read_text()
