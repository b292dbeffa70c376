"""The long run: 2,000 whole games, everything checked after every move. ``make soak``."""

from __future__ import annotations

import traceback
from collections.abc import Callable

import pytest

from games.rules import Phase

from .strategies import (
    bots_move,
    eager_move,
    haggling_move,
    hoarding_move,
    play_watched,
    soak_table,
)

GAMES = 2_000
CHUNKS = 20
PLAYERS = (eager_move, bots_move, haggling_move, bots_move, hoarding_move)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_is_violated(chunk: int, record_property: Callable[[str, object], None]) -> None:
    ended, moves = 0, 0
    violations: list[str] = []
    numbers = range(chunk, GAMES, CHUNKS)
    for number in numbers:
        table = soak_table(number)
        try:
            state, played = play_watched(table, PLAYERS[number // 2 % len(PLAYERS)])
        except Exception:  # Whatever goes wrong in a game is a violation, and the others go on.
            violations.append(f"{table}\n{traceback.format_exc()}")
            continue
        ended += state.phase is Phase.OVER
        moves += played
    # The closing lines of the run add these up: see conftest.
    for name, value in (("games", len(numbers)), ("ended", ended), ("moves", moves), ("violations", len(violations))):
        record_property(name, value)
    assert not violations, "\n\n".join(violations)
