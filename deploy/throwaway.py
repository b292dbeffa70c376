"""A PostgreSQL and a Redis of one's own: in a new folder, on free ports, gone afterwards.

`python -m deploy.throwaway COMMAND …` runs a command with DATABASE_URL and REDIS_URL leading to them.
"""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import redis

from deploy.children import free_port, running


@contextmanager
def folder() -> Iterator[Path]:
    """A folder that goes away. Other users may pass through it: PostgreSQL does not run as root."""
    with tempfile.TemporaryDirectory(prefix="catan-", ignore_cleanup_errors=True) as name:
        os.chmod(name, 0o711)  # noqa: S103
        yield Path(name)


@contextmanager
def services(parent: Path) -> Iterator[dict[str, str]]:
    """Both services; gives the environment that leads to them."""
    with postgresql(parent / "postgresql") as database_url, redis_server(parent / "redis") as redis_url:
        yield {"DATABASE_URL": database_url, "REDIS_URL": redis_url}


@contextmanager
def postgresql(home: Path, port: int | None = None) -> Iterator[str]:
    """Empty, on a free port; or the one that was in this folder, again, on the port that it had."""
    programs = _postgresql_programs()
    owner = "postgres" if os.geteuid() == 0 else None
    if not home.exists():
        _make_cluster(home, programs, owner)
    password = (home / "password").read_text()
    port = port or free_port()
    settings = [
        *("listen_addresses=127.0.0.1", f"port={port}", "unix_socket_directories=", "max_connections=200"),
        # Nothing here outlives the machine's power, so nothing waits for the disk.
        *("fsync=off", "synchronous_commit=off", "full_page_writes=off"),
    ]
    url = f"postgresql://catan:{password}@127.0.0.1:{port}/postgres"
    with running(
        "PostgreSQL",
        [programs / "postgres", "-D", home / "data", *(word for setting in settings for word in ("-c", setting))],
        log=home / "log",
        answers=lambda: _postgresql_answers(url),
        owner=owner,
        last_signal=signal.SIGINT,  # PostgreSQL's fast shutdown; SIGTERM would wait for its clients.
    ):
        yield url


def _make_cluster(home: Path, programs: Path, owner: str | None) -> None:
    home.mkdir()
    (home / "password").write_text(secrets.token_urlsafe(16))
    if owner:
        shutil.chown(home, owner)
    subprocess.run(
        [
            *(programs / "initdb", "--pgdata", home / "data", "--username", "catan", "--pwfile", home / "password"),
            *("--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync"),
        ],
        user=owner,
        cwd=home,
        check=True,
        stdout=subprocess.DEVNULL,
    )


@contextmanager
def redis_server(home: Path, port: int | None = None) -> Iterator[str]:
    """Empty, on a free port, or on the one that an earlier one had."""
    home.mkdir(exist_ok=True)
    port = port or free_port()
    with running(
        "Redis",
        [program("redis-server"), "--bind", "127.0.0.1", "--port", str(port), "--dir", home, "--save", ""],
        log=home / "log",
        answers=lambda: _redis_answers(port),
    ):
        yield f"redis://127.0.0.1:{port}/0"


def program(name: str) -> Path:
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        raise SystemExit(f"{name} is not installed. Install it with: deploy/install-packages {name}")
    return Path(found)


def _postgresql_programs() -> Path:
    """Debian keeps the server's programs out of the PATH, in a folder for each version."""
    versions = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(versions, key=lambda folder: int(folder.parent.name), default=None) or program("initdb").parent


def _postgresql_answers(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


def _redis_answers(port: int) -> bool:
    with redis.Redis(port=port) as client:
        try:
            return bool(client.ping())
        except redis.ConnectionError:
            return False


def main(command: list[str]) -> int:
    # Ctrl-C reaches the command too: it ends in its own way, and the services after it.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with folder() as home, services(home) as environment:
        # Like the services, the command does not outlive us.
        guarded = ["setpriv", "--pdeathsig", "TERM", *command]
        return subprocess.run(guarded, env={**os.environ, **environment}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
