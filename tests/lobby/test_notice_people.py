"""Who may be told something: not those who left, nor those who cannot be, and whoever somebody turns out to be."""

from __future__ import annotations

import pytest
from django.core import mail

from games import services
from games.models import Seat
from games.rules import PRESETS
from lobby import arranging, blocks, moving
from lobby import services as tables
from lobby.models import Delivery, Notice, NoticeWishes, Table, User
from lobby.notice_models import Kind
from tests.clock import Clock

from .noticing import (
    A_DAY,
    A_MINUTE,
    break_off,
    confirmed,
    days_game,
    pass_turn,
    round_of_beat,
    seat_of,
    told_by_mail,
    wish,
)

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]

AN_HOUR = 3600


@pytest.fixture
def guest() -> User:
    guest = User.guest("Guest")
    guest.save()
    return guest


def sign_up(guest: User) -> User:
    """The same row, see lobby.signing_in."""
    User.objects.filter(pk=guest.pk).update(is_guest=False, username="wanderer", name="Wanderer")
    return confirmed(User.objects.get(pk=guest.pk))


# Guests, and those without an address


def test_a_guest_who_signs_up_is_told_of_the_turn_that_waits(clock: Clock, guest: User, bob: User) -> None:
    days_game(guest, bob)
    clock.move(A_MINUTE)
    round_of_beat()
    assert not Delivery.objects.exists()
    account = sign_up(guest)
    clock.move(AN_HOUR)
    round_of_beat()
    assert told_by_mail(account) == ["Your turn in a game with Bob and Charlie"]
    clock.move(0.8 * A_DAY)
    round_of_beat()
    assert len(told_by_mail(account)) == 2


def test_a_guest_who_signs_in_is_told_of_the_turn_that_waits(clock: Clock, guest: User, alice: User, bob: User) -> None:
    days_game(guest, bob)
    clock.move(A_MINUTE)
    round_of_beat()
    moving.move(guest, confirmed(alice), clock.now)
    clock.move(AN_HOUR)
    round_of_beat()
    assert told_by_mail(alice) == ["Your turn in a game with Bob and Charlie"]


def test_who_confirms_an_address_is_told_of_the_turn_that_waits(clock: Clock, alice: User, bob: User) -> None:
    days_game(alice, bob)
    clock.move(A_MINUTE)
    round_of_beat()
    assert not Delivery.objects.exists()
    confirmed(alice)
    clock.move(AN_HOUR)
    round_of_beat()
    assert told_by_mail(alice) == ["Your turn in a game with Bob and Charlie"]


@pytest.mark.parametrize("is_guest", [True, False])
@pytest.mark.parametrize("how", ["live", "over", "answered"])
def test_of_what_does_not_wait_nothing_is_kept_for_who_cannot_be_told(
    clock: Clock, alice: User, bob: User, how: str, is_guest: bool
) -> None:
    User.objects.filter(pk=alice.pk).update(is_guest=is_guest)
    wish(alice, wishes=["mail-live-turn", "mail-days-turn", "mail-days-ended"])
    game = days_game(alice, bob, pace="normal" if how == "live" else "1 day")
    if how == "over":
        break_off(game)
    elif how == "answered":
        pass_turn(game)
    clock.move(A_MINUTE)
    round_of_beat()
    assert not Notice.objects.filter(seat__user=alice).exists()


# Closed accounts


def test_a_closed_account_is_told_of_nothing_and_nothing_is_kept_for_it(clock: Clock, alice: User, bob: User) -> None:
    days_game(confirmed(alice), bob)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    clock.move(A_MINUTE)
    round_of_beat()
    assert (mail.outbox, Notice.objects.count()) == ([], 0)


def test_a_seat_that_a_bot_has_for_good_is_told_nothing(clock: Clock, alice: User, bob: User) -> None:
    game = days_game(confirmed(alice), bob)
    services.withdraw(game.pk, 0, clock.now)
    clock.move(A_MINUTE)
    round_of_beat()
    assert told_by_mail(alice) == []
    assert seat_of(alice, game).asked == Seat.Asked.NOTHING


# Invitations


@pytest.fixture
def table(alice: User, bob: User, clock: Clock) -> Table:
    """Alice has invited Bob to it."""
    User.objects.filter(pk=alice.pk).update(name="Alice")
    confirmed(bob)
    bob.name = "Bob"
    bob.save()
    table = tables.open_table(alice, "Alice", PRESETS["standard"], "balanced", None, now=clock.now)
    arranging.invite(table.code, alice, "Bob", now=clock.now)
    return table


def test_a_closed_account_is_invited_to_nothing(clock: Clock, table: Table, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    clock.move(A_MINUTE)
    round_of_beat()
    assert (mail.outbox, Notice.objects.count()) == ([], 0)


@pytest.mark.parametrize("blocks_whom", ["the host", "the one invited"])
def test_after_a_block_an_invitation_is_not_told(
    clock: Clock, table: Table, alice: User, bob: User, blocks_whom: str
) -> None:
    by, whom = (bob, alice) if blocks_whom == "the host" else (alice, bob)
    blocks.block(by, whom, now=clock.now)
    clock.move(A_MINUTE)
    round_of_beat()
    assert mail.outbox == []


def test_a_guest_who_signs_in_is_told_of_the_rematch_they_are_invited_to(
    clock: Clock, guest: User, alice: User, bob: User
) -> None:
    game = days_game(alice, guest)
    break_off(game)
    rematch = tables.open_rematch(game.pk, alice, now=clock.now)
    Notice.objects.filter(kind=Kind.ENDED).delete()
    Notice.objects.update(due_at=clock.now)
    round_of_beat()
    moving.move(guest, confirmed(bob), clock.now)
    clock.move(AN_HOUR)
    round_of_beat()
    assert told_by_mail(bob) == ["Alice invites you to a game"]
    assert Delivery.objects.get(person=bob).items[0]["table"] == rematch.pk
    assert not Notice.objects.filter(person=guest).exists()


def test_who_signs_in_is_invited_once_though_both_were(clock: Clock, guest: User, alice: User, bob: User) -> None:
    game = days_game(alice, guest, bob)
    break_off(game)
    tables.open_rematch(game.pk, alice, now=clock.now)
    wish(guest, wishes=[])
    moving.move(guest, confirmed(bob), clock.now)
    assert Notice.objects.filter(kind=Kind.INVITED, person=bob).count() == 1
    assert not NoticeWishes.objects.filter(person=guest).exists()
    assert not NoticeWishes.objects.filter(person=bob).exists(), "what a guest wished is nobody’s wish"


def test_an_invitation_waits_for_a_guest_as_long_as_the_table_does(
    clock: Clock, guest: User, alice: User, bob: User
) -> None:
    game = days_game(alice, guest, bob)
    break_off(game)
    table = tables.open_rematch(game.pk, alice, now=clock.now)
    clock.move(A_DAY)
    round_of_beat()
    assert Notice.objects.filter(person=guest).exists()
    tables.sit_down(table.code, bob, "Charlie")
    tables.free_chair(table.code, alice, 1)
    tables.start(table.code, alice, fill_with_bots=True, now=clock.now)
    clock.move(AN_HOUR)
    round_of_beat()
    assert not Notice.objects.filter(person=guest).exists()
