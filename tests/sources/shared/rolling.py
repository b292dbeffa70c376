"""Rules about the roll and the robber that several rule books share."""

from dataclasses import replace
from itertools import product

from games.rules import Phase, legal_moves
from games.rules.boards import BEGINNER
from games.rules.moves import Discard, MoveRobber, PlayKnight, Roll, Steal
from games.rules.topology import VERTICES
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK,
    BRICK_6,
    CHARLIE,
    DESERT,
    GRAIN_6,
    LUMBER_8,
    ORE_10,
    WOOL_2,
    fresh_table,
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


def everybody_receives_from_anybodys_roll(preset):
    state = set_table(preset, Phase.ROLLING)
    settle(state, BOB, 8)
    settle(state, CHARLIE, 18)
    roll(state, 6)
    assert hand(state, BOB) == {"brick": 1}
    assert hand(state, CHARLIE) == {"brick": 1}


def a_settlement_yields_one_card_and_a_city_two(preset):
    state = set_table(preset, Phase.ROLLING)
    settle(state, ALICE, 8)
    raise_cities(state, BOB, 18)
    roll(state, 6)
    assert hand(state, ALICE) == {"brick": 1}
    assert hand(state, BOB) == {"brick": 2}


def nobody_gets_a_resource_that_the_bank_is_too_short_of(preset):
    state = set_table(preset, Phase.ROLLING)
    settle(state, ALICE, 8)
    raise_cities(state, BOB, 18)
    leave_in_bank(state, CHARLIE, brick=2)
    roll(state, 6)
    assert hand(state, ALICE) == hand(state, BOB) == {}


def the_robbers_hex_produces_nothing(preset):
    state = set_table(preset, Phase.ROLLING)
    settle(state, ALICE, 8)
    settle(state, BOB, 40)
    state.robber = BRICK_6
    roll(state, 6)
    assert hand(state, ALICE) == {}
    assert hand(state, BOB) == {"grain": 1}


def a_seven_makes_everybody_above_seven_cards_discard_half_rounded_down(preset):
    state = set_table(preset, Phase.ROLLING)
    give(state, ALICE, brick=9)
    give(state, BOB, ore=7)
    roll(state, 7)
    assert state.discards == [4, 0, 0, 0]


def whoever_rolls_a_seven_moves_the_robber_off_its_hex(preset):
    state = set_table(preset, Phase.ROLLING)
    roll(state, 7)
    refused(state, MoveRobber(ALICE, DESERT), "robber_must_move")
    refused(state, MoveRobber(BOB, LUMBER_8), "not_your_turn")
    make(state, MoveRobber(ALICE, LUMBER_8))
    assert state.robber == LUMBER_8


def the_theft_comes_after_the_discards(preset):
    state = set_table(preset, Phase.ROLLING)
    settle(state, BOB, 8)
    give(state, BOB, brick=8)
    roll(state, 7)
    refused(state, MoveRobber(ALICE, BRICK_6), "wrong_phase")
    make(state, legal_moves(state, BOB)[0])
    make(state, MoveRobber(ALICE, BRICK_6), 0)
    assert hand(state, ALICE) == {"brick": 1}
    assert hand(state, BOB) == {"brick": 3}


def a_hex_without_opponents_yields_no_card(preset):
    state = set_table(preset, Phase.ROLLING)
    settle(state, ALICE, 8)
    give(state, BOB, brick=5)
    roll(state, 7)
    make(state, MoveRobber(ALICE, BRICK_6))
    assert hand(state, BOB) == {"brick": 5}
    assert state.phase is Phase.MAIN


def the_robber_starts_in_the_desert(preset):
    assert fresh_table(preset).robber == BEGINNER.desert == DESERT


def a_seven_and_a_knight_move_the_robber(preset):
    after_seven = set_table(preset, Phase.ROLLING)
    roll(after_seven, 7)
    after_knight = set_table(preset)
    hold(after_knight, ALICE, "knight")
    make(after_knight, PlayKnight(ALICE))
    assert after_seven.phase is after_knight.phase is Phase.MOVING_ROBBER


def the_thief_chooses_among_several_players_on_the_hex(preset):
    state = set_table(preset, Phase.ROLLING)
    settle(state, BOB, 8)
    settle(state, CHARLIE, 18)
    give(state, BOB, ore=1)
    give(state, CHARLIE, wool=1)
    roll(state, 7)
    make(state, MoveRobber(ALICE, BRICK_6))
    make(state, Steal(ALICE, CHARLIE), 0)
    assert hand(state, ALICE) == {"wool": 1}
    assert hand(state, BOB) == {"ore": 1}


def a_hand_above_seven_loses_half_rounded_down(preset):
    for held, lost in ((6, 0), (7, 0), (8, 4), (9, 4)):
        state = set_table(preset, Phase.ROLLING)
        give(state, BOB, ore=held)
        roll(state, 7)
        assert state.discards[BOB] == lost
        if lost:
            refused(state, Discard(BOB, resources(ore=lost - 1)), "wrong_discard")
            make(state, Discard(BOB, resources(ore=lost)))
        assert hand(state, BOB) == {"ore": held - lost}


def a_seven_produces_nothing(preset):
    """Whatever the dice show and wherever one has built: not even where a hex of each kind bore the number."""
    with_sevens = replace(BEGINNER)
    object.__setattr__(with_sevens, "producing", ((ORE_10, WOOL_2, BRICK_6, LUMBER_8, GRAIN_6),) * 13)
    for board, first in product((BEGINNER, with_sevens), range(6)):
        state = set_table(preset, Phase.ROLLING)
        state.board = board
        for seat in state.seats:
            settle(state, seat, *VERTICES[seat::8])
            raise_cities(state, seat, *VERTICES[seat + 4 :: 8])
            give(state, seat, ore=1, wool=2)
        give(state, BOB, brick=6)
        hands, bank = [hand[:] for hand in state.hands], state.bank[:]
        make(state, Roll(ALICE), first, 5 - first)
        assert (state.hands, state.bank) == (hands, bank)
        make(state, Discard(BOB, resources(brick=4)))
        hands[BOB][BRICK] -= 4
        bank[BRICK] += 4
        assert (state.hands, state.bank) == (hands, bank)


def a_victim_without_cards_yields_none(preset):
    state = set_table(preset, Phase.ROLLING)
    settle(state, BOB, 8)
    settle(state, CHARLIE, 18)
    roll(state, 7)
    make(state, MoveRobber(ALICE, BRICK_6))
    assert state.phase is Phase.MAIN
    assert hand(state, ALICE) == {}


def an_empty_bank_pays_nobody(preset):
    state = set_table(preset, Phase.ROLLING)
    settle(state, ALICE, 8)
    leave_in_bank(state, BOB, brick=0)
    roll(state, 6)
    assert hand(state, ALICE) == {}


def a_sole_claimant_gets_nothing_from_a_short_bank(preset):
    state = set_table(preset, Phase.ROLLING)
    raise_cities(state, ALICE, 8)
    leave_in_bank(state, BOB, brick=1)
    roll(state, 6)
    assert hand(state, ALICE) == {}
    assert state.bank[BRICK] == 1
