"""The options of a game, and the preset that each of the five rule books makes of them.

A table's host picks a preset and may change any single option. Each option is one field of
:class:`RuleSet`; :data:`OPTIONS` says which values it takes and tells the players what they mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, TypeAlias, TypedDict, Unpack, cast

from .numbers import whole_number

Value: TypeAlias = "str | int | bool"

Preset = Literal["standard", "definition-of-done", "online", "three-player", "excellent"]
WinDeclared = Literal["own_turn", "any_moment", "turn_begins"]
TurnOrder = Literal["highest_roll", "random", "seat_order"]
StartingResources = Literal["second_settlement", "each_type_once"]
EarlySevens = Literal["allowed", "rolled_again"]
BankShortage = Literal["sole_claimant", "nobody"]
MaritimeTrade = Literal["limited", "unlimited", "none"]
Knights = Literal["then_roll", "may_replace_roll", "never_played"]
LargestArmy = Literal["knights_played", "knights_held"]
RoadBuilding = Literal["both", "up_to_two", "spent_regardless"]
VictoryPointCards = Literal["at_once", "when_played", "like_any_other"]
LongestRoadCut = Literal["recount", "holder_loses", "lost_until_built"]
PlayerTrades = Literal["fair", "anything"]
CardsATurn = Literal["one", "any_number"]

#: Grows when a rule changes in a way that lets a recorded game end differently.
RULES_VERSION: Final = 2


class Changes(TypedDict, total=False):
    """Some options with other values than a rule book gives them: the fields of a :class:`RuleSet`."""

    most_seats: int
    points_to_win: int
    win_declared: WinDeclared
    turn_order: TurnOrder
    starting_resources: StartingResources
    early_sevens: EarlySevens
    discard_limit: int
    robber: bool
    bank_shortage: BankShortage
    maritime_trade: MaritimeTrade
    knights: Knights
    largest_army: LargestArmy
    road_building: RoadBuilding
    victory_point_cards: VictoryPointCards
    longest_road_cut: LongestRoadCut
    cards_in_trades: bool
    counter_offers: bool
    player_trades: PlayerTrades
    cards_a_turn: CardsATurn
    friendly_robber: bool
    balanced_dice: bool
    trade_after_all_built: bool


@dataclass(frozen=True, slots=True)
class RuleSet:
    """What a table has agreed on. The defaults are the preset ``standard``."""

    preset: Preset = "standard"
    most_seats: int = 4
    points_to_win: int = 10
    win_declared: WinDeclared = "own_turn"
    turn_order: TurnOrder = "highest_roll"
    starting_resources: StartingResources = "second_settlement"
    early_sevens: EarlySevens = "allowed"
    discard_limit: int = 7
    robber: bool = True
    bank_shortage: BankShortage = "sole_claimant"
    maritime_trade: MaritimeTrade = "limited"
    knights: Knights = "then_roll"
    largest_army: LargestArmy = "knights_played"
    road_building: RoadBuilding = "both"
    victory_point_cards: VictoryPointCards = "at_once"
    longest_road_cut: LongestRoadCut = "recount"
    cards_in_trades: bool = False
    counter_offers: bool = True
    player_trades: PlayerTrades = "fair"
    cards_a_turn: CardsATurn = "one"
    friendly_robber: bool = False
    balanced_dice: bool = False
    trade_after_all_built: bool = False

    def __post_init__(self) -> None:
        for option in OPTIONS:
            option.check(option.of(self))

    @property
    def seats(self) -> range:
        """How many may sit at the table."""
        return range(3, self.most_seats + 1)

    def with_options(self, **changes: Unpack[Changes]) -> RuleSet:
        """This rule set with some options changed: house rules."""
        return replace(self, **changes)

    def house_rules(self) -> dict[str, Value]:
        """The options in which this differs from its preset."""
        base = PRESETS[self.preset]
        return {option.name: option.of(self) for option in OPTIONS if option.of(self) != option.of(base)}

    def __str__(self) -> str:
        """The text form: the preset, then what differs from it."""
        changes = (f"{name}={str(value).lower()}" for name, value in self.house_rules().items())
        return " ".join([self.preset, *changes])

    @staticmethod
    def from_text(text: str) -> RuleSet:
        name, *words = text.split() or [""]
        changes = dict(word.partition("=")[::2] for word in words)
        return preset(name).with_options(**read_changes({key: _value(word) for key, word in changes.items()}))

    def to_json(self) -> dict[str, Value]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @staticmethod
    def from_json(data: Any) -> RuleSet:
        """A whole rule set, or a preset's name with the options that differ from it."""
        if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
            raise RuleSetError("A rule set is an object of option names and values.")
        options = dict(data)
        name = options.pop("preset", "standard")
        if not isinstance(name, str):
            raise RuleSetError("A preset is named by a string.")
        return preset(name).with_options(**read_changes(options))


