"""The first definition of done: boundary values of cards, rolls and trade."""

from collections import Counter
from functools import partial

import pytest

from games.rules import MalformedMove, Phase, is_legal, legal_moves, player_view
from games.rules.moves import (
    BuildRoad,
    BuyCard,
    ConfirmTrade,
    Discard,
    EndTurn,
    MoveRobber,
    OfferTrade,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Steal,
    StopPlacingRoads,
    TradeWithBank,
    from_json,
)
from games.rules.topology import edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK_6,
    CARD,
    CHARLIE,
    DANA,
    DESERT,
    LUMBER_8,
    ORE,
    WOOL,
    accept,
    bundle,
    give,
    hand,
    held_cards,
    hold,
    make,
    offer,
    raise_cities,
    refused,
    resources,
    roll,
    set_table,
    settle,
)
from tests.sources.shared.cards import (
    BOX,
    buy,
    card_move,
    one_development_card_is_played_a_turn,
    pass_round,
    play_card,
)

table = partial(set_table, "definition-of-done")

# Development cards


@pytest.mark.parametrize("count", [1, 2])
def test_a_card_is_bought_with_exactly_enough_and_with_more(count):
    state = table()
    give(state, ALICE, ore=count, wool=count, grain=count)
    make(state, BuyCard(ALICE))
    assert sum(hand(state, ALICE).values()) == 3 * (count - 1)


@pytest.mark.parametrize("missing", CARD)
def test_a_card_is_not_bought_with_a_resource_missing(missing):
    state = table()
    give(state, ALICE, **{name: 2 for name in CARD if name != missing})
    refused(state, BuyCard(ALICE), "cannot_pay")


def test_one_development_card_is_played_a_turn():
    one_development_card_is_played_a_turn("definition-of-done", BOX)


@pytest.mark.parametrize("kind", BOX)
def test_a_card_waits_for_a_later_turn_than_its_purchase(kind):
    """An older one of its kind may be played; the new one stays in hand until the next turn."""
    state = table()
    settle(state, ALICE, 40)
    buy(state, kind)
    refused(state, card_move(ALICE, kind), "bought_this_turn")
    hold(state, ALICE, kind)
    play_card(state, kind)
    assert player_view(state, ALICE)["seats"][ALICE]["cards"] == [{"card": kind, "new": True}]
    pass_round(state)
    play_card(state, kind)
    assert held_cards(state, ALICE) == []


def test_a_turn_passes_with_one_card_played_or_none():
    for kind in (None, *BOX):
        state = table()
        settle(state, ALICE, 40)
        hold(state, ALICE, *[kind] * bool(kind))
        if kind:
            play_card(state, kind)
        make(state, EndTurn(ALICE))
        assert state.active == BOB


def test_a_knight_sends_the_robber_to_any_hex_but_its_own():
    state = table()
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    refused(state, MoveRobber(ALICE, DESERT), "robber_must_move")
    elsewhere = [MoveRobber(ALICE, h) for h in range(19) if h != DESERT]
    assert legal_moves(state, ALICE) == elsewhere


def table_at_theft(trigger):
    """Alice has moved the robber to a hex where all others have a building and cards."""
    state = table(Phase.ROLLING)
    for seat, vertex in ((BOB, 8), (CHARLIE, 18), (DANA, 17)):
        settle(state, seat, vertex)
        give(state, seat, brick=1, wool=2, ore=3)
    if trigger == "seven":
        roll(state, 7)
    else:
        hold(state, ALICE, "knight")
        make(state, PlayKnight(ALICE))
    make(state, MoveRobber(ALICE, BRICK_6))
    return state


by_seven_or_knight = pytest.mark.parametrize("trigger", ["seven", "knight"])


def test_nobody_off_the_robbers_hex_is_stolen_from():
    state = table()
    settle(state, BOB, 8)
    settle(state, CHARLIE, 18)
    settle(state, DANA, 40)
    for seat in (BOB, CHARLIE, DANA):
        give(state, seat, ore=1)
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    make(state, MoveRobber(ALICE, BRICK_6))
    refused(state, Steal(ALICE, DANA), "no_such_victim")
    refused(state, Steal(ALICE, ALICE), "no_such_victim")


@by_seven_or_knight
@pytest.mark.parametrize("victim", [BOB, CHARLIE, DANA])
@pytest.mark.parametrize("drawn", range(6))
def test_one_card_of_one_player_is_stolen(trigger, victim, drawn):
    """Whichever it is: one, too, of a resource of which the victim holds several."""
    state = table_at_theft(trigger)
    before = [sum(cards) for cards in state.hands]
    make(state, Steal(ALICE, victim), drawn)
    lost = [had - sum(cards) for had, cards in zip(before, state.hands, strict=True)]
    assert lost == [-1 if seat == ALICE else int(seat == victim) for seat in state.seats]
    for seat in (BOB, CHARLIE, DANA):
        assert not is_legal(state, Steal(ALICE, seat))


