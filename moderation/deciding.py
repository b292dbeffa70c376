"""What moderators decide, and how it is taken back.

All that is decided of a case in one go is one transaction under the lock of the case: it is done, told and written
down, or nothing is. What holds of somebody follows from all decisions about them together: of two bans the one that
ends later counts, and when one is taken back the other still holds.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from games.models import Game
from games.rules import Refusal
from games.rules.refusals import Forbidden, Malformed
from lobby import chat, limits, ratings, renaming, restrictions
from lobby.models import ChatLine, Table, User
from moderation import audit, cases, people, telling, words
from moderation.audit import Act
from moderation.models import LONGEST_TEXT, WARNINGS_COUNT, Appeal, Case, Decision, Report

Kind = Decision.Kind

#: For how long somebody can be muted or banned; ``None`` is for good.
PERIODS: Final[dict[str, timedelta | None]] = {
    "1 hour": timedelta(hours=1),
    "1 day": timedelta(days=1),
    "3 days": timedelta(days=3),
    "1 week": timedelta(weeks=1),
    "1 month": timedelta(days=30),
    "3 months": timedelta(days=90),
    "for good": None,
}
#: What can be decided of a game where nobody in particular is meant.
OF_GAMES: Final = (Kind.DISMISS, Kind.ANNUL_GAME)
RESTRICTIONS: Final = (Kind.MUTE, Kind.BAN)


class BadDecision(Malformed):
    code = "bad_decision"


class NotTheirs(Forbidden):
    code = "not_yours_to_decide"


class NewReport(Refusal):
    code = "new_report"


class NothingToDo(Refusal):
    code = "nothing_to_do"


class NotToBeUndone(Refusal):
    code = "not_to_be_undone"


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing that is decided."""

    kind: Kind
    #: Of a mute or ban: one of `PERIODS`.
    period: str = ""
    #: To be hidden.
    lines: tuple[int, ...] = ()
    #: To be annulled.
    game: int | None = None


# Deciding


def decide(
    case_id: int,
    staff: User,
    measures: Sequence[Measure],
    reason: str,
    answer: str = "",
    *,
    seen: int,
    now: datetime,
) -> list[Decision]:
    """Close a case, with what is decided of it; the last report that its page showed is ``seen``."""
    reason, answer = clean(reason, "Say why: it is kept with the decision."), answer.strip()[:LONGEST_TEXT]
    _require_sense(measures)
    with cases.locked(case_id) as case:
        # The race: two decide at once. The second waits for the lock, and finds it decided.
        cases.require_open(case)
        cases.require_impartial(case, staff)
        cases.require_taken(case, staff, now)
        _require_all_seen(case, seen)
        _require_power(case, staff, measures)
        # Reports come before games, tables and people, as for those who leave or turn out to be somebody else.
        _answer_reports(case, measures, answer, now)
        made = [decision for each in measures for decision in _carry_out(case, staff, each, reason, now)]
        Case.objects.filter(pk=case.pk).update(closed_at=now, taken_by=staff, taken_at=now)
        telling.tell(made)
        return made


def clean(text: str, otherwise: str) -> str:
    """What is told, or ``BadDecision``."""
    text = text.strip()
    if not text:
        raise BadDecision(otherwise)
    if len(text) > LONGEST_TEXT:
        raise BadDecision(f"That is {len(text)} characters long, and {LONGEST_TEXT} fit: please shorten it.")
    return text


def _require_sense(measures: Sequence[Measure]) -> None:
    kinds = [each.kind for each in measures]
    once = [kind for kind in kinds if kind != Kind.ANNUL_GAME]
    if not kinds:
        raise BadDecision("Choose what to do, or dismiss the reports.")
    if Kind.DISMISS in kinds and len(kinds) > 1:
        raise BadDecision("Either something is done or the reports are dismissed, not both.")
    if len(once) > len(set(once)) or len({each.game for each in measures if each.game}) != kinds.count(Kind.ANNUL_GAME):
        raise BadDecision("Each thing can be decided once.")
    for each in measures:
        if (each.kind in RESTRICTIONS) != (each.period in PERIODS):
            raise BadDecision("Choose for how long.")
        if (each.kind == Kind.HIDE_LINES) != bool(each.lines):
            raise BadDecision("Choose which lines to hide.")


def _require_all_seen(case: Case, seen: int) -> None:
    """The race: a report came in while the moderator was reading; deciding would answer it unread."""
    if case.reports.filter(pk__gt=seen).exists():
        raise NewReport("Another report has come in since you opened this page. Please read it, then decide.")


def _require_power(case: Case, staff: User, measures: Sequence[Measure]) -> None:
    kinds = {each.kind for each in measures}
    if case.person is None and not kinds <= set(OF_GAMES):
        raise BadDecision("These reports are about a game: it can be annulled, or they are dismissed.")
    if kinds & set(RESTRICTIONS) and is_of_staff(case.person) and not people.is_administrator(staff):
        raise NotTheirs("Only an administrator can mute or ban a member of the staff.")


