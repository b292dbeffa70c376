"""Eight at once: exactly one wins each version, and nobody gets anything but an answer."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from games import selectors, services, snapshots, tasks
from games.models import Game, Move, Seat
from games.rules import IllegalMove, Phase, State, legal_moves, to_act
from games.rules import Move as RulesMove
from games.rules import moves as m
from games.services import NothingToDo, NotRunning, NotYourSeat, Played, StaleVersion
from games.verification import differences
from lobby.models import User

from .playing import new_game, play_on, time_out, time_out_until

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

THREADS = 8
ROUNDS = 12

ANSWERS = {"accept_offer", "reject_offer", "withdraw_offer"}

Call = Callable[[], Any]


def all_at_once(calls: Sequence[Call], *refusals: type[Exception]) -> list[Any]:
    """Each call in a thread of its own, from one starting line: what it returned, or the refusal it met.

    Any other exception is raised here.
    """
    line = threading.Barrier(len(calls))

    def run(call: Call) -> Any:
        line.wait()
        try:
            return call()
        except refusals as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


def sender(game_id: int, move: RulesMove, version: int, client_id: str | None = None) -> Call:
    return lambda: services.play_move(game_id, move, version=version, client_id=client_id, now=timezone.now())


def insistent(game_id: int, move: RulesMove) -> Call:
    """A client that looks again when the game has moved on, and sends its move again."""

    def call() -> Played:
        while True:
            try:
                return services.play_move(game_id, move, version=selectors.version(game_id), now=timezone.now())
            except StaleVersion:
                continue

    return call


def one_wins(answers: list[Any]) -> bool:
    return [type(answer) for answer in answers].count(Played) == 1


def check_log(game_id: int) -> None:
    game = Game.objects.get(pk=game_id)
    numbers = Move.objects.filter(game=game).order_by("number").values_list("number", flat=True)
    assert list(numbers) == list(range(1, game.version + 1))
    assert differences(game) == []


def now(game_id: int) -> tuple[int, State]:
    _, snapshot = snapshots.read(game_id)
    return snapshot.version, snapshot.state


def test_a_move_sent_eight_times_counts_once_and_all_get_its_answer() -> None:
    game = new_game(seed="same id")
    for round_ in range(ROUNDS):
        version, state = now(game.pk)
        move = legal_moves(state, state.active)[0]
        answers = all_at_once([sender(game.pk, move, version, f"id {round_}")] * THREADS)
        assert {answer.version for answer in answers} == {version + 1}
        assert all(answer.events == answers[0].events for answer in answers)
        assert selectors.version(game.pk) == version + 1
    check_log(game.pk)


def test_of_eight_equal_moves_without_an_id_one_wins() -> None:
    game = new_game(seed="no id")
    for _ in range(ROUNDS):
        version, state = now(game.pk)
        move = legal_moves(state, state.active)[0]
        answers = all_at_once([sender(game.pk, move, version)] * THREADS, StaleVersion)
        assert one_wins(answers)
        assert selectors.version(game.pk) == version + 1
    check_log(game.pk)


def test_of_different_moves_of_one_seat_one_wins() -> None:
    game, source = new_game(seed="one seat"), Random(1)
    for _ in range(ROUNDS):
        version, state = now(game.pk)
        # Answers to offers do not get in each other's way, and may all count.
        moves = source.choices(
            [move for move in legal_moves(state, to_act(state)[0]) if move.kind not in ANSWERS], k=THREADS
        )
        # A second discard does not fit the game any more, whatever version it was chosen on.
        calls = [sender(game.pk, move, version, f"{source.random()}") for move in moves]
        assert one_wins(all_at_once(calls, StaleVersion, IllegalMove))
        assert selectors.version(game.pk) == version + 1
        play_on(game.pk, source, most_moves=3)
    check_log(game.pk)


def test_all_who_must_discard_do_so_at_the_same_time() -> None:
    game = new_game(seats=4, seed="discards")
    for _ in range(3):
        state = time_out_until(game.pk, lambda state: sum(map(bool, state.discards)) > 1)
        discards = [legal_moves(state, seat)[0] for seat in to_act(state)]
        version, _ = now(game.pk)
        answers = all_at_once([sender(game.pk, move, version) for move in discards])
        assert sorted(answer.version - version for answer in answers) == list(range(1, len(discards) + 1))
        assert now(game.pk)[1].phase is Phase.MOVING_ROBBER
    check_log(game.pk)


def test_all_answer_an_offer_at_the_same_time() -> None:
    game = new_game("standard discard_limit=12", seats=4, seed="answers")
    for _ in range(ROUNDS // 2):
        state = time_out_until(game.pk, lambda state: state.phase is Phase.MAIN and sum(state.hands[state.active]) > 1)
        maker = state.active
        given = next(r for r, held in enumerate(state.hands[maker]) if held)
        gives, gets = ([0] * 10 for _ in range(2))
        gives[given] = gets[(given + 1) % 5] = 1
        others = tuple(seat for seat in state.seats if seat != maker)
        version, _ = now(game.pk)
        offered = services.play_move(
            game.pk, m.OfferTrade(maker, others, tuple(gives), tuple(gets)), version=version, now=timezone.now()
        )
        number = offered.state.offers[-1].number
        said = [*(m.AcceptOffer(seat, number) for seat in others), *(m.RejectOffer(seat, number) for seat in others)]
        ended = m.EndTurn(maker)
        all_at_once([insistent(game.pk, move) for move in (*said, ended)], IllegalMove)
        assert now(game.pk)[1].active != maker
    check_log(game.pk)


def test_of_moves_and_the_timeout_one_wins() -> None:
    game, source = new_game(seed="timeout"), Random(2)
    for _ in range(ROUNDS):
        version, state = now(game.pk)
        seat = to_act(state)[0]
        in_time = [sender(game.pk, legal_moves(state, seat)[0], version)] * (THREADS // 2)
        time_is_up = partial(services.play_timeout, game.pk, seat, version=version, now=timezone.now())
        too_late: list[Call] = [time_is_up] * (THREADS // 2)
        answers = all_at_once([*in_time, *too_late], StaleVersion, IllegalMove)
        assert one_wins(answers)
        assert selectors.version(game.pk) == version + 1
        play_on(game.pk, source, most_moves=2)
    check_log(game.pk)


def test_of_a_move_at_the_last_moment_and_the_clock_exactly_one_counts() -> None:
    """The person's move and the worker's look at the game come at the same instant."""
    game, source = new_game(seed="last moment", pace="fast"), Random(3)
    # However often they are late: nobody else shall play their seats.
    for seat in range(3):
        services.choose_if_absent(game.pk, seat, Seat.IfAbsent.WAIT, now=timezone.now())
    winners = Counter[str]()
    for _ in range(200 if connection.vendor == "postgresql" else 40):
        version, state = now(game.pk)
        if state.phase is Phase.OVER:
            break
        Game.objects.filter(pk=game.pk).update(deadline=timezone.now())
        seat = to_act(state)[0]
        # In a turn only its end makes the clock stop, so that is what the person does.
        move = m.EndTurn(seat) if state.phase is Phase.MAIN else legal_moves(state, seat)[0]
        calls: list[Call] = [sender(game.pk, move, version), lambda: tasks.act_when_due(game.pk)]
        all_at_once(calls if source.random() < 0.5 else calls[::-1], StaleVersion, IllegalMove)
        (counted,) = Move.objects.filter(game=game, number__gt=version, seat=Seat.key(game.pk, seat))
        winners[counted.by] += 1
    assert set(winners) == {Move.By.PLAYER, Move.By.TIMEOUT}
    check_log(game.pk)


def test_a_pause_among_moves_lets_no_half_move_through() -> None:
    game = new_game(seed="pause")
    for _ in range(ROUNDS):
        version, state = now(game.pk)
        move = legal_moves(state, to_act(state)[0])[0]
        calls: list[Call] = [sender(game.pk, move, version)] * (THREADS - 2)
        calls += [
            lambda: services.pause(game.pk, now=timezone.now()),
            lambda: services.replace_by_bot(game.pk, 0, now=timezone.now()),
        ]
        answers = all_at_once(calls, StaleVersion, IllegalMove, NotRunning, NothingToDo, NotYourSeat)
        assert selectors.version(game.pk) - version == [type(answer) for answer in answers].count(Played)
        services.resume(game.pk, now=timezone.now())
        services.give_back(game.pk, 0, now=timezone.now())
        time_out(game.pk)
    check_log(game.pk)


def test_eight_games_move_side_by_side() -> None:
    games = [new_game(seed=number) for number in range(THREADS)]
    calls: list[Call] = [lambda game=game: play_on(game.pk, Random(game.pk), most_moves=15) for game in games]  # type: ignore[misc]
    assert all_at_once(calls) == [15] * THREADS
    for game in games:
        check_log(game.pk)


def test_nobody_gets_a_server_error_in_a_race_over_http(alice: User, bob: User, charlie: User) -> None:
    users = (alice, bob, charlie)
    game = new_game(users=users, seed="http")
    clients = []
    for number in range(THREADS - 1):
        clients.append(Client(raise_request_exception=False))
        clients[-1].force_login(users[number % 3])
    for round_ in range(ROUNDS):
        version, state = now(game.pk)
        seat = to_act(state)[0]
        move = legal_moves(state, seat)[0].to_json()
        del move["seat"]
        body = {"move": move, "version": version, "client_id": f"{round_}"}

        def post(client: Client) -> int:
            return client.post(f"/api/v1/games/{game.pk}/moves/", body, content_type="application/json").status_code  # noqa: B023

        calls: list[Call] = [lambda client=client: post(client) for client in clients]  # type: ignore[misc]
        calls.append(lambda: services.play_timeout(game.pk, seat, version=version, now=timezone.now()))  # noqa: B023
        statuses = all_at_once(calls, StaleVersion)[:-1]
        assert set(statuses) <= {201, 409}
        assert selectors.version(game.pk) == version + 1
    check_log(game.pk)
