"""What is said of the moves that a bot would consider: what to do, and why, out of what its player sees."""

from __future__ import annotations

import json
from random import Random
from typing import get_args

import pytest

from games.bots import give_up_trade
from games.bots.considering import Consideration, Gain, GainKind
from games.bots.position import Position
from games.rules import Move, Phase, RandomChance, State, moves, new_game, play, player_view
from games.rules.boards import PIPS
from games.rules.moves import from_json
from games.rules.ruleset import PRESETS
from games.rules.topology import HEX_VERTICES, VERTEX_HEXES, VERTICES, edge_between
from games.rules.views import listed
from games.words import Teller
from games.words_advice import Advised, advised
from games.words_places import place_names
from tests.rules.agreement import is_promise_broken
from tests.rules.strategies import eager_move
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK,
    BRICK_6,
    CHARLIE,
    CITY,
    DESERT,
    LUMBER_8,
    ORE,
    ORE_10,
    SETTLEMENT,
    WAYS,
    WOOL,
    accept,
    bundle,
    fresh_table,
    give,
    lay_open,
    offer,
    pave,
    raise_cities,
    resources,
    set_table,
    settle,
)

CAST = ("Alice", "Bob", "Charlie", "Dana")
NORTH, SECOND, THIRD, SOUTH = WAYS[0], WAYS[1], WAYS[2], WAYS[5]
GAINS: tuple[GainKind, ...] = get_args(GainKind)


def advice_on(state: State, move: Move, *gains: GainKind) -> Advised:
    view = player_view(state, move.seat)
    teller = Teller(CAST, move.seat, place_names(view["board"]))
    considered = Consideration(move, 0.5, tuple(Gain(kind, 1.0) for kind in gains))
    (told,) = advised(teller, view, [considered])
    return told


def title(state: State, move: Move) -> str:
    return advice_on(state, move)["title"]


def reason(state: State, move: Move, *gains: GainKind) -> str:
    return advice_on(state, move, *gains)["reason"]


def village() -> State:
    """Alice has a settlement and two roads in the north, Bob and Charlie live in the south."""
    state = set_table(seats=3)
    settle(state, ALICE, NORTH[0])
    pave(state, ALICE, *NORTH[:3])
    settle(state, BOB, SOUTH[0])
    settle(state, CHARLIE, SOUTH[4])
    return state


# What to do


def test_a_move_on_the_board_is_named_by_its_place_and_points_at_it() -> None:
    told = advice_on(fresh_table(), moves.BuildSettlement(ALICE, NORTH[2]))
    assert told["title"] == "Settle on the corner of 2 wool, 10 ore"
    assert told["places"] == [f"vertex-{NORTH[2]}"]
    assert told["move"] == {"kind": "build_settlement", "vertex": NORTH[2]}


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (moves.BuildCity(ALICE, NORTH[2]), "Build a city on the corner of 2 wool, 10 ore"),
        (
            moves.BuildRoad(ALICE, edge_between(NORTH[2], SECOND[3])),
            "Build a road on the path between 2 wool and 10 ore",
        ),
        (moves.Roll(ALICE), "Roll the dice"),
        (moves.SkipRoll(ALICE), "Skip the roll"),
        (moves.Discard(ALICE, resources(brick=1, ore=2)), "Discard 1 brick and 2 ore"),
        (moves.MoveRobber(ALICE, BRICK_6), "Move the robber to the 6 brick"),
        (moves.MoveRobber(ALICE, DESERT), "Move the robber to the desert"),
        (moves.Steal(ALICE, BOB), "Take a card from Bob"),
        (moves.BuyCard(ALICE), "Buy a development card"),
        (moves.PlayKnight(ALICE), "Play your knight"),
        (moves.PlayRoadBuilding(ALICE), "Play Road Building"),
        (moves.StopPlacingRoads(ALICE), "Place no more roads"),
        (
            moves.PlayYearOfPlenty(ALICE, resources(grain=1, ore=1)),
            "Play Year of Plenty and take 1 grain and 1 ore",
        ),
        (moves.PlayMonopoly(ALICE, WOOL), "Play Monopoly on wool"),
        (moves.PlayVictoryPoint(ALICE), "Play your victory point"),
        (moves.TradeWithBank(ALICE, WOOL, 4, ORE), "Trade 4 wool for 1 ore with the bank"),
        (moves.OfferTrade(ALICE, (BOB, CHARLIE), bundle(wool=1), bundle(ore=1)), "Offer 1 wool for 1 ore"),
        (moves.OfferTrade(ALICE, (BOB,), bundle(wool=1), bundle(ore=1)), "Offer 1 wool for 1 ore to Bob"),
        (moves.EndTurn(ALICE), "End your turn"),
    ],
    ids=lambda value: value.kind if isinstance(value, Move) else "",
)
def test_every_move_has_a_title(move: Move, said: str) -> None:
    assert title(set_table(seats=3), move) == said


