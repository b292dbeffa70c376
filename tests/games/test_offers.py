"""Offers that stay open while a card is seen to: clocks, bots, lost connections and people all find a way on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from games import bots, clocks, selectors, services, snapshots, tasks
from games.models import Game, Move, Presence, Seat
from games.paces import BOT_SPEEDS, PACES
from games.rules import IllegalMove, Phase, State
from games.rules import moves as m
from games.rules.cards import KNIGHT, ROAD_BUILDING
from games.services import StaleVersion, presence
from games.services.presence import LOST_AFTER
from games.services.uptime import GRACE, note_pulse
from games.verification import differences
from lobby.models import User

from .conftest import Clock
from .playing import ALICE, BOB, CHARLIE, lay_out, look, new_game, time_out_until
from .test_clocks import in_main_phase

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

NORMAL = PACES["normal"]
BRICK, LUMBER, WOOL = (tuple(int(place == named) for place in range(10)) for named in range(3))


def holding(kind: int) -> Callable[[State], None]:
    """Alice is in her main phase and holds a card of this kind, bought before."""

    def prepare(state: State) -> None:
        in_main_phase(state)
        card = state.deck.index(kind)
        for place in range(card + 1):
            state.cards[ALICE].append(place)
            state.bought_on[place] = 1
        state.dealt = card + 1
        state.turn = 4

    return prepare


def market(prepare: Callable[[State], None], *, users: tuple[User, ...] = (), pace: str = "normal") -> Game:
    """Alice's turn, and everybody has cards to trade."""
    game = new_game("standard turn_order=seat_order", seed="clocks", pace=pace, users=users)
    state = time_out_until(game.pk, lambda state: state.turn > 0).copy()
    prepare(state)
    lay_out(game.pk, state)
    services.pause(game.pk, now=timezone.now())
    services.resume(game.pk, now=timezone.now())
    return Game.objects.get(pk=game.pk)


def make(game: Game, *moves: m.Move) -> None:
    for move in moves:
        services.play_move(game.pk, move, version=selectors.version(game.pk), now=timezone.now())


def offer_to_both(game: Game) -> None:
    make(game, m.OfferTrade(ALICE, (BOB, CHARLIE), BRICK, LUMBER))


def state_of(game: Game) -> State:
    return snapshots.read(game.pk)[1].state


def assert_is_well(game: Game) -> None:
    game.refresh_from_db()
    assert (game.status, game.failures) == (Game.Status.RUNNING, 0)


meanwhile = pytest.mark.parametrize(
    ("card", "play", "phase"),
    [
        (KNIGHT, m.PlayKnight(ALICE), Phase.MOVING_ROBBER),
        (ROAD_BUILDING, m.PlayRoadBuilding(ALICE), Phase.PLACING_FREE_ROADS),
    ],
)


# Clocks


@meanwhile
def test_an_answers_time_runs_out_while_a_card_is_seen_to(card: int, play: m.Move, phase: Phase, clock: Clock) -> None:
    game = market(holding(card))
    clock.move(NORMAL.turn - 5)
    offer_to_both(game)
    make(game, play)
    # The clock of the robber, or of the roads, starts with the card; that of the answer was running.
    clock.move(NORMAL.answer)
    for _ in range(4):
        tasks.sweep()
    assert state_of(game).offers == ()
    assert_is_well(game)


@meanwhile
def test_nobody_does_anything_and_the_game_goes_on(card: int, play: m.Move, phase: Phase, clock: Clock) -> None:
    game = market(holding(card))
    offer_to_both(game)
    make(game, play)
    assert state_of(game).phase is phase
    for _ in range(40):
        clock.move(10)
        tasks.sweep()
    assert state_of(game).turn > 5
    assert_is_well(game)


def test_a_yes_taken_back_gives_the_answer_a_clock_of_its_own_again(clock: Clock) -> None:
    game = market(in_main_phase)
    make(game, m.OfferTrade(ALICE, (BOB,), BRICK, LUMBER), m.AcceptOffer(BOB, 0))
    assert Game.objects.get(pk=game.pk).answers_due is None
    clock.move(NORMAL.answer + 5)
    tasks.sweep()
    make(game, m.WithdrawOffer(BOB, 0))
    snapshots.drop(game.pk)
    assert Game.objects.get(pk=game.pk).answers_due == clock.now + timedelta(seconds=NORMAL.answer)
    tasks.sweep()
    assert state_of(game).offers[0].rejected == ()
    clock.move(NORMAL.answer)
    tasks.sweep()
    assert state_of(game).offers == ()


# Bots and stand-ins


