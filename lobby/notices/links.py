"""Signed addresses in what is sent: one opens a game for the person it was sent to, one ends the mails.

Neither signs anybody in. They name a person all the same, so no log has them (catan_site/logs.py).
"""

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core import signing
from django.urls import reverse

from lobby.models import User

#: Seconds. A game over days can last for months; what such a link opens after that is on the front page too.
OPENS_FOR: Final = 90 * 24 * 3600

_OPEN: Final = "lobby.notices.open"
_END: Final = "lobby.notices.end"


def absolute(path: str) -> str:
    return f"{settings.SITE_URL}{path}"


def opening(person: int, path: str) -> str:
    """The address that leads a person to a page of this site, with scheme and host."""
    return absolute(reverse("notice-link", args=[signing.dumps([person, path], salt=_OPEN)]))


def ending(person: int) -> str:
    """The address that ends the mails to a person. It never grows old: old mails can be ended too."""
    return absolute(reverse("notice-end", args=[signing.dumps(person, salt=_END)]))


@dataclass(frozen=True, slots=True)
class Led:
    """To whom a link was sent, and where it leads."""

    person: User
    path: str


def opened(token: str) -> Led | None:
    """Nothing for one that is forged or old, or whose person is gone."""
    try:
        person, path = signing.loads(token, salt=_OPEN, max_age=OPENS_FOR)
    except signing.BadSignature:
        return None
    found = User.objects.filter(pk=person, is_active=True).first()
    return None if found is None else Led(found, path)


def ended(token: str) -> User | None:
    try:
        person = signing.loads(token, salt=_END)
    except signing.BadSignature:
        return None
    return User.objects.filter(pk=person, is_active=True).first()
