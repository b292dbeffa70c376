"""Lists come in pages: of the newest things by a cursor, of what happened by the last move that was seen."""

from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from api.base import Endpoint, number_in
from games.rules.refusals import Malformed

#: What one page of a list holds at most, whatever somebody asks for.
MOST_LISTED: Final = 50
#: Moves of a game are small.
MOST_MOVES: Final = 100


class Newest(CursorPagination):
    """A cursor, so that nothing is told twice or left out while new things come to the front."""

    page_size = 20

    def get_page_size(self, request: Request) -> int:
        size = number_in(request, "page_size")
        if size is not None and not 1 <= size <= MOST_LISTED:
            raise Malformed(f"page_size is a number from 1 to {MOST_LISTED}.", "page_size")
        return size or self.page_size

    def paginate_queryset(self, queryset: QuerySet[Any], request: Request, view: Any = None) -> list[Any] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValidationError, ValueError) as error:
            # A cursor that we have not made may say anything: no moment, or none that there is.
            raise NotFound from error


def in_pages(
    view: Endpoint, found: QuerySet[Any], serializer: type[Serializer[Any]], ordering: tuple[str, ...]
) -> Response:
    """One page of what was found, the newest first."""
    newest = Newest()
    newest.ordering = ordering
    listed: Any = newest.paginate_queryset(found, view.request, view=view)
    told = serializer(listed, many=True, context={"person": view.person})
    return newest.get_paginated_response(told.data)


class Numbered(PageNumberPagination):
    """For a ranking, of which one may want the third page."""

    page_size = MOST_LISTED
