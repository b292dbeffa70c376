"""A stand-in does nothing that the person it plays for might regret."""

from __future__ import annotations

from random import Random

import pytest

from games.bots import stand_in
from games.rules import PRESETS, Phase, RandomChance, is_legal, moves, play, player_view
from tests.rules.strategies import Table, haggling_move
from tests.rules.table import ALICE, BOB, bundle, give, make, set_table, settle


def test_it_says_no_to_an_offer_that_a_bot_would_like() -> None:
    state = set_table()
    settle(state, BOB, 8)
    give(state, ALICE, ore=3)
    give(state, BOB, brick=1, grain=2)
    make(state, moves.OfferTrade(ALICE, (BOB,), bundle(ore=3), bundle(brick=1)))
    assert stand_in.choose(player_view(state, BOB), Random(0)) == moves.RejectOffer(BOB, 0)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_it_neither_trades_nor_touches_cards_whatever_goes_on(preset: str) -> None:
    state, source = Table(preset, 3, "random", 5).new_game()
    for _ in range(700):
        if state.phase is Phase.OVER:
            break
        for seat in state.seats:
            move = stand_in.choose(player_view(state, seat), source)
            if move:
                assert move.kind not in stand_in.RISKY
                assert not move.kind.startswith("play_")
                assert is_legal(state, move)
        play(state, haggling_move(state, source), RandomChance(source))
