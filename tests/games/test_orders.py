"""What standing orders come to, decided from the view of their seat alone."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import Phase as HypothesisPhase

from games import orders
from games.orders import (
    ALL,
    DONE,
    OTHERS,
    Accept,
    Book,
    Build,
    Decline,
    EndTurn,
    Given,
    KeepFirst,
    MalformedOrder,
    Order,
    Roll,
    decide,
    from_json,
    kept_plans,
    obstacle,
)
from games.rules import PRESETS, IllegalMove, Move, Phase, RandomChance, State, is_legal, play, player_view
from games.rules import moves as m
from games.rules.cards import RESOURCE_NAMES
from games.rules.topology import EDGES, VERTICES, edge_between, members
from games.rules.views import SeatView
from tests.rules.strategies import Table, eager_move, haggling_move, preset_tables, tables
from tests.rules.table import (
    ALICE,
    BOB,
    CHARLIE,
    accept,
    bundle,
    give,
    hold,
    make,
    offer,
    pave,
    raise_cities,
    resources,
    set_table,
    settle,
)

from .ordering import book_of, some_order


def decided(state: State, seat: int, *given_orders: Order, may_promise: bool = True) -> Move | None:
    decision = decide(player_view(state, seat), book_of(*given_orders), may_promise=may_promise)
    return decision.move if decision else None


PLAN = Build("city", 0)


# Each order alone


def test_roll_for_me_rolls_when_the_turn_begins_and_for_nobody_else() -> None:
    state = set_table(phase=Phase.ROLLING)
    assert decided(state, ALICE, Roll()) == m.Roll(ALICE)
    assert decided(state, BOB, Roll()) is None
    assert decided(set_table(), ALICE, Roll()) is None


def test_roll_for_me_rolls_although_a_card_could_be_played_first() -> None:
    state = set_table(phase=Phase.ROLLING)
    hold(state, ALICE, "knight")
    assert decided(state, ALICE, Roll()) == m.Roll(ALICE)


def test_who_may_skip_the_roll_is_not_rolled_for() -> None:
    state = set_table(phase=Phase.ROLLING, knights="may_replace_roll")
    state.may_skip_roll = True
    assert decided(state, ALICE, Roll()) is None


@pytest.mark.parametrize(
    ("keep", "hand", "lost"),
    [
        (("ore",), {"brick": 4, "ore": 4}, {"brick": 4}),
        (("ore", "grain"), {"brick": 2, "grain": 4, "ore": 2}, {"brick": 2, "grain": 2}),
        (("grain", "ore"), {"brick": 2, "grain": 4, "ore": 2}, {"brick": 2, "ore": 2}),
        # Of what is not named, what there is most of goes first.
        (("ore",), {"brick": 1, "wool": 5, "ore": 2}, {"wool": 4}),
        (("ore",), {"ore": 9}, {"ore": 4}),
    ],
)
def test_on_a_seven_what_was_named_first_is_kept_longest(
    keep: tuple[str, ...], hand: dict[str, int], lost: dict[str, int]
) -> None:
    state = set_table(phase=Phase.DISCARDING)
    give(state, BOB, **hand)
    state.discards[BOB] = sum(hand.values()) // 2
    assert decided(state, BOB, KeepFirst(keep)) == m.Discard(BOB, resources(**lost))
    assert decided(state, BOB, Roll(), EndTurn()) is None
    assert decided(state, ALICE, KeepFirst(keep)) is None


def offered(gives: dict[str, int], gets: dict[str, int]) -> State:
    """Alice makes Bob and Charlie an offer; they hold enough of everything."""
    state = set_table()
    for seat in (ALICE, BOB, CHARLIE):
        give(state, seat, **dict.fromkeys(RESOURCE_NAMES, 4))
    offer(state, (BOB, CHARLIE), gives, gets)
    return state


@pytest.mark.parametrize(
    ("asking", "gets", "is_declined"),
    [
        (ALL, {"wool": 1}, True),
        (OTHERS, {"wool": 1}, True),
        ("ore", {"ore": 1}, True),
        ("ore", {"wool": 1, "ore": 1}, True),
        ("ore", {"wool": 1}, False),
    ],
)
def test_offers_are_declined_by_what_they_ask_for(asking: str, gets: dict[str, int], is_declined: bool) -> None:
    state = offered({"brick": 1}, gets)
    expected = m.RejectOffer(BOB, state.offers[0].number) if is_declined else None
    assert decided(state, BOB, Decline(asking)) == expected
    assert decided(state, ALICE, Decline(asking)) is None


@pytest.mark.parametrize(
    ("gives", "gets", "is_accepted"),
    [
        ({"ore": 1}, {"wool": 2}, True),
        ({"ore": 1}, {"wool": 1}, True),
        ({"ore": 2}, {"wool": 2}, True),
        ({"ore": 1, "brick": 1}, {"wool": 2}, True),
        ({"ore": 1}, {"wool": 3}, False),
        ({"brick": 1}, {"wool": 2}, False),
        ({"ore": 1}, {"wool": 1, "grain": 1}, False),
        ({"ore": 1}, {"grain": 1}, False),
    ],
)
def test_offers_are_accepted_that_ask_for_no_more_and_give_no_less(
    gives: dict[str, int], gets: dict[str, int], is_accepted: bool
) -> None:
    state = offered(gives, gets)
    expected = m.AcceptOffer(BOB, state.offers[0].number) if is_accepted else None
    order = Accept("wool", 2, "ore", 1)
    assert decided(state, BOB, order) == expected
    assert decided(state, BOB, order, may_promise=False) is None


def test_nobody_promises_by_order_what_they_do_not_hold() -> None:
    state = offered({"ore": 1}, {"wool": 2})
    state.hands[BOB][RESOURCE_NAMES.index("wool")] = 1
    assert decided(state, BOB, Accept("wool", 2, "ore", 1)) is None


@pytest.mark.parametrize("wool", [0, 1])
def test_an_offer_that_would_be_accepted_were_the_cards_there_is_declined_like_all_others(wool: int) -> None:
    """If it were met with silence, everybody would know what is not in the hand."""
    state = offered({"ore": 1}, {"wool": 2})
    state.hands[BOB][RESOURCE_NAMES.index("wool")] = wool
    number = state.offers[0].number
    assert decided(state, BOB, Accept("wool", 2, "ore", 1), Decline(OTHERS)) == m.RejectOffer(BOB, number)
    assert decided(state, BOB, Accept("wool", 2, "ore", 1), Decline("ore")) is None


def test_where_orders_accept_nothing_all_offers_are_others() -> None:
    state = offered({"ore": 1}, {"wool": 2})
    both = Accept("wool", 2, "ore", 1), Decline(OTHERS)
    assert decided(state, BOB, *both, may_promise=False) == m.RejectOffer(BOB, state.offers[0].number)


def test_what_somebody_has_answered_themselves_is_left_alone() -> None:
    state = offered({"ore": 1}, {"wool": 2})
    accept(state, BOB)
    assert decided(state, BOB, Decline(ALL)) is None
    make(state, m.RejectOffer(CHARLIE, state.offers[0].number))
    assert decided(state, CHARLIE, Accept("wool", 2, "ore", 1)) is None


def test_who_takes_back_a_yes_that_an_order_gave_is_not_made_to_give_it_again() -> None:
    state = offered({"ore": 1}, {"wool": 2})
    book = book_of(Accept("wool", 2, "ore", 1))
    decision = decide(player_view(state, BOB), book, may_promise=True)
    assert decision
    make(state, decision.move)
    book = book.after(decision, player_view(state, BOB)).with_order(Decline(OTHERS))
    make(state, m.WithdrawOffer(BOB, state.offers[0].number))
    assert decide(player_view(state, BOB), book, may_promise=True) is None, "nor to say no"
    state.turn += 1
    offer(state, (BOB,), {"ore": 2}, {"wool": 1})
    again = decide(player_view(state, BOB), book, may_promise=True)
    assert again
    assert again.move == m.AcceptOffer(BOB, state.offers[-1].number)


def test_an_order_accepts_one_offer_a_turn_so_that_nobody_asks_for_a_hand_bit_by_bit() -> None:
    state = set_table()
    give(state, ALICE, wool=5)
    give(state, BOB, ore=5)
    book, accepted = book_of(Accept("ore", 1, "wool", 1)), []
    for turn in range(3):
        state.turn += 1
        for _ in range(3):
            offer(state, (BOB,), {"wool": 1}, {"ore": 1})
            number = state.offers[-1].number
            decision = decide(player_view(state, BOB), book, may_promise=True)
            if decision is None:
                make(state, m.WithdrawOffer(ALICE, number))
                continue
            make(state, decision.move)
            book = book.after(decision, player_view(state, BOB))
            make(state, m.ConfirmTrade(ALICE, number, BOB))
            accepted.append(turn)
    assert accepted == [0, 1, 2]


def test_two_orders_for_the_same_accept_two_offers_a_turn() -> None:
    state = set_table()
    give(state, ALICE, wool=3)
    give(state, BOB, ore=3)
    book = book_of(Accept("ore", 1, "wool", 1), Accept("ore", 2, "wool", 1))
    for expected in (0, 1):
        offer(state, (BOB,), {"wool": 1 + expected}, {"ore": 1})
        decision = decide(player_view(state, BOB), book, may_promise=True)
        assert decision
        assert decision.number == expected
        make(state, decision.move)
        book = book.after(decision, player_view(state, BOB))
    offer(state, (BOB,), {"wool": 3}, {"ore": 1})
    assert decide(player_view(state, BOB), book, may_promise=True) is None


@pytest.mark.parametrize(("ore", "is_accepted"), [(2, True), (3, False), (4, True)])
def test_what_the_next_planned_piece_costs_is_not_given_away(ore: int, is_accepted: bool) -> None:
    """Where it cannot be paid for yet, or can afterwards too, there is nothing to keep."""
    state = set_table()
    settle(state, BOB, 0)
    give(state, ALICE, wool=2)
    give(state, BOB, ore=ore, grain=2)
    offer(state, (BOB,), {"wool": 1}, {"ore": 1})
    expected = m.AcceptOffer(BOB, state.offers[0].number) if is_accepted else None
    assert decided(state, BOB, PLAN, Accept("ore", 1, "wool", 1)) == expected
    assert decided(state, BOB, Accept("ore", 1, "wool", 1)) is not None


def test_what_was_promised_already_is_as_good_as_given_away() -> None:
    state = set_table()
    settle(state, BOB, 0)
    give(state, ALICE, wool=2)
    give(state, BOB, ore=4, grain=2)
    offer(state, (BOB,), {"wool": 1}, {"ore": 1})
    accept(state, BOB)
    offer(state, (BOB,), {"wool": 2}, {"ore": 1})
    assert decided(state, BOB, PLAN, Accept("ore", 1, "wool", 1)) is None


def test_a_counter_offer_in_ones_own_turn_is_declined_but_never_concluded_by_order() -> None:
    state = offered({"ore": 1}, {"wool": 2})
    make(state, m.CounterOffer(BOB, state.offers[0].number, bundle(ore=1), bundle(wool=1)))
    assert decided(state, ALICE, Accept("wool", 2, "ore", 1)) is None
    assert decided(state, ALICE, Decline(ALL)) == m.RejectOffer(ALICE, state.offers[-1].number)


def test_the_turn_ends_when_nothing_can_be_done() -> None:
    state = set_table()
    assert decided(state, ALICE, EndTurn()) == m.EndTurn(ALICE)
    give(state, ALICE, wool=1)
    assert decided(state, ALICE, EndTurn()) == m.EndTurn(ALICE), "to offer it is not to do something"
    assert decided(state, BOB, EndTurn()) is None
    assert decided(set_table(phase=Phase.ROLLING), ALICE, EndTurn()) is None


def can_build(state: State) -> None:
    settle(state, ALICE, 0)
    give(state, ALICE, brick=1, lumber=1)


def can_buy(state: State) -> None:
    give(state, ALICE, wool=1, grain=1, ore=1)


def can_trade_with_bank(state: State) -> None:
    give(state, ALICE, wool=4)


def can_play(state: State) -> None:
    hold(state, ALICE, "monopoly")


def has_an_offer_open(state: State) -> None:
    give(state, ALICE, wool=1)
    give(state, BOB, ore=1)
    offer(state, (BOB,), {"wool": 1}, {"ore": 1})


@pytest.mark.parametrize("prepare", [can_build, can_buy, can_trade_with_bank, can_play, has_an_offer_open])
def test_the_turn_does_not_end_while_something_can_be_done(prepare: Any) -> None:
    state = set_table()
    prepare(state)
    assert decided(state, ALICE, EndTurn()) is None


def test_a_card_that_was_bought_this_turn_does_not_keep_it_from_ending() -> None:
    state = set_table()
    hold(state, ALICE, "knight", new=True)
    assert decided(state, ALICE, EndTurn()) == m.EndTurn(ALICE)


CARDS = ("knight", "road_building", "year_of_plenty", "monopoly", "victory_point")


@pytest.mark.parametrize("knights", ["then_roll", "never_played"])
@pytest.mark.parametrize("card", CARDS)
def test_whether_a_turn_is_ended_by_order_tells_nothing_of_the_cards_in_hand(card: str, knights: str) -> None:
    state = set_table(knights=knights)
    hold(state, ALICE, card)
    assert decided(state, ALICE, EndTurn()) is None
    state.cards_played = 1
    assert decided(state, ALICE, EndTurn()) == m.EndTurn(ALICE), "one card a turn is all that may be played"


@pytest.mark.parametrize("card", CARDS)
def test_where_any_number_of_cards_may_be_played_each_in_hand_may_be_the_next(card: str) -> None:
    state = set_table(cards_a_turn="any_number")
    hold(state, ALICE, card)
    state.cards_played = 1
    assert decided(state, ALICE, EndTurn()) is None


@pytest.mark.parametrize(("new", "cards_played"), [(True, 0), (False, 1), (True, 1)])
@pytest.mark.parametrize("card", CARDS)
def test_where_a_victory_point_can_be_played_at_any_time_each_card_in_hand_may_be_one(
    card: str, new: bool, cards_played: int
) -> None:
    state = set_table(victory_point_cards="when_played")
    hold(state, ALICE, card, new=new)
    state.cards_played = cards_played
    assert decided(state, ALICE, EndTurn()) is None
    state.cards[ALICE].clear()
    assert decided(state, ALICE, EndTurn()) == m.EndTurn(ALICE)


def test_a_planned_piece_is_built_when_it_can_be_paid_for() -> None:
    state = set_table()
    settle(state, ALICE, 0)
    pave(state, ALICE, 0, 4, 1)
    road, settlement, city = Build("road", edge_between(1, 5)), Build("settlement", 1), Build("city", 0)
    for plan in (road, settlement, city):
        assert decided(state, ALICE, plan) is None
    give(state, ALICE, brick=1, lumber=1)
    assert decided(state, ALICE, road) == m.BuildRoad(ALICE, edge_between(1, 5))
    give(state, ALICE, wool=1, grain=2, ore=3)
    assert decided(state, ALICE, settlement) == m.BuildSettlement(ALICE, 1)
    assert decided(state, ALICE, city) == m.BuildCity(ALICE, 0)
    state.phase = Phase.ROLLING
    assert decided(state, ALICE, city) is None
    state.phase, state.active = Phase.MAIN, BOB
    assert decided(state, ALICE, city) is None


def test_planned_pieces_are_built_one_after_the_other() -> None:
    """The road can be paid for, but its cards are wanted for the settlement before it."""
    state = set_table()
    settle(state, ALICE, 0)
    pave(state, ALICE, 0, 4, 1)
    settlement, road = Build("settlement", 1), Build("road", edge_between(1, 5))
    give(state, ALICE, brick=1, lumber=1)
    assert decided(state, ALICE, settlement, road) is None
    assert decided(state, ALICE, road, settlement) == m.BuildRoad(ALICE, edge_between(1, 5))


def test_a_settlement_waits_for_the_city_behind_it_while_none_is_left() -> None:
    """Neither could ever be built otherwise: the city gives a settlement back."""
    state = set_table()
    settle(state, ALICE, 0)
    pave(state, ALICE, 0, 4, 1)
    others = [vertex for vertex in members(state.open_vertices) if vertex not in (1, 5)]
    while view_of_alice(state)["settlements_left"]:
        settle(state, ALICE, next(vertex for vertex in others if state.open_vertices >> vertex & 1))
    give(state, ALICE, brick=1, lumber=1, wool=1, grain=3, ore=3)
    book = book_of(Build("settlement", 1), Build("city", 0))
    assert kept_plans(player_view(state, ALICE), book) == book
    city, settlement = m.BuildCity(ALICE, 0), m.BuildSettlement(ALICE, 1)
    assert decided(state, ALICE, *orders.plans(book)) == city
    make(state, city)
    assert decided(state, ALICE, *orders.plans(book)) == settlement


def view_of_alice(state: State) -> SeatView:
    return player_view(state, ALICE)["seats"][ALICE]


def test_free_roads_and_the_setup_are_for_the_player_to_place() -> None:
    state = set_table(phase=Phase.PLACING_FREE_ROADS)
    settle(state, ALICE, 0)
    state.free_roads = 2
    assert decided(state, ALICE, Build("road", edge_between(0, 4))) is None


# Several together

ROLL, END, KEEP = Roll(), EndTurn(), KeepFirst(("ore",))
NO_ORE, YES, NO_OTHERS = Decline("ore"), Accept("wool", 2, "ore", 1), Decline(OTHERS)


def rolling() -> State:
    return set_table(phase=Phase.ROLLING)


def rich() -> State:
    state = set_table()
    settle(state, ALICE, 0)
    give(state, ALICE, grain=2, ore=3)
    return state


def poor() -> State:
    state = set_table()
    settle(state, ALICE, 0)
    return state


def on_a_seven() -> State:
    state = set_table(phase=Phase.DISCARDING)
    give(state, ALICE, wool=4, ore=4)
    state.discards[ALICE] = 4
    return state


@pytest.mark.parametrize(
    ("situation", "wanted"),
    [
        (rolling, {ROLL: m.Roll(ALICE)}),
        (rich, {PLAN: m.BuildCity(ALICE, 0)}),
        (poor, {END: m.EndTurn(ALICE)}),
        (on_a_seven, {KEEP: m.Discard(ALICE, resources(wool=4))}),
    ],
)
def test_in_each_situation_the_order_that_is_about_it_decides(situation: Any, wanted: dict[Order, Move]) -> None:
    """All subsets of the orders: what is not about this moment changes nothing, in whatever order they were given."""
    every = [ROLL, END, KEEP, NO_ORE, YES, NO_OTHERS, PLAN]
    state = situation()
    for chosen in range(2 ** len(every)):
        given_orders = [order for place, order in enumerate(every) if chosen >> place & 1]
        ((order, move),) = wanted.items()
        expected = move if order in given_orders else None
        assert decided(state, ALICE, *given_orders) == expected
        assert decided(state, ALICE, *given_orders[::-1]) == expected


def test_an_offer_is_accepted_by_the_one_order_and_all_others_declined_by_the_other() -> None:
    wool_for_ore, ore_for_wool = offered({"ore": 1}, {"wool": 1}), offered({"wool": 1}, {"ore": 1})
    number = wool_for_ore.offers[0].number
    assert decided(wool_for_ore, BOB, NO_OTHERS, YES) == m.AcceptOffer(BOB, number)
    assert decided(ore_for_wool, BOB, NO_OTHERS, YES) == m.RejectOffer(BOB, number)
    assert decided(wool_for_ore, BOB, NO_ORE, YES) == m.AcceptOffer(BOB, number)
    assert decided(ore_for_wool, BOB, NO_ORE, YES) == m.RejectOffer(BOB, number)


@pytest.mark.parametrize(
    ("one", "other", "contradict"),
    [
        (YES, Decline("wool"), True),
        (YES, Decline(ALL), True),
        (YES, Decline(OTHERS), False),
        (YES, Decline("ore"), False),
        (YES, Accept("ore", 1, "wool", 1), False),
        (Decline(ALL), Decline("ore"), False),
        (ROLL, END, False),
    ],
)
def test_which_orders_contradict_each_other(one: Order, other: Order, contradict: bool) -> None:
    assert orders.contradicting(book_of(one), other) == (one if contradict else None)
    assert orders.contradicting(book_of(other), one) == (other if contradict else None)


# What becomes of plans


def test_a_plan_is_dropped_once_it_stands_whoever_built_it_or_can_never_stand() -> None:
    state = set_table()
    settle(state, ALICE, 0)
    pave(state, ALICE, 0, 4, 1)
    way_on, beyond = Build("road", edge_between(1, 5)), Build("road", edge_between(5, 2))
    book = book_of(Build("city", 0), Build("settlement", 1), way_on, beyond)
    assert kept_plans(player_view(state, ALICE), book) == book
    state.settlements[ALICE] = 0
    raise_cities(state, ALICE, 0)
    settle(state, BOB, 5)
    kept = kept_plans(player_view(state, ALICE), book)
    # Bob has built beside the corner, and across the way: the road up to his settlement is still possible.
    assert [given.order for given in kept.orders] == [way_on]
    assert [(told.order.kind, told.why) for told in kept.told] == [
        ("build", DONE),
        ("build", "too_close"),
        ("build", "not_connected"),
    ]


def test_a_plan_that_leads_on_from_one_that_is_gone_goes_with_it() -> None:
    state = set_table()
    settle(state, ALICE, 0)
    first, second = Build("road", edge_between(0, 4)), Build("road", edge_between(4, 1))
    assert obstacle(player_view(state, ALICE), second, []) == "not_connected"
    assert obstacle(player_view(state, ALICE), second, [first]) is None
    pave(state, BOB, 0, 4)
    told = kept_plans(player_view(state, ALICE), book_of(first, second)).told
    assert [each.why for each in told] == ["edge_taken", "not_connected"]


@pytest.mark.parametrize("preset", PRESETS)
def test_whether_a_piece_can_be_planned_is_what_the_rules_say_to_somebody_who_can_pay(preset: str) -> None:
    """For every place and piece, again and again in the course of a game."""
    state, source = Table(preset, PRESETS[preset].seats[0], "random", 7).new_game()
    chance, looked = RandomChance(source), 0
    while state.phase is not Phase.OVER and looked < 25:
        play(state, eager_move(state, source), chance)
        if state.phase is Phase.MAIN and source.random() < 0.1:
            check_obstacles(state)
            looked += 1


def check_obstacles(state: State) -> None:
    rich = state.copy()
    rich.hands[rich.active] = [9] * 5
    view = player_view(state, state.active)
    for piece, places in (("road", EDGES), ("settlement", VERTICES), ("city", VERTICES)):
        for place in places:
            where = "edge" if piece == "road" else "vertex"
            move = m.from_json({"kind": f"build_{piece}", "seat": state.active, where: place})
            try:
                play(rich.copy(), move, RandomChance(Random(1)))
                code = None
            except IllegalMove as refusal:
                code = refusal.code
            found = obstacle(view, Build(piece, place), [])
            if code == "no_settlement_left" and view["seats"][state.active]["cities_left"]:
                continue  # One comes back with the next city.
            assert (found is None) == (code is None), f"{piece} at {place}: {found}, by the rules {code}"


# Whatever is ordered, under whatever rules

REPEATABLE = settings(
    derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=15
)


def check_whole_game(table: Table, most_moves: int) -> set[str]:
    """Everybody gives and cancels orders as they like, and plays; tells which moves were made by order."""
    state, source = table.new_game()
    chance = RandomChance(source)
    books = [Book() for _ in state.order]
    ordered: set[str] = set()
    for _ in range(most_moves):
        if state.phase is Phase.OVER:
            break
        for seat in state.seats:
            books[seat] = changed(state, seat, books[seat], source)
        seat = source.choice(state.seats)
        decision = decide(player_view(state, seat), books[seat], may_promise=source.random() < 0.8)
        if decision:
            assert is_legal(state, decision.move), f"{decision.move} at {table}"
            assert decision.move.seat == seat
            assert books[seat].find(decision.number)
            books[seat] = books[seat].after(decision, player_view(state, seat))
            ordered.add(decision.move.kind)
        move = decision.move if decision else (haggling_move if source.random() < 0.3 else eager_move)(state, source)
        play(state, move, chance)
    return ordered


def changed(state: State, seat: int, book: Book, source: Random) -> Book:
    view = player_view(state, seat)
    book = kept_plans(view, book)
    plans = orders.plans(book)
    assert all(obstacle(view, plan, plans[:place]) is None for place, plan in enumerate(plans))
    if source.random() < 0.1:
        order = some_order(view, book, source)
        if order not in [each.order for each in book.orders] and not orders.contradicting(book, order):
            book = book.with_order(order)
    elif book.orders and source.random() < 0.02:
        book = book.without(source.choice(book.orders).number)
    assert Book.from_json(json.loads(json.dumps(book.to_json()))) == book
    return book


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "seats"), preset_tables())
def test_orders_never_choose_an_illegal_move_under_any_preset(preset: str, seats: int) -> None:
    check_whole_game(Table(preset, seats, "random", seats), most_moves=600)


@pytest.mark.slow
def test_orders_never_choose_an_illegal_move_under_any_options() -> None:
    seen: set[str] = set()

    @settings(REPEATABLE, phases=[HypothesisPhase.generate])
    @given(tables())
    def holds(table: Table) -> None:
        seen.update(check_whole_game(table, most_moves=400))

    holds()
    assert seen == {
        *("roll", "end_turn", "discard", "accept_offer", "reject_offer"),
        *("build_road", "build_settlement", "build_city"),
    }


# As they are written


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"kind": "dance"},
        {"kind": []},
        {"kind": "roll", "seat": 1},
        {"kind": "keep_first"},
        {"kind": "keep_first", "keep": []},
        {"kind": "keep_first", "keep": ["ore", "ore"]},
        {"kind": "keep_first", "keep": ["gold"]},
        {"kind": "keep_first", "keep": [["ore"]]},
        {"kind": "keep_first", "keep": "ore"},
        {"kind": "decline", "asking": "gold"},
        {"kind": "decline", "asking": None},
        {"kind": "accept", "give": "wool", "most": 2, "get": "wool", "least": 1},
        {"kind": "accept", "give": "gold", "most": 2, "get": "ore", "least": 1},
        {"kind": "accept", "give": "wool", "most": -2, "get": "ore", "least": 1},
        {"kind": "accept", "give": "wool", "most": 0, "get": "ore", "least": 1},
        {"kind": "accept", "give": "wool", "most": 2, "get": "ore", "least": 20},
        {"kind": "accept", "give": "wool", "most": True, "get": "ore", "least": 1},
        {"kind": "accept", "give": "wool", "most": 1.0, "get": "ore", "least": 1},
        {"kind": "build", "piece": "castle", "place": 1},
        {"kind": "build", "piece": "city", "place": 54},
        {"kind": "build", "piece": "road", "place": 72},
        {"kind": "build", "piece": "road", "place": -1},
        {"kind": "build", "piece": "road", "place": "1"},
    ],
)
def test_what_is_no_order_is_refused(data: Any) -> None:
    with pytest.raises(MalformedOrder):
        from_json(data)


@pytest.mark.parametrize("order", [ROLL, END, KEEP, NO_ORE, YES, NO_OTHERS, PLAN, Build("road", 71)])
def test_an_order_is_read_as_it_was_written(order: Order) -> None:
    assert from_json(json.loads(json.dumps(order.to_json()))) == order


def test_orders_that_were_given_before_their_turns_were_counted_are_read_too() -> None:
    written = {"orders": [{"number": 0, "answered": [3], **YES.to_json()}], "told": [], "given": 1}
    assert Book.from_json(written).orders == (Given(0, YES, (3,)),)


def test_no_number_is_used_twice_and_the_last_word_on_a_seven_counts() -> None:
    book = book_of(ROLL, END).without(1).with_order(END)
    assert [each.number for each in book.orders] == [0, 2]
    again = book_of(KEEP, KeepFirst(("wool",)))
    assert [each.order for each in again.orders] == [KeepFirst(("wool",))]
