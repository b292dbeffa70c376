"""What a host chooses from, in words: rule books, boards, the pace of play and of bots."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games import paces, words_bots, words_rules
from games.paces import CLOCKS, BotSpeed, Pace, in_words
from games.rules import PRESETS, RuleSet
from games.rules.boards import Layout
from games.rules.ruleset import OPTIONS, Option

Choice = words_rules.Choice

RULE_BOOKS: Final = words_rules.RULE_BOOKS

BOARDS: Final[Mapping[Layout, Choice]] = {
    "balanced": Choice("Balanced", "Shuffled, but fair: no red numbers side by side, no resource bunched together."),
    "variable": Choice("Variable", "Shuffled terrain; the numbers run in a spiral, as in the rule book."),
    "random": Choice("Random", "Terrain, numbers and harbors are all shuffled."),
    "beginner": Choice("Beginners’ island", "The same well-mixed island every time, for a first game."),
}

#: Whether the board can be seen before the game, by what the form sends.
FIRST_LOOKS: Final[Mapping[str, Choice]] = {
    "no": Choice("A surprise", "The board stays face down until the game starts."),
    "yes": Choice("Seen beforehand", "Everybody sees the board, and the host can shuffle it until somebody is ready."),
}

#: By the name of a pace; none is no clock.
PACE_CHOICES: Final = words_rules.PACE_CHOICES

#: How long bots take for one thing; the seconds are in `games.paces`.
BOT_SPEED_CHOICES: Final[Mapping[BotSpeed, Choice]] = {
    "calm": Choice("Calm", "Bots pause before everything they do."),
    "brisk": Choice("Brisk", "Bots are quick, but easy to follow."),
    "at once": Choice("At once", "Bots never pause."),
}

#: How well bots play.
STRENGTH_CHOICES: Final = words_bots.BOTS

RATED: Final = Choice("Rated", "The result changes everybody’s rating. Everyone needs an account, and no bots play.")
RATED_AMONG_BOTS: Final = Choice(
    "Rated",
    "The result changes the bots’ ratings. Only bot accounts can sit down: no people, and none of the site’s own bots.",
)


@dataclass(frozen=True, slots=True)
class PaceTable:
    """Paces side by side: those whose clocks have the same bounds."""

    title: str
    bounds: str
    paces: list[str]
    rows: list[tuple[str, list[str]]]


def pace_tables() -> list[PaceTable]:
    """Every time of every pace, for a host to compare before picking one."""
    live = [pace for pace in paces.PACES.values() if pace.is_live]
    over_days = [pace for pace in paces.PACES.values() if not pace.is_live]
    return [_pace_table("In one sitting", live), _pace_table("Over days", over_days)]


def _pace_table(title: str, side_by_side: list[Pace]) -> PaceTable:
    return PaceTable(
        title=title,
        bounds=side_by_side[0].bounds_in_words,
        paces=[PACE_CHOICES[pace.name].title for pace in side_by_side],
        rows=[(what, [in_words(getattr(pace, clock)) for pace in side_by_side]) for clock, what in CLOCKS.items()],
    )


@dataclass(frozen=True, slots=True)
class AgreedClock:
    """What a clock is for, its time at a table, and the time that it usually has at the table's pace."""

    title: str
    time: str
    usual: str

    @property
    def is_changed(self) -> bool:
        return self.time != self.usual


def agreed_clocks(pace: Pace | None) -> list[AgreedClock]:
    """Every clock of a table in words; without a pace there is none."""
    if pace is None:
        return []
    usual = paces.PACES[pace.name]
    return [
        AgreedClock(what, in_words(getattr(pace, clock)), in_words(getattr(usual, clock)))
        for clock, what in CLOCKS.items()
    ]


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
    value = option.of(rules)
    is_standard = value == option.of(PRESETS["standard"])
    return AgreedOption(option.title, option.explain(value), is_standard)
