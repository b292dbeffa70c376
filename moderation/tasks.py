"""What moderation does outside of requests."""

from smtplib import SMTPException

from celery import shared_task
from django.utils import timezone

from moderation import figures, telling


@shared_task(autoretry_for=(OSError, SMTPException), retry_backoff=60, max_retries=5)
def mail_decisions(decisions: list[int]) -> None:
    """A mail server that is away is asked again, for half an hour; the page says the same anyway."""
    telling.send_mail(decisions, timezone.now())


@shared_task
def take_sample() -> None:
    """Beat's round: how the site is doing in this minute."""
    figures.take_sample(timezone.now())
