"""Lines that staff hide from everybody, and what is written down of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import services
from games.models import Game
from lobby import chat, rooms
from lobby.models import ChatLine, Conversation, User
from moderation.models import AuditLine
from tests.games.playing import new_game
from tests.staff import browser_of, make_staff

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
LIST = "/admin/lobby/chatline/"


@pytest.fixture
def game(alice: User) -> Game:
    game = new_game(users=[alice])
    for number, text in enumerate(("Hello", "something rude", "something ruder")):
        chat.say(rooms.of_players(game.pk), alice, text, now=NOON + timedelta(minutes=number))
    return game


def act(moderator: Client, action: str, *lines: ChatLine) -> str:
    chosen = [line.pk for line in lines]
    return moderator.post(LIST, {"action": action, "_selected_action": chosen}, follow=True).content.decode()


def written() -> list[tuple[str, int | None, int | None, object]]:
    lines = AuditLine.objects.exclude(act="looked_at_lines").order_by("pk")
    return [(line.act, line.person, line.game, line.details.get("line")) for line in lines]


def test_what_is_hidden_or_shown_again_is_written_down_once(moderator: Client, game: Game, alice: User) -> None:
    hello, rude, ruder = ChatLine.objects.order_by("number")
    assert "2 hidden." in act(moderator, "hide", rude, ruder)
    assert "1 hidden." in act(moderator, "hide", hello, rude)
    assert "1 shown again." in act(moderator, "show_again", hello)
    assert {*written()[:2]} == {("hid_line", alice.pk, game.pk, line.pk) for line in (rude, ruder)}
    assert written()[2:] == [(act, alice.pk, game.pk, hello.pk) for act in ("hid_line", "showed_line")]


def test_to_look_at_lines_is_written_down_with_what_was_looked_for(moderator: Client, game: Game, dana: User) -> None:
    moderator.get(LIST, {"q": "rude"})
    line = AuditLine.objects.get()
    assert (line.act, line.staff, line.details) == ("looked_at_lines", dana.pk, {"asked": "q=rude"})


def test_staff_who_may_not_hide_lines_hide_none(game: Game, bob: User) -> None:
    browser = browser_of(make_staff(bob))
    rude = ChatLine.objects.get(number=2)
    act(browser, "hide", rude)
    assert browser.get(LIST).status_code == 403
    assert not ChatLine.objects.filter(hidden=True).exists()
    assert written() == []


@pytest.mark.slow
def test_a_hundred_thousand_lines_take_no_more_queries_than_few(moderator: Client, game: Game, alice: User) -> None:
    conversation = Conversation.objects.get()
    ChatLine.objects.bulk_create(
        ChatLine(
            conversation=conversation,
            number=n,
            user=alice,
            name="Alice",
            text=f"line {n}",
            said_at=NOON + timedelta(seconds=n),
        )
        for n in range(10, 100_010)
    )
    for asked in ({}, {"p": 500}, {"q": "line 77"}, {"q": "alice"}, {"hidden__exact": "0"}):
        with CaptureQueriesContext(connection) as queries:
            assert moderator.get(LIST, asked).status_code == 200
        assert len(queries) < 15, asked


def test_those_who_watch_are_not_read_by_a_moderator_who_plays(
    moderator: Client, dana: User, alice: User, bob: User
) -> None:
    own, other = new_game(users=[dana]), new_game(users=[alice])
    chat.say(rooms.of_players(own.pk), dana, "Hi", now=NOON)
    for game in (own, other):
        chat.say(rooms.of_watchers(game.pk), bob, "She has all the ore", now=NOON)
    assert read(moderator) == {(own.pk, "Hi"), (other.pk, "She has all the ore")}
    line = ChatLine.objects.get(conversation__game=own, conversation__audience="watchers")
    assert "all the ore" not in moderator.get(f"{LIST}{line.pk}/change/", follow=True).content.decode()
    act(moderator, "hide", line)
    assert not ChatLine.objects.get(pk=line.pk).hidden
    services.abort(own.pk, now=NOON)
    assert (own.pk, "She has all the ore") in read(moderator)


def read(moderator: Client) -> set[tuple[int | None, str]]:
    return {(line.conversation.game_id, line.text) for line in moderator.get(LIST).context["cl"].result_list}


def test_whichever_way_lines_are_asked_for_the_look_is_written_down(moderator: Client, game: Game) -> None:
    line = ChatLine.objects.get(number=2)
    for look in (
        lambda: moderator.post(f"{LIST}?q=rude"),
        lambda: moderator.get(f"{LIST}{line.pk}/change/"),
    ):
        before = AuditLine.objects.count()
        assert "something rude" in look().content.decode()
        assert AuditLine.objects.count() == before + 1
    assert [each.details for each in AuditLine.objects.order_by("pk")] == [{"asked": "q=rude"}, {"line": f"{line.pk}"}]


def test_nobody_shows_their_own_line_again(moderator: Client, dana: User, game: Game) -> None:
    chat.say(rooms.of_watchers(game.pk), dana, "You sheep!", now=NOON)
    rude, own = ChatLine.objects.get(number=2), ChatLine.objects.get(user=dana)
    ChatLine.objects.update(hidden=True)
    assert "One of these lines is yours" in act(moderator, "show_again", rude, own)
    assert not ChatLine.objects.filter(hidden=False).exists()
    assert AuditLine.objects.filter(act="was_refused").count() == 1
    assert "1 shown again." in act(moderator, "show_again", rude)


@pytest.mark.both_stacks
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ticked", ["abc", "9" * 30, "\0", "-1"])
def test_what_was_ticked_and_is_no_line_is_refused(dana: User, alice: User, ticked: str) -> None:
    browser = browser_of(make_staff(dana, "moderator"))
    for action in ("hide", "show_again"):
        assert browser.post(LIST, {"action": action, "_selected_action": [ticked]}).status_code == 400
