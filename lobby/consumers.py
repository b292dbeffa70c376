"""The sockets of tables and games: a table's says that something changed, a game's brings what is new."""

import json
from dataclasses import asdict
from datetime import datetime

from channels.generic.websocket import AsyncWebsocketConsumer

from games.consumers import GameConsumer, in_a_thread
from lobby import chat, hearing, rooms, selectors, services, watching
from lobby.models import Table, User

NO_SUCH_PLACE = 4404


class Listener(AsyncWebsocketConsumer):
    """A socket that brings what is said, but for what its person does not hear.

    What they do not hear is left out here: a page that hid it would have been sent it. Each line is still made and sent
    once, to all; a socket learns of a change by the group of its person.
    """

    deaf: hearing.Deafness
    attended: tuple[str, ...] = ()
    is_closing = False

    @property
    def user_id(self) -> int | None:
        return getattr(self.scope["user"], "pk", None)

    async def attend(self, group: str) -> None:
        await self.channel_layer.group_add(group, self.channel_name)
        self.attended = (*self.attended, group)

    async def attend_to_person(self) -> None:
        if self.user_id is not None:
            await self.attend(hearing.person_group(self.user_id))

    async def disconnect(self, code: int) -> None:
        for group in self.attended:
            await self.channel_layer.group_discard(group, self.channel_name)
        await super().disconnect(code)

    async def chat_told(self, message: chat.ChatTold) -> None:
        await self._bring(chat.frame_for(message, self.deaf))

    async def hearing_changed(self, message: hearing.HearingChanged) -> None:
        self.deaf = await in_a_thread(hearing.deafness)(self.user_id)
        if message["shows"]:
            await self._bring(json.dumps({"chat_anew": True}))

    async def _bring(self, text: str) -> None:
        if not self.is_closing:
            await self.send(text)


class TableConsumer(Listener):
    """Says that a table has changed, and what is said there. Whatever is said to it goes unheard."""

    async def connect(self) -> None:
        code = self.scope["url_route"]["kwargs"]["code"]
        await self.accept()
        try:
            await in_a_thread(selectors.version)(code)
        except Table.DoesNotExist:
            await self.close(NO_SUCH_PLACE)
            return
        # Listen first and look second: a change made in between is then heard twice rather than missed.
        await self.attend(services.table_group(code))
        await self.attend_to_person()
        await self.send(json.dumps(await in_a_thread(self.greeting)(code)))

    def greeting(self, code: str) -> dict[str, int]:
        self.deaf = hearing.deafness(self.user_id)
        return {"version": selectors.version(code), "chat": chat.last_number(rooms.of_table(code))}

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        pass

    async def table_changed(self, message: services.TableChanged) -> None:
        await self.send(json.dumps({"version": message["version"]}))


class GamePageConsumer(Listener, GameConsumer):
    """A game's page has its chat beside it, and at the end the rematch: one socket for all of it."""

    game_id: int
    watchers: rooms.WatchersRoom | None = None

    async def connect(self) -> None:
        await self.attend_to_person()
        await super().connect()
        if self.watchers is not None:
            await self._attend_to_watchers(self.watchers)

    def greeting(self, game_id: int) -> dict[str, object]:
        greeting = super().greeting(game_id)
        self.game_id = game_id
        self.deaf = hearing.deafness(self.user_id)
        players, watchers = rooms.of_game(game_id)
        self.watchers = watchers if watchers.may_read(User(pk=self.user_id)) else None
        rematch = selectors.rematch_of(game_id)
        told = {"rematch": asdict(rematch)} if rematch else {}
        return greeting | {"chat": chat.last_number(players), "watching": watching.count(game_id)} | told

    async def _attend_to_watchers(self, room: rooms.WatchersRoom) -> None:
        """Who may is known only after the greeting, so how far this chat has got is said once it is heard."""
        await self.attend(room.group)
        last = await in_a_thread(chat.last_number)(room)
        if last:
            await self.send(chat.frame(chat.ChatNews(room.kind, number=0, last=last, line=None)))

    def note_arrival(self, game_id: int, now: datetime) -> None:
        super().note_arrival(game_id, now)
        if self.viewer is None:
            watching.arrive(game_id, self.user_id, self.channel_name, now)

    def note_departure(self, now: datetime, *, for_restart: bool) -> None:
        super().note_departure(now, for_restart=for_restart)
        if self.viewer is None:
            watching.leave(self.game_id, self.channel_name)
