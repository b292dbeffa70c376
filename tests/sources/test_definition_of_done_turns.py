"""The first definition of done: whose turn it is, and what everybody else may do meanwhile."""

from itertools import permutations
from random import Random

import pytest

from games.rules import PRESETS, Deal, Phase, RandomChance, is_legal, legal_moves, new_game, player_view, start
from games.rules.boards import BEGINNER
from games.rules.cards import CARD_NAMES, DECK
from games.rules.moves import (
    KINDS,
    AcceptOffer,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    ConfirmTrade,
    CounterOffer,
    Discard,
    EndTurn,
    MoveRobber,
    OfferTrade,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
    RejectOffer,
    Roll,
    SkipRoll,
    Steal,
    StopPlacingRoads,
    TradeWithBank,
    WithdrawOffer,
)
from games.rules.topology import edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK_6,
    CHARLIE,
    DANA,
    ORE,
    WOOL,
    accept,
    bundle,
    fresh_table,
    give,
    hold,
    make,
    offer,
    pave,
    raise_cities,
    refused,
    resources,
    roll,
    set_table,
    settle,
)
from tests.sources.shared.building import HOMES, place

PRESET = "definition-of-done"

#: Each player's settlement, two roads that leave it, a corner for another settlement, and onward.
PIECES = ((38, 43, 39, 44), (8, 4, 1, 5), (18, 24, 19, 25), (17, 22, 16, 21))
#: The phases of a turn in which an offer made before is still open.
WITH_OFFER = (Phase.MAIN, Phase.MOVING_ROBBER, Phase.STEALING, Phase.PLACING_FREE_ROADS)
#: What somebody may do on another's turn, when there is an offer to answer or a seven was rolled.
ANSWERS = {"accept_offer", "reject_offer", "counter_offer", "withdraw_offer", "discard"}

every_phase = pytest.mark.parametrize("phase", Phase)


def table_at(phase, other):
    """Alice to move in this phase; she and another hold all they could need for any move.

    After the roll she has offered brick for ore to Bob and to Charlie, and Charlie has accepted.
    """
    if phase in (Phase.PLACING_SETTLEMENT, Phase.PLACING_ROAD):
        state = fresh_table(PRESET)
    else:
        state = set_table(PRESET, Phase.ROLLING)
    for seat, way in enumerate(PIECES):
        settle(state, seat, way[0])
        pave(state, seat, *way[:3])
        give(state, seat, brick=4, lumber=4, wool=4, grain=4, ore=4)
    for seat in (ALICE, other):
        hold(state, seat, *CARD_NAMES)
    if phase is Phase.PLACING_ROAD:
        make(state, BuildSettlement(ALICE, 39))
    elif phase is Phase.DISCARDING:
        roll(state, 7)
    elif phase in WITH_OFFER or phase is Phase.OVER:
        roll(state, 12)
        offer(state, (BOB, CHARLIE), {"brick": 1}, {"ore": 1})
        accept(state, CHARLIE)
    if phase in (Phase.MOVING_ROBBER, Phase.STEALING):
        make(state, PlayKnight(ALICE))
    if phase is Phase.STEALING:
        make(state, MoveRobber(ALICE, BRICK_6))
    if phase is Phase.PLACING_FREE_ROADS:
        make(state, PlayRoadBuilding(ALICE))
    if phase is Phase.OVER:
        raise_cities(state, ALICE, 26, 42, 47, 49)
        make(state, PlayVictoryPoint(ALICE))
    assert (state.phase, state.active) == (phase, ALICE)
    return state


