"""The simplified game for three."""

from collections import Counter
from itertools import pairwise, permutations
from random import Random

import pytest

from games.rules import (
    PRESETS,
    Phase,
    RandomChance,
    RuleSetError,
    deal,
    legal_moves,
    new_game,
    play,
    player_view,
    points,
)
from games.rules.boards import BEGINNER, TERRAIN_NAMES
from games.rules.cards import BUNDLE_NAMES, RESOURCE_NAMES
from games.rules.moves import (
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    ConfirmTrade,
    CounterOffer,
    Discard,
    EndTurn,
    MoveRobber,
    OfferTrade,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Roll,
    TradeWithBank,
)
from games.rules.topology import edge_between
from tests.rules.strategies import eager_move
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK_6,
    CARD,
    CHARLIE,
    CITY,
    ORE,
    ROAD,
    SETTLEMENT,
    WAYS,
    WOOL,
    accept,
    bundle,
    costs,
    fresh_table,
    give,
    hand,
    held_cards,
    hold,
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
from tests.sources.shared import awards, building, cards, handshake, rolling, trading, winning

PRESET = "three-player"

# The game


@pytest.mark.parametrize(("total", "winner"), [(9, -1), (10, BOB), (11, BOB)])
def test_ten_points_win(total, winner):
    state = set_table(PRESET)
    winning.raise_points(state, BOB, total)
    make(state, EndTurn(ALICE))
    assert (state.active, state.winner) == (BOB, winner)


def test_the_first_with_ten_points_wins():
    state = set_table(PRESET)
    for seat, *cities in ((ALICE, 0, 1, 2, 11), (BOB, 13, 15, 21, 23), (CHARLIE, 25, 27, 29, 31)):
        raise_cities(state, seat, *cities)
    state.longest_road, state.largest_army = CHARLIE, BOB
    make(state, EndTurn(ALICE))
    assert (state.phase, state.winner) == (Phase.OVER, BOB)


def test_three_play_and_no_other_number():
    for seats in (1, 2, 4, 5, 6):
        with pytest.raises(RuleSetError, match="for 3 players"):
            new_game(PRESETS[PRESET], seats, "beginner", RandomChance(Random(1)))
    state = new_game(PRESETS[PRESET], 3, "beginner", RandomChance(Random(1)))
    assert [seat["seat"] for seat in player_view(state, None)["seats"]] == [ALICE, BOB, CHARLIE]


def test_each_hex_but_the_desert_has_a_resource_and_a_number_from_2_to_12():
    assert len(BEGINNER.terrains) == 19
    for terrain, token in zip(BEGINNER.terrains, BEGINNER.tokens, strict=True):
        assert (token == 0) if TERRAIN_NAMES[terrain] == "desert" else 2 <= token <= 12


@pytest.mark.parametrize(
    ("vertex", "number", "resource"),
    [(2, 9, "lumber"), (8, 6, "brick"), (1, 2, "wool"), (11, 12, "grain"), (0, 10, "ore")],
)
def test_forest_hills_pasture_fields_and_mountains_produce(vertex, number, resource):
    state = set_table(PRESET, Phase.ROLLING)
    settle(state, ALICE, vertex)
    roll(state, number)
    assert hand(state, ALICE) == {resource: 1}


# Development cards


def test_a_development_card_costs_ore_wool_and_grain():
    costs(set_table(PRESET), BuyCard(ALICE), CARD)


def test_a_progress_card_is_gone_after_its_benefit():
    state = set_table(PRESET)
    hold(state, ALICE, "monopoly")
    make(state, PlayMonopoly(ALICE, ORE))
    refused(state, PlayMonopoly(ALICE, ORE), "card_not_held")


def test_monopoly_takes_all_cards_of_one_resource_from_all_others():
    cards.monopoly_takes_all_cards_of_one_resource_from_all_others(PRESET)


def test_road_building_places_two_roads_where_paid_ones_could_stand():
    cards.road_building_places_two_roads_where_paid_ones_could_stand(PRESET)


def test_year_of_plenty_takes_two_cards_to_use_in_the_same_turn():
    cards.the_cards_of_a_year_of_plenty_build_at_once(PRESET)


