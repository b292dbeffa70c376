"""The link by which a guest finds their games on another device. Whoever has it is that guest."""

import hashlib
import secrets
from datetime import datetime

from lobby.models import RecoveryLink, User


def make(guest: User, now: datetime) -> str:
    """What a new link ends with. It is told once, and an older link no longer opens anything."""
    token = secrets.token_urlsafe(32)
    RecoveryLink.objects.update_or_create(guest=guest, defaults={"digest": _digest(token), "made_at": now})
    return token


def guest_of(token: str) -> User | None:
    """Whom a link stands for; nobody, if it was made anew or its guest has an account now. They may be banned."""
    link = RecoveryLink.objects.filter(digest=_digest(token)).select_related("guest").first()
    return link.guest if link is not None and link.guest.is_guest and link.guest.is_active else None


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
