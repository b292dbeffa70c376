"""Trade with the bank and its harbors."""

import pytest

from games.rules import Phase, legal_moves
from games.rules.moves import TradeWithBank
from tests.rules.table import ALICE, BOB, ORE, WOOL, give, leave_in_bank, make, refused, set_table, settle


@pytest.mark.parametrize(
    ("vertices", "rates"),
    [
        ((), (4, 4, 4, 4, 4)),
        ((3,), (3, 3, 3, 3, 3)),
        ((15,), (4, 4, 4, 4, 2)),
        ((38,), (2, 4, 4, 4, 4)),
        ((0, 16), (3, 2, 3, 3, 3)),
        ((42, 1), (4, 4, 2, 2, 4)),
    ],
)
def test_the_best_harbor_of_each_resource_sets_its_rate(vertices, rates):
    state = set_table()
    settle(state, ALICE, *vertices)
    for resource, rate in enumerate(rates):
        state.hands[ALICE] = [rate * (other == resource) for other in range(5)]
        paid = {move.paid for move in legal_moves(state, ALICE) if isinstance(move, TradeWithBank)}
        assert paid == {rate}


def test_an_opponents_harbor_serves_nobody_else():
    state = set_table()
    settle(state, BOB, 15)
    give(state, ALICE, ore=2)
    refused(state, TradeWithBank(ALICE, ORE, 2, WOOL), "wrong_rate")


@pytest.mark.parametrize("left", [0, 1])
def test_a_limited_bank_trades_its_last_card_and_no_more(left):
    state = set_table()
    give(state, ALICE, ore=4)
    leave_in_bank(state, BOB, wool=left)
    move = TradeWithBank(ALICE, ORE, 4, WOOL)
    if left:
        make(state, move)
        assert state.bank[WOOL] == 0
    else:
        refused(state, move, "bank_lacks")


def test_the_bank_trades_after_the_roll_only():
    state = set_table(phase=Phase.ROLLING)
    give(state, ALICE, ore=4)
    refused(state, TradeWithBank(ALICE, ORE, 4, WOOL), "roll_first")
