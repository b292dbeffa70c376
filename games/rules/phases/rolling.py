"""The roll: production, or a seven."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..cards import RESOURCE_NAMES
from ..chance import Chance
from ..events import Event
from ..moves import MOST_SEATS, Move, Roll, SkipRoll
from ..refusals import refuse
from ..state import Phase, State, hand_size, round_of_play
from ..topology import HEX_VERTEX_SET
from . import cards

ROUNDS_WITHOUT_SEVEN: Final = 2
#: With balanced dice, all 36 rolls are shuffled together again when this few are left.
LEAST_ROLLS_LEFT: Final = 12
ALL_ROLLS: Final = range(36)

_ROLL: Final = [Roll(seat) for seat in range(MOST_SEATS)]
_SKIP_ROLL: Final = [SkipRoll(seat) for seat in range(MOST_SEATS)]


def legal_moves(state: State, seat: int) -> Sequence[Move]:
    if seat != state.active:
        return ()
    moves: list[Move] = [_ROLL[seat]]
    if state.may_skip_roll:
        moves.append(_SKIP_ROLL[seat])
    if state.cards[seat]:
        moves += cards.legal_moves(state, seat)
    return moves


def roll(state: State, move: Roll, chance: Chance) -> list[Event]:
    number = throw_dice(state, chance)
    events = [_rolled(state)]
    while number == 7 and is_seven_rolled_again(state):
        number = throw_dice(state, chance)
        events.append(_rolled(state))
    state.rolled = True
    if number == 7:
        return events + demand_discards(state)
    state.phase = Phase.MAIN
    return events + produce(state, number)


def skip_roll(state: State, move: SkipRoll, _: Chance) -> list[Event]:
    if not state.may_skip_roll:
        refuse("must_roll")
    state.rolled = True
    state.phase = Phase.MAIN
    return [Event("skipped_roll", move.seat, {})]


def throw_dice(state: State, chance: Chance) -> int:
    """Roll both dice, or deal a roll where the table plays with balanced dice; tells the sum."""
    if state.rules.balanced_dice:
        first, second = divmod(_deal_roll(state, chance), 6)
    else:
        first, second = chance.below(6), chance.below(6)
    state.dice = first + 1, second + 1
    return first + second + 2


def _rolled(state: State) -> Event:
    return Event("rolled", state.active, {"dice": list(state.dice)})


def _deal_roll(state: State, chance: Chance) -> int:
    if len(state.dice_deck) <= LEAST_ROLLS_LEFT:
        state.dice_deck = list(ALL_ROLLS)
    return state.dice_deck.pop(chance.below(len(state.dice_deck)))


def is_seven_rolled_again(state: State) -> bool:
    return state.rules.early_sevens == "rolled_again" and round_of_play(state) <= ROUNDS_WITHOUT_SEVEN


def produce(state: State, number: int) -> list[Event]:
    """Every settlement on a hex of this number yields one card, every city two."""
    gains: dict[int, dict[str, int]] = {}
    short: list[str] = []
    for resource, claims in _claims(state, number).items():
        name = RESOURCE_NAMES[resource]
        if sum(claims.values()) > state.bank[resource]:
            short.append(name)
            claims = _share_of_sole_claimant(state, resource, claims)
        for seat, count in claims.items():
            state.hands[seat][resource] += count
            state.bank[resource] -= count
            gains.setdefault(seat, {})[name] = count
    events = [Event("received", seat, {"resources": gain}) for seat, gain in gains.items()]
    if short:
        events.append(Event("bank_short", state.active, {"lacking": short}))
    return events


def _claims(state: State, number: int) -> dict[int, dict[int, int]]:
    """For each resource that the roll produces: which seat may claim how many cards."""
    claims: dict[int, dict[int, int]] = {}
    for h in state.board.producing[number]:
        if h == state.robber:
            continue
        corners = HEX_VERTEX_SET[h]
        for pieces, yields in ((state.settlements, 1), (state.cities, 2)):
            for seat, vertices in enumerate(pieces):
                if vertices & corners:
                    of_resource = claims.setdefault(state.board.terrains[h], {})
                    count = yields * (vertices & corners).bit_count()
                    of_resource[seat] = of_resource.get(seat, 0) + count
    return claims


def _share_of_sole_claimant(state: State, resource: int, claims: dict[int, int]) -> dict[int, int]:
    """The bank is too short for all claims: nobody gets the resource, or what the table agreed."""
    left = state.bank[resource]
    if left and len(claims) == 1 and state.rules.bank_shortage == "sole_claimant":
        return dict.fromkeys(claims, left)
    return {}


def demand_discards(state: State) -> list[Event]:
    """A seven: whoever holds more than the limit discards half, rounded down."""
    events = []
    for seat in state.seats:
        held = hand_size(state, seat)
        if held > state.rules.discard_limit:
            state.discards[seat] = held // 2
            events.append(Event("must_discard", seat, {"count": held // 2}))
    if events:
        state.phase = Phase.DISCARDING
    else:
        begin_robbery(state)
    return events


def begin_robbery(state: State) -> None:
    """The last has discarded: now the robber moves, where there is one."""
    state.phase = Phase.MOVING_ROBBER if state.rules.robber else Phase.MAIN
