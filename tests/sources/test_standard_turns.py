"""The game design document: trade, building, development cards, awards, the win."""

from collections import Counter
from random import Random

import pytest

from games.rules import PRESETS, Phase, RandomChance, deal, legal_moves, player_view, points
from games.rules.cards import CARD_NAMES
from games.rules.moves import (
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    EndTurn,
    MoveRobber,
    PlayKnight,
    PlayMonopoly,
    Steal,
    TradeWithBank,
)
from games.rules.topology import COAST, HEXES, edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK,
    BRICK_6,
    CARD,
    CHARLIE,
    CITY,
    DANA,
    DESERT,
    GRAIN,
    LUMBER,
    ORE,
    ROAD,
    SETTLEMENT,
    WAYS,
    WOOL,
    give,
    hand,
    held_cards,
    hold,
    make,
    pave,
    raise_cities,
    refused,
    roll,
    set_table,
    settle,
)
from tests.sources.shared import awards, building, cards, handshake, trading, winning

PRESET = "standard"

# Trade


def test_players_trade_after_the_roll_and_only_with_the_player_to_move():
    trading.players_trade_after_the_roll_and_only_with_the_player_to_move(PRESET)


def test_players_exchange_any_number_of_different_resources():
    trading.players_exchange_any_number_of_different_resources(PRESET)


def test_cards_are_not_given_away():
    trading.cards_are_not_given_away(PRESET)


def test_a_resource_is_not_traded_for_itself():
    trading.a_resource_is_not_traded_for_itself(PRESET)


def test_nobody_offers_accepts_or_counters_with_cards_they_do_not_hold():
    handshake.nobody_offers_accepts_or_counters_with_cards_they_do_not_hold(PRESET)


def test_a_trade_is_not_confirmed_without_the_cards_for_it():
    handshake.a_trade_is_not_confirmed_without_the_cards_for_it(PRESET)


def test_a_promise_that_cannot_be_kept_is_found_out_by_whoever_confirms_it():
    handshake.a_promise_that_cannot_be_kept_is_found_out_by_whoever_confirms_it(PRESET)


@pytest.mark.parametrize("interruption", handshake.INTERRUPTIONS)
def test_offers_outlast_a_card_and_are_confirmed_after_it(interruption):
    handshake.offers_outlast_a_card_and_are_confirmed_after_it(PRESET, interruption)


@pytest.mark.parametrize("interruption", handshake.INTERRUPTIONS)
@pytest.mark.parametrize(("answer", "open_offers"), handshake.ANSWERS)
def test_an_offer_is_answered_and_withdrawn_while_a_card_is_played(interruption, answer, open_offers):
    handshake.an_offer_is_answered_and_withdrawn_while_a_card_is_played(PRESET, interruption, answer, open_offers)


def test_a_theft_that_breaks_a_promise_is_told_to_nobody_but_whoever_confirms():
    handshake.a_theft_that_breaks_a_promise_is_told_to_nobody_but_whoever_confirms(PRESET)


def test_the_bank_gives_one_card_for_four_identical_ones():
    trading.the_bank_gives_one_card_for_four_identical_ones(PRESET)


@pytest.mark.parametrize("give_away", [BRICK, LUMBER, WOOL, GRAIN, ORE])
def test_a_generic_harbor_takes_three_of_anything_for_one_other(give_away):
    trading.a_generic_harbor_takes_three_of_anything_for_one_other(PRESET, give_away)


@pytest.mark.parametrize("vertex", [4, 17])
def test_a_harbor_serves_only_those_who_built_on_it(vertex):
    trading.a_harbor_serves_only_those_who_built_on_it(PRESET, vertex)


def test_a_special_harbor_takes_two_of_its_own_resource_and_favors_no_other():
    trading.a_special_harbor_takes_two_of_its_own_resource_and_favors_no_other(PRESET)


def test_a_harbor_serves_in_the_turn_of_the_building():
    state = set_table(PRESET)
    pave(state, ALICE, 0, 4)
    give(state, ALICE, **SETTLEMENT, ore=3)
    make(state, BuildSettlement(ALICE, 0))
    make(state, TradeWithBank(ALICE, ORE, 3, WOOL))


# Building


def test_a_road_costs_brick_and_lumber():
    building.a_road_costs_brick_and_lumber(PRESET)


def test_a_later_settlement_costs_brick_lumber_grain_and_wool():
    building.a_later_settlement_costs_brick_lumber_grain_and_wool(PRESET)


def test_a_city_costs_two_grain_and_three_ore():
    building.a_city_costs_two_grain_and_three_ore(PRESET)


def test_a_development_card_costs_wool_grain_and_ore_on_ones_own_turn():
    cards.a_development_card_costs_wool_grain_and_ore_on_ones_own_turn(PRESET)


@pytest.mark.parametrize("neighbor", ["road", "settlement", "city"])
def test_a_road_continues_an_own_road_settlement_or_city(neighbor):
    building.a_road_continues_an_own_road_settlement_or_city(PRESET, neighbor)


def test_a_road_apart_from_ones_own_pieces_is_refused():
    building.a_road_apart_from_ones_own_pieces_is_refused(PRESET)


