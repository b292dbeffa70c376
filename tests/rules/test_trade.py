"""Trade among players: offers, answers, counter-offers, withdrawals, and promises that break."""

import pytest

from games.rules import (
    Event,
    IllegalMove,
    Phase,
    RecordedChance,
    default_move,
    legal_moves,
    play,
    player_view,
    points,
)
from games.rules.moves import (
    AcceptOffer,
    BuildRoad,
    BuyCard,
    ConfirmTrade,
    CounterOffer,
    EndTurn,
    MoveRobber,
    OfferTrade,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    RejectOffer,
    TradeWithBank,
    WithdrawOffer,
)
from games.rules.topology import edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK,
    BRICK_6,
    CARD,
    CHARLIE,
    DANA,
    GRAIN,
    WOOL,
    accept,
    bundle,
    give,
    hand,
    held_cards,
    hold,
    make,
    offer,
    refused,
    resources,
    set_table,
    settle,
)

BRICK_FOR_ORE = {"brick": 1}, {"ore": 1}


def market(preset="standard", **options):
    """Alice has brick, everybody else ore and wool."""
    state = set_table(preset, **options)
    give(state, ALICE, brick=3)
    for seat in state.seats[1:]:
        give(state, seat, ore=2, wool=2)
    return state


def numbers(state):
    return [offer.number for offer in state.offers]


# Offering


@pytest.mark.parametrize(
    ("to", "gives", "gets", "code"),
    [
        ((ALICE,), {"brick": 1}, {"ore": 1}, "not_to_others"),
        ((ALICE, BOB), {"brick": 1}, {"ore": 1}, "not_to_others"),
        ((BOB,), {"brick": 4}, {"ore": 1}, "cards_not_held"),
        ((BOB,), {"wool": 1}, {"ore": 1}, "cards_not_held"),
        ((BOB,), {}, {"ore": 1}, "gift"),
        ((BOB,), {"brick": 1}, {}, "gift"),
        ((BOB,), {}, {}, "gift"),
        ((BOB,), {"brick": 2}, {"brick": 1, "ore": 1}, "same_on_both_sides"),
        ((BOB,), {"brick": 1}, {"knight": 1}, "cards_not_traded"),
    ],
)
def test_an_offer_that_breaks_a_rule_is_refused(to, gives, gets, code):
    refused(market(), OfferTrade(ALICE, to, bundle(**gives), bundle(**gets)), code)


def test_nobody_is_asked_whether_they_hold_what_they_are_offered_for():
    state = market()
    offer(state, (BOB,), {"brick": 1}, {"grain": 5})
    refused(state, AcceptOffer(BOB, 0), "cards_not_held")


def test_six_offers_may_be_open_at_once_and_no_two_alike():
    state = market()
    for count in range(1, 7):
        offer(state, (BOB,), {"brick": 1}, {"ore": count})
    assert numbers(state) == list(range(6))
    again = OfferTrade(ALICE, (BOB,), bundle(brick=1), bundle(ore=1))
    refused(state, again, "same_offer_open")
    seventh = OfferTrade(ALICE, (BOB,), bundle(brick=1), bundle(ore=7))
    refused(state, seventh, "too_many_offers")
    make(state, WithdrawOffer(ALICE, 2))
    make(state, seventh)
    assert numbers(state) == [0, 1, 3, 4, 5, 6]


def test_there_is_no_offer_before_the_roll():
    state = market()
    state.phase = Phase.ROLLING
    refused(state, OfferTrade(ALICE, (BOB,), bundle(brick=1), bundle(ore=1)), "roll_first")


# Answering


