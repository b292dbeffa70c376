"""The queue of reports, and the page on which one case is decided."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern
from django.utils import timezone
from django.utils.timesince import timesince

from lobby.models import User
from lobby.restrictions import FOR_GOOD, moment
from moderation import appeals, cases, deciding
from moderation.admin.base import carry_out, staff_of
from moderation.admin.decisions import as_read
from moderation.admin.filters import Choice
from moderation.admin.worked import WORK, Worked
from moderation.cases import NotImpartial
from moderation.deciding import Measure
from moderation.forms_cases import DecisionForm
from moderation.models import Case, Decision, Report


class OpenOrClosed(Choice):
    title, parameter_name, usual = "state", "state", "open"
    options: ClassVar = {"open": "Open", "closed": "Decided"}

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        return Q(closed_at__isnull=chosen == "open")


class TakenOrFree(Choice):
    title, parameter_name = "taken by", "taken"
    options: ClassVar = {"free": "Nobody", "mine": "Me", "others": "Others"}

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        free, mine = cases.free(now), Q(taken_by=staff)
        return {"free": free, "mine": mine, "others": ~free & ~mine}[chosen]


class PersonOrGame(Choice):
    title, parameter_name = "about", "about"
    options: ClassVar = {"person": "A person", "game": "A game"}

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        return Q(game=None) if chosen == "person" else Q(person=None)


class KindOfReport(Choice):
    title, parameter_name = "kind of report", "kind"
    options: ClassVar = {kind.value: str(kind.label) for kind in Report.Kind}

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        return Q(pk__in=Report.objects.filter(kind=chosen).values("case"))


@admin.register(Case)
class CaseAdmin(Worked):
    """Open cases, the worst first."""

    list_display = ("about", "reasons", "reported", "waiting", "weight", "taken")
    list_filter = (OpenOrClosed, TakenOrFree, PersonOrGame, KindOfReport)
    list_display_links = ("about",)
    search_fields = ("person__name", "=game__id")
    search_help_text = "A person’s name, or a game’s number"
    ordering = ("-weight", "opened_at")
    change_list_template = "moderation/queue.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        return cases.queue(staff_of(request))

    @admin.display(description="about")
    def about(self, case: Case) -> str:
        return cases.name_of(case) if case.person else f"Game {case.game_id}"

    @admin.display(description="reported for")
    def reasons(self, case: Case) -> str:
        kinds = dict.fromkeys(Report.Kind(report.kind).label.partition(":")[0] for report in case.reports.all())
        return ", ".join(map(str, kinds)).capitalize()

    @admin.display(description="reports")
    def reported(self, case: Case) -> int:
        return len(case.reports.all())

    @admin.display(description="open for")
    def waiting(self, case: Case) -> str:
        return timesince(case.opened_at, case.closed_at or timezone.now(), depth=1)

    @admin.display(description="taken by")
    def taken(self, case: Case) -> str:
        if case.closed_at is not None:
            return f"decided by {case.taken_by.shown_name}" if case.taken_by else "decided"
        holder = cases.holder(case, timezone.now())
        return "nobody" if holder is None else holder.shown_name

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        words_of_page = {"title": "Reports", "appeals_waiting": appeals.waiting().count()}
        return super().changelist_view(request, {**(extra_context or {}), **words_of_page})

    # One case

    def get_urls(self) -> list[URLPattern]:
        return [
            self.action("<int:case_id>/take/", "case_take", self.take),
            self.action("<int:case_id>/let-go/", "case_let_go", self.let_go),
            self.action("<int:case_id>/decide/", "case_decide", self.decide),
            self.action("<int:case_id>/dismiss/", "case_dismiss", self.dismiss),
            *super().get_urls(),
        ]

    def show(self, request: HttpRequest, number: int) -> HttpResponse:
        return self._look(request, _case(number))

    def _look(
        self, request: HttpRequest, case: Case, form: DecisionForm | None = None, status: int = 200
    ) -> HttpResponse:
        """With what was typed, as far as it is still theirs to decide."""
        try:
            cases.look_at(case, staff_of(request), timezone.now())
        except NotImpartial as refusal:
            return self.not_for_them(request, refusal, case)
        return self._show(request, case, form, status)

    def _show(
        self, request: HttpRequest, case: Case, form: DecisionForm | None = None, status: int = 200
    ) -> HttpResponse:
        now, staff = timezone.now(), staff_of(request)
        holder = cases.holder(case, now)
        reports = deciding.reports_of(case)
        is_open = case.closed_at is None
        is_mine = is_open and case.taken_by == staff and request.user.has_perm(WORK)
        # Those who merely played along are told, and nothing is held against them.
        about = Q(case=case) & ~Q(details__has_key="bystander")
        decisions = as_read(Decision.objects.filter(about | Q(person=case.person_id or 0)), now)
        seen = max((report.pk for report in reports), default=0)
        if form is None:
            form = DecisionForm(case, reports, initial={"seen": seen}) if is_mine else None
        else:
            # What came in meanwhile is before them now.
            data = request.POST.copy()
            data["seen"] = str(seen)
            form.data = data
        return self.page(
            request,
            "case",
            f"Reports about {cases.name_of(case)}",
            status,
            case=case,
            person=case.person,
            reports=reports,
            holder=holder,
            is_open=is_open,
            is_mine=is_mine,
            form=form if is_mine else None,
            restricted=_restrictions(case.person, now),
            decisions=[each for each in decisions if each["row"].case_id == case.pk],
            earlier=[each for each in decisions if each["row"].case_id != case.pk and cases.counts(each["row"], now)],
        )

    # What is done there

    def take(self, request: HttpRequest, case_id: int) -> HttpResponse:
        return self._done(
            request, case_id, "take", cases.take, "The case is yours for four hours. Please decide it or let it go."
        )

    def let_go(self, request: HttpRequest, case_id: int) -> HttpResponse:
        return self._done(request, case_id, "let go", cases.let_go, "Others can take it now.")

    def _done(
        self, request: HttpRequest, case_id: int, wanted: str, service: Callable[..., None], said: str
    ) -> HttpResponse:
        case = _case(case_id)

        def act() -> str:
            service(case.pk, staff_of(request), now=timezone.now())
            return said

        carry_out(request, act, f"{wanted} case {case.pk}", person=case.person, game=case.game_id)
        return redirect("admin:moderation_case_change", case.pk)

    def decide(self, request: HttpRequest, case_id: int) -> HttpResponse:
        case = _case(case_id)
        form = DecisionForm(case, deciding.reports_of(case), request.POST)
        if not form.is_valid():
            return self._look(request, case, form, 400)
        return self._decide(request, case, form, form.measures(), "Decided. Everybody concerned is told.")

    def dismiss(self, request: HttpRequest, case_id: int) -> HttpResponse:
        case = _case(case_id)
        form = DecisionForm(case, deciding.reports_of(case), request.POST)
        if not form.is_valid():
            return self._look(request, case, form, 400)
        measures = form.measures()
        if measures:
            form.add_error(None, "To dismiss the reports, choose nothing else to be done.")
            return self._look(request, case, form, 400)
        dismissed = [Measure(Decision.Kind.DISMISS)]
        return self._decide(request, case, form, dismissed, "Dismissed. Those who reported are told.")

    def _decide(
        self, request: HttpRequest, case: Case, form: DecisionForm, measures: list[Measure], said: str
    ) -> HttpResponse:
        words_of_form = form.cleaned_data

        def act() -> str:
            deciding.decide(
                case.pk,
                staff_of(request),
                measures,
                words_of_form["reason"],
                words_of_form["answer"],
                seen=words_of_form["seen"],
                now=timezone.now(),
            )
            return said

        if carry_out(request, act, f"decide case {case.pk}", person=case.person, game=case.game_id):
            return redirect("admin:moderation_case_change", case.pk)
        return self._look(request, _case(case.pk), form, 409)


def _case(number: int) -> Case:
    return get_object_or_404(Case.objects.select_related("person", "game__table", "taken_by"), pk=number)


def _restrictions(person: User | None, now: datetime) -> list[str]:
    """What holds now, whatever it came from."""
    if person is None:
        return []
    found = []
    for name, until in (("muted", person.muted_until), ("banned", person.banned_until)):
        if until is not None and until > now:
            found.append(f"{name} for good" if until == FOR_GOOD else f"{name} until {moment(until)}")
    return found
