"""What is taken along with a report: the chat, the game and the names as they were when somebody pressed the button.

Only what everybody at the game may know is in it, whoever reports and whoever reads it: a moderator may know the
players. Names stand in one place each, and what is told of a game refers to them by the numbers of the seats: when
somebody deletes their account, the evidence can forget them and still be read.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final, Literal, cast

from django.db.models import Q, TextField
from django.db.models.functions import Cast
from typing_extensions import TypedDict

from games import selectors, words
from games.models import Game, Seat
from games.page import Scene, log_of
from games.rules import View, player_view
from games.store import BrokenRows
from games.words_places import place_names
from lobby import rooms
from lobby.models import ChatLine, Conversation, User
from lobby.names import SOMEBODY
from lobby.rooms import Room
from moderation.models import Report

LINES_BEFORE: Final = 10
LINES_AFTER: Final = 5
MOVES_BEFORE: Final = 20
MOVES_AFTER: Final = 5


class Who(TypedDict):
    person: int | None
    #: What they were called there at that moment.
    name: str


class Said(Who):
    number: int
    text: str
    said_at: str
    #: A moderator had removed it already.
    hidden: bool
    #: The line that was reported.
    is_meant: bool


class Conversed(TypedDict):
    room: Literal["players", "watchers", "table"]
    lines: list[Said]


class Sitter(Who):
    seat: int
    player: str
    #: As everybody sees them.
    points: int
    #: How many times in a row their time was up.
    late: int
    asked: str
    awaited_since: str | None


class Told(TypedDict):
    """A line of the log; `{0}` in it is whoever sits on seat 0."""

    move: int
    at: str
    words: str


class Played(TypedDict):
    game: int
    status: str
    phase: str
    version: int
    #: None for a game without clocks.
    pace: str | None
    deadline: str | None
    prompt: str
    seats: list[Sitter]
    moves: list[Told]


class Evidence(TypedDict):
    taken_at: str
    #: The person, or the game as a whole.
    about: Who
    chat: Conversed | None
    game: Played | None


def collect(
    about: Who, *, now: datetime, room: Room | None = None, line: ChatLine | None = None, game_id: int | None = None
) -> Evidence:
    """All that there is to take along: of a line what was said around it, else what was said last."""
    if room is None and game_id is not None:
        room = rooms.of_players(game_id)
    return {
        "taken_at": now.isoformat(),
        "about": about,
        "chat": None if room is None else _chat(room, line),
        "game": None if game_id is None else _played(game_id, line.said_at if line else now, now),
    }


# The chat


def _chat(room: Room, line: ChatLine | None) -> Conversed:
    """With what the reporter has muted, and what was hidden before."""
    lines = room.lines()
    if line is None:
        found = list(reversed(lines.order_by("-number")[: LINES_BEFORE + LINES_AFTER]))
    else:
        span = (line.number - LINES_BEFORE, line.number + LINES_AFTER)
        found = list(lines.filter(number__range=span).order_by("number"))
    return {"room": room.kind, "lines": [_said(each, line) for each in found]}


def _said(line: ChatLine, meant: ChatLine | None) -> Said:
    return {
        "number": line.number,
        "person": line.user_id,
        "name": line.name,
        "text": line.text,
        "said_at": line.said_at.isoformat(),
        "hidden": line.hidden,
        "is_meant": line == meant,
    }


# The game


def _played(game_id: int, moment: datetime, now: datetime) -> Played | None:
    try:
        scene = selectors.scene(game_id, now=now)
    except BrokenRows:
        # Nobody can look at this game before it is repaired, and a report of it must not wait for that.
        return None
    view = player_view(scene.state, None)
    teller = words.Teller([f"{{{seat.number}}}" for seat in scene.seats], None, place_names(view["board"]))
    game = scene.game
    return {
        "game": game.pk,
        "status": game.status,
        "phase": view["phase"],
        "version": scene.snapshot.version,
        "pace": None if game.pace is None else game.pace["name"],
        "deadline": _written(game.deadline),
        "prompt": words.prompt(teller, view, game.status, is_replaced=False),
        "seats": [_sitter(seat, view) for seat in _in_turn(scene)],
        "moves": _moves(game, moment, teller),
    }


def _in_turn(scene: Scene) -> Iterable[Seat]:
    return sorted(scene.seats, key=lambda seat: seat.place)


def _sitter(seat: Seat, view: View) -> Sitter:
    return {
        "seat": seat.number,
        "person": seat.user_id,
        "name": seat.name,
        "player": seat.player,
        "points": view["seats"][seat.number]["points"],
        "late": seat.late,
        "asked": seat.asked,
        "awaited_since": _written(seat.awaited_since),
    }


def _moves(game: Game, moment: datetime, teller: words.Teller) -> list[Told]:
    found = selectors.log_around(game.pk, moment, before=MOVES_BEFORE, after=MOVES_AFTER)
    # The log's lines are told apart by what they come from, for several can come from one move.
    numbered = [told._replace(version=place) for place, (_, told) in enumerate(found)]
    return [
        {
            "move": found[entry["version"]][1].version,
            "at": found[entry["version"]][0].isoformat(),
            "words": " ".join([entry["text"], *(gain["words"] for gain in entry["gains"])]),
        }
        for entry in log_of(numbered, teller)
    ]


def _written(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


# Forgetting


def forget(person: User) -> None:
    """What they said and played stays, as it does everywhere, and their name does not."""
    seats = Seat.objects.filter(user=person)
    conversations = Conversation.objects.filter(lines__user=person)
    near = (
        Q(game=None)
        | Q(game__in=seats.values("game"))
        | Q(game__in=conversations.values("game"))
        | Q(game__in=conversations.values("table__game"))
    )
    naming = Report.objects.filter(near).annotate(written=Cast("evidence", TextField()))
    for report in naming.filter(written__contains=f'"person": {person.pk}'):
        for who in _everybody(cast("Evidence", report.evidence)):
            if who["person"] == person.pk:
                who.update({"person": None, "name": SOMEBODY})
        report.save(update_fields=["evidence"])


def _everybody(evidence: Evidence) -> list[Who]:
    lines: list[Said] = evidence["chat"]["lines"] if evidence["chat"] else []
    seats: list[Sitter] = evidence["game"]["seats"] if evidence["game"] else []
    return [evidence["about"], *lines, *seats]
