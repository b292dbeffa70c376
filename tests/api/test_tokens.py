"""Whose program asks, and what it may do."""

import io
import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import path
from django.utils import timezone
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from api import tokens
from api.authentication import TokenAuthentication
from api.models import Token
from api.permissions import MayAsk
from catan_site import logs
from catan_site import urls as site
from games.rules import Forbidden
from games.rules.refusals import TooFast
from lobby import restrictions
from lobby.models import User
from tests.clock import Clock

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_counted_yet() -> None:
    cache.clear()


def make(person: User, scope: str = "play", name: str = "My bot") -> tuple[Token, str]:
    return tokens.make(person, name, scope, now=timezone.now())


class Whoever(APIView):
    """Says who asks."""

    authentication_classes = (TokenAuthentication, SessionAuthentication)
    permission_classes = (MayAsk,)

    def get(self, request: Request) -> Response:
        return Response({"who": request.user.pk})

    post = get


def ask(header: str | bytes | None, method: str = "get", user: Any = None) -> Response:
    headers = {} if header is None else {"HTTP_AUTHORIZATION": header}
    request = getattr(APIRequestFactory(), method)("/", **headers)
    if user is not None:
        request.user = user
    answer = Whoever.as_view()(request)
    assert isinstance(answer, Response)
    return answer


# What a token is


def test_what_a_token_says_is_kept_nowhere(alice: User) -> None:
    token, text = make(alice)
    assert re.fullmatch(r"catan_[A-Za-z0-9_-]{43}", text)
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM api_token")
        [row] = cursor.fetchall()
    assert not [column for column in row if isinstance(column, str) and text[6:20] in column]
    assert token.digest == sha256(text.encode()).hexdigest()
    assert token.hint == text[-4:]


def test_no_two_tokens_are_the_same(alice: User) -> None:
    assert len({make(alice)[1] for _ in range(10)}) == 10


def test_a_token_stands_for_its_person(alice: User, bob: User) -> None:
    mine, theirs = make(alice)[1], make(bob, "read")[1]
    found = [tokens.holder(text, timezone.now()) for text in (mine, theirs)]
    assert [(token.person, token.scope) for token in found if token] == [(alice, "play"), (bob, "read")]


def test_a_token_with_its_person_takes_one_statement(alice: User, clock: Clock) -> None:
    text = make(alice)[1]
    tokens.holder(text, clock.now)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        token = tokens.holder(text, clock.now)
        assert token is not None
        assert token.person.shown_name == "alice"
    assert len(asked) == 1


def test_another_scope_than_reading_and_playing_is_none(alice: User) -> None:
    with pytest.raises(ValueError, match="admin"):
        make(alice, "admin")
    with pytest.raises(IntegrityError), transaction.atomic():
        Token.objects.create(person=alice, name="x", digest="x", hint="x", scope="admin", made_at=timezone.now())


def test_an_account_has_so_many_tokens_and_no_more(alice: User, bob: User) -> None:
    for _ in range(tokens.MOST_TOKENS):
        token, _ = make(alice)
    with pytest.raises(tokens.TooManyTokens, match="revoke one first"):
        make(alice)
    make(bob)
    tokens.revoke(alice, token.pk)
    make(alice)


def test_tokens_are_not_made_and_revoked_without_end(alice: User, clock: Clock, settings: LazySettings) -> None:
    settings.TOKENS_AN_HOUR = 2
    for _ in range(2):
        tokens.revoke(alice, make(alice)[0].pk)
    with pytest.raises(TooFast):
        make(alice)
    clock.move(3600)
    make(alice)


def test_a_guest_has_no_tokens(db: None) -> None:
    guest = User.guest("Eve")
    guest.save()
    with pytest.raises(Forbidden, match="accounts"):
        make(guest)


# Which lets somebody in


def test_a_revoked_token_lets_nobody_in(alice: User) -> None:
    token, text = make(alice)
    assert tokens.revoke(alice, token.pk) is not None
    assert tokens.holder(text, timezone.now()) is None


