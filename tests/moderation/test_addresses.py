"""Who came from the same address is known for a while, and no address is."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import chain

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from lobby.models import User
from moderation import addresses, tasks
from moderation.models import ADDRESSES_KEPT, KEY_CHANGES, AddressKey, SeenAddress
from tests.clock import Clock
from tests.lobby.test_races import all_at_once

HOME, ELSEWHERE = "203.0.113.7", "198.51.100.20"
A_DAY = 24 * 3600


def two(person: User, other: User) -> tuple[int, int]:
    return min(person.pk, other.pk), max(person.pk, other.pk)


def shared(person: User, other: User) -> int:
    return addresses.shared_by([two(person, other)])[two(person, other)]


def come(person: User, address: str) -> None:
    addresses.note(person.pk, address, timezone.now())


def test_two_people_of_one_household_share_an_address(alice: User, bob: User, charlie: User, clock: Clock) -> None:
    come(alice, HOME)
    come(bob, HOME)
    come(charlie, ELSEWHERE)
    assert (shared(alice, bob), shared(alice, charlie)) == (1, 0)


def test_a_household_of_the_new_addresses_is_one(alice: User, bob: User, charlie: User, clock: Clock) -> None:
    come(alice, "2001:db8:0:1::a")
    come(bob, "2001:db8:0:1:ffff::b")
    come(charlie, "2001:db8:0:2::a")
    assert (shared(alice, bob), shared(alice, charlie)) == (1, 0)
    come(alice, f"::ffff:{HOME}")
    come(charlie, HOME)
    assert shared(alice, charlie) == 1


def test_several_addresses_are_counted_once_whatever_the_key(alice: User, bob: User, clock: Clock) -> None:
    for _ in range(3):
        for person in (alice, bob):
            for address in (HOME, ELSEWHERE):
                come(person, address)
        clock.move(KEY_CHANGES.days * A_DAY)
    assert SeenAddress.objects.values("key_of").distinct().count() == 3
    assert shared(alice, bob) == 2


def test_hashes_of_two_keys_do_not_match(alice: User, bob: User, clock: Clock) -> None:
    come(alice, HOME)
    clock.move((KEY_CHANGES.days - 1) * A_DAY)
    come(alice, HOME)
    assert SeenAddress.objects.count() == 1
    clock.move(A_DAY)
    come(bob, HOME)
    assert SeenAddress.objects.values("digest").distinct().count() == 2
    assert shared(alice, bob) == 0


def test_a_key_is_gone_when_the_next_one_begins(alice: User, clock: Clock) -> None:
    come(alice, HOME)
    before = bytes(AddressKey.objects.get().key)
    clock.move(KEY_CHANGES.days * A_DAY)
    come(alice, HOME)
    after = AddressKey.objects.get()
    assert bytes(after.key) != before
    assert len(bytes(after.key)) == addresses.KEY_LENGTH
    assert after.begins == timezone.localdate()


def test_a_key_is_gone_after_its_month_though_nobody_comes(alice: User, clock: Clock) -> None:
    come(alice, HOME)
    clock.move((KEY_CHANGES.days - 1) * A_DAY)
    tasks.forget_addresses()
    assert AddressKey.objects.exists()
    clock.move(A_DAY)
    tasks.forget_addresses()
    assert not AddressKey.objects.exists()


def test_what_was_seen_is_forgotten_after_ninety_days(alice: User, bob: User, clock: Clock) -> None:
    come(alice, HOME)
    clock.move(A_DAY)
    come(bob, HOME)
    clock.move((ADDRESSES_KEPT.days - 1) * A_DAY)
    tasks.forget_addresses()
    assert SeenAddress.objects.count() == 2
    clock.move(A_DAY)
    tasks.forget_addresses()
    assert list(SeenAddress.objects.values_list("person", flat=True)) == [bob.pk]


def test_no_row_holds_an_address(alice: User, client: Client, clock: Clock) -> None:
    """Nor a hash of it without the key. Allauth keeps those of open sessions, for whoever they belong to."""
    client.force_login(alice)
    clock.move(A_DAY)
    client.get("/", REMOTE_ADDR=HOME)
    come(alice, "2001:db8:0:1::a")
    assert SeenAddress.objects.count() == 2
    models = [*apps.get_app_config("moderation").get_models(), User]
    rows = str(list(chain.from_iterable(model._default_manager.values_list() for model in models)))
    for trace in (HOME, "2001:db8", addresses.sha256(HOME.encode()).hexdigest()):
        assert trace not in rows


@pytest.mark.parametrize("address", ["", "unix:", "127.0.0.1", "::1", "::ffff:127.0.0.1", "testclient"])
def test_what_is_no_visitors_address_is_passed_over(alice: User, address: str) -> None:
    """Behind a proxy on one's own machine, all would share one."""
    come(alice, address)
    assert not SeenAddress.objects.exists()


