"""A program opens a socket with its token, and hears what its person does."""

from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from api import tokens
from api.gapless import TOO_OFTEN
from api.models import Token
from api.stream import UNKNOWN
from catan_site.doorway import OF_A_SESSION, TOO_MANY, Doorway
from catan_site.visitors import Known
from games.consumers import RESTARTING
from games.models import Game
from lobby import restrictions
from lobby.consumers import NO_SUCH_PLACE, SHUT_OUT
from lobby.models import User
from tests.games.playing import new_game
from tests.sockets import PATIENCE, Socket

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

FOREIGN = "https://elsewhere.example"


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Which nobody watches but those who play."""
    game = new_game("standard turn_order=seat_order", users=[alice, bob])
    Game.objects.update(spectators_allowed=False)
    return game


def make(person: User, scope: str = "read") -> tuple[Token, str]:
    return tokens.make(person, "My bot", scope, now=timezone.now())


def path(game: Game) -> str:
    return f"/ws/games/{game.pk}/"


def program(game: Game, text: str, client: Client | None = None, origin: str | None = None) -> Socket:
    return Socket(client or Client(), path(game), origin=origin, authorization=f"Bearer {text}")


async def answer(socket: Socket) -> Any:
    """The code with which a socket is closed, or what it greets with; nothing, if it is not even opened."""
    if not await socket.open():
        return None
    said = await socket.line.receive_output(PATIENCE)
    if said["type"] == "websocket.close":
        return said["code"]
    await socket.close()
    return "greeting"


answered = async_to_sync(answer)


@pytest.mark.parametrize("scope", ["read", "play"])
def test_a_program_hears_of_the_game_of_its_person(game: Game, alice: User, scope: str) -> None:
    assert answered(program(game, make(alice, scope)[1])) == "greeting"


def test_the_program_of_somebody_else_does_not(game: Game, charlie: User) -> None:
    assert answered(program(game, make(charlie)[1])) == NO_SUCH_PLACE


def test_a_page_of_another_site_opens_none_whatever_it_sends(game: Game, alice: User) -> None:
    text = make(alice)[1]
    assert [answered(program(game, text, origin=origin)) for origin in (FOREIGN, "null", "")] == [None] * 3
    assert answered(program(game, text, origin="http://localhost")) == "greeting"


@pytest.mark.parametrize("authorization", [None, "", "Basic YWxpY2U6c2hlZXA="])
def test_without_origin_and_token_a_cookie_opens_none(
    game: Game, alice: User, client: Client, authorization: str | None
) -> None:
    client.force_login(alice)
    assert answered(Socket(client, path(game), origin=None, authorization=authorization)) is None


@pytest.mark.parametrize("text", ["", "catan_x", "catan_" + 43 * "x", "catan_" + 43 * "é", "x" * 50_000])
def test_what_is_no_token_opens_none_even_beside_a_session(game: Game, alice: User, client: Client, text: str) -> None:
    client.force_login(alice)
    assert answered(program(game, text, client)) == UNKNOWN


def test_an_address_that_keeps_sending_unknown_tokens_is_told_to_come_later(
    game: Game, alice: User, settings: LazySettings
) -> None:
    settings.API_READS_A_MINUTE = 2
    unknown = "catan_" + 43 * "x"
    assert [answered(program(game, unknown)) for _ in range(3)] == [UNKNOWN, UNKNOWN, TOO_OFTEN]
    assert answered(program(game, make(alice)[1])) == TOO_OFTEN


def test_a_token_counts_and_not_the_session_beside_it(game: Game, alice: User, charlie: User, client: Client) -> None:
    client.force_login(alice)
    assert answered(program(game, make(charlie)[1], client, origin="http://localhost")) == NO_SUCH_PLACE


def test_the_program_of_a_banned_person_is_shut_out(game: Game, alice: User) -> None:
    text = make(alice)[1]
    restrictions.ban(alice, restrictions.FOR_GOOD, now=timezone.now())
    assert answered(program(game, text)) == SHUT_OUT


@pytest.mark.parametrize("all_of_them", [False, True])
def test_a_revoked_token_closes_what_it_has_opened_and_opens_nothing_more(
    game: Game, alice: User, bob: User, all_of_them: bool
) -> None:
    (token, text), (_, bobs) = make(alice), make(bob)

    def revoke() -> None:
        if all_of_them:
            tokens.revoke_all(alice)
        else:
            tokens.revoke(alice, token.pk)

    @async_to_sync
    async def scenario() -> tuple[int, Any]:
        mine, theirs = program(game, text), program(game, bobs)
        for socket in (mine, theirs):
            await socket.open()
            await socket.hear("greeting")
        await database_sync_to_async(revoke)()
        code = await mine.closed_with()
        later = await answer(program(game, text))
        await theirs.close()
        return code, later

    assert scenario() == (RESTARTING, UNKNOWN)


def test_a_token_that_is_revoked_while_its_socket_comes_in_is_told_nothing(alice: User) -> None:
    """The race: it was looked at before, and the socket hears of its person after."""
    token, text = make(alice)

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await database_sync_to_async(tokens.revoke)(alice, token.pk)
        await send({"type": "websocket.send", "text": "a hand"})

    @async_to_sync
    async def scenario() -> list[Any]:
        headers = [(b"authorization", f"Bearer {text}".encode())]
        line = ApplicationCommunicator(Doorway(Known(slow)), {"type": "websocket", "path": "/", "headers": headers})
        await line.send_input({"type": "websocket.connect"})
        heard = [await line.receive_output(PATIENCE) for _ in range(2)]
        await line.wait(PATIENCE)
        return [(said["type"], said.get("code")) for said in heard]

    assert scenario() == [("websocket.accept", None), ("websocket.close", UNKNOWN)]


def test_one_token_opens_so_many_sockets_and_another_its_own(alice: User) -> None:
    (_, first), (_, second) = make(alice), make(alice)

    async def stay(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": "hello"})
        await receive()

    @async_to_sync
    async def scenario() -> list[Any]:
        doorway = Doorway(stay)
        heard = []
        lines = []
        for number, text in enumerate([first] * (OF_A_SESSION + 1) + [second]):
            headers = [(b"authorization", f"Bearer {text}".encode()), (b"cookie", b"sessionid=%d" % number)]
            line = ApplicationCommunicator(doorway, {"type": "websocket", "path": "/", "headers": headers})
            await line.send_input({"type": "websocket.connect"})
            await line.receive_output(PATIENCE)
            said = await line.receive_output(PATIENCE)
            heard.append(said.get("text") or said["code"])
            lines.append(line)
        for line in lines:
            await line.send_input({"type": "websocket.disconnect", "code": 1000})
            await line.wait(PATIENCE)
        return heard

    assert scenario() == ["hello"] * OF_A_SESSION + [TOO_MANY, "hello"]
