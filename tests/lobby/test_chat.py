"""Those who have a seat talk, everybody reads along, and nobody can shout the others down."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags
from pytest_django import Settings

from games import services
from games.models import Game, Seat
from lobby import chat, rooms
from lobby.models import ChatLine, User
from lobby.refusals import NotSeated
from tests.games.playing import ALICE, new_game
from tests.lobby import talking
from tests.lobby.test_races import all_at_once
from tests.staff import browser_of, make_staff

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
XSS = "<script>alert('sheep')</script> & \"ore\""


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


def say(game: Game, person: User, text: str = "Hello", *, after: float = 0) -> int:
    return chat.say(rooms.of_players(game.pk), person, text, now=NOON + timedelta(seconds=after))


def shown(game: Game) -> list[chat.ShownLine]:
    return chat.read(rooms.of_players(game.pk), User()).lines


def said(game: Game) -> list[tuple[str, str]]:
    return [(line.name, line.text) for line in shown(game)]


def post(client: Client, game: Game, text: str, *, page: bool = False) -> Any:
    return talking.say(client, f"/games/{game.pk}/chat/", text, page=page)


def fetch(client: Client, game: Game, **query: Any) -> list[dict[str, Any]]:
    return talking.lines(client, f"/games/{game.pk}/chat/", **query)


# Speaking


def test_what_is_said_stands_under_the_seats_name_in_its_order(game: Game, alice: User, bob: User) -> None:
    assert say(game, alice, "Hello") == 1
    assert say(game, bob, "  Hi,\n\tAlice ") == 2
    assert said(game) == [("Alice", "Hello"), ("Bob", "Hi, Alice")]
    first, second = shown(game)
    assert (first.emblem, second.emblem) == ("▲", "■")
    assert first.said_at == NOON


def test_each_game_has_a_chat_of_its_own(game: Game, alice: User) -> None:
    other = new_game(users=[alice], seed="other")
    assert say(game, alice, "here") == 1
    assert say(other, alice, "there") == 1
    assert said(game) == [("Alice", "here")]


def test_a_guest_talks_under_the_name_of_the_seat(client: Client, db: None) -> None:
    client.post("/play-now/")
    game = Game.objects.get()
    assert post(client, game, "Hello bots").status_code == 201
    assert said(game) == [(Seat.objects.get(game=game, number=0).name, "Hello bots")]


def test_who_only_watches_reads_and_does_not_write(game: Game, dana: User) -> None:
    with pytest.raises(NotSeated, match="Only the players"):
        say(game, dana)
    assert said(game) == []


def test_who_has_left_the_game_no_longer_writes_but_what_they_said_stays(game: Game, alice: User) -> None:
    say(game, alice, "I must go")
    services.withdraw(game.pk, ALICE, now=timezone.now())
    with pytest.raises(NotSeated):
        say(game, alice, "still here")
    assert said(game) == [("Alice", "I must go")]


def test_who_is_replaced_for_a_while_can_say_so(game: Game, alice: User) -> None:
    services.replace_by_bot(game.pk, ALICE, now=timezone.now())
    say(game, alice, "Back in a minute")
    assert said(game) == [("Alice", "Back in a minute")]


@pytest.mark.parametrize("status", Game.Status)
def test_people_talk_whatever_the_game_waits_for_and_after_its_end(game: Game, alice: User, status: str) -> None:
    winner = Seat.key(game.pk, ALICE)
    Game.objects.filter(pk=game.pk).update(status=status, winner=winner)
    say(game, alice, "Thanks for the game")
    assert said(game) == [("Alice", "Thanks for the game")]


def test_a_line_outlives_its_speaker(game: Game, alice: User) -> None:
    say(game, alice, "I was here")
    alice.delete()
    assert said(game) == [("Alice", "I was here")]


def test_a_game_that_is_not_there_has_no_chat(db: None) -> None:
    for find in (rooms.of_players, rooms.of_watchers):
        with pytest.raises(Game.DoesNotExist):
            find(4711)


# What a line may be


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (XSS, XSS),
        ("x" * 300, "x" * 300),
        ("  \u2003two   spaces\u00a0 ", "two spaces"),
        ("one\r\ntwo\x0b\x85three\u2028four", "one two three four"),
        ("a\x00b\x1b[31m\x7fc", "ab[31mc"),
        ("\u202eevil\u2066 \u200b\ufeffturn", "evil turn"),
        ("lone \ud800surrogate", "lone surrogate"),
        ("e\u0301", "é"),
        ("👩‍🚀 👍🏽 می‌خواهم", "👩‍🚀 👍🏽 می‌خواهم"),
    ],
)
def test_a_line_is_what_was_typed_without_what_nobody_can_see(typed: str, shown: str) -> None:
    assert chat.clean(typed) == shown


@pytest.mark.parametrize("typed", ["", " ", "\n\t", "\x00", "\u200b\u202e", "\u200d", "\u3164\u2800", "\ufe0f \u0301"])
def test_a_line_with_nothing_to_read_is_refused(typed: str) -> None:
    with pytest.raises(chat.BadLine, match="Your line is empty"):
        chat.clean(typed)


def test_a_line_that_is_too_long_is_refused_by_its_length() -> None:
    with pytest.raises(chat.BadLine, match="300 characters at most, and yours has 301"):
        chat.clean(f" {'x' * 301} ")


# Not too fast


def test_the_sixth_line_in_ten_seconds_is_refused_and_the_next_moment_is_not(game: Game, alice: User) -> None:
    for second in range(5):
        say(game, alice, f"{second}", after=second)
    with pytest.raises(chat.TooFast, match="Slow down"):
        say(game, alice, "5", after=9.9)
    assert len(said(game)) == 5
    say(game, alice, "5", after=10)
    with pytest.raises(chat.TooFast):
        say(game, alice, "6", after=10.5)
    say(game, alice, "6", after=11)


def test_nobody_waits_for_what_others_say(game: Game, alice: User, bob: User) -> None:
    for number in range(5):
        say(game, alice, f"{number}")
    say(game, bob)
    assert len(said(game)) == 6


def test_the_limit_is_one_for_all_that_somebody_says_wherever_that_is(game: Game, alice: User) -> None:
    other = new_game(users=[alice], seed="other")
    watched = rooms.of_watchers(new_game(seed="watched").pk)
    for number in range(2):
        say(game, alice, f"{number}")
        say(other, alice, f"{number}")
    chat.say(watched, alice, "4", now=NOON)
    for room in (rooms.of_players(game.pk), rooms.of_players(other.pk), watched):
        with pytest.raises(chat.TooFast):
            chat.say(room, alice, "5", now=NOON)
    assert ChatLine.objects.count() == 5


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_lines_said_at_once_are_all_there_and_the_limit_holds(game: Game, alice: User, bob: User) -> None:
    numbers = all_at_once([lambda person=person: say(game, person) for person in [alice, bob] * 4])  # type: ignore[misc]
    assert sorted(number for number in numbers if isinstance(number, int)) == list(range(1, 9))
    # In two places at once there is one line left, too.
    others = [new_game(users=[alice], seed=seed) for seed in ("one", "another")]
    numbers = all_at_once([lambda place=place: say(place, alice) for place in [game, *others] * 2])  # type: ignore[misc]
    refused = [answer for answer in numbers if isinstance(answer, chat.TooFast)]
    assert len(refused) == 5
    assert [line.number for line in shown(game)] == list(range(1, len(shown(game)) + 1))


# News


class RaisingLayer(InMemoryChannelLayer):
    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        raise OSError("the channel layer has gone")


@pytest.mark.django_db(transaction=True)
def test_a_line_whose_news_fails_is_said_all_the_same(settings: Settings, game: Game, alice: User) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": f"{__name__}.RaisingLayer"}}
    assert post(signed_in(alice), game, "Hello?").status_code == 201
    assert said(game) == [("Alice", "Hello?")]


# Over HTTP


def test_the_games_page_sends_a_line_and_fetches_what_is_new(game: Game, alice: User, bob: User, dana: User) -> None:
    answer = post(signed_in(alice), game, "Hello")
    assert (answer.status_code, answer.json()) == (201, {"last": 1})
    post(signed_in(bob), game, "Hi")
    for reader in (signed_in(bob), signed_in(dana), Client()):
        assert [line["text"] for line in fetch(reader, game)] == ["Hello", "Hi"]
        [line] = fetch(reader, game, after=1)
        assert line | {"said_at": ""} == {
            "number": 2,
            "name": "Bob",
            "colour": "blue",
            "emblem": "■",
            "text": "Hi",
            "said_at": "",
            "hidden": False,
            "is_bot_account": False,
        }
        assert fetch(reader, game, after=2) == fetch(reader, game, after=999999999) == []


def test_the_newest_hundred_lines_are_shown(game: Game, alice: User) -> None:
    for number in range(103):
        say(game, alice, f"{number}", after=10 * number)
    assert [line["text"] for line in fetch(Client(), game)] == [f"{number}" for number in range(3, 103)]
    assert len(fetch(Client(), game, after=1)) == 100
    assert len(fetch(Client(), game, after=100)) == 3


@pytest.mark.parametrize("after", ["-1", "x", "", "1.5", "9" * 30, "٣", "1 or 1=1"])
def test_a_nonsense_number_is_a_clear_refusal(game: Game, after: str) -> None:
    answer = Client().get(f"/api/v1/games/{game.pk}/chat/", {"after": after})
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == ["after"]


@pytest.mark.parametrize("page", [False, True])
def test_a_refused_line_changes_nothing_and_says_why(game: Game, alice: User, dana: User, page: bool) -> None:
    def refusal(client: Client, text: str) -> tuple[int, str]:
        return talking.refusal(post(client, game, text, page=page), page=page)

    speaker = signed_in(alice)
    assert refusal(speaker, " ") == (400, "Your line is empty: please type something.")
    assert refusal(speaker, "x" * 301)[0] == 400
    assert refusal(signed_in(dana), "Hello") == (403, "Only the players can write here.")
    # A program that has not said whose it is, is asked that first.
    assert refusal(Client(), "Hello")[0] == (403 if page else 401)
    assert said(game) == []
    for _ in range(5):
        post(speaker, game, "Hello")
    status, sentence = refusal(speaker, "Hello")
    assert (status, sentence.partition(":")[0]) == (429, "Slow down")
    assert 1 <= int(post(speaker, game, "Hello", page=page).headers["Retry-After"]) <= 10
    assert len(said(game)) == 5


def test_a_request_without_a_text_or_with_a_file_instead_is_refused(game: Game, alice: User) -> None:
    client, address = signed_in(alice), f"/games/{game.pk}/chat/"
    for data in ({}, {"words": "Hello"}, {"text": SimpleUploadedFile("text", b"Hello")}):
        assert client.post(address, data).status_code == 400
    assert client.post(address, '{"text": "Hello"}', content_type="application/json").status_code == 400
    assert client.post(address, {"text": "x" * 70_000}).status_code == 400
    assert client.put(address).status_code == 405
    assert said(game) == []


def test_a_line_needs_the_token_of_our_own_page(game: Game, alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert post(client, game, "Hello").status_code == 403
    assert said(game) == []


def test_where_there_is_no_game_there_is_no_page(client: Client, db: None) -> None:
    assert client.get("/games/4711/chat/").status_code == 404
    assert client.post("/games/4711/chat/", {"text": "Hello"}).status_code == 404


# The plain page


def test_the_plain_page_takes_a_line_and_shows_it(game: Game, alice: User) -> None:
    client = signed_in(alice)
    answer = post(client, game, XSS, page=True)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/games/{game.pk}/chat/")
    page = client.get(f"/games/{game.pk}/chat/").content.decode()
    assert "&lt;script&gt;alert(&#x27;sheep&#x27;)&lt;/script&gt; &amp; &quot;ore&quot;" in page
    assert "<script>alert" not in page
    assert "Alice:" in strip_tags(page)
    post(client, game, "The newest", page=True)
    page = client.get(f"/games/{game.pk}/chat/").content.decode()
    assert page.index("The newest") < page.index("sheep")


def test_what_was_typed_is_not_lost_by_a_refusal(game: Game, alice: User) -> None:
    typed = f'{"x" * 301}">'
    page = post(signed_in(alice), game, typed, page=True).content.decode()
    assert f'value="{"x" * 301}&quot;&gt;"' in page


def test_who_watches_finds_the_lines_and_no_form(game: Game, alice: User) -> None:
    say(game, alice, "Good evening")
    page = Client().get(f"/games/{game.pk}/chat/").content.decode()
    assert "Good evening" in page
    assert 'name="text"' not in page


def test_the_page_of_a_game_has_a_place_for_the_chat(game: Game, alice: User) -> None:
    own, watched = (client.get(f"/games/{game.pk}/").content.decode() for client in (signed_in(alice), Client()))
    assert f'data-lines="/api/v1/games/{game.pk}/chat/"' in own
    assert f'href="/games/{game.pk}/chat/"' in own
    assert 'id="chat-form"' in own
    assert f'data-lines="/api/v1/games/{game.pk}/chat/"' in watched
    assert 'id="chat-form"' not in watched


# Moderating


@pytest.fixture
def moderator(dana: User) -> Client:
    return browser_of(make_staff(dana, "moderator"))


def act(moderator: Client, action: str, line: ChatLine) -> None:
    answer = moderator.post("/admin/lobby/chatline/", {"action": action, "_selected_action": [line.pk]})
    assert answer.status_code == 302


def test_a_hidden_line_is_shown_to_nobody_and_keeps_its_place(
    game: Game, alice: User, bob: User, moderator: Client
) -> None:
    say(game, alice, "something rude")
    say(game, bob, "Hey!")
    rude = ChatLine.objects.get(number=1)
    act(moderator, "hide", rude)
    for client in (signed_in(alice), signed_in(bob), Client()):
        assert [line["text"] for line in fetch(client, game)] == ["(removed by a moderator)", "Hey!"]
        assert "rude" not in client.get(f"/games/{game.pk}/chat/").content.decode()
    act(moderator, "show_again", rude)
    assert said(game) == [("Alice", "something rude"), ("Bob", "Hey!")]


def test_moderators_see_who_said_what_where_and_change_no_word(game: Game, alice: User, moderator: Client) -> None:
    say(game, alice, XSS)
    line = ChatLine.objects.get()
    listed = moderator.get("/admin/lobby/chatline/", {"q": "sheep"}).content.decode()
    for wanted in ("Alice", f"game {game.pk}", "&lt;script&gt;alert(", "1 Jul 2026"):
        assert wanted in listed
    assert "<script>alert" not in listed
    address = f"/admin/lobby/chatline/{line.pk}/"
    assert moderator.get(f"{address}change/").status_code == 200
    assert moderator.post(f"{address}change/", {"text": "I resign"}).status_code == 403
    assert moderator.post(f"{address}delete/", {"post": "yes"}).status_code == 403
    assert moderator.get("/admin/lobby/chatline/add/").status_code == 403
    assert said(game) == [("Alice", XSS)]


def test_the_limit_counts_hidden_lines_too(game: Game, alice: User) -> None:
    for number in range(5):
        say(game, alice, f"{number}")
    for line in ChatLine.objects.all():
        chat.set_hidden(line, True)
    with pytest.raises(chat.TooFast):
        say(game, alice)
