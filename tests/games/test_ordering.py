"""Standing orders in the database: given, cancelled, and carried out by whoever looks, in time or late."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import clocks, ordered, selectors, services, snapshots, tasks
from games.clocks import ORDERS_PAUSE
from games.models import Connection, Game, Move, Seat
from games.orders import (
    ALL,
    DONE,
    MOST_ORDERS,
    MOST_PLANS,
    OTHERS,
    REFUSED,
    Accept,
    Book,
    Build,
    Decision,
    Decline,
    EndTurn,
    KeepFirst,
    Order,
    Roll,
    possible_plans,
)
from games.paces import PACES, PaceName
from games.rules import IllegalMove, Phase, State, player_view
from games.rules import moves as m
from games.rules.cards import RESOURCE_NAMES
from games.rules.state import derive
from games.rules.topology import EDGES, TOO_CLOSE_SET, VERTEX_EDGE_SET, bit_set, members
from games.selectors import UNSEEN_AFTER
from games.services import NothingToDo, NotRunning, NotYourSeat, OrderRefused, presence
from games.services.playing import LOOKED_AT_AGAIN
from games.services.uptime import note_pulse
from games.verification import differences
from lobby.models import User

from .conftest import Clock
from .playing import ALICE, BOB, CHARLIE, lay_out, look, new_game, time_out_until
from .waiting import check_kept_sitters

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

PAUSE = ORDERS_PAUSE.total_seconds()
DAYS: PaceName = "1 day"


def as_it_is(_: State) -> None:
    """Alice is about to roll."""


def game_over_days(prepare: Callable[[State], None] = as_it_is, *, pace: str = DAYS, users: Any = ()) -> Game:
    """A game after its setup, Alice's turn, as the test wants it."""
    game = new_game("standard turn_order=seat_order", seed="orders", pace=pace, users=users)
    state = time_out_until(game.pk, lambda state: state.turn > 0).copy()
    prepare(state)
    lay_out(game.pk, state)
    services.pause(game.pk, now=timezone.now())
    services.resume(game.pk, now=timezone.now())
    return Game.objects.get(pk=game.pk)


def with_hands(*hands: list[int], phase: Phase = Phase.MAIN) -> Callable[[State], None]:
    def prepare(state: State) -> None:
        state.phase, state.rolled = phase, phase is not Phase.ROLLING
        for seat in state.seats:
            state.hands[seat] = list(hands[seat]) if seat < len(hands) else [0] * 5
        state.bank = [19 - sum(held) for held in zip(*state.hands, strict=True)]

    return prepare


NOTHING = [0, 0, 0, 0, 0]


def order(game: Game, seat: int, *orders: Order) -> None:
    for each in orders:
        services.give_order(game.pk, seat, each, now=timezone.now())
    game.refresh_from_db()


def book(game: Game, seat: int) -> Book:
    """As the rows have it, whatever this process remembers."""
    check_kept_sitters(game)
    return Book.from_json(Seat.objects.get(pk=Seat.key(game.pk, seat)).orders)


def act(game: Game) -> None:
    tasks.act_when_due(game.pk)
    game.refresh_from_db()


def played(game: Game, after: int) -> list[tuple[str, int, str]]:
    moves = Move.objects.filter(game=game, number__gt=after).order_by("number")
    return [(move.kind, Seat.number_of(move.seat_id), move.by) for move in moves]


def state_of(game: Game) -> State:
    return snapshots.read(game.pk)[1].state


def some_road(state: State, seat: int) -> Build:
    return Build("road", members(state.road_sites[seat])[0])


def some_city(state: State, seat: int) -> Build:
    return Build("city", members(state.settlements[seat])[0])


# Carried out


def test_an_order_is_carried_out_after_a_short_pause_and_told_as_one(clock: Clock) -> None:
    game = game_over_days()
    version = game.version
    order(game, ALICE, Roll())
    assert game.orders_due == clock.now + ORDERS_PAUSE
    clock.move(PAUSE / 2)
    act(game)
    assert game.version == version
    clock.move(PAUSE / 2)
    act(game)
    assert played(game, version) == [("roll", ALICE, Move.By.ORDER)]
    for viewer, name in ((ALICE, "You"), (BOB, "Alice"), (None, "Alice")):
        texts = [entry["text"] for entry in look(game, viewer)["log"]]
        assert f"{name} played by standing order." in texts


