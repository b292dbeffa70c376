"""Guests who did not come back, and the games that they left: some day the site forgets both.

A game with two people or more is nobody's alone: it stays, and so does every guest who has a seat in one.
"""

from datetime import date, datetime
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Game, Seat
from games.services import clear
from lobby import signals
from lobby.leaving import leave_tables
from lobby.models import User
from lobby.names import SOMEBODY

#: So many guests are looked up at a time, and so many are forgotten in one round; the next round goes on.
AT_A_TIME: Final = 100
IN_A_ROUND: Final = 1_000


def forget_guests(before: date, now: datetime) -> int:
    """Forget those whose last visit was before a day; how many they were.

    Each game and each guest is a transaction of its own: however many there are, nobody waits long for a lock.
    """
    forgotten, last = 0, 0
    while forgotten < IN_A_ROUND:
        ids = list(old_guests(before).filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:AT_A_TIME])
        if not ids:
            break
        forgotten += sum(_forget(guest, before, now) for guest in ids)
        last = ids[-1]
    return forgotten


def old_guests(before: date) -> QuerySet[User]:
    others = Seat.objects.filter(game=OuterRef("game")).exclude(pk=OuterRef("pk"))
    people = others.filter(Q(user__isnull=False) | Q(name=SOMEBODY))
    in_company = Seat.objects.filter(Exists(people), user=OuterRef("pk"))
    return User.objects.filter(~Exists(in_company), is_guest=True, last_visit__lt=before)


def _forget(guest: int, before: date, now: datetime) -> bool:
    """Game by game, and then the guest: whoever comes back in the middle keeps what is left.

    The race: a guest was found, and then a table where they still sit starts a game with other people, or they come
    back. So each step looks again, under locks that are taken in the order in which everybody takes them: games and
    tables first, people last. While the guest's row is locked, no new seat or chair can be theirs.
    """
    while (game := Seat.objects.filter(user=guest).values_list("game", flat=True).first()) is not None:
        if not _clear(game, guest, before):
            return False
    return _delete(guest, before, now)


@transaction.atomic
def _clear(game: int, guest: int, before: date) -> bool:
    list(Game.objects.select_for_update().filter(pk=game))
    if not _is_still_gone(guest, before):
        return False
    clear(game)
    return True


@transaction.atomic
def _delete(guest: int, before: date, now: datetime) -> bool:
    row = User.objects.filter(pk=guest).first()
    if row is None:
        return False
    signals.send(signals.person_leaving, person=row)
    leave_tables(row, now)
    is_gone = _is_still_gone(guest, before)
    if not is_gone or row.seats.exists() or row.chairs.filter(table__game=None).exists():
        transaction.set_rollback(True)
        return False
    row.delete()
    return True


def _is_still_gone(guest: int, before: date) -> bool:
    """And alone in whatever they play. The lock comes first: what was written before it is seen by a later question."""
    list(User.objects.select_for_update().filter(pk=guest))
    return old_guests(before).filter(pk=guest).exists()
