"""How many sockets are let in: so many at a time, and so many of one session or token, of one address, and in all.

After a restart every page comes back. Whoever would have to wait long is told to try again later, and the pages then
come spread out (static/site/socket.js). A socket that was left waiting would give up by itself, after work was done
for it in vain. What a browser can read of a refusal is the code of a socket that closes, so each is opened first.
"""

import asyncio
import resource
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any, Final

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, WebSocketScope

from api import tokens
from catan_site import away
from catan_site.seldom import Seldom
from catan_site.visitors import session_key
from lobby.limits import household

TRY_AGAIN_LATER: Final = 1013
TOO_MANY: Final = 4429

#: Sockets that have come and have not been greeted yet.
ARRIVING_AT_ONCE: Final = 50
#: Seconds that one of them waits, if the database hangs, say.
GREETED_WITHIN: Final = 10.0
#: A page has one socket or two, and an address may be a school's. Each process counts its own.
OF_A_SESSION: Final = 20
OF_AN_ADDRESS: Final = 300
#: Files that a process needs for everything but sockets.
OTHER_FILES: Final = 100

not_now = Seldom("sockets_told_to_come_later")
too_many = Seldom("too_many_sockets_of_one_visitor")
cut = Seldom("sockets_cut")


class Doorway:
    """An ASGI application that stands before the sockets of another."""

    def __init__(self, application: Any) -> None:
        self.application = application
        self.arriving = 0
        self.inside = 0
        self.inside_of: Counter[str] = Counter()

    async def __call__(self, scope: WebSocketScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        limits = _limits(scope)
        if self.arriving >= ARRIVING_AT_ONCE or self.inside >= _room():
            not_now.say()
            await Line(send).cut(TRY_AGAIN_LATER)
        elif any(self.inside_of[whose] >= most for whose, most in limits.items()):
            too_many.say()
            await Line(send).cut(TOO_MANY)
        else:
            with self._counted(limits):
                await self._let_in(scope, receive, send)

    @contextmanager
    def _counted(self, limits: dict[str, int]) -> Iterator[None]:
        self.inside += 1
        self.inside_of.update(limits.keys())
        try:
            yield
        finally:
            self.inside -= 1
            for whose in limits:
                self.inside_of[whose] -= 1
                if not self.inside_of[whose]:
                    del self.inside_of[whose]

    async def _let_in(self, scope: WebSocketScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        line = Line(send, self._note_greeting)
        self.arriving += 1
        try:
            await self.application(scope, receive, line.say)
        except Exception as error:
            part = away.part(error)
            if part is None:
                raise
            cut.say(part=part, error=type(error).__name__)
            await line.cut(TRY_AGAIN_LATER)
        finally:
            line.greet()

    def _note_greeting(self) -> None:
        self.arriving -= 1


class Line:
    """A socket that has come: what is said to it, until it is greeted and after."""

    def __init__(self, send: ASGISendCallable, on_greeting: Callable[[], None] = lambda: None) -> None:
        self.send, self.on_greeting = send, on_greeting
        self.is_open = self.is_greeted = self.is_closed = False
        self.limit = asyncio.get_running_loop().call_later(GREETED_WITHIN, self._give_up)

    async def say(self, message: Any) -> None:
        if self.is_closed:
            # By us; the application does not know yet.
            return
        kind = message["type"]
        self.is_open = self.is_open or kind == "websocket.accept"
        self.is_closed = kind == "websocket.close"
        if kind in ("websocket.send", "websocket.close"):
            self.greet()
        await self.send(message)

    def greet(self) -> None:
        if not self.is_greeted:
            self.is_greeted = True
            self.limit.cancel()
            self.on_greeting()

    async def cut(self, code: int) -> None:
        if not self.is_open:
            await self.say({"type": "websocket.accept", "subprotocol": None, "headers": []})
        await self.say({"type": "websocket.close", "code": code, "reason": None})

    def _give_up(self) -> None:
        not_now.say()
        self.giving_up = asyncio.ensure_future(self.cut(TRY_AGAIN_LATER))


def _room() -> int:
    """Sockets that this process may hold: when it is out of files, it can open none to the database either."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] - OTHER_FILES


def _limits(scope: WebSocketScope) -> dict[str, int]:
    """To whom a socket belongs, and how many such they may have."""
    limits = {}
    whose = _token(scope) or _session(scope)
    if whose:
        limits[whose] = OF_A_SESSION
    address = (scope.get("client") or ("", 0))[0]
    if address and not _is_this_machine(address):
        limits[f"address {household(address)}"] = OF_AN_ADDRESS
    return limits


def _token(scope: WebSocketScope) -> str:
    """By a part of its hash: what is counted here may be told in a line of the log."""
    try:
        text = tokens.carried(tokens.authorization(scope["headers"]))
    except tokens.BadToken:
        return ""
    return f"token {tokens.digest(text)[:16]}" if text else ""


def _session(scope: WebSocketScope) -> str:
    key = session_key(scope)
    return f"session {key}" if key else ""


def _is_this_machine(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
