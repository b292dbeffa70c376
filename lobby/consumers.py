"""The sockets of the front page and of tables say that something changed; a game's brings what is new."""

import asyncio
from contextlib import suppress
from dataclasses import asdict
from random import SystemRandom
from typing import Any, Final

import structlog
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.utils import timezone

from games.consumers import GameConsumer, in_a_thread
from lobby import chat, meeting, news, selectors, services
from lobby.models import Table, User

log = structlog.get_logger(__name__)
chance = SystemRandom()

NO_SUCH_PLACE = 4404

#: Seconds after which a table's page that is still open counts as looked at again.
STILL_THERE: Final = 60
#: About so many seconds lie between two things that a front page is told, however much happens.
FRONT_PAUSE: Final = 1.0


class Telling(AsyncJsonWebsocketConsumer):
    """A socket that only tells. Whatever is said to it goes unheard."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.listens_to: set[str] = set()
        self.tasks: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            # An error ends a socket without `disconnect`, when Redis restarts, say.
            for task in list(self.tasks):
                task.cancel()

    async def listen(self, group: str) -> None:
        if group not in self.listens_to:
            self.listens_to.add(group)
            await self.channel_layer.group_add(group, self.channel_name)

    @property
    def person(self) -> User:
        """Nobody who is saved, for visitors without a session."""
        user = self.scope["user"]
        return user if isinstance(user, User) else User()

    def beside(self, work: Any) -> None:
        """Something that this socket does until it closes."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        pass

    async def disconnect(self, code: int) -> None:
        for group in self.listens_to:
            await self.channel_layer.group_discard(group, self.channel_name)


class TableConsumer(Telling):
    async def connect(self) -> None:
        code = self.scope["url_route"]["kwargs"]["code"]
        await self.accept()
        version_now = in_a_thread(selectors.version)
        try:
            await version_now(code, self.person)
            # Listen first and look second: a change made in between is then heard twice rather than missed.
            await self.listen(services.table_group(code))
            await self.send_json({"version": await version_now(code, self.person)})
        except Table.DoesNotExist:
            await self.close(NO_SUCH_PLACE)
            return
        if self.person.pk is not None:
            self.beside(self._stay(code))

    async def _stay(self, code: str) -> None:
        while True:
            try:
                await in_a_thread(meeting.note_seen)(code, self.person, timezone.now())
            except Exception:
                # Somebody may count as gone who is not; the next round tells.
                log.exception("not_noted_at_table")
            await asyncio.sleep(STILL_THERE)

    async def table_changed(self, message: services.TableChanged) -> None:
        await self.send_json({"version": message["version"]})


class FrontConsumer(Telling):
    """Says that the front page has changed, at most once in a while."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        #: One's own seats, by the games whose waiting is heard of.
        self.seats: dict[int, int] = {}
        self.is_about_to_tell = False

    async def connect(self) -> None:
        await self.accept()
        await self.listen(news.FRONT)
        if self.person.pk is not None:
            await self.listen(news.person_group(self.person.pk))
            await self._listen_to_games()
        await self.send_json({"greeting": True})

    async def _listen_to_games(self) -> None:
        self.seats = await in_a_thread(selectors.seats_in_running_games)(self.person)
        for game_id in self.seats:
            await self.listen(news.players_group(game_id))

    async def front_changed(self, message: news.FrontChanged) -> None:
        if not self.is_about_to_tell:
            self.is_about_to_tell = True
            self.beside(self._tell_soon())

    async def games_changed(self, message: news.GamesChanged) -> None:
        await self._listen_to_games()
        await self.front_changed({"type": "front.changed"})

    async def game_waits(self, message: news.GameWaits) -> None:
        if self.seats.get(message["game"]) in message["seats"]:
            await self.front_changed({"type": "front.changed"})

    async def _tell_soon(self) -> None:
        # Pages that hear of the same thing do not all ask in the same moment.
        await asyncio.sleep(FRONT_PAUSE * chance.uniform(0.5, 1.5))
        self.is_about_to_tell = False
        # A socket that is just closing hears no more.
        with suppress(RuntimeError):
            await self.send_json({"changed": True})


class GamePageConsumer(GameConsumer):
    """A game's page has its chat beside it, and at the end the rematch: one socket for all of it."""

    def greeting(self, game_id: int) -> dict[str, object]:
        rematch = selectors.rematch_of(game_id)
        told = {"rematch": asdict(rematch)} if rematch else {}
        return super().greeting(game_id) | {"chat": chat.last_number(game_id)} | told