def read_changes(options: Mapping[str, object]) -> Changes:
    """Options that somebody has sent or written down, checked one by one."""
    known = {option.name: option for option in OPTIONS}
    unknown = options.keys() - known.keys()
    if unknown:
        raise RuleSetError(f"There is no option {', '.join(sorted(map(repr, unknown)))}.")
    for name, value in options.items():
        known[name].check(value)
    return cast("Changes", dict(options))


def _value(word: str) -> Value:
    if word in ("true", "false"):
        return word == "true"
    number = whole_number(word, digits=4)
    return word if number is None else number


class RuleSetError(ValueError):
    """No table can play by these options."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing a host may choose: its values, each with a sentence, or a range of numbers."""

    name: str
    title: str
    values: tuple[tuple[Value, str], ...] = ()
    numbers: range | None = None
    sentence: str = ""

    def of(self, rules: RuleSet) -> Value:
        """What a rule set has chosen here."""
        value: Value = getattr(rules, self.name)
        return value

    def check(self, value: object) -> None:
        """Refuse a value this option does not take; 1 is not true, and true is not 1."""
        if self.numbers is not None:
            if type(value) is int and value in self.numbers:
                return
            takes = f"a whole number from {self.numbers[0]} to {self.numbers[-1]}"
        else:
            if any(type(value) is type(allowed) and value == allowed for allowed, _ in self.values):
                return
            takes = "one of " + ", ".join(str(allowed).lower() for allowed, _ in self.values)
        raise RuleSetError(f"{self.title}: {value!r} is not possible, it takes {takes}.")

    def explain(self, value: Value) -> str:
        """What this value means at the table, in a sentence."""
        if self.numbers is not None:
            return self.sentence.format(value)
        return next(sentence for allowed, sentence in self.values if allowed == value)


