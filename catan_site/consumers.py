"""The status page's socket, and the one that leads nowhere."""

import uuid
from typing import Any

from channels.generic.websocket import AsyncJsonWebsocketConsumer, AsyncWebsocketConsumer

from api.gapless import TOO_OFTEN
from api.stream import UNKNOWN
from lobby.consumers import NO_SUCH_PLACE, SHUT_OUT, Attending


class NowhereConsumer(AsyncJsonWebsocketConsumer):
    """For addresses that no socket has: what a browser can read of a refusal is the code of a socket that closes."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(NO_SUCH_PLACE)


class ShutOutConsumer(AsyncWebsocketConsumer):
    """For those to whom the site is closed, wherever they knock."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(SHUT_OUT)


class UnknownConsumer(AsyncWebsocketConsumer):
    """For programs whose token lets nobody in, wherever they knock."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(UNKNOWN)


class TooOftenConsumer(AsyncWebsocketConsumer):
    """For programs from where many such tokens have come."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(TOO_OFTEN)


class StatusConsumer(Attending, AsyncJsonWebsocketConsumer):
    """Tells its browser the name of its line, then every answer that comes in on that line."""

    async def connect(self) -> None:
        user = self.scope["user"]
        if user is None or not user.is_staff:
            await self.close()
            return
        self.line = str(uuid.uuid4())
        await self.attend_to_person()
        await self.attend(f"status.{self.line}")
        await self.accept()
        await self.send_json({"kind": "line", "line": self.line})

    async def round_trip_answered(self, message: dict[str, Any]) -> None:
        await self.send_json({"kind": "answered"})