def test_a_turn_is_rolled_built_in_and_ended_while_its_player_sleeps(clock: Clock) -> None:
    game = game_over_days(with_hands([0, 0, 0, 2, 3], phase=Phase.ROLLING))
    plan = some_city(state_of(game), ALICE)
    version = game.version
    order(game, ALICE, Roll(), plan, EndTurn(), KeepFirst(("ore",)))
    for _ in range(3):
        clock.move(PAUSE)
        act(game)
    assert played(game, version) == [
        ("roll", ALICE, Move.By.ORDER),
        ("build_city", ALICE, Move.By.ORDER),
        ("end_turn", ALICE, Move.By.ORDER),
    ]
    assert (game.orders_due, state_of(game).active) == (None, BOB)
    kept = book(game, ALICE)
    assert [given.order for given in kept.orders] == [Roll(), EndTurn(), KeepFirst(("ore",))]
    assert [(told.order, told.why) for told in kept.told] == [(plan, DONE)]


def test_on_a_seven_each_keeps_what_they_ordered_and_who_ordered_nothing_is_asked(clock: Clock) -> None:
    def seven(state: State) -> None:
        with_hands(NOTHING, [4, 0, 0, 0, 4], [4, 0, 0, 0, 4])(state)
        state.phase = Phase.DISCARDING
        state.discards[BOB] = state.discards[CHARLIE] = 4

    game = game_over_days(seven)
    version = game.version
    order(game, BOB, KeepFirst(("brick",)))
    clock.move(PAUSE)
    act(game)
    assert played(game, version) == [("discard", BOB, Move.By.ORDER)]
    assert state_of(game).hands[BOB] == [4, 0, 0, 0, 0]
    assert (game.orders_due, state_of(game).discards[CHARLIE]) == (None, 4)
    order(game, CHARLIE, KeepFirst(("ore",)))
    clock.move(PAUSE)
    act(game)
    assert state_of(game).hands[CHARLIE] == [0, 0, 0, 0, 4]


def offer_wool(game: Game) -> int:
    """Alice offers an ore for a wool."""
    version = selectors.version(game.pk)
    gives, gets = (0, 0, 0, 0, 1, *[0] * 5), (0, 0, 1, 0, 0, *[0] * 5)
    services.play_move(game.pk, m.OfferTrade(ALICE, (BOB, CHARLIE), gives, gets), version=version, now=timezone.now())
    game.refresh_from_db()
    return game.version


def test_offers_are_answered_by_order_one_after_the_other(clock: Clock) -> None:
    game = game_over_days(with_hands([0, 0, 0, 0, 2], [0, 0, 2, 0, 0], [0, 0, 2, 0, 0]))
    order(game, BOB, Accept("wool", 2, "ore", 1), Decline(OTHERS))
    order(game, CHARLIE, Decline("wool"))
    assert game.orders_due is None
    version = offer_wool(game)
    for _ in range(2):
        clock.move(PAUSE)
        act(game)
    assert played(game, version) == [
        ("accept_offer", BOB, Move.By.ORDER),
        ("reject_offer", CHARLIE, Move.By.ORDER),
    ]
    assert game.orders_due is None


def test_who_takes_back_what_an_order_promised_is_left_alone(clock: Clock) -> None:
    game = game_over_days(with_hands([0, 0, 0, 0, 2], [0, 0, 2, 0, 0]))
    order(game, BOB, Accept("wool", 2, "ore", 1))
    offer_wool(game)
    clock.move(PAUSE)
    act(game)
    number = state_of(game).offers[0].number
    services.play_move(game.pk, m.WithdrawOffer(BOB, number), version=game.version, now=timezone.now())
    game.refresh_from_db()
    assert game.orders_due is None
    assert [given.answered for given in book(game, BOB).orders] == [(number,)]


ANSWERS = {
    "takes a yes back": (m.AcceptOffer, m.WithdrawOffer),
    "says no, then yes, and takes it back": (m.RejectOffer, m.AcceptOffer, m.WithdrawOffer),
}


