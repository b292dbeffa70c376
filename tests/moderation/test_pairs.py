"""Pairs who play for each other: found at night, looked at by moderators."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from celery import current_app
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from lobby.models import User
from moderation import addresses, pairs, tasks
from moderation.audit import Act
from moderation.models import AuditLine, GameDealings, Pair, SeenAddress
from moderation.words_pairs import said_of
from tests.clock import Clock
from tests.lobby.test_races import all_at_once
from tests.staff import browser_of, make_staff

from .pairing import feeding, over, played

LIST = "/admin/moderation/pair/"
MOST_STATEMENTS = 15


@pytest.fixture
def pair(alice: User, bob: User, charlie: User) -> Pair:
    """Alice feeds Bob, over nine games."""
    for _ in range(9):
        over([alice, bob, charlie], feeding())
    tasks.find_unusual_pairs()
    return Pair.objects.get(first=alice, second=bob)


def page_of(pair: Pair) -> str:
    return reverse("admin:moderation_pair_change", args=[pair.pk])


def text_of(body: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub("<[^>]*>", "", body)))


# At night


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_who_feeds_whom_is_found_in_the_logs_of_their_games(transactional_db: None, clock: Clock) -> None:
    alice, bob, charlie = (User.objects.create_user(name) for name in ("alice", "bob", "charlie"))
    games = [played([alice, bob, charlie], at=clock.now, fed=1) for _ in range(7)]
    games.append(played([alice, bob, charlie], at=clock.now))
    tasks.find_unusual_pairs()
    worst = Pair.objects.order_by("-unusual").first()
    assert worst is not None
    assert (worst.first, worst.second, worst.games) == (alice, bob, 8)
    figures = pairs.figures_of(worst)
    assert (figures["trades"], figures["given"]) == (14, 28)
    assert worst.balance == 28 / 8
    # Offers that Alice made, two a game: Bob accepted his, Charlie declined each.
    assert figures["answers"] == [14, 0]
    assert figures["answers_to_others"] == [0, 0]
    assert figures["wins"] == [8, 0]
    assert worst.unusual > 1.5
    assert GameDealings.objects.count() == len(games)


@pytest.mark.both_stacks
@pytest.mark.django_db(transaction=True)
def test_two_rounds_at_once_come_to_the_same(transactional_db: None) -> None:
    alice, bob, charlie = (User.objects.create_user(name) for name in ("alice", "bob", "charlie"))
    for _ in range(6):
        over([alice, bob, charlie], feeding())
    played([alice, bob, charlie], at=timezone.now() - timedelta(minutes=1))
    now = timezone.now()
    all_at_once([lambda: pairs.compute(now)] * 4)
    assert GameDealings.objects.count() == 7
    assert Pair.objects.get(first=alice, second=bob).games == 7


def test_a_log_is_read_once(alice: User, bob: User, charlie: User, clock: Clock) -> None:
    played([alice, bob, charlie], at=clock.now, fed=1)
    for expected in (True, False):
        with CaptureQueriesContext(connection) as statements:
            pairs.compute(clock.now)
        assert ("games_move" in str(statements.captured_queries)) is expected


def test_a_pair_keeps_its_address_and_goes_when_it_is_usual(pair: Pair, clock: Clock) -> None:
    before = pair.pk
    over([pair.first, pair.second, None], feeding())
    clock.move(24 * 3600)
    tasks.find_unusual_pairs()
    pair.refresh_from_db()
    assert (pair.pk, pair.games, pair.computed_at) == (before, 10, clock.now)
    clock.move(pairs.WITHIN.total_seconds())
    tasks.find_unusual_pairs()
    assert not Pair.objects.exists()


def test_of_pairs_that_met_a_few_times_nothing_is_said(alice: User, bob: User) -> None:
    for games in range(1, pairs.LEAST_GAMES + 1):
        assert pairs.compute(timezone.now()) == 0
        over([alice, bob, None], feeding())
        assert GameDealings.objects.count() == games
    assert pairs.compute(timezone.now()) == 1


def test_games_that_have_no_end_and_bots_are_passed_over(alice: User, bob: User, clock: Clock) -> None:
    for _ in range(pairs.LEAST_GAMES):
        over([alice, bob, None], feeding())
    Game.objects.filter(pk=Game.objects.latest("pk").pk).update(status=Game.Status.ABORTED)
    over([alice, None, None])
    assert pairs.compute(clock.now) == 0
    # Whoever plays with bots alone does nobody a favour.
    assert GameDealings.objects.count() == pairs.LEAST_GAMES


def test_the_most_unusual_are_kept(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    others = User.objects.bulk_create([User(username=f"other {n}") for n in range(6)])
    for _ in range(9):
        over(others[:3], feeding())
    for _ in range(14):
        over(others[3:], feeding())
    monkeypatch.setattr(pairs, "KEPT", 2)
    tasks.find_unusual_pairs()
    assert Pair.objects.count() == 2
    assert (others[3].pk, others[4].pk) in Pair.objects.values_list("first", "second")


def test_whoever_deletes_their_account_is_in_no_pair(pair: Pair) -> None:
    pair.second.delete()
    assert not Pair.objects.exists()
    tasks.find_unusual_pairs()
    assert not Pair.objects.filter(first=pair.first_id).exists()


def test_shared_addresses_are_counted_and_make_favours_more_telling(pair: Pair) -> None:
    assert pair.shared_addresses == 0
    for person in (pair.first, pair.second):
        addresses.note(person.pk, "203.0.113.7", timezone.now())
    tasks.find_unusual_pairs()
    again = Pair.objects.get(pk=pair.pk)
    assert again.shared_addresses == 1
    assert again.unusual > pair.unusual


def test_the_round_is_made_every_night_after_all_else() -> None:
    rounds = {each["task"]: each for each in settings.CELERY_BEAT_SCHEDULE.values()}
    schedule = rounds[tasks.find_unusual_pairs.name]["schedule"]
    assert (schedule.hour, schedule.minute) == ({3}, {20})
    assert {tasks.find_unusual_pairs.name, tasks.forget_addresses.name} <= set(current_app.tasks)


# In words


def test_the_figures_are_told_in_words(pair: Pair) -> None:
    said = {each.about: " ".join(each.sentences) for each in said_of(pair)}
    assert said["Cards given away"].startswith(
        "alice gave bob 18 cards more than they got back, in 9 trades over 9 games. Usual is "
    )
    assert "alice stole 18 times, 0 of them from bob. Usual is " in said["The robber"]
    assert "bob stole 18 times, 0 of them from alice. Usual is " in said["The robber"]
    assert "alice won 0 of these games." in said["Who wins"]
    assert "they made 9 trades with each other, and 9 with others" in said["Trade with others"]
    assert "Of the offers they made each other 9 of 9 were accepted" in said["Trade with others"]
    assert "in all their games, none was answered." in said["Trade with others"]
    assert "They played 9 games together: alice played 9 in all, bob 9." in said["Together"]
    assert "They came from no shared address within 90 days." in said["Together"]


def test_whoever_gave_more_is_named_first(alice: User, bob: User) -> None:
    for _ in range(6):
        over([bob, alice, None], feeding())
    tasks.find_unusual_pairs()
    (pair,) = Pair.objects.all()
    assert pair.balance == -2
    assert said_of(pair)[0].sentences[0].startswith("bob gave alice 12 cards more than they got back")


# For moderators


def test_the_list_shows_the_most_unusual_first(pair: Pair, charlie: User, moderator: Client) -> None:
    for first, unusual in ((pair.first, 0.5), (pair.second, 9.5)):
        Pair.objects.create(
            first=first, second=charlie, games=9, unusual=unusual, balance=0, computed_at=pair.computed_at
        )
    body = moderator.get(LIST).content.decode()
    assert re.findall(r">([a-z]+ and [a-z]+)</a>", body) == ["bob and charlie", "alice and bob", "alice and charlie"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        *(("strength=very", True), ("strength=hardly", False), ("together=few", True), ("together=many", False)),
        *(("shared=yes", False), ("shared=no", True), ("q=ali", True), ("q=zoe", False)),
    ],
)
def test_the_list_is_filtered(pair: Pair, moderator: Client, query: str, found: bool) -> None:
    body = moderator.get(f"{LIST}?{query}").content.decode()
    assert ("alice and bob" in body) is found


@pytest.mark.parametrize(
    "query", ["first__password__startswith=p", "figures__games=1", "first__seen_addresses__digest=1"]
)
def test_no_other_filter_is_answered(pair: Pair, moderator: Client, query: str) -> None:
    assert moderator.get(f"{LIST}?{query}").status_code in (302, 400)


def test_a_pairs_page_tells_figures_and_leads_to_people_and_games(pair: Pair, moderator: Client) -> None:
    body = moderator.get(page_of(pair)).content.decode()
    assert "alice gave bob 18 cards more than they got back" in text_of(body)
    for person in (pair.first, pair.second):
        assert reverse("admin:lobby_user_change", args=[person.pk]) in body
    for game in Game.objects.all():
        assert reverse("admin:games_game_change", args=[game.pk]) in body


def test_of_addresses_the_page_tells_a_count_alone(pair: Pair, moderator: Client) -> None:
    for person in (pair.first, pair.second):
        addresses.note(person.pk, "203.0.113.7", timezone.now())
    tasks.find_unusual_pairs()
    for address in (LIST, page_of(pair)):
        body = moderator.get(address).content.decode()
        assert "203.0.113.7" not in body
        assert SeenAddress.objects.latest("pk").digest not in body
    assert "They came from 1 shared address within 90 days." in text_of(body)


def test_who_looks_at_a_pair_is_written_down(pair: Pair, dana: User, moderator: Client) -> None:
    moderator.get(LIST)
    assert not AuditLine.objects.exists()
    moderator.get(page_of(pair))
    line = AuditLine.objects.get()
    assert (line.act, line.staff, line.person) == (Act.LOOKED_AT_PAIR, dana.pk, pair.first_id)
    assert line.details["other"] == pair.second_id


@pytest.mark.parametrize("place", [0, 1])
def test_a_moderator_does_not_see_what_is_known_of_them(pair: Pair, place: int) -> None:
    person = (pair.first, pair.second)[place]
    browser = browser_of(make_staff(person, "moderator"))
    assert "alice and bob" not in browser.get(LIST).content.decode()
    answer = browser.get(page_of(pair), follow=True)
    body = answer.content.decode()
    assert "gave bob" not in body
    assert "You are one of these two" in body
    line = AuditLine.objects.get()
    assert (line.act, line.staff) == (Act.WAS_REFUSED, person.pk)


def test_nobody_but_moderators_sees_a_pair(pair: Pair, charlie: User) -> None:
    for browser in (Client(), browser_of(charlie), browser_of(make_staff(User.objects.create_user("eve")))):
        for address in (LIST, page_of(pair)):
            answer = browser.get(address)
            assert answer.status_code in (302, 403)
            assert b"alice and" not in answer.content
    assert not AuditLine.objects.exists()


def test_a_page_takes_nothing_and_there_is_none_of_nobody(pair: Pair, moderator: Client) -> None:
    assert moderator.post(page_of(pair)).status_code == 405
    for number in (pair.pk + 1000, "x", "9" * 30):
        assert moderator.get(f"{LIST}{number}/change/").status_code == 404
    assert not AuditLine.objects.exists()


def test_the_pages_are_made_of_few_statements(pair: Pair, moderator: Client) -> None:
    people = User.objects.bulk_create([User(username=f"person {n}") for n in range(60)])
    Pair.objects.bulk_create(
        [
            Pair(
                first=people[n], second=people[n + 1], games=9, unusual=n, balance=1.0, figures=pair.figures,
                computed_at=pair.computed_at,
            )
            for n in range(59)
        ]
    )  # fmt: skip
    for address in (LIST, page_of(pair)):
        with CaptureQueriesContext(connection) as statements:
            assert moderator.get(address).status_code == 200
        assert len(statements) < MOST_STATEMENTS
