"""What the builder does in one situation or another."""

from __future__ import annotations

from random import Random
from typing import Any

from games.bots import builder
from games.rules import Phase, State, moves, player_view
from games.rules.topology import HEX_VERTICES
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK,
    CHARLIE,
    CITY,
    DANA,
    LUMBER,
    ORE_10,
    SETTLEMENT,
    WAYS,
    bundle,
    fresh_table,
    give,
    hold,
    lay_open,
    make,
    pave,
    raise_cities,
    resources,
    set_table,
    settle,
)

NORTH = WAYS[0]
LUMBER_3, ORE_8, WOOL_5 = 10, 11, 15


def choice_of(state: State, seat: int, seed: int = 0) -> Any:
    return builder.choose(player_view(state, seat), Random(seed))


def village() -> State:
    """Alice has a settlement and a road in the north, Bob and Charlie live in the south."""
    state = set_table()
    settle(state, ALICE, NORTH[0])
    pave(state, ALICE, *NORTH[:2])
    settle(state, BOB, WAYS[5][0])
    pave(state, BOB, *WAYS[5][:2])
    settle(state, CHARLIE, WAYS[5][4])
    pave(state, CHARLIE, *WAYS[5][4:6])
    return state


def test_it_settles_first_where_most_is_produced() -> None:
    state = fresh_table()
    (corner,) = set(HEX_VERTICES[LUMBER_3]) & set(HEX_VERTICES[ORE_8]) & set(HEX_VERTICES[WOOL_5])
    assert choice_of(state, ALICE) == moves.BuildSettlement(ALICE, corner)


def test_it_raises_a_city_as_soon_as_it_can() -> None:
    state = village()
    give(state, ALICE, **CITY)
    assert choice_of(state, ALICE) == moves.BuildCity(ALICE, NORTH[0])


def test_it_builds_a_road_where_there_is_no_site_and_settles_at_its_end() -> None:
    state = village()
    give(state, ALICE, brick=2, lumber=2, wool=1, grain=1)
    make(state, choice_of(state, ALICE))
    assert choice_of(state, ALICE).kind == "build_settlement"


def test_it_trades_spare_cards_with_the_bank_for_a_missing_one() -> None:
    state = village()
    give(state, ALICE, lumber=4)
    assert choice_of(state, ALICE) == moves.TradeWithBank(ALICE, LUMBER, 3, BRICK)


def test_it_offers_a_spare_card_for_a_missing_one() -> None:
    state = village()
    give(state, ALICE, grain=1, ore=2)
    chosen = {choice_of(state, ALICE, seed) for seed in range(20)}
    others = (BOB, CHARLIE, DANA)
    assert chosen == {moves.OfferTrade(ALICE, others, bundle(ore=1), bundle(wool=1)), moves.EndTurn(ALICE)}


def test_it_accepts_what_brings_its_next_piece_nearer_and_rejects_the_rest() -> None:
    state = village()
    give(state, ALICE, lumber=1, grain=1)
    give(state, BOB, brick=1, wool=1)
    make(state, moves.OfferTrade(ALICE, (BOB,), bundle(lumber=1), bundle(wool=1)))
    make(state, moves.OfferTrade(ALICE, (BOB,), bundle(grain=1), bundle(brick=1)))
    assert choice_of(state, BOB) == moves.AcceptOffer(BOB, 0)
    make(state, moves.AcceptOffer(BOB, 0))
    answers = {choice_of(state, BOB, seed).kind for seed in range(20)}
    assert "accept_offer" not in answers
    assert "reject_offer" in answers


def test_it_does_not_make_a_counter_offer_that_it_has_open_already() -> None:
    state = village()
    give(state, ALICE, ore=2)
    give(state, BOB, brick=3, wool=1)
    make(state, moves.OfferTrade(ALICE, (BOB,), bundle(ore=1), bundle(brick=1)))
    counter = next(
        choice for choice in (choice_of(state, BOB, seed) for seed in range(50)) if choice.kind == "counter_offer"
    )
    make(state, counter)
    make(state, moves.OfferTrade(ALICE, (BOB, CHARLIE), bundle(ore=1), bundle(brick=1)))
    assert {choice_of(state, BOB, seed) for seed in range(50)} == {moves.RejectOffer(BOB, 2)}


def test_it_does_not_trade_with_somebody_about_to_win() -> None:
    state = village()
    lay_open(state, ALICE, *["victory_point"] * 5)
    raise_cities(state, ALICE, WAYS[3][0])
    give(state, ALICE, lumber=1)
    give(state, BOB, brick=1, wool=1)
    make(state, moves.OfferTrade(ALICE, (BOB,), bundle(lumber=1), bundle(wool=1)))
    assert choice_of(state, BOB) == moves.RejectOffer(BOB, 0)


def test_it_confirms_with_whoever_has_fewest_points() -> None:
    state = village()
    raise_cities(state, BOB, WAYS[4][4])
    give(state, ALICE, lumber=1)
    for seat in (BOB, CHARLIE):
        give(state, seat, brick=1)
    make(state, moves.OfferTrade(ALICE, (BOB, CHARLIE), bundle(lumber=1), bundle(brick=1)))
    for seat in (BOB, CHARLIE):
        make(state, moves.AcceptOffer(seat, 0))
    assert choice_of(state, ALICE) == moves.ConfirmTrade(ALICE, 0, CHARLIE)


def test_it_discards_what_its_next_piece_needs_least() -> None:
    state = village()
    state.phase = Phase.DISCARDING
    give(state, ALICE, **SETTLEMENT, ore=4)
    state.discards[ALICE] = 4
    assert choice_of(state, ALICE) == moves.Discard(ALICE, resources(wool=1, ore=3))


def test_it_moves_the_robber_onto_the_leader() -> None:
    state = village()
    state.phase = Phase.MOVING_ROBBER
    raise_cities(state, DANA, WAYS[2][4])
    assert WAYS[2][4] in HEX_VERTICES[choice_of(state, ALICE).hex]


def test_it_does_not_rob_itself() -> None:
    state = village()
    state.phase = Phase.MOVING_ROBBER
    raise_cities(state, DANA, NORTH[4])
    assert choice_of(state, ALICE).hex != ORE_10


def test_it_steals_from_the_leader_who_has_cards() -> None:
    state = village()
    state.phase = Phase.STEALING
    state.robber = 0
    settle(state, BOB, 4)
    raise_cities(state, CHARLIE, 8)
    give(state, BOB, ore=1)
    assert choice_of(state, ALICE) == moves.Steal(ALICE, BOB)
    give(state, CHARLIE, ore=1)
    assert choice_of(state, ALICE) == moves.Steal(ALICE, CHARLIE)


def test_it_drives_the_robber_away_before_the_roll() -> None:
    state = village()
    state.phase, state.rolled = Phase.ROLLING, False
    hold(state, ALICE, "knight")
    assert choice_of(state, ALICE) == moves.Roll(ALICE)
    state.robber = ORE_10
    assert choice_of(state, ALICE) == moves.PlayKnight(ALICE)


def test_it_names_the_resource_that_the_others_hold_most_of() -> None:
    state = village()
    hold(state, ALICE, "monopoly")
    give(state, BOB, lumber=3)
    give(state, ALICE, brick=1)
    assert choice_of(state, ALICE) == moves.PlayMonopoly(ALICE, 1)


def test_it_takes_what_is_missing_from_the_year_of_plenty() -> None:
    state = village()
    hold(state, ALICE, "year_of_plenty")
    assert choice_of(state, ALICE) == moves.PlayYearOfPlenty(ALICE, resources(brick=1, lumber=1))
