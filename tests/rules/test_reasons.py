"""Why a player cannot do something now: the reason on each button that is not to be pressed."""

from random import Random

import pytest

from games.rules import PRESETS, IllegalMove, Phase, RandomChance, legal_moves, new_game, play, to_act, why_not
from games.rules.moves import BuyCard, EndTurn, PlayKnight, PlayRoadBuilding, Roll
from games.rules.refusals import SENTENCES
from tests.rules.table import (
    ALICE,
    BOB,
    CARD,
    CITY,
    ROAD,
    SETTLEMENT,
    WAYS,
    give,
    hold,
    leave_in_bank,
    offer,
    pave,
    raise_cities,
    set_table,
    settle,
)


def nothing(state):
    """An empty hand on an empty island."""


def a_road_without_a_path(state):
    give(state, ALICE, **ROAD)


def fifteen_roads(state):
    pave(state, ALICE, *WAYS[2])
    pave(state, ALICE, *WAYS[4][:6])


def a_settlement_without_a_corner(state):
    pave(state, ALICE, 17, 23)
    settle(state, BOB, 17)
    give(state, ALICE, **SETTLEMENT)


def five_settlements(state):
    settle(state, ALICE, 0, 1, 2, 11, 21)


def a_city_without_a_settlement(state):
    give(state, ALICE, **CITY)


def four_cities(state):
    raise_cities(state, ALICE, 0, 1, 2, 11)


def an_empty_deck(state):
    state.dealt = 25
    give(state, ALICE, **CARD)


def an_empty_deck_and_hand(state):
    state.dealt = 25


def new_cards(state):
    hold(state, ALICE, "knight", "road_building", "year_of_plenty", "monopoly", new=True)


def a_second_card(state):
    hold(state, ALICE, "knight", "road_building", "year_of_plenty", "monopoly")
    state.cards_played = 1


def road_building_without_a_road(state):
    fifteen_roads(state)
    hold(state, ALICE, "road_building")


def road_building_without_a_path(state):
    hold(state, ALICE, "road_building")


def an_empty_bank(state):
    leave_in_bank(state, BOB, **dict.fromkeys(("brick", "lumber", "wool", "grain", "ore"), 0))
    hold(state, ALICE, "year_of_plenty")


def a_victory_point(state):
    hold(state, ALICE, "victory_point")


def three_alike(state):
    give(state, ALICE, ore=3)


def the_bank_has_nothing_else(state):
    give(state, ALICE, ore=4)
    leave_in_bank(state, BOB, brick=0, lumber=0, wool=0, grain=0)


def six_offers(state):
    give(state, ALICE, ore=1)
    for count in range(1, 7):
        offer(state, (BOB,), {"ore": 1}, {"wool": count})


@pytest.mark.parametrize(
    ("scene", "action", "code"),
    [
        (nothing, "build_road", "cannot_pay"),
        (nothing, "build_settlement", "cannot_pay"),
        (nothing, "build_city", "cannot_pay"),
        (nothing, "buy_card", "cannot_pay"),
        (nothing, "play_knight", "card_not_held"),
        (nothing, "play_road_building", "card_not_held"),
        (nothing, "play_year_of_plenty", "card_not_held"),
        (nothing, "play_monopoly", "card_not_held"),
        (nothing, "play_victory_point", "card_not_held"),
        (nothing, "trade_with_bank", "too_few_alike"),
        (nothing, "offer_trade", "nothing_to_offer"),
        (nothing, "roll", "already_rolled"),
        (a_road_without_a_path, "build_road", "no_free_path"),
        (fifteen_roads, "build_road", "no_road_left"),
        (a_settlement_without_a_corner, "build_settlement", "no_free_corner"),
        (five_settlements, "build_settlement", "no_settlement_left"),
        (a_city_without_a_settlement, "build_city", "nothing_to_upgrade"),
        (four_cities, "build_city", "no_city_left"),
        (an_empty_deck, "buy_card", "deck_empty"),
        (an_empty_deck_and_hand, "buy_card", "deck_empty"),
        (new_cards, "play_knight", "bought_this_turn"),
        (new_cards, "play_monopoly", "bought_this_turn"),
        (a_second_card, "play_knight", "one_card_a_turn"),
        (a_second_card, "play_year_of_plenty", "one_card_a_turn"),
        (road_building_without_a_road, "play_road_building", "no_road_left"),
        (road_building_without_a_path, "play_road_building", "no_free_road_possible"),
        (an_empty_bank, "play_year_of_plenty", "bank_lacks"),
        (a_victory_point, "play_victory_point", "points_count_already"),
        (three_alike, "trade_with_bank", "too_few_alike"),
        (the_bank_has_nothing_else, "trade_with_bank", "bank_lacks"),
        (six_offers, "offer_trade", "too_many_offers"),
    ],
)
def test_an_action_that_is_not_possible_says_why(scene, action, code):
    state = set_table()
    scene(state)
    assert why_not(state, ALICE)[action] == (code, SENTENCES[code])


@pytest.mark.parametrize(
    ("preset", "action", "code"),
    [
        ("three-player", "play_knight", "knights_never_played"),
        ("three-player", "trade_with_bank", "no_maritime_trade"),
        ("definition-of-done", "play_victory_point", "card_not_held"),
    ],
)
def test_an_action_the_table_does_not_have_says_so(preset, action, code):
    assert why_not(set_table(preset), ALICE)[action][0] == code


def test_no_trade_yet_is_the_reason_before_everyone_has_built():
    state = set_table(trade_after_all_built=True)
    give(state, ALICE, ore=1)
    assert why_not(state, ALICE)["offer_trade"][0] == "no_trade_yet"


@pytest.mark.parametrize(
    ("phase", "seat", "code"),
    [
        (Phase.ROLLING, ALICE, "roll_first"),
        (Phase.ROLLING, BOB, "not_your_turn"),
        (Phase.MOVING_ROBBER, ALICE, "wrong_phase"),
        (Phase.MAIN, BOB, "not_your_turn"),
        (Phase.OVER, ALICE, "game_over"),
        (Phase.OVER, BOB, "game_over"),
    ],
)
def test_whoever_is_not_to_act_is_told_when(phase, seat, code):
    assert why_not(set_table(phase=phase), seat)["build_road"][0] == code


@pytest.mark.parametrize("preset", PRESETS)
def test_every_action_is_possible_or_has_the_reason_of_its_refusal(preset):
    random = Random(preset)
    state = new_game(PRESETS[preset], 3, "random", RandomChance(random))
    for _ in range(400):
        for seat in state.seats:
            reasons = why_not(state, seat)
            listed = {move.kind for move in legal_moves(state, seat)}
            assert not listed & reasons.keys()
            for kind in (Roll, BuyCard, PlayKnight, PlayRoadBuilding, EndTurn):
                if kind.kind in reasons:
                    with pytest.raises(IllegalMove) as refusal:
                        play(state.copy(), kind(seat), RandomChance(random))
                    assert refusal.value.code == reasons[kind.kind][0]
                else:
                    assert kind.kind in listed
        waiting = to_act(state)
        if waiting:
            seat = random.choice(waiting)
            play(state, random.choice(legal_moves(state, seat)), RandomChance(random))
