"""Games, chats and reports for the tests of reports."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.models import Game
from games.rules import PRESETS
from lobby import chat, rooms, services
from lobby.models import ChatLine, Table, User
from moderation import reporting
from moderation.models import Report
from tests.games.playing import new_game


def game_of(*people: User, **more: Any) -> Game:
    return new_game("standard turn_order=seat_order", users=people, **more)


def table_of(host: User, *others: User) -> Table:
    table = services.open_table(host, host.shown_name, PRESETS["standard"], "balanced", None, now=timezone.now())
    for other in others:
        services.sit_down(table.code, other, other.shown_name)
    return table


def say(room: rooms.Room, person: User, text: str, *, ago: timedelta = timedelta(0)) -> ChatLine:
    number = chat.say(room, person, text, now=timezone.now())
    line = room.lines().get(number=number)
    if ago:
        ChatLine.objects.filter(pk=line.pk).update(said_at=line.said_at - ago)
    return line


def guest(name: str = "Wanderer") -> User:
    person = User.guest(name)
    person.save()
    return person


def report_seat(by: User, game: Game, whom: User, kind: str = "stalling", text: str = "") -> Report:
    return reporting.report_person(by, whom, kind, text, now=timezone.now(), game=game)
