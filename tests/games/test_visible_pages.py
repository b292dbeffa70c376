"""A page says whether it is before somebody's eyes: the one thing that a game's socket hears."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.test import Client

from games.consumers import MOST_SAID
from games.models import Connection, Game
from lobby.models import User
from tests.sockets import PATIENCE, Socket

from .playing import new_game

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]


def awaited(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @wraps(test)
    def run(**fixtures: Any) -> None:
        async_to_sync(test)(**fixtures)

    return run


SEEN, UNSEEN = '{"visible":true}', '{"visible":false}'


@pytest.fixture
def game(alice: User) -> Game:
    return new_game(seed="visible", users=[alice])


@pytest.fixture
def socket(alice: User, game: Game) -> Socket:
    client = Client()
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    return Socket(client, f"/ws/games/{game.pk}/")


async def say(socket: Socket, text: str) -> None:
    await socket.line.send_input({"type": "websocket.receive", "text": text})


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await database_sync_to_async(is_so)():
            await asyncio.sleep(0.02)


def is_seen() -> bool:
    return Connection.objects.filter(is_visible=True).exists()


@awaited
async def test_a_page_is_looked_at_as_long_as_it_says_so(socket: Socket) -> None:
    assert await socket.open()
    await socket.hear("greeting")
    await until(lambda: Connection.objects.exists())
    assert not await database_sync_to_async(is_seen)(), "a page that says nothing is not looked at"
    for text, seen in ((SEEN, True), (UNSEEN, False), (SEEN, True)):
        await say(socket, text)
        await until(lambda seen=seen: is_seen() is seen)  # type: ignore[misc]
    await socket.close()
    assert not await database_sync_to_async(is_seen)()


@awaited
async def test_of_many_changes_at_once_the_last_counts(socket: Socket) -> None:
    assert await socket.open()
    await socket.hear("greeting")
    for text in (SEEN, UNSEEN) * 20 + (SEEN,):
        await say(socket, text)
    await until(is_seen)
    await socket.close()


@pytest.mark.parametrize("text", ['{"visible":1}', '{"visible":true,"seat":1}', "true", "", "[" * 5000])
@awaited
async def test_anything_else_is_refused(socket: Socket, text: str) -> None:
    assert await socket.open()
    await socket.hear("greeting")
    await say(socket, text)
    assert await socket.closed_with() == 4400


@awaited
async def test_a_page_that_changes_its_mind_without_end_is_refused(socket: Socket) -> None:
    assert await socket.open()
    await socket.hear("greeting")
    for _ in range(MOST_SAID + 1):
        await say(socket, UNSEEN)
    assert await socket.closed_with() == 4400


@awaited
async def test_somebody_who_watches_is_not_asked_whether_they_look(game: Game) -> None:
    watcher = Socket(Client(), f"/ws/games/{game.pk}/")
    assert await watcher.open()
    await watcher.hear("greeting")
    await say(watcher, SEEN)
    await say(watcher, "hello")
    assert await watcher.closed_with() == 4400
    assert not await database_sync_to_async(Connection.objects.exists)()
