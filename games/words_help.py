"""How a game is played, in words: the topics of its help, what each thing on its page is, the hints of a first game.

All of it follows the game's own rule set, as `words_rules` does, and says what an option says in that option's words.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from typing_extensions import TypedDict

from games.rules import RuleSet
from games.rules.awards import SHORTEST_LONGEST_ROAD, SMALLEST_LARGEST_ARMY
from games.rules.boards import PIPS, TERRAIN_NAMES
from games.rules.cards import BUILDING_COSTS, RESOURCE_NAMES, named
from games.rules.refusals import SENTENCES
from games.rules.ruleset import OPTIONS
from games.words import cards, listing

_TITLES: Final = {option.name: option.title for option in OPTIONS}


def _explain(rules: RuleSet, name: str) -> str:
    """What an option means in this game."""
    option = next(option for option in OPTIONS if option.name == name)
    return option.explain(option.of(rules))


def _titled(rules: RuleSet, name: str) -> str:
    return f"{_TITLES[name]}: {_explain(rules, name)}"


def has_largest_army(rules: RuleSet) -> bool:
    """Knights that are only counted once they are played, and never are, make no army."""
    return rules.knights != "never_played" or rules.largest_army == "knights_held"


def bank_trades(rules: RuleSet) -> bool:
    return rules.maritime_trade != "none"


# The help beside a game


@dataclass(frozen=True, slots=True)
class Topic:
    """Something to look up: what it is about, and sentences that build on one another."""

    name: str
    title: str
    sentences: list[str]


def topics(rules: RuleSet) -> list[Topic]:
    """What a newcomer asks, in the order in which a game raises it."""
    return [
        Topic("winning", "How to win", _winning(rules)),
        Topic("turn", "Your turn", _turn(rules)),
        Topic("seven", "A seven", _seven(rules)),
        Topic("trading", "Trading", _trading(rules)),
        Topic("harbors", "Harbors", _harbors(rules)),
        Topic("awards", listing(_awards(rules)), _awarding(rules)),
    ]


def _awards(rules: RuleSet) -> list[str]:
    return ["Longest Road", "Largest Army"] if has_largest_army(rules) else ["Longest Road"]


def _winning(rules: RuleSet) -> list[str]:
    worth = ["A settlement is worth 1 point", "a city 2", *(f"{award} 2" for award in _awards(rules))]
    return [
        _explain(rules, "points_to_win"),
        _explain(rules, "win_declared"),
        f"{listing([*worth, 'a victory point card 1'])}.",
    ]


def _turn(rules: RuleSet) -> list[str]:
    sentences = [
        "Roll the dice. Each hex with that number brings cards to everybody who has built on one of its corners.",
        "A settlement brings one card, a city two, whoever rolled.",
        "Then trade, build and buy in any order. A road goes on from your own roads and buildings.",
        "A settlement goes on one of your roads, at least two paths from every other building.",
        "A city replaces one of your settlements. End your turn when you are done.",
        _titled(rules, "bank_shortage"),
    ]
    return [*sentences, _titled(rules, "balanced_dice")] if rules.balanced_dice else sentences


def _seven(rules: RuleSet) -> list[str]:
    sentences = ["A seven brings nobody cards."]
    if rules.early_sevens == "rolled_again":
        sentences.append(_explain(rules, "early_sevens"))
    odd = rules.discard_limit + 1 + rules.discard_limit % 2
    sentences += [_explain(rules, "discard_limit"), f"Half is rounded down: of {odd} cards, {odd // 2} go."]
    if not rules.robber:
        return [*sentences, "Nothing else happens."]
    sentences += [
        "Then whoever rolled moves the robber to another hex. While it stands there, that hex brings nothing.",
        "They take a random card from one player with a building on that hex.",
    ]
    return [*sentences, _explain(rules, "friendly_robber")] if rules.friendly_robber else sentences


def _trading(rules: RuleSet) -> list[str]:
    sentences = [
        "On your turn, after the roll, offer the others what you can spare for what you need.",
        "If several say yes, you choose whom to trade with.",
        _explain(rules, "counter_offers"),
        _explain(rules, "player_trades"),
    ]
    for name, is_unusual in (
        ("cards_in_trades", rules.cards_in_trades),
        ("trade_after_all_built", rules.trade_after_all_built),
    ):
        if is_unusual:
            sentences.append(_explain(rules, name))
    if bank_trades(rules):
        sentences.append("The bank gives any one card for four of a kind, or for fewer at a harbor.")
    return [*sentences, _explain(rules, "maritime_trade")]


def _harbors(rules: RuleSet) -> list[str]:
    if not bank_trades(rules):
        return ["A harbor lowers the price of a trade with the bank. The bank does not trade here: harbors are no use."]
    return [
        "Build on one of a harbor’s two corners, and the bank asks less of you from then on.",
        "A 3:1 harbor: three of a kind for any one card.",
        "A 2:1 harbor: two of the resource it shows for any one card.",
    ]


def _awarding(rules: RuleSet) -> list[str]:
    sentences = [
        f"Longest Road, 2 points: the first to have {SHORTEST_LONGEST_ROAD} roads in a row.",
        "Branches do not count, and another player’s building cuts a road.",
        _titled(rules, "longest_road_cut"),
    ]
    if has_largest_army(rules):
        first = f"the first {_ARMY_VERBS[rules.largest_army]} {SMALLEST_LARGEST_ARMY} knights"
        sentences.append(f"Largest Army, 2 points: {first}.")
    return [*sentences, "Whoever has more takes the card over. Drawing level is not enough."]


_ARMY_VERBS: Final = {"knights_played": "to play", "knights_held": "to hold"}


def card_notes(rules: RuleSet) -> list[str]:
    """When development cards are played."""
    but = " Victory points are an exception." if rules.victory_point_cards == "when_played" else ""
    return [_explain(rules, "cards_a_turn"), SENTENCES["bought_this_turn"] + but]


# What a thing on the page is


class Badges(TypedDict):
    """The figures of a seat."""

    points: str
    hand: str
    developments: str
    knights: str
    road: str


class Explained(TypedDict):
    """By what is pointed at."""

    #: Actions, by the kind of move.
    actions: Mapping[str, str]
    #: The one button that leads through a turn.
    turn: str
    badges: Badges
    dice: str
    advice: str


def explained(rules: RuleSet) -> Explained:
    return {
        "actions": _actions(rules),
        "turn": "This button leads through your turn: it rolls the dice, and ends the turn when you are done.",
        "badges": {
            "points": f"Victory points you can see. {_explain(rules, 'points_to_win')}",
            "hand": f"Resource cards in hand. {_explain(rules, 'discard_limit')}",
            "developments": "Development cards in hand.",
            "knights": _knights(rules),
            "road": f"Roads in a row. The longest road of all, from {SHORTEST_LONGEST_ROAD} on, is Longest Road: "
            "2 points and a star.",
        },
        "dice": "The last roll. Hexes with the sum of the dice brought cards.",
        "advice": "Asks what a hard bot would do in your place: a few moves, each with its reason. You still choose.",
    }


def pieces(rules: RuleSet) -> dict[str, str]:
    """What stands on the board."""
    standing = {
        "road": "A road leads to corners where its owner may build a settlement.",
        "settlement": "A settlement brings one card whenever the number of a hex beside it is rolled. 1 point.",
        "city": "A city brings two cards whenever the number of a hex beside it is rolled. 2 points.",
    }
    robber = {"robber": "The robber: while it stands here, this hex brings nothing."}
    return standing | robber if rules.robber else standing


def resources() -> dict[str, str]:
    """Where each resource comes from, and what it is good for."""
    return {
        name: f"{name.capitalize()} comes from {terrain}. It pays for {_paid_with(name)}."
        for name, terrain in zip(RESOURCE_NAMES, TERRAIN_NAMES, strict=False)
    }


_PLURALS: Final = {
    "road": "roads",
    "settlement": "settlements",
    "city": "cities",
    "development_card": "development cards",
}


def _paid_with(resource: str) -> str:
    return listing([_PLURALS[what] for what, cost in BUILDING_COSTS.items() if resource in named(cost)])


def _actions(rules: RuleSet) -> dict[str, str]:
    price = {what: cards(named(cost)) for what, cost in BUILDING_COSTS.items()}
    partners = "the other players or the bank" if bank_trades(rules) else "the other players"
    return {
        "build_road": f"A road costs {price['road']}. It leads to new corners for settlements.",
        "build_settlement": f"A settlement costs {price['settlement']}. It is worth 1 point and brings cards.",
        "build_city": f"A city costs {price['city']} and replaces a settlement. "
        "It is worth 2 points and brings two cards instead of one.",
        "buy_card": f"A development card costs {price['development_card']}. You draw it unseen.",
        "trade": f"Trade cards with {partners}.",
        "skip_roll": "Your knight stands in for the roll: no dice this turn.",
    }


def _knights(rules: RuleSet) -> str:
    if not has_largest_army(rules):
        return "Knights played."
    counted = {"knights_played": "Knights played.", "knights_held": "Knights held, secret until the end."}
    army = f"The largest army of all, from {SMALLEST_LARGEST_ARMY} on, is Largest Army: 2 points and a star."
    return f"{counted[rules.largest_army]} {army}"


def hex_words(terrain: str, resource: str | None, token: int | None) -> str:
    """What a hex of the board brings."""
    if resource is None or token is None:
        return f"{terrain.capitalize()}: brings nothing."
    article = "an" if token in (8, 11) else "a"
    return f"{terrain.capitalize()}: brings {resource} on {article} {token}, which is {PIPS[token]} of 36 rolls."


def harbor_words(kind: str, rules: RuleSet) -> str:
    """What a harbor of the board is good for."""
    if not bank_trades(rules):
        return "A harbor. The bank does not trade in this game, so it is no use."
    paid = "three of a kind" if kind == "generic" else f"two {kind}"
    name = "A 3:1 harbor" if kind == "generic" else "A 2:1 harbor"
    return f"{name}. With a building on one of its two corners, you get any one card from the bank for {paid}."


# The hints of a first game

HintName: TypeAlias = Literal[
    "first_settlement",
    "second_settlement",
    "first_road",
    "roll",
    "production",
    "build",
    "bank",
    "offer_trade",
    "answer_offer",
    "robber",
    "discard",
    "card",
    "harbor",
    "longest_road",
    "largest_army",
    "end_turn",
    "victory",
]


def hints(rules: RuleSet) -> dict[HintName, str]:
    """What is said once, at its moment; on a phone it has four short lines. Moments that cannot come have none."""
    said: dict[HintName, str] = {
        "first_settlement": "Choose a corner with many dots beside it: more dots, more cards. Mix the resources.",
        "second_settlement": _STARTING_CARDS[rules.starting_resources],
        "first_road": "Point your road at a corner you want next. Settlements stand at least two paths apart.",
        "roll": "Your turn begins with the dice. Hexes with the number rolled bring cards to all who built there.",
        "production": "Your buildings brought you cards, as they do on anyone’s roll. Cards pay for what you build.",
        "build": "You can pay for something: press a bright button, then a marked place on the island.",
        "offer_trade": "Missing a card? Press one you can spare, then the one you want, and make an offer.",
        "answer_offer": "Somebody offers you a trade. Say yes if it helps you more than them.",
        "discard": f"A seven, and you hold more than {rules.discard_limit} cards: half must go. Keep what you need.",
        "card": "A development card! Point at it, or press it long, to see what it does.",
        "longest_road": f"You are close to Longest Road: {SHORTEST_LONGEST_ROAD} roads in a row, "
        "and more than anyone else has, are worth 2 points.",
        "end_turn": "Nothing more to do? End your turn. You keep the cards you have left.",
        "victory": f"You are close: {rules.points_to_win} points win. Where will your next point come from?",
    }
    if bank_trades(rules):
        said["bank"] = "You hold enough of a kind for the bank: press one, choose a card to get, then press Bank."
        said["harbor"] = "Your harbor lowers the price of trades with the bank. Press a card to see your rates."
    if rules.robber:
        said["robber"] = "Move the robber to a hex where others have built. It blocks that hex, and you take a card."
    if has_largest_army(rules):
        knights = f"{SMALLEST_LARGEST_ARMY} knights {_ARMY_COUNTS[rules.largest_army]}, and more than anyone else"
        said["largest_army"] = f"You are close to Largest Army: {knights}, are worth 2 points."
    return said


_ARMY_COUNTS: Final = {"knights_played": "played", "knights_held": "held"}

_STARTING_CARDS: Final = {
    "second_settlement": "Each hex at this second settlement brings you one card now. Look for what you still lack.",
    "each_type_once": "Each kind of hex at your two settlements brings you one card now. Look for what you still lack.",
}
