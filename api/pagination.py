"""Lists come in pages: of the newest things by a cursor, of what happened by the last move that was seen."""

from datetime import UTC
from typing import Any, Final

from django.core.paginator import Page
from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from api.base import Endpoint

#: What one page of a list holds at most, whatever somebody asks for.
MOST_LISTED: Final = 50
#: Moves of a game are small.
MOST_MOVES: Final = 100


class Newest(CursorPagination):
    """A cursor, so that nothing is told twice or left out while new things come to the front."""

    page_size = 20
    page_size_query_param = "page_size"
    max_page_size = MOST_LISTED

    def decode_cursor(self, request: Request) -> Cursor | None:
        """All lists stand in the order of a moment: a cursor that names none was not made here."""
        cursor = super().decode_cursor(request)
        if cursor is not None and cursor.position is not None and not _is_moment(str(cursor.position)):
            raise NotFound(self.invalid_cursor_message)
        return cursor


def _is_moment(text: str) -> bool:
    try:
        moment = parse_datetime(text)
        return moment is not None and moment.tzinfo is not None and bool(moment.astimezone(UTC))
    except (ValueError, OverflowError):
        return False


def in_pages(
    view: Endpoint, found: QuerySet[Any], serializer: type[Serializer[Any]], ordering: tuple[str, ...]
) -> Response:
    """One page of what was found, the newest first."""
    newest = Newest()
    newest.ordering = ordering
    listed: Any = newest.paginate_queryset(found, view.request, view=view)
    told = serializer(listed, many=True, context={"person": view.person, "request": view.request})
    return newest.get_paginated_response(told.data)


class Numbered(PageNumberPagination):
    """For a ranking, of which one may want the third page."""

    page_size = MOST_LISTED

    @classmethod
    def told(cls, request: Request, page: Page[Any], rows: Any, **more: object) -> Response:
        """A page that somebody else has made, as this one tells its own; and what stands beside the rows."""
        numbered = cls()
        numbered.page, numbered.request = page, request
        response = numbered.get_paginated_response(rows)
        response.data |= more
        return response
