"""`make arena`: bots against each other, seats rotated, on all cores, with a table of how each did.

Game k of a seed is dealt, rolled and seated the same however many processes play, so that two versions of a bot meet
the same games. Times are the processor's, for choosing alone.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import permutations
from math import sqrt
from random import Random
from statistics import mean, median
from typing import Final

from games.bots import BOTS
from games.rules import PRESETS, Phase, RuleSet, points
from games.rules.boards import LAYOUTS, Layout
from games.rules.moves import MOST_SEATS
from games.rules.ruleset import OPTIONS, read_changes

from .bot_games import Step, bot_named, deal_game, steps

#: Rules that are other ones in each game.
ANY: Final = "any"
#: How many standard deviations either side hold 95 % of what chance does.
DEVIATIONS: Final = 1.96
#: How many mistakes are told. One bot can make hundreds of the same kind.
MOST_MISTAKES: Final = 10
#: Games that a process takes at a time.
CHUNK: Final = 4


@dataclass(frozen=True)
class Match:
    """Who meets, and at what."""

    bots: tuple[str, ...]
    rules: str = "standard"
    layout: Layout = "balanced"
    seed: int = 1

    def seating(self, game: int) -> tuple[str, ...]:
        """Every arrangement of the bots in turn."""
        arrangements = sorted(set(permutations(self.bots)))
        return arrangements[game % len(arrangements)]

    def rules_of(self, game: int) -> RuleSet:
        if self.rules == ANY:
            return any_rules(len(self.bots), Random(f"rules {self.seed} {game}"))  # noqa: S311 - a simulation
        return RuleSet.from_text(self.rules)


def any_rules(seats: int, source: Random) -> RuleSet:
    """A preset with each option changed, or not, to any of its values, for so many seats."""
    while True:
        changes = {
            option.name: source.choice(list(option.numbers or [value for value, _ in option.values]))
            for option in OPTIONS
            if source.random() < 0.5
        }
        rules = PRESETS[source.choice(list(PRESETS))].with_options(**read_changes(changes))
        if seats in rules.seats:
            return rules


# A game


@dataclass
class Deeds:
    """What a bot did: on one seat of one game, or on all of them together."""

    seats: int = 0
    wins: int = 0
    points: int = 0
    cities: int = 0
    offers: int = 0
    trades: int = 0
    bank_trades: int = 0
    discarded: int = 0
    robbed: int = 0
    mistakes: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, other: Deeds) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass
class Result:
    """A game that was played."""

    seating: tuple[str, ...]
    deeds: list[Deeds]
    turns: int
    is_over: bool


def play_game(match: Match, game: int) -> Result:
    seating = match.seating(game)
    bots = [bot_named(name) for name in seating]
    state, players, chance = deal_game(match.rules_of(game), bots, match.layout, f"{match.seed} {game}")
    deeds = [Deeds(seats=1) for _ in seating]
    for step in steps(state, players, chance):
        _note(deeds, step, f"game {game}, {seating}")
    is_over = state.phase is Phase.OVER
    for seat, done in enumerate(deeds):
        done.wins = int(is_over and state.winner == seat)
        done.points = points(state, seat)
        done.cities = state.cities[seat].bit_count()
    return Result(seating, deeds, state.turn, is_over)


def _note(deeds: Sequence[Deeds], step: Step, where: str) -> None:
    doer = deeds[step.move.seat]
    doer.seconds.append(step.seconds)
    if step.mistake:
        doer.mistakes.append(f"{where}, seat {step.move.seat}: {step.mistake}")
    for event in step.events:
        told = event.public
        match event.kind:
            case "offered":
                deeds[event.seat].offers += 1
            case "traded":
                deeds[event.seat].trades += 1
                deeds[told["partner"]].trades += 1
            case "traded_with_bank":
                deeds[event.seat].bank_trades += 1
            case "discarded":
                deeds[event.seat].discarded += sum(told["resources"].values())
            case "stole" | "monopolized":
                deeds[told["victim"]].robbed += told["count"]


def play_match(match: Match, games: int, processes: int) -> Iterator[Result]:
    """The games in their order."""
    if processes == 1:
        yield from map(partial(play_game, match), range(games))
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(partial(play_game, match), range(games), chunksize=CHUNK)


# The table


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's score: it stays between 0 and 1, for few games too."""
    share, square = wins / games, DEVIATIONS**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    reach = DEVIATIONS / (1 + square / games) * sqrt(share * (1 - share) / games + square / (4 * games**2))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@dataclass
class Row:
    """One bot in the table; what it did is told a seat and game, its times in milliseconds."""

    bot: str
    games: int
    wins: int
    share: float
    low: float
    high: float
    by_chance: float
    points: float
    cities: float
    offers: float
    trades: float
    bank_trades: float
    discarded: float
    robbed: float
    mean_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float
    mistakes: int


@dataclass
class Summary:
    games: int
    without_end: int
    turns_mean: float
    turns_median: float
    turns_p95: float
    rows: list[Row]


