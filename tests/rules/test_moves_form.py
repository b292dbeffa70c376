"""Moves from outside: their JSON and text forms, and everything that is no move."""

import json

import pytest

from games.rules import MalformedMove, RecordedChance, play
from games.rules.moves import (
    KINDS,
    AcceptOffer,
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
    PlayVictoryPoint,
    PlayYearOfPlenty,
    RejectOffer,
    Roll,
    SkipRoll,
    Steal,
    StopPlacingRoads,
    TradeWithBank,
    WithdrawOffer,
    from_json,
    from_text,
    loads,
)
from tests.rules.table import ALICE, BOB, CHARLIE, DANA, GRAIN, ORE, WOOL, bundle, resources, set_table

MOVES = [
    (BuildSettlement(ALICE, 53), "0 build_settlement vertex=53"),
    (BuildRoad(BOB, 71), "1 build_road edge=71"),
    (BuildCity(CHARLIE, 0), "2 build_city vertex=0"),
    (Roll(DANA), "3 roll"),
    (SkipRoll(ALICE), "0 skip_roll"),
    (Discard(ALICE, resources(brick=2, ore=3)), "0 discard resources=2.brick+3.ore"),
    (Discard(ALICE, resources()), "0 discard resources=-"),
    (MoveRobber(ALICE, 18), "0 move_robber hex=18"),
    (Steal(ALICE, DANA), "0 steal victim=3"),
    (BuyCard(ALICE), "0 buy_card"),
    (PlayKnight(ALICE), "0 play_knight"),
    (PlayRoadBuilding(ALICE), "0 play_road_building"),
    (StopPlacingRoads(ALICE), "0 stop_placing_roads"),
    (PlayYearOfPlenty(ALICE, resources(wool=2)), "0 play_year_of_plenty resources=2.wool"),
    (PlayMonopoly(ALICE, GRAIN), "0 play_monopoly resource=grain"),
    (PlayVictoryPoint(ALICE), "0 play_victory_point"),
    (TradeWithBank(ALICE, ORE, 4, WOOL), "0 trade_with_bank give=ore paid=4 take=wool"),
    (
        OfferTrade(ALICE, (BOB, DANA), bundle(brick=1, knight=1), bundle(ore=2)),
        "0 offer_trade to=1,3 gives=1.brick+1.knight gets=2.ore",
    ),
    (AcceptOffer(BOB, 7), "1 accept_offer offer=7"),
    (RejectOffer(BOB, 7), "1 reject_offer offer=7"),
    (CounterOffer(BOB, 7, bundle(ore=1), bundle(wool=1)), "1 counter_offer offer=7 gives=1.ore gets=1.wool"),
    (ConfirmTrade(ALICE, 7, BOB), "0 confirm_trade offer=7 partner=1"),
    (WithdrawOffer(ALICE, 7), "0 withdraw_offer offer=7"),
    (EndTurn(ALICE), "0 end_turn"),
]


def test_every_kind_of_move_is_among_those_tested_here():
    assert {move.kind for move, _ in MOVES} == set(KINDS)


@pytest.mark.parametrize(("move", "text"), MOVES, ids=lambda value: getattr(value, "kind", ""))
def test_a_move_is_the_same_after_json_and_text(move, text):
    assert str(move) == text
    assert from_text(text) == move
    assert from_json(move.to_json()) == move
    assert loads(json.dumps(move.to_json())) == move
    assert hash(loads(json.dumps(move.to_json()).encode())) == hash(move)


