"""The status page's socket, and the one that leads nowhere."""

import uuid
from typing import Any

from channels.generic.websocket import AsyncJsonWebsocketConsumer

NO_SUCH_PLACE = 4404


class NowhereConsumer(AsyncJsonWebsocketConsumer):
    """For addresses that no socket has: what a browser can read of a refusal is the code of a socket that closes."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(NO_SUCH_PLACE)


class StatusConsumer(AsyncJsonWebsocketConsumer):
    """Tells its browser the name of its line, then every answer that comes in on that line."""

    async def connect(self) -> None:
        user = self.scope["user"]
        if user is None or not user.is_staff:
            await self.close()
            return
        self.line = str(uuid.uuid4())
        await self.channel_layer.group_add(f"status.{self.line}", self.channel_name)
        await self.accept()
        await self.send_json({"kind": "line", "line": self.line})

    async def disconnect(self, code: int) -> None:
        if hasattr(self, "line"):
            await self.channel_layer.group_discard(f"status.{self.line}", self.channel_name)

    async def round_trip_answered(self, message: dict[str, Any]) -> None:
        await self.send_json({"kind": "answered"})
