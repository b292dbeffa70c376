"""Nobody is punished for an outage of the site."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games import services, snapshots, tasks
from games.models import Connection, Game, Presence, Pulse, Seat, TradeOffer
from games.paces import PACES
from games.rules import moves as m
from games.services import presence
from games.services.uptime import DOWN_AFTER, GRACE, note_pulse
from lobby.models import User

from .conftest import Clock
from .playing import ALICE, BOB, new_game
from .test_clocks import in_main_phase, live_game

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

NORMAL = PACES["normal"]
AN_HOUR = 3600


def deadline_of(game: Game) -> datetime:
    deadline = Game.objects.get(pk=game.pk).deadline
    assert deadline
    return deadline


def version_of(game: Game) -> int:
    return Game.objects.get(pk=game.pk).version


def go_down(clock: Clock, seconds: float) -> None:
    """No web process is alive for so long."""
    note_pulse(clock.now)
    clock.move(seconds)


def test_a_deadline_that_passes_while_the_site_is_down_makes_nobody_late(clock: Clock) -> None:
    game = live_game()
    version = game.version
    go_down(clock, AN_HOUR)
    # The worker is back before the first web process.
    tasks.sweep()
    tasks.act_when_due(game.pk)
    assert version_of(game) == version
    note_pulse(clock.now)
    tasks.sweep()
    assert version_of(game) == version
    assert not Seat.objects.filter(game=game, late__gt=0).exists()


def test_the_outage_and_a_grace_are_given_back(clock: Clock) -> None:
    game = live_game()
    left = deadline_of(game) - clock.now
    go_down(clock, AN_HOUR)
    note_pulse(clock.now)
    assert deadline_of(game) == clock.now + left + GRACE
    while clock.now < deadline_of(game):
        note_pulse(clock.move(5))
    tasks.sweep()
    assert version_of(game) == game.version + 1


def test_the_time_to_answer_an_offer_is_given_back_too(clock: Clock) -> None:
    game = live_game(in_main_phase)
    offer = m.OfferTrade(ALICE, (BOB,), (1, *(0,) * 9), (0, 1, *(0,) * 8))
    services.play_move(game.pk, offer, version=game.version, now=timezone.now())
    due = Game.objects.get(pk=game.pk).answers_due
    go_down(clock, AN_HOUR)
    note_pulse(clock.now)
    game.refresh_from_db()
    lost = timedelta(seconds=AN_HOUR) + GRACE
    assert due
    assert game.answers_due == due + lost
    assert TradeOffer.objects.get(game=game).answers_due == due + lost
    tasks.sweep()
    assert len(snapshots.read(game.pk)[1].state.offers[0].rejected) == 0


def test_it_is_given_back_once_however_many_web_processes_start(clock: Clock) -> None:
    game = live_game()
    go_down(clock, AN_HOUR)
    for _ in range(3):
        note_pulse(clock.now)
    once = deadline_of(game)
    clock.move(1)
    note_pulse(clock.now)
    assert deadline_of(game) == once


def test_a_short_pause_between_two_pulses_is_no_outage(clock: Clock) -> None:
    game = live_game()
    deadline = deadline_of(game)
    go_down(clock, DOWN_AFTER.total_seconds())
    note_pulse(clock.now)
    assert deadline_of(game) == deadline


def test_a_deadline_counts_once_the_site_was_alive_after_it(clock: Clock) -> None:
    game = live_game()
    clock.move(NORMAL.rolling - 0.5)
    note_pulse(clock.now)
    clock.move(0.5)
    tasks.act_when_due(game.pk)
    assert version_of(game) == game.version
    note_pulse(clock.now)
    tasks.act_when_due(game.pk)
    assert version_of(game) == game.version + 1


def test_while_beat_and_workers_are_down_deadlines_pass_all_the_same(clock: Clock) -> None:
    """People could move all the time: nothing is given back."""
    game = live_game()
    for _ in range(60):
        note_pulse(clock.move(1))
    tasks.sweep()
    assert version_of(game) == game.version + 1


def test_bots_play_on_though_nobody_can_watch(clock: Clock) -> None:
    game = live_game()
    services.replace_by_bot(game.pk, ALICE, now=timezone.now())
    go_down(clock, AN_HOUR)
    tasks.sweep()
    assert version_of(game) == game.version + 1


def test_a_paused_game_has_no_deadline_afterwards_either(clock: Clock) -> None:
    game = live_game()
    services.pause(game.pk, now=timezone.now())
    go_down(clock, AN_HOUR)
    note_pulse(clock.now)
    assert Game.objects.get(pk=game.pk).deadline is None


def test_nobody_has_lost_the_connection_when_the_site_has(clock: Clock, alice: User) -> None:
    game = new_game(seed="down", users=[alice], pace="normal")
    presence.arrive(game.pk, alice.pk, "a tab", clock.now)
    go_down(clock, AN_HOUR)
    note_pulse(clock.now)
    tasks.sweep()
    assert Connection.objects.exists()
    assert Presence.objects.get(seat=Seat.key(game.pk, ALICE)).is_here


def test_a_clock_that_goes_backwards_does_no_harm(clock: Clock) -> None:
    note_pulse(clock.now)
    note_pulse(clock.now - timedelta(seconds=5))
    assert Pulse.objects.get().at == clock.now
