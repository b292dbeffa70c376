"""Roads, settlements and cities: where they may stand, and what placing one changes."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ..awards import (
    SHORTEST_LONGEST_ROAD,
    award_holder,
    is_on_longest_road,
    longest_road_length,
    longest_road_through,
)
from ..cards import (
    CITIES,
    CITY_COST,
    ROAD_COST,
    ROADS,
    SETTLEMENT_COST,
    SETTLEMENTS,
    Resources,
)
from ..chance import Chance
from ..events import Event
from ..moves import MOST_SEATS, BuildCity, BuildRoad, BuildSettlement, Move
from ..refusals import refuse
from ..state import NOBODY, State, connected_edges, opponents_buildings, owner_of_vertex
from ..topology import (
    EDGE_VERTEX_SET,
    EDGE_VERTICES,
    EDGES,
    TOO_CLOSE_SET,
    VERTEX_EDGE_SET,
    VERTICES,
    BitSet,
    Edge,
    Vertex,
    members,
)

# Moves are made once and shared: listing the legal ones only looks them up.
_ROADS: Final = [[BuildRoad(seat, edge) for edge in EDGES] for seat in range(MOST_SEATS)]
_SETTLEMENTS: Final = [[BuildSettlement(seat, vertex) for vertex in VERTICES] for seat in range(MOST_SEATS)]
_CITIES: Final = [[BuildCity(seat, vertex) for vertex in VERTICES] for seat in range(MOST_SEATS)]


@lru_cache(maxsize=8192)
def road_moves(seat: int, edges: BitSet) -> tuple[Move, ...]:
    return tuple(_ROADS[seat][edge] for edge in members(edges))


@lru_cache(maxsize=8192)
def settlement_moves(seat: int, vertices: BitSet) -> tuple[Move, ...]:
    return tuple(_SETTLEMENTS[seat][vertex] for vertex in members(vertices))


@lru_cache(maxsize=8192)
def city_moves(seat: int, vertices: BitSet) -> tuple[Move, ...]:
    return tuple(_CITIES[seat][vertex] for vertex in members(vertices))


# Paying


def can_pay(hand: list[int], cost: Resources) -> bool:
    return (
        hand[0] >= cost[0] and hand[1] >= cost[1] and hand[2] >= cost[2] and hand[3] >= cost[3] and hand[4] >= cost[4]
    )


def pay(state: State, seat: int, cost: Resources) -> None:
    hand, bank = state.hands[seat], state.bank
    for resource, count in enumerate(cost):
        hand[resource] -= count
        bank[resource] += count


# Pieces left


def has_road_left(state: State, seat: int) -> bool:
    return state.roads[seat].bit_count() < ROADS


def has_settlement_left(state: State, seat: int) -> bool:
    return state.settlements[seat].bit_count() < SETTLEMENTS


def has_city_left(state: State, seat: int) -> bool:
    return state.cities[seat].bit_count() < CITIES


# Where


def settlement_sites(state: State, seat: int) -> BitSet:
    """Free corners at least two edges from any building, on one of the seat's roads."""
    return state.open_vertices & state.reach[seat]


def require_road_site(state: State, seat: int, edge: Edge) -> None:
    if not state.open_edges >> edge & 1:
        refuse("edge_taken")
    if not state.road_sites[seat] >> edge & 1:
        refuse("not_connected")


def require_free_vertex(state: State, vertex: Vertex) -> None:
    """The distance rule, for every settlement, your own neighbors too."""
    if owner_of_vertex(state, vertex) != NOBODY:
        refuse("vertex_taken")
    if not state.open_vertices >> vertex & 1:
        refuse("too_close")


# Building for resources


def building_moves(state: State, seat: int) -> list[Move]:
    """Everything the seat can pay for and has pieces and places for."""
    hand = state.hands[seat]
    moves: list[Move] = []
    if can_pay(hand, ROAD_COST) and has_road_left(state, seat):
        moves += road_moves(seat, state.road_sites[seat])
    if can_pay(hand, SETTLEMENT_COST) and has_settlement_left(state, seat):
        moves += settlement_moves(seat, settlement_sites(state, seat))
    if can_pay(hand, CITY_COST) and has_city_left(state, seat):
        moves += city_moves(seat, state.settlements[seat])
    return moves


