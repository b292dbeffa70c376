"""What a memory knows of the others, and that it knows no more than it may."""

from __future__ import annotations

import json
import pickle
from random import Random

import pytest

from games.bots import Memory, counting
from games.bots.memory import HeldCard
from games.rules import Event, Phase, RecordedChance, State, play
from games.rules.cards import CARD_NAMES, KNIGHT, RESOURCES, VICTORY_POINT, Counts
from games.rules.events import Seen, Told
from games.rules.moves import BuyCard
from tests.rules.strategies import Table, haggling_move, hoarding_move
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK,
    CHARLIE,
    DANA,
    GRAIN,
    ORE,
    bundle,
    resources,
)

from .remembered import Chooser, Moment, remembered_game, some_tables, teach

TABLES = some_tables(presets=2, others=20)


def memory_of_alice(**hands: Counts) -> Memory:
    """Alice's, who saw the others receive these cards."""
    memory = Memory(ALICE, 4)
    seats = {"bob": BOB, "charlie": CHARLIE, "dana": DANA, "alice": ALICE}
    memory.learn([seen("turn_began", ALICE, turn=1)])
    memory.learn([seen("received", seats[name], resources=cards) for name, cards in hands.items()])
    return memory


def seen(kind: str, seat: int, **told: object) -> Seen:
    public: Told = told  # type: ignore[assignment]
    return Event(kind, seat, public).seen_by(ALICE)


def thought(memory: Memory, seat: int) -> dict[tuple[int, ...], float]:
    return {hand: pytest.approx(weight) for hand, weight in memory.hands(seat)}


# In whole games


@pytest.mark.slow
@pytest.mark.parametrize(("table", "choose"), TABLES)
def test_the_true_hands_are_always_among_those_thought_of(table: Table, choose: Chooser) -> None:
    for moment in remembered_game(table, choose, most_moves=300):
        for memory in moment.memories:
            assert not memory.has_dropped, "too many cases for this test"
            for seat in moment.state.seats:
                hands = dict(memory.hands(seat))
                assert tuple(moment.state.hands[seat]) in hands
                assert sum(hands.values()) == pytest.approx(1)
                assert {sum(hand) for hand in hands} == {sum(moment.state.hands[seat])}
            assert dict(memory.hands(memory.seat)) == {tuple(moment.state.hands[memory.seat]): 1}


@pytest.mark.slow
@pytest.mark.parametrize(("table", "choose"), TABLES)
def test_as_many_cards_are_thought_of_as_there_are_though_the_truth_was_dropped(
    table: Table, choose: Chooser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "MOST_CASES", 1)
    source = Random(1)
    for moment in remembered_game(table, choose, most_moves=300):
        totals = [sum(hand[resource] for hand in moment.state.hands) for resource in RESOURCES]
        for memory in moment.memories:
            hands = memory.sample(source)
            assert [sum(hand[resource] for hand in hands.values()) for resource in RESOURCES] == totals
            assert [sum(hands[seat]) for seat in moment.state.seats] == [sum(hand) for hand in moment.state.hands]
            assert min(min(hand) for hand in hands.values()) >= 0
            assert list(hands[memory.seat]) == moment.state.hands[memory.seat]


@pytest.mark.slow
@pytest.mark.parametrize("choose", [haggling_move, hoarding_move])
def test_without_a_theft_between_others_hands_are_known_exactly(choose: Chooser) -> None:
    for seed in range(4):
        onlookers = {0, 1, 2, 3}
        for moment in remembered_game(Table("standard", 4, "random", seed), choose, most_moves=300):
            for event in moment.events:
                if event.kind == "stole" and event.public["count"]:
                    onlookers &= {event.seat, event.public["victim"]}
            for viewer in onlookers:
                for seat in moment.state.seats:
                    assert moment.memories[viewer].hands(seat) == [(tuple(moment.state.hands[seat]), 1.0)]


