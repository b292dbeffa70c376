"""No sequence of moves, timeouts, disconnections and bots stops a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from django.db import connection

from games.paces import BOT_SPEEDS, PACES
from games.rules import PRESETS
from games.rules.ruleset import RuleSet
from lobby.models import User
from tests.rules.strategies import random_rules

from .conftest import Clock
from .storm import Storm, Weather

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True), pytest.mark.slow]

GAMES = 20
#: What storms are there to meet, and the live games of people alone in which they do, sooner or later.
MET = ("ordered", "rested", "went_on", "went_on_without_a_page", "moderator_extend", "moderator_timeout")
MOST_FOR_ALL = 6
#: In the long run, half of them on each database.
SOAKED_GAMES = 3_000
SOAKED_CHUNK = 50


def weather(number: int) -> Weather:
    """The presets in turn, as they are or with house rules that end a game sooner; every pace, with and without bots.

    In the long run all games end sooner: what can go wrong does so in any of their turns.
    """
    source = Random(f"weather {number}")
    round_, place = divmod(number, len(PRESETS))
    rules = list(PRESETS.values())[place]
    if number >= GAMES:
        rules = rules.with_options(points_to_win=8)
    if round_ % 3:
        rules = RuleSet.from_json(random_rules(source).to_json() | {"preset": rules.preset, "points_to_win": 8})
    seats = source.choice(rules.seats)
    return Weather(
        rules=f"{rules}",
        seats=seats,
        pace=source.choice(["", "", *PACES]),
        bots=source.choice((0, 0, 1, seats - 1)),
        bot_speed=source.choice(list(BOT_SPEEDS)),
        seed=number,
    )


@pytest.fixture
def users(alice: User, bob: User, charlie: User, dana: User) -> list[User]:
    return [alice, bob, charlie, dana]


def storms(numbers: range, clock: Clock, users: list[User], record: Callable[[str, object], None]) -> None:
    done: Counter[str] = Counter()
    for number in numbers:
        storm = Storm(weather(number), clock, users)
        storm.rage()
        done.update(storm_games=1, storm_steps=storm.steps, storm_moves=storm.row.version)
        done.update(storm.done)
    for name, value in done.items():
        record(name, value)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("pair", range(GAMES // 2))
def test_a_game_in_a_storm_goes_on_to_its_end(
    pair: int, clock: Clock, users: list[User], record_property: Callable[[str, object], None]
) -> None:
    """One of two on each database, as in the long run."""
    number = 2 * pair + (connection.vendor == "postgresql")
    storms(range(number, number + 1), clock, users, record_property)


@pytest.mark.timeout(600)
def test_storms_meet_orders_and_games_that_rest_and_go_on(clock: Clock, users: list[User]) -> None:
    """Else they would prove nothing about them."""
    done: Counter[str] = Counter()
    for seed in range(MOST_FOR_ALL):
        storm = Storm(Weather("standard points_to_win=8", 3, "normal", 0, "at once", seed), clock, users)
        storm.rage()
        done.update(storm.done)
        if all(done[what] for what in MET):
            return
    pytest.fail(f"Of {MET} only these were met: {+done}")


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("chunk", range(SOAKED_GAMES // SOAKED_CHUNK // 2))
def test_thousands_of_games_in_storms_go_on_to_their_ends(
    chunk: int, clock: Clock, users: list[User], record_property: Callable[[str, object], None]
) -> None:
    first = GAMES + (2 * chunk + (connection.vendor == "postgresql")) * SOAKED_CHUNK
    storms(range(first, first + SOAKED_CHUNK), clock, users, record_property)
