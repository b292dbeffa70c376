"""The sockets of tables and chats: they say that something changed, not what; the page then fetches it."""

from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer

from games.models import Game
from games.selectors import version
from lobby import chat, selectors, services
from lobby.models import Table

NO_SUCH_PLACE = 4404


class Telling(AsyncJsonWebsocketConsumer):
    """A socket that only tells. Whatever is said to it goes unheard."""

    group: str | None = None

    async def listen(self, group: str) -> None:
        self.group = group
        await self.channel_layer.group_add(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        pass

    async def disconnect(self, code: int) -> None:
        if self.group is not None:
            await self.channel_layer.group_discard(self.group, self.channel_name)


class TableConsumer(Telling):
    async def connect(self) -> None:
        code = self.scope["url_route"]["kwargs"]["code"]
        await self.accept()
        version_now = database_sync_to_async(selectors.version)
        try:
            await version_now(code)
        except Table.DoesNotExist:
            await self.close(NO_SUCH_PLACE)
            return
        # Listen first and look second: a change made in between is then heard twice rather than missed.
        await self.listen(services.table_group(code))
        await self.send_json({"version": await version_now(code)})

    async def table_changed(self, message: dict[str, Any]) -> None:
        await self.send_json({"version": message["version"]})


class ChatConsumer(Telling):
    async def connect(self) -> None:
        game_id = self.scope["url_route"]["kwargs"]["game_id"]
        await self.accept()
        try:
            await database_sync_to_async(version)(game_id)
        except Game.DoesNotExist:
            await self.close(NO_SUCH_PLACE)
            return
        # Here too: listen first, look second.
        await self.listen(chat.chat_group(game_id))
        await self.send_json({"last": await database_sync_to_async(chat.last_number)(game_id)})

    async def chat_changed(self, message: dict[str, Any]) -> None:
        await self.send_json(message["hint"])
