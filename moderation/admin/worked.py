"""What the pages of reports, decisions and appeals have in common: something can be done there about a row."""

from collections.abc import Callable
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.http import require_POST

from games.rules import Refusal
from moderation import audit
from moderation.admin.base import OwnPages, staff_of
from moderation.audit import Act
from moderation.models import Case, Decision

WORK: Final = "moderation.work_cases"


class Worked(OwnPages):
    sortable_by = ()

    def page(self, request: HttpRequest, name: str, title: str, status: int = 200, **shown: Any) -> TemplateResponse:
        return super().page(request, name, title, status, may_work=request.user.has_perm(WORK), **shown)

    def action(self, address: str, name: str, view: Callable[..., HttpResponse]) -> URLPattern:
        """Something is done: it is sent, by somebody who may."""

        @require_POST
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.has_perm(WORK):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return path(address, self.admin_site.admin_view(answer), name=f"moderation_{name}")

    def not_for_them(self, request: HttpRequest, refusal: Refusal, matter: Case | Decision) -> HttpResponse:
        audit.record(
            staff_of(request),
            Act.WAS_REFUSED,
            now=timezone.now(),
            person=matter.person,
            game=matter.game_id,
            why=refusal.sentence,
            wanted=f"look at {matter}",
        )
        return self.page(request, "not_yours", "Not for you", status=403, sentence=refusal.sentence)