@pytest.mark.parametrize("answers", ANSWERS.values(), ids=ANSWERS)
def test_what_somebody_has_answered_with_their_own_hand_no_order_answers_again(
    clock: Clock, answers: tuple[type[m.AcceptOffer | m.RejectOffer | m.WithdrawOffer], ...]
) -> None:
    game = game_over_days(with_hands([0, 0, 0, 0, 2], [0, 0, 2, 0, 0]))
    order(game, BOB, Accept("wool", 2, "ore", 1), Accept("wool", 1, "ore", 1), Accept("grain", 1, "ore", 1))
    offer_wool(game)
    number = state_of(game).offers[0].number
    for answer in answers:
        services.play_move(game.pk, answer(BOB, number), version=game.version, now=timezone.now())
        game.refresh_from_db()
    assert game.orders_due is None
    assert [given.answered for given in book(game, BOB).orders] == [(number,), (number,), ()]
    order(game, BOB, Decline(OTHERS))
    assert game.orders_due is None, "nor is it declined"


def test_an_order_that_has_accepted_rests_until_the_next_turn(clock: Clock) -> None:
    game = game_over_days(with_hands([0, 0, 0, 0, 2], [0, 0, 2, 0, 0]))
    order(game, BOB, Accept("wool", 1, "ore", 1))
    offer_wool(game)
    clock.move(PAUSE)
    act(game)
    turn = state_of(game).turn
    assert [given.accepted_on for given in book(game, BOB).orders] == [turn]
    number = state_of(game).offers[0].number
    services.play_move(game.pk, m.ConfirmTrade(ALICE, number, BOB), version=game.version, now=timezone.now())
    offer_wool(game)
    assert game.orders_due is None


# Before their owner's eyes


def seen(game: Game, seat: int, clock: Clock, *, is_visible: bool) -> None:
    """The page of a seat is opened, if it is not, and says whether it is looked at."""
    tab, user = f"tab of {seat}", Seat.objects.get(pk=Seat.key(game.pk, seat)).user
    assert user
    if not Connection.objects.filter(channel=tab).exists():
        presence.arrive(game.pk, user.pk, tab, clock.now)
    presence.note_visible(tab, is_visible)


def test_a_turn_is_not_ended_by_order_under_the_eyes_of_whoever_plays_it(clock: Clock, alice: User) -> None:
    game = game_over_days(with_hands([0, 0, 1, 0, 0], [0, 0, 0, 0, 1]), users=[alice])
    seen(game, ALICE, clock, is_visible=True)
    order(game, ALICE, EndTurn())
    version = game.version
    for _ in range(3):
        clock.move(LOOKED_AT_AGAIN.total_seconds())
        presence.keep_connections(clock.now)
        act(game)
        assert played(game, version) == []
        assert game.orders_due == clock.now + LOOKED_AT_AGAIN
    seen(game, ALICE, clock, is_visible=False)
    clock.move(LOOKED_AT_AGAIN.total_seconds())
    act(game)
    assert played(game, version) == [("end_turn", ALICE, Move.By.ORDER)]


def test_a_page_whose_web_process_died_holds_no_turn_back(clock: Clock, alice: User) -> None:
    game = game_over_days(with_hands([0, 0, 1, 0, 0]), users=[alice])
    seen(game, ALICE, clock, is_visible=True)
    order(game, ALICE, EndTurn())
    version = game.version
    clock.move(UNSEEN_AFTER.total_seconds() + 1)
    act(game)
    assert played(game, version) == [("end_turn", ALICE, Move.By.ORDER)]


def test_everything_else_is_done_before_their_eyes_too(clock: Clock, alice: User, bob: User) -> None:
    game = game_over_days(with_hands([1, 1, 0, 0, 1], [0, 0, 1, 0, 0], phase=Phase.ROLLING), users=[alice, bob])
    plan = some_road(state_of(game), ALICE)
    for seat in (ALICE, BOB):
        seen(game, seat, clock, is_visible=True)
    order(game, ALICE, Roll(), plan)
    order(game, BOB, Decline("wool"))
    version = game.version
    for _ in range(2):
        clock.move(PAUSE)
        act(game)
    assert [kind for kind, _, _ in played(game, version)] == ["roll", "build_road"]
    version = offer_wool(game)
    clock.move(PAUSE)
    act(game)
    assert played(game, version) == [("reject_offer", BOB, Move.By.ORDER)]


