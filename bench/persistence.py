"""What a move costs until it is safe: through the service, over HTTP, and beside the floor.

The floor is a bare view behind the same server and middleware that locks one row, changes it and adds
one. For SQLite the server is the embedded stack, for PostgreSQL the full stack's web process with
Redis beside it. Move and floor take turns, so that whatever else the machine does slows both alike.
"""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from deploy import throwaway
from deploy.children import free_port, running

ROOT: Final = Path(__file__).resolve().parent.parent


#: Whoever measures is in a greater hurry than any player.
UNHURRIED: Final = dict.fromkeys(("API_READS_A_MINUTE", "API_MOVES_A_MINUTE", "API_OFFERS_A_MINUTE"), "1000000")


def measure() -> None:
    on_both_stacks("Persistence on {}: moves of a game with a minute for each", "bench.moves")


def on_both_stacks(heading: str, module: str) -> None:
    """Run a client's module beside each server, on a database of its own."""
    with throwaway.folder() as home:
        for name, stack in (("SQLite", _embedded), ("PostgreSQL", _full)):
            place = home / name.lower()
            place.mkdir(mode=0o711)
            print(heading.format(name))
            with stack(place) as environment:
                manage(environment, "-m", module)


@contextmanager
def _embedded(place: Path) -> Iterator[dict[str, str]]:
    environment = {"DATABASE_URL": "", "REDIS_URL": ""} | settings(place)
    with _serving(environment, "manage.py", "play"):
        yield environment


@contextmanager
def _full(place: Path) -> Iterator[dict[str, str]]:
    with throwaway.services(place) as services:
        environment = services | settings(place)
        manage(environment, "manage.py", "migrate", "--verbosity", "0")
        web = ("catan_site.asgi:application", "--lifespan", "on", "--no-access-log", "--port", environment["PORT"])
        with _serving(environment, "-m", "uvicorn", *web):
            yield environment


def settings(place: Path) -> dict[str, str]:
    return {
        "DATA_DIR": str(place),
        "DEBUG": "",
        "DJANGO_SETTINGS_MODULE": "bench.settings",
        "LOG_LEVEL": "WARNING",
        "PORT": str(free_port()),
        **UNHURRIED,
    }


@contextmanager
def _serving(environment: dict[str, str], *words: str) -> Iterator[None]:
    log = Path(environment["DATA_DIR"]) / "server.log"
    command = [sys.executable, *words]
    with running(
        "the server", command, log=log, cwd=ROOT, environment=environment, answers=lambda: _lives(environment)
    ):
        yield


def _lives(environment: dict[str, str]) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{environment['PORT']}/healthz", timeout=1):
            return True
    except OSError:
        return False


def manage(environment: dict[str, str], *words: str) -> None:
    subprocess.run([sys.executable, *words], cwd=ROOT, env={**os.environ, **environment}, check=True)
