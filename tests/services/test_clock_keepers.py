"""The processes that keep the clocks die and come back: every overdue game moves on, and none twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone

from deploy import throwaway
from deploy.children import wait_until
from games.models import Game, Move, Pulse, Seat
from games.paces import Pace
from games.rules import Phase, RuleSet
from games.services import Entrant, start_game
from games.verification import differences
from tests.games.playing import CAST, time_out_until
from tests.games.processes import environment
from tests.keepers import WORKERS, Keepers, started

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]

RULES = RuleSet.from_text("standard points_to_win=8")
#: Quicker than any host may choose: the roll is due at once, and everything else never.
ROLL_AT_ONCE = Pace("fast", 900, 1, 900, 900, 900, 900, 900)
#: Nobody has any time to speak of.
NO_TIME = Pace("fast", *(1,) * 7)
GAMES = 12


@pytest.fixture
def keepers() -> Iterator[Keepers]:
    with throwaway.folder() as home, started(home, environment()) as keepers:
        yield keepers


def about_to_roll(number: int) -> Game:
    players = [Entrant(name, nonce=name) for name in CAST]
    game = start_game(
        RULES,
        "balanced",
        players,
        pace=ROLL_AT_ONCE,
        bot_speed="at once",
        seed=bytes([number] * 32),
        now=timezone.now(),
    )
    time_out_until(game.pk, lambda state: state.phase is Phase.ROLLING)
    return game


def all_have_rolled(games: list[Game]) -> bool:
    return Move.objects.filter(game__in=games, kind="roll").count() == len(games)


def check_that_each_rolled_once(games: list[Game]) -> None:
    for game in games:
        rolled = Move.objects.get(game=game, kind="roll")
        assert rolled.by == Move.By.TIMEOUT
        game.refresh_from_db()
        assert game.version == rolled.number
        assert differences(game) == []


def overdue_games() -> list[Game]:
    """Nobody looks after the clocks, and the games' time has run out."""
    games = [about_to_roll(number) for number in range(GAMES)]
    wait_until(lambda: _alive_after(games), "the web process has no pulse")
    return games


def _alive_after(games: list[Game]) -> bool:
    latest = Game.objects.filter(pk__in=[game.pk for game in games]).latest("deadline").deadline
    assert latest
    return Pulse.objects.get().at > latest


@pytest.mark.parametrize("names", [WORKERS, ("beat",), (*WORKERS, "beat")], ids=" and ".join)
def test_when_the_keepers_of_the_clocks_come_back_every_game_moves_on_once(
    keepers: Keepers, names: tuple[str, ...]
) -> None:
    keepers.kill(*names)
    games = overdue_games()
    keepers.start(*names)
    wait_until(lambda: all_have_rolled(games), "not every game moved on")
    check_that_each_rolled_once(games)


def test_when_redis_comes_back_empty_every_game_moves_on_once(keepers: Keepers) -> None:
    first = [about_to_roll(number) for number in range(GAMES)]
    keepers.kill_redis()
    keepers.start_redis()
    second = [about_to_roll(number) for number in range(GAMES, 2 * GAMES)]
    wait_until(lambda: all_have_rolled(first + second), "not every game moved on")
    check_that_each_rolled_once(first + second)


def test_a_table_where_nobody_does_anything_plays_to_its_end(keepers: Keepers) -> None:
    players = [Entrant(name, nonce=name) for name in CAST]
    game = start_game(
        RULES, "balanced", players, pace=NO_TIME, bot_speed="at once", seed=bytes(range(32)), now=timezone.now()
    )
    wait_until(lambda: Game.objects.get(pk=game.pk).status == Game.Status.OVER, "the game did not end", limit=240)
    game.refresh_from_db()
    assert differences(game) == []
    assert set(Move.objects.filter(game=game).values_list("by", flat=True)) == {Move.By.TIMEOUT, Move.By.STAND_IN}
    assert {seat.player for seat in Seat.objects.filter(game=game)} == {Seat.Player.STAND_IN}
