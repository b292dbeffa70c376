"""The queue: what has been reported and not been decided, and who is at it.

A case is taken by one moderator at a time, under a lock on its row. Nobody judges in a matter of their own, nor looks
at it: that would tell them who has reported them, or what those who watch their game say.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from games.models import Seat
from games.rules import Refusal
from games.rules.refusals import Forbidden
from lobby.models import User
from moderation import audit, games
from moderation.audit import Act
from moderation.models import WARNINGS_COUNT, AuditLine, Case, Decision, Report

#: After so long somebody else may take it, whoever has it.
TAKES_LAST: Final = timedelta(hours=4)


class NoSuchCase(Refusal):
    code = "no_such_case"


class CaseClosed(Refusal):
    code = "case_closed"


class TakenByAnother(Refusal):
    code = "taken_by_another"


class NotTaken(Refusal):
    code = "not_taken"


class NotImpartial(Forbidden):
    code = "not_impartial"


# The queue


def queue(staff: User) -> QuerySet[Case]:
    """All cases, with what their lines say. Nobody sees that there is one about themselves, or a game of theirs."""
    in_short = Report.objects.only("case", "kind", "made_at").order_by("made_at", "pk")
    return (
        Case.objects.exclude(person=staff)
        .exclude(game__in=Seat.objects.filter(user=staff).values("game"))
        .select_related("person", "game", "taken_by")
        .prefetch_related(Prefetch("reports", in_short))
    )


def free(now: datetime) -> Q:
    """Nobody is at it, or has been for too long."""
    return Q(taken_by=None) | Q(taken_at__lt=now - TAKES_LAST)


def holder(case: Case, now: datetime) -> User | None:
    """Who is at it."""
    if case.taken_by is None or case.taken_at is None or case.taken_at < now - TAKES_LAST:
        return None
    return case.taken_by


def name_of(case: Case) -> str:
    return case.person.shown_name if case.person is not None else f"game {case.game_id}"


def counts(decision: Decision, now: datetime) -> bool:
    """Whether what was decided about somebody still says something of them."""
    if decision.undone_at is not None or decision.kind == Decision.Kind.DISMISS or "bystander" in decision.details:
        return False
    if decision.until is not None and decision.until > now:
        return True
    is_for_good = decision.until is None and decision.kind in (Decision.Kind.MUTE, Decision.Kind.BAN)
    return is_for_good or decision.at > now - WARNINGS_COUNT


# Whose it is not


def require_impartial(matter: Case | Decision, staff: User) -> None:
    """``NotImpartial`` for those whom it concerns."""
    case = matter.case if isinstance(matter, Decision) else matter
    if staff.pk in {matter.person_id, case and case.person_id}:
        raise NotImpartial("This is about you: another moderator will look into it.")
    if case is not None and case.reports.filter(by=staff).exists():
        raise NotImpartial("You reported this yourself, so another moderator decides.")
    of_reports = Exists(Report.objects.filter(case=case, game=OuterRef("game"))) if case else Q()
    if Seat.objects.filter(Q(game=matter.game_id or 0) | of_reports, user=staff).exists():
        raise NotImpartial("You have a seat in a game that this is about, so another moderator decides.")


def lines_for(staff: User) -> QuerySet[AuditLine]:
    """Those of the audit log that are for somebody: all, but what others did in a matter of theirs.

    Who was refused a case because they had reported it has reported it; and why a moderator looked at a hand may tell
    what is in it.
    """
    seats = Seat.objects.filter(user=staff)
    about_them = Q(person=staff.pk) | Q(game__in=seats.values("game"))
    still_played = Q(game__in=games.still_played_by(staff).values("game"))
    own_matters = (Q(act__in=audit.OF_CASES) & about_them) | still_played
    return AuditLine.objects.exclude(own_matters & ~Q(staff=staff.pk))


# Taking it on


def look_at(matter: Case | Decision, staff: User, now: datetime) -> None:
    """Reports say what was said in private, and by whom they were made: whoever reads them is written down."""
    require_impartial(matter, staff)
    _record(staff, Act.LOOKED_AT_CASE, matter, now)


def take(case_id: int, staff: User, *, now: datetime) -> None:
    """It is theirs for some hours, or as long as nobody else wants it."""
    with locked(case_id) as case:
        require_open(case)
        require_impartial(case, staff)
        other = holder(case, now)
        if other is not None and other != staff:
            # The race: two pressed, and the other one was a moment earlier.
            raise TakenByAnother(f"{other.shown_name} is already looking into this. Please take another one.")
        Case.objects.filter(pk=case.pk).update(taken_by=staff, taken_at=now)
        _record(staff, Act.TOOK_CASE, case, now)


def let_go(case_id: int, staff: User, *, now: datetime) -> None:
    with locked(case_id) as case:
        require_open(case)
        require_taken(case, staff, now)
        Case.objects.filter(pk=case.pk).update(taken_by=None, taken_at=None)
        _record(staff, Act.LET_CASE_GO, case, now)


def _record(staff: User, act: Act, matter: Case | Decision, now: datetime) -> None:
    case = matter.case_id if isinstance(matter, Decision) else matter.pk
    audit.record(staff, act, now=now, person=matter.person, game=matter.game_id, case=case)


@contextmanager
def locked(case_id: int) -> Iterator[Case]:
    """The case's row, ours alone until the transaction ends. Whoever adds a report locks it too."""
    with transaction.atomic():
        # Nothing is joined: of a row that was waited for, PostgreSQL would join what belonged to it before.
        case = Case.objects.select_for_update().filter(pk=case_id).first()
        if case is None:
            raise NoSuchCase("This case is gone: the account it was about has been deleted.")
        yield case


def require_open(case: Case) -> None:
    if case.closed_at is None:
        return
    last = case.decisions.select_related("by").order_by("-pk").first()
    who = last.by.shown_name if last is not None and last.by is not None else "Somebody"
    raise CaseClosed(f"{who} has already decided this, so nothing was changed. The page shows what was decided.")


def require_taken(case: Case, staff: User, now: datetime) -> None:
    """Somebody who has had it for long has it still if nobody else took it."""
    if case.taken_by == staff:
        return
    other = holder(case, now)
    if other is not None:
        raise TakenByAnother(f"{other.shown_name} is looking into this, so nothing was changed.")
    raise NotTaken("Take the case first, so that nobody else decides it at the same time.")
