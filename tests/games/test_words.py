"""What the game says: every event, every prompt, every place, and never more than the viewer may know."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from games.bots import DEFAULT, builder
from games.clocks import ClockView
from games.drawing import places_of
from games.models import Presence, Seat
from games.page import Happened, log_of
from games.rules import PRESETS, Event, Phase, RandomChance, State, new_game, play, player_view, to_act
from games.rules.ruleset import Value
from games.words import Teller, cannot_pay, prompt
from games.words_clocks import LAST_CALLS, Face, at, face, presence
from games.words_places import place_names
from games.words_trades import bank_notes
from tests.rules.strategies import eager_move
from tests.rules.table import give, leave_in_bank, set_table, settle

CAST = ["Alice", "Bob", "Charlie", "Dana"]
#: A heading of the log, and what another sentence says already.
NO_SENTENCES = ("turn_began", "offer_void")
ALICE, BOB, CHARLIE, DANA = range(4)


def beginners_island(seats: int = 4) -> State:
    return new_game(PRESETS["standard"], seats, "beginner", RandomChance(Random(1)))


def teller(viewer: int | None) -> Teller:
    return Teller(CAST, viewer, place_names(player_view(beginners_island(), None)["board"]))


def told(viewer: int | None, event: Event) -> str:
    return teller(viewer).tell(event.seen_by(viewer))


# Places


def test_a_corner_is_named_by_what_it_yields_and_its_harbor() -> None:
    assert "corner of 9 lumber, 10 brick, 2:1 ore harbor" in teller(None).places.vertices


def test_a_corner_of_one_hex_is_named_by_the_side_of_it() -> None:
    assert "north corner of 10 ore, 3:1 harbor" in teller(None).places.vertices


def test_a_path_is_named_by_the_hexes_beside_it() -> None:
    assert "path between 2 wool and 10 ore" in teller(None).places.edges
    assert "coast path north-east of 10 ore" in teller(None).places.edges


def test_a_hex_is_named_by_terrain_and_number() -> None:
    assert teller(None).places.hexes[9] == "desert"
    assert teller(None).places.hexes[0] == "mountains 10"


@pytest.mark.parametrize("layout", ["variable", "random", "balanced"])
def test_no_two_places_of_a_board_share_a_name(layout: str) -> None:
    for seed in range(150):
        state = new_game(PRESETS["standard"], 4, layout, RandomChance(Random(seed)))
        for names in place_names(player_view(state, None)["board"]):
            assert len(set(names)) == len(names), f"{layout} board of seed {seed}"


# Events


def test_your_own_doings_are_told_to_you_as_yours() -> None:
    event = Event("rolled", BOB, {"dice": [5, 3]})
    assert told(BOB, event) == "You rolled 8."
    assert told(ALICE, event) == told(None, event) == "Bob rolled 8."


def test_a_stolen_card_is_named_to_thief_and_victim_alone() -> None:
    event = Event("stole", ALICE, {"victim": BOB, "count": 1}, {"resource": "ore"}, (ALICE, BOB))
    assert told(ALICE, event) == "You stole ore from Bob."
    assert told(BOB, event) == "Alice stole ore from you."
    assert told(CHARLIE, event) == told(None, event) == "Alice stole a card from Bob."


def test_a_bought_card_is_named_to_its_buyer_alone() -> None:
    event = Event("bought_card", DANA, {}, {"card": "year_of_plenty"}, (DANA,))
    assert told(DANA, event) == "You bought a development card: Year of Plenty."
    assert told(ALICE, event) == "Dana bought a development card."


def test_an_award_is_told_with_whom_it_came_from() -> None:
    assert told(None, Event("longest_road", ALICE, {"from": -1})) == "Alice took Longest Road: two points."
    assert told(BOB, Event("longest_road", ALICE, {"from": BOB})) == "Alice took Longest Road from you: two points."
    assert told(None, Event("largest_army", -1, {"from": BOB})) == "Bob lost Largest Army; nobody holds it now."


def test_an_offer_names_those_it_goes_to() -> None:
    terms = {"offer": 0, "gives": {"brick": 1, "ore": 2}, "gets": {"wool": 1}}
    offered = Event("offered", ALICE, {**terms, "to": [BOB, CHARLIE], "answers": None})
    assert told(BOB, offered) == "Alice offered 1 brick and 2 ore for 1 wool to you and Charlie."
    countered = Event("offered", BOB, {**terms, "to": [ALICE], "answers": 0})
    assert told(ALICE, countered) == "Bob made a counter-offer: 1 brick and 2 ore for 1 wool."


def test_the_rolls_for_the_first_turn_are_told_round_by_round() -> None:
    first = {"kind": "rolled_for_first_turn", "seat": -1, "rolls": {ALICE: 9, BOB: 5, CHARLIE: 9}}
    assert teller(None).tell(first | {"again": [ALICE, CHARLIE]}) == (
        "Alice rolled 9, Bob 5 and Charlie 9. Alice and Charlie roll again."
    )
    assert teller(CHARLIE).tell(first | {"again": [ALICE, CHARLIE]}) == (
        "Alice rolled 9, Bob 5 and you 9. Alice and you roll again."
    )
    assert teller(ALICE).tell(first | {"again": []}) == "You rolled 9, Bob 5 and Charlie 9."
    begins = {"kind": "begins", "seat": BOB, "order": [BOB, CHARLIE, ALICE]}
    assert teller(None).tell(begins) == "Bob begins, followed by Charlie and Alice."
    assert teller(BOB).tell(begins) == "You begin, followed by Charlie and Alice."


def test_a_roll_is_told_in_one_line_with_what_it_brought_everybody() -> None:
    events = [
        Event("rolled", ALICE, {"dice": [3, 5]}),
        Event("received", ALICE, {"resources": {"wool": 2}}),
        Event("received", BOB, {"resources": {"ore": 1, "grain": 1}}),
    ]
    (entry,) = log_of([Happened(7, events)], teller(BOB))
    assert (entry["text"], entry["seat"]) == ("Alice rolled 8.", ALICE)
    assert entry["gains"] == [
        {"seat": ALICE, "words": "Alice got 2 wool.", "resources": {"wool": 2}},
        {"seat": BOB, "words": "You got 1 ore and 1 grain.", "resources": {"ore": 1, "grain": 1}},
    ]


def test_a_place_is_named_beside_the_sentence_for_those_who_ask() -> None:
    (entry,) = log_of([Happened(7, [Event("moved_robber", ALICE, {"hex": 4, "from": 9})])], teller(None))
    assert (entry["text"], entry["places"]) == ("Alice moved the robber.", ["hex-4"])
    assert entry["where"] == teller(None).places.hexes[4]


def test_a_price_that_cannot_be_paid_says_what_is_missing() -> None:
    state = beginners_island()
    state.hands[ALICE] = [0, 5, 0, 1, 3]
    view = player_view(state, ALICE)
    assert cannot_pay(view, "build_road") == "You need 1 more brick."
    assert cannot_pay(view, "build_settlement") == "You need 1 more brick and 1 more wool."
    assert cannot_pay(view, "build_city") == "You need 1 more grain."
    assert cannot_pay(view, "buy_card") == "You need 1 more wool."


def test_an_event_points_to_its_place() -> None:
    assert places_of(Event("built_road", ALICE, {"edge": 7}).seen_by(None)) == ["edge-7"]
    assert places_of(Event("rolled", ALICE, {"dice": [1, 1]}).seen_by(None)) == []


@pytest.mark.parametrize("preset", list(PRESETS))
def test_whole_games_are_told_to_everybody_in_sentences(preset: str) -> None:
    """No event and no phase is left without words, whoever looks on."""
    source = Random(preset)
    seats = PRESETS[preset].seats[-1]
    state = new_game(PRESETS[preset], seats, "random", RandomChance(source))
    viewers = [None, *range(seats)]
    tellers = [Teller(CAST[:seats], viewer, place_names(player_view(state, None)["board"])) for viewer in viewers]
    for _ in range(400):
        if state.phase is Phase.OVER:
            break
        events = play(state, eager_move(state, source), RandomChance(source))
        for one in tellers:
            sentences = [one.tell(event.seen_by(one.viewer)) for event in events if event.kind not in NO_SENTENCES]
            sentences.append(prompt(one, player_view(state, one.viewer), "over" if state.winner >= 0 else "running"))
            assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in sentences), sentences
            assert state.rules.robber or not [sentence for sentence in sentences if "robber" in sentence], sentences


# Prompts


def test_the_setup_says_which_settlement_is_placed() -> None:
    state = beginners_island()
    first = state.active
    assert prompt(teller(first), player_view(state, first), "running") == "Choose a corner for your first settlement."
    others = prompt(teller(None), player_view(state, None), "running")
    assert others == f"{CAST[first]} is placing a settlement."


def test_everybody_who_must_discard_is_named() -> None:
    state = beginners_island()
    state.phase = Phase.DISCARDING
    state.discards = [4, 5, 0, 0]
    state.hands[ALICE], state.hands[BOB] = [8, 0, 0, 0, 0], [10, 0, 0, 0, 0]
    assert to_act(state) == (ALICE, BOB)
    assert prompt(teller(DANA), player_view(state, DANA), "running") == "Alice and Bob are discarding."
    assert prompt(teller(BOB), player_view(state, BOB), "running") == "A seven: choose 5 of your cards to discard."


def test_a_robber_that_can_only_stay_is_not_to_be_moved_to_another_hex() -> None:
    state = set_table(phase=Phase.MOVING_ROBBER, friendly_robber=True)
    for seat, corners in ((ALICE, (8, 14)), (BOB, (0, 35)), (CHARLIE, (22, 31)), (DANA, (39, 45))):
        settle(state, seat, *corners)
    assert prompt(teller(ALICE), player_view(state, ALICE), "running") == (
        "The robber has nowhere else to go: leave it in the desert."
    )
    state.robber = 0
    assert prompt(teller(ALICE), player_view(state, ALICE), "running") == "Move the robber: choose another hex."


def test_whoever_has_an_offer_to_answer_is_told() -> None:
    source = Random(5)
    state = new_game(PRESETS["standard"], 4, "random", RandomChance(source))
    while not state.offers:
        asked = next(move for seat in to_act(state) if (move := builder.choose(player_view(state, seat), source)))
        play(state, asked, RandomChance(source))
    offer = state.offers[0]
    seat = offer.to[0]
    assert prompt(teller(seat), player_view(state, seat), "running").endswith("There is an offer for you.")
    state.offers = (replace(offer, accepted=(seat,)),)
    assert "offer" not in prompt(teller(seat), player_view(state, seat), "running")


@pytest.mark.parametrize("status", ["paused", "aborted", "needs_attention"])
def test_a_game_that_does_not_run_says_so(status: str) -> None:
    state = beginners_island()
    running = prompt(teller(None), player_view(state, None), "running")
    assert prompt(teller(None), player_view(state, None), status) != running


# Trades with the bank


def notes(**options: Value) -> dict[str, dict[str, str]]:
    """Alice holds five brick and two ore, at a 3:1 harbor; the bank has no wool."""
    state = set_table(**options)
    settle(state, ALICE, 0)
    give(state, ALICE, brick=5, ore=2)
    leave_in_bank(state, BOB, wool=0)
    return bank_notes(player_view(state, ALICE))


def test_the_bank_says_what_it_asks_for_a_resource_and_whether_one_holds_that_many() -> None:
    asked = notes()["give"]
    assert asked["brick"] == "The bank gives 1 card for 3 brick: choose 3 brick."
    assert asked["ore"] == "The bank gives 1 card for 3 ore, and you hold 2: choose another resource to give."


def test_the_bank_says_what_it_has_no_more_of_unless_it_never_runs_out() -> None:
    assert notes()["take"] == {"wool": "The bank has no wool left: choose another resource to get."}
    assert notes(maritime_trade="unlimited")["take"] == {}


# Clocks and absence

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)


def clock(seconds: float, of: int = 100) -> ClockView:
    ends = NOW + timedelta(seconds=seconds)
    return {"ends": ends, "left": None, "of": of, "short_at": ends - timedelta(seconds=of / 5)}


def shown(seconds: float, of: int = 100) -> Face:
    drawn = face(clock(seconds, of), NOW)
    assert drawn
    return drawn


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-3, "0 seconds"),
        (0.2, "1 second"),
        (75, "1 minute 15 seconds"),
        (3601, "1 hour"),
        (187_230, "2 days 4 hours"),
    ],
)
def test_a_clock_is_drawn_with_what_was_left_and_without_seconds_when_it_is_far(seconds: float, text: str) -> None:
    assert shown(seconds).text == text


def test_a_clock_is_short_from_its_moment_on_and_never_while_it_stands_still() -> None:
    assert not shown(20.5).is_short
    assert shown(20).is_short
    still = face({"ends": None, "left": 5, "of": 100, "short_at": None}, NOW)
    assert still
    assert (still.text, still.stands_still, still.is_short) == ("5 seconds", True, False)
    assert face(None, NOW) is None


def test_a_clock_that_was_put_back_is_full_and_not_fuller() -> None:
    assert (shown(130).percent, shown(50).percent, shown(-1).percent) == (100, 50, 0)


def test_there_is_a_last_call_for_every_phase() -> None:
    assert LAST_CALLS.keys() == {phase.value for phase in Phase if phase is not Phase.OVER} | {"answer"}


@pytest.mark.parametrize(
    ("player", "here", "gone", "viewer", "state"),
    [
        ("person", True, None, ALICE, ""),
        ("person", False, 119, ALICE, "lost"),
        ("person", False, 121, ALICE, "away"),
        ("person", False, None, ALICE, "away"),
        ("stand_in", True, None, ALICE, "stand_in"),
        ("bot", False, None, ALICE, "bot"),
        ("person", False, None, BOB, "you"),
        ("stand_in", False, None, BOB, "stand_in"),
    ],
)
def test_a_seat_is_marked_by_who_is_missing_there(
    player: str, here: bool, gone: int | None, viewer: int, state: str
) -> None:
    seat = Seat(number=BOB, player=player, strength=DEFAULT if player == "bot" else "")
    seat.presence = Presence(is_here=here, gone_at=None if gone is None else NOW - timedelta(seconds=gone))
    assert at(presence(seat, viewer, None), NOW)["state"] == state