@pytest.mark.slow
@pytest.mark.parametrize(("table", "choose"), TABLES)
def test_cards_that_were_not_played_are_remembered(table: Table, choose: Chooser) -> None:
    for moment in remembered_game(table, choose, most_moves=300):
        state = moment.state
        for memory in moment.memories:
            for seat in state.seats:
                remembered = memory.cards_of(seat)
                assert len(remembered) == len(state.cards[seat])
                kinds = [state.deck[card] for card in state.cards[seat]]
                for card in remembered:
                    if card.kind is not None:
                        kinds.remove(card.kind)
                assert not kinds or seat != memory.seat, "somebody has forgotten a card of their own"


@pytest.mark.slow
@pytest.mark.parametrize(("table", "choose"), TABLES[:20:4])
def test_a_memory_rebuilt_from_the_log_equals_the_one_kept_up(table: Table, choose: Chooser) -> None:
    log: list[str] = []
    for moment in remembered_game(table, choose, most_moves=300):
        log.append(json.dumps([event.to_json() for event in moment.events]))
    for memory in moment.memories:
        rebuilt = Memory(memory.seat, table.seats)
        for line in log:
            teach(rebuilt, [Event.from_json(written) for written in json.loads(line)])
        assert rebuilt == memory
        assert pickle.loads(pickle.dumps(memory)) == memory
        rebuilt.learn([seen("received", BOB, resources={"ore": 1})])
        assert rebuilt != memory


@pytest.mark.slow
def test_what_only_others_saw_makes_no_difference() -> None:
    """Whatever card was stolen or bought: onlookers remember the same, those who saw it do not."""
    told_apart = {"stole": 0, "bought_card": 0}
    for seed in range(3):
        memories = [Memory(seat, 4) for seat in range(4)]
        for moment in remembered_game(Table("standard", 4, "random", seed), haggling_move, most_moves=400):
            for secret in [event for event in moment.events if event.secret]:
                outcomes = [(events, learned(memories, events)) for events in otherwise(moment)]
                for seat in moment.state.seats:
                    differs = any(outcome[seat] != outcomes[0][1][seat] for _, outcome in outcomes)
                    assert not differs or seat in secret.audience, f"{seat} knows of {moment.move}"
                    told_apart[secret.kind] += differs
            for memory in memories:
                teach(memory, moment.events)
    assert all(told_apart.values()), "those who saw it have not told apart what there was to see"


def otherwise(moment: Moment) -> list[list[Event]]:
    """What had happened had another card been stolen, or lain on the deck."""
    before, move = moment.before, moment.move
    if isinstance(move, BuyCard):
        tops = range(before.dealt, len(before.deck))
        return [play(with_top(before, card), move, RecordedChance(())) for card in tops]
    (victim,) = (event.public["victim"] for event in moment.events if event.kind == "stole")
    return [play(before.copy(), move, RecordedChance((place,))) for place in range(sum(before.hands[victim]))]


def with_top(state: State, card: int) -> State:
    """The same game with another card on top of the deck."""
    twin, deck = state.copy(), list(state.deck)
    deck[state.dealt], deck[card] = deck[card], deck[state.dealt]
    twin.deck = tuple(deck)
    return twin


def learned(memories: list[Memory], events: list[Event]) -> list[Memory]:
    twins: list[Memory] = pickle.loads(pickle.dumps(memories))
    for twin in twins:
        teach(twin, events)
    return twins


# Resource cards


def test_of_a_hidden_theft_each_card_is_as_likely_as_it_is_frequent() -> None:
    memory = memory_of_alice(bob={"brick": 1, "ore": 2}, charlie={"grain": 1})
    memory.learn([seen("stole", CHARLIE, victim=BOB, count=1)])
    assert thought(memory, BOB) == {(0, 0, 0, 0, 2): 1 / 3, (1, 0, 0, 0, 1): 2 / 3}
    assert thought(memory, CHARLIE) == {(1, 0, 0, 1, 0): 1 / 3, (0, 0, 0, 1, 1): 2 / 3}
    assert memory.expected(BOB) == pytest.approx((2 / 3, 0, 0, 0, 4 / 3))
    assert memory.chance_to_hold(CHARLIE, resources(ore=1, grain=1)) == pytest.approx(2 / 3)
    assert memory.chance_to_hold(BOB, resources(ore=3)) == 0


