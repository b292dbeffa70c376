"""`make play` as its user knows it: one process that starts, tells where it is, and stops."""

import os
import re
import signal
import socket
import sqlite3
import stat
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.core.management.base import CommandError

from catan_site.management.commands.play import listen
from deploy.children import free_port, wait_until
from tests.sites import embedded, make_dana_staff, manage, seconds_of_work

pytestmark = pytest.mark.slow


def processes_of_session(session: int) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(process.name)) == session:
                found.append(int(process.name))
        except ProcessLookupError:
            continue
    return found


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site that was started once and has Dana."""
    folder = tmp_path_factory.mktemp("data")
    with embedded(folder) as site:
        assert site.get("/") == 200
        make_dana_staff(folder)
    return folder


def test_a_second_start_is_quick_and_keeps_the_data(data: Path) -> None:
    with embedded(data) as site:
        assert seconds_of_work(site.process.pid) < 5
        assert site.get("/readyz") == 200
    people = sqlite3.connect(data / "catan.sqlite3")
    assert people.execute("SELECT username FROM lobby_user").fetchall() == [("dana",)]
    people.close()


BOTS_PLAY = """
from django.utils import timezone
from games import services
from games.rules import RuleSet
players = [services.Entrant(name, strength="easy") for name in ("Alice", "Bob", "Charlie")]
services.start_game(RuleSet(), "random", players, bot_speed="at once", now=timezone.now())
"""


def thinkers_of(session: int) -> list[int]:
    commands = {process: Path(f"/proc/{process}/cmdline") for process in processes_of_session(session)}
    return [process for process, command in commands.items() if "games.bots.thinker" in command.read_text()]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_it_stops_when_told_and_leaves_no_process_not_even_one_that_thinks(data: Path, number: signal.Signals) -> None:
    with embedded(data, THINKERS="1") as site:
        session = os.getsid(site.process.pid)
        manage("shell", "--command", BOTS_PLAY, DATA_DIR=str(data)).check_returncode()
        wait_until(lambda: thinkers_of(session), "no bot thinks")
        site.process.send_signal(number)
        assert site.process.wait(timeout=30) == 0
        assert processes_of_session(session) == []
        assert "Traceback" not in site.log.read_text()


def test_a_taken_port_is_one_clear_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        refused = manage("play", PORT=port, DATA_DIR=str(tmp_path))
    assert refused.returncode == 1
    assert (
        refused.stderr
        == f"CommandError: Port {port} is taken. Stop what uses it, or take another: PORT=8001 make play\n"
    )


def test_a_host_that_is_not_here_is_named() -> None:
    with pytest.raises(CommandError, match=r"HOST=192\.0\.2\.1"):
        listen("192.0.2.1", free_port())


def test_whoever_guesses_passwords_cannot_claim_to_be_many(data: Path) -> None:
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with embedded(data) as site:
        form = browser.open(f"{site.address}/sign-in/").read().decode()
        token = re.findall('name="csrfmiddlewaretoken" value="([^"]+)"', form)[0]
        sent = urlencode({"csrfmiddlewaretoken": token, "username": "dana", "password": "guess"}).encode()
        answers = []
        for number in range(5):
            claim = {"X-Forwarded-For": f"192.0.2.{number}", "X-Real-IP": f"192.0.2.{number}"}
            try:
                answers.append(browser.open(urllib.request.Request(f"{site.address}/sign-in/", sent, claim)).status)
            except urllib.error.HTTPError as refusal:
                answers.append(refusal.code)
    assert answers == [200, 200, 200, 200, 429]


def test_what_it_keeps_is_for_its_owners_eyes(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    folder.mkdir(mode=0o755)
    old = folder / "catan.sqlite3"
    old.touch(mode=0o644)
    with embedded(folder) as site:
        assert site.get("/") == 200
        # The last connection that closes takes away what lies beside the file.
        open_connection = sqlite3.connect(old)
        assert open_connection.execute("SELECT count(*) FROM lobby_user").fetchall() == [(0,)]
        kept = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir() if file.name != "log"}
        open_connection.close()
    assert kept.keys() >= {"catan.sqlite3", "catan.sqlite3-wal", "catan.sqlite3-shm", "secret-key"}
    assert set(kept.values()) == {0o600}, kept
