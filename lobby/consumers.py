"""The sockets of the front page and of tables say that something changed; a game's brings what is new."""

import asyncio
import json
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from random import SystemRandom
from typing import Any, Final

import structlog
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import timezone

from games.consumers import RESTARTING, GameConsumer, in_a_thread
from lobby import chat, hearing, meeting, news, restrictions, rooms, selectors, services, waiting, watching
from lobby.models import Table, User

log = structlog.get_logger(__name__)
chance = SystemRandom()

NO_SUCH_PLACE = 4404
#: Its page is drawn anew, and says why.
SHUT_OUT = 4403

#: Seconds after which a table's page that is still open counts as looked at again.
STILL_THERE: Final = 60
#: About so many seconds lie between two things that a front page is told, however much happens.
FRONT_PAUSE: Final = 1.0


def _is_shut_out(user_id: int) -> bool:
    return bool(restrictions.banned_among([user_id], timezone.now()))


class Attending(AsyncWebsocketConsumer):
    """A socket that hears of groups, whatever else it does, and closes when its person is no longer who they were."""

    attended: frozenset[str] = frozenset()
    is_closing = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tasks: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            # An error ends a socket without `disconnect`, when Redis restarts, say.
            for task in list(self.tasks):
                task.cancel()

    def beside(self, work: Any) -> None:
        """Something that this socket does until it closes."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    @property
    def person(self) -> User:
        """Nobody who is saved, for visitors without a session."""
        user = self.scope["user"]
        return user if isinstance(user, User) else User()

    async def websocket_connect(self, message: Any) -> None:
        """Whoever was banned while this socket was on its way in was told so before it listened."""
        await super().websocket_connect(message)
        await self.leave_if_shut_out()

    async def leave_if_shut_out(self) -> None:
        if self.person.pk is not None and await in_a_thread(_is_shut_out)(self.person.pk):
            await self.end(SHUT_OUT)

    async def attend_to_person(self) -> None:
        if self.person.pk is not None:
            await self.attend(hearing.person_group(self.person.pk))

    async def person_recalled(self, message: hearing.PersonRecalled) -> None:
        """What this socket was opened with may no longer count."""
        await self.end(RESTARTING)

    async def person_shut_out(self, message: hearing.PersonShutOut) -> None:
        await self.end(SHUT_OUT)

    async def hearing_changed(self, message: hearing.HearingChanged) -> None:
        """Who hears whom is a matter of those that bring what is said."""

    async def end(self, code: int) -> None:
        if not self.is_closing:
            self.is_closing = True
            await self.close(code)

    async def attend(self, group: str) -> None:
        if group not in self.attended:
            self.attended |= {group}
            await self.channel_layer.group_add(group, self.channel_name)

    async def disconnect(self, code: int) -> None:
        for group in self.attended:
            await self.channel_layer.group_discard(group, self.channel_name)
        await super().disconnect(code)


class Telling(Attending):
    """A socket that only tells. Whatever is said to it goes unheard."""

    async def tell(self, frame: dict[str, object]) -> None:
        await self.send(json.dumps(frame))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        pass


class Listener(Attending):
    """A socket that brings what is said, but for what its person does not hear.

    What they do not hear is left out here: a page that hid it would have been sent it. Each line is still made and sent
    once, to all; a socket learns of a change by the group of its person.
    """

    deaf: hearing.Deafness

    async def chat_told(self, message: chat.ChatTold) -> None:
        await self._bring(chat.frame_for(message, self.deaf))

    async def hearing_changed(self, message: hearing.HearingChanged) -> None:
        self.deaf = await in_a_thread(hearing.deafness)(self.person.pk)
        if message["shows"]:
            await self._bring(json.dumps({"chat_anew": True}))

    async def _bring(self, text: str) -> None:
        if not self.is_closing:
            await self.send(text)


class Awaited(Attending):
    """A socket that hears when something else is asked of its person, in any of their games but one."""

    #: The game whose own page this is: that page knows what is asked there.
    besides: int | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        #: One's own seats, by the games whose waiting is heard of.
        self.seats: dict[int, int] = {}
        self.is_about_to_tell = False

    async def attend_to_games(self) -> None:
        if not self.person.pk:
            return
        await self.attend(news.person_group(self.person.pk))
        self.seats = await in_a_thread(selectors.seats_in_running_games)(self.person)
        self.seats.pop(self.besides or 0, None)
        for game_id in self.seats:
            await self.attend(news.players_group(game_id))

    def count_waiting(self) -> int:
        """Whoever plays nothing else is asked for nothing else."""
        return waiting.count(self.person, self.besides) if self.seats else 0

    async def front_changed(self, message: news.FrontChanged) -> None:
        """Invitations and tables are a matter of the front page."""

    async def games_changed(self, message: news.GamesChanged) -> None:
        await self.attend_to_games()
        self.tell_soon()

    async def game_waits(self, message: news.GameWaits) -> None:
        if self.seats.get(message["game"]) in message["seats"]:
            self.tell_soon()

    def tell_soon(self) -> None:
        if not self.is_about_to_tell:
            self.is_about_to_tell = True
            self.beside(self._tell_soon())

    async def _tell_soon(self) -> None:
        # Pages that hear of the same thing do not all ask in the same moment.
        await asyncio.sleep(FRONT_PAUSE * chance.uniform(0.5, 1.5))
        self.is_about_to_tell = False
        # A socket that is just closing hears no more.
        with suppress(RuntimeError):
            await self.tell_of_games()

    async def tell_of_games(self) -> None:
        count = await in_a_thread(self.count_waiting)()
        await self.send(json.dumps({"waiting": count}))


class TableConsumer(Telling, Listener, Awaited):
    """Says that a table has changed, what is said there, and how many games wait meanwhile."""

    async def connect(self) -> None:
        code = self.scope["url_route"]["kwargs"]["code"]
        await self.accept()
        try:
            await in_a_thread(selectors.version)(code, self.person)
            # Listen first and look second: a change made in between is then heard twice rather than missed.
            await self.attend(services.table_group(code))
            await self.attend_to_person()
            await self.attend_to_games()
            await self.tell(await in_a_thread(self.greeting)(code))
        except Table.DoesNotExist:
            await self.close(NO_SUCH_PLACE)
            return
        if self.person.pk is not None:
            self.beside(self._stay(code))

    def greeting(self, code: str) -> dict[str, object]:
        self.deaf = hearing.deafness(self.person.pk)
        version = selectors.version(code, self.person)
        return {
            "version": version,
            "chat": chat.last_number(rooms.of_table(code)),
            "waiting": self.count_waiting(),
        }

    async def _stay(self, code: str) -> None:
        while True:
            try:
                await in_a_thread(meeting.note_seen)(code, self.person, timezone.now())
                # Should Redis have lost the word of a ban; of games, beat's round knows who has them open.
                await self.leave_if_shut_out()
            except Exception:
                # Somebody may count as gone who is not; the next round tells.
                log.exception("not_noted_at_table")
            await asyncio.sleep(STILL_THERE)

    async def table_changed(self, message: services.TableChanged) -> None:
        """Whoever may no longer see the table is told that it has changed, and hears no more of it."""
        if self.is_closing:
            return
        await self.tell({"version": message["version"]})
        try:
            await in_a_thread(selectors.version)(self.scope["url_route"]["kwargs"]["code"], self.person)
        except Table.DoesNotExist:
            await self.end(NO_SUCH_PLACE)


class FrontConsumer(Telling, Awaited):
    """Says that the front page has changed, at most once in a while."""

    async def connect(self) -> None:
        await self.accept()
        await self.attend_to_person()
        await self.attend(news.FRONT)
        await self.attend_to_games()
        await self.tell({"greeting": True})

    async def front_changed(self, message: news.FrontChanged) -> None:
        self.tell_soon()

    async def tell_of_games(self) -> None:
        await self.tell({"changed": True})


class GamePageConsumer(Listener, Awaited, GameConsumer):
    """A game's page has its chat beside it, other games that wait, and at the end the rematch: one socket for all."""

    game_id: int
    watchers: rooms.WatchersRoom | None = None

    async def connect(self) -> None:
        self.besides = self.scope["url_route"]["kwargs"]["game_id"]
        await self.attend_to_person()
        await self.attend_to_games()
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
        beside = {
            "chat": chat.last_number(players),
            "watching": watching.count(game_id),
            "waiting": self.count_waiting(),
        }
        return greeting | beside | told

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
