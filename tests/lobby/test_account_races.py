"""Several sign up, sign in or sit down at once: one has the name, nothing is lost, and everybody gets an answer."""

from collections import Counter

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games.models import Seat
from lobby import leaving, names, services
from lobby.models import Chair, Table, User
from lobby.moving import move

from .people import sign_in, sign_up, who
from .test_moving import game_of, guest, table_of
from .test_races import all_at_once

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _quick_and_forgetful(settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()


def test_of_many_who_take_one_name_at_once_one_has_it_and_the_others_are_told() -> None:
    spellings = ["Alice", "alice", "AIice", "Аlice", "ALICE", "A lice"]
    answers = all_at_once([lambda name=name: sign_up(Client(), name) for name in spellings])  # type: ignore[misc]
    assert Counter(answer.status_code for answer in answers) == {302: 1, 200: 5}
    assert all(names.TAKEN in answer.content.decode() for answer in answers if answer.status_code == 200)
    assert User.objects.count() == 1


def test_a_guest_who_signs_up_in_several_tabs_has_one_account() -> None:
    browser = Client()
    browser.post("/play-now/")
    tabs = []
    for _ in range(4):
        tab = Client()
        tab.cookies["sessionid"] = browser.cookies["sessionid"].value
        tabs.append(tab)
    pairs = zip(tabs, ("Alice", "Bob", "Charlie", "Dana"), strict=True)
    answers = all_at_once([lambda tab=tab, name=name: sign_up(tab, name) for tab, name in pairs])  # type: ignore[misc]
    was_guest = Seat.objects.get(number=0).user
    assert was_guest is not None
    assert not was_guest.is_guest
    assert sum(answer.status_code == 302 for answer in answers) >= 1
    # A tab that came after the first finds its session ended, and then signs up as anybody else.
    assert User.objects.filter(is_guest=True).count() == 0


def test_a_guest_who_signs_in_in_several_tabs_moves_once() -> None:
    sign_up(Client())
    browser = Client()
    browser.post("/play-now/")
    guest_row = who(browser)
    tabs = []
    for _ in range(4):
        tab = Client()
        tab.cookies["sessionid"] = browser.cookies["sessionid"].value
        tabs.append(tab)
    answers = all_at_once([lambda tab=tab: sign_in(tab) for tab in tabs])  # type: ignore[misc]
    assert {answer.status_code for answer in answers} == {302}
    alice = User.objects.get(is_guest=False)
    assert Seat.objects.get(number=0).user == alice
    assert Table.objects.get().host == alice
    assert not Seat.objects.filter(user=guest_row).exists()


def test_guests_who_move_while_their_table_starts_lose_no_seat(alice: User, dana: User) -> None:
    one, other = guest("One"), guest("Other")
    table = table_of(one, other)
    all_at_once(
        [
            lambda: move(one, alice, timezone.now()),
            lambda: move(other, dana, timezone.now()),
            lambda: services.start(table.code, one, fill_with_bots=True, now=timezone.now()),
        ]
    )
    table.refresh_from_db()
    people = {alice.pk, dana.pk}
    if table.game_id is None:
        held = Chair.objects.filter(table=table, user__isnull=False)
        assert set(held.values_list("user", flat=True)) == people
    else:
        seats = Seat.objects.filter(game=table.game_id, user__isnull=False)
        assert set(seats.values_list("user", flat=True)) == people
    assert table.host == alice


def test_both_with_a_seat_in_many_games_move_without_waiting_in_a_circle(alice: User, dana: User) -> None:
    one, other = guest("One"), guest("Other")
    for _ in range(3):
        game_of(one, other, alice)
    all_at_once([lambda: move(one, dana, timezone.now()), lambda: move(other, alice, timezone.now())])
    assert Seat.objects.filter(user=dana).count() == 3
    assert Seat.objects.filter(user=alice).count() == 3
    assert Seat.objects.filter(user=other, player=Seat.Player.BOT).count() == 3


def test_who_deletes_the_account_while_a_table_starts_leaves_no_seat_that_nobody_plays(alice: User, dana: User) -> None:
    for number in range(6):
        leaver = User.objects.create_user(f"leaver-{number}", name=f"Leaver {number}")
        table = table_of(alice, leaver, dana)
        all_at_once(
            [
                lambda leaver=leaver: leaving.delete(leaver, timezone.now()),  # type: ignore[misc]
                lambda table=table: services.start(table.code, alice, fill_with_bots=True, now=timezone.now()),  # type: ignore[misc]
            ]
        )
        assert not Seat.objects.filter(user=None).exclude(player=Seat.Player.BOT).exists()
        assert not Seat.objects.filter(name=leaver.name).exists()
        assert not Chair.objects.filter(name=leaver.name).exists()
