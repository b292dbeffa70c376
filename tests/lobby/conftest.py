"""Alice hosts a table; Bob, Charlie and Dana each have a browser of their own."""

from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.test import Client

from lobby.models import Chair, Table


@pytest.fixture(autouse=True)
def _nothing_counted_yet() -> None:
    """Invitations and more are counted in the cache, which outlives a test; its people's numbers come back."""
    cache.clear()


@pytest.fixture
def visitors(db: None) -> Callable[[], Client]:
    """Each call is somebody new at the door."""
    return Client


@pytest.fixture
def alice_browser(db: None) -> Client:
    return Client()


@pytest.fixture
def table(alice_browser: Client) -> Table:
    """A table that Alice has opened as a guest, by the standard rules."""
    alice_browser.post("/t/new/", {"preset": "standard", "name": "Alice"})
    return Table.objects.get()


def opened(browser: Client, **wish: str) -> Table:
    """The table that somebody opens with these wishes."""
    answer = browser.post("/t/new/", {"name": "Alice"} | wish)
    assert answer.status_code == 302, answer.content.decode()
    return Table.objects.latest("pk")


def sit(browser: Client, table: Table, name: str, chair: int | str = "") -> str:
    """Sits down, and returns what the page then says."""
    answer = browser.post(f"/t/{table.code}/sit-down/", {"name": name, "chair": chair}, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def names_at(table: Table) -> list[str]:
    return [chair.name for chair in Chair.objects.filter(table=table)]
