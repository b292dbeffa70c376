"""Those who sit at a table talk before the game; it goes on with what they said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from games.models import Game
from lobby import chat, rooms
from lobby.models import ChatLine, Conversation, Table, User
from tests.lobby import talking
from tests.lobby.conftest import sit

XSS = "<script>alert('sheep')</script>"


@pytest.fixture
def bob(table: Table, visitors: Callable[[], Client]) -> Client:
    browser = visitors()
    sit(browser, table, "Bob", 2)
    return browser


def post(client: Client, table: Table, text: str, *, page: bool = False, **form: str) -> Any:
    return talking.say(client, f"/t/{table.code}/chat/", text, page=page, **form)


def lines(client: Client, address: str) -> list[tuple[str, str, str]]:
    return [(line["name"], line["text"], line["emblem"]) for line in talking.lines(client, address)]


def start(table: Table, host: Client) -> Game:
    host.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes"})
    return Game.objects.get(table=table)


def test_who_sits_at_a_table_speaks_and_whoever_has_the_link_reads(
    table: Table, alice_browser: Client, bob: Client
) -> None:
    assert post(alice_browser, table, "Hello").json() == {"last": 1}
    assert post(bob, table, XSS, page=True).headers["Location"] == f"/t/{table.code}/chat/"
    for reader in (alice_browser, bob, Client()):
        assert lines(reader, f"/t/{table.code}/chat/") == [("Alice", "Hello", ""), ("Bob", XSS, "")]
        page = reader.get(f"/t/{table.code}/chat/").content.decode()
        assert XSS not in page
        assert "&lt;script&gt;alert" in page


def test_who_does_not_sit_there_does_not_speak(table: Table, bob: Client, alice_browser: Client) -> None:
    people = User.objects.count()
    bob.post(f"/t/{table.code}/stand-up/")
    for outside in (Client(), bob):
        for forged in ({}, {"chair": "0", "seat": "0", "name": "Alice"}):
            assert post(outside, table, "Hello", page=True, **forged).status_code == 403
            assert post(outside, table, "Hello", **forged).status_code in (400, 401, 403)
        assert 'name="text"' not in outside.get(f"/t/{table.code}/chat/").content.decode()
    assert User.objects.count() == people
    assert not ChatLine.objects.exists()


def test_for_whom_a_chair_is_kept_speaks_once_they_sit_there(table: Table, alice_browser: Client, bob: Client) -> None:
    game = start(table, alice_browser)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABORTED)
    alice_browser.post(f"/t/rematch/{game.pk}/")
    again = Table.objects.get(rematch_of=game)
    assert post(bob, again, "Wait for me").status_code == 403
    bob.post(f"/t/rematch/{game.pk}/")
    assert post(bob, again, "Here I am").status_code == 201


def test_the_game_goes_on_with_what_was_said_at_its_table(table: Table, alice_browser: Client, bob: Client) -> None:
    post(alice_browser, table, "Hello")
    post(bob, table, "Hi")
    game = start(table, alice_browser)
    seats = {seat.name: seat.number for seat in game.seat_set.all()}
    assert seats["Bob"] == 2
    post(bob, table, "Said as it began")
    bob.post(f"/games/{game.pk}/chat/", {"text": "My turn?"})
    expected = [("Alice", "Hello", "▲"), *(("Bob", text, "●") for text in ("Hi", "Said as it began", "My turn?"))]
    for address in (f"/games/{game.pk}/chat/", f"/t/{table.code}/chat/"):
        assert lines(Client(), address) == expected
    assert [line.number for line in ChatLine.objects.order_by("number")] == [1, 2, 3, 4]
    assert Conversation.objects.count() == 1


def test_a_line_keeps_its_place_in_a_game_that_its_speaker_does_not_play(
    table: Table, alice_browser: Client, bob: Client
) -> None:
    post(bob, table, "I cannot stay")
    bob.post(f"/t/{table.code}/stand-up/")
    game = start(table, alice_browser)
    assert lines(Client(), f"/games/{game.pk}/chat/") == [("Bob", "I cannot stay", "")]
    assert bob.post(f"/games/{game.pk}/chat/", {"text": "Or can I?"}).status_code == 403


def test_each_table_has_a_chat_of_its_own(table: Table, alice_browser: Client) -> None:
    alice_browser.post("/t/new/", {"preset": "standard", "name": "Alice"})
    other = Table.objects.exclude(pk=table.pk).get()
    post(alice_browser, table, "Here")
    assert lines(Client(), f"/t/{other.code}/chat/") == []


def test_the_limit_of_the_table_is_that_of_the_game(table: Table, alice_browser: Client) -> None:
    for number in range(5):
        assert post(alice_browser, table, f"{number}").status_code == 201
    answer = post(alice_browser, table, "5")
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["Retry-After"]) <= 10
    game = start(table, alice_browser)
    assert alice_browser.post(f"/games/{game.pk}/chat/", {"text": "6"}).status_code == 429


def test_the_page_of_a_table_has_the_chat_and_its_phrases_for_those_who_sit_there(
    table: Table, alice_browser: Client
) -> None:
    own, passing = (client.get(f"/t/{table.code}/").content.decode() for client in (alice_browser, Client()))
    for page in (own, passing):
        assert f'data-lines="/api/v1/tables/{table.code}/chat/"' in page
        assert f'href="/t/{table.code}/chat/"' in page
    assert ('id="chat-form"' in own, 'value="Ready when you are."' in own) == (True, True)
    assert ('id="chat-form"' in passing, 'name="text"' in passing) == (False, False)


@pytest.mark.parametrize("path", ["", "people/"])
def test_where_there_is_no_table_there_is_no_chat(client: Client, db: None, path: str) -> None:
    assert client.get(f"/t/nowhere/chat/{path}").status_code == 404
    assert client.post("/t/nowhere/chat/", {"text": "Hello"}).status_code == 404


def test_a_conversation_is_in_one_place(table: Table, alice_browser: Client) -> None:
    game = start(table, alice_browser)
    for place in ({}, {"table": table, "game": game}, {"table": table, "audience": "watchers"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Conversation.objects.create(**place)
    rooms.of_players(game.pk).conversation()
    assert rooms.of_table(table.code).conversation() == Conversation.objects.get()


# Phrases


@pytest.mark.parametrize("phrase", [phrase for phrases in rooms.PHRASES.values() for phrase in phrases])
def test_a_phrase_is_said_as_it_stands(phrase: str) -> None:
    assert chat.clean(phrase) == phrase


def test_a_phrase_is_a_line_like_any_other(client: Client, db: None) -> None:
    client.post("/play-now/")
    game = Game.objects.get()
    for address in (f"/games/{game.pk}/", f"/games/{game.pk}/chat/"):
        assert '<button class="chat-phrase" name="text" value="Good game!">' in client.get(address).content.decode()
    client.post(f"/games/{game.pk}/chat/", {"text": "Good game!"})
    assert ChatLine.objects.get().text == "Good game!"


def test_a_phrase_that_is_pressed_before_the_scripts_are_there_leads_back_to_the_table(
    table: Table, alice_browser: Client
) -> None:
    assert post(alice_browser, table, "Hello!", page=True, back="").headers["Location"] == f"/t/{table.code}/"
    assert post(alice_browser, table, "Hello!", page=True).headers["Location"] == f"/t/{table.code}/chat/"
    game = start(table, alice_browser)
    answer = alice_browser.post(f"/games/{game.pk}/chat/", {"text": "Hello!", "back": ""})
    assert answer.headers["Location"] == f"/games/{game.pk}/"
