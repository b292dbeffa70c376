"""The socket of a game's page: the viewer's own page after every move, and who is there.

Pages are made once, by whoever changed the game, and handed on as they are. A page that is missed is
no harm: the greeting and each page say how far the game has got, and a client that has not got so far
asks the API for what it lacks.
"""

import asyncio
import json
from datetime import datetime
from typing import Any

import structlog
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import timezone

from games import broadcast, selectors
from games.models import Game
from games.services import presence

NO_SUCH_GAME = 4404
NOT_TO_BE_SPOKEN_TO = 4400
#: All that a page says to its socket: whether it is before somebody's eyes. It may change its mind so often; what it
#: says within a second is written down once.
VISIBLE = {'{"visible":true}': True, '{"visible":false}': False}
MOST_SAID = 1_000
NOTED_EVERY = 1.0
#: What the server says when it closes a socket to restart.
RESTARTING = 1012


log = structlog.get_logger(__name__)


class GameConsumer(AsyncWebsocketConsumer):
    group: str | None = None
    viewer: int | None = None
    is_closing = False
    arriving: "asyncio.Task[None] | None" = None
    # What the page has said of itself, and what of it is written down.
    is_visible = is_noted_visible = False
    noting: "asyncio.Task[None] | None" = None
    said = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            # An error ends a socket without `disconnect`, when Redis restarts, say.
            await self._leave(for_restart=True)

    async def connect(self) -> None:
        game_id = self.scope["url_route"]["kwargs"]["game_id"]
        group = broadcast.game_group(game_id)
        # Listen first and look second: a move made in between is then heard twice rather than missed.
        await self.channel_layer.group_add(group, self.channel_name)
        self.group = group
        await self.accept()
        try:
            greeting = await in_a_thread(self.greeting)(game_id)
        except (Game.DoesNotExist, selectors.NoSpectators):
            await self.close(NO_SUCH_GAME)
            return
        await self.send(json.dumps({"greeting": greeting}))
        # A socket that waited for this would be deaf meanwhile.
        self.arriving = asyncio.create_task(self._arrive(game_id))

    def greeting(self, game_id: int) -> dict[str, object]:
        """How far the game has got."""
        mark, self.viewer = selectors.mark_and_viewer(game_id, self.user_id)
        return {**mark}

    @property
    def user_id(self) -> int | None:
        return getattr(self.scope["user"], "pk", None)

    async def _arrive(self, game_id: int) -> None:
        try:
            await in_a_thread(self.note_arrival)(game_id, timezone.now())
        except Exception:
            # Somebody counts as away who is not; their next connection tells.
            log.exception("arrival_not_noted", game=game_id)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """This socket only tells, and hears nothing but whether the page is looked at. Whoever says anything else is
        told so once, however much was sent."""
        if self.is_closing:
            return
        self.said += 1
        if text_data in VISIBLE and self.said <= MOST_SAID:
            self.is_visible = VISIBLE[text_data]
            if self.noting is None and self.viewer is not None:
                self.noting = asyncio.create_task(self._note_visible())
            return
        self.is_closing = True
        refusal = {"code": "wrong_door", "sentence": "Moves are sent to the API, not over this socket."}
        await self.send(json.dumps(refusal))
        await self.close(NOT_TO_BE_SPOKEN_TO)

    async def _note_visible(self) -> None:
        """What the page said last, once it is known that it is there."""
        while self.arriving is not None and self.is_noted_visible != self.is_visible:
            await asyncio.wait([self.arriving])
            self.is_noted_visible = self.is_visible
            try:
                await in_a_thread(presence.note_visible)(self.channel_name, self.is_noted_visible)
            except Exception:
                # Somebody may be told of what they see; the next change tells.
                log.exception("visibility_not_noted")
            await asyncio.sleep(NOTED_EVERY)
        self.noting = None

    async def disconnect(self, code: int) -> None:
        if self.group is not None:
            await self.channel_layer.group_discard(self.group, self.channel_name)
        await self._leave(for_restart=code == RESTARTING)

    async def _leave(self, *, for_restart: bool) -> None:
        arriving, self.arriving = self.arriving, None
        if self.noting is not None:
            self.noting.cancel()
        if arriving is not None:
            await arriving
            await in_a_thread(self.note_departure)(timezone.now(), for_restart=for_restart)

    def note_arrival(self, game_id: int, now: datetime) -> None:
        presence.arrive(game_id, self.user_id, self.channel_name, now)

    def note_departure(self, now: datetime, *, for_restart: bool) -> None:
        presence.leave(self.channel_name, now, for_restart=for_restart)

    # What is said to everybody at the game's page

    async def game_pages(self, message: broadcast.GamePages) -> None:
        """The viewer's page, or that there is one, for somebody who came while the pages were made."""
        await self._hand_on(message["pages"].get(broadcast.page_key(self.viewer)) or message["mark"])

    async def game_told(self, message: broadcast.GameTold) -> None:
        await self._hand_on(message["text"])

    async def game_recalled(self, message: broadcast.GameRecalled) -> None:
        """What this socket was opened with may no longer count. A page that is still theirs comes back by itself."""
        if self.user_id == message["user"] and not self.is_closing:
            self.is_closing = True
            await self.close(RESTARTING)

    async def _hand_on(self, text: str) -> None:
        if not self.is_closing:
            await self.send(text)


def in_a_thread(read_or_write: Any) -> Any:
    """Not in the one thread that all sockets share otherwise: after a restart hundreds come back at once."""
    return database_sync_to_async(read_or_write, thread_sensitive=False)
