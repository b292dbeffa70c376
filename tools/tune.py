"""`make tune`: find what the features of a position weigh, and try changes of it in matches.

`fit` finds them from who won. First builders play among themselves, which is fast; then the hard bot, with the weights
found so far, plays against them, so that positions are weighed in which a player stands who goes by these weights. The
weights are those under which the winners were likeliest to win (:mod:`games.bots.valuation`), found by Adam's steps and
held near those of the round before.

What goes along with winning need not bring it about, so the last word is with matches: `try` plays the hard bot with
some weights changed, and as it is, against three builders, the same games for both.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import cos, exp, log, pi, sqrt
from operator import mul
from pathlib import Path
from random import Random
from statistics import pstdev
from typing import Final, NamedTuple, TypeAlias

from games.bots import BOTS, Bot, hard, weights
from games.bots.economy import land
from games.bots.valuation import FEATURES, Valuation, stage_of, weights_at
from games.rules import PRESETS, Phase, State
from games.rules.boards import Layout
from games.rules.moves import EndTurn

from .arena import Match, Result, play_game, summarize, table
from .bot_games import deal_game, steps

#: Mostly what most tables play on.
LAYOUTS: Final[tuple[Layout, ...]] = ("balanced", "balanced", "random", "variable")
#: Of all turns, so many are looked at: what happens in one game hangs together.
LOOKED_AT: Final = 0.4
#: So many of four seats are the hard bot's.
HARD_SEATS: Final = (1, 1, 2, 3)
#: One game in so many is kept back, to see how well the weights do on games they were not found from.
KEPT_BACK: Final = 10

#: How often all positions are gone through, how many at a time, and with what steps.
EPOCHS: Final = 12
BATCH: Final = 256
STEP: Final = 0.02
#: How strongly weights are drawn to where they come from: 0, or those of the round before.
DRAWN: Final = 0.004

#: What never helps a seat that has more of it. All else never hurts: without this, whoever is robbed for leading would
#: make it look as if to be robbed were good.
HURTS: Final = frozenset({"blocked", "too_many", "waits"})
#: Two points that somebody else can take away are worth less than two that stand, but no less than this share of them.
AWARDS: Final = frozenset({"longest_road", "largest_army"})
LEAST_OF_AWARD: Final = 0.5

Vector: TypeAlias = "list[float]"


class Sample(NamedTuple):
    """A position at the end of a turn: everybody's features, and who won."""

    game: int
    stage: float
    seats: list[Vector]
    winner: int


# Games


def play(weighed: weights.Weights, is_hard: bool, game: int) -> list[Sample]:
    """The positions of one game, as whoever has just ended a turn sees them; after the setup, as everybody does."""
    _weigh(weighed)
    source = Random(f"tune {game}")  # noqa: S311 - a simulation
    bots = _seated(source) if is_hard else [BOTS["builder"]] * 4
    state, players, chance = deal_game(PRESETS["standard"], bots, LAYOUTS[game % len(LAYOUTS)], f"tune {game}")
    found: list[tuple[float, list[Vector]]] = []
    is_set_up = False
    for step in steps(state, players, chance):
        if state.turn and not is_set_up:
            is_set_up = True
            found += [_seen_by(state, seat) for seat in state.seats]
        elif isinstance(step.move, EndTurn) and source.random() < LOOKED_AT:
            ended = state.copy()
            ended.active = step.move.seat
            found.append(_seen_by(ended, step.move.seat))
    if state.phase is not Phase.OVER:
        return []
    return [Sample(game, stage, seats, state.winner) for stage, seats in found]


def _weigh(weighed: weights.Weights) -> None:
    weights.WEIGHTS.update(weighed)
    weights_at.cache_clear()


def _seated(source: Random) -> list[Bot]:
    hard_seats = source.choice(HARD_SEATS)
    bots: list[Bot] = [hard.choose] * hard_seats + [BOTS["builder"]] * (4 - hard_seats)
    source.shuffle(bots)
    return bots


