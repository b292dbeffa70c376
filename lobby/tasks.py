"""What the lobby does outside of requests: ratings, once a game has ended."""

from typing import Any

from celery import current_app, shared_task

from lobby import ratings


@shared_task
def rate_game(game_id: int) -> None:
    ratings.rate_game(game_id)


@shared_task
def rate_missed_games() -> None:
    """Beat's round: games whose task was lost with the broker or the worker."""
    ratings.rate_missed()


def queue_rating(game_id: int, **_: Any) -> None:
    """A game has ended. Whoever made its last move waits for nothing but the queue."""
    current_app.send_task(rate_game.name, [game_id], retry=False)
