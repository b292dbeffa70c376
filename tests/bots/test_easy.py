"""What the easy bot does: sensible things, and kind ones."""

from __future__ import annotations

from random import Random

import pytest

from games.bots import easy
from games.rules import Move, Phase, State, moves, player_view
from games.rules.boards import PIPS
from games.rules.topology import HEX_VERTICES, VERTEX_HEXES
from tests.bots.remembered import memory_of
from tests.rules.table import (
    ALICE,
    BOB,
    CHARLIE,
    DANA,
    ROAD,
    WAYS,
    accept,
    bundle,
    fresh_table,
    give,
    hold,
    lay_open,
    make,
    offer,
    pave,
    raise_cities,
    resources,
    set_table,
    settle,
)

NORTH, SOUTH = WAYS[0], WAYS[5]
BEST_CORNERS = (28, 31, 39, 44)


def choice_of(state: State, seat: int, seed: int = 0) -> Move | None:
    return easy.choose(player_view(state, seat), memory_of(state, seat), Random(seed))


def choices_of(state: State, seat: int) -> set[Move | None]:
    return {choice_of(state, seat, seed) for seed in range(30)}


def village() -> State:
    """Alice has a settlement and a road in the north, Bob and Charlie live in the south."""
    state = set_table()
    settle(state, ALICE, NORTH[0])
    pave(state, ALICE, *NORTH[:2])
    settle(state, BOB, SOUTH[0])
    pave(state, BOB, *SOUTH[:2])
    settle(state, CHARLIE, SOUTH[4])
    pave(state, CHARLIE, *SOUTH[4:6])
    return state


# The start


def test_it_leaves_the_best_corners_to_others() -> None:
    chosen = choices_of(fresh_table(), ALICE)
    corners = [choice.vertex for choice in chosen if isinstance(choice, moves.BuildSettlement)]
    assert len(corners) > 3
    assert not set(corners) & set(BEST_CORNERS)
    board = fresh_table().board
    assert min(sum(PIPS.get(board.tokens[h], 0) for h in VERTEX_HEXES[corner]) for corner in corners) >= 6


def test_its_second_settlement_brings_what_the_first_does_not() -> None:
    state = fresh_table()
    settle(state, ALICE, 14)
    for seat, corners in ((BOB, (28, 8)), (CHARLIE, (31, 20)), (DANA, (17, 41))):
        settle(state, seat, *corners)
    state.placements = 7
    # Two corners bring both ore and grain to somebody who has wool, lumber and brick.
    assert choices_of(state, ALICE) == {moves.BuildSettlement(ALICE, corner) for corner in (40, 44)}


# The robber


def robbery() -> State:
    """Dana leads, with cities on grain 6 and at a corner she shares with Bob; Alice is there too."""
    state = village()
    raise_cities(state, DANA, 48, 22)
    state.phase = Phase.MOVING_ROBBER
    return state


def test_its_robber_hurts_the_leader_least() -> None:
    # Of Dana's hexes, grain 12 produces least, and nobody else lives there.
    assert choice_of(robbery(), ALICE) == moves.MoveRobber(ALICE, 3)


def test_its_robber_spares_itself_and_those_behind() -> None:
    state = robbery()
    settle(state, BOB, 12)
    settle(state, ALICE, 34)
    # Bob is on grain 12 now and Alice on lumber 11.
    assert choice_of(state, ALICE) == moves.MoveRobber(ALICE, 7)


def test_its_robber_never_stands_on_its_own_hexes_where_there_are_others() -> None:
    state = robbery()
    state.active = DANA
    chosen = choice_of(state, DANA)
    assert isinstance(chosen, moves.MoveRobber)
    assert not {22, 48} & set(HEX_VERTICES[chosen.hex])


def test_it_steals_from_the_leader() -> None:
    state = robbery()
    state.phase, state.robber = Phase.STEALING, 16
    settle(state, BOB, 43)
    for seat in (BOB, DANA):
        give(state, seat, ore=1)
    assert choice_of(state, ALICE) == moves.Steal(ALICE, DANA)


