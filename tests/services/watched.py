"""A web process of its own with services of its own, which a test may take away and bring back."""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

from deploy import throwaway
from deploy.children import free_port, running
from tests.sites import ROOT, UNSET, manage


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Any
    body: str


class Watched:
    def __init__(self, home: Path, **environment: str) -> None:
        self.home = home
        self.postgresql, self.redis, self.web = ExitStack(), ExitStack(), ExitStack()
        self.database = self.postgresql.enter_context(throwaway.postgresql(home / "postgresql"))
        self.cache = self.redis.enter_context(throwaway.redis_server(home / "redis"))
        services = {"DATABASE_URL": self.database, "REDIS_URL": self.cache, "DATA_DIR": str(home)}
        self.environment = UNSET | services | environment
        manage("migrate", "--verbosity", "0", **self.environment).check_returncode()
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "catan_site.server", "--port", str(port)]
        self.process = self.web.enter_context(
            running("web", command, log=self.log, cwd=ROOT, environment=self.environment, answers=self.is_alive)
        )

    @property
    def log(self) -> Path:
        return self.home / "log"

    def ask(self, path: str, **headers: str) -> Answer:
        request = urllib.request.Request(self.address + path, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return Answer(answer.status, answer.headers, answer.read().decode())
        except urllib.error.HTTPError as refusal:
            return Answer(refusal.code, refusal.headers, refusal.read().decode())

    def state(self, path: str) -> tuple[int, dict[str, str]]:
        answer = self.ask(path)
        return answer.status, json.loads(answer.body)

    def is_alive(self) -> bool:
        try:
            return self.state("/healthz") == (200, {"status": "ok"})
        except urllib.error.URLError:
            return False

    async def open_socket(self, path: str) -> ClientConnection:
        return await connect(f"ws{self.address.removeprefix('http')}{path}", origin=self.address, open_timeout=20)

    def stop_postgresql(self) -> None:
        self.postgresql.close()

    def start_postgresql(self) -> None:
        port = urlsplit(self.database).port
        self.postgresql.enter_context(throwaway.postgresql(self.home / "postgresql", port))

    def new_game(self) -> int:
        return int(manage("shell", "--no-imports", "-c", NEW_GAME, **self.environment).stdout)


NEW_GAME = """
from django.utils import timezone

from games.paces import PACES
from games.rules import RuleSet
from games.services import Entrant, start_game

players = [Entrant(name) for name in ("Alice", "Bob", "Charlie")]
print(start_game(RuleSet(), "balanced", players, now=timezone.now(), pace=PACES["fast"]).pk)
"""


@contextmanager
def watched(**environment: str) -> Iterator[Watched]:
    with throwaway.folder() as home:
        site = Watched(home, **environment)
        with site.postgresql, site.redis, site.web:
            yield site
