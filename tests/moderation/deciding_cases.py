"""People who are reported, and moderators who decide."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.test import Client
from django.utils import timezone

from games.models import Game
from lobby.models import ChatLine, Conversation, User
from moderation import cases, deciding
from moderation.deciding import Measure
from moderation.models import Case, Decision, Report
from tests.staff import browser_of, make_staff

Kind = Decision.Kind
WARN = Measure(Kind.WARN)
DISMISS = Measure(Kind.DISMISS)


def moderator(name: str = "Mona", group: str = "moderator") -> User:
    return make_staff(User.objects.create_user(name.lower(), name=name), group)


def case_of(
    about: User | Game,
    by: Sequence[User] = (),
    *,
    kind: str = "abuse",
    game: Game | None = None,
    line: ChatLine | None = None,
    weight: int = 10,
    at: datetime | None = None,
) -> Case:
    """Reported by these people, or by somebody who has gone."""
    at = at or timezone.now()
    who = {"person": about} if isinstance(about, User) else {"game": about}
    case, _ = Case.objects.get_or_create(**who, closed_at=None, defaults={"opened_at": at, "weight": weight})
    for reporter in by or [None]:
        report(case, reporter, kind=kind, game=game, line=line, at=at)
    return case


def report(
    case: Case, by: User | None = None, *, at: datetime | None = None, kind: str = "abuse", **more: Any
) -> Report:
    return Report.objects.create(
        case=case, by=by, kind=kind, text="That hurt.", made_at=at or timezone.now(), evidence={"about": {}}, **more
    )


def line_of(person: User, text: str = "You sheep!") -> ChatLine:
    conversation = Conversation.objects.filter(game__isnull=False).first()
    if conversation is None:
        from tests.games.playing import new_game

        conversation = Conversation.objects.create(game=new_game(users=[person]), audience="players")
    number = conversation.lines.count() + 1
    return ChatLine.objects.create(
        conversation=conversation,
        number=number,
        user=person,
        name=person.shown_name,
        text=text,
        said_at=timezone.now(),
    )


def last_seen(case: Case) -> int:
    return max(case.reports.values_list("pk", flat=True), default=0)


def decide(case: Case, by: User, *measures: Measure, reason: str = "Be kind.", **more: Any) -> list[Decision]:
    """Taken, and decided."""
    now = more.pop("now", None) or timezone.now()
    cases.take(case.pk, by, now=now)
    more.setdefault("seen", last_seen(case))
    return deciding.decide(case.pk, by, measures or [WARN], reason, now=now, **more)


def address(name: str, pk: int) -> str:
    from django.urls import reverse

    return reverse(f"admin:moderation_{name}", args=[pk])


def press(staff: User | Client, name: str, pk: int, **sent: Any) -> Any:
    browser = staff if isinstance(staff, Client) else browser_of(staff)
    return browser.post(address(name, pk), sent)


def page(staff: User | Client, name: str, pk: int) -> Any:
    browser = staff if isinstance(staff, Client) else browser_of(staff)
    return browser.get(address(name, pk))
