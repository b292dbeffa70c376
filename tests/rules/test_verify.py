"""Checking finished games as anybody would: the command, run on good records and on forged ones."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from games.rules import PRESETS, Phase, default_move, legal_moves, to_act
from games.rules.moves import EndTurn, Roll
from games.rules.records import Record, RecordError, begin, play_recorded, play_timeout, result_of
from games.rules.replay import replay
from games.rules.verify import main

REPOSITORY = Path(__file__).resolve().parents[2]
SEATS = 3


def finished_game(board_seed=None):
    """A short game of hurried players: some moves are left to the clock."""
    rules = PRESETS["standard"].with_options(points_to_win=8)
    record, state = begin(rules, SEATS, "variable", bytes(range(32)), ("alice", "bob", "charlie"), board_seed)
    random = Random(11)
    while state.phase is not Phase.OVER:
        seat = random.choice(to_act(state))
        choices = legal_moves(state, seat)
        building = [move for move in choices if move.kind in ("build_city", "build_settlement", "buy_card")]
        if random.random() < 0.1 or state.phase is Phase.DISCARDING:
            play_timeout(record, state, seat)
        else:
            play_recorded(record, state, random.choice(building or choices))
    record.result = result_of(state)
    return record


@pytest.fixture(scope="module")
def record():
    return finished_game()


@pytest.fixture
def data(record):
    """The record as JSON, for a test to forge."""
    return record.to_json()


@pytest.fixture
def command(tmp_path):
    """Runs the command as a player would, on a file; tells its exit code and what it printed."""

    def run(content):
        path = tmp_path / "record.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return verify_in_a_process(str(path))

    return run


def verify_in_a_process(*arguments):
    done = subprocess.run(
        [sys.executable, "-m", "games.rules.verify", *arguments],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, (done.stdout + done.stderr).strip()


@pytest.fixture
def verify(tmp_path, capsys):
    """The same without a process of its own, which takes half a second to start."""

    def run(content):
        path = tmp_path / "record.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        code = main([str(path)])
        printed = capsys.readouterr()
        return code, (printed.out + printed.err).strip()

    return run


def number_of(data, kind, *, timeout=False):
    """Where the first move of a kind stands in the record, counted from 0."""
    return next(
        place
        for place, recorded in enumerate(data["moves"])
        if recorded["move"]["kind"] == kind and recorded["timeout"] == timeout
    )


def test_a_true_record_is_confirmed(record, data, command):
    code, message = command(data)
    assert message == f"All {len(record.moves)} moves follow from the seed; seat {record.result['winner']} won."
    assert code == 0


def test_a_record_is_the_same_after_json_and_text(record):
    assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record
    assert Record.from_text(str(record)) == record


def test_a_record_is_replayed_from_its_written_draws(record):
    for step in replay(record, record.written):
        step.chance.finish()
    assert step.number == len(record.moves)
    assert result_of(step.state) == record.result
    assert step.events[-1].kind == "won"


def test_a_replay_goes_through_every_version_that_the_game_had(record):
    again, state = begin(record.rules, record.seats, record.layout, record.seed, record.nonces)
    for step in replay(record, record.chance):
        make = play_timeout if step.recorded.timeout else play_recorded
        made = make(again, state, step.recorded.move.seat if step.recorded.timeout else step.recorded.move)
        assert (step.number, step.state.to_json(), step.events) == (len(again.moves), state.to_json(), made)


def test_the_text_of_a_record_has_one_line_a_move(record):
    header, *lines = str(record).splitlines()
    assert json.loads(header)["result"] == record.result
    assert len(lines) == len(record.moves)
    assert lines[0].split()[:3] == ["1", str(record.moves[0].move.seat), "build_settlement"]


# A board that was seen before the game


@pytest.fixture(scope="module")
def seen_beforehand():
    return finished_game(bytes(range(50, 82)))


def test_a_record_of_a_board_that_was_seen_is_confirmed(seen_beforehand, command):
    code, message = command(seen_beforehand.to_json())
    assert message.startswith(f"All {len(seen_beforehand.moves)} moves follow from the seed; ")
    assert code == 0


def test_the_seed_of_the_board_is_in_the_record_only_where_there_is_one(record, seen_beforehand):
    assert seen_beforehand.to_json()["board_seed"] == bytes(range(50, 82)).hex()
    assert "board_seed" not in record.to_json()
    assert Record.from_json(json.loads(json.dumps(seen_beforehand.to_json()))) == seen_beforehand
    assert Record.from_text(str(seen_beforehand)) == seen_beforehand


@pytest.mark.parametrize(
    ("board_seed", "code", "sentence"),
    [
        ("00" * 32, 1, "The board does not follow from its seed."),
        ("00" * 31, 2, "The seed of the board has 31 bytes, not 32."),
        ("", 2, "The seed of the board has 0 bytes, not 32."),
        ("nonsense", 2, "This is not the record of a game"),
        (None, 2, "This is not the record of a game"),
        (7, 2, "This is not the record of a game"),
    ],
)
def test_another_seed_of_the_board_is_found(seen_beforehand, verify, board_seed, code, sentence):
    found, message = verify(seen_beforehand.to_json() | {"board_seed": board_seed})
    assert found == code
    assert sentence in message


def test_a_board_that_follows_from_no_seed_of_its_own_is_found(record, seen_beforehand, verify):
    without = {name: value for name, value in seen_beforehand.to_json().items() if name != "board_seed"}
    assert verify(without) == (1, "The deal does not follow from the seed.")
    code, _ = verify(record.to_json() | {"board_seed": "11" * 32})
    assert code == 1


# Forgeries


def test_a_changed_draw_is_found(data, command):
    place = number_of(data, "roll")
    dice = data["moves"][place]["draws"]
    data["moves"][place]["draws"] = [(dice[0] + 1) % 6, dice[1]]
    code, message = command(data)
    assert code == 1
    assert message.startswith(f"Move {place + 1} (")
    assert f"drew {dice} from the seed, not {data['moves'][place]['draws']}" in message


def test_a_changed_move_is_found(data, command):
    place = number_of(data, "roll")
    data["moves"][place]["move"]["kind"] = "end_turn"
    code, message = command(data)
    assert (code, message) == (
        1,
        f"Move {place + 1} ({data['moves'][place]['move']['seat']} end_turn) is illegal: Roll the dice first.",
    )


def test_a_move_of_somebody_who_is_not_at_the_table_is_found(data, verify):
    place = number_of(data, "roll")
    data["moves"][place]["move"]["seat"] = SEATS
    code, message = verify(data)
    assert code == 1
    assert message.startswith(f"Move {place + 1} (3 roll)")


def test_a_move_passed_off_as_a_timeouts_is_found(data, verify):
    place = number_of(data, "build_settlement")
    data["moves"][place]["timeout"] = True
    code, message = verify(data)
    assert code == 1
    assert message.endswith("is not what a timeout does.")


def test_a_timeout_of_somebody_who_is_not_at_the_table_is_found(data, verify):
    place = number_of(data, "roll", timeout=True)
    data["moves"][place]["move"]["seat"] = SEATS
    code, message = verify(data)
    assert code == 1
    assert message.startswith(f"Move {place + 1} (3 roll)")


def test_a_changed_result_is_found(data, command):
    data["result"]["winner"] = (data["result"]["winner"] + 1) % SEATS
    code, message = command(data)
    assert code == 1
    assert message.startswith("The game ends with {'winner': ")


@pytest.mark.parametrize("result", [None, {}, "seat 1 won"])
def test_a_missing_result_is_found(result, data, verify):
    data["result"] = result
    code, message = verify(data)
    assert code == 1
    assert message.endswith(f"not with {result}.")


def test_a_changed_deal_is_found(data, command):
    data["deal"]["deck"].append(data["deal"]["deck"].pop(0))
    assert command(data) == (1, "The deal does not follow from the seed.")


def test_a_changed_nonce_is_found(data, verify):
    data["nonces"][0] = "mallory"
    assert verify(data) == (1, "The deal does not follow from the seed.")


def test_a_seed_other_than_the_one_committed_to_is_found(data, command):
    data["seed"] = "00" * 32
    code, message = command(data)
    assert code == 2
    assert "The seed is not the one that was committed to before the game." in message


def test_a_game_cut_short_is_found(data, verify):
    del data["moves"][-1]
    code, message = verify(data)
    assert code == 1
    assert message.startswith("The game ends with {'winner': -1, ")


def test_a_move_after_the_end_is_found(data, verify):
    data["moves"].append({"move": EndTurn(0).to_json(), "draws": [], "timeout": False})
    code, message = verify(data)
    assert code == 1
    assert message.endswith("is illegal: The game is over.")


def test_other_rules_than_todays_are_told(data, verify):
    data["rules_version"] = 99
    code, message = verify(data)
    assert code == 1
    assert message.startswith("The game was played under version 99 of the rules")


# What is no record


def test_a_file_that_is_no_json_is_told_in_one_line(command):
    code, message = command("not JSON")
    assert code == 2
    assert message.startswith("Cannot read the record: ")
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", "null", '"record"', "[" * 100_000, '{"format": "catan-record-2"}'],
    ids=["empty", "a list", "an empty object", "null", "a string", "nested lists", "another format"],
)
def test_what_is_no_record_is_told_in_one_line(content, verify):
    code, message = verify(content)
    assert code == 2
    assert message.startswith("Cannot read the record: ")
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"seats": 5},
        {"seats": "3"},
        {"layout": "atlantis"},
        {"layout": 7},
        {"rules": "standard"},
        {"rules": {"preset": "atlantis"}},
        {"seed": "xyz"},
        {"nonces": None},
        {"deal": []},
        {"moves": 3},
        {"moves": [{"move": {"kind": "fly"}, "draws": [], "timeout": False}]},
        {"moves": [{"move": Roll(0).to_json(), "draws": "many", "timeout": False}]},
    ],
    ids=str,
)
def test_a_record_with_a_broken_part_is_told_in_one_line(change, data, verify):
    code, message = verify({**data, **change})
    assert code in (1, 2)
    assert len(message.splitlines()) == 1


def test_a_missing_file_and_a_missing_name_are_told():
    code, message = verify_in_a_process("no-such-record.json")
    assert code == 2
    assert message.startswith("Cannot read the record: ")
    assert verify_in_a_process() == (2, "Usage: python -m games.rules.verify record.json")


@pytest.mark.parametrize("text", ["", "{}", "not a record", "\n\n"])
def test_a_text_that_is_no_record_is_refused(text):
    with pytest.raises(RecordError, match="not the record of a game"):
        Record.from_text(text)


def test_a_text_with_a_move_left_out_is_refused(record):
    header, first, _, *rest = str(record).splitlines()
    with pytest.raises(RecordError, match="Move 2 stands where '3' is written"):
        Record.from_text("\n".join([header, first, *rest]))


# Playing for a record


def test_a_timeout_nobody_waits_for_is_refused():
    record, state = begin(PRESETS["standard"], SEATS, "beginner", bytes(32), ("", "", ""))
    waiting = next(seat for seat in state.seats if seat != state.active)
    assert default_move(state, waiting, record.chance(1)) is None
    with pytest.raises(ValueError, match="does not wait"):
        play_timeout(record, state, waiting)
    assert record.moves == []
