"""People are told what moderators decided: on a page of their own, which the header of every page leads to until they
have read it, and by mail if they have a confirmed address. No wish of theirs about notices changes that.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final

from celery import current_app
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Exists, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse

from games.clocks import LATER
from lobby.models import User
from lobby.notices import links, mail
from moderation import words
from moderation.models import Decision

SUBJECT: Final = "A message from the moderators of Online Catan"


def told(person: User) -> QuerySet[Decision]:
    """What somebody reads. That reports of them were dismissed is not among it: they need not know that there were."""
    decisions = Decision.objects.filter(person=person).exclude(kind=Decision.Kind.DISMISS)
    return decisions.select_related("person", "game", "appeal").prefetch_related("lines").order_by("-at", "-pk")


def tell(decisions: Iterable[Decision]) -> None:
    """After the commit, those whom they are about. Of a decision that has changed they have not read the news."""
    by_person: dict[int, list[int]] = {}
    for decision in decisions:
        if decision.person_id is not None and decision.kind != Decision.Kind.DISMISS:
            by_person.setdefault(decision.person_id, []).append(decision.pk)
    Decision.objects.filter(pk__in=[pk for pks in by_person.values() for pk in pks]).update(read_at=None)
    # Not within the transaction: who reports somebody holds their own row and waits for the case that we hold.
    transaction.on_commit(lambda: _mark(by_person), robust=True)
    transaction.on_commit(lambda: _queue_mails(by_person.values()), robust=True)


def tell_reporters(people: Collection[int]) -> None:
    transaction.on_commit(lambda: _mark(people), robust=True)


def _mark(people: Collection[int]) -> None:
    User.objects.filter(pk__in=list(people)).update(has_moderators_news=True)


def _queue_mails(of_people: Iterable[list[int]]) -> None:
    """Whoever decides does not wait for a mail server; nor do games."""
    for decisions in of_people:
        current_app.send_task("moderation.tasks.mail_decisions", [decisions], priority=LATER, retry=False)


def note_read(person: User, decisions: Iterable[Decision], now: datetime) -> None:
    """These are before them. What has been decided since their page was read is news still."""
    unread = [each.pk for each in decisions if each.read_at is None]
    if unread:
        Decision.objects.filter(pk__in=unread, read_at=None).update(read_at=now)
    if person.has_moderators_news:
        still_unread = told(person).filter(read_at=None)
        User.objects.filter(~Exists(still_unread), pk=person.pk).update(has_moderators_news=False)


def send_mail(ids: Collection[int], now: datetime) -> bool:
    """One mail about decisions of one person, as they are now; nothing without a confirmed address."""
    decisions = list(Decision.objects.filter(pk__in=ids).select_related("person", "appeal").order_by("pk"))
    person = decisions[0].person if decisions else None
    address = mail.address_of(person) if person is not None else None
    if person is None or address is None:
        return False
    context = {
        "name": person.shown_name,
        "decisions": [
            {"row": each, "title": words.title(each, now), "effect": words.effect(each, now)} for each in decisions
        ],
        "address": links.absolute(reverse("decisions")),
    }
    body = render_to_string("moderation/mail.txt", context)
    EmailMessage(subject=SUBJECT, body=body, to=[address], headers={"Auto-Submitted": "auto-generated"}).send()
    return True
