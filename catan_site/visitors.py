"""Who has opened a socket."""

from typing import Any

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, WebSocketScope
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, parse_cookie
from django.utils import timezone

from api import tokens
from api.models import Token
from api.stream import UNKNOWN
from catan_site.consumers import ShutOutConsumer, TooOftenConsumer, UnknownConsumer
from catan_site.sessions import SessionStore
from games.consumers import in_a_thread
from games.rules.refusals import TooFast
from lobby import restrictions
from lobby.models import User


class Known:
    """An ASGI application that tells another who it has to do with, and keeps out those to whom the site is closed.

    Channels has one too, which reads session and user in the one thread that all sockets share: after a restart
    hundreds come back at once.
    """

    def __init__(self, application: Any) -> None:
        self.application = application
        self.door: Any = ShutOutConsumer.as_asgi()
        self.unknown: Any = UnknownConsumer.as_asgi()
        self.too_often: Any = TooOftenConsumer.as_asgi()

    async def __call__(self, scope: WebSocketScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        header = tokens.authorization(scope["headers"])
        if tokens.is_bearers(header):
            await self._let_program_in(header, scope, receive, send)
            return
        key = session_key(scope)
        user = await in_a_thread(_user_of)(key) if key else AnonymousUser()
        is_shut_out = isinstance(user, User) and restrictions.is_banned(user, timezone.now())
        application = self.door if is_shut_out else self.application
        await application({**scope, "user": user, "token": None}, receive, send)

    async def _let_program_in(
        self, header: bytes, scope: WebSocketScope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """It is whoever its token says and nobody else, a session beside it or not."""
        try:
            address = (scope.get("client") or ("", 0))[0]
            token = await in_a_thread(tokens.named_in)(header, address, timezone.now())
        except TooFast:
            await self.too_often(scope, receive, send)
        except tokens.BadToken:
            await self.unknown(scope, receive, send)
        except restrictions.Banned:
            await self.door(scope, receive, send)
        else:
            known = {**scope, "user": token.person, "token": token.pk}
            await self.application(known, receive, _while_it_counts(token, send))


def _while_it_counts(token: Token, send: Any) -> Any:
    """The race: a token is revoked just after it was looked at, and before the socket listens for its person to be
    recalled. By what it says first, it does."""
    is_known_to_count = False

    async def say(message: Any) -> None:
        nonlocal is_known_to_count
        if message["type"] == "websocket.send" and not is_known_to_count:
            is_known_to_count = await in_a_thread(tokens.still_counts)(token)
            if not is_known_to_count:
                message = {"type": "websocket.close", "code": UNKNOWN, "reason": None}
        await send(message)

    return say


def session_key(scope: WebSocketScope) -> str | None:
    cookies = b";".join(value for name, value in scope["headers"] if name == b"cookie")
    return parse_cookie(cookies.decode("latin1")).get(settings.SESSION_COOKIE_NAME)


def _user_of(key: str) -> Any:
    request = HttpRequest()
    request.session = SessionStore(key)
    return get_user(request)