def test_the_robber_goes_for_whoever_alone_can_be_robbed() -> None:
    state = set_table(seats=3)
    settle(state, BOB, NORTH[0])
    assert title(state, moves.MoveRobber(ALICE, ORE_10)) == "Move the robber to the 10 ore"
    give(state, BOB, wool=1)
    assert title(state, moves.MoveRobber(ALICE, ORE_10)) == "Move the robber to the 10 ore and rob Bob"
    settle(state, CHARLIE, NORTH[2])
    assert title(state, moves.MoveRobber(ALICE, ORE_10)) == "Move the robber to the 10 ore"


def test_hexes_of_one_kind_are_told_apart() -> None:
    state = new_game(PRESETS["standard"], 4, "random", RandomChance(Random(5)))
    said = {title(state, moves.MoveRobber(ALICE, h)) for h in range(19)}
    assert len(said) == 19


def bargaining() -> State:
    """Alice offers wool for ore, and Bob has accepted."""
    state = set_table(seats=3)
    give(state, ALICE, wool=2, grain=2, ore=2)
    give(state, BOB, ore=2, grain=1)
    offer(state, (BOB, CHARLIE), {"wool": 1}, {"ore": 1})
    return state


def test_offers_are_told_from_the_side_of_whoever_is_advised() -> None:
    state = bargaining()
    number = state.offers[0].number
    assert title(state, moves.AcceptOffer(BOB, number)) == "Accept Alice’s offer: give 1 ore for 1 wool"
    assert title(state, moves.RejectOffer(BOB, number)) == "Say no to Alice: 1 ore for 1 wool"
    assert title(state, moves.WithdrawOffer(ALICE, number)) == "Withdraw your offer of 1 wool for 1 ore"
    counter = moves.CounterOffer(BOB, number, bundle(ore=1), bundle(wool=2))
    assert title(state, counter) == "Answer Alice with your own offer: 1 ore for 2 wool"
    accept(state, BOB)
    assert title(state, moves.ConfirmTrade(ALICE, number, BOB)) == "Trade 1 wool for 1 ore with Bob"
    assert title(state, moves.WithdrawOffer(BOB, number)) == "Take back your yes to Alice"


# Why: each gain


def test_points_are_counted() -> None:
    state = village()
    assert reason(state, moves.BuildCity(ALICE, NORTH[0]), "points") == "It brings you to 2 points."


def test_a_move_that_wins_says_so() -> None:
    state = village()
    raise_cities(state, ALICE, *THIRD[1::2][:4])
    assert reason(state, moves.BuildSettlement(ALICE, NORTH[2]), "points") == "It wins the game."


def test_a_card_may_be_a_point() -> None:
    assert reason(village(), moves.BuyCard(ALICE), "points") == "It may be a victory point."


def test_the_setup_counts_no_points() -> None:
    assert "points" not in reason(fresh_table(), moves.BuildSettlement(ALICE, NORTH[2]), "points")


def test_a_settlement_brings_cards_on_so_many_rolls() -> None:
    settling = moves.BuildSettlement(ALICE, NORTH[2])
    assert reason(village(), settling, "production") == f"It brings cards on {PIPS[2] + PIPS[10]} of 36 rolls."


def test_a_number_counts_once_however_many_hexes_have_it() -> None:
    state, twice = next(
        (state, vertex)
        for state in (new_game(PRESETS["standard"], 4, "random", RandomChance(Random(seed))) for seed in range(50))
        for vertex in VERTICES
        if len(tokens_at(state, vertex)) > len({*tokens_at(state, vertex)})
    )
    rolls = sum(PIPS[token] for token in {*tokens_at(state, twice)})
    assert (
        reason(state, moves.BuildSettlement(ALICE, twice), "production") == f"It brings cards on {rolls} of 36 rolls."
    )


def tokens_at(state: State, vertex: int) -> list[int]:
    return [token for h in VERTEX_HEXES[vertex] if (token := state.board.tokens[h])]


