"""The sockets of tables and games: a table's says that something changed, a game's brings what is new."""

from dataclasses import asdict
from typing import Any

from channels.generic.websocket import AsyncJsonWebsocketConsumer

from games.consumers import GameConsumer, in_a_thread
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
        version_now = in_a_thread(selectors.version)
        try:
            await version_now(code)
        except Table.DoesNotExist:
            await self.close(NO_SUCH_PLACE)
            return
        # Listen first and look second: a change made in between is then heard twice rather than missed.
        await self.listen(services.table_group(code))
        await self.send_json({"version": await version_now(code)})

    async def table_changed(self, message: services.TableChanged) -> None:
        await self.send_json({"version": message["version"]})


class GamePageConsumer(GameConsumer):
    """A game's page has its chat beside it, and at the end the rematch: one socket for all of it."""

    def greeting(self, game_id: int) -> dict[str, object]:
        rematch = selectors.rematch_of(game_id)
        told = {"rematch": asdict(rematch)} if rematch else {}
        return super().greeting(game_id) | {"chat": chat.last_number(game_id)} | told
