"""Sessions: at hand without a query, and ended at once when they end."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catan_site.sessions import SessionStore
from lobby.models import User

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

PASSWORD = "longest road in town"


@pytest.fixture
def alices(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def queries_for_sessions(browser: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert browser.get(path).status_code == 200
    return sum("django_session" in query["sql"] for query in queries)


def is_signed_in(browser: Client) -> bool:
    return bool(browser.get("/").context["user"].is_authenticated)


def elsewhere(browser: Client) -> Client:
    """The same session in another browser: whoever has stolen it, say."""
    other = Client()
    other.cookies["sessionid"] = browser.cookies["sessionid"].value
    return other


def test_an_ordinary_request_asks_no_query_for_its_session(alices: Client) -> None:
    assert [queries_for_sessions(alices, "/") for _ in range(3)] == [1, 0, 0]


def test_a_request_that_wants_nobody_asks_for_nobody(alices: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        alices.get("/healthz")
    assert len(queries) == 0


@pytest.mark.parametrize("key", ["", "short", "../../etc/passwd", "a" * 33, "A" * 32, "ä" * 32, "a b\n" * 8])
def test_what_we_never_gave_out_is_nobodys_session(client: Client, key: str) -> None:
    session = SessionStore(key)
    with CaptureQueriesContext(connection) as queries:
        assert dict(session.items()) == {}
    assert len(queries) == 0


def test_signing_out_ends_a_session_at_once_and_everywhere(alices: Client) -> None:
    thief = elsewhere(alices)
    assert is_signed_in(alices)
    assert is_signed_in(thief)
    alices.post("/sign-out/")
    assert not is_signed_in(thief)
    assert not is_signed_in(thief)


# `decode` stands between reading the row and keeping a copy of it. Signatures are made with the class's name.


def test_a_session_that_ends_while_a_request_reads_it_stays_ended(alices: Client) -> None:
    key = alices.cookies["sessionid"].value

    class Slow(SessionStore):
        __qualname__ = SessionStore.__qualname__

        def decode(self, session_data: str) -> dict[str, object]:
            read = super().decode(session_data)
            SessionStore(key).flush()
            return read

    assert Slow(key)["_auth_user_id"]
    assert not Session.objects.filter(pk=key).exists()
    assert not is_signed_in(alices)


def test_a_change_that_is_made_while_a_request_reads_the_session_is_not_lost(alices: Client) -> None:
    key = alices.cookies["sessionid"].value

    class Slow(SessionStore):
        __qualname__ = SessionStore.__qualname__

        def decode(self, session_data: str) -> dict[str, object]:
            read = super().decode(session_data)
            changed = SessionStore(key)
            changed["colour"] = "red"
            changed.save()
            return read

    read = Slow(key)
    assert read["_auth_user_id"]
    assert "colour" not in read
    assert SessionStore(key)["colour"] == "red"


def test_a_new_password_ends_the_sessions_of_the_old_one(alices: Client, alice: User) -> None:
    assert is_signed_in(alices)
    alice.set_password(PASSWORD)
    alice.save()
    assert not is_signed_in(alices)


def test_whoever_may_not_sign_in_any_more_is_out_at_once(alices: Client, alice: User) -> None:
    assert is_signed_in(alices)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert not is_signed_in(alices)


def test_a_session_is_there_though_the_cache_has_forgotten_it(alices: Client) -> None:
    assert is_signed_in(alices)
    cache.clear()
    assert is_signed_in(alices)
