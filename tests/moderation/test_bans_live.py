"""Every open socket of somebody who is banned closes within a second, and no new one opens."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from catan_site import visitors
from games import broadcast
from games.models import Connection, Seat
from lobby import banning, hearing, restrictions
from lobby.consumers import SHUT_OUT
from lobby.models import User, Watcher
from lobby.services import sit_down
from tests.games.playing import new_game
from tests.lobby.conftest import opened
from tests.sockets import Socket
from tests.staff import browser_of

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

A_SECOND = 1.0


@pytest.fixture(autouse=True)
def _nothing_counted_yet() -> None:
    cache.clear()


@pytest.fixture
def places(alice: User, bob: User, charlie: User) -> list[str]:
    """Wherever Alice can have a socket: she plays, watches, sits at a table and is staff."""
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    table = opened(browser_of(bob), preset="standard", name="Bob")
    sit_down(table.code, alice, "Alice")
    played, watched = new_game(users=[alice, bob]), new_game(users=[bob, charlie], seed=1)
    return [
        "/ws/front/",
        f"/ws/tables/{table.code}/",
        f"/ws/games/{played.pk}/",
        f"/ws/games/{watched.pk}/",
        "/ws/status/",
    ]


async def greeted(browser: Client, place: str) -> Socket:
    socket = Socket(browser, place)
    assert await socket.open()
    await socket.receive()
    return socket


async def settled() -> None:
    """The page of a game notes its arrival after the greeting; a socket that closes meanwhile waits for that."""
    while await database_sync_to_async(_are_unnoted)():
        await asyncio.sleep(0.01)


def _are_unnoted() -> bool:
    return not (Connection.objects.exists() and Watcher.objects.exists())


def ban(person: User) -> None:
    now = timezone.now()
    restrictions.ban(person, now + timedelta(hours=1), now=now)


def test_every_socket_closes_within_a_second_of_the_ban(places: list[str], alice: User, bob: User) -> None:
    browser, other = browser_of(alice), browser_of(bob)

    @async_to_sync
    async def scenario() -> tuple[list[int], float]:
        sockets = [await greeted(browser, place) for place in places]
        watching = await greeted(other, places[2])
        await settled()
        begun = asyncio.get_running_loop().time()
        acting = asyncio.create_task(database_sync_to_async(ban)(alice))
        codes = await asyncio.gather(*(closing(socket) for socket in sockets))
        took = asyncio.get_running_loop().time() - begun
        await acting
        for socket in sockets:
            await socket.close()
        broadcast.tell(int(places[2].split("/")[3]), {"news": "for the test"})
        while "news" not in await watching.receive():
            pass
        await watching.close()
        return codes, took

    codes, took = scenario()
    assert codes == [SHUT_OUT] * len(places), "a code of its own, by which the page loads anew"
    assert took < A_SECOND
    assert seat_of_alice().player == Seat.Player.STAND_IN, "by the time the ban is carried out"


async def closing(socket: Socket) -> int:
    while (said := await socket.line.receive_output(A_SECOND))["type"] != "websocket.close":
        pass
    return int(said["code"])


def seat_of_alice() -> Seat:
    return Seat.objects.get(user__username="alice")


def test_no_socket_opens_for_the_banned(places: list[str], alice: User) -> None:
    browser = browser_of(alice)
    ban(alice)

    @async_to_sync
    async def scenario() -> list[int]:
        codes = []
        for place in places:
            socket = Socket(browser, place)
            assert await socket.open(), "a browser reads the code of a socket that was open alone"
            codes.append(await socket.closed_with())
        return codes

    assert scenario() == [SHUT_OUT] * len(places)
    assert not Connection.objects.exists()


def test_after_the_ban_they_open_again(places: list[str], alice: User) -> None:
    browser = browser_of(alice)
    ban(alice)
    restrictions.lift_ban(alice)

    @async_to_sync
    async def scenario() -> None:
        for place in places:
            await (await greeted(browser, place)).close()

    scenario()


@contextmanager
def looked_up_before_the_ban(monkeypatch: pytest.MonkeyPatch, alice: User) -> Iterator[None]:
    """The race: a socket was let in, and the ban is told before it listens."""
    before = User.objects.get(pk=alice.pk)
    ban(alice)
    with monkeypatch.context() as patch:
        patch.setattr(visitors, "_user_of", lambda _: before)
        yield


def test_a_socket_on_its_way_in_finds_out_by_itself(
    places: list[str], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = browser_of(alice)

    @async_to_sync
    async def scenario() -> list[int]:
        codes = []
        for place in places:
            socket = Socket(browser, place)
            assert await socket.open()
            codes.append(await socket.closed_with())
        return codes

    with looked_up_before_the_ban(monkeypatch, alice):
        assert scenario() == [SHUT_OUT] * len(places)


def test_a_word_that_was_lost_is_said_again_by_the_next_round(
    places: list[str], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At games, where something is read; whoever plays them, and whoever watches."""
    browser = browser_of(alice)

    def ban_unheard() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(hearing.broadcast, "send", lambda *_: None)
            ban(alice)

    @async_to_sync
    async def scenario() -> list[int]:
        sockets = [await greeted(browser, place) for place in places[2:4]]
        await settled()
        await database_sync_to_async(ban_unheard)()
        await database_sync_to_async(banning.sweep)(timezone.now())
        return [await socket.closed_with() for socket in sockets]

    assert scenario() == [SHUT_OUT] * 2


def test_whoever_is_banned_counts_as_gone(places: list[str], alice: User) -> None:
    browser = browser_of(alice)

    @async_to_sync
    async def scenario() -> None:
        sockets = [await greeted(browser, place) for place in places[2:4]]
        await settled()
        await database_sync_to_async(ban)(alice)
        for socket in sockets:
            await socket.closed_with()

    scenario()
    assert not Connection.objects.exists()
    assert not Watcher.objects.exists()
    seat = seat_of_alice()
    assert seat.presence.gone_at is not None


def test_a_mute_closes_nothing(places: list[str], alice: User) -> None:
    browser = browser_of(alice)

    @async_to_sync
    async def scenario() -> bool:
        socket = await greeted(browser, "/ws/front/")
        await database_sync_to_async(restrictions.mute)(alice, restrictions.FOR_GOOD)
        is_open = await socket.hears_nothing()
        await socket.close()
        return is_open

    assert scenario()
