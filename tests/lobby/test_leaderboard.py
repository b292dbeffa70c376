"""Who plays best: settled ratings, page by page, and where one stands oneself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from lobby import leaderboards
from lobby.models import Rating, User

Row = tuple[int, str, str]


def rated(name: str, mu: float, *, sigma: float = 2.0, kind: str = "live", **person: Any) -> User:
    user = User.objects.create_user(name.lower(), name=name, **person)
    Rating.objects.create(person=user, kind=kind, mu=mu, sigma=sigma, games=12)
    return user


def listed(browser: Client, address: str = "/leaderboard/") -> list[Row]:
    """Place, name and rating of each row."""
    answer = browser.get(address)
    assert answer.status_code == 200
    page = answer.content.decode()
    row = r'<td class="number">(\d+)</td>.*<bdi>(.*?)</bdi>.*<strong>(.*?)</strong>'
    found = [re.search(row, text, re.DOTALL) for text in page.split("<tr")]
    return [(int(named[1]), named[2], named[3]) for named in found if named]


def test_the_best_come_first_and_who_ties_shares_a_place(client: Client, db: None) -> None:
    for name, mu in [("Bob", 27.0), ("Alice", 30.0), ("Dana", 20.0), ("Charlie", 27.0)]:
        rated(name, mu)
    assert listed(client) == [(1, "Alice", "1650"), (2, "Bob", "1560"), (2, "Charlie", "1560"), (4, "Dana", "1350")]


def test_only_settled_ratings_are_listed_each_pace_for_itself(client: Client, db: None) -> None:
    rated("Alice", 30.0)
    rated("Bob", 40.0, sigma=4.6)
    rated("Dana", 35.0, kind="days")
    assert listed(client) == [(1, "Alice", "1650")]
    assert listed(client, "/leaderboard/days/") == [(1, "Dana", "1800")]
    for address, title in {
        "/leaderboard/": "Live games",
        "/leaderboard/days/": "Games over days",
        "/leaderboard/bots/": "Bots",
    }.items():
        page = client.get(address).content.decode().split("<h1>")[1]
        assert re.findall(r'href="([^"]+)" aria-current="page">([^<]+)<', page) == [(address, title)]


def test_who_closed_the_account_keeps_the_place_and_is_not_named(client: Client, db: None) -> None:
    rated("Alice", 30.0)
    rated("Charlie", 50.0, is_active=False)
    assert listed(client) == [(2, "Alice", "1650")]
    page = client.get("/leaderboard/").content.decode()
    assert "A closed account" in page
    assert "Charlie" not in page


def test_names_lead_to_profiles(client: Client, db: None) -> None:
    alice = rated("Alice", 30.0)
    page = client.get("/leaderboard/").content.decode()
    assert f'href="{alice.get_absolute_url()}"><bdi>Alice</bdi>' in page


def test_an_empty_leaderboard_says_how_to_get_there(client: Client, db: None) -> None:
    for address in ("/leaderboard/", "/leaderboard/days/", "/leaderboard/bots/"):
        assert "Nobody’s rating has settled yet." in client.get(address).content.decode()


@pytest.fixture
def many(db: None, monkeypatch: pytest.MonkeyPatch) -> list[User]:
    monkeypatch.setattr(leaderboards, "A_PAGE", 3)
    return [rated(name, mu) for name, mu in zip("ABCDEFG", [40.0, 39.0, 38.0, 38.0, 37.0, 36.0, 35.0], strict=True)]


def test_pages_go_on_where_the_last_one_ended(client: Client, many: list[User]) -> None:
    assert [name for _, name, _ in listed(client)] == ["A", "B", "C"]
    assert listed(client, "/leaderboard/?page=2") == [(3, "D", "1890"), (5, "E", "1860"), (6, "F", "1830")]
    assert listed(client, "/leaderboard/?page=3") == [(7, "G", "1800")]
    page = client.get("/leaderboard/?page=2").content.decode()
    assert re.findall(r'rel="(\w+)" href="(.*?)"', page.split("<h1>")[1]) == [("prev", "?page=1"), ("next", "?page=3")]


@pytest.mark.parametrize("number", ["0", "4", "-1", "best", "", "1.5", "9" * 30])
def test_a_page_that_is_not_there_is_not_found(client: Client, many: list[User], number: str) -> None:
    assert client.get("/leaderboard/", {"page": number}).status_code == 404


def test_ones_own_row_is_marked_or_stands_below_the_others(client: Client, many: list[User]) -> None:
    client.force_login(many[5])
    page = client.get("/leaderboard/").content.decode()
    assert [name for _, name, _ in listed(client)] == ["A", "B", "C", "F"]
    assert '<td class="number">6</td>' in page.split("<tfoot>")[1]
    page = client.get("/leaderboard/?page=2").content.decode()
    assert "<tfoot>" not in page
    assert [row.count("you</span>") for row in page.split("</tr>")[1:4]] == [0, 0, 1]


def test_who_is_not_settled_or_not_rated_is_told_so_or_nothing(client: Client, many: list[User]) -> None:
    client.force_login(rated("Newcomer", 45.0, sigma=6.0))
    page = client.get("/leaderboard/").content.decode()
    assert "Your rating, 2100?, has not settled yet" in page
    assert "own-row" not in page
    client.force_login(User.objects.create_user("reader"))
    page = client.get("/leaderboard/").content.decode()
    assert "not settled" not in page
    assert "own-row" not in page


def test_a_page_takes_few_queries(
    client: Client, many: list[User], django_assert_max_num_queries: Callable[..., Any]
) -> None:
    client.force_login(many[5])
    client.get("/leaderboard/")
    with django_assert_max_num_queries(7):
        client.get("/leaderboard/")


@pytest.mark.both_stacks
@pytest.mark.django_db(transaction=True)
def test_the_best_are_found_by_an_index() -> None:
    """With as many people as make it worth while."""
    people = User.objects.bulk_create(User(username=f"{place}", name=f"{place}") for place in range(2_000))
    Rating.objects.bulk_create(
        Rating(person=person, kind="live", mu=place / 100, sigma=2.0 + place % 4, games=9)
        for place, person in enumerate(people)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert "leaderboard" in leaderboards.settled(leaderboards.Kind.LIVE)[:50].explain()
