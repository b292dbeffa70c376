"""The audit log: to be read, looked through and taken along. Nobody changes it, the database sees to that."""

import csv
from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar, Final

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import BadRequest, PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_POST

from lobby.models import User
from moderation import audit, cases
from moderation.admin.base import ShownAlone, staff_of
from moderation.admin.filters import Choice
from moderation.models import AuditLine

COLUMNS: Final = ("at", "staff", "staff_name", "act", "person", "person_name", "game", "why", "details")

#: What a spreadsheet takes for the beginning of a formula.
FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")


class ActFilter(Choice):
    title, parameter_name = "what was done", "act"
    options: ClassVar = {act.value: said for act, said in audit.SAID.items()}

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        return Q(act=chosen)


class StaffFilter(Choice):
    """Those who are staff now; whoever was once is found by their name."""

    title, parameter_name = "who did it", "staff"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(f"{person.pk}", person.shown_name) for person in audit.staff()]

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        return Q(staff=chosen)


@admin.register(AuditLine)
class AuditLineAdmin(ShownAlone):
    list_display = ("when", "who", "said", "about", "game", "why")
    list_filter = (ActFilter, StaffFilter, "at")
    search_fields = ("staff_name", "person_name", "=game", "why")
    search_help_text = "A name, the number of a game, or words of a reason"
    ordering = ("-at", "-pk")
    show_full_result_count = False
    change_list_template = "moderation/audit_list.html"

    @admin.display(description="when", ordering="at")
    def when(self, line: AuditLine) -> datetime:
        return line.at

    @admin.display(description="who", ordering="staff_name")
    def who(self, line: AuditLine) -> str:
        return line.staff_name or "the site itself"

    @admin.display(description="about", ordering="person_name")
    def about(self, line: AuditLine) -> str:
        return line.person_name

    @admin.display(description="did", ordering="act")
    def said(self, line: AuditLine) -> str:
        return audit.SAID.get(audit.Act(line.act), line.act)

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuditLine]:
        return cases.lines_for(staff_of(request))

    def get_urls(self) -> list[URLPattern]:
        export = path("export/", self.admin_site.admin_view(self.export), name="moderation_auditline_export")
        return [export, *super().get_urls()]

    @method_decorator(require_POST)
    def export(self, request: HttpRequest) -> StreamingHttpResponse:
        """What the filters leave, or all of it, line by line: the log may be long."""
        if not request.user.has_perm("moderation.export_audit"):
            raise PermissionDenied
        now = timezone.now()
        try:
            lines = self.get_changelist_instance(request).get_queryset(request)
        except IncorrectLookupParameters:
            raise BadRequest("No line of the log can be found by this.") from None
        # The newest line of the copy is the one that tells of it.
        audit.record(staff_of(request), audit.Act.EXPORTED_AUDIT, now=now, lines=lines.count())
        answer = StreamingHttpResponse(_written(lines), content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="audit-{now:%Y-%m-%d}.csv"'
        return answer


class _Echo:
    def write(self, text: str) -> str:
        return text


def _written(lines: QuerySet[AuditLine]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(COLUMNS)
    for row in lines.values_list(*COLUMNS).iterator(chunk_size=2000):
        yield writer.writerow([_cell(value) for value in row])


def _cell(value: object) -> str:
    """People choose their names and reasons: none of them is to be reckoned with by a spreadsheet."""
    if value is None:
        return ""
    text = value.isoformat() if isinstance(value, datetime) else str(value)
    return f"'{text}" if text.startswith(FORMULAS) else text
