"""Imagined games: the viewer cannot tell them from the real one, and they can be played."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import pytest

from games.bots import Memory
from games.bots.imagining import imagine
from games.rules import Phase, RandomChance, State, play, player_view, points
from games.rules.cards import DECK, KNIGHT, RESOURCE_SUPPLY, RESOURCES, VICTORY_POINT
from games.rules.state import army_size
from tests.rules.invariants import check_derived_fields
from tests.rules.strategies import Table, bots_move, eager_move
from tests.rules.table import ALICE, BOB, CHARLIE, WAYS, give, hold, raise_cities, set_table

from .remembered import Chooser, remembered_game, some_tables

TABLES = some_tables(presets=4, others=30)

#: What no view shows, but everybody at the table knows.
KNOWN: Final = ("placed", "placements", "dice_deck", "offers_made", "dealt")


@pytest.mark.slow
@pytest.mark.parametrize(("table", "choose"), TABLES)
def test_the_viewer_cannot_tell_an_imagined_game_from_the_real_one(table: Table, choose: Chooser) -> None:
    source = Random(table.seed)
    for moment in remembered_game(table, choose, most_moves=250):
        state = moment.state
        for memory in moment.memories:
            view = player_view(state, memory.seat)
            imagined = imagine(view, memory, source)
            assert player_view(imagined, memory.seat) == view
            assert all(getattr(imagined, name) == getattr(state, name) for name in KNOWN)
            assert imagined.rolled == state.rolled or state.phase is Phase.OVER
            assert imagined.may_skip_roll == state.may_skip_roll or state.rolled
            check_box(imagined)
            if state.rules.maritime_trade != "unlimited":
                assert totals(imagined) == [RESOURCE_SUPPLY] * 5


def check_box(state: State) -> None:
    """Every development card lies in one place, and the rest follows from the board."""
    places = [card for cards in state.cards + state.played for card in cards]
    assert sorted(places) == list(range(state.dealt))
    assert Counter(state.deck) == Counter(DECK)
    assert not any(state.bought_on[state.dealt :])
    check_derived_fields(state)


def totals(state: State) -> list[int]:
    return [state.bank[resource] + sum(hand[resource] for hand in state.hands) for resource in RESOURCES]


@pytest.mark.slow
@pytest.mark.parametrize(("table", "choose"), TABLES[::3])
def test_a_view_is_imagined_whatever_is_remembered(table: Table, choose: Chooser) -> None:
    """By somebody who has just sat down, or with the memory of somebody else."""
    source = Random(table.seed)
    for moment in remembered_game(table, choose, most_moves=150):
        for seat in moment.state.seats:
            view = player_view(moment.state, seat)
            for memory in (Memory(seat, table.seats), moment.memories[seat - 1]):
                imagined = imagine(view, memory, source)
                assert player_view(imagined, seat) == view
                check_box(imagined)
                if moment.state.rules.maritime_trade != "unlimited":
                    assert totals(imagined) == [RESOURCE_SUPPLY] * 5


@pytest.mark.slow
@pytest.mark.parametrize(("table", "choose"), TABLES[::6])
def test_an_imagined_game_can_be_played_on(table: Table, choose: Chooser) -> None:
    source = Random(table.seed)
    for number, moment in enumerate(remembered_game(table, choose, most_moves=250)):
        if number % 25 == 0:
            viewer = number % table.seats
            imagined = imagine(player_view(moment.state, viewer), moment.memories[viewer], source)
            for _ in range(60):
                if imagined.phase is not Phase.OVER:
                    play(imagined, eager_move(imagined, source), RandomChance(source))
            check_box(imagined)


@pytest.mark.slow
def test_what_is_remembered_is_imagined() -> None:
    """Hands that are possible, and cards as old as they are."""
    source = Random(1)
    for moment in remembered_game(Table("standard", 4, "random", 3), bots_move, most_moves=400):
        for memory in moment.memories:
            imagined = imagine(player_view(moment.state, memory.seat), memory, source)
            for seat in moment.state.seats:
                assert tuple(imagined.hands[seat]) in dict(memory.hands(seat))
                bought_on = [imagined.bought_on[card] for card in imagined.cards[seat]]
                if seat != memory.seat:
                    assert bought_on == [card.bought_on for card in memory.cards_of(seat)]


@pytest.mark.slow
def test_a_card_that_was_traded_stays_with_whom_it_was_traded_to() -> None:
    source, met = Random(1), 0
    for moment in remembered_game(Table("three-player", 3, "random", 1), TABLES[0][1], most_moves=400):
        for memory in moment.memories:
            imagined = imagine(player_view(moment.state, memory.seat), memory, source)
            for seat in moment.state.seats:
                held = Counter(imagined.deck[card] for card in imagined.cards[seat])
                known = Counter(card.kind for card in memory.cards_of(seat) if card.kind is not None)
                assert known <= held
                met += seat != memory.seat and bool(known)
    assert met, "no card was seen in anybody's hand"


def imagined_for_alice(state: State, seed: int) -> State:
    return imagine(player_view(state, ALICE), Memory(ALICE, len(state.order)), Random(seed))


def test_all_kinds_that_may_lie_hidden_come_up() -> None:
    state = set_table()
    hold(state, BOB, "knight")
    kinds = Counter(imagined_for_alice(state, seed).deck[0] for seed in range(500))
    assert set(kinds) == set(DECK)
    assert kinds[KNIGHT] == pytest.approx(500 * 14 / 25, abs=50)


def test_all_hands_that_the_bank_allows_come_up() -> None:
    state = set_table()
    give(state, BOB, brick=1)
    give(state, CHARLIE, ore=1)
    hands = {tuple(imagined_for_alice(state, seed).hands[BOB]) for seed in range(20)}
    assert hands == {(1, 0, 0, 0, 0), (0, 0, 0, 0, 1)}


@pytest.mark.parametrize("declared", ["own_turn", "any_moment"])
def test_nobody_is_imagined_to_have_won_already(declared: str) -> None:
    state = set_table(win_declared=declared)
    raise_cities(state, BOB, *WAYS[0][::2], WAYS[5][0])
    state.longest_road = BOB
    hold(state, BOB, "knight")
    assert state.cities[BOB].bit_count() * 2 + 2 == 12
    state.rules = state.rules.with_options(points_to_win=13)
    for seed in range(100):
        imagined = imagined_for_alice(state, seed)
        assert points(imagined, BOB) == 12
        assert imagined.deck[imagined.cards[BOB][0]] != VICTORY_POINT


def test_whoever_has_largest_army_is_imagined_with_the_knights_for_it() -> None:
    state = set_table("three-player")
    hold(state, BOB, "knight", "knight", "knight", "monopoly")
    hold(state, CHARLIE, "monopoly", "road_building")
    state.largest_army = BOB
    sizes = [[army_size(imagined_for_alice(state, seed), seat) for seat in (BOB, CHARLIE)] for seed in range(50)]
    assert all(bob >= 3 and bob >= charlie for bob, charlie in sizes)
