"""Everything that scores, and the win that follows from it, for rule books that look at once."""

from games.rules import Event, Phase, legal_moves, points
from games.rules.cards import CARD_NAMES
from games.rules.moves import BuildCity, BuildRoad, BuildSettlement, BuyCard, PlayKnight, PlayRoadBuilding
from games.rules.topology import edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    CARD,
    CITY,
    ROAD,
    SETTLEMENT,
    WAYS,
    give,
    hold,
    lay_open,
    make,
    pave,
    raise_cities,
    set_table,
    settle,
)

# Each lays out what Alice needs, and tells the move that scores and what it is worth.


def a_settlement(state):
    pave(state, ALICE, 29, 35)
    give(state, ALICE, **SETTLEMENT)
    return BuildSettlement(ALICE, 29), 1


def a_city(state):
    settle(state, ALICE, 29)
    give(state, ALICE, **CITY)
    return BuildCity(ALICE, 29), 1


def a_fifth_road(state):
    pave(state, ALICE, *WAYS[2][:5])
    give(state, ALICE, **ROAD)
    return BuildRoad(ALICE, edge_between(23, 18)), 2


def a_longer_road_than_the_holders(state):
    pave(state, BOB, *WAYS[3][:6])
    state.longest_road = BOB
    pave(state, ALICE, *WAYS[2][:6])
    give(state, ALICE, **ROAD)
    return BuildRoad(ALICE, edge_between(18, 24)), 2


def a_free_fifth_road(state):
    pave(state, ALICE, *WAYS[2][:5])
    hold(state, ALICE, "road_building")
    make(state, PlayRoadBuilding(ALICE))
    return BuildRoad(ALICE, edge_between(23, 18)), 2


def a_third_knight(state):
    lay_open(state, ALICE, "knight", "knight")
    hold(state, ALICE, "knight")
    return PlayKnight(ALICE), 2


def a_third_knight_before_the_roll(state):
    state.phase, state.rolled = Phase.ROLLING, False
    return a_third_knight(state)


def a_greater_army_than_the_holders(state):
    lay_open(state, BOB, *["knight"] * 3)
    state.largest_army = BOB
    lay_open(state, ALICE, "knight")
    return a_third_knight(state)


def a_victory_point_card(state):
    give(state, ALICE, **CARD)
    deck = list(state.deck)
    deck.insert(state.dealt, deck.pop(deck.index(CARD_NAMES.index("victory_point"), state.dealt)))
    state.deck = tuple(deck)
    return BuyCard(ALICE), 1


EVERYTHING_THAT_SCORES = (
    a_settlement,
    a_city,
    a_fifth_road,
    a_longer_road_than_the_holders,
    a_free_fifth_road,
    a_third_knight,
    a_third_knight_before_the_roll,
    a_greater_army_than_the_holders,
    a_victory_point_card,
)


def raise_points(state, seat, total):
    """Buildings and cards, away from where the tests build, until the seat has so many points."""
    for vertex in (0, 1, 2):
        if points(state, seat) < total - 1:
            raise_cities(state, seat, vertex)
    for vertex in (47, 48, 49):
        if points(state, seat) < total:
            settle(state, seat, vertex)
    while points(state, seat) < total:
        hold(state, seat, "victory_point")


def score(preset, scoring, total, **options):
    """Alice comes to so many points by a move that scores; the game after it, and what happened."""
    state = set_table(preset, **options)
    move, worth = scoring(state)
    raise_points(state, ALICE, total - worth)
    events = make(state, move)
    assert points(state, ALICE) == total
    return state, events


def whatever_scores_the_last_point_wins_at_once(preset, scoring, goal=10, **options):
    state, events = score(preset, scoring, goal, **options)
    assert (state.phase, state.winner) == (Phase.OVER, ALICE)
    assert events[-1] == Event("won", ALICE, {"points": goal})
    assert not any(legal_moves(state, seat) for seat in state.seats)


def one_point_less_does_not_win(preset, scoring, goal=10, **options):
    state, events = score(preset, scoring, goal - 1, **options)
    assert state.phase is not Phase.OVER
    assert state.winner == -1
    assert "won" not in [event.kind for event in events]
