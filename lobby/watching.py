"""Those who watch a game: who may, and how many do."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Count, Q

from games import broadcast
from games.selectors import UNSEEN_AFTER, NoSpectators, require_watchable_game
from games.services import presence
from lobby.models import Watcher

#: Beyond so many it no longer matters how many, and a crowd is not told of each one who comes.
MOST_COUNTED: Final = 99


def may_watch(game_id: int, user_id: int | None) -> bool:
    """Whether somebody without a seat may see a game and read what is said beside it; games decide it."""
    try:
        require_watchable_game(game_id, user_id)
    except NoSpectators:
        return False
    return True


def arrive(game_id: int, user_id: int | None, channel: str, now: datetime) -> None:
    """Somebody without a seat has opened the game's page."""
    with _telling(game_id):
        Watcher.objects.create(game_id=game_id, user_id=user_id, channel=channel, process=presence.PROCESS, seen_at=now)


def leave(game_id: int, channel: str) -> None:
    with _telling(game_id):
        Watcher.objects.filter(channel=channel).delete()


def keep(now: datetime) -> None:
    """This process is alive, and so are its pages; those of a process that died are gone."""
    Watcher.objects.filter(process=presence.PROCESS).update(seen_at=now)
    gone = Watcher.objects.filter(seen_at__lt=now - UNSEEN_AFTER)
    for game_id in set(gone.values_list("game_id", flat=True)):
        with _telling(game_id):
            gone.filter(game=game_id).delete()


@contextmanager
def _telling(game_id: int) -> Iterator[None]:
    """Everybody at the game's page sees the count after a change, if it differs."""
    before = count(game_id)
    yield

    def tell() -> None:
        # Counted after the commit: of two who come at once, the later one counts both.
        if (after := count(game_id)) != before:
            broadcast.tell(game_id, {"watching": after})

    transaction.on_commit(tell, robust=True)


def count(game_id: int) -> str:
    """How many watch, as it is shown: a person counts once, however many pages are open; empty for nobody."""
    strangers = Count("pk", filter=Q(user=None))
    people = Count("user", distinct=True)
    found = Watcher.objects.filter(game=game_id).aggregate(strangers=strangers, people=people)
    watching = found["strangers"] + found["people"]
    return f"{MOST_COUNTED}+" if watching > MOST_COUNTED else f"{watching or ''}"