def test_a_city_brings_twice_what_its_settlement_brought() -> None:
    assert (
        reason(village(), moves.BuildCity(ALICE, NORTH[2]), "production") == "Twice the cards from 10 ore and 2 wool."
    )


def test_what_a_player_did_not_have_is_named() -> None:
    state = village()
    assert reason(state, moves.BuildSettlement(ALICE, NORTH[2]), "variety") == "Your first wool."
    state = fresh_table()
    settle(state, ALICE, NORTH[0])
    assert reason(state, moves.BuildSettlement(ALICE, NORTH[0]), "variety") != "Your first ore."


def test_the_first_of_all_settlements_brings_three_resources_at_most() -> None:
    state = fresh_table()
    assert reason(state, moves.BuildSettlement(ALICE, SECOND[2]), "variety").startswith("It brings three different")
    assert "three" not in reason(state, moves.BuildSettlement(ALICE, NORTH[2]), "variety")


def test_the_last_free_corner_of_a_resource_is_told() -> None:
    """Beside it there are free corners of the same hex, on which nobody can build any more then."""
    state = village()
    hills = [h for h, terrain in enumerate(state.board.terrains) if terrain == BRICK and h != BRICK_6]
    *_, opposite, _, _ = corners = HEX_VERTICES[BRICK_6]
    settling = moves.BuildSettlement(ALICE, corners[0])
    settle(state, BOB, opposite)
    assert "last" not in reason(state, settling, "variety", "denial")
    settle(state, BOB, *(vertex for h in hills for vertex in HEX_VERTICES[h]))
    assert corners[1] in Position(player_view(state, ALICE)).free_vertices
    assert reason(state, settling, "variety", "denial") == "The last free brick."


def test_a_harbor_says_what_the_bank_gives_there() -> None:
    state = village()
    assert reason(state, moves.BuildSettlement(ALICE, NORTH[1]), "harbor") == (
        "The bank then gives any card for 3 of a kind."
    )
    special = next(
        v for v, name in enumerate(place_names(player_view(state, ALICE)["board"]).vertices) if "2:1 ore" in name
    )
    assert reason(state, moves.BuildSettlement(ALICE, special), "harbor") == "The bank then gives any card for 2 ore."


def test_a_trade_at_a_harbor_says_that_it_is_one() -> None:
    state = village()
    assert reason(state, moves.TradeWithBank(ALICE, WOOL, 3, ORE), "harbor") == "Your harbor makes it 3 for 1."
    assert "harbor" not in reason(state, moves.TradeWithBank(ALICE, WOOL, 4, ORE), "harbor")


def test_where_the_bank_does_not_trade_no_harbor_is_told() -> None:
    state = set_table("three-player", seats=3)
    assert "bank" not in reason(state, moves.BuildSettlement(ALICE, NORTH[1]), "harbor")


def test_a_road_says_which_corner_it_reaches() -> None:
    state = village()
    road = moves.BuildRoad(ALICE, edge_between(NORTH[2], NORTH[3]))
    assert reason(state, road, "site") == "It reaches a corner with 10 ore and 2 wool."
    further = moves.BuildRoad(ALICE, edge_between(NORTH[0], SECOND[1]))
    assert reason(state, further, "site").startswith("One road further lies a corner with ")


def test_a_settlement_leaves_room_to_grow() -> None:
    told = reason(fresh_table(), moves.BuildSettlement(ALICE, SECOND[2]), "site")
    assert told.startswith("Two roads further lies a corner with ")


def longing(length: int) -> tuple[State, moves.BuildRoad]:
    """Alice has so many roads in a row, and the next one makes it one more."""
    state = set_table(seats=3)
    pave(state, ALICE, *THIRD[: length + 1])
    return state, moves.BuildRoad(ALICE, edge_between(THIRD[length], THIRD[length + 1]))


@pytest.mark.parametrize(
    ("length", "told"),
    [
        (1, "It leaves you better placed."),
        (2, "Then you are 2 roads from Longest Road."),
        (3, "Then you are 1 road from Longest Road."),
        (4, "It takes Longest Road: 2 points."),
    ],
)
def test_how_far_longest_road_is(length: int, told: str) -> None:
    state, road = longing(length)
    assert reason(state, road, "longest_road") == told


