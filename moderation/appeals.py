"""What somebody says against a decision about them, once, and what a moderator answers."""

from datetime import datetime

from django.db.models import Q, QuerySet

from games.rules import Refusal
from games.rules.refusals import Forbidden
from lobby import restrictions
from lobby.models import User
from moderation import audit, cases, deciding, people, telling
from moderation.audit import Act
from moderation.models import Appeal, Decision

#: By whom permissions are looked up; the site has several backends.
BACKEND = "django.contrib.auth.backends.ModelBackend"


class CannotAppeal(Refusal):
    code = "cannot_appeal"


class AppealAnswered(Refusal):
    code = "appeal_answered"


class OwnDecision(Forbidden):
    code = "own_decision"


# Appealing


def why_not(decision: Decision, now: datetime) -> str:
    """Why nobody can appeal this; nothing if its person can."""
    if decision.kind == Decision.Kind.DISMISS:
        return "Nothing was done here, so there is nothing to appeal."
    if hasattr(decision, "appeal"):
        return "You have already appealed this: each decision can be appealed once."
    if decision.undone_at is not None:
        return "This has been taken back, so there is nothing left to appeal."
    if deciding.has_ended(decision, now):
        return "This has already ended, so there is nothing left to appeal."
    return ""


def appeal(person: User, decision_id: int, text: str, *, now: datetime) -> Appeal:
    """``Decision.DoesNotExist`` for one that is not about them."""
    text = deciding.clean(text, "Please say why you think that this is wrong.")
    with deciding.locked(decision_id) as decision:
        if decision.person_id != person.pk:
            raise Decision.DoesNotExist
        # The race: two tabs send one. The second waits for the lock, and finds the first.
        if sentence := why_not(decision, now):
            raise CannotAppeal(sentence)
        return Appeal.objects.create(decision=decision, text=text, made_at=now)


# Answering


def waiting() -> QuerySet[Appeal]:
    return Appeal.objects.filter(outcome=Appeal.Outcome.OPEN)


def require_answerer(decision: Decision, staff: User, now: datetime) -> None:
    """Not whoever decided, as long as there is somebody else who can; nor a moderator what administrators decide."""
    deciding.require_power_over(decision, staff)
    if decision.by_id == staff.pk and others_who_can(decision, staff, now).exists():
        raise OwnDecision("You made this decision, so another moderator answers the appeal.")


def others_who_can(decision: Decision, staff: User, now: datetime) -> QuerySet[User]:
    able = User.objects.with_perm("moderation.work_cases", backend=BACKEND)
    others = able.filter(is_staff=True, is_active=True).exclude(pk__in=[staff.pk, decision.person_id or 0])
    # Whoever is banned comes nowhere near an appeal.
    others = others.exclude(pk__in=restrictions.the_banned(now))
    if decision.kind in deciding.RESTRICTIONS and deciding.is_of_staff(decision.person):
        others = others.filter(people.ADMINISTRATORS)
    if decision.case_id is None:
        return others
    return others.exclude(Q(reports__case=decision.case_id) | Q(seats__game__reports__case=decision.case_id))


def answer(appeal_id: int, staff: User, sentence: str, *, undo: bool, now: datetime) -> Appeal:
    """The decision stands or is taken back; either is told to its person."""
    sentence = deciding.clean(sentence, "Please write an answer: the person reads it.")
    decision_id = Appeal.objects.filter(pk=appeal_id).values_list("decision", flat=True).first()
    with deciding.locked(decision_id or 0) as decision:
        # The race: two answer at once. The second waits for the lock, and finds it answered.
        row = Appeal.objects.get(pk=appeal_id)
        if row.outcome != Appeal.Outcome.OPEN:
            raise AppealAnswered("This appeal has already been answered, so nothing was changed.")
        cases.require_impartial(decision, staff)
        require_answerer(decision, staff, now)
        if undo:
            # It may have ended by itself meanwhile; then it is still put right that it was made.
            deciding.take_back(decision, staff, sentence, now)
        else:
            Appeal.objects.filter(pk=row.pk).update(
                outcome=Appeal.Outcome.UPHELD, answer=sentence, answered_by=staff, answered_at=now
            )
            telling.tell([decision])
        row.refresh_from_db()
        audit.record(
            staff,
            Act.ANSWERED_APPEAL,
            now=now,
            person=decision.person,
            game=decision.game_id,
            why=sentence,
            case=decision.case_id,
            decision=decision.pk,
            outcome=row.outcome,
        )
        return row
