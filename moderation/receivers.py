"""What the lobby tells, and Django: somebody comes, has an account after all, goes, or asks what is kept of them."""

from datetime import datetime
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from lobby import signals
from lobby.guests import address_of
from lobby.models import User
from moderation import addresses, evidence, reporting
from moderation.models import Appeal, Case, Decision, Report


@receiver(user_logged_in)
def note_sign_in(request: HttpRequest, user: User, **_: Any) -> None:
    addresses.note(user.pk, address_of(request), timezone.now())


@receiver(signals.visited)
def note_visit(person: User, address: str, now: datetime, **_: Any) -> None:
    addresses.note(person.pk, address, now)


@receiver(signals.person_moving)
def take_along(guest: User, account: User, **_: Any) -> None:
    reporting.move(guest, account)


@receiver(signals.person_leaving)
def forget(person: User, **_: Any) -> None:
    """Cases about them go with their row: whoever reports them in this moment waits, and then finds nobody.

    Their own reports stay, and are nobody's. These too are locked before games and people, as when a case is decided.
    """
    list(Case.objects.select_for_update(no_key=True).filter(person=person).order_by("pk"))
    list(Report.objects.select_for_update(no_key=True).filter(by=person).order_by("pk").values_list("pk"))
    evidence.forget(person)


@receiver(signals.person_asking)
def tell_what_is_kept(person: User, **_: Any) -> dict[str, Any]:
    """Not what others have reported of them: who did is for nobody to work out."""
    return {
        "reports": [
            {"about": about["name"], "kind": kind, "text": text, "sent": made_at, "outcome": outcome, "answer": answer}
            for about, kind, text, made_at, outcome, answer in person.reports.order_by("pk").values_list(
                "evidence__about", "kind", "text", "made_at", "outcome", "answer"
            )
        ],
        "moderators_decisions": list(
            person.decisions.exclude(kind=Decision.Kind.DISMISS)
            .order_by("pk")
            .values("kind", "reason", "at", "until", "undone_at", "undone_why")
        ),
        "appeals": list(
            Appeal.objects.filter(decision__person=person)
            .order_by("pk")
            .values("text", "made_at", "outcome", "answer", "answered_at")
        ),
    }