@meanwhile
@pytest.mark.parametrize("player", [Seat.Player.BOT, Seat.Player.STAND_IN])
def test_a_bot_answers_while_a_card_is_seen_to(
    card: int, play: m.Move, phase: Phase, player: Seat.Player, clock: Clock
) -> None:
    game = market(holding(card), pace="")
    (services.withdraw if player == Seat.Player.BOT else services.replace_by_bot)(game.pk, BOB, clock.now)
    make(game, m.OfferTrade(ALICE, (BOB,), BRICK, LUMBER), play)
    assert state_of(game).phase is phase
    clock.move(BOT_SPEEDS["calm"])
    tasks.sweep()
    assert Move.objects.filter(game=game).latest("number").seat.number == BOB
    assert_is_well(game)


def test_a_bot_with_nothing_to_say_does_not_keep_the_others_clocks_from_running(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = market(in_main_phase)
    services.replace_by_bot(game.pk, BOB, now=timezone.now())
    make(game, m.OfferTrade(ALICE, (BOB, CHARLIE), BRICK, LUMBER))
    monkeypatch.setattr(tasks, "_let_bot_act", lambda *_: (_ for _ in ()).throw(services.NothingToDo("Nothing.")))
    clock.move(NORMAL.turn)
    tasks.act_when_due(game.pk)
    assert state_of(game).active == BOB


def test_a_bot_that_errs_has_not_run_out_of_time(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    game = market(in_main_phase)
    services.withdraw(game.pk, ALICE, now=timezone.now())
    monkeypatch.setitem(bots.BOTS, bots.DEFAULT, lambda _view, _memory, _source: m.BuildCity(ALICE, 53))
    clock.move(BOT_SPEEDS["calm"])
    tasks.sweep()
    move = Move.objects.filter(game=game).latest("number")
    assert (move.kind, move.by) == ("end_turn", Move.By.BOT)
    log = look(game, BOB, after=(game.version, 0))["log"]
    assert [entry["event"]["kind"] for entry in log if entry["version"] == move.number] == ["turn_began"]


def test_a_bot_gives_up_a_trade_whose_promise_turns_out_to_be_broken(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def robbed(state: State) -> None:
        in_main_phase(state)
        state.hands[BOB] = [0, 1, 0, 0, 0]
        state.bank = [19 - 4, 19 - 5, 19 - 4, 19 - 4, 19 - 4]

    game = market(robbed)
    make(game, m.OfferTrade(ALICE, (BOB,), BRICK, LUMBER), m.AcceptOffer(BOB, 0))
    state = state_of(game).copy()
    state.hands[BOB], state.hands[CHARLIE] = [0] * 5, [2, 3, 2, 2, 2]
    lay_out(game.pk, state)
    services.withdraw(game.pk, ALICE, now=timezone.now())
    monkeypatch.setitem(bots.BOTS, bots.DEFAULT, lambda _view, _memory, _source: m.ConfirmTrade(ALICE, 0, BOB))
    clock.move(BOT_SPEEDS["calm"])
    tasks.sweep()
    move = Move.objects.filter(game=game).latest("number")
    assert (move.kind, move.by) == ("withdraw_offer", Move.By.BOT)
    assert_is_well(game)


# How long bots wait for people


def bots_turn(monkeypatch: pytest.MonkeyPatch, *, pace: str, bots_at: tuple[int, ...] = (ALICE,)) -> Game:
    """Alice is a bot in her main phase that offers something to both others, then ends her turn."""
    game = market(in_main_phase, pace=pace)
    for seat in bots_at:
        services.withdraw(game.pk, seat, now=timezone.now())

    def choose(view: bots.View, _memory: object, _source: object) -> m.Move:
        if view["viewer"] != ALICE:
            return m.AcceptOffer(view["viewer"], 0)
        return m.EndTurn(ALICE) if view["offers"] else m.OfferTrade(ALICE, (BOB, CHARLIE), BRICK, LUMBER)

    monkeypatch.setitem(bots.BOTS, bots.DEFAULT, choose)
    return game


def pass_time(clock: Clock, seconds: float) -> None:
    """Second by second, with a sweep each, as on a server."""
    for _ in range(round(seconds)):
        clock.move(1)
        tasks.sweep()


@pytest.mark.parametrize(("pace", "patience"), [("", 20), ("normal", NORMAL.answer), ("fast", PACES["fast"].answer)])
def test_a_bot_waits_for_answers_until_their_time_is_over(
    pace: str, patience: int, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = bots_turn(monkeypatch, pace=pace)
    pass_time(clock, 2)
    assert len(state_of(game).offers) == 1
    pass_time(clock, patience - 2)
    assert state_of(game).active == ALICE
    pass_time(clock, 4)
    assert state_of(game).active == BOB
    assert_is_well(game)


def test_a_bot_goes_on_as_soon_as_everybody_has_answered(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    game = bots_turn(monkeypatch, pace="")
    pass_time(clock, 3)
    make(game, m.AcceptOffer(BOB, 0))
    pass_time(clock, 3)
    assert state_of(game).active == ALICE
    make(game, m.RejectOffer(CHARLIE, 0))
    pass_time(clock, 2)
    assert state_of(game).active == BOB


def test_a_bot_does_not_wait_longer_than_its_turn_lasts(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    game = bots_turn(monkeypatch, pace="normal")
    Game.objects.filter(pk=game.pk).update(deadline=clock.now + timedelta(seconds=10))
    pass_time(clock, 12)
    assert state_of(game).active == BOB
    assert Move.objects.filter(game=game, kind="end_turn").latest("number").by == Move.By.BOT


def test_people_have_an_offer_to_themselves_before_a_bot_snatches_it(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = bots_turn(monkeypatch, pace="", bots_at=(CHARLIE,))
    offer_to_both(game)
    pass_time(clock, clocks.PEOPLE_FIRST.total_seconds() - 1)
    assert state_of(game).offers[0].accepted == ()
    pass_time(clock, 2)
    assert state_of(game).offers[0].accepted == (CHARLIE,)


def test_a_bot_answers_at_its_own_speed_once_people_have(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    game = bots_turn(monkeypatch, pace="", bots_at=(CHARLIE,))
    offer_to_both(game)
    make(game, m.RejectOffer(BOB, 0))
    pass_time(clock, 2)
    assert state_of(game).offers[0].accepted == (CHARLIE,)


def test_an_outage_is_not_taken_from_the_time_that_a_bot_waits(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    game = bots_turn(monkeypatch, pace="")
    pass_time(clock, 3)
    note_pulse(clock.now)
    clock.move(3600)
    note_pulse(clock.now)
    tasks.sweep()
    assert state_of(game).active == ALICE
    pass_time(clock, GRACE.total_seconds() + 15)
    assert state_of(game).active == ALICE
    pass_time(clock, 6)
    assert state_of(game).active == BOB


@pytest.mark.parametrize("speed", BOT_SPEEDS)
def test_a_bot_takes_as_long_for_one_thing_as_the_host_chose(speed: str, clock: Clock) -> None:
    game = market(in_main_phase, pace="")
    Game.objects.filter(pk=game.pk).update(bot_speed=speed)
    services.withdraw(game.pk, ALICE, now=timezone.now())
    game.refresh_from_db()
    assert game.bots_due == clock.now + timedelta(seconds=BOT_SPEEDS[speed])


def test_brisk_bots_among_themselves_take_at_most_six_tenths_of_a_second_for_a_move(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Random(6)
    monkeypatch.setattr(tasks, "SystemRandom", lambda: source)
    game = new_game(seed="brisk", bot_speed="brisk", bots=(ALICE, BOB, CHARLIE))
    for _ in range(80):
        game.refresh_from_db()
        assert game.bots_due is not None
        assert game.bots_due - clock.now <= timedelta(seconds=0.6)
        version, clock.now = game.version, max(clock.now, game.bots_due)
        tasks.sweep()
        assert selectors.version(game.pk) == version + 1
    assert Move.objects.filter(game=game, kind="offer_trade").exists()


# Lost connections


def lose(game: Game, user: User, clock: Clock) -> None:
    presence.arrive(game.pk, user.pk, "a tab", clock.now)
    presence.leave("a tab", clock.now)
    clock.move(LOST_AFTER.total_seconds())
    tasks.sweep()


@meanwhile
def test_offers_and_acceptances_of_the_lost_are_taken_back_while_a_card_is_seen_to(
    card: int, play: m.Move, phase: Phase, alice: User, bob: User, charlie: User, clock: Clock
) -> None:
    game = market(holding(card), users=(alice, bob, charlie), pace="")
    offer_to_both(game)
    make(game, m.AcceptOffer(BOB, 0), m.CounterOffer(CHARLIE, 0, WOOL, BRICK), play)
    lose(game, bob, clock)
    offer, counter = state_of(game).offers
    assert (offer.accepted, counter.maker) == ((), CHARLIE)
    lose(game, charlie, clock)
    assert [offer.maker for offer in state_of(game).offers] == [ALICE]
    lose(game, alice, clock)
    assert state_of(game).offers == ()
    assert state_of(game).phase is phase
    assert not Presence.objects.filter(lost_due__isnull=False).exists()


def test_nobody_trades_with_somebody_who_is_gone(alice: User, bob: User, clock: Clock) -> None:
    game = market(in_main_phase, users=(alice, bob), pace="")
    offer_to_both(game)
    make(game, m.AcceptOffer(BOB, 0))
    lose(game, bob, clock)
    with pytest.raises(IllegalMove, match="not_accepted"):
        make(game, m.ConfirmTrade(ALICE, 0, BOB))


def test_whoever_is_lost_while_the_game_is_paused_takes_back_when_it_goes_on(
    alice: User, bob: User, clock: Clock
) -> None:
    game = market(in_main_phase, users=(alice, bob))
    offer_to_both(game)
    make(game, m.AcceptOffer(BOB, 0))
    services.pause(game.pk, now=timezone.now())
    lose(game, bob, clock)
    assert state_of(game).offers[0].accepted == (BOB,)
    services.resume(game.pk, now=timezone.now())
    tasks.sweep()
    assert state_of(game).offers[0].accepted == ()


def test_a_bot_keeps_the_offers_of_the_seat_it_took_over(alice: User, bob: User, clock: Clock) -> None:
    game = market(in_main_phase, users=(alice, bob))
    offer_to_both(game)
    services.withdraw(game.pk, ALICE, now=timezone.now())
    lose(game, alice, clock)
    assert len(state_of(game).offers) == 1


def test_a_game_that_cannot_be_read_does_not_keep_others_from_being_missed(
    alice: User, bob: User, clock: Clock
) -> None:
    broken, well = (market(in_main_phase, users=(alice, bob)) for _ in range(2))
    for game in (broken, well):
        offer_to_both(game)
    Game.objects.filter(pk=broken.pk).update(phase="nonsense")
    snapshots.drop(broken.pk)
    for game in (broken, well):
        presence.arrive(game.pk, alice.pk, f"a tab of {game.pk}", clock.now)
        presence.leave(f"a tab of {game.pk}", clock.now)
    clock.move(LOST_AFTER.total_seconds())
    tasks.sweep()
    assert state_of(well).offers == ()


# Choices at the same moment


def test_discards_count_whatever_version_their_player_saw(clock: Clock) -> None:
    def seven(state: State) -> None:
        in_main_phase(state)
        state.phase = Phase.DISCARDING
        state.discards = [5, 5, 5]

    game = market(seven)
    for seat in (BOB, CHARLIE, ALICE):
        services.play_move(game.pk, m.Discard(seat, (1,) * 5), version=game.version, now=timezone.now())
    assert state_of(game).phase is Phase.MOVING_ROBBER


def test_answers_count_whatever_version_their_player_saw() -> None:
    game = market(in_main_phase)
    offer_to_both(game)
    seen = selectors.version(game.pk)
    services.play_move(game.pk, m.AcceptOffer(BOB, 0), version=seen, now=timezone.now())
    services.play_move(game.pk, m.CounterOffer(CHARLIE, 0, WOOL, BRICK), version=seen, now=timezone.now())
    services.play_move(game.pk, m.RejectOffer(BOB, 0), version=seen, now=timezone.now())
    services.play_move(game.pk, m.WithdrawOffer(CHARLIE, 1), version=seen, now=timezone.now())
    assert state_of(game).offers == ()


def test_what_is_no_longer_possible_is_refused_by_its_rule_not_by_its_version() -> None:
    game = market(in_main_phase)
    offer_to_both(game)
    seen = selectors.version(game.pk)
    make(game, m.WithdrawOffer(ALICE, 0))
    with pytest.raises(IllegalMove, match="no_such_offer"):
        services.play_move(game.pk, m.AcceptOffer(BOB, 0), version=seen, now=timezone.now())


def test_a_version_that_nobody_has_seen_is_refused_for_answers_too() -> None:
    game = market(in_main_phase)
    offer_to_both(game)
    with pytest.raises(StaleVersion):
        services.play_move(game.pk, m.AcceptOffer(BOB, 0), version=selectors.version(game.pk) + 1, now=timezone.now())


def test_every_other_move_is_made_on_the_game_as_it_is() -> None:
    game = market(in_main_phase)
    seen = selectors.version(game.pk)
    offer_to_both(game)
    with pytest.raises(StaleVersion):
        services.play_move(game.pk, m.EndTurn(ALICE), version=seen, now=timezone.now())


def test_the_log_of_such_a_game_agrees_with_its_rows(clock: Clock) -> None:
    game = new_game("standard turn_order=seat_order", seed="clocks", pace="normal")
    state = time_out_until(game.pk, lambda state: state.phase is Phase.MAIN and sum(state.hands[state.active]) > 0)
    maker = state.active
    given = next(resource for resource in range(5) if state.hands[maker][resource])
    others = tuple(seat for seat in state.seats if seat != maker)
    gives, gets = ([int(place == named) for place in range(10)] for named in (given, (given + 1) % 5))
    make(game, m.OfferTrade(maker, others, tuple(gives), tuple(gets)))
    clock.move(NORMAL.answer + 1)
    tasks.sweep()
    game.refresh_from_db()
    assert differences(game) == []
