"""The socket of a table: it says that something changed, not what; the page then fetches its part anew."""

from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer

from lobby import selectors, services
from lobby.models import Table

NO_SUCH_TABLE = 4404


class TableConsumer(AsyncJsonWebsocketConsumer):
    group: str | None = None

    async def connect(self) -> None:
        code = self.scope["url_route"]["kwargs"]["code"]
        await self.accept()
        version_now = database_sync_to_async(selectors.version)
        try:
            await version_now(code)
        except Table.DoesNotExist:
            await self.close(NO_SUCH_TABLE)
            return
        # Listen first and look second: a change made in between is then heard twice rather than missed.
        self.group = services.table_group(code)
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.send_json({"version": await version_now(code)})

    async def disconnect(self, code: int) -> None:
        if self.group is not None:
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def table_changed(self, message: dict[str, Any]) -> None:
        await self.send_json({"version": message["version"]})
