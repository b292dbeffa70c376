"""A simple, greedy player: builds what gives points, trades towards the next piece.

It plays by its view alone and is never stuck. It offers one card for one, now and then, and answers
offers by whether they bring its own next piece nearer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from games.rules import Move, View, moves
from games.rules.cards import RESOURCE_NAMES, RESOURCE_SUPPLY
from games.rules.state import OfferView
from games.rules.views import listed

from .position import Position

#: How likely an offer is, each time one could be made; and a counter-offer to one that is refused.
OFFERS: Final = 0.3
COUNTERS: Final = 0.25
#: A Monopoly is worth its card when the others hold this many together.
WORTH_MONOPOLY: Final = 3
#: With somebody this near to winning, nobody trades with them.
NEARLY_WON: Final = 2


def choose(view: View, source: Random) -> Move | None:
    """The move of the viewer's seat, or ``None`` when nothing is asked of it."""
    position = Position(view)
    if "discard" in position.choices:
        return discard(position, position.choices["discard"]["count"])
    if not position.choices:
        return None
    if not position.is_my_turn:
        return _answer(position, source)
    return PHASES[view["phase"]](position, source)


def move_of(position: Position, kind: str, **arguments: Any) -> Move:
    return moves.from_json({"kind": kind, "seat": position.seat, **arguments})


def best_of(position: Position, kind: str, key: Callable[[Mapping[str, Any]], float]) -> Move:
    return move_of(position, kind, **max(listed(position.choices)[kind], key=key))


# Placing pieces


def _place_settlement(position: Position, source: Random) -> Move:
    return best_of(position, "build_settlement", lambda choice: position.worth(choice["vertex"]))


def _place_road(position: Position, source: Random) -> Move:
    """Towards the best corner to settle on; a little chance, so that not all games are alike."""
    return best_of(position, "build_road", lambda choice: position.promise(choice["edge"]) + source.random())


# The seven and the robber


def discard(position: Position, count: int) -> Move:
    """What the next piece needs least, from what there is most of."""
    left, lost = dict(position.hand), dict.fromkeys(RESOURCE_NAMES, 0)
    for _ in range(count):
        name = max((n for n in left if left[n]), key=lambda n: (left[n] - position.needs(n), left[n]))
        left[name] -= 1
        lost[name] += 1
    return move_of(position, "discard", resources=lost)


def _move_robber(position: Position, source: Random) -> Move:
    """Where it costs the leaders most, never on oneself if that can be helped."""

    def harm(choice: Mapping[str, Any]) -> float:
        _, pips = position.product(choice["hex"])
        total = 0.0
        for shown, cards in position.buildings_at(choice["hex"]):
            weight = -20 if shown is position.me else shown["points"] + bool(shown["hand_size"])
            total += pips * cards * weight
        return total

    return best_of(position, "move_robber", harm)


def steal(position: Position, source: Random) -> Move:
    def prize(choice: Mapping[str, Any]) -> float:
        shown = position.view["seats"][choice["victim"]]
        return float(10 * shown["points"] + shown["hand_size"] if shown["hand_size"] else 0)

    return best_of(position, "steal", prize)


# The turn


def before_roll(position: Position, source: Random) -> Move:
    """A knight drives the robber away before the roll; everything else can wait."""
    if "play_knight" in position.choices:
        robbed = [shown["seat"] for shown, _ in position.buildings_at(position.view["robber"])]
        if position.seat in robbed:
            return move_of(position, "play_knight")
    return move_of(position, "roll")


def _take_turn(position: Position, source: Random) -> Move:
    for decide in (build, _conclude_trade, _play_card, _spend, trade_with_bank):
        move = decide(position)
        if move:
            return move
    return _offer(position, source) or move_of(position, "end_turn")


def build(position: Position) -> Move | None:
    """What gives points at once."""
    if "play_victory_point" in position.choices:
        return move_of(position, "play_victory_point")
    for kind in ("build_city", "build_settlement"):
        if kind in position.choices:
            return best_of(position, kind, lambda choice: position.worth(choice["vertex"]))
    return None


def _conclude_trade(position: Position) -> Move | None:
    """Confirm one's own offers with whoever has fewest points; judge the counter-offers."""
    confirmable = position.choices.get("confirm_trade", [])
    for offer in position.view["offers"]:
        partners = [choice for choice in confirmable if choice["offer"] == offer["number"]]
        if offer["maker"] == position.seat:
            if partners:
                best = min(partners, key=lambda choice: position.view["seats"][choice["partner"]]["points"])
                return move_of(position, "confirm_trade", **best)
        elif partners and position.likes(offer["gives"], offer["gets"]):
            return move_of(position, "confirm_trade", **partners[0])
        else:
            return move_of(position, "reject_offer", offer=offer["number"])
    return None


