"""The front page on a full site beside an empty one, on both databases."""

from __future__ import annotations

from deploy import throwaway

from .crowd import FINISHED_GAMES, OPEN_TABLES
from .persistence import manage, settings


def measure() -> None:
    with throwaway.folder() as home:
        for name in ("SQLite", "PostgreSQL"):
            place = home / name.lower()
            place.mkdir(mode=0o711)
            print(f"Front page on {name}: {OPEN_TABLES:,} open tables, {FINISHED_GAMES:,} finished games")
            if name == "SQLite":
                _look(settings(place) | {"DATABASE_URL": "", "REDIS_URL": ""})
                continue
            with throwaway.services(place) as services:
                _look(settings(place) | services)


def _look(environment: dict[str, str]) -> None:
    manage(environment, "manage.py", "migrate", "--verbosity", "0")
    manage(environment, "-m", "bench.crowd")
