"""The last state of recent games, kept in this process, so that a move need not read a whole game.

A kept snapshot counts only at the version and the revisions of the game's row: another process may have
played meanwhile, handed a seat to a bot, or taken somebody's order.
"""

from collections import OrderedDict
from threading import Lock
from typing import Final

from games import store
from games.models import Game
from games.store import Snapshot

MOST_KEPT: Final = 1000

_kept: Final[OrderedDict[int, Snapshot]] = OrderedDict()
_lock: Final = Lock()


def of(game: Game) -> Snapshot:
    """The snapshot of a game whose row the caller has locked."""
    return _at(game) or store.load(game)


def read(game_id: int) -> tuple[Game, Snapshot]:
    """A game to look at, without its lock.

    A move may be committed between our queries; the version then differs before and after, and we
    read again. Games move at the pace of people, so a second reading is rare and a third rarer.
    """
    while True:
        game = Game.objects.get(pk=game_id)
        snapshot = at_row(game)
        if snapshot:
            return game, snapshot


def at_row(game: Game) -> Snapshot | None:
    """The table of a row that was read without its lock; nothing if the game has moved on since."""
    snapshot = _at(game)
    if snapshot:
        return snapshot
    try:
        snapshot = store.load(game)
    except store.BrokenRows:
        if _is_current(game):
            raise
        return None
    if not _is_current(game):
        return None
    put(game.pk, snapshot)
    return snapshot


def _is_current(game: Game) -> bool:
    return Game.objects.filter(
        pk=game.pk, version=game.version, revision=game.revision, orders_revision=game.orders_revision
    ).exists()


def _at(game: Game) -> Snapshot | None:
    with _lock:
        snapshot = _kept.get(game.pk)
        if snapshot is None or _mark(snapshot) != _mark(game):
            return None
        _kept.move_to_end(game.pk)
        return snapshot


def _mark(of: Game | Snapshot) -> tuple[int, int, int]:
    return of.version, of.revision, of.orders_revision


def put(game_id: int, snapshot: Snapshot) -> None:
    with _lock:
        _kept[game_id] = snapshot
        _kept.move_to_end(game_id)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def drop(game_id: int) -> None:
    with _lock:
        _kept.pop(game_id, None)
