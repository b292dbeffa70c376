"""What a host chooses from, in words: rule books, boards and the pace of play."""

from dataclasses import dataclass
from typing import Final

from games.rules import PRESETS, RuleSet
from games.rules.ruleset import OPTIONS, Option


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose, as a card shows it."""

    title: str
    sentence: str

    def __str__(self) -> str:
        return self.title


RULE_BOOKS: Final = {
    "standard": Choice("Standard", "The base game as most people know it, by the tournament rules."),
    "definition-of-done": Choice(
        "Open count",
        "Victory point cards count once you lay them down, and the tenth point wins at that moment, on anyone’s turn.",
    ),
    "online": Choice(
        "Online",
        "Trade with a bank that never runs dry, let a knight stand in for your roll, and win at any moment.",
    ),
    "three-player": Choice(
        "Gentle three",
        "For exactly three: no robber, no trade with the bank, and development cards may change hands.",
    ),
    "excellent": Choice(
        "Brittle roads",
        "Whoever holds Longest Road and has it cut loses the card before everyone’s roads are counted again.",
    ),
}

BOARDS: Final = {
    "balanced": Choice("Balanced", "Shuffled, but fair: no red numbers side by side, no resource bunched together."),
    "variable": Choice("Variable", "Shuffled terrain; the numbers follow in their lettered spiral, as in the book."),
    "random": Choice("Random", "Terrain, numbers and harbours all fall as they may."),
    "beginner": Choice("Beginners’ island", "The same well-mixed island every time, for a first game."),
}

MINUTE, HOUR, DAY = 60, 3600, 24 * 3600

#: Seconds a move; ``None`` is no clock.
PACES: Final[dict[int | None, Choice]] = {
    None: Choice("No clock", "Nobody is hurried."),
    30: Choice("Fast", "30 seconds a move."),
    MINUTE: Choice("Normal", "1 minute a move."),
    2 * MINUTE: Choice("Relaxed", "2 minutes a move."),
    12 * HOUR: Choice("Twice daily", "12 hours a move."),
    DAY: Choice("Daily", "1 day a move."),
    3 * DAY: Choice("Unhurried", "3 days a move."),
    7 * DAY: Choice("Weekly", "7 days a move."),
}


def pace_sentence(seconds_a_move: int | None) -> str:
    known = PACES.get(seconds_a_move)
    return known.sentence if known else f"{seconds_a_move} seconds a move."


@dataclass(frozen=True, slots=True)
class AgreedOption:
    title: str
    sentence: str
    is_standard: bool


def agreed_options(rules: RuleSet) -> list[AgreedOption]:
    """Every option of a table in words, those that differ from the standard game first."""
    agreed = [_agreed(option, rules) for option in OPTIONS]
    return sorted(agreed, key=lambda option: option.is_standard)


def _agreed(option: Option, rules: RuleSet) -> AgreedOption:
    value = getattr(rules, option.name)
    is_standard = value == getattr(PRESETS["standard"], option.name)
    return AgreedOption(option.title, option.explain(value), is_standard)
