"""Nobody has guests, tables and games without end, however fast and in however many tabs they press."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.models import Game, Seat
from lobby.models import Table, User

_numbers = count(1)
AT_ONCE, ROUNDS = 12, 5


@pytest.fixture
def address() -> str:
    """Where nobody came from before."""
    return f"198.51.100.{next(_numbers)}"


def press(browser: Client, where: str = "/play-now/", **form: str) -> Any:
    return browser.post(where, form)


def open_table(browser: Client) -> Any:
    return press(browser, "/t/new/", preset="standard", name="Alice")


def sixty_times(call: Callable[[], Any]) -> list[Any]:
    """Twelve at once, and that five times."""
    answers: list[Any] = []
    for _ in range(ROUNDS):
        line = threading.Barrier(AT_ONCE)

        def run(_: int, line: threading.Barrier = line) -> Any:
            line.wait()
            try:
                return call()
            finally:
                connection.close()

        with ThreadPoolExecutor(AT_ONCE) as threads:
            answers.extend(threads.map(run, range(AT_ONCE)))
    return answers


def statuses(answers: Sequence[Any]) -> dict[int, int]:
    found = [answer.status_code for answer in answers]
    return {status: found.count(status) for status in set(found)}


# All at once


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_sixty_presses_of_play_now_make_as_many_games_as_one_may_have(settings: LazySettings, address: str) -> None:
    browser = Client(REMOTE_ADDR=address)
    press(browser)

    def press_in_another_tab() -> Any:
        tab = Client(REMOTE_ADDR=address)
        tab.cookies = browser.cookies
        return press(tab)

    answers = sixty_times(press_in_another_tab)
    most = settings.MOST_GAMES_AGAINST_BOTS
    assert statuses(answers) == {302: most - 1, 429: 61 - most}
    assert Game.objects.count() == Table.objects.count() == most
    assert User.objects.count() == 1


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("do", [press, open_table])
def test_sixty_requests_without_a_session_make_as_many_guests_as_an_address_may(
    settings: LazySettings, address: str, do: Callable[[Client], Any]
) -> None:
    settings.GUESTS_AN_HOUR = 7
    answers = sixty_times(lambda: do(Client(REMOTE_ADDR=address)))
    assert statuses(answers) == {302: 7, 429: 53}
    assert User.objects.count() == Table.objects.count() == 7


# Guessing passwords


@pytest.fixture
def quick_hashes(settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def sign_in(address: str, name: str, password: str = "a guess") -> Any:
    return press(Client(REMOTE_ADDR=address), "/sign-in/", username=name, password=password)


@pytest.mark.usefixtures("quick_hashes")
def test_who_guesses_at_ever_other_names_has_to_wait_too(alice: User, settings: LazySettings, address: str) -> None:
    settings.MOST_GUESSES = 6
    alice.set_password("three sheep for a brick")
    alice.save()
    guesses = [sign_in(address, f"name {number}") for number in range(8)]
    assert [answer.status_code for answer in guesses] == [200] * 6 + [429] * 2
    assert 1 <= int(guesses[-1].headers["Retry-After"]) <= 900
    assert sign_in(address, "alice", "three sheep for a brick").status_code == 429
    assert sign_in("203.0.113.2", "alice", "three sheep for a brick").status_code == 302


@pytest.mark.usefixtures("quick_hashes")
def test_signing_in_is_no_guess(alice: User, settings: LazySettings, address: str) -> None:
    settings.MOST_GUESSES = 2
    alice.set_password("three sheep for a brick")
    alice.save()
    for _ in range(5):
        assert sign_in(address, "alice", "three sheep for a brick").status_code == 302


# One after the other


def test_whoever_is_turned_away_reads_why_and_when_to_come_back(db: None, settings: LazySettings, address: str) -> None:
    settings.GUESTS_AN_HOUR = 1
    press(Client(REMOTE_ADDR=address))
    answer = press(Client(REMOTE_ADDR=address))
    assert answer.status_code == 429
    assert "Too many new guests" in answer.content.decode()
    assert 1 <= int(answer.headers["Retry-After"]) <= 3600
    assert press(Client(REMOTE_ADDR="203.0.113.1")).status_code == 302, "others have nothing to do with it"


def test_a_household_of_the_new_addresses_is_one_address(db: None, settings: LazySettings) -> None:
    settings.GUESTS_AN_HOUR = 1
    home, next_door = f"2001:db8:{next(_numbers)}:1", f"2001:db8:{next(_numbers)}:2"
    assert press(Client(REMOTE_ADDR=f"{home}::1")).status_code == 302
    assert press(Client(REMOTE_ADDR=f"{home}::2")).status_code == 429
    assert press(Client(REMOTE_ADDR=f"{next_door}::1")).status_code == 302


def test_old_addresses_that_are_written_as_new_ones_are_as_many(db: None, settings: LazySettings) -> None:
    """So a server that listens to both kinds at once says where a visitor comes from."""
    settings.GUESTS_AN_HOUR = 1
    first, second = (f"::ffff:203.0.113.{100 + next(_numbers)}" for _ in range(2))
    assert [press(Client(REMOTE_ADDR=here)).status_code for here in (first, second, first)] == [302, 302, 429]


def test_a_guest_who_was_refused_does_not_count(db: None, settings: LazySettings, address: str) -> None:
    settings.GUESTS_AN_HOUR = 2
    open_table(Client(REMOTE_ADDR=address))
    where = f"/t/{Table.objects.get().code}/sit-down/"
    for _ in range(3):
        press(Client(REMOTE_ADDR=address), where, name="Alice")
    press(Client(REMOTE_ADDR=address), where, name="Bob")
    assert set(User.objects.values_list("name", flat=True)) == {"Alice", "Bob"}


def test_somebody_who_is_known_is_no_new_guest(settings: LazySettings, alice: User, address: str) -> None:
    settings.GUESTS_AN_HOUR = 1
    press(Client(REMOTE_ADDR=address))
    known = Client(REMOTE_ADDR=address)
    known.force_login(alice)
    assert press(known).status_code == 302


def test_a_game_against_bots_that_is_over_makes_room_for_another(
    client: Client, alice: User, settings: LazySettings
) -> None:
    client.force_login(alice)
    for _ in range(settings.MOST_GAMES_AGAINST_BOTS):
        press(client)
    refused = press(client)
    assert refused.status_code == 429
    assert "unfinished games against bots" in refused.content.decode()
    Game.objects.filter(pk=Game.objects.earliest("pk").pk).update(status=Game.Status.ABORTED)
    assert press(client).status_code == 302


def test_a_table_filled_with_bots_is_a_game_against_bots_too(
    client: Client, alice: User, settings: LazySettings
) -> None:
    settings.MOST_GAMES_AGAINST_BOTS = 1
    client.force_login(alice)
    press(client)
    open_table(client)
    table = Table.objects.get(game=None)
    assert press(client, f"/t/{table.code}/start/", fill_with_bots="yes").status_code == 429
    assert [chair.bot for chair in table.chairs.all()] == [False] * 4, "nothing was changed"


def test_games_with_others_are_not_counted_as_games_against_bots(
    client: Client, alice: User, dana: User, settings: LazySettings
) -> None:
    settings.MOST_GAMES_AGAINST_BOTS = 1
    client.force_login(alice)
    press(client)
    Seat.objects.filter(number=1).update(user=dana, player=Seat.Player.PERSON, strength="")
    assert press(client).status_code == 302


def test_after_many_tables_in_an_hour_one_waits_for_the_rest_of_it(
    client: Client, alice: User, settings: LazySettings
) -> None:
    settings.TABLES_AN_HOUR = 3
    client.force_login(alice)
    for _ in range(3):
        open_table(client)
    Table.objects.update(opened_at=timezone.now() - timedelta(minutes=50))
    answer = open_table(client)
    assert (answer.status_code, Table.objects.count()) == (429, 3)
    assert "within an hour" in answer.content.decode()
    assert 595 <= int(answer.headers["Retry-After"]) <= 601
    Table.objects.update(opened_at=timezone.now() - timedelta(minutes=61))
    assert open_table(client).status_code == 302


def test_tables_that_were_left_again_count_too(client: Client, alice: User, settings: LazySettings) -> None:
    settings.TABLES_AN_HOUR = 4
    client.force_login(alice)
    for _ in range(2):
        open_table(client)
        press(client, f"/t/{Table.objects.get().code}/stand-up/")
    assert Table.objects.count() == 0
    assert [open_table(client).status_code for _ in range(3)] == [302, 302, 429]
    for table in Table.objects.all():
        press(client, f"/t/{table.code}/stand-up/")
    answer = open_table(client)
    assert (answer.status_code, Table.objects.count()) == (429, 0)
    assert 0 < int(answer.headers["Retry-After"]) <= 3600


@pytest.mark.parametrize("way", [("hand-over", {"chair": "1"}), ("stand-up", {})])
def test_tables_that_somebody_else_hosts_by_now_count_too(
    client: Client, alice: User, dana: User, settings: LazySettings, way: tuple[str, dict[str, str]]
) -> None:
    """Or two people would have as many as they like."""
    what, sent = way
    settings.TABLES_AN_HOUR = 3
    client.force_login(alice)
    other = Client()
    other.force_login(dana)
    for _ in range(3):
        assert open_table(client).status_code == 302
        table = Table.objects.latest("pk")
        press(other, f"/t/{table.code}/sit-down/", chair="1")
        press(client, f"/t/{table.code}/{what}/", **sent)
    assert set(Table.objects.values_list("host", flat=True)) == {dana.pk}
    assert (open_table(client).status_code, open_table(other).status_code) == (429, 429)
    assert Table.objects.count() == 3
