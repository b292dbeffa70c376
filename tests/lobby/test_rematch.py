"""After the end, the same people meet at a new table; their chairs are kept for them."""

import re
from collections.abc import Callable

import pytest
from django.conf import LazySettings
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone

from games.models import Game, Seat
from games.paces import PACES
from games.services import abort
from lobby.models import Chair, Table
from tests.lobby.conftest import sit

WISH = {"preset": "online", "layout": "random", "pace": "relaxed", "clock_turn": "4 minutes", "clock_answer": "1:30"}


@pytest.fixture
def bob(table: Table, visitors: Callable[[], Client]) -> Client:
    browser = visitors()
    sit(browser, table, "Bob", 1)
    return browser


@pytest.fixture
def game(table: Table, alice_browser: Client, bob: Client) -> Game:
    """Alice and Bob against two bots, ended."""
    alice_browser.post(f"/t/{table.code}/options/", WISH)
    alice_browser.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes"})
    game = Game.objects.get()
    abort(game.pk, now=timezone.now())
    return game


def rematch_of(game: Game, browser: Client) -> Table:
    answer = browser.post(f"/t/rematch/{game.pk}/")
    table = Table.objects.get(rematch_of=game)
    assert answer.headers["Location"] == f"/t/{table.code}/"
    return table


def test_who_asks_is_the_host_and_the_others_are_invited(game: Game, bob: Client) -> None:
    table = rematch_of(game, bob)
    chairs = list(table.chairs.all())
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    assert [chair.name for chair in chairs] == [seat.name for seat in seats]
    assert [(chair.is_person, chair.kept, chair.bot) for chair in chairs] == [
        (False, True, False),
        (True, False, False),
        (False, False, True),
        (False, False, True),
    ]
    assert table.host == seats[1].user


def test_the_rematch_is_played_by_the_same_agreement(game: Game, bob: Client) -> None:
    table = rematch_of(game, bob)
    assert (table.rules, table.layout) == (game.rules, "random")


def test_the_rematch_keeps_the_pace_and_the_hosts_own_times(game: Game, bob: Client) -> None:
    table = rematch_of(game, bob)
    assert table.pace == PACES["relaxed"].with_clocks(turn=240, answer=90)
    page = bob.get(f"/t/{table.code}/").content.decode()
    assert "4 minutes instead of 5 minutes." in page
    bob.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes"})
    table.refresh_from_db()
    assert table.game is not None
    assert table.game.pace == game.pace


def test_whoever_asks_second_sits_down_at_the_first_ones_table(game: Game, bob: Client, alice_browser: Client) -> None:
    assert rematch_of(game, bob) == rematch_of(game, alice_browser)
    assert not Chair.objects.filter(kept=True).exists()


def test_an_invited_person_finds_the_table_on_the_front_page_and_takes_the_kept_chair(
    game: Game, bob: Client, alice_browser: Client
) -> None:
    table = rematch_of(game, bob)
    front = alice_browser.get("/").content.decode()
    assert f"/t/{table.code}/" in front
    assert "<bdi>Bob</bdi> invites you" in front
    sit(alice_browser, table, "Alice")
    assert table.chairs.get(number=0).is_person


def test_a_kept_chair_says_for_whom_and_is_not_called_free(game: Game, bob: Client, alice_browser: Client) -> None:
    table = rematch_of(game, bob)
    page = bob.get(f"/t/{table.code}/").content.decode()
    assert "Waiting for Alice. " in page
    assert "Kept for <bdi>Alice</bdi>" in page
    assert re.search("chairs? (are|is) free|>Free<", page) is None
    assert "you start without Alice." in page
    assert "Waiting for Alice." in bob.get("/").content.decode()
    assert "A chair is kept for you." in alice_browser.get("/").content.decode()
    page = alice_browser.get(f"/t/{table.code}/").content.decode()
    assert "Waiting for you." in page
    assert "Kept for you" in page


def test_a_kept_chair_is_nobody_elses(game: Game, bob: Client, visitors: Callable[[], Client]) -> None:
    table = rematch_of(game, bob)
    assert "kept for Alice" in sit(visitors(), table, "Eve", 0)


