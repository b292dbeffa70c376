"""The picture of a link: that very table or game, as a passer-by sees it, and drawn no more often than need be."""

from __future__ import annotations

import re
import struct
from datetime import timedelta
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import pictures, services, snapshots, store
from games.models import Game
from games.rules import legal_moves
from games.rules.state import derive
from games.services.locking import locked, write_game
from lobby.models import Table

#: Bytes; some who show previews leave out what is larger than twice as much.
MOST = 400_000


class Counting(pictures.Painter):
    """A painter who does not paint, and counts how often it was asked to."""

    def __init__(self) -> None:
        super().__init__()
        self.drawings: list[str] = []

    def _rastered(self, drawing: str) -> bytes | None:
        self.drawings.append(drawing)
        return b"a picture"


@pytest.fixture(autouse=True)
def painter(monkeypatch: pytest.MonkeyPatch) -> pictures.Painter:
    """A real one that has not painted yet, and that waits however busy the machine is."""
    painter = pictures.Painter()
    painter.patience = 100
    monkeypatch.setattr(pictures, "PAINTER", painter)
    return painter


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    painter = Counting()
    monkeypatch.setattr(pictures, "PAINTER", painter)
    return painter


def open_table(name: str = "Alice", **options: str) -> tuple[Client, str]:
    """The host of a new table, and where its picture is."""
    host = Client()
    answer = host.post("/t/new/", {"preset": "standard", "name": name, **options})
    return host, f"{answer['Location']}picture.png"


def start_game() -> tuple[Client, Game, str]:
    """A player of a new game with bots, the game, and where its picture is."""
    player = Client()
    player.post("/play-now/")
    game = Game.objects.latest("started_at")
    return player, game, f"/games/{game.pk}/picture.png"


def change_hands(game: Game) -> None:
    """Every hand holds other resources than before, and nothing else differs."""
    with locked(game.pk) as row:
        before = snapshots.of(row).state
        after = before.copy()
        for hand in after.hands:
            for resource in range(len(hand)):
                hand[resource] += 2
                after.bank[resource] -= 2
        derive(after)
        write_game(row, store.save(game.pk, before, after, {}) | {"revision": row.revision + 1})


# What it shows


@pytest.mark.slow
@pytest.mark.django_db
def test_a_table_and_a_game_have_pictures_of_the_size_that_previews_ask_for(client: Client) -> None:
    found = []
    for address in (open_table()[1], start_game()[2]):
        answer = client.get(address)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
        assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
        assert len(answer.content) <= MOST
        found.append(answer.content)
    assert found[0] != found[1]


@pytest.mark.django_db
def test_a_table_shows_its_island_and_who_sits_there(client: Client, counting: Counting) -> None:
    _, address = open_table()
    client.get(address)
    (drawing,) = counting.drawings
    assert "Alice’s table" in drawing.replace("&#x27;", "’")
    assert re.findall(r'">([^<]*)</text></svg>\n*</g></g>', drawing) == ["Alice", "Free", "Free", "Free"]
    assert "face-down" in drawing
    client.get(open_table("Bob", layout="beginner")[1])
    assert counting.drawings[1].count('href="#terrain-') == 19


@pytest.mark.django_db
def test_a_game_shows_what_is_built(client: Client, counting: Counting) -> None:
    _, game, address = start_game()
    client.get(address)
    state = snapshots.read(game.pk)[1].state
    services.play_move(game.pk, legal_moves(state, state.active)[0], version=0, now=timezone.now())
    client.get(address)
    before, after = counting.drawings
    assert (before.count('href="#settlement"'), after.count('href="#settlement"')) == (0, 1)


@pytest.mark.slow
@pytest.mark.django_db
def test_a_picture_tells_nothing_of_hands(client: Client) -> None:
    player, game, address = start_game()
    before, own = client.get(address), player.get(f"/api/v1/games/{game.pk}/").json()
    change_hands(game)
    assert player.get(f"/api/v1/games/{game.pk}/").json()["seats"] != own["seats"]
    assert client.get(address).content == before.content


@pytest.mark.django_db
def test_players_and_passers_by_get_the_same_picture(client: Client, counting: Counting) -> None:
    player, _, picture_of_game = start_game()
    for person, address in ((player, picture_of_game), open_table()):
        assert person.get(address)["ETag"] == client.get(address)["ETag"]
    assert len(counting.drawings) == 2


@pytest.mark.django_db
def test_every_part_of_a_drawing_is_in_it_and_has_its_colours(client: Client, counting: Counting) -> None:
    client.get(start_game()[2])
    client.get(open_table()[1])
    client.get(open_table(layout="beginner")[1])
    for drawing in counting.drawings:
        assert {*re.findall(r'href="([^"]+)"', drawing)} <= {
            f"#{name}" for name in re.findall(r' id="([^"]+)"', drawing)
        }
        assert "var(" not in drawing
        assert "light-dark(" not in drawing


