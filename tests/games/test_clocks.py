"""Time runs out: for every phase, for answers, for one seat after another."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from games import clocks, services, snapshots, tasks
from games.models import Game, Intervention, Move, Presence, Seat
from games.paces import PACES
from games.rules import Phase, State, to_act
from games.rules import moves as m
from games.rules.cards import KNIGHT
from games.rules.topology import HEX_VERTICES, members
from games.services import NotYourSeat
from games.services.uptime import note_pulse
from games.verification import differences

from .conftest import Clock
from .playing import ALICE, BOB, CHARLIE, lay_out, new_game, stored_state, time_out_until

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

NORMAL = PACES["normal"]


def as_it_is(_: State) -> None:
    """Alice is about to roll."""


def live_game(prepare: Callable[[State], None] = as_it_is, *, pace: str = "normal") -> Game:
    """A game after its setup, Alice's turn, as the test wants it, its clocks just started."""
    game = new_game("standard turn_order=seat_order", seed="clocks", pace=pace)
    state = time_out_until(game.pk, lambda state: state.turn > 0).copy()
    prepare(state)
    lay_out(game.pk, state)
    services.pause(game.pk, now=timezone.now())
    services.resume(game.pk, now=timezone.now())
    return Game.objects.get(pk=game.pk)


def in_main_phase(state: State) -> None:
    state.phase, state.rolled = Phase.MAIN, True
    for seat in state.seats:
        state.hands[seat] = [2, 2, 2, 2, 2]
    state.bank = [19 - 2 * len(state.seats)] * 5


def discarding(*seats: int) -> Callable[[State], None]:
    def prepare(state: State) -> None:
        in_main_phase(state)
        state.phase = Phase.DISCARDING
        for seat in seats:
            state.discards[seat] = 5

    return prepare


def robbing(state: State) -> None:
    in_main_phase(state)
    state.phase = Phase.MOVING_ROBBER


def stealing(state: State) -> None:
    """The robber stands where two others have built."""
    in_main_phase(state)
    others = [seat for seat in state.seats if seat != state.active]
    vertices = HEX_VERTICES[0]
    for seat, vertex in zip(others, (vertices[0], vertices[2]), strict=True):
        state.settlements[seat] |= 1 << vertex
    state.robber = 0
    state.phase = Phase.STEALING


def placing_free_roads(state: State) -> None:
    in_main_phase(state)
    state.phase, state.free_roads = Phase.PLACING_FREE_ROADS, 2


def last_move(game: Game) -> Move:
    return Move.objects.filter(game=game).latest("number")


def act(game: Game) -> None:
    tasks.act_when_due(game.pk)
    game.refresh_from_db()


# Each phase


@pytest.mark.parametrize(
    ("prepare", "seconds", "kind"),
    [
        (as_it_is, NORMAL.rolling, "roll"),
        (discarding(BOB), NORMAL.discarding, "discard"),
        (robbing, NORMAL.robber, "move_robber"),
        (stealing, NORMAL.robber, "steal"),
        (in_main_phase, NORMAL.turn, "end_turn"),
        (placing_free_roads, NORMAL.free_roads, "build_road"),
    ],
    ids=["rolling", "discarding", "robber", "stealing", "main", "free roads"],
)
def test_each_phase_has_its_own_time_and_then_is_played_for_the_seat(
    clock: Clock, prepare: Callable[[State], None], seconds: int, kind: str
) -> None:
    game = live_game(prepare)
    version = game.version
    clock.move(seconds - 1)
    act(game)
    assert game.version == version
    clock.move(1)
    act(game)
    assert game.version == version + 1
    assert (last_move(game).kind, last_move(game).by) == (kind, Move.By.TIMEOUT)


def test_in_the_setup_settlements_and_roads_are_placed(clock: Clock) -> None:
    game = new_game(seed="setup", pace="fast")
    for kind in ["build_settlement", "build_road"] * 2:
        clock.move(PACES["fast"].placing)
        act(game)
        assert last_move(game).kind == kind
    game.refresh_from_db()
    assert differences(game) == []


def test_without_a_pace_nobody_is_ever_late(clock: Clock) -> None:
    game = live_game(pace="")
    version = game.version
    clock.move(365 * 24 * 3600)
    act(game)
    tasks.sweep()
    assert Game.objects.get(pk=game.pk).version == version


