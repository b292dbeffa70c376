"""Games out of the database and into it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from games import services
from games.models import Game, Move, Seat
from games.rules import Phase, Record
from games.rules.cards import CARD_NAMES
from games.rules.verify import verify
from tests.sites import ROOT

from .playing import new_game, play_on, seed_of, stored_state

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

RECORDS = sorted((ROOT / "tests" / "records").glob("*.json"))
#: A short one, with moves of people and of clocks.
RECORD = ROOT / "tests" / "records" / "done-timeouts.json"


def exported(game_id: int, capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    call_command("export_game", game_id)
    return json.loads(capsys.readouterr().out)


def check_round_trip(record: Path, capsys: pytest.CaptureFixture[str]) -> Game:
    call_command("import_game", record)
    said = re.fullmatch(r"The record is now game (\d+)\.\n", capsys.readouterr().out)
    assert said is not None
    game = Game.objects.get(pk=said[1])
    call_command("verify_games", game=game.pk)
    assert exported(game.pk, capsys) == json.loads(record.read_text())
    return game


def test_a_record_comes_in_and_goes_out_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    game = check_round_trip(RECORD, capsys)
    assert game.status == Game.Status.OVER
    assert Move.objects.filter(game=game, by=Move.By.TIMEOUT).exists()


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("record", RECORDS, ids=[record.stem for record in RECORDS])
def test_every_record_comes_in_and_goes_out_the_same(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_round_trip(record, capsys)


def test_the_record_of_a_finished_game_can_be_checked_by_anybody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = new_game("online points_to_win=8", seed="export")
    moves = play_on(game.pk, Random(2), 3_000)
    assert stored_state(game.pk).phase is Phase.OVER
    record = exported(game.pk, capsys)
    assert record["seed"] == seed_of(game).hex()
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    checked = subprocess.run(
        [sys.executable, "-m", "games.rules.verify", file], cwd=ROOT, capture_output=True, text=True
    )
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.startswith(f"All {moves} moves follow from the seed; ")


def test_the_record_of_a_game_tells_how_strong_its_bots_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = new_game("online points_to_win=8", seed="export")
    play_on(game.pk, Random(2), 3_000)
    assert "bots" not in exported(game.pk, capsys)
    Seat.objects.filter(game=game, number=1).update(player=Seat.Player.BOT, strength="hard")
    record = exported(game.pk, capsys)
    assert record["bots"] == ["", "hard", ""]
    read = Record.from_json(record)
    assert Record.from_text(str(read)).to_json() == record
    verify(read)


@pytest.mark.parametrize("is_aborted", [False, True])
def test_the_record_of_a_game_without_an_end_tells_no_secret(
    is_aborted: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    game = new_game(seed="unfinished")
    source, seen = Random(1), set()
    while not {"stole", "bought_card"} <= seen:
        play_on(game.pk, source, 20)
        seen = {event["kind"] for row in Move.objects.filter(game=game) for event in row.events}
    if is_aborted:
        services.abort(game.pk, now=timezone.now())
    state = stored_state(game.pk)
    assert any(map(any, state.hands))
    record = exported(game.pk, capsys)
    assert not {"seed", "deal", "draws", "hand", "hands", "cards", "dice_deck"} & set(all_keys(record))
    assert seed_of(game).hex() not in json.dumps(record)
    assert record["view"]["viewer"] is None
    assert record["view"]["deck"] == len(state.deck) - state.dealt
    events = [event for move in record["moves"] for event in move["events"]]
    assert len(record["moves"]) == Game.objects.get(pk=game.pk).version
    for event in events:
        if event["kind"] == "stole":
            assert event.keys() == {"kind", "seat", "victim", "count"}
        if event["kind"] == "bought_card":
            assert event.keys() == {"kind", "seat"}
    laid_open = {event["card"] for event in events if event["kind"] == "played_card"}
    assert not [name for name in CARD_NAMES if f'"{name}"' in json.dumps(events) and name not in laid_open]


def test_the_record_of_a_game_whose_board_was_seen_comes_back_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board_seed = bytes(range(32))
    game = new_game("online points_to_win=8", seed="export", board_seed=board_seed)
    assert exported(game.pk, capsys)["board_seed"] == board_seed.hex(), "whoever watches may check the board at once"
    play_on(game.pk, Random(2), 3_000)
    record = exported(game.pk, capsys)
    assert record["board_seed"] == board_seed.hex()
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    call_command("import_game", file)
    again = Game.objects.exclude(pk=game.pk).get()
    assert bytes(again.board_seed or b"") == board_seed
    capsys.readouterr()
    assert exported(again.pk, capsys) == record
    call_command("verify_games")
    assert capsys.readouterr().out == "2 games checked, 0 differ.\n"


def all_keys(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(key for inner in value.values() for key in all_keys(inner))]
    return [key for inner in value for key in all_keys(inner)] if isinstance(value, list) else []


def test_a_game_that_does_not_exist_is_one_clear_line() -> None:
    with pytest.raises(CommandError, match=r"^There is no game 12\.$"):
        call_command("export_game", 12)


def changed(**changes: Any) -> str:
    return json.dumps(json.loads(RECORD.read_text()) | changes)


def with_first_move(**changes: Any) -> str:
    record = json.loads(RECORD.read_text())
    record["moves"][0] |= changes
    return json.dumps(record)


NO_RECORDS = {
    "nothing": "",
    "not JSON": "{",
    "no text": "\udcff",
    "another thing": "[]",
    "a number": "7",
    "nested beyond sense": "[" * 100_000,
    "an empty object": "{}",
    "another format": changed(format="catan-spectator-1"),
    "another seed": changed(seed="00" * 32),
    "no seed": changed(seed="nonsense"),
    "a board of another seed": changed(board_seed="00" * 32),
    "no seed of a board": changed(board_seed="nonsense"),
    "a nonce too few": changed(nonces=["one"]),
    "another deal": changed(layout="beginner"),
    "no such board": changed(layout="moon"),
    "no such rules": changed(rules={"preset": "chess"}),
    "other rules": changed(rules_version=999),
    "another result": changed(result=None),
    "fewer moves": changed(moves=[]),
    "moves that are none": changed(moves=7),
    "other draws": with_first_move(draws=[5]),
    "a move of nobody": with_first_move(move={"kind": "roll", "seat": 3}, timeout=True),
    "an illegal move": with_first_move(move={"kind": "roll", "seat": 0}),
    "a malformed move": with_first_move(move={"kind": "cheat"}),
}


@pytest.mark.parametrize("text", NO_RECORDS.values(), ids=NO_RECORDS.keys())
def test_a_file_that_is_no_record_is_one_clear_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(CommandError) as refusal:
        call_command("import_game", file)
    line = str(refusal.value)
    assert line.startswith(f"{file} is not a game's record: ")
    assert "\n" not in line
    assert not Game.objects.exists()
    assert not Seat.objects.exists()


def test_a_file_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(CommandError, match="is not a game's record"):
            call_command("import_game", path)
