"""How many games wait for somebody, on every page that says so, and the way from one of them to the next."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import services as game_services
from games.models import Game, Seat
from games.rules import PRESETS
from lobby import arranging, consumers, services, waiting
from lobby.company import Company
from lobby.models import User
from tests.games.playing import new_game, time_out
from tests.sockets import Socket

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

RULES = "standard turn_order=seat_order"


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "FRONT_PAUSE", 0.1)


@pytest.fixture
def alices(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def games_that_wait(alice: User, count: int) -> list[Game]:
    """Alice is the first to place in each; the first has waited longest."""
    games = [new_game(RULES, users=[alice], seed=number) for number in range(count)]
    for hours, game in enumerate(reversed(games), 1):
        since = timezone.now() - timedelta(hours=hours)
        Seat.objects.filter(game=game, user=alice).update(awaited_since=since)
    return games


def move_on(game: Game) -> None:
    """A settlement and a road: then the game waits for the next seat."""
    time_out(game.pk)
    time_out(game.pk)


def title_of(browser: Client, address: str) -> str:
    page = browser.get(address).content.decode()
    [title] = re.findall(r"<title>(.*?)</title>", page, re.DOTALL)
    return str(title)


def link_of(page: str) -> tuple[str, bool] | None:
    """What the link to the next game says, and whether it is shown."""
    found = re.search(r'<a class="next-game"([^>]*)>(.*?)</a>', page)
    return found and (re.sub("<[^>]+>", "", found[2]), " hidden" not in found[1])


# The count


def test_every_page_says_before_its_title_how_many_games_wait(alices: Client, alice: User) -> None:
    first, second = games_that_wait(alice, 2)
    done = new_game(RULES, users=[alice], seed="done")
    move_on(done)
    alices.post("/t/new/", {"preset": "standard", "name": "Alice"})
    table = alice.hosted_tables.get()
    assert title_of(alices, "/") == "(2) Online Catan"
    assert title_of(alices, f"/t/{table.code}/").startswith("(2) ")
    assert title_of(alices, f"/games/{first.pk}/").startswith("(2) Your move")
    assert title_of(alices, f"/games/{done.pk}/").startswith(f"(2) Game {done.pk}")
    move_on(first)
    assert title_of(alices, "/") == "(1) Online Catan"
    move_on(second)
    assert title_of(alices, "/") == "Online Catan"
    assert title_of(alices, f"/games/{first.pk}/").startswith("Game")


def test_others_are_told_nothing_of_it(alices: Client, alice: User, visitors: Any) -> None:
    (game,) = games_that_wait(alice, 1)
    assert title_of(visitors(), "/") == "Online Catan"
    assert title_of(visitors(), f"/games/{game.pk}/").startswith("Game")
    assert link_of(visitors().get(f"/games/{game.pk}/").content.decode()) is None


def test_a_game_that_has_stopped_waits_for_nobody(alice: User) -> None:
    first, second = games_that_wait(alice, 2)
    game_services.pause(first.pk, now=timezone.now())
    assert waiting.count(alice) == 1
    game_services.withdraw(second.pk, 0, now=timezone.now())
    assert waiting.count(alice) == 0


def test_however_many_wait_they_are_counted_in_one_query(alice: User) -> None:
    for number in (1, 6):
        games_that_wait(alice, number)
        for ask in (lambda: waiting.count(alice), lambda: waiting.next_game(alice, None)):
            with CaptureQueriesContext(connection) as asked:
                ask()
            assert len(asked) == 1


# The next game


def step(browser: Client, after: object) -> str:
    answer = browser.get("/games/next/", {"after": after} if after != "" else {})
    assert answer.status_code == 302
    return str(answer["Location"])


def test_the_next_game_is_the_one_that_has_waited_longest(alices: Client, alice: User) -> None:
    first, second, third = games_that_wait(alice, 3)
    assert step(alices, "") == f"/games/{first.pk}/"
    move_on(first)
    assert step(alices, first.pk) == f"/games/{second.pk}/"
    move_on(second)
    assert step(alices, second.pk) == f"/games/{third.pk}/"
    move_on(third)
    assert step(alices, third.pk) == "/"
    assert "No other game waits for you" in alices.get("/").content.decode()


def test_whoever_only_looks_comes_past_all_of_them(alices: Client, alice: User) -> None:
    games = [game.pk for game in games_that_wait(alice, 3)]
    seen = [games[0]]
    for _ in range(3):
        seen.append(int(step(alices, seen[-1]).split("/")[2]))
    assert seen == [*games, games[0]]


def test_from_the_only_one_that_waits_there_is_no_next(alices: Client, alice: User) -> None:
    (game,) = games_that_wait(alice, 1)
    assert step(alices, game.pk) == "/"


def test_nobodys_games_wait_for_a_stranger(alice: User, visitors: Any) -> None:
    games_that_wait(alice, 1)
    assert step(visitors(), "") == "/"


@pytest.mark.parametrize("after", ["one", "-1", "9" * 40, "1.5", " "])
def test_what_is_no_number_of_a_game_is_refused(alices: Client, alice: User, after: str) -> None:
    games_that_wait(alice, 1)
    assert alices.get("/games/next/", {"after": after}).status_code == 400


def test_the_link_is_there_without_scripts_once_nothing_is_asked_here(alices: Client, alice: User) -> None:
    first, second, third = games_that_wait(alice, 3)
    address = f"/games/{first.pk}/"
    assert link_of(alices.get(address).content.decode()) == ("Next game (2)(2 wait for you)", False)
    move_on(first)
    page = alices.get(address).content.decode()
    assert link_of(page) == ("Next game (2)(2 wait for you)", True)
    assert f'href="/games/next/?after={first.pk}"' in page
    move_on(second)
    assert link_of(alices.get(address).content.decode()) == ("Next game (1)(1 waits for you)", True)
    move_on(third)
    assert link_of(alices.get(address).content.decode()) == ("Next game (0)(0 wait for you)", False)


# Open pages hear of it


def heard(browser: Client, address: str, *acts: Any) -> list[Any]:
    """What an open page is told of games that wait: at first, and after each of these."""

    @async_to_sync
    async def scenario() -> list[Any]:
        socket = Socket(browser, address)
        await socket.open()
        greeting = await socket.receive()
        counts = [greeting.get("greeting", greeting)["waiting"]]
        for act in acts:
            await database_sync_to_async(act)()
            frame: dict[str, Any] = {}
            while "waiting" not in frame:
                frame = await socket.receive()
            counts.append(frame["waiting"])
        await socket.close()
        return counts

    return scenario()


def test_the_page_of_a_game_hears_of_the_others(alices: Client, alice: User) -> None:
    here, other = games_that_wait(alice, 2)

    def one_more() -> None:
        new_game(RULES, users=[alice], seed="more")

    assert heard(alices, f"/ws/games/{here.pk}/", lambda: move_on(other), one_more) == [1, 0, 1]


def test_the_page_of_a_table_hears_of_games(alices: Client, alice: User) -> None:
    alices.post("/t/new/", {"preset": "standard", "name": "Alice"})
    table = alice.hosted_tables.get()
    (game,) = games_that_wait(alice, 1)
    assert heard(alices, f"/ws/tables/{table.code}/", lambda: move_on(game)) == [1, 0]


def test_an_invitation_disturbs_neither_page(alices: Client, alice: User, dana: User) -> None:
    """It is told to the same person, for the front page."""
    here, other = games_that_wait(alice, 2)
    alice.name = "Alice"
    alice.save()

    def invite_and_move() -> None:
        now = timezone.now()
        table = services.open_table(
            dana, "Dana", PRESETS["standard"], "balanced", None, company=Company("invited"), now=now
        )
        arranging.invite(table.code, dana, "Alice", now=now)
        move_on(other)

    assert heard(alices, f"/ws/games/{here.pk}/", invite_and_move) == [1, 0]
