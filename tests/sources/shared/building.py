"""Rules about pieces that several rule books share; each takes the preset to play under."""

from collections import Counter
from random import Random

from games.rules import PRESETS, Phase, RandomChance, is_legal, legal_moves, new_game, points
from games.rules.boards import BEGINNER, DESERT, TERRAIN_NAMES
from games.rules.cards import RESOURCE_NAMES
from games.rules.moves import BuildCity, BuildRoad, BuildSettlement
from games.rules.topology import EDGES, HEX_VERTICES, HEXES, NEIGHBORS, VERTEX_HEXES, edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    CITY,
    ROAD,
    SETTLEMENT,
    WAYS,
    costs,
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

#: Where the settlements of a setup stand, and where the road of each leads.
HOMES = ((0, 3), (1, 4), (2, 5), (11, 16), (13, 18), (15, 20), (27, 33), (29, 34))


def build(state, move, cost):
    """The move's player builds on a turn of their own, with cards just handed out."""
    state.active = move.seat
    give(state, move.seat, **cost)
    make(state, move)


def a_settlement_is_built_at_the_end_of_an_own_road(preset):
    state = set_table(preset)
    pave(state, ALICE, 17, 23)
    give(state, ALICE, **SETTLEMENT)
    make(state, BuildSettlement(ALICE, 23))
    assert state.settlements[ALICE] == 1 << 23


def nobody_has_a_sixth_settlement(preset):
    state = set_table(preset)
    settle(state, ALICE, 0, 1, 2, 11)
    pave(state, ALICE, 21, 27)
    pave(state, ALICE, 29, 35)
    build(state, BuildSettlement(ALICE, 21), SETTLEMENT)
    give(state, ALICE, **SETTLEMENT)
    refused(state, BuildSettlement(ALICE, 29), "no_settlement_left")


def a_settlement_is_worth_one_point(preset):
    state = set_table(preset)
    settle(state, ALICE, 17)
    assert points(state, ALICE) == 1


def the_first_two_settlements_and_their_roads_are_free(preset):
    """Whoever has nothing may place them, and whoever has cards keeps them all."""
    for held in (0, 2):
        state = fresh_table(preset)
        for seat in state.seats:
            give(state, seat, brick=held, lumber=held, wool=held, grain=held, ore=held)
        for placement, (vertex, onward) in enumerate(HOMES):
            seat = state.active
            before = state.hands[seat][:]
            make(state, BuildSettlement(seat, vertex))
            brought = cards_at(vertex) if placement >= len(state.order) else [0] * 5
            assert state.hands[seat] == [*map(int.__add__, before, brought)]
            before = state.hands[seat][:]
            make(state, BuildRoad(seat, edge_between(vertex, onward)))
            assert state.hands[seat] == before
        assert state.phase is Phase.ROLLING


def cards_at(vertex):
    """One card for each hex at a corner of the beginner's board, by resource."""
    terrains = [BEGINNER.terrains[h] for h in VERTEX_HEXES[vertex]]
    return [terrains.count(resource) for resource in range(DESERT)]


def a_later_settlement_costs_brick_lumber_grain_and_wool(preset):
    state = set_table(preset)
    pave(state, ALICE, 17, 23)
    costs(state, BuildSettlement(ALICE, 23), SETTLEMENT)


def settlements_keep_two_edges_between_them(preset):
    state = set_table(preset)
    settle(state, BOB, 23)
    pave(state, ALICE, 22, 17, 12)
    give(state, ALICE, **SETTLEMENT)
    refused(state, BuildSettlement(ALICE, 17), "too_close")
    make(state, BuildSettlement(ALICE, 12))


def a_settlement_without_an_own_road_is_refused(preset):
    state = set_table(preset)
    pave(state, BOB, 17, 23)
    give(state, ALICE, **SETTLEMENT)
    refused(state, BuildSettlement(ALICE, 23), "not_connected")


def a_city_replaces_a_settlement_and_adds_one_point(preset):
    state = set_table(preset)
    settle(state, ALICE, 17)
    give(state, ALICE, **CITY)
    make(state, BuildCity(ALICE, 17))
    assert (state.settlements[ALICE], state.cities[ALICE]) == (0, 1 << 17)
    assert points(state, ALICE) == 2


