"""Chats over HTTP: at a table, among those who play, among those who watch."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from api.chats import GameChats, LineSerializer
from api.tables import Tables
from games.models import Game
from lobby import chat, restrictions, rooms
from lobby.models import ChatLine, User
from lobby.views_chat import FOR_PROGRAMS
from tests.api.programs import Program, refusal, wrong_fields
from tests.clock import Clock
from tests.games.playing import new_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Alice and Bob play with Charlie, whose seat is nobody's; Dana watches."""
    return new_game(users=[alice, bob])


def texts(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [line["text"] for line in answer.json()["lines"]]


def test_what_is_said_at_a_table_is_said_in_its_game(alice: User, bob: User) -> None:
    alices, bobs = Program(alice), Program(bob)
    code = alices.done("tables/")["code"]
    bobs.done(f"tables/{code}/join/")
    answer = alices.post(f"tables/{code}/chat/", text="  Hello ")
    assert (answer.status_code, answer.json()) == (201, {"last": 1})
    game = alices.done(f"tables/{code}/start/", fill_with_bots=True)["game"]
    assert bobs.done(f"games/{game}/chat/", text="Hi") == {"last": 2}
    for path in (f"tables/{code}/chat/", f"games/{game}/chat/"):
        assert texts(Program().get(path)) == ["Hello", "Hi"]
        assert bobs.get(path, after=1).json() | {"lines": 1} == {"last": 2, "lines": 1}
        assert texts(bobs.get(path, after=1)) == ["Hi"]


def test_a_line_says_who_has_said_it_and_when(game: Game, alice: User, clock: Clock) -> None:
    chat.say(rooms.of_players(game.pk), alice, "Hello", now=clock.now)
    told = Program().get(f"games/{game.pk}/chat/").json()
    [line] = told["lines"]
    moment = timezone.datetime.fromisoformat(line.pop("said_at"))
    assert moment == clock.now
    assert line == {
        "number": 1,
        "name": "Alice",
        "colour": "red",
        "emblem": "▲",
        "text": "Hello",
        "hidden": False,
        "is_bot_account": False,
    }
    assert {*LineSerializer().fields} == {*line, "said_at"}, "what the documentation says"


def test_those_who_watch_talk_among_themselves(game: Game, alice: User, dana: User) -> None:
    assert Program(dana).done(f"games/{game.pk}/watchers/", text="Who is winning?") == {"last": 1}
    assert texts(Program().get(f"games/{game.pk}/watchers/")) == ["Who is winning?"]
    assert refusal(Program(alice).get(f"games/{game.pk}/watchers/")) == (403, "not_for_you")
    assert refusal(Program(alice).post(f"games/{game.pk}/watchers/", text="Hello")) == (403, "not_for_you")
    assert refusal(Program(dana).post(f"games/{game.pk}/chat/", text="Hello")) == (403, "not_seated")
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABORTED)
    assert texts(Program(alice).get(f"games/{game.pk}/watchers/")) == ["Who is winning?"]


def test_a_game_behind_closed_doors_has_no_chat_for_others(game: Game, alice: User, dana: User) -> None:
    Game.objects.filter(pk=game.pk).update(spectators_allowed=False)
    for kind in ("chat", "watchers"):
        for program in (Program(dana), Program()):
            assert refusal(program.get(f"games/{game.pk}/{kind}/")) == (404, "no_such_game")
        assert refusal(Program(dana).post(f"games/{game.pk}/{kind}/", text="Hello")) == (404, "no_such_game")
        assert refusal(Program(alice).get(f"games/4711/{kind}/")) == (404, "no_such_game")
    assert Program(alice).done(f"games/{game.pk}/chat/", text="Among us") == {"last": 1}


def test_what_is_no_line_is_refused_by_its_field(game: Game, alice: User) -> None:
    alices, path = Program(alice), f"games/{game.pk}/chat/"
    for text in ("", " ", "\u200b", "x" * 301, "\x00", "\ud800", None, 1, ["Hello"]):
        assert wrong_fields(alices.post(path, text=text)) == ["text"], text
    assert wrong_fields(alices.post(path, text="Hello", seat=1)) == ["seat"]
    assert wrong_fields(alices.post(path)) == ["text"]
    for after in ("", "x", "-1", "1.5", "9" * 10, "\x00"):
        assert wrong_fields(alices.get(path, after=after)) == ["after"]
    form = alices.client.post(f"/api/v1/{path}", {"text": "Hello"})
    assert refusal(form) == (415, "unsupported_media_type")
    assert not ChatLine.objects.exists()


def test_whoever_is_muted_or_too_fast_or_nobody_is_told_so(game: Game, alice: User, dana: User) -> None:
    alices, path = Program(alice), f"games/{game.pk}/chat/"
    for _ in range(5):
        alices.done(path, text="Hello")
    answer = alices.post(path, text="Hello")
    assert refusal(answer) == (429, "too_fast")
    assert 1 <= int(answer["Retry-After"]) <= 10
    restrictions.mute(alice, restrictions.FOR_GOOD)
    assert refusal(alices.post(path, text="Hello")) == (403, "muted")
    people = User.objects.count()
    for kind in ("chat", "watchers"):
        assert refusal(Program().post(f"games/{game.pk}/{kind}/", text="Hello")) == (401, "not_authenticated")
    assert (ChatLine.objects.count(), User.objects.count()) == (5, people)


def test_a_page_leads_its_scripts_to_where_programs_talk(game: Game, alice: User) -> None:
    """The lobby knows nothing of what lies above it but these addresses."""
    code = Program(alice).done("tables/")["code"]
    views = {"players": (GameChats, "chat"), "watchers": (GameChats, "watchers"), "table": (Tables, "chat")}
    for kind, (endpoint, name) in views.items():
        found = resolve(FOR_PROGRAMS[kind].format(game_id=game.pk, code=code))
        assert issubclass(found.func.cls, endpoint)  # type: ignore[attr-defined]
        assert found.func.actions["get"] == name  # type: ignore[attr-defined]


def test_only_somebody_new_sends_the_form_of_a_page_itself(game: Game, dana: User) -> None:
    """So they come back with a session; for everybody else, the page's script speaks as programs do."""
    browser = Client()
    browser.force_login(dana)
    assert "data-nobody" in Client().get(f"/games/{game.pk}/").content.decode()
    assert "data-nobody" not in browser.get(f"/games/{game.pk}/").content.decode()
