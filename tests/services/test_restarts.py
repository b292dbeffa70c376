"""Parts of the site restart while people play: whoever comes meanwhile is told to come back, and nothing breaks."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import cycle
from urllib.parse import urlsplit

import psycopg
import pytest
from asgiref.sync import async_to_sync
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from catan_site import doorway, handler, server
from deploy.children import wait_until
from tests.services.watched import Answer, Watched, watched

pytestmark = [pytest.mark.services, pytest.mark.timeout(300)]


@pytest.fixture
def site() -> Iterator[Watched]:
    with watched() as site:
        yield site


def check_that_it_says_come_back(path: str, answer: Answer) -> None:
    assert answer.status == 503
    assert 1 <= int(answer.headers["Retry-After"]) <= 10
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    if path.startswith("/api/"):
        assert json.loads(answer.body)["code"] == "try_again"
    else:
        assert "<h1>The harbor is full</h1>" in answer.body


@async_to_sync
async def code_of_a_socket(site: Watched, path: str) -> int | None:
    """With which it is closed at once; none if it is greeted."""
    line = await site.open_socket(path)
    try:
        await asyncio.wait_for(line.recv(), 20)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 1006
    finally:
        await line.close()
    return None


def test_while_postgresql_restarts_everybody_is_told_to_come_back(site: Watched) -> None:
    game = site.new_game()
    paths = ("/", f"/api/v1/games/{game}/", f"/games/{game}/", "/nowhere/", "/sign-in/")
    # A session, so that each of them asks for somebody.
    visitor = {"Cookie": f"sessionid={'a' * 32}"}
    answers: list[tuple[str, Answer]] = []
    over = threading.Event()

    def visit() -> None:
        for path in cycle(paths):
            if over.wait(0.02):
                return
            answers.append((path, site.ask(path, **visitor)))

    def failures() -> list[tuple[str, Answer]]:
        return [(path, answer) for path, answer in answers if answer.status >= 500]

    def is_well() -> bool:
        return len(answers) >= 10 and all(answer.status < 500 for _, answer in answers[-10:])

    with ThreadPoolExecutor(4) as visitors:
        coming = [visitors.submit(visit) for _ in range(4)]
        try:
            wait_until(is_well, "the site is not at work")
            site.stop_postgresql()
            wait_until(lambda: {path for path, _ in failures()} == set(paths), "not everybody was told to come back")
            assert code_of_a_socket(site, f"/ws/games/{game}/") == doorway.TRY_AGAIN_LATER
            assert site.is_alive()
            site.start_postgresql()
            came_back_at = time.monotonic()
            wait_until(is_well, "the site did not come back")
            assert time.monotonic() - came_back_at < 10
        finally:
            over.set()
        for visitor_ in coming:
            visitor_.result()
    assert code_of_a_socket(site, f"/ws/games/{game}/") is None
    for path, answer in failures():
        check_that_it_says_come_back(path, answer)
    log = site.log.read_text()
    assert "Traceback" not in log
    assert 1 <= log.count("part_is_away") <= 5
    said = re.findall(r"\[(?:warning|error) +\].*", log)
    assert len(said) < 20, said


def test_while_redis_is_away_pages_are_drawn_all_the_same(site: Watched) -> None:
    game = site.new_game()
    site.redis.close()
    visitor = {"Cookie": f"sessionid={'a' * 32}"}
    assert [site.ask(path, **visitor).status for path in ("/", f"/games/{game}/", f"/api/v1/games/{game}/")] == [
        200
    ] * 3
    assert code_of_a_socket(site, f"/ws/games/{game}/") == doorway.TRY_AGAIN_LATER


@pytest.mark.parametrize(("path", "threads"), [("/sign-in/", 1), ("/api/v1/games/1/", handler.LOOKING)])
def test_whoever_finds_no_place_is_told_so_at_once(path: str, threads: int) -> None:
    places, too_many = threads * (1 + handler.WAITING_FOR_EACH), 7
    with watched(WEB_THREADS="1") as site, psycopg.connect(site.database) as lock:
        site.ask("/")
        # Now the first who come are not answered, and hold the others up.
        lock.execute("LOCK TABLE django_session")
        with ThreadPoolExecutor(places + too_many) as visitors:

            def visit(_: int) -> Answer:
                return site.ask(path, Cookie=f"sessionid={'a' * 32}")

            visits = [visitors.submit(visit, number) for number in range(places + too_many)]
            try:
                wait_until(lambda: sum(map(Future.done, visits)) == too_many, "those without a place still wait")
                for refused in filter(Future.done, visits):
                    check_that_it_says_come_back(path, refused.result())
                assert site.is_alive()
                assert sum(map(Future.done, visits)) == too_many
            finally:
                lock.rollback()
            # Whoever waited too long for a place is told so too.
            assert {answer.status for answer in map(Future.result, visits)} <= {200, 404, 503}
        assert site.ask("/").status == 200


def test_people_do_not_wait_behind_open_pages_that_look_for_news() -> None:
    with watched(WEB_THREADS="1") as site, psycopg.connect(site.database) as lock:
        site.ask("/")
        lock.execute("LOCK TABLE django_session")
        with ThreadPoolExecutor(10) as pages:
            looks = [pages.submit(site.ask, "/api/v1/games/1/", Cookie=f"sessionid={'a' * 32}") for _ in range(10)]
            try:
                wait_until(lambda: waiting_for_the_lock(site) == handler.LOOKING, "nobody looks")
                assert site.ask("/sign-in/").status == 200
                assert not any(map(Future.done, looks))
            finally:
                lock.rollback()
            assert {look.result().status for look in looks} <= {404, 503}


def waiting_for_the_lock(site: Watched) -> int:
    with psycopg.connect(site.database) as watcher:
        (count,) = watcher.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone() or (0,)
    return int(count)


def test_a_web_process_that_ends_hands_its_sockets_over_one_by_one(site: Watched) -> None:
    """And the streams of programs among them."""
    game = site.new_game()
    sockets = 90
    streams = [urllib.request.urlopen(f"{site.address}/api/v1/games/{game}/stream/", timeout=20) for _ in range(10)]

    async def closing(line: ClientConnection) -> tuple[float, int]:
        try:
            while True:
                await line.recv()
        except ConnectionClosed as closed:
            return time.monotonic(), closed.rcvd.code if closed.rcvd else 1006

    @async_to_sync
    async def scenario() -> list[tuple[float, int]]:
        lines = []
        while len(lines) < sockets:
            lines.append(await site.open_socket(f"/ws/games/{game}/"))
            await lines[-1].recv()
        site.process.send_signal(signal.SIGTERM)
        told_at = time.monotonic()
        closings = [asyncio.create_task(closing(line)) for line in lines]
        await asyncio.wait(closings, return_when=asyncio.FIRST_COMPLETED)
        # Nobody new is let in meanwhile: nginx goes to the other process.
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", urlsplit(site.address).port or 0))
        return [(at - told_at, code) for at, code in await asyncio.gather(*closings)]

    closed = scenario()
    assert {code for _, code in closed} == {1012}
    moments = sorted(at for at, _ in closed)
    # Spread out, and no gap in which most of them went.
    assert moments[-1] - moments[0] > 0.5 * sockets / server.HANDED_OVER_A_SECOND
    assert moments[2 * sockets // 3] - moments[sockets // 3] > 0.1 * sockets / server.HANDED_OVER_A_SECOND
    for stream in streams:
        *_, last = stream
        assert json.loads(last)["bye"]["code"] == "restarting"
    assert site.process.wait(timeout=20) == -signal.SIGTERM
    assert "Traceback" not in site.log.read_text()
