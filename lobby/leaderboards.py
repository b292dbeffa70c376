"""Who plays best, of those whose rating is settled."""

from dataclasses import dataclass
from typing import Final

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from lobby import ratings
from lobby.models import Rating, User
from lobby.rating_models import Kind

A_PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class Row:
    place: int
    rating: Rating
    number: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class Leaderboard:
    kind: Kind
    page: "Page[Rating]"
    rows: list[Row]
    #: The visitor's own row, unless it is among the others.
    own: Row | None
    #: The visitor's rating, whether it is settled or not.
    own_rating: Rating | None

    @property
    def unsettled(self) -> str:
        """The visitor's rating in words while it is not settled."""
        own = self.own_rating
        return ratings.in_words(own.mu, own.sigma) if own and not own.settled else ""


def settled(kind: Kind) -> QuerySet[Rating]:
    """The best first. People are read apart: a join would read everybody before the page, too."""
    return Rating.objects.filter(kind=kind, settled=True).order_by("-mu", "person_id").prefetch_related("person")


def leaderboard(kind: Kind, number: str | int, viewer: User) -> Leaderboard:
    """One page of it; ``InvalidPage`` if there is no such page."""
    page = Paginator(settled(kind), A_PAGE).page(number)
    own = Rating.objects.filter(kind=kind, person=viewer).select_related("person").first() if viewer.pk else None
    rows = _rows(page, viewer)
    is_listed = any(row.is_own for row in rows)
    return Leaderboard(
        kind=kind,
        page=page,
        rows=rows,
        own=_row(_place(own), own, viewer) if own and own.settled and not is_listed else None,
        own_rating=own,
    )


def _rows(page: "Page[Rating]", viewer: User) -> list[Row]:
    """Who ties shares a place, over the edge of a page too."""
    rows: list[Row] = []
    for position, rating in enumerate(page, start=page.start_index()):
        is_tied = rows and rows[-1].rating.mu == rating.mu
        place = rows[-1].place if is_tied else position if rows else _place(rating)
        rows.append(_row(place, rating, viewer))
    return rows


def _row(place: int, rating: Rating, viewer: User) -> Row:
    return Row(place, rating, ratings.in_words(rating.mu, rating.sigma), rating.person_id == viewer.pk)


def _place(rating: Rating) -> int:
    return 1 + settled(Kind(rating.kind)).filter(mu__gt=rating.mu).count()
