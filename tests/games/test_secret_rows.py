"""How the seeds and nonces of games came into a table of their own."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games import snapshots
from games.models import Game, GameSecret
from games.verification import differences

from .playing import new_game, play_on

BEFORE, AFTER = [("games", "0011_objections")], [("games", "0013_nothing_secret_in_games")]
pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def migrated() -> Iterator[None]:
    """Whatever a test leaves behind, the tables are today's."""
    yield
    migrate_to_today()


def migrate_to_today() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def migrate(target: list[tuple[str, str]]) -> type[Game]:
    executor = MigrationExecutor(connection)
    executor.migrate(target)
    return MigrationExecutor(connection).loader.project_state(target).apps.get_model("games", "Game")


@pytest.mark.slow
@pytest.mark.usefixtures("migrated")
def test_games_that_were_there_keep_their_secrets_forwards_and_backwards() -> None:
    games = [new_game(seed=number, seats=3 + number % 2) for number in range(3)]
    for game in games:
        play_on(game.pk, Random(game.pk), 20)
    known = {secret.pk: (bytes(secret.seed), secret.nonces) for secret in GameSecret.objects.all()}
    old = migrate(BEFORE)
    assert {game.pk: bytes(game.seed) for game in old.objects.all()} == {pk: seed for pk, (seed, _) in known.items()}
    for game in old.objects.all():
        assert [seat.nonce for seat in game.seat_set.order_by("number")] == known[game.pk][1]
    migrate(AFTER)
    carried = {secret.pk: (bytes(secret.seed), secret.nonces) for secret in GameSecret.objects.all()}
    assert carried == known
    migrate_to_today()
    for game in games:
        snapshots.drop(game.pk)
        play_on(game.pk, Random(game.pk + 1), 20)
        assert differences(Game.objects.get(pk=game.pk)) == []
