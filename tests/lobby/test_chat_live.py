"""Everybody at a page hears what is said there, over the page's one socket, but for what is not for them."""

from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.test import Client
from django.utils import timezone

from games.models import Game
from lobby import blocks, chat, hearing, rooms, services
from lobby.models import ChatLine, Table, User
from lobby.refusals import NotSeated
from lobby.rooms import Room
from tests.games.playing import new_game
from tests.sockets import Socket

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob")


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return new_game(users=[alice, bob])


def say(room: Room, person: User, text: str) -> int:
    return chat.say(room, person, text, now=timezone.now())


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def hide(number: int) -> None:
    chat.set_hidden(ChatLine.objects.get(number=number), True)


def line(number: int, text: str, *, hidden: bool = False) -> dict[str, Any]:
    said_by = {"name": "Alice", "colour": "red", "emblem": "▲", "is_bot_account": False}
    return {"number": number, **said_by, "text": text, "hidden": hidden}


def news_in(news: Any) -> tuple[str, int, int, Any]:
    """What is new in a chat, but for the time at which it was said."""
    said = news["line"] and {key: news["line"][key] for key in news["line"] if key != "said_at"}
    return news["room"], news["number"], news["last"], said


async def opened(client: Client, path: str) -> Socket:
    socket = Socket(client, path)
    assert await socket.open()
    return socket


def test_every_line_is_heard_by_who_is_at_the_page_and_a_refusal_is_not(
    client: Client, game: Game, alice: User, dana: User
) -> None:
    room, other = rooms.of_players(game.pk), rooms.of_players(new_game(users=[alice], seed="other").pk)
    say(room, alice, "before")
    speak, moderate = database_sync_to_async(say), database_sync_to_async(hide)

    @async_to_sync
    async def scenario() -> tuple[Any, list[Any], Any]:
        following, elsewhere = [await opened(client, f"/ws/games/{each.game_id}/") for each in (room, other)]
        greeting = await following.receive()
        await elsewhere.receive()
        await speak(room, alice, "Hello")
        heard = [await following.hear("chat")]
        for person, text, refusal in ((dana, "Hello", NotSeated), (alice, " ", chat.BadLine)):
            with pytest.raises(refusal):
                await speak(room, person, text)
        await moderate(1)
        heard.append(await following.hear("chat"))
        # Nothing of all that was heard elsewhere before this.
        await speak(other, alice, "Here")
        heard_elsewhere = await elsewhere.hear("chat")
        for socket in (following, elsewhere):
            await socket.close()
        return greeting, heard, heard_elsewhere

    greeting, heard, heard_elsewhere = scenario()
    assert greeting == {"greeting": {"version": 0, "revision": 0, "chat": 1, "watching": "", "waiting": 0}}
    assert [news_in(news) for news in heard] == [
        ("players", 2, 2, line(2, "Hello")),
        ("players", 1, 2, line(1, chat.REMOVED, hidden=True)),
    ]
    assert news_in(heard_elsewhere) == ("players", 1, 1, line(1, "Here"))


def test_the_watchers_hear_each_other_and_no_player_hears_them_before_the_end(
    client: Client, game: Game, alice: User, dana: User
) -> None:
    watchers, players = rooms.of_watchers(game.pk), rooms.of_players(game.pk)
    say(watchers, dana, "Is anybody here?")
    speak = database_sync_to_async(say)
    player = signed_in(alice)
    end = database_sync_to_async(lambda: Game.objects.filter(pk=game.pk).update(status=Game.Status.ABORTED))

    @async_to_sync
    async def scenario() -> tuple[list[Any], Any, Any]:
        path = f"/ws/games/{game.pk}/"
        watching, playing = await opened(client, path), await opened(player, path)
        await watching.receive()
        await playing.receive()
        heard = [await watching.hear("chat")]
        await speak(watchers, dana, "Poor Bob")
        heard.append(await watching.hear("chat"))
        # The first that a player hears is what a player says.
        await speak(players, alice, "My turn")
        heard_by_player = await playing.hear("chat")
        await playing.close()
        await end()
        after_the_end = await opened(player, path)
        await after_the_end.receive()
        read_after_the_end = await after_the_end.hear("chat")
        for socket in (watching, after_the_end):
            await socket.close()
        return heard, heard_by_player, read_after_the_end

    heard, heard_by_player, after_the_end = scenario()
    assert [news["room"] for news in heard] == ["watchers"] * 2
    assert news_in(heard[0]) == ("watchers", 0, 1, None)
    assert heard[1]["line"]["text"] == "Poor Bob"
    assert news_in(heard_by_player) == ("players", 1, 1, line(1, "My turn"))
    assert news_in(after_the_end) == ("watchers", 0, 2, None)