def test_of_a_theft_from_nobodys_hand_nothing_is_thought() -> None:
    memory = memory_of_alice(charlie={"grain": 1})
    memory.learn([seen("stole", CHARLIE, victim=BOB, count=0)])
    assert memory.hands(CHARLIE) == [(resources(grain=1), 1.0)]


def test_a_card_that_was_seen_makes_hands_with_more_of_its_kind_likelier() -> None:
    """Bob has one ore or two; Alice finds an ore in his hand, which is twice as likely with two."""
    memory = memory_of_alice(bob={"brick": 1, "ore": 1}, charlie={"ore": 1, "wool": 1})
    memory.learn([seen("stole", BOB, victim=CHARLIE, count=1)])
    memory.learn([seen("stole", ALICE, victim=BOB, count=1, resource="ore")])
    assert thought(memory, BOB) == {resources(brick=1, ore=1): 2 / 3, resources(brick=1, wool=1): 1 / 3}
    assert memory.hands(ALICE) == [(resources(ore=1), 1.0)]


@pytest.mark.parametrize(
    ("event", "left"),
    [
        (seen("bought_card", CHARLIE), resources(brick=1, grain=1)),
        (seen("discarded", CHARLIE, resources={"ore": 1}), resources(brick=1, wool=1, grain=2)),
        (
            seen("offered", CHARLIE, offer=0, to=[ALICE], gives={"ore": 1}, gets={"lumber": 1}, answers=None),
            resources(brick=1, wool=1, grain=2, ore=1),
        ),
        (
            seen("traded_with_bank", CHARLIE, gives={"ore": 1}, gets={"lumber": 1}),
            resources(brick=1, lumber=1, wool=1, grain=2),
        ),
        (
            seen("traded", BOB, offer=0, partner=CHARLIE, gives={"brick": 1}, gets={"ore": 1}),
            resources(brick=2, wool=1, grain=2),
        ),
    ],
)
def test_whoever_shows_a_card_has_held_it(event: Seen, left: tuple[int, ...]) -> None:
    memory = memory_of_alice(bob={"brick": 1, "ore": 1}, charlie={"brick": 1, "wool": 1, "grain": 2})
    memory.learn([seen("stole", CHARLIE, victim=BOB, count=1)])
    assert len(memory.hands(CHARLIE)) == 2
    memory.learn([event])
    assert memory.hands(CHARLIE) == [(left, 1.0)]


def test_whoever_accepts_an_offer_holds_what_it_asks_for() -> None:
    memory = memory_of_alice(alice={"lumber": 1}, bob={"brick": 1, "ore": 1}, charlie={"grain": 1})
    memory.learn([seen("stole", CHARLIE, victim=BOB, count=1)])
    memory.learn(
        [seen("offered", ALICE, offer=3, to=[BOB], gives={"lumber": 1}, gets={"brick": 1}, answers=None)],
    )
    memory.learn([seen("accepted", BOB, offer=3)])
    assert memory.hands(BOB) == [(resources(brick=1), 1.0)]
    assert memory.hands(CHARLIE) == [(resources(grain=1, ore=1), 1.0)]


def test_a_monopoly_tells_of_those_too_who_hold_none() -> None:
    memory = memory_of_alice(
        alice={"wool": 1, "grain": 1, "ore": 1}, bob={"brick": 1, "ore": 1}, charlie={"grain": 1}, dana={"ore": 2}
    )
    memory.learn([seen("bought_card", ALICE, card="monopoly")])
    memory.learn([seen("stole", CHARLIE, victim=BOB, count=1)])
    memory.learn(
        [
            seen("played_card", ALICE, card="monopoly"),
            seen("monopolized", ALICE, victim=BOB, resource="ore", count=1),
            seen("monopolized", ALICE, victim=DANA, resource="ore", count=2),
        ],
    )
    assert memory.hands(ALICE) == [(resources(ore=3), 1.0)]
    assert memory.hands(BOB) == [(resources(), 1.0)]
    assert memory.hands(CHARLIE) == [(resources(brick=1, grain=1), 1.0)]


