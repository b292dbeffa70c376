"""Guests who did not come back, and the games that they left: some day the site forgets both.

A game with two people or more is nobody's alone: it stays, and so does every guest who has a seat in one.
"""

from datetime import date
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Seat
from games.services import clear
from lobby.leaving import leave_tables
from lobby.models import User
from lobby.names import SOMEBODY

#: So many guests are looked up at a time, and so many are forgotten in one round; the next round goes on.
AT_A_TIME: Final = 100
IN_A_ROUND: Final = 1_000


def forget_guests(before: date) -> int:
    """Forget those whose last visit was before a day; how many they were.

    Each game and each guest is a transaction of its own: however many there are, nobody waits long for a lock.
    """
    forgotten, last = 0, 0
    while forgotten < IN_A_ROUND:
        ids = list(old_guests(before).filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:AT_A_TIME])
        if not ids:
            break
        forgotten += sum(_forget(guest, before) for guest in ids)
        last = ids[-1]
    return forgotten


def old_guests(before: date) -> QuerySet[User]:
    others = Seat.objects.filter(game=OuterRef("game")).exclude(pk=OuterRef("pk"))
    people = others.filter(Q(user__isnull=False) | Q(name=SOMEBODY))
    in_company = Seat.objects.filter(Exists(people), user=OuterRef("pk"))
    return User.objects.filter(~Exists(in_company), is_guest=True, last_visit__lt=before)


def _forget(guest: int, before: date) -> bool:
    """Each time under a lock on the guest's row: whoever comes back in the middle keeps what is left."""
    while True:
        with transaction.atomic():
            row = User.objects.select_for_update().filter(pk=guest, is_guest=True, last_visit__lt=before).first()
            if row is None:
                return False
            game = Seat.objects.filter(user=row).values_list("game", flat=True).first()
            if game is None:
                leave_tables(row)
                row.delete()
                return True
            clear(game)