def test_three_knights_in_hand_are_largest_army_until_somebody_holds_more():
    """The first cards of this deck are knights. They count when bought, and none is played."""
    state = set_table(PRESET)
    course = []
    for seat in (ALICE, ALICE, ALICE, BOB, BOB, BOB, BOB, ALICE, ALICE):
        while state.active != seat:
            make(state, EndTurn(state.active))
            roll(state, 2)
        give(state, seat, **CARD)
        make(state, BuyCard(seat))
        assert held_cards(state, seat)[-1] == "knight"
        course.append((player_view(state, None)["largest_army"], points(state, ALICE), points(state, BOB)))
    assert course == [
        (None, 0, 0),
        (None, 0, 0),
        (ALICE, 2, 0),
        (ALICE, 2, 0),
        (ALICE, 2, 0),
        (ALICE, 2, 0),
        (BOB, 0, 2),
        (BOB, 0, 2),
        (ALICE, 2, 0),
    ]


def test_other_cards_in_hand_are_no_army():
    state = set_table(PRESET)
    hold(state, ALICE, *["monopoly", "year_of_plenty", "road_building", "victory_point"] * 2)
    give(state, ALICE, **CARD)
    make(state, BuyCard(ALICE))
    assert state.largest_army == -1


@pytest.mark.parametrize("phase", [Phase.ROLLING, Phase.MAIN])
@pytest.mark.parametrize("knights", [1, 3])
def test_knights_are_never_played(phase, knights):
    state = set_table(PRESET, phase)
    hold(state, ALICE, *["knight"] * knights)
    refused(state, PlayKnight(ALICE), "knights_never_played")


@pytest.mark.parametrize("seed", range(4))
def test_nobody_is_ever_robbed(seed):
    """In whole games, whatever people do: no robber to move, and no card taken but by trade and Monopoly."""
    source = Random(seed)
    chance = RandomChance(source)
    state = new_game(PRESETS[PRESET], 3, "random", chance)
    robber, sevens = state.robber, 0
    for _ in range(600):
        if state.phase is Phase.OVER:
            break
        for seat in state.seats:
            kinds = {move.kind for move in legal_moves(state, seat)}
            assert not kinds & {"play_knight", "move_robber", "steal"}
        move, hands = eager_move(state, source), [sum(cards) for cards in state.hands]
        play(state, move, chance)
        if move.kind not in ("confirm_trade", "play_monopoly"):
            nobody_has_taken_a_card(move.seat, hands, [sum(cards) for cards in state.hands])
        sevens += sum(state.dice) == 7
        assert state.phase not in (Phase.MOVING_ROBBER, Phase.STEALING)
    assert sevens
    assert state.robber == robber


def nobody_has_taken_a_card(mover, before, after):
    """Only who moved has fewer cards, and then nobody has more: what they spent went to the bank."""
    gained = [now - then for then, now in zip(before, after, strict=True)]
    spent = -gained.pop(mover)
    assert min(gained) >= 0
    assert spent <= 0 or max(gained) == 0


def test_a_victory_point_card_counts_for_whoever_holds_it():
    state = set_table(PRESET)
    hold(state, ALICE, *["victory_point"] * 5)
    assert points(state, ALICE) == 5


# Building


def test_a_road_costs_brick_and_lumber():
    building.a_road_costs_brick_and_lumber(PRESET)


@pytest.mark.parametrize("neighbor", ["road", "settlement", "city"])
def test_a_road_continues_an_own_road_settlement_or_city(neighbor):
    building.a_road_continues_an_own_road_settlement_or_city(PRESET, neighbor)


def test_a_road_apart_from_ones_own_pieces_is_refused():
    building.a_road_apart_from_ones_own_pieces_is_refused(PRESET)


def test_a_later_settlement_costs_brick_lumber_grain_and_wool():
    building.a_later_settlement_costs_brick_lumber_grain_and_wool(PRESET)


def test_settlements_keep_two_edges_between_them():
    building.settlements_keep_two_edges_between_them(PRESET)


def test_a_settlement_without_an_own_road_is_refused():
    building.a_settlement_without_an_own_road_is_refused(PRESET)