@pytest.mark.parametrize(("built", "free"), [(0, 2), (14, 1), (15, 0)])
def test_road_building_pays_for_as_many_roads_as_pieces_are_left(built: int, free: int) -> None:
    memory = memory_of_alice(bob={"brick": 20, "lumber": 20, "wool": 1, "grain": 1, "ore": 1})
    memory.learn(seen("built_road", BOB, edge=edge) for edge in range(built))
    memory.learn([seen("bought_card", BOB)])
    before = memory.expected(BOB)[BRICK]
    memory.learn([seen("played_card", BOB, card="road_building")])
    memory.learn([seen("built_road", BOB, edge=edge) for edge in range(20, 23)])
    assert memory.expected(BOB)[BRICK] == before - (3 - free)


@pytest.mark.parametrize("end", [seen("stopped_placing_roads", BOB), seen("turn_began", BOB, turn=2)])
def test_what_is_not_placed_of_road_building_is_forgotten(end: Seen) -> None:
    memory = memory_of_alice(bob={"brick": 2, "lumber": 2, "wool": 1, "grain": 1, "ore": 1})
    memory.learn([seen("bought_card", BOB)])
    memory.learn([seen("played_card", BOB, card="road_building")])
    memory.learn([end])
    memory.learn([seen("built_road", BOB, edge=1)])
    assert memory.hands(BOB) == [(resources(brick=1, lumber=1), 1.0)]


def test_a_truth_that_was_dropped_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST_CASES", 1)
    memory = memory_of_alice(bob={"brick": 1, "ore": 5}, charlie={"grain": 1}, dana={"wool": 2})
    memory.learn([seen("stole", CHARLIE, victim=BOB, count=1)])
    assert memory.has_dropped
    assert memory.hands(CHARLIE) == [(resources(grain=1, ore=1), 1.0)]
    monkeypatch.undo()
    memory.learn([seen("discarded", CHARLIE, resources={"brick": 1})])
    assert sum(memory.expected(CHARLIE)) == pytest.approx(1)
    assert sum(memory.expected(seat)[ORE] for seat in (BOB, CHARLIE, DANA)) == pytest.approx(5)
    assert sum(memory.expected(seat)[GRAIN] for seat in (BOB, CHARLIE, DANA)) == pytest.approx(1)
    assert memory.expected(BOB)[BRICK] == 0


def test_hands_are_sampled_as_often_as_they_are_likely() -> None:
    memory = memory_of_alice(bob={"brick": 1, "ore": 3}, charlie={"grain": 1})
    memory.learn([seen("stole", CHARLIE, victim=BOB, count=1)])
    source = Random(1)
    samples = [memory.sample(source) for _ in range(4_000)]
    assert all(hands[BOB][BRICK] + hands[CHARLIE][BRICK] == 1 for hands in samples)
    assert sum(hands[CHARLIE][BRICK] for hands in samples) == pytest.approx(1_000, abs=100)


# Development cards


def test_a_card_is_remembered_from_the_turn_it_was_bought_on_until_it_is_played() -> None:
    memory = memory_of_alice(bob={"wool": 2, "grain": 2, "ore": 2}, alice={"wool": 1, "grain": 1, "ore": 1})
    memory.learn([seen("bought_card", ALICE, card="monopoly")])
    memory.learn([seen("bought_card", BOB)])
    memory.learn([seen("turn_began", BOB, turn=2)])
    memory.learn([seen("bought_card", BOB)])
    assert memory.cards_of(BOB) == (HeldCard(1, None), HeldCard(2, None))
    assert memory.cards_of(ALICE) == (HeldCard(1, CARD_NAMES.index("monopoly")),)
    memory.learn([seen("played_card", BOB, card="knight")])
    assert memory.cards_of(BOB) == (HeldCard(2, None),)