def test_longest_road_is_taken_from_its_holder_by_a_longer_one() -> None:
    state, road = longing(5)
    pave(state, BOB, *SOUTH[:6])
    state.longest_road = BOB
    assert reason(state, road, "longest_road", "points") == (
        "It takes Longest Road from Bob: 2 points. It brings you to 2 points."
    )
    state.longest_road = ALICE
    assert reason(state, road, "longest_road", "points") == "It makes your Longest Road 6 long."


def test_a_road_of_the_same_length_takes_nothing() -> None:
    state, road = longing(5)
    pave(state, BOB, *SOUTH)
    state.longest_road = BOB
    assert reason(state, road, "longest_road", "points") == "Then you are 1 road from Longest Road."


def test_a_settlement_can_cut_a_road() -> None:
    state = village()
    pave(state, BOB, *THIRD[:6])
    assert reason(state, moves.BuildSettlement(ALICE, THIRD[3]), "longest_road") == "It cuts Bob’s road."


@pytest.mark.parametrize(
    ("played", "told"),
    [(0, "Then you are 2 knights from Largest Army."), (2, "It takes Largest Army: 2 points.")],
)
def test_how_far_largest_army_is(played: int, told: str) -> None:
    state = village()
    lay_open(state, ALICE, *["knight"] * played)
    assert reason(state, moves.PlayKnight(ALICE), "largest_army") == told


def test_largest_army_is_taken_from_its_holder_and_kept() -> None:
    state = village()
    lay_open(state, ALICE, *["knight"] * 3)
    lay_open(state, BOB, *["knight"] * 3)
    state.largest_army = BOB
    assert reason(state, moves.PlayKnight(ALICE), "largest_army") == "It takes Largest Army from Bob: 2 points."
    state.largest_army = ALICE
    assert reason(state, moves.PlayKnight(ALICE), "largest_army") == "It keeps Largest Army yours."


def test_where_there_is_no_army_no_card_is_bought_for_it() -> None:
    state = set_table(seats=3, knights="never_played")
    assert "Army" not in reason(state, moves.BuyCard(ALICE), "largest_army")
    assert reason(set_table(seats=3), moves.BuyCard(ALICE), "largest_army") == "It may be a knight, for Largest Army."


def test_a_development_card_is_safe() -> None:
    assert reason(village(), moves.BuyCard(ALICE), "cards") == "Development cards can’t be stolen or discarded."


def test_too_many_cards_are_a_reason_to_build() -> None:
    state = village()
    give(state, ALICE, brick=5, lumber=3)
    road = moves.BuildRoad(ALICE, edge_between(NORTH[2], NORTH[3]))
    assert reason(state, road, "hand") == "You hold 8 cards: a seven would cost you 4."
    state = village()
    give(state, ALICE, brick=4, lumber=3)
    assert "seven" not in reason(state, road, "hand")


def test_a_trade_says_what_it_brings_nearer() -> None:
    state = village()
    give(state, ALICE, ore=2, grain=2, wool=4)
    assert reason(state, moves.TradeWithBank(ALICE, WOOL, 4, ORE), "hand") == "Then you can pay for a city."
    state = village()
    give(state, ALICE, ore=1, grain=2, wool=5)
    assert reason(state, moves.TradeWithBank(ALICE, WOOL, 4, ORE), "hand") == "Then you are 1 card short of a city."


def test_a_discard_says_what_it_keeps() -> None:
    state = village()
    give(state, ALICE, **CITY, wool=4)
    assert reason(state, moves.Discard(ALICE, resources(wool=4)), "hand") == "Then you can pay for a city."


def test_an_end_of_a_turn_says_what_is_saved_for() -> None:
    state = village()
    give(state, ALICE, **SETTLEMENT)
    state.hands[ALICE][BRICK] = 0
    assert reason(state, moves.EndTurn(ALICE), "hand") == "You are 1 card short of a settlement."


def test_a_monopoly_says_what_everybody_can_count() -> None:
    state = village()
    give(state, ALICE, wool=1)
    give(state, BOB, wool=3)
    give(state, CHARLIE, wool=2)
    assert reason(state, moves.PlayMonopoly(ALICE, WOOL), "hand") == "The others hold 5 wool together."


