"""What is decided, what it does, who is told, and how it is taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.test import Client

from games import services
from games.models import Game, Seat
from games.rules import Refusal
from lobby import chat, leaving, ratings, renaming, restrictions, rooms
from lobby.models import Chair, ChatLine, Rating, Table, User
from lobby.services import open_table
from moderation import appeals, cases, deciding, tasks, telling, words
from moderation.audit import Act
from moderation.deciding import Measure
from moderation.models import AuditLine, Case, Decision, Report
from tests.clock import Clock
from tests.games.playing import look, new_game
from tests.lobby.rated import everything, finished, nearly_won, win
from tests.lobby.test_races import all_at_once
from tests.moderation.deciding_cases import (
    DISMISS,
    WARN,
    Kind,
    case_of,
    decide,
    last_seen,
    line_of,
    moderator,
    page,
    press,
    report,
)
from tests.staff import browser_of, make_staff

pytestmark = pytest.mark.slow

Told = Callable[..., Any]
MINE = "/account/moderators/"


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """The mails that were asked for, by their decisions."""
    asked: list[list[int]] = []

    def send_task(name: str, args: list[Any], **_: Any) -> None:
        assert name == tasks.mail_decisions.name
        asked.append(args[0])

    monkeypatch.setattr(telling, "current_app", SimpleNamespace(send_task=send_task))
    return asked


def ban(period: str = "1 day") -> Measure:
    return Measure(Kind.BAN, period=period)


def mute(period: str = "1 day") -> Measure:
    return Measure(Kind.MUTE, period=period)


def kinds(case: Case) -> list[str]:
    return list(case.decisions.order_by("pk").values_list("kind", flat=True))


def reading(person: User) -> str:
    return browser_of(person).get(MINE).content.decode()


@contextmanager
def nothing_changes(case: Case) -> Iterator[None]:
    def rows() -> list[Any]:
        return [
            list(Case.objects.values()),
            list(Report.objects.values()),
            list(Decision.objects.values()),
            list(User.objects.values("name", "muted_until", "banned_until", "has_moderators_news")),
            list(ChatLine.objects.values("hidden")),
            everything(),
        ]

    before = rows()
    yield
    assert rows() == before


# Each decision


def test_a_dismissal_closes_the_case_answers_its_reports_and_is_not_told(
    mona: User, alice: User, bob: User, django_capture_on_commit_callbacks: Told, queued: list[list[int]]
) -> None:
    case = case_of(alice, [bob])
    with django_capture_on_commit_callbacks(execute=True):
        decide(case, mona, DISMISS, reason="Friendly teasing.")
    case.refresh_from_db()
    assert case.closed_at is not None
    one = case.reports.get()
    assert (one.outcome, one.answer) == (Report.Outcome.DISMISSED, words.DISMISSED)
    alice.refresh_from_db()
    bob.refresh_from_db()
    assert (alice.has_moderators_news, bob.has_moderators_news) == (False, True)
    assert queued == []
    assert "nothing to tell you" in reading(alice)
    assert words.DISMISSED in reading(bob)
    assert browser_of(alice).get(f"{MINE}{case.decisions.get().pk}/").status_code == 404
    assert leaving.kept_of(alice)["moderators_decisions"] == []


def test_a_warning_is_told_and_counts_for_half_a_year(mona: User, alice: User, clock: Clock) -> None:
    decision = decide(case_of(alice), mona, WARN, now=clock.now)[0]
    assert decision.until == clock.now + timedelta(days=180)
    assert "The warning counts until" in reading(alice)
    assert cases.counts(decision, clock.now)
    clock.move(timedelta(days=180).total_seconds())
    assert not cases.counts(decision, clock.now)
    assert "and has ended" in reading(alice)


def test_lines_that_were_reported_are_hidden_and_no_others(mona: User, alice: User, bob: User) -> None:
    reported, kept = line_of(alice, "You sheep!"), line_of(alice, "Nice roll!")
    another = line_of(bob, "Hello")
    case = case_of(alice, [bob], line=reported)
    for line in (kept, another):
        with pytest.raises(deciding.NothingToDo), nothing_changes(case):
            decide_taken(case, mona, Measure(Kind.HIDE_LINES, lines=(line.pk,)))
    decide(case, mona, Measure(Kind.HIDE_LINES, lines=(reported.pk,)))
    assert list(ChatLine.objects.order_by("pk").values_list("hidden", flat=True)) == [True, False, False]
    assert "You sheep!" in reading(alice)


def test_neither_lines_of_others_nor_hidden_ones_are_hidden(mona: User, alice: User, bob: User) -> None:
    """A line that came along in a report of somebody else, and one that somebody was faster with."""
    of_another, hidden = line_of(bob, "Hello"), line_of(alice)
    chat.set_hidden(hidden, True)
    case = case_of(alice, line=of_another)
    report(case, line=hidden)
    for line in (of_another, hidden):
        with pytest.raises(deciding.NothingToDo), nothing_changes(case):
            decide_taken(case, mona, Measure(Kind.HIDE_LINES, lines=(line.pk,)))
    assert "Hide lines" not in page(mona, "case_change", case.pk).content.decode()


def decide_taken(case: Case, by: User, *measures: Measure, **more: Any) -> Any:
    """In a transaction of its own, after it has been taken."""
    Case.objects.filter(pk=case.pk).update(taken_by=by, taken_at=Clock().now)
    more.setdefault("seen", last_seen(case))
    more.setdefault("now", Clock().now)
    with transaction.atomic():
        return deciding.decide(case.pk, by, measures, more.pop("reason", "Be kind."), **more)


@pytest.mark.parametrize("period", deciding.PERIODS)
def test_somebody_is_muted_or_banned_for_a_time_that_ends_by_itself(
    mona: User, alice: User, clock: Clock, period: str
) -> None:
    decide(case_of(alice), mona, mute(period), ban(period), now=clock.now)
    alice.refresh_from_db()
    length = deciding.PERIODS[period]
    until = restrictions.FOR_GOOD if length is None else clock.now + length
    assert (alice.muted_until, alice.banned_until) == (until, until)
    assert restrictions.is_banned(alice, clock.now)
    assert restrictions.is_muted(alice, clock.now)
    if length is not None:
        clock.move(length.total_seconds())
        assert not restrictions.is_banned(alice, clock.now)
        assert not restrictions.is_muted(alice, clock.now)
        read = reading(alice)
        assert "You were banned" in read
        assert "You were muted" in read
        assert Decision.objects.filter(deciding.in_force(clock.now)).count() == 0


def test_of_two_bans_the_one_that_ends_later_counts(mona: User, alice: User, clock: Clock) -> None:
    longer = decide(case_of(alice), mona, ban("1 week"), now=clock.now)[0]
    shorter = decide(case_of(alice), mona, ban("1 day"), now=clock.now)[0]
    alice.refresh_from_db()
    assert alice.banned_until == longer.until
    deciding.undo(longer.pk, mona, "It was too long.", now=clock.now)
    alice.refresh_from_db()
    assert alice.banned_until == shorter.until
    deciding.undo(shorter.pk, mona, "That too.", now=clock.now)
    alice.refresh_from_db()
    assert alice.banned_until is None


def test_a_mute_that_is_taken_back_leaves_a_ban_alone(mona: User, alice: User) -> None:
    muted, banned = decide(case_of(alice), mona, mute("for good"), ban("1 week"))
    deciding.undo(muted.pk, mona, "They may talk.", now=Clock().now)
    alice.refresh_from_db()
    assert (alice.muted_until, alice.banned_until) == (None, banned.until)


def test_a_name_is_reset_wherever_it_shows_and_given_back(mona: User, alice: User, bob: User, clock: Clock) -> None:
    User.objects.filter(pk=alice.pk).update(name="Sheep Head")
    alice.refresh_from_db()
    running, over = new_game(users=[alice, bob]), new_game(users=[alice])
    services.abort(over.pk, now=clock.now)
    Seat.objects.filter(user=alice).update(name="Sheep Head")
    table = open_table(alice, "Sheep Head", _rules(), "balanced", None, now=clock.now)
    chat.say(rooms.of_players(running.pk), alice, "Hello", now=clock.now)
    decision = decide(case_of(alice, kind="name"), mona, Measure(Kind.RESET_NAME), now=clock.now)[0]
    alice.refresh_from_db()
    assert alice.name.startswith("Player ")
    assert (alice.name_folded or "").startswith("player")
    assert {seat.name for seat in Seat.objects.filter(user=alice)} == {alice.name}
    assert Chair.objects.get(table=table, user=alice).name == alice.name
    assert ChatLine.objects.get().name == alice.name
    assert look(running)["seats"][0]["name"] == alice.name
    assert f"You are now called “{alice.name}”. Sign in with that name" in reading(alice)
    deciding.undo(decision.pk, mona, "It is a surname.", now=clock.now)
    alice.refresh_from_db()
    assert alice.name == "Sheep Head"
    assert {seat.name for seat in Seat.objects.filter(user=alice)} == {"Sheep Head"}
    assert Chair.objects.get(table=table, user=alice).name == "Sheep Head"
    assert "You are called “Sheep Head” again." in reading(alice)


def test_open_pages_of_a_game_hear_of_another_name(alice: User, clock: Clock) -> None:
    game = new_game(users=[alice])
    before = Game.objects.get(pk=game.pk)
    look(game)
    renaming.reset(alice, clock.now)
    after = Game.objects.get(pk=game.pk)
    assert after.revision == before.revision + 1
    assert look(game, after=(before.version, before.revision))["seats"][0]["name"] == alice.name


def _rules() -> Any:
    from games.rules import PRESETS

    return PRESETS["standard"]


def test_a_name_that_somebody_else_has_by_now_is_not_given_back(mona: User, alice: User) -> None:
    alice.name = "Sheep Head"
    alice.save()
    decision = decide(case_of(alice), mona, Measure(Kind.RESET_NAME))[0]
    User.objects.create_user("other", name="sheep head")
    deciding.undo(decision.pk, mona, "It is a surname.", now=Clock().now)
    alice.refresh_from_db()
    assert alice.name.startswith("Player ")
    assert "Somebody else has taken the name “Sheep Head”" in reading(alice)


def test_a_guest_gets_another_name_too_and_reads_why(mona: User) -> None:
    guest = User.guest("Sheep Head")
    guest.save()
    decide(case_of(guest), mona, Measure(Kind.RESET_NAME), reason="A rude name.")
    guest.refresh_from_db()
    assert guest.name.startswith("Player ")
    assert guest.name_folded is None
    told = reading(guest)
    assert "A rude name." in told
    assert "Sign in" not in told


def test_a_reset_name_is_nobody_elses(alice: User, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    guest = User.guest("Player 1000")
    guest.save()
    bob = User.objects.create_user("bob")
    drawn = iter([1000, 1001, 1001, 1002])
    monkeypatch.setattr(renaming.secrets, "choice", lambda _: next(drawn))
    assert renaming.reset(alice, clock.now) == "Player 1001"
    assert renaming.reset(bob, clock.now) == "Player 1002"


def test_ratings_after_a_game_is_annulled_are_as_if_it_had_not_been_played(
    mona: User, alice: User, bob: User, charlie: User
) -> None:
    games = [
        finished([alice, bob, charlie], (6, 4), at=1),
        finished([bob, alice, charlie], (8, 4), at=2),
        finished([charlie, alice, User.objects.create_user("dora")], (8, 7), at=3),
        finished([alice, bob, charlie], (3, 4), at=2, pace="1 day"),
    ]
    for game in games:
        ratings.rate_game(game.pk)
    whole = everything()
    decision = decide(case_of(alice, game=games[1]), mona, Measure(Kind.ANNUL_GAME, game=games[1].pk))[0]
    annulled = everything()
    assert annulled != whole
    assert sorted(rating.games for rating in Rating.objects.filter(kind="live")) == [1, 1, 2, 2]
    assert ratings.rate_all() == 3
    assert everything() == annulled
    ratings.rate_missed()
    assert everything() == annulled
    deciding.undo(decision.pk, mona, "It was fair.", now=Clock().now)
    assert everything() == whole
    ratings.rate_all()
    assert everything() == whole


def test_whoever_has_played_one_game_alone_has_no_rating_once_it_is_annulled(
    mona: User, alice: User, bob: User, charlie: User
) -> None:
    dora, emil = User.objects.create_user("dora"), User.objects.create_user("emil")
    first, last = finished([alice, bob, charlie], at=1), finished([charlie, dora, emil], at=2)
    ratings.rate_missed()
    decide(case_of(first), mona, Measure(Kind.ANNUL_GAME, game=first.pk))
    assert set(Rating.objects.values_list("person__username", flat=True)) == {"charlie", "dora", "emil"}
    decide(case_of(last), mona, Measure(Kind.ANNUL_GAME, game=last.pk))
    assert not Rating.objects.exists()
    assert ratings.rate_all() == 0


def test_a_game_that_is_annulled_while_it_is_played_is_never_counted(
    mona: User, alice: User, bob: User, charlie: User
) -> None:
    game = nearly_won([alice, bob, charlie])
    decide(case_of(alice, game=game), mona, Measure(Kind.ANNUL_GAME, game=game.pk))
    win(game, Clock().now)
    ratings.rate_game(game.pk)
    ratings.rate_missed()
    assert not Rating.objects.exists()


def test_what_counts_for_nobody_is_not_annulled(mona: User, alice: User, bob: User, charlie: User) -> None:
    """Nor is a game that nobody has reported."""
    unrated, other = finished([alice, bob, charlie], rated=False), finished([alice, bob, charlie])
    case = case_of(alice, game=unrated)
    for game in (unrated, other):
        with pytest.raises(deciding.NothingToDo), nothing_changes(case):
            decide_taken(case, mona, Measure(Kind.ANNUL_GAME, game=game.pk))


def test_the_page_of_an_annulled_game_says_so(mona: User, alice: User, bob: User, charlie: User) -> None:
    game = finished([alice, bob, charlie])
    ratings.rate_missed()
    decide(case_of(game), mona, Measure(Kind.ANNUL_GAME, game=game.pk))
    shown = Client().get(f"/games/{game.pk}/").content.decode()
    assert "Moderators have taken this game out of the ratings" in shown
    assert "New ratings" not in shown


@pytest.mark.both_stacks
def test_all_who_played_an_annulled_game_are_told_and_nothing_is_held_against_them(
    mona: User, alice: User, bob: User, charlie: User, django_capture_on_commit_callbacks: Told, queued: list[list[int]]
) -> None:
    game = finished([alice, bob, charlie])
    with django_capture_on_commit_callbacks(execute=True):
        mine, theirs, other = decide(
            case_of(alice, game=game), mona, Measure(Kind.ANNUL_GAME, game=game.pk), reason="Two accounts."
        )
    assert queued == [[mine.pk], [theirs.pk], [other.pk]]
    assert (mine.person, theirs.person, other.person) == (alice, bob, charlie)
    assert "Two accounts." in reading(alice)
    told = reading(bob)
    assert "Nothing is held against you" in told
    assert "Two accounts." not in told
    case = case_of(bob)
    assert "held against" not in page(mona, "case_change", case.pk).content.decode()
    assert "held against" not in page(mona, "case_change", mine.case_id).content.decode()
    deciding.undo(theirs.pk, mona, "It was fair.", now=Clock().now)
    for person in (alice, bob, charlie):
        assert "The game counts for everybody’s rating again." in reading(person)


def test_of_a_game_where_nobody_is_meant_everybody_reads_the_reason(
    mona: User, alice: User, bob: User, charlie: User
) -> None:
    game = finished([alice, bob, charlie])
    decide(case_of(game), mona, Measure(Kind.ANNUL_GAME, game=game.pk), reason="The clock was broken.")
    for person in (alice, bob, charlie):
        assert "The clock was broken." in reading(person)


def test_a_game_is_neither_warned_nor_banned(mona: User) -> None:
    case = case_of(new_game())
    for measure in (WARN, ban(), mute(), Measure(Kind.RESET_NAME)):
        with pytest.raises(deciding.BadDecision), nothing_changes(case):
            decide_taken(case, mona, measure)


def test_several_things_are_decided_at_once_with_one_reason(
    mona: User, alice: User, bob: User, django_capture_on_commit_callbacks: Told, queued: list[list[int]]
) -> None:
    line = line_of(alice)
    case = case_of(alice, [bob], line=line)
    with django_capture_on_commit_callbacks(execute=True):
        made = decide(case, mona, Measure(Kind.HIDE_LINES, lines=(line.pk,)), mute(), WARN, reason="Be kind.")
    assert kinds(case) == ["hide_lines", "mute", "warn"]
    assert {decision.reason for decision in made} == {"Be kind."}
    assert queued == [[decision.pk for decision in made]]
    answer = case.reports.get().answer
    assert "what was said is hidden, the person can’t chat for now and the person was warned" in answer
    lines = AuditLine.objects.filter(act=Act.DECIDED).order_by("pk")
    assert [(line.staff, line.person, line.details["kind"]) for line in lines] == [
        (mona.pk, alice.pk, kind) for kind in kinds(case)
    ]
    assert lines[0].details["lines"] == [line.pk]


# What is refused


@pytest.mark.parametrize(
    "measures",
    [
        [],
        [DISMISS, WARN],
        [WARN, WARN],
        [Measure(Kind.BAN)],
        [Measure(Kind.BAN, period="2 eternities")],
        [Measure(Kind.WARN, period="1 day")],
        [Measure(Kind.HIDE_LINES)],
        [Measure(Kind.ANNUL_GAME)],
        [mute("1 day"), mute("1 week")],
    ],
)
def test_what_makes_no_sense_is_refused(mona: User, alice: User, measures: list[Measure]) -> None:
    case = case_of(alice)
    with pytest.raises(deciding.BadDecision), nothing_changes(case):
        deciding.decide(case.pk, mona, measures, "Be kind.", seen=last_seen(case), now=Clock().now)


@pytest.mark.parametrize("reason", ["", "  \n ", "x" * 1001])
def test_each_decision_has_a_reason_that_fits(mona: User, alice: User, reason: str) -> None:
    case = case_of(alice)
    with pytest.raises(deciding.BadDecision):
        decide_taken(case, mona, WARN, reason=reason)


def test_only_whoever_has_taken_a_case_decides_it(mona: User, milo: User, alice: User) -> None:
    case, now = case_of(alice), Clock().now
    with pytest.raises(cases.NotTaken):
        deciding.decide(case.pk, mona, [WARN], "Be kind.", seen=last_seen(case), now=now)
    cases.take(case.pk, milo, now=now)
    with pytest.raises(cases.TakenByAnother, match="Milo"):
        deciding.decide(case.pk, mona, [WARN], "Be kind.", seen=last_seen(case), now=now)
    assert not Decision.objects.exists()


def test_nobody_decides_what_they_come_to_be_part_of(mona: User, alice: User) -> None:
    """They reported it themselves after they had taken it."""
    case = case_of(alice)
    cases.take(case.pk, mona, now=Clock().now)
    report(case, mona)
    with pytest.raises(cases.NotImpartial):
        deciding.decide(case.pk, mona, [WARN], "Be kind.", seen=last_seen(case), now=Clock().now)


def test_no_report_is_answered_that_the_moderator_has_not_read(mona: User, alice: User, bob: User) -> None:
    case = case_of(alice)
    cases.take(case.pk, mona, now=Clock().now)
    seen = last_seen(case)
    report(case, bob)
    browser = browser_of(mona)
    sent = {"warn": "on", "reason": "Be kind.", "seen": seen}
    again = press(browser, "case_decide", case.pk, **sent)
    assert again.status_code == 409
    shown = again.content.decode()
    assert "Another report has come in" in shown
    assert "Be kind." in shown
    assert f'name="seen" value="{last_seen(case)}"' in shown
    assert not Decision.objects.exists()
    assert press(browser, "case_decide", case.pk, **sent | {"seen": last_seen(case)}).status_code == 302
    assert Decision.objects.count() == 1


@pytest.mark.parametrize("measure", [ban(), mute()])
def test_only_an_administrator_bans_or_mutes_staff(mona: User, milo: User, measure: Measure) -> None:
    case = case_of(milo)
    with pytest.raises(deciding.NotTheirs), nothing_changes(case):
        decide_taken(case, mona, measure)
    boss = moderator("Boss", "administrator")
    decide_taken(case, boss, measure)
    milo.refresh_from_db()
    assert (milo.banned_until or milo.muted_until) is not None


def test_a_superuser_is_banned_by_an_administrator_alone(mona: User) -> None:
    root = User.objects.create_user("root", is_superuser=True)
    with pytest.raises(deciding.NotTheirs):
        decide(case_of(root), mona, ban())


def test_a_case_is_decided_once(mona: User, alice: User) -> None:
    case = case_of(alice)
    decide(case, mona)
    with pytest.raises(cases.CaseClosed), nothing_changes(case):
        deciding.decide(case.pk, mona, [ban()], "Be kind.", seen=last_seen(case), now=Clock().now)


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_of_two_who_decide_at_once_the_second_is_refused_and_nothing_of_it_stands() -> None:
    """One moderator in two windows, and another who had it before: a take of theirs has grown old."""
    mona, alice = moderator("Mona"), User.objects.create_user("alice")
    case, now = case_of(alice, [User.objects.create_user("bob")]), Clock().now
    cases.take(case.pk, mona, now=now)
    seen = last_seen(case)
    periods = ("1 hour", "1 day", "3 days", "1 week", "1 month", "3 months")
    calls = [
        lambda period=period: deciding.decide(case.pk, mona, [ban(period)], period, seen=seen, now=now)
        for period in periods
    ]
    answers = all_at_once(calls)  # type: ignore[arg-type]
    refused = [answer for answer in answers if isinstance(answer, Refusal)]
    assert len(refused) == len(calls) - 1
    assert {type(refusal) for refusal in refused} == {cases.CaseClosed}
    decision = Decision.objects.get()
    alice.refresh_from_db()
    assert alice.banned_until == decision.until == now + (deciding.PERIODS[decision.reason] or timedelta())
    assert AuditLine.objects.filter(act=Act.DECIDED).count() == 1
    assert Report.objects.filter(outcome=Report.Outcome.ACTED).count() == 1


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_decision_that_is_undone_twice_at_once_is_undone_once() -> None:
    mona, alice = moderator("Mona"), User.objects.create_user("alice")
    game = finished([alice, User.objects.create_user("bob"), User.objects.create_user("charlie")])
    ratings.rate_missed()
    counted = everything()
    made = decide(case_of(alice, game=game), mona, Measure(Kind.ANNUL_GAME, game=game.pk))
    now = Clock().now
    calls = [lambda one=one: deciding.undo(one.pk, mona, "Fair.", now=now) for one in made * 2]  # type: ignore[misc]
    answers = all_at_once(calls)
    assert sum(isinstance(answer, Refusal) for answer in answers) == len(calls) - 1
    assert AuditLine.objects.filter(act=Act.UNDID).count() == 1
    assert everything() == counted


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_game_that_is_annulled_while_it_is_counted_counts_for_nobody() -> None:
    people = [User.objects.create_user(name) for name in ("alice", "bob", "charlie")]
    for turn in range(4):
        game = finished(people, at=turn)
        all_at_once(
            [lambda game=game: ratings.rate_game(game.pk)] * 3 + [lambda game=game: ratings.annul(game.pk, Clock().now)]
        )  # type: ignore[misc]
        assert not Rating.objects.exists()
        assert ratings.rate_all() == 0


@pytest.mark.both_stacks
@pytest.mark.django_db(transaction=True)
def test_what_fails_in_the_middle_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    mona, alice = moderator("Mona"), User.objects.create_user("alice")
    line = line_of(alice)
    case = case_of(alice, line=line)
    cases.take(case.pk, mona, now=Clock().now)

    def fail(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(telling, "tell", fail)
    measures = [Measure(Kind.HIDE_LINES, lines=(line.pk,)), ban(), Measure(Kind.RESET_NAME)]
    lines = AuditLine.objects.count()
    with pytest.raises(RuntimeError), nothing_changes(case):
        deciding.decide(case.pk, mona, measures, "Be kind.", seen=last_seen(case), now=Clock().now)
    assert AuditLine.objects.count() == lines


# In the admin


def test_a_moderator_goes_from_the_queue_to_a_decision(mona: User, alice: User, bob: User) -> None:
    line = line_of(alice, "You sheep!")
    case = case_of(alice, [bob], line=line)
    browser = browser_of(mona)
    press(browser, "case_take", case.pk)
    shown = page(browser, "case_change", case.pk).content.decode()
    assert "You sheep!" in shown
    sent = {"lines": [line.pk], "mute": "1 day", "ban": "", "reason": "Be kind.", "seen": last_seen(case)}
    answer = browser.post(f"/admin/moderation/case/{case.pk}/decide/", sent, follow=True)
    assert answer.status_code == 200
    assert "Decided. Everybody concerned is told." in answer.content.decode()
    assert kinds(case) == ["hide_lines", "mute"]
    alice.refresh_from_db()
    assert restrictions.is_muted(alice, Clock().now)


def test_what_is_missing_is_said_and_what_was_typed_is_kept(mona: User, alice: User) -> None:
    case = case_of(alice)
    cases.take(case.pk, mona, now=Clock().now)
    browser = browser_of(mona)
    seen = last_seen(case)
    no_reason = press(browser, "case_decide", case.pk, warn="on", reason=" ", seen=seen)
    assert (no_reason.status_code, "Please write a sentence or two." in no_reason.content.decode()) == (400, True)
    nothing = press(browser, "case_decide", case.pk, reason="Be very kind.", seen=seen)
    assert nothing.status_code == 409
    assert "Choose what to do" in nothing.content.decode()
    assert "Be very kind." in nothing.content.decode()
    both = press(browser, "case_dismiss", case.pk, warn="on", reason="Be kind.", seen=seen)
    assert (both.status_code, "choose nothing else" in both.content.decode()) == (400, True)
    for forged in ({"lines": [4711]}, {"games": [4711]}, {"ban": "2 eternities"}, {"seen": "many"}):
        sent = {"reason": "Be kind.", "seen": seen} | forged
        assert press(browser, "case_decide", case.pk, **sent).status_code in (400, 409), forged
    assert not Decision.objects.exists()


def test_reports_are_dismissed_with_one_press(mona: User, alice: User, bob: User) -> None:
    case = case_of(alice, [bob])
    browser = browser_of(mona)
    press(browser, "case_take", case.pk)
    press(browser, "case_dismiss", case.pk, reason="Friendly teasing.", answer="All is well.", seen=last_seen(case))
    assert kinds(case) == ["dismiss"]
    assert case.reports.get().answer == "All is well."


def test_a_second_moderator_who_decides_is_told_that_it_is_decided(mona: User, milo: User, alice: User) -> None:
    case = case_of(alice)
    decide(case, mona, reason="Be kind.")
    late = press(milo, "case_decide", case.pk, ban="for good", reason="Away!", seen=last_seen(case))
    assert late.status_code == 409
    assert "Mona has already decided this" in late.content.decode()
    assert Decision.objects.count() == 1
    line = AuditLine.objects.filter(act=Act.WAS_REFUSED).latest("pk")
    assert (line.staff, line.person) == (milo.pk, alice.pk)


# Taking back


def test_lines_show_again_unless_another_decision_hides_them(mona: User, alice: User, bob: User) -> None:
    line = line_of(alice)
    first = decide(case_of(alice, [bob], line=line), mona, Measure(Kind.HIDE_LINES, lines=(line.pk,)))[0]
    chat.set_hidden(line, False)
    Report.objects.update(by=None)
    second = decide(case_of(alice, line=line), mona, Measure(Kind.HIDE_LINES, lines=(line.pk,)))[0]
    deciding.undo(first.pk, mona, "A misunderstanding.", now=Clock().now)
    line.refresh_from_db()
    assert line.hidden
    deciding.undo(second.pk, mona, "A misunderstanding.", now=Clock().now)
    line.refresh_from_db()
    assert not line.hidden


def test_a_decision_is_taken_back_in_the_admin_by_any_moderator(mona: User, milo: User, alice: User) -> None:
    decision = decide(case_of(alice), mona, ban())[0]
    browser = browser_of(milo)
    assert page(browser, "decision_undo", decision.pk).status_code == 405
    assert press(browser, "decision_undo", decision.pk, why="").status_code == 400
    assert press(browser, "decision_undo", decision.pk, why="Wrong person.").status_code == 302
    decision.refresh_from_db()
    alice.refresh_from_db()
    assert (decision.undone_by, decision.undone_why, alice.banned_until) == (milo, "Wrong person.", None)
    assert AuditLine.objects.get(act=Act.UNDID).why == "Wrong person."
    assert "Wrong person." in reading(alice)
    again = press(browser, "decision_undo", decision.pk, why="Again.")
    assert (again.status_code, "already been taken back" in again.content.decode()) == (409, True)


def test_what_has_ended_or_did_nothing_is_not_taken_back(mona: User, alice: User, bob: User, clock: Clock) -> None:
    ended = decide(case_of(alice), mona, mute("1 hour"), now=clock.now)[0]
    nothing = decide(case_of(bob), mona, DISMISS, now=clock.now)[0]
    clock.move(3600)
    for decision in (ended, nothing):
        with pytest.raises(deciding.NotToBeUndone):
            deciding.undo(decision.pk, mona, "Sorry.", now=clock.now)


def test_nobody_takes_back_what_was_decided_about_themselves(mona: User, milo: User) -> None:
    decision = decide(case_of(milo), mona, WARN)[0]
    with pytest.raises(cases.NotImpartial):
        deciding.undo(decision.pk, milo, "Sorry.", now=Clock().now)
    assert page(milo, "decision_change", decision.pk).status_code == 403
    assert press(milo, "decision_undo", decision.pk, why="Sorry.").status_code in (403, 409)
    decision.refresh_from_db()
    assert decision.undone_at is None
    assert browser_of(milo).get("/admin/moderation/decision/").context["cl"].result_count == 0


# Being told


def test_a_notice_stands_on_every_page_until_it_is_read(
    mona: User, alice: User, django_capture_on_commit_callbacks: Told, queued: list[list[int]]
) -> None:
    browser, notice = browser_of(alice), "The moderators have written to you"
    assert notice not in browser.get("/").content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        decision = decide(case_of(alice), mona)[0]
    for address in ("/", "/leaderboard/", "/account/"):
        assert notice in browser.get(address).content.decode()
    assert '<span class="badge badge-warning">new</span>' in browser.get(MINE).content.decode()
    decision.refresh_from_db()
    assert decision.read_at is not None
    assert notice not in browser.get("/").content.decode()
    assert '<span class="badge badge-warning">new</span>' not in browser.get(MINE).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        deciding.undo(decision.pk, mona, "Sorry.", now=Clock().now)
    assert notice in browser.get("/").content.decode()
    assert "Sorry." in browser.get(f"{MINE}{decision.pk}/").content.decode()
    assert notice not in browser.get("/").content.decode()
    assert queued == [[decision.pk]] * 2


def test_a_notice_stays_while_something_else_is_unread(
    mona: User, alice: User, django_capture_on_commit_callbacks: Told, queued: list[list[int]]
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        one, other = decide(case_of(alice), mona, WARN, mute())
    browser = browser_of(alice)
    browser.get(f"{MINE}{one.pk}/")
    assert "have written to you" in browser.get("/").content.decode()
    browser.get(f"{MINE}{other.pk}/")
    assert "have written to you" not in browser.get("/").content.decode()


def test_a_page_costs_no_query_more_for_the_notice(
    alice: User, django_assert_num_queries: Told, django_assert_max_num_queries: Told
) -> None:
    browser = browser_of(alice)
    browser.get("/leaderboard/")
    with django_assert_max_num_queries(50) as without:
        browser.get("/leaderboard/")
    User.objects.filter(pk=alice.pk).update(has_moderators_news=True)
    with django_assert_num_queries(len(without.captured_queries)):
        assert "have written to you" in browser.get("/leaderboard/").content.decode()


def test_a_mail_goes_to_a_confirmed_address_alone(mona: User, alice: User, bob: User) -> None:
    EmailAddress.objects.create(user=alice, email="alice@catan.example", verified=True)
    EmailAddress.objects.create(user=bob, email="bob@catan.example", verified=False)
    decisions = [
        *decide(case_of(alice), mona, WARN, ban("1 week"), reason="Be & stay kind."),
        *decide(case_of(bob), mona),
    ]
    tasks.mail_decisions([one.pk for one in decisions[:2]])
    tasks.mail_decisions([decisions[2].pk])
    [sent] = mail.outbox
    assert sent.to == ["alice@catan.example"]
    for told in ("A warning", "You are banned", "Be & stay kind.", "until", "/account/moderators/"):
        assert told in sent.body


def test_a_mail_says_how_things_stand_by_now(mona: User, alice: User) -> None:
    EmailAddress.objects.create(user=alice, email="alice@catan.example", verified=True)
    decision = decide(case_of(alice), mona, ban())[0]
    deciding.undo(decision.pk, mona, "Wrong person.", now=Clock().now)
    tasks.mail_decisions([decision.pk])
    assert "took this back. Wrong person." in mail.outbox[0].body
    Decision.objects.all().delete()
    tasks.mail_decisions([decision.pk])
    assert len(mail.outbox) == 1


def test_a_broker_that_is_away_undoes_no_decision(
    mona: User, alice: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Told
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError

    monkeypatch.setattr(telling, "current_app", SimpleNamespace(send_task=fail))
    with django_capture_on_commit_callbacks(execute=True):
        decide(case_of(alice), mona, ban())
    alice.refresh_from_db()
    assert alice.has_moderators_news
    assert alice.banned_until is not None


def test_a_mail_server_that_is_away_is_asked_again(mona: User, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    EmailAddress.objects.create(user=alice, email="alice@catan.example", verified=True)
    decision = decide(case_of(alice), mona)[0]

    def fail(*_: Any) -> None:
        raise OSError

    monkeypatch.setattr(EmailBackend, "send_messages", fail)
    result = tasks.mail_decisions.apply(([decision.pk],), retries=tasks.mail_decisions.max_retries - 1)
    assert isinstance(result.result, OSError)
    assert Decision.objects.filter(pk=decision.pk).exists()


def test_what_was_decided_about_others_is_not_found(mona: User, alice: User, bob: User) -> None:
    decision = decide(case_of(alice), mona)[0]
    assert browser_of(bob).get(f"{MINE}{decision.pk}/").status_code == 404
    assert "Be kind." not in reading(bob)
    assert Client().get(MINE).status_code == 302


def test_staff_are_not_searched_for_secrets(mona: User, alice: User) -> None:
    decide(case_of(alice), mona)
    for model in ("decision", "appeal"):
        for lookup in ("person__password__startswith", "decision__person__password__startswith"):
            assert browser_of(mona).get(f"/admin/moderation/{model}/", {lookup: "p"}).status_code == 400


def test_a_closed_account_takes_its_cases_along(mona: User, alice: User) -> None:
    from lobby import leaving

    case, now = case_of(alice), Clock().now
    seen = last_seen(case)
    cases.take(case.pk, mona, now=now)
    leaving.delete(alice, now)
    with pytest.raises(cases.NoSuchCase):
        deciding.decide(case.pk, mona, [WARN], "Be kind.", seen=seen, now=now)


def test_somebody_who_is_staff_without_a_group_decides_nothing(alice: User, dana: User) -> None:
    decision = decide(case_of(alice), make_staff(User.objects.create_user("mona"), "moderator"))[0]
    assert press(dana, "decision_undo", decision.pk, why="Sorry.").status_code == 403
    assert page(dana, "decision_change", decision.pk).status_code == 403


def test_a_game_is_annulled_once(alice: User, bob: User, charlie: User) -> None:
    game = finished([alice, bob, charlie])
    assert ratings.annul(game.pk, Clock().now)
    assert not ratings.annul(game.pk, Clock().now)
    assert Table.objects.get(game=game).annulled_at is not None


# Of several decisions about the same person


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_ban_that_is_taken_back_while_another_is_decided_leaves_the_other() -> None:
    """They are of two cases, so the locks of these do not keep them apart; the person’s does."""
    mona, now = moderator("Mona"), Clock().now
    for number in range(10):
        person = User.objects.create_user(f"alice{number}")
        [old] = decide(case_of(person), mona, ban("for good"))
        case = case_of(person)
        cases.take(case.pk, mona, now=now)
        seen = last_seen(case)

        def undo(old: Decision = old) -> object:
            return deciding.undo(old.pk, mona, "Fair.", now=now)

        def decide_anew(case: Case = case, seen: int = seen) -> object:
            return deciding.decide(case.pk, mona, [ban("1 day")], "Be kind.", seen=seen, now=now)

        assert not any(isinstance(answer, Refusal) for answer in all_at_once([undo, decide_anew]))
        person.refresh_from_db()
        assert person.banned_until == now + timedelta(days=1)


def test_a_moderator_does_not_let_off_a_member_of_the_staff(mona: User, milo: User, alice: User) -> None:
    """Who may not ban somebody does not lift it either, with an appeal or without."""
    ada, ava = moderator("Ada", "administrator"), moderator("Ava", "administrator")
    [banned] = decide(case_of(mona), ada, ban("for good"))
    shown = page(milo, "decision_change", banned.pk).content.decode()
    assert "Only an administrator can lift" in shown
    assert press(milo, "decision_undo", banned.pk, why="A friend").status_code == 409
    appeal = appeals.appeal(mona, banned.pk, "It was not me.", now=Clock().now)
    for answer in ("uphold", "undo"):
        assert press(milo, f"appeal_{answer}", appeal.pk, answer="A friend").status_code == 409
    mona.refresh_from_db()
    assert restrictions.is_banned(mona, Clock().now)
    assert press(ada, "appeal_undo", appeal.pk, answer="I was wrong").status_code == 409
    assert press(ava, "appeal_undo", appeal.pk, answer="She was wrong").status_code == 302
    mona.refresh_from_db()
    assert not restrictions.is_banned(mona, Clock().now)


def test_an_administrator_who_is_alone_answers_the_appeal_of_a_moderator(mona: User, milo: User) -> None:
    ada = moderator("Ada", "administrator")
    [muted] = decide(case_of(mona), ada, Measure(Kind.MUTE, period="1 day"))
    appeal = appeals.appeal(mona, muted.pk, "It was not me.", now=Clock().now)
    assert press(ada, "appeal_undo", appeal.pk, answer="I was wrong").status_code == 302
