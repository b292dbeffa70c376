from typing import ClassVar

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from lobby import chat
from lobby.models import Chair, ChatLine, Table, User

# Allauth shows these to whoever may see everything: keys of second factors, and keys of sessions.
admin.site.unregister((Authenticator, UserSession))


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]
    search_fields = ("username", "name", "email")
    list_display = ("username", "name", "is_guest", "is_staff", "date_joined")
    list_filter = ("is_guest", "is_staff", "is_active")
    # Guests have no page.
    view_on_site = False
    fieldsets = (*(UserAdmin.fieldsets or ()), ("At the table", {"fields": ("name", "is_guest")}))


class LookOnly:
    """Tables, chairs and lines are written by the services."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ChairInline(LookOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Chair
    fields = ("number", "name", "user", "bot", "kept")


@admin.register(Table)
class TableAdmin(LookOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("code", "host", "layout", "opened_at", "game")
    inlines: ClassVar = [ChairInline]


@admin.register(ChatLine)
class ChatLineAdmin(LookOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """For moderators: a line can be hidden, but nobody puts words into another's mouth."""

    list_display = ("text", "name", "conversation", "said_at", "hidden")
    list_select_related = ("conversation__table",)
    list_filter = ("hidden", "said_at")
    search_fields = ("text", "name", "user__username", "=conversation__game__id", "=conversation__table__game__id")
    ordering = ("-said_at",)
    actions = ("hide", "show_again")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        # A chat without one of its numbers; "hide" is the way.
        return False

    @admin.action(description="Hide", permissions=["view"])
    def hide(self, request: HttpRequest, lines: QuerySet[ChatLine]) -> None:
        self._set_hidden(request, lines, hidden=True)

    @admin.action(description="Show again", permissions=["view"])
    def show_again(self, request: HttpRequest, lines: QuerySet[ChatLine]) -> None:
        self._set_hidden(request, lines, hidden=False)

    def _set_hidden(self, request: HttpRequest, lines: QuerySet[ChatLine], *, hidden: bool) -> None:
        for line in lines:
            chat.set_hidden(line, hidden)
        self.message_user(request, f"{len(lines)} {'hidden' if hidden else 'shown again'}.", messages.SUCCESS)
