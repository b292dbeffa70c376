"""A board that is seen before the game: who shuffles it, until when, and that the game has that very one."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from games import pictures
from games.models import Game, Hex, Seat
from games.rules.boards import BEGINNER, LAYOUTS, TERRAIN_NAMES
from lobby.models import Table
from tests.games.playing import seed_of

from .conftest import opened, sit

pytestmark = pytest.mark.django_db

Visitors = Callable[[], Client]
SHUFFLED = [layout for layout in LAYOUTS if layout != "beginner"]


@pytest.fixture
def seen(alice_browser: Client) -> Table:
    """A table that Alice has opened, whose board everybody sees."""
    return opened(alice_browser, preset="standard", layout="balanced", board_seen="yes")


def page(browser: Client, table: Table) -> str:
    answer = browser.get(f"/t/{table.code}/")
    assert answer.status_code == 200
    return answer.content.decode()


def board_on(text: str) -> list[tuple[str, int]]:
    """Terrain and token of each hex, as a page or a picture draws them."""
    drawn = re.findall(r'<use href="#terrain-(\w+)"/>(?:<use href="#token-(\d+)"/>)?', text)
    return [(terrain, int(token or 0)) for terrain, token in drawn]


def board_of(game: Game) -> list[tuple[str, int]]:
    hexes = Hex.objects.filter(game=game).order_by("number")
    return [(terrain, token or 0) for terrain, token in hexes.values_list("terrain", "token")]


def shuffle(browser: Client, table: Table) -> Any:
    return browser.post(f"/t/{table.code}/shuffle/", follow=True)


def mark_on(text: str) -> str:
    """What the page's forms say of the board that it shows."""
    (mark, *others) = re.findall(r'name="board" value="(\w*)"', text)
    assert set(others) <= {mark}
    return mark


def start(browser: Client, table: Table, **sends: str) -> Any:
    return browser.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes", **sends}, follow=True)


# What a table shows


def test_a_board_is_a_surprise_unless_the_host_wants_it_otherwise(alice_browser: Client, table: Table) -> None:
    text = page(alice_browser, table)
    assert board_on(text) == []
    assert "face-down" in text
    assert "A surprise" in text
    assert "Shuffle the board" not in text
    assert table.board_seed is None


@pytest.mark.parametrize("layout", SHUFFLED)
def test_everybody_sees_one_board_and_the_game_has_that_very_board(
    layout: str, alice_browser: Client, visitors: Visitors
) -> None:
    table = opened(alice_browser, preset="standard", layout=layout, board_seen="yes")
    text = page(alice_browser, table)
    shown = board_on(text)
    assert len(shown) == 19
    assert board_on(page(visitors(), table)) == shown
    assert "Seen beforehand" in text
    start(alice_browser, table, board=mark_on(text))
    game = Game.objects.get()
    assert board_of(game) == shown
    assert bytes(game.board_seed or b"") == bytes(table.board_seed or b"")


def test_a_shuffle_lays_another_board(alice_browser: Client, visitors: Visitors, seen: Table) -> None:
    before = board_on(page(alice_browser, seen))
    after = board_on(shuffle(alice_browser, seen).content.decode())
    assert len(after) == 19
    assert after != before
    assert board_on(page(visitors(), seen)) == after
    assert Table.objects.get().version == seen.version + 1, "open pages hear of it"


def test_the_page_says_who_may_shuffle(alice_browser: Client, visitors: Visitors, seen: Table) -> None:
    bob = visitors()
    assert "<bdi>Alice</bdi> can shuffle the board until somebody is ready." in page(bob, seen)
    assert "Shuffle the board</button>" not in page(bob, seen)
    assert "Shuffle the board</button>" in page(alice_browser, seen)


def test_those_who_listen_are_told_the_board(alice_browser: Client) -> None:
    table = opened(alice_browser, preset="standard", layout="beginner")
    text = page(alice_browser, table)
    assert "Row by row from the north: mountains 10, pasture 2, forest 9; fields 12, hills 6," in text
    assert "Harbors clockwise from the north-west: 3:1, 2:1 grain, 2:1 ore, 3:1, 2:1 wool, 3:1" in text


