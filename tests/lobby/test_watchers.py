"""Those who watch talk among themselves: no player reads it while the game runs, whatever they ask for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from games import services
from games.models import Game
from games.selectors import UNSEEN_AFTER
from games.services import presence
from lobby import chat, rooms, watching
from lobby.models import ChatLine, Conversation, User, Watcher
from tests.games.playing import ALICE, new_game
from tests.lobby import talking
from tests.lobby.rated import finished

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
SECRET = "Bob should hold on to his ore"


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob")


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Alice and Bob play with Charlie, whose seat is nobody's; Dana watches."""
    return new_game(users=[alice, bob])


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def post(client: Client, game: Game, text: str, *, page: bool = False, **form: str) -> Any:
    return talking.say(client, f"/games/{game.pk}/watchers/", text, page=page, **form)


def texts(client: Client, game: Game, chat: str = "watchers") -> list[str]:
    return [line["text"] for line in talking.lines(client, f"/games/{game.pk}/{chat}/")]


def end(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABORTED)


# Talking


def test_who_watches_talks_with_the_others_who_do(game: Game, dana: User) -> None:
    assert post(signed_in(dana), game, "Who is winning?").json() == {"last": 1}
    answer = Client().get(f"/api/v1/games/{game.pk}/watchers/").json()
    assert answer["last"] == 1
    [line] = answer["lines"]
    assert (line["name"], line["text"], line["colour"], line["emblem"]) == ("dana", "Who is winning?", "", "")


def test_the_two_chats_of_a_game_are_apart(game: Game, alice: User, dana: User) -> None:
    chat.say(rooms.of_players(game.pk), alice, "My turn", now=NOON)
    chat.say(rooms.of_watchers(game.pk), dana, SECRET, now=NOON)
    assert texts(Client(), game, "chat") == ["My turn"]
    assert texts(Client(), game) == [SECRET]
    assert Conversation.objects.count() == 2


def test_a_stranger_who_speaks_becomes_a_guest_under_the_name_they_gave(game: Game) -> None:
    stranger, people = Client(), User.objects.count()
    assert post(stranger, game, "Hello", name="Wanda").status_code == 401, "pages alone make guests"
    assert post(stranger, game, "Hello", page=True, name="Wanda", back="").headers["Location"] == f"/games/{game.pk}/"
    assert post(stranger, game, "Still me").json() == {"last": 2}
    assert User.objects.count() == people + 1
    assert User.objects.get(name="Wanda").is_guest
    assert set(ChatLine.objects.values_list("name", flat=True)) == {"Wanda"}


def test_a_stranger_who_gave_no_name_is_given_one(game: Game) -> None:
    post(Client(), game, "Hello", page=True)
    assert ChatLine.objects.get().name.startswith("Guest ")


@pytest.mark.parametrize("form", [{"text": " "}, {"text": "x" * 301}, {"text": "Hello", "name": "x" * 21}, {}])
def test_a_line_that_is_refused_makes_no_guest(game: Game, form: dict[str, str]) -> None:
    people = User.objects.count()
    assert post(Client(), game, **{"text": "", **form}, page=True).status_code == 400
    assert User.objects.count() == people
    assert not ChatLine.objects.exists()


def test_nobody_watches_under_the_name_of_an_account(game: Game, dana: User) -> None:
    dana.name = "Dana"
    dana.save()
    status, sentence = talking.refusal(post(Client(), game, "Trust me", page=True, name="Dаna"), page=True)
    assert (status, sentence.partition(",")[0]) == (400, "Somebody else goes by this name")


def test_an_address_has_only_so_many_guests_that_came_by_talking(game: Game, settings: LazySettings) -> None:
    settings.GUESTS_AN_HOUR = 2
    answers = [Client(REMOTE_ADDR="203.0.113.77") for _ in range(3)]
    statuses = [post(client, game, "Hello", page=True).status_code for client in answers]
    assert statuses == [302, 302, 429]
    assert ChatLine.objects.count() == 2


# Not for players


def attempts(game: Game) -> list[str]:
    address = f"/games/{game.pk}/watchers/"
    lines = talking.for_programs(address)
    return [address, lines, f"{lines}?after=0&audience=players", f"{address}people/?line=1"]


@pytest.mark.parametrize("status", [status for status in Game.Status if status not in ("over", "aborted")])
def test_no_player_reads_what_the_watchers_say_while_the_game_runs(
    game: Game, alice: User, dana: User, status: str
) -> None:
    chat.say(rooms.of_watchers(game.pk), dana, SECRET, now=NOON)
    Game.objects.filter(pk=game.pk).update(status=status)
    player = signed_in(alice)
    for address in attempts(game):
        answer = player.get(address)
        assert answer.status_code == 403, address
        assert SECRET not in answer.content.decode()
        assert "dana" not in answer.content.decode()
    for address in (f"/games/{game.pk}/chat/", f"/api/v1/games/{game.pk}/chat/?audience=watchers&room=watchers"):
        assert SECRET not in player.get(address).content.decode()
    page = player.get(f"/games/{game.pk}/")
    if page.status_code == 200:
        assert "watchers-room" not in page.content.decode()


