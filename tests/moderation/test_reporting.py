"""People report lines, players and games; what is taken along, what is refused, and what they read of it."""

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from random import Random
from threading import Barrier, Event

import pytest
from django.conf import LazySettings
from django.db import connection, transaction
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from structlog.testing import capture_logs

from games import services as games
from games.models import Game, Seat
from games.rules import Refusal
from games.rules.cards import CARD_NAMES, RESOURCE_NAMES
from lobby import blocks, chat, clearing, hearing, leaving, moving, people, restrictions, rooms
from lobby.models import Chair, User
from moderation import cases, deciding, reporting
from moderation.deciding import Measure
from moderation.models import LONGEST_TEXT, Case, Decision, Report
from tests.clock import Clock
from tests.games.playing import new_game, play_on, seed_of, time_out
from tests.staff import browser_of

from .deciding_cases import last_seen, moderator
from .reported import game_of, guest, report_seat, say, table_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return game_of(alice, bob, charlie)


@pytest.fixture
def room(game: Game) -> rooms.PlayersRoom:
    return rooms.of_players(game.pk)


def refused(act: Callable[[], object]) -> str:
    """The sentence, after which nothing is different from before."""
    before = everything()
    with pytest.raises(Refusal) as refusal:
        act()
    assert everything() == before
    return refusal.value.sentence


def everything() -> list[object]:
    return [list(model.objects.order_by("pk").values()) for model in (Case, Report)]


# Cases


def test_a_line_a_player_and_a_game_are_reported(alice: User, bob: User, game: Game, room: rooms.PlayersRoom) -> None:
    line = say(room, bob, "You idiots")
    now = timezone.now()
    of_line = reporting.report_line(alice, room, line.number, "abuse", "Rude", now=now)
    of_person = reporting.report_person(alice, bob, "stalling", "", now=now, game=game)
    of_game = reporting.report_game(alice, game, "collusion", "", now=now)
    assert of_line.case == of_person.case
    assert (of_line.case.person, of_line.case.game) == (bob, None)
    assert (of_game.case.person, of_game.case.game) == (None, game)
    assert (of_line.line, of_line.game, of_line.by, of_line.made_at) == (line, game, alice, now)
    assert (of_line.outcome, of_line.answered_at) == ("", None)


def test_the_word_of_several_weighs_more_than_one_who_repeats_it(
    alice: User, bob: User, charlie: User, game: Game, room: rooms.PlayersRoom
) -> None:
    numbers = [say(room, bob, text).number for text in ("One", "Two", "Three")]
    for number in numbers:
        reporting.report_line(alice, room, number, "abuse", "", now=timezone.now())
    assert Case.objects.get().weight == reporting.WEIGHTS[Report.Kind.ABUSE] + 2 * reporting.AGAIN
    reporting.report_line(charlie, room, numbers[0], "abuse", "", now=timezone.now())
    assert Case.objects.get().weight == 2 * reporting.WEIGHTS[Report.Kind.ABUSE] + 2 * reporting.AGAIN
    assert reporting.WEIGHTS[Report.Kind.ABUSE] == max(reporting.WEIGHTS.values())


def test_what_comes_after_a_case_was_closed_is_a_new_one(alice: User, bob: User, charlie: User, game: Game) -> None:
    first = report_seat(alice, game, bob)
    Case.objects.update(closed_at=timezone.now())
    second = report_seat(charlie, game, bob)
    assert first.case != second.case


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_two_who_report_somebody_in_the_same_moment_are_one_case(
    alice: User, bob: User, charlie: User, game: Game
) -> None:
    assert at_once(*(partial(report_seat, by, game, bob) for by in (alice, charlie))) == ["", ""]
    case = Case.objects.get()
    assert {report.by for report in case.reports.all()} == {alice, charlie}
    assert case.weight == 2 * reporting.WEIGHTS[Report.Kind.STALLING]


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_two_presses_at_once_are_one_report(alice: User, bob: User, charlie: User, game: Game) -> None:
    report_seat(charlie, game, bob)
    press = partial(report_seat, alice, game, bob)
    assert at_once(press, press) == ["", "reported_already"]
    assert Report.objects.filter(by=alice).count() == 1


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_two_reports_at_once_do_not_pass_the_limit_together(
    settings: LazySettings, alice: User, bob: User, charlie: User, game: Game
) -> None:
    settings.REPORTS_AN_HOUR = 1
    presses = (partial(report_seat, alice, game, whom) for whom in (bob, charlie))
    assert at_once(*presses) == ["", "too_fast"]
    assert Report.objects.count() == 1


