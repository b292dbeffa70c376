"""What a program is sent of a game, line by line."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from api import gapless, stream
from api.open_streams import open_streams
from catan_site import doorway
from games import selectors, services
from games.models import Connection, Game, Presence
from games.page import Mark, Page, dumps
from lobby import chat, restrictions, rooms, services as lobby_services
from lobby.models import User
from tests.api.streaming import PATIENCE, Reader, awaited
from tests.games.playing import ALICE, look, new_game, play_on, time_out
from tests.staff import browser_of

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

BEGINNING: Mark = {"version": 0, "revision": 0}

in_the_database = database_sync_to_async


@pytest.fixture(autouse=True)
def _nothing_counted_yet() -> None:
    cache.clear()


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return new_game(seed="stream", users=[alice, bob])


@pytest.fixture
def anybody() -> Client:
    return Client()


@pytest.fixture
def alices(alice: User) -> Client:
    return browser_of(alice)


def mark_of(page: Any) -> Mark:
    return {"version": page["version"], "revision": page["revision"]}


def after(mark: Mark) -> str:
    return f"after={mark['version']}&revision={mark['revision']}"


def as_sent(page: Page) -> Any:
    return json.loads(dumps(page))


async def opened(client: Client, game: Game, query: str = "") -> tuple[Reader, Any]:
    """A stream, and the page with which it begins."""
    reader = await Reader(client, game.pk, query).open()
    return reader, (await reader.line())["page"]


async def until_noted(count: int = 1) -> None:
    """The consumer notes an arrival after its greeting."""
    async with asyncio.timeout(PATIENCE):
        while await in_the_database(Connection.objects.count)() != count:
            await asyncio.sleep(0.01)


@awaited
async def test_a_stream_begins_with_the_page_as_its_reader_may_see_it(
    game: Game, alice: User, alices: Client, anybody: Client
) -> None:
    for client, viewer in ((alices, ALICE), (anybody, None)):
        reader, first = await opened(client, game)
        assert reader.status == 200
        assert reader.headers["content-type"] == "application/x-ndjson"
        assert reader.headers["cache-control"] == "private, no-store"
        assert reader.headers["x-accel-buffering"] == "no"
        assert reader.headers["x-content-type-options"] == "nosniff"
        assert "content-length" not in reader.headers
        wanted = as_sent(await in_the_database(look)(game, viewer))
        changing = {"now", "seats"}  # Somebody has just come.
        assert {k: v for k, v in first.items() if k not in changing} == {
            k: v for k, v in wanted.items() if k not in changing
        }
        assert first["viewer"] == viewer
        await reader.leave()


@awaited
async def test_each_move_is_a_line_that_begins_where_the_last_one_ended(game: Game, alices: Client) -> None:
    reader, last = await opened(alices, game)
    for _ in range(5):
        await in_the_database(time_out)(game.pk)
        news = await reader.hear("page")
        assert news["after"] == mark_of(last)
        assert news["version"] == last["version"] + 1
        assert {entry["version"] for entry in news["log"]} == {news["version"]}
        last = news
    await in_the_database(services.pause)(game.pk, now=timezone.now())
    news = await reader.hear("page")
    assert (news["after"], news["status"]) == (mark_of(last), "paused")
    await reader.leave()


@awaited
async def test_a_cut_at_any_point_loses_nothing_and_repeats_nothing(game: Game, alice: User, alices: Client) -> None:
    """Whenever the line is cut, and whatever is played meanwhile: while it is open, or before the next one is."""
    source = Random("cuts")
    told: list[Any] = []
    seen, most_missed = BEGINNING, 0
    play = in_the_database(play_on)
    for moves_between in [0, 1, 2, 75, 0, 3, 1, 0, 7, 2]:
        await play(game.pk, source, moves_between)
        reader, first = await opened(alices, game, after(seen))
        playing = asyncio.create_task(play(game.pk, source, source.randrange(6)))
        assert first["after"] == seen
        most_missed = max(most_missed, first["version"] - seen["version"])
        told += first["log"]
        seen = mark_of(first)
        for _ in range(source.randrange(4)):
            try:
                async with asyncio.timeout(0.05):
                    news = await reader.hear("page")
            except TimeoutError:
                break
            assert news["after"] == seen
            told += news["log"]
            seen = mark_of(news)
        await reader.leave()
        await playing
    reader, last = await opened(alices, game, after(seen))
    told += last["log"]
    await reader.leave()
    whole = await in_the_database(selectors.page_for)(
        game.pk, alice.pk, after=BEGINNING, whole=True, now=timezone.now()
    )
    assert mark_of(last) == mark_of(whole)
    assert told == as_sent(whole)["log"]
    assert most_missed > selectors.LOG_MOVES