@pytest.mark.parametrize("keep_away", [hearing.mute, blocks.block])
def test_what_somebody_does_not_want_to_read_is_not_sent_to_them(
    game: Game, alice: User, bob: User, keep_away: Callable[..., None]
) -> None:
    room = rooms.of_players(game.pk)
    browsers = [signed_in(bob), signed_in(alice)]
    speak, turn_away = database_sync_to_async(say), database_sync_to_async(keep_away)

    @async_to_sync
    async def scenario() -> tuple[list[Any], list[Any]]:
        reader, speaker = [await opened(browser, f"/ws/games/{game.pk}/") for browser in browsers]
        await reader.receive()
        await speaker.receive()
        await turn_away(bob, alice, now=timezone.now())
        told = [await reader.hear("chat_anew")]
        await speak(room, alice, "Hello Bob")
        told.append(await reader.hear("chat"))
        # Nobody tells Alice: the first that she hears is her own line.
        heard = [await speaker.hear("chat")]
        await speak(room, bob, "Hello all")
        heard.append(await speaker.hear("chat"))
        for socket in (reader, speaker):
            await socket.close()
        return told, heard

    told, heard = scenario()
    assert told[0] is True
    assert news_in(told[1]) == ("players", 1, 1, None)
    assert news_in(heard[0]) == ("players", 1, 1, line(1, "Hello Bob"))
    is_blocked = keep_away is blocks.block
    assert (heard[1]["line"] is None) == is_blocked


def test_a_table_brings_what_is_said_there(client: Client, table: Table) -> None:
    host, room = table.host, rooms.of_table(table.code)
    speak = database_sync_to_async(say)

    @async_to_sync
    async def scenario() -> list[Any]:
        socket = await opened(client, f"/ws/tables/{table.code}/")
        heard = [await socket.receive()]
        await speak(room, host, "Welcome")
        heard.append(await socket.receive())
        await database_sync_to_async(services.stand_up)(table.code, host, now=timezone.now())
        heard.append(await socket.receive())
        await socket.close()
        return heard

    greeting, said, changed = scenario()
    assert (greeting, changed) == ({"version": 0, "chat": 0, "waiting": 0}, {"version": 1})
    assert said["chat"]["line"]["text"] == "Welcome"


def test_everybody_sees_how_many_watch(client: Client, game: Game, alice: User, dana: User) -> None:
    path, player, watcher = f"/ws/games/{game.pk}/", signed_in(alice), signed_in(dana)

    @async_to_sync
    async def scenario() -> None:
        playing = await opened(player, path)
        await playing.receive()

        async def sees(count: str) -> None:
            # Of two who come at once, each may tell of both.
            while await playing.hear("watching") != count:
                pass

        pages = [await opened(client, path)]
        await sees("1")
        # One person at two pages counts once.
        pages += [await opened(watcher, path) for _ in range(2)]
        await sees("2")
        pages.append(await opened(client, path))
        await sees("3")
        late = await opened(client, path)
        greeting = (await late.receive())["greeting"]
        assert greeting["watching"] == "3"
        for socket in (*pages, late):
            await socket.close()
        await sees("")
        await playing.close()

    scenario()
