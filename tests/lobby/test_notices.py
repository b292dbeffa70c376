"""Who is told what waits for them, and when: politely, and nothing that is over."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest
from django.core import mail
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import services, snapshots
from games.models import Connection, Game
from games.rules import PRESETS, Refusal
from games.rules import moves as m
from games.services.uptime import note_pulse
from lobby import arranging
from lobby import services as tables
from lobby.models import Delivery, Notice, NoticeWishes, Table, User, Webhook
from lobby.notice_models import ALL_WISHES, Kind
from lobby.notices import telling
from tests.clock import Clock
from tests.games.playing import lay_out, stored_state
from tests.notices.listening import Browser

from .noticing import (
    A_MINUTE,
    A_QUARTER,
    awaited,
    break_off,
    confirmed,
    days_game,
    open_page,
    pass_turn,
    round_of_beat,
    seat_of,
    subjects,
    told_by_mail,
    wish,
)

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]

EVERYTHING = sorted(ALL_WISHES)


@pytest.fixture(autouse=True)
def _everybody_has_an_address(alice: User, bob: User, charlie: User) -> None:
    for person in (alice, bob, charlie):
        confirmed(person)


@pytest.fixture
def game(clock: Clock, alice: User, bob: User, charlie: User) -> Game:
    """Over days, and Alice is to begin."""
    return days_game(alice, bob, charlie)


def test_whoever_is_asked_and_stays_away_is_told_once(clock: Clock, game: Game) -> None:
    round_of_beat()
    assert subjects() == [], "not at once: they may be here"
    clock.move(A_MINUTE)
    round_of_beat()
    round_of_beat()
    assert subjects() == ["Your turn in a game with Bob and Charlie"]
    assert mail.outbox[0].to == ["alice@catan.example"]
    assert "Place your settlement." in mail.outbox[0].body


def test_who_has_moved_meanwhile_is_not_told(clock: Clock, game: Game) -> None:
    pass_turn(game)
    clock.move(A_MINUTE)
    round_of_beat()
    assert [message.to for message in mail.outbox] == [["bob@catan.example"]]


def test_of_what_was_asked_twice_only_the_last_time_is_told(clock: Clock, game: Game) -> None:
    """Bob moves at once and is asked again half a minute later: that is one notice, a minute after."""
    while awaited(game) != 2:
        pass_turn(game)
    clock.move(30)
    pass_turn(game)
    assert awaited(game) == 1
    clock.move(31)
    round_of_beat()
    assert subjects() == []
    clock.move(30)
    round_of_beat()
    assert [message.to for message in mail.outbox] == [["bob@catan.example"]]


def test_a_move_that_is_undone_tells_nobody(clock: Clock, game: Game) -> None:
    before = Notice.objects.count()
    with transaction.atomic():
        pass_turn(game)
        assert Notice.objects.count() == before + 1
        transaction.set_rollback(True)
    assert Notice.objects.count() == before


def test_to_ask_somebody_costs_a_move_one_statement_and_every_other_move_none(clock: Clock, game: Game) -> None:
    while not stored_state(game.pk).turn:
        pass_turn(game)
    written = []
    for _ in range(12):
        is_asked = awaited(game)
        with CaptureQueriesContext(connection) as statements:
            services.play_timeout(
                game.pk, is_asked, version=snapshots.read(game.pk)[1].version, now=timezone.now(), by="bot"
            )
        notices = [query["sql"] for query in statements if "lobby_notice" in query["sql"]]
        assert len(notices) == (awaited(game) != is_asked)
        written += notices
    assert written


# Who looks at the game


def test_whoever_looks_at_the_game_is_not_told(clock: Clock, game: Game, alice: User) -> None:
    open_page(alice, game, is_visible=True)
    clock.move(40)
    Connection.objects.update(seen_at=clock.now)
    clock.move(A_MINUTE - 40)
    round_of_beat()
    assert subjects() == []


def test_a_page_in_a_tab_behind_others_is_not_looked_at(clock: Clock, game: Game, alice: User) -> None:
    open_page(alice, game, is_visible=False)
    clock.move(A_MINUTE)
    Connection.objects.update(seen_at=clock.now)
    round_of_beat()
    assert len(subjects()) == 1


def test_a_page_whose_web_process_has_died_is_not_looked_at(clock: Clock, game: Game, alice: User) -> None:
    open_page(alice, game, is_visible=True)
    clock.move(A_MINUTE)
    round_of_beat()
    assert len(subjects()) == 1


def test_to_look_at_one_game_is_not_to_look_at_another(
    clock: Clock, game: Game, alice: User, bob: User, charlie: User
) -> None:
    open_page(alice, days_game(alice, bob, charlie), is_visible=True)
    clock.move(30)
    Connection.objects.update(seen_at=clock.now)
    clock.move(31)
    round_of_beat()
    assert subjects() == ["Your turn in a game with Bob and Charlie"]


def test_who_always_wants_to_be_told_is_told_while_looking(clock: Clock, game: Game, alice: User) -> None:
    wish(alice, even_when_looking=True)
    open_page(alice, game, is_visible=True)
    clock.move(30)
    Connection.objects.update(seen_at=clock.now)
    clock.move(31)
    round_of_beat()
    assert len(subjects()) == 1


# What follows within a quarter of an hour


def test_what_follows_soon_is_gathered_into_one(clock: Clock, game: Game, alice: User, bob: User) -> None:
    clock.move(A_MINUTE)
    round_of_beat()
    days_game(alice, bob)
    days_game(alice, bob)
    clock.move(A_QUARTER - 30)
    round_of_beat()
    assert len(subjects()) == 1
    clock.move(60)
    round_of_beat()
    assert subjects()[1:] == ["2 games are waiting for you"]
    assert str(mail.outbox[1].body).count("Place your settlement.") == 2


def test_what_is_over_when_the_rest_is_gathered_is_left_out(clock: Clock, game: Game, alice: User, bob: User) -> None:
    clock.move(A_MINUTE)
    round_of_beat()
    second, _ = days_game(alice, bob), days_game(alice, bob)
    clock.move(A_MINUTE)
    round_of_beat()
    pass_turn(second)
    clock.move(A_QUARTER)
    round_of_beat()
    to_alice = [message for message in mail.outbox if message.to == ["alice@catan.example"]]
    assert [message.subject for message in to_alice[1:]] == ["Your turn in a game with Bob and Charlie"]


# Quiet hours


def test_in_quiet_hours_nothing_is_sent_and_after_them_everything_that_still_waits(
    clock: Clock, alice: User, bob: User
) -> None:
    clock.now = datetime(2026, 11, 18, 22, 30, tzinfo=UTC)
    wish(alice, zone="Europe/Berlin", quiet_from=time(22), quiet_until=time(7))
    first, second = days_game(alice, bob), days_game(alice, bob)
    clock.move(A_MINUTE)
    round_of_beat()
    assert subjects() == []
    pass_turn(first)
    clock.now = datetime(2026, 11, 19, 5, 59, tzinfo=UTC)
    round_of_beat()
    assert all(message.to == ["bob@catan.example"] for message in mail.outbox)
    clock.now = datetime(2026, 11, 19, 6, 0, tzinfo=UTC)
    round_of_beat()
    to_alice = [message for message in mail.outbox if message.to == ["alice@catan.example"]]
    assert [f"/games/{second.pk}/" for _ in to_alice] == [delivery["path"] for delivery in told_to(alice)]
    assert len(to_alice) == 1


def test_quiet_hours_go_before_what_is_gathered(clock: Clock, alice: User, bob: User) -> None:
    """The quarter of an hour is over in the middle of the night."""
    clock.now = datetime(2026, 11, 18, 20, 58, tzinfo=UTC)
    wish(alice, zone="Europe/Berlin", quiet_from=time(22), quiet_until=time(7))
    days_game(alice, bob)
    clock.move(A_MINUTE)
    round_of_beat()
    assert len(told_by_mail(alice)) == 1
    days_game(alice, bob)
    clock.move(A_MINUTE)
    round_of_beat()
    clock.move(A_QUARTER)
    round_of_beat()
    assert len(told_by_mail(alice)) == 1
    clock.now = datetime(2026, 11, 19, 6, 0, tzinfo=UTC)
    round_of_beat()
    assert len(told_by_mail(alice)) == 2


def told_to(person: User) -> list[dict[str, str]]:
    return [item for delivery in Delivery.objects.filter(person=person) for item in delivery.items]


# Kinds and paces


def test_of_live_games_only_those_are_told_who_want_it(clock: Clock, alice: User, bob: User) -> None:
    days_game(alice, bob, pace="normal")
    clock.move(10)
    round_of_beat()
    assert (subjects(), Notice.objects.count()) == ([], 0)
    wish(alice, wishes=EVERYTHING)
    days_game(alice, bob, pace="normal")
    clock.move(10)
    round_of_beat()
    assert subjects() == ["Your turn in a game with Bob and Charlie"]


def test_of_live_games_every_turn_is_told_that_still_waits_after_five_seconds(
    clock: Clock, alice: User, bob: User, charlie: User
) -> None:
    wish(alice, wishes=["mail-live-turn"])
    game = days_game(alice, bob, charlie, pace="normal")
    turns = 0
    for _ in range(12):
        if awaited(game) == 0:
            turns += 1
        clock.move(6)
        round_of_beat()
        pass_turn(game)
    assert turns > 3
    assert len(told_by_mail(alice)) == turns


def test_a_live_turn_that_is_moved_in_at_once_is_not_told(clock: Clock, alice: User, bob: User) -> None:
    wish(alice, wishes=["mail-live-turn"])
    game = days_game(alice, bob, pace="normal")
    clock.move(4)
    round_of_beat()
    pass_turn(game)
    clock.move(4)
    round_of_beat()
    assert told_by_mail(alice) == []


def test_what_is_told_of_a_live_game_holds_back_nothing_of_one_over_days(clock: Clock, alice: User, bob: User) -> None:
    wish(alice, wishes=EVERYTHING)
    days_game(alice, bob, pace="normal")
    slow = days_game(alice, bob)
    clock.move(6)
    round_of_beat()
    clock.move(A_MINUTE)
    round_of_beat()
    assert [item["path"] for item in told_to(alice)][-1] == f"/games/{slow.pk}/"
    days_game(alice, bob)
    live = days_game(alice, bob, pace="normal")
    clock.move(A_MINUTE)
    round_of_beat()
    assert [item["path"] for item in told_to(alice)][-1] == f"/games/{live.pk}/"
    assert len(told_by_mail(alice)) == 3, "the other slow one is gathered"


@pytest.mark.parametrize("kind", [Kind.TURN, Kind.ENDED])
def test_each_way_brings_what_was_wished_of_it_and_nothing_else(clock: Clock, alice: User, kind: Kind) -> None:
    Webhook.objects.create(person=alice, url="https://hooks.example/x", form="slack", added_at=clock.now)
    Browser().subscription("https://push.example/x", person=alice, device="Firefox", added_at=clock.now).save()
    of_push = [f"push-days-{each}" for each in Kind if each != kind]
    wishes = [f"mail-days-{kind}", f"webhook-live-{kind}", *of_push]
    for wished, ways in ((wishes, ["mail"]), ([*wishes, f"webhook-days-{kind}"], ["mail", "webhook"])):
        wish(alice, wishes=wished, told_at=None)
        game = days_game(alice)
        if kind == Kind.ENDED:
            break_off(game)
        clock.move(A_MINUTE)
        telling.tell_due(clock.now)
        assert sorted(each.way for each in Delivery.objects.filter(made_at=clock.now)) == ways


def test_who_must_discard_is_told_so(clock: Clock, game: Game, alice: User, bob: User) -> None:
    state = seven_rolled(game)
    assert {seat for seat, count in enumerate(state.discards) if count} == {1}
    clock.move(A_MINUTE)
    round_of_beat()
    assert subjects() == ["You must discard in a game with Alice and Charlie"]
    assert mail.outbox[0].to == ["bob@catan.example"]
    assert "Choose what to discard." in mail.outbox[0].body


def seven_rolled(game: Game):  # type: ignore[no-untyped-def]
    """Bob has too many cards, and somebody else rolls a seven."""
    while not stored_state(game.pk).turn:
        pass_turn(game)
    for _ in range(200):
        state = stored_state(game.pk).copy()
        state.bank = [count + held for count, held in zip(state.bank, state.hands[1], strict=True)]
        state.bank = [count - 2 for count in state.bank]
        state.hands[1] = [2] * 5
        lay_out(game.pk, state)
        pass_turn(game)
        if any(stored_state(game.pk).discards):
            return stored_state(game.pk)
    raise AssertionError("no seven in 200 turns")


def test_who_is_offered_something_is_told_what_everybody_at_the_table_knows(
    clock: Clock, game: Game, alice: User
) -> None:
    while not stored_state(game.pk).turn:
        pass_turn(game)
    state = stored_state(game.pk).copy()
    maker = state.active
    state.bank = [count + held - 1 for count, held in zip(state.bank, state.hands[maker], strict=True)]
    state.hands[maker] = [1] * 5
    lay_out(game.pk, state)
    services.play_timeout(game.pk, maker, version=snapshots.read(game.pk)[1].version, now=timezone.now())
    Notice.objects.all().delete()
    state = stored_state(game.pk)
    brick, ore = (tuple(int(place == named) for place in range(10)) for named in (0, 4))
    others = tuple(seat for seat in state.seats if seat != maker)
    offer = m.OfferTrade(maker, others, brick, ore)
    services.play_move(game.pk, offer, version=snapshots.read(game.pk)[1].version, now=timezone.now())
    clock.move(A_MINUTE)
    round_of_beat()
    names = ["Alice", "Bob", "Charlie"]
    told = {message.to[0].partition("@")[0]: message for message in mail.outbox}
    assert {*told} == {names[seat].lower() for seat in others}
    for message in told.values():
        assert message.subject.startswith("An offer for you in a game with")
        assert f"{names[maker]} offers you 1 brick for 1 ore." in message.body


def test_of_the_end_everybody_is_told_but_those_who_saw_it(clock: Clock, game: Game, alice: User, bob: User) -> None:
    open_page(bob, game, is_visible=True)
    break_off(game)
    clock.move(A_MINUTE - 31)
    Connection.objects.update(seen_at=clock.now)
    clock.move(31)
    round_of_beat()
    assert {message.to[0] for message in mail.outbox} == {"alice@catan.example", "charlie@catan.example"}
    assert {*subjects()} == {"Your game with Bob and Charlie has ended", "Your game with Alice and Bob has ended"}
    assert "It was ended early, and nobody won." in mail.outbox[0].body


def test_of_a_game_that_was_won_its_winner_hears_so_and_the_others_who_it_was(
    clock: Clock, game: Game, alice: User, bob: User
) -> None:
    services.abort(game.pk, now=clock.now)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER, winner=seat_of(alice, game))
    clock.move(A_MINUTE)
    round_of_beat()
    bodies = {message.to[0].partition("@")[0]: str(message.body) for message in mail.outbox}
    assert "You won: congratulations!" in bodies["alice"]
    assert "Alice won." in bodies["bob"]
    assert "congratulations" not in bodies["bob"]


def test_who_gets_a_guests_seat_is_told_of_what_was_asked_before(clock: Clock, alice: User, bob: User) -> None:
    guest = User.guest("Guest")
    guest.save()
    days_game(guest, bob)
    services.hand_on(guest.pk, alice.pk, timezone.now())
    clock.move(A_MINUTE)
    round_of_beat()
    assert [message.to for message in mail.outbox] == [["alice@catan.example"]]


def test_however_many_games_wait_for_somebody_the_same_statements_tell_them(
    clock: Clock, alice: User, bob: User
) -> None:
    counts = []
    for number in (2, 12):
        wish(alice, told_at=None)
        for _ in range(number):
            snapshots.read(days_game(alice, bob).pk)
        clock.move(A_MINUTE)
        with CaptureQueriesContext(connection) as statements:
            telling.tell_due(clock.now)
        counts.append(len(statements))
    assert counts[0] == counts[1] < 30, counts


def test_a_game_that_must_be_read_costs_four_statements_more(clock: Clock, alice: User, bob: User) -> None:
    counts = []
    for must_be_read in (False, True):
        wish(alice, told_at=None)
        for _ in range(5):
            snapshots.read(days_game(alice, bob).pk)
        clock.move(A_MINUTE)
        if must_be_read:
            snapshots._kept.clear()
        with CaptureQueriesContext(connection) as statements:
            telling.tell_due(clock.now)
        counts.append(len(statements))
    assert counts[1] - counts[0] == 4 * 5, counts


# The reminder


def test_whoever_does_not_move_is_reminded_once_when_a_fifth_of_the_time_is_left(clock: Clock, game: Game) -> None:
    clock.move(A_MINUTE)
    round_of_beat()
    clock.move(0.8 * 24 * 3600 - A_MINUTE - 1)
    round_of_beat()
    assert len(subjects()) == 1
    clock.move(1)
    round_of_beat()
    clock.move(3600)
    round_of_beat()
    assert subjects()[1:] == ["Time is running out in a game with Bob and Charlie"]
    assert "Place your settlement." in mail.outbox[1].body
    assert "You have until" in mail.outbox[1].body


def test_who_has_moved_is_not_reminded(clock: Clock, game: Game) -> None:
    clock.move(A_MINUTE)
    round_of_beat()
    pass_turn(game)
    Notice.objects.exclude(kind=Kind.REMINDER).delete()
    clock.move(0.9 * 24 * 3600)
    round_of_beat()
    assert len(subjects()) == 1


def test_after_an_outage_the_reminder_comes_later(clock: Clock, game: Game) -> None:
    note_pulse(clock.now)
    clock.move(A_MINUTE)
    note_pulse(clock.now)
    round_of_beat()
    clock.move(3600)
    note_pulse(clock.now)
    deadline = Game.objects.get(pk=game.pk).deadline
    assert deadline
    clock.now = deadline - timedelta(hours=4.8) - timedelta(minutes=1)
    round_of_beat()
    assert len(subjects()) == 1
    clock.move(60)
    round_of_beat()
    assert len(subjects()) == 2


def test_a_paused_game_reminds_nobody(clock: Clock, game: Game) -> None:
    clock.move(A_MINUTE)
    round_of_beat()
    services.pause(game.pk, now=timezone.now())
    clock.move(0.9 * 24 * 3600)
    round_of_beat()
    assert len(subjects()) == 1


def test_a_reminder_that_would_come_too_late_does_not_wait_for_the_rest(clock: Clock, alice: User, bob: User) -> None:
    """With an hour for a move, it has twelve minutes, and something was told a minute before."""
    game = days_game(alice, bob)
    Game.objects.filter(pk=game.pk).update(
        pace={**game.pace, "placing": 3600}, deadline=timezone.now() + timedelta(hours=1)
    )
    snapshots.drop(game.pk)
    clock.move(A_MINUTE)
    round_of_beat()
    NoticeWishes.objects.update(told_at=clock.now + timedelta(minutes=46))
    clock.move(48 * 60 - A_MINUTE)
    round_of_beat()
    assert subjects()[1:] == ["Time is running out in a game with Bob and Charlie"]


def test_who_wants_no_reminders_gets_none(clock: Clock, game: Game, alice: User) -> None:
    wish(alice, wishes=[each for each in EVERYTHING if "reminder" not in each])
    clock.move(A_MINUTE)
    round_of_beat()
    clock.move(0.9 * 24 * 3600)
    round_of_beat()
    assert len(subjects()) == 1


# Invitations


@pytest.fixture
def table(alice: User, clock: Clock) -> Table:
    User.objects.filter(pk=alice.pk).update(name="Alice")
    return tables.open_table(alice, "Alice", PRESETS["standard"], "balanced", None, now=clock.now)


def invite(table: Table, host: User, guest: User) -> None:
    guest.name = guest.username.title()
    guest.save()
    arranging.invite(table.code, host, guest.name, now=timezone.now())


def test_for_whom_a_chair_is_kept_is_told(clock: Clock, table: Table, alice: User, bob: User) -> None:
    invite(table, alice, bob)
    clock.move(A_MINUTE)
    round_of_beat()
    assert subjects() == ["Alice invites you to a game"]
    assert "A chair is being kept for you. At the table so far: Alice." in mail.outbox[0].body


def test_who_is_invited_twice_to_a_table_is_told_once(clock: Clock, table: Table, alice: User, bob: User) -> None:
    invite(table, alice, bob)
    clock.move(A_MINUTE / 2)
    tables.stand_up(table.code, bob, now=clock.now)
    invite(table, alice, bob)
    for _ in range(4):
        clock.move(A_MINUTE / 2)
        round_of_beat()
    clock.move(A_QUARTER)
    round_of_beat()
    assert subjects() == ["Alice invites you to a game"]
    assert not Notice.objects.exists()


def test_an_invitation_that_was_seen_already_is_not_told(clock: Clock, table: Table, alice: User, bob: User) -> None:
    invite(table, alice, bob)
    tables.sit_down(table.code, bob, "Bob")
    clock.move(A_MINUTE)
    round_of_beat()
    assert subjects() == []


def test_an_invitation_that_is_refused_is_written_down_nowhere(table: Table, alice: User) -> None:
    with pytest.raises(Refusal):
        arranging.invite(table.code, alice, "Nobody", now=timezone.now())
    assert not Notice.objects.exists()


def test_to_a_rematch_all_are_invited_but_whoever_asked_for_it_and_whoever_looks(
    clock: Clock, game: Game, alice: User, bob: User
) -> None:
    break_off(game)
    clock.move(A_MINUTE)
    round_of_beat()
    mail.outbox.clear()
    clock.move(A_QUARTER)
    open_page(bob, game, is_visible=True)
    table = tables.open_rematch(game.pk, alice, now=clock.now)
    Notice.objects.update(due_at=clock.now)
    Table.objects.filter(pk=table.pk).update(opened_at=clock.now)
    round_of_beat()
    assert [(message.to[0], message.subject) for message in mail.outbox] == [
        ("charlie@catan.example", "Alice invites you to a game")
    ]


# What belongs to whom


def test_one_persons_trouble_keeps_nobody_else_from_being_told(
    clock: Clock, game: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does it come first again in every round: it is put off, longer each time."""
    Notice.objects.update(due_at=clock.now - timedelta(hours=1))
    days_game(bob, alice)
    real = telling.tell

    def tell(person: int, now: datetime) -> None:
        if person == alice.pk:
            raise ValueError("broken")
        real(person, now)

    pauses = []
    clock.move(A_MINUTE)
    with monkeypatch.context() as patched:
        patched.setattr(telling, "PEOPLE_AT_A_TIME", 1)
        patched.setattr(telling, "tell", tell)
        round_of_beat()
        assert subjects() == []
        round_of_beat()
        assert [message.to for message in mail.outbox] == [["bob@catan.example"]]
        for _ in range(4):
            due_at = Notice.objects.get(seat=seat_of(alice, game)).due_at
            assert due_at
            pauses.append((due_at - clock.now).total_seconds())
            clock.now = due_at
            round_of_beat()
    assert pauses == [15, 30, 60, 120]
    clock.move(240)
    round_of_beat()
    assert told_by_mail(alice) == ["Your turn in a game with Bob and Charlie"]
    assert Notice.objects.get(seat=seat_of(alice, game)).failures == 0


def test_the_notices_of_one_person_hold_up_nobody_however_many_they_are(
    clock: Clock, alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "PEOPLE_AT_A_TIME", 2)
    monkeypatch.setattr(telling, "NOTICES_AT_A_TIME", 3)
    for _ in range(5):
        days_game(alice, bob)
    days_game(bob, charlie)
    clock.move(A_MINUTE)
    round_of_beat()
    assert (told_by_mail(alice), len(told_by_mail(bob))) == (["3 games are waiting for you"], 1)


def test_a_game_that_nobody_can_speak_of_keeps_its_own_people_from_nothing_else(
    clock: Clock, game: Game, alice: User, bob: User
) -> None:
    """A pace that nobody knows: whoever plays the game next will find out."""
    days_game(alice, bob)
    Game.objects.filter(pk=game.pk).update(pace={"name": "some day"})
    clock.move(A_MINUTE)
    round_of_beat()
    assert told_by_mail(alice) == ["Your turn in a game with Bob and Charlie"]
    assert len(told_to(alice)) == 1
    assert Notice.objects.get(seat=seat_of(alice, game)).due_at == clock.now + timedelta(minutes=15)