def at_once(*acts: Callable[[], object]) -> list[str]:
    """With which codes they were refused, if they were."""
    together = Barrier(len(acts))

    def do(act: Callable[[], object]) -> str:
        together.wait(timeout=30)
        try:
            act()
        except Refusal as refusal:
            return refusal.code
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(len(acts)) as threads:
        return sorted(threads.map(do, acts))


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_report_that_comes_while_a_case_is_being_closed_is_not_lost_in_it(
    alice: User, bob: User, charlie: User, game: Game
) -> None:
    report_seat(alice, game, bob)
    is_locked, is_done = Event(), Event()

    def report() -> Report:
        is_locked.wait(timeout=30)
        try:
            return report_seat(charlie, game, bob)
        finally:
            is_done.set()
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        late = threads.submit(report)
        with transaction.atomic():
            case = Case.objects.select_for_update().get()
            is_locked.set()
            # On SQLite the other waits to begin, on PostgreSQL for this row.
            while connection.vendor == "postgresql" and not is_done.is_set() and not somebody_waits():
                pass
            Case.objects.filter(pk=case.pk).update(closed_at=timezone.now())
        assert late.result().case != case
    assert case.reports.count() == 1


def somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
        return cursor.fetchone() is not None


# Evidence


def test_the_chat_around_the_line_comes_along_hidden_and_muted_lines_too(
    clock: Clock, alice: User, bob: User, charlie: User, room: rooms.PlayersRoom
) -> None:
    for number in range(1, 21):
        clock.now += timedelta(seconds=10)
        say(room, (bob, charlie)[number % 2], f"Line {number}")
    chat.set_hidden(room.lines().get(number=11), hidden=True)
    hearing.mute(alice, charlie, now=timezone.now())
    report = reporting.report_line(alice, room, 12, "abuse", "", now=timezone.now())
    taken = report.evidence["chat"]
    assert taken["room"] == "players"
    assert [line["number"] for line in taken["lines"]] == list(range(2, 18))
    assert [line["number"] for line in taken["lines"] if line["is_meant"]] == [12]
    assert [line["number"] for line in taken["lines"] if line["hidden"]] == [11]
    before, meant = taken["lines"][9:11]
    assert (before["text"], before["person"], before["name"]) == ("Line 11", charlie.pk, "Charlie")
    assert meant["said_at"] == room.lines().get(number=12).said_at.isoformat()
    assert report.evidence["about"] == {"person": bob.pk, "name": "Bob"}


def test_the_moves_around_the_moment_come_along_not_those_since(
    clock: Clock, alice: User, bob: User, game: Game, room: rooms.PlayersRoom
) -> None:
    play_on(game.pk, Random(1), 30)
    at_line = Game.objects.get(pk=game.pk).version
    clock.now += timedelta(seconds=10)
    line = say(room, bob, "Too slow!")
    clock.now += timedelta(seconds=10)
    play_on(game.pk, Random(2), 60)
    told = reporting.report_line(alice, room, line.number, "abuse", "", now=timezone.now()).evidence["game"]["moves"]
    moves = [entry["move"] for entry in told]
    assert moves == sorted(moves)
    assert at_line in moves
    assert min(moves) >= at_line - 20
    assert max(moves) == at_line + 5
    assert all(entry["words"] and entry["at"] for entry in told)


def test_a_report_tells_whom_the_game_waits_for_and_since_when(alice: User, bob: User, charlie: User) -> None:
    game = game_of(alice, bob, charlie, pace="normal")
    played = report_seat(bob, game, alice).evidence["game"]
    seats = {seat["seat"]: seat for seat in played["seats"]}
    waiting = [seat for seat in seats.values() if seat["awaited_since"]]
    assert [(seat["person"], seat["asked"]) for seat in waiting] == [(alice.pk, "move")]
    assert (played["status"], played["pace"], played["version"]) == ("running", "normal", 0)
    assert played["deadline"]
    assert {seat["name"] for seat in seats.values()} == {"Alice", "Bob", "Charlie"}


