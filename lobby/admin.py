from typing import ClassVar

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model
from django.http import HttpRequest

from lobby.models import Chair, Table, User


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]
    list_display = ("username", "name", "is_guest", "is_staff", "date_joined")
    list_filter = ("is_guest", "is_staff", "is_active")
    fieldsets = (*(UserAdmin.fieldsets or ()), ("At the table", {"fields": ("name", "is_guest")}))


class LookOnly:
    """Tables and chairs are written by the services."""

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