def test_only_those_an_offer_goes_to_answer_it():
    state = market()
    offer(state, (BOB,), *BRICK_FOR_ORE)
    refused(state, AcceptOffer(CHARLIE, 0), "not_offered_to_you")
    refused(state, RejectOffer(CHARLIE, 0), "not_offered_to_you")
    refused(state, CounterOffer(CHARLIE, 0, bundle(ore=1), bundle(brick=1)), "not_offered_to_you")
    refused(state, AcceptOffer(ALICE, 0), "your_own_offer")
    refused(state, RejectOffer(ALICE, 0), "your_own_offer")
    refused(state, AcceptOffer(BOB, 1), "no_such_offer")


def test_an_answer_is_given_once_but_may_be_changed():
    state = market()
    offer(state, (BOB, CHARLIE), *BRICK_FOR_ORE)
    make(state, AcceptOffer(BOB, 0))
    refused(state, AcceptOffer(BOB, 0), "already_accepted")
    make(state, RejectOffer(BOB, 0))
    refused(state, RejectOffer(BOB, 0), "already_rejected")
    make(state, AcceptOffer(BOB, 0))
    assert (state.offers[0].accepted, state.offers[0].rejected) == ((BOB,), ())


def test_an_offer_that_everybody_rejects_is_closed():
    state = market()
    offer(state, (BOB, CHARLIE), *BRICK_FOR_ORE)
    make(state, RejectOffer(BOB, 0))
    assert numbers(state) == [0]
    make(state, RejectOffer(CHARLIE, 0))
    assert numbers(state) == []


def test_only_the_player_to_move_confirms_and_only_with_one_who_accepted():
    state = market()
    offer(state, (BOB, CHARLIE), *BRICK_FOR_ORE)
    make(state, AcceptOffer(BOB, 0))
    refused(state, ConfirmTrade(BOB, 0, ALICE), "not_your_turn")
    refused(state, ConfirmTrade(ALICE, 0, CHARLIE), "not_accepted")
    refused(state, ConfirmTrade(ALICE, 0, ALICE), "not_accepted")
    refused(state, ConfirmTrade(ALICE, 9, BOB), "no_such_offer")
    make(state, ConfirmTrade(ALICE, 0, BOB))


# Counter-offers


def test_a_counter_offer_rejects_the_offer_and_waits_for_the_player_to_move():
    state = market()
    offer(state, (BOB, CHARLIE), *BRICK_FOR_ORE)
    events = make(state, CounterOffer(BOB, 0, bundle(ore=1), bundle(brick=2)))
    assert [event.kind for event in events] == ["offered", "rejected"]
    first, counter = state.offers
    assert first.rejected == (BOB,)
    assert (counter.maker, counter.to, counter.answers) == (BOB, (ALICE,), 0)
    refused(state, AcceptOffer(ALICE, 1), "confirm_instead")
    make(state, ConfirmTrade(ALICE, 1, BOB))
    assert hand(state, ALICE) == {"brick": 1, "ore": 1}
    assert hand(state, BOB) == {"brick": 2, "wool": 2, "ore": 1}


def test_the_player_to_move_may_reject_a_counter_offer_and_cannot_counter_it():
    state = market()
    offer(state, (BOB,), *BRICK_FOR_ORE)
    make(state, CounterOffer(BOB, 0, bundle(ore=1), bundle(brick=2)))
    refused(state, CounterOffer(ALICE, 1, bundle(brick=1), bundle(ore=2)), "confirm_instead")
    make(state, RejectOffer(ALICE, 1))
    assert state.offers == ()


def test_several_counter_offers_stand_beside_one_another():
    state = market()
    offer(state, (BOB, CHARLIE, DANA), *BRICK_FOR_ORE)
    make(state, CounterOffer(BOB, 0, bundle(wool=1), bundle(brick=1)))
    make(state, CounterOffer(CHARLIE, 0, bundle(ore=1), bundle(brick=3)))
    make(state, AcceptOffer(DANA, 0))
    assert numbers(state) == [0, 1, 2]
    make(state, ConfirmTrade(ALICE, 1, BOB))
    # Alice has two bricks left: Charlie's price is out of reach, Dana's is not.
    assert ConfirmTrade(ALICE, 2, CHARLIE) not in legal_moves(state, ALICE)
    refused(state, ConfirmTrade(ALICE, 2, CHARLIE), "cards_not_held")
    make(state, ConfirmTrade(ALICE, 0, DANA))


