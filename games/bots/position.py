"""What a bot reads off its view: the board in numbers, and its own cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final, TypeAlias

from games.rules.awards import longest_road_through
from games.rules.boards import PIPS
from games.rules.cards import BUILDING_COSTS, RESOURCE_NAMES, Counts, named
from games.rules.state import OfferView
from games.rules.topology import EDGE_VERTICES, HEX_VERTICES, NEIGHBORS, VERTEX_HEXES, VERTICES, bit_set
from games.rules.views import Choices, SeatView, View, own_seat

Cards: TypeAlias = Mapping[str, int]

COSTS: Final = {name: named(cost) for name, cost in BUILDING_COSTS.items()}


class Position:
    """A view, and what follows from it."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.me: SeatView = own_seat(view)
        self.seat = self.me["seat"]
        self.others: list[SeatView] = [shown for shown in view["seats"] if shown["seat"] != self.seat]
        self.hand: Counts = self.me["hand"]
        self.choices: Choices = view["choices"]
        self.is_my_turn: bool = view["active"] == self.seat

    def unanswered_offers(self) -> list[OfferView]:
        return [
            offer
            for offer in self.view["offers"]
            if self.seat in offer["to"] and self.seat not in offer["accepted"] + offer["rejected"]
        ]

    # The board

    def worth(self, vertex: int) -> float:
        """How often a corner produces, and a little for what one does not have yet."""
        return self.pips(vertex) + len(self.yields(vertex) - self.products)

    def pips(self, vertex: int) -> int:
        """In how many of the 36 rolls the hexes at a corner produce, each counted."""
        return sum(pips for _, pips in map(self.product, VERTEX_HEXES[vertex]))

    def yields(self, vertex: int) -> set[str]:
        """What the hexes at a corner produce."""
        return {resource for resource, _ in map(self.product, VERTEX_HEXES[vertex]) if resource}

    def product(self, h: int) -> tuple[str | None, int]:
        """What a hex produces, and in how many of the 36 rolls."""
        shown = self.view["board"]["hexes"][h]
        return shown["resource"], PIPS.get(shown["token"] or 0, 0)

    @cached_property
    def products(self) -> set[str]:
        """What the seat's own buildings produce."""
        return {resource for vertex in self.me["settlements"] + self.me["cities"] for resource in self.yields(vertex)}

    @cached_property
    def free_vertices(self) -> set[int]:
        """Where the distance rule lets somebody settle."""
        built = {vertex for shown in self.view["seats"] for vertex in shown["settlements"] + shown["cities"]}
        return {
            vertex
            for vertex in VERTICES
            if vertex not in built and not any(other in built for _, other in NEIGHBORS[vertex])
        }

    def has_site(self) -> bool:
        """There is a corner on the seat's roads where it could settle."""
        return any(vertex in self.free_vertices for edge in self.me["roads"] for vertex in EDGE_VERTICES[edge])

    def has_path(self) -> bool:
        """There is a path where the seat could place a road."""
        return bool(self.open_paths)

    @cached_property
    def open_paths(self) -> set[int]:
        """The paths where the seat could place a road."""
        ends = {vertex for edge in self.me["roads"] for vertex in EDGE_VERTICES[edge]}
        return {edge for vertex in ends - self.blocked for edge, _ in NEIGHBORS[vertex]} - self.paved

    @cached_property
    def paved(self) -> set[int]:
        return {edge for shown in self.view["seats"] for edge in shown["roads"]}

    def promise(self, edge: int) -> float:
        """What a road leads to: a corner to settle on, the next one but one, a longer road."""
        promise = 0.0
        for end in EDGE_VERTICES[edge]:
            if end in self.free_vertices:
                promise = max(promise, self.worth(end))
            elif end not in self.blocked:
                further = [self.worth(v) for _, v in NEIGHBORS[end] if v in self.free_vertices]
                promise = max(promise, max(further, default=0.0) / 3)
        roads = bit_set([*self.me["roads"], edge])
        gain: int = longest_road_through(edge, roads, bit_set(self.blocked)) - self.me["road_length"]
        return promise + 2 * max(0, gain)

    @cached_property
    def blocked(self) -> set[int]:
        return {vertex for shown in self.others for vertex in shown["settlements"] + shown["cities"]}

    def buildings_at(self, h: int) -> Iterator[tuple[SeatView, int]]:
        """Who has a building on a hex, and how many cards it yields them."""
        for shown in self.view["seats"]:
            cards = sum(v in shown["settlements"] for v in HEX_VERTICES[h])
            cards += sum(2 for v in HEX_VERTICES[h] if v in shown["cities"])
            if cards:
                yield shown, cards

    # What to aim at

    def goals(self) -> list[str]:
        """What could be built next, the best first."""
        goals = []
        if self.me["settlements_left"] and self.has_site():
            goals.append("settlement")
        if self.me["cities_left"] and self.me["settlements"]:
            goals.append("city")
        if self.me["roads_left"] and "settlement" not in goals and self.has_path():
            goals.append("road")
        if self.view["deck"]:
            goals.append("development_card")
        return goals

    @cached_property
    def aim(self) -> str | None:
        """The goal that lacks the fewest cards."""
        return min(self.goals(), key=lambda goal: sum(missing(goal, self.hand).values()), default=None)

    def needs(self, name: str) -> int:
        """How many cards of a resource the aim costs."""
        return COSTS[self.aim].get(name, 0) if self.aim else 0

    @cached_property
    def wanted(self) -> dict[str, int]:
        """The cards that the aim lacks."""
        return missing(self.aim, self.hand) if self.aim else {}

    def spare(self, name: str) -> int:
        """The cards of a resource that the aim does not need."""
        return self.hand[name] - self.needs(name)

    def likes(self, receives: Cards, gives: Cards) -> bool:
        """Whether a trade brings some goal nearer; a development card is never given away."""
        if any(self.hand.get(name, 0) < count for name, count in gives.items()):
            return False
        hand = {name: self.hand[name] + receives.get(name, 0) - gives.get(name, 0) for name in RESOURCE_NAMES}
        before, after = (
            min((sum(missing(goal, cards).values()) for goal in self.goals()), default=0) for cards in (self.hand, hand)
        )
        return after < before or (after == before and sum(receives.values()) > sum(gives.values()))


def missing(goal: str, hand: Cards) -> dict[str, int]:
    """The cards that a goal lacks."""
    return {name: count - hand[name] for name, count in COSTS[goal].items() if count > hand[name]}
