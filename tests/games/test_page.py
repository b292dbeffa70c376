"""The page is what its type says, no more and no less, at every version of a game and for whoever looks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from random import Random
from types import UnionType
from typing import Any, Literal, NotRequired, Required, Union, get_args, get_origin

import pytest
from django.conf import settings
from django.utils import timezone
from typing_extensions import ReadOnly, get_type_hints, is_typeddict

from games import selectors, services
from games.history import record_of
from games.models import Game, Move
from games.page import Frame, Page, Scene, dumps, happened, page_of, phrases
from games.rules import Event, Phase
from games.rules.replay import replay
from games.store import Snapshot
from lobby.models import User

from .playing import look, new_game, some_move
from .test_game_page import state_of

pytestmark = pytest.mark.django_db

RULES = ["standard", "three-player", "online", "definition-of-done"]


@pytest.fixture
def users(alice: User, bob: User, charlie: User) -> list[User]:
    return [alice, bob, charlie]


# What the type says


def complaints(value: Any, hint: Any, at: str = "page") -> Iterator[str]:
    """Everything in which a value is not of its type, however deep."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Required, NotRequired, ReadOnly):
        yield from complaints(value, parts[0], at)
    elif is_typeddict(hint):
        yield from _fields(value, hint, at)
    elif origin in (Union, UnionType):
        if all(list(complaints(value, part, at)) for part in parts):
            yield f"{at}: {value!r} is none of {hint}"
    elif origin is Literal:
        if value not in parts:
            yield f"{at}: {value!r} is none of {parts}"
    elif origin in (list, Sequence, dict, Mapping) and not isinstance(value, list | tuple | dict):
        yield f"{at}: {value!r} is no {hint}"
    elif origin in (list, Sequence):
        for number, item in enumerate(value):
            yield from complaints(item, parts[0], f"{at}[{number}]")
    elif origin in (dict, Mapping):
        for key, item in value.items():
            yield from complaints(key, parts[0], f"{at}, a key")
            yield from complaints(item, parts[1], f"{at}[{key!r}]")
    elif hint is not object and not (isinstance(value, hint) and (hint is not int or type(value) is not bool)):
        yield f"{at}: {value!r} is no {hint}"


def _fields(value: Any, hint: Any, at: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{at}: {value!r} is no object"
        return
    hints = get_type_hints(hint, include_extras=True)
    required = {key for key, field in hints.items() if get_origin(field) is not NotRequired} - hint.__optional_keys__
    if value.keys() - hints.keys():
        yield f"{at}: nobody declared {value.keys() - hints.keys()}"
    if required - value.keys():
        yield f"{at}: {required - value.keys()} is missing"
    for key in value.keys() & hints.keys():
        yield from complaints(value[key], hints[key], f"{at}.{key}")


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "pace"), [*((rules, "") for rules in RULES), (RULES[0], "normal")])
def test_every_page_of_a_game_is_of_its_type(users: list[User], rules: str, pace: str) -> None:
    game = new_game(f"{rules} points_to_win=8", users=users, seed=("typed", rules), pace=pace)
    source, asked = Random(4), set()
    for _ in range(150):
        state = state_of(game)
        for viewer in (*state.seats, None):
            page = look(game, viewer)
            assert list(complaints(page, Page)) == []
            asked.add(page["asked"])
        if state.phase is Phase.OVER:
            break
        move = some_move(state, source)
        services.play_move(game.pk, move, version=page["version"], now=timezone.now())
    assert asked >= {"", "move"}


def test_a_wrong_page_is_found_out(users: list[User]) -> None:
    page: Any = look(new_game(users=users))
    for wrong in ({"turn": "1"}, {"turn": True}, {"extra": 1}, {"phase": "flying"}, {"log": [{}]}, {"dice": [None]}):
        assert list(complaints(page | wrong, Page))
    del page["prompt"]
    assert list(complaints(page, Page))


@pytest.mark.slow
def test_one_button_leads_through_a_turn_and_waits_for_the_next_one(users: list[User]) -> None:
    game = new_game(users=users, seed="one button")
    source, said = Random(5), set()
    for _ in range(200):
        state = state_of(game)
        for viewer in state.seats:
            page = look(game, viewer)
            button = page["turn_button"]
            said.add(button)
            has_rolled = viewer == state.active and state.rolled
            if button in ("roll", "end_turn"):
                assert button == ("end_turn" if has_rolled else "roll")
                assert (button in page["choices"]) != (button in page["reasons"])
            else:
                assert button in page["choices"]
        services.play_move(game.pk, some_move(state, source), version=page["version"], now=timezone.now())
    assert said >= {"roll", "end_turn", "steal"}


