"""Who has opened a socket."""

from typing import Any

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, WebSocketScope
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, parse_cookie
from django.utils import timezone

from catan_site.consumers import ShutOutConsumer
from catan_site.sessions import SessionStore
from games.consumers import in_a_thread
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

    async def __call__(self, scope: WebSocketScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        key = session_key(scope)
        user = await in_a_thread(_user_of)(key) if key else AnonymousUser()
        is_shut_out = isinstance(user, User) and restrictions.is_banned(user, timezone.now())
        application = self.door if is_shut_out else self.application
        await application({**scope, "user": user}, receive, send)


def session_key(scope: WebSocketScope) -> str | None:
    cookies = b";".join(value for name, value in scope["headers"] if name == b"cookie")
    return parse_cookie(cookies.decode("latin1")).get(settings.SESSION_COOKIE_NAME)


def _user_of(key: str) -> Any:
    request = HttpRequest()
    request.session = SessionStore(key)
    return get_user(request)