def moves_of(seat):
    """A move of every kind that this seat could make, were it its turn."""
    home, _, corner, onward = PIECES[seat]
    moves = (
        BuildSettlement(seat, corner),
        BuildRoad(seat, edge_between(corner, onward)),
        BuildCity(seat, home),
        Roll(seat),
        SkipRoll(seat),
        Discard(seat, resources(brick=4, lumber=4, wool=2)),
        MoveRobber(seat, BRICK_6),
        Steal(seat, BOB if seat != BOB else CHARLIE),
        BuyCard(seat),
        PlayKnight(seat),
        PlayRoadBuilding(seat),
        StopPlacingRoads(seat),
        PlayYearOfPlenty(seat, resources(ore=2)),
        PlayMonopoly(seat, ORE),
        PlayVictoryPoint(seat),
        TradeWithBank(seat, ORE, 4, WOOL),
        OfferTrade(seat, (DANA if seat == ALICE else ALICE,), bundle(wool=1), bundle(grain=1)),
        AcceptOffer(seat, 0),
        RejectOffer(seat, 0),
        CounterOffer(seat, 0, bundle(ore=1), bundle(brick=2)),
        ConfirmTrade(seat, 0, CHARLIE),
        WithdrawOffer(seat, 0),
        EndTurn(seat),
    )
    assert [move.kind for move in moves] == list(KINDS)
    return {move.kind: move for move in moves}


# Only the player to move acts


def test_every_kind_of_move_is_made_on_ones_own_turn():
    """Those below are refused for the turn alone: the player to move makes every one of them."""
    made = {kind for phase in Phase for kind, move in moves_of(ALICE).items() if is_legal(table_at(phase, BOB), move)}
    of_other_rule_books = {"skip_roll", "stop_placing_roads"}
    of_others = {"accept_offer", "reject_offer", "counter_offer"}
    assert made == set(KINDS) - of_other_rule_books - of_others


@every_phase
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ANSWERS])
def test_only_the_player_to_move_acts(phase, kind):
    for seat in (BOB, CHARLIE, DANA):
        refused(
            table_at(phase, seat),
            moves_of(seat)[kind],
            "game_over" if phase is Phase.OVER else "not_your_turn",
        )


@every_phase
@pytest.mark.parametrize("seat", [BOB, CHARLIE, DANA])
def test_the_others_answer_offers_and_discard_and_do_nothing_else(phase, seat):
    may = set()
    if phase in WITH_OFFER:
        asked = {BOB: {"accept_offer", "reject_offer"}, CHARLIE: {"reject_offer", "withdraw_offer"}}
        may = asked.get(seat, may)
    elif phase is Phase.DISCARDING:
        may = {"discard"}
    state = table_at(phase, seat)
    assert {kind for kind, move in moves_of(seat).items() if is_legal(state, move)} == may
    assert {move.kind for move in legal_moves(state, seat)} == may


@pytest.mark.parametrize("phase", WITH_OFFER)
@pytest.mark.parametrize("seat", [BOB, CHARLIE, DANA])
def test_an_offer_is_not_answered_with_another(phase, seat):
    state = table_at(phase, seat)
    refused(state, moves_of(seat)["counter_offer"], "no_counter_offers")
    assert "counter_offer" not in player_view(state, seat)["choices"]


# Whose turn is next


@pytest.mark.parametrize("order", [*permutations(range(3)), *permutations(range(4))])
def test_the_turn_passes_along_the_order_of_play_and_from_the_last_to_the_first(order):
    go_round_twice(start(PRESETS[PRESET], Deal(BEGINNER, order, DECK)))


def test_the_order_of_play_is_drawn_and_the_turn_follows_it():
    orders = set()
    for seed in range(150):
        state = new_game(PRESETS[PRESET], 4, "beginner", RandomChance(Random(seed)))
        go_round_twice(state)
        orders.add(state.order)
    assert orders == set(permutations(range(4)))


def go_round_twice(state):
    """Everybody places what the setup asks for and has two turns."""
    for home in HOMES[: 2 * len(state.order)]:
        place(state, *home)
    for seat in state.order * 2:
        assert state.active == seat
        roll(state, 12)
        make(state, EndTurn(seat))
    assert state.active == state.order[0]