# Trade


def test_it_says_yes_to_a_fair_offer_of_what_it_can_spare() -> None:
    state = village()
    give(state, ALICE, wool=1)
    give(state, BOB, ore=1, lumber=1)
    offer(state, (BOB,), {"wool": 1}, {"ore": 1})
    assert choice_of(state, BOB) == moves.AcceptOffer(BOB, 0)


@pytest.mark.parametrize(("gives", "gets"), [({"wool": 1}, {"ore": 2}), ({"wool": 1}, {"brick": 1})])
def test_it_gives_neither_too_much_nor_what_it_needs(gives: dict[str, int], gets: dict[str, int]) -> None:
    state = village()
    give(state, ALICE, wool=1)
    give(state, BOB, ore=2, **ROAD)
    offer(state, (BOB,), gives, gets)
    assert choice_of(state, BOB) == moves.RejectOffer(BOB, 0)


def test_it_makes_one_offer_a_turn_at_most_and_only_now_and_then() -> None:
    state = village()
    give(state, ALICE, brick=1, ore=1)
    give(state, BOB, lumber=1)
    others = (BOB,)
    made = moves.OfferTrade(ALICE, others, bundle(ore=1), bundle(lumber=1))
    assert choices_of(state, ALICE) == {made, moves.EndTurn(ALICE)}
    memory = memory_of(state, ALICE)
    for event in make(state, made):
        memory.learn([event.seen_by(ALICE)])
    make(state, moves.RejectOffer(BOB, 0))
    chosen = {easy.choose(player_view(state, ALICE), memory, Random(seed)) for seed in range(30)}
    assert chosen == {moves.EndTurn(ALICE)}


def test_it_asks_nobody_for_what_nobody_has() -> None:
    state = village()
    give(state, ALICE, brick=1, ore=1)
    give(state, BOB, wool=1)
    assert choices_of(state, ALICE) == {moves.EndTurn(ALICE)}


def test_it_confirms_with_whoever_has_fewest_points() -> None:
    state = village()
    raise_cities(state, BOB, 40)
    give(state, ALICE, ore=1)
    for seat in (BOB, CHARLIE):
        give(state, seat, lumber=1)
    offer(state, (BOB, CHARLIE), {"ore": 1}, {"lumber": 1})
    accept(state, BOB)
    accept(state, CHARLIE)
    assert choice_of(state, ALICE) == moves.ConfirmTrade(ALICE, 0, CHARLIE)


@pytest.mark.parametrize(("points_laid_open", "answer"), [(1, moves.ConfirmTrade), (7, moves.RejectOffer)])
def test_it_takes_a_fair_counter_offer_but_not_from_somebody_about_to_win(
    points_laid_open: int, answer: type[Move]
) -> None:
    state = village()
    lay_open(state, BOB, *["victory_point"] * min(5, points_laid_open))
    if points_laid_open > 5:
        raise_cities(state, BOB, 40)
    give(state, ALICE, ore=1, wool=1)
    give(state, BOB, lumber=1)
    offer(state, (BOB,), {"wool": 1}, {"lumber": 1})
    make(state, moves.CounterOffer(BOB, 0, bundle(lumber=1), bundle(ore=1)))
    assert isinstance(choice_of(state, ALICE), answer)


# The turn


def test_it_builds_no_road_that_leads_nowhere() -> None:
    state = village()
    # Whatever could be settled in the north is too close to Bob.
    settle(state, BOB, 5, 8, 11, 17)
    give(state, ALICE, brick=1, lumber=1)
    assert choices_of(state, ALICE) == {moves.EndTurn(ALICE)}


def test_its_roads_lead_to_a_good_corner_nearby() -> None:
    state = village()
    give(state, ALICE, brick=3, lumber=3, wool=1, grain=1)
    for kind in (moves.BuildRoad, moves.BuildRoad, moves.BuildSettlement):
        chosen = choice_of(state, ALICE)
        assert isinstance(chosen, kind)
        make(state, chosen)
    assert any(state.settlements[ALICE] >> corner & 1 for corner in (8, 12))