@by_seven_or_knight
def test_chance_chooses_the_stolen_card(trigger):
    """Each of the victim's six cards as likely as another."""
    stolen = Counter()
    for drawn in range(6):
        state = table_at_theft(trigger)
        make(state, Steal(ALICE, BOB), drawn)
        stolen += Counter(hand(state, ALICE))
    assert stolen == {"brick": 1, "wool": 2, "ore": 3}


@pytest.mark.parametrize("move", [Steal(ALICE, BOB), MoveRobber(ALICE, BRICK_6)])
@pytest.mark.parametrize("choice", [{"resource": "ore"}, {"resources": {"ore": 2}}, {"victim": [BOB, CHARLIE]}])
def test_a_theft_names_no_card_and_no_second_player(move, choice):
    with pytest.raises(MalformedMove):
        from_json(move.to_json() | choice)


@pytest.mark.parametrize("choice", [None, ["ore", "wool"], "gold"])
def test_monopoly_without_exactly_one_resource_is_malformed(choice):
    move = {"kind": "play_monopoly", "seat": ALICE}
    with pytest.raises(MalformedMove):
        from_json(move if choice is None else move | {"resource": choice})


def test_monopoly_leaves_the_others_none_of_the_resource():
    state = table()
    give(state, BOB, ore=2)
    give(state, CHARLIE, ore=1, wool=1)
    hold(state, ALICE, "monopoly")
    make(state, PlayMonopoly(ALICE, ORE))
    assert [state.hands[seat][ORE] for seat in state.seats] == [3, 0, 0, 0]


def test_road_building_waits_for_the_second_road():
    state = table()
    settle(state, ALICE, 17)
    hold(state, ALICE, "road_building")
    make(state, PlayRoadBuilding(ALICE))
    refused(state, StopPlacingRoads(ALICE), "must_place_roads")
    make(state, BuildRoad(ALICE, edge_between(17, 23)))
    refused(state, StopPlacingRoads(ALICE), "must_place_roads")
    refused(state, EndTurn(ALICE), "wrong_phase")
    make(state, BuildRoad(ALICE, edge_between(17, 22)))
    make(state, EndTurn(ALICE))


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_year_of_plenty_takes_two_cards_no_more_and_no_fewer(count):
    state = table()
    hold(state, ALICE, "year_of_plenty")
    move = PlayYearOfPlenty(ALICE, resources(ore=count))
    if count == 2:
        make(state, move)
        assert state.bank == [19, 19, 19, 19, 17]
    else:
        refused(state, move, "take_two")


@pytest.mark.parametrize("kind", BOX)
def test_a_played_card_stays_with_nobody_and_in_no_deck(kind):
    state = table()
    settle(state, ALICE, 40)
    hold(state, ALICE, kind)
    deck = player_view(state, None)["deck"]
    play_card(state, kind)
    for _ in range(2):
        assert [held_cards(state, seat) for seat in state.seats] == [[], [], [], []]
        assert player_view(state, None)["deck"] == deck
        refused(state, card_move(ALICE, kind), "card_not_held")
        pass_round(state)


# Results of rolling


def test_everybody_with_a_building_at_the_rolled_number_is_paid():
    state = table(Phase.ROLLING)
    settle(state, ALICE, 8, 40)
    settle(state, BOB, 18)
    settle(state, CHARLIE, 26)
    roll(state, 6)
    assert [hand(state, seat) for seat in range(3)] == [
        {"brick": 1, "grain": 1},
        {"brick": 1},
        {},
    ]


@pytest.mark.parametrize("held", [0, 3])
def test_a_payment_adds_one_card_to_those_held(held):
    state = table(Phase.ROLLING)
    settle(state, ALICE, 8)
    give(state, ALICE, brick=held)
    roll(state, 6)
    assert hand(state, ALICE) == {"brick": held + 1}


@pytest.mark.parametrize(("held", "lost"), [(6, 0), (7, 0), (8, 4), (9, 4)])
def test_a_seven_costs_half_of_a_hand_above_seven(held, lost):
    state = table(Phase.ROLLING)
    give(state, BOB, ore=held)
    roll(state, 7)
    assert state.discards[BOB] == lost
    if lost:
        refused(state, Discard(BOB, resources(ore=lost - 1)), "wrong_discard")
        refused(state, Discard(BOB, resources(ore=lost + 1)), "wrong_discard")
        make(state, Discard(BOB, resources(ore=lost)))
    assert hand(state, BOB) == {"ore": held - lost}
    assert state.phase is Phase.MOVING_ROBBER


def test_after_a_seven_the_robber_may_not_stay():
    state = table(Phase.ROLLING)
    state.robber = LUMBER_8
    roll(state, 7)
    refused(state, MoveRobber(ALICE, LUMBER_8), "robber_must_move")
    make(state, MoveRobber(ALICE, DESERT))
    assert state.robber == DESERT