def test_an_address_that_dozens_come_from_says_nothing(db: None) -> None:
    people = User.objects.bulk_create([User(username=f"pupil {n}") for n in range(addresses.MOST_PEOPLE + 1)])
    for person in people[:-1]:
        come(person, HOME)
    assert shared(people[0], people[1]) == 1
    come(people[-1], HOME)
    assert shared(people[0], people[1]) == 0


# When it is noted


def test_a_new_guest_is_seen(client: Client, db: None) -> None:
    client.post("/play-now/", REMOTE_ADDR=HOME)
    assert SeenAddress.objects.get().person == User.objects.get()


def test_whoever_signs_in_is_seen(client: Client, alice: User) -> None:
    alice.set_password("sheep for wheat")
    alice.save()
    client.post("/sign-in/", {"username": "alice", "password": "sheep for wheat"}, REMOTE_ADDR=HOME)
    assert "_auth_user_id" in client.session
    assert SeenAddress.objects.get().person == alice


def test_whoever_stays_signed_in_is_seen_once_a_day_which_costs_no_statement_otherwise(
    client: Client, alice: User, clock: Clock
) -> None:
    client.force_login(alice)
    clock.move(A_DAY)
    client.get("/", REMOTE_ADDR=HOME)
    assert SeenAddress.objects.get().seen_on == timezone.localdate()
    with CaptureQueriesContext(connection) as statements:
        client.get("/", REMOTE_ADDR=HOME)
    assert {statement["sql"].split()[0] for statement in statements} == {"SELECT"}
    assert "moderation_" not in str(statements.captured_queries)
    clock.move(A_DAY)
    client.get("/", REMOTE_ADDR=HOME)
    assert SeenAddress.objects.get().seen_on == timezone.localdate()


def test_a_visit_is_answered_though_it_cannot_be_noted(
    client: Client, alice: User, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(today: date) -> AddressKey:
        raise RuntimeError("no key")

    client.force_login(alice)
    clock.move(A_DAY)
    monkeypatch.setattr(addresses, "_current_key", fail)
    assert client.get("/", REMOTE_ADDR=HOME).status_code == 200
    assert "no key" in caplog.text
    assert HOME not in caplog.text


@pytest.mark.both_stacks
@pytest.mark.django_db(transaction=True)
def test_people_who_come_at_once_are_hashed_with_one_key(transactional_db: None) -> None:
    people = User.objects.bulk_create([User(username=f"person {n}") for n in range(4)])
    now = timezone.now()
    all_at_once([lambda person=person: addresses.note(person.pk, HOME, now) for person in people])  # type: ignore[misc]
    all_at_once([lambda: addresses.note(people[0].pk, HOME, now + timedelta(seconds=1))] * 4)
    assert AddressKey.objects.count() == 1
    assert SeenAddress.objects.count() == 4
    assert SeenAddress.objects.values("digest").distinct().count() == 1
