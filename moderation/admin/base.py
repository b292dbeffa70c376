"""What all admin pages have in common: nobody edits a row by hand, and no filter reads what no page shows."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.db.models import Model
from django.http import HttpRequest
from django.utils import timezone

from games.models import Game
from games.rules import Refusal
from lobby.models import User
from moderation import audit
from moderation.audit import Act

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

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        if any("\0" in value for values in request.GET.lists() for value in values[1]):
            # Databases keep no NUL, and PostgreSQL fails for one that is looked for.
            raise IncorrectLookupParameters
        return super().get_changelist_instance(request)

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


def staff_of(request: HttpRequest) -> User:
    """Whose page it is; the admin lets nobody else in."""
    return cast("User", request.user)


def carry_out(
    request: HttpRequest,
    act: Callable[[], str],
    wanted: str,
    *,
    person: User | None = None,
    game: Game | int | None = None,
) -> bool:
    """Do what a member of the staff asks for, and say so; a refusal is told in its sentence, and written down.

    Whatever is done writes its own line within its transaction. That of a refusal stands though nothing was changed.
    """
    try:
        said = act()
    except Refusal as refusal:
        audit.record(
            staff_of(request),
            Act.WAS_REFUSED,
            now=timezone.now(),
            person=person,
            game=game,
            why=refusal.sentence,
            wanted=wanted,
        )
        messages.warning(request, refusal.sentence)
        return False
    messages.success(request, said)
    return True
