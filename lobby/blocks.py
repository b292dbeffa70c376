"""Who does not want to meet whom. A block works both ways: neither is brought to the other."""

from collections.abc import Set
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q

from games.rules import Refusal
from lobby import hearing, limits
from lobby.models import Block, User

MOST_BLOCKED: Final = 300


def kept_apart_from(person: User) -> set[int]:
    """Whom this person has blocked, and who has blocked them."""
    if not person.pk:
        return set()
    pairs = Block.objects.filter(Q(by=person) | Q(whom=person)).values_list("by_id", "whom_id")
    return {user_id for pair in pairs for user_id in pair} - {person.pk}


def require_welcome(person: User, sitters: Set[int | None]) -> None:
    """Nobody sits down beside somebody whom they are kept apart from. Who is blocked is not told so."""
    apart = kept_apart_from(person) & sitters
    if Block.objects.filter(by=person.pk, whom__in=apart).exists():
        raise Refusal("You have blocked somebody who sits here: unblock them first, or play at another table.")
    if apart:
        raise Refusal("You can’t sit down at this table: play at another one, or open your own.")


def block(person: User, whom: User, *, now: datetime) -> None:
    """From now on; blocking somebody again changes nothing."""
    with transaction.atomic():
        limits.lock(person)
        if Block.objects.filter(by=person).exclude(whom=whom).count() >= MOST_BLOCKED:
            raise Refusal(f"You have blocked {MOST_BLOCKED} people: unblock somebody first.")
        Block.objects.get_or_create(by=person, whom=whom, defaults={"since": now})
        _tell_both(person, whom)


def unblock(person: User, whom: User) -> None:
    with transaction.atomic():
        Block.objects.filter(by=person, whom=whom).delete()
        _tell_both(person, whom)


def _tell_both(person: User, whom: User) -> None:
    hearing.tell_of_change(person.pk)
    hearing.tell_of_change(whom.pk, shows=False)
