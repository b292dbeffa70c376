"""How those who look for a game find one another, and what becomes of those who go away meanwhile."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.db.models.fields.json import KT

from games.paces import PACES, PaceName
from games.rules import PRESETS, Refusal
from lobby import blocks, bot_accounts
from lobby.company import Company
from lobby.models import Chair, MeetingPoint, Table, User
from lobby.services import changing, leave, open_table, sit_down, stand_up

#: Whoever has not had the page of a public table before them for so long, loses the chair there. At a table for a
#: game over days, nobody sits and waits.
GONE_AFTER: Final = timedelta(minutes=5)
GONE_AFTER_DAYS: Final = timedelta(days=2)

#: How many tables are tried: of those that somebody fills in the same moment, there are few.
MOST_TRIED: Final = 10

_FREE: Final = Q(chairs__user__isnull=True, chairs__bot=False)


# Finding a game


@transaction.atomic
def find_game(person: User, name: str, pace: PaceName, *, now: datetime) -> Table:
    """A chair at the best public table of a pace, or a new table. Nobody waits in two places for a game in one sitting.

    All who look lock one row, the first of all locks: of two who press at once, the second finds the first one's table.
    """
    bot_accounts.require_person(person)
    MeetingPoint.objects.select_for_update().get_or_create(pk=1)
    own = list(_open_tables().filter(chairs__user=person, chairs__kept=False)) if person.pk else []
    here = next((table for table in own if table.pace and table.pace.name == pace), None)
    for table in own:
        if table != here and PACES[pace].is_live and _is_live(table):
            stand_up(table.code, person, now=now)
    if here is None:
        here = _seat_somewhere(person, name, pace)
    if here is None:
        return open_table(
            person, name, PRESETS["standard"], "balanced", PACES[pace], company=Company("public"), now=now
        )
    note_seen(here.code, person, now)
    return here


def _seat_somewhere(person: User, name: str, pace: PaceName) -> Table | None:
    for table in _best_tables(person, pace):
        try:
            with transaction.atomic():
                sit_down(table.code, person, name)
        except (Refusal, Table.DoesNotExist):
            # Filled, started or gone a moment ago, or somebody of the same name sits there.
            continue
        return table
    return None


def _best_tables(person: User, pace: PaceName) -> list[Table]:
    """The fullest first, then the oldest; none where this person may not sit down, or sits beside somebody whom they
    are kept apart from, and none of a bot account."""
    apart = Chair.objects.filter(user__in=blocks.kept_apart_from(person), table__game=None)
    tables = _open_tables().filter(clocks__name=pace, host__is_bot=False).exclude(pk__in=apart.values("table"))
    if person.pk:
        tables = tables.exclude(removals__user=person)
    if person.is_guest:
        tables = tables.filter(rated=False)
    with_room = tables.annotate(free=Count("chairs", filter=_FREE)).filter(free__gt=0)
    return list(with_room.order_by("free", "opened_at")[:MOST_TRIED])


def _open_tables() -> QuerySet[Table]:
    return Table.objects.filter(visibility="public", game=None)


def _is_live(table: Table) -> bool:
    return table.pace is not None and table.pace.is_live


def looking() -> Mapping[str, int]:
    """How many people sit at public tables that have not started, by the name of the pace."""
    people = Q(chairs__user__is_bot=False, chairs__kept=False)
    counted = _open_tables().order_by().values(pace=KT("clocks__name")).annotate(people=Count("chairs", filter=people))
    return {row["pace"] or "": row["people"] for row in counted if row["people"]}


# Who is there


def note_seen(code: str, person: User, now: datetime) -> None:
    """Somebody has the page of a table before them, where they may have a chair."""
    if not person.pk:
        return
    table_id = Table.objects.filter(code=code, game=None).values_list("pk", flat=True).first()
    if table_id is not None:
        Chair.objects.filter(table=table_id, user=person.pk, kept=False).update(seen_at=now)


def free_chairs_of_those_gone(now: datetime) -> None:
    """So that nobody waits for somebody who has left, and abandoned tables vanish."""
    long_unseen = Chair.objects.filter(
        seen_at__lt=now - GONE_AFTER, kept=False, table__visibility="public", table__game=None
    )
    for chair in long_unseen.select_related("table"):
        if _is_gone(chair, chair.table, now):
            _free_if_gone(chair, now)


def _free_if_gone(chair: Chair, now: datetime) -> None:
    try:
        with changing(chair.table.code) as table:
            chairs = list(table.chairs.all())
            own = next((other for other in chairs if other == chair), None)
            # They may have come back, or left by themselves, a moment ago.
            if own is None or not own.is_person or not table.is_public or not _is_gone(own, table, now):
                raise Refusal("Nobody is gone.")
            leave(table, chairs, own, now)
    except (Refusal, Table.DoesNotExist):
        pass


def _is_gone(chair: Chair, table: Table, now: datetime) -> bool:
    limit = GONE_AFTER if _is_live(table) else GONE_AFTER_DAYS
    return chair.seen_at is not None and chair.seen_at < now - limit
