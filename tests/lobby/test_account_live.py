"""A socket that was opened as somebody is closed when that is over, and whoever may opens it anew."""

from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client

from games import broadcast
from games.consumers import RESTARTING
from games.models import Game
from tests.sockets import Socket

from .conftest import opened
from .people import PASSWORD, sign_in, sign_up

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

NEW = "four ore for a city"


@pytest.fixture(autouse=True)
def _quick_and_forgetful(settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()


def end_others(browser: Client) -> Any:
    return browser.post("/account/sessions/")


def change_password(browser: Client) -> Any:
    return browser.post("/account/password/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})


def sign_out(browser: Client) -> Any:
    return browser.post("/sign-out/")


async def hears_news(socket: Socket, game: Game) -> bool:
    """Whether it is still told what happens, also who has come or gone meanwhile."""
    broadcast.tell(game.pk, {"news": "for the test"})
    while "news" not in await socket.receive():
        pass
    return True


@pytest.mark.parametrize("act", [end_others, change_password, sign_out])
def test_whoever_is_signed_out_reads_no_further(act: Callable[[Client], Any]) -> None:
    browser, stolen, watcher = Client(), Client(), Client()
    browser.post("/play-now/")
    sign_up(browser)
    sign_in(stolen)
    game = Game.objects.get()

    @async_to_sync
    async def scenario() -> tuple[int, bool]:
        sockets = [Socket(each, f"/ws/games/{game.pk}/") for each in (stolen, watcher)]
        for socket in sockets:
            assert await socket.open()
            await socket.receive()
        await database_sync_to_async(act)(browser)
        code = await sockets[0].closed_with()
        is_open = await hears_news(sockets[1], game)
        await sockets[1].close()
        return code, is_open

    code, others_are_open = scenario()
    assert code == RESTARTING, "the page comes back by itself, if it may"
    assert others_are_open


@pytest.mark.parametrize("act", [end_others, change_password, sign_out])
def test_whoever_is_signed_out_reads_no_further_at_a_table_for_invited_people(act: Callable[[Client], Any]) -> None:
    browser, stolen = Client(), Client()
    sign_up(browser)
    sign_in(stolen)
    table = opened(browser, preset="standard", visibility="invited")

    @async_to_sync
    async def scenario() -> int:
        socket = Socket(stolen, f"/ws/tables/{table.code}/")
        assert await socket.open()
        await socket.receive()
        await database_sync_to_async(act)(browser)
        return await socket.closed_with()

    assert scenario() == RESTARTING


def test_whoever_watches_on_one_device_and_plays_as_a_guest_on_another_watches_no_longer_once_they_are_one() -> None:
    """Those who play do not hear those who watch."""
    watching, playing = Client(), Client()
    sign_up(watching)
    playing.post("/play-now/")
    game = Game.objects.get()

    @async_to_sync
    async def scenario() -> int:
        socket = Socket(watching, f"/ws/games/{game.pk}/")
        assert await socket.open()
        await socket.receive()
        await database_sync_to_async(sign_in)(playing)
        return await socket.closed_with()

    assert scenario() == RESTARTING


def test_a_guests_page_comes_back_as_the_accounts() -> None:
    sign_up(Client())
    browser = Client()
    browser.post("/play-now/")
    game = Game.objects.get()

    @async_to_sync
    async def scenario() -> int:
        socket = Socket(browser, f"/ws/games/{game.pk}/")
        assert await socket.open()
        await socket.receive()
        await database_sync_to_async(sign_in)(browser)
        return await socket.closed_with()

    assert scenario() == RESTARTING
    assert browser.get(f"/games/{game.pk}/").context["page"]["viewer"] == 0


def test_a_guest_who_signs_up_keeps_the_open_page() -> None:
    browser = Client()
    browser.post("/play-now/")
    game = Game.objects.get()

    @async_to_sync
    async def scenario() -> bool:
        socket = Socket(browser, f"/ws/games/{game.pk}/")
        assert await socket.open()
        await socket.receive()
        await database_sync_to_async(sign_up)(browser)
        is_open = await hears_news(socket, game)
        await socket.close()
        return is_open

    assert scenario()
