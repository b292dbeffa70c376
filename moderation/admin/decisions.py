"""What was decided, as moderators read it; each decision can be taken back on its page."""

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern
from django.utils import timezone

from games.rules import Refusal
from lobby.restrictions import moment
from moderation import cases, deciding
from moderation.admin.base import carry_out, staff_of
from moderation.admin.worked import Worked
from moderation.cases import NotImpartial
from moderation.forms_cases import WhyForm
from moderation.models import Decision


@admin.register(Decision)
class DecisionAdmin(Worked):
    """What was decided; each can be taken back on its page."""

    list_display = ("kind", "whom", "decided", "ends", "decided_by", "undone")
    list_filter = ("kind",)
    search_fields = ("person__name",)
    ordering = ("-at", "-id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Decision]:
        return Decision.objects.exclude(person=staff_of(request)).select_related("person", "game", "by")

    @admin.display(description="about")
    def whom(self, decision: Decision) -> str:
        return decision.person.shown_name if decision.person else f"game {decision.game_id}"

    @admin.display(description="decided")
    def decided(self, decision: Decision) -> datetime:
        return decision.at

    @admin.display(description="until")
    def ends(self, decision: Decision) -> str:
        return moment(decision.until) if decision.until else ""

    @admin.display(description="taken back")
    def undone(self, decision: Decision) -> datetime | None:
        return decision.undone_at

    @admin.display(description="by")
    def decided_by(self, decision: Decision) -> str:
        return decision.by.shown_name if decision.by else "somebody"

    def get_urls(self) -> list[URLPattern]:
        return [
            self.action("<int:decision_id>/undo/", "decision_undo", self.undo),
            *super().get_urls(),
        ]

    def show(self, request: HttpRequest, number: int) -> HttpResponse:
        return self._show(request, _decision(number))

    def _show(
        self, request: HttpRequest, decision: Decision, form: forms.Form | None = None, status: int = 200
    ) -> HttpResponse:
        now, why_not = timezone.now(), ""
        try:
            cases.look_at(decision, staff_of(request), now)
            deciding.require_standing(decision, now)
            deciding.require_power_over(decision, staff_of(request))
        except NotImpartial as refusal:
            return self.not_for_them(request, refusal, decision)
        except Refusal as refusal:
            why_not = refusal.sentence
        return self.page(
            request,
            "decision_for_staff",
            f"{decision.get_kind_display().partition(':')[0]}: {self.whom(decision)}",
            status,
            decision=decision,
            shown=as_read(Decision.objects.filter(pk=decision.pk), now),
            why_not=why_not,
            form=form or WhyForm(),
        )

    def undo(self, request: HttpRequest, decision_id: int) -> HttpResponse:
        decision = _decision(decision_id)
        form = WhyForm(request.POST)
        if not form.is_valid():
            return self._show(request, decision, form, 400)

        def act() -> str:
            deciding.undo(decision.pk, staff_of(request), form.cleaned_data["why"], now=timezone.now())
            return "Taken back. The person is told why."

        if carry_out(request, act, f"undo decision {decision.pk}", person=decision.person, game=decision.game_id):
            return redirect("admin:moderation_decision_change", decision.pk)
        return self._show(request, _decision(decision_id), form, 409)


def _decision(number: int) -> Decision:
    rows = Decision.objects.select_related("case__person", "person", "game", "by", "appeal")
    return get_object_or_404(rows, pk=number)


def as_read(decisions: QuerySet[Decision], now: datetime) -> list[dict[str, Any]]:
    """With how each stands."""
    rows = (
        decisions.select_related("by", "undone_by", "game", "appeal").prefetch_related("lines").order_by("-at", "-pk")
    )
    return [{"row": row, "state": _state(row, now), "appeal": getattr(row, "appeal", None)} for row in rows]


def _state(decision: Decision, now: datetime) -> str:
    if decision.undone_at is not None:
        return "taken back"
    if deciding.has_ended(decision, now):
        return "has ended"
    if decision.kind in deciding.RESTRICTIONS and decision.until is None:
        return "for good"
    return f"until {moment(decision.until)}" if decision.until else ""
