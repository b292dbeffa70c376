"""What is said at tables and beside games: read from a line on, and add one. Who may is said in `lobby.rooms`."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Endpoint, number_in, said
from api.fields import Sent, Text
from api.schema.parameters import AFTER_LINE, of
from games import selectors
from lobby import chat as chats
from lobby import rooms
from lobby.models import ChatLine
from lobby.rooms import Room


class SaySerializer(Sent):
    """A line to be said."""

    # What is too long is refused in the words of pages: it counts as it is shown, without the spaces around it.
    text = Text(allow_blank=True, help_text=f"At most {ChatLine.LONGEST_TEXT} characters.")


class LineSerializer(serializers.Serializer[chats.ShownLine]):
    """A line of a chat."""

    number = serializers.IntegerField(help_text="Counts the lines of this chat, from 1.")
    name = serializers.CharField(help_text="What the speaker was called.")
    colour = serializers.CharField(help_text="Of the speaker’s seat; empty where there is none.")
    emblem = serializers.CharField(help_text="The sign of that colour; empty where there is none.")
    text = serializers.CharField()
    said_at = serializers.DateTimeField()
    hidden = serializers.BooleanField(help_text="A moderator has removed the text.")
    is_bot_account = serializers.BooleanField(help_text="A program plays the speaker’s account.")


class ChatSerializer(serializers.Serializer[chats.Read]):
    """The newest lines, in their order, and how far the chat had got before they were read."""

    last = serializers.IntegerField(help_text="The number of the newest line; 0 before the first.")
    lines = LineSerializer(many=True, help_text=f"At most {chats.MOST_SHOWN}, without those that you do not hear.")


class LastSerializer(serializers.Serializer[Any]):
    """What became of a line."""

    last = serializers.IntegerField(help_text="The number of the line that you have said.")


def read(view: Endpoint, room: Room) -> Response:
    after = number_in(view.request, "after") or 0
    return Response(asdict(chats.read(room, view.person, after)))


def say(view: Endpoint, room: Room) -> Response:
    text = said(SaySerializer, view.request)["text"]
    return Response({"last": chats.say(room, view.person, text, now=view.now)}, status=201)


class GameChats(Endpoint):
    """The two chats of a game, for those who may see it."""

    @extend_schema(parameters=of(AFTER_LINE), responses=ChatSerializer)
    @action(detail=True)
    def chat(self, request: Request, game_id: int) -> Response:
        """What the players have said, also at the table before."""
        return read(self, self._room(game_id))

    @extend_schema(request=SaySerializer, responses={201: LastSerializer})
    @chat.mapping.post
    def say(self, request: Request, game_id: int) -> Response:
        """Say something to everybody at the game; for its players."""
        return say(self, self._room(game_id))

    @extend_schema(parameters=of(AFTER_LINE), responses=ChatSerializer)
    @action(detail=True)
    def watchers(self, request: Request, game_id: int) -> Response:
        """What those who watch say among themselves; players read it once the game is over."""
        return read(self, self._room_of_watchers(game_id))

    @extend_schema(request=SaySerializer, responses={201: LastSerializer})
    @watchers.mapping.post
    def say_as_watcher(self, request: Request, game_id: int) -> Response:
        """Say something to the others who watch."""
        return say(self, self._room_of_watchers(game_id))

    def _room(self, game_id: int) -> Room:
        selectors.require_watchable_game(game_id, self.person.pk)
        return rooms.of_players(game_id)

    def _room_of_watchers(self, game_id: int) -> Room:
        selectors.require_watchable_game(game_id, self.person.pk)
        return rooms.of_watchers(game_id)
