"""Everything that changes a game. Whoever asks, a page, the API, a clock or a bot, asks here.

One lock: the game's row. A service opens a transaction, locks that row, looks whether the request
still fits, lets the rules decide, saves, and commits; only then are the players told. On SQLite the
transaction begins IMMEDIATE, which locks the whole database and so that row too.
"""

from games.services.advising import NoAdvice, advise
from games.services.agreements import answer, end_overdue, propose_pace, propose_removal, propose_stop
from games.services.failures import note_failure, note_success
from games.services.holidays import end_holidays, hold_for_holiday, set_holiday
from games.services.locking import set_aside
from games.services.ordering import OrderRefused, cancel_order, forget_told, give_order
from games.services.people import clear, forget, hand_on, rename
from games.services.playing import (
    Entrant,
    Played,
    new_seed,
    play_move,
    play_ordered,
    play_overdue,
    play_timeout,
    play_timeout_now,
    put_bots_off,
    start_game,
    withdraw_promises,
)
from games.services.refusals import (
    NOT_SEATED,
    SET_ASIDE,
    AlreadyProposed,
    ClientIdTaken,
    NoSuchProposal,
    NotAway,
    NothingToDo,
    NotNow,
    NotRunning,
    NotYourSeat,
    SetAside,
    StaleVersion,
)
from games.services.resting import go_on, rest_if_left
from games.services.seats import choose_if_absent, give_back, replace_by_bot, withdraw
from games.services.supervision import BadExtension, abort, extend, pause, resume, stand_in

__all__ = [
    "NOT_SEATED",
    "SET_ASIDE",
    "AlreadyProposed",
    "BadExtension",
    "ClientIdTaken",
    "Entrant",
    "NoAdvice",
    "NoSuchProposal",
    "NotAway",
    "NotNow",
    "NotRunning",
    "NotYourSeat",
    "NothingToDo",
    "OrderRefused",
    "Played",
    "SetAside",
    "StaleVersion",
    "abort",
    "advise",
    "answer",
    "cancel_order",
    "choose_if_absent",
    "clear",
    "end_holidays",
    "end_overdue",
    "extend",
    "forget",
    "forget_told",
    "give_back",
    "give_order",
    "go_on",
    "hand_on",
    "hold_for_holiday",
    "new_seed",
    "note_failure",
    "note_success",
    "pause",
    "play_move",
    "play_ordered",
    "play_overdue",
    "play_timeout",
    "play_timeout_now",
    "propose_pace",
    "propose_removal",
    "propose_stop",
    "put_bots_off",
    "rename",
    "replace_by_bot",
    "rest_if_left",
    "resume",
    "set_aside",
    "set_holiday",
    "stand_in",
    "start_game",
    "withdraw",
    "withdraw_promises",
]