def test_a_settlement_is_worth_one_point():
    building.a_settlement_is_worth_one_point(PRESET)


def test_a_city_costs_two_grain_and_three_ore():
    building.a_city_costs_two_grain_and_three_ore(PRESET)


def test_a_city_replaces_a_settlement_and_adds_one_point():
    building.a_city_replaces_a_settlement_and_adds_one_point(PRESET)


def test_a_settlement_yields_one_card_and_a_city_two():
    rolling.a_settlement_yields_one_card_and_a_city_two(PRESET)


def test_everybody_receives_from_anybodys_roll():
    rolling.everybody_receives_from_anybodys_roll(PRESET)


# Trade


@pytest.mark.parametrize("got", BUNDLE_NAMES)
@pytest.mark.parametrize("given", BUNDLE_NAMES)
def test_players_exchange_anything_for_anything(given, got):
    """Resources and development cards of any kind, the same kind on both sides too."""
    state = set_table(PRESET)
    put_into_hand(state, ALICE, given)
    put_into_hand(state, BOB, got)
    offer(state, (BOB, CHARLIE), {given: 1}, {got: 1})
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert everything_held(state, ALICE) == {got: 1}
    assert everything_held(state, BOB) == {given: 1}


def put_into_hand(state, seat, name):
    if name in RESOURCE_NAMES:
        give(state, seat, **{name: 1})
    else:
        hold(state, seat, name)


def everything_held(state, seat):
    return Counter(held_cards(state, seat)) + Counter(hand(state, seat))


def test_players_exchange_many_cards_at_once_some_of_them_on_both_sides():
    state = set_table(PRESET)
    hold(state, ALICE, "knight")
    give(state, ALICE, ore=3)
    hold(state, BOB, "monopoly", "knight")
    give(state, BOB, ore=1, wool=2)
    offer(state, (BOB,), {"knight": 1, "ore": 3}, {"knight": 1, "monopoly": 1, "ore": 1, "wool": 2})
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert everything_held(state, ALICE) == {"knight": 1, "monopoly": 1, "ore": 1, "wool": 2}
    assert everything_held(state, BOB) == {"knight": 1, "ore": 3}


def test_of_two_cards_alike_each_goes_to_the_other_player():
    """Alice gets the Monopoly that Bob has had for long, and may play it: hers was bought this turn."""
    state = set_table(PRESET)
    hold(state, ALICE, "monopoly", new=True)
    hold(state, BOB, "monopoly")
    refused(state, PlayMonopoly(ALICE, ORE), "bought_this_turn")
    offer(state, (BOB,), {"monopoly": 1}, {"monopoly": 1})
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    make(state, PlayMonopoly(ALICE, ORE))


def test_an_exchange_has_two_sides():
    trading.cards_are_not_given_away(PRESET)
    state = set_table(PRESET)
    hold(state, ALICE, "knight")
    refused(state, OfferTrade(ALICE, (BOB,), bundle(knight=1), bundle()), "gift")
    refused(state, OfferTrade(ALICE, (BOB,), bundle(), bundle(ore=1)), "gift")


def test_nobody_offers_accepts_or_counters_with_cards_they_do_not_hold():
    handshake.nobody_offers_accepts_or_counters_with_cards_they_do_not_hold(PRESET)
    state = set_table(PRESET)
    give(state, BOB, ore=1)
    refused(state, OfferTrade(ALICE, (BOB,), bundle(knight=1), bundle(ore=1)), "cards_not_held")


def test_a_promise_that_cannot_be_kept_is_found_out_by_whoever_confirms_it():
    handshake.a_promise_that_cannot_be_kept_is_found_out_by_whoever_confirms_it(PRESET)


def test_a_traded_victory_point_counts_for_its_new_holder():
    state = set_table(PRESET)
    hold(state, ALICE, "victory_point")
    give(state, BOB, ore=1)
    offer(state, (BOB,), {"victory_point": 1}, {"ore": 1})
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert (points(state, ALICE), points(state, BOB)) == (0, 1)


