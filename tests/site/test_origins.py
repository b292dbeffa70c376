"""Whose pages may open a socket."""

import pytest
from asgiref.sync import async_to_sync
from django.conf import LazySettings
from django.test import Client

from lobby.models import User
from tests.sockets import Socket

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def danas(client: Client, dana: User, settings: LazySettings) -> Client:
    settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost", "catan.example", "[::1]"]
    client.force_login(dana)
    return client


@async_to_sync
async def is_let_in(socket: Socket) -> bool:
    let_in = await socket.open()
    await socket.close()
    return let_in


@pytest.mark.parametrize(
    ("scheme", "host", "origin"),
    [
        ("ws", "127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("ws", "localhost", "http://localhost"),
        ("ws", "[::1]:8000", "http://[::1]:8000"),
        ("wss", "catan.example", "https://catan.example"),
        ("wss", "catan.example:8443", "https://catan.example:8443"),
    ],
)
def test_a_page_of_this_site_gets_its_line(danas: Client, scheme: str, host: str, origin: str) -> None:
    assert is_let_in(Socket(danas, "/ws/status/", origin=origin, host=host, scheme=scheme))


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:9000"),
        ("127.0.0.1:8000", "http://127.0.0.1"),
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("127.0.0.1:8000", "http://localhost:8000"),
        ("catan.example", "https://catan.example"),
        ("catan.example", "http://elsewhere.example"),
        ("elsewhere.example", "http://elsewhere.example"),
        ("catan.example", "null"),
        ("catan.example", ""),
        ("catan.example", "http://["),
    ],
    ids=[
        "another port",
        "the usual port",
        "an unusual port",
        "another name",
        "another scheme",
        "another site",
        "another site under a name of its own",
        "a page without an origin",
        "no page",
        "nonsense",
    ],
)
def test_no_other_page_gets_a_line_in_danas_name(danas: Client, host: str, origin: str) -> None:
    assert not is_let_in(Socket(danas, "/ws/status/", origin=origin, host=host))


def test_origins_that_forms_are_taken_from_get_a_line_too(danas: Client, settings: LazySettings) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://play.example:8443", "https://*.catan.example"]
    for origin, let_in in {
        "https://play.example:8443": True,
        "https://www.catan.example": True,
        "https://play.example": False,
        "http://play.example:8443": False,
        "https://www.catan.example:8443": False,
        "https://notcatan.example": False,
    }.items():
        assert is_let_in(Socket(danas, "/ws/status/", origin=origin, host="catan.example")) == let_in, origin


@pytest.mark.parametrize("path", ["/ws/", "/ws/nowhere/", "/ws/games/x/", "/ws/games/1/chat/x/", "/elsewhere/", "/"])
def test_a_socket_that_is_not_there_closes_and_says_so(danas: Client, path: str) -> None:
    @async_to_sync
    async def scenario() -> object:
        socket = Socket(danas, path)
        await socket.open()
        said = await socket.line.receive_output(10)
        await socket.close()
        return said

    assert scenario() == {"type": "websocket.close", "code": 4404}
