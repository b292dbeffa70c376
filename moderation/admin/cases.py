"""The queue of reports, the page on which one case is decided, and the appeals that wait."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, ClassVar, Final

from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.timesince import timesince
from django.views.decorators.http import require_POST

from games.rules import Refusal
from lobby.models import User
from lobby.restrictions import FOR_GOOD, moment
from moderation import appeals, audit, cases, deciding
from moderation.admin.base import ShownAlone, carry_out, staff_of
from moderation.audit import Act
from moderation.cases import NotImpartial
from moderation.deciding import Measure
from moderation.forms_cases import AnswerForm, DecisionForm, WhyForm
from moderation.models import Appeal, Case, Decision, Report

WORK: Final = "moderation.work_cases"


# Filters


class Choice(admin.SimpleListFilter):
    """A filter with a sensible choice from the start instead of everything."""

    usual: ClassVar[str] = ""
    options: ClassVar[dict[str, str]]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(value, name) for value, name in self.options.items()]

    def chosen(self) -> str:
        value = self.value() or self.usual
        return value if value in self.options else "all"

    def choices(self, changelist: ChangeList) -> Any:
        """The usual one comes first."""
        every = {"all": "All"}
        for value, said in (self.options | every if self.usual else every | self.options).items():
            yield {
                "selected": self.chosen() == value,
                "query_string": changelist.get_query_string({str(self.parameter_name): value}),
                "display": said,
            }


class OpenOrClosed(Choice):
    title, parameter_name, usual = "state", "state", "open"
    options: ClassVar = {"open": "Open", "closed": "Decided"}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Case]) -> QuerySet[Case]:
        wanted = {"open": Q(closed_at=None), "closed": Q(closed_at__isnull=False)}
        return queryset.filter(wanted.get(self.chosen(), Q()))


class TakenOrFree(Choice):
    title, parameter_name = "taken by", "taken"
    options: ClassVar = {"free": "Nobody", "mine": "Me", "others": "Others"}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Case]) -> QuerySet[Case]:
        free, mine = cases.free(timezone.now()), Q(taken_by=staff_of(request))
        wanted = {"free": free, "mine": mine, "others": ~free & ~mine}
        return queryset.filter(wanted.get(self.chosen(), Q()))


class PersonOrGame(Choice):
    title, parameter_name = "about", "about"
    options: ClassVar = {"person": "A person", "game": "A game"}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Case]) -> QuerySet[Case]:
        wanted = {"person": Q(game=None), "game": Q(person=None)}
        return queryset.filter(wanted.get(self.chosen(), Q()))


class KindOfReport(Choice):
    title, parameter_name = "kind of report", "kind"
    options: ClassVar = {kind.value: str(kind.label) for kind in Report.Kind}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Case]) -> QuerySet[Case]:
        if self.chosen() == "all":
            return queryset
        return queryset.filter(pk__in=Report.objects.filter(kind=self.chosen()).values("case"))


class WaitingOrAnswered(Choice):
    title, parameter_name, usual = "state", "state", "waiting"
    options: ClassVar = {"waiting": "Waiting", "answered": "Answered"}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Appeal]) -> QuerySet[Appeal]:
        wanted = {"waiting": Q(outcome=""), "answered": ~Q(outcome="")}
        return queryset.filter(wanted.get(self.chosen(), Q()))


# What all these pages share


class Worked(ShownAlone):
    """Rows with a page of their own, on which something can be done about them."""

    actions = None
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER
    show_full_result_count = False

    def _action(self, address: str, name: str, view: Callable[..., HttpResponse]) -> URLPattern:
        return path(address, self.admin_site.admin_view(self._pressed(view)), name=name)

    def _pressed(self, view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        """Something is done: it is sent, by somebody who may."""

        @require_POST
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.has_perm(WORK):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return answer

    def _page(self, request: HttpRequest, template: str, title: str, status: int = 200, **shown: Any) -> HttpResponse:
        shown = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": title,
            "may_work": request.user.has_perm(WORK),
            **shown,
        }
        return render(request, f"moderation/{template}.html", shown, status=status)

    def _require_sight(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied

    def _not_for_them(self, request: HttpRequest, refusal: Refusal, matter: Case | Decision) -> HttpResponse:
        audit.record(
            staff_of(request),
            Act.WAS_REFUSED,
            now=timezone.now(),
            person=matter.person,
            game=matter.game_id,
            why=refusal.sentence,
            wanted=f"look at {matter}",
        )
        return self._page(request, "not_yours", "Not for you", status=403, sentence=refusal.sentence)


# The queue


@admin.register(Case)
class CaseAdmin(Worked):
    """Open cases, the worst first."""

    list_display = ("about", "reasons", "reported", "waiting", "weight", "taken")
    list_filter = (OpenOrClosed, TakenOrFree, PersonOrGame, KindOfReport)
    list_display_links = ("about",)
    search_fields = ("person__name", "=game__id")
    search_help_text = "A person’s name, or a game’s number"
    ordering = ("-weight", "opened_at")
    sortable_by = ()

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

    change_list_template = "moderation/queue.html"

    # One case

    def get_urls(self) -> list[URLPattern]:
        return [
            self._action("<int:case_id>/take/", "moderation_case_take", self.take),
            self._action("<int:case_id>/let-go/", "moderation_case_let_go", self.let_go),
            self._action("<int:case_id>/decide/", "moderation_case_decide", self.decide),
            self._action("<int:case_id>/dismiss/", "moderation_case_dismiss", self.dismiss),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        self._require_sight(request)
        case = self._case(object_id)
        try:
            cases.look_at(case, staff_of(request), timezone.now())
        except NotImpartial as refusal:
            return self._not_for_them(request, refusal, case)
        return self._show(request, case)

    def _case(self, case_id: int | str) -> Case:
        try:
            return get_object_or_404(Case.objects.select_related("person", "game__table", "taken_by"), pk=case_id)
        except ValueError as error:
            raise Http404 from error

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
        decisions = _shown(Decision.objects.filter(about | Q(person=case.person_id or 0)), now)
        seen = max((report.pk for report in reports), default=0)
        if form is None:
            form = DecisionForm(case, reports, initial={"seen": seen}) if is_mine else None
        else:
            # What came in meanwhile is before them now.
            data = request.POST.copy()
            data["seen"] = str(seen)
            form.data = data
        return self._page(
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
        case = self._case(case_id)

        def act() -> str:
            service(case.pk, staff_of(request), now=timezone.now())
            return said

        carry_out(request, act, f"{wanted} case {case.pk}", person=case.person, game=case.game_id)
        return redirect("admin:moderation_case_change", case.pk)

    def decide(self, request: HttpRequest, case_id: int) -> HttpResponse:
        case = self._case(case_id)
        form = DecisionForm(case, deciding.reports_of(case), request.POST)
        if not form.is_valid():
            return self._again(request, case, form, 400)
        return self._decide(request, case, form, form.measures(), "Decided. Everybody concerned is told.")

    def dismiss(self, request: HttpRequest, case_id: int) -> HttpResponse:
        case = self._case(case_id)
        form = DecisionForm(case, deciding.reports_of(case), request.POST)
        if not form.is_valid():
            return self._again(request, case, form, 400)
        measures = form.measures()
        if measures:
            form.add_error(None, "To dismiss the reports, choose nothing else to be done.")
            return self._again(request, case, form, 400)
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
        return self._again(request, self._case(case.pk), form, 409)

    def _again(self, request: HttpRequest, case: Case, form: DecisionForm, status: int) -> HttpResponse:
        """With what was typed, as far as it is still theirs to decide."""
        try:
            cases.look_at(case, staff_of(request), timezone.now())
        except NotImpartial as refusal:
            return self._not_for_them(request, refusal, case)
        return self._show(request, case, form, status)


def _shown(decisions: QuerySet[Decision], now: datetime) -> list[dict[str, Any]]:
    """As moderators read them."""
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


def _restrictions(person: User | None, now: datetime) -> list[str]:
    """What holds now, whatever it came from."""
    if person is None:
        return []
    found = []
    for name, until in (("muted", person.muted_until), ("banned", person.banned_until)):
        if until is not None and until > now:
            found.append(f"{name} for good" if until == FOR_GOOD else f"{name} until {moment(until)}")
    return found


# Decisions, and appeals against them


@admin.register(Decision)
class DecisionAdmin(Worked):
    """What was decided; each can be taken back on its page."""

    list_display = ("kind", "whom", "decided", "ends", "decided_by", "undone")
    list_filter = ("kind",)
    search_fields = ("person__name",)
    ordering = ("-at", "-id")
    sortable_by = ()

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
            self._action("<int:decision_id>/undo/", "moderation_decision_undo", self.undo),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        self._require_sight(request)
        return self._show(request, _decision(object_id))

    def _show(
        self, request: HttpRequest, decision: Decision, form: forms.Form | None = None, status: int = 200
    ) -> HttpResponse:
        now, why_not = timezone.now(), ""
        try:
            cases.look_at(decision, staff_of(request), now)
            deciding.require_standing(decision, now)
        except NotImpartial as refusal:
            return self._not_for_them(request, refusal, decision)
        except Refusal as refusal:
            why_not = refusal.sentence
        return self._page(
            request,
            "decision_for_staff",
            f"{decision.get_kind_display().partition(':')[0]}: {self.whom(decision)}",
            status,
            decision=decision,
            shown=_shown(Decision.objects.filter(pk=decision.pk), now),
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


def _decision(decision_id: int | str) -> Decision:
    rows = Decision.objects.select_related("case__person", "person", "game", "by", "appeal")
    try:
        return get_object_or_404(rows, pk=decision_id)
    except ValueError as error:
        raise Http404 from error


@admin.register(Appeal)
class AppealAdmin(Worked):
    """Those that wait, the oldest first."""

    list_display = ("whom", "against", "made", "decided_by", "outcome")
    list_filter = (WaitingOrAnswered,)
    search_fields = ("decision__person__name",)
    ordering = ("made_at", "id")
    sortable_by = ()

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
            self._action("<int:appeal_id>/uphold/", "moderation_appeal_uphold", self.uphold),
            self._action("<int:appeal_id>/undo/", "moderation_appeal_undo", self.undo),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        self._require_sight(request)
        return self._show(request, _appeal(object_id))

    def _show(
        self, request: HttpRequest, appeal: Appeal, form: forms.Form | None = None, status: int = 200
    ) -> HttpResponse:
        now, staff, decision = timezone.now(), staff_of(request), appeal.decision
        why_not = ""
        try:
            cases.look_at(decision, staff, now)
            appeals.require_answerer(decision, staff)
        except NotImpartial as refusal:
            return self._not_for_them(request, refusal, decision)
        except Refusal as refusal:
            why_not = refusal.sentence
        return self._page(
            request,
            "appeal_for_staff",
            f"Appeal by {self.whom(appeal)}",
            status,
            appeal=appeal,
            decision=decision,
            shown=_shown(Decision.objects.filter(pk=decision.pk), now),
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


def _appeal(appeal_id: int | str) -> Appeal:
    rows = Appeal.objects.select_related(
        "decision__case__person", "decision__person", "decision__game", "decision__by", "answered_by"
    )
    try:
        return get_object_or_404(rows, pk=appeal_id)
    except ValueError as error:
        raise Http404 from error
