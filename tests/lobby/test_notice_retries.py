"""What waits for its next try is as polite as what is told for the first time: everything is decided afresh."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from games import services
from games.models import Game
from lobby.models import Delivery, Notice, User
from lobby.notices import links, sending
from tests.clock import Clock

from .noticing import (
    A_DAY,
    A_MINUTE,
    A_QUARTER,
    LUMBER,
    ORE,
    WOOL,
    act,
    confirmed,
    days_game,
    deliver_due,
    in_main_phase,
    m,
    mail_server_down,
    move,
    open_page,
    pass_turn,
    round_of_beat,
    told_by_mail,
    wish,
)

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]

Outcome = Delivery.Outcome


@pytest.fixture(autouse=True)
def _everybody_has_an_address(alice: User, bob: User) -> None:
    for person in (alice, bob):
        confirmed(person)


@pytest.fixture
def game(clock: Clock, alice: User, bob: User) -> Game:
    """There is a mail for Alice, and the server was down when it was tried."""
    game = days_game(alice, bob)
    clock.move(A_MINUTE)
    with mail_server_down():
        round_of_beat()
    assert Delivery.objects.get().tries == 1
    clock.move(A_MINUTE)
    return game


def outcome() -> str:
    return Delivery.objects.get().outcome


def test_who_has_ended_the_mails_meanwhile_gets_none(game: Game, alice: User) -> None:
    Client().post("/" + links.ending(alice.pk).split("/", 3)[3])
    round_of_beat()
    assert (told_by_mail(alice), outcome()) == ([], Outcome.OVER)


def test_who_has_no_address_any_more_gets_none(game: Game, alice: User) -> None:
    alice.emailaddress_set.update(verified=False)  # type: ignore[attr-defined]
    round_of_beat()
    assert (mail.outbox, outcome()) == ([], Outcome.OVER)


def test_in_quiet_hours_it_waits_for_their_end(clock: Clock, game: Game, alice: User) -> None:
    clock.now = datetime(2026, 11, 19, 2, 0, tzinfo=UTC)
    Delivery.objects.update(made_at=clock.now, try_at=clock.now)
    Game.objects.update(deadline=clock.now + timedelta(days=1))
    wish(alice, zone="Europe/Berlin", quiet_from=time(22), quiet_until=time(7))
    round_of_beat()
    clock.now = datetime(2026, 11, 19, 5, 59, tzinfo=UTC)
    round_of_beat()
    assert (told_by_mail(alice), outcome()) == ([], "")
    clock.move(60)
    round_of_beat()
    assert len(told_by_mail(alice)) == 1


def test_who_looks_at_the_game_by_now_gets_none(game: Game, alice: User) -> None:
    open_page(alice, game, is_visible=True)
    round_of_beat()
    assert (told_by_mail(alice), outcome()) == ([], Outcome.OVER)


def test_a_closed_account_gets_none(game: Game, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    round_of_beat()
    assert (told_by_mail(alice), outcome()) == ([], Outcome.OVER)


def test_whoever_has_the_seat_now_does_not_get_the_mail_of_another(game: Game, alice: User, dana: User) -> None:
    services.hand_on(alice.pk, confirmed(dana).pk, timezone.now())
    round_of_beat()
    assert (mail.outbox, outcome()) == ([], Outcome.OVER)


def test_of_a_question_that_was_answered_and_asked_again_the_old_mail_is_not_sent(
    clock: Clock, game: Game, alice: User
) -> None:
    pass_turn(game)
    while Notice.objects.filter(seat__user=alice, kind="turn").count() == 0:
        pass_turn(game)
    round_of_beat()
    assert (told_by_mail(alice), outcome()) == ([], Outcome.OVER)


def test_it_says_what_is_so_by_now(clock: Clock, game: Game, alice: User) -> None:
    """Alice has placed her settlement, and then the road is what is missing."""
    clock.move(3600)
    move(game)
    round_of_beat()
    [message] = mail.outbox
    assert "Place your road." in message.body
    assert "Place your settlement." not in message.body
    assert [item["sentence"] for item in Delivery.objects.get().items] == ["Place your road."]


def test_an_offer_that_was_taken_back_is_not_told_late(clock: Clock, alice: User, bob: User) -> None:
    game = days_game(alice, bob)
    in_main_phase(game, 0)
    Notice.objects.all().delete()
    act(game, m.OfferTrade(0, (1,), WOOL, ORE))
    clock.move(A_MINUTE)
    with mail_server_down():
        round_of_beat()
    assert Delivery.objects.filter(person=bob).count() == 1
    act(game, m.WithdrawOffer(0, 0))
    act(game, m.OfferTrade(0, (1,), WOOL, LUMBER))
    Notice.objects.all().delete()
    clock.move(A_MINUTE)
    round_of_beat()
    assert not any("ore" in message.body for message in mail.outbox)


def test_a_reminder_is_not_sent_once_another_clock_runs(clock: Clock, game: Game, alice: User) -> None:
    round_of_beat()
    clock.move(0.85 * A_DAY)
    with mail_server_down():
        round_of_beat()
    move(game)
    clock.move(A_MINUTE)
    round_of_beat()
    assert told_by_mail(alice) == ["Your turn in a game with Bob and Charlie"]


# What has piled up


def test_after_an_outage_all_that_waits_for_somebody_comes_in_one_mail(clock: Clock, alice: User, bob: User) -> None:
    with mail_server_down():
        for _ in range(5):
            days_game(alice, bob)
            clock.move(A_QUARTER + A_MINUTE)
            round_of_beat()
    assert Delivery.objects.exclude(try_at__lte=clock.now).exists(), "each has a pause of its own"
    Delivery.objects.filter(pk=Delivery.objects.earliest("pk").pk).update(try_at=clock.now)
    deliver_due()
    assert told_by_mail(alice) == ["5 games are waiting for you"]
    clock.move(3601)
    round_of_beat()
    assert len(told_by_mail(alice)) == 1
    assert [len(delivery.items) for delivery in Delivery.objects.all()] == [5]


def test_what_is_being_tried_by_somebody_else_is_not_taken_along(clock: Clock, alice: User, bob: User) -> None:
    days_game(alice, bob)
    clock.move(A_MINUTE)
    with mail_server_down():
        round_of_beat()
    clock.move(A_MINUTE)
    first = sending.claim("mail", sending.Troubles(), clock.now)  # type: ignore[arg-type]
    assert first
    wish(alice, told_at=None)
    days_game(alice, bob)
    clock.move(30)
    Notice.objects.update(due_at=clock.now)
    round_of_beat()
    assert len(told_by_mail(alice)) == 1
    sending.attempt(first, sending.Troubles())
    assert len(told_by_mail(alice)) == 2


def test_what_waits_for_somebody_else_is_not_taken_along(clock: Clock, alice: User, bob: User) -> None:
    days_game(alice, bob)
    days_game(bob, alice)
    clock.move(A_MINUTE)
    with mail_server_down():
        round_of_beat()
    clock.move(3600)
    round_of_beat()
    assert (len(told_by_mail(alice)), len(told_by_mail(bob))) == (1, 1)


def test_one_message_of_several_is_another_than_each_of_them(clock: Clock, alice: User, bob: User) -> None:
    """A browser shows a message once, by its key; the first may have arrived, and its answer been lost."""
    days_game(alice, bob)
    clock.move(A_MINUTE)
    with mail_server_down():
        round_of_beat()
    before = Delivery.objects.get().key
    days_game(alice, bob)
    clock.move(A_QUARTER)
    round_of_beat()
    [delivery] = Delivery.objects.all()
    assert len(delivery.items) == 2
    assert delivery.key != before
