"""Every option of the rule set: what a table sees under each of its values.

A scene plays a few moves under one value and tells what came of it. Each value must come out
differently from every other, so that no value could be mistaken for another.
"""

from random import Random

import pytest

from games.rules import (
    NOBODY,
    IllegalMove,
    Phase,
    RandomChance,
    RecordedChance,
    RuleSet,
    deal,
    legal_moves,
    play,
)
from games.rules.moves import (
    BuildRoad,
    BuildSettlement,
    BuyCard,
    CounterOffer,
    MoveRobber,
    OfferTrade,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
    Roll,
    StopPlacingRoads,
    TradeWithBank,
)
from games.rules.ruleset import OPTIONS
from games.rules.state import points
from games.rules.topology import edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK_6,
    CARD,
    CHARLIE,
    ORE,
    SETTLEMENT,
    WAYS,
    WOOL,
    bundle,
    fresh_table,
    give,
    hand,
    hold,
    lay_open,
    leave_in_bank,
    make,
    pave,
    raise_cities,
    resources,
    roll,
    set_table,
    settle,
)


def answer(state, move):
    """The code of the refusal, or ``None`` where the move is played."""
    try:
        play(state, move, RecordedChance(()))
    except IllegalMove as refusal:
        return refusal.code
    return None


def most_seats(value):
    return list(RuleSet(most_seats=value).seats)


def win_declared(value):
    """Who has won after Bob's tenth point on Alice's turn, his turn's beginning, and Alice's tenth."""
    others = set_table(win_declared=value)
    raise_cities(others, BOB, 0, 1, 2, 11)
    hold(others, BOB, "victory_point", "victory_point")
    own = set_table(win_declared=value)
    raise_cities(own, ALICE, 0, 1, 2, 11)
    hold(own, ALICE, "victory_point", "victory_point")
    for state in (others, own):
        give(state, ALICE, **CARD)
        make(state, BuyCard(ALICE))
    return others.winner, own.winner


def turn_order(value):
    """The orders of a hundred games: as seated, going round, or any."""
    rules = RuleSet(turn_order=value)
    orders = {deal(rules, 4, "beginner", RandomChance(Random(seed))).order for seed in range(100)}
    return "seated" if len(orders) == 1 else "round" if len(orders) == 4 else "any"


def starting_resources(value):
    """What a first settlement at ore, wool and brick and a second at brick and lumber bring."""
    state = fresh_table(seats=3, starting_resources=value)
    for vertex, onward in ((8, 4), (0, 3), (2, 5), (26, 20), (42, 37)):
        seat = state.active
        make(state, BuildSettlement(seat, vertex))
        make(state, BuildRoad(seat, edge_between(vertex, onward)))
    make(state, BuildSettlement(ALICE, 23))
    return hand(state, ALICE)


def early_sevens(value):
    state = set_table(phase=Phase.ROLLING, early_sevens=value)
    state.turn = 1
    play(state, Roll(ALICE), RecordedChance([0, 5, 0, 0]))
    return sum(state.dice)


def robber(value):
    state = set_table(phase=Phase.ROLLING, robber=value)
    roll(state, 7)
    return state.phase


def bank_shortage(value):
    state = set_table(phase=Phase.ROLLING, bank_shortage=value)
    raise_cities(state, ALICE, 8)
    leave_in_bank(state, BOB, brick=1)
    roll(state, 6)
    return hand(state, ALICE)


def maritime_trade(value):
    state = set_table(maritime_trade=value)
    give(state, ALICE, ore=4)
    leave_in_bank(state, BOB, wool=0)
    return answer(state, TradeWithBank(ALICE, ORE, 4, WOOL))


def knights(value):
    state = set_table(phase=Phase.ROLLING, knights=value)
    hold(state, ALICE, "knight")
    if answer(state, PlayKnight(ALICE)):
        return "refused"
    make(state, MoveRobber(ALICE, BRICK_6))
    return [move.kind for move in legal_moves(state, ALICE)]


def largest_army(value):
    """Alice holds three knights and plays one of them; Bob has played three."""
    state = set_table(largest_army=value)
    hold(state, ALICE, *["knight"] * 4)
    lay_open(state, BOB, *["knight"] * 3)
    make(state, PlayKnight(ALICE))
    return state.largest_army


def road_building(value):
    """With no road left, and with two: how the card is answered, and stopping before a road."""
    without = set_table(road_building=value)
    pave(without, ALICE, *WAYS[2])
    pave(without, ALICE, *WAYS[4][:6])
    hold(without, ALICE, "road_building")
    plenty = set_table(road_building=value)
    settle(plenty, ALICE, 17)
    hold(plenty, ALICE, "road_building")
    make(plenty, PlayRoadBuilding(ALICE))
    return answer(without, PlayRoadBuilding(ALICE)), answer(plenty, StopPlacingRoads(ALICE))


def victory_point_cards(value):
    """What a card counts in hand; and whether one can be played on the turn it was bought."""
    state = set_table(victory_point_cards=value)
    hold(state, ALICE, "victory_point", new=True)
    return points(state, ALICE), answer(state, PlayVictoryPoint(ALICE))


def longest_road_cut(value):
    """Bob's roads are cut down to Charlie's five; or to six, more than anybody else has."""
    return [holder_after_cut(value, length) for length in (7, 8)]


def holder_after_cut(value, length):
    state = set_table(longest_road_cut=value)
    pave(state, BOB, *WAYS[2][: length + 1])
    state.longest_road = BOB
    pave(state, CHARLIE, *WAYS[4][:6])
    pave(state, ALICE, 22, 28)
    give(state, ALICE, **SETTLEMENT)
    make(state, BuildSettlement(ALICE, 22))
    return state.longest_road


