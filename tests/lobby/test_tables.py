"""A table from its first chair to its start."""

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from games.models import Game, Seat
from games.paces import PACES
from games.rules import PRESETS, Refusal
from lobby import arranging, leaving, moving, services
from lobby.models import Chair, Removal, Table, User
from tests.lobby.conftest import names_at, sit


def test_a_new_table_has_its_host_on_the_first_of_four_chairs(table: Table) -> None:
    assert names_at(table) == ["Alice", "", "", ""]
    assert table.host == User.objects.get(name="Alice")
    assert table.rule_set == PRESETS["standard"]


def test_the_link_cannot_be_guessed(db: None, alice: User) -> None:
    tables = [
        services.open_table(alice, "alice", PRESETS["standard"], "random", None, now=timezone.now()) for _ in range(5)
    ]
    codes = {table.code for table in tables}
    assert len(codes) == 5
    assert {len(code) for code in codes} == {10}


def test_others_sit_down_and_everybody_sees_them(
    table: Table, alice_browser: Client, visitors: Callable[[], Client]
) -> None:
    bob, charlie = visitors(), visitors()
    sit(bob, table, "Bob", 2)
    sit(charlie, table, "Charlie")
    assert names_at(table) == ["Alice", "Charlie", "Bob", ""]
    page = alice_browser.get(f"/t/{table.code}/").content.decode()
    assert "Bob" in page
    assert "Charlie" in page
    assert "One chair is free. Start when you like." in page


def test_a_taken_chair_is_refused_by_the_name_of_who_sits_there(table: Table, visitors: Callable[[], Client]) -> None:
    sit(visitors(), table, "Bob", 1)
    assert "Bob already sits here" in sit(visitors(), table, "Charlie", 1)
    assert names_at(table) == ["Alice", "Bob", "", ""]


def test_a_fifth_person_is_told_that_the_table_is_full(table: Table, visitors: Callable[[], Client]) -> None:
    for name in ("Bob", "Charlie", "Dana"):
        sit(visitors(), table, name)
    late = visitors()
    assert "All chairs are taken" in late.get(f"/t/{table.code}/").content.decode()
    assert "All chairs are taken: ask the host" in sit(late, table, "Eve")


def test_moving_to_another_chair_frees_the_first(table: Table, visitors: Callable[[], Client]) -> None:
    bob = visitors()
    sit(bob, table, "Bob", 1)
    sit(bob, table, "Bob", 3)
    assert names_at(table) == ["Alice", "", "", "Bob"]


def test_a_guest_may_change_the_name_in_the_own_chair(table: Table, alice_browser: Client) -> None:
    sit(alice_browser, table, "Alicia")
    assert names_at(table) == ["Alicia", "", "", ""]


def test_a_host_who_stands_up_hands_the_table_on(
    table: Table, alice_browser: Client, visitors: Callable[[], Client]
) -> None:
    bob = visitors()
    sit(bob, table, "Bob")
    alice_browser.post(f"/t/{table.code}/stand-up/")
    table.refresh_from_db()
    assert table.host.name == "Bob"
    assert names_at(table) == ["", "Bob", "", ""]
    assert "Change options" in bob.get(f"/t/{table.code}/").content.decode()


def test_a_table_vanishes_with_the_last_person_who_leaves_it(table: Table, alice_browser: Client) -> None:
    alice_browser.post(f"/t/{table.code}/add-bot/", {"chair": "1"})
    answer = alice_browser.post(f"/t/{table.code}/stand-up/")
    assert answer.headers["Location"] == "/"
    assert not Table.objects.exists()
    gone = alice_browser.get(f"/t/{table.code}/")
    assert gone.status_code == 404
    assert "Everybody has left it" in gone.content.decode()


def test_the_host_adds_and_removes_bots(table: Table, alice_browser: Client) -> None:
    alice_browser.post(f"/t/{table.code}/add-bot/", {"chair": 2})
    bot = Chair.objects.get(table=table, number=2)
    assert bot.bot
    assert bot.name
    alice_browser.post(f"/t/{table.code}/free-chair/", {"chair": 2})
    assert names_at(table) == ["Alice", "", "", ""]