@pytest.mark.slow
def test_the_evidence_of_a_running_game_holds_no_secrets(alice: User, bob: User, charlie: User) -> None:
    """Whoever reads it may know one of the players."""
    seen = set[str]()
    for seed in range(6):
        game = new_game("standard points_to_win=10", users=[alice, bob, charlie], seed=f"report {seed}")
        secret = seed_of(game).hex()
        for step in range(8):
            if play_on(game.pk, Random(100 * seed + step), 18) < 18:
                break
            evidence = report_seat(alice, game, bob).evidence
            Report.objects.all().delete()
            text = json.dumps(evidence)
            assert secret not in text
            for word in ("seed", "nonce", "deck", '"hand"', '"cards"', "draws", "Alice mixes"):
                assert word not in text
            for told in evidence["game"]["moves"]:
                seen |= check_told(told["words"])
    assert seen == {"stole", "bought"}, "there was no secret to keep"


def check_told(words: str) -> set[str]:
    told = words.lower()
    if " stole " in told:
        assert not [name for name in RESOURCE_NAMES if name in told], words
        return {"stole"}
    if "bought a development card" in told:
        assert not [name for name in CARD_NAMES if name.replace("_", " ") in told], words
        return {"bought"}
    return set()


def test_staff_read_the_evidence_with_names_and_markup_as_text(alice: User, bob: User, room: rooms.PlayersRoom) -> None:
    line = say(room, bob, "<script>alert(1)</script>")
    time_out(room.game_id or 0)
    report = reporting.report_line(alice, room, line.number, "abuse", "", now=timezone.now())
    shown = render_to_string("moderation/_evidence.html", {"evidence": report.evidence})
    assert "&lt;script&gt;" in shown
    assert "<script>" not in shown
    assert "<bdi>Alice</bdi>" in shown
    assert "{0}" not in shown
    assert "reported</span>" in shown


def test_a_report_without_a_game_and_one_at_a_table_are_shown_too(alice: User, bob: User) -> None:
    table = table_of(alice, bob)
    room = rooms.of_table(table.code)
    line = say(room, bob, "Hurry up")
    for report in (
        reporting.report_line(alice, room, line.number, "abuse", "", now=timezone.now()),
        reporting.report_person(alice, bob, "name", "", now=timezone.now()),
    ):
        assert report.evidence["game"] is None
        assert "bob" in render_to_string("moderation/_evidence.html", {"evidence": report.evidence})
    assert report.evidence["chat"] is None


# What is refused


@pytest.mark.parametrize(
    ("kind", "text", "sentence"),
    [
        ("treason", "", "choose what you want to report"),
        ("", "", "choose what you want to report"),
        ("second_account", "", "can’t be reported here"),
        ("other", " \u200b\n ", "what happened"),
        ("abuse", "x" * (LONGEST_TEXT + 1), "at most"),
    ],
)
def test_a_report_without_a_sense_is_refused(
    alice: User, bob: User, room: rooms.PlayersRoom, kind: str, text: str, sentence: str
) -> None:
    line = say(room, bob, "Hello")
    assert sentence in refused(lambda: reporting.report_line(alice, room, line.number, kind, text, now=timezone.now()))


def test_a_text_keeps_its_lines_and_loses_what_controls_the_screen(alice: User, bob: User, game: Game) -> None:
    report = report_seat(alice, game, bob, "other", "First \u202e line\r\n\r\n  and\tsecond\x00 ")
    assert report.text == "First line\n\nand second"


def test_nobody_reports_themselves_nor_their_own_line(alice: User, game: Game, room: rooms.PlayersRoom) -> None:
    line = say(room, alice, "Hello")
    now = timezone.now()
    for act in (
        lambda: reporting.report_line(alice, room, line.number, "abuse", "", now=now),
        lambda: reporting.report_person(alice, alice, "name", "", now=now),
        lambda: reporting.report_person(alice, alice, "stalling", "", now=now, game=game),
    ):
        assert "yourself" in refused(act)


