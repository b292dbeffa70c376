"""The list of one's games on the front page: first those that wait for one, and what they ask."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games import services
from games.models import Game, Hand, OfferAnswer, Seat, TradeOffer
from games.rules import PRESETS
from games.services import Player
from lobby.models import User
from lobby.selectors import MOST_LISTED, own_games

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]

FIRST, SECOND, THIRD = range(3)


@pytest.fixture
def game_of(alice: User) -> Callable[..., Game]:
    """A game in which Alice has the first seat and it is somebody's turn, with rows as the test wants them."""

    def make(active: int, **columns: Any) -> Game:
        players = [Player("Alice", user_id=alice.pk), Player("Bob"), Player("Charlie")]
        game = services.start_game(PRESETS["standard"], "balanced", players)
        Game.objects.filter(pk=game.pk).update(active=Seat.key(game.pk, active), **columns)
        return game

    return make


def told(alice: User) -> list[tuple[int, str]]:
    return [(own.game.pk, own.asks) for own in own_games(alice)]


def make_offer(game: Game, maker: int, to: int) -> None:
    offer = TradeOffer.in_game(
        game.pk, 1, maker_id=Seat.key(game.pk, maker), gives={}, gets={}, made_at=game.started_at
    )
    offer.save()
    OfferAnswer.objects.create(offer=offer, seat_id=Seat.key(game.pk, to))


def test_it_says_what_each_game_asks(client: Client, alice: User, game_of: Callable[..., Game]) -> None:
    game_of(SECOND)
    assert told(alice)[0][1] == ""
    game_of(FIRST)
    discarding = game_of(SECOND, phase="discarding")
    Hand.objects.filter(seat=Seat.key(discarding.pk, FIRST)).update(must_discard=4)
    make_offer(game_of(SECOND, phase="main"), maker=SECOND, to=FIRST)
    assert [asks for _, asks in told(alice)] == ["An offer for you", "Discard", "Your move", ""]
    client.force_login(alice)
    page = client.get("/").content.decode()
    assert re.findall(r"</svg>\s*([^<]+)</span>\s*</li>", page) == ["An offer for you", "Discard", "Your move"]


def test_whoever_rolled_a_seven_merely_waits(alice: User, game_of: Callable[..., Game]) -> None:
    game = game_of(FIRST, phase="discarding")
    Hand.objects.filter(seat=Seat.key(game.pk, SECOND)).update(must_discard=4)
    assert told(alice) == [(game.pk, "")]


def test_games_that_wait_for_one_come_before_newer_ones(alice: User, game_of: Callable[..., Game]) -> None:
    waiting = [game_of(FIRST).pk for _ in range(2)]
    others = [game_of(SECOND).pk for _ in range(MOST_LISTED)]
    assert [pk for pk, _ in told(alice)] == [*reversed(waiting), *reversed(others)][:MOST_LISTED]


def test_a_game_that_one_has_left_is_listed_no_more(alice: User, game_of: Callable[..., Game]) -> None:
    left, kept = game_of(FIRST), game_of(SECOND)
    services.withdraw(left.pk, FIRST)
    assert told(alice) == [(kept.pk, "")]


def test_a_game_that_a_stand_in_plays_stays_listed_and_asks_nothing(alice: User, game_of: Callable[..., Game]) -> None:
    game = game_of(FIRST)
    services.replace_by_bot(game.pk, FIRST)
    assert told(alice) == [(game.pk, "")]


def test_a_paused_game_stays_listed_and_asks_nothing(alice: User, game_of: Callable[..., Game]) -> None:
    game = game_of(FIRST)
    services.pause(game.pk)
    assert told(alice) == [(game.pk, "")]


def test_more_games_take_no_more_queries(
    alice: User, game_of: Callable[..., Game], django_assert_num_queries: Callable[..., Any]
) -> None:
    for _ in range(4):
        game_of(FIRST)
    with django_assert_num_queries(2):
        own_games(alice)