def test_a_counter_offer_keeps_the_rules_of_an_offer():
    state = market()
    offer(state, (BOB,), *BRICK_FOR_ORE)
    for gives, gets, code in (
        ({"ore": 3}, {"brick": 1}, "cards_not_held"),
        ({}, {"brick": 1}, "gift"),
        ({"ore": 1}, {"ore": 1}, "same_on_both_sides"),
        ({"knight": 1}, {"brick": 1}, "cards_not_traded"),
    ):
        refused(state, CounterOffer(BOB, 0, bundle(**gives), bundle(**gets)), code)


def test_a_player_who_countered_may_still_accept_the_offer():
    state = market()
    offer(state, (BOB, CHARLIE), *BRICK_FOR_ORE)
    make(state, CounterOffer(BOB, 0, bundle(ore=1), bundle(brick=2)))
    make(state, AcceptOffer(BOB, 0))
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert hand(state, ALICE) == {"brick": 2, "ore": 1}


# Withdrawing


def test_a_maker_withdraws_an_offer_and_a_partner_their_yes():
    state = market()
    offer(state, (BOB, CHARLIE), *BRICK_FOR_ORE)
    refused(state, WithdrawOffer(BOB, 0), "nothing_to_withdraw")
    make(state, AcceptOffer(BOB, 0))
    make(state, WithdrawOffer(BOB, 0))
    assert state.offers[0].accepted == ()
    make(state, WithdrawOffer(ALICE, 0))
    assert state.offers == ()
    refused(state, WithdrawOffer(ALICE, 0), "no_such_offer")


def test_a_counter_offer_is_withdrawn_by_its_maker():
    state = market()
    offer(state, (BOB,), *BRICK_FOR_ORE)
    make(state, CounterOffer(BOB, 0, bundle(ore=1), bundle(brick=2)))
    refused(state, WithdrawOffer(ALICE, 1), "nothing_to_withdraw")
    make(state, WithdrawOffer(BOB, 1))
    assert state.offers == ()


# Broken promises


def spend_on_a_road(state):
    settle(state, ALICE, 17)
    give(state, ALICE, lumber=1)
    return BuildRoad(ALICE, edge_between(17, 23))


def spend_on_a_card(state):
    give(state, ALICE, **CARD)
    return BuyCard(ALICE)


def spend_at_the_bank(state):
    give(state, ALICE, brick=1)
    return TradeWithBank(ALICE, BRICK, 4, GRAIN)


@pytest.mark.parametrize(
    ("spend", "promised"),
    [
        (spend_on_a_road, {"brick": 3}),
        (spend_on_a_card, {"grain": 1}),
        (spend_at_the_bank, {"brick": 1}),
    ],
)
def test_a_maker_who_spent_the_cards_cannot_confirm_until_they_have_them_again(spend, promised):
    state = market()
    move = spend(state)
    offer(state, (BOB,), promised, {"ore": 1})
    accept(state, BOB)
    make(state, move)
    assert numbers(state) == [0]
    assert ConfirmTrade(ALICE, 0, BOB) not in legal_moves(state, ALICE)
    refused(state, ConfirmTrade(ALICE, 0, BOB), "cards_not_held")
    give(state, ALICE, **promised)
    make(state, ConfirmTrade(ALICE, 0, BOB))


def robbed_after_a_promise():
    """Bob has promised both his ore, and Alice's knight has stolen one of it."""
    state = market()
    settle(state, BOB, 8)
    hold(state, ALICE, "knight")
    offer(state, (BOB, CHARLIE), {"brick": 1}, {"ore": 2})
    accept(state, BOB)
    make(state, PlayKnight(ALICE))
    return state, make(state, MoveRobber(ALICE, BRICK_6), 2)


