"""Whoever still looks at the end of a game hears of its rematch, over the page's one socket."""

from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.test import Client
from django.utils import timezone

from games import broadcast
from games.models import Game
from games.services import abort
from lobby import services
from lobby.models import User
from tests.games.playing import new_game
from tests.sockets import Socket

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

NEWS = {"sentence": "Alice wants a rematch.", "join": "Join the rematch"}


@pytest.fixture
def game(alice: User) -> Game:
    game = new_game(users=[alice])
    abort(game.pk, now=timezone.now())
    return game


def test_open_pages_hear_of_a_rematch_once_and_later_ones_are_greeted_with_it(
    client: Client, game: Game, alice: User
) -> None:
    other = new_game(users=[alice], seed="other")
    open_rematch = database_sync_to_async(services.open_rematch)

    @async_to_sync
    async def scenario() -> list[Any]:
        following, elsewhere, late = (Socket(client, f"/ws/games/{each.pk}/") for each in (game, other, game))
        for socket in (following, elsewhere):
            assert await socket.open()
        heard = [await following.receive()]
        await elsewhere.receive()
        await open_rematch(game.pk, alice, now=timezone.now())
        heard.append(await following.hear("rematch"))
        await open_rematch(game.pk, alice, now=timezone.now())
        assert await late.open()
        heard.append(await late.receive())
        # Nothing more of it was heard before this.
        for told, socket in ((game, following), (other, elsewhere)):
            broadcast.tell(told.pk, {"mark": told.pk})
            assert await socket.hear("mark") == told.pk
        for socket in (following, elsewhere, late):
            await socket.close()
        return heard

    first, news, greeting = scenario()
    assert "rematch" not in first["greeting"]
    assert news == NEWS
    assert greeting["greeting"]["rematch"] == NEWS
