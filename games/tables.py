"""The last state of recent games, kept in this process, so that a move need not read a whole game.

A kept table counts only at the version and revision of the game's row: another process may have
played meanwhile, or handed a seat to a bot.
"""

from collections import OrderedDict
from threading import Lock
from typing import Final

from games import store
from games.models import Game
from games.store import Table

MOST_KEPT: Final = 1000

_kept: Final[OrderedDict[int, Table]] = OrderedDict()
_lock: Final = Lock()


def of(game: Game) -> Table:
    """The table of a game whose row the caller has locked."""
    return _at(game) or store.load(game)


def read(game_id: int) -> tuple[Game, Table]:
    """A game to look at, without its lock.

    A move may be committed between our queries; the version then differs before and after, and we
    read again. Games move at the pace of people, so a second reading is rare and a third rarer.
    """
    while True:
        game = Game.objects.get(pk=game_id)
        table = at_row(game)
        if table:
            return game, table


def at_row(game: Game) -> Table | None:
    """The table of a row that was read without its lock; nothing if the game has moved on since."""
    table = _at(game)
    if table:
        return table
    try:
        table = store.load(game)
    except store.BrokenRows:
        if _is_current(game):
            raise
        return None
    if not _is_current(game):
        return None
    put(game.pk, table)
    return table


def _is_current(game: Game) -> bool:
    return Game.objects.filter(pk=game.pk, version=game.version, revision=game.revision).exists()


def _at(game: Game) -> Table | None:
    with _lock:
        table = _kept.get(game.pk)
        if table is None or (table.version, table.revision) != (game.version, game.revision):
            return None
        _kept.move_to_end(game.pk)
        return table


def put(game_id: int, table: Table) -> None:
    with _lock:
        _kept[game_id] = table
        _kept.move_to_end(game_id)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def drop(game_id: int) -> None:
    with _lock:
        _kept.pop(game_id, None)
