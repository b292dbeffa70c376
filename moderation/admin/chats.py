"""Tables, and what is said at them and in games."""

from datetime import datetime
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from lobby.models import Chair, ChatLine, Table
from moderation import audit, lines
from moderation.admin.base import RowsShownAlone, ShownAlone, staff_of


class ChairInline(RowsShownAlone):
    model = Chair
    fields = ("number", "name", "user", "bot", "kept")


@admin.register(Table)
class TableAdmin(ShownAlone):
    list_display = ("code", "host", "layout", "opened_at", "game")
    list_select_related = ("host", "game")
    ordering = ("-opened_at",)
    search_fields = ("code", "host__name", "host__username")
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
    search_fields = ("text", "name", "user__username", "=conversation__game__id", "=conversation__table__game__id")
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

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Much of it was said at tables that are not open to everybody."""
        if request.method == "GET" and self.has_view_permission(request):
            now = timezone.now()
            audit.record(staff_of(request), audit.Act.LOOKED_AT_LINES, now=now, asked=request.GET.urlencode())
        return super().changelist_view(request, extra_context)

    @admin.action(description="Hide", permissions=["hide"])
    def hide(self, request: HttpRequest, chosen: QuerySet[ChatLine]) -> None:
        count = lines.hide(staff_of(request), chosen, now=timezone.now())
        self.message_user(request, f"{count} hidden.", messages.SUCCESS)

    @admin.action(description="Show again", permissions=["hide"])
    def show_again(self, request: HttpRequest, chosen: QuerySet[ChatLine]) -> None:
        count = lines.show_again(staff_of(request), chosen, now=timezone.now())
        self.message_user(request, f"{count} shown again.", messages.SUCCESS)
