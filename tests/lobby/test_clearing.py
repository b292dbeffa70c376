"""Guests who do not come back are forgotten with their games against bots; what two people shared stays."""

from datetime import date, datetime, timedelta

import pytest
from django.conf import LazySettings
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game, Move, Seat
from games.rules import Refusal
from games.services import abort
from lobby import clearing, leaving, services
from lobby.models import Chair, Table, User
from lobby.tasks import clear_old_guests

from .test_moving import game_of, guest, table_of
from .test_races import all_at_once

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]

TODAY = timezone.localdate()


def long_gone(name: str = "Wanderer") -> User:
    person = guest(name)
    User.objects.filter(pk=person.pk).update(last_visit=TODAY - timedelta(days=91))
    person.refresh_from_db()
    return person


def is_there(row: User | Game | Table) -> bool:
    return type(row).objects.filter(pk=row.pk).exists()  # type: ignore[union-attr]


def test_an_old_guest_goes_with_games_against_bots_that_run_and_that_are_over() -> None:
    wanderer = long_gone()
    running, over = game_of(wanderer), game_of(wanderer)
    abort(over.pk, now=timezone.now(), why="for the test")
    table = table_of(wanderer)
    clear_old_guests()
    assert not any(is_there(row) for row in (wanderer, running, over, table))
    assert not Seat.objects.exists()
    assert not Chair.objects.exists()


def test_a_guest_who_was_here_lately_stays() -> None:
    wanderer = guest()
    User.objects.update(last_visit=TODAY - timedelta(days=89))
    game = game_of(wanderer)
    clear_old_guests()
    assert is_there(wanderer)
    assert is_there(game)


def test_how_long_is_a_setting(settings: LazySettings) -> None:
    wanderer = long_gone()
    settings.GUESTS_KEPT = 100
    clear_old_guests()
    assert is_there(wanderer)


def test_a_game_of_two_people_stays_however_long_both_are_gone() -> None:
    wanderer, other = long_gone(), long_gone("Bob")
    shared, alone = game_of(wanderer, other), game_of(wanderer)
    clear_old_guests()
    assert all(is_there(row) for row in (wanderer, other, shared))
    assert is_there(alone), "the guest stays, and what is the guest's"


def test_a_game_with_somebody_who_deleted_the_account_is_a_game_of_two_people(alice: User) -> None:
    wanderer = long_gone()
    shared = game_of(wanderer, alice)
    leaving.delete(alice, timezone.now())
    clear_old_guests()
    assert is_there(wanderer)
    assert is_there(shared)


def test_a_game_that_the_other_has_resigned_is_one_of_two_people_still() -> None:
    wanderer, other = long_gone(), guest("Bob")
    shared = game_of(wanderer, other)
    Seat.objects.filter(user=wanderer).update(player=Seat.Player.BOT, strength="medium", asked="", awaited_since=None)
    clear_old_guests()
    assert is_there(wanderer)
    assert is_there(shared)


def test_accounts_and_their_games_are_never_cleared(alice: User) -> None:
    User.objects.update(last_visit=TODAY - timedelta(days=1000))
    game = game_of(alice)
    clear_old_guests()
    assert is_there(alice)
    assert is_there(game)


def test_a_chair_at_somebody_elses_table_is_freed(alice: User) -> None:
    wanderer = long_gone()
    table = table_of(alice, wanderer)
    hosted = table_of(wanderer, alice)
    clear_old_guests()
    assert [chair.is_free for chair in Chair.objects.filter(table=table)] == [False, True, True, True]
    hosted.refresh_from_db()
    assert hosted.host == alice


def test_a_guest_who_comes_back_in_the_middle_keeps_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    wanderer = long_gone()
    games = [game_of(wanderer) for _ in range(3)]
    clear = clearing.clear

    def clear_and_come_back(game_id: int) -> None:
        clear(game_id)
        User.objects.filter(pk=wanderer.pk).update(last_visit=TODAY)

    monkeypatch.setattr(clearing, "clear", clear_and_come_back)
    clear_old_guests()
    assert is_there(wanderer)
    assert sum(is_there(game) for game in games) == 2