def test_a_hidden_line_was_seen_to_already(alice: User, bob: User, room: rooms.PlayersRoom) -> None:
    line = say(room, bob, "Something rude")
    chat.set_hidden(line, hidden=True)
    sentence = refused(lambda: reporting.report_line(alice, room, line.number, "abuse", "", now=timezone.now()))
    assert "already removed" in sentence


def test_nobody_reports_a_line_twice(alice: User, bob: User, room: rooms.PlayersRoom) -> None:
    line, other = say(room, bob, "Something rude"), say(room, bob, "And more")
    reporting.report_line(alice, room, line.number, "abuse", "", now=timezone.now())
    later = timezone.now() + timedelta(days=30)
    assert "already" in refused(lambda: reporting.report_line(alice, room, line.number, "name", "", now=later))
    reporting.report_line(alice, room, other.number, "abuse", "", now=timezone.now())


def test_the_same_person_or_game_is_not_reported_again_within_a_day(
    clock: Clock, alice: User, bob: User, charlie: User, game: Game
) -> None:
    report_seat(alice, game, bob)
    reporting.report_game(alice, game, "collusion", "", now=clock.now)
    clock.now += timedelta(hours=23)
    assert "already reported Bob" in refused(lambda: report_seat(alice, game, bob, "abuse"))
    assert "already" in refused(lambda: reporting.report_game(alice, game, "abuse", "", now=clock.now))
    report_seat(alice, game, charlie)
    clock.now += timedelta(hours=2)
    report_seat(alice, game, bob)


def test_after_the_answer_somebody_may_be_reported_again(alice: User, bob: User, game: Game) -> None:
    report_seat(alice, game, bob)
    Report.objects.update(outcome="dismissed", answered_at=timezone.now())
    Case.objects.update(closed_at=timezone.now())
    report_seat(alice, game, bob)


def test_a_flood_is_refused_and_ends_after_an_hour(
    clock: Clock, settings: LazySettings, alice: User, bob: User, room: rooms.PlayersRoom
) -> None:
    settings.REPORTS_AN_HOUR = 3
    for number in range(4):
        clock.now += timedelta(seconds=10)
        say(room, bob, f"Line {number}")
    for number in (1, 2, 3):
        reporting.report_line(alice, room, number, "abuse", "", now=clock.now)
    assert "3 reports" in refused(lambda: reporting.report_line(alice, room, 4, "abuse", "", now=clock.now))
    clock.now += timedelta(hours=1)
    reporting.report_line(alice, room, 4, "abuse", "", now=clock.now)


def test_of_somebody_never_met_only_the_name_can_be_reported(alice: User, dana: User) -> None:
    sentence = refused(lambda: reporting.report_person(alice, dana, "abuse", "", now=timezone.now()))
    assert "haven’t met" in sentence
    reporting.report_person(alice, dana, "name", "", now=timezone.now())


def test_a_guest_never_met_cannot_be_reported_and_one_at_the_table_can(alice: User) -> None:
    wanderer = guest()
    assert "haven’t met" in refused(lambda: reporting.report_person(alice, wanderer, "name", "", now=timezone.now()))
    table_of(alice, wanderer)
    reporting.report_person(alice, wanderer, "name", "", now=timezone.now())
    Chair.objects.filter(user=wanderer).update(kept=True)
    assert not reporting.have_met(alice, wanderer), "a chair that is kept for somebody is no meeting"


def test_those_who_talked_at_the_same_game_have_met(alice: User, dana: User, game: Game) -> None:
    watchers, wanderer = rooms.of_watchers(game.pk), guest()
    assert not reporting.have_met(wanderer, dana)
    say(watchers, wanderer, "Hello")
    say(watchers, dana, "Hello")
    assert reporting.have_met(wanderer, dana)


def test_whoever_cannot_see_it_cannot_report_it(alice: User, bob: User, dana: User, game: Game) -> None:
    players, watchers = rooms.of_game(game.pk)
    line, aside = say(players, bob, "Hello"), say(watchers, dana, "Bob has ore")
    Game.objects.update(spectators_allowed=False)
    now = timezone.now()
    for act in (
        lambda: reporting.report_line(dana, players, line.number, "abuse", "", now=now),
        lambda: reporting.report_person(dana, bob, "stalling", "", now=now, game=game),
        lambda: reporting.report_game(dana, game, "collusion", "", now=now),
        lambda: reporting.report_line(alice, watchers, aside.number, "abuse", "", now=now),
        lambda: reporting.report_line(alice, players, 99, "abuse", "", now=now),
    ):
        refused(act)


