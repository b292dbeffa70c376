"""The status page: for staff, with a socket of its own."""

import asyncio
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from catan_site.tasks import answer_round_trip, note_heartbeat
from lobby.models import User
from tests.sockets import Socket

ADDRESS = "/ws/status/"


@async_to_sync
async def is_let_in(socket: Socket) -> bool:
    let_in = await socket.open()
    await socket.close()
    return let_in


def test_a_stranger_is_asked_to_sign_in(client: Client) -> None:
    assert client.get("/status/").headers["Location"] == "/sign-in/?next=/status/"
    assert client.post("/status/round-trip/").status_code == 302


def test_a_player_is_refused(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert client.get("/status/").status_code == 403
    assert client.post("/status/round-trip/", {"line": "x"}).status_code == 403


def test_staff_sees_which_parts_answer(client: Client, dana: User) -> None:
    client.force_login(dana)
    note_heartbeat()
    page = client.get("/status/")
    assert [(part.name, part.ok) for part in page.context["parts"]] == [
        ("database", True),
        ("channel_layer", True),
        ("broker", True),
    ]
    assert page.context["heartbeat_age"] is not None


@pytest.mark.django_db(transaction=True)
def test_only_staff_gets_a_line(client: Client, alice: User, dana: User) -> None:
    assert not is_let_in(Socket(client, ADDRESS))
    client.force_login(alice)
    assert not is_let_in(Socket(client, ADDRESS))
    client.force_login(dana)
    assert is_let_in(Socket(client, ADDRESS))


@pytest.mark.django_db(transaction=True)
def test_a_page_of_another_site_gets_no_line_in_danas_name(client: Client, dana: User) -> None:
    client.force_login(dana)
    assert not is_let_in(Socket(client, ADDRESS, origin="https://elsewhere.example"))


@pytest.mark.django_db(transaction=True)
def test_an_answer_reaches_the_line_that_asked_and_no_other(client: Client, dana: User) -> None:
    client.force_login(dana)

    @async_to_sync
    async def scenario() -> tuple[Any, bool]:
        asking, other = Socket(client, ADDRESS), Socket(client, ADDRESS)
        lines = []
        for socket in (asking, other):
            await socket.open()
            lines.append((await socket.receive())["line"])
        await asyncio.to_thread(answer_round_trip, lines[0])
        heard = await asking.receive(), await other.hears_nothing()
        for socket in (asking, other):
            await socket.close()
        return heard

    assert scenario() == ({"kind": "answered"}, True)


def test_without_a_line_the_button_explains_itself(client: Client, dana: User) -> None:
    client.force_login(dana)
    page = client.post("/status/round-trip/", follow=True)
    assert "no live connection" in page.content.decode()


def test_a_line_that_is_none_is_refused(client: Client, dana: User) -> None:
    client.force_login(dana)
    assert client.post("/status/round-trip/", {"line": "nonsense"}).status_code == 400


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_the_machines_that_watch_get_an_answer(client: Client, transactional_db: None, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")
