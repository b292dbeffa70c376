"""After a restart, everybody comes back at once."""

from __future__ import annotations

import asyncio
import json
import random

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from catan_site import doorway
from games.models import Connection, Presence
from lobby.models import User
from tests.games.playing import new_game
from tests.sockets import PATIENCE, Socket

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

BROWSERS, PAGES_OF_EACH = 10, 15


class Page:
    """Comes back until it is let in, as a page does."""

    def __init__(self, browser: Client, path: str) -> None:
        self.browser, self.path = browser, path
        self.was_told_to_wait = False

    async def open(self) -> object:
        while True:
            self.socket = Socket(self.browser, self.path)
            assert await self.socket.open()
            said = await self.socket.line.receive_output(PATIENCE)
            if said["type"] == "websocket.send":
                return json.loads(said["text"])
            assert said["code"] == doorway.TRY_AGAIN_LATER
            self.was_told_to_wait = True
            await asyncio.sleep(0.5 * random.random())


@async_to_sync
async def open_all_at_once(pages: list[Page]) -> list[object]:
    greetings = await asyncio.gather(*(page.open() for page in pages))
    await asyncio.gather(*(page.socket.close() for page in pages))
    return greetings


def test_a_herd_of_pages_is_let_in_some_at_a_time_and_every_one_is_counted(alice: User) -> None:
    game = new_game(seed="herd", users=[alice])
    browsers = [Client() for _ in range(BROWSERS)]
    for browser in browsers:
        browser.force_login(alice)
    pages = [Page(browser, f"/ws/games/{game.pk}/") for browser in browsers for _ in range(PAGES_OF_EACH)]
    greeting = {"greeting": {"version": 0, "revision": 0, "chat": 0, "watching": "", "waiting": 0}}
    assert open_all_at_once(pages) == [greeting] * len(pages)
    told_to_wait = [page for page in pages if page.was_told_to_wait]
    assert len(told_to_wait) == len(pages) - doorway.ARRIVING_AT_ONCE
    assert not Connection.objects.exists()
    assert Presence.objects.get(seat__user=alice).gone_at