ROAD = {"kind": "build_road", "seat": 0, "edge": 7}
BANK = {"kind": "trade_with_bank", "seat": 0, "give": "ore", "paid": 4, "take": "wool"}
OFFER = {"kind": "offer_trade", "seat": 0, "to": [1], "gives": {"ore": 1}, "gets": {"wool": 1}}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(None, id="nothing"),
        pytest.param([], id="a list"),
        pytest.param("roll", id="a string"),
        pytest.param(7, id="a number"),
        pytest.param({}, id="an empty object"),
        pytest.param({"kind": "fly", "seat": 0}, id="an unknown kind"),
        pytest.param({"kind": "", "seat": 0}, id="an empty kind"),
        pytest.param({"kind": None, "seat": 0}, id="no kind"),
        pytest.param({"kind": ["roll"], "seat": 0}, id="a list for a kind"),
        pytest.param({"kind": {"roll": 1}, "seat": 0}, id="an object for a kind"),
        pytest.param({"kind": "roll"}, id="no seat"),
        pytest.param({"kind": "roll", "seat": -1}, id="seat -1"),
        pytest.param({"kind": "roll", "seat": 4}, id="seat 4"),
        pytest.param({"kind": "roll", "seat": True}, id="a bool for a seat"),
        pytest.param({"kind": "roll", "seat": 0.0}, id="a float for a seat"),
        pytest.param({"kind": "roll", "seat": "0"}, id="a string for a seat"),
        pytest.param({"kind": "roll", "seat": None}, id="null for a seat"),
        pytest.param({"kind": "roll", "seat": 0, "dice": [6, 6]}, id="an extra field"),
        pytest.param({"kind": "build_road", "seat": 0}, id="a missing field"),
        pytest.param({"kind": "build_road", "seat": 0, "vertex": 7}, id="another move's field"),
        pytest.param(ROAD | {"edge": 72}, id="edge 72"),
        pytest.param(ROAD | {"edge": -1}, id="edge -1"),
        pytest.param(ROAD | {"edge": "7"}, id="a string for an edge"),
        pytest.param(ROAD | {"edge": False}, id="a bool for an edge"),
        pytest.param(ROAD | {"edge": 10**30}, id="a huge edge"),
        pytest.param(ROAD | {"edge": [7]}, id="a list for an edge"),
        pytest.param(ROAD | {"edge": float("nan")}, id="no number for an edge"),
        pytest.param({"kind": "build_city", "seat": 0, "vertex": 54}, id="vertex 54"),
        pytest.param({"kind": "build_settlement", "seat": 0, "vertex": -1}, id="vertex -1"),
        pytest.param({"kind": "move_robber", "seat": 0, "hex": 19}, id="hex 19"),
        pytest.param({"kind": "steal", "seat": 0, "victim": 4}, id="victim 4"),
        pytest.param({"kind": "discard", "seat": 0, "resources": {"ore": -1}}, id="a negative count"),
        pytest.param({"kind": "discard", "seat": 0, "resources": {"ore": "1"}}, id="a string for a count"),
        pytest.param({"kind": "discard", "seat": 0, "resources": {"ore": True}}, id="a bool for a count"),
        pytest.param({"kind": "discard", "seat": 0, "resources": {"ore": 1.0}}, id="a float for a count"),
        pytest.param({"kind": "discard", "seat": 0, "resources": {"ore": 501}}, id="more cards than there are"),
        pytest.param({"kind": "discard", "seat": 0, "resources": {"gold": 1}}, id="an unknown resource"),
        pytest.param({"kind": "discard", "seat": 0, "resources": {"knight": 1}}, id="a card among resources"),
        pytest.param({"kind": "discard", "seat": 0, "resources": ["ore"]}, id="a list of resources"),
        pytest.param({"kind": "discard", "seat": 0, "resources": {"ore": {"ore": {"ore": 1}}}}, id="nested garbage"),
        pytest.param({"kind": "play_monopoly", "seat": 0, "resource": 4}, id="a number for a resource"),
        pytest.param({"kind": "play_monopoly", "seat": 0, "resource": ["ore"]}, id="a list for a resource"),
        pytest.param({"kind": "play_monopoly", "seat": 0, "resource": "knight"}, id="a card for a resource"),
        pytest.param(BANK | {"paid": -4}, id="a negative payment"),
        pytest.param(BANK | {"paid": None}, id="null for a payment"),
        pytest.param(BANK | {"take": ""}, id="no resource to take"),
        pytest.param(OFFER | {"to": []}, id="an offer to nobody"),
        pytest.param(OFFER | {"to": [1, 1]}, id="an offer to one player twice"),
        pytest.param(OFFER | {"to": [2, 1]}, id="seats out of order"),
        pytest.param(OFFER | {"to": 1}, id="a number for seats"),
        pytest.param(OFFER | {"to": [True]}, id="a bool for one of the seats"),
        pytest.param(OFFER | {"to": [[1]]}, id="nested seats"),
        pytest.param(OFFER | {"to": [1, 4]}, id="seat 4 among the seats"),
        pytest.param(OFFER | {"gives": None}, id="null for a bundle"),
        pytest.param({"kind": "accept_offer", "seat": 1, "offer": -1}, id="offer -1"),
        pytest.param({"kind": "accept_offer", "seat": 1, "offer": 10**6}, id="an offer beyond counting"),
    ],
)
def test_what_is_no_move_is_malformed(data):
    with pytest.raises(MalformedMove) as refusal:
        from_json(data)
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "roll",
        "{",
        '{"kind": "roll", "seat": 0} and more',
        '{"kind": "roll", "seat": ' + "9" * 5000 + "}",
        "[" * 9000,
        b"\xff\xfe\x00",
        "NaN",
        "\x00",
    ],
)
def test_text_that_is_no_json_is_malformed(text):
    with pytest.raises(MalformedMove):
        loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 10_000_000,
        '{"kind": "roll", "seat": 0, "x": "' + "x" * 10_000_000 + '"}',
        b"9" * 10_000_000,
        '{"kind": "roll", "seat": 0}' + " " * 10_000_000,
    ],
    ids=["nested lists", "a long string", "a long number", "blanks"],
)
def test_ten_megabytes_are_refused_by_their_length_before_they_are_read(text):
    with pytest.raises(MalformedMove, match="at most 10000 characters"):
        loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "roll",
        "0 fly",
        "x roll",
        "-1 roll",
        "4 roll",
        "0 roll now",
        "0 build_road",
        "0 build_road edge=",
        "0 build_road edge=72",
        "0 build_road edge=-1",
        "0 build_road edge=seven",
        "0 build_road edge=7 edge=8",
        "0 build_road edge=99999999999999999999",
        "0 build_road kind=roll",
        "0 roll seat=1",
        "0 discard resources=ore",
        "0 discard resources=1.gold",
        "0 discard resources=-1.ore",
        "0 discard resources=1.ore+1.ore",
        "0 offer_trade to= gives=1.ore gets=1.wool",
        "0 offer_trade to=1,1 gives=1.ore gets=1.wool",
        "0 end_turn" + " " * 20_000 + "nonsense",
    ],
)
def test_a_text_that_is_no_move_is_malformed(text):
    with pytest.raises(MalformedMove):
        from_text(text)


@pytest.mark.parametrize(
    ("move_type", "arguments"),
    [
        (BuildRoad, (ALICE, 72)),
        (BuildCity, (ALICE, -1)),
        (MoveRobber, (ALICE, 19)),
        (Roll, (4,)),
        (Roll, (True,)),
        (Discard, (ALICE, (1, 1, 1, 1))),
        (Discard, (ALICE, [1, 1, 1, 1, 1])),
        (Discard, (ALICE, (1, 1, 1, 1, -1))),
        (PlayMonopoly, (ALICE, 5)),
        (OfferTrade, (ALICE, (BOB,), resources(ore=1), bundle(wool=1))),
    ],
)
def test_a_malformed_move_cannot_be_made_in_the_program_either(move_type, arguments):
    with pytest.raises(MalformedMove):
        move_type(*arguments)


def test_a_malformed_move_changes_nothing():
    state = set_table(seats=3)
    before = state.copy()
    with pytest.raises(MalformedMove):
        play(state, from_json({"kind": "end_turn", "seat": 3}), RecordedChance(()))
    assert state == before