def test_in_a_game_over_days_a_move_may_take_days(clock: Clock) -> None:
    game = live_game(pace="3 days")
    version = game.version
    clock.move(3 * 24 * 3600 - 1)
    act(game)
    assert game.version == version
    clock.move(1)
    act(game)
    assert last_move(game).kind == "roll"


# The turn


def test_the_turn_has_one_time_however_much_is_done_in_it(clock: Clock) -> None:
    game = live_game(in_main_phase)
    deadline = game.deadline
    clock.move(50)
    services.play_move(
        game.pk, m.BuyCard(snapshots.read(game.pk)[1].state.active), version=game.version, now=timezone.now()
    )
    game.refresh_from_db()
    assert game.deadline == deadline


def test_a_new_turn_has_its_whole_time(clock: Clock) -> None:
    game = live_game(in_main_phase)
    clock.move(100)
    state = snapshots.read(game.pk)[1].state
    played = services.play_move(game.pk, m.EndTurn(state.active), version=game.version, now=timezone.now())
    game.refresh_from_db()
    assert game.deadline == clock.now + timedelta(seconds=NORMAL.rolling)
    assert game.turn_left == timedelta(seconds=NORMAL.turn)
    clock.move(5)
    rolled = services.play_move(game.pk, m.Roll(played.state.active), version=played.version, now=timezone.now())
    assert rolled.state.phase is Phase.MAIN
    game.refresh_from_db()
    assert game.deadline == clock.now + timedelta(seconds=NORMAL.turn)


def test_the_turns_clock_stands_still_while_others_discard(clock: Clock) -> None:
    game = live_game(discarding(BOB, CHARLIE))
    state = snapshots.read(game.pk)[1].state
    active = clocks.shown(game, snapshots.read(game.pk)[1], state.active, clock.now)
    assert state.active == ALICE
    assert active == {"ends": None, "left": NORMAL.turn, "of": NORMAL.turn, "short_at": None}
    clock.move(NORMAL.discarding - 5)
    services.play_move(game.pk, m.Discard(BOB, (1, 1, 1, 1, 1)), version=game.version, now=timezone.now())
    game.refresh_from_db()
    assert clocks.shown(game, snapshots.read(game.pk)[1], ALICE, clock.now) == active


def test_what_a_knight_takes_of_the_turn_is_not_the_turns_time(clock: Clock) -> None:
    """The robber has a clock of its own; when it has moved, the turn goes on with what was left of it."""

    def with_knight(state: State) -> None:
        in_main_phase(state)
        knight = state.deck.index(KNIGHT)
        for card in range(knight + 1):
            state.cards[state.active].append(card)
            state.bought_on[card] = 1
        state.dealt = knight + 1
        state.turn = 4

    game = live_game(with_knight)
    state = snapshots.read(game.pk)[1].state
    clock.move(70)
    played = services.play_move(game.pk, m.PlayKnight(state.active), version=game.version, now=timezone.now())
    game.refresh_from_db()
    assert game.turn_left == timedelta(seconds=NORMAL.turn - 70)
    assert game.deadline == clock.now + timedelta(seconds=NORMAL.robber)
    clock.move(20)
    free = next(h for h in range(19) if h != played.state.robber and not _is_settled(played.state, h))
    services.play_move(game.pk, m.MoveRobber(state.active, free), version=played.version, now=timezone.now())
    game.refresh_from_db()
    assert game.phase == Phase.MAIN.value
    assert game.deadline == clock.now + timedelta(seconds=NORMAL.turn - 70)


def _is_settled(state: State, h: int) -> bool:
    built = {vertex for seat in state.seats for vertex in members(state.settlements[seat] | state.cities[seat])}
    return bool(built & set(HEX_VERTICES[h]))


# Discarding


def test_everybody_who_is_late_discards_on_their_own(clock: Clock) -> None:
    game = live_game(discarding(BOB, CHARLIE))
    version = game.version
    clock.move(NORMAL.discarding)
    act(game)
    moves = Move.objects.filter(game=game, number__gt=version).order_by("number")
    assert [(move.kind, move.seat.number, move.by) for move in moves] == [
        ("discard", BOB, Move.By.TIMEOUT),
        ("discard", CHARLIE, Move.By.TIMEOUT),
    ]
    assert game.phase == Phase.MOVING_ROBBER.value