def test_the_robber_blocks_whoever_leads_and_frees_ones_own() -> None:
    state = village()
    raise_cities(state, BOB, THIRD[1])
    h = next(h for h in VERTEX_HEXES[THIRD[1]] if h != ORE_10)
    state.robber = ORE_10
    assert reason(state, moves.MoveRobber(ALICE, h), "robber") == (
        "It blocks Bob, who leads with 3 points. It frees your 10 ore."
    )
    assert reason(state, moves.MoveRobber(ALICE, LUMBER_8), "robber").startswith("It harms nobody there.")
    assert reason(state, moves.Steal(ALICE, BOB), "robber") == "Bob leads with 3 points."
    assert reason(state, moves.Steal(ALICE, CHARLIE), "robber") == "Charlie has 1 point."
    assert reason(state, moves.PlayKnight(ALICE), "robber") == "It frees your 10 ore."


def test_nobody_leads_together_with_another() -> None:
    state = village()
    assert "leads" not in reason(state, moves.Steal(ALICE, BOB), "robber")


def test_what_somebody_else_would_take_is_told() -> None:
    state = village()
    pave(state, BOB, *NORTH[3:5])
    assert reason(state, moves.BuildSettlement(ALICE, NORTH[3]), "denial") == "Bob could settle there too."
    road = moves.BuildRoad(ALICE, edge_between(NORTH[2], NORTH[3]))
    assert reason(state, road, "denial") == "Bob could get there first."


# Reasons as a whole


def test_a_reason_follows_the_weights_and_is_short() -> None:
    state = village()
    give(state, ALICE, brick=4, lumber=4)
    settling = moves.BuildSettlement(ALICE, NORTH[2])
    told = reason(state, settling, "variety", "production", "hand", "points")
    assert told == ("Your first wool. It brings cards on 4 of 36 rolls. You hold 8 cards: a seven would cost you 4.")


def test_what_is_no_gain_is_not_told() -> None:
    state = village()
    view = player_view(state, ALICE)
    teller = Teller(CAST, ALICE, place_names(view["board"]))
    gains = (Gain("variety", 0.2), Gain("production", -0.1))
    (told,) = advised(teller, view, [Consideration(moves.BuildSettlement(ALICE, NORTH[2]), 0.5, gains)])
    assert told["reason"] == "Your first wool."


def test_a_move_whose_gains_nothing_shows_has_a_reason_all_the_same() -> None:
    state = village()
    assert reason(state, moves.Roll(ALICE)) == "Nothing is worth doing before the roll."
    assert reason(state, moves.EndTurn(ALICE), "robber") == "Your cards are worth more to you later."
    assert reason(state, moves.BuildRoad(ALICE, 1), "robber") == "It leaves you better placed."


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_every_move_of_whole_games_is_told_with_every_gain_and_tells_nothing_hidden(preset: str) -> None:
    """The same view always says the same: what others hold, and what lies in the deck, is in none of it."""
    source = Random(f"advice on {preset}")
    state = new_game(PRESETS[preset], PRESETS[preset].most_seats, "balanced", RandomChance(source))
    for _ in range(150):
        if state.phase is Phase.OVER:
            break
        move = eager_move(state, source)
        for each in [move, *legal(state, move.seat, source)]:
            told = advice_on(state, each, *GAINS)
            assert told["title"]
            assert told["reason"].endswith(".")
            assert "None" not in told["title"] + told["reason"]
            assert told == advice_on(otherwise(state, each.seat, source), each, *GAINS)
        if is_promise_broken(state, move):
            move = give_up_trade(player_view(state, move.seat), move)
        play(state, move, RandomChance(source))


def legal(state: State, seat: int, source: Random) -> list[Move]:
    """A few of the moves that the view lists."""
    ways = listed(player_view(state, seat)["choices"])
    found = [
        from_json({"kind": kind, "seat": seat, **way})
        for kind, each in ways.items()
        if kind != "counter_offer"
        for way in each
    ]
    return source.sample(found, min(3, len(found)))


def otherwise(state: State, viewer: int, source: Random) -> State:
    """The same table to this viewer, with other cards where they see backs."""
    twin = state.copy()
    others = [seat for seat in twin.seats if seat != viewer]
    pool = [resource for seat in others for resource, count in enumerate(twin.hands[seat]) for _ in range(count)]
    source.shuffle(pool)
    for seat in others:
        held = sum(twin.hands[seat])
        twin.hands[seat] = [0] * 5
        for _ in range(held):
            twin.hands[seat][pool.pop()] += 1
    assert shown(twin, viewer) == shown(state, viewer)
    return twin


def shown(state: State, viewer: int) -> str:
    view = player_view(state, viewer)
    return json.dumps({key: value for key, value in view.items() if key not in ("choices", "to_act")})
