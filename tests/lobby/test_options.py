"""The host picks a rule book and changes any single option, with scripts and without."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from games import paces
from games.models import Game
from games.paces import PACES
from games.rules import PRESETS
from games.rules.boards import LAYOUTS
from games.rules.ruleset import OPTIONS
from lobby.choices import BOARDS, BOT_SPEED_CHOICES, RULE_BOOKS, agreed_options
from lobby.forms import by_the_book
from lobby.models import Table
from tests.lobby.conftest import names_at, opened, sit

#: Most draw the page of all options, the dearest of the lobby, several times.
pytestmark = pytest.mark.slow


def test_every_rule_book_and_every_board_can_be_chosen() -> None:
    assert set(RULE_BOOKS) == set(PRESETS)
    assert set(BOARDS) == set(LAYOUTS)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_rule_book_alone_is_the_whole_choice(client: Client, db: None, preset: str) -> None:
    table = opened(client, preset=preset)
    assert table.rule_set == PRESETS[preset]
    assert len(names_at(table)) == PRESETS[preset].most_seats


def test_another_book_picked_without_scripts_is_that_book(client: Client, db: None) -> None:
    """The page showed the standard options, and they come back unchanged with the other book's name."""
    shown = by_the_book("standard") | {"shown_preset": "standard"}
    assert opened(client, preset="three-player", **shown).rule_set == PRESETS["three-player"]


def test_what_the_host_changed_is_carried_into_the_other_book(client: Client, db: None) -> None:
    shown = by_the_book("standard") | {"shown_preset": "standard", "points_to_win": "13"}
    table = opened(client, preset="online", **shown)
    assert table.rule_set == PRESETS["online"].with_options(points_to_win=13)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_table_is_played_at_a_normal_pace_unless_its_host_picks_another(
    client: Client, db: None, preset: str
) -> None:
    assert opened(client, preset=preset).pace == PACES["normal"]
    page = client.get("/t/new/").content.decode()
    assert re.findall(r'name="pace" value="([^"]*)"[^>]* checked', page) == ["normal"]


@pytest.mark.parametrize("pace", ["", "fast", "normal", "1 day"])
@pytest.mark.parametrize("preset", PRESETS)
def test_another_book_leaves_the_pace_alone(client: Client, db: None, preset: str, pace: str) -> None:
    wish = by_the_book("standard") | {"shown_preset": "standard", "shown_pace": "normal", "pace": pace}
    table = opened(client, preset=preset, **wish)
    assert table.pace == PACES.get(pace)
    assert table.rule_set == PRESETS[preset]


@pytest.mark.parametrize("pace", ["", "relaxed"])
def test_a_pace_that_is_not_named_stays_as_it_is(alice_browser: Client, pace: str) -> None:
    table = opened(alice_browser, preset="standard", pace=pace)
    alice_browser.post(f"/t/{table.code}/options/", {"preset": "online"})
    table.refresh_from_db()
    assert table.rule_set == PRESETS["online"]
    assert table.pace == PACES.get(pace)


# What a host sees at first

MORE = re.compile(r'<details class="more" id="more"( open)?>')
UNUSUAL = [
    {"preset": "online"},
    {"points_to_win": "12"},
    {"most_seats": "3"},
    {"layout": "random"},
    {"bot_speed": "calm"},
    {"clock_turn": "3 minutes"},
]


def is_more_open(page: str) -> bool:
    (opened,) = MORE.findall(page)
    return bool(opened)


def test_a_name_and_a_pace_are_all_that_a_host_is_asked(client: Client, db: None) -> None:
    page = client.get("/t/new/").content.decode()
    assert not is_more_open(page)
    before, _, after = page.partition('id="more"')
    assert set(re.findall(r'name="(\w+)"', before.partition('id="options"')[2])) == {
        *("csrfmiddlewaretoken", "shown_preset", "shown_pace", "name", "pace"),
    }
    for option in OPTIONS:
        assert f'name="{option.name}"' in after


@pytest.mark.parametrize("wish", UNUSUAL)
def test_more_is_open_once_something_in_it_is_not_as_usual(alice_browser: Client, wish: dict[str, str]) -> None:
    table = opened(alice_browser, **{"preset": "standard"} | wish)
    assert is_more_open(alice_browser.get(f"/t/{table.code}/options/").content.decode())


