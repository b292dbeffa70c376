"""What moderation does outside of requests."""

from smtplib import SMTPException
from time import perf_counter

import structlog
from celery import shared_task
from django.utils import timezone

from moderation import addresses, figures, pairs, telling

log = structlog.get_logger(__name__)


@shared_task(autoretry_for=(OSError, SMTPException), retry_backoff=60, max_retries=5)
def mail_decisions(decisions: list[int]) -> None:
    """A mail server that is away is asked again, for half an hour; the page says the same anyway."""
    telling.send_mail(decisions, timezone.now())


@shared_task
def take_sample() -> None:
    """Beat's round: how the site is doing in this minute."""
    figures.take_sample(timezone.now())


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
