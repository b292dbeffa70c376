"""Who may come to a table and who may watch its game: public, by link, or for invited names."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from games import services as game_services
from games.models import Game
from games.rules import Refusal
from games.rules.refusals import TooFast
from lobby import arranging, blocks, chat, rooms, services
from lobby.models import Block, Chair, Table, User
from tests.lobby.conftest import names_at, opened, sit
from tests.sockets import PATIENCE, Socket

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(db: None) -> User:
    """Somebody with an account."""
    return User.objects.create_user("bob-signs-in", name="Bob")


@pytest.fixture
def bob_browser(bob: User) -> Client:
    browser = Client()
    browser.force_login(bob)
    return browser


@pytest.fixture
def secret(alice_browser: Client) -> Table:
    """Alice's table for invited people."""
    return opened(alice_browser, preset="standard", visibility="invited")


def invite(browser: Client, table: Table, name: str) -> str:
    return browser.post(f"/t/{table.code}/invite/", {"name": name}, follow=True).content.decode()


# Who sees a table


def test_a_table_is_for_whoever_has_the_link_unless_its_host_says_otherwise(table: Table, client: Client) -> None:
    assert (table.visibility, table.bots_allowed, table.spectators_allowed) == ("link", True, True)
    assert f"/t/{table.code}/" not in client.get("/").content.decode()


def test_a_public_table_lies_open_on_the_front_page(alice_browser: Client, client: Client) -> None:
    table = opened(alice_browser, preset="standard", visibility="public", pace="fast")
    page = client.get("/").content.decode()
    assert f'href="/t/{table.code}/"' in page
    assert "<bdi>Alice</bdi>’s table" in page
    assert "<span>Fast</span>" in page
    assert "Rated" not in page
    Table.objects.update(rated=True)
    assert "Rated" in client.get("/").content.decode()


@pytest.mark.parametrize("what", ["", "now/", "picture.png", "options/"])
def test_a_secret_table_is_not_there_for_those_who_are_not_invited(secret: Table, client: Client, what: str) -> None:
    assert client.get(f"/t/{secret.code}/{what}").status_code == 404


@pytest.mark.parametrize(
    ("what", "sent"),
    [
        ("sit-down", {"name": "Eve", "chair": "1"}),
        ("stand-up", {}),
        ("add-bot", {"chair": "1"}),
        ("free-chair", {"chair": "0"}),
        ("start", {"fill_with_bots": "yes"}),
        ("ready", {}),
        ("swap", {"chair": "0", "other": "1"}),
        ("hand-over", {"chair": "1"}),
        ("invite", {"name": "Bob"}),
        ("options", {"preset": "online"}),
    ],
)
def test_nothing_can_be_done_at_a_secret_table_by_those_who_are_not_invited(
    secret: Table, client: Client, what: str, sent: dict[str, str]
) -> None:
    before = list(Table.objects.values()), list(Chair.objects.values())
    assert client.post(f"/t/{secret.code}/{what}/", sent).status_code == 404
    assert (list(Table.objects.values()), list(Chair.objects.values())) == before
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_secret_table_has_no_socket_for_those_who_are_not_invited(
    secret: Table, client: Client, alice_browser: Client
) -> None:
    @async_to_sync
    async def first_frame(browser: Client) -> Any:
        socket = Socket(browser, f"/ws/tables/{secret.code}/")
        await socket.open()
        frame = await socket.line.receive_output(PATIENCE)
        await socket.close()
        return frame.get("code"), frame.get("text")

    assert first_frame(client) == (4404, None)
    assert first_frame(alice_browser) == (None, json.dumps({"version": 0, "chat": 0, "waiting": 0}))


@pytest.mark.django_db(transaction=True)
def test_whoever_is_asked_to_leave_a_secret_table_hears_nothing_more_of_it(
    secret: Table, alice_browser: Client, bob: User
) -> None:
    host = Chair.objects.get(table=secret, number=0).user
    assert host is not None
    Chair.objects.filter(table=secret, number=1).update(user=bob, name="bob")
    bob_browser = Client()
    bob_browser.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")

    @async_to_sync
    async def scenario() -> tuple[Any, int]:
        hosts, bobs = (Socket(browser, f"/ws/tables/{secret.code}/") for browser in (alice_browser, bob_browser))
        for socket in (hosts, bobs):
            await socket.open()
            await socket.receive()
        await database_sync_to_async(services.free_chair)(secret.code, host, 1)
        room = await database_sync_to_async(rooms.of_table)(secret.code)
        await database_sync_to_async(chat.say)(room, host, "At last!", now=timezone.now())
        heard = [await hosts.receive(), await hosts.receive()]
        await hosts.close()
        return heard, await bobs.closed_with()

    heard, closed_with = scenario()
    assert heard[0] == {"version": 1}
    assert heard[1]["chat"]["line"]["text"] == "At last!"
    assert closed_with == 4404