@pytest.mark.parametrize("wish", UNUSUAL)
def test_more_stays_open_with_what_was_changed_while_the_name_is_wrong(
    client: Client, db: None, wish: dict[str, str]
) -> None:
    sent = {"preset": "standard", "pace": "normal", "shown_pace": "normal", "name": ""}
    assert not is_more_open(client.post("/t/new/", sent).content.decode())
    assert is_more_open(client.post("/t/new/", sent | wish).content.decode())


@pytest.mark.parametrize("mistake", [{"points_to_win": "99"}, {"clock_turn": "soon"}, {"layout": "flat"}])
def test_more_is_open_when_something_in_it_is_wrong(client: Client, db: None, mistake: dict[str, str]) -> None:
    sent = {"preset": "standard", "pace": "normal", "shown_pace": "normal", "name": "Alice"}
    assert is_more_open(client.post("/t/new/", sent | mistake).content.decode())


def test_more_is_closed_for_a_table_that_plays_as_usual(alice_browser: Client) -> None:
    table = opened(alice_browser, preset="standard", pace="1 day")
    assert not is_more_open(alice_browser.get(f"/t/{table.code}/options/").content.decode())


# How long bots take


def test_every_speed_of_bots_can_be_chosen(client: Client, db: None) -> None:
    assert list(BOT_SPEED_CHOICES) == list(paces.BOT_SPEEDS)
    for speed, choice in BOT_SPEED_CHOICES.items():
        table = opened(client, preset="standard", bot_speed=speed)
        assert table.bot_speed == speed
        page = client.get(f"/t/{table.code}/").content.decode()
        assert f"<strong>{choice.title}</strong> {choice.sentence}" in page


def test_bots_are_brisk_unless_the_host_says_otherwise(client: Client, db: None) -> None:
    assert opened(client, preset="standard").bot_speed == "brisk"
    page = client.get("/t/new/").content.decode()
    assert re.findall(r'name="bot_speed" value="([^"]+)"[^>]* checked', page) == ["brisk"]


def test_the_host_changes_the_speed_of_bots_and_it_stays_where_it_is_not_named(
    table: Table, alice_browser: Client
) -> None:
    for sent, agreed in (("at once", "at once"), ("", "at once"), ("calm", "calm")):
        alice_browser.post(f"/t/{table.code}/options/", {"preset": "standard", "bot_speed": sent})
        table.refresh_from_db()
        assert table.bot_speed == agreed
    page = alice_browser.post(f"/t/{table.code}/options/", {"preset": "online", "bot_speed": "at once", "show": ""})
    assert re.findall(r'name="bot_speed" value="([^"]+)"[^>]* checked', page.content.decode()) == ["at once"]


def test_bots_keep_the_tables_speed_in_its_game_and_its_rematch(client: Client, db: None) -> None:
    table = opened(client, preset="standard", bot_speed="calm")
    client.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes"})
    game = Game.objects.get()
    assert game.bot_speed == "calm"
    Game.objects.update(status=Game.Status.ABORTED)
    client.post(f"/t/rematch/{game.pk}/")
    assert Table.objects.get(rematch_of=game).bot_speed == "calm"


def test_play_now_is_against_brisk_bots(client: Client, db: None) -> None:
    client.post("/play-now/")
    assert Game.objects.get().bot_speed == "brisk"


def test_every_single_value_of_every_option_can_be_chosen(client: Client, alice_browser: Client) -> None:
    table = opened(alice_browser, preset="standard")
    for option in OPTIONS:
        for value in option.numbers or [value for value, _ in option.values]:
            sent = {"preset": "standard", option.name: str(value).lower()}
            alice_browser.post(f"/t/{table.code}/options/", sent)
            table.refresh_from_db()
            assert table.rule_set == PRESETS["standard"].with_options(**{option.name: value})


def test_the_page_shows_the_options_of_the_book_picked_before_anything_is_decided(client: Client, db: None) -> None:
    sent = by_the_book("standard") | {
        "shown_preset": "standard",
        "preset": "three-player",
        "discard_limit": "9",
        "name": "Alice",
        "show": "",
    }
    page = client.post("/t/new/", sent).content.decode()
    assert not Table.objects.exists()
    assert '<input type="hidden" name="shown_preset" value="three-player">' in page
    assert '<input type="radio" name="robber" value="false" checked class="by-the-book">' in page
    assert "<option selected>9</option>" in page, "the host's own wish, not by the book"
    assert 'value="Alice"' in page


