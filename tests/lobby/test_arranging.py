"""A host arranges the chairs and hands the table over; people say that they are ready, and public tables start."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from games.models import Game, Seat
from lobby.models import Chair, Table, User
from tests.lobby.conftest import names_at, opened, sit

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(table: Table) -> Client:
    browser = Client()
    sit(browser, table, "Bob", 1)
    return browser


def post(browser: Client, table: Table, what: str, **sent: str) -> str:
    return browser.post(f"/t/{table.code}/{what}/", sent, follow=True).content.decode()


def ready_at(table: Table) -> list[str]:
    return [chair.name for chair in Chair.objects.filter(table=table, ready=True)]


# Chairs


@pytest.mark.parametrize(
    ("one", "other", "then"),
    [
        ("0", "1", ["Bob", "Alice", "", ""]),
        ("3", "1", ["Alice", "", "", "Bob"]),
        ("2", "3", ["Alice", "Bob", "", ""]),
    ],
)
def test_whoever_has_either_chair_has_the_other_one_then(
    table: Table, alice_browser: Client, bob: Client, one: str, other: str, then: list[str]
) -> None:
    post(alice_browser, table, "swap", chair=one, other=other)
    assert names_at(table) == then
    assert alice_browser.get(f"/t/{table.code}/options/").status_code == 200, "the host is still the host"


def test_bots_and_kept_chairs_are_swapped_like_people(table: Table, alice_browser: Client) -> None:
    User.objects.create_user("charlie", name="Charlie")
    post(alice_browser, table, "invite", name="Charlie")
    post(alice_browser, table, "add-bot", chair="2")
    post(alice_browser, table, "swap", chair="1", other="2")
    bot, kept = Chair.objects.filter(table=table, number__in=(1, 2))
    assert bot.bot
    assert not bot.kept
    assert (kept.kept, kept.name, kept.bot) == (True, "Charlie", False)


@pytest.mark.parametrize(
    ("one", "other"), [("0", "0"), ("0", "4"), ("-1", "0"), ("", "1"), ("0", ""), ("first", "1"), ("0", "\x00")]
)
def test_chairs_that_cannot_be_swapped_are_refused_in_words(
    table: Table, alice_browser: Client, bob: Client, one: str, other: str
) -> None:
    assert "Problem:" in post(alice_browser, table, "swap", chair=one, other=other)
    assert names_at(table) == ["Alice", "Bob", "", ""]


def test_the_host_hands_the_table_to_somebody_who_sits_there(table: Table, alice_browser: Client, bob: Client) -> None:
    post(alice_browser, table, "hand-over", chair="1")
    table.refresh_from_db()
    assert table.host.name == "Bob"
    assert "Only the host" in post(alice_browser, table, "add-bot", chair="2")
    post(bob, table, "add-bot", chair="2")
    assert Chair.objects.get(table=table, number=2).bot


def test_a_table_is_handed_to_nobody_but_another_person_who_sits_there(table: Table, alice_browser: Client) -> None:
    User.objects.create_user("charlie", name="Charlie")
    post(alice_browser, table, "invite", name="Charlie")
    post(alice_browser, table, "add-bot", chair="2")
    for chair in ("0", "1", "2", "3", "4", "x"):
        assert "Problem:" in post(alice_browser, table, "hand-over", chair=chair)
    table.refresh_from_db()
    assert table.host.name == "Alice"


@pytest.mark.parametrize(
    ("what", "sent"),
    [("swap", {"chair": "0", "other": "1"}), ("hand-over", {"chair": "1"}), ("invite", {"name": "Dana"})],
)
def test_only_the_host_arranges(table: Table, bob: Client, what: str, sent: dict[str, str]) -> None:
    User.objects.create_user("dana", name="Dana")
    for browser in (bob, Client()):
        assert "Only the host" in post(browser, table, what, **sent)
    table.refresh_from_db()
    assert (names_at(table), table.host.name, table.version) == (["Alice", "Bob", "", ""], "Alice", 1)


@pytest.mark.parametrize(
    ("what", "sent"),
    [
        ("swap", {"chair": "0", "other": "1"}),
        ("hand-over", {"chair": "1"}),
        ("invite", {"name": "Dana"}),
        ("ready", {}),
    ],
)
def test_nothing_is_arranged_once_the_game_has_started(
    table: Table, alice_browser: Client, bob: Client, what: str, sent: dict[str, str]
) -> None:
    post(alice_browser, table, "start", fill_with_bots="yes")
    before = list(Table.objects.values()), list(Chair.objects.values())
    assert alice_browser.post(f"/t/{table.code}/{what}/", sent).status_code == 302
    assert (list(Table.objects.values()), list(Chair.objects.values())) == before


@pytest.mark.parametrize("what", ["swap", "hand-over", "invite", "ready"])
def test_a_link_alone_arranges_nothing(table: Table, alice_browser: Client, what: str) -> None:
    assert alice_browser.get(f"/t/{table.code}/{what}/").status_code == 405
    assert alice_browser.post(f"/t/nosuchcode/{what}/", {"chair": "1", "other": "2", "name": "x"}).status_code == 404


def test_who_comes_to_a_rematch_that_its_host_has_left_is_its_host(alice_browser: Client) -> None:
    table = opened(alice_browser, preset="standard")
    bob = Client()
    sit(bob, table, "Bob", 1)
    post(alice_browser, table, "start", fill_with_bots="yes")
    game = Game.objects.get()
    Game.objects.update(status=Game.Status.ABORTED)
    alice_browser.post(f"/t/rematch/{game.pk}/")
    rematch = Table.objects.get(rematch_of=game)
    post(alice_browser, rematch, "stand-up")
    assert Table.objects.filter(pk=rematch.pk).exists(), "it waits for Bob"
    sit(bob, rematch, "Bob")
    rematch.refresh_from_db()
    assert rematch.host.name == "Bob"


# Ready


@pytest.fixture
def public(alice_browser: Client) -> tuple[Table, list[Client]]:
    """A public table of Alice, with Bob and Charlie."""
    table = opened(alice_browser, preset="standard", visibility="public")
    others = [Client(), Client()]
    for browser, name in zip(others, ("Bob", "Charlie"), strict=True):
        sit(browser, table, name)
    return table, [alice_browser, *others]


def test_a_public_table_starts_with_the_last_who_is_ready(public: tuple[Table, list[Client]]) -> None:
    table, browsers = public
    for browser in browsers[1:]:
        post(browser, table, "ready")
    assert not Game.objects.exists()
    page = browsers[1].get(f"/t/{table.code}/").content.decode()
    assert "The game is waiting for Alice to be ready." in page
    assert "Not ready after all" in page
    post(browsers[0], table, "ready")
    seats = Seat.objects.order_by("number")
    assert [seat.name for seat in seats] == ["Alice", "Bob", "Charlie"]
    table.refresh_from_db()
    assert table.game_id == seats[0].game_id


def test_nobody_starts_a_public_table_for_others_who_are_not_ready(public: tuple[Table, list[Client]]) -> None:
    table, (alice, bob, charlie) = public
    post(bob, table, "ready")
    for sent in ({}, {"fill_with_bots": "yes"}):
        assert "wait for Charlie" in post(alice, table, "start", **sent)
    assert not Game.objects.exists()
    post(charlie, table, "ready")
    post(alice, table, "start", fill_with_bots="yes")
    assert Seat.objects.count() == 4


def test_who_is_alone_at_a_public_table_may_play_against_bots(alice_browser: Client) -> None:
    table = opened(alice_browser, preset="standard", visibility="public")
    assert "Nobody else is looking for a game right now." in alice_browser.get(f"/t/{table.code}/").content.decode()
    post(alice_browser, table, "start", fill_with_bots="yes")
    assert Seat.objects.count() == 4


def test_ready_can_be_taken_back(public: tuple[Table, list[Client]]) -> None:
    table, (alice, bob, charlie) = public
    for browser in (alice, bob):
        post(browser, table, "ready")
    post(bob, table, "ready", ready="no")
    assert ready_at(table) == ["Alice"]
    post(charlie, table, "ready")
    assert not Game.objects.exists()


CHANGES = {
    "options": ("options", {"preset": "online"}),
    "a bot": ("add-bot", {"chair": "3"}),
    "somebody removed": ("free-chair", {"chair": "2"}),
    "a swap": ("swap", {"chair": "0", "other": "1"}),
    "another chair": ("sit-down", {"name": "Alice", "chair": "3"}),
    "another host": ("hand-over", {"chair": "1"}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_takes_the_marks_back(public: tuple[Table, list[Client]], change: str) -> None:
    table, (alice, bob, _) = public
    for browser in (alice, bob):
        post(browser, table, "ready")
    assert ready_at(table) == ["Alice", "Bob"]
    what, sent = CHANGES[change]
    assert "Problem:" not in post(alice, table, what, **sent)
    assert ready_at(table) == []
    assert not Game.objects.exists()


def test_who_comes_or_goes_takes_the_marks_back(public: tuple[Table, list[Client]]) -> None:
    table, (alice, bob, _) = public
    dana = Client()
    for act in (lambda: sit(dana, table, "Dana"), lambda: post(dana, table, "stand-up")):
        for browser in (alice, bob):
            post(browser, table, "ready")
        act()
        assert ready_at(table) == []
    assert not Game.objects.exists(), "those who are left have not agreed to play without Dana"


@pytest.mark.parametrize("wish", [{"preset": "online"}, {"pace": "fast"}, {"layout": "random"}, {"spectators": "no"}])
def test_nobody_is_ready_for_options_that_their_page_does_not_show(
    public: tuple[Table, list[Client]], wish: dict[str, str]
) -> None:
    """Without scripts, a page shows them as they were when it was opened."""
    table, (alice, bob, charlie) = public
    [shown] = set(re.findall('name="terms" value="([0-9a-f]+)"', bob.get(f"/t/{table.code}/").content.decode()))
    answer = alice.post(f"/t/{table.code}/options/", {"preset": "standard", "visibility": "public"} | wish)
    assert answer.status_code == 302
    for browser in (bob, charlie):
        assert "The options have just changed" in post(browser, table, "ready", terms=shown)
    assert ready_at(table) == []
    post(bob, table, "ready", terms=Table.objects.get().terms_mark)
    assert ready_at(table) == ["Bob"]


def test_a_refused_change_leaves_the_marks(public: tuple[Table, list[Client]]) -> None:
    table, (alice, bob, _) = public
    post(bob, table, "ready")
    assert "Problem:" in post(alice, table, "swap", chair="0", other="0")
    assert ready_at(table) == ["Bob"]


def test_nobody_is_ready_before_three_are_there_or_without_a_chair(table: Table, bob: Client) -> None:
    assert "at least three players" in post(bob, table, "ready")
    assert "not sitting" in post(Client(), table, "ready")
    assert ready_at(table) == []


def test_a_table_by_link_waits_for_its_host_even_if_all_are_ready(
    table: Table, alice_browser: Client, bob: Client, visitors: Callable[[], Client]
) -> None:
    charlie = visitors()
    sit(charlie, table, "Charlie")
    for browser in (alice_browser, bob, charlie):
        post(browser, table, "ready")
    assert ready_at(table) == ["Alice", "Bob", "Charlie"]
    assert not Game.objects.exists()
    post(alice_browser, table, "start")
    assert Game.objects.count() == 1
