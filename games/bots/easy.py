"""A kind opponent for beginners: it plays sensibly, and goes easy on the others.

It leaves the best corners to others and settles on decent ones, says yes to fair offers and seldom makes one. Its
robber goes to whoever leads, where it hurts least. It plays cards when they are plainly useful and hunts nobody for
theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from random import Random
from typing import Any, Final

from games.rules import Move, View
from games.rules.awards import SHORTEST_LONGEST_ROAD, SMALLEST_LARGEST_ARMY, longest_road_through
from games.rules.cards import RESOURCE_NAMES
from games.rules.state import OfferView
from games.rules.topology import EDGE_VERTICES, NEIGHBORS, bit_set
from games.rules.views import SeatView

from .builder import NEARLY_WON, before_roll, best_of, build, discard, held_by_others, move_of, steal, trade_with_bank
from .memory import Memory
from .position import COSTS, Position, missing

#: At the start, a corner is decent if it produces at least and at most these shares of what the best one does. It is by
#: this above all that others have a better start: with the best corners, easy bots nearly play like the builder.
DECENT: Final = (0.6, 0.8)
#: It looks so many roads ahead for a corner to settle on. Each further road makes it count less.
ROADS_AHEAD: Final = 3
FURTHER: Final = 0.6
#: How likely it makes its one offer of a turn, with few cards in hand.
OFFERS: Final = 0.2
#: With more cards than this it spends what it can: the next seven would take half of them.
MANY_CARDS: Final = 7


class Outlook(Position):
    """A position as a player sees it who builds one piece after the other."""

    def goals(self) -> list[str]:
        """What could be built next, the best first; a card only when there is nothing to build."""
        goals = []
        if self.me["settlements_left"] and self.has_site():
            goals.append("settlement")
        if self.me["cities_left"] and self.me["settlements"]:
            goals.append("city")
        if "settlement" not in goals and self.leads_anywhere:
            goals.append("road")
        if self.view["deck"] and not goals:
            goals.append("development_card")
        return goals

    @cached_property
    def aim(self) -> str | None:
        """The goal for which the bank has all that lacks, else the one that lacks the fewest cards."""
        return min(
            self.goals(),
            key=lambda goal: (not self.is_within_reach(goal), sum(missing(goal, self.hand).values())),
            default=None,
        )

    def is_within_reach(self, goal: str) -> bool:
        """The bank would give the missing cards for those that the goal does not need."""
        rates = self.me["rates"]
        can_trade = self.view["rules"]["maritime_trade"] != "none"
        spare = (max(0, self.hand[name] - COSTS[goal].get(name, 0)) // rates[name] for name in RESOURCE_NAMES)
        return sum(missing(goal, self.hand).values()) <= (sum(spare) if can_trade else 0)

    @cached_property
    def leads_anywhere(self) -> bool:
        """A road would bring a corner to settle on nearer."""
        has_pieces = self.me["settlements_left"] and self.me["roads_left"]
        return bool(has_pieces) and any(self.lead(edge) for edge in self.open_paths)

    def lead(self, edge: int) -> float:
        """How good a corner a road leads to, the nearer the better."""
        best, share = 0.0, 1.0
        seen = {vertex for road in self.me["roads"] for vertex in EDGE_VERTICES[road]}
        ends = set(EDGE_VERTICES[edge]) - seen
        for _ in range(min(ROADS_AHEAD, self.me["roads_left"])):
            best = max([best, *(share * self.worth(vertex) for vertex in ends & self.free_vertices)])
            seen |= ends
            onward = {(road, far) for vertex in ends - self.blocked for road, far in NEIGHBORS[vertex]}
            ends = {far for road, far in onward if road not in self.paved} - seen
            share *= FURTHER
        return best

    def takes_longest_road(self, edge: int) -> bool:
        if self.view["longest_road"] == self.seat:
            return False
        roads = bit_set([*self.me["roads"], edge])
        to_beat = max(SHORTEST_LONGEST_ROAD - 1, *(shown["road_length"] for shown in self.others))
        return longest_road_through(edge, roads, bit_set(self.blocked)) > to_beat

    def is_nearly_through(self, seat: int) -> bool:
        """Somebody is so near to winning that nobody trades with them."""
        return self.view["seats"][seat]["points"] + NEARLY_WON >= int(self.view["rules"]["points_to_win"])

    def can_do_without(self, gives: Mapping[str, int]) -> bool:
        """The seat has these cards, and its aim does not need them."""
        return all(name in self.hand and self.spare(name) >= count for name, count in gives.items() if count)


def choose(view: View, memory: Memory, source: Random) -> Move | None:
    """The move of the viewer's seat, or ``None`` when nothing is asked of it."""
    position = Outlook(view)
    if "discard" in position.choices:
        return discard(position, position.choices["discard"]["count"])
    if not position.choices:
        return None
    if not position.is_my_turn:
        return _answer(position)
    if view["phase"] == "main":
        return _take_turn(position, memory, source)
    return PHASES[view["phase"]](position, source)


