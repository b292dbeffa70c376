"""Several workers at once, and moves meanwhile: nothing is told twice or lost, and nobody waits in a circle."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.utils import timezone

from games.models import Game
from lobby import tasks
from lobby.models import Delivery, Notice, NoticeWishes, User
from lobby.notice_models import Kind, Way
from lobby.notices import links, sending, telling
from tests.clock import Clock

from .noticing import A_MINUTE, awaited, confirmed, days_game, move, pass_turn, seat_of, told_by_mail, wish
from .test_races import all_at_once

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

WORKERS = 4


@pytest.fixture
def people() -> list[User]:
    """Each is asked something in two games of their own."""
    people = [confirmed(User.objects.create_user(f"person-{number}")) for number in range(6)]
    for person in people:
        for _ in range(2):
            days_game(person)
    return people


def deliver() -> None:
    sending.deliver(Way.MAIL, keep_place=lambda: None)


def test_of_workers_that_tell_at_once_each_thing_is_told_by_one(clock: Clock, people: list[User]) -> None:
    clock.move(A_MINUTE)
    all_at_once([partial(telling.tell_due, clock.now)] * WORKERS)
    # Whoever met another at work has left somebody to them, or to the next round.
    telling.tell_due(clock.now)
    told = sorted(Delivery.objects.values_list("person", flat=True))
    assert told == [person.pk for person in people]
    assert all(len(delivery.items) == 2 for delivery in Delivery.objects.all())
    assert sorted(Notice.objects.filter(seat__user__isnull=False).values_list("kind", flat=True)) == ["reminder"] * 12


def test_of_workers_that_deliver_at_once_each_mail_is_sent_by_one(clock: Clock, people: list[User]) -> None:
    clock.move(A_MINUTE)
    telling.tell_due(clock.now)
    all_at_once([deliver] * WORKERS)
    assert sorted(message.to[0] for message in mail.outbox) == [f"{person.username}@catan.example" for person in people]
    assert {*Delivery.objects.values_list("outcome", flat=True)} == {"sent"}


def test_workers_that_take_along_what_waits_leave_nothing_behind(clock: Clock, people: list[User]) -> None:
    clock.move(A_MINUTE)
    telling.tell_due(clock.now)
    for delivery in list(Delivery.objects.all()):
        first, second = delivery.items
        Delivery.objects.filter(pk=delivery.pk).update(items=[first])
        Delivery.objects.create(
            person=delivery.person, way=Way.MAIL, lane="mail", items=[second], made_at=clock.now, try_at=clock.now
        )
    all_at_once([deliver] * WORKERS)
    told = {(item["seat"], delivery.outcome) for delivery in Delivery.objects.all() for item in delivery.items}
    assert len(told) == 2 * len(people)
    assert {outcome for _, outcome in told} == {"sent"}
    bodies = "".join(str(message.body) for message in mail.outbox)
    assert bodies.count("Place your settlement.") == 2 * len(people)


def test_whatever_is_asked_while_somebody_is_told_is_told_too(alice: User, bob: User) -> None:
    """Alice moves, and is asked again, while a worker tells her of what was asked before."""
    wish(confirmed(alice), wishes=["mail-days-turn"])
    game = days_game(alice, bob)
    for _ in range(8):
        NoticeWishes.objects.update(told_at=None)
        # What is asked by now is due for this worker, whatever the clock says.
        tell = partial(telling.tell_due, timezone.now() + timedelta(seconds=A_MINUTE))
        all_at_once([tell, partial(come_round, game), tell])
        since = seat_of(alice, game).awaited_since
        assert since
        waits = Notice.objects.filter(seat__user=alice, kind=Kind.TURN).exists()
        told = {item["since"] for delivery in Delivery.objects.all() for item in delivery.items}
        assert waits or since.isoformat() in told


def come_round(game: Game) -> None:
    """Until it is Alice's turn again."""
    pass_turn(game)
    while awaited(game) != 0:
        move(game)


def test_who_ends_the_mails_while_they_are_told_gets_none_from_then_on(clock: Clock, alice: User) -> None:
    """Neither writes over what the other has written."""
    days_game(confirmed(alice))
    clock.move(A_MINUTE)
    end = "/" + links.ending(alice.pk).split("/", 3)[3]
    all_at_once([partial(Client().post, end), partial(telling.tell_due, clock.now)])
    wishes = NoticeWishes.objects.get(person=alice)
    assert not any(each.startswith("mail") for each in wishes.wishes)
    assert (wishes.told_at is not None) == Delivery.objects.exists()
    deliver()
    assert told_by_mail(alice) == []


def test_there_is_one_round_at_a_time(clock: Clock, people: list[User]) -> None:
    clock.move(A_MINUTE)
    cache.add("telling", True, timeout=tasks.ROUND_KEPT)
    tasks.tell_whom_it_is_time_to_tell()
    assert not Delivery.objects.exists()
    cache.delete("telling")
    tasks.tell_whom_it_is_time_to_tell()
    assert Delivery.objects.count() == len(people)
    assert cache.get("telling") is None


def test_a_move_that_is_undone_leaves_what_was_to_be_told(clock: Clock, alice: User, bob: User) -> None:
    game = days_game(confirmed(alice), bob)
    before = list(Notice.objects.values())
    with transaction.atomic():
        come_round(game)
        transaction.set_rollback(True)
    assert list(Notice.objects.values()) == before