def test_the_host_may_ask_somebody_to_leave(
    table: Table, alice_browser: Client, visitors: Callable[[], Client]
) -> None:
    sit(visitors(), table, "Bob", 1)
    alice_browser.post(f"/t/{table.code}/free-chair/", {"chair": 1})
    assert names_at(table) == ["Alice", "", "", ""]


def test_somebody_who_was_asked_to_leave_comes_back_only_when_the_host_lets_them(
    table: Table, alice_browser: Client, visitors: Callable[[], Client]
) -> None:
    bob = visitors()
    sit(bob, table, "Bob", 1)
    alice_browser.post(f"/t/{table.code}/free-chair/", {"chair": 1})
    page = bob.get(f"/t/{table.code}/").content.decode()
    assert "has asked you to leave this table" in page
    assert "Sit here" not in page
    for chair in ("", 1, 2):
        assert "you can sit down once they let you back in." in sit(bob, table, "Bob", chair)
    assert names_at(table) == ["Alice", "", "", ""]
    sit(visitors(), table, "Charlie", 1)
    assert names_at(table) == ["Alice", "Charlie", "", ""], "others can"
    removal = Removal.objects.get()
    bob.post(f"/t/{table.code}/let-back/", {"removal": removal.pk})
    for nonsense in ("", "x", "0", removal.pk + 1, 2**70):
        alice_browser.post(f"/t/{table.code}/let-back/", {"removal": nonsense})
    assert Removal.objects.exists()
    assert "Let <bdi>Bob</bdi> back in" in alice_browser.get(f"/t/{table.code}/").content.decode()
    alice_browser.post(f"/t/{table.code}/let-back/", {"removal": removal.pk})
    sit(bob, table, "Bob", 2)
    assert names_at(table) == ["Alice", "Charlie", "Bob", ""]


def test_an_invitation_lets_somebody_back_in(alice: User, dana: User) -> None:
    table = services.open_table(alice, "alice", PRESETS["standard"], "random", None, now=timezone.now())
    User.objects.filter(pk=dana.pk).update(name="Dana of the Hills")
    services.sit_down(table.code, dana, "Dana")
    services.free_chair(table.code, alice, 1)
    with pytest.raises(Refusal, match="asked you to leave"):
        services.sit_down(table.code, dana, "Dana")
    arranging.invite(table.code, alice, "Dana of the Hills", now=timezone.now())
    services.sit_down(table.code, dana, "Dana")
    assert table.chairs.get(user=dana).is_person


def test_a_chair_that_is_no_longer_kept_for_somebody_is_free_for_them_too(alice: User, dana: User) -> None:
    table = services.open_table(alice, "alice", PRESETS["standard"], "random", None, now=timezone.now())
    table.chairs.filter(number=1).update(user=dana, name="Dana", kept=True)
    services.free_chair(table.code, alice, 1)
    services.sit_down(table.code, dana, "Dana")
    assert table.chairs.get(user=dana).is_person


def test_who_was_asked_to_leave_as_a_guest_does_not_come_back_by_signing_in(
    table: Table, alice_browser: Client, visitors: Callable[[], Client], dana: User
) -> None:
    sit(visitors(), table, "Bob", 1)
    guest = table.chairs.get(number=1).user
    assert guest is not None
    alice_browser.post(f"/t/{table.code}/free-chair/", {"chair": 1})
    moving.move(guest, dana, timezone.now())
    with pytest.raises(Refusal, match="asked you to leave"):
        services.sit_down(table.code, dana, "Dana")
    assert leaving.kept_of(dana)["asked_to_leave"] == [{"name": "Bob", "table_code": table.code}]


