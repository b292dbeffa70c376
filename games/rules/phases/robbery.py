"""The robber moves to another hex, and its mover steals from somebody there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..cards import RESOURCE_NAMES
from ..chance import Chance
from ..events import Event
from ..moves import MOST_SEATS, Move, MoveRobber, Steal
from ..refusals import refuse
from ..state import Phase, State, hand_size, seats_at_hex, visible_points
from ..topology import HEXES, Hex
from .turn import resume_turn

#: The friendly robber spares whoever shows no more than the points of the setup.
SPARED_POINTS: Final = 2

_MOVES: Final = [[MoveRobber(seat, h) for h in HEXES] for seat in range(MOST_SEATS)]
_STEALS: Final = [[Steal(seat, victim) for victim in range(MOST_SEATS)] for seat in range(MOST_SEATS)]


def robber_moves(state: State, seat: int) -> Sequence[Move]:
    if seat != state.active:
        return ()
    return [_MOVES[seat][h] for h in robber_hexes(state)]


def robber_hexes(state: State) -> list[Hex]:
    """Where the robber may go: any other hex, but a friendly robber spares the weak.

    Where it could go nowhere then, it goes to the desert, or stays there.
    """
    hexes = [h for h in HEXES if h != state.robber]
    if not state.rules.friendly_robber:
        return hexes
    friendly = [h for h in hexes if not any(is_spared(state, seat) for seat in seats_at_hex(state, h))]
    return friendly or [state.board.desert]


def is_spared(state: State, seat: int) -> bool:
    return state.rules.friendly_robber and visible_points(state, seat) <= SPARED_POINTS


def move_robber(state: State, move: MoveRobber, chance: Chance) -> list[Event]:
    if move.hex not in robber_hexes(state):
        refuse("robber_must_move" if move.hex == state.robber else "friendly_robber")
    if move.hex == state.robber:
        event = Event("robber_stayed", move.seat, {"hex": move.hex})
    else:
        event = Event("moved_robber", move.seat, {"from": state.robber, "hex": move.hex})
    state.robber = move.hex
    candidates = victims(state)
    if not any(hand_size(state, victim) for victim in candidates):
        resume_turn(state)
        return [event]
    if len(candidates) == 1:
        return [event, _take_card(state, move.seat, candidates[0], chance)]
    state.phase = Phase.STEALING
    return [event]


def victims(state: State) -> list[int]:
    """The opponents with a building on the robber's hex, whatever they hold, but for those it spares."""
    return [seat for seat in seats_at_hex(state, state.robber) if seat != state.active and not is_spared(state, seat)]


def steal_moves(state: State, seat: int) -> Sequence[Move]:
    if seat != state.active:
        return ()
    return [_STEALS[seat][victim] for victim in victims(state)]


def steal(state: State, move: Steal, chance: Chance) -> list[Event]:
    if move.victim not in victims(state):
        refuse("no_such_victim")
    return [_take_card(state, move.seat, move.victim, chance)]


def _take_card(state: State, thief: int, victim: int, chance: Chance) -> Event:
    """One card at random; a victim without cards yields none. Only the two learn which."""
    resume_turn(state)
    hand = state.hands[victim]
    if not any(hand):
        return Event("stole", thief, {"victim": victim, "count": 0})
    place = chance.below(sum(hand))
    resource = 0
    while place >= hand[resource]:
        place -= hand[resource]
        resource += 1
    hand[resource] -= 1
    state.hands[thief][resource] += 1
    return Event(
        "stole",
        thief,
        {"victim": victim, "count": 1},
        {"resource": RESOURCE_NAMES[resource]},
        (thief, victim),
    )
