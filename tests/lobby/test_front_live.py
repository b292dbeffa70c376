"""An open front page hears that something changed there, and not more often than it can look."""

import asyncio
import time
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.test import Client
from django.utils import timezone

from games import services as game_services
from games import snapshots
from games.models import Game
from games.rules import PRESETS, to_act
from lobby import arranging, consumers, meeting, services
from lobby.company import Company
from lobby.models import Table, User
from tests.games.playing import new_game
from tests.sockets import Socket

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


#: Seconds after which nothing more comes of what was done, longer than a page is made to wait.
SILENCE = 0.4


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "FRONT_PAUSE", 0.1)


def open_table(host: User, company: Company) -> Table:
    rules = PRESETS["standard"]
    return services.open_table(host, host.shown_name, rules, "balanced", None, company=company, now=timezone.now())


def follow(browser: Client, *acts: tuple[Any, bool]) -> None:
    """An open front page hears of each of these, or does not, one after the other."""

    @async_to_sync
    async def scenario() -> None:
        socket = Socket(browser, "/ws/front/")
        await socket.open()
        assert await socket.receive() == {"greeting": True}
        for number, (act, is_heard) in enumerate(acts):
            await database_sync_to_async(act)()
            if is_heard:
                assert await socket.receive() == {"changed": True}, number
            assert await socket.line.receive_nothing(timeout=SILENCE), number
        await socket.close()

    scenario()


@pytest.fixture
def charlie_browser(client: Client) -> Client:
    client.force_login(User.objects.create_user("charlie", name="Charlie"))
    return client


def test_a_stranger_hears_of_public_tables_and_of_no_others(client: Client, alice: User) -> None:
    tables: list[Table] = []
    follow(
        client,
        (lambda: open_table(alice, Company("link")), False),
        (lambda: open_table(alice, Company("invited")), False),
        (lambda: tables.append(open_table(alice, Company("public"))), True),
        (lambda: services.sit_down(tables[0].code, User.guest("Bob"), "Bob"), True),
        (lambda: services.stand_up(tables[0].code, alice, now=timezone.now()), True),
    )


def test_a_table_that_is_no_longer_public_vanishes_from_open_pages(client: Client, alice: User) -> None:
    table = open_table(alice, Company("public"))

    def close() -> None:
        services.change_options(table.code, alice, PRESETS["standard"], "balanced", None, company=Company("invited"))

    follow(client, (close, True), (lambda: services.add_bot(table.code, alice, 1), False))


def test_the_game_that_starts_takes_its_table_off_the_page(client: Client, alice: User) -> None:
    table = open_table(alice, Company("public"))
    follow(client, (lambda: services.start(table.code, alice, fill_with_bots=True, now=timezone.now()), True))


def test_an_invited_person_hears_of_it_and_nobody_else_does(alice: User, charlie_browser: Client) -> None:
    table = open_table(alice, Company("invited"))
    bob = User.objects.create_user("bob", name="Bob")
    follow(
        charlie_browser,
        (lambda: arranging.invite(table.code, alice, "Bob", now=timezone.now()), False),
        (lambda: services.stand_up(table.code, bob, now=timezone.now()), False),
        (lambda: arranging.invite(table.code, alice, "Charlie", now=timezone.now()), True),
        (lambda: services.free_chair(table.code, alice, 1), True),
    )


def play_once(game: Game) -> None:
    snapshot = snapshots.read(game.pk)[1]
    seat = to_act(snapshot.state)[0]
    game_services.play_timeout(game.pk, seat, version=snapshot.version, now=timezone.now())


def test_who_plays_hears_when_the_game_waits_for_them(charlie_browser: Client, alice: User) -> None:
    charlie = User.objects.get(name="Charlie")
    rules = "standard turn_order=seat_order"
    waits = new_game(rules, users=[charlie])
    other = new_game(rules, users=[alice])
    # Charlie places a settlement and a road, then the others do: what they do is their business.
    follow(
        charlie_browser,
        (lambda: play_once(waits), False),
        (lambda: play_once(waits), True),
        (lambda: play_once(waits), False),
        (lambda: play_once(other), False),
    )


def test_who_plays_hears_of_a_game_that_began_a_moment_ago_and_of_its_end(charlie_browser: Client) -> None:
    charlie = User.objects.get(name="Charlie")
    games: list[Game] = []
    follow(
        charlie_browser,
        (lambda: games.append(new_game("standard turn_order=seat_order", users=[charlie])), True),
        (lambda: play_once(games[0]), False),
        (lambda: play_once(games[0]), True),
        (lambda: game_services.abort(games[0].pk, now=timezone.now()), True),
    )


def test_many_changes_at_once_are_told_once(client: Client, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_table(alice, Company("public"))

    def stir() -> None:
        for _ in range(10):
            services.add_bot(table.code, alice, 1)
            services.free_chair(table.code, alice, 1)

    monkeypatch.setattr(consumers, "FRONT_PAUSE", 1.0)

    @async_to_sync
    async def scenario() -> tuple[int, float]:
        socket = Socket(client, "/ws/front/")
        await socket.open()
        await socket.receive()
        began = time.monotonic()
        await database_sync_to_async(stir)()
        frames = 0
        while not await socket.line.receive_nothing(timeout=1.6):
            assert await socket.receive() == {"changed": True}
            frames += 1
        await socket.close()
        return frames, time.monotonic() - began

    frames, took = scenario()
    # Half a second lies between two of them at least.
    assert 1 <= frames <= min(10, 2 * took)


def test_who_keeps_the_page_of_a_table_open_is_there(alice: User, client: Client, monkeypatch: Any) -> None:
    monkeypatch.setattr(consumers, "STILL_THERE", 0.05)
    table = open_table(alice, Company("public"))
    client.force_login(alice)
    noted: list[str] = []
    note = meeting.note_seen

    def note_seen(code: str, person: User, now: Any) -> None:
        note(code, person, now)
        noted.append(person.username)

    monkeypatch.setattr(meeting, "note_seen", note_seen)

    @async_to_sync
    async def scenario() -> None:
        socket = Socket(client, f"/ws/tables/{table.code}/")
        await socket.open()
        await socket.receive()
        async with asyncio.timeout(10):
            while len(noted) < 3:
                await asyncio.sleep(0.01)
        await socket.close()

    before = table.chairs.get(number=0).seen_at
    scenario()
    after = table.chairs.get(number=0).seen_at
    assert before is not None
    assert after is not None
    assert after > before
    assert set(noted) == {"alice"}
