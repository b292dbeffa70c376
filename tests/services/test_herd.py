"""After a restart, everybody comes back at once."""

from __future__ import annotations

import asyncio

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from games.models import Connection, Game, Presence
from lobby.models import User
from tests.games.playing import new_game
from tests.sockets import Socket

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

PAGES = 150


@async_to_sync
async def open_all_at_once(browser: Client, game: Game) -> list[object]:
    sockets = [Socket(browser, f"/ws/games/{game.pk}/") for _ in range(PAGES)]

    async def greeting(socket: Socket) -> object:
        assert await socket.open()
        return await socket.receive()

    greetings = await asyncio.gather(*map(greeting, sockets))
    await asyncio.gather(*(socket.close() for socket in sockets))
    return greetings


def test_a_herd_of_pages_is_let_in_and_every_one_is_counted(alice: User) -> None:
    game = new_game(seed="herd", users=[alice])
    browser = Client()
    browser.force_login(alice)
    greetings = open_all_at_once(browser, game)
    assert greetings == [{"version": 0, "revision": 0}] * PAGES
    assert not Connection.objects.exists()
    assert Presence.objects.get(seat__user=alice).gone_at
