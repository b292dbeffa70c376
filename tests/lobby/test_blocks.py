"""Nobody has to read somebody, and nobody is told by the site that somebody does not read them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils.html import strip_tags

from games.models import Game
from games.rules import PRESETS, Refusal
from lobby import blocks, chat, hearing, people, rooms, services
from lobby.models import Block, Chair, ChatLine, Mute, Table, User
from tests.games.playing import new_game
from tests.lobby.test_races import all_at_once
from tests.staff import browser_of

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(minutes=1)
LAST = NOON + timedelta(minutes=2)


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob")


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return new_game(users=[alice, bob])


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def say(game: Game, person: User, text: str, at: datetime = NOON) -> None:
    chat.say(rooms.of_players(game.pk), person, text, now=at)


def read_by(reader: User, game: Game) -> list[str]:
    return [line.text for line in chat.read(rooms.of_players(game.pk), reader).lines]


# Reading


def test_who_is_muted_is_not_read_neither_before_nor_after(game: Game, alice: User, bob: User) -> None:
    say(game, alice, "before")
    hearing.mute(bob, alice, now=LATER)
    say(game, alice, "after", LAST)
    say(game, bob, "mine", LAST)
    assert read_by(bob, game) == ["mine"]
    assert read_by(alice, game) == ["before", "after", "mine"]
    assert read_by(User(), game) == ["before", "after", "mine"]
    hearing.unmute(bob, alice)
    assert read_by(bob, game) == ["before", "after", "mine"]


def test_a_mute_holds_in_every_game_and_for_guests(alice: User) -> None:
    guest = User.guest("Guest")
    guest.save()
    hearing.mute(guest, alice, now=NOON)
    for seed in ("one", "another"):
        game = new_game(users=[alice, guest], seed=seed)
        say(game, alice, "Hello")
        assert read_by(guest, game) == []


def test_a_block_goes_both_ways_from_then_on(game: Game, alice: User, bob: User) -> None:
    for person in (alice, bob):
        say(game, person, f"{person} before")
    blocks.block(bob, alice, now=LATER)
    for person in (alice, bob):
        say(game, person, f"{person} after", LAST)
    assert read_by(bob, game) == ["bob before", "bob after"]
    # What was there stays: a page that changed under Alice's eyes would tell her.
    assert read_by(alice, game) == ["alice before", "bob before", "alice after"]
    assert read_by(User(), game) == ["alice before", "bob before", "alice after", "bob after"]


def test_a_block_ends_with_the_one_who_made_it_and_a_mute_beside_it_stays(game: Game, alice: User, bob: User) -> None:
    hearing.mute(bob, alice, now=NOON)
    blocks.block(bob, alice, now=NOON)
    say(game, alice, "Hello", LATER)
    blocks.unblock(alice, bob)
    assert blocks.kept_apart_from(alice) == {bob.pk}
    blocks.unblock(bob, alice)
    assert blocks.kept_apart_from(alice) == set()
    assert read_by(bob, game) == []


def test_a_moderator_sees_everything_in_the_admin(game: Game, alice: User, dana: User) -> None:
    User.objects.filter(pk=dana.pk).update(is_superuser=True)
    blocks.block(alice, dana, now=NOON)
    say(game, alice, "You cannot see me", LATER)
    assert "You cannot see me" in browser_of(dana).get("/admin/lobby/chatline/").content.decode()


def test_what_a_page_is_sent_live_is_what_it_reads_when_it_is_opened(game: Game, alice: User, bob: User) -> None:
    """Whoever has muted or blocked whom, and whenever a line was said."""
    for person, at in product((alice, bob), (NOON, LAST)):
        say(game, person, f"{person}, {at:%H:%M}", at)
    for muted, by_reader, by_speaker in product([False, True], repeat=3):
        if muted:
            hearing.mute(bob, alice, now=LATER)
        if by_reader:
            blocks.block(bob, alice, now=LATER)
        if by_speaker:
            blocks.block(alice, bob, now=LATER)
        deaf = hearing.deafness(bob.pk)
        live = [
            line.text for line in ChatLine.objects.order_by("number") if hearing.hears(deaf, line.user_id, line.said_at)
        ]
        assert live == read_by(bob, game)
        hearing.unmute(bob, alice)
        blocks.unblock(bob, alice)
        blocks.unblock(alice, bob)


def test_a_hundred_lines_of_somebody_muted_hide_nobody_else(game: Game, alice: User, bob: User) -> None:
    say(game, bob, "Hello")
    for number in range(101):
        say(game, alice, f"{number}", NOON + timedelta(seconds=10 * number))
    hearing.mute(bob, alice, now=LATER)
    assert read_by(bob, game) == ["Hello"]


# Limits


@pytest.mark.parametrize(("act", "model"), [(hearing.mute, Mute), (blocks.block, Block)])
def test_there_is_a_limit_and_twice_is_once(alice: User, act: Callable[..., None], model: Any) -> None:
    others = User.objects.bulk_create(User(username=f"user {number}") for number in range(301))
    model.objects.bulk_create(model(by=alice, whom=other, since=NOON) for other in others[:299])
    for _ in range(2):
        act(alice, others[299], now=NOON)
    with pytest.raises(Refusal, match="300 people"):
        act(alice, others[300], now=NOON)
    act(alice, others[299], now=NOON)
    assert model.objects.filter(by=alice).count() == 300


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_pressed_at_once_nobody_is_blocked_twice_and_the_limit_holds(alice: User, bob: User) -> None:
    others = User.objects.bulk_create(User(username=f"user {number}") for number in range(298))
    Block.objects.bulk_create(Block(by=alice, whom=other, since=NOON) for other in others)
    late = User.objects.bulk_create(User(username=f"late {number}") for number in range(3))
    presses = [bob, bob, *late]
    answers = all_at_once([lambda whom=whom: blocks.block(alice, whom, now=NOON) for whom in presses])  # type: ignore[misc]
    assert Block.objects.filter(by=alice).count() == 300
    assert sum(isinstance(answer, Refusal) for answer in answers) in (2, 3)


def test_nobody_mutes_or_blocks_themselves(alice: User) -> None:
    for model in (Mute, Block):
        with pytest.raises(IntegrityError), transaction.atomic():
            model.objects.create(by=alice, whom=alice, since=NOON)


# The people in a chat


def met(client: Client, address: str) -> dict[str, str]:
    """The people whom a page lists, and what its forms call them."""
    page = client.get(address)
    assert page.status_code == 200
    return {
        strip_tags(name): key
        for key, name in re.findall(r'data-person="(\w+)".*?<bdi>(.*?)</bdi>', page.content.decode(), re.DOTALL)
    }


def wish(client: Client, address: str, wanted: str, key: str) -> Any:
    return client.post(address, {"wish": wanted, "person": key})


def test_the_players_are_listed_whether_they_have_spoken_or_not(game: Game, alice: User, bob: User) -> None:
    assert met(signed_in(alice), f"/games/{game.pk}/chat/people/").keys() == {"Bob"}
    assert met(signed_in(bob), f"/games/{game.pk}/chat/people/").keys() == {"Alice"}


def test_whoever_said_the_line_that_was_pressed_comes_first(alice: User, bob: User, dana: User) -> None:
    game = new_game(users=[alice, bob, dana])
    say(game, dana, "Hello")
    room = rooms.of_players(game.pk)
    assert [person.name for person in people.in_room(room, alice)] == ["Charlie", "Bob"]
    say(game, bob, "Hi")
    first, second = people.in_room(room, alice, line=2)
    assert (first.name, first.is_meant, second.is_meant) == ("Bob", True, False)
    assert not any(person.is_meant for person in people.in_room(room, alice, line=4711))


def test_people_are_muted_and_blocked_from_the_chat_and_listed_on_a_page(game: Game, alice: User, bob: User) -> None:
    client, address = signed_in(bob), f"/games/{game.pk}/chat/people/"
    for wanted, muted, blocked in (
        ("mute", True, False),
        ("block", True, True),
        ("unmute", False, True),
        ("unblock", False, False),
    ):
        answer = wish(client, f"{address}?line=1", wanted, met(client, address)["Alice"])
        assert answer.headers["Location"] == f"{address}?line=1"
        assert (Mute.objects.exists(), Block.objects.exists()) == (muted, blocked)
        shown = met(client, "/people/blocked/")
        assert set(shown) == ({"alice"} if muted or blocked else set())
    assert "muted or blocked anybody" in client.get("/people/blocked/").content.decode()


def test_people_are_let_off_from_the_page_that_lists_them(alice: User, bob: User) -> None:
    client = signed_in(bob)
    hearing.mute(bob, alice, now=NOON)
    blocks.block(bob, alice, now=NOON)
    page = client.get("/people/blocked/").content.decode()
    assert ('value="unblock"' in page, 'value="block"' in page) == (True, False)
    for wanted in ("unblock", "unmute"):
        wish(client, "/people/blocked/", wanted, met(client, "/people/blocked/")["alice"])
    assert not Mute.objects.exists()
    assert not Block.objects.exists()


def test_nobody_is_found_by_a_key_that_is_not_the_readers_own(game: Game, alice: User, bob: User, dana: User) -> None:
    address = f"/games/{game.pk}/chat/people/"
    stolen = met(signed_in(bob), address)["Alice"]
    elsewhere = people._key(bob, dana.pk)
    for client, key in (
        (signed_in(dana), stolen),
        (signed_in(bob), elsewhere),
        (signed_in(bob), people._key(bob, bob.pk)),
        (signed_in(bob), f"{alice.pk}"),
        (signed_in(bob), ""),
        (signed_in(bob), "ä"),
    ):
        answer = wish(client, address, "block", key)
        assert answer.status_code == 409
        assert "This person is no longer here." in answer.content.decode()
        assert wish(client, "/people/blocked/", "block", key).status_code == 409
    assert not Block.objects.exists()


def test_nonsense_is_a_clear_refusal(game: Game, alice: User, bob: User) -> None:
    client, address = signed_in(bob), f"/games/{game.pk}/chat/people/"
    key = met(client, address)["Alice"]
    for wanted in ("", "ban", "MUTE"):
        assert wish(client, address, wanted, key).status_code == 400
    assert wish(Client(), address, "mute", key).status_code == 403
    assert wish(Client(), "/people/blocked/", "mute", key).status_code == 403
    for line in ("x", "-1", "9" * 30):
        assert client.get(address, {"line": line}).status_code == 400
    assert client.put(address).status_code == client.put("/people/blocked/").status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(bob)
    assert wish(strict, address, "mute", key).status_code == 403
    assert not Mute.objects.exists()


def test_a_stranger_sees_who_is_there_and_has_no_buttons(game: Game) -> None:
    page = Client().get(f"/games/{game.pk}/chat/people/").content.decode()
    assert "Alice" in page
    assert 'name="wish"' not in page
    assert Client().get("/people/blocked/").status_code == 200


# Nobody learns that they are blocked


def test_who_is_blocked_sees_the_same_page_of_people(alice: User, bob: User, dana: User) -> None:
    game = new_game(users=[alice, bob])
    address = f"/games/{game.pk}/chat/people/"
    before = met(signed_in(alice), address)
    blocks.block(bob, alice, now=NOON)
    assert met(signed_in(alice), address) == before
    page = signed_in(alice).get(address).content.decode()
    assert 'class="badge"' not in page
    assert "anybody" in signed_in(alice).get("/people/blocked/").content.decode()


def test_a_watcher_who_has_blocked_somebody_is_not_listed_to_them(game: Game, dana: User) -> None:
    reader = User.guest("Reader")
    reader.save()
    room = rooms.of_watchers(game.pk)
    blocks.block(dana, reader, now=NOON)
    chat.say(room, dana, "Hello", now=LATER)
    assert chat.read(room, reader).lines == []
    for line in (None, 1):
        assert people.in_room(room, reader, line) == []


# Tables


@pytest.fixture
def table(alice: User) -> Table:
    return services.open_table(alice, "Alice", PRESETS["standard"], "balanced", None, now=NOON)


def test_nobody_sits_down_beside_somebody_whom_they_are_kept_apart_from(table: Table, alice: User, bob: User) -> None:
    blocks.block(alice, bob, now=NOON)
    with pytest.raises(Refusal) as refusal:
        services.sit_down(table.code, bob, "Bob")
    assert refusal.value.sentence == "You can’t sit down at this table: play at another one, or open your own."
    assert "block" not in refusal.value.sentence
    blocks.unblock(alice, bob)
    services.sit_down(table.code, bob, "Bob")


def test_who_blocked_somebody_is_told_why_they_cannot_sit_there(table: Table, alice: User, bob: User) -> None:
    blocks.block(bob, alice, now=NOON)
    with pytest.raises(Refusal, match="You have blocked somebody who sits here"):
        services.sit_down(table.code, bob, "Bob")
    assert not table.chairs.filter(user=bob).exists()


@pytest.mark.parametrize("who_blocks", ["the host", "the invited"])
def test_a_block_ends_the_invitations_between_the_two(
    table: Table, game: Game, alice: User, bob: User, dana: User, who_blocks: str
) -> None:
    for number, invited in ((1, bob), (2, dana)):
        Chair.objects.filter(table=table, number=number).update(user=invited, name=invited.username, kept=True)
    by, whom = (alice, bob) if who_blocks == "the host" else (bob, alice)
    browser = signed_in(by)
    page = browser.get(f"/games/{game.pk}/chat/people/").content.decode()
    [key] = re.findall('name="person" value="([0-9a-f]+)"', page)
    browser.post(f"/games/{game.pk}/chat/people/", {"wish": "block", "person": key})
    assert Block.objects.filter(by=by, whom=whom).exists()
    assert [(chair.is_free, chair.kept) for chair in table.chairs.all()[:3]] == [
        (False, False),
        (True, False),
        (False, True),
    ]
    assert "invites you" not in signed_in(bob).get("/").content.decode()


def test_those_who_sit_together_already_may_change_chairs(table: Table, alice: User, bob: User) -> None:
    services.sit_down(table.code, bob, "Bob", 1)
    blocks.block(alice, bob, now=NOON)
    services.sit_down(table.code, bob, "Bob", 2)
    assert table.chairs.get(user=bob).number == 2


@pytest.mark.parametrize("who_blocks", ["who asks", "the other"])
def test_a_rematch_keeps_no_chair_for_somebody_apart_from_who_asks(
    alice: User, bob: User, dana: User, who_blocks: str
) -> None:
    game = new_game(users=[alice, bob, dana])
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABORTED)
    by, whom = (alice, bob) if who_blocks == "who asks" else (bob, alice)
    blocks.block(by, whom, now=NOON)
    table = services.open_rematch(game.pk, alice, now=NOON)
    chairs = {chair.number: chair for chair in table.chairs.all()}
    assert (chairs[0].user, chairs[1].is_free, chairs[2].user, chairs[2].kept) == (alice, True, dana, True)
    # Whoever comes after all finds the table, as a stranger would, and no chair.
    assert services.open_rematch(game.pk, bob, now=NOON) == table
    with pytest.raises(Refusal):
        services.sit_down(table.code, bob, "Bob")
