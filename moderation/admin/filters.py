"""Filters of lists that are no columns."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, ClassVar, Final

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from lobby.models import User
from moderation.admin.base import staff_of

ALL: Final = "all"


class Choice(admin.SimpleListFilter):
    """One of a few answers, and what it asks of the rows; anything else in the address asks nothing."""

    #: What can be chosen, in words.
    options: ClassVar[Mapping[str, str]]
    #: What is chosen from the start, instead of everything.
    usual: ClassVar[str] = ALL

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(self.options.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.chosen()
        return queryset if chosen == ALL else queryset.filter(self.wanted(chosen, staff_of(request), timezone.now()))

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        raise NotImplementedError

    def chosen(self) -> str:
        value = self.value() or self.usual
        return value if value in dict(self.lookup_choices) else ALL

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """What is chosen from the start comes first, and needs no word in the address."""
        every = (ALL, "All")
        for value, words in [every, *self.lookup_choices] if self.usual == ALL else [*self.lookup_choices, every]:
            asked = {str(self.parameter_name): None if value == self.usual else value}
            yield {
                "selected": self.chosen() == value,
                "query_string": changelist.get_query_string(asked),
                "display": words,
            }
