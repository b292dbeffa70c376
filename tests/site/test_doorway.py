"""How many sockets are let in, and what the others are told."""

from __future__ import annotations

import asyncio
import resource
from typing import Any

import pytest
import redis
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.db import OperationalError

from catan_site.doorway import (
    ARRIVING_AT_ONCE,
    OF_A_SESSION,
    OF_AN_ADDRESS,
    OTHER_FILES,
    TOO_MANY,
    TRY_AGAIN_LATER,
    Doorway,
)

ALICES, BOBS = "a" * 32, "b" * 32


async def greet(scope: Any, receive: Any, send: Any) -> None:
    """A socket that is greeted and then stays."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": "hello"})
    await receive()


async def keep_waiting(scope: Any, receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    await receive()


class Visitor:
    def __init__(self, doorway: Doorway, session: str = "", address: str = "127.0.0.1") -> None:
        headers = [(b"cookie", f"theme=dark; sessionid={session}".encode())] if session else []
        scope = {"type": "websocket", "path": "/", "headers": headers, "client": (address, 1)}
        self.line = ApplicationCommunicator(doorway, scope)

    async def come(self) -> Any:
        """What is said first: a greeting, or the code of a refusal."""
        await self.line.send_input({"type": "websocket.connect"})
        assert (await self.line.receive_output(5))["type"] == "websocket.accept"
        if await self.line.receive_nothing():
            return None
        said = await self.line.receive_output(5)
        return said.get("text") or said["code"]

    async def go(self) -> None:
        await self.line.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.line.wait(5)


@async_to_sync
async def come_one_by_one(visitors: list[Visitor]) -> list[Any]:
    heard = [await visitor.come() for visitor in visitors]
    for visitor in visitors:
        await visitor.go()
    return heard


def test_one_person_has_so_many_sockets_and_another_has_their_own() -> None:
    doorway = Doorway(greet)
    alice = [Visitor(doorway, ALICES) for _ in range(OF_A_SESSION + 1)]
    assert come_one_by_one([*alice, Visitor(doorway, BOBS)]) == ["hello"] * OF_A_SESSION + [TOO_MANY, "hello"]
    assert come_one_by_one([Visitor(doorway, ALICES)]) == ["hello"], "those that closed do not count"


def test_an_address_has_so_many_sockets_but_for_this_machine() -> None:
    doorway = Doorway(greet)
    school = [Visitor(doorway, address="192.0.2.7") for _ in range(OF_AN_ADDRESS + 1)]
    others = [Visitor(doorway, address="192.0.2.8"), *(Visitor(doorway) for _ in range(OF_AN_ADDRESS + 1))]
    heard = come_one_by_one(school + others)
    assert heard == ["hello"] * OF_AN_ADDRESS + [TOO_MANY] + ["hello"] * len(others)


def test_a_household_of_the_new_addresses_is_one_address() -> None:
    doorway = Doorway(greet)
    home = [Visitor(doorway, address=f"2001:db8:0:1::{number:x}") for number in range(OF_AN_ADDRESS + 1)]
    heard = come_one_by_one([*home, Visitor(doorway, address="2001:db8:0:2::")])
    assert heard == ["hello"] * OF_AN_ADDRESS + [TOO_MANY, "hello"]


def test_so_many_are_greeted_at_a_time_and_the_others_come_later() -> None:
    doorway = Doorway(keep_waiting)

    @async_to_sync
    async def scenario() -> tuple[list[Any], Any]:
        waiting = [Visitor(doorway) for _ in range(ARRIVING_AT_ONCE)]
        heard = await asyncio.gather(*(visitor.come() for visitor in waiting))
        refused = await Visitor(doorway).come()
        for visitor in waiting:
            await visitor.go()
        doorway.application = greet
        assert await Visitor(doorway).come() == "hello", "whoever left without a greeting waits no more"
        return heard, refused

    assert scenario() == ([None] * ARRIVING_AT_ONCE, TRY_AGAIN_LATER)


def test_files_are_left_for_everything_else() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (OTHER_FILES + 3, before[1]))
    try:
        doorway = Doorway(greet)
        assert come_one_by_one([Visitor(doorway) for _ in range(4)]) == ["hello"] * 3 + [TRY_AGAIN_LATER]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.parametrize("error", [OperationalError("hush"), redis.ConnectionError("hush")])
@pytest.mark.parametrize("said", [[], ["accept"], ["accept", "send"]], ids=["at once", "accepted", "greeted"])
def test_a_socket_whose_database_is_away_is_told_to_come_later(error: Exception, said: list[str]) -> None:
    async def fail(scope: Any, receive: Any, send: Any) -> None:
        for kind in said:
            await send({"type": f"websocket.{kind}"})
        raise error

    @async_to_sync
    async def scenario() -> list[Any]:
        heard: list[Any] = []

        async def hear(message: Any) -> None:
            heard.append(message)

        async def never() -> Any:
            await asyncio.Event().wait()

        doorway: Any = Doorway(fail)
        await doorway({"type": "websocket", "headers": [], "client": None}, never, hear)
        assert (doorway.arriving, doorway.inside, doorway.inside_of) == (0, 0, {})
        return heard

    *first, last = scenario()
    assert [message["type"].removeprefix("websocket.") for message in first] == (said or ["accept"])
    assert (last["type"], last["code"]) == ("websocket.close", TRY_AGAIN_LATER)


def test_a_mistake_of_ours_is_not_hidden() -> None:
    async def fail(scope: Any, receive: Any, send: Any) -> None:
        raise ValueError("hush")

    async def nothing(*_: Any) -> Any:
        return {"type": "websocket.connect"}

    doorway: Any = Doorway(fail)
    with pytest.raises(ValueError, match="hush"):
        async_to_sync(doorway)({"type": "websocket", "headers": [], "client": None}, nothing, nothing)
    assert doorway.arriving == 0


def test_whoever_is_not_greeted_in_time_is_told_to_come_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catan_site.doorway.GREETED_WITHIN", 0.3)
    late: list[str] = []

    async def hang(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        assert (await receive())["type"] == "websocket.disconnect"
        await send({"type": "websocket.accept"})
        late.append("greeted")

    @async_to_sync
    async def scenario() -> tuple[int, bool]:
        doorway = Doorway(hang)
        visitor = Visitor(doorway)
        await visitor.line.send_input({"type": "websocket.connect"})
        assert (await visitor.line.receive_output(5))["type"] == "websocket.accept"
        code = (await visitor.line.receive_output(5))["code"]
        assert doorway.arriving == 0
        await visitor.go()
        return code, await visitor.line.receive_nothing()

    assert scenario() == (TRY_AGAIN_LATER, True)
    assert late == ["greeted"], "it was, but nobody heard it"
