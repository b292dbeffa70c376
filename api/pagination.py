"""Lists come in pages: of the newest things by a cursor, of what happened by the last move that was seen."""

from typing import Any, Final

from django.core.paginator import Page
from django.db.models import QuerySet
from rest_framework.pagination import CursorPagination, PageNumberPagination
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
