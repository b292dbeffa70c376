"""Workers that count games at once, on both databases: the same figures come out as if one had counted them."""

from __future__ import annotations

import pytest

from lobby import ratings
from lobby.models import RatedGame, Rating, User
from tests.lobby.rated import everything, finished
from tests.lobby.test_races import all_at_once

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def people(transactional_db: None) -> list[User]:
    return [User.objects.create_user(name) for name in ("alice", "bob", "charlie", "dana")]


def test_two_workers_with_the_same_game_count_it_once(people: list[User]) -> None:
    game = finished(people)
    all_at_once([lambda: ratings.rate_game(game.pk)] * 6)
    counted = everything()
    assert [rating.games for rating in Rating.objects.all()] == [1, 1, 1, 1]
    ratings.rate_all()
    assert everything() == counted


def test_games_that_are_counted_at_once_come_out_as_one_after_another(people: list[User]) -> None:
    games = [finished(people[turn:] + people[:turn], at=turn) for turn in range(4)]
    calls = [lambda game=game: ratings.rate_game(game.pk) for game in reversed(games)]  # type: ignore[misc]
    all_at_once([*calls, ratings.rate_missed])
    counted = everything()
    assert [rating.games for rating in Rating.objects.all()] == [4, 4, 4, 4]
    ratings.rate_all()
    assert everything() == counted


def test_ratings_that_are_computed_anew_while_games_end_lose_none(people: list[User]) -> None:
    games = [finished(people[turn:] + people[:turn], at=turn) for turn in range(4)]
    calls = [lambda game=game: ratings.rate_game(game.pk) for game in games]  # type: ignore[misc]
    all_at_once([*calls, ratings.rate_all, ratings.rate_all])
    assert RatedGame.objects.count() == 4
    counted = everything()
    ratings.rate_all()
    assert everything() == counted
