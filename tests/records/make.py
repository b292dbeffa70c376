"""Make the records in this folder anew: ``python -m tests.records.make [name ...]``.

For each entry of the catalog, bots or random players play numbered games until one is won in the
wanted way. A game follows from its number, so that making a record again gives the same one.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random

from games.rules import Move, Phase, Record, RuleSet, State, legal_moves, to_act
from games.rules.awards import longest_road_through
from games.rules.moves import BuildRoad, BuildSettlement
from games.rules.records import begin, play_recorded, play_timeout, result_of
from games.rules.state import opponents_buildings
from tests.rules.strategies import bots_move, eager_move

from .ways import WAYS, Ending, ending_of

FOLDER = Path(__file__).parent
CAST = ("Alice", "Bob", "Charlie", "Dana")
MOST_MOVES = 1_200


def road_lovers_move(state: State, source: Random) -> Move:
    """A player who lives for long roads, and for settling on those of others."""
    listed = legal_moves(state, to_act(state)[0])
    settlements = [move for move in listed if isinstance(move, BuildSettlement)]
    roads = [move for move in listed if isinstance(move, BuildRoad)]
    if state.phase is Phase.MAIN and settlements:
        return max(settlements, key=lambda move: _roads_cut(state, move) + source.random())
    if state.phase is Phase.MAIN and roads and source.random() < 0.7:
        return max(roads, key=lambda move: _length_with(state, move) + source.random())
    return eager_move(state, source)


def _length_with(state: State, move: BuildRoad) -> int:
    roads = state.roads[move.seat] | 1 << move.edge
    return longest_road_through(move.edge, roads, opponents_buildings(state, move.seat))


def _roads_cut(state: State, move: BuildSettlement) -> int:
    return sum(state.reach[seat] >> move.vertex & 1 for seat in state.seats if seat != move.seat)


@dataclass(frozen=True)
class Wanted:
    name: str
    rules: str
    seats: int
    layout: str
    is_wanted: Callable[[Ending], bool]
    choose: Callable[[State, Random], Move] = bots_move
    #: How often a player's time runs out.
    timeouts: float = 0.0
    #: The board was seen before the game.
    is_seen: bool = False


def has(*kinds: str) -> Callable[[Ending], bool]:
    return lambda end: end.seen.issuperset(kinds)


CATALOG = [
    Wanted("standard-settlement", "standard", 4, "variable", WAYS["by a settlement"]),
    Wanted("standard-city", "standard", 3, "beginner", WAYS["by a city"]),
    Wanted("standard-road", "standard", 4, "balanced", WAYS["by a road that takes Longest Road"]),
    Wanted("standard-knight", "standard", 3, "balanced", WAYS["by a knight that takes Largest Army"]),
    Wanted("standard-bought-point", "standard", 4, "random", WAYS["by a victory point bought"]),
    Wanted("standard-both-awards", "standard", 4, "random", WAYS["with both awards"]),
    Wanted("standard-neither-award", "standard", 3, "variable", WAYS["with neither award"]),
    Wanted("standard-timeouts", "standard", 4, "beginner", has("timeout", "discard"), timeouts=0.1),
    Wanted("done-played-point", "definition-of-done", 4, "random", WAYS["by a victory point played"]),
    Wanted("done-settlement", "definition-of-done", 3, "beginner", WAYS["by a settlement"]),
    Wanted("done-timeouts", "definition-of-done", 3, "balanced", has("timeout"), timeouts=0.1),
    Wanted("online-free-road", "online", 4, "variable", WAYS["by a free road that takes Longest Road"]),
    Wanted("online-skipped-roll", "online", 3, "random", has("skip_roll", "stop_placing_roads"), eager_move),
    Wanted("online-hidden-points", "online", 4, "balanced", WAYS["with hidden points revealed"]),
    Wanted("three-longest-road", "three-player", 3, "beginner", WAYS["with Longest Road"]),
    Wanted("three-knights-held", "three-player", 3, "variable", WAYS["with Largest Army"]),
    Wanted("three-counter-offer", "three-player", 3, "random", has("counter_offer", "confirm_trade"), eager_move),
    Wanted("three-timeouts", "three-player", 3, "balanced", has("timeout"), timeouts=0.1),
    Wanted("excellent-knight", "excellent", 4, "beginner", WAYS["by a knight that takes Largest Army"]),
    Wanted("excellent-city", "excellent", 3, "random", WAYS["by a city"]),
    Wanted("excellent-monopoly", "excellent", 4, "variable", has("monopolized", "play_year_of_plenty")),
    Wanted("house-friendly-balanced", "standard friendly_robber=true balanced_dice=true", 4, "balanced", has("stole")),
    Wanted(
        "house-long",
        "standard points_to_win=12 discard_limit=9 trade_after_all_built=true",
        3,
        "variable",
        has("traded"),
    ),
    Wanted(
        "house-cards-traded",
        "online cards_in_trades=true cards_a_turn=any_number",
        4,
        "random",
        has("traded knight"),
        eager_move,
    ),
    Wanted(
        "house-points-when-played",
        "definition-of-done victory_point_cards=when_played",
        3,
        "variable",
        WAYS["by a victory point played"],
    ),
    Wanted(
        "house-cut-holder-loses",
        "excellent longest_road_cut=holder_loses",
        4,
        "variable",
        WAYS["with Longest Road"],
        road_lovers_move,
    ),
    Wanted(
        "cut-own-turn",
        "standard points_to_win=8",
        4,
        "random",
        WAYS["as the turn begins, by a cut on another's"],
        road_lovers_move,
    ),
    Wanted(
        "cut-any-moment",
        "definition-of-done points_to_win=8",
        4,
        "random",
        WAYS["on another's turn, by a cut"],
        road_lovers_move,
    ),
    Wanted("standard-seen-board", "standard", 4, "balanced", WAYS["by a city"], is_seen=True),
]


def play_numbered(wanted: Wanted, number: int) -> Record | None:
    """The game of one number; ``None`` when it takes too long."""
    words = f"{wanted.name} {number}"
    source = Random(words)
    nonces = [f"{name} {source.randrange(10**6)}" for name in CAST[: wanted.seats]]
    seed = hashlib.sha256(words.encode()).digest()
    board_seed = hashlib.sha256(f"board of {words}".encode()).digest() if wanted.is_seen else None
    record, state = begin(RuleSet.from_text(wanted.rules), wanted.seats, wanted.layout, seed, nonces, board_seed)
    while state.phase is not Phase.OVER:
        if len(record.moves) == MOST_MOVES:
            return None
        if source.random() < wanted.timeouts:
            play_timeout(record, state, source.choice(to_act(state)))
        else:
            play_recorded(record, state, wanted.choose(state, source))
    record.result = result_of(state)
    return record


def make(wanted: Wanted) -> None:
    for number in count():
        record = play_numbered(wanted, number)
        if record and wanted.is_wanted(ending_of(record)):
            path = FOLDER / f"{wanted.name}.json"
            path.write_text(json.dumps(record.to_json(), separators=(",", ":")) + "\n")
            print(f"{path.name}: game {number}, {len(record.moves)} moves")
            return


if __name__ == "__main__":
    for entry in CATALOG:
        if not sys.argv[1:] or entry.name in sys.argv[1:]:
            make(entry)
