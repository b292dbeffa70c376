"""A part that is down is named, and nothing else about it is told."""

import json
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from deploy import throwaway
from deploy.children import free_port, running
from tests.sites import ROOT, UNSET

pytestmark = pytest.mark.services


class Watched:
    """A web process of its own with services of its own, which a test may take away."""

    def __init__(self, home: Path) -> None:
        self.postgresql, self.redis, self.web = ExitStack(), ExitStack(), ExitStack()
        port = free_port()
        environment = UNSET | {
            "DATABASE_URL": self.postgresql.enter_context(throwaway.postgresql(home / "postgresql")),
            "REDIS_URL": self.redis.enter_context(throwaway.redis_server(home / "redis")),
            "DATA_DIR": str(home),
        }
        self.address = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "uvicorn", "catan_site.asgi:application", "--port", str(port)]
        self.web.enter_context(
            running("web", command, log=home / "log", cwd=ROOT, environment=environment, answers=self.is_alive)
        )

    def ask(self, path: str) -> tuple[int, dict[str, str]]:
        try:
            with urllib.request.urlopen(self.address + path, timeout=10) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refusal:
            return refusal.code, json.load(refusal)

    def is_alive(self) -> bool:
        try:
            return self.ask("/healthz") == (200, {"status": "ok"})
        except urllib.error.URLError:
            return False


@pytest.fixture
def watched() -> Iterator[Watched]:
    with throwaway.folder() as home:
        site = Watched(home)
        with site.postgresql, site.redis, site.web:
            yield site


def test_each_part_that_is_down_is_named(watched: Watched) -> None:
    well = {"status": "ok", "database": "ok", "channel_layer": "ok", "broker": "ok"}
    assert watched.ask("/readyz") == (200, well)
    watched.redis.close()
    assert watched.ask("/readyz") == (503, well | {"status": "failed", "channel_layer": "failed", "broker": "failed"})
    watched.postgresql.close()
    assert watched.ask("/readyz") == (503, dict.fromkeys(well, "failed"))
    assert watched.is_alive()
