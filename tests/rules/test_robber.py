"""The robber, the theft, and the friendly robber."""

import pytest

from games.rules import Event, Phase, legal_moves, player_view
from games.rules.moves import EndTurn, MoveRobber, PlayKnight, Roll, SkipRoll, Steal
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK_6,
    CHARLIE,
    DANA,
    DESERT,
    GRAIN_6,
    give,
    hand,
    hold,
    make,
    raise_cities,
    refused,
    roll,
    set_table,
    settle,
)


def after_a_seven(**options):
    state = set_table(phase=Phase.ROLLING, **options)
    roll(state, 7)
    return state


def test_a_victim_is_chosen_even_where_only_one_of_them_has_cards():
    state = after_a_seven()
    settle(state, BOB, 8)
    settle(state, CHARLIE, 18)
    give(state, BOB, ore=1)
    make(state, MoveRobber(ALICE, BRICK_6))
    events = make(state, Steal(ALICE, CHARLIE))
    assert events == [Event("stole", ALICE, {"victim": CHARLIE, "count": 0})]
    assert hand(state, BOB) == {"ore": 1}
    assert state.phase is Phase.MAIN


def test_nobody_steals_from_themselves():
    state = after_a_seven()
    settle(state, ALICE, 12)
    settle(state, BOB, 8)
    settle(state, CHARLIE, 18)
    give(state, BOB, ore=1)
    make(state, MoveRobber(ALICE, BRICK_6))
    refused(state, Steal(ALICE, ALICE), "no_such_victim")


@pytest.mark.parametrize(("drawn", "stolen"), [(0, "brick"), (1, "brick"), (2, "wool"), (3, "ore")])
def test_each_card_of_the_victim_is_as_likely_to_be_stolen(drawn, stolen):
    state = after_a_seven()
    settle(state, BOB, 8)
    give(state, BOB, brick=2, wool=1, ore=1)
    make(state, MoveRobber(ALICE, BRICK_6), drawn)
    assert hand(state, ALICE) == {stolen: 1}


def test_a_knight_before_the_roll_leaves_the_roll_to_be_made():
    state = set_table(phase=Phase.ROLLING)
    settle(state, BOB, 8)
    give(state, BOB, ore=1)
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    make(state, MoveRobber(ALICE, BRICK_6), 0)
    assert legal_moves(state, ALICE) == [Roll(ALICE)]
    refused(state, SkipRoll(ALICE), "must_roll")
    refused(state, EndTurn(ALICE), "roll_first")


def test_without_a_robber_a_knight_only_counts():
    state = set_table(robber=False)
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    assert state.phase is Phase.MAIN
    assert player_view(state, BOB)["seats"][ALICE]["knights"] == 1


# The friendly robber


def test_a_friendly_robber_spares_hexes_of_players_who_show_two_points():
    state = after_a_seven(friendly_robber=True)
    settle(state, BOB, 8, 40)
    raise_cities(state, CHARLIE, 26)
    settle(state, CHARLIE, 31)
    refused(state, MoveRobber(ALICE, BRICK_6), "friendly_robber")
    refused(state, MoveRobber(ALICE, GRAIN_6), "friendly_robber")
    make(state, MoveRobber(ALICE, 11))


def test_a_friendly_robber_spares_a_strong_players_hex_shared_with_a_weak_one():
    state = after_a_seven(friendly_robber=True)
    settle(state, BOB, 8)
    raise_cities(state, CHARLIE, 18, 26)
    refused(state, MoveRobber(ALICE, BRICK_6), "friendly_robber")


def test_hidden_points_do_not_make_a_friendly_robber_bolder():
    state = after_a_seven(friendly_robber=True)
    settle(state, BOB, 8, 40)
    hold(state, BOB, "victory_point")
    refused(state, MoveRobber(ALICE, BRICK_6), "friendly_robber")


@pytest.mark.parametrize("build", [settle, raise_cities])
def test_three_visible_points_are_not_spared(build):
    state = after_a_seven(friendly_robber=True)
    settle(state, BOB, 8)
    build(state, BOB, 40)
    move = MoveRobber(ALICE, BRICK_6)
    if build is settle:
        refused(state, move, "friendly_robber")
    else:
        make(state, move)


def no_hex_left(robber):
    """Players with two points each have a settlement on every hex, Alice on the desert."""
    state = after_a_seven(friendly_robber=True)
    settle(state, ALICE, 24)
    settle(state, BOB, 8, 14)
    settle(state, CHARLIE, 22, 31)
    settle(state, DANA, 39, 45)
    state.robber = robber
    return state


def test_where_no_hex_is_left_a_friendly_robber_goes_to_the_desert():
    state = no_hex_left(robber=BRICK_6)
    refused(state, MoveRobber(ALICE, GRAIN_6), "friendly_robber")
    refused(state, MoveRobber(ALICE, BRICK_6), "robber_must_move")
    make(state, MoveRobber(ALICE, DESERT))
    assert state.robber == DESERT
    assert state.phase is Phase.MAIN


def test_a_friendly_robber_with_no_hex_left_stays_on_the_desert():
    state = no_hex_left(robber=DESERT)
    assert legal_moves(state, ALICE) == [MoveRobber(ALICE, DESERT)]
    make(state, MoveRobber(ALICE, DESERT))
    assert state.robber == DESERT
    assert state.phase is Phase.MAIN