def start(browser: Client, table: Table, *marks: str) -> str:
    """Presses start, and returns what the page then says."""
    answer = browser.post(f"/t/{table.code}/start/", {"board": table.board_mark} | dict.fromkeys(marks, "yes"))
    table.refresh_from_db()
    assert answer.headers["Location"] == f"/t/{table.code}/"
    return browser.get(f"/t/{table.code}/").content.decode()


def test_three_are_enough_and_the_empty_chair_is_left_out(
    table: Table, alice_browser: Client, visitors: Callable[[], Client]
) -> None:
    bob, charlie = visitors(), visitors()
    sit(bob, table, "Bob", 1)
    sit(charlie, table, "Charlie", 3)
    start(alice_browser, table)
    seats = Seat.objects.filter(game=table.game).order_by("number")
    assert [seat.name for seat in seats] == ["Alice", "Bob", "Charlie"]
    for browser in (alice_browser, bob, charlie, visitors()):
        assert browser.get(f"/t/{table.code}/").headers["Location"] == f"/games/{table.game_id}/"
        assert browser.get(f"/t/{table.code}/now/").status_code == 204


def test_two_are_too_few(table: Table, alice_browser: Client, visitors: Callable[[], Client]) -> None:
    sit(visitors(), table, "Bob")
    assert "at least three players" in start(alice_browser, table)
    assert table.game is None
    assert not Game.objects.exists()


def test_free_chairs_become_bots_when_the_host_says_so(table: Table, alice_browser: Client) -> None:
    start(alice_browser, table, "fill_with_bots")
    seats = Seat.objects.filter(game=table.game).order_by("number")
    assert [seat.player for seat in seats] == ["person", "bot", "bot", "bot"]


def test_the_game_is_played_by_what_the_table_agreed_on(alice_browser: Client) -> None:
    wish = {"preset": "online", "points_to_win": "12", "layout": "beginner", "pace": "fast", "name": "Alice"}
    alice_browser.post("/t/new/", wish)
    start(alice_browser, Table.objects.get(), "fill_with_bots")
    game = Game.objects.get()
    assert game.rules == PRESETS["online"].with_options(points_to_win=12).to_json()
    assert (game.layout, game.pace) == ("beginner", PACES["fast"].to_json())


def test_pressing_start_twice_starts_one_game(table: Table, alice_browser: Client) -> None:
    start(alice_browser, table, "fill_with_bots")
    start(alice_browser, table, "fill_with_bots")
    assert Game.objects.count() == 1


@pytest.mark.parametrize(
    ("what", "sent"),
    [
        ("add-bot", {"chair": "2"}),
        ("free-chair", {"chair": "0"}),
        ("free-chair", {"chair": "1"}),
        ("start", {"fill_with_bots": "yes"}),
        ("options", {"preset": "three-player"}),
    ],
)
def test_only_the_host_does_what_is_the_hosts(
    table: Table, visitors: Callable[[], Client], what: str, sent: dict[str, str]
) -> None:
    bob = visitors()
    sit(bob, table, "Bob", 1)
    before = Table.objects.values().get()
    for browser in (bob, visitors()):
        answer = browser.post(f"/t/{table.code}/{what}/", sent, follow=True)
        assert "Only the host" in answer.content.decode()
    assert names_at(table) == ["Alice", "Bob", "", ""]
    assert Table.objects.values().get() == before


@pytest.mark.parametrize("what", ["sit-down", "add-bot", "free-chair"])
@pytest.mark.parametrize("chair", ["4", "-1", "99999999999999999999", "first", "1.5", "\x00"])
def test_a_chair_that_is_not_there_is_refused_in_words(
    table: Table, alice_browser: Client, what: str, chair: str
) -> None:
    answer = alice_browser.post(f"/t/{table.code}/{what}/", {"chair": chair, "name": "Alice"}, follow=True)
    assert "Problem:" in answer.content.decode()
    assert names_at(table) == ["Alice", "", "", ""]