def test_a_game_with_others_that_has_just_begun_stays_whole(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guest was found with no company; then the host of a table where they still sat started its game."""
    wanderer = long_gone()
    alone, table = game_of(wanderer), table_of(alice, bob, wanderer)
    old_guests = clearing.old_guests

    def find_and_start(before: date) -> QuerySet[User]:
        found = list(old_guests(before).values_list("pk", flat=True))
        if not Table.objects.get(pk=table.pk).game_id:
            services.start(table.code, alice, fill_with_bots=False, now=timezone.now())
            return User.objects.filter(pk__in=found)
        return old_guests(before)

    monkeypatch.setattr(clearing, "old_guests", find_and_start)
    clear_old_guests()
    game = Table.objects.get(pk=table.pk).game
    assert game is not None
    assert set(Seat.objects.filter(game=game).values_list("user", flat=True)) == {alice.pk, bob.pk, wanderer.pk}
    assert is_there(alone), "the guest stays, and what is the guest's"


def test_a_guest_who_sits_down_again_in_the_middle_stays(monkeypatch: pytest.MonkeyPatch, alice: User) -> None:
    wanderer = long_gone()
    left, found = table_of(alice, wanderer), table_of(alice)
    leave = clearing.leave_tables

    def leave_and_come_back(person: User, now: datetime) -> None:
        leave(person, now)
        services.sit_down(found.code, wanderer, "Wanderer")

    monkeypatch.setattr(clearing, "leave_tables", leave_and_come_back)
    clear_old_guests()
    assert is_there(wanderer)
    assert Chair.objects.filter(table=left, user=wanderer).exists(), "nothing of it was done"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_game_that_starts_while_its_guest_is_cleared_has_them_or_is_not_started(alice: User, bob: User) -> None:
    """Nobody waits in a circle for the other, and no game loses a player in the moment in which it starts."""
    for _ in range(6):
        wanderer = long_gone()
        table = table_of(alice, bob, wanderer)
        started, _ = all_at_once(
            [
                lambda code=table.code: services.start(  # type: ignore[misc]
                    code, alice, fill_with_bots=False, now=timezone.now()
                ),
                clear_old_guests,
            ]
        )
        if isinstance(started, Refusal):
            assert not is_there(wanderer)
            assert Table.objects.get(pk=table.pk).game is None
        else:
            assert is_there(wanderer)
            assert set(Seat.objects.filter(game=started).values_list("user", flat=True)) == {
                *(alice.pk, bob.pk, wanderer.pk)
            }
        Table.objects.all().delete()
        Game.objects.all().delete()


def test_a_large_backlog_is_many_small_transactions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clearing, "AT_A_TIME", 3)
    monkeypatch.setattr(clearing, "IN_A_ROUND", 6)
    User.objects.bulk_create(
        User(username=f"guest-{n}", name="Guest", is_guest=True, last_visit=TODAY - timedelta(days=91))
        for n in range(10)
    )
    with CaptureQueriesContext(connection) as asked:
        clear_old_guests()
    assert User.objects.count() == 4, "the next round goes on"
    transactions = [query for query in asked if query["sql"].startswith("SAVEPOINT")]
    assert len(transactions) >= 6, "one for each guest, in the test's own"
    clear_old_guests()
    assert not User.objects.exists()


def test_one_game_goes_whole_and_no_other_is_touched(client: Client) -> None:
    wanderer = long_gone()
    game_of(wanderer)
    kept = game_of(guest("Bob"))
    moves = Move.objects.filter(game=kept).count()
    clear_old_guests()
    assert list(Game.objects.all()) == [kept]
    assert Move.objects.count() == moves
    assert client.get(f"/games/{kept.pk}/").status_code == 200