def test_a_theft_stays_between_its_two_also_when_it_breaks_a_promise():
    state, events = robbed_after_a_promise()
    assert [event.kind for event in events] == ["moved_robber", "stole"]
    assert state.offers[0].accepted == (BOB,)
    twin = state.copy()
    # For all that Charlie knows, another card was stolen and Bob still has his ore.
    twin.hands[BOB] = list(resources(ore=2, wool=1))
    for viewer in (CHARLIE, DANA, None):
        assert player_view(state, viewer) == player_view(twin, viewer)


def test_a_broken_promise_is_found_out_by_whoever_confirms_and_changes_nothing():
    state, _ = robbed_after_a_promise()
    confirm = ConfirmTrade(ALICE, 0, BOB)
    before = state.copy()
    assert confirm in legal_moves(state, ALICE)
    with pytest.raises(IllegalMove, match="promise_broken"):
        play(state, confirm, RecordedChance(()))
    assert state == before
    make(state, WithdrawOffer(BOB, 0))
    refused(state, confirm, "not_accepted")


def test_a_counter_offer_whose_maker_was_robbed_is_a_broken_promise():
    state = market()
    settle(state, BOB, 8)
    hold(state, ALICE, "knight")
    offer(state, (BOB,), *BRICK_FOR_ORE)
    make(state, CounterOffer(BOB, 0, bundle(ore=2), bundle(brick=3)))
    make(state, PlayKnight(ALICE))
    make(state, MoveRobber(ALICE, BRICK_6), 2)
    assert ConfirmTrade(ALICE, 1, BOB) in legal_moves(state, ALICE)
    with pytest.raises(IllegalMove, match="promise_broken"):
        play(state, ConfirmTrade(ALICE, 1, BOB), RecordedChance(()))
    make(state, RejectOffer(ALICE, 1))


# Offers outlast a card that is played meanwhile


def knight_being_placed(state):
    hold(state, ALICE, "knight")
    return PlayKnight(ALICE)


def victim_being_chosen(state):
    settle(state, BOB, 8)
    settle(state, CHARLIE, 12)
    state.phase = Phase.MOVING_ROBBER
    return MoveRobber(ALICE, BRICK_6)


def free_roads_being_placed(state):
    settle(state, ALICE, 17)
    hold(state, ALICE, "road_building")
    return PlayRoadBuilding(ALICE)


meanwhile = pytest.mark.parametrize(
    ("interrupt", "phase"),
    [
        (knight_being_placed, Phase.MOVING_ROBBER),
        (victim_being_chosen, Phase.STEALING),
        (free_roads_being_placed, Phase.PLACING_FREE_ROADS),
    ],
)


def offers_met_by(interrupt, phase):
    """An offer to everybody, answered by Bob, and a counter-offer by Charlie; then a card is played."""
    state = market()
    offer(state, (BOB, CHARLIE, DANA), *BRICK_FOR_ORE)
    make(state, AcceptOffer(BOB, 0))
    make(state, CounterOffer(CHARLIE, 0, bundle(ore=1), bundle(brick=2)))
    make(state, interrupt(state))
    assert state.phase is phase
    return state


@meanwhile
def test_offers_are_answered_and_withdrawn_while_a_card_is_seen_to(interrupt, phase):
    state = offers_met_by(interrupt, phase)
    for move in (
        *(AcceptOffer(DANA, 0), RejectOffer(DANA, 0), WithdrawOffer(BOB, 0), RejectOffer(BOB, 0)),
        *(WithdrawOffer(ALICE, 0), WithdrawOffer(CHARLIE, 1), RejectOffer(ALICE, 1)),
        CounterOffer(DANA, 0, bundle(wool=1), bundle(brick=1)),
    ):
        twin = state.copy()
        make(twin, move)
        assert twin.phase is phase