def test_a_traded_knight_takes_largest_army_along():
    state = set_table(PRESET)
    hold(state, ALICE, *["knight"] * 3)
    state.largest_army = ALICE
    hold(state, BOB, *["knight"] * 2)
    give(state, BOB, ore=1)
    offer(state, (BOB,), {"knight": 1}, {"ore": 1})
    accept(state, BOB)
    make(state, ConfirmTrade(ALICE, 0, BOB))
    assert state.largest_army == BOB


def test_the_bank_does_not_trade():
    state = set_table(PRESET)
    settle(state, ALICE, 0)
    give(state, ALICE, ore=4)
    refused(state, TradeWithBank(ALICE, ORE, 3, WOOL), "no_maritime_trade")
    refused(state, TradeWithBank(ALICE, ORE, 4, WOOL), "no_maritime_trade")


# The course of the game


def test_the_setup_goes_round_the_table_and_back():
    building.the_setup_goes_round_the_table_and_back(PRESET)


def test_two_settlements_make_the_first_two_points():
    state = fresh_table(PRESET)
    while state.phase is not Phase.ROLLING:
        make(state, legal_moves(state, state.active)[0])
    assert [points(state, seat) for seat in state.seats] == [2, 2, 2]


def test_the_start_brings_one_card_of_each_type_that_touches_either_settlement():
    state = fresh_table(PRESET)
    # Alice: ore 10, wool 2 and brick 6; then lumber 11, brick 6 and the desert.
    for home in ((8, 4), (0, 3), (2, 5), (26, 20), (42, 37)):
        building.place(state, *home)
    make(state, BuildSettlement(ALICE, 23))
    assert hand(state, ALICE) == {"brick": 1, "lumber": 1, "wool": 1, "ore": 1}


def test_the_turns_go_in_the_order_of_the_seats():
    dealt = deal(PRESETS[PRESET], 3, "random", RandomChance(Random(9)))
    assert dealt.order == (0, 1, 2)
    state = set_table(PRESET)
    for seat in (ALICE, BOB, CHARLIE):
        state.phase = Phase.MAIN
        make(state, EndTurn(seat))
    assert state.active == ALICE


def test_two_dice_decide_what_is_produced():
    state = set_table(PRESET, Phase.ROLLING)
    settle(state, ALICE, 24)
    make(state, Roll(ALICE), 0, 1)
    assert (state.dice, hand(state, ALICE)) == ((1, 2), {"lumber": 1})


def test_a_turn_builds_as_many_roads_settlements_and_cities_as_there_are_pieces():
    state = set_table(PRESET)
    settle(state, ALICE, 21)
    way = (*WAYS[2], 32, 37, 31, 36, 30)
    for a, b in pairwise(way):
        give(state, ALICE, **ROAD)
        make(state, BuildRoad(ALICE, edge_between(a, b)))
    for vertex in way[2:10:2]:
        give(state, ALICE, **SETTLEMENT)
        make(state, BuildSettlement(ALICE, vertex))
    for vertex in way[2:10:2]:
        give(state, ALICE, **CITY)
        make(state, BuildCity(ALICE, vertex))
    for vertex in way[10::2]:
        give(state, ALICE, **SETTLEMENT)
        make(state, BuildSettlement(ALICE, vertex))
    pieces = (state.roads[ALICE], state.settlements[ALICE], state.cities[ALICE])
    assert [on_the_board.bit_count() for on_the_board in pieces] == [15, 4, 4]
    assert (state.active, state.phase) == (ALICE, Phase.MAIN)


def test_a_turn_buys_as_many_cards_as_there_are():
    state = set_table(PRESET)
    for _ in range(25):
        give(state, ALICE, **CARD)
        make(state, BuyCard(ALICE))
    assert len(held_cards(state, ALICE)) == 25
    assert state.active == ALICE


def test_a_turn_plays_as_many_cards_as_one_holds():
    state = set_table(PRESET)
    settle(state, ALICE, 21)
    hold(state, ALICE, *["monopoly", "year_of_plenty", "road_building"] * 2)
    for resource in (ORE, WOOL):
        make(state, PlayMonopoly(ALICE, resource))
        make(state, PlayYearOfPlenty(ALICE, resources(ore=2)))
        make(state, PlayRoadBuilding(ALICE))
        while state.phase is Phase.PLACING_FREE_ROADS:
            make(state, legal_moves(state, ALICE)[0])
    assert held_cards(state, ALICE) == []
    assert state.roads[ALICE].bit_count() == 4