def test_an_invitation_can_be_declined(game: Game, bob: Client, alice_browser: Client) -> None:
    table = rematch_of(game, bob)
    alice_browser.post(f"/t/{table.code}/stand-up/")
    assert table.chairs.get(number=0).is_free


def test_nobody_is_drawn_into_a_game_who_has_not_come(game: Game, bob: Client) -> None:
    table = rematch_of(game, bob)
    bob.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes"})
    table.refresh_from_db()
    seats = Seat.objects.filter(game=table.game).order_by("number")
    assert [seat.player for seat in seats] == ["bot", "person", "bot", "bot"]
    assert seats[0].user is None


def test_whoever_comes_after_the_rematch_began_is_taken_to_it(game: Game, bob: Client, alice_browser: Client) -> None:
    table = rematch_of(game, bob)
    bob.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes"})
    answer = alice_browser.post(f"/t/rematch/{game.pk}/", follow=True)
    table.refresh_from_db()
    assert answer.redirect_chain[-1][0] == f"/games/{table.game_id}/"


def test_a_rematch_is_one_of_the_tables_that_somebody_may_open_in_an_hour(
    client: Client, db: None, settings: LazySettings
) -> None:
    """Or whoever resigns and plays again makes games without end."""
    settings.TABLES_AN_HOUR = 3
    client.post("/play-now/")
    statuses = []
    for _ in range(3):
        game = Game.objects.latest("started_at")
        abort(game.pk, now=timezone.now())
        statuses.append(client.post(f"/t/rematch/{game.pk}/").status_code)
        client.post(f"/t/{Table.objects.latest('pk').code}/start/", {"fill_with_bots": "yes"})
    assert statuses == [302, 302, 429]
    assert Game.objects.count() == 3


def test_only_those_who_played_can_ask(game: Game, visitors: Callable[[], Client]) -> None:
    answer = visitors().post(f"/t/rematch/{game.pk}/", follow=True)
    assert "Only those who played" in answer.content.decode()
    assert not Table.objects.filter(rematch_of=game).exists()


def test_a_running_game_has_no_rematch(client: Client, db: None) -> None:
    client.post("/play-now/")
    answer = client.post(f"/t/rematch/{Game.objects.get().pk}/", follow=True)
    assert "still being played" in answer.content.decode()
    assert not Table.objects.filter(rematch_of__isnull=False).exists()


def test_a_game_that_is_not_there_has_no_rematch(client: Client, db: None) -> None:
    assert client.post("/t/rematch/4711/").status_code == 404


def end_of(game: Game, *, own: bool) -> str:
    """The part of the finished game's page that is about the rematch, for a player or a watcher."""
    return render_to_string("lobby/_rematch.html", {"game_id": game.pk, "own": own})


def test_the_button_at_the_end_of_a_game_asks_for_the_rematch(game: Game) -> None:
    assert f'action="/t/rematch/{game.pk}/"' in end_of(game, own=True)
    assert "Play again with the same people" in end_of(game, own=True)


def test_the_button_joins_the_rematch_that_somebody_has_opened(game: Game, bob: Client) -> None:
    table = rematch_of(game, bob)
    end = end_of(game, own=True)
    assert "Bob wants a rematch." in end
    assert "Join the rematch" in end
    assert "Play again" not in end
    assert table.code not in end


def test_who_watched_is_told_of_the_rematch_but_has_no_button(game: Game, bob: Client) -> None:
    assert "<button" not in end_of(game, own=False)
    table = rematch_of(game, bob)
    assert "Bob wants a rematch." in end_of(game, own=False)
    assert "<button" not in end_of(game, own=False)
    assert table.code not in end_of(game, own=False)


# At the page of a game


def test_whoever_watches_is_told_so_and_whoever_plays_is_not(
    alice_browser: Client, table: Table, visitors: Callable[[], Client]
) -> None:
    alice_browser.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes"})
    address = f"/games/{Game.objects.get().pk}/"
    assert "You are watching this game." in visitors().get(address).content.decode()
    assert "You are watching" not in alice_browser.get(address).content.decode()