def _play_card(position: Position) -> Move | None:
    choices = position.choices
    if "play_knight" in choices:
        return move_of(position, "play_knight")
    if "play_road_building" in choices and position.me["roads_left"] and not position.has_site():
        return move_of(position, "play_road_building")
    if "play_year_of_plenty" in choices and position.wanted:
        return best_of(
            position,
            "play_year_of_plenty",
            lambda choice: sum(min(count, position.wanted.get(name, 0)) for name, count in choice["resources"].items()),
        )
    if "play_monopoly" in choices and position.wanted:
        name = max(position.wanted, key=lambda name: held_by_others(position, name))
        if held_by_others(position, name) >= WORTH_MONOPOLY:
            return move_of(position, "play_monopoly", resource=name)
    return None


def held_by_others(position: Position, name: str) -> int:
    """Everybody can count: what the bank and oneself do not have, the others do."""
    return RESOURCE_SUPPLY - position.view["bank"][name] - position.hand[name]


def _spend(position: Position) -> Move | None:
    """A road towards a new site, or a card, when nothing better is nearer."""
    if position.aim == "road" and "build_road" in position.choices:
        return best_of(position, "build_road", lambda choice: position.promise(choice["edge"]))
    if position.aim == "development_card" and "buy_card" in position.choices:
        return move_of(position, "buy_card")
    return None


def trade_with_bank(position: Position) -> Move | None:
    """Spare cards for a missing one, at the best rate."""
    useful = [
        choice
        for choice in position.choices.get("trade_with_bank", [])
        if choice["take"] in position.wanted and position.spare(choice["give"]) >= choice["paid"]
    ]
    if not useful:
        return None
    return move_of(position, "trade_with_bank", **min(useful, key=lambda choice: choice["paid"]))


# Trade with the others


def _offer(position: Position, source: Random) -> Move | None:
    """One spare card for one missing one, to everybody; one offer at a time."""
    mine = [offer for offer in position.view["offers"] if offer["maker"] == position.seat]
    spare = [name for name in RESOURCE_NAMES if position.spare(name) > 0]
    if mine or not spare or not position.wanted or "offer_trade" not in position.choices:
        return None
    if source.random() >= OFFERS:
        return None
    gives = source.choice(spare)
    gets = source.choice(list(position.wanted))
    to = [shown["seat"] for shown in position.others]
    return move_of(position, "offer_trade", to=to, gives={gives: 1}, gets={gets: 1})


def _answer(position: Position, source: Random) -> Move | None:
    for offer in position.unanswered_offers():
        number = offer["number"]
        maker = position.view["seats"][offer["maker"]]
        if maker["points"] + NEARLY_WON < int(position.view["rules"]["points_to_win"]):
            may_accept = {"offer": number} in position.choices.get("accept_offer", [])
            if may_accept and position.likes(offer["gives"], offer["gets"]):
                return move_of(position, "accept_offer", offer=number)
            if source.random() < COUNTERS:
                counter = _counter(position, offer)
                if counter:
                    return counter
        return move_of(position, "reject_offer", offer=number)
    return None


def _counter(position: Position, offer: OfferView) -> Move | None:
    """Give what was asked for, but for something one needs oneself; once is enough."""
    asked = offer["gets"]
    wanted = [name for name in position.wanted if name not in asked]
    open_to = [choice["offer"] for choice in position.choices.get("counter_offer", [])]
    if not wanted or offer["number"] not in open_to or not position.likes({wanted[0]: 1}, asked):
        return None
    terms = {"gives": asked, "gets": {wanted[0]: 1}}
    mine = [other for other in position.view["offers"] if other["maker"] == position.seat]
    if terms in [{"gives": other["gives"], "gets": other["gets"]} for other in mine]:
        return None
    return move_of(position, "counter_offer", offer=offer["number"], **terms)


PHASES: Final[dict[str, Callable[[Position, Random], Move]]] = {
    "placing_settlement": _place_settlement,
    "placing_road": _place_road,
    "rolling": before_roll,
    "moving_robber": _move_robber,
    "stealing": steal,
    "main": _take_turn,
    "placing_free_roads": _place_road,
}
