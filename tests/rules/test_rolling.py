"""The roll: production from a full and from a short bank, and the seven."""

import pytest

from games.rules import Event, Phase, legal_moves, to_act
from games.rules.moves import Discard
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK,
    BRICK_6,
    CHARLIE,
    DANA,
    DESERT,
    give,
    hand,
    hold,
    leave_in_bank,
    make,
    raise_cities,
    refused,
    resources,
    roll,
    set_table,
    settle,
)


@pytest.mark.parametrize(
    ("left", "claimants", "bank_shortage", "paid"),
    [
        (0, 1, "nobody", [0, 0]),
        (0, 1, "sole_claimant", [0, 0]),
        (0, 2, "nobody", [0, 0]),
        (0, 2, "sole_claimant", [0, 0]),
        (1, 1, "nobody", [0, 0]),
        (1, 1, "sole_claimant", [1, 0]),
        (1, 2, "nobody", [0, 0]),
        (1, 2, "sole_claimant", [0, 0]),
        (2, 1, "nobody", [2, 0]),
        (2, 1, "sole_claimant", [2, 0]),
        (2, 2, "nobody", [1, 1]),
        (2, 2, "sole_claimant", [1, 1]),
    ],
)
def test_a_short_bank_pays_by_the_tables_rule(left, claimants, bank_shortage, paid):
    state = set_table(phase=Phase.ROLLING, bank_shortage=bank_shortage)
    if claimants == 1:
        raise_cities(state, ALICE, 8)
    else:
        settle(state, ALICE, 8)
        settle(state, BOB, 18)
    leave_in_bank(state, DANA, brick=left)
    events = roll(state, 6)
    assert [state.hands[seat][BRICK] for seat in (ALICE, BOB)] == paid
    assert state.bank[BRICK] == left - sum(paid)
    is_short = Event("bank_short", ALICE, {"lacking": ["brick"]}) in events
    assert is_short == (left < 2)


def test_a_shortage_of_one_resource_leaves_the_others_alone():
    state = set_table(phase=Phase.ROLLING, bank_shortage="nobody")
    settle(state, ALICE, 8)
    settle(state, BOB, 40)
    leave_in_bank(state, DANA, brick=0)
    roll(state, 6)
    assert hand(state, ALICE) == {}
    assert hand(state, BOB) == {"grain": 1}


def test_one_claimant_with_several_buildings_is_still_a_sole_claimant():
    state = set_table(phase=Phase.ROLLING)
    settle(state, ALICE, 8, 18)
    raise_cities(state, ALICE, 17)
    leave_in_bank(state, DANA, brick=3)
    roll(state, 6)
    assert hand(state, ALICE) == {"brick": 3}


def test_a_city_and_settlements_on_one_hex_add_up():
    state = set_table(phase=Phase.ROLLING)
    settle(state, ALICE, 8, 18)
    raise_cities(state, ALICE, 17)
    events = roll(state, 6)
    assert Event("received", ALICE, {"resources": {"brick": 4}}) in events


def test_both_hexes_of_a_number_produce():
    state = set_table(phase=Phase.ROLLING)
    settle(state, ALICE, 20, 38)
    roll(state, 8)
    assert hand(state, ALICE) == {"lumber": 1, "ore": 1}


def test_the_robber_blocks_only_its_own_hex_and_only_while_it_stands_there():
    state = set_table(phase=Phase.ROLLING)
    settle(state, ALICE, 17)
    state.robber = BRICK_6
    roll(state, 6)
    assert hand(state, ALICE) == {}
    state.phase = Phase.ROLLING
    roll(state, 11)
    assert hand(state, ALICE) == {"lumber": 1}
    state.phase, state.robber = Phase.ROLLING, DESERT
    roll(state, 6)
    assert hand(state, ALICE) == {"brick": 1, "lumber": 1}


# The seven


@pytest.mark.parametrize("limit", range(7, 13))
def test_more_than_the_limit_costs_half_and_the_limit_itself_nothing(limit):
    state = set_table(phase=Phase.ROLLING, discard_limit=limit)
    give(state, ALICE, ore=limit - 1)
    give(state, BOB, wool=limit)
    give(state, CHARLIE, grain=limit + 1)
    give(state, DANA, brick=limit + 2)
    events = roll(state, 7)
    owed = [0, 0, (limit + 1) // 2, (limit + 2) // 2]
    assert state.discards == owed
    assert [event for event in events if event.kind == "must_discard"] == [
        Event("must_discard", CHARLIE, {"count": owed[CHARLIE]}),
        Event("must_discard", DANA, {"count": owed[DANA]}),
    ]
    assert to_act(state) == (CHARLIE, DANA)


@pytest.mark.parametrize(("held", "lost"), [(6, 0), (7, 0), (8, 4), (9, 4)])
def test_a_hand_of_six_to_nine_on_a_seven(held, lost):
    state = set_table(phase=Phase.ROLLING)
    give(state, ALICE, ore=held)
    roll(state, 7)
    assert state.discards[ALICE] == lost
    assert state.phase is (Phase.DISCARDING if lost else Phase.MOVING_ROBBER)


def test_nobody_discards_twice_or_without_need():
    state = set_table(phase=Phase.ROLLING)
    give(state, ALICE, ore=8)
    give(state, BOB, wool=8)
    roll(state, 7)
    refused(state, Discard(CHARLIE, resources()), "nothing_to_discard")
    make(state, Discard(ALICE, resources(ore=4)))
    refused(state, Discard(ALICE, resources(ore=2)), "nothing_to_discard")


def test_every_way_to_discard_is_listed_once():
    state = set_table(phase=Phase.ROLLING)
    give(state, ALICE, ore=5, wool=4)
    roll(state, 7)
    ways = [move.resources for move in legal_moves(state, ALICE)]
    assert sorted(ways) == sorted(resources(ore=count, wool=4 - count) for count in range(5))


def test_development_cards_do_not_count_for_the_limit():
    state = set_table(phase=Phase.ROLLING)
    give(state, ALICE, ore=7)
    hold(state, ALICE, "knight", "monopoly")
    roll(state, 7)
    assert state.discards[ALICE] == 0
