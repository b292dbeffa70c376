"""Which games wait for a person. What is asked of a seat is a column of it, so a person's own seats tell."""

from django.db.models import QuerySet

from games.models import Seat
from lobby.models import User


def _waiting(person: User) -> QuerySet[Seat]:
    return Seat.objects.filter(user=person.pk).exclude(asked=Seat.Asked.NOTHING)


def count(person: User, besides: int | None = None) -> int:
    """How many games wait for somebody, but for one that they look at."""
    if not person.pk:
        return 0
    waiting = _waiting(person)
    return (waiting if besides is None else waiting.exclude(game=besides)).count()


def next_game(person: User, after: int | None) -> int | None:
    """The game that has waited longest; after one that still waits, the one that has waited next longest.

    So whoever only looks comes past all of them, and whoever moves is led to who has been patient for longest.
    """
    if not person.pk:
        return None
    games = list(_waiting(person).order_by("awaited_since", "game_id").values_list("game_id", flat=True))
    if after in games:
        place = games.index(after)
        games = games[place + 1 :] + games[:place]
    return next(iter(games), None)
