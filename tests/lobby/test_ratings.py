"""Rated games: who comes where, what that does to ratings, and that it does not matter when each game is counted."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from catan_site.celery import app
from games import services, snapshots
from games.models import ABSENT_AFTER, Game, Seat
from games.paces import PaceName
from games.rules import Phase, to_act
from lobby import ratings, receivers, tasks
from lobby.models import RatedGame, RatedResult, Rating, Table, User
from lobby.rating_models import SETTLED, Kind
from tests.clock import Clock
from tests.games.playing import ALICE, BOB, new_game, time_out
from tests.games.test_clocks import skip, skip_until_late
from tests.lobby.rated import NOON, agree, everything, finished, nearly_won, win

CAST = ("alice", "bob", "charlie", "dana")


@pytest.fixture
def people(db: None) -> list[User]:
    return [User.objects.create_user(name) for name in CAST]


def ranks(game: Game) -> list[int]:
    """In the order of the seats."""
    ratings.rate_game(game.pk)
    results = RatedResult.objects.filter(rated_game=game.pk)
    return list(results.order_by("person").values_list("rank", flat=True))


def forget() -> None:
    RatedGame.objects.all().delete()
    Rating.objects.all().delete()


# Who comes where


def test_the_winner_is_first_then_points_decide_and_who_ties_shares_a_rank(people: list[User]) -> None:
    assert ranks(finished(people, (4, 6, 6))) == [1, 4, 2, 2]


@pytest.mark.parametrize("left", ["resigned", "replaced"])
def test_who_leaves_comes_last_whatever_a_bot_makes_of_their_seat(people: list[User], left: str) -> None:
    assert ranks(finished(people, (6, 4, 3), **{left: [1]})) == [1, 4, 2, 3]  # type: ignore[arg-type]
    assert ranks(finished(people, (6, 4, 3), **{left: [0]})) == [4, 1, 2, 3]  # type: ignore[arg-type]
    assert ranks(finished(people, (6, 4, 3), **{left: [0, 3]})) == [3, 1, 2, 3]  # type: ignore[arg-type]


@pytest.mark.parametrize("how", ["away", "removed"])
def test_who_never_returns_comes_last_removed_or_not(people: list[User], how: str) -> None:
    assert ranks(finished(people, (6, 4, 3), pace="1 day", **{how: [1]})) == [1, 4, 2, 3]  # type: ignore[arg-type]
    assert ranks(finished(people, (6, 4, 3), pace="1 day", **{how: [1, 2]})) == [1, 3, 3, 2]  # type: ignore[arg-type]
    figures = everything()
    assert ratings.rate_all() == 2
    assert everything() == figures


def test_who_missed_fewer_deadlines_than_three_is_ranked_by_points(people: list[User]) -> None:
    game = finished(people, (6, 4, 3), pace="1 day")
    Seat.objects.filter(game=game).update(late=ABSENT_AFTER - 1)
    assert ranks(game) == [1, 2, 3, 4]


@pytest.mark.parametrize("pace", ["1 day", "normal"])
@pytest.mark.parametrize(("missed", "ranked"), [(2, [1, 2, 3]), (3, [1, 3, 2])])
def test_who_lets_three_deadlines_pass_comes_last_whatever_they_have_scored(
    people: list[User], clock: Clock, pace: str, missed: int, ranked: list[int]
) -> None:
    """The clocks run out on Bob, who has more points than Charlie; the others play on until Alice has won."""
    game = nearly_won(people[:3], (6, 4), pace=pace)
    skip_until_late(game, clock, BOB, missed)
    while (state := snapshots.read(game.pk)[1].state).active != ALICE or state.phase is not Phase.MAIN:
        if BOB in to_act(state):
            # Over days he misses this one too; in a live game a stand-in moves.
            assert missed == ABSENT_AFTER
            skip(game, clock)
            # The stand-in has its pause.
            clock.move(1)
        else:
            time_out(game.pk)
    win(game, clock.now)
    assert ranks(game) == ranked


def test_who_was_away_and_came_back_is_ranked_by_points(people: list[User]) -> None:
    assert ranks(finished(people, (6, 4, 3), returned=[1])) == [1, 2, 3, 4]


def test_who_beats_everybody_gains_and_who_loses_to_everybody_loses(people: list[User]) -> None:
    ratings.rate_game(finished(people, (6, 6, 3)).pk)
    alice, bob, charlie, dana = (Rating.objects.get(person=person).mu for person in people)
    assert alice > ratings.MODEL.mu > dana
    assert bob == charlie == ratings.MODEL.mu
    assert [ratings.shown(mu) for mu in (ratings.MODEL.mu, alice, dana)] == [1500, 1737, 1263]


# What counts, and where


@pytest.mark.parametrize(("pace", "kind"), [("fast", "live"), ("relaxed", "live"), ("12 hours", "days"), ("", "days")])
def test_live_games_and_games_over_days_have_ladders_of_their_own(people: list[User], pace: str, kind: str) -> None:
    ratings.rate_game(finished(people[:3], pace=pace).pk)
    assert set(Rating.objects.values_list("kind", flat=True)) == {kind}


@pytest.mark.parametrize(("began", "ended", "kind"), [("normal", "1 day", "days"), ("1 day", "fast", "live")])
def test_a_game_that_switched_counts_where_it_ended_whenever_it_is_counted(
    people: list[User], began: str, ended: PaceName, kind: str
) -> None:
    finished(people[:3], pace=began, carried_on=ended, at=1)
    ratings.rate_game(finished(people[:3], (4, 6), pace=ended, at=2).pk)
    ratings.rate_missed()
    assert set(Rating.objects.values_list("kind", flat=True)) == {kind}
    figures = everything()
    call_command("rate_games", stdout=StringIO())
    assert everything() == figures


def test_a_game_that_all_agreed_to_stop_counts_for_nobody(people: list[User]) -> None:
    game = new_game(users=people[:3], pace="normal")
    Table.objects.create(host=people[0], rules=game.rules, layout=game.layout, rated=True, game=game)
    services.propose_stop(game.pk, 0, timezone.now())
    agree(game, (1, 2), timezone.now())
    assert Game.objects.get(pk=game.pk).status == Game.Status.ABORTED
    ratings.rate_game(game.pk)
    ratings.rate_missed()
    assert ratings.rate_all() == 0
    assert everything() == ([], [], [])


def test_a_rated_game_is_not_stopped_at_once_while_its_leader_has_a_stand_in(people: list[User]) -> None:
    """Whoever comes back in time plays on for their points; who does not has lost none by it."""
    games = [new_game(users=people[:3], pace="normal") for _ in range(2)]
    for game in games:
        Table.objects.create(host=people[0], rules=game.rules, layout=game.layout, rated=True, game=game)
        services.replace_by_bot(game.pk, 2, timezone.now())
        services.propose_stop(game.pk, 0, timezone.now())
        agree(game, [1], timezone.now())
        game.refresh_from_db()
        assert game.status == Game.Status.RUNNING
    played_on, stopped = games
    proposal = played_on.proposals.get()
    services.give_back(played_on.pk, 2, timezone.now())
    services.answer(played_on.pk, 2, proposal.pk, False, timezone.now())
    services.end_overdue(stopped.proposals.get().ends_at)
    statuses = [Game.objects.get(pk=game.pk).status for game in games]
    assert statuses == [Game.Status.RUNNING, Game.Status.ABORTED]
    assert ratings.rate_all() == 0


def test_a_game_that_is_unrated_running_or_aborted_does_not_count(people: list[User]) -> None:
    unrated = finished(people[:3], rated=False)
    running, aborted = (new_game(users=people[:3]) for _ in range(2))
    for game in (running, aborted):
        Table.objects.create(host=people[0], rules=game.rules, layout=game.layout, rated=True, game=game)
    services.abort(aborted.pk, now=timezone.now())
    for game in (unrated, running, aborted):
        ratings.rate_game(game.pk)
    ratings.rate_missed()
    assert ratings.rate_all() == 0
    assert everything() == ([], [], [])


def test_guests_have_no_rating_and_one_person_alone_learns_nothing(people: list[User]) -> None:
    guests = [User.guest("Guest"), User.guest("Another")]
    for guest in guests:
        guest.save()
    assert ranks(finished([people[0], guests[0], people[1]])) == [1, 2]
    assert ranks(finished([people[2], *guests])) == []
    assert not Rating.objects.filter(person=people[2]).exists()
    assert not ratings.ended().filter(counted=None).exists(), "nobody looks at it again"


def test_a_rating_settles_after_about_ten_games(people: list[User]) -> None:
    figures: dict[int, ratings.Figures] = {}
    games = 0
    while not figures or figures[0].sigma > SETTLED:
        standing = ratings.Standing(games, Kind.LIVE, NOON, {place: 1 + (place + games) % 4 for place in range(4)})
        assert len(list(ratings._results(standing, figures))) == 4
        games += 1
    assert 8 <= games <= 12


# Once, and in order


def test_a_game_that_is_counted_twice_counts_once(people: list[User]) -> None:
    game = finished(people[:3])
    ratings.rate_game(game.pk)
    counted = everything()
    ratings.rate_game(game.pk)
    ratings.rate_missed()
    assert everything() == counted
    assert [rating.games for rating in Rating.objects.all()] == [1, 1, 1]


@pytest.fixture
def season(people: list[User]) -> list[int]:
    """Five games with other people and other outcomes, one of them on the other ladder, two at the same moment."""
    alice, bob, charlie, dana = people
    played = [
        finished([alice, bob, charlie, dana], (6, 4, 3), at=10),
        finished([dana, bob, charlie], (8, 8), at=20),
        finished([bob, alice, dana], (3, 6), at=20, resigned=[1]),
        finished([charlie, alice, bob], (4, 7), at=15, pace="3 days"),
        finished([charlie, dana, alice], (9, 5), at=5, replaced=[2]),
    ]
    return [game.pk for game in played]


@pytest.mark.slow
def test_it_does_not_matter_in_which_order_games_are_counted(season: list[int]) -> None:
    assert ratings.rate_all() == len(season)
    from_nothing = everything()
    assert {rating[1] for rating in from_nothing[0]} == {"live", "days"}  # type: ignore[index]
    for order in list(permutations(season))[::11]:
        forget()
        for game_id in order:
            ratings.rate_game(game_id)
        assert everything() == from_nothing, order


@pytest.mark.both_stacks
def test_ratings_computed_anew_are_the_same_to_the_last_bit(season: list[int]) -> None:
    for game_id in season:
        ratings.rate_game(game_id)
    running = everything()
    told = StringIO()
    call_command("rate_games", stdout=told)
    assert everything() == running
    assert told.getvalue() == "5 games rated. 7 ratings, 0 of them other than before.\n"


def test_the_command_mends_what_was_tampered_with_and_says_so(season: list[int]) -> None:
    ratings.rate_missed()
    computed = everything()
    rating = Rating.objects.first()
    assert rating is not None
    Rating.objects.filter(pk=rating.pk).update(mu=99.0)
    told = StringIO()
    call_command("rate_games", stdout=told)
    assert everything() == computed
    assert "1 of them other than before" in told.getvalue()


def test_a_ladder_is_written_in_parts_as_if_it_were_written_at_once(
    season: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ratings.rate_all()
    at_once = everything()
    monkeypatch.setattr(ratings, "AT_ONCE", 1)
    ratings.rate_all()
    assert everything() == at_once


def test_a_game_that_cannot_be_read_keeps_no_other_from_being_counted(people: list[User]) -> None:
    broken, whole = finished(people[:3], at=1), finished(people[:3], at=2)
    Game.objects.filter(pk=broken.pk).update(phase="asleep")
    snapshots.drop(broken.pk)
    ratings.rate_missed()
    assert list(RatedGame.objects.values_list("game", flat=True)) == [whole.pk]
    assert ratings.rate_all() == 1


# When it happens


def test_the_end_of_a_game_queues_its_rating_and_does_no_more(
    people: list[User], monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    queued: list[Any] = []
    monkeypatch.setattr(
        receivers, "current_app", SimpleNamespace(send_task=lambda *task, **options: queued.append((task, options)))
    )
    with django_capture_on_commit_callbacks(execute=True):
        game = finished(people[:3])
    assert queued == [(("lobby.tasks.rate_game", [game.pk]), {"retry": False})]
    assert everything() == ([], [], [])
    tasks.rate_game(game.pk)
    assert RatedGame.objects.filter(game=game).exists()


def test_workers_know_what_is_queued_and_what_beat_asks_for() -> None:
    app.loader.import_default_modules()
    wanted = {round_["task"] for round_ in settings.CELERY_BEAT_SCHEDULE.values()} | {tasks.rate_game.name}
    assert wanted <= app.tasks.keys()
    assert tasks.rate_missed_games.name in wanted


def test_a_game_whose_task_was_lost_is_counted_by_the_next_round(people: list[User]) -> None:
    early, late = finished(people[:3], at=1), finished(people[1:], at=2)
    tasks.rate_game(late.pk)
    tasks.rate_missed_games()
    counted = everything()
    assert [game for game, *_ in counted[1]] == [early.pk, late.pk]  # type: ignore[misc]
    ratings.rate_all()
    assert everything() == counted


def test_a_round_that_finds_nothing_takes_one_query(
    people: list[User], django_assert_num_queries: Callable[..., Any]
) -> None:
    ratings.rate_game(finished(people[:3]).pk)
    with django_assert_num_queries(1):
        tasks.rate_missed_games()


def test_a_game_that_takes_its_place_among_later_ones_takes_few_queries(
    season: list[int], django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for game_id in season[:4]:
        ratings.rate_game(game_id)
    snapshots.drop(season[4])
    with django_assert_max_num_queries(30):
        ratings.rate_game(season[4])
