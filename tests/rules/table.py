"""A table for the tests: pieces, hands, cards and dice as a test wants them.

The board is the beginner's. Its vertices are numbered by rows, and six ways cross the island from
west to east: ``WAYS``. Neighboring corners of a way are one edge apart.
"""

from __future__ import annotations

import pytest

from games.rules import (
    PRESETS,
    Deal,
    Event,
    IllegalMove,
    Move,
    Phase,
    RecordedChance,
    State,
    legal_moves,
    play,
    start,
)
from games.rules.boards import BEGINNER
from games.rules.cards import (
    BUNDLE_NAMES,
    CARD_NAMES,
    DECK,
    RESOURCE_NAMES,
    Bundle,
    Resources,
    named,
)
from games.rules.moves import AcceptOffer, CounterOffer, OfferTrade, Roll
from games.rules.ruleset import Value
from games.rules.state import derive
from games.rules.topology import bit_set, edge_between

ALICE, BOB, CHARLIE, DANA = range(4)
BRICK, LUMBER, WOOL, GRAIN, ORE = range(5)

WAYS = (
    (3, 0, 4, 1, 5, 2, 6),
    (11, 7, 12, 8, 13, 9, 14, 10, 15),
    (21, 16, 22, 17, 23, 18, 24, 19, 25, 20, 26),
    (27, 33, 28, 34, 29, 35, 30, 36, 31, 37, 32),
    (38, 43, 39, 44, 40, 45, 41, 46, 42),
    (47, 51, 48, 52, 49, 53, 50),
)

# Hexes of the beginner's board, by what lies there.
ORE_10, WOOL_2, BRICK_6, DESERT, LUMBER_8, GRAIN_6 = 0, 1, 4, 9, 12, 17

# What things cost, as the rule book prints it.
ROAD = {"brick": 1, "lumber": 1}
SETTLEMENT = {"brick": 1, "lumber": 1, "grain": 1, "wool": 1}
CITY = {"ore": 3, "grain": 2}
CARD = {"ore": 1, "wool": 1, "grain": 1}


# Tables


def fresh_table(preset: str = "standard", *, seats: int | None = None, **options: Value) -> State:
    """Just dealt: Alice places the first settlement, and the seats follow in order."""
    rules = PRESETS[preset].with_options(**options)
    return start(rules, Deal(BEGINNER, tuple(range(seats or rules.most_seats)), DECK))


def set_table(
    preset: str = "standard",
    phase: Phase = Phase.MAIN,
    *,
    seats: int | None = None,
    **options: Value,
) -> State:
    """The third round on an empty island, Alice to move; the test lays out what it needs."""
    state = fresh_table(preset, seats=seats, **options)
    state.phase = phase
    state.placements = 2 * len(state.order)
    state.turn = 2 * len(state.order) + 1
    state.rolled = phase is not Phase.ROLLING
    return state


# Pieces


def settle(state: State, seat: int, *vertices: int) -> None:
    state.settlements[seat] |= bit_set(vertices)
    derive(state)


def raise_cities(state: State, seat: int, *vertices: int) -> None:
    state.cities[seat] |= bit_set(vertices)
    derive(state)


def pave(state: State, seat: int, *way: int) -> None:
    """Lay roads from corner to corner."""
    state.roads[seat] |= bit_set(map(edge_between, way, way[1:]))
    derive(state)


# Cards


def resources(**cards: int) -> Resources:
    brick, lumber, wool, grain, ore = (cards.get(name, 0) for name in RESOURCE_NAMES)
    return brick, lumber, wool, grain, ore


def bundle(**cards: int) -> Bundle:
    return tuple(cards.get(name, 0) for name in BUNDLE_NAMES)


def give(state: State, seat: int, **cards: int) -> None:
    """Hand out resources from the bank, which must have them."""
    for resource, count in enumerate(resources(**cards)):
        assert state.bank[resource] >= count
        state.bank[resource] -= count
        state.hands[seat][resource] += count


def leave_in_bank(state: State, holder: int, **cards: int) -> None:
    """Let the bank keep only so many of the named resources; the holder has the rest."""
    for name, count in cards.items():
        give(state, holder, **{name: state.bank[RESOURCE_NAMES.index(name)] - count})


def hand(state: State, seat: int) -> dict[str, int]:
    return named(state.hands[seat])


def hold(state: State, seat: int, *kinds: str, new: bool = False) -> None:
    """Put development cards into a hand: bought long ago or, when new, this turn."""
    for kind in kinds:
        deck = list(state.deck)
        card = deck.pop(deck.index(CARD_NAMES.index(kind), state.dealt))
        deck.insert(state.dealt, card)
        state.deck = tuple(deck)
        state.cards[seat].append(state.dealt)
        state.bought_on[state.dealt] = state.turn if new else 1
        state.dealt += 1


def lay_open(state: State, seat: int, *kinds: str) -> None:
    """Development cards the seat has played on earlier turns."""
    hold(state, seat, *kinds)
    for _ in kinds:
        state.played[seat].append(state.cards[seat].pop())


def held_cards(state: State, seat: int) -> list[str]:
    return [CARD_NAMES[state.deck[card]] for card in state.cards[seat]]


# Moves


def make(state: State, move: Move, *draws: int) -> list[Event]:
    """Play a listed move with these numbers drawn, all of them."""
    if not isinstance(move, OfferTrade | CounterOffer):
        assert move in legal_moves(state, move.seat)
    chance = RecordedChance(draws)
    events = play(state, move, chance)
    chance.finish()
    return events


def roll(state: State, number: int) -> list[Event]:
    """The player to move rolls this number."""
    first = max(1, number - 6)
    return make(state, Roll(state.active), first - 1, number - first - 1)


def refused(state: State, move: Move, code: str) -> None:
    """The move is not listed, is refused by this rule, and changes nothing."""
    before = state.copy()
    assert move not in legal_moves(state, move.seat)
    with pytest.raises(IllegalMove) as refusal:
        play(state, move, RecordedChance(()))
    assert refusal.value.code == code
    assert state == before


def costs(state: State, move: Move, cost: dict[str, int]) -> None:
    """The move takes exactly these cards, and is refused where one of them is missing."""
    for name in cost:
        poor = state.copy()
        give(poor, move.seat, **{**cost, name: cost[name] - 1})
        refused(poor, move, "cannot_pay")
    bank = state.bank[:]
    give(state, move.seat, **cost)
    make(state, move)
    assert hand(state, move.seat) == {}
    assert state.bank == bank


def offer(state: State, to: tuple[int, ...], gives: dict[str, int], gets: dict[str, int]) -> list[Event]:
    """The player to move offers a trade."""
    return make(state, OfferTrade(state.active, to, bundle(**gives), bundle(**gets)))


def accept(state: State, seat: int) -> list[Event]:
    """The seat accepts the latest offer."""
    return make(state, AcceptOffer(seat, state.offers[-1].number))
