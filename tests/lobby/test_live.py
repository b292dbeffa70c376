"""An open page of a table hears of every change, and of nothing else."""

import threading
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.test import Client
from django.utils import timezone

from games.rules import PRESETS, Refusal
from lobby import selectors, services
from lobby.models import Table, User
from tests.sockets import PATIENCE, Socket

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(alice: User) -> Table:
    return services.open_table(alice, "Alice", PRESETS["standard"], "balanced", None, now=timezone.now())


def test_every_change_is_heard_by_who_watches_and_a_refusal_is_not(client: Client, table: Table, alice: User) -> None:
    other = services.open_table(alice, "Alice", PRESETS["standard"], "balanced", None, now=timezone.now())

    sit_down, start = database_sync_to_async(services.sit_down), database_sync_to_async(services.start)

    @async_to_sync
    async def scenario() -> tuple[list[Any], bool]:
        watching, elsewhere = (Socket(client, f"/ws/tables/{code}/") for code in (table.code, other.code))
        for socket in (watching, elsewhere):
            await socket.open()
        heard = [await watching.receive()]
        await elsewhere.receive()
        await sit_down(table.code, User.guest("Bob"), "Bob", 1)
        heard.append(await watching.receive())
        with pytest.raises(Refusal):
            await sit_down(table.code, User.guest("Eve"), "Eve", 1)
        await start(table.code, alice, fill_with_bots=True, now=timezone.now())
        heard.append(await watching.receive())
        quiet = await elsewhere.hears_nothing()
        for socket in (watching, elsewhere):
            await socket.close()
        return heard, quiet

    assert scenario() == ([{"version": 0, "chat": 0, "waiting": 0}, {"version": 1}, {"version": 2}], True)


def test_what_is_said_to_the_socket_goes_unheard(client: Client, table: Table) -> None:
    @async_to_sync
    async def scenario() -> list[Any]:
        socket = Socket(client, f"/ws/tables/{table.code}/")
        await socket.open()
        heard = [await socket.receive()]
        for nonsense in ({"text": "}{"}, {"bytes": b"\xff"}):
            await socket.line.send_input({"type": "websocket.receive", **nonsense})
        await database_sync_to_async(services.sit_down)(table.code, User.guest("Bob"), "Bob", 1)
        heard.append(await socket.receive())
        await socket.close()
        return heard

    assert scenario() == [{"version": 0, "chat": 0, "waiting": 0}, {"version": 1}]


def test_a_socket_reads_outside_the_thread_that_all_sockets_share(
    client: Client, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_in = set()

    def version(code: str, person: User) -> int:
        read_in.add(threading.get_ident())
        return 7

    monkeypatch.setattr(selectors, "version", version)

    @async_to_sync
    async def scenario() -> tuple[Any, int]:
        socket = Socket(client, f"/ws/tables/{table.code}/")
        await socket.open()
        greeting = await socket.receive()
        await socket.close()
        return greeting, await database_sync_to_async(threading.get_ident)()

    greeting, shared = scenario()
    assert greeting == {"version": 7, "chat": 0, "waiting": 0}
    assert read_in
    assert shared not in read_in


@pytest.mark.parametrize("code", ["nosuchcode", "x" * 500])
def test_a_table_that_is_not_there_has_no_socket(client: Client, db: None, code: str) -> None:
    @async_to_sync
    async def scenario() -> Any:
        socket = Socket(client, f"/ws/tables/{code}/")
        await socket.open()
        closing = await socket.line.receive_output(PATIENCE)
        await socket.close()
        return closing["type"], closing["code"]

    assert scenario() == ("websocket.close", 4404)