def test_whoever_discarded_in_time_gives_nobody_else_more_time(clock: Clock) -> None:
    game = live_game(discarding(BOB, CHARLIE))
    deadline = game.deadline
    clock.move(NORMAL.discarding - 1)
    services.play_move(game.pk, m.Discard(BOB, (1, 1, 1, 1, 1)), version=game.version, now=timezone.now())
    game.refresh_from_db()
    assert game.deadline == deadline
    clock.move(1)
    act(game)
    assert stored_state(game.pk).hands[BOB] == [1, 1, 1, 1, 1]
    assert (last_move(game).seat.number, last_move(game).by) == (CHARLIE, Move.By.TIMEOUT)
    game.refresh_from_db()
    assert lateness(game) == [0, 0, 1]


# Answers


def offered(*to: int) -> Game:
    game = live_game(in_main_phase)
    offer = m.OfferTrade(ALICE, to, (1, 0, 0, 0, 0, *(0,) * 5), (0, 1, 0, 0, 0, *(0,) * 5))
    services.play_move(game.pk, offer, version=game.version, now=timezone.now())
    game.refresh_from_db()
    return game


def test_an_offer_that_is_not_answered_in_time_is_refused(clock: Clock) -> None:
    game = offered(BOB, CHARLIE)
    version = game.version
    services.play_move(game.pk, m.AcceptOffer(CHARLIE, 0), version=version, now=timezone.now())
    clock.move(NORMAL.answer - 1)
    act(game)
    assert game.version == version + 1
    clock.move(1)
    act(game)
    assert (last_move(game).kind, last_move(game).seat.number) == ("reject_offer", BOB)
    (offer,) = stored_state(game.pk).offers
    assert (offer.accepted, offer.rejected) == ((CHARLIE,), (BOB,))
    assert game.answers_due is None


def test_an_unanswered_offer_makes_nobody_late(clock: Clock) -> None:
    game = offered(BOB)
    clock.move(NORMAL.answer)
    act(game)
    assert lateness(game) == [0, 0, 0]


def test_an_offer_does_not_give_the_player_to_move_more_time(clock: Clock) -> None:
    game = live_game(in_main_phase)
    deadline = game.deadline
    clock.move(30)
    offer = m.OfferTrade(ALICE, (BOB,), (1, *(0,) * 9), (0, 1, *(0,) * 8))
    services.play_move(game.pk, offer, version=game.version, now=timezone.now())
    game.refresh_from_db()
    assert game.deadline == deadline
    assert game.answers_due == clock.now + timedelta(seconds=NORMAL.answer)


def test_each_offer_has_a_clock_of_its_own(clock: Clock) -> None:
    game = offered(BOB)
    clock.move(10)
    second = m.OfferTrade(ALICE, (CHARLIE,), (0, 0, 1, *(0,) * 7), (0, 0, 0, 1, *(0,) * 6))
    services.play_move(game.pk, second, version=game.version, now=timezone.now())
    clock.move(NORMAL.answer - 10)
    act(game)
    assert last_move(game).seat.number == BOB
    assert game.answers_due == clock.now + timedelta(seconds=10)


def test_an_unanswered_counter_offer_is_refused_by_the_player_to_move(clock: Clock) -> None:
    game = offered(BOB)
    counter = m.CounterOffer(BOB, 0, (0, 0, 1, *(0,) * 7), (0, 0, 0, 1, *(0,) * 6))
    services.play_move(game.pk, counter, version=game.version, now=timezone.now())
    clock.move(NORMAL.answer)
    act(game)
    assert (last_move(game).kind, last_move(game).seat.number) == ("reject_offer", ALICE)
    assert game.phase == Phase.MAIN.value


def test_when_the_turn_runs_out_open_offers_are_void(clock: Clock) -> None:
    game = offered(BOB)
    Game.objects.filter(pk=game.pk).update(deadline=clock.now)
    act(game)
    assert last_move(game).kind == "end_turn"
    assert stored_state(game.pk).offers == ()
    assert game.answers_due is None


# Late once, late too often


def skip(game: Game, clock: Clock) -> None:
    game.refresh_from_db()
    assert game.deadline
    clock.now = max(clock.now, game.deadline)
    act(game)


def player_of(game: Game, seat: int) -> str:
    return Seat.objects.get(game=game, number=seat).player


