"""What stands before the web processes, as a server has it: the processes behind it are ours, and tell who they are."""

from __future__ import annotations

import json
import socketserver
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from django.utils import timezone

from api import tokens
from deploy import throwaway
from deploy.children import free_port, running, wait_until
from deploy.stack import nginx, places_of_nginx
from games.models import Connection
from lobby.models import User
from tests.games.playing import new_game, time_out
from tests.games.processes import environment
from tests.sites import ROOT

pytestmark = pytest.mark.services

NAMES = ("web-1", "web-2")


class Process(BaseHTTPRequestHandler):
    """Answers everything with its name; a wish for a socket too, as far as nginx cares."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name: str = self.server.name  # type: ignore[attr-defined]
        if self.path == "/busy/":
            self.send_response(503)
            self.send_header("Retry-After", "3")
        elif self.path == "/slow/":
            time.sleep(1)
            self.send_response(200)
        elif "Upgrade" in self.headers:
            self.send_response(101)
            self.send_header("Upgrade", "websocket")
            self.send_header("Connection", "Upgrade")
        else:
            self.send_response(200)
        self.send_header("X-Process", name)
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.close_connection = True

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 200


class Front:
    def __init__(self, home: Path, port: int) -> None:
        self.home, self.port = home, port
        self.running: dict[str, Server] = {}

    def start(self, name: str) -> None:
        file = self.home / f"{name}.sock"
        file.unlink(missing_ok=True)
        self.running[name] = server = Server(str(file), Process)
        server.name = name  # type: ignore[attr-defined]
        file.chmod(0o666)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self, name: str) -> None:
        self.running[name].shutdown()
        self.running.pop(name).server_close()

    def ask(self, path: str, method: str = "GET", whence: str = "127.0.0.1", **headers: str) -> HTTPResponse:
        line = HTTPConnection("127.0.0.1", self.port, timeout=20, source_address=(whence, 0))
        line.request(method, path, b"{}" if method == "POST" else None, headers)
        answer = line.getresponse()
        if answer.status != 101:
            answer.body = answer.read().decode()  # type: ignore[attr-defined]
        line.close()
        return answer

    def who_answers(self, path: str, **headers: str) -> str | None:
        return self.ask(path, **headers).headers["X-Process"]

    def is_up(self) -> bool:
        try:
            return self.ask("/").status == 200
        except OSError:
            return False


@contextmanager
def standing(home: Path) -> Iterator[Front]:
    front = Front(home, free_port())
    (home / "static").mkdir()
    (home / "static/503.html").write_text("<h1>The harbor is full</h1>")
    (home / "static/503.json").write_text('{"code": "try_again"}')
    try:
        for name in NAMES:
            front.start(name)
        with nginx(home, places_of_nginx(home, front.port), front.is_up):
            yield front
    finally:
        for name in list(front.running):
            front.stop(name)


@pytest.fixture
def front() -> Iterator[Front]:
    with throwaway.folder() as home, standing(home) as front:
        yield front


def ways_to(game: int) -> list[str | None]:
    api = f"/api/v1/games/{game}"
    return [f"/games/{game}/", f"/games/{game}/chat/", f"{api}/", f"{api}/moves/?x=1", f"{api}/stream/?after=2"]


def test_everything_about_a_game_goes_to_one_process_and_games_to_both(front: Front) -> None:
    homes = {}
    for game in range(1, 41):
        who = {front.who_answers(path) for path in ways_to(game)}
        who |= {front.ask(f"/api/v1/games/{game}/moves/", "POST").headers["X-Process"]}
        for path in (f"/ws/games/{game}/", f"/ws/games/{game}/chat/"):
            who |= {front.who_answers(path, Upgrade="websocket", Connection="Upgrade")}
        assert len(who) == 1, game
        (homes[game],) = who
    assert min(Counter(homes.values()).values()) >= 10, homes
    others = Counter(front.who_answers("/") for _ in range(60))
    assert min(others[name] for name in NAMES) >= 10, others


def test_the_games_of_a_dead_process_go_to_the_other_and_come_back(front: Front) -> None:
    homes = {game: front.who_answers(f"/games/{game}/") for game in range(1, 21)}
    front.stop("web-1")
    assert {front.who_answers(f"/games/{game}/") for game in homes} == {"web-2"}
    assert {front.who_answers("/") for _ in range(10)} == {"web-2"}
    assert front.ask("/api/v1/games/1/moves/", "POST").status == 200
    front.start("web-1")
    assert {game: front.who_answers(f"/games/{game}/") for game in homes} == homes


def test_when_no_process_is_there_people_and_programs_are_told_to_come_back(front: Front) -> None:
    for name in NAMES:
        front.stop(name)
    for path, kind in {"/": "text/html", "/games/1/": "text/html", "/api/v1/games/1/": "application/json"}.items():
        for method in ("GET", "POST"):
            answer = front.ask(path, method)
            assert (answer.status, answer.headers["Content-Type"]) == (503, kind), (path, method)
            assert answer.headers["Retry-After"] == "5"
            body: str = answer.body  # type: ignore[attr-defined]
            assert "harbor" in body if kind == "text/html" else json.loads(body)["code"] == "try_again"


def test_what_a_process_says_itself_goes_out_as_it_is(front: Front) -> None:
    answer = front.ask("/busy/")
    assert (answer.status, answer.headers["Retry-After"], answer.headers["X-Process"] in NAMES) == (503, "3", True)


def test_an_address_may_ask_so_often_but_for_this_machine(front: Front) -> None:
    def statuses(whence: str) -> Counter[int]:
        with ThreadPoolExecutor(20) as visitors:
            return Counter(visitors.map(lambda _: front.ask("/", whence=whence).status, range(800)))

    assert statuses("127.0.0.1") == {200: 800}
    elsewhere = statuses("127.0.0.2")
    assert elsewhere[200] >= 200
    assert elsewhere[429] >= 1
    assert elsewhere.keys() == {200, 429}
    refused = next(answer for _ in range(1000) if (answer := front.ask("/api/", whence="127.0.0.2")).status == 429)
    assert refused.headers["Retry-After"] == "5"
    assert front.ask("/", whence="127.0.0.3").status == 200, "somebody else"


@pytest.mark.django_db(transaction=True)
def test_a_line_of_a_stream_goes_out_at_once_from_either_process(alice: User) -> None:
    _, token = tokens.make(alice, "My bot", "read", now=timezone.now())
    # As a program that would take its answers compressed: nginx would hold a line back until there is more of it.
    headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": "gzip"}
    with two_processes() as port, ExitStack() as lines:
        streams = {}
        for number in range(8):
            game = new_game(users=[alice], seed=number)
            line = lines.enter_context(closing(HTTPConnection("127.0.0.1", port, timeout=20)))
            line.request("GET", f"/api/v1/games/{game.pk}/stream/", headers=headers)
            streams[game] = line.getresponse()
            assert streams[game].headers["Content-Type"] == "application/x-ndjson"
            assert "Content-Encoding" not in streams[game].headers
            assert json.loads(streams[game].readline())["page"]["viewer"] == 0
        wait_until(lambda: Connection.objects.count() == len(streams), "not everybody was noted")
        assert Connection.objects.values("process").distinct().count() == len(NAMES)
        for game, stream in streams.items():
            time_out(game.pk)
            while "page" not in (news := json.loads(stream.readline())):
                pass
            assert news["page"]["version"] == 1
            stream.close()
        lines.close()
        wait_until(lambda: not Connection.objects.exists(), "nginx kept a stream that nobody reads")


@contextmanager
def two_processes() -> Iterator[int]:
    """The site itself behind nginx, on the database of this test."""
    with throwaway.folder() as home, ExitStack() as running_ones:
        for name in NAMES:
            place = home / f"{name}.sock"
            command = [sys.executable, "-m", "catan_site.server", "--uds", str(place)]
            process = running(
                name, command, log=home / f"{name}.log", cwd=ROOT, environment=environment(), answers=place.exists
            )
            running_ones.enter_context(process)
        port = free_port()
        running_ones.enter_context(nginx(home, places_of_nginx(home, port), Front(home, port).is_up))
        yield port