def test_a_path_holds_one_road():
    building.a_path_holds_one_road(PRESET)


def test_a_road_may_follow_the_coast():
    state = set_table(PRESET)
    settle(state, ALICE, 0)
    give(state, ALICE, **ROAD)
    coast = edge_between(0, 3)
    assert coast in COAST
    make(state, BuildRoad(ALICE, coast))


def test_roads_alone_are_worth_nothing_until_they_are_the_longest():
    state = set_table(PRESET)
    pave(state, ALICE, *WAYS[2][:5])
    give(state, ALICE, **ROAD)
    assert points(state, ALICE) == 0
    make(state, BuildRoad(ALICE, edge_between(23, 18)))
    assert points(state, ALICE) == 2


def test_settlements_keep_two_edges_between_them():
    building.settlements_keep_two_edges_between_them(PRESET)


def test_own_settlements_keep_their_distance_too():
    building.own_settlements_keep_their_distance_too(PRESET)


def test_a_settlement_without_an_own_road_is_refused():
    building.a_settlement_without_an_own_road_is_refused(PRESET)


def test_a_corner_holds_one_building():
    state = set_table(PRESET)
    settle(state, BOB, 17)
    pave(state, ALICE, 17, 23)
    give(state, ALICE, **SETTLEMENT)
    refused(state, BuildSettlement(ALICE, 17), "vertex_taken")


def test_a_settlement_is_worth_one_point():
    building.a_settlement_is_worth_one_point(PRESET)


def test_a_city_gives_its_settlement_back():
    building.a_city_gives_its_settlement_back(PRESET)


def test_a_city_replaces_a_settlement_and_adds_one_point():
    building.a_city_replaces_a_settlement_and_adds_one_point(PRESET)


def test_nobody_has_a_fifth_city():
    building.nobody_has_a_fifth_city(PRESET)


def test_nobody_has_a_sixth_settlement():
    building.nobody_has_a_sixth_settlement(PRESET)


def test_nobody_has_a_sixteenth_road():
    building.nobody_has_a_sixteenth_road(PRESET)


def test_an_upgrade_does_not_ask_for_the_distance():
    state = set_table(PRESET)
    settle(state, ALICE, 17)
    settle(state, BOB, 23)
    give(state, ALICE, **CITY)
    make(state, BuildCity(ALICE, 17))


# Development cards


def test_a_bought_card_is_the_top_one_of_the_shuffled_deck():
    decks = {deal(PRESETS[PRESET], 4, "beginner", RandomChance(Random(seed))).deck for seed in range(5)}
    assert len(decks) == 5
    state = set_table(PRESET)
    top = CARD_NAMES[state.deck[0]]
    give(state, ALICE, **CARD)
    make(state, BuyCard(ALICE))
    assert held_cards(state, ALICE) == [top]


def test_a_card_in_hand_is_hidden_from_the_others():
    state = set_table(PRESET)
    hold(state, ALICE, "monopoly")
    for viewer in (None, BOB):
        seen = player_view(state, viewer)["seats"][ALICE]
        assert seen["card_count"] == 1
        assert "cards" not in seen


def test_one_development_card_is_played_a_turn():
    cards.one_development_card_is_played_a_turn(PRESET)


def test_a_card_is_not_played_on_the_turn_it_was_bought():
    cards.a_card_is_not_played_on_the_turn_it_was_bought(PRESET)


@pytest.mark.parametrize("kind", cards.PLAYED)
def test_a_played_card_never_returns_to_the_deck(kind):
    """Nor when turns pass: the other 24 are sold, each once, and then the deck stays empty."""
    state = set_table(PRESET)
    settle(state, ALICE, 17)
    hold(state, ALICE, kind)
    cards.play_card(state, kind)
    cards.pass_round(state)
    roll(state, 2)
    assert held_cards(state, ALICE) == []
    assert player_view(state, BOB)["deck"] == 24
    assert player_view(state, BOB)["seats"][ALICE]["played"] == [kind]
    for _ in range(24):
        give(state, ALICE, **CARD)
        make(state, BuyCard(ALICE))
    box = Counter(knight=14, victory_point=5, road_building=2, year_of_plenty=2, monopoly=2)
    assert Counter(held_cards(state, ALICE)) == box - Counter([kind])
    cards.pass_round(state)
    roll(state, 2)
    give(state, ALICE, **CARD)
    refused(state, BuyCard(ALICE), "deck_empty")


def test_a_knight_moves_the_robber_to_a_new_hex():
    state = set_table(PRESET)
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    refused(state, MoveRobber(ALICE, DESERT), "robber_must_move")
    assert legal_moves(state, ALICE) == [MoveRobber(ALICE, h) for h in HEXES if h != DESERT]
    make(state, MoveRobber(ALICE, BRICK_6))
    assert state.robber == BRICK_6


