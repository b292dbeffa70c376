"""Every finished game in this folder is played again on every run.

A game dropped into the folder as JSON is a test from then on: it must follow from its written
draws, and its draws from its seed.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from games.rules import PRESETS, Record
from games.rules.boards import LAYOUTS
from games.rules.verify import verify

from .ways import WAYS, Ending, ending_of

RECORDS = sorted(Path(__file__).parent.glob("*.json"))
each_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)


@cache
def read(path: Path) -> Record:
    return Record.from_json(json.loads(path.read_bytes()))


@cache
def ending(path: Path) -> Ending:
    return ending_of(read(path))


@each_record
def test_a_game_ends_the_same_when_played_from_its_written_draws(path: Path) -> None:
    assert ending(path).result == read(path).result
    assert ending(path).winner == read(path).result["winner"] >= 0


@each_record
def test_every_draw_follows_from_the_seed(path: Path) -> None:
    verify(read(path))


@each_record
def test_a_record_is_the_same_in_json_and_in_text(path: Path) -> None:
    record = read(path)
    assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record
    assert Record.from_text(str(record)) == record


def test_there_are_games_of_every_kind() -> None:
    assert len(RECORDS) >= 20
    records = [read(path) for path in RECORDS]
    assert {record.rules.preset for record in records} == set(PRESETS)
    assert {record.layout for record in records} == set(LAYOUTS)
    assert {record.seats for record in records} == {3, 4}
    assert {record.board_seed is None for record in records} == {True, False}
    assert any(record.rules.house_rules() for record in records)
    assert any(recorded.timeout for record in records for recorded in record.moves)


@pytest.mark.parametrize("way", WAYS)
def test_some_game_is_won(way: str) -> None:
    assert any(WAYS[way](ending(path)) for path in RECORDS), f"no game is won {way}"
