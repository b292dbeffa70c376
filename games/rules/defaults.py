"""What happens for a seat whose time is up: a legal and sensible move in every phase."""

from __future__ import annotations

from .boards import DESERT, PIPS
from .cards import RESOURCES
from .chance import Chance
from .engine import legal_moves, require_seat
from .moves import (
    BuildRoad,
    BuildSettlement,
    Discard,
    EndTurn,
    Move,
    MoveRobber,
    RejectOffer,
    Roll,
    Steal,
    StopPlacingRoads,
)
from .phases.cards import may_stop_placing
from .phases.robbery import robber_hexes, victims
from .phases.setup import first_road_sites
from .state import Phase, State, hand_size, seats_at_hex, visible_points
from .topology import EDGE_VERTICES, VERTEX_HEXES, Edge, Hex, Vertex, members


def default_move(state: State, seat: int, chance: Chance, offer: int | None = None) -> Move | None:
    """The move a timeout makes for a seat; ``None`` when nothing is asked of the seat.

    With an offer: what its time being up means, which is no. Cards to discard are drawn at random, from
    the same chance as the move itself.
    """
    if offer is not None:
        return RejectOffer(seat, offer)
    if require_seat(state, seat) != state.active:
        return _answer(state, seat, chance)
    match state.phase:
        case Phase.PLACING_SETTLEMENT:
            return BuildSettlement(seat, _best_vertex(state))
        case Phase.PLACING_ROAD:
            return BuildRoad(seat, _best_edge(state, members(first_road_sites(state))))
        case Phase.ROLLING:
            return Roll(seat)
        case Phase.MOVING_ROBBER:
            return MoveRobber(seat, max(robber_hexes(state), key=lambda h: _harm(state, h)))
        case Phase.STEALING:
            return Steal(seat, max(victims(state), key=lambda victim: hand_size(state, victim)))
        case Phase.MAIN:
            return EndTurn(seat)
        case Phase.PLACING_FREE_ROADS:
            if may_stop_placing(state):
                return StopPlacingRoads(seat)
            return BuildRoad(seat, _best_edge(state, members(state.road_sites[seat])))
        case _:
            return _answer(state, seat, chance)


def is_default_move(state: State, move: Move, chance: Chance) -> bool:
    """Whether a timeout could have made this move."""
    offer = move.offer if isinstance(move, RejectOffer) else None
    return default_move(state, move.seat, chance, offer) == move


def _answer(state: State, seat: int, chance: Chance) -> Move | None:
    """Out of turn: discard what is owed, say no to an offer."""
    if state.discards[seat]:
        return _random_discard(state, seat, chance)
    for move in legal_moves(state, seat):
        if isinstance(move, RejectOffer):
            return move
    return None


def _random_discard(state: State, seat: int, chance: Chance) -> Move:
    left = state.hands[seat][:]
    lost = [0] * len(left)
    for _ in range(state.discards[seat]):
        place = chance.below(sum(left))
        resource = next(r for r in RESOURCES if place < sum(left[: r + 1]))
        left[resource] -= 1
        lost[resource] += 1
    return Discard(seat, (lost[0], lost[1], lost[2], lost[3], lost[4]))


def _pips(state: State, vertex: Vertex) -> int:
    """In how many of the 36 rolls the hexes at a corner produce."""
    return sum(PIPS[state.board.tokens[h]] for h in VERTEX_HEXES[vertex] if state.board.terrains[h] != DESERT)


def _best_vertex(state: State) -> Vertex:
    return max(members(state.open_vertices), key=lambda vertex: _pips(state, vertex))


def _best_edge(state: State, edges: tuple[Edge, ...]) -> Edge:
    """The edge that leads to the best corner where one could still settle."""

    def promise(edge: Edge) -> int:
        ends = EDGE_VERTICES[edge]
        return max(_pips(state, v) if state.open_vertices >> v & 1 else 0 for v in ends)

    return max(edges, key=promise)


def _harm(state: State, h: Hex) -> int:
    """How much the robber would cost the others there, and how little oneself."""
    if state.board.terrains[h] == DESERT:
        return 0
    pips = PIPS[state.board.tokens[h]]
    return sum(
        pips * (-100 if seat == state.active else visible_points(state, seat)) for seat in seats_at_hex(state, h)
    )