def test_whose_time_is_up_before_their_eyes_has_still_ordered_the_end_of_their_turn(clock: Clock, alice: User) -> None:
    game = game_over_days(with_hands([0, 0, 1, 0, 0]), users=[alice])
    seen(game, ALICE, clock, is_visible=True)
    order(game, ALICE, EndTurn())
    version = game.version
    clock.move(PACES[DAYS].turn + 1)
    presence.keep_connections(clock.now)
    act(game)
    assert played(game, version) == [("end_turn", ALICE, Move.By.ORDER)]
    assert Seat.objects.get(pk=Seat.key(game.pk, ALICE)).late == 0


def test_in_a_live_game_nobody_leaves_an_order_to_accept_and_one_from_before_rests(clock: Clock) -> None:
    game = game_over_days(with_hands([0, 0, 0, 0, 2], [0, 0, 2, 0, 0]), pace="normal")
    with pytest.raises(OrderRefused, match="live game"):
        order(game, BOB, Accept("wool", 2, "ore", 1))
    assert book(game, BOB) == Book()
    Game.objects.filter(pk=game.pk).update(pace=PACES[DAYS].to_json())
    order(game, BOB, Accept("wool", 2, "ore", 1))
    Game.objects.filter(pk=game.pk).update(pace=PACES["normal"].to_json())
    offer_wool(game)
    assert game.orders_due is None


def test_what_the_player_does_themselves_comes_first(clock: Clock) -> None:
    game = game_over_days()
    order(game, ALICE, Roll())
    services.play_move(game.pk, m.Roll(ALICE), version=game.version, now=clock.now)
    version = game.version + 1
    game.refresh_from_db()
    clock.move(PAUSE)
    act(game)
    assert played(game, version) == []


# Plans


def test_a_plan_is_dropped_and_told_when_somebody_else_builds_there(clock: Clock) -> None:
    game = game_over_days(with_hands([1, 1, 0, 0, 0]))
    state = state_of(game)
    edge = next(edge for edge in EDGES if state.road_sites[ALICE] >> edge & 1)
    state = state.copy()
    state.road_sites[BOB] |= 1 << edge
    # Bob comes to where Alice builds.
    other_roads = state.roads[BOB]
    vertex = next(v for v in range(54) if VERTEX_EDGE_SET[v] >> edge & 1)
    beside = next(e for e in members(VERTEX_EDGE_SET[vertex]) if e != edge and state.open_edges >> e & 1)
    state.roads[BOB] = other_roads | 1 << beside
    lay_out(game.pk, state)
    order(game, BOB, Build("road", edge))
    version = game.version
    services.play_move(game.pk, m.BuildRoad(ALICE, edge), version=version, now=clock.now)
    kept = book(game, BOB)
    assert kept.orders == ()
    assert [(told.order, told.why) for told in kept.told] == [(Build("road", edge), "edge_taken")]
    services.forget_told(game.pk, BOB, now=clock.now)
    assert book(game, BOB).told == ()


def test_what_somebody_builds_themselves_is_planned_no_more(clock: Clock) -> None:
    game = game_over_days(with_hands([1, 1, 0, 0, 0]))
    plan = some_road(state_of(game), ALICE)
    order(game, ALICE, plan)
    services.play_move(game.pk, m.BuildRoad(ALICE, plan.place), version=game.version, now=clock.now)
    assert [told.why for told in book(game, ALICE).told] == [DONE]


# Refused


def test_contradicting_orders_are_refused_in_a_sentence_that_names_both() -> None:
    game = game_over_days()
    order(game, ALICE, Decline("wool"))
    before = book(game, ALICE)
    with pytest.raises(OrderRefused) as refusal:
        order(game, ALICE, Accept("wool", 2, "ore", 1))
    assert "Decline every offer that asks for wool." in refusal.value.sentence
    assert "at most 2 wool and nothing else" in refusal.value.sentence
    assert "at least 1 ore" in refusal.value.sentence
    assert book(game, ALICE) == before


def test_no_order_is_given_twice_and_no_more_than_there_is_room_for() -> None:
    game = game_over_days()
    order(game, ALICE, Roll())
    with pytest.raises(OrderRefused, match="already"):
        order(game, ALICE, Roll())
    for _ in range(MOST_PLANS):
        order(game, ALICE, possible_plans(player_view(state_of(game), ALICE), book(game, ALICE))[0])
    one_more = possible_plans(player_view(state_of(game), ALICE), book(game, ALICE))[0]
    with pytest.raises(OrderRefused, match=f"plan {MOST_PLANS} pieces"):
        order(game, ALICE, one_more)
    for get in RESOURCE_NAMES[:-1]:
        for most in (1, 2, 3):
            if len(book(game, ALICE).orders) < MOST_ORDERS:
                order(game, ALICE, Accept("ore", most, get, 1))
    with pytest.raises(OrderRefused, match=f"{MOST_ORDERS} standing orders"):
        order(game, ALICE, EndTurn())
    assert len(book(game, ALICE).orders) == MOST_ORDERS


