"""What can be done to a game, and what is refused."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from games import selectors, services, snapshots
from games.models import Game, GameSecret, Intervention, Move, Seat
from games.paces import PACES
from games.rules import IllegalMove, MalformedMove, RuleSet, RuleSetError, commitment, legal_moves
from games.rules import moves as m
from games.rules.boards import BoardError
from games.services import ClientIdTaken, Entrant, NothingToDo, NotRunning, SetAside, StaleVersion
from games.verification import differences
from lobby.models import User

from .playing import ALICE, BOB, CHARLIE, new_game, play_on, seed_of, time_out

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game() -> Game:
    """The cast's game; a move may take a day."""
    return new_game(seed="services", pace="1 day")


def first_move(game: Game) -> m.Move:
    state = snapshots.read(game.pk)[1].state
    return legal_moves(state, state.active)[0]


def nothing_changed(game: Game) -> bool:
    return selectors.version(game.pk) == 0 and not Move.objects.exists() and differences(game) == []


def in_a_day(deadline: object) -> bool:
    return deadline is not None and abs(deadline - timezone.now() - timedelta(days=1)) < timedelta(minutes=1)  # type: ignore[operator]


# Starting


def test_a_game_starts_with_its_seats_in_order_and_a_deadline(alice: User) -> None:
    players = [Entrant("Alice", user_id=alice.pk), Entrant("Bob", strength="hard"), Entrant("Charlie")]
    game = services.start_game(RuleSet(), "balanced", players, pace=PACES["1 day"], now=timezone.now())
    game.refresh_from_db()
    seats = Seat.objects.filter(game=game).order_by("number")
    assert [seat.name for seat in seats] == ["Alice", "Bob", "Charlie"]
    assert [seat.player for seat in seats] == [Seat.Player.PERSON, Seat.Player.BOT, Seat.Player.PERSON]
    assert [seat.strength for seat in seats] == ["", "hard", ""]
    assert [seat.user_id for seat in seats] == [alice.pk, None, None]
    assert game.active_id == Seat.objects.get(game=game, place=0).pk
    assert game.commitment == commitment(seed_of(game))
    assert in_a_day(game.deadline)
    assert differences(game) == []


def test_players_without_a_nonce_get_one_each() -> None:
    game = services.start_game(
        RuleSet(), "random", [Entrant("Alice"), Entrant("Bob"), Entrant("Charlie", nonce="mine")], now=timezone.now()
    )
    nonces = GameSecret.objects.get(game=game).nonces
    assert nonces[2] == "mine"
    assert len(set(nonces)) == 3
    assert all(nonces)


def test_two_games_are_dealt_from_different_seeds() -> None:
    players = [Entrant(name) for name in ("Alice", "Bob", "Charlie")]
    first, second = (services.start_game(RuleSet(), "random", players, now=timezone.now()) for _ in range(2))
    assert first.commitment != second.commitment


def test_a_game_that_cannot_be_dealt_leaves_nothing_behind() -> None:
    two = [Entrant("Alice"), Entrant("Bob")]
    with pytest.raises(RuleSetError):
        services.start_game(RuleSet(), "random", two, now=timezone.now())
    with pytest.raises(BoardError):
        services.start_game(RuleSet(), "no such board", [*two, Entrant("Charlie")], now=timezone.now())
    assert not Game.objects.exists()


# Playing


def test_a_move_is_logged_with_what_happened_and_moves_the_deadline(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now())
    move = first_move(game)
    played = services.play_move(game.pk, move, version=0, client_id="an id", now=timezone.now())
    row = Move.objects.get(game=game)
    assert (row.number, row.kind, row.payload, row.client_id, row.by) == (
        1,
        "build_settlement",
        {"vertex": move.vertex},  # type: ignore[attr-defined]
        "an id",
        Move.By.PLAYER,
    )
    assert row.to_json() == move.to_json()
    assert [event["kind"] for event in row.events] == [event.kind for event in played.events] == ["built_settlement"]
    game.refresh_from_db()
    assert (game.version, game.phase) == (1, "placing_road")
    assert in_a_day(game.deadline)


