"""`make stack`: the full stack on one's own machine, for trying out and for the tests.

PostgreSQL and Redis are throwaways; the processes are those of deploy/systemd behind deploy/nginx. What
systemd does on a server, this does here: it starts a process again when it ends.
"""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from catan_site import environment as settings_environment
from deploy import throwaway
from deploy.children import running, start, stop
from deploy.units import Process, exchange, processes

ROOT = Path(__file__).resolve().parent.parent
STAFF = "dana"

NGINX = """\
daemon off;
{user}
pid {home}/nginx.pid;
error_log stderr warn;
worker_rlimit_nofile 16384;
events {{
    worker_connections 8192;
}}
http {{
    include /etc/nginx/mime.types;
    access_log off;
    client_body_temp_path {home}/body;
    proxy_temp_path {home}/proxy;
    fastcgi_temp_path {home}/fastcgi;
    uwsgi_temp_path {home}/uwsgi;
    scgi_temp_path {home}/scgi;
    include {home}/catan.conf;
}}
"""


class Supervisor:
    """Keeps processes running."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        self.children: dict[Process, subprocess.Popen[bytes]] = {}
        self.due: dict[Process, float] = {}

    def launch(self, process: Process) -> None:
        self.children[process] = start(process.command, cwd=ROOT, environment=self.environment)
        print(f"{process.name} runs as process {self.children[process].pid}", flush=True)

    def look_after(self) -> None:
        now = time.monotonic()
        for process, child in self.children.items():
            if child.poll() is None:
                continue
            if process not in self.due:
                print(f"{process.name} ended ({child.returncode}) and will be started again", flush=True)
                self.due[process] = now + process.restart_after
            elif now >= self.due[process]:
                del self.due[process]
                self.launch(process)


def main() -> NoReturn:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    port = _port()
    with throwaway.folder() as home, throwaway.services(home) as services:
        address = f"http://127.0.0.1:{port}"
        password = secrets.token_urlsafe(12)
        environment = services | {
            "DEBUG": "0",
            "HTTPS": "0",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "ALLOWED_HOSTS": "127.0.0.1,localhost",
            "CSRF_TRUSTED_ORIGINS": address,
            "DATA_DIR": str(home),
            "EMAIL_URL": f"file://{home}/mail",
            "EMAIL_FROM": "Online Catan <catan@localhost>",
            "DJANGO_SUPERUSER_PASSWORD": password,
        }
        places = {"/srv/catan/.venv/bin": str(Path(sys.executable).parent), **places_of_nginx(home, port)}
        _prepare(environment)
        with _supervised(environment, places) as supervisor, nginx(home, places, lambda: _is_ready(address)):
            print(f"Staff may sign in as {STAFF} with the password {password}")
            print(f"Online Catan, the full stack, is at {address} (Ctrl-C stops it)", flush=True)
            while True:
                supervisor.look_after()
                time.sleep(0.1)


def _leave(*_: object) -> NoReturn:
    # Once is enough: a second Ctrl-C must not interrupt the tidying up.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    print("Stopping …", flush=True)
    raise SystemExit(0)


def _port() -> int:
    port = settings_environment.number("PORT", default=8000, least=1, most=65535)
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        sys.exit(f"Port {port} cannot be used: {error.strerror}. Take another: PORT=8001 make stack")
    return port


def _prepare(environment: dict[str, str]) -> None:
    for command in (
        ["migrate", "--verbosity", "0"],
        ["collectstatic", "--no-input", "--verbosity", "0"],
        ["createsuperuser", "--no-input", "--username", STAFF, "--email", f"{STAFF}@catan.example", "--verbosity", "0"],
    ):
        subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env={**os.environ, **environment}, check=True)


@contextmanager
def _supervised(environment: dict[str, str], places: dict[str, str]) -> Iterator[Supervisor]:
    supervisor = Supervisor(environment)
    try:
        for process in processes(places):
            supervisor.launch(process)
        yield supervisor
    finally:
        stop(*supervisor.children.values())


def places_of_nginx(home: Path, port: int) -> dict[str, str]:
    return {
        "/run/catan": str(home),
        "/var/lib/catan": str(home),
        "listen 80;": f"listen 127.0.0.1:{port};",
    }


@contextmanager
def nginx(home: Path, places: dict[str, str], answers: Callable[[], bool]) -> Iterator[None]:
    site = (ROOT / "deploy/nginx/catan.conf").read_text()
    (home / "catan.conf").write_text(exchange(site, places))
    user = "user www-data;" if os.geteuid() == 0 else ""
    (home / "nginx.conf").write_text(NGINX.format(home=home, user=user))
    command = throwaway.program("nginx"), "-p", home, "-c", home / "nginx.conf"
    with running("nginx", command, log=home / "nginx.log", answers=answers):
        yield


def _is_ready(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


if __name__ == "__main__":
    main()
