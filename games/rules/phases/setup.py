"""The setup: a snake, 1-2-3-4 and back 4-3-2-1, a settlement and its own road each time."""

from __future__ import annotations

from collections.abc import Sequence

from ..boards import DESERT
from ..cards import RESOURCES, named
from ..chance import Chance
from ..events import Event
from ..moves import BuildRoad, BuildSettlement, Move
from ..refusals import refuse
from ..state import NOWHERE, Phase, State
from ..topology import VERTEX_EDGE_SET, VERTEX_HEXES, BitSet, members
from . import building
from .turn import begin_turn


def settlement_moves(state: State, seat: int) -> Sequence[Move]:
    if seat != state.active:
        return ()
    return building.settlement_moves(seat, state.open_vertices)


def place_settlement(state: State, move: BuildSettlement, _: Chance) -> list[Event]:
    building.require_free_vertex(state, move.vertex)
    events = building.place_settlement(state, move.seat, move.vertex)
    state.placed = move.vertex
    state.phase = Phase.PLACING_ROAD
    if is_second_round(state):
        events.append(collect_starting_resources(state, move.seat))
    return events


def is_second_round(state: State) -> bool:
    return state.placements >= len(state.order)


def collect_starting_resources(state: State, seat: int) -> Event:
    if state.rules.starting_resources == "each_type_once":
        vertices = members(state.settlements[seat])
        terrains = {state.board.terrains[h] for vertex in vertices for h in VERTEX_HEXES[vertex]}
        counts = [int(resource in terrains) for resource in RESOURCES]
    else:
        counts = [0] * len(RESOURCES)
        for h in VERTEX_HEXES[state.placed]:
            if state.board.terrains[h] != DESERT:
                counts[state.board.terrains[h]] += 1
    for resource, count in enumerate(counts):
        state.hands[seat][resource] += count
        state.bank[resource] -= count
    return Event("starting_resources", seat, {"resources": named(counts)})


def road_moves(state: State, seat: int) -> Sequence[Move]:
    if seat != state.active:
        return ()
    return building.road_moves(seat, first_road_sites(state))


def first_road_sites(state: State) -> BitSet:
    """The road placed with a settlement begins at that very settlement."""
    return VERTEX_EDGE_SET[state.placed] & state.open_edges


def place_road(state: State, move: BuildRoad, _: Chance) -> list[Event]:
    building.require_road_site(state, move.seat, move.edge)
    if not first_road_sites(state) >> move.edge & 1:
        refuse("not_at_settlement")
    events = building.place_road(state, move.seat, move.edge)
    state.placements += 1
    state.placed = NOWHERE
    seats = len(state.order)
    if state.placements == 2 * seats:
        return events + begin_turn(state, state.order[0])
    place = state.placements
    state.active = state.order[place if place < seats else 2 * seats - 1 - place]
    state.phase = Phase.PLACING_SETTLEMENT
    return events