def nobody_has_a_fifth_city(preset):
    state = set_table(preset, points_to_win=15)
    raise_cities(state, ALICE, 0, 1, 2)
    settle(state, ALICE, 11, 29)
    build(state, BuildCity(ALICE, 11), CITY)
    give(state, ALICE, **CITY)
    refused(state, BuildCity(ALICE, 29), "no_city_left")


def a_city_costs_two_grain_and_three_ore(preset):
    state = set_table(preset)
    settle(state, ALICE, 17)
    costs(state, BuildCity(ALICE, 17), CITY)


def nobody_has_a_sixteenth_road(preset):
    state = set_table(preset)
    pave(state, ALICE, *WAYS[2])
    pave(state, ALICE, *WAYS[3][:5])
    build(state, BuildRoad(ALICE, edge_between(29, 35)), ROAD)
    give(state, ALICE, **ROAD)
    refused(state, BuildRoad(ALICE, edge_between(35, 30)), "no_road_left")


def lay(state, seat, piece):
    """A road to corner 17 from the west, or a building on it."""
    if piece == "road":
        pave(state, seat, 22, 17)
    else:
        {"settlement": settle, "city": raise_cities}[piece](state, seat, 17)


def open_paths(state):
    """Where Alice may lay a road: as the game lists it, and as it plays it."""
    state.active = ALICE
    listed = {move.edge for move in legal_moves(state, ALICE) if isinstance(move, BuildRoad)}
    assert listed == {edge for edge in EDGES if is_legal(state, BuildRoad(ALICE, edge))}
    return listed


def paths_at(*vertices):
    return {edge for vertex in vertices for edge, _ in NEIGHBORS[vertex]}


def a_road_continues_an_own_road_settlement_or_city(preset, neighbor):
    """In every direction, and nowhere else."""
    state = set_table(preset)
    lay(state, ALICE, neighbor)
    give(state, ALICE, **ROAD)
    touched = paths_at(22, 17) - {edge_between(22, 17)} if neighbor == "road" else paths_at(17)
    assert open_paths(state) == touched
    make(state, BuildRoad(ALICE, edge_between(17, 23)))
    give(state, ALICE, **ROAD)
    assert open_paths(state) == (touched | paths_at(23)) - {edge_between(17, 23)}


def a_path_holds_one_road(preset):
    state = set_table(preset)
    settle(state, ALICE, 17)
    pave(state, BOB, 17, 23)
    give(state, ALICE, **ROAD)
    refused(state, BuildRoad(ALICE, edge_between(17, 23)), "edge_taken")


def a_road_costs_brick_and_lumber(preset):
    state = set_table(preset)
    settle(state, ALICE, 17)
    costs(state, BuildRoad(ALICE, edge_between(17, 23)), ROAD)


def a_city_gives_its_settlement_back(preset):
    state = set_table(preset)
    settle(state, ALICE, 0, 1, 2, 11, 21)
    pave(state, ALICE, 29, 35)
    give(state, ALICE, brick=1, lumber=1, wool=1, grain=3, ore=3)
    refused(state, BuildSettlement(ALICE, 29), "no_settlement_left")
    make(state, BuildCity(ALICE, 11))
    make(state, BuildSettlement(ALICE, 29))


def a_city_replaces_only_an_own_settlement(preset):
    state = set_table(preset)
    settle(state, BOB, 17)
    give(state, ALICE, **CITY)
    refused(state, BuildCity(ALICE, 17), "not_your_settlement")
    refused(state, BuildCity(ALICE, 29), "not_your_settlement")


def own_settlements_keep_their_distance_too(preset):
    state = set_table(preset)
    settle(state, ALICE, 23)
    pave(state, ALICE, 23, 17, 12)
    give(state, ALICE, **SETTLEMENT)
    refused(state, BuildSettlement(ALICE, 17), "too_close")
    make(state, BuildSettlement(ALICE, 12))


