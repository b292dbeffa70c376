"""How the site is doing: what is counted, what is shown of it, and to whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import redis
from celery import signals
from django.conf import LazySettings, settings
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import path
from django.utils import timezone

from bench.crowd import fill
from catan_site import pool, urls, vitals
from catan_site.celery import app
from games import services
from games.models import Game, Pulse, Seat
from games.services import presence
from lobby import watching
from lobby.models import User
from moderation import charts, dashboard, figures, tasks
from moderation.charts import Point
from moderation.figures import Figures, Sampled, Vitals
from moderation.models import Appeal, Case, Decision, Report, Sample
from tests.clock import Clock
from tests.games.playing import new_game
from tests.staff import browser_of, make_staff

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _nothing_counted_yet() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def moderator(dana: User) -> Client:
    return browser_of(make_staff(User.objects.create_user("mara"), "moderator"))


def shown(browser: Client, address: str = "/admin/") -> str:
    answer = browser.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def card(page: str, name: str) -> str:
    """What a card of the page says, in words."""
    [found] = [each for each in re.findall(r"<article.*?</article>", page, re.DOTALL) if f">{name}<" in each]
    return " ".join(re.sub(r"<[^>]*>", " ", found).split())


# What is counted


def test_games_are_counted_by_what_they_wait_for_and_by_their_pace(clock: Clock) -> None:
    for pace in ("normal", "fast", "1 day", ""):
        new_game(pace=pace)
    services.pause(new_game(pace="normal").pk, now=clock.now, why="by a test")
    services.abort(new_game().pk, now=clock.now, why="by a test")
    found = figures.collect(clock.now)
    assert found.games == {"running": {"live": 2, "days": 1, "untimed": 1}, "paused": {"live": 1}}
    assert (found.running, found.needing_attention) == (4, 0)


def test_a_game_that_our_code_cannot_play_needs_attention(clock: Clock) -> None:
    services.set_aside(new_game().pk, "somebody looks", now=clock.now)
    assert figures.collect(clock.now).needing_attention == 1


def test_a_deadline_that_has_passed_is_overdue_since_then(clock: Clock) -> None:
    game = new_game(pace="normal")
    game.refresh_from_db()
    assert game.deadline
    assert figures.collect(game.deadline - timedelta(seconds=1)).overdue == 0
    late = figures.collect(game.deadline + timedelta(seconds=40))
    assert (late.overdue, late.overdue_age) == (1, 40)


def test_nobody_is_late_by_a_moment_at_which_the_site_was_down(clock: Clock) -> None:
    game = new_game(pace="normal")
    game.refresh_from_db()
    assert game.deadline
    Pulse.objects.create(at=game.deadline - timedelta(seconds=5))
    found = figures.collect(game.deadline + timedelta(seconds=40))
    assert (found.overdue, found.pulse_age) == (0, 45)


def report(by: User, case: Case, now: datetime) -> Report:
    return Report.objects.create(case=case, by=by, kind=Report.Kind.ABUSE, made_at=now)


def test_cases_reports_and_appeals_are_counted_while_they_are_open(
    clock: Clock, alice: User, bob: User, charlie: User, dana: User
) -> None:
    now = clock.now
    old = Case.objects.create(person=alice, opened_at=now - timedelta(hours=5), taken_by=dana, taken_at=now)
    new = Case.objects.create(person=bob, opened_at=now)
    for by, case in ((bob, old), (charlie, old), (alice, new)):
        report(by, case, now)
    closed = Case.objects.create(person=charlie, opened_at=now - timedelta(days=9), closed_at=now)
    Report.objects.filter(pk=report(bob, closed, now).pk).update(outcome="acted", answered_at=now)
    for person, answered in ((charlie, None), (bob, now)):
        decision = Decision.objects.create(person=person, by=dana, kind="warn", reason="Rude.", at=now)
        Appeal.objects.create(
            decision=decision,
            text="No.",
            made_at=now - timedelta(days=1),
            outcome="upheld" if answered else "",
            answered_at=answered,
        )
    found = figures.collect(now)
    assert (found.cases_open, found.cases_taken, found.case_age, found.reports_open) == (2, 1, 5 * 3600, 3)
    assert (found.appeals_open, found.appeal_age) == (1, 24 * 3600)


def test_sockets_are_counted_and_people_once_each(clock: Clock, alice: User, bob: User, charlie: User) -> None:
    game = new_game(users=[alice, bob])
    for page, person in (("a1", alice), ("a2", alice), ("b", bob)):
        presence.arrive(game.pk, person.pk, page, clock.now)
    for page, watcher in (("c1", charlie), ("c2", charlie), ("n1", None), ("n2", None)):
        watching.arrive(game.pk, watcher and watcher.pk, page, clock.now)
    found = figures.collect(clock.now)
    assert (found.sockets_players, found.players_here) == (3, 2)
    assert (found.sockets_watchers, found.watchers_here) == (4, 3)


def test_moves_are_counted_by_what_the_last_is_called(clock: Clock) -> None:
    game = new_game()
    before = figures.collect(clock.now).moves
    for _ in range(3):
        game.refresh_from_db()
        seat = Seat.number_of(game.active_id or 0)
        services.play_timeout(game.pk, seat, version=game.version, now=clock.now)
    assert figures.collect(clock.now).moves - before == 3


# What the site knows of itself


def test_the_queues_are_as_long_as_tasks_lie_in_them() -> None:
    queues = (app.conf.task_default_queue, settings.THINKING_QUEUE)
    before = vitals.read().tasks_queued
    assert before is not None
    for priority in (0, 9):
        for queue in queues:
            app.send_task("a.task.that.nobody.knows", queue=queue, priority=priority, expires=1)
    after = vitals.read().tasks_queued
    with app.connection_for_write() as broker:
        for queue in queues:
            broker.default_channel.queue_purge(queue)
    assert (after or 0) - before == 4
    assert vitals.read().tasks_queued == 0


def test_tasks_that_wait_for_a_thread_are_held_by_a_worker(settings: LazySettings) -> None:
    busy = pool.TaskPool(limit=1)
    busy._waiting.put((0, 0, lambda: None))
    assert pool.waiting() >= 1
    if not settings.REDIS_URL:
        assert vitals.read().tasks_held == pool.waiting()
    busy._waiting.get_nowait()


def test_a_broker_that_is_away_leaves_the_queue_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Any:
        raise ConnectionRefusedError

    monkeypatch.setattr(app, "connection_for_read", refuse)
    found = vitals.read()
    assert (found.tasks_queued, found.tasks_held) == (None, None)
    assert found.errors == 0


def fail(_: object) -> None:
    raise ZeroDivisionError


def lose_cache(_: object) -> None:
    raise redis.ConnectionError


urlpatterns = [path("fail/", fail), path("lose/", lose_cache), *urls.urlpatterns]
handler500 = urls.handler500


@pytest.mark.urls(__name__)
def test_our_mistakes_and_parts_that_are_away_are_counted_apart() -> None:
    browser = Client(raise_request_exception=False)
    for address in ("/fail/", "/fail/", "/lose/", "/nowhere/"):
        browser.get(address)
    found = vitals.read()
    assert (found.errors, found.unavailable) == (2, 1)


def test_a_task_that_fails_is_counted_also_if_games_go_on_without_it() -> None:
    signals.task_failure.send(sender=None)
    services.note_failure(new_game().pk, ZeroDivisionError("a defect"), now=timezone.now())
    # A game's is told after the commit, which a test like this one never makes.
    assert vitals.read().failed_tasks == 1
    for run in connection.run_on_commit:
        run[1]()
    assert vitals.read().failed_tasks == 2


# Samples


def test_beat_writes_one_sample_a_minute(clock: Clock) -> None:
    start = figures.minute_of(clock.now)
    for seconds in (0, 25, 50, 75):
        clock.now = start + timedelta(seconds=seconds)
        tasks.take_sample()
    assert Sample.objects.count() == 2
    assert all(sample.at.second == 0 for sample in Sample.objects.all())


def test_samples_are_kept_for_a_week_and_a_day(clock: Clock) -> None:
    tasks.take_sample()
    clock.now += figures.KEPT - MINUTE
    tasks.take_sample()
    assert Sample.objects.count() == 2
    clock.now += 2 * MINUTE
    tasks.take_sample()
    assert Sample.objects.count() == 2


def sampled(at: datetime, **values: int | None) -> Sampled:
    return Sampled(at, dict(values))


NOON = datetime(2026, 5, 1, 12, 0, tzinfo=timezone.get_default_timezone())


def test_a_count_that_began_anew_has_grown_from_nothing() -> None:
    taken = [sampled(NOON + number * MINUTE, errors=errors) for number, errors in enumerate([5, 8, 2])]
    assert figures.growth(taken, "errors", 4) == 3 + 2 + 2
    assert figures.growth(taken, "errors", None) is None
    assert figures.growth([], "errors", 4) is None


def test_a_day_and_a_week_are_drawn_from_the_same_minutes_all_the_while() -> None:
    early, late = (figures.DAY.moments(NOON + timedelta(minutes=minutes, seconds=7)) for minutes in (0, 9))
    assert early == late
    assert early[-1] == NOON
    assert len(figures.HOUR.moments(NOON)) == 61
    assert len(figures.WEEK.moments(NOON)) == 7 * 24 + 1


# Charts


def test_a_chart_says_in_words_what_it_shows() -> None:
    points = [Point(NOON + number * MINUTE, value) for number, value in enumerate([3, 8, 0.5, 4])]
    chart = charts.draw("Moves a minute", points, NOON, NOON + 3 * MINUTE, MINUTE)
    assert chart
    assert chart.words == "Moves a minute: at first 3, at most 8, at least 0.5, now 4."
    assert chart.line == "M0 37.5L100 0L200 56.2L300 30"
    assert chart.area == f"{chart.line}V60H0Z"


def test_where_minutes_are_missing_the_line_is_broken() -> None:
    points = [Point(NOON + minutes * MINUTE, 1) for minutes in (0, 1, 5, 6)]
    chart = charts.draw("Games", points, NOON, NOON + 6 * MINUTE, MINUTE)
    assert chart
    assert chart.line.count("M") == 2


def test_of_nothing_no_chart_is_drawn_and_of_zeros_a_flat_one() -> None:
    assert charts.draw("Games", [Point(NOON, 1)], NOON, NOON, MINUTE) is None
    flat = charts.draw("Games", [Point(NOON, 0), Point(NOON + MINUTE, 0)], NOON, NOON + MINUTE, MINUTE)
    assert flat
    assert flat.line == "M0 60L300 60"


# The page


def test_a_moderator_sees_how_the_site_is_doing(moderator: Client, clock: Clock, alice: User) -> None:
    new_game(pace="normal")
    services.set_aside(new_game(pace="1 day").pk, "somebody looks", now=clock.now)
    report(alice, Case.objects.create(person=alice, opened_at=clock.now - timedelta(hours=3)), clock.now)
    page = shown(moderator)
    assert "1 report, 0 taken; the oldest has waited 3 h" in card(page, "Open cases")
    assert "Games running 1 1 live" in card(page, "Games running")
    assert "Somebody should look" in page
    assert 'href="/admin/games/game/?status__exact=needs_attention"' in page
    assert "A chart needs a few minutes of figures." in card(page, "Moves a minute")


def test_samples_become_charts_and_a_table(moderator: Client, clock: Clock) -> None:
    minute = figures.minute_of(clock.now)
    for back in range(5):
        values = {"running": 7 + back, "moves": 1000 - 12 * back, "errors": 0 if back else 3}
        Sample.objects.create(at=minute - back * MINUTE, figures=values)
    page = shown(moderator)
    assert "Games running, last hour: at first 11, at most 11, at least 7, now 7." in page
    assert card(page, "Moves a minute").startswith("Moves a minute 12")
    # Counted anew since then, from nothing: the cache holds no errors.
    assert "Somebody should look: in the last hour" in card(page, "Errors")
    assert "<td>7</td>" in page


@pytest.mark.parametrize(("span", "title"), [("day", "Last day"), ("week", "Last week"), ("nonsense", "Last hour")])
def test_charts_go_back_as_far_as_is_asked(moderator: Client, span: str, title: str) -> None:
    page = shown(moderator, f"/admin/?span={span}")
    assert f'<h2 id="measured-heading">{title}</h2>' in page


def test_staff_see_what_they_may_and_no_more(dana: User) -> None:
    page = shown(browser_of(dana))
    assert "nobody has said yet what you may see" in page
    assert "Games running" not in page
    assert "/admin/games/game/" not in page
    moderator = shown(browser_of(make_staff(User.objects.create_user("mara"), "moderator")))
    assert 'href="/admin/games/game/"' in moderator
    assert "/admin/auth/group/" not in moderator


def test_the_places_are_in_one_order_and_say_where_one_is(moderator: Client) -> None:
    page = shown(moderator, "/admin/lobby/chatline/")
    [line] = re.findall(r'<nav class="staff-nav".*?</nav>', page, re.DOTALL)
    names = re.findall(r">([^<>]+)</a>", line)
    order = ["Queue", "Games", "People", "Chat", "Pairs", "Audit log", "How the site is doing"]
    assert names == [name for name in order if name in names]
    assert {"Games", "People", "Chat", "How the site is doing"} <= {*names}
    assert re.findall(r'aria-current="page">([^<]+)<', line) == ["Chat"]


def test_every_page_tells_staff_how_much_waits_and_nobody_else(client: Client, alice: User, dana: User) -> None:
    Case.objects.create(person=alice, opened_at=timezone.now())
    assert 'Moderation</span><span class="count">1<' in browser_of(dana).get("/").content.decode()
    client.force_login(alice)
    with CaptureQueriesContext(connection) as asked:
        assert "Moderation" not in client.get("/").content.decode()
    assert not [query for query in asked if "moderation_case" in query["sql"]]


@pytest.mark.both_stacks
def test_a_full_site_takes_no_more_queries_than_an_empty_one(alice: User, moderator: Client) -> None:
    def queries() -> list[str]:
        with CaptureQueriesContext(connection) as asked:
            shown(moderator)
        return [query["sql"] for query in asked]

    queries()
    few = queries()
    fill(alice, tables=20, games=200)
    Game.objects.filter(pk__in=Game.objects.values("pk")[:50]).update(status=Game.Status.RUNNING)
    now = figures.minute_of(timezone.now())
    Sample.objects.bulk_create(Sample(at=now - back * MINUTE, figures={"running": 1}) for back in range(200))
    many = queries()
    assert len(many) == len(few), many
    assert len(many) <= 14, many


@pytest.mark.both_stacks
def test_a_sample_takes_few_queries(alice: User) -> None:
    fill(alice, tables=20, games=50)
    with CaptureQueriesContext(connection) as asked:
        figures.take_sample(timezone.now())
    assert len(asked) <= 13, [query["sql"] for query in asked]


def test_what_is_late_is_marked(clock: Clock) -> None:
    def marked(found: Figures) -> set[str]:
        taken: dict[str, list[Sampled]] = {name: [] for name in figures.SPANS}
        board = dashboard.draw(found, taken, figures.HOUR, lambda _: "", clock.now)
        cards = [*board.waiting, *board.health, *board.measured]
        return {each.name for each in cards if each.is_bad}

    well = Vitals(heartbeat_age=3, tasks_queued=0, tasks_held=2, errors=0, unavailable=0, failed_tasks=0)
    assert marked(Figures(pulse_age=1, vitals=well)) == set()
    late = Vitals(heartbeat_age=61, tasks_queued=150, tasks_held=51)
    assert marked(Figures(pulse_age=11, overdue=1, overdue_age=31, case_age=25 * 3600, cases_open=1, vitals=late)) == {
        *("Last heartbeat of a worker", "Last pulse of a web process"),
        *("Overdue games", "Open cases", "Tasks waiting"),
    }


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (59, "59 s"), (60, "1 min"), (3599, "59 min"), (7200, "2 h"), (200_000, "2 days")],
)
def test_ages_are_said_in_one_unit(seconds: int, words: str) -> None:
    assert dashboard.spoken(seconds) == words
