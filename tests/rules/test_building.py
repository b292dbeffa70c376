"""Pieces and places: supplies, corners and paths, the setup."""

import pytest

from games.rules import Event, is_legal, legal_moves
from games.rules.boards import BEGINNER, Board
from games.rules.moves import BuildCity, BuildRoad, BuildSettlement, BuyCard, EndTurn, Roll
from games.rules.topology import EDGES, VERTICES, edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    CITY,
    ROAD,
    SETTLEMENT,
    WAYS,
    WOOL,
    fresh_table,
    give,
    hand,
    make,
    pave,
    raise_cities,
    refused,
    set_table,
    settle,
)


def roads_of(state, seat, count):
    """So many roads of one player: the widest way and some of another."""
    pave(state, seat, *WAYS[2])
    pave(state, seat, *WAYS[4][: count - 9])
    assert state.roads[seat].bit_count() == count


# Pieces


@pytest.mark.parametrize(("used", "built"), [(13, True), (14, True), (15, False)])
def test_fifteen_roads_are_all_there_are(used, built):
    state = set_table()
    roads_of(state, ALICE, used)
    give(state, ALICE, **ROAD)
    move = BuildRoad(ALICE, edge_between(17, 12))
    if built:
        make(state, move)
    else:
        refused(state, move, "no_road_left")


@pytest.mark.parametrize(("used", "built"), [(4, True), (5, False)])
def test_five_settlements_are_all_there_are(used, built):
    state = set_table()
    settle(state, ALICE, *(0, 1, 2, 11, 21)[:used])
    pave(state, ALICE, 29, 35)
    give(state, ALICE, **SETTLEMENT)
    move = BuildSettlement(ALICE, 29)
    if built:
        make(state, move)
    else:
        refused(state, move, "no_settlement_left")


@pytest.mark.parametrize(("used", "built"), [(3, True), (4, False)])
def test_four_cities_are_all_there_are(used, built):
    state = set_table()
    raise_cities(state, ALICE, *(0, 1, 2, 11)[:used])
    settle(state, ALICE, 29)
    give(state, ALICE, **CITY)
    if built:
        make(state, BuildCity(ALICE, 29))
    else:
        refused(state, BuildCity(ALICE, 29), "no_city_left")


def test_an_upgrade_frees_a_settlement_for_another_corner():
    state = set_table()
    settle(state, ALICE, 0, 1, 2, 11, 21)
    pave(state, ALICE, 29, 35)
    give(state, ALICE, brick=1, lumber=1, wool=1, grain=3, ore=3)
    refused(state, BuildSettlement(ALICE, 29), "no_settlement_left")
    make(state, BuildCity(ALICE, 0))
    make(state, BuildSettlement(ALICE, 29))
    assert (state.settlements[ALICE].bit_count(), state.cities[ALICE].bit_count()) == (5, 1)


def test_a_city_is_not_raised_twice():
    state = set_table()
    raise_cities(state, ALICE, 17)
    give(state, ALICE, **CITY)
    refused(state, BuildCity(ALICE, 17), "not_your_settlement")


# Places


def test_a_settlement_on_an_opponents_city_is_refused():
    state = set_table()
    raise_cities(state, BOB, 17)
    pave(state, ALICE, 17, 23)
    give(state, ALICE, **SETTLEMENT)
    refused(state, BuildSettlement(ALICE, 17), "vertex_taken")
    refused(state, BuildSettlement(ALICE, 23), "too_close")


def test_a_settlement_may_stand_on_an_opponents_road():
    state = set_table()
    pave(state, BOB, 22, 17, 23)
    pave(state, ALICE, 12, 17)
    give(state, ALICE, **SETTLEMENT)
    make(state, BuildSettlement(ALICE, 17))


def test_an_opponents_road_connects_nothing():
    state = set_table()
    pave(state, BOB, 22, 17)
    give(state, ALICE, brick=2, lumber=2, wool=1, grain=1)
    refused(state, BuildRoad(ALICE, edge_between(17, 23)), "not_connected")
    refused(state, BuildSettlement(ALICE, 17), "not_connected")