def test_a_game_without_clocks_has_no_deadline() -> None:
    game = new_game()
    time_out(game.pk)
    assert Game.objects.get(pk=game.pk).deadline is None


def test_an_illegal_move_changes_nothing(game: Game) -> None:
    with pytest.raises(IllegalMove) as refusal:
        services.play_move(game.pk, m.Roll(first_move(game).seat), version=0, now=timezone.now())
    assert refusal.value.code == "wrong_phase"
    assert nothing_changed(game)


def test_a_seat_that_is_not_at_the_table_cannot_move(game: Game) -> None:
    with pytest.raises(MalformedMove):
        services.play_move(game.pk, m.Roll(3), version=0, now=timezone.now())
    assert nothing_changed(game)


def test_there_must_be_a_game() -> None:
    with pytest.raises(Game.DoesNotExist):
        services.play_move(1, m.Roll(0), version=0, now=timezone.now())


def test_a_stale_version_answers_with_what_was_missed(game: Game) -> None:
    move = first_move(game)
    time_out(game.pk)
    time_out(game.pk)
    with pytest.raises(StaleVersion) as refusal:
        services.play_move(game.pk, move, version=0, now=timezone.now())
    assert refusal.value.version == 2
    missed = selectors.events_since(game.pk, 0, move.seat)
    assert [happened["version"] for happened in missed] == [1, 2]
    assert [event["kind"] for happened in missed for event in happened["events"]] == ["built_settlement", "built_road"]


def test_a_version_from_the_future_is_stale_too(game: Game) -> None:
    with pytest.raises(StaleVersion):
        services.play_move(game.pk, first_move(game), version=1, now=timezone.now())
    assert nothing_changed(game)


def test_a_move_sent_again_is_answered_as_the_first_time(game: Game) -> None:
    move = first_move(game)
    first = services.play_move(game.pk, move, version=0, client_id="an id", now=timezone.now())
    for further_moves in range(3):
        again = services.play_move(game.pk, move, version=0, client_id="an id", now=timezone.now())
        assert (again.version, again.events) == (first.version, first.events)
        assert selectors.version(game.pk) == 1 + further_moves
        time_out(game.pk)
    assert differences(Game.objects.get(pk=game.pk)) == []


@pytest.mark.parametrize("version", [0, 1, 2])
def test_a_move_sent_again_with_any_version_is_answered_as_the_first_time(game: Game, version: int) -> None:
    """The client has caught up meanwhile, and does not know that its move is among what it caught up on."""
    move = first_move(game)
    first = services.play_move(game.pk, move, version=0, client_id="an id", now=timezone.now())
    time_out(game.pk)
    again = services.play_move(game.pk, move, version=version, client_id="an id", now=timezone.now())
    assert (again.version, again.events) == (first.version, first.events)
    assert selectors.version(game.pk) == 2


def test_a_move_sent_again_after_the_end_is_answered_as_the_first_time(game: Game) -> None:
    move = first_move(game)
    first = services.play_move(game.pk, move, version=0, client_id="an id", now=timezone.now())
    services.abort(game.pk, now=timezone.now())
    assert services.play_move(game.pk, move, version=0, client_id="an id", now=timezone.now()).events == first.events


@pytest.mark.parametrize("version", [0, 1])
def test_a_client_id_cannot_stand_for_another_move(game: Game, version: int) -> None:
    services.play_move(game.pk, first_move(game), version=0, client_id="an id", now=timezone.now())
    with pytest.raises(ClientIdTaken):
        services.play_move(game.pk, first_move(game), version=version, client_id="an id", now=timezone.now())
    assert selectors.version(game.pk) == 1


def test_another_seat_cannot_learn_what_a_client_id_was_used_for(game: Game) -> None:
    move = first_move(game)
    services.play_move(game.pk, move, version=0, client_id="an id", now=timezone.now())
    vertex = move.vertex  # type: ignore[attr-defined]
    with pytest.raises(ClientIdTaken):
        services.play_move(
            game.pk, m.BuildSettlement((move.seat + 1) % 3, vertex), version=0, client_id="an id", now=timezone.now()
        )