def test_a_line_of_somebody_who_keeps_it_from_one_is_not_there(alice: User, bob: User, room: rooms.PlayersRoom) -> None:
    blocks.block(bob, alice, now=timezone.now())
    line = say(room, bob, "Alice cannot read this")
    assert "no such line" in refused(
        lambda: reporting.report_line(alice, room, line.number, "abuse", "", now=timezone.now())
    )


def test_a_bot_and_somebody_who_has_left_the_site_cannot_be_reported(alice: User, bob: User, charlie: User) -> None:
    game = game_of(alice, bob, charlie, seats=4, bots=(3,))
    room = rooms.of_players(game.pk)
    line = say(room, bob, "Bye")
    leaving.delete(bob, timezone.now())
    for act in (
        lambda: reporting.of_sitter(alice, game, 3),
        lambda: reporting.of_sitter(alice, game, 1),
        lambda: reporting.report_line(alice, room, line.number, "abuse", "", now=timezone.now()),
    ):
        assert "nobody to report" in refused(act)


@pytest.mark.both_stacks
@pytest.mark.django_db(transaction=True)
def test_of_somebody_who_leaves_the_site_in_that_moment_nothing_is_left_behind(
    alice: User, bob: User, game: Game
) -> None:
    subject = reporting.of_person(alice, bob, game=game)
    leaving.delete(User.objects.get(pk=bob.pk), timezone.now())
    assert "has just left the site" in refused(lambda: reporting.make(subject, "stalling", "", now=timezone.now()))
    assert not Report.objects.exists()
    assert not Case.objects.exists()


def test_somebody_who_plays_elsewhere_is_not_reported_in_this_game(alice: User, dana: User, game: Game) -> None:
    assert "doesn’t play" in refused(
        lambda: reporting.report_person(alice, dana, "stalling", "", now=timezone.now(), game=game)
    )


def test_whoever_has_left_a_game_and_staff_can_be_reported_like_anybody(alice: User, bob: User, dana: User) -> None:
    game = game_of(alice, bob, dana)
    games.withdraw(game.pk, 1, now=timezone.now())
    assert report_seat(alice, game, bob).case.person == bob
    assert report_seat(alice, game, dana).case.person == dana


def test_nobody_without_a_session_reports(bob: User, game: Game) -> None:
    nobody = User.guest("Nobody")
    assert "Sign in or sit down" in refused(
        lambda: reporting.report_person(nobody, bob, "name", "", now=timezone.now())
    )
    assert nobody.pk is None


def test_guests_and_people_who_are_muted_may_report(alice: User, bob: User) -> None:
    wanderer = guest()
    game = game_of(alice, bob, wanderer)
    restrictions.mute(alice, restrictions.FOR_GOOD)
    report_seat(wanderer, game, bob)
    report_seat(alice, game, bob)
    assert Case.objects.get().reports.count() == 2


# Pages


def test_the_form_offers_what_makes_sense_and_leads_to_the_confirmation(
    alice: User, bob: User, game: Game, room: rooms.PlayersRoom
) -> None:
    line, browser = say(room, bob, "You & your sheep"), browser_of(alice)
    address = f"/report/games/{game.pk}/chat/{line.number}/"
    page = browser.get(address).content.decode()
    assert "You &amp; your sheep" in page
    assert 'value="abuse" required checked' in page
    assert "second_account" not in page
    answer = browser.post(address, {"kind": "other", "text": ""})
    assert answer.status_code == 400
    assert "what happened" in answer.content.decode()
    answer = browser.post(address, {"kind": "abuse", "text": "Sheep <3"}, follow=True)
    page = answer.content.decode()
    assert "Thank you" in page
    assert "Sheep &lt;3" in page
    assert f'href="/games/{game.pk}/"' in page
    assert 'href="/account/reports/"' in page
    with capture_logs() as logged:
        assert browser.post(address, {"kind": "abuse"}).status_code == 409
    [told] = [line for line in logged if line["event"] == "report_refused"]
    assert (told["code"], told["by"]) == ("reported_already", alice.pk)
    with capture_logs() as logged:
        answer = browser.get(address)
    assert answer.status_code == 409
    assert "already reported" in answer.content.decode()
    assert "report_refused" not in {line["event"] for line in logged}, "whoever looks has not tried anything"
    assert "<textarea" not in answer.content.decode()


