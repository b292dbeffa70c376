"""What administrators may change about people: who looks after the place. All else about somebody is a decision."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import Q

from games.rules.refusals import Forbidden
from lobby import hearing, limits
from lobby.models import User
from moderation import audit

MODERATOR: Final = "moderator"
ADMINISTRATOR: Final = "administrator"


class NotYours(Forbidden):
    code = "not_yours_to_change"


#: Whoever runs the site is one, too.
ADMINISTRATORS: Final = Q(is_superuser=True) | Q(groups__name=ADMINISTRATOR)


def is_administrator(person: User) -> bool:
    return User.objects.filter(ADMINISTRATORS, pk=person.pk).exists()


@transaction.atomic
def appoint(staff: User, person: User, groups: Iterable[Group], *, why: str, now: datetime) -> None:
    """Make somebody a moderator or an administrator, or neither any more. With no group, they are no staff."""
    limits.lock(person)
    if person.pk == staff.pk:
        raise NotYours("You can’t change your own role: ask another administrator.")
    if person.is_superuser:
        raise NotYours("Superusers are made and unmade on the server, not here.")
    if person.is_guest:
        raise NotYours("A guest is known to one browser only: a member of the staff needs an account.")
    if person.is_bot:
        raise NotYours("A program plays this account: a member of the staff needs one of their own.")
    if not person.is_active:
        raise NotYours("This account has been closed.")
    wanted = sorted(groups, key=lambda group: group.name)
    before = sorted(person.groups.values_list("name", flat=True))
    person.groups.set(wanted)
    User.objects.filter(pk=person.pk).update(is_staff=bool(wanted))
    person.refresh_from_db()
    # Their open sockets were let in as whom they were.
    hearing.recall(person.pk)
    audit.record(
        staff,
        audit.Act.CHANGED_PERSON,
        now=now,
        person=person,
        why=why,
        groups={"before": before, "after": [group.name for group in wanted]},
    )
