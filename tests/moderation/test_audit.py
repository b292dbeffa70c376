"""What staff do is written down, and nobody takes it back."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import services
from lobby.models import User
from moderation import audit
from moderation.append_only import TABLE
from moderation.audit import Act
from moderation.models import AuditLine
from tests.games.playing import new_game
from tests.staff import browser_of, make_staff

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
LIST = "/admin/moderation/auditline/"


@pytest.fixture
def administrator(dana: User) -> Client:
    return browser_of(make_staff(dana, "administrator"))


def write(staff: User, act: Act = Act.LOOKED_AT_GAME, why: str = "a report", **more: object) -> AuditLine:
    return audit.record(staff, act, now=NOON, why=why, **more)  # type: ignore[arg-type]


@pytest.mark.both_stacks
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE {TABLE} SET why = 'nothing'",
        f"UPDATE {TABLE} SET staff = NULL WHERE id > 0",
        f"DELETE FROM {TABLE}",
        f"DELETE FROM {TABLE} WHERE act = 'looked_at_game'",
    ],
)
def test_the_database_itself_neither_changes_nor_deletes_a_line(alice: User, statement: str) -> None:
    write(alice)
    with pytest.raises(DatabaseError, match="audit log is only added to"), transaction.atomic():
        connection.cursor().execute(statement)
    assert AuditLine.objects.get().why == "a report"


@pytest.mark.both_stacks
@pytest.mark.django_db(transaction=True)
def test_nor_does_it_do_so_for_the_sites_own_code(alice: User) -> None:
    line = write(alice)
    line.why = "nothing"
    for act in (line.save, line.delete, AuditLine.objects.all().delete):
        with pytest.raises(DatabaseError, match="audit log is only added to"), transaction.atomic():
            act()
    assert AuditLine.objects.get().why == "a report"


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_the_table_cannot_be_emptied_at_a_stroke_either(alice: User) -> None:
    """SQLite has no such statement."""
    write(alice)
    with pytest.raises(DatabaseError, match="audit log is only added to"), transaction.atomic():
        connection.cursor().execute(f"TRUNCATE {TABLE}")
    assert AuditLine.objects.count() == 1


@pytest.mark.django_db
def test_a_line_outlasts_whoever_it_tells_of(alice: User, bob: User) -> None:
    write(alice, person=bob)
    bob.delete()
    alice.delete()
    line = AuditLine.objects.get()
    assert (line.staff_name, line.person_name) == ("alice", "bob")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["add/", "1/change/", "1/delete/"])
def test_the_admin_changes_no_line(administrator: Client, alice: User, path: str) -> None:
    line = write(alice)
    answer = administrator.post(f"{LIST}{path.replace('1', str(line.pk))}", {"why": "nothing", "post": "yes"})
    assert answer.status_code == 403
    assert list(AuditLine.objects.values_list("why", flat=True)) == ["a report"]


@pytest.mark.both_stacks
@pytest.mark.django_db
def test_the_log_is_looked_through_by_person_act_day_game_and_words(administrator: Client, alice: User) -> None:
    bob = make_staff(User.objects.create_user("bob"), "moderator")
    make_staff(alice, "moderator")
    write(alice, why="first")
    write(bob, Act.DECIDED, "second", game=123456)
    audit.record(bob, Act.UNDID, now=NOON + timedelta(days=1), why="third")
    for query, expected in (
        ({}, {"first", "second", "third"}),
        ({"staff": bob.pk}, {"second", "third"}),
        ({"act": "decided"}, {"second"}),
        ({"q": "123456"}, {"second"}),
        ({"q": "alice"}, {"first"}),
        ({"q": "thi"}, {"third"}),
        ({"at__gte": "2026-07-02 00:00:00+00:00"}, {"third"}),
        ({"staff": "nobody"}, {"first", "second", "third"}),
    ):
        page = administrator.get(LIST, query).content.decode()
        assert {why for why in ("first", "second", "third") if f">{why}<" in page} == expected, query


@pytest.mark.django_db
@pytest.mark.parametrize("lookup", ["act__gte", "act__isnull", "staff__lt", "details__contains", "person_name__gte"])
def test_a_filter_that_is_called_like_a_column_asks_nothing_else_of_it(administrator: Client, lookup: str) -> None:
    assert administrator.get(LIST, {lookup: "1"}).status_code == 400


@pytest.mark.django_db
def test_a_copy_holds_what_the_filters_leave_and_is_written_down(
    administrator: Client, alice: User, dana: User
) -> None:
    make_staff(alice)
    write(alice, why="=cmd|'/c calc'!A1")
    write(alice, Act.DECIDED, "left out")
    answer = administrator.post(f"{LIST}export/?act=looked_at_game")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))  # type: ignore[arg-type]
    # No spreadsheet reckons with what somebody wrote.
    assert [(row["staff_name"], row["act"], row["why"]) for row in rows] == [
        ("alice", "looked_at_game", "'=cmd|'/c calc'!A1")
    ]
    told = AuditLine.objects.get(act=Act.EXPORTED_AUDIT)
    assert (told.staff, told.details) == (dana.pk, {"lines": 1})


@pytest.mark.django_db
def test_moderators_neither_read_the_log_nor_take_it_along(alice: User) -> None:
    browser = browser_of(make_staff(alice, "moderator"))
    assert browser.get(LIST).status_code == 403
    assert browser.post(f"{LIST}export/").status_code == 403
    assert browser.get(f"{LIST}export/").status_code == 405


@pytest.mark.slow
@pytest.mark.django_db
def test_a_long_log_is_as_quick_to_look_through(administrator: Client, alice: User) -> None:
    AuditLine.objects.bulk_create(
        AuditLine(
            at=NOON + timedelta(seconds=n), staff=alice.pk, staff_name="alice", act=Act.DECIDED, why=f"reason {n}"
        )
        for n in range(20_000)
    )
    for query in ({}, {"p": 150}, {"q": "reason 19"}, {"act": "decided"}):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert administrator.get(LIST, query).status_code == 200
        assert len(asked) < 15


@pytest.mark.django_db
def test_nobody_reads_in_the_log_who_has_reported_them(
    administrator: Client, alice: User, bob: User, dana: User
) -> None:
    write(alice, Act.WAS_REFUSED, "You reported this yourself", person=dana)
    write(alice, Act.LOOKED_AT_CASE, "her case", person=dana)
    write(alice, Act.LOOKED_AT_CASE, "another’s case", person=bob)
    write(alice, Act.CHANGED_PERSON, "a new administrator", person=dana)
    write(dana, Act.WAS_REFUSED, "This is about you", person=dana)
    shown = {"another’s case", "a new administrator", "This is about you"}
    assert whys_in(administrator) == shown
    copy = csv.DictReader(io.StringIO(b"".join(administrator.post(f"{LIST}export/").streaming_content).decode()))  # type: ignore[arg-type]
    assert {row["why"] for row in copy} - {""} == shown
    hidden = AuditLine.objects.get(why="her case")
    assert "her case" not in administrator.get(f"{LIST}{hidden.pk}/change/", follow=True).content.decode()
    assert "her case" in whys_in(browser_of(make_staff(bob, "administrator")))


@pytest.mark.django_db
def test_nor_what_others_saw_of_a_game_that_they_play(administrator: Client, alice: User, dana: User) -> None:
    game = new_game(users=[dana])
    write(alice, why="She has four knights", game=game)
    write(alice, Act.LOOKED_AT_CASE, "who reported the game", game=game)
    assert whys_in(administrator) == set()
    services.abort(game.pk, now=NOON)
    assert whys_in(administrator) == {"She has four knights"}


def whys_in(browser: Client) -> set[str]:
    return {line.why for line in browser.get(LIST).context["cl"].result_list}


@pytest.mark.both_stacks
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("query", ["at__gte=x", "at__gte=x&e=1", "act=%00", "staff=" + "9" * 5000])
def test_a_query_that_makes_no_sense_is_no_failure(administrator: Client, query: str) -> None:
    assert administrator.get(f"{LIST}?{query}").status_code in (200, 302)
    assert administrator.post(f"{LIST}export/?{query}").status_code in (200, 400)