def test_those_who_sit_at_a_table_that_becomes_secret_stay(
    table: Table, alice_browser: Client, visitors: Callable[[], Client]
) -> None:
    guest = visitors()
    sit(guest, table, "Eve")
    alice_browser.post(f"/t/{table.code}/options/", {"preset": "standard", "visibility": "invited"})
    assert guest.get(f"/t/{table.code}/").status_code == 200
    assert guest.post(f"/t/{table.code}/stand-up/").headers["Location"] == "/"
    assert guest.get(f"/t/{table.code}/").status_code == 404


# Invitations


def test_an_invited_person_sees_it_on_the_front_page_and_sits_down(
    secret: Table, alice_browser: Client, bob_browser: Client
) -> None:
    assert re.search(r"Kept for <a [^>]+><bdi>Bob</bdi></a>", invite(alice_browser, secret, " bob "))
    front = bob_browser.get("/").content.decode()
    assert "<bdi>Alice</bdi> invites you" in front
    assert bob_browser.get(f"/t/{secret.code}/").status_code == 200
    bob_browser.post(f"/t/{secret.code}/sit-down/")
    assert Chair.objects.get(table=secret, number=1).is_person
    assert "invites you" not in bob_browser.get("/").content.decode()


def test_declining_frees_the_chair_and_closes_the_door(
    secret: Table, alice_browser: Client, bob_browser: Client
) -> None:
    invite(alice_browser, secret, "Bob")
    assert bob_browser.post(f"/t/{secret.code}/stand-up/").headers["Location"] == "/"
    assert names_at(secret) == ["Alice", "", "", ""]
    assert bob_browser.get(f"/t/{secret.code}/").status_code == 404
    assert "invites you" not in bob_browser.get("/").content.decode()


def test_a_host_who_leaves_takes_the_invitations_along(
    secret: Table, alice_browser: Client, bob_browser: Client
) -> None:
    invite(alice_browser, secret, "Bob")
    alice_browser.post(f"/t/{secret.code}/stand-up/")
    assert not Table.objects.exists()
    assert "invites you" not in bob_browser.get("/").content.decode()


def test_nobody_can_tell_an_unknown_name_from_somebody_who_cannot_be_invited(
    table: Table, alice_browser: Client, bob: User
) -> None:
    User.objects.create_user("sign-in-name")
    User.objects.create_user("gone", name="Gone", is_active=False)
    User.guest("Visitor").save()
    away = User.objects.create_user("away", name="Away")
    Block.objects.create(by=away, whom=table.host, since=timezone.now())
    assert blocks.kept_apart_from(table.host) == {away.pk}
    nobody = {
        name: arranging.NOT_TO_BE_INVITED in invite(alice_browser, table, name)
        for name in ("Nobody", "sign-in-name", "bob-signs-in", "Gone", "Visitor", "Away", "Alice", "%", "B_b")
    }
    assert nobody == dict.fromkeys(nobody, True)
    assert names_at(table) == ["Alice", "", "", ""]
    assert arranging.NOT_TO_BE_INVITED not in invite(alice_browser, table, "Bob")


@pytest.mark.parametrize("name", ["", " ", "\x00", "x" * 2000])
def test_an_invitation_without_a_proper_name_is_refused_in_words(
    table: Table, alice_browser: Client, name: str
) -> None:
    assert "Problem:" in invite(alice_browser, table, name)
    assert names_at(table) == ["Alice", "", "", ""]


def test_nobody_is_invited_twice_or_to_a_full_table(table: Table, alice_browser: Client, bob: User) -> None:
    invite(alice_browser, table, "Bob")
    assert "already have a chair" in invite(alice_browser, table, "Bob")
    for chair in (2, 3):
        alice_browser.post(f"/t/{table.code}/add-bot/", {"chair": chair})
    assert "No chair is free" in invite(alice_browser, table, "Bob")
    assert Chair.objects.filter(kept=True).count() == 1


def test_nobody_guesses_at_names_without_end(table: Table, settings: LazySettings) -> None:
    settings.INVITATIONS_AN_HOUR = 3
    # In an hour of its own: another test's host may have the same number.
    now = datetime(2001, 1, 1, 12, 20, tzinfo=UTC)
    for _ in range(3):
        with pytest.raises(Refusal, match="Nobody with that account name"):
            arranging.invite(table.code, table.host, "Nobody", now=now)
    with pytest.raises(TooFast) as refusal:
        arranging.invite(table.code, table.host, "Nobody", now=now)
    assert refusal.value.retry_after == 40 * 60


# Bots and spectators


