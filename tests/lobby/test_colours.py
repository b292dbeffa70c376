"""People choose the colour that they play in, and keep it from the table into the game and its rematch."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from games import selectors, services
from games.models import Game, Seat
from games.page import COLOURS
from games.rules import PRESETS
from games.services import Entrant
from lobby import chat, rooms
from lobby.models import Chair, Table, User
from lobby.services import open_rematch
from tests.lobby.conftest import sit

RED, BLUE, WHITE, BLACK = range(4)


def choose(browser: Client, table: Table, colour: int | str) -> str:
    return browser.post(f"/t/{table.code}/colour/", {"colour": colour}, follow=True).content.decode()


def colours_at(table: Table) -> list[int]:
    return list(Chair.objects.filter(table=table).values_list("colour", flat=True))


def test_a_chair_begins_in_the_colour_of_its_place(table: Table) -> None:
    assert colours_at(table) == [RED, BLUE, WHITE, BLACK]


def test_whoever_sits_down_may_take_a_colour_that_no_other_person_has(
    table: Table, alice_browser: Client, visitors: Callable[[], Client]
) -> None:
    bob = visitors()
    sit(bob, table, "Bob")
    page = choose(alice_browser, table, BLACK)
    assert colours_at(table) == [BLACK, BLUE, WHITE, RED]
    assert 'aria-label="Play red"' in page
    assert 'aria-label="Play blue"' not in page, "Bob plays it"
    assert "Bob plays blue: please choose another colour." in choose(alice_browser, table, BLUE)
    assert colours_at(table) == [BLACK, BLUE, WHITE, RED]


def test_a_bot_gives_its_colour_up(table: Table, alice_browser: Client) -> None:
    alice_browser.post(f"/t/{table.code}/add-bot/", {"chair": 1})
    choose(alice_browser, table, BLUE)
    assert colours_at(table) == [BLUE, RED, WHITE, BLACK]


@pytest.mark.parametrize("forged", ["", "4", "-1", "green", "0x1", "9" * 30])
def test_no_other_colour_is_to_be_had(table: Table, alice_browser: Client, forged: str) -> None:
    assert "There is no such colour" in choose(alice_browser, table, forged)
    assert colours_at(table) == [RED, BLUE, WHITE, BLACK]


def test_whoever_does_not_sit_at_the_table_chooses_no_colour(table: Table, client: Client) -> None:
    assert "Sit down first, then choose a colour." in choose(client, table, BLACK)
    assert colours_at(table) == [RED, BLUE, WHITE, BLACK]


def test_a_colour_goes_with_whoever_changes_chairs(table: Table, alice_browser: Client) -> None:
    choose(alice_browser, table, WHITE)
    alice_browser.post(f"/t/{table.code}/swap/", {"chair": 0, "other": 3})
    assert Chair.objects.get(table=table, number=3).colour == WHITE
    assert sorted(colours_at(table)) == [RED, BLUE, WHITE, BLACK]


def test_a_table_for_three_has_a_colour_to_spare_and_four_chairs_four(table: Table, alice_browser: Client) -> None:
    alice_browser.post(f"/t/{table.code}/options/", {"preset": "three-player"})
    choose(alice_browser, table, BLACK)
    assert colours_at(table) == [BLACK, BLUE, WHITE]
    alice_browser.post(f"/t/{table.code}/options/", {"preset": "standard"})
    assert colours_at(table) == [BLACK, BLUE, WHITE, RED]


def test_the_game_and_its_rematch_are_played_in_the_colours_that_were_chosen(
    table: Table, alice_browser: Client
) -> None:
    choose(alice_browser, table, WHITE)
    # The second chair stays empty: those after it keep their colours.
    for chair in (2, 3):
        alice_browser.post(f"/t/{table.code}/add-bot/", {"chair": chair})
    alice_browser.post(f"/t/{table.code}/start/")
    game = Game.objects.get()
    assert list(Seat.objects.filter(game=game).order_by("number").values_list("colour", flat=True)) == [
        WHITE,
        RED,
        BLACK,
    ]
    alice = User.objects.get()
    page = selectors.page_for(game.pk, alice.pk, now=timezone.now())
    assert [player["colour"] for player in page["seats"]] == ["white", "red", "black"]
    room = rooms.of_players(game.pk)
    chat.say(room, alice, "Hello", now=timezone.now())
    assert [line.colour for line in chat.read(room, alice).lines] == ["white"]
    services.withdraw(game.pk, 0, timezone.now())
    rematch = open_rematch(game.pk, alice, now=timezone.now())
    assert colours_at(rematch) == [WHITE, RED, BLACK, BLUE]


def test_who_chose_no_colour_gets_the_first_that_is_left(db: None) -> None:
    players = [Entrant("Alice"), Entrant("Bob", colour=RED), Entrant("Charlie", strength="medium")]
    game = services.start_game(PRESETS["standard"], "random", players, now=timezone.now())
    chosen = Seat.objects.filter(game=game).order_by("number").values_list("colour", flat=True)
    assert [COLOURS[colour] for colour in chosen] == ["blue", "red", "white"]
