"""Rules about awards, points and the win that several rule books share."""

from games.rules import Phase, legal_moves, points
from games.rules.moves import BuildCity, BuildRoad, BuildSettlement, EndTurn, PlayKnight, PlayRoadBuilding
from games.rules.topology import edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    CHARLIE,
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
    roll,
    set_table,
    settle,
)

from .building import build
from .cards import buy, pass_round


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
    """Two roads grow in turns: an equal one takes nothing, one road more takes the card at once."""
    state = set_table(preset)
    ways = {BOB: WAYS[3], ALICE: WAYS[2]}
    for seat, way in ways.items():
        pave(state, seat, *way[:5])
    build(state, BuildRoad(BOB, edge_between(*WAYS[3][4:6])), ROAD)
    holder, chaser = BOB, ALICE
    for length in range(5, 10):
        for longer in (length, length + 1):
            assert state.longest_road == holder
            assert (points(state, holder), points(state, chaser)) == (2, 0)
            build(state, BuildRoad(chaser, edge_between(*ways[chaser][longer - 1 : longer + 1])), ROAD)
        holder, chaser = chaser, holder
        assert state.longest_road == holder
        assert (points(state, holder), points(state, chaser)) == (2, 0)


def a_free_road_takes_the_card_at_once(preset):
    """With the first road of a Road Building card, before the second is placed."""
    state = set_table(preset)
    pave(state, BOB, *WAYS[3][:6])
    state.longest_road = BOB
    pave(state, ALICE, *WAYS[2][:6])
    hold(state, ALICE, "road_building")
    make(state, PlayRoadBuilding(ALICE))
    assert state.longest_road == BOB
    make(state, BuildRoad(ALICE, edge_between(18, 24)))
    assert state.phase is Phase.PLACING_FREE_ROADS
    assert state.longest_road == ALICE


def play_knight(state, seat):
    """The seat plays a knight on a turn of its own, and moves the robber only afterwards."""
    state.active, state.cards_played = seat, 0
    hold(state, seat, "knight")
    make(state, PlayKnight(seat))
    holder = state.largest_army
    make(state, legal_moves(state, seat)[0])
    assert state.largest_army == holder
    return holder


def the_first_to_play_three_knights_takes_largest_army(preset):
    """One or two are no army, however many are in hand, and the next to play three is not the first."""
    state = set_table(preset)
    for seat in (ALICE, BOB):
        hold(state, seat, *["knight"] * 3)
    assert [play_knight(state, ALICE) for _ in range(3)] == [-1, -1, ALICE]
    assert points(state, ALICE) == 2
    assert [play_knight(state, BOB) for _ in range(3)] == [ALICE] * 3
    assert (points(state, ALICE), points(state, BOB)) == (2, 0)


def a_greater_army_takes_the_card_and_its_points_at_once(preset):
    """Two armies grow in turns: an equal one takes nothing, one knight more takes the card at once."""
    state = set_table(preset)
    assert [play_knight(state, BOB) for _ in range(3)] == [-1, -1, BOB]
    assert [play_knight(state, ALICE) for _ in range(4)] == [BOB, BOB, BOB, ALICE]
    assert (points(state, ALICE), points(state, BOB)) == (2, 0)
    assert [play_knight(state, BOB) for _ in range(2)] == [ALICE, BOB]
    assert (points(state, ALICE), points(state, BOB)) == (0, 2)


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


#: How a turn's player may score, and the points it brings.
SCORES = {"settlement": 1, "city": 1, "victory_point": 1, "longest_road": 2, "largest_army": 2}


def score(preset, how, reached):
    """Alice scores on her turn and has so many points then."""
    state = set_table(preset)
    raise_cities(state, ALICE, 0, 1, 2)
    settle(state, ALICE, *(11, 21, 29)[: reached - SCORES[how] - 6])
    assert points(state, ALICE) == reached - SCORES[how]
    if how == "settlement":
        pave(state, ALICE, 49, 53)
        build(state, BuildSettlement(ALICE, 49), SETTLEMENT)
    elif how == "city":
        build(state, BuildCity(ALICE, 11), CITY)
    elif how == "victory_point":
        buy(state, "victory_point")
    elif how == "longest_road":
        pave(state, ALICE, *WAYS[4][:5])
        build(state, BuildRoad(ALICE, edge_between(40, 45)), ROAD)
    else:
        lay_open(state, ALICE, "knight", "knight")
        hold(state, ALICE, "knight")
        make(state, PlayKnight(ALICE))
    assert points(state, ALICE) == reached
    return state


def the_tenth_point_wins_on_ones_own_turn(preset):
    """Whatever brings it, and an award that brings the eleventh along too."""
    for how, worth in SCORES.items():
        for reached in range(10, 10 + worth):
            state = score(preset, how, reached)
            assert (state.phase, state.winner) == (Phase.OVER, ALICE)
            assert legal_moves(state, ALICE) == ()


def nine_points_do_not_win(preset):
    """Not when they are reached, whatever brings them, and not when one's next turn begins."""
    for how in SCORES:
        state = score(preset, how, 9)
        if how == "largest_army":
            make(state, legal_moves(state, ALICE)[0])
        assert (state.phase, state.winner) == (Phase.MAIN, -1)
        pass_round(state)
        assert (state.phase, state.winner) == (Phase.ROLLING, -1)
        assert points(state, ALICE) == 9


def ten_points_on_anothers_turn_win_when_ones_own_begins(preset):
    """Alice cuts Bob's road, which makes Charlie's the longest: that is Charlie's tenth point."""
    state = set_table(preset)
    pave(state, BOB, *WAYS[2][:8])
    state.longest_road = BOB
    pave(state, CHARLIE, *WAYS[4][:7])
    raise_cities(state, CHARLIE, 0, 1, 2)
    settle(state, CHARLIE, 26, 49)
    pave(state, ALICE, 22, 28)
    build(state, BuildSettlement(ALICE, 22), SETTLEMENT)
    for seat in (ALICE, BOB):
        assert points(state, CHARLIE) == 10
        assert (state.active, state.winner) == (seat, -1)
        if state.phase is Phase.ROLLING:
            roll(state, 2)
        make(state, EndTurn(seat))
    assert (state.phase, state.winner) == (Phase.OVER, CHARLIE)