def robbery_at_the_brick():
    """Alice's knight goes where Bob, Charlie and she herself have built, but not Dana; all hold cards."""
    state = set_table(PRESET)
    settle(state, ALICE, 12)
    settle(state, BOB, 8)
    raise_cities(state, CHARLIE, 18)
    settle(state, DANA, 47)
    give(state, ALICE, lumber=1)
    give(state, BOB, ore=2, wool=1)
    give(state, CHARLIE, grain=1, brick=1)
    give(state, DANA, ore=3)
    hold(state, BOB, "knight")
    hold(state, CHARLIE, "monopoly")
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    make(state, MoveRobber(ALICE, BRICK_6))
    return state


@pytest.mark.parametrize(
    ("victim", "draw", "stolen"),
    [
        *[(BOB, 0, "wool"), (BOB, 1, "ore"), (BOB, 2, "ore")],
        *[(CHARLIE, 0, "brick"), (CHARLIE, 1, "grain")],
    ],
)
def test_a_knight_steals_one_random_resource_from_one_opponent_beside_the_robber(victim, draw, stolen):
    state = robbery_at_the_brick()
    assert legal_moves(state, ALICE) == [Steal(ALICE, BOB), Steal(ALICE, CHARLIE)]
    for other in (ALICE, DANA):
        refused(state, Steal(ALICE, other), "no_such_victim")
    before = [Counter(hand(state, seat)) for seat in state.seats]
    cards_before = [held_cards(state, seat) for seat in state.seats]
    make(state, Steal(ALICE, victim), draw)
    before[ALICE][stolen] += 1
    before[victim][stolen] -= 1
    assert [Counter(hand(state, seat)) for seat in state.seats] == [+cards for cards in before]
    assert [held_cards(state, seat) for seat in state.seats] == cards_before
    assert state.phase is Phase.MAIN


def test_a_played_knight_stays_in_view():
    cards.a_played_knight_stays_in_view(PRESET)


def test_road_building_places_two_roads_where_paid_ones_could_stand():
    cards.road_building_places_two_roads_where_paid_ones_could_stand(PRESET)


def test_year_of_plenty_takes_any_two_cards_of_the_bank():
    cards.year_of_plenty_takes_any_two_cards_of_the_bank(PRESET)


def test_the_cards_of_a_year_of_plenty_build_at_once():
    cards.the_cards_of_a_year_of_plenty_build_at_once(PRESET)


def test_monopoly_takes_all_cards_of_one_resource_from_all_others():
    cards.monopoly_takes_all_cards_of_one_resource_from_all_others(PRESET)


def test_a_victory_point_card_counts_at_once_and_stays_hidden():
    cards.a_victory_point_card_counts_at_once_and_stays_hidden(PRESET)


def test_victory_point_cards_win_together_even_on_the_turn_bought():
    state = set_table(PRESET)
    raise_cities(state, ALICE, 0, 1, 2, 11)
    hold(state, ALICE, "victory_point", "victory_point", new=True)
    give(state, ALICE, **CARD)
    make(state, BuyCard(ALICE))
    assert state.winner == ALICE
    shown = player_view(state, BOB)["seats"][ALICE]
    assert shown["points"] == 10


def test_a_card_may_be_played_before_the_roll_or_after_it():
    for phase in (Phase.ROLLING, Phase.MAIN):
        state = set_table(PRESET, phase)
        hold(state, ALICE, "monopoly")
        make(state, PlayMonopoly(ALICE, ORE))
        assert state.phase is phase


def test_nothing_is_bought_from_an_empty_deck():
    cards.nothing_is_bought_from_an_empty_deck(PRESET)


# Awards and points


def test_a_settlement_on_a_road_cuts_it_in_two():
    awards.a_settlement_on_a_road_cuts_it_in_two(PRESET)


def test_an_equal_road_leaves_the_card_with_its_holder():
    awards.an_equal_road_leaves_the_card_with_its_holder(PRESET)


def test_two_knights_are_no_army():
    awards.two_knights_are_no_army(PRESET)


def test_a_greater_army_takes_the_card_and_its_points_at_once():
    awards.a_greater_army_takes_the_card_and_its_points_at_once(PRESET)


def test_pieces_awards_and_cards_make_the_points():
    awards.pieces_awards_and_cards_make_the_points(PRESET)


@pytest.mark.parametrize("scoring", winning.EVERYTHING_THAT_SCORES)
def test_whatever_scores_the_tenth_point_on_ones_own_turn_wins(scoring):
    winning.whatever_scores_the_last_point_wins_at_once(PRESET, scoring)


@pytest.mark.parametrize("scoring", winning.EVERYTHING_THAT_SCORES)
def test_whatever_scores_the_ninth_point_does_not_win(scoring):
    winning.one_point_less_does_not_win(PRESET, scoring)


@pytest.mark.parametrize(("total", "winner"), [(9, -1), (10, BOB), (11, BOB)])
def test_whoever_begins_a_turn_with_ten_points_has_won(total, winner):
    state = set_table(PRESET)
    winning.raise_points(state, BOB, total)
    make(state, EndTurn(ALICE))
    assert (state.active, state.winner) == (BOB, winner)


def test_ten_points_on_anothers_turn_win_only_when_ones_own_begins():
    awards.ten_points_on_anothers_turn_win_when_ones_own_begins(PRESET)
