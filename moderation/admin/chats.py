"""Tables, and what is said at them and in games."""

from typing import ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from lobby import chat
from lobby.models import Chair, ChatLine, Table
from moderation.admin.base import RowsShownAlone, ShownAlone


class ChairInline(RowsShownAlone):
    model = Chair
    fields = ("number", "name", "user", "bot", "kept")


@admin.register(Table)
class TableAdmin(ShownAlone):
    list_display = ("code", "host", "layout", "opened_at", "game")
    inlines: ClassVar = [ChairInline]


@admin.register(ChatLine)
class ChatLineAdmin(ShownAlone):
    """For moderators: a line can be hidden, but nobody puts words into another's mouth."""

    list_display = ("text", "name", "conversation", "said_at", "hidden")
    list_select_related = ("conversation__table",)
    list_filter = ("hidden", "said_at")
    search_fields = ("text", "name", "user__username", "=conversation__game__id", "=conversation__table__game__id")
    ordering = ("-said_at",)
    actions = ("hide", "show_again")

    def has_hide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("moderation.hide_lines")

    @admin.action(description="Hide", permissions=["hide"])
    def hide(self, request: HttpRequest, lines: QuerySet[ChatLine]) -> None:
        self._set_hidden(request, lines, hidden=True)

    @admin.action(description="Show again", permissions=["hide"])
    def show_again(self, request: HttpRequest, lines: QuerySet[ChatLine]) -> None:
        self._set_hidden(request, lines, hidden=False)

    def _set_hidden(self, request: HttpRequest, lines: QuerySet[ChatLine], *, hidden: bool) -> None:
        for line in lines:
            chat.set_hidden(line, hidden)
        self.message_user(request, f"{len(lines)} {'hidden' if hidden else 'shown again'}.", messages.SUCCESS)
