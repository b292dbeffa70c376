"""The standing cast: Alice, Bob and Charlie play, Dana is staff."""

from collections.abc import Iterator
from typing import Any

import pytest
from channels import DEFAULT_CHANNEL_LAYER
from channels.layers import channel_layers
from django.conf import settings
from django.core.cache import cache
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from django.utils import timezone

from api import throttles
from games import memories, snapshots
from lobby.models import User
from tests.clock import Clock
from tests.emptying import empty_quickly
from tests.staff import make_staff

# What shared helpers assert is explained like what the tests themselves assert.
pytest.register_assert_rewrite("tests.games", "tests.rules", "tests.sources")


@receiver(connection_created)
def _do_not_wait_for_the_disk(connection: Any, **_: Any) -> None:
    """Tests kill processes, not the machine: what a killed one has written, the system still has."""
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA synchronous=OFF")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that could only fail is refused, with the way to run it."""
    if not settings.REDIS_URL and any(item.get_closest_marker("services") for item in items):
        raise pytest.UsageError(
            "Tests marked `services` need PostgreSQL and Redis: put `python -m deploy.throwaway` before the command."
        )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How often each kind of move is pressed in a browser, whichever process saw it, and how much the API was asked."""
    for report in terminalreporter.getreports("passed"):
        if asked := dict(report.user_properties).get("asked"):
            terminalreporter.write_line(f"Requests of Schemathesis: {asked}")
        for kind, presses in sorted(dict(report.user_properties).get("presses", {}).items()):
            terminalreporter.write_line(f"Presses: {kind.replace('_', ' ')} {presses}")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        empty_quickly(patch)
        yield


@pytest.fixture(autouse=True)
def _forget_games() -> None:
    """A test that is rolled back frees its game's number for the next test's game."""
    snapshots._kept.clear()
    memories._kept.clear()


@pytest.fixture(autouse=True)
def _fill_buckets() -> None:
    """What one test has asked for counts for no other."""
    for buckets in throttles.ALL:
        buckets.full_at.clear()


@pytest.fixture(autouse=True)
def _free_channels() -> Iterator[None]:
    """The layer in Redis frees a lock in a callback, which never runs if the test's event loop ends first."""
    yield
    locks = getattr(channel_layers[DEFAULT_CHANNEL_LAYER], "receive_clean_locks", None)
    if locks is not None:
        locks.locks.clear()
        locks.wait_counts.clear()


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("alice")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    cache.clear()
    yield clock
    cache.clear()


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob")


@pytest.fixture
def charlie(db: None) -> User:
    return User.objects.create_user("charlie")


@pytest.fixture
def dana(db: None) -> User:
    """Staff by name alone: what she may do, a test gives her."""
    return make_staff(User.objects.create_user("dana"))
