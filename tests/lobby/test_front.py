"""The list of one's games on the front page: first those that wait for one, and what they ask."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import services
from games.models import Game
from games.rules import Phase, State
from games.rules.state import Offer
from lobby.models import User
from lobby.selectors import MOST_LISTED, own_games
from tests.games.playing import lay_out, new_game, time_out_until

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]

FIRST, SECOND, THIRD = range(3)


@pytest.fixture
def game_of(alice: User) -> Callable[..., Game]:
    """A game in which Alice has the first seat and it is somebody's turn, as the test wants it."""

    def make(active: int, prepare: Callable[[State], None] = lambda _: None) -> Game:
        game = new_game("standard turn_order=seat_order", users=[alice])
        state = time_out_until(game.pk, lambda state: state.turn > 0 and state.active == active).copy()
        prepare(state)
        lay_out(game.pk, state)
        return game

    return make


def discards(seat: int) -> Callable[[State], None]:
    def prepare(state: State) -> None:
        state.phase, state.discards[seat] = Phase.DISCARDING, 4

    return prepare


def offers_to_alice(state: State) -> None:
    state.phase = Phase.MAIN
    brick, lumber = ((1, *[0] * 9), (0, 1, *[0] * 8))
    state.offers, state.offers_made = (Offer(0, SECOND, (FIRST,), brick, lumber),), 1


def told(alice: User) -> list[tuple[int, str]]:
    return [(own.game.pk, own.asks) for own in own_games(alice)]


def test_it_says_what_each_game_asks(client: Client, alice: User, game_of: Callable[..., Game]) -> None:
    game_of(SECOND)
    assert told(alice)[0][1] == ""
    game_of(FIRST)
    game_of(SECOND, discards(FIRST))
    game_of(SECOND, offers_to_alice)
    assert [asks for _, asks in told(alice)] == ["An offer for you", "Discard", "Your move", ""]
    client.force_login(alice)
    page = client.get("/").content.decode()
    assert re.findall(r"</svg>\s*([^<]+)</span>\s*</li>", page) == ["An offer for you", "Discard", "Your move"]


def test_whoever_rolled_a_seven_merely_waits(alice: User, game_of: Callable[..., Game]) -> None:
    game = game_of(FIRST, discards(SECOND))
    assert told(alice) == [(game.pk, "")]


@pytest.mark.slow
def test_games_that_wait_for_one_come_before_newer_ones(alice: User, game_of: Callable[..., Game]) -> None:
    waiting = [game_of(FIRST).pk for _ in range(2)]
    others = [game_of(SECOND).pk for _ in range(MOST_LISTED)]
    assert [pk for pk, _ in told(alice)] == [*reversed(waiting), *reversed(others)][:MOST_LISTED]


def test_a_game_that_one_has_left_is_listed_no_more(alice: User, game_of: Callable[..., Game]) -> None:
    left, kept = game_of(FIRST), game_of(SECOND)
    services.withdraw(left.pk, FIRST, now=timezone.now())
    assert told(alice) == [(kept.pk, "")]


def test_a_game_that_a_stand_in_plays_stays_listed_and_asks_nothing(alice: User, game_of: Callable[..., Game]) -> None:
    game = game_of(FIRST)
    services.replace_by_bot(game.pk, FIRST, now=timezone.now())
    assert told(alice) == [(game.pk, "")]


def test_a_paused_game_stays_listed_and_asks_nothing(alice: User, game_of: Callable[..., Game]) -> None:
    game = game_of(FIRST)
    services.pause(game.pk, now=timezone.now())
    assert told(alice) == [(game.pk, "")]


def test_more_games_take_no_more_queries(
    alice: User, game_of: Callable[..., Game], django_assert_num_queries: Callable[..., Any]
) -> None:
    for _ in range(4):
        game_of(FIRST)
    with django_assert_num_queries(2):
        own_games(alice)
