"""What games tell the rest of the site, and when."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone

from games import selectors, services, signals, snapshots
from games.models import Game, Seat
from games.rules import State, to_act
from games.rules import moves as m
from games.rules.topology import VERTICES, members
from lobby.models import User

from .conftest import Clock
from .playing import ALICE, BOB, CHARLIE, new_game, time_out
from .test_clocks import NORMAL, discarding, in_main_phase, live_game

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

BRICK, LUMBER = (tuple(int(place == named) for place in range(10)) for named in range(2))
NAMES = ("game_started", "game_ended", "awaited_changed")

Told = list[tuple[Any, ...]]


@contextmanager
def listening(signal: Signal, receiver: Callable[..., None]) -> Iterator[None]:
    signal.connect(receiver, weak=False)
    try:
        yield
    finally:
        signal.disconnect(receiver)


@contextmanager
def hearing() -> Iterator[Told]:
    """All that is told, in its order."""
    told: Told = []

    def hear_start(game_id: int, **_: Any) -> None:
        told.append(("started", game_id))

    def hear_end(game_id: int, **_: Any) -> None:
        told.append(("ended", game_id, Game.objects.get(pk=game_id).status))

    def hear_awaited(game_id: int, asked: dict[int, str], **_: Any) -> None:
        # Whoever hears of it finds it in the rows.
        rows = dict(Seat.objects.filter(game=game_id, number__in=asked).values_list("number", "asked"))
        assert rows == asked
        told.append(("awaited", game_id, asked))

    with (
        listening(signals.game_started, hear_start),
        listening(signals.game_ended, hear_end),
        listening(signals.awaited_changed, hear_awaited),
    ):
        yield told


@pytest.fixture
def told() -> Iterator[Told]:
    with hearing() as told:
        yield told


def play(game: Game, move: m.Move) -> None:
    services.play_move(game.pk, move, version=selectors.version(game.pk), now=timezone.now())


def test_a_game_that_starts_is_told_of_and_whom_it_waits_for(told: Told) -> None:
    game = new_game("standard turn_order=seat_order")
    assert told == [("started", game.pk), ("awaited", game.pk, {ALICE: "move"})]


def test_those_of_whom_something_else_is_asked_are_told_of_and_no_others(told: Told) -> None:
    game = live_game(in_main_phase)
    told.clear()
    play(game, m.OfferTrade(ALICE, (BOB, CHARLIE), BRICK, LUMBER))
    play(game, m.RejectOffer(BOB, 0))
    play(game, m.EndTurn(ALICE))
    assert told == [
        ("awaited", game.pk, {BOB: "offer", CHARLIE: "offer"}),
        ("awaited", game.pk, {BOB: ""}),
        ("awaited", game.pk, {ALICE: "", BOB: "move", CHARLIE: ""}),
    ]


def test_a_move_after_which_the_same_is_asked_of_everybody_is_not_told_of(told: Told) -> None:
    game = live_game(in_main_phase)
    told.clear()
    play(game, m.BuyCard(ALICE))
    assert told == []


def test_a_clock_that_runs_out_is_told_of_like_a_move(told: Told, clock: Clock) -> None:
    game = live_game(discarding(BOB, CHARLIE))
    told.clear()
    assert services.play_overdue(game.pk, clock.move(NORMAL.discarding))
    assert told == [("awaited", game.pk, {BOB: ""})]


def test_seats_that_change_hands_and_breaks_are_told_of(told: Told) -> None:
    game = live_game(in_main_phase)
    told.clear()
    services.replace_by_bot(game.pk, ALICE, timezone.now())
    services.replace_by_bot(game.pk, BOB, timezone.now())
    services.give_back(game.pk, ALICE, timezone.now())
    services.pause(game.pk, now=timezone.now())
    services.resume(game.pk, now=timezone.now())
    services.set_aside(game.pk, "a test", now=timezone.now())
    asked = [what for _, _, what in told]
    assert asked == [{ALICE: ""}, {ALICE: "move"}, {ALICE: ""}, {ALICE: "move"}, {ALICE: ""}]


def about_to_win(state: State) -> None:
    """Alice has three cities, three settlements and what makes one of them the fourth."""
    in_main_phase(state)
    state.hands[ALICE][-1] += 1
    state.bank[-1] -= 1
    built = sum(state.settlements)
    free = [vertex for vertex in VERTICES if not built >> vertex & 1]
    state.settlements[ALICE] |= 1 << free[0]
    state.cities[ALICE] = sum(1 << vertex for vertex in free[1:4])


def test_a_game_that_is_won_or_aborted_has_ended_once(told: Told) -> None:
    won, aborted = live_game(about_to_win), live_game()
    told.clear()
    play(won, m.BuildCity(ALICE, members(snapshots.read(won.pk)[1].state.settlements[ALICE])[0]))
    services.abort(aborted.pk, now=timezone.now())
    with pytest.raises(services.NotRunning):
        services.abort(aborted.pk, now=timezone.now())
    assert told == [
        ("awaited", won.pk, {ALICE: ""}),
        ("ended", won.pk, "over"),
        ("awaited", aborted.pk, {ALICE: ""}),
        ("ended", aborted.pk, "aborted"),
    ]


def test_what_is_undone_or_refused_is_not_told_of(told: Told) -> None:
    game = live_game(in_main_phase)
    told.clear()
    with transaction.atomic():
        play(game, m.EndTurn(ALICE))
        new_game(seed="undone")
        transaction.set_rollback(True)
    snapshots.drop(game.pk)
    with pytest.raises(services.StaleVersion):
        services.play_move(game.pk, m.EndTurn(ALICE), version=0, now=timezone.now())
    assert told == []
    assert Seat.objects.get(game=game, number=ALICE).asked == "move"


def test_within_a_larger_transaction_all_is_told_of_at_its_end(told: Told) -> None:
    with transaction.atomic():
        game = new_game()
        assert told == []
    assert told[0] == ("started", game.pk)


@pytest.mark.parametrize("name", NAMES)
def test_a_receiver_that_fails_disturbs_neither_the_game_nor_the_others(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(**_: Any) -> None:
        raise RuntimeError("the mail server is away")

    # It is the first to hear; the others come after it.
    with listening(getattr(signals, name), fail), hearing() as told, caplog.at_level(logging.ERROR):
        game = new_game()
        seat = to_act(snapshots.read(game.pk)[1].state)[0]
        assert time_out(game.pk).version == 1
        services.replace_by_bot(game.pk, seat, timezone.now())
        services.abort(game.pk, now=timezone.now())
    assert ("started", game.pk) in told
    assert told[-1] == ("ended", game.pk, "aborted")
    failures = [record for record in caplog.records if record.exc_info]
    assert failures
    assert {str(record.exc_info[1]) for record in failures if record.exc_info} == {"the mail server is away"}


def test_a_receiver_whose_query_fails_leaves_the_connection_usable(told: Told) -> None:
    """It runs after the commit: there is no transaction of the move's left that it could break."""

    def fail(game_id: int, **_: Any) -> None:
        Seat.objects.create(pk=Seat.key(game_id, 0), game_id=game_id, number=0, place=0)

    with listening(signals.game_started, fail):
        game = new_game()
        assert time_out(game.pk).version == 1


