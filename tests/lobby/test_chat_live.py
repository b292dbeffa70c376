"""Everybody at a game's page hears what is said there, over the page's one socket."""

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
from tests.sockets import Socket

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(alice: User) -> Game:
    return new_game(users=[alice])


def say(game: Game, person: User, text: str) -> int:
    return chat.say(game.pk, person, text, now=timezone.now())


def hide(number: int) -> None:
    chat.set_hidden(ChatLine.objects.get(number=number), True)


def line(number: int, text: str, *, hidden: bool = False) -> dict[str, Any]:
    return {"number": number, "name": "Alice", "colour": "red", "emblem": "▲", "text": text, "hidden": hidden}


def lines_in(frame: Any) -> tuple[int, list[dict[str, Any]]]:
    """What a frame brings of the chat, but for the time at which it was said."""
    chat_news = frame["chat"]
    return chat_news["last"], [{key: said[key] for key in said if key != "said_at"} for said in chat_news["lines"]]


def test_every_line_is_heard_by_who_is_at_the_page_and_a_refusal_is_not(
    client: Client, game: Game, alice: User, dana: User
) -> None:
    other = new_game(users=[alice], seed="other")
    say(game, alice, "before")
    speak, moderate = database_sync_to_async(say), database_sync_to_async(hide)

    @async_to_sync
    async def scenario() -> tuple[Any, list[Any], bool]:
        following, elsewhere = (Socket(client, f"/ws/games/{each.pk}/") for each in (game, other))
        for socket in (following, elsewhere):
            assert await socket.open()
        greeting = await following.receive()
        await elsewhere.receive()
        await speak(game, alice, "Hello")
        heard = [await following.receive()]
        for person, text, refusal in ((dana, "Hello", chat.NotSeated), (alice, " ", chat.BadLine)):
            with pytest.raises(refusal):
                await speak(game, person, text)
        await moderate(1)
        heard.append(await following.receive())
        is_quiet = await elsewhere.hears_nothing()
        for socket in (following, elsewhere):
            await socket.close()
        return greeting, heard, is_quiet

    greeting, heard, is_quiet_elsewhere = scenario()
    assert greeting == {"greeting": {"version": 0, "revision": 0, "chat": 1}}
    assert [lines_in(frame) for frame in heard] == [
        (2, [line(2, "Hello")]),
        (2, [line(1, chat.REMOVED, hidden=True)]),
    ]
    assert is_quiet_elsewhere