def test_the_last_move_ends_the_clock(game: Game) -> None:
    play_on(game.pk, Random(1), most_moves=3_000)
    game.refresh_from_db()
    assert (game.status, game.deadline) == (Game.Status.OVER, None)
    assert game.ended_at
    with pytest.raises(NotRunning, match="over"):
        services.play_move(game.pk, m.Roll(0), version=game.version, now=timezone.now())


# Timeouts


def test_a_timeout_is_logged_as_one(game: Game) -> None:
    played = time_out(game.pk)
    row = Move.objects.get(game=game)
    assert (row.number, row.by, row.client_id) == (1, Move.By.TIMEOUT, None)
    assert played.version == 1
    assert selectors.events_since(game.pk, 0, None)[0]["by"] == Move.By.TIMEOUT
    assert differences(Game.objects.get(pk=game.pk)) == []


def test_a_timeout_that_comes_too_late_does_nothing(game: Game) -> None:
    seat = first_move(game).seat
    services.play_move(game.pk, first_move(game), version=0, now=timezone.now())
    with pytest.raises(StaleVersion):
        services.play_timeout(game.pk, seat, version=0, now=timezone.now())
    assert selectors.version(game.pk) == 1


def test_a_timeout_of_a_seat_that_nobody_waits_for_does_nothing(game: Game) -> None:
    other = (first_move(game).seat + 1) % 3
    with pytest.raises(NothingToDo):
        services.play_timeout(game.pk, other, version=0, now=timezone.now())
    assert nothing_changed(game)


# Hands on the table


def interventions(game: Game) -> list[tuple[str, int | None]]:
    rows = Intervention.objects.filter(game=game).order_by("pk")
    return [(row.what, row.seat and row.seat.number) for row in rows]


def test_a_paused_game_waits_for_nobody(game: Game) -> None:
    services.pause(game.pk, why="dinner", now=timezone.now())
    game.refresh_from_db()
    assert (game.status, game.deadline) == (Game.Status.PAUSED, None)
    for refused in (
        lambda: services.play_move(game.pk, first_move(game), version=0, now=timezone.now()),
        lambda: time_out(game.pk),
    ):
        with pytest.raises(NotRunning, match="paused"):
            refused()
    assert nothing_changed(game)
    assert Intervention.objects.get(game=game).why == "dinner"


def test_a_resumed_game_has_its_whole_time_again(game: Game) -> None:
    services.pause(game.pk, now=timezone.now())
    services.resume(game.pk, now=timezone.now())
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING
    assert in_a_day(game.deadline)
    time_out(game.pk)
    assert interventions(game) == [("pause", None), ("resume", None)]


def test_only_a_running_game_is_paused_and_only_a_paused_one_resumed(game: Game) -> None:
    with pytest.raises(NotRunning):
        services.resume(game.pk, now=timezone.now())
    services.pause(game.pk, now=timezone.now())
    with pytest.raises(NotRunning):
        services.pause(game.pk, now=timezone.now())
    assert interventions(game) == [("pause", None)]


def test_an_aborted_game_has_no_winner_and_stays_so(game: Game) -> None:
    services.abort(game.pk, why="everybody left", now=timezone.now())
    game.refresh_from_db()
    assert (game.status, game.deadline, game.winner_id) == (Game.Status.ABORTED, None, None)
    assert game.ended_at
    assert differences(game) == []
    for refused in (services.abort, services.pause, services.resume):
        with pytest.raises(NotRunning):
            refused(game.pk, now=timezone.now())
    for hand_over in (services.withdraw, services.replace_by_bot, services.give_back):
        with pytest.raises(NotRunning):
            hand_over(game.pk, ALICE, timezone.now())
    with pytest.raises(NotRunning, match="without a winner"):
        services.play_move(game.pk, first_move(game), version=0, now=timezone.now())


def test_a_bot_stands_in_and_the_person_comes_back(game: Game) -> None:
    services.replace_by_bot(game.pk, BOB, now=timezone.now())
    assert Seat.objects.get(game=game, number=BOB).player == Seat.Player.STAND_IN
    with pytest.raises(NothingToDo):
        services.replace_by_bot(game.pk, BOB, now=timezone.now())
    services.give_back(game.pk, BOB, now=timezone.now())
    assert Seat.objects.get(game=game, number=BOB).player == Seat.Player.PERSON
    with pytest.raises(NothingToDo):
        services.give_back(game.pk, BOB, now=timezone.now())
    assert interventions(game) == [("replace_by_bot", BOB), ("give_back", BOB)]