def test_nobody_revokes_the_token_of_another(alice: User, bob: User) -> None:
    token, text = make(alice)
    assert tokens.revoke(bob, token.pk) is None
    assert tokens.revoke_all(bob) == 0
    assert tokens.holder(text, timezone.now()) is not None


def test_all_of_ones_tokens_are_revoked_at_once(alice: User, bob: User) -> None:
    theirs = make(bob)[1]
    mine = [make(alice)[1] for _ in range(3)]
    assert tokens.revoke_all(alice) == 3
    assert [tokens.holder(text, timezone.now()) for text in mine] == [None] * 3
    assert tokens.holder(theirs, timezone.now()) is not None


@pytest.mark.parametrize("closed", [{"is_active": False}, {"is_guest": True}])
def test_who_has_no_account_any_more_is_not_let_in(alice: User, closed: dict[str, bool]) -> None:
    text = make(alice)[1]
    User.objects.filter(pk=alice.pk).update(**closed)
    assert tokens.holder(text, timezone.now()) is None


def test_a_banned_person_is_not_let_in_and_does_not_count_as_here(alice: User, clock: Clock) -> None:
    token, text = make(alice)
    restrictions.ban(alice, clock.now + timedelta(days=1), now=clock.now)
    with pytest.raises(restrictions.Banned, match="banned until"):
        tokens.holder(text, clock.now)
    token.refresh_from_db()
    assert token.last_used_at is None
    clock.move(24 * 3600 + 1)
    assert tokens.holder(text, clock.now) is not None


def test_the_last_use_is_noted_once_a_minute(alice: User, clock: Clock) -> None:
    token, text = make(alice)

    def used() -> Any:
        tokens.holder(text, clock.now)
        token.refresh_from_db()
        return token.last_used_at

    first = clock.now
    assert used() == first
    clock.move(59)
    assert used() == first
    assert used() == first
    clock.move(1)
    assert used() == clock.now


# Over HTTP


def test_a_program_asks_the_api_with_its_token_alone(alice: User, client: Client) -> None:
    text = make(alice, "read")[1]
    assert client.get("/api/v1/me/", HTTP_AUTHORIZATION=f"Bearer {text}").json()["name"] == "alice"
    assert client.get("/api/v1/me/").json()["name"] is None
    for header, status, code in ((f"Bearer {text}", 403, "scope"), ("Bearer catan_x", 401, "authentication_failed")):
        refused = client.post("/api/v1/games/1/seat/", {}, "application/json", HTTP_AUTHORIZATION=header)
        assert (refused.status_code, refused.json()["code"]) == (status, code)
        assert refused.headers["Content-Type"] == "application/problem+json"
        assert ("WWW-Authenticate" in refused.headers) == (status == 401)


def test_who_comes_by_a_program_has_been_here_that_day(alice: User, client: Client, clock: Clock) -> None:
    header = f"Bearer {make(alice)[1]}"
    clock.move(2 * 24 * 3600)
    client.get("/api/v1/me/", HTTP_AUTHORIZATION=header)
    alice.refresh_from_db()
    assert alice.last_visit == clock.now.date()


def test_a_program_is_who_its_token_says(alice: User) -> None:
    text = make(alice)[1]
    for header in (f"Bearer {text}", f"bearer  {text} ", f"BEARER\t{text}"):
        assert ask(header, "post").data == {"who": alice.pk}


def test_whoever_sends_no_token_may_have_a_session(alice: User) -> None:
    assert ask(None, "post", user=alice).data == {"who": alice.pk}
    assert ask("Basic YWxpY2U6c2hlZXA=", "post", user=alice).data == {"who": alice.pk}


def test_a_token_counts_before_a_session(alice: User, bob: User) -> None:
    assert ask(f"Bearer {make(alice)[1]}", user=bob).data == {"who": alice.pk}
    assert ask("Bearer catan_" + 43 * "x", user=bob).status_code == 401


