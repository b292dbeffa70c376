"""The queue: what is in it, who has taken what, and what one sees of a case."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from lobby.models import User
from moderation import cases
from moderation.audit import Act
from moderation.models import AuditLine, Case, Report
from tests.clock import Clock
from tests.games.playing import new_game
from tests.lobby.test_races import all_at_once
from tests.moderation.deciding_cases import case_of, decide, line_of, moderator, page, press, report
from tests.staff import browser_of, make_staff

QUEUE = "/admin/moderation/case/"


def queued(staff: User, **filters: str) -> list[str]:
    """Whom the lines of the queue are about, from the top."""
    answer = browser_of(staff).get(QUEUE, filters)
    assert answer.status_code == 200
    return [cases.name_of(case) for case in answer.context["cl"].result_list]


# The queue


def test_the_worst_comes_first_and_of_two_as_bad_the_older(mona: User, alice: User, bob: User, charlie: User) -> None:
    now = Clock().now
    case_of(alice, weight=10, at=now)
    case_of(bob, weight=30, at=now)
    case_of(charlie, weight=10, at=now - timedelta(days=1))
    assert queued(mona) == ["bob", "charlie", "alice"]


def test_reports_of_one_person_are_one_line(mona: User, alice: User, bob: User, charlie: User) -> None:
    case_of(alice, [bob], kind="abuse")
    case_of(alice, [charlie], kind="stalling")
    answer = browser_of(mona).get(QUEUE).content.decode()
    assert queued(mona) == ["alice"]
    assert "Abusive or hateful words, stalling" in answer


def test_the_queue_is_filtered_by_kind_by_who_has_it_and_by_what_it_is_about(
    mona: User, milo: User, alice: User, bob: User, charlie: User, clock: Clock
) -> None:
    game = new_game()
    of_alice, of_bob = case_of(alice, kind="abuse", weight=30), case_of(bob, kind="stalling", weight=20)
    case_of(game, kind="collusion")
    case_of(charlie, weight=5)
    cases.take(of_alice.pk, mona, now=clock.now)
    cases.take(of_bob.pk, milo, now=clock.now)
    decide(Case.objects.get(person=charlie), milo)
    of_game = f"game {game.pk}"
    assert queued(mona) == ["alice", "bob", of_game]
    assert queued(mona, taken="mine") == ["alice"]
    assert queued(mona, taken="others") == ["bob"]
    assert queued(mona, taken="free") == [of_game]
    assert queued(mona, kind="stalling") == ["bob"]
    assert queued(mona, about="game") == [of_game]
    assert queued(mona, about="person") == ["alice", "bob"]
    assert queued(mona, state="closed") == ["charlie"]
    assert queued(mona, state="all") == ["alice", "bob", of_game, "charlie"]
    assert queued(mona, state="nonsense", kind="nonsense") == ["alice", "bob", of_game, "charlie"]


def test_no_filter_reads_what_the_queue_does_not_offer(mona: User, alice: User) -> None:
    case_of(alice)
    for lookup in ("person__password__startswith", "reports__by__name", "person__email__contains"):
        assert browser_of(mona).get(QUEUE, {lookup: "a"}).status_code == 400


def test_nobody_sees_that_there_is_a_case_about_themselves(mona: User, milo: User) -> None:
    case = case_of(mona)
    assert queued(mona) == []
    assert queued(milo) == ["Mona"]
    assert page(mona, "case_change", case.pk).status_code == 403
    assert press(mona, "case_take", case.pk).status_code == 302
    case.refresh_from_db()
    assert case.taken_by is None


# Taking a case


def test_a_case_is_taken_by_one_at_a_time_and_let_go(mona: User, milo: User, alice: User) -> None:
    case = case_of(alice)
    press(mona, "case_take", case.pk)
    case.refresh_from_db()
    assert case.taken_by == mona
    refused = browser_of(milo).post(f"{QUEUE}{case.pk}/take/", follow=True).content.decode()
    assert "Mona is already looking into this" in refused
    refused = browser_of(milo).post(f"{QUEUE}{case.pk}/let-go/", follow=True).content.decode()
    assert "Mona is looking into this, so nothing was changed." in refused
    case.refresh_from_db()
    assert case.taken_by == mona
    press(mona, "case_let_go", case.pk)
    press(milo, "case_take", case.pk)
    case.refresh_from_db()
    assert case.taken_by == milo
    acts = AuditLine.objects.filter(person=alice.pk).exclude(act=Act.LOOKED_AT_CASE).order_by("pk")
    assert [(line.act, line.staff_name) for line in acts] == [
        ("took_case", "Mona"),
        ("was_refused", "Milo"),
        ("was_refused", "Milo"),
        ("let_case_go", "Mona"),
        ("took_case", "Milo"),
    ]


def test_after_some_hours_somebody_else_may_take_it(mona: User, milo: User, alice: User, clock: Clock) -> None:
    case = case_of(alice)
    cases.take(case.pk, mona, now=clock.now)
    clock.move(cases.TAKES_LAST.total_seconds() - 1)
    with pytest.raises(cases.TakenByAnother):
        cases.take(case.pk, milo, now=clock.now)
    clock.move(2)
    assert queued(milo, taken="free") == ["alice"]
    cases.take(case.pk, milo, now=clock.now)
    with pytest.raises(cases.TakenByAnother):
        cases.let_go(case.pk, mona, now=clock.now)


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_of_two_who_press_at_once_one_has_it_and_the_other_is_told_who() -> None:
    people = [moderator(name) for name in ("Mona", "Milo", "Mira", "Mats")]
    case = case_of(User.objects.create_user("alice"))
    now = Clock().now
    answers = all_at_once([lambda one=one: cases.take(case.pk, one, now=now) for one in people])  # type: ignore[misc]
    case.refresh_from_db()
    assert case.taken_by in people
    refusals = [answer for answer in answers if answer is not None]
    assert len(refusals) == len(people) - 1
    assert {refusal.sentence.split()[0] for refusal in refusals} == {case.taken_by.shown_name}  # type: ignore[union-attr]
    assert AuditLine.objects.filter(act=Act.TOOK_CASE).count() == 1


def test_nobody_takes_or_sees_what_they_have_reported_themselves(mona: User, alice: User, bob: User) -> None:
    case = case_of(alice, [bob, mona])
    with pytest.raises(cases.NotImpartial):
        cases.take(case.pk, mona, now=Clock().now)
    assert page(mona, "case_change", case.pk).status_code == 403


@pytest.mark.parametrize("about", ["the game", "a person in it"])
def test_nobody_takes_what_is_about_a_game_that_they_play_in(mona: User, alice: User, about: str) -> None:
    game = new_game(users=[alice, mona])
    case = case_of(game) if about == "the game" else case_of(alice, game=game)
    with pytest.raises(cases.NotImpartial):
        cases.take(case.pk, mona, now=Clock().now)
    assert page(mona, "case_change", case.pk).status_code == 403
    assert AuditLine.objects.filter(act=Act.WAS_REFUSED, staff=mona.pk).exists()


def test_a_case_that_is_decided_is_not_taken(mona: User, milo: User, alice: User) -> None:
    case = case_of(alice)
    decide(case, mona)
    with pytest.raises(cases.CaseClosed, match="Mona has already decided this"):
        cases.take(case.pk, milo, now=Clock().now)


def test_whoever_may_only_look_sees_no_button_and_presses_none(alice: User, dana: User) -> None:
    case = case_of(alice)
    dana.user_permissions.add(Permission.objects.get(codename="view_case"))
    assert "Take it" not in page(dana, "case_change", case.pk).content.decode()
    for name in ("case_take", "case_let_go", "case_decide", "case_dismiss"):
        assert press(dana, name, case.pk).status_code == 403
    assert Case.objects.get(pk=case.pk).taken_by is None


def test_staff_without_a_permission_see_neither_queue_nor_case(alice: User, dana: User) -> None:
    case = case_of(alice)
    assert browser_of(dana).get(QUEUE).status_code == 403
    assert page(dana, "case_change", case.pk).status_code == 403
    assert not AuditLine.objects.filter(act=Act.LOOKED_AT_CASE).exists()


def test_what_is_done_is_sent_not_looked_at(mona: User, alice: User) -> None:
    case = case_of(alice)
    for name in ("case_take", "case_let_go", "case_decide", "case_dismiss"):
        assert page(mona, name, case.pk).status_code == 405


def test_a_case_that_is_not_there_is_not_found(mona: User) -> None:
    for name in ("case_take", "case_let_go", "case_decide", "case_dismiss"):
        assert press(mona, name, 4711).status_code == 404
    assert page(mona, "case_change", 4711).status_code == 404
    assert browser_of(mona).get(f"{QUEUE}nonsense/change/").status_code == 404


# The page of a case


def test_the_page_tells_all_there_is_and_who_looked_is_written_down(
    mona: User, milo: User, alice: User, bob: User
) -> None:
    decide(case_of(alice, kind="stalling"), milo, reason="Do not keep others waiting.")
    game = new_game(users=[bob])
    case = case_of(alice, [bob], kind="abuse", game=game, line=line_of(alice, "<b>You sheep!</b>"))
    shown = page(mona, "case_change", case.pk).content.decode()
    for told in (
        *("alice", "An account", "Abusive or hateful words", "That hurt.", "bob"),
        *("Earlier decisions that still count", "Do not keep others waiting.", "Milo", "until"),
        reverse("admin:games_game_change", args=[game.pk]),
        reverse("admin:lobby_user_change", args=[alice.pk]),
    ):
        assert told in shown
    line = AuditLine.objects.filter(act=Act.LOOKED_AT_CASE).latest("pk")
    assert (line.staff, line.person, line.details) == (mona.pk, alice.pk, {"case": case.pk})


def test_an_old_warning_is_no_longer_shown(mona: User, alice: User, clock: Clock) -> None:
    decide(case_of(alice), mona, reason="An old story.", now=clock.now)
    clock.move(timedelta(days=180).total_seconds() - 1)
    case = case_of(alice)
    assert "An old story." in page(mona, "case_change", case.pk).content.decode()
    clock.move(2)
    assert "An old story." not in page(mona, "case_change", case.pk).content.decode()


def test_a_decided_case_can_still_be_read(mona: User, milo: User, alice: User, bob: User) -> None:
    case = case_of(alice, [bob])
    decide(case, mona, reason="Be kind.", answer="Thank you, Bob.")
    shown = page(milo, "case_change", case.pk).content.decode()
    for told in ("What was decided", "Warn", "Be kind.", "Mona", "Thank you, Bob."):
        assert told in shown
    assert "Decide and close" not in shown


def test_a_guest_who_is_reported_is_called_a_guest(mona: User) -> None:
    guest = User.guest("Sheep")
    guest.save()
    assert "A guest" in page(mona, "case_change", case_of(guest).pk).content.decode()


# How much it takes


@pytest.mark.slow
def test_a_queue_of_a_thousand_takes_few_queries(
    mona: User, milo: User, bob: User, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    now = Clock().now
    people = User.objects.bulk_create(User(username=f"person {number}", code=f"c{number}") for number in range(1000))
    rows = Case.objects.bulk_create(
        Case(person=person, opened_at=now, weight=number % 50, taken_by=milo if number % 3 else None, taken_at=now)
        for number, person in enumerate(people)
    )
    Report.objects.bulk_create(Report(case=case, by=bob, kind="abuse", made_at=now) for case in rows for _ in range(3))
    browser = browser_of(mona)
    browser.get(QUEUE)
    with django_assert_max_num_queries(14):
        answer = browser.get(QUEUE)
    assert len(answer.context["cl"].result_list) == 50
    with django_assert_max_num_queries(14):
        browser.get(QUEUE, {"kind": "abuse", "taken": "others", "about": "person", "state": "all"})


@pytest.mark.parametrize("taken", [True, False])
def test_a_case_of_thirty_reports_takes_few_queries(
    mona: User, milo: User, alice: User, taken: bool, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    decide(case_of(alice), milo)
    case = case_of(alice)
    for number in range(29):
        by = User.objects.create_user(f"reporter {number}")
        report(case, by, line=line_of(alice), game=new_game(users=[by]) if number < 3 else None)
    if taken:
        cases.take(case.pk, mona, now=Clock().now)
    browser = browser_of(mona)
    page(browser, "case_change", case.pk)
    with django_assert_max_num_queries(14):
        answer = page(browser, "case_change", case.pk)
    assert answer.content.decode().count("That hurt.") == 30
    assert ("Decide and close" in answer.content.decode()) == taken


def test_a_superuser_works_in_the_queue_too(alice: User) -> None:
    boss = make_staff(User.objects.create_superuser("boss"))
    assert "Take it" in page(boss, "case_change", case_of(alice).pk).content.decode()


def test_nobody_is_listed_what_is_reported_of_a_game_that_they_played(mona: User, alice: User) -> None:
    own, other = new_game(users=[mona, alice]), new_game(users=[alice])
    case_of(own)
    case = case_of(other)
    assert list(cases.queue(mona)) == [case]
