"""Positions that any player would agree on, put before all three strengths."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from games.bots import BOTS, STRENGTHS
from games.bots.memory import Memory
from games.rules import Move, Phase, RandomChance, RuleSet, State, moves, player_view
from games.rules.cards import BUNDLE_NAMES, RESOURCE_NAMES, RESOURCE_SUPPLY, Bundle
from games.rules.topology import HEX_VERTICES, VERTEX_HEXES
from tests.bots.remembered import memory_of
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK_6,
    CHARLIE,
    CITY,
    DANA,
    GRAIN_6,
    ROAD,
    SETTLEMENT,
    accept,
    fresh_table,
    give,
    hold,
    lay_open,
    offer,
    pave,
    raise_cities,
    resources,
    set_table,
    settle,
)
from tools.bot_games import Player, deal_game, steps

all_strengths = pytest.mark.parametrize("name", STRENGTHS)
#: The easy bot goes easy on the others.
those_who_mean_it = pytest.mark.parametrize("name", STRENGTHS[1:])

#: More than anybody does in a turn.
MOST_MOVES = 60


def table_of_four() -> State:
    """Everybody has two settlements and two roads; Alice, who is to move, lives in the north and in the east."""
    state = set_table()
    state.dice = (1, 2)
    for seat, one, other in ((ALICE, (12, 17), (31, 36)), (BOB, (28, 22), (14, 9)), (CHARLIE, (39, 43), (20, 26))):
        settle(state, seat, one[0], other[0])
        pave(state, seat, *one)
        pave(state, seat, *other)
    settle(state, DANA, 45, 18)
    pave(state, DANA, 45, 41)
    pave(state, DANA, 18, 24)
    return state


def lead_with(state: State, seat: int, points: int) -> State:
    """Of a seat with two settlements: the other points are those of cards, and of one city."""
    lay_open(state, seat, *["victory_point"] * min(5, points - 2))
    if points > 7:
        raise_cities(state, seat, {ALICE: 48, BOB: 33, DANA: 52}[seat])
    return state


def choice_of(name: str, state: State, seat: int, seed: int = 0) -> Move | None:
    return BOTS[name](player_view(state, seat), memory_of(state, seat), Random(seed))


def turn_of(name: str, state: State, seed: int = 0) -> list[Move]:
    """What the player to move does for the rest of the turn; all at the table are bots of this kind."""
    players = [Player(BOTS[name], seat, 4, Random(f"{seed} {seat}")) for seat in state.seats]
    for player in players:
        player.memory = memory_of(state, player.seat)
    active, turn, made = state.active, state.turn, []
    for step in steps(state, players, RandomChance(Random(seed)), MOST_MOVES):
        assert not step.mistake
        if step.move.seat == active:
            made.append(step.move)
        if state.turn != turn:
            break
    return made


# Points


@all_strengths
def test_the_obvious_city_is_built(name: str) -> None:
    state = table_of_four()
    give(state, ALICE, **CITY)
    assert isinstance(choice_of(name, state, ALICE), moves.BuildCity)


@all_strengths
@pytest.mark.parametrize("piece", ["settlement", "city"])
def test_cards_for_a_piece_that_gives_a_point_are_not_spent_otherwise(name: str, piece: str) -> None:
    state = table_of_four()
    pave(state, ALICE, 36, 30)
    cards = {**CITY, "wool": 1} if piece == "city" else {**SETTLEMENT, "ore": 1}
    give(state, ALICE, **cards)
    first = next(move for move in turn_of(name, state) if not isinstance(move, moves.OfferTrade))
    assert first.kind == f"build_{piece}"


def nine_points_and(state: State, *cards: str, **hand: int) -> State:
    lead_with(state, ALICE, 9)
    hold(state, ALICE, *cards)
    give(state, ALICE, **hand)
    return state


def ways_to_win() -> Iterator[tuple[str, State]]:
    state = table_of_four()
    pave(state, ALICE, 36, 30)
    yield "a settlement", nine_points_and(state, **SETTLEMENT)
    yield "a city", nine_points_and(table_of_four(), **CITY)
    yield "a road, then a settlement", nine_points_and(table_of_four(), brick=2, lumber=2, wool=1, grain=1)
    yield "the bank's ore", nine_points_and(table_of_four(), wool=4, grain=2, ore=2)
    yield "the bank's ore and grain", nine_points_and(table_of_four(), brick=4, wool=4, grain=1, ore=2)
    yield "a year of plenty", nine_points_and(table_of_four(), "year_of_plenty", grain=1, ore=2)
    state = nine_points_and(table_of_four(), "monopoly", grain=2, ore=1)
    give(state, BOB, ore=1)
    give(state, DANA, ore=1, wool=1)
    yield "everybody's ore", state
    for roads, cards, hand in (((2,), (), ROAD), ((1,), ("road_building",), {}), ((1,), (), {"brick": 2, "lumber": 2})):
        state = lead_with(table_of_four(), ALICE, 8)
        pave(state, ALICE, *(17, 12, 7, 3, 0)[: 2 + roads[0] + 1])
        hold(state, ALICE, *cards)
        give(state, ALICE, **hand)
        yield f"Longest Road, by {cards or hand}", state
    state = lead_with(table_of_four(), ALICE, 8)
    lay_open(state, ALICE, "knight", "knight")
    hold(state, ALICE, "knight")
    yield "Largest Army", state


@all_strengths
@pytest.mark.parametrize("way", [way for way, _ in ways_to_win()])
def test_a_win_on_this_turn_is_seen(name: str, way: str) -> None:
    state = dict(ways_to_win())[way]
    turn_of(name, state)
    assert state.winner == ALICE


# The robber


def robbery() -> State:
    """Dana leads with seven points; her best hex is grain 6, where nobody else lives."""
    state = table_of_four()
    lay_open(state, DANA, *["victory_point"] * 4)
    settle(state, DANA, 52)
    give(state, DANA, grain=2, ore=2)
    state.phase = Phase.MOVING_ROBBER
    return state


@those_who_mean_it
def test_the_robber_goes_to_the_leaders_best_hex(name: str) -> None:
    assert choice_of(name, robbery(), ALICE) == moves.MoveRobber(ALICE, GRAIN_6)


@all_strengths
@pytest.mark.parametrize("seat", [ALICE, BOB, CHARLIE])
def test_the_robber_goes_to_the_leader_and_never_to_whoever_moves_it(name: str, seat: int) -> None:
    state = robbery()
    state.active = seat
    chosen = choice_of(name, state, seat)
    assert isinstance(chosen, moves.MoveRobber)
    there = set(HEX_VERTICES[chosen.hex])
    own = {corner for corner in range(54) if state.settlements[seat] >> corner & 1}
    assert not there & own
    assert there & {18, 45, 52}


@all_strengths
def test_a_knight_drives_the_robber_from_the_best_hex_before_the_roll(name: str) -> None:
    state = table_of_four()
    state.phase, state.rolled, state.dice = Phase.ROLLING, False, (0, 0)
    raise_cities(state, ALICE, 8)
    hold(state, ALICE, "knight")
    state.robber = BRICK_6
    assert choice_of(name, state, ALICE) == moves.PlayKnight(ALICE)


@all_strengths
def test_discards_keep_the_city_that_is_about_to_be_built(name: str) -> None:
    state = table_of_four()
    state.phase, state.dice = Phase.DISCARDING, (3, 4)
    give(state, ALICE, **CITY, lumber=3, wool=2)
    state.discards[ALICE] = 5
    assert choice_of(name, state, ALICE) == moves.Discard(ALICE, resources(lumber=3, wool=2))


# Roads, and the start


@all_strengths
def test_no_road_is_built_when_no_settlement_is_left_and_longest_road_is_out_of_reach(name: str) -> None:
    state = table_of_four()
    settle(state, ALICE, 8, 3, 50)
    pave(state, DANA, 18, 23, 29, 35, 40, 45, 49, 52, 48, 51, 47)
    state.longest_road = DANA
    give(state, ALICE, brick=2, lumber=2)
    assert not any(isinstance(move, moves.BuildRoad) for move in turn_of(name, state))


@all_strengths
def test_the_second_settlement_brings_the_ore_and_grain_that_the_first_does_not(name: str) -> None:
    state = fresh_table()
    corners = {ALICE: (14,), BOB: (28, 8), CHARLIE: (31, 20), DANA: (17, 41)}
    roads = {ALICE: (9,), BOB: (22, 4), CHARLIE: (36, 26), DANA: (23, 36)}
    for seat in state.seats:
        settle(state, seat, *corners[seat])
        for corner, end in zip(corners[seat], roads[seat], strict=True):
            pave(state, seat, corner, end)
    state.placements, state.active = 7, ALICE
    chosen = choice_of(name, state, ALICE)
    assert isinstance(chosen, moves.BuildSettlement)
    produced = {RESOURCE_NAMES[state.board.terrains[h]] for h in VERTEX_HEXES[chosen.vertex]}
    assert {"ore", "grain"} <= produced


# Trade


@all_strengths
def test_nobody_trades_with_somebody_at_nine_points(name: str) -> None:
    state = lead_with(table_of_four(), ALICE, 9)
    give(state, ALICE, lumber=2)
    give(state, BOB, brick=1, wool=2, grain=1)
    offer(state, (BOB,), {"lumber": 1}, {"wool": 1})
    answers = {choice_of(name, state, BOB, seed) for seed in range(10)}
    assert answers == {moves.RejectOffer(BOB, 0)}


@all_strengths
def test_the_same_offer_of_somebody_behind_is_welcome(name: str) -> None:
    state = table_of_four()
    pave(state, BOB, 9, 5)
    give(state, ALICE, lumber=2)
    give(state, BOB, brick=1, wool=2, grain=1)
    offer(state, (BOB,), {"lumber": 1}, {"wool": 1})
    assert choice_of(name, state, BOB) == moves.AcceptOffer(BOB, 0)


@all_strengths
@pytest.mark.parametrize("seed", range(5))
def test_nobody_offers_to_somebody_at_nine_points(name: str, seed: int) -> None:
    state = lead_with(table_of_four(), DANA, 9)
    give(state, ALICE, grain=2, ore=2, lumber=3)
    for seat in (BOB, CHARLIE, DANA):
        give(state, seat, ore=1)
    made = [move for move in turn_of(name, state, seed) if isinstance(move, moves.OfferTrade)]
    assert not any(DANA in move.to for move in made)


@all_strengths
def test_a_trade_is_not_concluded_with_somebody_at_nine_points(name: str) -> None:
    state = lead_with(table_of_four(), DANA, 9)
    give(state, ALICE, grain=2, ore=2, lumber=3)
    for seat in (BOB, DANA):
        give(state, seat, ore=1)
    offer(state, (BOB, DANA), {"lumber": 1}, {"ore": 1})
    accept(state, DANA)
    assert moves.ConfirmTrade(ALICE, 0, DANA) not in turn_of(name, state)


def could_hold(memory: Memory, seat: int, gets: Bundle) -> bool:
    return memory.chance_to_hold(seat, gets[: len(RESOURCE_NAMES)]) > 0


@pytest.mark.slow
@all_strengths
@pytest.mark.parametrize("seed", range(3))
def test_offers_make_sense_in_whole_games(name: str, seed: int) -> None:
    """None that nobody can fulfil, never the same twice in a turn, never more than three in one."""
    bots = [BOTS[each] for each in (name, "easy", name, "easy")]
    state, players, chance = deal_game(RuleSet.from_text("standard"), bots, "balanced", f"{seed}")
    made: dict[int, list[tuple[Bundle, Bundle]]] = {}
    turn, banks = 0, list(state.bank)
    for step in steps(state, players, chance, most_moves=300):
        if state.turn != turn:
            turn, made = state.turn, {}
        move = step.move
        if isinstance(move, moves.OfferTrade | moves.CounterOffer):
            asked = move.to if isinstance(move, moves.OfferTrade) else (state.active,)
            terms = made.setdefault(move.seat, [])
            assert (move.gives, move.gets) not in terms, f"{move} was made this turn already"
            terms.append((move.gives, move.gets))
            assert len(terms) <= 3
            memory = players[move.seat].memory
            assert any(could_hold(memory, seat, move.gets) for seat in asked), f"nobody can hold what {move} wants"
            held = state.hands[move.seat]
            others = [RESOURCE_SUPPLY - bank - own for bank, own in zip(banks, held, strict=True)]
            assert all(count <= left for count, left in zip(move.gets, others, strict=False))
        banks = list(state.bank)


@all_strengths
def test_nobody_asks_for_cards_that_nobody_holds(name: str) -> None:
    state = table_of_four()
    give(state, ALICE, grain=2, ore=2, lumber=3)
    give(state, BOB, wool=3)
    for seed in range(5):
        made = [move for move in turn_of(name, state.copy(), seed) if isinstance(move, moves.OfferTrade)]
        assert not any(move.gets[BUNDLE_NAMES.index("ore")] for move in made)
