"""The course of a trade among players, as several rule books share it: offered, answered, confirmed."""

import pytest

from games.rules import IllegalMove, Phase, RecordedChance, legal_moves, play, player_view
from games.rules.moves import (
    AcceptOffer,
    BuildRoad,
    ConfirmTrade,
    CounterOffer,
    MoveRobber,
    OfferTrade,
    PlayKnight,
    PlayRoadBuilding,
    RejectOffer,
    Steal,
    WithdrawOffer,
)
from games.rules.topology import edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK_6,
    CHARLIE,
    accept,
    bundle,
    give,
    hand,
    hold,
    make,
    offer,
    refused,
    set_table,
    settle,
)

# Hands


def nobody_offers_accepts_or_counters_with_cards_they_do_not_hold(preset):
    state = set_table(preset)
    give(state, ALICE, brick=1)
    give(state, BOB, ore=1, wool=1)
    for gives in (bundle(brick=2), bundle(brick=1, grain=1), bundle(lumber=1)):
        refused(state, OfferTrade(ALICE, (BOB,), gives, bundle(ore=1)), "cards_not_held")
    offer(state, (BOB, CHARLIE), {"brick": 1}, {"ore": 2})
    refused(state, AcceptOffer(BOB, 0), "cards_not_held")
    refused(state, AcceptOffer(CHARLIE, 0), "cards_not_held")
    refused(state, CounterOffer(BOB, 0, bundle(ore=2), bundle(brick=1)), "cards_not_held")
    make(state, CounterOffer(BOB, 0, bundle(ore=1, wool=1), bundle(brick=1)))
    offer(state, (BOB,), {"brick": 1}, {"ore": 1, "wool": 1})
    accept(state, BOB)
    assert state.offers[-1].accepted == (BOB,)


def a_trade_is_not_confirmed_without_the_cards_for_it(preset):
    """Alice has agreed on her brick twice: when it is gone, nobody gets it again."""
    state = set_table(preset)
    give(state, ALICE, brick=1)
    give(state, BOB, ore=1)
    give(state, CHARLIE, ore=1, wool=1)
    offer(state, (BOB, CHARLIE), {"brick": 1}, {"ore": 1})
    accept(state, BOB)
    make(state, CounterOffer(CHARLIE, 0, bundle(wool=1), bundle(brick=1)))
    offer(state, (CHARLIE,), {"brick": 1}, {"wool": 1})
    accept(state, CHARLIE)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    refused(state, ConfirmTrade(ALICE, 1, CHARLIE), "cards_not_held")
    refused(state, ConfirmTrade(ALICE, 2, CHARLIE), "cards_not_held")


def a_promise_that_cannot_be_kept_is_found_out_by_whoever_confirms_it(preset):
    """Bob has promised his one ore twice, once with a yes and once with an offer of his own."""
    for first, second in ((0, 1), (1, 0)):
        state = set_table(preset)
        give(state, ALICE, brick=2)
        give(state, BOB, ore=1)
        offer(state, (BOB, CHARLIE), {"brick": 1}, {"ore": 1})
        make(state, CounterOffer(BOB, 0, bundle(ore=1), bundle(brick=1)))
        make(state, AcceptOffer(BOB, 0))
        make(state, ConfirmTrade(ALICE, first, BOB))
        finds_out(state, ConfirmTrade(ALICE, second, BOB))
        give(state, BOB, ore=1)
        make(state, ConfirmTrade(ALICE, second, BOB))
        assert hand(state, ALICE) == {"ore": 2}


def finds_out(state, confirmation):
    """The trade is listed like any that was agreed on, is refused, and nothing changes."""
    before = state.copy()
    assert confirmation in legal_moves(state, confirmation.seat)
    with pytest.raises(IllegalMove) as refusal:
        play(state, confirmation, RecordedChance(()))
    assert refusal.value.code == "promise_broken"
    assert state == before


# A card played meanwhile