def test_a_card_that_was_offered_or_traded_is_known() -> None:
    memory = memory_of_alice(
        bob={"wool": 2, "grain": 2, "ore": 2, "brick": 1}, charlie={"wool": 1, "grain": 1, "ore": 1}
    )
    for seat in (BOB, BOB, CHARLIE):
        memory.learn([seen("bought_card", seat)])
    terms = {"offer": 0, "gives": {"knight": 1, "brick": 1}, "gets": {"victory_point": 1}}
    memory.learn([seen("offered", BOB, to=[CHARLIE], answers=None, **terms)])
    assert memory.cards_of(BOB) == (HeldCard(1, None), HeldCard(1, KNIGHT))
    memory.learn([seen("accepted", CHARLIE, offer=0)])
    assert memory.cards_of(CHARLIE) == (HeldCard(1, VICTORY_POINT),)
    memory.learn([seen("traded", BOB, partner=CHARLIE, **terms)])
    assert memory.cards_of(BOB) == (HeldCard(1, None), HeldCard(1, VICTORY_POINT))
    assert memory.cards_of(CHARLIE) == (HeldCard(1, KNIGHT),)
    assert memory.hands(CHARLIE) == [(resources(brick=1), 1.0)]


# The turn


def test_the_offers_of_a_turn_and_who_rejected_them_are_remembered_until_it_ends() -> None:
    memory = memory_of_alice(alice={"wool": 2}, bob={"ore": 1})
    terms = bundle(wool=1), bundle(ore=1)
    for number in (0, 1):
        told = {"offer": number, "to": [BOB, DANA], "gives": {"wool": number + 1}, "gets": {"ore": 1}, "answers": None}
        memory.learn([seen("offered", ALICE, **told)])
    memory.learn([seen("rejected", DANA, offer=0)])
    told = {"offer": 2, "to": [ALICE], "gives": {"ore": 1}, "gets": {"wool": 2}, "answers": 0}
    memory.learn([seen("offered", BOB, **told), seen("rejected", BOB, offer=0)])
    memory.learn([seen("withdrew", ALICE, offer=0)])
    assert memory.was_rejected(DANA, *terms)
    assert memory.was_rejected(BOB, *terms)
    assert not memory.was_rejected(CHARLIE, *terms)
    assert not memory.was_rejected(DANA, bundle(wool=2), bundle(ore=1))
    assert memory.made_this_turn(ALICE) == 2
    assert memory.made_this_turn(BOB) == 1
    assert [(offer.maker, offer.gives) for offer in memory.offers_this_turn] == [
        (ALICE, bundle(wool=1)),
        (ALICE, bundle(wool=2)),
        (BOB, bundle(ore=1)),
    ]
    memory.learn([seen("offer_void", ALICE, offer=1), seen("turn_began", BOB, turn=2)])
    assert not memory.offers_this_turn
    assert not memory.was_rejected(DANA, *terms)
    assert memory.offers_made == 3


def test_it_is_remembered_whether_the_dice_were_rolled() -> None:
    memory = memory_of_alice()
    assert not memory.has_rolled
    memory.learn([seen("rolled", ALICE, dice=[3, 4])])
    assert memory.has_rolled
    memory.learn([seen("turn_began", BOB, turn=2)])
    assert not memory.has_rolled
    memory.learn([seen("skipped_roll", BOB)])
    assert memory.has_rolled


@pytest.mark.slow
def test_of_balanced_dice_the_rolls_that_are_left_are_known() -> None:
    for moment in remembered_game(Table("standard balanced_dice=true", 4, "random", 1), hoarding_move, most_moves=400):
        for memory in moment.memories:
            left = sorted(set(range(36)) - set(memory.rolls))
            assert left == moment.state.dice_deck
    assert moment.state.turn > 60
    assert moment.state.phase is not Phase.OVER
