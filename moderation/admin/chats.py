"""Tables, and what is said at them and in games."""

from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import BadRequest
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from games.rules.numbers import whole_number
from games.web import MOST_DIGITS
from lobby.models import Chair, ChatLine, Table
from moderation import audit, lines
from moderation.admin.base import RowsShownAlone, ShownAlone, carry_out, staff_of


class ChairInline(RowsShownAlone):
    model = Chair
    fields = ("number", "name", "user", "bot", "kept")


@admin.register(Table)
class TableAdmin(ShownAlone):
    list_display = ("code", "host", "layout", "opened_at", "game")
    list_select_related = ("host", "game")
    ordering = ("-opened_at",)
    search_fields = ("code", "host__name")
    show_full_result_count = False
    fields = (
        *("code", "host", "layout", "clocks", "bot_speed", "visibility", "bots_allowed", "spectators_allowed"),
        *("rated", "annulled_at", "opened_at", "game"),
    )
    inlines: ClassVar = [ChairInline]


@admin.register(ChatLine)
class ChatLineAdmin(ShownAlone):
    """For moderators: a line can be hidden, but nobody puts words into another's mouth."""

    list_display = ("text", "name", "conversation", "said", "state")
    list_select_related = ("conversation__table",)
    list_filter = ("hidden", "said_at")
    search_fields = ("text", "name", "=conversation__game__id", "=conversation__table__game__id")
    search_help_text = "Words, a name, or the number of a game"
    ordering = ("-said_at",)
    actions = ("hide", "show_again")
    show_full_result_count = False

    @admin.display(description="said", ordering="said_at")
    def said(self, line: ChatLine) -> datetime:
        return line.said_at

    @admin.display(description="hidden", ordering="hidden")
    def state(self, line: ChatLine) -> str:
        return "hidden" if line.hidden else ""

    def has_hide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("moderation.hide_lines")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChatLine]:
        return lines.readable_by(staff_of(request))

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Much of it was said at tables that are not open to everybody."""
        return self._noted(request, super().changelist_view(request, extra_context), asked=request.GET.urlencode())

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return self._noted(request, super().change_view(request, object_id, form_url, extra_context), line=object_id)

    def _noted(self, request: HttpRequest, answer: HttpResponse, **of_what: Any) -> HttpResponse:
        """Whatever was asked for in which way: lines that are shown were looked at."""
        if answer.status_code == HTTPStatus.OK:
            audit.record(staff_of(request), audit.Act.LOOKED_AT_LINES, now=timezone.now(), **of_what)
        return answer

    def response_action(  # type: ignore[override]
        self, request: HttpRequest, queryset: QuerySet[ChatLine]
    ) -> HttpResponse | None:
        """Django looks for whatever was ticked, and fails if that is no number."""
        ticked = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if any(whole_number(each, digits=MOST_DIGITS) is None for each in ticked):
            raise BadRequest("A line that was ticked has no such number.")
        return super().response_action(request, queryset)

    @admin.action(description="Hide", permissions=["hide"])
    def hide(self, request: HttpRequest, chosen: QuerySet[ChatLine]) -> None:
        self._act(request, "hide lines", lambda now: f"{lines.hide(staff_of(request), chosen, now=now)} hidden.")

    @admin.action(description="Show again", permissions=["hide"])
    def show_again(self, request: HttpRequest, chosen: QuerySet[ChatLine]) -> None:
        self._act(
            request,
            "show lines again",
            lambda now: f"{lines.show_again(staff_of(request), chosen, now=now)} shown again.",
        )

    def _act(self, request: HttpRequest, wanted: str, act: Callable[[datetime], str]) -> None:
        carry_out(request, lambda: act(timezone.now()), wanted)
