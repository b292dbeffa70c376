"""The one way from the server's code to browsers: everything that is pushed goes through `send`.

Tasks and views run in threads; sockets live in the server's event loop. The channel layer in memory does not
wake that loop when another thread puts a message into it, so a browser would get its message only when the
loop next does something else, seconds later. Every send is therefore handed to a loop that wakes up for it:
the server's, or in a process that serves nobody (a Celery worker) a loop in a thread of our own.
"""

import asyncio
import json
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from datetime import datetime
from typing import Any, Literal

import structlog
from channels import DEFAULT_CHANNEL_LAYER
from channels.layers import channel_layers
from typing_extensions import ReadOnly, TypedDict

log = structlog.get_logger(__name__)

LIMIT = 5.0
"""Seconds a send may take before it counts as failed."""

_lock = threading.Lock()
#: The server's, and the one in a thread of our own, which runs for good: in tests servers come and go beside it.
_loop: asyncio.AbstractEventLoop | None = None
_own: asyncio.AbstractEventLoop | None = None


def use_running_loop() -> None:
    """Called in the server's loop: sends go there from now on."""
    global _loop
    _loop = asyncio.get_running_loop()


def game_group(game_id: int) -> str:
    """The group of all sockets that follow a game."""
    return f"game-{game_id}"


def page_key(viewer: int | None) -> str:
    """Whose page it is, among those that one message carries."""
    return "watcher" if viewer is None else f"{viewer}"


class Message(TypedDict):
    """What a group of sockets is sent. The type names the consumers' method that takes it, with dots."""

    type: ReadOnly[str]


class GameTold(Message):
    """Something for everybody at a game's page."""

    type: Literal["game.told"]
    text: str


class GamePages(Message):
    """A game has changed: everybody's own page, and for those who have none here, that there is one."""

    type: Literal["game.pages"]
    mark: str
    pages: dict[str, str]


class GameRecalled(Message):
    """Who one user is has changed: their sockets are to come anew."""

    type: Literal["game.recalled"]
    user: int


def send(group: str, message: Message) -> None:
    """Sends to all sockets of a group, and does not wait for it: whoever misses a message catches up."""
    sending = _start(channel_layers[DEFAULT_CHANNEL_LAYER].group_send(group, {**message}))
    sending.add_done_callback(_note_failure)


def _note_failure(sending: Future[None]) -> None:
    if not sending.cancelled() and (error := sending.exception()):
        log.warning("not_sent", error=type(error).__name__)


def tell(game_id: int, frame: Mapping[str, object]) -> None:
    """Says something to everybody at a game's page, as it is."""
    told: GameTold = {"type": "game.told", "text": json.dumps(frame, default=datetime.isoformat)}
    send(game_group(game_id), told)


def recall(game_id: int, user: int) -> None:
    """Closes one user's sockets at a game's page."""
    recalled: GameRecalled = {"type": "game.recalled", "user": user}
    send(game_group(game_id), recalled)


def check() -> None:
    """Raises an exception when a message sent through the channel layer does not arrive."""
    _start(_send_to_myself()).result()


async def _send_to_myself() -> None:
    layer = channel_layers[DEFAULT_CHANNEL_LAYER]
    channel = await layer.new_channel()
    await layer.send(channel, {"type": "check"})
    await layer.receive(channel)


def _start(work: Coroutine[Any, Any, None]) -> Future[None]:
    return asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, LIMIT), _live_loop())


def _live_loop() -> asyncio.AbstractEventLoop:
    global _own
    with _lock:
        if _loop is not None and _loop.is_running():
            return _loop
        if _own is None:
            _own = asyncio.new_event_loop()
            running = threading.Event()
            _own.call_soon(running.set)
            threading.Thread(target=_own.run_forever, name="broadcast", daemon=True).start()
            running.wait()
        return _own
