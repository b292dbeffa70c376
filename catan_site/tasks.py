"""Tasks of the site itself."""

from datetime import datetime

from allauth.usersessions.models import UserSession
from celery import shared_task
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management import call_command
from django.utils import timezone

from games import broadcast

HEARTBEAT = "heartbeat"


@shared_task
def answer_round_trip(line: str) -> None:
    """The far end of the status page's round trip: from here through Channels to the browser that asked."""
    broadcast.send(f"status.{line}", {"type": "round_trip.answered"})


@shared_task
def note_heartbeat() -> None:
    """Beat sends this every few seconds: its last run shows that beat, the broker and a worker are alive."""
    cache.set(HEARTBEAT, timezone.now(), timeout=None)


def heartbeat_age() -> int | None:
    """Seconds since the last one."""
    noted: datetime | None = cache.get(HEARTBEAT)
    return None if noted is None else int((timezone.now() - noted).total_seconds())


@shared_task
def clear_expired_sessions() -> None:
    """And what was noted of them, to be shown to their owners."""
    call_command("clearsessions")
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
