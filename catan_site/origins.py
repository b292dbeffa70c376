"""Who may open a socket: pages of this site, and programs with a token."""

from typing import Any, Final

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, WebSocketScope
from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils.http import is_same_domain

from api import tokens

PAGES_OF_SOCKETS: Final = {"ws": "http", "wss": "https"}


class OwnPagesOnly:
    """An ASGI application that opens its sockets to pages of its own site, by the rule Django has for forms, and to
    programs.

    A socket is not bound by the same-origin policy: without this check, any page that a signed-in person
    visits could open one in their name. Channels' own check of ALLOWED_HOSTS compares names alone, so a page
    from another port of the same machine would pass (github.com/django/channels/issues/929); and its list of
    whole origins cannot know by which of its names and ports a site is visited.

    A program sends its token in a header, which no page can set on a socket, and it is on no page: no browser leaves
    the origin out. With a token, a cookie does not count (visitors.py).
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: WebSocketScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        is_welcome = comes_from_own_page(scope) or comes_from_program(scope)
        application: Any = self.application if is_welcome else WebsocketDenier()
        await application(scope, receive, send)


def comes_from_own_page(scope: WebSocketScope) -> bool:
    headers = {name: value.decode("latin1").lower() for name, value in scope["headers"]}
    origin, host = headers.get(b"origin", ""), headers.get(b"host", "")
    scheme = PAGES_OF_SOCKETS[scope.get("scheme") or "ws"]
    # The host is checked too: pages of somebody else's name that leads to this machine have that name as host.
    if origin == f"{scheme}://{host}" and validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return True
    return any(_is_trusted(origin, trusted.lower()) for trusted in settings.CSRF_TRUSTED_ORIGINS)


def comes_from_program(scope: WebSocketScope) -> bool:
    """What its token is worth is asked later."""
    headers = scope["headers"]
    return tokens.is_bearers(tokens.authorization(headers)) and all(name != b"origin" for name, _ in headers)


def _is_trusted(origin: str, trusted: str) -> bool:
    """By an entry of CSRF_TRUSTED_ORIGINS, where an asterisk stands for all subdomains."""
    scheme, _, address = origin.partition("://")
    trusted_scheme, _, trusted_address = trusted.partition("://")
    return scheme == trusted_scheme and is_same_domain(address, trusted_address.removeprefix("*"))