def lateness(game: Game) -> list[int]:
    """Of each seat, how many times in a row its time was up."""
    return list(Seat.objects.filter(game=game).order_by("number").values_list("late", flat=True))


def skip_until_late(game: Game, clock: Clock, seat: int, times: int) -> None:
    """Everybody else moves in time."""
    while lateness(game)[seat] < times and player_of(game, seat) == Seat.Player.PERSON:
        _, snapshot = snapshots.read(game.pk)
        if seat in to_act(snapshot.state):
            skip(game, clock)
        else:
            services.play_timeout(game.pk, to_act(snapshot.state)[0], version=snapshot.version, now=timezone.now())


def test_after_three_timeouts_in_a_row_a_stand_in_plays(clock: Clock) -> None:
    game = live_game()
    skip_until_late(game, clock, BOB, 2)
    assert player_of(game, BOB) == Seat.Player.PERSON
    skip_until_late(game, clock, BOB, 3)
    assert player_of(game, BOB) == Seat.Player.STAND_IN
    handed_over = game.interventions.get(what="replace_by_bot")
    assert handed_over.after_move == last_move(game).number


def test_a_move_in_time_makes_one_punctual_again(clock: Clock) -> None:
    game = live_game()
    skip_until_late(game, clock, ALICE, 2)
    _, snapshot = snapshots.read(game.pk)
    move = m.EndTurn(ALICE) if snapshot.state.phase is Phase.MAIN else m.Roll(ALICE)
    while snapshot.state.active != ALICE or snapshot.state.phase not in (Phase.ROLLING, Phase.MAIN):
        services.play_timeout(game.pk, to_act(snapshot.state)[0], version=snapshot.version, now=timezone.now())
        _, snapshot = snapshots.read(game.pk)
        move = m.EndTurn(ALICE) if snapshot.state.phase is Phase.MAIN else m.Roll(ALICE)
    services.play_move(game.pk, move, version=snapshot.version, now=timezone.now())
    assert lateness(game)[ALICE] == 0


@pytest.mark.parametrize(
    ("wish", "times", "player"),
    [
        (Seat.IfAbsent.AT_ONCE, 1, Seat.Player.STAND_IN),
        (Seat.IfAbsent.RESIGN, 3, Seat.Player.BOT),
        (Seat.IfAbsent.WAIT, 6, Seat.Player.PERSON),
    ],
)
def test_what_somebody_chose_beforehand_is_what_happens(
    clock: Clock, wish: Seat.IfAbsent, times: int, player: Seat.Player
) -> None:
    game = live_game()
    services.choose_if_absent(game.pk, BOB, wish, now=clock.now)
    skip_until_late(game, clock, BOB, times)
    assert lateness(game)[BOB] == times
    assert player_of(game, BOB) == player


def test_the_last_person_who_resigns_by_being_absent_ends_the_game(clock: Clock) -> None:
    game = live_game()
    services.choose_if_absent(game.pk, BOB, Seat.IfAbsent.RESIGN, now=clock.now)
    skip_until_late(game, clock, BOB, 2)
    for seat in (ALICE, CHARLIE):
        services.withdraw(game.pk, seat, now=clock.now)
    while game.status == Game.Status.RUNNING:
        due = min(clocks.moments(game))
        clock.now = max(clock.now, due)
        act(game)
        game.refresh_from_db()
    assert game.status == Game.Status.ABORTED
    assert player_of(game, BOB) == Seat.Player.BOT
    assert Intervention.objects.latest("pk").what == "resign_as_last"


def test_where_somebody_is_there_the_sweep_comes_first(clock: Clock) -> None:
    games = [new_game(seed=number, bots=(ALICE, CHARLIE), pace="normal") for number in range(3)]
    clock.now += timedelta(hours=1)
    note_pulse(clock.now)
    Presence.objects.filter(pk=Seat.key(games[1].pk, BOB)).update(is_here=True)
    order = [games[number].pk for number in (1, 0, 2)]
    assert list(clocks.overdue(clock.now).values_list("pk", flat=True)) == order


def test_in_a_game_over_days_nobody_is_replaced_unasked(clock: Clock) -> None:
    game = live_game(pace="1 day")
    skip_until_late(game, clock, BOB, 5)
    assert player_of(game, BOB) == Seat.Player.PERSON


