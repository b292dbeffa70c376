"""The rules of the game, as a library: plain Python, no clock, no global chance, no I/O.

>>> state = new_game(PRESETS["standard"], 4, "variable", chance)
>>> events = play(state, legal_moves(state, state.active)[0], chance)

``README.md`` beside this file says where each rule of the book stands.
"""

from .chance import Chance, RandomChance, RecordedChance, SeededChance, commitment
from .defaults import default_move, is_default_move
from .engine import Deal, deal, is_legal, legal_moves, new_game, play, start, to_act
from .events import Event
from .moves import Move
from .reasons import why_not
from .records import Record
from .refusals import Forbidden, IllegalMove, Malformed, MalformedMove, Refusal
from .ruleset import PRESETS, RULES_VERSION, RuleSet, RuleSetError
from .state import NOBODY, Phase, State, points, visible_points
from .views import View, player_view

__all__ = [
    "NOBODY",
    "PRESETS",
    "RULES_VERSION",
    "Chance",
    "Deal",
    "Event",
    "Forbidden",
    "IllegalMove",
    "Malformed",
    "MalformedMove",
    "Move",
    "Phase",
    "RandomChance",
    "Record",
    "RecordedChance",
    "Refusal",
    "RuleSet",
    "RuleSetError",
    "SeededChance",
    "State",
    "View",
    "commitment",
    "deal",
    "default_move",
    "is_default_move",
    "is_legal",
    "legal_moves",
    "new_game",
    "play",
    "player_view",
    "points",
    "start",
    "to_act",
    "visible_points",
    "why_not",
]