NO_TOKENS: dict[str, str | bytes] = {
    "unknown": "Bearer catan_" + 43 * "x",
    "none": "Bearer",
    "short": "Bearer catan_x",
    "two": f"Bearer catan_{43 * 'x'} catan_{43 * 'x'}",
    "a letter too long": f"Bearer catan_{44 * 'x'}",
    "a line too long": f"Bearer catan_{43 * 'x'}\x0b\x00",
    "long": "Bearer catan_" + 100_000 * "x",
    "spaces": "Bearer" + 100_000 * " ",
    "not ascii": "Bearer catan_" + 43 * "é",
    "bytes": b"Bearer catan_\xff\xfe\x00" + 40 * b"\x80",
    "digits of another script": "Bearer catan_" + 43 * "²",
}


@pytest.mark.parametrize("header", NO_TOKENS.values(), ids=NO_TOKENS.keys())
def test_what_is_no_token_is_a_401_that_says_what_to_send(db: None, header: str | bytes) -> None:
    answer = ask(header)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="catan"'
    assert "Authorization: Bearer catan_…" in str(answer.data)


def test_only_what_looks_like_a_token_is_looked_for(db: None) -> None:
    for name, header in NO_TOKENS.items():
        with CaptureQueriesContext(connection) as asked:
            ask(header)
        assert len(asked) == (name == "unknown")


def test_everybody_may_read_and_who_is_signed_in_may_change(alice: User) -> None:
    assert ask(None).data == {"who": None}
    assert ask(None, "post").status_code == 401
    assert ask(None, "post").headers["WWW-Authenticate"] == 'Bearer realm="catan"'
    assert ask(None, "post", user=alice).data == {"who": alice.pk}


def test_a_token_that_may_read_changes_nothing(alice: User) -> None:
    header = f"Bearer {make(alice, 'read')[1]}"
    assert ask(header).data == {"who": alice.pk}
    refused = ask(header, "post")
    assert refused.status_code == 403
    assert refused.data["code"] == "scope"


def test_a_banned_person_s_program_reads_that_they_are(alice: User, clock: Clock) -> None:
    header = f"Bearer {make(alice)[1]}"
    restrictions.ban(alice, restrictions.FOR_GOOD, now=clock.now)
    for method in ("get", "post"):
        refused = ask(header, method)
        assert refused.status_code == 403
        assert refused.data["code"] == "banned"


# What is written down


class Failing(Whoever):
    """A mistake of ours, told with all that was sent."""

    def get(self, request: Request) -> Response:
        raise LookupError(f"nothing for {dict(request.headers)}")


urlpatterns = [path("failing/", Failing.as_view()), *site.urlpatterns]
handler500 = site.handler500


@pytest.fixture
def written(request: pytest.FixtureRequest, settings: LazySettings) -> Iterator[io.StringIO]:
    """The log of a server, or of a site on one's own machine."""
    logs.configure(logs.configuration("DEBUG", as_json=request.param))
    written = io.StringIO()
    logging.getLogger().handlers[0].setStream(written)  # type: ignore[attr-defined]
    yield written
    logs.configure(settings.LOGGING)


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("written", [True, False], ids=["json", "lines"], indirect=True)
@pytest.mark.parametrize("debug", [False, True], ids=["", "debug"])
def test_no_log_has_a_token(alice: User, written: io.StringIO, settings: LazySettings, debug: bool) -> None:
    settings.DEBUG = debug
    text = make(alice)[1]
    client = Client(raise_request_exception=False)
    for header, path_, status in ((text, "me/", 200), (f"{text} {text}", "me/", 401), (text, f"{text}/", 404)):
        assert client.get(f"/api/v1/{path_}", HTTP_AUTHORIZATION=f"Bearer {header}").status_code == status
    assert client.get("/failing/", HTTP_AUTHORIZATION=f"Bearer {text}").status_code == 500
    logging.getLogger("games").warning("who sent %s?", text)
    lines = written.getvalue().replace(r"\u2026", "…")
    assert "nothing for" in lines, "the mistake is told"
    assert "Bearer catan_…" in lines
    assert "who sent catan_…?" in lines
    assert f"user_id={alice.pk}" in lines or f'"user_id": {alice.pk}' in lines
    assert text not in lines
    assert text[10:30] not in lines