def test_a_host_cannot_be_moved_out_of_the_own_chair_by_mistake(table: Table, alice_browser: Client) -> None:
    answer = alice_browser.post(f"/t/{table.code}/free-chair/", {"chair": "0"}, follow=True)
    assert "your own chair" in answer.content.decode()


@pytest.mark.parametrize(
    ("what", "sent"),
    [
        ("sit-down", {"name": "Eve", "chair": "1"}),
        ("stand-up", {}),
        ("add-bot", {"chair": "1"}),
        ("free-chair", {"chair": "1"}),
        ("options", {"preset": "online"}),
        ("start", {}),
    ],
)
def test_a_table_whose_game_has_started_changes_no_more(
    table: Table, alice_browser: Client, what: str, sent: dict[str, str]
) -> None:
    start(alice_browser, table, "fill_with_bots")
    tables, chairs = list(Table.objects.values()), list(Chair.objects.values())
    for browser in (alice_browser, Client()):
        assert browser.post(f"/t/{table.code}/{what}/", sent).status_code == 302
    assert (list(Table.objects.values()), list(Chair.objects.values())) == (tables, chairs)
    assert User.objects.count() == 1


@pytest.mark.parametrize("what", ["", "now/", "options/"])
def test_a_table_that_is_not_there_is_not_found(client: Client, db: None, what: str) -> None:
    assert client.get(f"/t/nosuchcode/{what}").status_code == 404


@pytest.mark.parametrize("what", ["sit-down", "stand-up", "add-bot", "free-chair", "start", "options"])
def test_nothing_can_be_done_at_a_table_that_is_not_there(client: Client, db: None, what: str) -> None:
    assert client.post(f"/t/nosuchcode/{what}/", {"name": "Bob", "chair": "1"}).status_code == 404
    assert not User.objects.exists()


@pytest.mark.parametrize("what", ["sit-down", "stand-up", "add-bot", "free-chair", "start"])
def test_a_link_alone_changes_nothing(table: Table, alice_browser: Client, what: str) -> None:
    assert alice_browser.get(f"/t/{table.code}/{what}/").status_code == 405


def test_a_form_from_elsewhere_is_refused(table: Table, alice_browser: Client) -> None:
    elsewhere = Client(enforce_csrf_checks=True)
    elsewhere.cookies = alice_browser.cookies
    for address in ("/play-now/", "/t/new/", f"/t/{table.code}/start/"):
        assert elsewhere.post(address, {"preset": "standard", "fill_with_bots": "yes"}).status_code == 403
    assert not Game.objects.exists()
    assert Table.objects.count() == 1


def test_the_tables_pages_have_no_script_or_style_of_their_own(table: Table, alice_browser: Client) -> None:
    for address in ("/t/new/", f"/t/{table.code}/", f"/t/{table.code}/now/", f"/t/{table.code}/options/"):
        page = alice_browser.get(address).content.decode()
        assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page) == []


def test_nobody_opens_tables_without_end(alice_browser: Client) -> None:
    for _ in range(settings.MOST_OPEN_TABLES):
        alice_browser.post("/t/new/", {"preset": "standard", "name": "Alice"})
    answer = alice_browser.post("/t/new/", {"preset": "standard", "name": "Alice"})
    assert answer.status_code == 429
    assert "open tables" in answer.content.decode()
    assert Table.objects.count() == settings.MOST_OPEN_TABLES


def test_the_front_page_lists_ones_own_games_and_tables(
    table: Table, alice_browser: Client, visitors: Callable[[], Client]
) -> None:
    bob = visitors()
    sit(bob, table, "Bob")
    assert f"/t/{table.code}/" in bob.get("/").content.decode()
    assert "With <bdi>Bob</bdi>" in alice_browser.get("/").content.decode()
    start(alice_browser, table, "fill_with_bots")
    page = bob.get("/").content.decode()
    assert f"/t/{table.code}/" not in page
    assert f'href="/games/{table.game_id}/"' in page
    assert "Your games" not in visitors().get("/").content.decode()
