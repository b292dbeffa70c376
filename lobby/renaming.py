"""A name that somebody did not choose: instead of one that offends others, or that one again."""

import secrets
from contextlib import suppress
from datetime import datetime
from itertools import count

from django.db import transaction
from django.db.models import Q

from games.rules import Refusal
from games.services import rename
from lobby import limits, names, services
from lobby.models import Chair, ChatLine, Table, User

#: Before a number that nobody else has.
_NEUTRAL = "Player"


@transaction.atomic
def reset(person: User, now: datetime) -> str:
    """A neutral name instead, wherever the person is called by another; that name."""
    name = f"{_NEUTRAL} {_free_number()}"
    _call_seats_and_chairs(person, name, now)
    ChatLine.objects.filter(user=person).update(name=name)
    _call(person, name)
    return name


@transaction.atomic
def give_back(person: User, name: str, now: datetime) -> bool:
    """The name before, if it is still to be had; what was said meanwhile was said under the other."""
    if not person.is_guest and _is_taken(name, person):
        return False
    _call_seats_and_chairs(person, name or person.username[: names.LONGEST_NAME], now)
    _call(person, name)
    return True


def _free_number() -> int:
    """Of four digits while it is easy to find one."""
    for digits in count(4):
        for _ in range(10):
            number = secrets.choice(range(10 ** (digits - 1), 10**digits))
            if not _is_taken(f"{_NEUTRAL} {number}", None):
                return number
    raise AssertionError


def _is_taken(name: str, by_others_than: User | None) -> bool:
    folded, shape = names.keys(name)
    alike = User.objects.filter(Q(name_folded=folded) | Q(name_shape=shape) | Q(name=name, is_guest=True))
    return alike.exclude(pk=by_others_than.pk if by_others_than else 0).exists()


def _call_seats_and_chairs(person: User, name: str, now: datetime) -> None:
    """Games come first and tables second, and the person's own row comes last, as everywhere."""
    rename(person.pk, name, now)
    own = Chair.objects.filter(user=person)
    for code in own.filter(table__game=None).order_by("table").values_list("table__code", flat=True):
        # The table has gone, or its game has just started.
        with suppress(Refusal, Table.DoesNotExist), services.changing(code) as table:
            others = table.chairs.exclude(user=person)
            if not any(names.is_same(name, other.name) for other in others if not other.is_free):
                table.chairs.filter(user=person).update(name=name)
    # The race: a table has started its game in between, with the name of its chair.
    rename(person.pk, name, now)
    own.filter(table__game__isnull=False).update(name=name)


def _call(person: User, name: str) -> None:
    limits.lock(person)
    person.name = name
    person.save(update_fields=["name"])
