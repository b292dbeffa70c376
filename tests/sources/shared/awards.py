"""Rules about awards, points and the win that several rule books share."""

from games.rules import Phase, points
from games.rules.moves import BuildCity, BuildRoad, BuildSettlement, BuyCard, EndTurn, PlayKnight
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


def the_first_road_of_five_takes_longest_road_and_forks_do_not_add_up(preset):
    state = set_table(preset)
    settle(state, ALICE, 21)
    pave(state, ALICE, *WAYS[2][:5])
    give(state, ALICE, brick=2, lumber=2)
    make(state, BuildRoad(ALICE, edge_between(22, 28)))
    assert state.longest_road == -1
    make(state, BuildRoad(ALICE, edge_between(23, 18)))
    assert state.longest_road == ALICE


def a_longer_road_takes_the_card_and_its_points(preset):
    state = set_table(preset)
    pave(state, BOB, *WAYS[3][:6])
    state.longest_road = BOB
    settle(state, ALICE, 21)
    pave(state, ALICE, *WAYS[2][:6])
    give(state, ALICE, **ROAD)
    make(state, BuildRoad(ALICE, edge_between(18, 24)))
    assert state.longest_road == ALICE
    assert (points(state, ALICE), points(state, BOB)) == (1 + 2, 0)


def the_first_to_play_three_knights_takes_largest_army(preset):
    state = set_table(preset)
    lay_open(state, ALICE, "knight", "knight")
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    assert state.largest_army == ALICE
    assert points(state, ALICE) == 2


def a_greater_army_takes_the_card_and_its_points_at_once(preset):
    state = set_table(preset)
    lay_open(state, BOB, *["knight"] * 3)
    state.largest_army = BOB
    lay_open(state, ALICE, *["knight"] * 3)
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    assert state.largest_army == ALICE
    assert (points(state, ALICE), points(state, BOB)) == (2, 0)


def an_equal_road_leaves_the_card_with_its_holder(preset):
    state = set_table(preset)
    pave(state, BOB, *WAYS[3][:6])
    state.longest_road = BOB
    pave(state, ALICE, *WAYS[2][:5])
    give(state, ALICE, **ROAD)
    make(state, BuildRoad(ALICE, edge_between(23, 18)))
    assert state.road_lengths == [5, 5, 0, 0]
    assert state.longest_road == BOB


def a_settlement_on_a_road_cuts_it_in_two(preset):
    state = set_table(preset)
    pave(state, BOB, *WAYS[2][:6])
    state.longest_road = BOB
    pave(state, ALICE, 17, 12)
    give(state, ALICE, **SETTLEMENT)
    make(state, BuildSettlement(ALICE, 17))
    assert state.road_lengths[BOB] == 3
    assert state.longest_road == -1


def an_equal_army_leaves_the_card_with_its_holder(preset):
    state = set_table(preset)
    lay_open(state, BOB, *["knight"] * 3)
    state.largest_army = BOB
    lay_open(state, ALICE, "knight", "knight")
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    assert state.largest_army == BOB


def two_knights_are_no_army(preset):
    state = set_table(preset)
    lay_open(state, ALICE, "knight")
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    assert state.largest_army == -1


# Points and the win


def pieces_awards_and_cards_make_the_points(preset):
    state = set_table(preset)
    settle(state, ALICE, 0)
    assert points(state, ALICE) == 1
    raise_cities(state, ALICE, 2)
    assert points(state, ALICE) == 1 + 2
    state.longest_road = ALICE
    assert points(state, ALICE) == 1 + 2 + 2
    state.largest_army = ALICE
    assert points(state, ALICE) == 1 + 2 + 2 + 2
    hold(state, ALICE, "victory_point")
    assert points(state, ALICE) == 1 + 2 + 2 + 2 + 1


def nine_points_then_a_city(state):
    """Alice, at nine points, raises a settlement to a city."""
    raise_cities(state, ALICE, 0, 1, 2)
    settle(state, ALICE, 11, 21, 29)
    give(state, ALICE, **CITY)
    assert points(state, ALICE) == 9
    make(state, BuildCity(ALICE, 29))


def the_tenth_point_wins_on_ones_own_turn(preset):
    state = set_table(preset)
    nine_points_then_a_city(state)
    assert (state.phase, state.winner) == (Phase.OVER, ALICE)


def nine_points_do_not_win(preset):
    state = set_table(preset)
    raise_cities(state, ALICE, 0, 1, 2, 11)
    give(state, ALICE, **CITY)
    settle(state, ALICE, 29)
    make(state, EndTurn(ALICE))
    assert (state.phase, state.winner) == (Phase.ROLLING, -1)


def ten_points_on_anothers_turn_win_when_ones_own_begins(preset):
    state = set_table(preset)
    raise_cities(state, BOB, 0, 1, 2, 11)
    hold(state, BOB, "victory_point", "victory_point")
    give(state, ALICE, **CARD)
    make(state, BuyCard(ALICE))
    assert state.winner == -1
    make(state, EndTurn(ALICE))
    assert state.winner == BOB