# Within the transaction


@contextmanager
def hearing_within(name: str) -> Iterator[list[dict[str, Any]]]:
    told: list[dict[str, Any]] = []

    def hear(game: Game, **what: Any) -> None:
        assert transaction.get_connection().in_atomic_block
        told.append({key: value for key, value in what.items() if key not in ("signal", "sender")})

    with listening(getattr(signals, name), hear):
        yield told


def test_who_is_made_an_offer_beside_what_is_asked_already_is_told_of_and_no_others(clock: Clock) -> None:
    game = live_game(in_main_phase)
    with hearing_within("offer_opening") as told:
        play(game, m.OfferTrade(ALICE, (BOB, CHARLIE), BRICK, LUMBER))
        assert told == [], "it is the first that is asked of them"
        play(game, m.OfferTrade(ALICE, (BOB,), LUMBER, BRICK))
        play(game, m.CounterOffer(CHARLIE, 0, LUMBER, BRICK))
        play(game, m.RejectOffer(BOB, 0))
    assert told == [{"seats": [BOB]}, {"seats": [ALICE]}]


def test_a_bot_that_is_made_an_offer_is_not_told_of(clock: Clock) -> None:
    game = live_game(in_main_phase)
    services.replace_by_bot(game.pk, BOB, timezone.now())
    with hearing_within("offer_opening") as told:
        play(game, m.OfferTrade(ALICE, (BOB, CHARLIE), BRICK, LUMBER))
        play(game, m.OfferTrade(ALICE, (BOB,), LUMBER, BRICK))
    assert told == []


