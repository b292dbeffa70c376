"""What somebody wants to be told, as a row that is locked: of two who change it, and of one who changes it and one who
tells them something, neither writes over the other's.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from lobby.models import NoticeWishes


@contextmanager
def changing(person: int) -> Iterator[NoticeWishes]:
    """The row, ours alone until the end of the block, which saves what was changed in it."""
    # There before it is locked: a round passes over a row that is locked, but must wait for one that is being made.
    NoticeWishes.objects.get_or_create(person_id=person)
    with transaction.atomic():
        wishes = NoticeWishes.objects.select_for_update().get(person_id=person)
        yield wishes
        wishes.save(update_fields=["wishes", "zone", "quiet_from", "quiet_until", "even_when_looking"])


def taken(person: int) -> NoticeWishes | None:
    """The row, ours alone until the transaction ends; nothing if somebody else has it: nobody waits for it."""
    unlocked = NoticeWishes.objects.select_for_update(skip_locked=True, of=("self",)).select_related("person")
    if found := unlocked.filter(person=person).first():
        return found
    wishes, is_new = NoticeWishes.objects.get_or_create(person_id=person)
    return wishes if is_new else None
