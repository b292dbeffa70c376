"""The game design document: the box, the board, the setup, production."""

from collections import Counter
from itertools import pairwise, product
from random import Random

import pytest

from games.rules import (
    PRESETS,
    Phase,
    RandomChance,
    RecordedChance,
    RuleSetError,
    deal,
    legal_moves,
    new_game,
    play,
    player_view,
    start,
    topology,
)
from games.rules.boards import (
    BEGINNER,
    GENERIC,
    PIPS,
    RED_NUMBERS,
    TERRAIN_NAMES,
    TOKENS,
    variable,
)
from games.rules.chance import DrawsDiffer
from games.rules.moves import BuildRoad, BuyCard, EndTurn, Roll, TradeWithBank
from games.rules.topology import (
    COAST,
    DOCKS,
    EDGE_VERTICES,
    FRAME,
    HEX_NEIGHBORS,
    HEX_VERTICES,
    HEXES,
    edge_between,
)
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK,
    DANA,
    DESERT,
    GRAIN,
    LUMBER,
    ORE,
    WOOL,
    fresh_table,
    give,
    hand,
    leave_in_bank,
    make,
    raise_cities,
    refused,
    roll,
    set_table,
    settle,
)
from tests.sources.shared import awards, building, cards, rolling

PRESET = "standard"

# Overview


@pytest.mark.parametrize("seats", [2, 5])
def test_three_or_four_play(seats):
    for fitting in (3, 4):
        assert len(fresh_table(PRESET, seats=fitting).order) == fitting
    with pytest.raises(RuleSetError, match="3 or 4 players"):
        deal(PRESETS[PRESET], seats, "beginner", RandomChance(Random(1)))


def begun_by(first, seats):
    """The game after its setup, where this seat rolled highest; and the seats in the order they placed."""
    dice = [die for seat in range(seats) for die in ((5, 5) if seat == first else (0, 0))]
    state = new_game(PRESETS[PRESET], seats, "beginner", RecordedChance(dice + [0] * 24))
    placed = []
    while state.phase is Phase.PLACING_SETTLEMENT:
        placed.append(state.active)
        make(state, legal_moves(state, state.active)[0])
        make(state, legal_moves(state, state.active)[0])
    return state, placed


every_beginner = pytest.mark.parametrize(
    ("first", "seats"), [(first, seats) for seats in (3, 4) for first in range(seats)]
)


@every_beginner
def test_the_turn_passes_clockwise_whoever_began(first, seats):
    state, _ = begun_by(first, seats)
    order = []
    for _ in range(2 * seats + 1):
        order.append(state.active)
        roll(state, 2)
        make(state, EndTurn(state.active))
    assert order == [(first + turn) % seats for turn in range(2 * seats + 1)]


@every_beginner
def test_whoever_begins_the_setup_begins_the_game_after_it(first, seats):
    state, placed = begun_by(first, seats)
    clockwise = [(first + place) % seats for place in range(seats)]
    assert placed == clockwise + clockwise[::-1]
    assert (state.active, state.phase, state.turn) == (first, Phase.ROLLING, 1)


# The box


@pytest.mark.parametrize(
    ("terrain", "count", "produces"),
    [
        ("forest", 4, "lumber"),
        ("pasture", 4, "wool"),
        ("fields", 4, "grain"),
        ("hills", 3, "brick"),
        ("mountains", 3, "ore"),
    ],
)
def test_each_terrain_has_its_hexes_and_produces_its_resource(terrain, count, produces):
    hexes = [h for h in HEXES if TERRAIN_NAMES[BEGINNER.terrains[h]] == terrain]
    assert len(hexes) == count
    for h in hexes:
        state = set_table(PRESET, Phase.ROLLING)
        settle(state, ALICE, HEX_VERTICES[h][0])
        roll(state, BEGINNER.tokens[h])
        assert produces in hand(state, ALICE)


def test_the_desert_produces_nothing():
    state = set_table(PRESET)
    assert BEGINNER.terrains.count(TERRAIN_NAMES.index("desert")) == 1
    raise_cities(state, ALICE, *HEX_VERTICES[DESERT][::2])
    surroundings = {BEGINNER.tokens[h] for h in HEX_NEIGHBORS[DESERT]}
    for number in set(range(2, 13)) - surroundings - {7}:
        state.phase = Phase.ROLLING
        roll(state, number)
    assert hand(state, ALICE) == {}


def test_six_frame_pieces_border_the_island_and_equal_numbers_meet():
    assert len(FRAME) == 6
    assert [edge for piece in FRAME for edge in piece["coast"]] == list(COAST)
    for piece, following in zip(FRAME, FRAME[1:] + FRAME[:1], strict=True):
        assert piece["ends"][1] == following["ends"][0]
    assert Counter(end for piece in FRAME for end in piece["ends"]) == dict.fromkeys(range(1, 7), 2)


def test_eighteen_tokens_are_one_2_and_12_and_two_of_each_other_but_7():
    expected = {2: 1, 12: 1} | dict.fromkeys((3, 4, 5, 6, 8, 9, 10, 11), 2)
    assert Counter(BEGINNER.tokens) - Counter([0]) == expected
    assert len(TOKENS) == 18