def an_offer_is_open(preset):
    """A brick for an ore, to Bob, who has said yes, and to Charlie, who asks for two bricks instead."""
    state = set_table(preset)
    settle(state, ALICE, 17)
    settle(state, BOB, 8)
    settle(state, CHARLIE, 18)
    give(state, ALICE, brick=2)
    give(state, BOB, ore=1, wool=1)
    give(state, CHARLIE, ore=2)
    hold(state, ALICE, "knight", "road_building")
    offer(state, (BOB, CHARLIE), {"brick": 1}, {"ore": 1})
    accept(state, BOB)
    make(state, CounterOffer(CHARLIE, 0, bundle(ore=1), bundle(brick=2)))
    return state


def moving_the_robber(state):
    make(state, PlayKnight(ALICE))
    assert state.phase is Phase.MOVING_ROBBER
    return [(MoveRobber(ALICE, BRICK_6),), (Steal(ALICE, CHARLIE), 0)]


def stealing(state):
    make(state, PlayKnight(ALICE))
    make(state, MoveRobber(ALICE, BRICK_6))
    assert state.phase is Phase.STEALING
    return [(Steal(ALICE, CHARLIE), 0)]


def placing_free_roads(state):
    make(state, PlayRoadBuilding(ALICE))
    assert state.phase is Phase.PLACING_FREE_ROADS
    return [(BuildRoad(ALICE, edge_between(17, 23)),), (BuildRoad(ALICE, edge_between(23, 29)),)]


#: Each brings the turn to a phase, and tells the moves that lead back from it.
INTERRUPTIONS = (moving_the_robber, stealing, placing_free_roads)


def offers_outlast_a_card_and_are_confirmed_after_it(preset, interruption):
    state = an_offer_is_open(preset)
    offers = state.offers
    way_back = interruption(state)
    for confirmation in (ConfirmTrade(ALICE, 0, BOB), ConfirmTrade(ALICE, 1, CHARLIE)):
        refused(state, confirmation, "wrong_phase")
    for move, *draws in way_back:
        make(state, move, *draws)
    assert (state.phase, state.offers) == (Phase.MAIN, offers)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert hand(state, BOB) == {"brick": 1, "wool": 1}


#: Who answers or withdraws, and the offers then open with those who have said yes.
ANSWERS = (
    (AcceptOffer(CHARLIE, 0), {0: (BOB, CHARLIE), 1: ()}),
    (RejectOffer(BOB, 0), {1: ()}),
    (RejectOffer(ALICE, 1), {0: (BOB,)}),
    (CounterOffer(BOB, 0, bundle(wool=1), bundle(brick=1)), {1: (), 2: ()}),
    (WithdrawOffer(ALICE, 0), {1: ()}),
    (WithdrawOffer(BOB, 0), {0: (), 1: ()}),
    (WithdrawOffer(CHARLIE, 1), {0: (BOB,)}),
)


def an_offer_is_answered_and_withdrawn_while_a_card_is_played(preset, interruption, answer, open_offers):
    state = an_offer_is_open(preset)
    way_back = interruption(state)
    make(state, answer)
    assert {offer.number: offer.accepted for offer in state.offers} == open_offers
    for move, *draws in way_back:
        make(state, move, *draws)
    assert state.phase is Phase.MAIN


# A theft


def a_theft_that_breaks_a_promise_is_told_to_nobody_but_whoever_confirms(preset):
    """Whether the ore he promised was stolen from Bob, or his wool: the others see the same."""
    seen = {}
    for stolen, draw in (("wool", 0), ("ore", 1)):
        state = set_table(preset)
        settle(state, BOB, 8)
        give(state, ALICE, brick=2)
        give(state, BOB, ore=1, wool=1)
        hold(state, ALICE, "knight")
        offer(state, (BOB, CHARLIE), {"brick": 1}, {"ore": 1})
        make(state, CounterOffer(BOB, 0, bundle(ore=1), bundle(brick=2)))
        make(state, AcceptOffer(BOB, 0))
        events = make(state, PlayKnight(ALICE))
        events += make(state, MoveRobber(ALICE, BRICK_6), draw)
        assert hand(state, ALICE) == {"brick": 2, stolen: 1}
        seen[stolen] = [
            ([event.seen_by(viewer) for event in events], player_view(state, viewer)) for viewer in (CHARLIE, None)
        ]
    assert seen["ore"] == seen["wool"]
    for number in (0, 1):
        finds_out(state, ConfirmTrade(ALICE, number, BOB))
