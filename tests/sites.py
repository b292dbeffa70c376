"""Real sites for tests and pictures, started as a person would start them, in folders and on ports of their own."""

import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deploy.children import free_port, running

ROOT = Path(__file__).resolve().parent.parent
STAFF = "dana"
PASSWORD = "three sheep for a brick"

# A test says itself what its site is told, whatever the tests themselves run on.
UNSET = dict.fromkeys(
    [
        *("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DEBUG", "HOST", "LOG_LEVEL", "EMAIL_URL", "EMAIL_FROM"),
        *("VAPID_PRIVATE_KEY", "VAPID_CONTACT", "NOTICES_TO_LOOPBACK", "OWN_NETWORKS", "SITE_URL"),
        *("METRICS_TOKEN", "THINKERS"),
    ],
    "",
)


@dataclass(frozen=True)
class Site:
    address: str
    process: "subprocess.Popen[bytes]"
    log: Path
    password: str

    @property
    def data(self) -> Path:
        """The folder of an embedded site."""
        return self.log.parent

    def find(self, pattern: str) -> list[str]:
        """What the site printed."""
        return re.findall(pattern, self.log.read_text())

    def get(self, path: str) -> int:
        """The status of the answer."""
        try:
            with urllib.request.urlopen(self.address + path, timeout=10) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refusal:
            return refusal.code


def run(*command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **UNSET, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def manage(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return run(sys.executable, "manage.py", *arguments, **environment)


def seconds_of_work(process: int) -> float:
    """Of the processor, not of the clock: what else the machine is busy with must not fail a test."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def embedded(
    data: Path, port: int | None = None, command: Sequence[str] = (sys.executable, "manage.py", "play"), **settings: str
) -> Iterator[Site]:
    """`manage.py play`."""
    environment = {**UNSET, "DATA_DIR": str(data), "PORT": str(port or free_port()), **settings}
    with _started("play", [*command], data / "log", environment) as site:
        yield site


def make_dana_staff(data: Path) -> None:
    manage(
        *("createsuperuser", "--no-input", "--username", STAFF, "--email", "dana@catan.example"),
        DATA_DIR=str(data),
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
    ).check_returncode()


@contextmanager
def full_stack(folder: Path, **settings: str) -> Iterator[Site]:
    """`make stack`, which makes Dana its staff itself."""
    environment = {**UNSET, "PORT": str(free_port()), **settings}
    with _started("stack", [sys.executable, "-m", "deploy.stack"], folder / "log", environment) as site:
        yield site


@contextmanager
def _started(name: str, command: list[str], log: Path, environment: dict[str, str]) -> Iterator[Site]:
    def is_announced() -> bool:
        return f"is at http://127.0.0.1:{environment['PORT']}" in log.read_text()

    log.unlink(missing_ok=True)
    with running(name, command, log=log, cwd=ROOT, environment=environment, answers=is_announced) as process:
        passwords = re.findall(r"with the password (\S+)", log.read_text())
        yield Site(f"http://127.0.0.1:{environment['PORT']}", process, log, *passwords or [PASSWORD])
