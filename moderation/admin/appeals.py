"""Appeals against decisions, the oldest first, and the page on which one is answered."""

from datetime import datetime
from typing import ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern
from django.utils import timezone

from games.rules import Refusal
from lobby.models import User
from moderation import appeals, cases
from moderation.admin.base import carry_out, staff_of
from moderation.admin.decisions import as_read
from moderation.admin.filters import Choice
from moderation.admin.worked import Worked
from moderation.cases import NotImpartial
from moderation.forms_cases import AnswerForm
from moderation.models import Appeal, Decision


class WaitingOrAnswered(Choice):
    title, parameter_name, usual = "state", "state", "waiting"
    options: ClassVar = {"waiting": "Waiting", "answered": "Answered"}

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        return Q(outcome="") if chosen == "waiting" else ~Q(outcome="")


@admin.register(Appeal)
class AppealAdmin(Worked):
    """Those that wait, the oldest first."""

    list_display = ("whom", "against", "made", "decided_by", "outcome")
    list_filter = (WaitingOrAnswered,)
    search_fields = ("decision__person__name",)
    ordering = ("made_at", "id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Appeal]:
        rows = Appeal.objects.select_related("decision__person", "decision__game", "decision__by", "answered_by")
        return rows.exclude(decision__person=staff_of(request))

    @admin.display(description="by")
    def whom(self, appeal: Appeal) -> str:
        return appeal.decision.person.shown_name if appeal.decision.person else "somebody"

    @admin.display(description="against")
    def against(self, appeal: Appeal) -> str:
        return appeal.decision.get_kind_display()

    @admin.display(description="made")
    def made(self, appeal: Appeal) -> datetime:
        return appeal.made_at

    @admin.display(description="decided by")
    def decided_by(self, appeal: Appeal) -> str:
        return appeal.decision.by.shown_name if appeal.decision.by else "somebody"

    def get_urls(self) -> list[URLPattern]:
        return [
            self.action("<int:appeal_id>/uphold/", "appeal_uphold", self.uphold),
            self.action("<int:appeal_id>/undo/", "appeal_undo", self.undo),
            *super().get_urls(),
        ]

    def show(self, request: HttpRequest, number: int) -> HttpResponse:
        return self._show(request, _appeal(number))

    def _show(
        self, request: HttpRequest, appeal: Appeal, form: forms.Form | None = None, status: int = 200
    ) -> HttpResponse:
        now, staff, decision = timezone.now(), staff_of(request), appeal.decision
        why_not = ""
        try:
            cases.look_at(decision, staff, now)
            appeals.require_answerer(decision, staff, now)
        except NotImpartial as refusal:
            return self.not_for_them(request, refusal, decision)
        except Refusal as refusal:
            why_not = refusal.sentence
        return self.page(
            request,
            "appeal_for_staff",
            f"Appeal by {self.whom(appeal)}",
            status,
            appeal=appeal,
            decision=decision,
            shown=as_read(Decision.objects.filter(pk=decision.pk), now),
            is_open=appeal.outcome == Appeal.Outcome.OPEN,
            is_own=decision.by_id == staff.pk,
            why_not=why_not,
            form=form or AnswerForm(),
        )

    def uphold(self, request: HttpRequest, appeal_id: int) -> HttpResponse:
        return self._answer(request, appeal_id, undo=False)

    def undo(self, request: HttpRequest, appeal_id: int) -> HttpResponse:
        return self._answer(request, appeal_id, undo=True)

    def _answer(self, request: HttpRequest, appeal_id: int, *, undo: bool) -> HttpResponse:
        appeal, form = _appeal(appeal_id), AnswerForm(request.POST)
        if not form.is_valid():
            return self._show(request, appeal, form, 400)

        def act() -> str:
            appeals.answer(appeal.pk, staff_of(request), form.cleaned_data["answer"], undo=undo, now=timezone.now())
            return "Taken back. The person is told." if undo else "The decision stands. The person is told."

        about = appeal.decision
        if carry_out(request, act, f"answer appeal {appeal.pk}", person=about.person, game=about.game_id):
            return redirect("admin:moderation_appeal_change", appeal.pk)
        return self._show(request, _appeal(appeal_id), form, 409)


def _appeal(number: int) -> Appeal:
    rows = Appeal.objects.select_related(
        "decision__case__person", "decision__person", "decision__game", "decision__by", "answered_by"
    )
    return get_object_or_404(rows, pk=number)
