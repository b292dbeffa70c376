"""A stream as a program reads it from a real server, and how it ends with that."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from io import StringIO

import pytest
import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from api.open_streams import open_streams
from catan_site import server
from catan_site.management.commands import play
from deploy.children import free_port, wait_until
from games.models import Game
from tests.games.playing import new_game, time_out

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def of_a_server(port: int) -> uvicorn.Server:
    config = uvicorn.Config(
        server.APPLICATION,
        port=port,
        ws=WebSocketsSansIOProtocol,
        lifespan="on",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=server.GRACE,
    )
    return server.Server(config)


def of_ones_own_machine(port: int) -> uvicorn.Server:
    own = play.Server(play.Command(stdout=StringIO()))
    own.config.port = port
    return own


@pytest.fixture(params=[of_a_server, of_ones_own_machine])
def running(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[uvicorn.Server, int]]:
    monkeypatch.setattr(open_streams, "is_shut", False)
    port = free_port()
    process: uvicorn.Server = request.param(port)
    thread = threading.Thread(target=process.run)
    thread.start()
    try:
        wait_until(lambda: process.started, "the server did not start")
        yield process, port
    finally:
        process.should_exit = True
        thread.join(30)
    assert not thread.is_alive()


def ask(port: int, game: Game) -> tuple[HTTPConnection, HTTPResponse]:
    line = HTTPConnection("127.0.0.1", port, timeout=20)
    line.request("GET", f"/api/v1/games/{game.pk}/stream/", headers={"Accept-Encoding": "gzip"})
    return line, line.getresponse()


def test_lines_arrive_one_by_one_and_the_last_says_that_the_server_restarts(
    running: tuple[uvicorn.Server, int],
) -> None:
    process, port = running
    game = new_game(seed="wire")
    line, answer = ask(port, game)
    assert answer.status == 200
    assert answer.headers["Transfer-Encoding"] == "chunked"
    assert "Content-Encoding" not in answer.headers
    assert "page" in json.loads(answer.readline())
    time_out(game.pk)
    while "page" not in (news := json.loads(answer.readline())):
        pass
    assert news["page"]["version"] == 1
    told_at = time.monotonic()
    process.should_exit = True
    while "bye" not in (last := json.loads(answer.readline())):
        pass
    assert last["bye"]["code"] == "restarting"
    assert answer.read() == b""
    assert time.monotonic() - told_at < 2
    line.close()


def test_whoever_hangs_up_or_reads_nothing_keeps_no_server_from_ending(running: tuple[uvicorn.Server, int]) -> None:
    process, port = running
    game = new_game(seed="hung up")
    gone, answer = ask(port, game)
    answer.readline()
    answer.close()
    gone.close()
    wait_until(lambda: not open_streams.held, "a stream without a reader goes on")
    silent, unread = ask(port, game)
    wait_until(lambda: bool(open_streams.held), "nothing was opened")
    process.should_exit = True
    wait_until(lambda: not open_streams.held, "a stream that nobody reads goes on")
    unread.close()
    silent.close()
