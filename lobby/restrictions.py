"""What is closed to somebody for a while: the chats, or the whole site. Why, and who says so, is not known here."""

from datetime import UTC, datetime
from typing import Final

from django.db import transaction

from lobby import hearing, limits
from lobby.models import User

#: A restriction that does not end by itself.
FOR_GOOD: Final = datetime(9999, 12, 31, tzinfo=UTC)


def is_banned(person: User, now: datetime) -> bool:
    return person.banned_until is not None and person.banned_until > now


def is_muted(person: User, now: datetime) -> bool:
    return person.muted_until is not None and person.muted_until > now


@transaction.atomic
def mute(person: User, until: datetime) -> None:
    limits.lock(person)
    _set(person, muted_until=until)


@transaction.atomic
def lift_mute(person: User) -> None:
    limits.lock(person)
    _set(person, muted_until=None)


@transaction.atomic
def ban(person: User, until: datetime, *, now: datetime) -> None:
    limits.lock(person)
    _set(person, banned_until=until)
    hearing.recall(person.pk)


@transaction.atomic
def lift_ban(person: User) -> None:
    limits.lock(person)
    _set(person, banned_until=None)


def hand_on(guest: User, account: User) -> None:
    """Nobody shakes off what is closed to them by signing in: of two that are, the one that lasts longer counts."""
    for person in sorted((guest, account), key=lambda person: person.pk):
        limits.lock(person)
        person.refresh_from_db(fields=["muted_until", "banned_until", "has_moderators_news"])
    _set(
        account,
        muted_until=_later(guest.muted_until, account.muted_until),
        banned_until=_later(guest.banned_until, account.banned_until),
        has_moderators_news=guest.has_moderators_news or account.has_moderators_news,
    )


def _later(first: datetime | None, second: datetime | None) -> datetime | None:
    return max(filter(None, (first, second)), default=None)


def _set(person: User, **values: datetime | bool | None) -> None:
    User.objects.filter(pk=person.pk).update(**values)
    for name, value in values.items():
        setattr(person, name, value)
