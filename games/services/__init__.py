"""Everything that changes a game. Whoever asks, a page, the API, a clock or a bot, asks here.

One lock: the game's row. A service opens a transaction, locks that row, looks whether the request
still fits, lets the rules decide, saves, and commits; only then are the players told. On SQLite the
transaction begins IMMEDIATE, which locks the whole database and so that row too.
"""

from games.services.failures import note_failure, note_success
from games.services.locking import set_aside
from games.services.people import clear, forget, hand_on, recall
from games.services.playing import (
    Entrant,
    Played,
    play_move,
    play_overdue,
    play_timeout,
    put_bots_off,
    start_game,
    withdraw_promises,
)
from games.services.refusals import (
    NOT_SEATED,
    SET_ASIDE,
    ClientIdTaken,
    NothingToDo,
    NotNow,
    NotRunning,
    NotYourSeat,
    SetAside,
    StaleVersion,
)
from games.services.seats import choose_if_absent, give_back, replace_by_bot, withdraw
from games.services.supervision import abort, pause, resume

__all__ = [
    "NOT_SEATED",
    "SET_ASIDE",
    "ClientIdTaken",
    "Entrant",
    "NotNow",
    "NotRunning",
    "NotYourSeat",
    "NothingToDo",
    "Played",
    "SetAside",
    "StaleVersion",
    "abort",
    "choose_if_absent",
    "clear",
    "forget",
    "give_back",
    "hand_on",
    "note_failure",
    "note_success",
    "pause",
    "play_move",
    "play_overdue",
    "play_timeout",
    "put_bots_off",
    "recall",
    "replace_by_bot",
    "resume",
    "set_aside",
    "start_game",
    "withdraw",
    "withdraw_promises",
]