def test_a_stand_in_plays_at_once_and_never_together_with_its_person(clock: Clock) -> None:
    game = live_game()
    services.replace_by_bot(game.pk, ALICE, now=timezone.now())
    game.refresh_from_db()
    with pytest.raises(NotYourSeat):
        services.play_move(game.pk, m.Roll(ALICE), version=game.version, now=timezone.now())
    assert game.bots_due
    clock.now = game.bots_due
    act(game)
    assert (last_move(game).kind, last_move(game).by) == ("roll", Move.By.STAND_IN)
    services.give_back(game.pk, ALICE, now=timezone.now())
    game.refresh_from_db()
    assert game.bots_due is None
    with pytest.raises(NotYourSeat):
        services.play_move(game.pk, m.EndTurn(ALICE), version=game.version, by=Move.By.STAND_IN, now=timezone.now())


def test_whoever_takes_the_seat_back_starts_afresh(clock: Clock) -> None:
    game = live_game()
    skip_until_late(game, clock, BOB, 3)
    services.give_back(game.pk, BOB, now=timezone.now())
    assert lateness(game)[BOB] == 0
    skip_until_late(game, clock, BOB, 2)
    assert player_of(game, BOB) == Seat.Player.PERSON


# Tasks that come late, twice, or for nothing


def test_a_task_that_comes_again_does_nothing(clock: Clock) -> None:
    game = live_game()
    clock.move(NORMAL.rolling)
    for _ in range(3):
        act(game)
        tasks.sweep()
    assert last_move(game).kind == "roll"


def test_a_task_for_a_game_that_is_gone_paused_or_over_does_nothing(clock: Clock) -> None:
    tasks.act_when_due(12345)
    for stop in (services.pause, services.abort):
        game = live_game()
        stop(game.pk, now=clock.now)
        version = game.version
        clock.move(10_000)
        act(game)
        tasks.sweep()
        assert Game.objects.get(pk=game.pk).version == version


def test_the_sweep_finds_what_no_task_was_set_for(clock: Clock) -> None:
    games = [live_game() for _ in range(3)]
    clock.move(NORMAL.rolling)
    tasks.sweep()
    for game in games:
        assert (last_move(game).kind, last_move(game).by) == ("roll", Move.By.TIMEOUT)


def test_one_sweep_at_a_time_is_enough(clock: Clock, django_assert_num_queries: Callable[..., object]) -> None:
    game = live_game()
    clock.move(NORMAL.rolling)
    tasks.cache.add(tasks.SWEEPING, True, timeout=60)
    with django_assert_num_queries(0):  # type: ignore[attr-defined]
        tasks.sweep()
    tasks.cache.delete(tasks.SWEEPING)
    tasks.sweep()
    assert last_move(game).kind == "roll"


# Games that our own code cannot play


def test_a_game_whose_task_fails_three_times_is_set_aside_and_the_others_go_on(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = live_game(), live_game()
    play_overdue = services.play_overdue

    def play_or_fail(game_id: int, now: object) -> bool:
        if game_id == broken.pk:
            raise ZeroDivisionError("a defect")
        return play_overdue(game_id, now)  # type: ignore[arg-type]

    monkeypatch.setattr(services, "play_overdue", play_or_fail)
    clock.move(NORMAL.rolling)
    tasks.sweep()
    assert last_move(sound).kind == "roll"
    broken.refresh_from_db()
    assert (broken.status, broken.failures) == (Game.Status.RUNNING, 1)
    tasks.sweep()
    tasks.sweep()
    broken.refresh_from_db()
    assert broken.status == Game.Status.NEEDS_ATTENTION
    assert "ZeroDivisionError" in broken.attention
    clock.move(10_000)
    tasks.sweep()
    assert Game.objects.get(pk=sound.pk).status == Game.Status.RUNNING


def test_a_success_makes_failures_forgotten(clock: Clock) -> None:
    game = live_game()
    Game.objects.filter(pk=game.pk).update(failures=2)
    clock.move(NORMAL.rolling)
    act(game)
    assert game.failures == 0


def test_a_bot_that_fails_does_not_hold_the_others_up(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    game = live_game()
    services.replace_by_bot(game.pk, ALICE, now=timezone.now())
    monkeypatch.setitem(tasks.bots.BOTS, "stand_in", fail)  # type: ignore[arg-type]
    clock.move(5)
    act(game)
    assert last_move(game).kind == "roll"
    assert game.status == Game.Status.RUNNING
