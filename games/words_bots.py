"""What people are told of the site's own bots."""

from collections.abc import Mapping
from typing import Final

from games.bots import Strength
from games.words_rules import Choice

#: What to expect of a bot, by its strength.
BOTS: Final[Mapping[Strength, Choice]] = {
    "easy": Choice("Easy bot", "Plays for fun and misses a lot: right for your first games."),
    "medium": Choice("Medium bot", "Builds steadily and trades sensibly: a fair match if you know the game."),
    "hard": Choice("Hard bot", "Counts cards, plans ahead and keeps an eye on the leader: hard to beat."),
}
