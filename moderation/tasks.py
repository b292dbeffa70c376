"""What beat asks of moderation."""

from celery import shared_task
from django.utils import timezone

from moderation import figures


@shared_task
def take_sample() -> None:
    figures.take_sample(timezone.now())
