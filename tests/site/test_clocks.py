"""The embedded stack keeps its clocks by itself: a real worker and a real beat, in one process with the server."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from deploy.children import wait_until
from tests.sites import embedded, manage

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

#: Everybody is replaced when they are late for the first time: the rest is the same, and sooner over.
START = """
from django.utils import timezone

from games.models import Seat
from games.paces import Pace
from games.rules import RuleSet
from games.services import Entrant, start_game

players = [Entrant(name, nonce=name) for name in ("Alice", "Bob", "Charlie", "Dana")]
rules = RuleSet.from_text("standard points_to_win=8")
pace = Pace("fast", *(1,) * 7)
chance = {"bot_speed": "at once", "seed": bytes(range(32))}
print(start_game(rules, "balanced", players, now=timezone.now(), pace=pace, **chance).pk)
Seat.objects.update(if_absent=Seat.IfAbsent.AT_ONCE)
"""


def test_a_table_where_nobody_does_anything_plays_to_its_end(tmp_path: Path) -> None:
    with embedded(tmp_path):
        started = manage("shell", "--no-imports", "-c", START, DATA_DIR=str(tmp_path))
        game = int(started.stdout)

        def is_over() -> bool:
            with closing(sqlite3.connect(tmp_path / "catan.sqlite3")) as database:
                return database.execute("SELECT status FROM games_game").fetchall() == [("over",)]

        wait_until(is_over, "the game did not end", limit=240)
        verified = manage("verify_games", "--game", f"{game}", DATA_DIR=str(tmp_path))
        assert verified.returncode == 0, verified.stdout