def test_it_keeps_its_knight_until_it_is_robbed() -> None:
    state = village()
    hold(state, ALICE, "knight")
    assert choice_of(state, ALICE) == moves.EndTurn(ALICE)
    state.robber = 0
    assert choice_of(state, ALICE) == moves.PlayKnight(ALICE)


def test_it_plays_its_knights_when_they_are_enough_for_largest_army() -> None:
    state = village()
    lay_open(state, ALICE, "knight", "knight")
    hold(state, ALICE, "knight")
    assert choice_of(state, ALICE) == moves.PlayKnight(ALICE)
    lay_open(state, BOB, "knight", "knight", "knight")
    assert choice_of(state, ALICE) == moves.EndTurn(ALICE)


def test_it_names_one_resource_only_to_finish_a_piece() -> None:
    state = village()
    hold(state, ALICE, "monopoly")
    for seat in (BOB, CHARLIE):
        give(state, seat, brick=2, ore=4)
    assert choice_of(state, ALICE) == moves.EndTurn(ALICE)
    give(state, ALICE, lumber=1)
    assert choice_of(state, ALICE) == moves.PlayMonopoly(ALICE, 0)


def test_it_names_no_resource_that_nobody_has() -> None:
    state = village()
    hold(state, ALICE, "monopoly")
    give(state, ALICE, lumber=1)
    give(state, BOB, ore=4)
    assert choice_of(state, ALICE) == moves.EndTurn(ALICE)


def test_it_keeps_a_year_of_plenty_that_would_not_finish_a_piece() -> None:
    state = village()
    settle(state, BOB, 5, 8, 11, 17)
    hold(state, ALICE, "year_of_plenty")
    give(state, ALICE, ore=2)
    assert choice_of(state, ALICE) == moves.EndTurn(ALICE)


def test_it_takes_what_it_lacks_from_the_year_of_plenty() -> None:
    state = village()
    hold(state, ALICE, "year_of_plenty")
    assert choice_of(state, ALICE) == moves.PlayYearOfPlenty(ALICE, resources(brick=1, lumber=1))


def test_it_asks_the_bank_for_what_finishes_a_piece() -> None:
    state = village()
    give(state, ALICE, lumber=4)
    assert isinstance(choice_of(state, ALICE), moves.TradeWithBank)


def inland() -> State:
    """Alice lives where there is no harbor, and has nowhere to settle yet."""
    state = set_table()
    settle(state, ALICE, 12)
    pave(state, ALICE, 12, 17)
    return state


def test_it_buys_a_card_with_what_it_does_not_need_when_it_has_many_cards() -> None:
    state = inland()
    pave(state, ALICE, 17, 22)
    give(state, ALICE, lumber=1, wool=3, grain=2, ore=1)
    assert not isinstance(choice_of(state, ALICE), moves.BuyCard)
    give(state, ALICE, ore=1)
    assert choice_of(state, ALICE) == moves.BuyCard(ALICE)


def test_it_goes_to_the_bank_for_a_part_of_a_piece_when_it_has_many_cards() -> None:
    state = inland()
    give(state, ALICE, wool=4, ore=3)
    assert not isinstance(choice_of(state, ALICE), moves.TradeWithBank)
    give(state, ALICE, wool=1)
    assert isinstance(choice_of(state, ALICE), moves.TradeWithBank)


def test_it_places_a_free_road_towards_longest_road() -> None:
    state = village()
    pave(state, ALICE, 3, 7, 12, 8)
    state.phase, state.free_roads = Phase.PLACING_FREE_ROADS, 1
    chosen = choice_of(state, ALICE)
    assert isinstance(chosen, moves.BuildRoad)
    make(state, chosen)
    assert state.longest_road == ALICE
