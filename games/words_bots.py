"""What people are told of the site's own bots."""

from collections.abc import Mapping
from typing import Final

from games.bots import Strength
from games.words_rules import Choice

#: What to expect of a bot, by its strength.
BOTS: Final[Mapping[Strength, Choice]] = {
    "easy": Choice("Easy bot", "For your first games: friendly play, with plenty of mistakes."),
    "medium": Choice("Medium bot", "For those who know the game: steady building, sensible trades."),
    "hard": Choice("Hard bot", "For a real challenge: counted cards, long plans, an eye on the leader."),
}
