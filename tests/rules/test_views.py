"""What each seat, a spectator, and everybody after the end may see; and what a timeout does."""

import json
from typing import get_args, get_type_hints

import pytest

from games.rules import Event, Phase, player_view
from games.rules.moves import KINDS, BuildCity, MoveRobber
from games.rules.topology import edge_between
from games.rules.views import Choices
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK_6,
    CHARLIE,
    CITY,
    DANA,
    DESERT,
    give,
    hold,
    lay_open,
    make,
    offer,
    pave,
    raise_cities,
    roll,
    set_table,
    settle,
)


def busy_table():
    """Everybody has hands, cards and pieces; Alice is to move."""
    state = set_table()
    settle(state, ALICE, 17)
    raise_cities(state, BOB, 40)
    pave(state, ALICE, 17, 23)
    give(state, ALICE, brick=1, lumber=2)
    give(state, BOB, ore=4, wool=1)
    hold(state, ALICE, "monopoly")
    hold(state, ALICE, "victory_point", new=True)
    hold(state, BOB, "knight", "victory_point")
    lay_open(state, BOB, "knight")
    return state


# Hands and cards


def test_a_seat_sees_its_own_hand_cards_points_and_rates():
    seat = player_view(busy_table(), ALICE)["seats"][ALICE]
    assert seat["hand"] == {"brick": 1, "lumber": 2, "wool": 0, "grain": 0, "ore": 0}
    assert seat["cards"] == [{"card": "monopoly", "new": False}, {"card": "victory_point", "new": True}]
    assert seat["points"] == 2
    assert seat["rates"] == dict.fromkeys(("brick", "lumber", "wool", "grain", "ore"), 4)


@pytest.mark.parametrize("viewer", [ALICE, CHARLIE, None])
def test_another_seat_is_seen_as_counts(viewer):
    assert player_view(busy_table(), viewer)["seats"][BOB] == {
        "seat": BOB,
        "points": 2,
        "settlements": [],
        "cities": [40],
        "roads": [],
        "settlements_left": 5,
        "cities_left": 3,
        "roads_left": 15,
        "road_length": 0,
        "knights": 1,
        "played": ["knight"],
        "hand_size": 5,
        "card_count": 2,
        "must_discard": 0,
    }


def knights_shown(state, viewer):
    return [seat["knights"] for seat in player_view(state, viewer)["seats"]]


def test_knights_that_count_when_played_are_seen_by_all():
    for viewer in (ALICE, BOB, None):
        assert knights_shown(busy_table(), viewer) == [0, 1, 0, 0]


def test_knights_that_count_while_held_are_known_to_their_holder_alone():
    state = set_table("three-player")
    hold(state, ALICE, "knight", "knight", "monopoly")
    hold(state, BOB, "knight", "knight", "knight", "knight")
    state.largest_army = BOB
    assert knights_shown(state, ALICE) == [2, None, None]
    assert knights_shown(state, BOB) == [None, 4, None]
    assert knights_shown(state, None) == [None, None, None]
    state.phase = Phase.OVER
    assert knights_shown(state, None) == [2, 4, 0]


@pytest.mark.parametrize("viewer", [ALICE, BOB, None])
def test_the_deck_is_a_number(viewer):
    assert player_view(busy_table(), viewer)["deck"] == 25 - 5


def test_a_spectator_has_no_moves_and_sees_no_hand():
    view = player_view(busy_table(), None)
    assert view["choices"] == {}
    assert not any({"hand", "cards", "rates"} & seat.keys() for seat in view["seats"])


def test_everybody_sees_everything_after_the_end():
    state = busy_table()
    raise_cities(state, ALICE, 0, 1, 2)
    settle(state, ALICE, 11)
    give(state, ALICE, **CITY)
    make(state, BuildCity(ALICE, 11))
    assert state.phase is Phase.OVER
    for viewer in (BOB, CHARLIE, None):
        seats = player_view(state, viewer)["seats"]
        assert seats[ALICE]["points"] == 10
        assert [card["card"] for card in seats[BOB]["cards"]] == ["knight", "victory_point"]
        assert seats[BOB]["hand"]["ore"] == 4


@pytest.mark.parametrize("viewer", [ALICE, BOB, None])
def test_a_view_is_plain_json(viewer):
    view = player_view(busy_table(), viewer)
    assert json.loads(json.dumps(view)) == view


