"""Who reads what whom says.

Whoever has muted or blocked somebody reads nothing of them, neither what was said before nor what is said now. Whoever
is blocked reads nothing that is said from then on: what they have read stays, so that no page tells them of it.
Moderators see everything in the admin.
"""

from datetime import datetime
from typing import Final, Literal

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games import broadcast
from games.rules import Refusal
from lobby import limits
from lobby.models import Block, ChatLine, Mute, User

MOST_MUTED: Final = 300

#: Whom somebody does not hear: from which moment on, or at all.
Deafness = dict[int, datetime | None]


# Reading


def heard_by(reader: User, lines: QuerySet[ChatLine]) -> QuerySet[ChatLine]:
    """The lines that somebody reads."""
    if not reader.pk:
        return lines
    muted = Mute.objects.filter(by=reader, whom=OuterRef("user"))
    blocked = Block.objects.filter(by=reader, whom=OuterRef("user"))
    return said_to(reader, lines).exclude(Exists(muted)).exclude(Exists(blocked))


def said_to(reader: User, lines: QuerySet[ChatLine]) -> QuerySet[ChatLine]:
    """Without what was said by those who have blocked somebody."""
    kept_from = Block.objects.filter(by=OuterRef("user"), whom=reader.pk, since__lte=OuterRef("said_at"))
    return lines.exclude(Exists(kept_from))


def deafness(user_id: int | None) -> Deafness:
    """The same for lines that come one by one, to a socket."""
    if user_id is None:
        return {}
    blocks = Block.objects.filter(Q(by=user_id) | Q(whom=user_id)).values_list("by", "whom", "since")
    deaf: Deafness = {by: since for by, whom, since in blocks if whom == user_id}
    deaf |= {whom: None for by, whom, _ in blocks if by == user_id}
    return deaf | dict.fromkeys(Mute.objects.filter(by=user_id).values_list("whom", flat=True))


def hears(deaf: Deafness, speaker: int | None, said_at: datetime) -> bool:
    if speaker is None or speaker not in deaf:
        return True
    since = deaf[speaker]
    return since is not None and said_at < since


# Muting


def mute(person: User, whom: User, *, now: datetime) -> None:
    with transaction.atomic():
        limits.lock(person)
        if Mute.objects.filter(by=person).exclude(whom=whom).count() >= MOST_MUTED:
            raise Refusal(f"You have muted {MOST_MUTED} people: unmute somebody first.")
        Mute.objects.get_or_create(by=person, whom=whom, defaults={"since": now})
        tell_of_change(person.pk)


def unmute(person: User, whom: User) -> None:
    with transaction.atomic():
        Mute.objects.filter(by=person, whom=whom).delete()
        tell_of_change(person.pk)


# The sockets of a person


class HearingChanged(broadcast.Message):
    type: Literal["hearing.changed"]
    #: Whether the person shall see it: their open pages then draw the chat anew.
    shows: bool


def person_group(user_id: int) -> str:
    """The group of all sockets of one person."""
    return f"person-{user_id}"


class PersonRecalled(broadcast.Message):
    """Who this person is has changed: their sockets are to come anew."""

    type: Literal["person.recalled"]


def recall(user_id: int) -> None:
    """After the commit, closes the sockets that somebody has. Whoever still may opens them anew."""
    message: PersonRecalled = {"type": "person.recalled"}
    transaction.on_commit(lambda: broadcast.send(person_group(user_id), message), robust=True)


class PersonShutOut(broadcast.Message):
    """The site is closed to this person: nothing of it is open to them any more."""

    type: Literal["person.shut_out"]


def shut_out(user_id: int) -> None:
    """After the commit, closes every socket that somebody has, and no page of theirs opens it anew."""
    message: PersonShutOut = {"type": "person.shut_out"}
    transaction.on_commit(lambda: broadcast.send(person_group(user_id), message), robust=True)


def tell_of_change(user_id: int, *, shows: bool = True) -> None:
    message: HearingChanged = {"type": "hearing.changed", "shows": shows}
    transaction.on_commit(lambda: broadcast.send(person_group(user_id), message), robust=True)
