"""What people say to each other, and what each of them reads of it. Who may is said in ``rooms``.

It stands beside the game: no move waits for it, and nothing of the game is in it but the seats' names.
"""

import json
import unicodedata
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from django.db import transaction
from django.db.models import Max

from games import broadcast
from games.page import COLOURS, EMBLEMS
from games.rules.refusals import Malformed, TooFast
from lobby import hearing, limits, names, restrictions, rooms
from lobby.models import ChatLine, User
from lobby.rooms import Room, RoomKind

#: One person may say so many lines in so much time, wherever they say them.
MOST_AT_ONCE: Final = 5
AT_ONCE: Final = timedelta(seconds=10)

#: How far back the chat of a page goes.
MOST_SHOWN: Final = 100

REMOVED: Final = "(removed by a moderator)"

#: They show nothing by themselves, but emoji and some scripts are put together with them.
_JOINERS: Final = "\u200c\u200d"


class BadLine(Malformed):
    code = "bad_line"


# Speaking


@transaction.atomic
def say(room: Room, person: User, text: str, *, now: datetime) -> int:
    """Add a line under the name that the person has there; its number. A guest is saved with their first line."""
    speaker = room.speaker(person)
    said = {"user": person, "seat": speaker.seat, "name": speaker.name, "text": clean(text), "said_at": now}
    if person.pk:
        # Lines said at once in several places count one after another.
        row = limits.lock(person)
        if sentence := restrictions.why_muted(row, now):
            raise restrictions.Muted(sentence)
    else:
        person.save()
    _require_patience(person, now)
    conversation = room.conversation()
    is_said = False
    while not is_said:
        # Two who speak at once find the same number free. The database gives it to one of them; the other
        # looks again. So numbers are seen in their order, and none is left out.
        number = last_number(room) + 1
        line, is_said = ChatLine.objects.get_or_create(conversation=conversation, number=number, defaults=said)
    _tell(room, line, last=number)
    return number


def clean(text: str) -> str:
    """The line as it is shown, or ``BadLine``."""
    line = " ".join("".join(filter(may_stand, unicodedata.normalize("NFC", text))).split())
    if not any(map(is_visible, line)):
        raise BadLine("Your line is empty: please type something.", "text")
    if len(line) > ChatLine.LONGEST_TEXT:
        most = ChatLine.LONGEST_TEXT
        raise BadLine(
            f"A line can have {most} characters at most, and yours has {len(line)}: please shorten it.", "text"
        )
    return line


def may_stand(character: str) -> bool:
    """Not what controls the reader's screen, above all the writing direction of whatever follows."""
    control = unicodedata.category(character) in ("Cc", "Cf", "Cs")
    return not control or character.isspace() or character in _JOINERS


def is_visible(character: str) -> bool:
    """By itself, unlike spaces and marks."""
    is_blank = character in _JOINERS or character in names.BLANK_LETTERS
    return not is_blank and unicodedata.category(character)[0] not in "MZ"


def _require_patience(person: User, now: datetime) -> None:
    said = ChatLine.objects.filter(user=person).order_by("-said_at").values_list("said_at", flat=True)
    earliest = said[MOST_AT_ONCE - 1 : MOST_AT_ONCE].first()
    if earliest is not None and now - earliest < AT_ONCE:
        raise TooFast(
            f"Slow down: {MOST_AT_ONCE} lines in {AT_ONCE.seconds} seconds are enough. "
            "Your line was not sent; try again in a moment.",
            (earliest + AT_ONCE - now).seconds + 1,
        )


# Moderating


def set_hidden(line: ChatLine, hidden: bool) -> None:
    """Hide a line from everybody, or show it again; open pages draw it anew."""
    ChatLine.objects.filter(pk=line.pk).update(hidden=hidden)
    line.hidden = hidden
    room = rooms.of_conversation(line.conversation)
    _tell(room, line, last=last_number(room))


# Telling


class ChatTold(broadcast.Message):
    """A line, and what a page is sent that does not hear who said it: that there is nothing for it at this number."""

    type: Literal["chat.told"]
    speaker: int | None
    said_at: str
    text: str
    unheard: str


def _tell(room: Room, line: ChatLine, last: int) -> None:
    """Every open page puts the line into its place, and sees by the last number what it lacks."""
    shown = _shown(line, room.colours())
    told: ChatTold = {
        "type": "chat.told",
        "speaker": line.user_id,
        "said_at": line.said_at.isoformat(),
        "text": frame(ChatNews(room.kind, line.number, last, shown)),
        "unheard": frame(ChatNews(room.kind, line.number, last, None)),
    }
    # Should the sending fail, the line is said all the same: pages catch up with the next one.
    transaction.on_commit(lambda: broadcast.send(room.group, told), robust=True)


def frame(news: "ChatNews") -> str:
    return json.dumps({"chat": asdict(news)}, default=datetime.isoformat)


def frame_for(told: ChatTold, deaf: hearing.Deafness) -> str:
    """What a page is sent whose reader does not hear some people."""
    is_heard = hearing.hears(deaf, told["speaker"], datetime.fromisoformat(told["said_at"]))
    return told["text"] if is_heard else told["unheard"]


# Reading


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line as those see it who hear its speaker."""

    number: int
    name: str
    #: Of the speaker’s seat, and its sign; both empty where there is none.
    colour: str
    emblem: str
    text: str
    said_at: datetime
    #: Whether a moderator has removed the text.
    hidden: bool
    #: A program plays the speaker’s account.
    is_bot_account: bool


@dataclass(frozen=True, slots=True)
class ChatNews:
    """A new line, or one that a moderator has changed."""

    room: RoomKind
    number: int
    #: How far the chat has got.
    last: int
    #: Nothing for those who do not hear its speaker.
    line: ShownLine | None


@dataclass(frozen=True, slots=True)
class Read:
    """The newest lines after a number, in their order, and how far the chat had got before they were read."""

    last: int
    lines: list[ShownLine]


def read(room: Room, reader: User, after: int = 0) -> Read:
    """What somebody reads there, or ``Forbidden``."""
    room.require_reader(reader)
    last = last_number(room)
    heard = hearing.heard_by(reader, room.lines().filter(number__gt=after)).select_related("user")
    newest = heard.order_by("-number")[:MOST_SHOWN]
    found = list(reversed(newest))
    colours = room.colours() if found else rooms.Colours({}, {})
    return Read(last, [_shown(line, colours) for line in found])


def _shown(line: ChatLine, colours: rooms.Colours) -> ShownLine:
    colour = colours.of(line)
    return ShownLine(
        number=line.number,
        name=line.name,
        colour="" if colour is None else COLOURS[colour],
        emblem="" if colour is None else EMBLEMS[colour],
        text=REMOVED if line.hidden else line.text,
        said_at=line.said_at,
        hidden=line.hidden,
        is_bot_account=line.user is not None and line.user.is_bot,
    )


def last_number(room: Room) -> int:
    """The number of the newest line; 0 before the first."""
    return room.lines().aggregate(last=Max("number"))["last"] or 0
