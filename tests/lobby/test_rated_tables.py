"""A rated table: people with accounts alone, and the page says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game
from games.rules import PRESETS, Refusal
from lobby import services
from lobby.models import Chair, Table, User
from tests.lobby.conftest import names_at, opened, sit

SIGN_IN = "Sign in to play a rated game: guests have no rating."
NO_BOTS = "Bots have no rating: a rated game is for people alone."
BADGE = '<span class="badge badge-rated">rated</span>'


@pytest.fixture
def people(db: None) -> list[User]:
    return [User.objects.create_user(name.lower(), name=name) for name in ("Alice", "Bob", "Charlie", "Dana")]


@pytest.fixture
def browsers(people: list[User]) -> list[Client]:
    browsers = [Client() for _ in people]
    for browser, person in zip(browsers, people, strict=True):
        browser.force_login(person)
    return browsers


@pytest.fixture
def table(browsers: list[Client]) -> Table:
    return opened(browsers[0], preset="standard", rated="on")


def said(browser: Client, table: Table, action: str, **data: object) -> str:
    return browser.post(f"/t/{table.code}/{action}/", data, follow=True).content.decode()


def test_a_host_with_an_account_may_make_the_game_rated_and_everybody_sees_it(
    table: Table, browsers: list[Client]
) -> None:
    assert table.rated
    for browser in (*browsers, Client()):
        assert BADGE in browser.get(f"/t/{table.code}/").content.decode()
    assert not opened(browsers[1], preset="standard").rated
    assert BADGE not in browsers[1].get(f"/t/{Table.objects.latest('pk').code}/").content.decode()


def test_a_guest_is_not_offered_a_rated_table_and_gets_none(client: Client, db: None) -> None:
    assert 'name="rated"' not in client.get("/t/new/").content.decode()
    answer = client.post("/t/new/", {"preset": "standard", "name": "Alice", "rated": "on"})
    assert SIGN_IN in answer.content.decode()
    assert not Table.objects.exists()
    assert not User.objects.exists()


def test_guests_are_told_to_sign_in_and_come_back(table: Table, client: Client) -> None:
    page = client.get(f"/t/{table.code}/").content.decode()
    assert SIGN_IN in page
    assert f'href="/sign-in/?next=/t/{table.code}/"' in page
    assert "Sit here" not in page
    assert "No account needed" not in page
    assert SIGN_IN in sit(client, table, "Guest")
    assert names_at(table) == ["Alice", "", "", ""]
    assert not User.objects.filter(is_guest=True).exists()


def test_people_with_accounts_sit_down_and_play(table: Table, browsers: list[Client]) -> None:
    for browser in browsers[1:3]:
        sit(browser, table, "")
    said(browsers[0], table, "start")
    assert Game.objects.get().table == table
    assert Game.objects.get().seat_set.exclude(user=None).count() == 3


def test_bots_neither_sit_down_nor_fill_up(table: Table, browsers: list[Client]) -> None:
    page = browsers[0].get(f"/t/{table.code}/").content.decode()
    assert "Add a bot" not in page
    assert "Fill with" not in page
    assert "or add bots" not in page
    assert NO_BOTS in said(browsers[0], table, "add-bot", chair=1)
    assert NO_BOTS in said(browsers[0], table, "start", fill_with_bots="yes")
    assert "at least three players: wait for others." in said(browsers[0], table, "start")
    assert not Chair.objects.filter(bot=True).exists()
    assert not Game.objects.exists()


def test_the_host_changes_it_and_all_pages_hear_of_it(table: Table, browsers: list[Client]) -> None:
    sit(browsers[1], table, "")
    table.refresh_from_db()
    assert 'name="rated" checked' in browsers[0].get(f"/t/{table.code}/options/").content.decode()
    said(browsers[0], table, "options", preset="standard")
    changed = Table.objects.get()
    assert (changed.rated, changed.version) == (False, table.version + 1)
    assert BADGE not in browsers[1].get(f"/t/{table.code}/now/").content.decode()
    said(browsers[0], table, "options", preset="standard", rated="on")
    assert Table.objects.get().rated


@pytest.mark.parametrize("who", ["a bot", "a guest"])
def test_a_table_with_a_bot_or_a_guest_cannot_become_rated(browsers: list[Client], client: Client, who: str) -> None:
    table = opened(browsers[0], preset="standard", points_to_win="12")
    if who == "a bot":
        said(browsers[0], table, "add-bot", chair=2)
        sentence = "Bots have no rating: remove them before you make the game rated."
    else:
        sit(client, table, "Zoe")
        sentence = "Guests have no rating: Zoe would have to sign in before the game can be rated."
    assert sentence in said(browsers[0], table, "options", preset="standard", rated="on", points_to_win="8")
    left = Table.objects.get()
    assert (left.rated, left.rule_set.points_to_win) == (False, 12)


def test_the_choice_outlasts_a_look_at_other_rules_without_scripts(browsers: list[Client]) -> None:
    page = browsers[0].post("/t/new/", {"preset": "online", "rated": "on", "show": ""}).content.decode()
    assert 'name="rated" checked' in page


def test_a_rematch_of_a_rated_game_is_rated_and_has_no_bots(people: list[User], table: Table) -> None:
    for person in people[1:]:
        services.sit_down(table.code, person, person.name)
    game = services.start(table.code, people[0], fill_with_bots=False, now=timezone.now())
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABORTED)
    people[3].delete()
    rematch = services.open_rematch(game.pk, people[0], now=timezone.now())
    assert rematch.rated
    assert [(chair.name, chair.bot) for chair in rematch.chairs.all()] == [
        ("Alice", False),
        ("Bob", False),
        ("Charlie", False),
        ("", False),
    ]


def test_a_guest_who_kept_a_chair_cannot_take_it_in_a_rated_game(people: list[User]) -> None:
    table = services.open_table(people[0], "Alice", PRESETS["standard"], "balanced", None, now=timezone.now())
    guest = User.guest("Zoe")
    services.sit_down(table.code, guest, "Zoe", 1)
    Table.objects.update(rated=True)
    with pytest.raises(Refusal, match="guests have no rating"):
        services.sit_down(table.code, guest, "Zoe", 2)


def test_names_of_accounts_lead_to_their_pages_and_those_of_guests_nowhere(
    browsers: list[Client], people: list[User], client: Client, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    table = opened(browsers[0], preset="standard")
    sit(client, table, "Zoe")
    with django_assert_max_num_queries(12):
        page = browsers[1].get(f"/t/{table.code}/").content.decode()
    assert f'<a class="person" href="/players/{people[0].code}/"><bdi>Alice</bdi></a>' in page
    assert '<span class="chair-name"><bdi>Zoe</bdi>' in page
