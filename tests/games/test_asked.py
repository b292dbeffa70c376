"""Whom a game waits for, and for what, as a list of games tells it from the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from games import selectors, services, tables, words_clocks
from games.models import Game, Seat
from games.rules import Phase
from games.rules import moves as m

from .playing import ALICE, BOB, CHARLIE, lay_out, new_game, some_move, time_out_until
from .test_clocks import discarding, in_main_phase, live_game

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

BRICK, LUMBER = (tuple(int(place == named) for place in range(10)) for named in range(2))


def asked(game: Game) -> dict[int, str]:
    """By the number of each seat that is asked for something."""
    seats = Seat.objects.filter(game=game).annotate(asked=selectors.asked()).values_list("number", "asked")
    return {number: what for number, what in seats if what}


def offered(*to: int) -> Game:
    """Alice, in her turn, has offered brick for lumber."""
    game = live_game(in_main_phase)
    services.play_move(game.pk, m.OfferTrade(ALICE, to, BRICK, LUMBER), version=game.version)
    return game


def answer(game: Game, move: m.Move) -> None:
    services.play_move(game.pk, move, version=selectors.version(game.pk))


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


@pytest.mark.parametrize("halt", [services.pause, lambda game_id: services.set_aside(game_id, "a test")])
def test_a_game_that_stands_still_asks_nobody(halt: Callable[[int], None]) -> None:
    game = offered(BOB, CHARLIE)
    halt(game.pk)
    assert asked(game) == {}


def test_whom_a_bot_replaces_is_not_asked() -> None:
    game = offered(BOB, CHARLIE)
    services.replace_by_bot(game.pk, ALICE)
    services.withdraw(game.pk, BOB)
    assert asked(game) == {CHARLIE: "offer"}


def test_a_list_of_games_asks_what_the_page_of_the_game_asks() -> None:
    """In one game after another, move by move, for every seat."""
    source = Random(9)
    seen: Counter[str] = Counter()
    for seed in range(3):
        game = new_game(seed=("asked", seed))
        lay_out(game.pk, time_out_until(game.pk, lambda state: state.turn > 20))
        for _ in range(60):
            _, table = tables.read(game.pk)
            if table.state.phase is Phase.OVER:
                break
            pages = {seat: words_clocks.asked(selectors.page(game.pk, seat)) for seat in table.state.seats}
            from_rows = asked(game)
            seen.update(from_rows.values())
            in_the_pages_words = {seat: "move" if what == "discard" else what for seat, what in from_rows.items()}
            assert in_the_pages_words == {seat: what for seat, what in pages.items() if what}
            services.play_move(game.pk, some_move(table.state, source), version=table.version)
    assert seen.keys() == {"move", "discard", "offer"}