def summarize(match: Match, results: Sequence[Result]) -> Summary:
    together: dict[str, Deeds] = {name: Deeds() for name in match.bots}
    for result in results:
        for name, deeds in zip(result.seating, result.deeds, strict=True):
            together[name].add(deeds)
    turns = sorted(result.turns for result in results)
    return Summary(
        len(results),
        sum(not result.is_over for result in results),
        mean(turns),
        median(turns),
        quantile(turns, 0.95),
        [_row(name, deeds, len(results), len(match.bots)) for name, deeds in together.items()],
    )


def _row(name: str, deeds: Deeds, games: int, seats: int) -> Row:
    low, high = wilson(deeds.wins, games)
    times = sorted(1000 * seconds for seconds in deeds.seconds)
    return Row(
        name,
        games,
        deeds.wins,
        deeds.wins / games,
        low,
        high,
        deeds.seats / games / seats,
        deeds.points / deeds.seats,
        deeds.cities / deeds.seats,
        deeds.offers / deeds.seats,
        deeds.trades / deeds.seats,
        deeds.bank_trades / deeds.seats,
        deeds.discarded / deeds.seats,
        deeds.robbed / deeds.seats,
        mean(times),
        quantile(times, 0.95),
        quantile(times, 0.99),
        times[-1],
        len(deeds.mistakes),
    )


COLUMNS: Final[dict[str, Callable[[Row], str]]] = {
    "bot": lambda row: row.bot,
    "wins": lambda row: f"{row.wins}",
    "share": lambda row: f"{row.share:.1%}",
    "95 %": lambda row: f"{row.low:.1%} to {row.high:.1%}",
    "by chance": lambda row: f"{row.by_chance:.0%}",
    "points": lambda row: f"{row.points:.2f}",
    "cities": lambda row: f"{row.cities:.2f}",
    "offers": lambda row: f"{row.offers:.1f}",
    "trades": lambda row: f"{row.trades:.1f}",
    "with bank": lambda row: f"{row.bank_trades:.1f}",
    "discarded": lambda row: f"{row.discarded:.1f}",
    "robbed": lambda row: f"{row.robbed:.1f}",
    "ms a move": lambda row: f"{row.mean_ms:.2f}",
    "p95": lambda row: f"{row.p95_ms:.2f}",
    "p99": lambda row: f"{row.p99_ms:.2f}",
    "max": lambda row: f"{row.max_ms:.1f}",
    "mistakes": lambda row: f"{row.mistakes}",
}


def table(summary: Summary) -> str:
    """A table that Markdown reads too."""
    lines = [list(COLUMNS), *([column(row) for column in COLUMNS.values()] for row in summary.rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(COLUMNS))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(f"| {' | '.join(map(str.ljust, line, widths))} |" for line in lines)


# The command


def main() -> None:
    chosen = _arguments()
    match = Match(tuple(chosen.bots), chosen.rules or chosen.preset, chosen.layout, chosen.seed)
    results = list(_followed(play_match(match, chosen.games, chosen.processes), chosen.games))
    summary = summarize(match, results)
    mistakes = [mistake for result in results for deeds in result.deeds for mistake in deeds.mistakes]
    for line in mistakes[:MOST_MISTAKES]:
        print(line)
    print(f"{match.rules}, {match.layout}, seed {match.seed}: {summary.games} games", end=", ")
    print(
        f"{summary.turns_median:.0f} turns (mean {summary.turns_mean:.1f}, 95 % up to {summary.turns_p95:.0f})",
        end=", ",
    )
    print(f"{summary.without_end} without end")
    print(table(summary))
    if chosen.json:
        with open(chosen.json, "w") as file:
            json.dump({"match": asdict(match), **asdict(summary)}, file, indent=1)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tools.arena", description="Let bots play against each other.")
    parser.add_argument("bots", nargs="+", help="a bot's name or module:function for each seat")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--preset", choices=PRESETS, default="standard")
    parser.add_argument("--rules", help='a preset and what differs, "standard friendly_robber=true", or "any"')
    parser.add_argument("--layout", choices=LAYOUTS, default="balanced")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", metavar="FILE", help="write the numbers there, too")
    chosen = parser.parse_args()
    chosen.bots = [name for names in chosen.bots for name in names.split(",")]
    if not 3 <= len(chosen.bots) <= MOST_SEATS:
        parser.error("Name three or four bots.")
    for name in chosen.bots:
        try:
            bot_named(name)
        except (KeyError, ImportError, AttributeError, ValueError):
            parser.error(f"There is no bot {name!r}. Bots: {', '.join(BOTS)}, or module:function.")
    return chosen


def _followed(results: Iterable[Result], games: int) -> Iterator[Result]:
    """Tell those who wait how far it is."""
    wins: Counter[str] = Counter()
    for number, result in enumerate(results, 1):
        wins.update(name for name, deeds in zip(result.seating, result.deeds, strict=True) if deeds.wins)
        if sys.stderr.isatty():
            print(f"\r{number} of {games}: {dict(wins)}", end="\n" if number == games else "", file=sys.stderr)
        yield result


if __name__ == "__main__":
    main()
