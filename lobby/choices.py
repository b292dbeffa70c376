"""What a host chooses from, in words: rule books, boards and the pace of play."""

from dataclasses import dataclass
from typing import Final

from games.paces import CLOCKS, Pace, in_words
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

#: By the name of a pace; none is no clock.
PACES: Final = {
    "": Choice("No clock", "Nobody is hurried."),
    "fast": Choice("Fast", "1 minute a turn, for those who know their next move."),
    "normal": Choice("Normal", "2 minutes a turn."),
    "relaxed": Choice("Relaxed", "5 minutes a turn, with time for a chat."),
    "12 hours": Choice("Twice daily", "12 hours a move."),
    "1 day": Choice("Daily", "1 day a move."),
    "3 days": Choice("Unhurried", "3 days a move."),
    "7 days": Choice("Weekly", "7 days a move."),
}


def pace_sentence(pace: Pace | None) -> str:
    """How much time there is, with every clock that is not as usual at this pace."""
    chosen = PACES[pace.name if pace else ""]
    changed = [f"{CLOCKS[clock]}: {in_words(seconds)}." for clock, seconds in pace.changed.items()] if pace else []
    return " ".join([f"{chosen.title}: {chosen.sentence}", *changed])


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
