"""The rules beside catanatron: random four-player games, and copies of a game half played.

Both choose uniformly among the moves they list, from the same kind of random source, play until
somebody wins or 1,000 turns have passed, and count every action that was carried out. Laying the
board is left out for both. The two take turns in small batches, so that whatever else the machine
does slows both alike.
"""

from __future__ import annotations

import random
import timeit
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any, Final

from catanatron import Color, Game, RandomPlayer

from games.rules import PRESETS, RandomChance, State, legal_moves, new_game, play, to_act

BATCHES: Final = 20
GAMES_A_BATCH: Final = 5
MOST_TURNS: Final = 1_000
#: About half of what a random game takes.
MID_GAME: Final = 400
COPIES: Final = 200

RATIO_GOAL: Final = 4.0
COPY_GOAL: Final = 10.0

#: Begins the game of a seed; the second value carries out the given number of actions, or plays to
#: the end when given none, and tells how many there were.
Player = Callable[[int], tuple[Any, Callable[[int | None], int]]]


def ours(seed: int) -> tuple[State, Callable[[int | None], int]]:
    source = random.Random(seed)  # noqa: S311 - a simulation, the same source as the yardstick's
    chance = RandomChance(source)
    state = new_game(PRESETS["standard"], 4, "random", chance)

    def play_on(most: int | None) -> int:
        actions = 0
        while actions != most and state.turn < MOST_TURNS:
            waiting = to_act(state)
            if not waiting:
                break
            moves = legal_moves(state, waiting[0])
            play(state, moves[source.randrange(len(moves))], chance)
            actions += 1
        return actions

    return state, play_on


def catanatrons(seed: int) -> tuple[Game, Callable[[int | None], int]]:
    game = Game([RandomPlayer(color) for color in Color], seed=seed)

    def play_on(most: int | None) -> int:
        if most is None:
            game.play()
        else:
            for _ in range(most):
                game.play_tick()
        return len(game.state.actions)

    return game, play_on


class Speed:
    """Actions and the seconds they took."""

    def __init__(self) -> None:
        self.actions = 0
        self.seconds = 0.0

    def add_game(self, begin: Player, seed: int) -> None:
        _, play_on = begin(seed)
        started = perf_counter()
        self.actions += play_on(None)
        self.seconds += perf_counter() - started

    @property
    def per_second(self) -> float:
        return self.actions / self.seconds


def copy_microseconds(begin: Player, seed: int) -> float:
    """The best of several rounds: what disturbs a round only makes it slower."""
    game, play_on = begin(seed)
    play_on(MID_GAME)
    return 1e6 * min(timeit.repeat(game.copy, number=COPIES, repeat=10)) / COPIES


def measure() -> None:
    own, other = Speed(), Speed()
    for batch in range(BATCHES):
        for speed, begin in ((own, ours), (other, catanatrons)):
            for game in range(GAMES_A_BATCH):
                speed.add_game(begin, 1 + batch * GAMES_A_BATCH + game)
    ratio = own.per_second / other.per_second
    print(f"Rules: {BATCHES * GAMES_A_BATCH} random games with four seats each")
    print(f"  this project  {own.per_second:9,.0f} actions a second ({own.actions:,} actions)")
    print(f"  catanatron    {other.per_second:9,.0f} actions a second ({other.actions:,} actions)")
    verdict = "reached" if ratio >= RATIO_GOAL else "goal missed"
    print(f"  ratio         {ratio:9.2f}  goal: at least {RATIO_GOAL:g}, {verdict}")

    own_copy, other_copy = (
        median(copy_microseconds(begin, seed) for seed in range(1, 6)) for begin in (ours, catanatrons)
    )
    print(f"A copy of such a game after {MID_GAME} actions")
    verdict = "reached" if own_copy <= COPY_GOAL else "goal missed"
    print(f"  this project  {own_copy:9.1f} µs  goal: at most {COPY_GOAL:g}, {verdict}")
    print(f"  catanatron    {other_copy:9.1f} µs")