def test_the_beginners_island_is_seen_and_has_nothing_to_shuffle(alice_browser: Client) -> None:
    table = opened(alice_browser, preset="standard", layout="beginner", board_seen="yes")
    text = page(alice_browser, table)
    expected = [
        (TERRAIN_NAMES[terrain], token) for terrain, token in zip(BEGINNER.terrains, BEGINNER.tokens, strict=True)
    ]
    assert board_on(text) == expected
    assert "Shuffle the board" not in text
    assert "Seen beforehand" not in text
    said = shuffle(alice_browser, table).content.decode()
    assert "The beginners’ island is the same every time: choose another board to shuffle." in said
    assert Table.objects.get().board_seed == table.board_seed
    start(alice_browser, table, board=mark_on(text))
    assert board_of(Game.objects.get()) == expected


def test_where_nobody_robs_no_robber_stands_on_the_board(alice_browser: Client, seen: Table) -> None:
    assert '<use href="#robber"/>' in page(alice_browser, seen)
    peaceful = opened(alice_browser, preset="standard", board_seen="yes", robber="false")
    assert '<use href="#robber"/>' not in page(alice_browser, peaceful)


# Options


def change(browser: Client, table: Table, **wish: str) -> Table:
    answer = browser.post(f"/t/{table.code}/options/", {"preset": "standard", **wish})
    assert answer.status_code == 302, answer.content.decode()
    return Table.objects.get(pk=table.pk)


def test_the_board_is_drawn_when_it_is_chosen_and_when_the_layout_changes(alice_browser: Client, table: Table) -> None:
    wishes = ({"board_seen": "yes"}, {"layout": "random"}, {"bot_speed": "brisk"}, {"board_seen": "no"})
    seeds = [change(alice_browser, table, **wish).board_seed for wish in wishes]
    chosen, other_layout, other_bots, surprise = (seed and bytes(seed) for seed in seeds)
    assert surprise is None
    assert chosen is not None
    assert other_layout not in (None, chosen)
    assert other_bots == other_layout, "nobody asked for another board"


def test_the_options_show_what_was_chosen(alice_browser: Client, seen: Table) -> None:
    text = alice_browser.get(f"/t/{seen.code}/options/").content.decode()
    assert re.search(r'name="board_seen" value="yes" checked', text)
    answer = alice_browser.post("/t/new/", {"name": "Alice", "board_seen": "perhaps"})
    assert answer.status_code == 200
    assert Table.objects.count() == 1


def test_a_rematch_is_played_on_another_board_that_is_seen_too(alice_browser: Client, seen: Table) -> None:
    start(alice_browser, seen, board=seen.board_mark)
    game = Game.objects.get()
    Game.objects.update(status=Game.Status.ABORTED)
    alice_browser.post(f"/t/rematch/{game.pk}/")
    again = Table.objects.get(rematch_of=game)
    assert again.board_seed is not None
    assert board_on(page(alice_browser, again)) != board_of(game)


def test_a_rematch_of_a_surprise_is_a_surprise(alice_browser: Client, table: Table) -> None:
    start(alice_browser, table)
    game = Game.objects.get()
    Game.objects.update(status=Game.Status.ABORTED)
    alice_browser.post(f"/t/rematch/{game.pk}/")
    assert Table.objects.get(rematch_of=game).board_seed is None


# Who may not shuffle, and when


def require_unchanged(table: Table) -> None:
    now = Table.objects.get(pk=table.pk)
    assert (now.board_mark, now.version) == (table.board_mark, table.version)


def test_only_the_host_shuffles(visitors: Visitors, seen: Table) -> None:
    bob = visitors()
    sit(bob, seen, "Bob")
    seen.refresh_from_db()
    for browser in (bob, visitors()):
        assert "Only the host of this table can do that." in shuffle(browser, seen).content.decode()
    require_unchanged(seen)


