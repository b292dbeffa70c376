"""The news of a move fails after the commit: the move counts, once, and everybody still learns of it."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from deploy.children import free_port
from games import broadcast, selectors, services, snapshots
from games.models import Game, Move
from games.rules import legal_moves
from games.services import Played
from games.verification import differences
from lobby.models import User
from tests.sites import ROOT

from .playing import BOB, new_game, time_out
from .processes import environment

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


class RaisingLayer(InMemoryChannelLayer):
    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        raise OSError("the channel layer has gone")


def redis_layer(port: int) -> dict[str, Any]:
    return {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        "CONFIG": {"hosts": [f"redis://127.0.0.1:{port}/0"]},
    }


@pytest.fixture
def silent_port() -> Iterator[int]:
    """Somebody lets us connect and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture(params=["raises", "refuses", "hangs"])
def _broken_layer(
    request: pytest.FixtureRequest,
    settings: Settings,
    silent_port: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    layers = {
        "raises": {"BACKEND": f"{__name__}.RaisingLayer"},
        "refuses": redis_layer(free_port()),
        "hangs": redis_layer(silent_port),
    }
    monkeypatch.setattr(broadcast, "LIMIT", 0.1)
    settings.CHANNEL_LAYERS = {"default": layers[request.param]}


def play(game: Game, client_id: str) -> Played:
    _, snapshot = snapshots.read(game.pk)
    move = legal_moves(snapshot.state, snapshot.state.active)[0]
    return services.play_move(game.pk, move, version=snapshot.version, client_id=client_id, now=timezone.now())


@pytest.mark.usefixtures("_broken_layer")
def test_a_move_whose_news_fails_counts_once() -> None:
    game = new_game(seed="news")
    played = play(game, "an id")
    assert played.version == 1
    assert list(Move.objects.filter(game=game).values_list("number", "client_id")) == [(1, "an id")]
    assert differences(Game.objects.get(pk=game.pk)) == []
    assert time_out(game.pk).version == 2


@pytest.mark.usefixtures("_broken_layer")
def test_a_move_whose_news_fails_comes_with_the_next_catch_up(alice: User, bob: User, client: Client) -> None:
    game = new_game(seed="news", users=[alice, bob])
    played = play(game, "an id")
    missed = selectors.events_since(game.pk, 0, BOB)
    assert [happened["events"] for happened in missed] == [[event.seen_by(BOB) for event in played.events]]
    client.force_login(bob)
    answer = client.get(f"/api/v1/games/{game.pk}/moves/?after=0").json()
    assert answer == {"version": 1, "moves": missed}


@pytest.mark.usefixtures("_broken_layer")
def test_an_intervention_whose_news_fails_counts() -> None:
    game = new_game(seed="news")
    services.pause(game.pk, now=timezone.now())
    assert Game.objects.get(pk=game.pk).status == Game.Status.PAUSED


PLAY_TWO_MOVES = """
from time import perf_counter
from tests.games.playing import time_out

for _ in range(2):
    began = perf_counter()
    print(time_out({}).version, perf_counter() - began)
"""


def test_a_process_that_cannot_reach_redis_plays_on_and_keeps_nobody_waiting() -> None:
    """Neither the news can be told nor a task be queued for the deadline: beat's sweep will find that."""
    game = new_game(seed="news", pace="fast")
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", PLAY_TWO_MOVES.format(game.pk)],
        cwd=ROOT,
        env=environment() | {"REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"},
        capture_output=True,
        text=True,
    )
    versions, seconds = zip(*map(str.split, done.stdout.splitlines()), strict=True)
    assert versions == ("1", "2"), done.stderr
    assert max(map(float, seconds)) < 3
    assert [happened["version"] for happened in selectors.events_since(game.pk, 0, None)] == [1, 2]
    game.refresh_from_db()
    assert differences(game) == []
    assert game.deadline
    assert time_out(game.pk).version == 3
