"""What all admin pages have in common: nobody edits a row by hand, and no filter reads what no page shows."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

#: What a filter of the admin's own adds to the name of its field.
ENDINGS = ("", "__exact", "__isnull", "__gte", "__lt", "__id__exact")


class ShownAlone(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows to look at. Services write them.

    Left alone, Django filters by any column that the query string names: whoever may see a list could ask for the first
    letter of anything in it, and then for the second. Here the filters that the page offers are all there are.
    """

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        return lookup in {f"{name}{ending}" for name in self._filtered_by(request) for ending in ENDINGS}

    def _filtered_by(self, request: HttpRequest) -> list[str]:
        names = []
        for each in self.get_list_filter(request):
            if isinstance(each, str):
                names.append(each)
            elif isinstance(each, tuple):
                names.append(str(each[0]))
            else:
                names.append(str(getattr(each, "parameter_name", "")))
        return [name for name in names if name]


class RowsShownAlone(admin.TabularInline):  # type: ignore[type-arg]
    """The same for rows beneath another."""

    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