def test_the_red_numbers_are_those_rolled_most_often():
    most = max(PIPS.values())
    assert sorted(number for number in PIPS if PIPS[number] == most) == [6, 8] == list(RED_NUMBERS)


@pytest.mark.parametrize("resource", [BRICK, GRAIN, LUMBER, ORE, WOOL])
def test_each_resource_has_its_own_harbor_beside_four_generic_ones(resource):
    assert len(BEGINNER.harbors) == 9
    assert BEGINNER.harbors.count(GENERIC) == 4
    dock = DOCKS[BEGINNER.harbors.index(resource)]
    state = set_table(PRESET)
    settle(state, ALICE, EDGE_VERTICES[dock][0])
    state.hands[ALICE][resource] = 2
    make(state, TradeWithBank(ALICE, resource, 2, (resource + 1) % 5))


def test_everybody_begins_with_five_settlements_four_cities_and_fifteen_roads():
    for seat in player_view(fresh_table(PRESET), None)["seats"]:
        assert (seat["settlements_left"], seat["cities_left"], seat["roads_left"]) == (5, 4, 15)


def test_the_bank_begins_with_nineteen_cards_of_each_resource():
    bank = player_view(fresh_table(PRESET), None)["bank"]
    assert bank == dict.fromkeys(("brick", "grain", "lumber", "ore", "wool"), 19)


def test_the_deck_has_the_25_cards_of_the_box():
    cards.the_deck_has_the_25_cards_of_the_box(PRESET)


def test_the_first_road_of_five_takes_longest_road_and_forks_do_not_add_up():
    awards.the_first_road_of_five_takes_longest_road_and_forks_do_not_add_up(PRESET)


def test_the_first_to_play_three_knights_takes_largest_army():
    awards.the_first_to_play_three_knights_takes_largest_army(PRESET)


def test_two_dice_of_six_sides_are_rolled():
    state = set_table(PRESET, Phase.ROLLING)
    make(state, Roll(ALICE), 5, 0)
    assert state.dice == (6, 1)
    with pytest.raises(DrawsDiffer):
        play(set_table(PRESET, Phase.ROLLING), Roll(ALICE), RecordedChance([6, 0]))


# The board


def variable_boards():
    return [variable(RandomChance(Random(seed))) for seed in range(30)]


def test_a_variable_board_shuffles_terrain_and_harbors():
    boards = variable_boards()
    assert len({board.terrains for board in boards}) == 30
    assert len({board.harbors for board in boards}) > 25
    assert {Counter(board.terrains)[TERRAIN_NAMES.index("desert")] for board in boards} == {1}


#: The numbers on the tokens A to R.
A_TO_R = [5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11]
#: The coast counter-clockwise and the ring inside it; hexes are numbered by rows from the top left.
COAST_HEXES = (0, 3, 7, 12, 16, 17, 18, 15, 11, 6, 2, 1)
INNER_HEXES = (4, 8, 13, 14, 10, 5)
#: From each corner: once round the coast, once round the ring, and the middle.
SPIRALS = {
    COAST_HEXES[2 * turn]: (
        COAST_HEXES[2 * turn :] + COAST_HEXES[: 2 * turn] + INNER_HEXES[turn:] + INNER_HEXES[:turn] + (9,)
    )
    for turn in range(6)
}


def test_tokens_lie_by_their_letters_in_a_spiral_from_a_corner_past_the_desert():
    begun_in = set()
    for board in variable_boards():
        desert = [TERRAIN_NAMES[terrain] for terrain in board.terrains].index("desert")
        assert board.tokens[desert] == 0
        laid = {
            corner: [board.tokens[h] for h in spiral if h != desert] == A_TO_R for corner, spiral in SPIRALS.items()
        }
        assert any(laid.values())
        begun_in |= {corner for corner in laid if laid[corner]}
    assert begun_in == {0, 2, 7, 11, 16, 18}


@pytest.mark.parametrize("corner", SPIRALS)
def test_the_spiral_goes_from_neighbor_to_neighbor_over_the_whole_island(corner):
    spiral = topology.spiral(corner)
    assert spiral == SPIRALS[corner]
    assert sorted(spiral) == list(HEXES)
    assert len(HEX_NEIGHBORS[corner]) == 3
    assert all(onward in HEX_NEIGHBORS[h] for h, onward in pairwise(spiral))


def test_the_robber_starts_in_the_desert():
    state = new_game(PRESETS[PRESET], 4, "variable", RandomChance(Random(5)))
    assert state.board.terrains[state.robber] == TERRAIN_NAMES.index("desert")


