"""An open chat hears that there is a newer line, and not what it says."""

from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.test import Client
from django.utils import timezone

from games.models import Game
from lobby import chat
from lobby.models import ChatLine, User
from tests.games.playing import new_game
from tests.sockets import PATIENCE, Socket

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(alice: User) -> Game:
    return new_game(users=[alice])


def say(game: Game, person: User, text: str) -> int:
    return chat.say(game.pk, person, text, now=timezone.now())


def hide(number: int) -> None:
    chat.set_hidden(ChatLine.objects.get(number=number), True)


def test_every_line_is_heard_of_by_who_follows_the_chat_and_a_refusal_is_not(
    client: Client, game: Game, alice: User, dana: User
) -> None:
    other = new_game(users=[alice], seed="other")
    say(game, alice, "before")
    speak, moderate = database_sync_to_async(say), database_sync_to_async(hide)

    @async_to_sync
    async def scenario() -> tuple[list[Any], bool]:
        following = Socket(client, f"/ws/games/{game.pk}/chat/")
        elsewhere = [Socket(client, path) for path in (f"/ws/games/{other.pk}/chat/", f"/ws/games/{game.pk}/")]
        for socket in (following, *elsewhere):
            assert await socket.open()
        heard = [await following.receive()]
        for socket in elsewhere:
            await socket.receive()
        await speak(game, alice, "Hello")
        heard.append(await following.receive())
        for person, text, refusal in ((dana, "Hello", chat.NotSeated), (alice, " ", chat.BadLine)):
            with pytest.raises(refusal):
                await speak(game, person, text)
        await moderate(1)
        heard.append(await following.receive())
        quiet = [await socket.hears_nothing() for socket in elsewhere]
        for socket in (following, *elsewhere):
            await socket.close()
        return heard, all(quiet)

    assert scenario() == ([{"last": 1}, {"last": 2}, {"last": 2, "changed": 1}], True)


@pytest.mark.parametrize("nonsense", ["}{", "[]", '{"last": 99}', "x" * 70_000])
def test_what_is_said_to_the_socket_goes_unheard(client: Client, game: Game, alice: User, nonsense: str) -> None:
    @async_to_sync
    async def scenario() -> Any:
        socket = Socket(client, f"/ws/games/{game.pk}/chat/")
        await socket.open()
        greeting = await socket.receive()
        await socket.line.send_input({"type": "websocket.receive", "text": nonsense})
        await socket.line.send_input({"type": "websocket.receive", "bytes": b"\xff"})
        await database_sync_to_async(say)(game, alice, "Hello")
        heard = await socket.receive()
        await socket.close()
        return greeting, heard

    assert scenario() == ({"last": 0}, {"last": 1})
    assert ChatLine.objects.count() == 1


def test_a_game_that_is_not_there_has_no_chat(client: Client, db: None) -> None:
    @async_to_sync
    async def scenario() -> Any:
        socket = Socket(client, "/ws/games/4711/chat/")
        await socket.open()
        closing = await socket.line.receive_output(PATIENCE)
        await socket.close()
        return closing["type"], closing["code"]

    assert scenario() == ("websocket.close", 4404)
