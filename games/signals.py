"""What games tell the rest of the site: lists, notices, ratings hang on it, and `games` knows of none of them.

Most are sent after the commit of what they tell of, and not at all if that is undone. A receiver that fails is
logged by Django; neither the game nor the other receivers notice. It runs in the thread of whoever moved,
so a receiver with much to do queues a task. A process that dies between the commit and the sending
has told nobody.

Whoever must not miss anything hears of it *within* the transaction (`awaited_changing`, `offer_opening`,
`clocks_changing`, `game_ending`), and writes down what is to be done about it: that is committed with the change, or
not at all. Such a receiver writes a row, asks nobody and queues nothing, since the game is locked meanwhile; should it
fail, so does the change.
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

#: ``game_id``. What a bot, an order or a clock was to do there failed: a mistake of ours, and the game goes on.
game_task_failed: Final = Signal()

#: Within the transaction: ``game``, the row, and ``asked`` as above.
awaited_changing: Final = Signal()

#: Within the transaction: ``game``, the row, and ``seats``: the numbers of those who were made an offer on top of what
#: is asked of them already.
offer_opening: Final = Signal()

#: Within the transaction: ``game``, the row; ``asked`` as above, but of those of whom the same is asked as before, by
#: another clock; ``short_from``: when that will be short, by seat; and ``afresh``: whether every clock starts anew.
clocks_changing: Final = Signal()

#: Within the transaction, in a game over days: ``game``, the row; ``seats``: the numbers of those whose time was up at
#: the moment ``due``, for whom something is about to be done; and ``now``. Whoever knows that they are on holiday tells
#: the game so (`services.hold_for_holiday`).
time_running_out: Final = Signal()

#: Within the transaction: ``game``, the row; ``seat``, the row of one that a stand-in plays and its person wants back;
#: and ``now``. Whoever knows why they may not raises a refusal.
seat_returning: Final = Signal()

#: ``game``, the row, before a bot thinks in somebody's place. Whoever knows why it may not raises a refusal.
advice_asked: Final = Signal()

#: Within the transaction: ``game``, the row as it is with its end.
game_ending: Final = Signal()


def send_after_commit(signal: Signal, **what: Any) -> None:
    transaction.on_commit(lambda: signal.send_robust(Game, **what), robust=True)


def send_within(signal: Signal, **what: Any) -> None:
    signal.send(Game, **what)