def test_a_turn_holds_any_number_of_trades():
    state = set_table(PRESET)
    give(state, ALICE, ore=12)
    for number in range(12):
        partner = (BOB, CHARLIE)[number % 2]
        give(state, partner, wool=1)
        offer(state, (partner,), {"ore": 1}, {"wool": 1})
        accept(state, partner)
        make(state, ConfirmTrade(ALICE, number, partner))
    assert hand(state, ALICE) == {"wool": 12}


def test_any_number_of_offers_lies_open_and_any_number_of_answers_to_them():
    state = set_table(PRESET)
    give(state, ALICE, ore=12)
    give(state, BOB, wool=12)
    for count in range(1, 13):
        offer(state, (BOB, CHARLIE), {"ore": count}, {"wool": 1})
    for count in range(1, 13):
        make(state, CounterOffer(BOB, 0, bundle(wool=count), bundle(ore=12)))
    assert sorted(offer.maker for offer in state.offers) == [ALICE] * 12 + [BOB] * 12


@pytest.mark.parametrize("order", list(permutations(("trade", "build", "buy"))))
def test_a_turn_trades_builds_and_buys_without_limit(order):
    """In any order, and again and again."""
    state = set_table(PRESET)
    settle(state, ALICE, 17)
    for what in order * 3:
        if what == "trade":
            give(state, ALICE, ore=1)
            give(state, BOB, wool=1)
            offer(state, (BOB,), {"ore": 1}, {"wool": 1})
            accept(state, BOB)
            make(state, ConfirmTrade(ALICE, state.offers[-1].number, BOB))
        elif what == "build":
            give(state, ALICE, **ROAD)
            make(state, next(move for move in legal_moves(state, ALICE) if move.kind == "build_road"))
        else:
            give(state, ALICE, **CARD)
            make(state, BuyCard(ALICE))
    make(state, EndTurn(ALICE))


@pytest.mark.parametrize(("turn", "again"), [(1, True), (6, True), (7, False)])
def test_a_seven_of_the_first_two_rounds_is_rolled_again(turn, again):
    state = set_table(PRESET, Phase.ROLLING)
    state.turn = turn
    events = make(state, Roll(ALICE), 0, 5, *[3, 3] * again)
    assert [event.kind for event in events].count("rolled") == 1 + again
    assert sum(state.dice) == (8 if again else 7)


def test_a_seven_only_makes_hands_above_seven_give_back_half():
    state = set_table(PRESET, Phase.ROLLING)
    settle(state, BOB, 8)
    give(state, BOB, ore=9)
    give(state, CHARLIE, wool=7)
    roll(state, 7)
    assert state.discards == [0, 4, 0]
    make(state, Discard(BOB, resources(ore=4)))
    assert state.phase is Phase.MAIN
    assert state.bank[ORE] == 14
    refused(state, MoveRobber(ALICE, BRICK_6), "wrong_phase")


# The end


def test_ten_points_must_be_held_when_ones_own_turn_begins():
    state = set_table(PRESET)
    awards.nine_points_then_a_city(state)
    assert points(state, ALICE) == 10
    assert state.phase is Phase.MAIN
    make(state, EndTurn(ALICE))
    for seat in (BOB, CHARLIE):
        roll(state, 2)
        assert state.winner == -1
        make(state, EndTurn(seat))
    assert (state.phase, state.winner) == (Phase.OVER, ALICE)


def test_points_lost_before_ones_turn_begins_do_not_win():
    state = set_table(PRESET)
    raise_cities(state, ALICE, 0, 1, 2, 52)
    pave(state, ALICE, *WAYS[2][:6])
    state.longest_road = ALICE
    make(state, EndTurn(ALICE))
    pave(state, BOB, 17, 12)
    give(state, BOB, **SETTLEMENT)
    state.phase = Phase.MAIN
    make(state, BuildSettlement(BOB, 17))
    make(state, EndTurn(BOB))
    state.phase = Phase.MAIN
    make(state, EndTurn(CHARLIE))
    assert (state.active, state.winner) == (ALICE, -1)