def test_the_owners_of_buildings_on_the_robbers_hex_are_its_victims():
    state = table(Phase.ROLLING)
    settle(state, ALICE, 12)
    settle(state, BOB, 8)
    raise_cities(state, CHARLIE, 18)
    give(state, BOB, ore=1)
    roll(state, 7)
    make(state, MoveRobber(ALICE, BRICK_6))
    assert legal_moves(state, ALICE) == [Steal(ALICE, BOB), Steal(ALICE, CHARLIE)]


@pytest.mark.parametrize("held", [0, 1, 2])
def test_a_theft_takes_one_card_where_there_is_one(held):
    state = table(Phase.ROLLING)
    settle(state, BOB, 8)
    give(state, BOB, ore=held)
    settle(state, CHARLIE, 40)
    give(state, CHARLIE, ore=2)
    roll(state, 7)
    make(state, MoveRobber(ALICE, BRICK_6), *[0] * bool(held))
    taken = min(held, 1)
    assert [cards[ORE] for cards in state.hands] == [taken, held - taken, 2, 0]
    assert state.phase is Phase.MAIN


# Trade


@pytest.mark.parametrize("active", range(4))
def test_a_player_trades_on_their_own_turn_alone(active):
    state = table()
    state.active = active
    for seat in state.seats:
        give(state, seat, ore=4)
    for seat in state.seats:
        another = BOB if seat == ALICE else ALICE
        with_bank = TradeWithBank(seat, ORE, 4, WOOL)
        with_player = OfferTrade(seat, (another,), bundle(ore=1), bundle(wool=1))
        if seat == active:
            make(state.copy(), with_bank)
            make(state.copy(), with_player)
        else:
            refused(state, with_bank, "not_your_turn")
            refused(state, with_player, "not_your_turn")


@pytest.mark.parametrize("paid", [3, 4, 5])
def test_the_bank_takes_four_cards_no_fewer_and_no_more(paid):
    state = table()
    give(state, ALICE, ore=5)
    move = TradeWithBank(ALICE, ORE, paid, WOOL)
    if paid == 4:
        make(state, move)
        assert hand(state, ALICE) == {"ore": 1, "wool": 1}
    else:
        refused(state, move, "wrong_rate")


def test_four_cards_not_held_buy_nothing():
    state = table()
    give(state, ALICE, ore=3)
    refused(state, TradeWithBank(ALICE, ORE, 4, WOOL), "cards_not_held")


def test_the_bank_does_not_give_back_the_same_resource():
    state = table()
    give(state, ALICE, ore=4)
    refused(state, TradeWithBank(ALICE, ORE, 4, ORE), "same_resource")


@pytest.mark.parametrize(
    ("gives", "gets", "code"),
    [
        ({"brick": 1}, {"ore": 1}, None),
        ({}, {"ore": 1}, "gift"),
        ({"brick": 1}, {"brick": 1}, "same_on_both_sides"),
        ({"brick": 2}, {"brick": 1}, "same_on_both_sides"),
        ({"brick": 1, "wool": 1}, {"ore": 1, "wool": 1}, "same_on_both_sides"),
        ({"wool": 1}, {"ore": 2, "wool": 1}, "same_on_both_sides"),
        ({"brick": 1}, {}, "gift"),
        ({"brick": 2, "wool": 1}, {"ore": 2, "grain": 1}, None),
    ],
)
def test_an_offer_has_different_cards_on_both_sides(gives, gets, code):
    state = table()
    give(state, ALICE, brick=2, wool=1)
    give(state, BOB, ore=2, grain=1)
    if code:
        refused(state, OfferTrade(ALICE, (BOB,), bundle(**gives), bundle(**gets)), code)
        return
    offer(state, (BOB,), gives, gets)
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert hand(state, ALICE).items() >= gets.items()


@pytest.mark.parametrize(("vertex", "rate"), [(17, 4), (0, 3), (10, 2)])
def test_a_harbor_trades_at_exactly_its_rate_for_whoever_built_there(vertex, rate):
    state = table()
    settle(state, ALICE, vertex)
    give(state, ALICE, ore=5)
    refused(state, TradeWithBank(ALICE, ORE, rate - 1, WOOL), "wrong_rate")
    refused(state, TradeWithBank(ALICE, ORE, rate + 1, WOOL), "wrong_rate")
    make(state, TradeWithBank(ALICE, ORE, rate, WOOL))
    assert hand(state, ALICE) == {"ore": 5 - rate, "wool": 1}


def test_a_roll_that_is_not_a_seven_moves_no_robber():
    state = table(Phase.ROLLING)
    give(state, BOB, ore=8)
    roll(state, 6)
    assert state.phase is Phase.MAIN
    refused(state, MoveRobber(ALICE, BRICK_6), "wrong_phase")
