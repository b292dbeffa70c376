"""The product requirements: cards, the state machine, edge cases, timeouts."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from games.rules import (
    PRESETS,
    Phase,
    RandomChance,
    RecordedChance,
    State,
    default_move,
    is_legal,
    legal_moves,
    play,
    player_view,
    points,
)
from games.rules.moves import (
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    Discard,
    EndTurn,
    MoveRobber,
    OfferTrade,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Roll,
    SkipRoll,
    Steal,
    StopPlacingRoads,
)
from games.rules.ruleset import OPTIONS
from games.rules.topology import NEIGHBORS, edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK_6,
    CHARLIE,
    CITY,
    DANA,
    ORE,
    ORE_10,
    ROAD,
    SETTLEMENT,
    WAYS,
    WOOL,
    bundle,
    fresh_table,
    give,
    hand,
    held_cards,
    hold,
    lay_open,
    make,
    offer,
    pave,
    raise_cities,
    refused,
    resources,
    roll,
    set_table,
    settle,
)
from tests.sources.shared import awards, building, cards, rolling, winning

PRESET = "online"

# Development cards


def test_a_card_is_not_played_on_the_turn_it_was_bought():
    cards.a_card_is_not_played_on_the_turn_it_was_bought(PRESET)


def test_one_development_card_is_played_a_turn():
    cards.one_development_card_is_played_a_turn(PRESET)


def test_a_victory_point_card_counts_at_once_and_stays_hidden():
    cards.a_victory_point_card_counts_at_once_and_stays_hidden(PRESET)


def test_the_deck_has_the_25_cards_of_the_box():
    cards.the_deck_has_the_25_cards_of_the_box(PRESET)


def test_nothing_is_bought_from_an_empty_deck():
    cards.nothing_is_bought_from_an_empty_deck(PRESET)


def test_a_knight_makes_nobody_discard():
    cards.a_knight_makes_nobody_discard(PRESET)


def test_a_knight_moves_the_robber_and_steals_a_random_card_from_a_player_there():
    cards.a_knight_moves_the_robber_and_steals_a_random_card_from_a_player_there(PRESET)


def test_a_knight_before_the_roll_may_replace_it_or_be_followed_by_it():
    state = set_table(PRESET, Phase.ROLLING)
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    make(state, MoveRobber(ALICE, BRICK_6))
    assert legal_moves(state, ALICE) == [Roll(ALICE), SkipRoll(ALICE)]


def test_a_knight_after_the_roll_replaces_no_later_one():
    state = set_table(PRESET)
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    make(state, MoveRobber(ALICE, BRICK_6))
    make(state, EndTurn(ALICE))
    assert legal_moves(state, BOB) == [Roll(BOB)]


def test_each_knight_played_counts_and_only_the_greater_army_holds_the_card():
    """Knights in hand and other cards played count for nothing: both players have plenty of them."""
    state = set_table(PRESET, Phase.ROLLING)
    for seat in (ALICE, BOB):
        hold(state, seat, *["knight"] * 6)
    lay_open(state, ALICE, "monopoly", "year_of_plenty", "road_building")
    lay_open(state, BOB, "monopoly", "year_of_plenty", "road_building")
    course = []
    for seat in (ALICE, ALICE, ALICE, BOB, BOB, BOB, BOB, ALICE, ALICE):
        play_a_knight_on_the_next_turn_of(state, seat)
        seen = player_view(state, None)
        knights = tuple(seen["seats"][player]["knights"] for player in (ALICE, BOB))
        course.append((knights, seen["largest_army"], points(state, ALICE), points(state, BOB)))
    assert course == [
        ((1, 0), None, 0, 0),
        ((2, 0), None, 0, 0),
        ((3, 0), ALICE, 2, 0),
        ((3, 1), ALICE, 2, 0),
        ((3, 2), ALICE, 2, 0),
        ((3, 3), ALICE, 2, 0),
        ((3, 4), BOB, 0, 2),
        ((4, 4), BOB, 0, 2),
        ((5, 4), ALICE, 2, 0),
    ]


def play_a_knight_on_the_next_turn_of(state, seat):
    while state.active != seat:
        roll(state, 2)
        make(state, EndTurn(state.active))
    make(state, PlayKnight(seat))
    make(state, MoveRobber(seat, ORE_10 if state.robber == BRICK_6 else BRICK_6))
    make(state, SkipRoll(seat))
    make(state, EndTurn(seat))


@pytest.mark.parametrize("roads", [0, 1, 2])
def test_road_building_places_none_one_or_two_free_roads(roads):
    state = set_table(PRESET)
    settle(state, ALICE, 17)
    hold(state, ALICE, "road_building")
    make(state, PlayRoadBuilding(ALICE))
    for edge in (edge_between(17, 23), edge_between(23, 18))[:roads]:
        make(state, BuildRoad(ALICE, edge))
    if roads < 2:
        make(state, StopPlacingRoads(ALICE))
    assert state.phase is Phase.MAIN
    assert state.roads[ALICE].bit_count() == roads


def test_road_building_places_two_roads_where_paid_ones_could_stand():
    cards.road_building_places_two_roads_where_paid_ones_could_stand(PRESET)


def test_year_of_plenty_takes_any_two_cards_of_the_bank():
    cards.year_of_plenty_takes_any_two_cards_of_the_bank(PRESET)


def test_year_of_plenty_takes_two_alike_too():
    state = set_table(PRESET)
    hold(state, ALICE, "year_of_plenty")
    make(state, PlayYearOfPlenty(ALICE, resources(ore=2)))
    assert hand(state, ALICE) == {"ore": 2}


def test_monopoly_takes_all_cards_of_one_resource_from_all_others():
    cards.monopoly_takes_all_cards_of_one_resource_from_all_others(PRESET)


def test_monopoly_takes_nothing_from_those_who_have_none():
    state = set_table(PRESET)
    give(state, BOB, wool=2)
    hold(state, ALICE, "monopoly")
    events = make(state, PlayMonopoly(ALICE, ORE))
    assert [event.kind for event in events] == ["played_card"]
    assert hand(state, BOB) == {"wool": 2}


def test_hidden_points_are_shown_to_everybody_when_they_win():
    state = set_table(PRESET)
    hold(state, ALICE, "victory_point")
    raise_cities(state, ALICE, 0, 1, 2)
    settle(state, ALICE, 11, 29)
    give(state, ALICE, **CITY)
    assert "cards" not in player_view(state, BOB)["seats"][ALICE]
    make(state, BuildCity(ALICE, 29))
    shown = player_view(state, BOB)["seats"][ALICE]
    assert shown["points"] == 10
    assert [card["card"] for card in shown["cards"]] == ["victory_point"]


def bob_with_victory_points(phase, **cards):
    """Bob has settled at the brick and holds two victory points, beside these resources."""
    state = set_table(PRESET, phase)
    settle(state, BOB, 8)
    hold(state, BOB, "victory_point", "victory_point")
    give(state, BOB, **cards)
    return state


def bob_keeps_his_victory_points(state):
    assert held_cards(state, BOB) == ["victory_point", "victory_point"]
    assert points(state, BOB) == 3
    assert not any(state.cards[seat] for seat in (ALICE, CHARLIE, DANA))


@pytest.mark.parametrize("cards", [{}, {"ore": 1}, {"brick": 2, "wool": 1}])
@pytest.mark.parametrize("by", ["seven", "knight"])
@pytest.mark.parametrize("seed", range(12))
def test_a_thief_takes_resources_and_never_a_victory_point_card(by, cards, seed):
    state = bob_with_victory_points(Phase.ROLLING, **cards)
    if by == "knight":
        hold(state, ALICE, "knight")
        make(state, PlayKnight(ALICE))
    else:
        roll(state, 7)
    play(state, MoveRobber(ALICE, BRICK_6), RandomChance(Random(seed)))
    assert sum(state.hands[ALICE]) == min(1, sum(cards.values()))
    bob_keeps_his_victory_points(state)


@pytest.mark.parametrize("by", ["seven", "knight"])
def test_a_thief_who_chooses_a_victim_without_resources_gets_no_victory_point_card(by):
    """Charlie, beside him, has resources: so Alice is asked whom she robs."""
    state = bob_with_victory_points(Phase.ROLLING)
    settle(state, CHARLIE, 18)
    give(state, CHARLIE, ore=1)
    if by == "knight":
        hold(state, ALICE, "knight")
        make(state, PlayKnight(ALICE))
    else:
        roll(state, 7)
    make(state, MoveRobber(ALICE, BRICK_6))
    make(state, Steal(ALICE, BOB))
    assert hand(state, ALICE) == {}
    bob_keeps_his_victory_points(state)


@pytest.mark.parametrize(("brick", "lost"), [(7, 0), (8, 4), (9, 4)])
def test_a_seven_neither_counts_victory_point_cards_nor_takes_them(brick, lost):
    state = bob_with_victory_points(Phase.ROLLING, brick=brick)
    roll(state, 7)
    if lost:
        make(state, Discard(BOB, resources(brick=lost)))
    assert hand(state, BOB) == {"brick": brick - lost}
    assert state.phase is Phase.MOVING_ROBBER
    bob_keeps_his_victory_points(state)


@pytest.mark.parametrize("resource", range(5))
def test_monopoly_leaves_victory_point_cards_where_they_are(resource):
    state = bob_with_victory_points(Phase.MAIN, brick=1, lumber=1, wool=1, grain=1, ore=1)
    hold(state, ALICE, "monopoly")
    make(state, PlayMonopoly(ALICE, resource))
    assert sum(state.hands[BOB]) == 4
    bob_keeps_his_victory_points(state)


def test_victory_point_cards_are_neither_offered_nor_asked_for():
    state = bob_with_victory_points(Phase.MAIN)
    give(state, ALICE, ore=1)
    refused(state, OfferTrade(ALICE, (BOB,), bundle(ore=1), bundle(victory_point=1)), "cards_not_traded")
    hold(state, ALICE, "victory_point")
    refused(state, OfferTrade(ALICE, (BOB,), bundle(victory_point=1), bundle(ore=1)), "cards_not_traded")


# The state machine


def test_the_setup_alternates_settlement_and_road_until_the_first_turn():
    state = fresh_table(PRESET, seats=3)
    phases = []
    while state.phase is not Phase.ROLLING:
        phases.append(state.phase)
        make(state, legal_moves(state, state.active)[0])
    assert phases == [Phase.PLACING_SETTLEMENT, Phase.PLACING_ROAD] * 6
    assert (state.turn, state.active) == (1, ALICE)


def test_a_turn_goes_from_the_roll_through_robbery_to_its_end():
    state = set_table(PRESET, Phase.ROLLING)
    settle(state, BOB, 8)
    settle(state, CHARLIE, 18)
    give(state, BOB, ore=8)
    phases = [state.phase]
    for move, *draws in (
        (Roll(ALICE), 0, 5),
        (Discard(BOB, resources(ore=4)),),
        (MoveRobber(ALICE, BRICK_6),),
        (Steal(ALICE, BOB), 0),
        (EndTurn(ALICE),),
    ):
        make(state, move, *draws)
        phases.append(state.phase)
    assert phases == [
        Phase.ROLLING,
        Phase.DISCARDING,
        Phase.MOVING_ROBBER,
        Phase.STEALING,
        Phase.MAIN,
        Phase.ROLLING,
    ]
    assert state.active == BOB


def test_nothing_else_happens_before_the_robber_has_moved():
    state = set_table(PRESET, Phase.ROLLING)
    give(state, ALICE, ore=4, wool=1, grain=1)
    roll(state, 7)
    assert {type(move) for move in legal_moves(state, ALICE)} == {MoveRobber}
    refused(state, BuyCard(ALICE), "wrong_phase")
    refused(state, EndTurn(ALICE), "wrong_phase")


def test_a_sole_victim_is_stolen_from_without_asking():
    state = set_table(PRESET, Phase.ROLLING)
    settle(state, BOB, 8)
    give(state, BOB, ore=1)
    roll(state, 7)
    make(state, MoveRobber(ALICE, BRICK_6), 0)
    assert (state.phase, hand(state, ALICE)) == (Phase.MAIN, {"ore": 1})


# Edge cases: building


@pytest.mark.parametrize("neighbor", ["road", "settlement", "city"])
def test_a_road_continues_an_own_road_settlement_or_city(neighbor):
    building.a_road_continues_an_own_road_settlement_or_city(PRESET, neighbor)


def test_a_road_apart_from_ones_own_pieces_is_refused():
    building.a_road_apart_from_ones_own_pieces_is_refused(PRESET)


def test_a_road_of_the_setup_leaves_the_settlement_just_placed():
    building.a_road_of_the_setup_leaves_the_settlement_just_placed(PRESET)


def test_a_settlement_without_an_own_road_is_refused():
    building.a_settlement_without_an_own_road_is_refused(PRESET)


def test_road_building_is_refused_when_no_road_is_left():
    state = set_table(PRESET)
    pave(state, ALICE, *WAYS[2])
    pave(state, ALICE, *WAYS[3][:6])
    hold(state, ALICE, "road_building")
    refused(state, PlayRoadBuilding(ALICE), "no_road_left")


def test_a_city_gives_its_settlement_back():
    building.a_city_gives_its_settlement_back(PRESET)


# Edge cases: bank and robber


def test_nobody_gets_a_resource_that_the_bank_is_too_short_of():
    rolling.nobody_gets_a_resource_that_the_bank_is_too_short_of(PRESET)


def test_year_of_plenty_takes_only_what_the_bank_has():
    cards.year_of_plenty_takes_only_what_the_bank_has(PRESET)


def test_a_victim_without_cards_yields_none():
    rolling.a_victim_without_cards_yields_none(PRESET)


# Edge cases: Longest Road


def test_every_new_road_measures_the_roads_again():
    state = set_table(PRESET)
    pave(state, BOB, *WAYS[3][:7])
    state.longest_road = BOB
    pave(state, ALICE, *WAYS[2][:7])
    give(state, ALICE, **ROAD)
    make(state, BuildRoad(ALICE, edge_between(24, 19)))
    assert state.road_lengths == [7, 6, 0, 0]
    assert state.longest_road == ALICE


def test_a_settlement_on_a_road_cuts_it_in_two():
    awards.a_settlement_on_a_road_cuts_it_in_two(PRESET)


def test_an_equal_road_leaves_the_card_with_its_holder():
    awards.an_equal_road_leaves_the_card_with_its_holder(PRESET)


def test_a_tie_that_leaves_the_holder_behind_gives_the_card_to_nobody():
    state = set_table(PRESET)
    pave(state, BOB, *WAYS[2][:8])
    state.longest_road = BOB
    pave(state, CHARLIE, *WAYS[4][:6])
    pave(state, DANA, *WAYS[1][-6:])
    pave(state, ALICE, 17, 12)
    give(state, ALICE, **SETTLEMENT)
    make(state, BuildSettlement(ALICE, 17))
    assert state.road_lengths == [1, 4, 5, 5]
    assert state.longest_road == -1


@pytest.mark.parametrize(("corner", "segments"), [(16, (1, 4)), (22, (2, 3)), (17, (3, 2))])
def test_a_chain_of_five_cut_inside_leaves_two_parts_that_add_up_to_five(corner, segments):
    state = set_table(PRESET)
    pave(state, BOB, *WAYS[2][:6])
    state.longest_road = BOB
    spur = next(v for _, v in NEIGHBORS[corner] if v not in WAYS[2])
    pave(state, ALICE, corner, spur)
    give(state, ALICE, **SETTLEMENT)
    make(state, BuildSettlement(ALICE, corner))
    assert state.road_lengths[BOB] == max(segments)
    assert sum(segments) == 5
    assert state.longest_road == -1


def test_the_first_road_of_five_takes_longest_road_and_forks_do_not_add_up():
    awards.the_first_road_of_five_takes_longest_road_and_forks_do_not_add_up(PRESET)


def test_the_first_to_play_three_knights_takes_largest_army():
    awards.the_first_to_play_three_knights_takes_largest_army(PRESET)


def test_an_equal_army_leaves_the_card_with_its_holder():
    awards.an_equal_army_leaves_the_card_with_its_holder(PRESET)


# Edge cases: winning


def test_a_player_wins_on_anothers_turn_when_a_cut_makes_theirs_the_longest_road():
    state = set_table(PRESET)
    pave(state, BOB, *WAYS[2][:7])
    state.longest_road = BOB
    pave(state, CHARLIE, *WAYS[4][:6])
    raise_cities(state, CHARLIE, 0, 1, 2, 52)
    pave(state, ALICE, 17, 12)
    give(state, ALICE, **SETTLEMENT)
    assert points(state, CHARLIE) == 8
    make(state, BuildSettlement(ALICE, 17))
    assert state.longest_road == CHARLIE
    assert (state.phase, state.winner) == (Phase.OVER, CHARLIE)


@pytest.mark.parametrize("scoring", winning.EVERYTHING_THAT_SCORES)
def test_whatever_scores_the_tenth_point_wins_at_once(scoring):
    winning.whatever_scores_the_last_point_wins_at_once(PRESET, scoring)


@pytest.mark.parametrize("scoring", winning.EVERYTHING_THAT_SCORES)
def test_whatever_scores_the_ninth_point_does_not_win(scoring):
    winning.one_point_less_does_not_win(PRESET, scoring)


# When time is up


@pytest.mark.parametrize("after_a_knight", [False, True])
def test_a_timeout_rolls_the_dice_even_where_a_knight_could_replace_the_roll(after_a_knight):
    state = set_table(PRESET, Phase.ROLLING)
    hold(state, ALICE, "knight", "monopoly")
    if after_a_knight:
        make(state, PlayKnight(ALICE))
        make(state, MoveRobber(ALICE, BRICK_6))
    timeout = default_move(state, ALICE, RecordedChance(()))
    make(state, timeout, 3, 3)
    assert (timeout, state.dice, state.phase) == (Roll(ALICE), (4, 4), Phase.MAIN)


def test_a_timeout_discards_any_cards_each_as_likely_as_the_others():
    """Of six ore and two wool four are lost: in 15 of 70 ways no wool, in 40 one, in 15 both."""
    state = set_table(PRESET, Phase.ROLLING)
    give(state, BOB, ore=6, wool=2)
    roll(state, 7)
    wool_lost = Counter()
    for draws in product(range(8), range(7), range(6), range(5)):
        chance = RecordedChance(draws)
        discard = default_move(state, BOB, chance)
        chance.finish()
        assert is_legal(state, discard)
        wool_lost[discard.resources[WOOL]] += 1
    assert wool_lost == {0: 24 * 15, 1: 24 * 40, 2: 24 * 15}


def test_a_timeout_ends_the_turn_whatever_could_still_be_done_in_it():
    state = set_table(PRESET)
    settle(state, ALICE, 17)
    give(state, ALICE, brick=2, lumber=2, wool=2, grain=4, ore=4)
    hold(state, ALICE, "knight", "monopoly")
    offer(state, (BOB,), {"brick": 1}, {"wool": 1})
    timeout = default_move(state, ALICE, RecordedChance(()))
    make(state, timeout)
    assert (timeout, state.active, state.phase) == (EndTurn(ALICE), BOB, Phase.ROLLING)


# House rules


@pytest.mark.parametrize(
    ("option", "value"),
    [(option.name, value) for option in OPTIONS for value in option.numbers or [value for value, _ in option.values]],
)
def test_house_rules_change_single_options_and_everybody_at_the_table_sees_them(option, value):
    usual = PRESETS[PRESET].to_json()
    state = State.from_json(fresh_table(PRESET, **{option: value}).to_json())
    for viewer in (None, *state.seats):
        assert player_view(state, viewer)["rules"] == usual | {option: value}
    assert state.rules.house_rules() == ({} if usual[option] == value else {option: value})


@pytest.mark.parametrize("goal", range(8, 16))
def test_a_table_may_play_for_more_points_or_fewer(goal):
    winning.whatever_scores_the_last_point_wins_at_once(PRESET, winning.a_city, goal, points_to_win=goal)
    winning.one_point_less_does_not_win(PRESET, winning.a_city, goal, points_to_win=goal)


@pytest.mark.parametrize("limit", range(7, 13))
def test_a_table_may_let_players_keep_more_cards_on_a_seven(limit):
    state = set_table(PRESET, Phase.ROLLING, discard_limit=limit)
    give(state, BOB, ore=limit)
    give(state, CHARLIE, wool=limit + 1)
    roll(state, 7)
    assert state.discards == [0, 0, (limit + 1) // 2, 0]


def test_a_table_may_send_the_robber_away_from_the_weak():
    for friendly in (False, True):
        state = set_table(PRESET, Phase.ROLLING, friendly_robber=friendly)
        settle(state, BOB, 8, 47)
        roll(state, 7)
        if friendly:
            refused(state, MoveRobber(ALICE, BRICK_6), "friendly_robber")
        else:
            make(state, MoveRobber(ALICE, BRICK_6))


def test_a_table_may_roll_every_pair_of_dice_before_any_comes_again():
    for balanced in (False, True):
        state = set_table(PRESET, balanced_dice=balanced)
        pairs = set()
        for seed in range(24):
            state.phase = Phase.ROLLING
            play(state, Roll(ALICE), RandomChance(Random(seed)))
            pairs.add(state.dice)
        assert (len(pairs) == 24) is balanced


def test_a_table_may_trade_only_when_everybody_has_built():
    state = set_table(PRESET, trade_after_all_built=True)
    give(state, ALICE, ore=1)
    terms = OfferTrade(ALICE, (BOB,), bundle(ore=1), bundle(wool=1))
    for seat in (ALICE, BOB, CHARLIE):
        pave(state, seat, *WAYS[seat][:4])
    refused(state, terms, "no_trade_yet")
    pave(state, DANA, *WAYS[DANA][:4])
    make(state, terms)