def test_a_surprise_is_not_shuffled(alice_browser: Client, table: Table) -> None:
    assert "The board of this table is a surprise" in shuffle(alice_browser, table).content.decode()
    require_unchanged(table)


def test_a_board_stays_once_the_game_has_started(alice_browser: Client, seen: Table) -> None:
    start(alice_browser, seen, board=seen.board_mark)
    seen.refresh_from_db()
    game = Game.objects.get()
    before = board_of(game)
    shuffle(alice_browser, seen)
    require_unchanged(seen)
    assert board_of(game) == before


def test_a_board_stays_while_somebody_is_ready_for_it(alice_browser: Client, visitors: Visitors, seen: Table) -> None:
    bob = visitors()
    sit(bob, seen, "Bob")
    sit(visitors(), seen, "Charlie")
    mark = mark_on(page(bob, seen))
    bob.post(f"/t/{seen.code}/ready/", {"ready": "yes", "board": mark})
    seen.refresh_from_db()
    sentence = "The board stays as it is: Bob is ready to play on it."
    assert sentence in page(alice_browser, seen)
    assert "The board stays as it is: you are ready to play on it." in page(bob, seen)
    assert "Shuffle the board</button>" not in page(alice_browser, seen)
    assert sentence in shuffle(alice_browser, seen).content.decode()
    require_unchanged(seen)
    bob.post(f"/t/{seen.code}/ready/", {"ready": "no"})
    shuffle(alice_browser, seen)
    assert Table.objects.get().board_mark != mark


def test_nobody_is_ready_for_a_board_that_they_have_not_seen(
    alice_browser: Client, visitors: Visitors, seen: Table
) -> None:
    bob = visitors()
    sit(bob, seen, "Bob")
    sit(visitors(), seen, "Charlie")
    old = mark_on(page(bob, seen))
    shuffle(alice_browser, seen)
    for sends in ({"board": old}, {"board": "nonsense"}, {}):
        answer = bob.post(f"/t/{seen.code}/ready/", {"ready": "yes", **sends}, follow=True)
        assert "The board has just changed: look at it, and press again." in answer.content.decode()
        assert not seen.chairs.filter(ready=True).exists()
        said = start(alice_browser, seen, **sends).content.decode()
        assert "The board has just changed: look at it, and press again." in said
    assert not Game.objects.exists()
    bob.post(f"/t/{seen.code}/ready/", {"ready": "yes", "board": mark_on(page(bob, seen))})
    assert seen.chairs.get(name="Bob").ready


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"layout": "beginner"}, {"layout": "random"}),
        ({"layout": "beginner"}, {"layout": "random", "board_seen": "yes"}),
        ({"layout": "random"}, {"layout": "beginner"}),
        ({"layout": "random", "board_seen": "yes"}, {"layout": "beginner"}),
        ({"layout": "random", "board_seen": "yes"}, {"layout": "balanced", "board_seen": "yes"}),
        ({"layout": "random", "board_seen": "yes"}, {"layout": "random", "board_seen": "no"}),
    ],
)
def test_nobody_is_ready_for_another_board_than_the_one_that_their_page_showed(
    alice_browser: Client, visitors: Visitors, before: dict[str, str], after: dict[str, str]
) -> None:
    """Bob presses in the moment in which the host chooses another one."""
    table = opened(alice_browser, preset="standard", **before)
    bob = visitors()
    sit(bob, table, "Bob")
    sit(visitors(), table, "Charlie")
    old = mark_on(page(bob, table))
    change(alice_browser, table, **after)
    answer = bob.post(f"/t/{table.code}/ready/", {"ready": "yes", "board": old}, follow=True)
    assert "The board has just changed: look at it, and press again." in answer.content.decode()
    bob.post(f"/t/{table.code}/ready/", {"ready": "yes", "board": mark_on(page(bob, table))})
    assert table.chairs.get(name="Bob").ready


