"""A ban closes the site to somebody at once, leaves nobody waiting for them, and ends by itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.account.adapter import get_adapter
from allauth.core.context import request_context
from django.conf import LazySettings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection, transaction
from django.http import HttpRequest
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games import orders, services, snapshots, tasks
from games.models import Game, Proposal, Seat
from games.rules import PRESETS, Phase, Refusal, State, to_act
from games.services import NotYourSeat
from lobby import arranging, banning, meeting, moving, recovery, renaming, restrictions
from lobby import services as tables
from lobby import tasks as rounds
from lobby.company import Company
from lobby.models import Chair, Notice, Table, User
from lobby.notices import links
from lobby.restrictions import FOR_GOOD, Banned
from moderation.door import NOBODYS, OPEN
from moderation.models import Decision
from tests.clock import Clock
from tests.games.agreeing import check, come, go, let_time_pass, row, seat_of
from tests.games.playing import ALICE, BOB, CHARLIE, new_game, play_on, some_move
from tests.lobby.noticing import A_DAY, A_MINUTE, confirmed, days_game, pass_turn, round_of_beat, told_by_mail
from tests.lobby.people import sign_in, sign_up, who
from tests.lobby.test_races import all_at_once
from tests.staff import browser_of

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

AN_HOUR = 3600
Player = Seat.Player
Status = Game.Status


@pytest.fixture(autouse=True)
def _quick_and_forgetful(settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()


@pytest.fixture
def game(clock: Clock, alice: User, bob: User, charlie: User) -> Game:
    return new_game(seed="banned", users=[alice, bob, charlie], pace="normal")


def ban(person: User, clock: Clock, seconds: float = AN_HOUR) -> None:
    restrictions.ban(person, clock.now + timedelta(seconds=seconds), now=clock.now)


def told_why(person: User, clock: Clock, reason: str = "You called Bob names.") -> Decision:
    return Decision.objects.create(person=person, kind=Decision.Kind.BAN, reason=reason, at=clock.now)


def table_of(host: User, *others: User, **company: Any) -> Table:
    table = tables.open_table(
        host, host.shown_name, PRESETS["standard"], "balanced", None, company=Company(**company), now=timezone.now()
    )
    for other in others:
        tables.sit_down(table.code, other, other.shown_name)
    return table


def sitters(table: Table) -> list[str]:
    return [chair.name for chair in Chair.objects.filter(table=table) if not chair.is_free]


# The door


def test_every_page_says_why_until_when_and_nothing_else(clock: Clock, alice: User) -> None:
    browser = browser_of(alice)
    ban(alice, clock)
    told_why(alice, clock, "An older ban.")
    clock.move(1)
    told_why(alice, clock, "You called Bob <names>.")
    Decision.objects.create(
        person=alice, kind=Decision.Kind.BAN, reason="A mistake.", at=clock.move(1), undone_at=clock.now
    )
    alice.refresh_from_db()
    for address in ("/", "/t/new/", "/leaderboard/", "/account/", "/sign-up/"):
        answer = browser.get(address)
        page = answer.content.decode()
        assert answer.status_code == 403, address
        assert f"You’re banned {restrictions.in_words(alice.banned_until or FOR_GOOD)}" in page
        assert "You called Bob &lt;names&gt;." in page
        assert "An older ban." not in page
        assert "A mistake." not in page
        assert "no-store" in answer.headers["Cache-Control"]


def test_until_when_is_told_to_the_minute_of_which_none_is_left(clock: Clock) -> None:
    until = clock.now.replace(minute=10, second=0, microsecond=0)
    at = f"until {until.day} {until:%B %Y, %H}"
    assert restrictions.in_words(until) == f"{at}:10 UTC"
    assert restrictions.in_words(until + timedelta(microseconds=1)) == f"{at}:11 UTC"
    assert restrictions.in_words(FOR_GOOD) == "for good"


def test_what_is_sent_is_refused_before_anything_is_done(clock: Clock, alice: User) -> None:
    browser = browser_of(alice)
    ban(alice, clock)
    assert browser.post("/t/new/", {"preset": "standard", "name": "Alice"}).status_code == 403
    assert browser.post("/play-now/").status_code == 403
    assert not Table.objects.exists()


def test_programs_and_scripts_are_told_in_the_shape_of_every_refusal(clock: Clock, game: Game, alice: User) -> None:
    browser = browser_of(alice)
    ban(alice, clock)
    answers = [
        browser.get(f"/api/v1/games/{game.pk}/"),
        browser.post(f"/api/v1/games/{game.pk}/moves/", "{}", "application/json"),
        browser.get("/api/nothing/"),
        browser.get("/now/", headers={"accept": "*/*"}),
        browser.post(f"/api/v1/games/{game.pk}/chat/", {"text": "Hello"}, "application/json"),
    ]
    for answer in answers:
        assert answer.status_code == 403
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == "banned"
        assert "You’re banned until" in answer.json()["detail"]


def test_what_is_theirs_and_the_way_out_stay_open(clock: Clock) -> None:
    browser = Client()
    sign_up(browser)
    ban(User.objects.get(), clock)
    data = browser.get("/account/data/")
    assert data.status_code == 200
    assert data.json()["account"]["banned_until"] is not None
    assert browser.post("/sign-out/").status_code == 302
    assert who(browser) is None
    assert browser.get("/").status_code == 200


def test_whoever_is_banned_can_end_the_mails(alice: User, clock: Clock) -> None:
    ban(alice, clock)
    assert browser_of(alice).get(urlsplit(links.ending(alice.pk)).path).status_code == 200


def test_what_is_open_is_named_as_the_site_names_it() -> None:
    """Those of the moderators’ messages come with them."""
    for name in OPEN - {"decisions", "decision", "appeal", "notice-end"} | NOBODYS - {"table-picture", "game-picture"}:
        assert reverse(name)
    assert reverse("notice-end", args=["x"])
    assert reverse("table-picture", args=["x"])
    assert reverse("game-picture", args=[1])


def test_nobody_who_is_not_banned_pays_a_statement_for_the_door(
    clock: Clock, game: Game, alice: User, bob: User, settings: LazySettings
) -> None:
    ban(bob, clock)
    browser = browser_of(alice)

    def statements(address: str) -> int:
        browser.get(address)
        with CaptureQueriesContext(connection) as asked:
            browser.get(address)
        return len(asked)

    addresses = ("/", f"/games/{game.pk}/", f"/api/v1/games/{game.pk}/", f"/api/v1/games/{game.pk}/chat/", "/account/")
    alike = (*addresses, f"/games/{game.pk}/picture.png", "/manifest.webmanifest", "/service-worker.js", "/offline/")
    counted = [statements(address) for address in alike]
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "door" not in each]
    browser = browser_of(alice)
    assert counted == [statements(address) for address in alike]


def test_a_ban_ends_by_itself(clock: Clock, alice: User) -> None:
    browser = browser_of(alice)
    ban(alice, clock)
    clock.move(AN_HOUR - 1)
    assert browser.get("/").status_code == 403
    clock.move(1)
    assert browser.get("/").status_code == 200


def test_a_ban_is_lifted_at_once(clock: Clock, alice: User) -> None:
    browser = browser_of(alice)
    ban(alice, clock)
    assert browser.get("/").status_code == 403
    restrictions.lift_ban(alice)
    assert browser.get("/").status_code == 200


def test_whoever_runs_the_site_is_never_locked_out(clock: Clock, dana: User) -> None:
    ban(dana, clock)
    browser = browser_of(dana)
    assert browser.get("/admin/").status_code == 403, "staff may be banned"
    User.objects.filter(pk=dana.pk).update(is_superuser=True)
    assert browser.get("/").status_code == 200, "nor by a ban from before"
    with pytest.raises(Refusal, match="runs the site"):
        ban(dana, clock, 2 * AN_HOUR)
    assert not restrictions.the_banned(clock.now).exists()


# Whoever somebody turns out to be


def test_signing_in_leads_to_the_page_that_says_why(clock: Clock) -> None:
    sign_up(Client())
    person = User.objects.get()
    ban(person, clock)
    told_why(person, clock)
    browser = Client()
    sign_in(browser)
    assert who(browser) == person
    page = browser.get("/")
    assert page.status_code == 403
    assert "You called Bob names." in page.content.decode()
    assert "Sign out" in page.content.decode()


def test_a_banned_guest_neither_signs_up_nor_in_from_there(clock: Clock) -> None:
    sign_up(Client(), "Bob")
    browser = Client()
    browser.post("/play-now/")
    guest = who(browser)
    assert guest is not None
    ban(guest, clock)
    for answer in (sign_up(browser, "Fresh"), sign_in(browser, "Bob"), browser.post("/sign-out/")):
        assert answer.status_code in (302, 403)
        assert who(browser) == guest
    assert browser.get("/account/").status_code == 403
    assert not User.objects.filter(name="Fresh").exists()


def test_a_banned_guests_link_lets_nobody_in_and_hands_nothing_on(clock: Clock, alice: User) -> None:
    browser = Client()
    browser.post("/play-now/")
    guest = who(browser)
    assert guest is not None
    link = reverse("guest-link", args=[recovery.make(guest, clock.now)])
    ban(guest, clock)
    for other in (Client(), browser_of(alice)):
        before = who(other)
        for answer in (other.get(link), other.post(link)):
            assert answer.status_code == 403
            assert "This guest is banned" in answer.content.decode()
        assert who(other) == before
    assert Seat.objects.filter(user=guest).exists()
    clock.move(AN_HOUR)
    fresh = Client()
    fresh.post(link)
    assert who(fresh) == guest


def test_a_guest_who_turns_out_to_have_an_account_takes_the_ban_along(game: Game, clock: Clock, alice: User) -> None:
    """The request that signs them in came before the ban."""
    guest = User.guest("Wanderer")
    guest.save()
    hers = new_game(users=[guest], bots=[BOB, CHARLIE], seed="guest")
    restrictions.ban(guest, FOR_GOOD, now=clock.now)
    moving.move(guest, alice, clock.now)
    assert browser_of(alice).get("/").status_code == 403
    for each in (game, hers):
        assert seat_of(each, ALICE).user == alice
        assert seat_of(each, ALICE).player == Player.STAND_IN


def test_what_a_guest_brings_to_a_banned_account_is_played_by_bots(clock: Clock, alice: User) -> None:
    guest = User.guest("Wanderer")
    guest.save()
    game = new_game(users=[guest], bots=[BOB, CHARLIE])
    ban(alice, clock)
    moving.move(guest, alice, clock.now)
    assert seat_of(game, ALICE).player == Player.STAND_IN


def test_whoever_runs_the_site_takes_no_ban_along(clock: Clock, alice: User) -> None:
    guest = User.guest("Wanderer")
    guest.save()
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    ban(guest, clock)
    moving.move(guest, User.objects.get(pk=alice.pk), clock.now)
    assert User.objects.get(pk=alice.pk).banned_until is None


# Games


PHASES = (
    Phase.PLACING_SETTLEMENT,
    Phase.PLACING_ROAD,
    Phase.ROLLING,
    Phase.DISCARDING,
    Phase.MOVING_ROBBER,
    Phase.STEALING,
    Phase.MAIN,
    Phase.PLACING_FREE_ROADS,
)


def played_until(game: Game, phase: Phase) -> State:
    """Clocks and people play until the game is there."""
    source = Random(f"{phase}")
    while (state := snapshots.read(game.pk)[1].state).phase is not phase:
        assert state.phase is not Phase.OVER
        move = some_move(state, source)
        services.play_move(game.pk, move, version=snapshots.read(game.pk)[1].version, now=timezone.now())
    return state


def test_no_phase_is_left_out() -> None:
    assert {*PHASES} == {*Phase} - {Phase.OVER}


@pytest.mark.slow
@pytest.mark.parametrize("pace", ["normal", "1 day", ""])
@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: str(phase.value))
def test_in_every_phase_a_stand_in_takes_the_seat_and_the_game_goes_on(
    clock: Clock, alice: User, bob: User, charlie: User, phase: Phase, pace: str
) -> None:
    people = [alice, bob, charlie]
    game = new_game("standard points_to_win=15", seed=2, users=people, pace=pace)
    acting = to_act(played_until(game, phase))[0]
    ban(people[acting], clock)
    assert [seat.player == Player.STAND_IN for seat in Seat.objects.filter(game=game).order_by("number")] == [
        number == acting for number in range(3)
    ]
    assert row(game).bots_due is not None
    version = row(game).version
    while acting in to_act(snapshots.read(game.pk)[1].state):
        clock.now = max(clock.now, row(game).bots_due or clock.now)
        tasks.act_when_due(game.pk)
    assert row(game).version > version
    assert row(game).status == Status.RUNNING
    check(game)
    call_command("verify_games")


def test_in_every_game_that_lasts_and_in_no_other(clock: Clock, alice: User, bob: User) -> None:
    def dealt(seed: str) -> Game:
        return new_game(users=[alice, bob], seed=seed, pace="1 day")

    running, paused, over, aside, resigned = (dealt(each) for each in ("a", "b", "c", "d", "e"))
    services.pause(paused.pk, now=clock.now)
    services.abort(over.pk, now=clock.now)
    services.set_aside(aside.pk, "for the test", now=clock.now)
    services.withdraw(resigned.pk, ALICE, clock.now)
    ban(alice, clock)
    players = [seat_of(each, ALICE).player for each in (running, paused, over, aside, resigned)]
    assert players == [Player.STAND_IN, Player.STAND_IN, Player.PERSON, Player.PERSON, Player.BOT]
    services.resume(paused.pk, now=clock.now)
    services.resume(aside.pk, now=clock.now)
    rounds.keep_the_banned_out()
    assert seat_of(aside, ALICE).player == Player.STAND_IN, "one that was set aside, once it goes on"
    for each in (running, paused, aside):
        check(each)


def test_nobody_takes_a_seat_back_before_the_ban_is_over_and_then_by_a_press(
    game: Game, clock: Clock, alice: User
) -> None:
    browser = browser_of(alice)

    def take_back() -> Any:
        return browser.post(f"/api/v1/games/{game.pk}/seat/", {"wish": "take_back"}, "application/json")

    ban(alice, clock)
    assert take_back().status_code == 403
    with pytest.raises(Banned):
        services.give_back(game.pk, ALICE, clock.now)
    come(game, ALICE, clock)
    assert seat_of(game, ALICE).player == Player.STAND_IN
    clock.move(AN_HOUR)
    rounds.keep_the_banned_out()
    assert seat_of(game, ALICE).player == Player.STAND_IN, "nothing happens by itself"
    assert take_back().status_code == 200
    assert seat_of(game, ALICE).player == Player.PERSON
    check(game)


def test_a_banned_person_plays_no_move_that_was_on_its_way(game: Game, clock: Clock, alice: User) -> None:
    ban(alice, clock)
    source = Random(1)
    while ALICE not in to_act(snapshots.read(game.pk)[1].state):
        play_one(game, source)
    snapshot = snapshots.read(game.pk)[1]
    move = some_move(snapshot.state, source)
    with pytest.raises(NotYourSeat):
        services.play_move(game.pk, move, version=snapshot.version, now=clock.now)


def play_one(game: Game, source: Random) -> None:
    snapshot = snapshots.read(game.pk)[1]
    services.play_move(game.pk, some_move(snapshot.state, source), version=snapshot.version, now=timezone.now())


def test_the_banned_have_no_say_and_what_they_proposed_is_void(game: Game, clock: Clock, alice: User) -> None:
    services.propose_stop(game.pk, ALICE, clock.now)
    ban(alice, clock)
    assert Proposal.objects.get().outcome == Proposal.Outcome.VOID
    services.propose_stop(game.pk, BOB, clock.now)
    services.answer(game.pk, CHARLIE, Proposal.objects.latest("pk").pk, True, clock.now)
    clock.now = Proposal.objects.latest("pk").ends_at
    services.end_overdue(clock.now)
    assert row(game).status == Status.ABORTED
    check(game)


def test_standing_orders_rest_meanwhile(game: Game, clock: Clock, alice: User) -> None:
    order = orders.Roll()
    services.give_order(game.pk, ALICE, order, now=clock.now)
    ban(alice, clock)
    source = Random(3)
    while ALICE not in to_act(snapshots.read(game.pk)[1].state):
        play_one(game, source)
    assert row(game).orders_due is None
    assert seat_of(game, ALICE).orders, "they are there again with their owner"


def test_a_game_that_starts_in_the_very_moment_is_found_by_the_next_round(clock: Clock, alice: User, bob: User) -> None:
    ban(alice, clock)
    game = new_game(users=[alice, bob])
    assert seat_of(game, ALICE).player == Player.PERSON
    rounds.keep_the_banned_out()
    assert seat_of(game, ALICE).player == Player.STAND_IN
    revision = row(game).revision
    rounds.keep_the_banned_out()
    assert row(game).revision == revision, "once"
    check(game)


def test_what_a_process_that_died_after_the_commit_left_undone_is_done_by_the_next_round(
    game: Game, clock: Clock, alice: User, bob: User
) -> None:
    table = table_of(bob, alice)
    User.objects.filter(pk=alice.pk).update(banned_until=clock.now + timedelta(hours=1))
    rounds.keep_the_banned_out()
    assert seat_of(game, ALICE).player == Player.STAND_IN
    assert sitters(table) == ["bob"]


def test_a_round_asks_one_statement_when_nobody_is_to_be_kept_out(game: Game, clock: Clock, alice: User) -> None:
    ban(alice, clock)
    with CaptureQueriesContext(connection) as statements:
        rounds.keep_the_banned_out()
    assert len(statements) == 1


def test_a_ban_that_is_not_committed_does_nothing(game: Game, clock: Clock, alice: User) -> None:
    with transaction.atomic():
        ban(alice, clock)
        transaction.set_rollback(True)
    assert seat_of(game, ALICE).player == Player.PERSON
    assert browser_of(alice).get("/").status_code == 200


def test_a_ban_that_was_lifted_in_the_same_moment_takes_nothing_away(game: Game, clock: Clock, alice: User) -> None:
    with transaction.atomic():
        ban(alice, clock)
        restrictions.lift_ban(alice)
    assert seat_of(game, ALICE).player == Player.PERSON


def test_with_its_last_person_banned_a_game_is_played_to_its_end(clock: Clock, alice: User) -> None:
    """Nobody waits there, and somebody who is banned for good leaves nothing unfinished."""
    game = new_game(users=[alice], bots=[BOB, CHARLIE])
    ban(alice, clock)
    assert row(game).status == Status.RUNNING
    for _ in range(20):
        clock.now = max(clock.now, row(game).bots_due or clock.now)
        tasks.act_when_due(game.pk)
    assert row(game).version >= 20
    check(game)


@pytest.mark.slow
def test_a_live_game_with_nobody_left_rests_and_its_person_goes_on_after_the_ban(clock: Clock, alice: User) -> None:
    game = new_game(users=[alice], bots=[BOB, CHARLIE], pace="normal")
    come(game, ALICE, clock)
    ban(alice, clock, AN_HOUR)
    go(game, ALICE, clock)
    let_time_pass(clock, 200)
    assert row(game).status == Status.RESTING
    rounds.keep_the_banned_out()
    assert seat_of(game, ALICE).player == Player.STAND_IN
    with pytest.raises(NotYourSeat):
        services.go_on(game.pk, ALICE, clock.now)
    clock.move(AN_HOUR)
    services.give_back(game.pk, ALICE, clock.now)
    services.go_on(game.pk, ALICE, clock.now)
    assert row(game).status == Status.RUNNING
    check(game)


def test_in_a_game_that_rests_the_others_agree_without_the_banned(game: Game, clock: Clock, alice: User) -> None:
    for act in (come, go):
        for seat in (ALICE, BOB, CHARLIE):
            act(game, seat, clock)
    let_time_pass(clock, 3600)
    assert row(game).status == Status.RESTING
    ban(alice, clock)
    assert seat_of(game, ALICE).player == Player.STAND_IN
    services.go_on(game.pk, BOB, clock.now)
    assert seat_of(game, ALICE).player == Player.STAND_IN
    check(game)


# Tables


def test_chairs_are_freed_and_a_table_gets_another_host(clock: Clock, alice: User, bob: User, charlie: User) -> None:
    hosted, visited, alone = table_of(alice, bob), table_of(bob, alice), table_of(alice)
    ban(alice, clock)
    assert sitters(hosted) == ["bob"]
    assert Table.objects.get(pk=hosted.pk).host == bob
    assert sitters(visited) == ["bob"]
    assert not Table.objects.filter(pk=alone.pk).exists()


def test_invitations_end_and_nobody_is_invited_who_is_banned(clock: Clock, alice: User, bob: User) -> None:
    User.objects.filter(pk=alice.pk).update(name="Alice")
    table = table_of(bob)
    arranging.invite(table.code, bob, "Alice", now=clock.now)
    assert Notice.objects.filter(person=alice).exists()
    ban(alice, clock)
    assert sitters(table) == ["bob"]
    with pytest.raises(Refusal, match="can be invited"):
        arranging.invite(table.code, bob, "Alice", now=clock.now)
    clock.move(AN_HOUR)
    arranging.invite(table.code, bob, "Alice", now=clock.now)


def test_a_rematch_keeps_no_chair_for_the_banned(game: Game, clock: Clock, alice: User, bob: User) -> None:
    services.abort(game.pk, now=clock.now)
    ban(alice, clock)
    table = tables.open_rematch(game.pk, bob, now=clock.now)
    assert sorted(sitters(table)) == ["Bob", "Charlie"]


def test_a_rematch_of_theirs_waits_for_the_others(game: Game, clock: Clock, alice: User, bob: User) -> None:
    services.abort(game.pk, now=clock.now)
    table = tables.open_rematch(game.pk, alice, now=clock.now)
    ban(alice, clock)
    assert sorted(sitters(table)) == ["Bob", "Charlie"]
    tables.sit_down(table.code, bob, "Bob")
    assert Table.objects.get(pk=table.pk).host == bob


def test_nobody_is_brought_to_somebody_who_was_banned(clock: Clock, alice: User, bob: User) -> None:
    meeting.find_game(alice, "Alice", "normal", now=clock.now)
    ban(alice, clock)
    found = meeting.find_game(bob, "Bob", "normal", now=clock.now)
    assert sitters(found) == ["Bob"]
    assert meeting.looking() == {"normal": 1}


# Notices


def test_nothing_is_told_to_the_banned_and_what_still_waits_afterwards_is(clock: Clock, alice: User, bob: User) -> None:
    confirmed(alice), confirmed(bob)
    ended = days_game(bob, alice, pace="1 day")
    waits = days_game(bob, alice, pace="3 days")
    ban(alice, clock, 2 * AN_HOUR)
    services.abort(ended.pk, now=clock.now)
    pass_turn(waits)
    clock.move(A_MINUTE)
    round_of_beat()
    assert told_by_mail(bob)
    assert told_by_mail(alice) == []
    clock.move(2 * AN_HOUR)
    round_of_beat()
    assert len(told_by_mail(alice)) == 1, "of the end, not of a turn that a stand-in has taken"
    assert not Notice.objects.filter(person=alice).exists()


def test_what_was_about_to_be_sent_stays_here(clock: Clock, alice: User, bob: User) -> None:
    confirmed(alice)
    table = table_of(bob)
    User.objects.filter(pk=alice.pk).update(name="Alice")
    arranging.invite(table.code, bob, "Alice", now=clock.now)
    restrictions.ban(alice, FOR_GOOD, now=clock.now)
    Chair.objects.filter(table=table, number=1).update(user=alice, kept=True, name="Alice")
    clock.move(A_MINUTE)
    round_of_beat()
    clock.move(A_DAY)
    round_of_beat()
    assert told_by_mail(alice) == []


# At once


@pytest.mark.slow
def test_bans_and_moves_at_once_leave_a_game_that_is_what_its_log_says(alice: User, bob: User, charlie: User) -> None:
    """Whoever holds a person’s lock never waits for a game’s."""
    people = [alice, bob, charlie]
    games = [new_game(seed=seed, users=people, pace="1 day") for seed in range(4)]
    now = timezone.now()

    def play(game: Game) -> None:
        play_on(game.pk, Random(game.pk), 15)

    def ban_and_lift(person: User) -> None:
        for _ in range(3):
            restrictions.ban(person, now + timedelta(days=1), now=now)
            restrictions.lift_ban(person)

    calls: list[Callable[[], Any]] = [partial(ban_and_lift, person) for person in (alice, bob)]
    calls += [partial(play, game) for game in games]
    calls += [partial(restrictions.ban, charlie, FOR_GOOD, now=now), partial(banning.sweep, now)]
    answers = all_at_once(calls)
    assert [answer for answer in answers[:2] if answer] == []
    banning.sweep(now)
    for game in games:
        assert seat_of(game, CHARLIE).player == Player.STAND_IN
        check(game)


@pytest.mark.slow
def test_a_table_that_starts_in_the_moment_of_a_ban_has_no_seat_that_the_banned_play(
    alice: User, bob: User, charlie: User
) -> None:
    now = timezone.now()
    for attempt in range(5):
        restrictions.lift_ban(bob)
        table = table_of(alice, bob, charlie)
        all_at_once(
            [
                partial(tables.start, table.code, alice, fill_with_bots=True, now=now),
                partial(restrictions.ban, bob, FOR_GOOD, now=now),
            ]
        )
        banning.sweep(now)
        assert not Seat.objects.filter(user=bob, player=Player.PERSON).exists(), attempt
        assert not Chair.objects.filter(user=bob, table__game=None).exists(), attempt


# Whoever changes something of theirs in that moment


def test_nobody_sheds_a_ban_or_a_mute_by_what_they_had_read_of_themselves_before(alice: User) -> None:
    """A password is hashed for a good while, and then the row is written as it was read."""
    read_before = User.objects.get(pk=alice.pk)
    restrictions.ban(alice, restrictions.FOR_GOOD, now=timezone.now())
    restrictions.mute(alice, restrictions.FOR_GOOD)
    User.objects.filter(pk=alice.pk).update(has_moderators_news=True)
    read_before.email = "alice@catan.example"
    read_before.save()
    alice.refresh_from_db()
    assert alice.email == "alice@catan.example"
    assert alice.banned_until == alice.muted_until == restrictions.FOR_GOOD
    assert alice.has_moderators_news


def test_nor_does_a_new_password_bring_a_name_back_that_was_reset(alice: User) -> None:
    read_before = User.objects.get(pk=alice.pk)
    name = renaming.reset(alice, timezone.now())
    request = HttpRequest()
    request.session = browser_of(alice).session
    with request_context(request):
        get_adapter().set_password(read_before, "three sheep for a brick")
    alice.refresh_from_db()
    assert alice.name == name
    assert alice.check_password("three sheep for a brick")
