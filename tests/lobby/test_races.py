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
from games.rules.boards import lay
from games.rules.chance import of_board
from games.store import load
from lobby import arranging, meeting, services
from lobby.company import Company, Visibility
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
        [lambda person=person: services.open_rematch(game.pk, person, now=timezone.now()) for person in people]  # type: ignore[misc]
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

    _, told = all_at_once([lambda: services.stand_up(table.code, alice, now=timezone.now()), sit])
    assert Table.objects.filter(pk=table.pk).exists() == (told == "seated")
    assert Chair.objects.filter(user__name="Bob").exists() == (told == "seated")


# A board that is seen


def seen_table(*guests: str, visibility: Visibility = "link") -> tuple[Table, list[User]]:
    """A table whose board everybody sees, and those who sit there, its host first."""
    people = [User.guest(name) for name in guests]
    table = services.open_table(
        *(people[0], people[0].name, PRESETS["standard"], "balanced", None),
        company=Company(visibility),
        board_seen=True,
        now=timezone.now(),
    )
    for person in people[1:]:
        services.sit_down(table.code, person, person.name)
    return Table.objects.get(pk=table.pk), people


def test_nobody_is_ready_for_a_board_that_is_shuffled_in_the_same_moment(db: None) -> None:
    now = timezone.now()
    for number in range(6):
        table, (alice, bob, _) = seen_table(*(f"{name} {number}" for name in ("Alice", "Bob", "Charlie")))
        shuffled, ready = all_at_once(
            [
                lambda code=table.code, alice=alice: arranging.shuffle_board(code, alice, now=now),  # type: ignore[misc]
                lambda table=table, bob=bob: services.set_ready(  # type: ignore[misc]
                    table.code, bob, True, now=now, board=table.board_mark
                ),
            ]
        )
        after = Table.objects.get(pk=table.pk)
        assert (shuffled is None) != (ready is None), "one of the two was a moment earlier"
        assert (after.board_mark == table.board_mark) == (ready is None)
        assert after.chairs.filter(ready=True).exists() == (ready is None)


def test_a_game_that_starts_while_the_board_is_shuffled_has_the_board_that_was_seen(db: None) -> None:
    now = timezone.now()
    for number in range(6):
        table, people = seen_table(*(f"{name} {number}" for name in ("Alice", "Bob", "Charlie")), visibility="public")
        ready = [
            lambda table=table, person=person: services.set_ready(  # type: ignore[misc]
                table.code, person, True, now=now, board=table.board_mark
            )
            for person in people
        ]
        shuffle = [
            lambda code=table.code, host=people[0]: arranging.shuffle_board(code, host, now=now)  # type: ignore[misc]
        ] * 2
        all_at_once([*ready, *shuffle])
        after = Table.objects.get(pk=table.pk)
        if after.game is not None:
            assert bytes(after.game.board_seed or b"") == bytes(table.board_seed or b"")
            shown, dealt = lay("balanced", of_board(bytes(table.board_seed or b""))), load(after.game).state.board
            assert dealt == shown
        else:
            assert after.board_mark != table.board_mark


def test_a_host_who_starts_in_one_tab_and_shuffles_in_another_plays_on_the_board_of_the_first(db: None) -> None:
    now = timezone.now()
    for number in range(6):
        table, (alice,) = seen_table(f"Alice {number}")
        started, _ = all_at_once(
            [
                lambda table=table, alice=alice: services.start(  # type: ignore[misc]
                    table.code, alice, fill_with_bots=True, now=now, board=table.board_mark
                ),
                lambda code=table.code, alice=alice: arranging.shuffle_board(code, alice, now=now),  # type: ignore[misc]
            ]
        )
        if isinstance(started, Refusal):
            assert not Game.objects.filter(table=table).exists()
        else:
            assert bytes(Game.objects.get(table=table).board_seed or b"") == bytes(table.board_seed or b"")
