"""What the moderators have decided about somebody, for that person: to read, and to appeal."""

from datetime import datetime
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.rules import Refusal
from games.web import status_of
from lobby.models import User
from moderation import appeals, deciding, telling, words
from moderation.models import LONGEST_TEXT, Decision, Report

#: Answers to one's reports that are shown beside what was decided.
MOST_ANSWERS: Final = 10


class AppealForm(forms.Form):
    text = forms.CharField(
        label="Say why",
        help_text="A moderator answers here: not the one who decided, if there is another. You can appeal once.",
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"rows": 6}),
        error_messages={"required": "Please say why you think that this is wrong."},
    )


@never_cache
@login_required
@require_safe
def decisions(request: HttpRequest) -> HttpResponse:
    person, now = _person(request), timezone.now()
    found = list(telling.told(person))
    answered = Report.objects.filter(by=person).exclude(outcome=Report.Outcome.OPEN).order_by("-answered_at", "-pk")
    shown = {
        "decisions": [_shown(decision, now) for decision in found],
        "answers": answered[:MOST_ANSWERS],
    }
    page = render(request, "moderation/decisions.html", shown)
    telling.note_read(person, found, now)
    return page


@never_cache
@login_required
@require_safe
def decision(request: HttpRequest, decision_id: int) -> HttpResponse:
    found = _decision(request, decision_id)
    page = _page(request, found, AppealForm())
    telling.note_read(_person(request), [found], timezone.now())
    return page


@never_cache
@login_required
@require_POST
def appeal(request: HttpRequest, decision_id: int) -> HttpResponse:
    found, form = _decision(request, decision_id), AppealForm(request.POST)
    status = 400
    if form.is_valid():
        try:
            appeals.appeal(_person(request), found.pk, form.cleaned_data["text"], now=timezone.now())
            messages.success(request, "Your appeal is with the moderators. The answer will be here.")
            return redirect("decision", found.pk)
        except Refusal as refusal:
            messages.warning(request, refusal.sentence)
            status = status_of(refusal)
    return _page(request, _decision(request, decision_id), form, status)


def _page(request: HttpRequest, found: Decision, form: AppealForm, status: int = 200) -> HttpResponse:
    now = timezone.now()
    shown = {**_shown(found, now), "form": form, "why_not": appeals.why_not(found, now)}
    return render(request, "moderation/decision.html", shown, status=status)


def _shown(found: Decision, now: datetime) -> dict[str, Any]:
    return {
        "decision": found,
        "title": words.title(found, now),
        "effect": words.effect(found, now),
        "appeal": getattr(found, "appeal", None),
        "is_new": found.read_at is None,
        "has_ended": deciding.has_ended(found, now),
    }


def _decision(request: HttpRequest, decision_id: int) -> Decision:
    return get_object_or_404(telling.told(_person(request)), pk=decision_id)


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user