# Placing pieces


def _place_settlement(position: Outlook, source: Random) -> Move:
    """Some decent corner; of those, one that produces what the first settlement does not."""
    corners = [choice["vertex"] for choice in position.choices["build_settlement"]]
    least, most = (share * max(map(position.pips, corners)) for share in DECENT)
    decent = [vertex for vertex in corners if least <= position.pips(vertex) <= most] or corners
    new = {vertex: len(position.yields(vertex) - position.products) for vertex in decent}
    return move_of(
        position, "build_settlement", vertex=source.choice([v for v in decent if new[v] == max(new.values())])
    )


def _place_road(position: Outlook, source: Random) -> Move:
    return best_of(position, "build_road", lambda choice: _use(position, choice["edge"]) + source.random())


def _use(position: Outlook, edge: int) -> float:
    return 100 * position.takes_longest_road(edge) + position.lead(edge)


# The robber


def _move_robber(position: Outlook, source: Random) -> Move:
    """To whoever leads, where it hurts least, rather than to those behind; never to itself, if that can be helped."""
    most = max(shown["points"] for shown in position.others)

    def sense(choice: Mapping[str, Any]) -> float:
        _, pips = position.product(choice["hex"])
        there = list(position.buildings_at(choice["hex"]))
        robbed = [shown["points"] for shown, _ in there if shown is not position.me]
        harm = pips * sum(cards for _, cards in there)
        return (
            -1000 * (len(robbed) < len(there))
            + 500 * (pips > 0 and most in robbed)
            - 100 * sum(points < most for points in robbed)
            - harm
        )

    return best_of(position, "move_robber", sense)


# The turn


def _take_turn(position: Outlook, memory: Memory, source: Random) -> Move:
    for decide in (build, _conclude_trade, _play_card, _spend, _ask_bank):
        move = decide(position)
        if move:
            return move
    return _offer(position, memory, source) or move_of(position, "end_turn")


def _conclude_trade(position: Outlook) -> Move | None:
    """Confirm its own offers with whoever has fewest points, and say yes or no to counter-offers."""
    confirmable = position.choices.get("confirm_trade", [])
    for offer in position.view["offers"]:
        partners = [choice for choice in confirmable if choice["offer"] == offer["number"]]
        if offer["maker"] != position.seat:
            if partners and _is_welcome(position, offer):
                return move_of(position, "confirm_trade", **partners[0])
            return move_of(position, "reject_offer", offer=offer["number"])
        if partners:
            best = min(partners, key=lambda choice: position.view["seats"][choice["partner"]]["points"])
            return move_of(position, "confirm_trade", **best)
    return None


def _play_card(position: Outlook) -> Move | None:
    choices, lacking = position.choices, sum(position.wanted.values())
    if "play_knight" in choices and (_is_robbed(position) or _builds_army(position)):
        return move_of(position, "play_knight")
    if "play_road_building" in choices and not position.has_site() and position.leads_anywhere:
        return move_of(position, "play_road_building")
    if "play_year_of_plenty" in choices and lacking:
        return best_of(
            position,
            "play_year_of_plenty",
            lambda choice: sum(min(count, position.wanted.get(name, 0)) for name, count in choice["resources"].items()),
        )
    if "play_monopoly" in choices and len(position.wanted) == 1:
        (name,) = position.wanted
        if held_by_others(position, name) >= lacking:
            return move_of(position, "play_monopoly", resource=name)
    return None