def test_a_road_that_ends_at_an_opponents_building_leads_no_farther():
    state = set_table()
    pave(state, ALICE, 22, 17)
    settle(state, BOB, 17)
    give(state, ALICE, **ROAD)
    refused(state, BuildRoad(ALICE, edge_between(17, 23)), "not_connected")


def test_an_opponents_new_settlement_closes_the_paths_behind_it():
    state = set_table()
    pave(state, ALICE, 12, 17)
    pave(state, BOB, 22, 17)
    give(state, ALICE, **SETTLEMENT)
    give(state, BOB, **ROAD)
    make(state, BuildSettlement(ALICE, 17))
    state.active = BOB
    refused(state, BuildRoad(BOB, edge_between(17, 23)), "not_connected")
    make(state, BuildRoad(BOB, edge_between(22, 28)))


def test_a_settlement_opens_the_paths_around_it():
    state = set_table()
    pave(state, ALICE, 17, 23)
    give(state, ALICE, brick=2, lumber=2, wool=1, grain=1)
    make(state, BuildSettlement(ALICE, 23))
    make(state, BuildRoad(ALICE, edge_between(23, 29)))


def test_legal_places_are_exactly_those_that_are_played():
    state = set_table()
    settle(state, ALICE, 17)
    settle(state, BOB, 30)
    pave(state, ALICE, 17, 23, 29)
    pave(state, BOB, 30, 35)
    give(state, ALICE, **SETTLEMENT)
    listed = set(legal_moves(state, ALICE))
    for move in [*(BuildRoad(ALICE, edge) for edge in EDGES), *(BuildSettlement(ALICE, v) for v in VERTICES)]:
        assert is_legal(state, move) == (move in listed)
    assert {move.vertex for move in listed if isinstance(move, BuildSettlement)} == {29}
    assert len([move for move in listed if isinstance(move, BuildRoad)]) == 2 + 1 + 2


# The setup


def test_everything_but_the_settlement_waits_in_the_setup():
    state = fresh_table()
    for move in (Roll(ALICE), EndTurn(ALICE), BuyCard(ALICE), BuildRoad(ALICE, 0)):
        refused(state, move, "wrong_phase")
    refused(state, BuildSettlement(BOB, 17), "not_your_turn")
    assert len(legal_moves(state, ALICE)) == 54


def test_the_road_of_the_setup_touches_its_settlement():
    state = fresh_table()
    make(state, BuildSettlement(ALICE, 17))
    refused(state, BuildRoad(ALICE, edge_between(30, 35)), "not_connected")
    assert {move.edge for move in legal_moves(state, ALICE)} == {
        edge_between(17, 12),
        edge_between(17, 22),
        edge_between(17, 23),
    }


def test_a_second_settlement_at_the_desert_and_the_sea_brings_fewer_cards():
    for vertex, cards in ((24, {"lumber": 1, "wool": 1}), (21, {"grain": 1}), (8, {"ore": 1, "wool": 1, "brick": 1})):
        state = fresh_table(seats=3)
        state.placements, state.active = 5, ALICE
        events = make(state, BuildSettlement(ALICE, vertex))
        assert hand(state, ALICE) == cards
        assert events[-1] == Event("starting_resources", ALICE, {"resources": cards})


def test_two_hexes_of_one_kind_bring_two_cards_or_one_by_the_tables_rule():
    terrains = list(BEGINNER.terrains)
    # Wool lies at hexes 1 and 5; the one at 15 changes places with the ore beside hex 1.
    terrains[0], terrains[15] = terrains[15], terrains[0]
    for rule, wool in (("second_settlement", 2), ("each_type_once", 1)):
        state = fresh_table(seats=3, starting_resources=rule)
        state.board = Board(tuple(terrains), BEGINNER.tokens, BEGINNER.harbors)
        state.placements, state.active = 5, ALICE
        make(state, BuildSettlement(ALICE, 8))
        assert state.hands[ALICE][WOOL] == wool
