"""The socket of a game: it says that something happened, not what, and who is there.

What happened is fetched from the API, as the viewer may see it. So a lost message loses nothing: the
next one, or the greeting after a reconnection, carries the newest version, and the client catches up.
"""

import asyncio
from typing import Any

import structlog
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.utils import timezone

from games import broadcast, selectors
from games.models import Game
from games.services import presence

NO_SUCH_GAME = 4404
NOT_TO_BE_SPOKEN_TO = 4400
#: What the server says when it closes a socket to restart.
RESTARTING = 1012


log = structlog.get_logger(__name__)


class GameConsumer(AsyncJsonWebsocketConsumer):
    group: str | None = None
    is_closing = False
    arriving: "asyncio.Task[None] | None" = None

    async def connect(self) -> None:
        game_id = self.scope["url_route"]["kwargs"]["game_id"]
        group = broadcast.game_group(game_id)
        # Listen first and look second: a move made in between is then heard twice rather than missed.
        await self.channel_layer.group_add(group, self.channel_name)
        self.group = group
        await self.accept()
        try:
            marks = await _in_a_thread(selectors.marks)(game_id)
        except Game.DoesNotExist:
            await self.close(NO_SUCH_GAME)
            return
        await self.send_json(marks)
        # A socket that waited for this would be deaf meanwhile.
        self.arriving = asyncio.create_task(self._arrive(game_id))

    async def _arrive(self, game_id: int) -> None:
        user_id: int | None = getattr(self.scope["user"], "pk", None)
        try:
            await _in_a_thread(presence.arrive)(game_id, user_id, self.channel_name, timezone.now())
        except Exception:
            # Somebody counts as away who is not; their next connection tells.
            log.exception("arrival_not_noted", game=game_id)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        """This socket only tells. Whoever speaks to it is told so once, however much was sent."""
        if self.is_closing:
            return
        self.is_closing = True
        await self.send_json({"code": "wrong_door", "sentence": "Moves are sent to the API, not over this socket."})
        await self.close(NOT_TO_BE_SPOKEN_TO)

    async def disconnect(self, code: int) -> None:
        if self.group is not None:
            await self.channel_layer.group_discard(self.group, self.channel_name)
        if self.arriving is not None:
            await self.arriving
            await _in_a_thread(presence.leave)(self.channel_name, timezone.now(), for_restart=code == RESTARTING)

    async def game_changed(self, message: dict[str, Any]) -> None:
        if not self.is_closing:
            await self.send_json({"version": message["version"], "revision": message["revision"]})

    async def game_presence(self, message: dict[str, Any]) -> None:
        if not self.is_closing:
            await self.send_json({"presence": {key: message[key] for key in ("seat", "is_here", "gone_at")}})


def _in_a_thread(read_or_write: Any) -> Any:
    """Not in the one thread that all sockets share otherwise: after a restart hundreds come back at once."""
    return database_sync_to_async(read_or_write, thread_sensitive=False)