def test_a_table_without_bots_takes_none(alice_browser: Client) -> None:
    table = opened(alice_browser, preset="standard", bots="no")
    for what, sent in (("add-bot", {"chair": "1"}), ("start", {"fill_with_bots": "yes"})):
        page = alice_browser.post(f"/t/{table.code}/{what}/", sent, follow=True).content.decode()
        assert "plays without bots" in page
        assert "Fill with" not in page
    assert names_at(table) == ["Alice", "", "", ""]
    assert not Game.objects.exists()


def test_bots_that_sit_there_and_a_table_without_bots_contradict_each_other(
    table: Table, alice_browser: Client
) -> None:
    alice_browser.post(f"/t/{table.code}/add-bot/", {"chair": "1"})
    before = Table.objects.values().get()
    page = alice_browser.post(f"/t/{table.code}/options/", {"preset": "online", "bots": "no"}).content.decode()
    assert "Bots sit at this table" in page
    assert Table.objects.values().get() == before


@pytest.mark.parametrize("option", ["visibility", "bots", "spectators"])
def test_a_forged_option_is_refused_in_words(table: Table, alice_browser: Client, option: str) -> None:
    before = Table.objects.values().get()
    page = alice_browser.post(f"/t/{table.code}/options/", {"preset": "standard", option: "perhaps"}).content.decode()
    assert "Problem:" in page
    assert Table.objects.values().get() == before


def test_options_keep_the_company_that_they_do_not_name(alice_browser: Client) -> None:
    table = opened(alice_browser, preset="standard", visibility="invited", bots="no", spectators="no")
    alice_browser.post(f"/t/{table.code}/options/", {"preset": "online"})
    table.refresh_from_db()
    assert table.rule_set.preset == "online"
    assert (table.visibility, table.bots_allowed, table.spectators_allowed) == ("invited", False, False)


@pytest.fixture
def closed_game(alice_browser: Client) -> Game:
    """A game that Alice plays against bots, behind closed doors."""
    table = opened(alice_browser, preset="standard", spectators="no")
    alice_browser.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes"})
    return Game.objects.get()


PAGES_OF_A_GAME = {
    "/games/{}/": 403,
    "/games/{}/statistics/": 403,
    "/games/{}/chat/": 403,
    "/api/v1/games/{}/chat/": 404,
    "/api/v1/games/{}/": 404,
    "/api/v1/games/{}/moves/": 404,
    "/games/{}/picture.png": 404,
}


@pytest.mark.parametrize("address", PAGES_OF_A_GAME)
def test_a_game_behind_closed_doors_is_shown_to_nobody_without_a_seat(
    closed_game: Game, alice_browser: Client, dana: User, address: str
) -> None:
    staff = Client()
    staff.force_login(dana)
    for browser in (Client(), staff):
        assert browser.get(address.format(closed_game.pk)).status_code == PAGES_OF_A_GAME[address]
    if "picture" not in address:
        assert alice_browser.get(address.format(closed_game.pk)).status_code == 200


def test_who_comes_to_closed_doors_is_told_so(closed_game: Game, client: Client) -> None:
    assert "only those who play it can see it" in client.get(f"/games/{closed_game.pk}/").content.decode()
    assert client.get(f"/api/v1/games/{closed_game.pk}/").json()["code"] == "no_such_game"


def test_who_has_left_a_game_behind_closed_doors_may_still_see_it(closed_game: Game, alice_browser: Client) -> None:
    game_services.withdraw(closed_game.pk, 0, now=timezone.now())
    assert alice_browser.get(f"/games/{closed_game.pk}/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_game_behind_closed_doors_has_no_socket_for_those_without_a_seat(
    closed_game: Game, client: Client, alice_browser: Client
) -> None:
    @async_to_sync
    async def is_let_in(browser: Client) -> bool:
        socket = Socket(browser, f"/ws/games/{closed_game.pk}/")
        await socket.open()
        frame = await socket.line.receive_output(PATIENCE)
        await socket.close()
        return bool(frame["type"] == "websocket.send")

    assert not is_let_in(client)
    assert is_let_in(alice_browser)


def test_a_game_is_open_to_everybody_unless_its_table_said_otherwise(alice_browser: Client, client: Client) -> None:
    table = opened(alice_browser, preset="standard")
    alice_browser.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes"})
    assert client.get(f"/games/{Game.objects.get().pk}/").status_code == 200


@pytest.mark.parametrize(("before", "after"), [("public", "link"), ("link", "link"), ("invited", "invited")])
def test_a_rematch_is_played_in_the_same_company_and_is_never_public(
    alice_browser: Client, before: str, after: str
) -> None:
    table = opened(alice_browser, preset="standard", visibility=before, spectators="no")
    alice_browser.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes"})
    game = Game.objects.get()
    game_services.abort(game.pk, now=timezone.now())
    alice_browser.post(f"/t/rematch/{game.pk}/")
    rematch = Table.objects.get(rematch_of=game)
    assert (rematch.visibility, rematch.spectators_allowed) == (after, False)
