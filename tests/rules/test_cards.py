"""Development cards: buying, playing, and Largest Army."""

import pytest

from games.rules import NOBODY, Event, Phase, legal_moves, player_view, points
from games.rules.moves import (
    BuildRoad,
    BuyCard,
    ConfirmTrade,
    EndTurn,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
    Roll,
)
from games.rules.topology import edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    CARD,
    CHARLIE,
    DANA,
    ORE,
    WAYS,
    accept,
    give,
    held_cards,
    hold,
    lay_open,
    make,
    offer,
    pave,
    raise_cities,
    refused,
    resources,
    set_table,
    settle,
)

# Buying


@pytest.mark.parametrize(("left", "bought"), [(2, True), (1, True), (0, False)])
def test_the_last_card_is_bought_and_no_more(left, bought):
    state = set_table()
    state.dealt = 25 - left
    give(state, ALICE, **CARD)
    if bought:
        make(state, BuyCard(ALICE))
        assert player_view(state, BOB)["deck"] == left - 1
    else:
        refused(state, BuyCard(ALICE), "deck_empty")


def test_only_the_buyer_learns_which_card_it_is():
    state = set_table()
    give(state, ALICE, **CARD)
    bought = make(state, BuyCard(ALICE))[0]
    assert bought.seen_by(ALICE) == {"kind": "bought_card", "seat": ALICE, "card": "knight"}
    for viewer in (BOB, CHARLIE, DANA, None):
        assert bought.seen_by(viewer) == {"kind": "bought_card", "seat": ALICE}


# When cards are played


@pytest.mark.parametrize(
    ("kind", "move"),
    [
        ("knight", PlayKnight(ALICE)),
        ("road_building", PlayRoadBuilding(ALICE)),
        ("year_of_plenty", PlayYearOfPlenty(ALICE, resources(ore=1, wool=1))),
        ("monopoly", PlayMonopoly(ALICE, ORE)),
    ],
)
class TestEveryCard:
    def test_is_played_before_the_roll_or_after_it(self, kind, move):
        for phase in (Phase.ROLLING, Phase.MAIN):
            state = set_table(phase=phase)
            settle(state, ALICE, 17)
            hold(state, ALICE, kind)
            make(state, move)
            assert held_cards(state, ALICE) == []

    def test_is_not_played_on_the_turn_bought(self, kind, move):
        state = set_table()
        settle(state, ALICE, 17)
        hold(state, ALICE, kind, new=True)
        refused(state, move, "bought_this_turn")

    def test_is_played_when_an_older_one_is_held_beside_a_new_one(self, kind, move):
        state = set_table()
        settle(state, ALICE, 17)
        hold(state, ALICE, kind)
        hold(state, ALICE, kind, new=True)
        make(state, move)
        assert state.cards[ALICE] == [1]

    def test_is_not_played_without_holding_it(self, kind, move):
        state = set_table()
        settle(state, ALICE, 17)
        hold(state, BOB, kind)
        refused(state, move, "card_not_held")

    def test_is_one_a_turn(self, kind, move):
        state = set_table()
        settle(state, ALICE, 17)
        hold(state, ALICE, kind)
        state.cards_played = 1
        refused(state, move, "one_card_a_turn")

    def test_waits_for_ones_own_turn(self, kind, move):
        state = set_table()
        state.active = BOB
        settle(state, ALICE, 17)
        hold(state, ALICE, kind)
        refused(state, move, "not_your_turn")


def test_the_next_turn_allows_a_card_again():
    state = set_table()
    hold(state, ALICE, "monopoly")
    hold(state, BOB, "monopoly")
    make(state, PlayMonopoly(ALICE, ORE))
    make(state, EndTurn(ALICE))
    make(state, PlayMonopoly(BOB, ORE))


# Road Building