#: The island for beginners, row by row, and its harbors by the corners they serve, clockwise from the top left.
BEGINNERS_ISLAND = [
    *[("mountains", 10), ("pasture", 2), ("forest", 9)],
    *[("fields", 12), ("hills", 6), ("pasture", 4), ("hills", 10)],
    *[("fields", 9), ("forest", 11), ("desert", None), ("forest", 3), ("mountains", 8)],
    *[("forest", 8), ("mountains", 3), ("fields", 4), ("pasture", 5)],
    *[("hills", 5), ("fields", 6), ("pasture", 11)],
]
BEGINNERS_HARBORS = {
    (0, 3): "generic",
    (1, 5): "grain",
    (10, 15): "ore",
    (26, 32): "generic",
    (42, 46): "wool",
    (49, 52): "generic",
    (47, 51): "generic",
    (33, 38): "brick",
    (11, 16): "lumber",
}


@pytest.mark.parametrize("seed", range(5))
def test_the_beginners_board_is_always_the_same(seed):
    state = new_game(PRESETS[PRESET], 4, "beginner", RandomChance(Random(seed)))
    board = player_view(state, ALICE)["board"]
    assert [(h["terrain"], h["token"]) for h in board["hexes"]] == BEGINNERS_ISLAND
    assert {EDGE_VERTICES[harbor["edge"]]: harbor["kind"] for harbor in board["harbors"]} == BEGINNERS_HARBORS


# The setup


def test_the_setup_goes_round_the_table_and_back():
    building.the_setup_goes_round_the_table_and_back(PRESET)


def test_the_setup_keeps_the_distance_rule():
    building.the_setup_keeps_the_distance_rule(PRESET)


def test_a_road_of_the_setup_leaves_the_settlement_just_placed():
    building.a_road_of_the_setup_leaves_the_settlement_just_placed(PRESET)


def test_the_second_settlement_alone_brings_a_card_for_each_of_its_hexes():
    building.the_second_settlement_alone_brings_a_card_for_each_of_its_hexes(PRESET)


def test_the_highest_roll_begins_and_ties_roll_again():
    # The beginner's board draws nothing; then each seat rolls two dice, and the deck is shuffled.
    rolls = [(0, 1), (5, 4), (2, 2), (4, 5)]
    again = [(1, 1), (3, 4)]
    draws = [die for pair in rolls + again for die in pair] + [0] * 24
    dealt = deal(PRESETS[PRESET], 4, "beginner", RecordedChance(draws))
    assert dealt.rolls == ({0: 3, 1: 11, 2: 6, 3: 11}, {1: 4, 3: 9})
    assert dealt.order == (3, 0, 1, 2)
    assert start(PRESETS[PRESET], dealt).active == DANA


# Production


def test_a_turn_begins_with_the_roll():
    state = set_table(PRESET, Phase.ROLLING)
    give(state, ALICE, brick=4, lumber=1, wool=1, grain=1, ore=1)
    settle(state, ALICE, 17)
    for move in (
        EndTurn(ALICE),
        BuyCard(ALICE),
        TradeWithBank(ALICE, BRICK, 4, ORE),
        BuildRoad(ALICE, edge_between(17, 23)),
    ):
        refused(state, move, "roll_first")


def test_everybody_receives_from_anybodys_roll():
    rolling.everybody_receives_from_anybodys_roll(PRESET)


def test_a_settlement_yields_one_card_and_a_city_two():
    rolling.a_settlement_yields_one_card_and_a_city_two(PRESET)


def test_a_seven_produces_nothing():
    rolling.a_seven_produces_nothing(PRESET)


def test_a_hand_above_seven_loses_half_rounded_down():
    rolling.a_hand_above_seven_loses_half_rounded_down(PRESET)


def test_whoever_rolls_a_seven_moves_the_robber_off_its_hex():
    rolling.whoever_rolls_a_seven_moves_the_robber_off_its_hex(PRESET)


def test_the_theft_comes_after_the_discards():
    rolling.the_theft_comes_after_the_discards(PRESET)


def test_the_robbers_hex_produces_nothing():
    rolling.the_robbers_hex_produces_nothing(PRESET)


def test_a_hex_without_opponents_yields_no_card():
    rolling.a_hex_without_opponents_yields_no_card(PRESET)


def test_a_seven_and_a_knight_move_the_robber():
    rolling.a_seven_and_a_knight_move_the_robber(PRESET)


def test_nobody_gets_a_resource_that_the_bank_is_too_short_of():
    rolling.nobody_gets_a_resource_that_the_bank_is_too_short_of(PRESET)


def test_an_empty_bank_pays_nobody():
    rolling.an_empty_bank_pays_nobody(PRESET)


def test_a_sole_claimant_gets_what_the_bank_has_left():
    state = set_table(PRESET, Phase.ROLLING)
    raise_cities(state, ALICE, 8)
    leave_in_bank(state, BOB, brick=1)
    roll(state, 6)
    assert hand(state, ALICE) == {"brick": 1}
    assert state.bank[BRICK] == 0


@pytest.mark.parametrize(
    ("number", "ways"),
    [(2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, 6), (8, 5), (9, 4), (10, 3), (11, 2), (12, 1)],
)
def test_each_number_comes_up_in_its_share_of_the_36_rolls(number, ways):
    sums = []
    for first, second in product(range(6), repeat=2):
        state = set_table(PRESET, Phase.ROLLING)
        make(state, Roll(ALICE), first, second)
        sums.append(sum(state.dice))
    assert sums.count(number) == ways
