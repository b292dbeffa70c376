"""What a program is sent of a game, line by line."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from random import Random
from typing import Any

import psycopg
import pytest
from channels.db import database_sync_to_async
from django.conf import LazySettings
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from api import gapless, stream, tokens
from api.open_streams import open_streams
from catan_site import doorway
from games import broadcast, selectors, services, snapshots
from games.models import Connection, Game, Hand, Presence
from games.page import Mark, Page, dumps
from games.services.presence import LOST_AFTER
from lobby import chat, restrictions, rooms
from lobby.models import User
from tests.api.streaming import PATIENCE, Reader, awaited
from tests.games.playing import ALICE, BOB, look, new_game, play_on, seed_of, time_out
from tests.games.test_secrets import check
from tests.sockets import Socket
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


def happened(log: list[Any]) -> list[Any]:
    """Without the sentences: PostgreSQL keeps what is counted in an order of its own."""
    return [(entry["version"], entry["event"]) for entry in log]


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
    assert happened(told) == happened(as_sent(whole)["log"])
    assert most_missed > selectors.LOG_MOVES


@awaited
async def test_a_reader_who_is_slow_reads_what_they_missed_in_one_page(game: Game, bob: User, alices: Client) -> None:
    reader, first = await opened(alices, game)
    quick, _ = await opened(await in_the_database(browser_of)(bob), game)
    await until_noted(2)
    reader.reads.clear()
    moves = gapless.MOST_PAGES + 5
    await in_the_database(time_outs)(game.pk, moves)
    while (await quick.hear("page"))["version"] < moves:
        pass
    reader.reads.set()
    told, seen, pages = set(), mark_of(first), 0
    while seen["version"] < moves:
        news = await reader.hear("page")
        assert news["after"] == seen
        told |= {entry["version"] for entry in news["log"]}
        seen, pages = mark_of(news), pages + 1
    assert told == set(range(1, moves + 1))
    assert pages < moves, "they do not all wait for a reader"
    await reader.leave()
    await quick.leave()


def time_outs(game_id: int, count: int) -> None:
    for _ in range(count):
        time_out(game_id)


@awaited
async def test_whatever_order_pages_are_heard_in_each_thing_is_told_once(game: Game, alice: User) -> None:
    """As a socket may hear them: late, twice, out of order, or only that there is one."""
    pages = []
    for number in range(6):
        await in_the_database(time_out)(game.pk)
        page = await in_the_database(look)(game, ALICE, (number, 0))
        pages.append(dumps({"page": page}))
    mark = json.dumps({"mark": {"version": 6, "revision": 0}})
    greeting = json.dumps({"greeting": {"version": 0, "revision": 0}})
    source = Random(1)
    for _ in range(20):
        heard = [*pages, *source.sample(pages, 3), mark]
        source.shuffle(heard)
        said: list[Any] = []

        async def hear(message: Any, said: list[Any] = said) -> None:
            if message["type"] == "websocket.send":
                said.append(json.loads(message["text"])["page"])

        async def consumer(
            scope: Any, receive: Any, send: Any, heard: list[str] = heard, said: list[Any] = said
        ) -> None:
            await send({"type": "websocket.send", "text": greeting})
            for text in heard:
                await send({"type": "websocket.send", "text": text})
                await asyncio.sleep(source.choice([0, 0, 0.002]))
            async with asyncio.timeout(PATIENCE):
                while not said or said[-1]["version"] != 6:
                    await asyncio.sleep(0.001)

        scope = {"user": alice, "token": None, gapless.WANTED: gapless.Wanted(game.pk, {"version": 2, "revision": 0})}
        await gapless.Gapless(consumer)(scope, asyncio.Queue().get, hear)
        assert [page["after"]["version"] for page in said] == [2, *(page["version"] for page in said[:-1])]
        assert {entry["version"] for page in said for entry in page["log"]} == {3, 4, 5, 6}


# What passes beside the pages


@awaited
async def test_people_who_come_and_what_they_say_pass_as_they_are(game: Game, bob: User, alices: Client) -> None:
    reader, _ = await opened(alices, game)
    other, _ = await opened(await in_the_database(browser_of)(bob), game)
    while (await reader.hear("presence"))["seat"] != BOB:
        pass
    players, _ = await in_the_database(rooms.of_game)(game.pk)
    await in_the_database(chat.say)(players, bob, "Anyone for sheep?", now=timezone.now())
    assert (await reader.hear("chat"))["line"]["text"] == "Anyone for sheep?"
    for each in (reader, other):
        await each.leave()


@awaited
async def test_a_stream_says_that_it_is_alive_and_how_far_it_has_got(
    game: Game, anybody: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gapless, "HEARTBEAT", 0.02)
    reader, _ = await opened(anybody, game)
    assert await reader.hear("heartbeat") == BEGINNING
    await in_the_database(time_out)(game.pk)
    while (line := await reader.line()).keys() != {"page"}:
        pass
    while "heartbeat" not in (line := await reader.line()):
        pass
    assert line["heartbeat"] == {"version": 1, "revision": 0}
    await reader.leave()


# What nobody but its owner may know


@pytest.mark.slow
@awaited
async def test_no_line_of_a_whole_game_holds_what_its_reader_must_not_know(
    alice: User, bob: User, charlie: User, anybody: Client
) -> None:
    people = [alice, bob, charlie]
    game = await in_the_database(new_game)("standard points_to_win=8", seed="secret lines", users=people)
    browsers = [await in_the_database(browser_of)(person) for person in people]
    streams = {None: (await opened(anybody, game))[0]}
    streams |= {seat: (await opened(browser, game))[0] for seat, browser in enumerate(browsers)}
    await until_noted(3)
    seed = await in_the_database(seed_of)(game)
    source, kinds = Random(3), set()
    is_over = False
    while not is_over:
        assert await in_the_database(play_on)(game.pk, source, 5)
        version = await in_the_database(selectors.version)(game.pk)
        for viewer, reader in streams.items():
            while (line := await reader.line()).get("page", {}).get("version") != version:
                is_over = is_over or line.get("page", {}).get("phase") == "over"
                if not is_over:
                    check(line, viewer, seed)
            is_over = is_over or line["page"]["phase"] == "over"
            if not is_over:
                check(line, viewer, seed)
            assert line["page"]["viewer"] == viewer
            kinds |= {entry["event"]["kind"] for entry in line["page"]["log"]}
    for reader in streams.values():
        await reader.leave()
    assert kinds >= {"stole", "bought_card"}, "there was no secret to keep"


# Who is not let in


@awaited
async def test_what_is_wrong_with_a_request_is_a_problem_that_says_it(game: Game, alices: Client) -> None:
    fields = {"after=soon": "after", "after=1&revision=-1": "revision"}
    for query, field in fields.items():
        problem = await (await Reader(alices, game.pk, query).open()).refusal()
        assert [error["field"] for error in problem["errors"]] == [field]
    wrong: list[tuple[Reader, int, str]] = [
        (Reader(alices, game.pk + 1), 404, "no_such_game"),
        *((Reader(alices, game.pk, query), 400, "malformed") for query in fields),
        (Reader(alices, game.pk, "&".join(f"a{n}=1" for n in range(1001))), 400, "malformed"),
        (Reader(alices, game.pk, host="catan.invalid"), 400, "malformed"),
        *((Reader(alices, game.pk, method=method), 405, "method_not_allowed") for method in ("POST", "HEAD", "PUT")),
        (Reader(alices, game.pk, authorization="Bearer nonsense"), 401, "authentication_failed"),
    ]
    for reader, status, code in wrong:
        await reader.open()
        problem = await reader.refusal()
        assert (reader.status, problem["code"]) == (status, code)
        assert problem["detail"]
        assert reader.headers["cache-control"] == "no-store"
        assert reader.headers["content-length"]
        if status == 405:
            assert reader.headers["allow"] == "GET"
        if status == 401:
            assert reader.headers["www-authenticate"] == 'Bearer realm="catan"'
    assert await in_the_database(Connection.objects.count)() == 0


@awaited
async def test_where_https_is_asked_for_no_stream_goes_without(
    game: Game, alices: Client, settings: LazySettings
) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS = True, 60
    reader = await Reader(alices, game.pk, "after=1").open()
    await reader.answering
    assert reader.status == 301
    assert reader.headers["location"] == f"https://localhost/api/v1/games/{game.pk}/stream/?after=1"
    reader = Reader(alices, game.pk)
    reader.scope["scheme"] = "https"
    await reader.open()
    assert "page" in await reader.line()
    assert "max-age=60" in reader.headers["strict-transport-security"]
    await reader.leave()


@awaited
async def test_a_game_behind_closed_doors_is_for_those_who_play_it(game: Game, alices: Client, anybody: Client) -> None:
    await in_the_database(Game.objects.filter(pk=game.pk).update)(spectators_allowed=False)
    assert (await (await Reader(anybody, game.pk).open()).refusal())["code"] == "no_such_game"
    reader, first = await opened(alices, game)
    assert first["viewer"] == ALICE
    await reader.leave()


@awaited
async def test_one_person_has_so_many_streams_and_pages(
    game: Game, alices: Client, anybody: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doorway, "OF_A_SESSION", 3)
    open_ones = [(await opened(alices, game))[0] for _ in range(2)]
    socket = Socket(alices, f"/ws/games/{game.pk}/")
    assert await socket.open()
    refused = await Reader(alices, game.pk).open()
    assert (await refused.refusal())["code"] == "too_fast"
    assert refused.status == 429
    assert int(refused.headers["retry-after"]) >= 1
    other, _ = await opened(anybody, game)
    await socket.close()
    for reader in [*open_ones, other]:
        await reader.leave()
    again, _ = await opened(alices, game)
    await again.leave()


@awaited
async def test_streams_that_are_opened_too_often_are_told_to_slow_down(
    game: Game, alice: User, alices: Client, anybody: Client, settings: LazySettings
) -> None:
    settings.API_READS_A_MINUTE = 2
    _, text = await in_the_database(tokens.make)(alice, "My bot", "read", now=timezone.now())
    bots = {"authorization": f"Bearer {text}"}
    for _ in range(2):
        reader = await Reader(anybody, game.pk, **bots).open()
        await reader.line()
        await reader.leave()
    refused = await Reader(anybody, game.pk, **bots).open()
    assert (await refused.refusal())["code"] == "too_fast"
    assert refused.status == 429
    for client in (alices, anybody):
        somebody_else, _ = await opened(client, game)
        await somebody_else.leave()


@awaited
async def test_a_stream_counts_as_reading_of_its_token(game: Game, alice: User, settings: LazySettings) -> None:
    settings.API_READS_A_MINUTE = 1
    _, text = await in_the_database(tokens.make)(alice, "My bot", "read", now=timezone.now())
    reader = await Reader(Client(), game.pk, authorization=f"Bearer {text}").open()
    await reader.line()
    ask = in_the_database(Client(headers={"authorization": f"Bearer {text}"}).get)
    assert (await ask("/api/v1/me/")).status_code == 429
    await reader.leave()


@awaited
async def test_an_address_that_keeps_sending_unknown_tokens_is_sent_away(
    game: Game, anybody: Client, settings: LazySettings
) -> None:
    settings.API_READS_A_MINUTE = 2
    unknown = f"Bearer catan_{'x' * 43}"
    for code in ("authentication_failed", "authentication_failed", "too_fast"):
        reader = await Reader(anybody, game.pk, authorization=unknown).open()
        assert (await reader.refusal())["code"] == code


@awaited
async def test_when_many_come_at_once_some_come_later(
    game: Game, alices: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doorway, "ARRIVING_AT_ONCE", 0)
    reader = await Reader(alices, game.pk).open()
    assert (await reader.refusal())["code"] == "try_again"
    assert (reader.status, int(reader.headers["retry-after"]) >= 1) == (503, True)


@awaited
async def test_a_token_opens_a_stream_of_its_own_person(game: Game, alice: User, bob: User, alices: Client) -> None:
    _, text = await in_the_database(tokens.make)(bob, "My bot", "read", now=timezone.now())
    reader = await Reader(alices, game.pk, authorization=f"Bearer {text}").open()
    assert (await reader.line())["page"]["viewer"] == BOB, "whoever signs in beside it"
    await reader.leave()


# How it ends


@awaited
async def test_a_revoked_token_ends_its_stream_within_a_second(game: Game, bob: User, anybody: Client) -> None:
    token, text = await in_the_database(tokens.make)(bob, "My bot", "read", now=timezone.now())
    bobs = {"authorization": f"Bearer {text}"}
    reader = await Reader(anybody, game.pk, **bobs).open()
    await reader.line()
    await until_noted()
    async with asyncio.timeout(1):
        await in_the_database(tokens.revoke)(bob, token.pk)
        assert await reader.bye() == "restarting"
    refused = await Reader(anybody, game.pk, **bobs).open()
    assert (await refused.refusal())["code"] == "authentication_failed"


@pytest.mark.parametrize("way", ["session", "token"])
@awaited
async def test_a_ban_ends_a_stream_within_a_second_and_lets_none_in(
    game: Game, alice: User, alices: Client, anybody: Client, way: str
) -> None:
    headers = {}
    if way == "token":
        _, text = await in_the_database(tokens.make)(alice, "My bot", "play", now=timezone.now())
        alices, headers = anybody, {"authorization": f"Bearer {text}"}
    reader = await Reader(alices, game.pk, **headers).open()
    await reader.line()
    await until_noted()
    now = timezone.now()
    async with asyncio.timeout(1):
        await in_the_database(restrictions.ban)(alice, now + timedelta(hours=1), now=now)
        assert await reader.bye() == "banned"
    refused = await Reader(alices, game.pk, **headers).open()
    assert (await refused.refusal())["code"] == "banned"
    assert refused.status == 403


@awaited
async def test_whoever_goes_away_is_noted_as_gone(game: Game, alices: Client) -> None:
    reader, _ = await opened(alices, game)
    await until_noted()
    await reader.leave()
    assert not open_streams.held
    assert await in_the_database(Connection.objects.count)() == 0
    presence = await in_the_database(Presence.objects.get)(seat__game=game, seat__user__username="alice")
    assert presence.gone_at is not None
    assert (presence.lost_due - presence.gone_at) == LOST_AFTER


@awaited
async def test_a_server_that_restarts_says_so_and_nobody_is_missed_at_once(
    game: Game, alices: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_streams, "is_shut", False)
    reader, _ = await opened(alices, game)
    await until_noted()
    open_streams.shut()
    assert await reader.bye() == "restarting"
    presence = await in_the_database(Presence.objects.get)(seat__game=game, seat__user__username="alice")
    assert (presence.lost_due - presence.gone_at) > LOST_AFTER
    late = await Reader(alices, game.pk).open()
    assert (await late.refusal())["code"] == "restarting"
    assert not open_streams.held


@awaited
async def test_whoever_reads_nothing_is_given_up(game: Game, alices: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gapless, "PATIENCE", 0.05)
    monkeypatch.setattr(stream, "BYE_WITHIN", PATIENCE)
    reader, _ = await opened(alices, game)
    await until_noted()
    reader.reads.clear()
    await in_the_database(time_out)(game.pk)
    # The last line waits for a moment too: whoever reads again hears why it ended.
    while not next(iter(open_streams.held)).is_over:
        await asyncio.sleep(0.01)
    reader.reads.set()
    assert await reader.bye() == "too_slow"

    monkeypatch.setattr(stream, "BYE_WITHIN", 0.05)
    reader, _ = await opened(alices, game)
    reader.reads.clear()
    await in_the_database(time_out)(game.pk)
    async with asyncio.timeout(PATIENCE):
        await reader.answering
    assert not reader.is_whole
    assert await in_the_database(Connection.objects.count)() == 0


@awaited
async def test_more_lines_than_a_reader_may_leave_waiting_end_a_stream(game: Game, alice: User) -> None:
    """What others say cannot be read anew, and must not pile up."""
    said: list[Any] = []
    ended = asyncio.Event()

    async def hear(message: Any) -> None:
        said.append(message)
        if message["type"] == "websocket.close":
            ended.set()

    async def consumer(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.send", "text": json.dumps({"greeting": BEGINNING})})
        for number in range(gapless.MOST_LINES + 1):
            await send({"type": "websocket.send", "text": json.dumps({"waiting": number})})
        async with asyncio.timeout(PATIENCE):
            await ended.wait()

    scope = {"user": alice, "token": None, gapless.WANTED: gapless.Wanted(game.pk, None)}
    await gapless.Gapless(consumer)(scope, asyncio.Queue().get, hear)
    assert [message.get("code") for message in said] == [None, gapless.TOO_SLOW]


@pytest.mark.parametrize("has_begun", [True, False], ids=["begun", "new"])
@awaited
async def test_while_the_database_is_away_a_stream_is_told_to_come_later(
    game: Game, alices: Client, monkeypatch: pytest.MonkeyPatch, has_begun: bool
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OperationalError("hush") from psycopg.OperationalError("hush")

    reader = Reader(alices, game.pk)
    if has_begun:
        await reader.open()
        await reader.line()
        await until_noted()
    monkeypatch.setattr(selectors, "page_for", away)
    if has_begun:
        # Something that happens while nobody tells of it.
        await in_the_database(Game.objects.filter(pk=game.pk).update)(version=2)
        await in_the_database(broadcast.send)(
            broadcast.game_group(game.pk),
            {"type": "game.pages", "mark": json.dumps({"mark": {"version": 2, "revision": 0}}), "pages": {}},
        )
        assert await reader.bye() == "try_again"
    else:
        await reader.open()
        assert (await reader.refusal())["code"] == "try_again"
        assert reader.status == 503
    assert await in_the_database(Connection.objects.count)() == 0


@awaited
async def test_a_game_whose_rows_are_broken_is_set_aside(game: Game, alices: Client) -> None:
    await in_the_database(break_rows)(game)
    reader = await Reader(alices, game.pk).open()
    assert (await reader.refusal())["code"] == "needs_attention"
    assert reader.status == 409


def break_rows(game: Game) -> None:
    Hand.objects.filter(seat__game=game).delete()
    snapshots.drop(game.pk)
