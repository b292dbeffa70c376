"""What is closed to somebody for a while: the chats, or the whole site. Why, and who says so, is not known here.

Both are moments in the person's own row, which every request reads anyway, and end by themselves once these have
passed. What a ban takes away (`lobby.banning`) follows its commit: games and tables have locks that come before a
person's.
"""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import Signal
from django.utils import dateformat

from games.rules import Refusal
from games.rules.refusals import Forbidden
from lobby import hearing, limits
from lobby.models import User

#: A restriction that does not end by itself.
FOR_GOOD: Final = datetime(9999, 12, 31, tzinfo=UTC)

#: After the commit: ``person``, the number of somebody who has just been banned, and ``now``.
person_banned: Final = Signal()


class Muted(Forbidden):
    code = "muted"


class Banned(Forbidden):
    code = "banned"


# Who is


def is_banned(person: User, now: datetime) -> bool:
    """Whoever runs the site is never locked out of it, by a ban from before they did neither."""
    return not person.is_superuser and person.banned_until is not None and person.banned_until > now


def is_muted(person: User, now: datetime) -> bool:
    return person.muted_until is not None and person.muted_until > now


def the_banned(now: datetime) -> QuerySet[User]:
    """The same as `is_banned`, of everybody."""
    return User.objects.filter(banned_until__gt=now, is_superuser=False)


def banned_among(people: Collection[int], now: datetime) -> set[int]:
    return set(the_banned(now).filter(pk__in=people).values_list("pk", flat=True))


# What they are told


def why_muted(person: User, now: datetime) -> str:
    """A sentence for whoever is; nothing for anybody else."""
    if person.muted_until is None or not is_muted(person, now):
        return ""
    return (
        f"You’re muted {in_words(person.muted_until)}: you can read, play and trade, but not chat. "
        "The moderators’ message in your account says why."
    )


def why_banned(person: User) -> str:
    until = in_words(person.banned_until or FOR_GOOD)
    return f"You’re banned {until}. Any page of this site says why, and how to appeal."


def in_words(until: datetime) -> str:
    """As every page tells it, to the minute, of which none is left."""
    return "for good" if until >= FOR_GOOD else f"until {moment(until)}"


def moment(until: datetime) -> str:
    told = until if until.second == until.microsecond == 0 else until + timedelta(minutes=1)
    return f"{dateformat.format(told.astimezone(UTC), 'j F Y, H:i')} UTC"


def require_admitted(user_id: int, now: datetime) -> None:
    """For what a request that came in before the ban may still be about to do."""
    person = the_banned(now).filter(pk=user_id).first()
    if person is not None:
        raise Banned(why_banned(person))


# Setting and lifting


@transaction.atomic
def mute(person: User, until: datetime) -> None:
    """At once: who speaks has a lock on their row meanwhile (`chat.say`), and looks at it then."""
    limits.lock(person)
    _set(person, muted_until=until)


@transaction.atomic
def lift_mute(person: User) -> None:
    limits.lock(person)
    _set(person, muted_until=None)


@transaction.atomic
def ban(person: User, until: datetime, *, now: datetime) -> None:
    if limits.lock(person).is_superuser:
        raise Refusal("This account runs the site, so it can’t be banned: take its superuser status away first.")
    _set(person, banned_until=until)
    _shut_out(person.pk, now)


@transaction.atomic
def lift_ban(person: User) -> None:
    """They may take their seats back by themselves; chairs and invitations are gone."""
    limits.lock(person)
    _set(person, banned_until=None)


@transaction.atomic
def carry_over(giver: User, taker: User, now: datetime) -> None:
    """A guest turns out to be somebody with an account, to whom is closed whatever was closed to either."""
    # In one order: the same two may meet in two tabs at once.
    both = User.objects.select_for_update(no_key=True).filter(pk__in=(giver.pk, taker.pk)).order_by("pk")
    rows = {row.pk: row for row in both}
    given, taken = rows[giver.pk], rows[taker.pk]
    muted_until = max(filter(None, (given.muted_until, taken.muted_until)), default=None)
    banned_until = max(filter(None, (given.banned_until, taken.banned_until)), default=None)
    if muted_until != taken.muted_until:
        _set(taker, muted_until=muted_until)
    if given.has_moderators_news:
        _set(taker, has_moderators_news=True)
    if banned_until != taken.banned_until and not taken.is_superuser:
        _set(taker, banned_until=banned_until)
        taken.banned_until = banned_until
    if is_banned(taken, now):
        # What the guest had is the account's now.
        _shut_out(taker.pk, now)


def _set(person: User, **values: datetime | bool | None) -> None:
    User.objects.filter(pk=person.pk).update(**values)
    for name, value in values.items():
        setattr(person, name, value)


def _shut_out(user_id: int, now: datetime) -> None:
    """Sockets first: a seat that changes hands takes a moment. Should either fail, beat's round makes up for it."""
    hearing.shut_out(user_id)
    transaction.on_commit(lambda: person_banned.send_robust(User, person=user_id, now=now), robust=True)