def test_a_flood_is_told_when_to_come_back(settings: LazySettings, alice: User, bob: User, game: Game) -> None:
    settings.REPORTS_AN_HOUR = 1
    report_seat(alice, game, bob)
    answer = browser_of(alice).post(f"/report/games/{game.pk}/", {"kind": "stalling", "text": "So slow"})
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert "So slow" in answer.content.decode(), "what was typed is still there"


@pytest.mark.both_stacks
def test_your_reports_tell_how_each_stands_and_what_was_answered(
    alice: User, bob: User, charlie: User, game: Game
) -> None:
    waiting, done = report_seat(alice, game, bob), report_seat(alice, game, charlie)
    dismissed = reporting.report_game(alice, game, "collusion", "", now=timezone.now())
    for report, outcome, answer in ((done, "acted", "They can’t chat now."), (dismissed, "dismissed", "Just luck.")):
        Report.objects.filter(pk=report.pk).update(outcome=outcome, answer=answer, answered_at=timezone.now())
    page = browser_of(alice).get("/account/reports/").content.decode()
    for words in ("waiting", "done", "dismissed", "They can’t chat now.", "Just luck.", "Bob", f"Game {game.pk}"):
        assert words in page
    assert browser_of(alice).get(f"/account/reports/{waiting.pk}/").status_code == 200
    assert browser_of(bob).get(f"/account/reports/{waiting.pk}/").status_code == 404
    assert "haven’t reported" in browser_of(bob).get("/account/reports/").content.decode()


def test_a_long_list_of_reports_costs_no_more_than_a_short_one(
    alice: User, bob: User, charlie: User, game: Game, room: rooms.PlayersRoom
) -> None:
    browser = browser_of(alice)
    for whom in (bob, charlie):
        line = say(room, whom, "Hello")
        reporting.report_line(alice, room, line.number, "abuse", "", now=timezone.now())
        report_seat(alice, game, whom)
        with CaptureQueriesContext(connection) as captured:
            assert browser.get("/account/reports/").status_code == 200
        # The session, the person, and all that they have reported.
        assert len(captured) <= 3


def test_reports_are_found_from_the_pages_where_there_is_something_to_report(
    alice: User, bob: User, charlie: User, game: Game, room: rooms.PlayersRoom
) -> None:
    line, browser = say(room, bob, "Hello"), browser_of(alice)
    assert f"/report/players/{bob.code}/" in browser.get(f"/players/{bob.code}/").content.decode()
    assert "/report/players/" not in browser.get(f"/players/{alice.code}/").content.decode()
    assert "/report/players/" not in Client().get(f"/players/{bob.code}/").content.decode()
    page = browser.get(f"/games/{game.pk}/chat/people/?line={line.number}").content.decode()
    assert f"/report/games/{game.pk}/chat/{line.number}/" in page
    assert page.count("/chat/people/") >= 2
    page = browser.get(f"/games/{game.pk}/").content.decode()
    assert f"/report/games/{game.pk}/seats/1/" in page
    assert f"/report/games/{game.pk}/seats/2/" in page
    assert f"/report/games/{game.pk}/seats/0/" not in page
    assert "/report/" not in Client().get(f"/games/{game.pk}/").content.decode()
    for person in (alice, guest()):
        assert "/account/reports/" in browser_of(person).get("/account/").content.decode()


def test_somebody_met_at_a_table_is_reported_by_what_ones_own_page_calls_them(alice: User, bob: User) -> None:
    table = table_of(alice, bob)
    [met] = people.in_room(rooms.of_table(table.code), alice)
    address = f"/report/t/{table.code}/chat/people/{met.key}/"
    assert browser_of(bob).get(address).status_code == 409
    assert browser_of(alice).post(address, {"kind": "abuse"}).status_code == 302
    assert Report.objects.get().case.person == bob
    page = browser_of(alice).get(f"/account/reports/{Report.objects.get().pk}/").content.decode()
    assert "Back to the profile" in page


