"""Requests in threads of ours."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import Iterator
from typing import Any

import psycopg
import psycopg.errors
import psycopg_pool
import pytest
import redis
import structlog
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.core.signals import request_finished
from django.db import InterfaceError, OperationalError
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from catan_site import handler, urls
from catan_site.asgi import application
from tests.sites import ROOT

pytestmark = pytest.mark.urls(__name__)

gate = threading.Event()
seen: list[str] = []
errors: list[BaseException] = []


def wait_at_the_gate(request: HttpRequest) -> HttpResponse:
    seen.append(threading.current_thread().name)
    gate.wait(10)
    return HttpResponse("through")


def stream(request: HttpRequest) -> StreamingHttpResponse:
    def pieces() -> Iterator[bytes]:
        yield b"brick, "
        yield b"lumber"

    return StreamingHttpResponse(pieces(), headers={"X-Harbor": "3:1"}, content_type="text/plain")


def file(request: HttpRequest) -> FileResponse:
    return FileResponse((ROOT / "LICENSE").open("rb"))


def known(request: HttpRequest) -> HttpResponse:
    """What the log knows of the request."""
    before = structlog.contextvars.get_contextvars()
    structlog.contextvars.bind_contextvars(robber="desert")
    return HttpResponse(json.dumps(sorted(before)))


def fail(request: HttpRequest) -> HttpResponse:
    raise errors[0]


handler500 = urls.handler500
urlpatterns = [
    path("gate/", wait_at_the_gate),
    path("stream/", stream),
    path("file/", file),
    path("known/", known),
    path("fail/", fail),
    path("api/fail/", fail),
    path("api/gate/", csrf_exempt(wait_at_the_gate)),
    path("", include("catan_site.urls")),
]


class Visitor:
    def __init__(self, address: str, method: str = "GET", **headers: str) -> None:
        told = {"host": "localhost"} | headers
        scope = {
            "type": "http",
            "method": method,
            "path": address,
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in told.items()],
        }
        self.line = ApplicationCommunicator(application, scope)

    async def come(self) -> None:
        await self.line.send_input({"type": "http.request", "body": b""})

    async def answer(self) -> tuple[int, dict[str, str], str]:
        start = await self.line.receive_output(20)
        body = await self.line.receive_output(20)
        await self.line.wait(20)
        headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}
        return start["status"], headers, body["body"].decode()


@async_to_sync
async def ask(address: str) -> tuple[int, dict[str, str], str]:
    visitor = Visitor(address)
    await visitor.come()
    return await visitor.answer()


def of_psycopg(kind: type[psycopg.Error]) -> OperationalError:
    error = OperationalError("hush")
    error.__cause__ = kind("hush")
    return error


def of_sqlite(code: int) -> OperationalError:
    error, cause = OperationalError("hush"), sqlite3.OperationalError("hush")
    cause.sqlite_errorcode = code
    error.__cause__ = cause
    return error


AWAY = {
    "no connection": of_psycopg(psycopg.OperationalError),
    "the pool has none": of_psycopg(psycopg_pool.PoolTimeout),
    "shutting down": of_psycopg(psycopg.errors.AdminShutdown),
    "starting up": of_psycopg(psycopg.errors.CannotConnectNow),
    "too many clients": of_psycopg(psycopg.errors.TooManyConnections),
    "closed": InterfaceError("hush"),
    "locked": of_sqlite(sqlite3.SQLITE_BUSY_TIMEOUT),
    "out of files": of_sqlite(sqlite3.SQLITE_CANTOPEN),
    "no Redis": redis.ConnectionError("hush"),
    "Redis is slow": redis.TimeoutError("hush"),
}
MISTAKES = {
    "no such table": of_sqlite(sqlite3.SQLITE_ERROR),
    "a deadlock": of_psycopg(psycopg.errors.DeadlockDetected),
    "ours": ValueError("hush"),
}


@pytest.mark.parametrize("error", AWAY.values(), ids=AWAY)
def test_while_a_part_is_away_people_and_programs_are_told_to_come_back(
    error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    errors[:] = [error]
    for address, kind in {"/fail/": "text/html; charset=utf-8", "/api/fail/": "application/problem+json"}.items():
        status, headers, body = ask(address)
        assert (status, headers["content-type"]) == (503, kind)
        assert 1 <= int(headers["retry-after"]) <= 10
        assert headers["cache-control"] == "no-store"
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "hush" not in body
    assert json.loads(body)["code"] == "try_again"
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert "hush" not in said


@pytest.mark.parametrize("error", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_of_ours_is_still_one(error: Exception) -> None:
    errors[:] = [error]
    status, headers, body = ask("/fail/")
    assert status == 500
    assert "retry-after" not in headers
    assert "hush" not in body


def test_threads_are_used_again_and_no_more_than_there_shall_be() -> None:
    gate.set()
    seen.clear()

    @async_to_sync
    async def scenario() -> list[int]:
        visitors = [Visitor("/gate/") for _ in range(10 * settings.WEB_THREADS)]
        for visitor in visitors:
            await visitor.come()
        return [(await visitor.answer())[0] for visitor in visitors]

    assert set(scenario()) == {200}
    assert 1 <= len(set(seen)) <= settings.WEB_THREADS
    assert all(name.startswith("pages") for name in seen)


def test_whoever_goes_away_while_waiting_is_not_served() -> None:
    gate.clear()
    seen.clear()

    @async_to_sync
    async def scenario() -> list[int]:
        served = [Visitor("/gate/") for _ in range(settings.WEB_THREADS)]
        for visitor in served:
            await visitor.come()
        while len(seen) < len(served):
            await asyncio.sleep(0.01)
        waiting = Visitor("/gate/")
        await waiting.come()
        await waiting.line.send_input({"type": "http.disconnect"})
        await waiting.line.wait(20)
        gate.set()
        return [(await visitor.answer())[0] for visitor in served]

    assert set(scenario()) == {200}
    assert ask("/known/")[0] == 200
    assert len(seen) == settings.WEB_THREADS


def test_places_are_free_again_when_everybody_has_left() -> None:
    gate.clear()

    @async_to_sync
    async def scenario() -> list[int]:
        places = settings.WEB_THREADS * (1 + handler.WAITING_FOR_EACH)
        inside = [Visitor("/gate/") for _ in range(places)]
        for visitor in inside:
            await visitor.come()
        await asyncio.sleep(0)
        late = Visitor("/gate/")
        await late.come()
        statuses = [(await late.answer())[0]]
        gate.set()
        statuses += [(await visitor.answer())[0] for visitor in inside]
        return statuses

    refused, *served = scenario()
    assert refused == 503
    assert set(served) == {200}
    assert ask("/gate/")[0] == 200


def test_programs_wait_for_each_other_and_nobody_for_them() -> None:
    """Whatever they ask for, and however many they are."""
    gate.clear()
    seen.clear()
    token = {"authorization": "Bearer catan_" + "x" * 43}

    @async_to_sync
    async def scenario() -> list[int]:
        places = handler.PROGRAMS * (1 + handler.PROGRAMS_WAITING_FOR_EACH)
        methods = ["GET", "POST"] * (places // 2)
        inside = [Visitor("/api/gate/", method, **token) for method in methods]
        for program in inside:
            await program.come()
        while len(seen) < handler.PROGRAMS:
            await asyncio.sleep(0.01)
        late = Visitor("/api/gate/", "POST", **token)
        await late.come()
        assert (await late.answer())[0] == 503
        page, look, health = Visitor("/known/"), Visitor("/api/fail/"), Visitor("/healthz", **token)
        for visitor in (page, look, health):
            await visitor.come()
        answered = [(await visitor.answer())[0] for visitor in (page, look, health)]
        assert len(seen) == handler.PROGRAMS, "the programs are still where they were"
        gate.set()
        return answered + [(await program.answer())[0] for program in inside]

    errors[:] = [OperationalError("hush")]
    errors[0].__cause__ = psycopg.OperationalError("hush")
    page, look, health, *programs = scenario()
    assert (page, look, health) == (200, 503, 200)
    assert set(programs) == {200}
    assert {name.rpartition("_")[0] for name in seen} == {"programs"}


def test_what_is_known_of_one_request_is_not_known_of_the_next() -> None:
    assert [ask("/known/")[2] for _ in range(3 * settings.WEB_THREADS)] == ['["request_id"]'] * 3 * settings.WEB_THREADS


def test_a_stream_and_a_file_arrive_whole_and_are_closed() -> None:
    finished: list[object] = []

    def note(**_: Any) -> None:
        finished.append(True)

    request_finished.connect(note)
    try:
        status, headers, body = ask("/stream/")
        assert (status, headers["x-harbor"], body) == (200, "3:1", "brick, lumber")
        assert ask("/file/")[2] == (ROOT / "LICENSE").read_text()
    finally:
        request_finished.disconnect(note)
    # Each request is over once. A file that stayed open would be a warning, and fail this test.
    assert len(finished) == 2
