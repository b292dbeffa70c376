"""What moderation does outside of requests, at a quiet hour."""

from time import perf_counter

import structlog
from celery import shared_task
from django.utils import timezone

from moderation import addresses, pairs

log = structlog.get_logger(__name__)


@shared_task
def find_unusual_pairs() -> None:
    started = perf_counter()
    found = pairs.compute(timezone.now())
    log.info("pairs_computed", pairs=found, seconds=round(perf_counter() - started, 1))


@shared_task
def forget_addresses() -> None:
    forgotten = addresses.forget(timezone.now())
    if forgotten:
        log.info("addresses_forgotten", addresses=forgotten)