# Going, and coming back as somebody else


def test_a_guests_reports_and_what_was_reported_of_them_come_along_to_the_account(
    alice: User, bob: User, charlie: User
) -> None:
    wanderer = guest()
    game = game_of(wanderer, bob, charlie)
    mine, theirs = report_seat(wanderer, game, bob), report_seat(bob, game, wanderer)
    decision = Decision.objects.create(case=theirs.case, person=wanderer, kind="warn", reason="Rude", at=timezone.now())
    moving.move(wanderer, alice, timezone.now())
    for row in (mine, theirs, decision, theirs.case):
        row.refresh_from_db()
    assert mine.by == alice
    assert theirs.case.person == alice
    assert decision.person == alice


@pytest.mark.both_stacks
def test_two_open_cases_of_one_person_become_one(alice: User, bob: User, charlie: User, dana: User) -> None:
    wanderer = guest()
    one, other = game_of(wanderer, bob, charlie), game_of(alice, bob, charlie)
    reports = [report_seat(bob, one, wanderer), report_seat(bob, other, alice)]
    earlier = timezone.now() - timedelta(days=2)
    Case.objects.filter(person=wanderer).update(taken_by=dana, taken_at=timezone.now(), opened_at=earlier)
    moving.move(wanderer, alice, timezone.now())
    case = Case.objects.get()
    assert (case.person, case.taken_by, case.opened_at) == (alice, dana, earlier)
    assert set(case.reports.all()) == set(reports)
    assert case.weight == 2 * reporting.WEIGHTS[Report.Kind.STALLING]


@pytest.mark.both_stacks
def test_a_line_that_guest_and_account_have_both_reported_is_no_obstacle(alice: User, bob: User, charlie: User) -> None:
    wanderer = guest()
    room = rooms.of_players(game_of(alice, bob, charlie).pk)
    line = say(room, bob, "Hello")
    for by in (wanderer, alice):
        reporting.report_line(by, room, line.number, "abuse", "", now=timezone.now())
    moving.move(wanderer, alice, timezone.now())
    assert {report.by for report in Report.objects.all()} == {wanderer, alice}


@pytest.mark.both_stacks
@pytest.mark.parametrize(("of_guest", "of_account"), [(3, None), (3, 1), (1, 3), (None, 3)])
def test_a_guest_who_is_muted_and_banned_does_not_shake_it_off_by_signing_in(
    alice: User, of_guest: int | None, of_account: int | None
) -> None:
    now, wanderer = timezone.now(), guest()
    for person, days in ((wanderer, of_guest), (alice, of_account)):
        if days:
            restrictions.mute(person, now + timedelta(days=days))
            restrictions.ban(person, now + timedelta(days=days), now=now)
    User.objects.filter(pk=wanderer.pk).update(has_moderators_news=True)
    moving.move(User.objects.get(pk=wanderer.pk), alice, now)
    alice.refresh_from_db()
    assert (alice.muted_until, alice.banned_until) == (now + timedelta(days=3),) * 2
    assert alice.has_moderators_news


@pytest.mark.both_stacks
def test_evidence_forgets_the_name_of_somebody_who_has_left_and_can_still_be_read(
    alice: User, bob: User, charlie: User, game: Game, room: rooms.PlayersRoom
) -> None:
    say(room, charlie, "Hello from Charlie's seat")
    time_out(game.pk)
    report = report_seat(alice, game, bob)
    assert "Charlie" in json.dumps(report.evidence["game"]["seats"])
    leaving.delete(charlie, timezone.now())
    report.refresh_from_db()
    seats = {seat["seat"]: (seat["name"], seat["person"]) for seat in report.evidence["game"]["seats"]}
    assert seats == {0: ("Alice", alice.pk), 1: ("Bob", bob.pk), 2: ("Somebody", None)}
    [line] = report.evidence["chat"]["lines"]
    assert (line["name"], line["person"]) == ("Somebody", None)
    assert str(charlie.pk) not in json.dumps(report.evidence["chat"])


