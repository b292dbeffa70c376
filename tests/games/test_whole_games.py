"""Whole games through the services, after which the rows are what the log says."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from django.core.management import call_command

from games import snapshots
from games.models import Game, Move
from games.rules.boards import LAYOUTS
from games.verification import differences
from tests.rules.strategies import preset_tables, random_table

from .playing import new_game, play_on, stored_state

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

DOZEN = [*preset_tables(), ("standard", 3), ("online", 4), ("three-player", 3)]
SOAK_GAMES, SOAK_BATCHES = 500, 10
#: Where rules are drawn at random too, a few games would last for thousands of moves.
MOST_SOAK_MOVES = 500
#: The fewest points a host may choose keep games short.
SHORT = "points_to_win=8"


@pytest.mark.parametrize(("number", "table"), list(enumerate(DOZEN)))
def test_the_rows_of_a_whole_game_are_what_its_log_says(number: int, table: tuple[str, int]) -> None:
    preset, seats = table
    layout = list(LAYOUTS)[number % len(LAYOUTS)]
    game = new_game(f"{preset} {SHORT}", seats=seats, layout=layout, seed=number)
    moves = play_on(game.pk, Random(number), most_moves=2_000)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    assert game.winner_id
    assert game.version == moves == Move.objects.filter(game=game).count()
    call_command("verify_games")


def test_a_state_read_from_the_rows_is_the_one_that_was_played() -> None:
    game = new_game("three-player", seed="rows")
    source = Random(5)
    for _ in range(40):
        play_on(game.pk, source, most_moves=5)
        _, kept = snapshots.read(game.pk)
        assert stored_state(game.pk) == kept.state


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("batch", range(SOAK_BATCHES))
def test_the_rows_of_five_hundred_games_are_what_their_logs_say(
    batch: int, record_property: Callable[[str, int], None]
) -> None:
    """Under any rules, at any table."""
    for number in range(batch, SOAK_GAMES, SOAK_BATCHES):
        table = random_table(number)
        game = new_game(f"{table.rules} {SHORT}", seats=table.seats, layout=table.layout, seed=number)
        play_on(game.pk, Random(number), MOST_SOAK_MOVES)
        game.refresh_from_db()
        assert differences(game) == [], f"{table}"
    record_property("stored_games", Game.objects.count())
    record_property("games_over", Game.objects.filter(status=Game.Status.OVER).count())
    record_property("stored_moves", Move.objects.count())