@pytest.mark.parametrize(
    ("road_building", "used", "placed"),
    [
        ("both", 13, 2),
        ("both", 14, 1),
        ("both", 15, "no_road_left"),
        ("up_to_two", 13, 2),
        ("up_to_two", 14, 1),
        ("up_to_two", 15, "no_road_left"),
        ("spent_regardless", 13, 2),
        ("spent_regardless", 14, 1),
        ("spent_regardless", 15, 0),
    ],
)
def test_road_building_near_the_end_of_the_roads(road_building, used, placed):
    state = set_table(road_building=road_building)
    pave(state, ALICE, *WAYS[2])
    pave(state, ALICE, *WAYS[4][: used - 9])
    hold(state, ALICE, "road_building")
    if isinstance(placed, str):
        refused(state, PlayRoadBuilding(ALICE), placed)
        return
    make(state, PlayRoadBuilding(ALICE))
    for _ in range(placed):
        make(state, legal_moves(state, ALICE)[0])
    assert state.phase is Phase.MAIN
    assert state.roads[ALICE].bit_count() == used + placed


def walled_in(road_building):
    """Alice's one settlement has a single free path, which leads to Bob's."""
    state = set_table(road_building=road_building)
    settle(state, ALICE, 3)
    settle(state, BOB, 4)
    pave(state, BOB, 3, 7)
    pave(state, BOB, 4, 0)
    hold(state, ALICE, "road_building")
    return state


def test_road_building_ends_when_no_path_is_left():
    state = walled_in("both")
    make(state, PlayRoadBuilding(ALICE))
    make(state, BuildRoad(ALICE, edge_between(3, 0)))
    assert state.phase is Phase.MAIN
    assert state.free_roads == 0


@pytest.mark.parametrize(
    ("road_building", "code"), [("both", "no_free_road_possible"), ("up_to_two", None), ("spent_regardless", None)]
)
def test_road_building_without_any_path(road_building, code):
    state = walled_in(road_building)
    pave(state, BOB, 3, 0)
    if code:
        refused(state, PlayRoadBuilding(ALICE), code)
    else:
        make(state, PlayRoadBuilding(ALICE))
        assert state.phase is Phase.MAIN
        assert held_cards(state, ALICE) == []


def test_free_roads_before_the_roll_leave_the_roll_to_be_made():
    state = set_table(phase=Phase.ROLLING)
    settle(state, ALICE, 17)
    hold(state, ALICE, "road_building")
    make(state, PlayRoadBuilding(ALICE))
    refused(state, Roll(ALICE), "wrong_phase")
    make(state, BuildRoad(ALICE, edge_between(17, 22)))
    make(state, BuildRoad(ALICE, edge_between(17, 23)))
    assert legal_moves(state, ALICE) == [Roll(ALICE)]


def test_free_roads_may_take_longest_road_and_win():
    state = set_table()
    pave(state, ALICE, *WAYS[2][:4])
    raise_cities(state, ALICE, 0, 1, 2, 52)
    hold(state, ALICE, "road_building")
    make(state, PlayRoadBuilding(ALICE))
    make(state, BuildRoad(ALICE, edge_between(17, 23)))
    make(state, BuildRoad(ALICE, edge_between(23, 18)))
    assert (state.longest_road, state.winner) == (ALICE, ALICE)


# Year of Plenty


@pytest.mark.parametrize(
    ("bank", "taken", "code"),
    [
        ((19, 19, 19, 19, 19), (1, 0, 0, 0, 1), None),
        ((19, 19, 19, 19, 1), (0, 0, 0, 0, 2), "bank_lacks"),
        ((19, 19, 19, 19, 0), (0, 0, 0, 1, 1), "bank_lacks"),
        ((1, 0, 0, 0, 1), (1, 0, 0, 0, 1), None),
        ((1, 0, 0, 0, 0), (1, 0, 0, 0, 0), None),
        ((1, 0, 0, 0, 0), (1, 0, 0, 0, 1), "take_two"),
        ((2, 0, 0, 0, 0), (1, 0, 0, 0, 0), "take_two"),
        ((0, 0, 0, 0, 0), (0, 0, 0, 0, 0), "bank_lacks"),
        ((0, 0, 0, 0, 0), (1, 1, 0, 0, 0), "bank_lacks"),
    ],
)
def test_year_of_plenty_takes_two_or_what_the_bank_has(bank, taken, code):
    state = set_table()
    for resource, left in enumerate(bank):
        state.hands[BOB][resource] = 19 - left
    state.bank = list(bank)
    hold(state, ALICE, "year_of_plenty")
    move = PlayYearOfPlenty(ALICE, taken)
    if code:
        refused(state, move, code)
    else:
        make(state, move)
        assert state.hands[ALICE] == list(taken)
        assert state.bank == [left - count for left, count in zip(bank, taken, strict=True)]


