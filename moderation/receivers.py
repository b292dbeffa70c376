"""What the lobby tells, and Django: somebody has signed in, as a guest too, or is here for the first time on a day."""

from datetime import datetime
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from lobby import signals
from lobby.guests import address_of
from lobby.models import User
from moderation import addresses


@receiver(user_logged_in)
def note_sign_in(request: HttpRequest, user: User, **_: Any) -> None:
    addresses.note(user.pk, address_of(request), timezone.now())


@receiver(signals.visited)
def note_visit(person: User, address: str, now: datetime, **_: Any) -> None:
    addresses.note(person.pk, address, now)