def _seen_by(state: State, seat: int) -> tuple[float, list[Vector]]:
    stage = stage_of(state)
    return stage, [
        list(map(float, each)) for each in Valuation(land(state.board, state.rules), seat, stage).describe(state)
    ]


def gather(weighed: weights.Weights, is_hard: bool, games: Sequence[int], processes: int) -> Iterator[Sample]:
    with ProcessPoolExecutor(processes) as pool:
        for samples in pool.map(partial(play, weighed, is_hard), games, chunksize=4):
            yield from samples


# Weights


def fit(samples: Sequence[Sample], start: Vector, scales: Vector) -> Vector:
    """The weights, those of the end before those of the beginning, under which the winners were likeliest to win."""
    positions = [_scaled(sample, scales) for sample in samples if sample.game % KEPT_BACK]
    found, mean, spread = list(start), [0.0] * len(start), [0.0] * len(start)
    source = Random(0)  # noqa: S311 - the same games give the same weights
    steps_made = 0
    for epoch in range(EPOCHS):
        source.shuffle(positions)
        length = STEP * (1 + cos(pi * epoch / EPOCHS)) / 2
        for first in range(0, len(positions), BATCH):
            slope = _slope(positions[first : first + BATCH], found)
            steps_made += 1
            for place, (weight, origin) in enumerate(zip(found, start, strict=True)):
                pull = slope[place] + DRAWN * (weight - origin)
                mean[place] += 0.1 * (pull - mean[place])
                spread[place] += 0.001 * (pull * pull - spread[place])
                unbiased = sqrt(spread[place] / (1 - 0.999**steps_made)) + 1e-8
                found[place] -= length * mean[place] / (1 - 0.9**steps_made) / unbiased
            _keep_sense(found, scales)
    return found


def _keep_sense(found: Vector, scales: Vector) -> None:
    """What helps weighs nothing at the least, at the end of a game as at its beginning; what hurts, nothing at most."""
    count = len(FEATURES)
    point = FEATURES.index("need")
    of_a_point = [found[place] / scales[point] for place in (point, point + count)]
    for place, name in enumerate(FEATURES):
        late, always = found[place], found[place] + found[place + count]
        if name in AWARDS:
            least = -2 * (1 - LEAST_OF_AWARD) * scales[place]
            late, always = max(late, least * of_a_point[0]), max(always, least * sum(of_a_point))
        elif name in HURTS:
            late, always = min(late, 0.0), min(always, 0.0)
        else:
            late, always = max(late, 0.0), max(always, 0.0)
        found[place], found[place + count] = late, always - late


def _scaled(sample: Sample, scales: Vector) -> tuple[list[Vector], int]:
    seats = [[value / scale for value, scale in zip(seat, scales, strict=True)] for seat in sample.seats]
    return [[*seat, *(sample.stage * value for value in seat)] for seat in seats], sample.winner


def _slope(batch: Sequence[tuple[list[Vector], int]], found: Vector) -> Vector:
    """How the mean loss rises with each weight."""
    slope = [0.0] * len(found)
    for seats, winner in batch:
        for seat, (features, chance) in enumerate(zip(seats, _chances(seats, found), strict=True)):
            error = (chance - (seat == winner)) / len(batch)
            slope = [sum_so_far + error * feature for sum_so_far, feature in zip(slope, features, strict=True)]
    return slope


def _chances(seats: Sequence[Vector], found: Vector) -> Vector:
    scores = [sum(map(mul, found, features)) for features in seats]
    shares = [exp(score - max(scores)) for score in scores]
    return [share / sum(shares) for share in shares]


def loss(samples: Sequence[Sample], found: Vector, scales: Vector) -> float:
    """How surprised the weights are by who won, on average; log 4 = 1.386 is knowing nothing."""
    positions = [_scaled(sample, scales) for sample in samples]
    return -sum(log(_chances(seats, found)[winner]) for seats, winner in positions) / len(positions)