# Monopoly


def test_the_table_is_told_what_a_monopoly_took_from_whom():
    state = set_table()
    give(state, ALICE, ore=1)
    give(state, BOB, ore=2)
    give(state, DANA, ore=3)
    hold(state, ALICE, "monopoly")
    assert make(state, PlayMonopoly(ALICE, ORE)) == [
        Event("played_card", ALICE, {"card": "monopoly"}),
        Event("monopolized", ALICE, {"victim": BOB, "resource": "ore", "count": 2}),
        Event("monopolized", ALICE, {"victim": DANA, "resource": "ore", "count": 3}),
    ]


# Victory points


def test_any_number_of_victory_points_is_laid_open_in_a_turn_and_counts_as_no_card():
    state = set_table(victory_point_cards="when_played")
    hold(state, ALICE, "victory_point", "monopoly")
    hold(state, ALICE, "victory_point", new=True)
    make(state, PlayVictoryPoint(ALICE))
    make(state, PlayVictoryPoint(ALICE))
    refused(state, PlayVictoryPoint(ALICE), "card_not_held")
    make(state, PlayMonopoly(ALICE, ORE))
    assert points(state, ALICE) == 2


def test_victory_points_may_be_cards_like_any_other():
    state = set_table("definition-of-done")
    hold(state, ALICE, "victory_point", "victory_point", "monopoly")
    make(state, PlayVictoryPoint(ALICE))
    assert (points(state, ALICE), state.cards_played) == (1, 1)
    refused(state, PlayVictoryPoint(ALICE), "one_card_a_turn")
    refused(state, PlayMonopoly(ALICE, ORE), "one_card_a_turn")


def test_a_victory_point_like_any_other_waits_for_a_later_turn_and_may_precede_the_roll():
    state = set_table("definition-of-done", phase=Phase.ROLLING)
    hold(state, ALICE, "victory_point", new=True)
    refused(state, PlayVictoryPoint(ALICE), "bought_this_turn")
    hold(state, ALICE, "victory_point")
    make(state, PlayVictoryPoint(ALICE))
    assert points(state, ALICE) == 1


def test_victory_points_that_count_at_once_are_not_played():
    state = set_table()
    hold(state, ALICE, "victory_point")
    refused(state, PlayVictoryPoint(ALICE), "points_count_already")


# Largest Army


@pytest.mark.parametrize(("knights", "holder"), [(2, BOB), (3, BOB), (4, ALICE)])
def test_two_three_and_four_knights_against_three(knights, holder):
    state = set_table()
    lay_open(state, BOB, *["knight"] * 3)
    state.largest_army = BOB
    lay_open(state, ALICE, *["knight"] * (knights - 1))
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    assert state.largest_army == holder


def test_knights_in_hand_do_not_count_where_played_ones_do():
    state = set_table()
    hold(state, ALICE, *["knight"] * 4)
    make(state, PlayKnight(ALICE))
    assert state.largest_army == NOBODY


def test_largest_army_wins_before_the_robber_has_moved():
    state = set_table(phase=Phase.ROLLING)
    raise_cities(state, ALICE, 0, 1, 2, 52)
    lay_open(state, ALICE, "knight", "knight")
    hold(state, ALICE, "knight")
    events = make(state, PlayKnight(ALICE))
    assert [event.kind for event in events] == ["played_card", "largest_army", "won"]
    assert state.phase is Phase.OVER


def test_where_held_knights_count_a_trade_may_set_largest_army_aside():
    state = set_table("three-player")
    hold(state, ALICE, *["knight"] * 3)
    state.largest_army = ALICE
    give(state, BOB, ore=1)
    offer(state, (BOB,), {"knight": 1}, {"ore": 1})
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert state.largest_army == NOBODY
