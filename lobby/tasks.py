"""What the lobby does outside of requests: ratings, once a game has ended, and what beat asks of it."""

from datetime import timedelta

import structlog
from celery import shared_task
from django.conf import settings
from django.utils import timezone

from lobby import clearing, meeting, ratings

log = structlog.get_logger(__name__)


@shared_task
def clear_old_guests() -> None:
    forgotten = clearing.forget_guests(timezone.localdate() - timedelta(days=settings.GUESTS_KEPT))
    if forgotten:
        log.info("guests_forgotten", guests=forgotten)


@shared_task
def free_chairs_of_those_gone() -> None:
    meeting.free_chairs_of_those_gone(timezone.now())


@shared_task
def rate_game(game_id: int) -> None:
    ratings.rate_game(game_id)


@shared_task
def rate_missed_games() -> None:
    """Beat's round: games whose task was lost with the broker or the worker."""
    ratings.rate_missed()
