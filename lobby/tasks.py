"""What beat asks of the lobby."""

from datetime import timedelta

import structlog
from celery import shared_task
from django.conf import settings
from django.utils import timezone

from lobby import clearing

log = structlog.get_logger(__name__)


@shared_task
def clear_old_guests() -> None:
    forgotten = clearing.forget_guests(timezone.localdate() - timedelta(days=settings.GUESTS_KEPT))
    if forgotten:
        log.info("guests_forgotten", guests=forgotten)
