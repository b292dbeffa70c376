"""What all admin pages have in common: nobody edits a row by hand, and no filter reads what no page shows."""

from collections.abc import Callable, Iterator
from typing import Any, Final, cast

from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.utils import timezone

from games.models import Game
from games.rules import Refusal
from games.rules.numbers import whole_number
from lobby.models import User
from moderation import audit
from moderation.audit import Act

#: What a filter of the admin's own adds to the name of its field.
ENDINGS: Final = ("", "__exact", "__isnull", "__gte", "__lt", "__id__exact")

#: Digits of a row's number in an address: whatever is longer is the number of none, and too long for a database.
LONGEST_NUMBER: Final = 18


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
        return lookup in set(self._lookups(request))

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        if any("\0" in value for values in request.GET.lists() for value in values[1]):
            # Databases keep no NUL, and PostgreSQL fails for one that is looked for.
            raise IncorrectLookupParameters
        return super().get_changelist_instance(request)

    def _lookups(self, request: HttpRequest) -> Iterator[str]:
        for each in self.get_list_filter(request):
            if isinstance(each, str | tuple):
                name = each if isinstance(each, str) else each[0]
                yield from (f"{name}{ending}" for ending in ENDINGS)
            else:
                # A filter of ours. Where it is called like a column, it asks nothing of that beside what it offers.
                yield str(getattr(each, "parameter_name", ""))


class RowsShownAlone(admin.TabularInline):  # type: ignore[type-arg]
    """The same for rows beneath another."""

    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class OwnPages(ShownAlone):
    """Rows with a page of their own each, instead of Django's form."""

    actions = None
    list_per_page = 50
    # To count what each filter would find takes a look at every row.
    show_facets = admin.ShowFacets.NEVER
    show_full_result_count = False

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        if not self.has_view_permission(request):
            raise PermissionDenied
        number = whole_number(object_id, digits=LONGEST_NUMBER)
        if number is None:
            raise Http404
        return self.show(request, number)

    def show(self, request: HttpRequest, number: int) -> HttpResponse:
        """The page of one row, for whoever may see such pages."""
        raise NotImplementedError

    def page(self, request: HttpRequest, name: str, title: str, status: int = 200, **shown: Any) -> TemplateResponse:
        """As ``templates/moderation`` has it."""
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": title, **shown}
        return TemplateResponse(request, f"moderation/{name}.html", context, status=status)


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
