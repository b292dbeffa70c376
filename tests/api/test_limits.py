"""How much a program may ask for, whatever it sends to be taken for somebody else."""

import json
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api import throttles, tokens
from lobby import restrictions
from lobby.models import User
from tests.api.programs import refusal
from tests.clock import Clock

pytestmark = pytest.mark.django_db

UNKNOWN = f"catan_{'x' * 43}"
ME, TABLES = "/api/v1/me/", "/api/v1/tables/"


def token_of(person: User, scope: str = "play") -> str:
    return tokens.make(person, "My bot", scope, now=timezone.now())[1]


def get(token: str, **extra: Any) -> Any:
    return Client().get(ME, headers={"Authorization": f"Bearer {token}"}, **extra)


def post(token: str, body: str = "{}") -> Any:
    return Client().post(TABLES, body, content_type="application/json", headers={"Authorization": f"Bearer {token}"})


def test_an_address_that_keeps_sending_unknown_tokens_is_sent_away_before_any_is_looked_up(
    alice: User, clock: Clock, settings: LazySettings
) -> None:
    settings.API_READS_A_MINUTE = 3
    known = token_of(alice)
    assert [get(UNKNOWN).status_code for _ in range(3)] == [401, 401, 401]
    with CaptureQueriesContext(connection) as asked:
        refused = get(UNKNOWN)
    assert (refusal(refused), refused["Retry-After"], len(asked)) == ((429, "too_fast"), "20", 0)
    assert refusal(post(UNKNOWN)) == (429, "too_fast")
    assert get(known).status_code == 429
    assert get(known, REMOTE_ADDR="203.0.113.7").status_code == 200
    assert Client().get(ME).status_code == 200
    clock.move(20)
    assert get(known).status_code == 200
    assert [get(UNKNOWN).status_code for _ in range(2)] == [401, 429]


def test_a_banned_persons_program_that_goes_on_asking_is_sent_away_too(
    alice: User, clock: Clock, settings: LazySettings
) -> None:
    settings.API_READS_A_MINUTE = 2
    token = token_of(alice)
    restrictions.ban(alice, restrictions.FOR_GOOD, now=clock.now)
    assert [get(token).status_code for _ in range(3)] == [403, 403, 429]


def test_what_somebody_may_not_do_counts_as_asked(alice: User, clock: Clock, settings: LazySettings) -> None:
    settings.API_MOVES_A_MINUTE = 2
    token = token_of(alice, "read")
    assert [post(token).status_code for _ in range(3)] == [403, 403, 429]
    strangers = [Client().post(TABLES, "{}", content_type="application/json").status_code for _ in range(3)]
    assert strangers == [401, 401, 429]


def test_all_tokens_of_a_person_share_what_one_may_ask(
    alice: User, bob: User, clock: Clock, settings: LazySettings
) -> None:
    settings.API_READS_A_MINUTE = 2
    assert [get(token_of(alice)).status_code for _ in range(3)] == [200, 200, 429]
    assert get(token_of(bob)).status_code == 200
    # Nor does a program of theirs keep their own pages from what these ask for.
    browser = Client()
    browser.force_login(alice)
    assert browser.get(ME).status_code == 200


def test_a_clock_that_is_put_back_keeps_nobody_out(alice: User, clock: Clock, settings: LazySettings) -> None:
    settings.API_READS_A_MINUTE = 2
    token = token_of(alice)
    assert [get(token).status_code for _ in range(3)] == [200, 200, 429]
    clock.move(-3600)
    assert get(token).status_code == 429
    clock.move(30)
    assert get(token).status_code == 200


def test_a_program_sends_no_more_than_a_page(alice: User, settings: LazySettings) -> None:
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    assert most is not None
    token, around = token_of(alice), len(json.dumps({"preset": ""}))
    assert refusal(post(token, json.dumps({"preset": "x" * (most - around)}))) == (400, "malformed")
    assert refusal(post(token, json.dumps({"preset": "x" * (most - around + 1)}))) == (413, "too_long")


@pytest.mark.parametrize("path", [ME, "/api/nowhere/"])
def test_a_name_that_is_not_this_sites_is_a_problem_and_no_error(db: None, path: str) -> None:
    for host in ("elsewhere.example", "a b"):
        assert refusal(Client(raise_request_exception=False).get(path, headers={"Host": host})) == (400, "malformed")


def test_a_page_under_a_name_that_is_not_this_sites_says_so(db: None) -> None:
    answer = Client(raise_request_exception=False).get("/", headers={"Host": "elsewhere.example"})
    assert answer.status_code == 400
    assert "This message got wet on the way" in answer.content.decode()


def test_more_questions_than_any_address_has_are_a_problem(db: None) -> None:
    query = "&".join(f"name{number}" for number in range(2_000))
    assert refusal(Client().get(f"{TABLES}?{query}")) == (400, "malformed")


def test_buckets_that_are_full_again_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttles, "MOST_KEPT", 10)
    for number in range(100):
        assert throttles.READING.take({f"person {number}": 1}, 1000.0 + number) == 0
    assert len(throttles.READING.full_at) <= 11
