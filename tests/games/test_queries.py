"""How many statements a move takes."""

from __future__ import annotations

import re
from functools import partial
from random import Random

import pytest
from django.db import connection, reset_queries
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import selectors, services, snapshots
from games.models import Game, Seat
from games.rules import Move, Phase, RandomChance, State, default_move, legal_moves, to_act
from games.rules.moves import KINDS
from lobby.models import User
from tests.rules.agreement import is_allowed, some_offer
from tests.rules.strategies import eager_move

from .playing import lay_out, new_game, time_out_until

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MOST_STATEMENTS = 12
#: After the commit, for everybody's pages: who is there; and what else happened, if it was not the move alone.
MOST_FOR_NEWS = 2
MOVES = 1_000
WORDS = "three sheep for a brick"
#: Every kind of move can be made at this table, and nobody wins soon.
RULES = (
    "standard points_to_win=15 knights=may_replace_roll road_building=up_to_two "
    "victory_point_cards=when_played cards_in_trades=true"
)


def check(statements: CaptureQueriesContext) -> None:
    """Few statements until the commit, fewer after it."""
    asked = [query["sql"] for query in statements]
    end = len(asked) - asked[::-1].index("COMMIT")
    assert end <= MOST_STATEMENTS, asked
    assert len(asked) - end <= MOST_FOR_NEWS, asked[end:]


def counted(game_id: int, move: Move, version: int) -> tuple[int, State]:
    """How many statements the move took, and the state it led to."""
    reset_queries()
    with CaptureQueriesContext(connection) as statements:
        played = services.play_move(game_id, move, version=version, client_id=f"{version}", now=timezone.now())
    check(statements)
    return len(statements), played.state


def test_every_kind_of_move_takes_twelve_statements_at_most() -> None:
    """Whether the process remembers the game or must read it."""
    left = {(kind, is_kept) for kind in KINDS for is_kept in (True, False)}
    for seed in range(2, 10):
        game, source = new_game(RULES, seed=seed), Random(seed)
        state = time_out_until(game.pk, lambda state: state.turn > 0).copy()
        hand_out_cards(state)
        lay_out(game.pk, state)
        first = selectors.version(game.pk)
        for version in range(first, first + 250):
            if state.phase is Phase.OVER or not left:
                break
            move, is_kept = _missing_move(state, left, source) or (eager_move(state, source), source.random() < 0.5)
            if not is_kept:
                snapshots.drop(game.pk)
            _, state = counted(game.pk, move, version)
            left.discard((move.kind, is_kept))
    assert not left, f"never played, so never counted: {left}"


def hand_out_cards(state: State) -> None:
    """Enough of everything that everything soon happens."""
    for seat in state.seats:
        state.hands[seat] = [count + 4 for count in state.hands[seat]]
        for card in range(state.dealt, state.dealt + 6):
            state.cards[seat].append(card)
            state.bought_on[card] = 1
        state.dealt += 6
    state.bank = [count - 4 * len(state.seats) for count in state.bank]


def _missing_move(state: State, left: set[tuple[str, bool]], source: Random) -> tuple[Move, bool] | None:
    """A move of a kind that is still to be counted, and whether the process shall remember the game."""
    for seat in state.seats:
        moves = [*legal_moves(state, seat)]
        if state.phase is Phase.MAIN:
            moves += filter(partial(is_allowed, state), (some_offer(state, seat, source) for _ in range(5)))
        for move in moves:
            for is_kept in (True, False):
                if (move.kind, is_kept) in left:
                    return move, is_kept
    return None


def test_passing_the_dice_takes_as_many_statements_at_move_1000_as_at_move_10() -> None:
    """Nobody ever builds, so that nobody wins; and as nobody offers, every end of a turn is alike."""
    game, source = new_game(RULES, seed="long"), Random(4)
    state = snapshots.read(game.pk)[1].state
    counts: dict[bool, set[int]] = {True: set(), False: set()}
    for version in range(MOVES):
        move = default_move(state, to_act(state)[0], RandomChance(source))
        assert move
        is_kept = source.random() < 0.9
        if not is_kept:
            snapshots.drop(game.pk)
        count, state = counted(game.pk, move, version)
        if move.kind == "end_turn":
            counts[is_kept].add(count)
    assert [len(each) for each in counts.values()] == [1, 1]


@pytest.mark.parametrize("late", [0, 2])
@pytest.mark.parametrize("is_kept", [True, False])
def test_a_timeout_takes_no_more_statements_also_when_it_brings_a_stand_in(late: int, is_kept: bool) -> None:
    game = new_game(RULES, seed="late", pace="fast")
    state = time_out_until(game.pk, lambda state: state.turn > 0)
    for _ in range(30):
        Game.objects.filter(pk=game.pk).update(deadline=timezone.now())
        Seat.objects.filter(game=game).update(player=Seat.Player.PERSON, late=late)
        snapshots.drop(game.pk)
        if is_kept:
            snapshots.read(game.pk)
        with CaptureQueriesContext(connection) as statements:
            services.play_overdue(game.pk, timezone.now())
        check(statements)
        state = snapshots.read(game.pk)[1].state
        assert Seat.objects.filter(game=game, player=Seat.Player.STAND_IN).exists() == (late == 2)
    assert state.turn > 3


def test_the_count_includes_the_transaction() -> None:
    game = new_game(seed="queries")
    seat = to_act(snapshots.read(game.pk)[1].state)[0]
    with CaptureQueriesContext(connection) as statements:
        services.play_timeout(game.pk, seat, version=0, now=timezone.now())
    first, *_, last, news = (query["sql"] for query in statements)
    assert first.startswith("BEGIN")
    assert last == "COMMIT"
    assert news.startswith("SELECT")


def test_the_page_of_a_game_at_hand_takes_three_statements_and_one_for_other_games_that_wait(
    alice: User, client: Client
) -> None:
    """Who looks; the game with its seats and who is there; what happened."""
    game = new_game(users=[alice], seed="page", pace="normal")
    client.force_login(alice)
    paths = {f"/games/{game.pk}/": 4, f"/api/v1/games/{game.pk}/?after=0&revision=0": 3}
    for path in paths:
        assert client.get(path).status_code == 200
    for path, most in paths.items():
        with CaptureQueriesContext(connection) as asked:
            assert client.get(path).status_code == 200
        assert len(asked) <= most, [query["sql"][:100] for query in asked]


def test_an_account_costs_no_page_a_statement(client: Client) -> None:
    """Sessions are noted when somebody signs in, and guests' visits once a day."""
    client.post("/sign-up/", {"username": "Alice", "password1": WORDS, "password2": WORDS})
    game = new_game(users=[User.objects.get()], seed="page", pace="normal")
    for path in ("/", "/t/new/", f"/games/{game.pk}/", f"/api/v1/games/{game.pk}/?after=0&revision=0"):
        client.get(path)
        with CaptureQueriesContext(connection) as asked:
            assert client.get(path).status_code == 200
        of_accounts = r"usersession|account_|mfa_|django_session|INSERT|UPDATE"
        assert [query["sql"] for query in asked if re.search(of_accounts, query["sql"])] == []
        assert sum('FROM "lobby_user"' in query["sql"] for query in asked) == 1
