"""Whose seats they are, beside who plays them: a guest's become an account's, somebody who leaves is forgotten, and
somebody's name is another.
"""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games import broadcast, snapshots
from games.models import Game, Seat
from games.rules import Refusal
from games.services.locking import locked, raise_revision
from games.services.seats import withdraw

ENDED = (Game.Status.OVER, Game.Status.ABORTED)


@transaction.atomic
def hand_on(
    giver: int, taker: int, now: datetime, *, is_bot_account: bool = False, closed: Collection[int] = ()
) -> None:
    """One user's seats become another's, who is the same person; a bot account's are marked as such from then on.

    Where both have a seat, the taker keeps their own. The giver's is not played by the same person too, and nobody is
    kept waiting by it: while the game lasts, a bot takes it over for good. So it does in games closed to the taker.
    """
    _lock_games_of(giver)
    of_taker = Seat.objects.filter(game=OuterRef("game"), user=taker)
    left = Q(Exists(of_taker)) | Q(game__in=closed)
    for game_id, number in _held(giver).filter(left).values_list("game", "number"):
        _leave(game_id, number, now)
    _recall(giver)
    if is_bot_account:
        for game in Game.objects.filter(pk__in=_held(giver).values("game")):
            raise_revision(game, now)
    handed = Seat.objects.filter(user=giver).exclude(Exists(of_taker))
    handed.update(user=taker, is_bot_account=is_bot_account)


@transaction.atomic
def forget(user: int, name: str, now: datetime) -> None:
    """Somebody leaves every game for good, and their name goes; what they played stays."""
    _lock_games_of(user)
    for game_id, number in _held(user).values_list("game", "number"):
        _leave(game_id, number, now)
    _recall(user)
    Seat.objects.filter(user=user).update(name=name, user=None, orders={})


@transaction.atomic
def rename(user: int, name: str, now: datetime) -> None:
    """What somebody is called in all their games, from the first to the last; those that last are drawn anew."""
    others = Seat.objects.filter(user=user).exclude(name=name)
    lasting = others.exclude(game__status__in=ENDED)
    for game in Game.objects.select_for_update().filter(pk__in=lasting.values("game")).order_by("pk"):
        raise_revision(game, now)
    others.update(name=name)


def _recall(user: int) -> None:
    """Who the user's open pages belong to has changed: their sockets are closed, and whoever may opens them anew."""
    games = list(_held(user).values_list("game", flat=True))

    def recall() -> None:
        for game_id in games:
            broadcast.recall(game_id, user)

    transaction.on_commit(recall, robust=True)


def clear(game_id: int) -> None:
    """Away with a game, and every row of it."""
    with locked(game_id) as game:
        game.delete()
        transaction.on_commit(lambda: snapshots.drop(game_id))


def _held(user: int) -> QuerySet[Seat]:
    """The seats in games that last, which the user has not given up."""
    return Seat.objects.filter(user=user).exclude(player=Seat.Player.BOT).exclude(game__status__in=ENDED)


def _lock_games_of(user: int) -> None:
    """All that last, in one order: two who share several games must not wait for each other in a circle."""
    list(Game.objects.select_for_update().filter(pk__in=_held(user).values("game")).order_by("pk"))


def _leave(game_id: int, number: int, now: datetime) -> None:
    try:
        withdraw(game_id, number, now)
    except Refusal:
        # The game was set aside, and is not played on anyway.
        return