@pytest.mark.django_db
def test_a_name_is_a_name_whatever_it_looks_like(client: Client) -> None:
    name = "</text>&<b>\"'#"
    _, address = open_table(name)
    assert Table.objects.get().chairs.get(number=0).name == name
    assert client.get(address)["Content-Type"] == "image/png"


# Where it is


@pytest.mark.django_db
def test_there_is_no_picture_of_what_is_not_there(client: Client) -> None:
    assert client.get("/games/999/picture.png").status_code == 404
    assert client.get("/t/nosuchcode/picture.png").status_code == 404


@pytest.mark.django_db
def test_a_table_whose_game_has_begun_shows_the_game(client: Client, counting: Counting) -> None:
    host, address = open_table()
    host.post(f"{address.removesuffix('picture.png')}start/", {"fill_with_bots": "yes"})
    answer = client.get(address)
    assert answer["Location"] == f"/games/{Game.objects.get().pk}/picture.png"


@pytest.mark.django_db
def test_pages_name_their_picture_by_an_address_that_changes_with_it(client: Client) -> None:
    host, address = open_table()
    page = address.removesuffix("picture.png")

    def named() -> Any:
        found = re.search(r'property="og:image" content="http://testserver([^"]+)"', client.get(page).content.decode())
        assert found
        return found[1]

    before = named()
    assert before.startswith(f"{address}?")
    host.post(f"{page}add-bot/", {"chair": 1})
    assert named() != before
    page = start_game()[2].removesuffix("picture.png")
    assert named() == f"{page}picture.png?version=0"


# How often it is drawn


@pytest.mark.django_db
def test_others_may_keep_a_picture_and_ask_whether_it_is_still_right(client: Client, counting: Counting) -> None:
    address = start_game()[2]
    first = client.get(address)
    assert first["Cache-Control"] == "public, max-age=3600"
    assert "Cookie" not in first.get("Vary", "")
    again = client.get(address, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    client.get(address)
    assert len(counting.drawings) == 1, "it was kept"


@pytest.mark.django_db
def test_who_asks_for_too_many_gets_the_picture_that_all_links_share(client: Client, counting: Counting) -> None:
    counting.burst, counting.period = 1, timedelta(hours=1)
    assert client.get(start_game()[2]).status_code == 200
    refused = client.get(start_game()[2])
    assert (refused.status_code, refused["Location"]) == (302, "/static/site/preview.png")
    assert "no-store" in refused["Cache-Control"]


def test_a_painter_paints_so_many_at_once_and_then_one_with_each_period() -> None:
    painter = Counting()
    now = timezone.now()
    painted = [painter.paint(f"{number}", "", now) for number in range(painter.burst + 5)]
    assert [picture is None for picture in painted] == [False] * painter.burst + [True] * 5
    assert painter.paint("0", "", now), "what was painted costs nothing"
    now += painter.period
    assert [painter.paint(key, "", now) is None for key in ("a", "b")] == [False, True]


def test_a_painter_keeps_no_more_than_there_is_room_for() -> None:
    painter = Counting()
    now = timezone.now()
    for number in range(painter.kept + 1):
        painter.paint(f"{number}", "", now + number * timedelta(hours=1))
    painter.paint("1", "", now)
    assert len(painter.drawings) == painter.kept + 1
    painter.paint("0", "", now + timedelta(days=9))
    assert len(painter.drawings) == painter.kept + 2, "the oldest has gone"


def test_one_is_painted_while_one_waits_and_nobody_else_does() -> None:
    class Slow(Counting):
        def _rastered(self, drawing: str) -> bytes | None:
            begun.set()
            assert done.wait(10)
            return super()._rastered(drawing)

    begun, done = Event(), Event()
    painter = Slow()
    now = timezone.now()
    got: list[bytes | None] = []
    people = [Thread(target=lambda: got.append(painter.paint("the same", "", now))) for _ in range(5)]
    people[0].start()
    assert begun.wait(10)
    for person in people[1:]:
        person.start()
    give_up = monotonic() + 10
    while len(got) < 3 and monotonic() < give_up:
        sleep(0.01)
    assert got == [None] * 3, "they are told while the picture is painted"
    done.set()
    for person in people:
        person.join()
    assert got[3:] == [b"a picture"] * 2
    assert len(painter.drawings) == 1, "both wanted the same"


def test_a_drawing_that_fails_is_noted_and_harms_nobody(painter: pictures.Painter, caplog: Any) -> None:
    assert painter.paint("key", "no drawing", timezone.now()) is None
    assert "picture_failed" in caplog.text
    assert painter.paint("key", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', timezone.now())