def test_the_beginners_island_is_the_same_whatever_else_the_host_changes(
    alice_browser: Client, visitors: Visitors
) -> None:
    table = opened(alice_browser, preset="standard", layout="beginner")
    marks = {table.board_mark}
    for wish in ({"board_seen": "yes"}, {"board_seen": "no"}, {"bot_speed": "brisk"}):
        marks.add(change(alice_browser, table, layout="beginner", **wish).board_mark)
    assert len(marks) == 1


def test_whoever_shuffles_without_end_is_asked_for_patience(
    alice_browser: Client, seen: Table, settings: LazySettings
) -> None:
    shuffle(alice_browser, seen)
    settings.SHUFFLES_AN_HOUR = 1
    seen.refresh_from_db()
    answer = shuffle(alice_browser, seen)
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 3600
    assert "You have shuffled 1 boards this hour" in answer.content.decode()
    require_unchanged(seen)


def test_shuffling_is_no_address_to_look_at(alice_browser: Client, seen: Table) -> None:
    assert alice_browser.get(f"/t/{seen.code}/shuffle/").status_code == 405
    assert alice_browser.post("/t/nosuchtable/shuffle/").status_code == 404
    require_unchanged(seen)


# Secrets


@pytest.mark.slow
def test_nothing_that_anybody_is_sent_contains_a_seed(alice_browser: Client, visitors: Visitors, seen: Table) -> None:
    """The board's seed is no secret; but nobody needs it before the end, and the game's own is one."""
    stranger = visitors()
    board_seed = bytes(seen.board_seed or b"").hex()
    at_table = [f"/t/{seen.code}/{part}" for part in ("", "now/", "picture.png", "options/")]
    at_table += [f"/api/v1/tables/{seen.code}/{part}" for part in ("", "chat/")]
    for browser in (alice_browser, stranger):
        for address in at_table:
            assert board_seed.encode() not in browser.get(address, follow=True).content
    start(alice_browser, seen, board=seen.board_mark)
    game = Game.objects.get()
    assert Seat.objects.filter(game=game, user__isnull=False).exists()
    secrets = [seed_of(game), seed_of(game).hex().encode(), board_seed.encode()]
    in_game = [f"/games/{game.pk}/", f"/games/{game.pk}/picture.png", f"/games/{game.pk}/statistics/"]
    in_game += [f"/api/v1/games/{game.pk}/", f"/api/v1/games/{game.pk}/moves/?after=0"]
    for browser in (alice_browser, stranger):
        for address in (*in_game, *at_table):
            answer = browser.get(address, follow=True)
            assert answer.status_code in (200, 204), address
            assert not [secret for secret in secrets if secret in answer.content], address


def test_two_games_on_one_board_have_different_cards(alice_browser: Client, seen: Table) -> None:
    other = opened(alice_browser, preset="standard", layout="balanced", board_seen="yes")
    Table.objects.filter(pk=other.pk).update(board_seed=seen.board_seed)
    for table in (seen, other):
        start(alice_browser, table, board=seen.board_mark)
    first, second = Game.objects.order_by("started_at")
    assert board_of(first) == board_of(second)
    decks = [
        list(game.developmentcard_set.order_by("number").values_list("kind", flat=True)) for game in (first, second)
    ]
    assert decks[0] != decks[1]
    assert first.commitment != second.commitment


def test_the_picture_of_the_link_shows_the_board_that_a_stranger_sees(
    visitors: Visitors, seen: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    class Noting(pictures.Painter):
        def paint(self, key: str, drawing: str, now: Any) -> bytes | None:
            drawn.append(drawing)
            return b"a picture"

    monkeypatch.setattr(pictures, "PAINTER", Noting())
    stranger = visitors()
    assert stranger.get(f"/t/{seen.code}/picture.png").status_code == 200
    (picture,) = drawn
    assert board_on(picture) == board_on(page(stranger, seen))
