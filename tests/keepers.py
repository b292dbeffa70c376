"""The processes of a server that keep the clocks, as a test or a benchmark wants them: dead, or alive again."""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from deploy import throwaway
from deploy.children import free_port, start, stop, wait_until
from deploy.units import processes
from tests.sites import ROOT

WORKERS = ("worker-1", "worker-2")
NAMES = ("web-1", *WORKERS, "thinker", "beat")


class Keepers:
    """A web process, the workers and beat, as the systemd units start them, with a Redis that is theirs alone."""

    def __init__(self, home: Path, environment: Mapping[str, str], redis_port: int) -> None:
        self.home = home
        self.redis, self.redis_port = ExitStack(), redis_port
        self.start_redis()
        redis_url = f"redis://127.0.0.1:{redis_port}/0"
        self.environment = {**environment, "REDIS_URL": redis_url, "DATA_DIR": str(home), "THINKERS": ""}
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        places = {
            "/srv/catan/.venv/bin": str(Path(sys.executable).parent),
            "--uds /run/catan/web-%i.sock": f"--port {port}",
        }
        self.commands = {process.name: process.command for process in processes(places)}
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, *names: str) -> None:
        for name in names:
            log = self.home / f"{name}.log"
            self.running[name] = start(self.commands[name], log=log, cwd=ROOT, environment=self.environment)

    def kill(self, *names: str) -> None:
        for name in names:
            self.running[name].kill()
            self.running[name].wait()

    def start_redis(self) -> None:
        """Empty, though an earlier one may have held something."""
        self.redis.enter_context(throwaway.redis_server(self.home / "redis", self.redis_port))

    def kill_redis(self) -> None:
        self.redis.close()

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/healthz", timeout=10):
                return True
        except OSError:
            return False


@contextmanager
def started(home: Path, environment: Mapping[str, str], redis_port: int | None = None) -> Iterator[Keepers]:
    """On a database that is there and migrated."""
    keepers = Keepers(home, environment, redis_port or free_port())
    try:
        keepers.start(*NAMES)
        wait_until(keepers.answers, "the web process does not answer")
        yield keepers
    finally:
        stop(*keepers.running.values())
        keepers.redis.close()