def _is_robbed(position: Outlook) -> bool:
    return any(shown is position.me for shown, _ in position.buildings_at(position.view["robber"]))


def _builds_army(position: Outlook) -> bool:
    """The knights in hand are enough for Largest Army."""
    held = sum(card["card"] == "knight" for card in position.me.get("cards", []))
    to_beat = max(SMALLEST_LARGEST_ARMY - 1, *(_knights(shown) for shown in position.others))
    return position.view["largest_army"] != position.seat and _knights(position.me) + held > to_beat


def _knights(shown: SeatView) -> int:
    return shown["knights"] or 0


def _spend(position: Outlook) -> Move | None:
    """A road that takes Longest Road or leads to a corner, or a card; of many cards, whatever they pay for."""
    paths = [choice["edge"] for choice in position.choices.get("build_road", [])]
    if any(position.takes_longest_road(edge) for edge in paths):
        return best_of(position, "build_road", lambda choice: _use(position, choice["edge"]))
    for piece in ("road", "development_card"):
        has_too_many = position.me["hand_size"] > MANY_CARDS and position.can_do_without(COSTS[piece])
        if position.aim != piece and not has_too_many:
            continue
        if piece == "road" and paths and position.leads_anywhere:
            return best_of(position, "build_road", lambda choice: _use(position, choice["edge"]))
        if piece == "development_card" and "buy_card" in position.choices:
            return move_of(position, "buy_card")
    return None


def _ask_bank(position: Outlook) -> Move | None:
    """Trade with the bank for a piece that this pays for, or when there are too many cards anyway."""
    is_due = position.aim is not None and position.is_within_reach(position.aim)
    return trade_with_bank(position) if is_due or position.me["hand_size"] > MANY_CARDS else None


# Trade with the others


def _offer(position: Outlook, memory: Memory, source: Random) -> Move | None:
    """Now and then, once a turn: a spare card for one it lacks, to those who may have it and are not about to win."""
    wanted = [name for name in position.wanted if held_by_others(position, name)]
    spare = [name for name in RESOURCE_NAMES if position.spare(name) > 0]
    to = [
        shown["seat"]
        for shown in position.others
        if shown["hand_size"] and not position.is_nearly_through(shown["seat"])
    ]
    may_offer = "offer_trade" in position.choices and not memory.made_this_turn(position.seat)
    is_in_mood = position.me["hand_size"] > MANY_CARDS or source.random() < OFFERS
    if not (may_offer and wanted and spare and to and is_in_mood):
        return None
    gives, gets = max(spare, key=position.spare), source.choice(wanted)
    return move_of(position, "offer_trade", to=to, gives={gives: 1}, gets={gets: 1})


def _answer(position: Outlook) -> Move | None:
    for offer in position.unanswered_offers():
        number = offer["number"]
        may_accept = {"offer": number} in position.choices.get("accept_offer", [])
        kind = "accept_offer" if may_accept and _is_welcome(position, offer) else "reject_offer"
        return move_of(position, kind, offer=number)
    return None


def _is_welcome(position: Outlook, offer: OfferView) -> bool:
    """An offer that helps, or that costs nothing it needs and is fair: as many cards for as many."""
    if position.is_nearly_through(offer["maker"]):
        return False
    receives, gives = offer["gives"], offer["gets"]
    is_fair = sum(receives.values()) >= sum(gives.values()) and position.can_do_without(gives)
    return is_fair or position.likes(receives, gives)


PHASES: Final[dict[str, Callable[[Outlook, Random], Move]]] = {
    "placing_settlement": _place_settlement,
    "placing_road": _place_road,
    "rolling": before_roll,
    "moving_robber": _move_robber,
    "stealing": steal,
    "placing_free_roads": _place_road,
}