def test_no_player_writes_among_the_watchers_and_no_watcher_among_the_players(
    game: Game, alice: User, dana: User
) -> None:
    for status in (Game.Status.RUNNING, Game.Status.ABORTED):
        Game.objects.filter(pk=game.pk).update(status=status)
        assert post(signed_in(alice), game, "Hello").status_code == 403
        for forged in ({}, {"audience": "players", "room": "players", "seat": "0", "kind": "players"}):
            answer = signed_in(dana).post(f"/games/{game.pk}/chat/", {"text": "Hello", **forged})
            assert answer.status_code == 403
    assert not ChatLine.objects.exists()


def test_a_player_whom_a_stand_in_replaces_is_still_a_player(game: Game, alice: User, dana: User) -> None:
    chat.say(rooms.of_watchers(game.pk), dana, SECRET, now=NOON)
    services.replace_by_bot(game.pk, ALICE, now=NOON)
    assert signed_in(alice).get(f"/api/v1/games/{game.pk}/watchers/").status_code == 403


def test_who_has_resigned_watches(game: Game, alice: User, dana: User) -> None:
    chat.say(rooms.of_watchers(game.pk), dana, SECRET, now=NOON)
    services.withdraw(game.pk, ALICE, now=NOON)
    assert texts(signed_in(alice), game) == [SECRET]
    assert post(signed_in(alice), game, "Pity").status_code == 201


def test_after_the_end_everybody_reads_both(game: Game, alice: User, dana: User) -> None:
    chat.say(rooms.of_watchers(game.pk), dana, SECRET, now=NOON)
    end(game)
    assert texts(signed_in(alice), game) == [SECRET]
    assert 'id="watchers-room"' in signed_in(alice).get(f"/games/{game.pk}/").content.decode()


def test_at_the_end_those_who_played_are_led_to_what_the_watchers_said(
    game: Game, alice: User, bob: User, dana: User
) -> None:
    """The end is drawn by the server and taken over by pages that are open: those have no tab for that chat."""
    over = finished([alice, bob, User.objects.create_user("charlie")], rated=False)

    def is_led(user: User, to: Game) -> bool:
        page = signed_in(user).get(f"/games/{to.pk}/").content.decode()
        return f'<a href="/games/{to.pk}/watchers/">Read what the watchers said</a>' in page

    assert not is_led(alice, over), "nobody has said anything"
    for one in (game, over):
        post(signed_in(dana), one, "Alice will win")
    assert is_led(alice, over)
    assert not is_led(dana, over), "who watched has the tab"
    assert not is_led(alice, game), "the game runs"


def test_where_nobody_may_watch_nobody_else_reads(game: Game, alice: User, dana: User, monkeypatch: Any) -> None:
    chat.say(rooms.of_players(game.pk), alice, "Among us", now=NOON)
    monkeypatch.setattr(rooms, "may_watch", lambda *_: False)
    for client in (Client(), signed_in(dana)):
        for kind in ("chat", "watchers"):
            assert client.get(f"/api/v1/games/{game.pk}/{kind}/").status_code == 403
            assert "Among us" not in client.get(f"/games/{game.pk}/{kind}/").content.decode()
        assert post(client, game, "Let me in", page=True).status_code == 403
    assert texts(signed_in(alice), game, "chat") == ["Among us"]


def test_who_watches_has_a_form_for_their_own_chat_alone(game: Game, alice: User) -> None:
    own, watched = (client.get(f"/games/{game.pk}/").content.decode() for client in (signed_in(alice), Client()))
    assert ('id="watchers-form"' in watched, 'id="chat-form"' in watched) == (True, False)
    assert ('id="watchers-form"' in own, 'id="chat-form"' in own) == (False, True)


@pytest.mark.parametrize("path", ["watchers/", "watchers/people/"])
def test_where_there_is_no_game_nobody_watches(client: Client, db: None, path: str) -> None:
    assert client.get(f"/games/4711/{path}").status_code == 404
    assert client.post("/games/4711/watchers/", {"text": "Hello"}).status_code == 404


# How many


def test_a_person_counts_once_and_strangers_each(game: Game, dana: User) -> None:
    assert watching.count(game.pk) == ""
    for number, user_id in enumerate([dana.pk, dana.pk, None, None]):
        watching.arrive(game.pk, user_id, f"page {number}", NOON)
    assert watching.count(game.pk) == "3"
    assert watching.count(new_game(seed="other").pk) == ""
    watching.leave(game.pk, "page 0")
    assert watching.count(game.pk) == "3"
    watching.leave(game.pk, "page 1")
    assert watching.count(game.pk) == "2"


def test_a_crowd_is_no_longer_counted_one_by_one(game: Game) -> None:
    for number in range(watching.MOST_COUNTED + 1):
        Watcher.objects.create(game=game, channel=f"{number}", process="here", seen_at=NOON)
    assert watching.count(game.pk) == "99+"


def test_the_pages_of_a_web_process_that_died_are_not_counted_for_ever(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    watching.arrive(game.pk, None, "on the one that dies", NOON)
    monkeypatch.setattr(presence, "PROCESS", "another process")
    watching.arrive(game.pk, None, "on the one that lives", NOON)
    watching.keep(NOON + UNSEEN_AFTER)
    assert watching.count(game.pk) == "2"
    watching.keep(NOON + UNSEEN_AFTER + timedelta(seconds=1))
    assert watching.count(game.pk) == "1"


def test_the_page_of_a_game_keeps_room_for_how_many_watch(game: Game, alice: User) -> None:
    page = signed_in(alice).get(f"/games/{game.pk}/").content.decode()
    assert 'id="watchers" hidden' in page
