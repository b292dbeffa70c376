"""Whom a game waits for, for what, and since when: columns of the seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from random import Random

import pytest
from django.utils import timezone

from games import selectors, services, snapshots
from games.models import Game, Hand, Seat
from games.rules import Phase, RuleSet
from games.rules import moves as m

from .conftest import Clock
from .playing import ALICE, BOB, CAST, CHARLIE, lay_out, look, new_game, play_on, some_move, time_out_until
from .test_clocks import NORMAL, discarding, in_main_phase, live_game
from .waiting import Watch, awaited, check_kept_sitters

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

BRICK, LUMBER = (tuple(int(place == named) for place in range(10)) for named in range(2))


def asked(game: Game) -> dict[int, str]:
    """By the number of each seat that is asked for something."""
    return {seat: what for seat, (what, _) in awaited(game.pk).items()}


def offered(*to: int) -> Game:
    """Alice, in her turn, has offered brick for lumber."""
    game = live_game(in_main_phase)
    services.play_move(game.pk, m.OfferTrade(ALICE, to, BRICK, LUMBER), version=game.version, now=timezone.now())
    return game


def answer(game: Game, move: m.Move) -> None:
    services.play_move(game.pk, move, version=selectors.version(game.pk), now=timezone.now())


def test_whoever_is_active_is_asked_to_move() -> None:
    assert asked(live_game()) == {ALICE: "move"}


def test_on_a_seven_those_who_discard_are_asked_and_whoever_rolled_merely_waits() -> None:
    assert asked(live_game(discarding(BOB, CHARLIE))) == {BOB: "discard", CHARLIE: "discard"}
    assert asked(live_game(discarding(ALICE))) == {ALICE: "discard"}


def test_whoever_has_discarded_is_asked_no_more() -> None:
    game = live_game(discarding(BOB, CHARLIE))
    answer(game, m.Discard(BOB, (1, 1, 1, 1, 1)))
    assert asked(game) == {CHARLIE: "discard"}


def test_those_an_offer_was_made_to_are_asked_until_they_answer() -> None:
    game = offered(BOB, CHARLIE)
    assert asked(game) == {ALICE: "move", BOB: "offer", CHARLIE: "offer"}
    answer(game, m.RejectOffer(BOB, 0))
    assert asked(game) == {ALICE: "move", CHARLIE: "offer"}
    answer(game, m.AcceptOffer(CHARLIE, 0))
    assert asked(game) == {ALICE: "move"}


def test_an_offer_that_is_withdrawn_asks_nobody() -> None:
    game = offered(BOB)
    answer(game, m.WithdrawOffer(ALICE, 0))
    assert asked(game) == {ALICE: "move"}


def set_aside(game_id: int, now: datetime) -> None:
    services.set_aside(game_id, "a test", now=now)


@pytest.mark.parametrize("halt", [services.pause, services.abort, set_aside])
def test_a_game_that_stands_still_asks_nobody(halt: Callable[..., None]) -> None:
    game = offered(BOB, CHARLIE)
    halt(game.pk, now=timezone.now())
    assert asked(game) == {}


def test_a_game_whose_rows_make_no_sense_asks_nobody_either() -> None:
    game = offered(BOB, CHARLIE)
    Hand.objects.filter(seat=Seat.key(game.pk, BOB)).delete()
    snapshots.drop(game.pk)
    with pytest.raises(services.SetAside):
        services.play_move(game.pk, m.EndTurn(ALICE), version=selectors.version(game.pk), now=timezone.now())
    assert asked(game) == {}


def test_whom_a_bot_replaces_is_not_asked() -> None:
    game = offered(BOB, CHARLIE)
    services.replace_by_bot(game.pk, ALICE, now=timezone.now())
    services.withdraw(game.pk, BOB, now=timezone.now())
    assert asked(game) == {CHARLIE: "offer"}


@pytest.mark.slow
def test_a_list_of_games_asks_what_the_page_of_the_game_asks() -> None:
    """In one game after another, move by move, for every seat."""
    source = Random(9)
    seen: Counter[str] = Counter()
    for seed in range(3):
        game = new_game(seed=("asked", seed))
        lay_out(game.pk, time_out_until(game.pk, lambda state: state.turn > 20))
        for _ in range(60):
            _, snapshot = snapshots.read(game.pk)
            if snapshot.state.phase is Phase.OVER:
                break
            pages = {seat: look(game, seat)["asked"] for seat in snapshot.state.seats}
            from_rows = asked(game)
            seen.update(from_rows.values())
            assert from_rows == {seat: what for seat, what in pages.items() if what}
            services.play_move(game.pk, some_move(snapshot.state, source), version=snapshot.version, now=timezone.now())
    assert seen.keys() == {"move", "discard", "offer"}


# Since when


def test_whoever_is_asked_for_the_same_has_been_asked_since_it_began(clock: Clock) -> None:
    game = live_game(discarding(ALICE, BOB))
    began, watch = clock.now, Watch(game, clock.now)
    clock.move(5)
    answer(game, m.Discard(BOB, (1, 1, 1, 1, 1)))
    assert watch.look(clock.now) == {ALICE: ("discard", began)}
    robbing = clock.move(5)
    answer(game, m.Discard(ALICE, (1, 1, 1, 1, 1)))
    assert watch.look(clock.now) == {ALICE: ("move", robbing)}
    clock.move(5)
    answer(game, m.MoveRobber(ALICE, next(h for h in range(19) if h != snapshots.read(game.pk)[1].state.robber)))
    assert watch.look(clock.now) == {ALICE: ("move", robbing)}


def test_after_a_break_everybody_is_asked_anew(clock: Clock) -> None:
    game = offered(BOB)
    clock.move(5)
    services.pause(game.pk, now=clock.now)
    resumed = clock.move(5)
    services.resume(game.pk, now=resumed)
    assert awaited(game.pk) == {ALICE: ("move", resumed), BOB: ("offer", resumed)}


def test_whoever_takes_the_seat_back_is_asked_from_then_on(clock: Clock) -> None:
    game = offered(BOB)
    offered_at = clock.now
    services.replace_by_bot(game.pk, ALICE, clock.move(5))
    assert awaited(game.pk) == {BOB: ("offer", offered_at)}
    back = clock.move(5)
    services.give_back(game.pk, ALICE, back)
    assert awaited(game.pk) == {ALICE: ("move", back), BOB: ("offer", offered_at)}


def test_a_seat_given_back_during_a_break_is_asked_when_it_ends(clock: Clock) -> None:
    game = offered(BOB)
    services.replace_by_bot(game.pk, ALICE, clock.now)
    services.pause(game.pk, now=clock.now)
    services.give_back(game.pk, ALICE, clock.now)
    assert awaited(game.pk) == {}
    services.resume(game.pk, now=clock.move(5))
    assert awaited(game.pk) == {ALICE: ("move", clock.now), BOB: ("offer", clock.now)}


def test_whom_a_stand_in_replaces_for_being_late_is_asked_no_more(clock: Clock) -> None:
    game = live_game()
    services.choose_if_absent(game.pk, ALICE, Seat.IfAbsent.AT_ONCE, now=clock.now)
    services.play_overdue(game.pk, clock.move(NORMAL.rolling))
    assert asked(game) == {}


def test_bots_are_not_waited_for_from_the_start_on() -> None:
    players = [services.Entrant(name, strength="" if name == "Bob" else "easy") for name in CAST]
    rules = RuleSet.from_text("standard turn_order=seat_order")
    game = services.start_game(rules, "balanced", players, now=timezone.now())
    assert asked(game) == {}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_after_every_step_of_a_whole_game_the_columns_are_what_the_rows_lead_to(seed: int, clock: Clock) -> None:
    game, source = new_game("standard points_to_win=8", seed=("awaited", seed)), Random(seed)
    watch = Watch(game, clock.now)
    clock.move(1)
    while play_on(game.pk, source, most_moves=1):
        watch.look(clock.now)
        check_kept_sitters(game)
        clock.move(1)
    assert Game.objects.get(pk=game.pk).status == Game.Status.OVER
    assert awaited(game.pk) == {}
