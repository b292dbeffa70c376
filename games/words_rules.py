"""What a game is played by, in words: its rule book, its house rules, its clocks, what each card does.

All of it follows the game's own rule set: a page never tells of what the game does not have.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games import paces, words_help
from games.paces import CLOCKS, NoClock, Pace, PaceName, in_words
from games.rules import RuleSet
from games.rules.cards import BUILDING_COSTS, named
from games.rules.ruleset import OPTIONS, Preset
from games.words_help import Topic


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose, as a card shows it."""

    title: str
    sentence: str

    def __str__(self) -> str:
        return self.title


RULE_BOOKS: Final[Mapping[Preset, Choice]] = {
    "standard": Choice("Standard", "The base game as most people know it, by the tournament rules."),
    "definition-of-done": Choice(
        "Open point cards",
        "A victory point card counts once you play it, and your last point wins at once, on anyone’s turn.",
    ),
    "online": Choice(
        "Endless bank",
        "The bank never runs out in a trade, a knight can replace your roll, and you can win at any moment.",
    ),
    "three-player": Choice(
        "Three players, no robber",
        "No robber and no trade with the bank, but players may trade development cards.",
    ),
    "excellent": Choice(
        "Fragile Longest Road",
        "If your Longest Road is cut, you lose the card, however long the rest of the road is.",
    ),
}


def _turn(pace: PaceName) -> str:
    return in_words(paces.PACES[pace].turn)


#: By the name of a pace; none is no clock.
PACE_CHOICES: Final[Mapping[PaceName | NoClock, Choice]] = {
    "": Choice("No clock", "No time limit."),
    "fast": Choice("Fast", f"{_turn('fast')} a turn."),
    "normal": Choice("Normal", f"{_turn('normal')} a turn."),
    "relaxed": Choice("Relaxed", f"{_turn('relaxed')} a turn."),
    "12 hours": Choice("Twice daily", f"{_turn('12 hours')} a move."),
    "1 day": Choice("Daily", f"{_turn('1 day')} a move."),
    "3 days": Choice("Unhurried", f"{_turn('3 days')} a move."),
    "7 days": Choice("Weekly", f"{_turn('7 days')} a move."),
}


# What was agreed on


@dataclass(frozen=True, slots=True)
class AgreedRule:
    """An option of a game: what it is about, what it means here, and whether the rule book says otherwise."""

    name: str
    title: str
    sentence: str
    is_house_rule: bool


def agreed_rules(rules: RuleSet) -> list[AgreedRule]:
    """Every option that means something in this game."""
    changed = rules.house_rules()
    return [
        AgreedRule(option.name, option.title, option.explain(getattr(rules, option.name)), option.name in changed)
        for option in OPTIONS
        if rules.robber or option.name != "friendly_robber"
    ]


def clock_times(pace: Pace, rules: RuleSet) -> list[tuple[str, str]]:
    """What each clock of this game is for, and how long it runs."""
    return [
        (what, in_words(getattr(pace, clock))) for clock, what in CLOCKS.items() if rules.robber or clock != "robber"
    ]


@dataclass(frozen=True, slots=True)
class Price:
    """Something to build or buy: what it costs, and what it is worth."""

    name: str
    title: str
    cost: dict[str, int]
    worth: str


_PRICED: Final = {
    "road": ("Road", "2 points for Longest Road, from 5 in a row"),
    "settlement": ("Settlement", "1 point"),
    "city": ("City", "2 points, in place of a settlement"),
    "development_card": ("Development card", "one of the cards below"),
}


def prices() -> list[Price]:
    """The table of building costs."""
    return [
        Price(name, title, named(cost), worth)
        for name, cost in BUILDING_COSTS.items()
        for title, worth in [_PRICED[name]]
    ]


#: What everybody at a table asks first: how one wins, and when cards are lost.
FIRST_TO_KNOW: Final = ("points_to_win", "win_declared", "discard_limit")


@dataclass(frozen=True, slots=True)
class About:
    """What can be looked up beside a game, and never changes."""

    prices: list[Price]
    book: Choice
    first_to_know: list[AgreedRule]
    house_rules: list[AgreedRule]
    rules: list[AgreedRule]
    topics: list[Topic]
    card_notes: list[str]
    pace: Choice
    clocks: list[tuple[str, str]]


def about(rules: RuleSet, pace: Pace | None) -> About:
    agreed = agreed_rules(rules)
    return About(
        prices=prices(),
        book=RULE_BOOKS[rules.preset],
        first_to_know=[rule for rule in agreed if rule.name in FIRST_TO_KNOW],
        house_rules=[rule for rule in agreed if rule.is_house_rule and rule.name not in FIRST_TO_KNOW],
        rules=agreed,
        topics=words_help.topics(rules),
        card_notes=words_help.card_notes(rules),
        pace=PACE_CHOICES[pace.name if pace else ""],
        clocks=clock_times(pace, rules) if pace else [],
    )


# Development cards


def card_effects(rules: RuleSet) -> dict[str, str]:
    """What each development card does in this game."""
    return {
        "knight": _knight(rules),
        "road_building": _ROAD_BUILDING[rules.road_building],
        "year_of_plenty": "Take two cards of your choice from the bank.",
        "monopoly": "Name a resource: everybody gives you all they have of it.",
        "victory_point": _VICTORY_POINT[rules.victory_point_cards],
    }


def _knight(rules: RuleSet) -> str:
    if rules.knights == "never_played":
        return _KEPT_KNIGHT[rules.largest_army]
    sentences = []
    if rules.robber:
        sentences.append("Move the robber and take a card from somebody there.")
        if rules.friendly_robber:
            sentences.append("Players who show only 2 points are spared.")
    if rules.knights == "may_replace_roll":
        sentences.append("Played before your roll, it may stand in for it.")
    sentences.append(_PLAYED_KNIGHT[rules.largest_army])
    return " ".join(sentences)


_KEPT_KNIGHT: Final = {
    "knights_held": "Keep it: whoever holds the most knights, three at the least, has Largest Army: 2 points.",
    "knights_played": "Knights are of no use in this game.",
}
_PLAYED_KNIGHT: Final = {
    "knights_held": "It counts for Largest Army as long as you keep it: 2 points, from 3 knights on.",
    "knights_played": "It counts for Largest Army once it is played: 2 points, from 3 knights on.",
}

_ROAD_BUILDING: Final = {
    "both": "Place two roads for free.",
    "up_to_two": "Place two roads for free, or one, or none.",
    "spent_regardless": "Place two roads for free. Without a road left, the card is spent for nothing.",
}

_VICTORY_POINT: Final = {
    "at_once": "One point at once. It stays hidden until you win.",
    "when_played": "One point once you play it, on the turn you bought it too, and as many a turn as you like.",
    "like_any_other": "One point once you play it, by the same rules as any other card.",
}