# The command


def round_of(
    name: str, games: Sequence[int], is_hard: bool, start: Vector, scales: Vector | None, processes: int
) -> tuple[Vector, Vector]:
    """Play, and find weights from the ones there are; tell how well they do on the games that were kept back."""
    samples = list(gather(written(start, scales or [1.0] * len(FEATURES)), is_hard, games, processes))
    scales = scales or scales_of(samples)
    kept_back = [sample for sample in samples if not sample.game % KEPT_BACK]
    if not kept_back:
        raise SystemExit("No game was kept back to judge the weights by: play more of them.")
    before = loss(kept_back, start, scales)
    found = fit(samples, start, scales)
    after = loss(kept_back, found, scales)
    print(f"{name}: {len(games)} games, {len(samples)} positions; loss {before:.4f}, then {after:.4f}", flush=True)
    return found, scales


def scales_of(samples: Sequence[Sample]) -> Vector:
    columns = zip(*(seat for sample in samples for seat in sample.seats), strict=True)
    return [pstdev(column) or 1.0 for column in columns]


def written(found: Vector, scales: Vector) -> weights.Weights:
    late, early = found[: len(FEATURES)], found[len(FEATURES) :]
    return {
        name: (round(end / scale, 4), round(start / scale, 4))
        for name, end, start, scale in zip(FEATURES, late, early, scales, strict=True)
    }


def write(weighed: weights.Weights) -> None:
    path = Path(weights.__file__)
    head = path.read_text().partition("WEIGHTS:")[0]
    lines = "".join(f'    "{name}": {values},\n' for name, values in weighed.items())
    path.write_text(f"{head}WEIGHTS: Final[Weights] = {{\n{lines}}}\n")


def tried(changes: weights.Weights, games: int, processes: int) -> str:
    """The hard bot's match against three builders with some weights changed."""
    match = Match(("hard", "builder", "builder", "builder"))
    with ProcessPoolExecutor(processes) as pool:
        return table(
            summarize(match, list(pool.map(partial(_play_changed, changes, match), range(games), chunksize=4)))
        )


def _play_changed(changes: weights.Weights, match: Match, game: int) -> Result:
    _weigh(changes)
    return play_game(match, game)


def change(text: str) -> tuple[str, tuple[float, float]]:
    """``name=late,early``"""
    name, _, values = text.partition("=")
    late, early = map(float, values.split(","))
    if name not in FEATURES:
        raise ValueError(name)
    return name, (late, early)


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.tune", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    commands = parser.add_subparsers(dest="command", required=True)
    fitting = commands.add_parser("fit", help="find all weights and write them down")
    fitting.add_argument("--builders", type=int, default=6000, help="games of the first round")
    fitting.add_argument("--games", type=int, default=600, help="games of each further round")
    fitting.add_argument("--rounds", type=int, default=2, help="further rounds")
    trying = commands.add_parser("try", help="play a match with some weights changed, and one as they are")
    trying.add_argument("changes", nargs="+", type=change, metavar="NAME=LATE,EARLY")
    trying.add_argument("--games", type=int, default=200)
    chosen = parser.parse_args()
    if chosen.command == "try":
        print("As it is:", tried({}, chosen.games, chosen.processes), sep="\n")
        print("Changed:", tried(dict(chosen.changes), chosen.games, chosen.processes), sep="\n")
        return
    _fit_all(chosen.builders, chosen.games, chosen.rounds, chosen.processes)


def _fit_all(builders: int, games: int, rounds: int, processes: int) -> None:
    found, scales = round_of("Builders", range(builders), False, [0.0] * 2 * len(FEATURES), None, processes)
    write(written(found, scales))
    for number in range(rounds):
        first = builders + number * games
        found, scales = round_of(
            f"Hard, round {number + 1}", range(first, first + games), True, found, scales, processes
        )
        write(written(found, scales))


if __name__ == "__main__":
    main()