# Who reads it

READERS = ("static/**/*.js", "templates/**/*.html", "templates/**/*.svg")
#: Read by Python that stands above the page, and its rules' part by bots, orders and those who make the words.
PYTHON = (
    "games/words*.py",
    "games/views.py",
    "games/forms.py",
    "games/summary.py",
    "games/drawing.py",
    "games/bots/*.py",
    "games/orders.py",
)


def field_names(hint: Any, seen: set[Any] | None = None) -> Iterator[str]:
    """Of a type, and of those that it is made of."""
    seen = set() if seen is None else seen
    if is_typeddict(hint):
        if hint in seen:
            return
        seen.add(hint)
        for name, field in get_type_hints(hint, include_extras=True).items():
            yield name
            yield from field_names(field, seen)
    for part in get_args(hint):
        yield from field_names(part, seen)


def test_every_field_of_the_page_is_read_by_somebody() -> None:
    root = Path(settings.BASE_DIR)
    texts = [path.read_text() for pattern in (*READERS, *PYTHON) for path in root.glob(pattern)]
    words = {word for text in texts for word in re.findall(r"[a-z_]+", text)}
    assert {name for name in field_names(Frame) if name not in words} == set()


# Any version of a game


@pytest.mark.slow
def test_a_page_can_be_made_of_any_earlier_version(users: list[User]) -> None:
    """As it was then, but for who was there and what the clocks said."""
    game = new_game("standard points_to_win=8", users=users, seed="earlier")
    source, pages = Random(3), []
    for _ in range(80):
        pages.append(look(game, 1))
        services.play_move(game.pk, some_move(state_of(game), source), version=pages[-1]["version"], now=timezone.now())
    played = {move.number: move for move in Move.objects.filter(game=game)}
    now = selectors.scene(game.pk, now=timezone.now())
    record = record_of(Game.objects.get(pk=game.pk))
    told_then = ("phase", "turn", "prompt", "seats", "offers", "choices", "reasons", "bank", "standing", "asked")
    for step in replay(record, record.chance):
        if step.number >= len(pages):
            break
        row = played[step.number]
        log = [happened(row.number, step.recorded.move.seat, row.by, [Event.from_json(event) for event in row.events])]
        snapshot = Snapshot(step.number, 0, step.state.copy(), now.snapshot.sitters, b"", {})
        after = {"version": step.number - 1, "revision": 0}
        page = page_of(Scene(now.game, snapshot, now.seats, log, after, now.now), 1)
        assert {key: page[key] for key in told_then} == {key: pages[step.number][key] for key in told_then}
        assert [entry["text"] for entry in page["log"]] == [
            entry["text"] for entry in pages[step.number]["log"] if entry["version"] == step.number
        ]


# As it is sent


def test_moments_are_written_out_where_a_page_is_sent_and_not_before(users: list[User]) -> None:
    page = look(new_game(users=users, pace="normal"), 0)
    assert isinstance(page["now"], datetime)
    sent = json.loads(dumps({"page": page}))["page"]
    assert datetime.fromisoformat(sent["now"]) == page["now"]
    assert [seat["clock"] and seat["clock"]["ends"] for seat in sent["seats"]] == [
        seat["clock"] and seat["clock"]["ends"] and seat["clock"]["ends"].isoformat() for seat in page["seats"]
    ]
    assert json.loads(json.dumps(phrases(page)))


# Two things at once


def test_a_paused_game_offers_nothing_runs_no_clock_and_says_so(users: list[User]) -> None:
    game = new_game(users=users, pace="fast")
    services.pause(game.pk, now=timezone.now())
    for viewer in (0, 1, None):
        page = look(game, viewer)
        assert (page["choices"], page["places"], page["asked"]) == ({}, [], "")
        assert [seat["clock"] for seat in page["seats"]] == [None, None, None]
    assert set(look(game, 0)["reasons"].values()) == {"The game is paused."}
    services.resume(game.pk, now=timezone.now())
    assert any(seat["clock"] for seat in look(game, 0)["seats"])