def is_of_staff(person: User | None) -> bool:
    return person is not None and (person.is_staff or person.is_superuser)


def require_power_over(decision: Decision, staff: User) -> None:
    """Whoever may not decide it does not take it back either."""
    if decision.kind in RESTRICTIONS and is_of_staff(decision.person) and not people.is_administrator(staff):
        raise NotTheirs("Only an administrator can lift a mute or a ban of a member of the staff.")


def _carry_out(case: Case, staff: User, measure: Measure, reason: str, now: datetime) -> list[Decision]:
    """The decision, and those about others that follow from it; what it does is done."""
    decision = Decision(
        case=case, person=case.person, by=staff, kind=measure.kind, reason=reason, at=now, until=_until(measure, now)
    )
    if measure.kind == Kind.ANNUL_GAME:
        return _annul(decision, measure, now)
    if measure.kind == Kind.RESET_NAME:
        assert case.person is not None  # noqa: S101 - a case of a game has no such measure
        old, before = case.person.shown_name, case.person.name
        decision.details = {"old": old, "before": before, "new": renaming.reset(case.person, now)}
    decision.save()
    if measure.kind == Kind.HIDE_LINES:
        _hide(decision, measure.lines)
    if measure.kind in RESTRICTIONS:
        settle(decision, now)
    _write_down(decision, staff, Act.DECIDED, now, why=reason)
    return [decision]


def _until(measure: Measure, now: datetime) -> datetime | None:
    if measure.kind == Kind.WARN:
        return now + WARNINGS_COUNT
    period = PERIODS[measure.period] if measure.kind in RESTRICTIONS else None
    return None if period is None else now + period


def _write_down(decision: Decision, staff: User, act: Act, now: datetime, *, why: str) -> None:
    audit.record(
        staff,
        act,
        now=now,
        person=decision.person,
        game=decision.game_id,
        why=why,
        case=decision.case_id,
        decision=decision.pk,
        kind=decision.kind,
        until=decision.until and decision.until.isoformat(),
        lines=list(decision.lines.values_list("pk", flat=True)),
        **decision.details,
    )


def _answer_reports(case: Case, measures: Sequence[Measure], answer: str, now: datetime) -> None:
    kinds = [each.kind for each in measures]
    outcome = Report.Outcome.DISMISSED if Kind.DISMISS in kinds else Report.Outcome.ACTED
    waiting = case.reports.filter(outcome=Report.Outcome.OPEN)
    telling.tell_reporters(list(waiting.exclude(by=None).values_list("by", flat=True)))
    waiting.update(outcome=outcome, answer=answer or words.answer_to_reporters(kinds), answered_at=now)


# What it does


def reports_of(case: Case) -> list[Report]:
    """With all that a decision can be about, the latest first."""
    rows = case.reports.select_related("by", "line__conversation", "game__table")
    return list(rows.order_by("-made_at", "-pk"))


def lines_to_hide(case: Case, reports: Iterable[Report]) -> list[ChatLine]:
    """What was reported, is the person's, and can still be read."""
    lines = {report.line.pk: report.line for report in reports if report.line is not None}
    theirs = [line for line in lines.values() if line.user_id == case.person_id and not line.hidden]
    return sorted(theirs, key=lambda line: (line.said_at, line.pk))


def games_to_annul(case: Case, reports: Iterable[Report]) -> list[Game]:
    """Those that were reported and count for ratings, or will when they end."""
    games = {game.pk: game for game in (case.game, *(report.game for report in reports)) if game is not None}
    return [games[pk] for pk in sorted(games) if _counts(games[pk])]


def _counts(game: Game) -> bool:
    table: Table | None = getattr(game, "table", None)
    is_rated = table is not None and table.rated and table.annulled_at is None
    return is_rated and game.status != Game.Status.ABORTED


def _hide(decision: Decision, wanted: Collection[int]) -> None:
    assert decision.case is not None  # noqa: S101 - it is made of one
    lines = [line for line in lines_to_hide(decision.case, reports_of(decision.case)) if line.pk in wanted]
    if len(lines) != len(set(wanted)):
        raise NothingToDo(
            "Some of these lines have been hidden in the meantime, or were not reported. Please look again."
        )
    for line in lines:
        chat.set_hidden(line, True)
    decision.lines.set(lines)


