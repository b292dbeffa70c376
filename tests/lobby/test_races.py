"""Several press at once: one gets the chair, one game starts, and everybody gets an answer."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from games.models import Game
from games.rules import PRESETS, Refusal
from lobby import meeting, services
from lobby.company import Company
from lobby.models import Chair, Table, User

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PRESSES = 6


def all_at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """What each call returned, or the refusal it met; anything else is raised here."""
    line = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        line.wait()
        try:
            return call()
        except Refusal as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


@pytest.fixture
def table(alice: User) -> Table:
    return services.open_table(alice, "Alice", PRESETS["standard"], "balanced", None, now=timezone.now())


def test_of_many_who_press_one_chair_one_gets_it_and_the_others_are_told(table: Table) -> None:
    guests = [User.guest(f"Guest {number}") for number in range(PRESSES)]
    answers = all_at_once(
        [lambda guest=guest: services.sit_down(table.code, guest, guest.name, 1) for guest in guests]  # type: ignore[misc]
    )
    [winner] = [guest for guest, answer in zip(guests, answers, strict=True) if answer is None]
    refusals = [str(answer) for answer in answers if answer is not None]
    assert refusals == [f"{winner.name} already sits here: please choose another chair."] * (PRESSES - 1)
    assert Chair.objects.get(table=table, number=1).user == winner
    assert set(User.objects.filter(is_guest=True)) == {winner}, "who was refused left nobody behind"


def test_six_for_three_chairs_fill_them_and_no_more(table: Table) -> None:
    guests = [User.guest(f"Guest {number}") for number in range(PRESSES)]
    answers = all_at_once(
        [lambda guest=guest: services.sit_down(table.code, guest, guest.name) for guest in guests]  # type: ignore[misc]
    )
    assert answers.count(None) == 3
    assert Chair.objects.filter(table=table, user__isnull=False).count() == 4


def test_one_person_in_many_tabs_has_one_chair(table: Table) -> None:
    bob = User.guest("Bob")
    bob.save()
    all_at_once(
        [lambda number=number: services.sit_down(table.code, bob, "Bob", number) for number in (1, 2, 3)]  # type: ignore[misc]
    )
    assert Chair.objects.filter(table=table, user=bob).count() == 1


def test_a_host_who_presses_start_many_times_starts_one_game(table: Table, alice: User) -> None:
    games = all_at_once([lambda: services.start(table.code, alice, fill_with_bots=True, now=timezone.now())] * PRESSES)
    assert len({game.pk for game in games}) == 1
    assert Game.objects.count() == 1


def test_who_sits_down_while_the_host_starts_plays_or_is_told(table: Table, alice: User) -> None:
    bob = User.guest("Bob")
    game, refusal = all_at_once(
        [
            lambda: services.start(table.code, alice, fill_with_bots=True, now=timezone.now()),
            lambda: services.sit_down(table.code, bob, "Bob", 1),
        ]
    )
    seated = game.seat_set.filter(name="Bob", player="person").exists()
    assert seated == (refusal is None)
    assert game.seat_set.count() == 4


def test_all_who_ask_for_a_rematch_at_once_meet_at_one_table(alice: User, dana: User) -> None:
    table = services.open_table(alice, "Alice", PRESETS["standard"], "balanced", None, now=timezone.now())
    services.sit_down(table.code, dana, "Dana")
    game = services.start(table.code, alice, fill_with_bots=True, now=timezone.now())
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABORTED)
    people = [alice, dana] * 3
    tables = all_at_once(
        [lambda person=person: services.open_rematch(game.pk, person) for person in people]  # type: ignore[misc]
    )
    assert len({table.pk for table in tables}) == 1
    assert [chair.is_taken for chair in tables[0].chairs.all()] == [True] * 4


# Finding a game


def find_all_at_once(people: Sequence[User]) -> list[Table]:
    now = timezone.now()
    found = all_at_once(
        [lambda person=person: meeting.find_game(person, person.name, "fast", now=now) for person in people]  # type: ignore[misc]
    )
    assert [table for table in found if isinstance(table, Refusal)] == []
    return found


def test_two_strangers_who_press_at_once_meet_at_one_table(db: None) -> None:
    for number in range(4):
        Table.objects.all().delete()
        first, second = find_all_at_once([User.guest(f"Alice {number}"), User.guest(f"Bob {number}")])
        assert first == second


def test_many_who_look_at_once_fill_tables_of_four(db: None) -> None:
    find_all_at_once([User.guest(f"Guest {number}") for number in range(10)])
    taken = [table.chairs.filter(user__isnull=False).count() for table in Table.objects.all()]
    assert sorted(taken) == [2, 4, 4]
    sitting = list(Chair.objects.filter(user__isnull=False).values_list("user", flat=True))
    assert len(sitting) == len(set(sitting)) == 10


def test_one_person_who_looks_in_many_tabs_sits_at_one_table(db: None) -> None:
    alice = User.guest("Alice")
    alice.save()
    paces = ("fast", "normal", "relaxed") * 2
    now = timezone.now()
    all_at_once([lambda pace=pace: meeting.find_game(alice, "Alice", pace, now=now) for pace in paces])  # type: ignore[misc]
    assert Chair.objects.filter(user=alice).count() == 1
    assert Table.objects.count() == 1


def test_of_two_who_find_the_last_chair_the_second_gets_another_table(db: None, alice: User) -> None:
    table = meeting.find_game(alice, "Alice", "fast", now=timezone.now())
    for name in ("Bob", "Charlie"):
        services.sit_down(table.code, User.guest(name), name)
    found = find_all_at_once([User.guest("Dana"), User.guest("Eve")])
    assert sum(one == table for one in found) == 1
    assert table.chairs.filter(user__isnull=False).count() == 4


def test_who_finds_the_last_chair_while_somebody_takes_it_by_the_link_sits_somewhere(db: None, alice: User) -> None:
    table = meeting.find_game(alice, "Alice", "fast", now=timezone.now())
    for name in ("Bob", "Charlie"):
        services.sit_down(table.code, User.guest(name), name)
    now = timezone.now()
    found, refusal = all_at_once(
        [
            lambda: meeting.find_game(User.guest("Dana"), "Dana", "fast", now=now),
            lambda: services.sit_down(table.code, User.guest("Eve"), "Eve"),
        ]
    )
    assert (found == table) == isinstance(refusal, Refusal)
    assert table.chairs.filter(user__isnull=False).count() == 4


def test_of_those_who_get_ready_at_once_the_last_starts_one_game(db: None, alice: User) -> None:
    now = timezone.now()
    people = [alice, User.guest("Bob"), User.guest("Charlie"), User.guest("Dana")]
    table = services.open_table(
        alice, "Alice", PRESETS["standard"], "balanced", None, company=Company("public"), now=now
    )
    for person in people[1:]:
        services.sit_down(table.code, person, person.name)
    all_at_once([lambda person=person: services.set_ready(table.code, person, True, now=now) for person in people])  # type: ignore[misc]
    assert Game.objects.count() == 1
    assert Game.objects.get().seat_set.count() == 4


def test_a_table_does_not_vanish_under_somebody_who_sits_down(table: Table, alice: User) -> None:
    bob = User.guest("Bob")

    def sit() -> str:
        try:
            services.sit_down(table.code, bob, "Bob")
        except Table.DoesNotExist:
            return "gone"
        return "seated"

    _, told = all_at_once([lambda: services.stand_up(table.code, alice), sit])
    assert Table.objects.filter(pk=table.pk).exists() == (told == "seated")
    assert Chair.objects.filter(user__name="Bob").exists() == (told == "seated")
