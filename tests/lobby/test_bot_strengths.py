"""How strong bots are: chosen chair by chair or for a game at once, and remembered."""

import json
import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from games.bots import STRENGTHS, Strength
from games.models import Game, Seat
from games.services import abort
from lobby import leaving, names
from lobby.models import Chair, Table, User
from tests.lobby.conftest import names_at, sit


def add(browser: Client, table: Table, chair: int, **sent: str) -> Chair:
    browser.post(f"/t/{table.code}/add-bot/", {"chair": chair, **sent})
    return Chair.objects.get(table=table, number=chair)


def strengths_in(game: Game) -> list[str]:
    return [seat.strength for seat in Seat.objects.filter(game=game).order_by("number")]


def picked(browser: Client) -> str:
    """The strength that the front page offers first."""
    page = browser.get("/").content.decode()
    [select] = re.findall(r'<select id="bot-strength".*?</select>', page)
    [value] = re.findall(r'value="(\w+)" selected', select)
    return str(value)


# At a table


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_host_chooses_how_strong_a_bot_is(table: Table, alice_browser: Client, strength: Strength) -> None:
    bot = add(alice_browser, table, 2, strength=strength)
    assert (bot.bot, bot.strength) == (True, strength)
    assert bot.name in names.BOTS[strength]
    assert f"{strength} bot</span>" in Client().get(f"/t/{table.code}/").content.decode()


def test_a_bot_gives_its_chair_to_one_of_another_strength(table: Table, alice_browser: Client) -> None:
    before = add(alice_browser, table, 1, strength="easy")
    after = add(alice_browser, table, 1, strength="hard")
    assert after.strength == "hard"
    assert after.name in names.BOTS["hard"]
    assert (after.number, after.colour) == (before.number, before.colour)


def test_a_bot_of_the_strength_that_is_wanted_stays(table: Table, alice_browser: Client) -> None:
    before = add(alice_browser, table, 1, strength="easy")
    assert add(alice_browser, table, 1, strength="easy").name == before.name


def test_no_bot_takes_the_chair_of_a_person(
    table: Table, alice_browser: Client, visitors: Callable[[], Client]
) -> None:
    sit(visitors(), table, "Bob", 1)
    assert not add(alice_browser, table, 1, strength="hard").bot
    assert names_at(table) == ["Alice", "Bob", "", ""]


def test_bots_that_fill_a_table_are_as_strong_as_was_chosen_last(table: Table, alice_browser: Client) -> None:
    add(alice_browser, table, 3, strength="easy")
    add(alice_browser, table, 1, strength="hard")
    assert "Fill with 1 hard bot and start" in alice_browser.get(f"/t/{table.code}/").content.decode()
    alice_browser.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes"})
    assert strengths_in(Game.objects.get()) == ["", "hard", "hard", "easy"]


def test_bots_that_fill_a_table_are_as_strong_as_its_page_says(table: Table, alice_browser: Client) -> None:
    page = alice_browser.get(f"/t/{table.code}/").content.decode()
    assert "Fill with 3 medium bots and start" in page
    assert '<input type="hidden" name="strength" value="medium">' in page
    add(alice_browser, table, 1, strength="hard")
    alice_browser.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes", "strength": "medium"})
    assert strengths_in(Game.objects.get()) == ["", "hard", "medium", "medium"]


def test_a_strength_that_does_not_exist_is_refused_with_those_that_do(table: Table, alice_browser: Client) -> None:
    assert add(alice_browser, table, 1, strength="invincible").is_free
    page = alice_browser.get(f"/t/{table.code}/").content.decode()
    assert "Choose an easy, a medium or a hard bot." in page
    answer = alice_browser.post("/play-now/", {"strength": "invincible"}, follow=True)
    assert "Choose an easy, a medium or a hard bot." in answer.content.decode()
    assert not Game.objects.exists()


def test_a_bot_that_changes_chairs_stays_as_strong_as_it_is(table: Table, alice_browser: Client) -> None:
    bot = add(alice_browser, table, 1, strength="hard")
    alice_browser.post(f"/t/{table.code}/swap/", {"chair": 1, "other": 2})
    free, there = table.chairs.all()[1:3]
    assert (free.strength, there.strength, there.name) == ("", "hard", bot.name)


def test_a_chair_that_a_bot_has_left_has_no_strength(table: Table, alice_browser: Client) -> None:
    add(alice_browser, table, 1, strength="hard")
    alice_browser.post(f"/t/{table.code}/free-chair/", {"chair": 1})
    assert Chair.objects.get(table=table, number=1).strength == ""


def test_a_rematch_keeps_the_strengths(table: Table, alice_browser: Client, visitors: Callable[[], Client]) -> None:
    bob = visitors()
    sit(bob, table, "Bob", 1)
    add(alice_browser, table, 2, strength="hard")
    alice_browser.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes", "strength": "easy"})
    game = Game.objects.get()
    leaving.delete(User.objects.get(name="Bob"), timezone.now())
    abort(game.pk, now=timezone.now())
    assert strengths_in(game) == ["", "medium", "hard", "easy"], "Bob's seat went to a bot"
    alice_browser.post(f"/t/rematch/{game.pk}/")
    chairs = Table.objects.get(rematch_of=game).chairs.all()
    assert [chair.strength for chair in chairs] == ["", "medium", "hard", "easy"]


def test_open_tables_say_how_strong_their_bots_are(
    table: Table, alice_browser: Client, visitors: Callable[[], Client]
) -> None:
    Table.objects.update(visibility="public")
    add(alice_browser, table, 1, strength="easy")
    assert "easy bot" in visitors().get("/").content.decode()


# A game at once


def test_whoever_does_not_choose_plays_against_medium_bots(client: Client, db: None) -> None:
    assert picked(client) == "medium"
    client.post("/play-now/")
    assert strengths_in(Game.objects.get()) == ["", "medium", "medium", "medium"]


@pytest.mark.parametrize("has_account", [False, True], ids=["guest", "account"])
def test_a_choice_is_remembered(client: Client, alice: User, has_account: bool) -> None:
    if has_account:
        client.force_login(alice)
    client.post("/play-now/", {"strength": "hard"})
    assert strengths_in(Game.objects.get()) == ["", "hard", "hard", "hard"]
    assert picked(client) == "hard"
    client.post("/play-now/")
    assert strengths_in(Game.objects.latest("pk")) == strengths_in(Game.objects.earliest("pk"))
    client.post("/play-now/", {"strength": "easy"})
    assert picked(client) == "easy"


def test_a_choice_is_nobody_elses(client: Client, visitors: Callable[[], Client], db: None) -> None:
    client.post("/play-now/", {"strength": "hard"})
    assert picked(visitors()) == "medium"


def test_a_choice_is_among_what_is_kept_of_somebody(client: Client, db: None) -> None:
    client.post("/play-now/", {"strength": "hard"})
    assert json.loads(json.dumps(leaving.kept_of(User.objects.get()), default=str))["account"]["bot_strength"] == "hard"