@pytest.mark.both_stacks
def test_evidence_forgets_a_guest_who_did_not_come_back(alice: User, bob: User, game: Game) -> None:
    watchers, wanderer = rooms.of_watchers(game.pk), guest()
    say(watchers, wanderer, "Hello")
    Game.objects.update(status=Game.Status.ABORTED)
    line = say(watchers, guest("Rude"), "Go away")
    ended = rooms.of_watchers(game.pk)
    report = reporting.report_line(alice, ended, line.number, "abuse", "", now=timezone.now())
    tomorrow = timezone.localdate() + timedelta(days=1)
    User.objects.exclude(pk=wanderer.pk).update(last_visit=tomorrow)
    assert clearing.forget_guests(tomorrow, timezone.now()) == 1
    report.refresh_from_db()
    assert [line["name"] for line in report.evidence["chat"]["lines"]] == ["Somebody", "Rude"]


@pytest.mark.both_stacks
def test_with_an_account_go_the_cases_about_it_and_its_own_reports_stay(
    alice: User, bob: User, charlie: User, game: Game
) -> None:
    about, by = report_seat(alice, game, bob), report_seat(bob, game, charlie)
    leaving.delete(bob, timezone.now())
    assert list(Report.objects.all()) == [by]
    by.refresh_from_db()
    assert by.by is None
    assert not Case.objects.filter(pk=about.case_id).exists()


@pytest.mark.both_stacks
def test_the_file_of_ones_data_has_ones_reports_and_not_those_about_one(alice: User, bob: User, game: Game) -> None:
    report_seat(alice, game, bob, "other", "Wool thief")
    kept = leaving.kept_of(alice)
    assert [report["about"] for report in kept["reports"]] == ["Bob"]
    assert "Wool thief" in str(kept)
    assert "Wool thief" not in str(leaving.kept_of(bob))


def test_whoever_is_unknown_has_no_reports_not_even_those_of_people_who_have_left(
    alice: User, bob: User, game: Game
) -> None:
    report_seat(alice, game, bob, text="He is my neighbour")
    leaving.delete(alice, timezone.now())
    page = Client().get("/account/reports/").content.decode()
    assert Report.objects.get().by is None
    assert "neighbour" not in page


@pytest.mark.services
@pytest.mark.parametrize("how", ["moves", "leaves", "is forgotten", "is renamed"])
@pytest.mark.django_db(transaction=True)
def test_cases_are_locked_first_then_reports_games_and_people(how: str, alice: User, bob: User) -> None:
    """Whoever takes several locks takes them in this order, or two would wait for each other. SQLite has one."""
    mona, now, wanderer = moderator("Mona"), timezone.now(), guest()
    game = game_of(wanderer, bob)
    case = report_seat(bob, game, wanderer).case
    report_seat(wanderer, game, bob)
    cases.take(case.pk, mona, now=now)
    if how == "is forgotten":
        leaving.delete(bob, now)
        Seat.objects.filter(game=game).update(user=None)
    name = [Measure(Decision.Kind.RESET_NAME)]
    acts: dict[str, Callable[[], object]] = {
        "moves": lambda: moving.move(wanderer, alice, now),
        "leaves": lambda: leaving.delete(wanderer, now),
        "is forgotten": lambda: clearing.forget_guests(now.date() + timedelta(days=1), now),
        "is renamed": lambda: deciding.decide(case.pk, mona, name, "Be kind.", seen=last_seen(case), now=now),
    }
    with CaptureQueriesContext(connection) as asked:
        acts[how]()
    locked = dict.fromkeys(lock for query in asked if (lock := locked_by(query["sql"])))
    assert len(locked) > 1
    assert list(locked) == [lock for lock in LOCKS if lock in locked]


#: Rows that are locked, in the order in which they are.
LOCKS = ("moderation_case", "moderation_report", "games_game", "lobby_user")


def locked_by(statement: str) -> str | None:
    """Of the rows that are locked in an order, those that a statement locks."""
    found = re.search(r'^(?:SELECT.* FROM|UPDATE|DELETE FROM) "(\w+)"', statement, re.DOTALL)
    locks = not statement.startswith("SELECT") or re.search(r" FOR (NO KEY )?UPDATE$", statement)
    return found[1] if found and locks and found[1] in LOCKS else None