OPTIONS: Final = (
    Option(
        "most_seats",
        "Seats",
        ((3, "Exactly three players."), (4, "Three or four players.")),
    ),
    Option(
        "points_to_win",
        "Points to win",
        numbers=range(8, 16),
        sentence="{} victory points win.",
    ),
    Option(
        "win_declared",
        "When a win is declared",
        (
            ("own_turn", "You win on your own turn only."),
            ("any_moment", "You win the moment you have the points, on anyone's turn."),
            ("turn_begins", "You win when your turn begins and you hold the points."),
        ),
    ),
    Option(
        "turn_order",
        "Turn order",
        (
            ("highest_roll", "Everyone rolls; the highest begins, and play goes round the table."),
            ("random", "The order is drawn at random."),
            ("seat_order", "The order is that of the seats, as the host arranged them."),
        ),
    ),
    Option(
        "starting_resources",
        "Starting resources",
        (
            ("second_settlement", "One card for each hex at your second settlement."),
            ("each_type_once", "One card of each type that touches either settlement."),
        ),
    ),
    Option(
        "early_sevens",
        "Sevens in the first two rounds",
        (
            ("allowed", "A seven counts from the first turn on."),
            ("rolled_again", "A seven in the first two rounds is rolled again."),
        ),
    ),
    Option(
        "discard_limit",
        "Discard limit",
        numbers=range(7, 13),
        sentence="On a seven, whoever holds more than {} cards discards half of them.",
    ),
    Option(
        "robber",
        "Robber",
        (
            (True, "A seven or a knight moves the robber."),
            (False, "There is no robber: a seven only makes players discard."),
        ),
    ),
    Option(
        "bank_shortage",
        "When the bank is too short for a roll",
        (
            ("sole_claimant", "Nobody gets the resource, but a sole claimant gets what is left."),
            ("nobody", "Nobody gets the resource."),
        ),
    ),
    Option(
        "maritime_trade",
        "Trade with the bank",
        (
            ("limited", "The bank trades what it has."),
            ("unlimited", "The bank never runs out in a trade."),
            ("none", "The bank does not trade."),
        ),
    ),
    Option(
        "knights",
        "A knight before the roll",
        (
            ("then_roll", "You may play a knight before you roll; you roll afterwards."),
            ("may_replace_roll", "After a knight played before the roll you may skip the roll."),
            ("never_played", "Knights are never played."),
        ),
    ),
    Option(
        "largest_army",
        "Largest Army",
        (
            ("knights_played", "Counts knights played, three at the least."),
            ("knights_held", "Counts knights held, three at the least."),
        ),
    ),
    Option(
        "road_building",
        "Road Building",
        (
            ("both", "Places two roads, or as many as pieces and paths allow."),
            ("up_to_two", "Places none, one or two roads, as you like."),
            ("spent_regardless", "Places two roads; without pieces the card is spent for nothing."),
        ),
    ),
    Option(
        "victory_point_cards",
        "Victory point cards",
        (
            ("at_once", "Count from the moment they are bought, hidden until the win."),
            ("when_played", "Count when played: any number a turn, also the turn bought."),
            ("like_any_other", "Count when played, like any other card: one a turn, on a later turn than bought."),
        ),
    ),
    Option(
        "longest_road_cut",
        "When Longest Road is cut",
        (
            ("recount", "Roads are counted again; a tie leaves the card with its holder."),
            ("holder_loses", "A holder whose road gets shorter loses the card; then all are counted."),
            (
                "lost_until_built",
                "A holder whose road is split loses the card: to a single longest road at once, or the next one built.",
            ),
        ),
    ),
    Option(
        "cards_in_trades",
        "Development cards in trades",
        (
            (False, "Development cards are not traded."),
            (True, "Players may trade development cards."),
        ),
    ),
    Option(
        "counter_offers",
        "Counter-offers",
        (
            (True, "An offer may be answered with another."),
            (False, "An offer is accepted or declined, nothing else."),
        ),
    ),
    Option(
        "player_trades",
        "What players may exchange",
        (
            ("fair", "Players exchange different cards, and keep up to six offers open."),
            ("anything", "Players exchange anything for anything, with any number of offers open."),
        ),
    ),
    Option(
        "cards_a_turn",
        "Development cards a turn",
        (
            ("one", "One development card a turn."),
            ("any_number", "Any number of development cards a turn."),
        ),
    ),
    Option(
        "friendly_robber",
        "Friendly robber",
        (
            (False, "The robber goes anywhere."),
            (True, "The robber spares players who show only 2 points."),
        ),
    ),
    Option(
        "balanced_dice",
        "Balanced dice",
        (
            (False, "Two ordinary dice."),
            (True, "Rolls are dealt from the 36 possible ones, shuffled anew at 12 left."),
        ),
    ),
    Option(
        "trade_after_all_built",
        "First trades",
        (
            (False, "Players trade from the first turn on."),
            (True, "No player trades before everyone has built once."),
        ),
    ),
)

#: Each rule book as the options in which it differs from the standard game.
PRESET_CHANGES: Final[dict[Preset, Changes]] = {
    "standard": {},
    "definition-of-done": {
        "win_declared": "any_moment",
        "turn_order": "random",
        "bank_shortage": "nobody",
        "victory_point_cards": "like_any_other",
        "counter_offers": False,
    },
    "online": {
        "win_declared": "any_moment",
        "turn_order": "random",
        "bank_shortage": "nobody",
        "maritime_trade": "unlimited",
        "knights": "may_replace_roll",
        "road_building": "up_to_two",
    },
    "three-player": {
        "most_seats": 3,
        "win_declared": "turn_begins",
        "turn_order": "seat_order",
        "starting_resources": "each_type_once",
        "early_sevens": "rolled_again",
        "robber": False,
        "bank_shortage": "nobody",
        "maritime_trade": "none",
        "knights": "never_played",
        "largest_army": "knights_held",
        "cards_in_trades": True,
        "player_trades": "anything",
        "cards_a_turn": "any_number",
    },
    "excellent": {
        "turn_order": "random",
        "bank_shortage": "nobody",
        "road_building": "spent_regardless",
        "longest_road_cut": "lost_until_built",
    },
}


PRESETS: Final = {name: RuleSet(name, **changes) for name, changes in PRESET_CHANGES.items()}


def preset(name: str) -> RuleSet:
    """The rule set of one of the five rule books, by a name that somebody has sent or written down."""
    for known, rules in PRESETS.items():
        if known == name:
            return rules
    raise RuleSetError(f"There is no preset {name!r}. Presets: {', '.join(PRESETS)}.")