def cards_in_trades(value):
    state = set_table(cards_in_trades=value)
    hold(state, ALICE, "knight")
    return answer(state, OfferTrade(ALICE, (BOB,), bundle(knight=1), bundle(ore=1)))


def counter_offers(value):
    state = set_table(counter_offers=value)
    give(state, ALICE, ore=1)
    give(state, BOB, wool=1)
    make(state, OfferTrade(ALICE, (BOB,), bundle(ore=1), bundle(brick=1)))
    return answer(state, CounterOffer(BOB, 0, bundle(wool=1), bundle(ore=1)))


def player_trades(value):
    """A resource for itself; and a seventh offer."""
    state = set_table(player_trades=value)
    give(state, ALICE, ore=7)
    for count in range(1, 7):
        make(state, OfferTrade(ALICE, (BOB,), bundle(ore=count), bundle(brick=1)))
    seventh = OfferTrade(ALICE, (BOB,), bundle(ore=7), bundle(brick=1))
    return answer(state, OfferTrade(ALICE, (BOB,), bundle(ore=2), bundle(ore=1, wool=1))), answer(state, seventh)


def cards_a_turn(value):
    state = set_table(cards_a_turn=value)
    hold(state, ALICE, "monopoly", "year_of_plenty")
    make(state, PlayMonopoly(ALICE, ORE))
    return answer(state, PlayYearOfPlenty(ALICE, resources(ore=2)))


def friendly_robber(value):
    state = set_table(phase=Phase.ROLLING, friendly_robber=value)
    settle(state, BOB, 8)
    roll(state, 7)
    return answer(state, MoveRobber(ALICE, BRICK_6))


def balanced_dice(value):
    """How many numbers a roll draws: one card of the 36, or two dice."""
    state = set_table(phase=Phase.ROLLING, balanced_dice=value)
    chance = RecordedChance([0, 0])
    play(state, Roll(ALICE), chance)
    return chance.used


def trade_after_all_built(value):
    state = set_table(trade_after_all_built=value)
    give(state, ALICE, ore=1)
    return answer(state, OfferTrade(ALICE, (BOB,), bundle(ore=1), bundle(wool=1)))


SCENES = {
    most_seats: {3: [3], 4: [3, 4]},
    win_declared: {
        "own_turn": (NOBODY, ALICE),
        "any_moment": (BOB, ALICE),
        "turn_begins": (NOBODY, NOBODY),
    },
    turn_order: {"highest_roll": "round", "random": "any", "seat_order": "seated"},
    starting_resources: {
        "second_settlement": {"brick": 1, "lumber": 1},
        "each_type_once": {"brick": 1, "lumber": 1, "wool": 1, "ore": 1},
    },
    early_sevens: {"allowed": 7, "rolled_again": 2},
    robber: {True: Phase.MOVING_ROBBER, False: Phase.MAIN},
    bank_shortage: {"sole_claimant": {"brick": 1}, "nobody": {}},
    maritime_trade: {"limited": "bank_lacks", "unlimited": None, "none": "no_maritime_trade"},
    knights: {
        "then_roll": ["roll"],
        "may_replace_roll": ["roll", "skip_roll"],
        "never_played": "refused",
    },
    largest_army: {"knights_played": BOB, "knights_held": ALICE},
    road_building: {
        "both": ("no_road_left", "must_place_roads"),
        "up_to_two": ("no_road_left", None),
        "spent_regardless": (None, "must_place_roads"),
    },
    victory_point_cards: {
        "at_once": (1, "points_count_already"),
        "when_played": (0, None),
        "like_any_other": (0, "bought_this_turn"),
    },
    longest_road_cut: {
        "recount": [BOB, BOB],
        "holder_loses": [NOBODY, BOB],
        "lost_until_built": [NOBODY, NOBODY],
    },
    cards_in_trades: {False: "cards_not_traded", True: None},
    counter_offers: {True: None, False: "no_counter_offers"},
    player_trades: {"fair": ("same_on_both_sides", "too_many_offers"), "anything": (None, None)},
    cards_a_turn: {"one": "one_card_a_turn", "any_number": None},
    friendly_robber: {False: None, True: "friendly_robber"},
    balanced_dice: {False: 2, True: 1},
    trade_after_all_built: {False: None, True: "no_trade_yet"},
}


@pytest.mark.parametrize(
    ("scene", "value", "outcome"),
    [
        pytest.param(scene, value, outcome, id=f"{scene.__name__}={value}")
        for scene, outcomes in SCENES.items()
        for value, outcome in outcomes.items()
    ],
)
def test_an_option_does_what_its_value_says(scene, value, outcome):
    assert scene(value) == outcome


def test_every_value_of_every_option_has_an_outcome_of_its_own():
    outcomes = {scene.__name__: values for scene, values in SCENES.items()}
    for option in OPTIONS:
        if option.numbers is None:
            assert set(outcomes.pop(option.name)) == {value for value, _ in option.values}
    assert outcomes == {}
    for values in SCENES.values():
        assert len({repr(outcome) for outcome in values.values()}) == len(values)


@pytest.mark.parametrize("goal", range(8, 16))
def test_the_points_to_win_are_the_tables(goal):
    state = set_table(points_to_win=goal)
    raise_cities(state, ALICE, 0, 1, 2)
    hold(state, ALICE, *["victory_point"] * min(goal - 7, 5))
    if goal > 12:
        settle(state, ALICE, *(29, 31, 33)[: goal - 12])
    assert points(state, ALICE) == goal - 1
    give(state, ALICE, brick=1, lumber=1, wool=2, grain=2, ore=1)
    make(state, BuyCard(ALICE))
    assert state.winner == NOBODY
    pave(state, ALICE, 40, 44)
    make(state, BuildSettlement(ALICE, 44))
    assert state.winner == ALICE
