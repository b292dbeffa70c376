"""The win, and whose turn it is."""

import pytest

from games.rules import (
    NOBODY,
    PRESETS,
    Deal,
    Event,
    MalformedMove,
    Phase,
    RecordedChance,
    default_move,
    legal_moves,
    play,
    player_view,
    points,
    start,
    to_act,
)
from games.rules.boards import BEGINNER
from games.rules.cards import DECK
from games.rules.moves import BuildRoad, BuildSettlement, ConfirmTrade, EndTurn, OfferTrade, Roll
from games.rules.topology import edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    DANA,
    SETTLEMENT,
    WAYS,
    accept,
    bundle,
    give,
    hold,
    make,
    offer,
    pave,
    raise_cities,
    refused,
    roll,
    set_table,
    settle,
)


def one_point_short(seat, **options):
    """Nine points of ten, with the cards for a settlement and a corner to put it."""
    state = set_table(**options)
    raise_cities(state, seat, 0, 1, 2, 52)
    settle(state, seat, 26)
    pave(state, seat, 29, 35)
    give(state, seat, **SETTLEMENT)
    return state


def test_the_tenth_point_ends_the_game_at_once():
    state = one_point_short(ALICE)
    events = make(state, BuildSettlement(ALICE, 29))
    assert events[-1] == Event("won", ALICE, {"points": 10})
    assert (state.phase, state.winner) == (Phase.OVER, ALICE)


def test_nothing_is_played_after_the_end():
    state = one_point_short(ALICE)
    make(state, BuildSettlement(ALICE, 29))
    for seat in state.seats:
        assert legal_moves(state, seat) == ()
    refused(state, EndTurn(ALICE), "game_over")
    refused(state, Roll(BOB), "game_over")
    assert to_act(state) == ()


def test_open_offers_end_with_the_game():
    state = one_point_short(ALICE)
    give(state, ALICE, ore=1)
    offer(state, (BOB,), {"ore": 1}, {"wool": 1})
    make(state, BuildSettlement(ALICE, 29))
    assert state.offers == ()


def test_where_a_win_waits_for_the_turns_beginning_nobody_wins_in_mid_turn():
    state = one_point_short(ALICE, win_declared="turn_begins")
    make(state, BuildSettlement(ALICE, 29))
    assert state.winner == NOBODY
    make(state, EndTurn(ALICE))
    assert state.winner == NOBODY


def test_more_than_enough_points_win_too():
    state = one_point_short(ALICE)
    hold(state, ALICE, "victory_point", "victory_point")
    events = make(state, BuildSettlement(ALICE, 29))
    assert events[-1] == Event("won", ALICE, {"points": 12})


@pytest.mark.parametrize(("goal", "hidden_points", "road"), [(8, 0, 3), (15, 5, 6)])
def test_the_shortest_and_the_longest_game(goal, hidden_points, road):
    state = set_table(points_to_win=goal)
    raise_cities(state, ALICE, 0, 1, 2)
    settle(state, ALICE, 26)
    hold(state, ALICE, *["victory_point"] * hidden_points)
    pave(state, ALICE, *WAYS[3][4 : 4 + road])
    give(state, ALICE, brick=2, lumber=2, wool=1, grain=1)
    make(state, BuildRoad(ALICE, edge_between(*WAYS[3][3:5])))
    assert (state.longest_road == ALICE) == (road > 4)
    assert (points(state, ALICE), state.winner) == (goal - 1, NOBODY)
    make(state, BuildSettlement(ALICE, 29))
    assert state.winner == ALICE


@pytest.mark.parametrize(("win_declared", "winner"), [("any_moment", BOB), ("own_turn", NOBODY)])
def test_a_victory_point_card_that_changes_hands_may_win(win_declared, winner):
    state = set_table("three-player", win_declared=win_declared)
    raise_cities(state, BOB, 0, 1, 2, 52)
    settle(state, BOB, 26)
    give(state, BOB, ore=1)
    hold(state, ALICE, "victory_point")
    offer(state, (BOB,), {"victory_point": 1}, {"ore": 1})
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert (points(state, BOB), state.winner) == (10, winner)


# Turns and seats


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("ask", [legal_moves, player_view])
def test_a_seat_that_is_not_at_the_table_is_malformed(seats, ask):
    state = set_table(seats=seats)
    for seat in (-1, seats, 99):
        with pytest.raises(MalformedMove):
            ask(state, seat)


@pytest.mark.parametrize("seat", [-1, 3, 4])
def test_a_move_of_a_seat_that_is_not_at_the_table_is_malformed(seat):
    state = set_table(seats=3)
    before = state.copy()
    with pytest.raises(MalformedMove):
        play(state, EndTurn(seat), RecordedChance(()))
    assert state == before


@pytest.mark.parametrize("seat", [-1, 3, 4])
def test_a_timeout_of_a_seat_that_is_not_at_the_table_is_malformed(seat):
    with pytest.raises(MalformedMove):
        default_move(set_table(seats=3), seat, RecordedChance(()))


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (OfferTrade(ALICE, (BOB, DANA), bundle(ore=1), bundle(wool=1)), "not_to_others"),
        (ConfirmTrade(ALICE, 0, DANA), "not_accepted"),
    ],
)
def test_a_partner_who_is_not_at_the_table_is_refused(move, code):
    state = set_table(seats=3)
    give(state, ALICE, ore=2)
    offer(state, (BOB,), {"ore": 2}, {"wool": 1})
    refused(state, move, code)


def test_the_order_of_play_is_the_deals_not_the_seats():
    state = start(PRESETS["standard"], Deal(BEGINNER, (2, 0, 1), DECK))
    placed = []
    while state.phase is not Phase.ROLLING:
        if state.phase is Phase.PLACING_SETTLEMENT:
            placed.append(state.active)
        make(state, legal_moves(state, state.active)[0])
    assert placed == [2, 0, 1, 1, 0, 2]
    turns = []
    for _ in range(4):
        turns.append(state.active)
        state.phase = Phase.MAIN
        make(state, EndTurn(state.active))
    assert turns == [2, 0, 1, 2]


def test_the_dice_are_rolled_once_a_turn():
    state = set_table(phase=Phase.ROLLING)
    roll(state, 2)
    refused(state, Roll(ALICE), "already_rolled")
    refused(state, Roll(BOB), "not_your_turn")