def a_road_apart_from_ones_own_pieces_is_refused(preset):
    """Whatever an opponent has there."""
    for opponents in ("road", "settlement", "city"):
        state = set_table(preset)
        settle(state, ALICE, 40)
        lay(state, BOB, opponents)
        give(state, ALICE, **ROAD)
        assert open_paths(state) == paths_at(40)
        refused(state, BuildRoad(ALICE, edge_between(17, 23)), "not_connected")
        refused(state, BuildRoad(ALICE, edge_between(30, 36)), "not_connected")


def a_road_may_end_at_an_opponents_building_but_not_pass_it(preset):
    for opponents in ("settlement", "city"):
        state = set_table(preset)
        pave(state, ALICE, 21, 16, 22)
        lay(state, BOB, opponents)
        build(state, BuildRoad(ALICE, edge_between(22, 17)), ROAD)
        give(state, ALICE, **ROAD)
        assert open_paths(state) == {edge_between(21, 27), edge_between(16, 11), edge_between(22, 28)}
        refused(state, BuildRoad(ALICE, edge_between(17, 23)), "not_connected")


def an_opponents_new_building_closes_the_paths_beyond_it(preset):
    state = set_table(preset)
    pave(state, ALICE, 16, 22, 17)
    pave(state, BOB, 17, 12)
    give(state, ALICE, **ROAD)
    at_the_west = {edge_between(16, 11), edge_between(16, 21), edge_between(22, 28)}
    assert open_paths(state) == at_the_west | {edge_between(17, 23)}
    build(state, BuildSettlement(BOB, 17), SETTLEMENT)
    assert open_paths(state) == at_the_west
    build(state, BuildCity(BOB, 17), CITY)
    assert open_paths(state) == at_the_west


# The setup


def place(state, vertex, onward):
    """The player to move places a settlement and the road that leaves it for a corner."""
    seat = state.active
    make(state, BuildSettlement(seat, vertex))
    make(state, BuildRoad(seat, edge_between(vertex, onward)))
    return seat


def the_setup_goes_round_the_table_and_back(preset):
    state = fresh_table(preset)
    placed = [place(state, *home) for home in HOMES[: 2 * len(state.order)]]
    seats = list(state.seats)
    assert placed == seats + seats[::-1]
    assert (state.active, state.phase) == (ALICE, Phase.ROLLING)
    assert [roads.bit_count() for roads in state.roads] == [2 for _ in seats]


def the_setup_keeps_the_distance_rule(preset):
    state = fresh_table(preset)
    place(state, 17, 23)
    refused(state, BuildSettlement(BOB, 17), "vertex_taken")
    refused(state, BuildSettlement(BOB, 23), "too_close")
    make(state, BuildSettlement(BOB, 18))


def the_second_settlement_alone_brings_a_card_for_each_of_its_hexes(preset):
    """On boards of all sorts, wherever people settle: two hexes alike bring two cards, the desert none."""
    yields = {"hills": "brick", "forest": "lumber", "pasture": "wool", "fields": "grain", "mountains": "ore"}
    for seed in range(30):
        source = Random(seed)
        state = new_game(PRESETS[preset], 4, "random", RandomChance(source))
        expected = [Counter() for _ in state.seats]
        for placement in range(8):
            settled = source.choice(legal_moves(state, state.active))
            if placement >= 4:
                for h in HEXES:
                    terrain = TERRAIN_NAMES[state.board.terrains[h]]
                    if settled.vertex in HEX_VERTICES[h] and terrain != "desert":
                        expected[settled.seat][yields[terrain]] += 1
            make(state, settled)
            assert [hand(state, seat) for seat in state.seats] == expected
            make(state, legal_moves(state, state.active)[0])
        assert [hand(state, seat) for seat in state.seats] == expected
        handed_out = sum(expected, Counter())
        assert state.bank == [19 - handed_out[name] for name in RESOURCE_NAMES]


def a_road_of_the_setup_leaves_the_settlement_just_placed(preset):
    state = fresh_table(preset, seats=3)
    for home in ((8, 13), (0, 3), (2, 5), (26, 20), (42, 37)):
        place(state, *home)
    make(state, BuildSettlement(ALICE, 29))
    refused(state, BuildRoad(ALICE, edge_between(8, 12)), "not_at_settlement")
    make(state, BuildRoad(ALICE, edge_between(29, 23)))