def test_a_view_tells_the_board_and_where_the_game_stands():
    state = busy_table()
    view = player_view(state, ALICE)
    assert (view["viewer"], view["phase"], view["active"], view["to_act"]) == (ALICE, "main", ALICE, [ALICE])
    assert (view["turn"], view["round"], view["winner"], view["dice"]) == (9, 3, None, None)
    assert view["board"]["hexes"][DESERT] == {"terrain": "desert", "resource": None, "token": None}
    assert view["board"]["hexes"][BRICK_6] == {"terrain": "hills", "resource": "brick", "token": 6}
    assert view["board"]["harbors"][0] == {"edge": edge_between(0, 3), "kind": "generic"}
    assert (view["robber"], view["longest_road"], view["largest_army"]) == (DESERT, None, None)
    assert view["rules"]["preset"] == "standard"


# What one may do


def test_the_moves_of_a_view_are_sorted_by_kind_without_what_goes_without_saying():
    moves = player_view(busy_table(), ALICE)["choices"]
    assert set(moves) == {"end_turn", "build_road", "play_monopoly", "offer_trade"}
    assert moves["end_turn"] == [{}]
    assert {"edge": edge_between(17, 22)} in moves["build_road"]
    assert {"resource": "ore"} in moves["play_monopoly"]


def test_one_who_is_not_asked_has_no_moves():
    assert player_view(busy_table(), BOB)["choices"] == {}


def test_a_view_says_how_many_cards_to_discard_and_not_every_way_to():
    state = set_table(phase=Phase.ROLLING)
    give(state, BOB, ore=9)
    roll(state, 7)
    assert player_view(state, BOB)["choices"] == {"discard": {"count": 4}}
    assert player_view(state, ALICE)["choices"] == {}
    assert player_view(state, ALICE)["seats"][BOB]["must_discard"] == 4


def test_an_offer_is_seen_by_all_and_answered_by_those_it_goes_to():
    state = busy_table()
    offer(state, (BOB,), {"brick": 1}, {"ore": 1})
    expected = {
        "number": 0,
        "maker": ALICE,
        "to": [BOB],
        "gives": {"brick": 1},
        "gets": {"ore": 1},
        "accepted": [],
        "rejected": [],
        "answers": None,
    }
    for viewer in (ALICE, BOB, CHARLIE, None):
        assert player_view(state, viewer)["offers"] == [expected]
    assert player_view(state, BOB)["choices"] == {
        "reject_offer": [{"offer": 0}],
        "accept_offer": [{"offer": 0}],
        "counter_offer": [{"offer": 0}],
    }
    assert player_view(state, CHARLIE)["choices"] == {}


# Events


def test_only_thief_and_victim_learn_the_stolen_card():
    state = set_table(phase=Phase.ROLLING)
    settle(state, BOB, 8)
    give(state, BOB, ore=1)
    roll(state, 7)
    stole = make(state, MoveRobber(ALICE, BRICK_6), 0)[-1]
    public = {"kind": "stole", "seat": ALICE, "victim": BOB, "count": 1}
    for viewer in (ALICE, BOB):
        assert stole.seen_by(viewer) == public | {"resource": "ore"}
    for viewer in (CHARLIE, DANA, None):
        assert stole.seen_by(viewer) == public


def test_what_hides_nothing_is_seen_alike_by_all():
    state = set_table(phase=Phase.ROLLING)
    settle(state, BOB, 8)
    rolled, received = roll(state, 6)
    assert rolled == Event("rolled", ALICE, {"dice": [1, 5]})
    assert received.seen_by(None) == received.seen_by(BOB)
    assert received.seen_by(None) == {"kind": "received", "seat": BOB, "resources": {"brick": 1}}


def test_an_event_is_the_same_after_json():
    event = Event("stole", ALICE, {"victim": BOB, "count": 1}, {"resource": "ore"}, (ALICE, BOB))
    assert Event.from_json(json.loads(json.dumps(event.to_json()))) == event


def test_every_kind_of_move_has_its_place_among_the_choices() -> None:
    """What a choice says beside its kind and seat is what the move's class says."""
    hints = get_type_hints(Choices)
    assert hints.keys() == KINDS.keys()
    unlisted = {"discard": {"count"}, "offer_trade": set(), "counter_offer": {"offer"}}
    for kind, ways in hints.items():
        way = ways if kind == "discard" else get_args(ways)[0]
        assert get_type_hints(way).keys() == unlisted.get(kind, {*KINDS[kind].__match_args__[1:]}), kind