@pytest.mark.parametrize("stood_in_for", [False, True])
def test_whoever_withdraws_leaves_the_seat_to_a_bot_for_good(game: Game, stood_in_for: bool) -> None:
    if stood_in_for:
        services.replace_by_bot(game.pk, ALICE, now=timezone.now())
    services.withdraw(game.pk, ALICE, now=timezone.now())
    assert Seat.objects.get(game=game, number=ALICE).player == Seat.Player.BOT
    for refused in (services.withdraw, services.give_back, services.replace_by_bot):
        with pytest.raises(NothingToDo):
            refused(game.pk, ALICE, timezone.now())


@pytest.mark.parametrize("status", [Game.Status.RUNNING, Game.Status.PAUSED])
def test_when_the_last_person_resigns_the_game_ends_and_bots_do_not_play_on(game: Game, status: str) -> None:
    for seat in (ALICE, CHARLIE):
        services.withdraw(game.pk, seat, now=timezone.now())
    if status == Game.Status.PAUSED:
        services.pause(game.pk, now=timezone.now())
    game.refresh_from_db()
    assert game.status == status
    now = timezone.now()
    services.withdraw(game.pk, BOB, now=now)
    game.refresh_from_db()
    assert (game.status, game.ended_at) == (Game.Status.ABORTED, now)
    assert [game.bots_due, game.deadline, game.answers_due] == [None] * 3
    assert interventions(game)[-1] == ("resign_as_last", BOB)
    page = selectors.page_for(game.pk, None, after={"version": 0, "revision": game.revision - 1}, now=now)
    said = "Bob resigned. Only bots are left, so the game ends without a winner."
    assert [entry["text"] for entry in page["log"]] == [said]
    assert differences(game) == []


def test_who_has_a_stand_in_can_come_back_so_the_game_goes_on(game: Game) -> None:
    services.withdraw(game.pk, ALICE, now=timezone.now())
    services.replace_by_bot(game.pk, BOB, now=timezone.now())
    services.withdraw(game.pk, CHARLIE, now=timezone.now())
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING
    services.withdraw(game.pk, BOB, now=timezone.now())
    game.refresh_from_db()
    assert game.status == Game.Status.ABORTED


def test_a_game_of_bots_from_the_beginning_is_played() -> None:
    game = new_game(bots=(ALICE, BOB, CHARLIE))
    assert (game.status, game.bots_due is not None) == (Game.Status.RUNNING, True)


def test_there_must_be_such_a_seat(game: Game) -> None:
    for refused in (services.withdraw, services.give_back, services.replace_by_bot):
        with pytest.raises(NothingToDo):
            refused(game.pk, 3, timezone.now())
    assert interventions(game) == []


def test_a_game_set_aside_is_not_played_on_until_it_is_resumed(game: Game) -> None:
    services.set_aside(game.pk, "a hand looks odd", now=timezone.now())
    game.refresh_from_db()
    assert (game.status, game.attention, game.deadline) == (Game.Status.NEEDS_ATTENTION, "a hand looks odd", None)
    for refused in (
        lambda: services.play_move(game.pk, first_move(game), version=0, now=timezone.now()),
        lambda: time_out(game.pk),
        lambda: services.pause(game.pk, now=timezone.now()),
    ):
        with pytest.raises(SetAside):
            refused()
    services.resume(game.pk, now=timezone.now())
    game.refresh_from_db()
    assert (game.status, game.attention) == (Game.Status.RUNNING, "")
    assert in_a_day(game.deadline)
    assert time_out(game.pk).version == 1
    assert interventions(game) == [("set_aside", None), ("resume", None)]


def test_what_is_over_is_not_set_aside(game: Game) -> None:
    services.abort(game.pk, now=timezone.now())
    services.set_aside(game.pk, "a hand looks odd", now=timezone.now())
    assert Game.objects.get(pk=game.pk).status == Game.Status.ABORTED