@meanwhile
def test_nothing_is_offered_or_confirmed_while_a_card_is_seen_to(interrupt, phase):
    state = offers_met_by(interrupt, phase)
    refused(state, ConfirmTrade(ALICE, 0, BOB), "wrong_phase")
    refused(state, ConfirmTrade(ALICE, 1, CHARLIE), "wrong_phase")
    refused(state, OfferTrade(ALICE, (BOB,), bundle(brick=1), bundle(wool=1)), "wrong_phase")
    assert {"offer_trade", "confirm_trade"}.isdisjoint(player_view(state, ALICE)["choices"])
    assert player_view(state, DANA)["choices"].keys() == {"accept_offer", "reject_offer", "counter_offer"}


@meanwhile
def test_time_that_is_up_for_an_answer_is_a_no_in_every_phase(interrupt, phase):
    state = offers_met_by(interrupt, phase)
    for seat, number in ((DANA, 0), (ALICE, 1)):
        move = default_move(state, seat, RecordedChance(()), number)
        assert move == RejectOffer(seat, number)
        make(state, move)


def test_every_offer_is_void_when_the_turn_ends():
    state = market()
    offer(state, (BOB, CHARLIE), *BRICK_FOR_ORE)
    make(state, CounterOffer(CHARLIE, 0, bundle(ore=1), bundle(brick=2)))
    events = make(state, EndTurn(ALICE))
    assert [event for event in events if event.kind == "offer_void"] == [
        Event("offer_void", ALICE, {"offer": 0}),
        Event("offer_void", CHARLIE, {"offer": 1}),
    ]
    assert state.offers == ()


# Development cards in trades


def test_development_cards_stand_on_either_side_where_the_table_plays_so():
    state = market("three-player")
    hold(state, ALICE, "monopoly")
    hold(state, BOB, "victory_point")
    offer(state, (BOB,), {"monopoly": 1, "brick": 1}, {"victory_point": 1})
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert held_cards(state, ALICE) == ["victory_point"]
    assert held_cards(state, BOB) == ["monopoly"]
    assert (points(state, ALICE), points(state, BOB)) == (1, 0)


def test_a_development_card_not_held_is_not_offered_or_accepted():
    state = market("three-player")
    move = OfferTrade(ALICE, (BOB,), bundle(knight=1), bundle(ore=1))
    refused(state, move, "cards_not_held")
    offer(state, (BOB,), {"brick": 1}, {"knight": 1})
    refused(state, AcceptOffer(BOB, 0), "cards_not_held")


def test_a_development_card_that_was_offered_and_played_is_not_traded():
    state = market("three-player")
    hold(state, ALICE, "monopoly")
    offer(state, (BOB,), {"monopoly": 1}, {"ore": 1})
    accept(state, BOB)
    make(state, PlayMonopoly(ALICE, GRAIN))
    refused(state, ConfirmTrade(ALICE, 0, BOB), "cards_not_held")


def test_cards_of_one_kind_change_hands_where_anything_is_exchanged():
    state = market("three-player")
    hold(state, ALICE, "monopoly", new=True)
    hold(state, BOB, "monopoly")
    offer(state, (BOB,), {"monopoly": 1, "brick": 2}, {"monopoly": 1, "brick": 1})
    give(state, BOB, brick=1)
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert hand(state, ALICE) == {"brick": 2}
    # The one she got was not bought this turn.
    make(state, PlayMonopoly(ALICE, GRAIN))


def test_a_traded_card_bought_this_turn_is_still_new():
    state = market("three-player")
    hold(state, BOB, "monopoly")
    hold(state, ALICE, "year_of_plenty", new=True)
    offer(state, (BOB,), {"year_of_plenty": 1}, {"monopoly": 1})
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    make(state, PlayMonopoly(ALICE, WOOL))
    offer(state, (BOB,), {"brick": 1}, {"year_of_plenty": 1})
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 1, BOB))
    refused(state, PlayYearOfPlenty(ALICE, resources(ore=2)), "bought_this_turn")