def test_another_wish_for_a_seven_takes_the_place_of_the_old_one_also_where_there_is_room_for_no_more() -> None:
    game = game_over_days()
    order(game, ALICE, KeepFirst(("ore",)))
    for get in RESOURCE_NAMES[:-1]:
        for most in range(1, 6):
            if len(book(game, ALICE).orders) < MOST_ORDERS:
                order(game, ALICE, Accept("ore", most, get, 1))
    order(game, ALICE, KeepFirst(("wool",)))
    assert len(book(game, ALICE).orders) == MOST_ORDERS
    with pytest.raises(OrderRefused, match=f"{MOST_ORDERS} standing orders"):
        order(game, ALICE, Roll())


@pytest.mark.parametrize("piece", ["road", "settlement", "city"])
def test_what_cannot_stand_is_not_planned(piece: str) -> None:
    game = game_over_days()
    state = state_of(game)
    taken = members(state.roads[BOB] if piece == "road" else state.settlements[BOB])[0]
    with pytest.raises(IllegalMove):
        order(game, ALICE, Build(piece, taken))
    assert book(game, ALICE) == Book()


def test_an_order_that_the_rules_refuse_is_set_aside_and_told_and_not_tried_again(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No order leads there: this is what becomes of a mistake of ours."""
    game = game_over_days()
    order(game, ALICE, Roll())
    version = game.version

    def mistaken(view: Any, book: Book, *, may_promise: bool) -> Decision | None:
        return Decision(m.EndTurn(ALICE), book.orders[0].number) if book.orders else None

    monkeypatch.setattr("games.orders.decide", mistaken)
    clock.move(PAUSE)
    act(game)
    assert (game.version, game.orders_due, game.failures) == (version, None, 0)
    assert [(told.order, told.why) for told in book(game, ALICE).told] == [(Roll(), REFUSED)]


def test_an_order_is_refused_in_a_game_that_has_ended_or_for_a_seat_that_was_given_up() -> None:
    game = game_over_days()
    services.withdraw(game.pk, BOB, now=timezone.now())
    with pytest.raises(NotYourSeat):
        order(game, BOB, Roll())
    services.abort(game.pk, now=timezone.now())
    with pytest.raises(NotRunning):
        order(game, ALICE, Roll())


# Cancelled


def test_a_cancelled_order_is_not_carried_out(clock: Clock) -> None:
    game = game_over_days()
    version = game.version
    order(game, ALICE, Roll())
    services.cancel_order(game.pk, ALICE, 0, now=clock.now)
    clock.move(PAUSE)
    act(game)
    assert (game.version, game.orders_due) == (version, None)
    with pytest.raises(NothingToDo):
        services.cancel_order(game.pk, ALICE, 0, now=clock.now)


def test_another_process_that_remembers_the_game_hears_of_the_cancelling(clock: Clock) -> None:
    game = game_over_days()
    order(game, ALICE, Roll())
    _, remembered = snapshots.read(game.pk)
    services.cancel_order(game.pk, ALICE, 0, now=clock.now)
    snapshots.put(game.pk, remembered)
    Game.objects.filter(pk=game.pk).update(orders_due=clock.now)
    version = game.version
    act(game)
    assert (game.version, game.orders_due) == (version, None)


@pytest.mark.slow
def test_of_cancelling_and_carrying_out_one_comes_first_and_cancelled_is_cancelled(clock: Clock) -> None:
    """Either the order was carried out before it could be cancelled, or it never is."""
    outcomes = set()
    for number in range(60 if connection.vendor == "postgresql" else 15):
        game = game_over_days()
        version = game.version
        order(game, ALICE, Roll())
        clock.move(PAUSE)
        line = threading.Barrier(3)
        answers: list[int] = []

        def cancel(game: Game = game, line: threading.Barrier = line, answers: list[int] = answers) -> None:
            line.wait()
            services.cancel_order(game.pk, ALICE, 0, now=clock.now)
            answers.append(selectors.version(game.pk))

        def carry_out(game: Game = game, line: threading.Barrier = line) -> None:
            line.wait()
            tasks.act_when_due(game.pk)

        calls = [carry_out, cancel, carry_out] if number % 2 else [cancel, carry_out, carry_out]
        threads = [threading.Thread(target=_and_close(call)) for call in calls]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rolled = [kind for kind, _, by in played(game, version) if by == Move.By.ORDER]
        assert len(rolled) <= 1
        assert answers == [version + len(rolled)], "nothing is done by an order after it was cancelled"
        assert book(game, ALICE).orders == ()
        outcomes.add(len(rolled))
    assert outcomes <= {0, 1}


# Bad weather


def test_two_workers_and_a_sweep_carry_it_out_once(clock: Clock) -> None:
    game = game_over_days()
    order(game, ALICE, Roll())
    version = game.version
    clock.move(PAUSE)
    threads = [threading.Thread(target=_and_close(call)) for call in (lambda: tasks.act_when_due(game.pk), tasks.sweep)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    act(game)
    assert [(kind, by) for kind, _, by in played(game, version)] == [("roll", Move.By.ORDER)]


def _and_close(call: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        try:
            call()
        finally:
            connection.close()

    return run


def test_what_a_lost_task_has_missed_the_sweep_finds(clock: Clock) -> None:
    game = game_over_days()
    order(game, ALICE, Roll())
    version = game.version
    clock.move(10 * PAUSE)
    tasks.sweep()
    assert played(game, version)[0] == ("roll", ALICE, Move.By.ORDER)


def test_nobody_is_late_for_what_they_have_ordered_even_if_all_workers_were_away(clock: Clock) -> None:
    """The deadlines have passed too; the discards are made by order, and nobody's timeouts are counted."""

    def seven(state: State) -> None:
        with_hands(NOTHING, [4, 0, 0, 0, 4], [4, 0, 0, 0, 4])(state)
        state.phase = Phase.DISCARDING
        state.discards[BOB] = state.discards[CHARLIE] = 4

    game = game_over_days(seven)
    version = game.version
    order(game, BOB, KeepFirst(("brick",)))
    order(game, CHARLIE, KeepFirst(("brick",)))
    clock.move(PACES[DAYS].discarding + 1)
    act(game)
    assert played(game, version) == [("discard", BOB, Move.By.ORDER), ("discard", CHARLIE, Move.By.ORDER)]
    assert set(Seat.objects.filter(game=game).values_list("late", flat=True)) == {0}


def test_a_move_by_order_neither_makes_late_nor_forgives_it(clock: Clock) -> None:
    """Else somebody whose dice are rolled by order could let every turn run out, and nobody would ever stand in."""
    game = game_over_days()
    Seat.objects.filter(pk=Seat.key(game.pk, ALICE)).update(late=2)
    snapshots.drop(game.pk)
    order(game, ALICE, Roll())
    clock.move(PAUSE)
    act(game)
    assert Seat.objects.get(pk=Seat.key(game.pk, ALICE)).late == 2


def test_a_pause_keeps_orders_and_the_game_goes_on_with_them(clock: Clock) -> None:
    game = game_over_days()
    order(game, ALICE, Roll())
    services.pause(game.pk, now=clock.now)
    order(game, BOB, Roll())
    assert game.orders_due is None
    clock.move(PAUSE)
    version = game.version
    act(game)
    assert game.version == version
    services.resume(game.pk, now=clock.now)
    clock.move(PAUSE)
    act(game)
    assert played(game, version) == [("roll", ALICE, Move.By.ORDER)]
    assert len(book(game, BOB).orders) == 1


def test_an_outage_of_the_site_changes_nothing_for_orders(clock: Clock) -> None:
    note_pulse(clock.now)
    game = game_over_days()
    order(game, ALICE, Roll())
    version = game.version
    clock.move(3600)
    act(game)
    note_pulse(clock.now)
    act(game)
    assert played(game, version)[0] == ("roll", ALICE, Move.By.ORDER)


def test_a_stand_in_follows_no_orders_and_they_are_there_when_their_owner_is_back(clock: Clock) -> None:
    game = game_over_days()
    order(game, ALICE, Roll())
    services.replace_by_bot(game.pk, ALICE, now=clock.now)
    game.refresh_from_db()
    assert game.orders_due is None
    version = game.version
    clock.move(60)
    act(game)
    assert {by for _, _, by in played(game, version)} == {Move.By.STAND_IN}
    assert [given.order for given in book(game, ALICE).orders] == [Roll()]
    services.give_back(game.pk, ALICE, now=clock.now)
    assert [given.order for given in book(game, ALICE).orders] == [Roll()]


def test_who_resigns_or_leaves_has_no_orders_any_more(clock: Clock, alice: User, bob: User) -> None:
    game = game_over_days(users=[alice, bob])
    order(game, ALICE, Roll())
    order(game, BOB, Roll())
    services.withdraw(game.pk, ALICE, now=clock.now)
    services.forget(bob.pk, "Somebody", clock.now)
    assert set(map(str, Seat.objects.filter(game=game).values_list("orders", flat=True))) == {"{}"}


def test_who_resigns_by_being_late_has_no_orders_any_more(clock: Clock) -> None:
    game = game_over_days()
    order(game, ALICE, EndTurn())
    Seat.objects.filter(pk=Seat.key(game.pk, ALICE)).update(late=2, if_absent=Seat.IfAbsent.RESIGN)
    snapshots.drop(game.pk)
    clock.move(PACES[DAYS].rolling + 1)
    act(game)
    assert Seat.objects.get(pk=Seat.key(game.pk, ALICE)).player == Seat.Player.BOT
    assert book(game, ALICE) == Book()


def test_with_the_end_of_the_game_all_orders_are_gone(clock: Clock) -> None:
    def nearly_won(state: State) -> None:
        with_hands([0, 0, 0, 2, 3])(state)
        # Nine points: a settlement, three cities, and the Longest Road.
        first, *others = members(state.settlements[ALICE])
        near = members(state.open_vertices)[0]
        far = next(vertex for vertex in members(state.open_vertices) if not TOO_CLOSE_SET[near] >> vertex & 1)
        state.settlements[ALICE] = 1 << first
        state.cities[ALICE] = bit_set([*others, near, far])
        state.longest_road = ALICE
        derive(state)

    game = game_over_days(nearly_won)
    order(game, BOB, Roll())
    order(game, ALICE, some_city(state_of(game), ALICE))
    clock.move(PAUSE)
    act(game)
    assert (game.status, game.orders_due) == (Game.Status.OVER, None)
    assert (book(game, ALICE), book(game, BOB)) == (Book(), Book())


def test_with_a_game_that_is_broken_off_all_orders_are_gone() -> None:
    game = game_over_days()
    order(game, ALICE, Roll())
    services.abort(game.pk, now=timezone.now())
    assert book(game, ALICE) == Book()


# What it costs


def test_a_move_in_a_game_with_orders_takes_no_more_statements(clock: Clock) -> None:
    game = game_over_days()
    order(game, ALICE, Roll(), EndTurn(), some_road(state_of(game), ALICE))
    order(game, BOB, Decline(ALL))
    for _ in range(10):
        snapshots.drop(game.pk)
        if game.orders_due is None:
            break
        clock.move(PAUSE)
        with CaptureQueriesContext(connection) as statements:
            services.play_ordered(game.pk, clock.now)
        asked = [query["sql"] for query in statements]
        assert len(asked) - asked[::-1].index("COMMIT") <= 12, asked
        game.refresh_from_db()


def test_where_nobody_has_ordered_anything_nobodys_view_is_made() -> None:
    game = game_over_days()
    sitters = snapshots.read(game.pk)[1].sitters
    # A state that cannot be looked at.
    assert ordered.decisions(sitters, None, clocks.pace_of(game)) == {}  # type: ignore[arg-type]
    assert ordered.kept(sitters, None) == sitters  # type: ignore[arg-type]


# The log


def test_a_game_that_is_played_by_orders_is_replayed_from_its_log(clock: Clock) -> None:
    """Everybody sleeps: the rest is done by the clock."""
    game = new_game("standard turn_order=seat_order", seed="asleep", pace=DAYS)
    for seat in (ALICE, BOB, CHARLIE):
        order(game, seat, Roll(), EndTurn(), KeepFirst(("ore", "grain")), Decline(ALL))
    while game.version < 120:
        clock.move(PAUSE if game.orders_due else PACES[DAYS].turn)
        act(game)
    by = {each for _, _, each in played(game, 0)}
    assert by == {Move.By.ORDER, Move.By.TIMEOUT}
    assert differences(game) == []