def test_who_is_asked_the_same_by_another_clock_is_told_of(clock: Clock) -> None:
    game = new_game("standard turn_order=seat_order", pace="1 day")
    clock.move(3600)
    with hearing_within("clocks_changing") as told:
        time_out(game.pk)
        short_from = clock.now + timedelta(hours=24 * 0.8)
        assert told == [{"asked": {ALICE: "move"}, "short_from": {ALICE: short_from}, "afresh": False}]
        clock.move(3600)
        time_out(game.pk)
        assert len(told) == 1, "Bob is newly asked"


def test_moves_by_one_clock_are_not_told_of(clock: Clock) -> None:
    game = live_game(in_main_phase)
    clock.move(10)
    with hearing_within("clocks_changing") as told:
        play(game, m.BuyCard(ALICE))
        play(game, m.OfferTrade(ALICE, (BOB,), BRICK, LUMBER))
        clock.move(1)
        play(game, m.RejectOffer(BOB, 0))
    assert told == []


def test_clocks_that_start_afresh_are_told_of(clock: Clock) -> None:
    game = new_game("standard turn_order=seat_order", pace="1 day")
    clock.move(3600)
    with hearing_within("clocks_changing") as told:
        services.withdraw(game.pk, CHARLIE, clock.now)
    short_from = clock.now + timedelta(hours=24 * 0.8)
    assert told == [{"asked": {ALICE: "move"}, "short_from": {ALICE: short_from}, "afresh": True}]


def test_a_clock_that_a_holiday_stops_is_short_after_it(clock: Clock, alice: User) -> None:
    new_game("standard turn_order=seat_order", users=[alice], pace="1 day")
    clock.move(3600)
    back = clock.now + timedelta(days=3)
    with hearing_within("clocks_changing") as told:
        services.set_holiday(alice.pk, back, clock.now)
        services.set_holiday(alice.pk, None, clock.now)
    moments = [each["short_from"][ALICE] for each in told]
    assert moments == [back + timedelta(hours=23 - 4.8), clock.now + timedelta(hours=23 - 4.8)]


CHANGES: dict[str, Callable[[Game], None]] = {
    "offer_opening": lambda game: play(game, m.OfferTrade(ALICE, (BOB,), LUMBER, BRICK)),
    "clocks_changing": lambda game: services.replace_by_bot(game.pk, CHARLIE, timezone.now()),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_receiver_that_fails_within_the_transaction_undoes_the_change(name: str, clock: Clock) -> None:
    game = live_game(in_main_phase)
    play(game, m.OfferTrade(ALICE, (BOB, CHARLIE), BRICK, LUMBER))
    clock.move(5)
    version = selectors.version(game.pk)

    def fail(**_: Any) -> None:
        raise RuntimeError("it cannot be written down")

    with listening(getattr(signals, name), fail), pytest.raises(RuntimeError):
        CHANGES[name](game)
    assert selectors.version(game.pk) == version
    assert Seat.objects.get(game=game, number=CHARLIE).player == Seat.Player.PERSON