def build_road(state: State, move: BuildRoad, _: Chance) -> list[Event]:
    seat = move.seat
    if not has_road_left(state, seat):
        refuse("no_road_left")
    require_road_site(state, seat, move.edge)
    if not can_pay(state.hands[seat], ROAD_COST):
        refuse("cannot_pay")
    pay(state, seat, ROAD_COST)
    return place_road(state, seat, move.edge)


def build_settlement(state: State, move: BuildSettlement, _: Chance) -> list[Event]:
    seat = move.seat
    if not has_settlement_left(state, seat):
        refuse("no_settlement_left")
    require_free_vertex(state, move.vertex)
    if not state.reach[seat] >> move.vertex & 1:
        refuse("not_connected")
    if not can_pay(state.hands[seat], SETTLEMENT_COST):
        refuse("cannot_pay")
    pay(state, seat, SETTLEMENT_COST)
    return place_settlement(state, seat, move.vertex)


def build_city(state: State, move: BuildCity, _: Chance) -> list[Event]:
    """A city replaces a settlement, which goes back to its owner's supply."""
    seat, bit = move.seat, 1 << move.vertex
    if not has_city_left(state, seat):
        refuse("no_city_left")
    if not state.settlements[seat] & bit:
        refuse("not_your_settlement")
    if not can_pay(state.hands[seat], CITY_COST):
        refuse("cannot_pay")
    pay(state, seat, CITY_COST)
    state.settlements[seat] ^= bit
    state.cities[seat] |= bit
    return [Event("built_city", seat, {"vertex": move.vertex})]


# Placing pieces


def place_road(state: State, seat: int, edge: Edge) -> list[Event]:
    state.roads[seat] |= 1 << edge
    state.open_edges &= ~(1 << edge)
    state.reach[seat] |= EDGE_VERTEX_SET[edge]
    blocked = opponents_buildings(state, seat)
    for vertex in EDGE_VERTICES[edge]:
        if not blocked >> vertex & 1:
            state.road_sites[seat] |= VERTEX_EDGE_SET[vertex]
    for other in state.seats:
        state.road_sites[other] &= state.open_edges
    length = longest_road_through(edge, state.roads[seat], blocked)
    events = [Event("built_road", seat, {"edge": edge})]
    if length > state.road_lengths[seat]:
        state.road_lengths[seat] = length
        # Nobody else's road has grown, so nobody else comes to the card by this.
        if _longest_road_holder(state, state.longest_road) == seat:
            events += _give_longest_road(state, seat)
    return events


def place_settlement(state: State, seat: int, vertex: Vertex) -> list[Event]:
    state.settlements[seat] |= 1 << vertex
    state.open_vertices &= ~TOO_CLOSE_SET[vertex]
    state.road_sites[seat] |= VERTEX_EDGE_SET[vertex] & state.open_edges
    events = [Event("built_settlement", seat, {"vertex": vertex})]
    for other in state.seats:
        if other != seat and state.reach[other] >> vertex & 1:
            events += _interrupt_roads(state, other, vertex)
    return events


def _interrupt_roads(state: State, seat: int, vertex: Vertex) -> list[Event]:
    """An opponent has settled on this seat's roads: they may no longer pass there."""
    length = state.road_lengths[seat]
    blocked = opponents_buildings(state, seat)
    state.road_sites[seat] = connected_edges(state, seat) & state.open_edges
    state.road_lengths[seat] = longest_road_length(state.roads[seat], blocked)
    is_holder = state.longest_road == seat
    match state.rules.longest_road_cut:
        case "lost_until_built":
            passable = blocked & ~(1 << vertex)
            if is_holder and is_on_longest_road(vertex, state.roads[seat], passable, length):
                return _lose_longest_road(state)
            # A card that lies aside waits for somebody to build.
            return []
        case "holder_loses" if is_holder and state.road_lengths[seat] < length:
            return _give_longest_road(state, _longest_road_holder(state, NOBODY))
    return _give_longest_road(state, _longest_road_holder(state, state.longest_road))


def _lose_longest_road(state: State) -> list[Event]:
    """The holder's road is split: the card goes to another player with the single longest road, or lies aside."""
    holder = _longest_road_holder(state, NOBODY)
    return _give_longest_road(state, NOBODY if holder == state.longest_road else holder)


def _longest_road_holder(state: State, holder: int) -> int:
    return award_holder(holder, state.road_lengths, SHORTEST_LONGEST_ROAD)


def _give_longest_road(state: State, holder: int) -> list[Event]:
    before, state.longest_road = state.longest_road, holder
    return [Event("longest_road", holder, {"from": before})] if holder != before else []
