"""Check a finished game: ``python -m games.rules.verify record.json``.

Every draw is derived again from the revealed seed and the seats' nonces, a board that was seen before the
game from its own seed, and the game is replayed.
Prints what was checked, or the first move that differs; exit code 1 then.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from .boards import BoardError
from .engine import start
from .records import Record, result_of
from .replay import CannotReplay, replay
from .ruleset import RULES_VERSION, RuleSetError


class RecordDiffers(Exception):
    """The record does not follow from its seed and the rules."""


def verify(record: Record) -> None:
    """Derive and replay everything; raises :class:`RecordDiffers` at the first difference."""
    if record.rules_version != RULES_VERSION:
        raise RecordDiffers(
            f"The game was played under version {record.rules_version} of the rules; this is version {RULES_VERSION}."
        )
    try:
        dealt = record.dealt()
    except (RuleSetError, BoardError) as error:
        raise RecordDiffers(f"There is no such game: {error}") from error
    if dealt.board != record.deal.board and record.board_seed is not None:
        raise RecordDiffers("The board does not follow from its seed.")
    if dealt != record.deal:
        raise RecordDiffers("The deal does not follow from the seed.")
    state = start(record.rules, record.deal)
    try:
        for step in replay(record, record.chance):
            drawn, written = step.chance.drawn, list(step.recorded.draws)
            if drawn != written:
                raise CannotReplay(step.number, step.recorded, f"drew {drawn} from the seed, not {written}.")
            state = step.state
    except CannotReplay as stop:
        raise RecordDiffers(f"Move {stop.number} ({stop.recorded.move}) {stop.why}") from stop
    if result_of(state) != record.result:
        raise RecordDiffers(f"The game ends with {result_of(state)}, not with {record.result}.")


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("Usage: python -m games.rules.verify record.json", file=sys.stderr)
        return 2
    try:
        record = Record.from_json(json.loads(Path(arguments[0]).read_bytes()))
    except (OSError, ValueError, RecursionError) as error:
        print(f"Cannot read the record: {error}", file=sys.stderr)
        return 2
    try:
        verify(record)
    except RecordDiffers as difference:
        print(difference)
        return 1
    winner = record.result["winner"] if record.result else None
    print(f"All {len(record.moves)} moves follow from the seed; seat {winner} won.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
