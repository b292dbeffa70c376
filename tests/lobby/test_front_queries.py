"""The front page takes as many queries on a full site as on an empty one."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from bench.crowd import fill
from lobby import front
from lobby.models import Table, User

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]


def queries(browser: Client, address: str) -> list[str]:
    with CaptureQueriesContext(connection) as asked:
        assert browser.get(address).status_code == 200
    return [query["sql"] for query in asked]


@pytest.mark.parametrize("address", ["/", "/now/"])
@pytest.mark.parametrize("is_known", [True, False])
def test_many_tables_and_games_take_no_more_queries_than_few(
    client: Client, alice: User, is_known: bool, address: str
) -> None:
    if is_known:
        client.force_login(alice)
    fill(alice, tables=2, games=2)
    queries(client, address)
    few = queries(client, address)
    fill(alice, tables=30, games=30)
    many = queries(client, address)
    assert len(many) == len(few), many
    assert len(many) <= 14


def test_it_lists_the_newest_open_tables_and_says_that_there_are_more(client: Client, alice: User) -> None:
    fill(alice, tables=front.MOST_OPEN, games=0)
    assert "These are the newest" not in client.get("/").content.decode()
    fill(alice, tables=1, games=0)
    page = client.get("/").content.decode()
    assert "These are the newest" in page
    assert page.count('class="open-table"') == front.MOST_OPEN
    assert Table.objects.latest("opened_at").code in page


def test_recent_results_say_who_won(client: Client, alice: User) -> None:
    fill(alice, tables=0, games=front.MOST_RESULTS + 3)
    client.force_login(alice)
    results = front.shown(alice).results
    assert len(results) == front.MOST_RESULTS
    assert results == sorted(results, key=lambda result: result.ended_at or timezone.now(), reverse=True)
    assert {result.sentence for result in results} == {"You won.", "Bob won."}
    assert "Your recent games" in client.get("/").content.decode()


def test_the_looks_of_a_page_that_has_not_changed_are_the_same(client: Client, alice: User) -> None:
    """So an open page that asks again draws nothing."""
    client.force_login(alice)
    fill(alice, tables=3, games=3)
    pages: set[Any] = {client.get("/now/").content for _ in range(2)}
    assert len(pages) == 1
    assert b"csrf" not in pages.pop()
