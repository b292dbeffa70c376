"""What is done for a seat whose time is up: a legal and sensible move in every phase."""

import pytest

from games.rules import Phase, RecordedChance, default_move, is_legal
from games.rules.moves import (
    BuildRoad,
    BuildSettlement,
    Discard,
    EndTurn,
    MoveRobber,
    PlayKnight,
    PlayRoadBuilding,
    RejectOffer,
    Roll,
    Steal,
    StopPlacingRoads,
)
from games.rules.topology import edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK_6,
    CHARLIE,
    CITY,
    DANA,
    GRAIN_6,
    WAYS,
    fresh_table,
    give,
    hold,
    make,
    offer,
    raise_cities,
    resources,
    roll,
    set_table,
    settle,
)


def timed_out(state, seat, *draws):
    """The move of a timeout, which is always a legal one."""
    move = default_move(state, seat, RecordedChance(draws))
    assert is_legal(state, move)
    return move


def test_a_first_settlement_goes_where_most_is_produced():
    # Four corners produce in 11 of the 36 rolls, no corner in more.
    move = timed_out(fresh_table(), ALICE)
    assert isinstance(move, BuildSettlement)
    assert move.vertex in {28, 31, 39, 44}


def test_the_road_of_a_timeout_leaves_the_settlement_just_placed():
    state = fresh_table()
    make(state, BuildSettlement(ALICE, 17))
    move = timed_out(state, ALICE)
    assert isinstance(move, BuildRoad)
    assert move.edge in {edge_between(17, other) for other in (12, 22, 23)}


def test_a_timeout_rolls_even_with_a_card_to_play():
    state = set_table(phase=Phase.ROLLING)
    hold(state, ALICE, "knight")
    assert timed_out(state, ALICE) == Roll(ALICE)


@pytest.mark.parametrize(
    ("draws", "lost"),
    [((0, 0, 0, 0), {"brick": 4}), ((7, 6, 5, 4), {"ore": 4}), ((0, 6, 0, 4), {"brick": 2, "ore": 2})],
)
def test_a_timeout_discards_what_chance_draws(draws, lost):
    state = set_table(phase=Phase.ROLLING)
    give(state, BOB, brick=4, ore=4)
    roll(state, 7)
    assert timed_out(state, BOB, *draws) == Discard(BOB, resources(**lost))


def test_a_timeout_sends_the_robber_to_the_others_and_not_to_oneself():
    state = set_table(phase=Phase.ROLLING)
    raise_cities(state, ALICE, 8)
    raise_cities(state, BOB, 40)
    roll(state, 7)
    assert timed_out(state, ALICE) == MoveRobber(ALICE, GRAIN_6)


def test_a_timeout_steals_from_the_fullest_hand():
    state = set_table(phase=Phase.ROLLING)
    settle(state, BOB, 8)
    settle(state, CHARLIE, 18)
    give(state, BOB, ore=1)
    give(state, CHARLIE, ore=2)
    roll(state, 7)
    make(state, MoveRobber(ALICE, BRICK_6))
    assert timed_out(state, ALICE) == Steal(ALICE, CHARLIE)


def test_a_timeout_ends_the_turn_whatever_could_be_built():
    state = set_table()
    settle(state, ALICE, 17)
    give(state, ALICE, **CITY)
    assert timed_out(state, ALICE) == EndTurn(ALICE)


@pytest.mark.parametrize("road_building", ["both", "up_to_two"])
def test_a_timeout_places_free_roads_where_it_must(road_building):
    state = set_table(road_building=road_building)
    settle(state, ALICE, 17)
    hold(state, ALICE, "road_building")
    make(state, PlayRoadBuilding(ALICE))
    expected = StopPlacingRoads if road_building == "up_to_two" else BuildRoad
    assert isinstance(timed_out(state, ALICE), expected)


def test_a_timeout_rejects_an_offer():
    state = set_table()
    give(state, ALICE, brick=1)
    give(state, BOB, ore=1)
    offer(state, (BOB,), {"brick": 1}, {"ore": 1})
    assert timed_out(state, BOB) == RejectOffer(BOB, 0)


@pytest.mark.parametrize("seat", [BOB, CHARLIE, DANA])
def test_nothing_is_asked_of_one_who_waits(seat):
    assert default_move(set_table(), seat, RecordedChance(())) is None


def test_nothing_is_asked_of_anybody_after_the_end():
    state = set_table()
    state.phase = Phase.OVER
    for seat in state.seats:
        assert default_move(state, seat, RecordedChance(())) is None


def test_a_knight_of_a_timed_out_player_still_moves_the_robber():
    state = set_table()
    settle(state, BOB, WAYS[2][5])
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    assert isinstance(timed_out(state, ALICE), MoveRobber)