def test_every_option_is_on_the_page_with_its_title_and_its_sentences(client: Client, db: None) -> None:
    page = client.get("/t/new/").content.decode().replace("&#x27;", "'")
    for option in OPTIONS:
        assert f'name="{option.name}"' in page
        for _, sentence in option.values:
            assert sentence in page


@pytest.mark.parametrize(
    "wish",
    [
        {"preset": "no-such-book"},
        {"preset": "standard", "shown_preset": "no-such-book"},
        {"preset": "standard", "layout": "no-such-board"},
        {"preset": "standard", "pace": "3 years"},
        {"preset": "standard", "pace": "soon"},
        {"preset": "standard", "shown_pace": "soon"},
        {"preset": "standard", "bot_speed": "asleep"},
        {"preset": "standard", "points_to_win": "7"},
        {"preset": "standard", "points_to_win": "16"},
        {"preset": "standard", "robber": "maybe"},
        {"preset": "standard", "most_seats": "5"},
        {"preset": "standard", "name": ""},
        {"preset": ""},
    ],
)
def test_garbage_opens_no_table_and_is_explained(client: Client, db: None, wish: dict[str, str]) -> None:
    answer = client.post("/t/new/", {"name": "Alice"} | wish)
    assert answer.status_code == 200
    assert "Problem:" in answer.content.decode()
    assert not Table.objects.exists()
    assert "_auth_user_id" not in client.session


def test_the_host_changes_options_and_everybody_sees_them(
    table: Table, alice_browser: Client, visitors: Callable[[], Client]
) -> None:
    sent = {"preset": "excellent", "layout": "beginner", "pace": "1 day"}
    alice_browser.post(f"/t/{table.code}/options/", sent)
    page = visitors().get(f"/t/{table.code}/").content.decode()
    for sentence in (
        "Fragile Longest Road",
        "Beginners’ island",
        "1 day a move.",
        "A holder whose road is split loses the card",
    ):
        assert sentence in page


def test_the_options_page_shows_what_is_agreed(alice_browser: Client) -> None:
    table = opened(alice_browser, preset="online", points_to_win="11", pace="relaxed")
    page = alice_browser.get(f"/t/{table.code}/options/").content.decode()
    assert "<option selected>11</option>" in page
    assert re.search(r'name="pace" value="relaxed"[^>]* checked', page)
    assert 'name="name"' not in page


def test_a_smaller_table_takes_away_a_free_chair_first(
    table: Table, alice_browser: Client, visitors: Callable[[], Client]
) -> None:
    alice_browser.post(f"/t/{table.code}/add-bot/", {"chair": 1})
    sit(visitors(), table, "Bob", 3)
    alice_browser.post(f"/t/{table.code}/options/", {"preset": "three-player"})
    assert [names_at(table)[place] for place in (0, 2)] == ["Alice", "Bob"]
    assert len(names_at(table)) == 3


def test_then_a_bot_and_never_a_person(table: Table, alice_browser: Client, visitors: Callable[[], Client]) -> None:
    sit(visitors(), table, "Bob", 1)
    alice_browser.post(f"/t/{table.code}/add-bot/", {"chair": 2})
    sit(visitors(), table, "Charlie", 3)
    alice_browser.post(f"/t/{table.code}/options/", {"preset": "three-player"})
    assert names_at(table) == ["Alice", "Bob", "Charlie"]

    alice_browser.post(f"/t/{table.code}/options/", {"preset": "standard"})
    sit(visitors(), table, "Dana")
    answer = alice_browser.post(f"/t/{table.code}/options/", {"preset": "three-player"})
    assert "More than 3 people" in answer.content.decode()
    table.refresh_from_db()
    assert table.rule_set == PRESETS["standard"]
    assert names_at(table) == ["Alice", "Bob", "Charlie", "Dana"]


def test_options_that_differ_from_the_standard_game_come_first() -> None:
    options = agreed_options(PRESETS["excellent"].with_options(points_to_win=12))
    assert [option.title for option in options[:5]] == [
        "Points to win",
        "Turn order",
        "When the bank is too short for a roll",
        "Road Building",
        "When Longest Road is cut",
    ]
    assert [option.is_standard for option in options] == [False] * 5 + [True] * (len(OPTIONS) - 5)
