"""Find a game: strangers meet at the best public table of a pace, and whoever goes away is not waited for."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from games.models import Game
from games.paces import PACES, PaceName
from games.rules import PRESETS
from lobby import meeting, services
from lobby.company import Company, Visibility
from lobby.models import Block, Chair, Removal, Table, User
from lobby.tasks import free_chairs_of_those_gone

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]

NOW = timezone.now()


def guest(name: str) -> User:
    person = User.guest(name)
    person.save()
    return person


def lay(
    host: str, taken: int = 1, *, visibility: Visibility = "public", pace: PaceName | None = "normal", chairs: int = 4
) -> Table:
    """A table with so many people at it."""
    person = guest(host)
    table = services.open_table(
        person,
        host,
        PRESETS["standard"].with_options(most_seats=chairs),
        "balanced",
        PACES[pace] if pace else None,
        company=Company(visibility),
        now=NOW,
    )
    for number in range(1, taken):
        services.sit_down(table.code, guest(f"{host} {number}"), f"{host} {number}")
    return table


def find(name: str, pace: PaceName = "normal") -> Table:
    return meeting.find_game(guest(name), name, pace, now=NOW)


# Where one lands


def test_with_nobody_there_a_public_table_is_opened() -> None:
    table = find("Alice")
    assert (table.visibility, table.host.name, table.pace) == ("public", "Alice", PACES["normal"])
    assert table.rule_set == PRESETS["standard"]


def test_two_strangers_meet() -> None:
    assert find("Alice") == find("Bob")
    assert Chair.objects.filter(user__isnull=False).count() == 2


def test_the_fullest_table_is_the_best_and_then_the_oldest() -> None:
    lay("Ada", 2)
    fullest, newer = lay("Bea", 3), lay("Cleo", 3)
    assert [find("Alice"), find("Bob")] == [fullest, newer]


def test_full_tables_started_ones_and_other_peoples_tables_are_left_alone() -> None:
    others = [
        lay("Full", 3, chairs=3),
        lay("Link", 3, visibility="link"),
        lay("Secret", visibility="invited"),
        lay("Fast", 3, pace="fast"),
        lay("No clock", 3, pace=None),
    ]
    started = lay("Started")
    services.start(started.code, started.host, fill_with_bots=True, now=NOW)
    left = lay("Left")
    services.stand_up(left.code, left.host, now=NOW)
    found = find("Alice")
    assert found.pk not in {table.pk for table in [*others, started, left]}
    assert found.host.name == "Alice"


@pytest.mark.parametrize("is_blocked", [True, False])
def test_nobody_is_brought_to_somebody_they_are_kept_apart_from(is_blocked: bool) -> None:
    table = lay("Ada", 2)
    alice, other = guest("Alice"), Chair.objects.get(table=table, number=1).user
    assert other is not None
    by, whom = (alice, other) if is_blocked else (other, alice)
    Block.objects.create(by=by, whom=whom, since=NOW)
    assert meeting.find_game(alice, "Alice", "normal", now=NOW) != table
    assert find("Bob") == table


def test_somebody_of_the_same_name_sits_elsewhere() -> None:
    first, second = find("Alice"), find("Alice")
    assert first != second


def test_tables_where_somebody_may_not_sit_down_do_not_stand_before_the_others() -> None:
    """A guest at rated ones, and whoever was asked to leave; a few tables are tried, and these would be all of them."""
    alice, there = guest("Alice"), lay("There")
    closed = [lay(f"Closed {number}", 2) for number in range(2 * meeting.MOST_TRIED)]
    Table.objects.filter(pk__in=[table.pk for table in closed[::2]]).update(rated=True)
    Removal.objects.bulk_create(Removal(table=table, user=alice, name="Alice") for table in closed[1::2])
    assert meeting.find_game(alice, "Alice", "normal", now=NOW) == there


def test_who_presses_again_stays_where_they_sit() -> None:
    alice = guest("Alice")
    tables = {meeting.find_game(alice, "Alice", "normal", now=NOW).pk for _ in range(3)}
    assert len(tables) == 1
    assert Chair.objects.filter(user=alice).count() == 1


def test_who_looks_for_another_pace_leaves_the_first_table() -> None:
    alice = guest("Alice")
    first = meeting.find_game(alice, "Alice", "normal", now=NOW)
    second = meeting.find_game(alice, "Alice", "fast", now=NOW)
    assert not Table.objects.filter(pk=first.pk).exists()
    assert Chair.objects.get(user=alice).table == second


def test_a_game_over_days_can_be_waited_for_beside_one_in_one_sitting() -> None:
    alice = guest("Alice")
    for pace in ("3 days", "1 day", "fast"):
        meeting.find_game(alice, "Alice", pace, now=NOW)  # type: ignore[arg-type]
    assert Chair.objects.filter(user=alice).count() == 3


def test_those_who_look_are_counted_by_pace() -> None:
    assert meeting.looking() == {}
    lay("Ada", 3)
    lay("Bea", pace="fast")
    lay("Link", 2, visibility="link")
    services.add_bot(lay("Cleo", pace="fast").code, User.objects.get(name="Cleo"), 1)
    assert meeting.looking() == {"normal": 3, "fast": 2}


# The page


def press(browser: Client, **sent: str) -> str:
    return browser.post("/find/", sent, follow=True).content.decode()


def test_a_guest_finds_a_game_from_the_front_page(client: Client) -> None:
    assert 'href="/find/"' in client.get("/").content.decode()
    assert "Nobody else is looking for a game right now" in client.get("/find/").content.decode()
    page = press(client, name="Alice", pace="relaxed")
    assert "Your table" in page
    assert "Nobody else is looking" in page
    assert "Fill with 3 medium bots and start" in page
    other = Client()
    assert "1 person is looking for a game right now." in other.get("/find/").content.decode()
    assert "1 waiting" in other.get("/find/").content.decode()
    assert "<bdi>Alice</bdi>’s table" in press(other, name="Bob", pace="relaxed")


def test_who_waits_alone_is_told_how_many_look_elsewhere(client: Client) -> None:
    lay("Ada", 2, pace="fast")
    assert "2 others are looking for a game right now" in press(client, name="Alice", pace="normal")


def test_an_account_looks_under_its_own_name(client: Client, alice: User) -> None:
    client.force_login(alice)
    press(client, name="Somebody else", pace="fast")
    assert Chair.objects.get(user=alice).name == alice.shown_name


@pytest.mark.parametrize(
    "sent",
    [
        {"name": "Alice"},
        {"name": "Alice", "pace": ""},
        {"name": "Alice", "pace": "at once"},
        {"name": "Alice", "pace": "\x00"},
        {"name": "", "pace": "fast"},
        {"name": "You", "pace": "fast"},
        {"name": "x" * 21, "pace": "fast"},
    ],
)
def test_bad_input_is_refused_in_words_and_leaves_nobody_behind(client: Client, sent: dict[str, str]) -> None:
    assert "Problem:" in press(client, **sent)
    assert not Table.objects.exists()
    assert not User.objects.exists()


def test_finding_games_opens_no_tables_without_end(client: Client, settings: LazySettings) -> None:
    press(client, name="Alice", pace="fast")
    settings.TABLES_AN_HOUR = 1
    client.post(f"/t/{Table.objects.get().code}/start/", {"fill_with_bots": "yes"})
    answer = client.post("/find/", {"name": "Alice", "pace": "normal"})
    assert answer.status_code == 429
    assert Table.objects.count() == 1
    assert find("Bob") is not None
    assert client.post("/find/", {"name": "Alice", "pace": "normal"}).status_code == 302, "a chair is not a table"


def test_a_link_alone_finds_no_game(client: Client) -> None:
    assert client.get("/find/?pace=fast&name=Alice").status_code == 200
    assert not Table.objects.exists()
    elsewhere = Client(enforce_csrf_checks=True)
    assert elsewhere.post("/find/", {"name": "Alice", "pace": "fast"}).status_code == 403


# Who is gone


def seen(table: Table, number: int, ago: timedelta) -> None:
    Chair.objects.filter(table=table, number=number).update(seen_at=timezone.now() - ago)


LONG_AGO = meeting.GONE_AFTER + timedelta(seconds=1)


@pytest.fixture
def pair() -> Table:
    return lay("Ada", 2)


def test_who_has_not_been_seen_for_minutes_loses_the_chair_and_the_table(pair: Table) -> None:
    seen(pair, 0, LONG_AGO)
    seen(pair, 1, timedelta(0))
    free_chairs_of_those_gone()
    pair.refresh_from_db()
    assert pair.host.name == "Ada 1"
    assert [chair.name for chair in pair.chairs.all()] == ["", "Ada 1", "", ""]


def test_a_table_that_all_have_abandoned_vanishes(pair: Table, client: Client) -> None:
    for number in (0, 1):
        seen(pair, number, LONG_AGO)
    assert "Open tables" in client.get("/").content.decode()
    assert pair.code in client.get("/").content.decode()
    free_chairs_of_those_gone()
    assert not Table.objects.exists()
    assert pair.code not in client.get("/").content.decode()


@pytest.mark.parametrize(("visibility", "pace"), [("link", "normal"), ("invited", "normal"), ("public", "3 days")])
def test_nobody_has_to_sit_and_wait_with_friends_or_for_a_game_over_days(
    visibility: Visibility, pace: PaceName
) -> None:
    table = lay("Ada", visibility=visibility, pace=pace)
    seen(table, 0, LONG_AGO)
    free_chairs_of_those_gone()
    assert Chair.objects.get(table=table, number=0).is_person
    if visibility == "public":
        seen(table, 0, meeting.GONE_AFTER_DAYS + timedelta(seconds=1))
        free_chairs_of_those_gone()
        assert not Table.objects.exists()


def test_who_looks_at_the_table_is_there(visitors: Callable[[], Client]) -> None:
    browser = visitors()
    press(browser, name="Alice", pace="fast")
    table = Table.objects.get()
    for address in (f"/t/{table.code}/", f"/t/{table.code}/now/"):
        seen(table, 0, LONG_AGO)
        browser.get(address)
        free_chairs_of_those_gone()
        assert Chair.objects.get(table=table, number=0).is_person
    seen(table, 0, LONG_AGO)
    visitors().get(f"/t/{table.code}/")
    free_chairs_of_those_gone()
    assert not Table.objects.exists(), "a stranger who looks in is not Alice"


def test_nobody_is_taken_out_of_a_game(pair: Table) -> None:
    services.add_bot(pair.code, pair.host, 2)
    for chair in pair.chairs.filter(user__isnull=False):
        assert chair.user is not None
        services.set_ready(pair.code, chair.user, True, now=NOW)
    assert Game.objects.count() == 1
    assert not Chair.objects.filter(seen_at__isnull=False).exists()
    free_chairs_of_those_gone()
    assert pair.chairs.filter(user__isnull=False).count() == 2
