"""What bots remember of the games they play: learnt from the log, as their seats see it, and kept in this process.

What is kept counts only while the last move it was learnt from is still the log's. Whatever was lost, with a process
or because there were too many games, is learnt again from the beginning.
"""

from collections import OrderedDict
from copy import deepcopy
from threading import Lock
from typing import Final, NamedTuple

from games.bots import Memory
from games.models import Move
from games.rules import Event

MOST_KEPT: Final = 1000


class Kept(NamedTuple):
    #: Never changed any more: somebody may just be thinking with it.
    memory: Memory
    version: int
    #: The row of the move that led to that version; nothing before the first.
    last_move: int | None


_kept: Final[OrderedDict[tuple[int, int], Kept]] = OrderedDict()
_lock: Final = Lock()


def of(game_id: int, seat: int, *, seats: int, version: int) -> Memory:
    """All that a seat can remember at a version of its game, in one statement if it has been asked lately."""
    with _lock:
        kept = _kept.get((game_id, seat))
    learnt = kept and _learnt_on(game_id, kept, version)
    if not learnt:
        nothing = Kept(Memory(seat, seats), 0, None)
        learnt = _learnt_on(game_id, nothing, version) or nothing
    with _lock:
        _kept[game_id, seat] = learnt
        _kept.move_to_end((game_id, seat))
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return learnt.memory


def _learnt_on(game_id: int, kept: Kept, version: int) -> Kept | None:
    """With the moves that have been made since then; nothing if it is not of this game as it stands in the log."""
    log = Move.objects.filter(game=game_id, number__gte=kept.version, number__lte=version).order_by("number")
    moves = list(log.values_list("pk", "events"))
    if kept.last_move is not None:
        if not moves or moves[0][0] != kept.last_move:
            return None
        del moves[0]
    if not moves:
        return kept
    memory = deepcopy(kept.memory)
    for _, events in moves:
        memory.learn([Event.from_json(event).seen_by(memory.seat) for event in events])
    return Kept(memory, version, moves[-1][0])
