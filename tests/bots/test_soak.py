"""The long run: all bots together at all kinds of tables. ``make soak``.

10,000 games take days where they think for long; ``SOAK_GAMES`` says how many to play.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from games.bots import BOTS, STAND_IN
from tests.rules.strategies import soak_table
from tools.arena import Match, play_game

GAMES = int(os.environ.get("SOAK_GAMES", "10000"))
CHUNK = 25

#: A stand-in waits for somebody to come back, so that games among them have no end.
PLAYERS = sorted(set(BOTS) - {STAND_IN})


def match_of(number: int) -> Match:
    table = soak_table(number)
    source = Random(f"bots {number}")
    return Match(tuple(source.choices(PLAYERS, k=table.seats)), table.rules, table.layout, table.seed)


@pytest.mark.soak
@pytest.mark.timeout(6 * 3_600)
@pytest.mark.parametrize("first", range(0, GAMES, CHUNK))
def test_no_bot_makes_a_mistake(first: int, record_property: Callable[[str, object], None]) -> None:
    mistakes: list[str] = []
    endless: list[str] = []
    times: dict[str, Counter[str]] = {name: Counter() for name in PLAYERS}
    numbers = range(first, min(first + CHUNK, GAMES))
    for number in numbers:
        result = play_game(match_of(number), number)
        for name, deeds in zip(result.seating, result.deeds, strict=True):
            mistakes += deeds.mistakes
            times[name].update(f"{1_000 * seconds:.2g}" for seconds in deeds.seconds)
        if not result.is_over:
            endless.append(result.name)
    # The closing lines of the run add these up: see conftest.
    record_property("games of bots", len(numbers))
    record_property("mistakes of bots", len(mistakes))
    record_property("endless games of bots", endless)
    record_property("times of bots", {name: dict(counts) for name, counts in times.items()})
    assert not mistakes, "\n\n".join(mistakes)
