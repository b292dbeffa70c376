"""What games tell the rest of the site: lists, notices, ratings hang on it, and `games` knows of none of them.

Each is sent after the commit of what it tells of, and not at all if that is undone. A receiver that fails is
logged by Django; neither the game nor the other receivers notice. It runs in the thread of whoever moved,
so a receiver with much to do queues a task. A process that dies between the commit and the sending
has told nobody: whoever must not miss anything looks at the rows as well.
"""

from typing import Any, Final

from django.db import transaction
from django.dispatch import Signal

from games.models import Game

#: ``game_id``.
game_started: Final = Signal()

#: ``game_id``. Somebody has won, or the game was aborted.
game_ended: Final = Signal()

#: ``game_id`` and ``asked``: the numbers of those seats of whose people something else is asked than before, each
#: with what it is now (`Seat.Asked`).
awaited_changed: Final = Signal()


def send_after_commit(signal: Signal, **what: Any) -> None:
    transaction.on_commit(lambda: signal.send_robust(Game, **what), robust=True)