def _annul(decision: Decision, measure: Measure, now: datetime) -> list[Decision]:
    """Whoever played in it has another rating by that, so all of them are told, and each can appeal.

    Those of whom no report was are told that nothing is held against them.
    """
    case = decision.case
    assert case is not None  # noqa: S101 - it is made of one
    game = next((game for game in games_to_annul(case, reports_of(case)) if game.pk == measure.game), None)
    if game is None or not ratings.annul(game.pk, now):
        raise NothingToDo("This game does not count for any rating, so there is nothing to annul.")
    about = decision.person
    players = User.objects.filter(seats__game=game, is_guest=False).order_by("pk")
    whom: Iterable[User | None] = [about, *(one for one in players if one != about)] if about else players
    made = []
    for person in whom or [None]:
        is_bystander = about is not None and person != about
        made.append(
            Decision.objects.create(
                case=case,
                person=person,
                by=decision.by,
                kind=decision.kind,
                reason=words.TO_BYSTANDERS if is_bystander else decision.reason,
                at=now,
                game=game,
                details={"bystander": True} if is_bystander else {},
            )
        )
        if not is_bystander and decision.by is not None:
            _write_down(made[-1], decision.by, Act.DECIDED, now, why=decision.reason)
    return made


def settle(decision: Decision, now: datetime) -> None:
    """Mute or ban somebody until the last of all that was decided ends; nobody whom nothing holds any more."""
    person = decision.person
    assert person is not None  # noqa: S101 - games are neither muted nor banned
    # The race: another decision about them, of another case, is made or taken back. The lock comes before the question.
    limits.lock(person)
    ends = [
        until or restrictions.FOR_GOOD
        for until in Decision.objects.filter(in_force(now), person=person, kind=decision.kind).values_list(
            "until", flat=True
        )
    ]
    if decision.kind == Kind.MUTE:
        restrictions.mute(person, max(ends)) if ends else restrictions.lift_mute(person)
    else:
        restrictions.ban(person, max(ends), now=now) if ends else restrictions.lift_ban(person)


def in_force(now: datetime) -> Q:
    return Q(undone_at=None) & (Q(until=None) | Q(until__gt=now))


def has_ended(decision: Decision, now: datetime) -> bool:
    return decision.until is not None and decision.until <= now


# Taking it back


def undo(decision_id: int, staff: User, why: str, *, now: datetime) -> list[Decision]:
    """All that follows from a decision is as if it had not been made; its person is told why."""
    why = clean(why, "Say why it is taken back: the person reads it.")
    with locked(decision_id) as decision:
        require_standing(decision, now)
        cases.require_impartial(decision, staff)
        require_power_over(decision, staff)
        undone = take_back(decision, staff, why, now)
        _write_down(decision, staff, Act.UNDID, now, why=why)
        return undone


@contextmanager
def locked(decision_id: int) -> Iterator[Decision]:
    """Ours alone until the transaction ends: its case is locked first, since one decision may undo others of it."""
    with transaction.atomic():
        case_id = Decision.objects.filter(pk=decision_id).values_list("case", flat=True).first()
        list(Case.objects.select_for_update().filter(pk=case_id or 0))
        # Nothing is joined, see cases.locked.
        decision = Decision.objects.select_for_update().filter(pk=decision_id).first()
        if decision is None:
            raise NotToBeUndone("This decision is gone: the account it was about has been deleted.")
        yield decision


def require_standing(decision: Decision, now: datetime) -> None:
    if decision.kind == Kind.DISMISS:
        raise NotToBeUndone("Nothing was done here, so there is nothing to take back.")
    if decision.undone_at is not None:
        raise NotToBeUndone("This has already been taken back.")
    if has_ended(decision, now):
        raise NotToBeUndone("This has already ended by itself.")


def take_back(decision: Decision, staff: User, why: str, now: datetime) -> list[Decision]:
    """What was decided, and what followed from it for others; an appeal that waits is answered by it."""
    undone = [decision]
    if decision.kind == Kind.ANNUL_GAME:
        same = Decision.objects.filter(kind=decision.kind, game=decision.game_id, undone_at=None)
        undone = list(same.select_related("person").order_by("pk"))
    ids = [each.pk for each in undone]
    Decision.objects.filter(pk__in=ids).update(undone_at=now, undone_by=staff, undone_why=why)
    Appeal.objects.filter(decision__in=ids, outcome=Appeal.Outcome.OPEN).update(
        outcome=Appeal.Outcome.UNDONE, answer=why, answered_by=staff, answered_at=now
    )
    _reverse(decision, now)
    telling.tell(undone)
    return undone


def _reverse(decision: Decision, now: datetime) -> None:
    if decision.kind in RESTRICTIONS:
        settle(decision, now)
    elif decision.kind == Kind.HIDE_LINES:
        hidden_by_another = Decision.objects.filter(lines=OuterRef("pk"), undone_at=None)
        for line in decision.lines.select_related("conversation").exclude(Exists(hidden_by_another)):
            chat.set_hidden(line, False)
    elif decision.kind == Kind.ANNUL_GAME and decision.game_id is not None:
        ratings.count_again(decision.game_id)
    elif decision.kind == Kind.RESET_NAME and decision.person is not None:
        # Whoever was renamed again keeps that name.
        is_theirs = decision.person.name == decision.details["new"]
        given_back = is_theirs and renaming.give_back(decision.person, decision.details["before"], now)
        details = decision.details | {"given_back": given_back}
        Decision.objects.filter(pk=decision.pk).update(details=details)
