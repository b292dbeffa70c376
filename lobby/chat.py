"""The chat of a game: those who have a seat speak, everybody who sees the game reads.

It stands beside the game: no move waits for it, and nothing of the game is in it but the seats' names.
"""

import unicodedata
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Max

from games import broadcast
from games.models import Seat
from games.page import COLOURS, EMBLEMS
from games.rules.refusals import Forbidden, Malformed, TooFast
from games.selectors import seat_of, version
from lobby import names
from lobby.models import ChatLine, User

#: One person may say so many lines in so much time, in one game.
MOST_AT_ONCE: Final = 5
AT_ONCE: Final = timedelta(seconds=10)

#: How far back the chat of a page goes.
MOST_SHOWN: Final = 100

REMOVED: Final = "(removed by a moderator)"

#: They show nothing by themselves, but emoji and some scripts are put together with them.
_JOINERS: Final = "\u200c\u200d"


class NotSeated(Forbidden):
    code = "not_seated"


class BadLine(Malformed):
    code = "bad_line"


# Speaking


def say(game_id: int, person: User, text: str, *, now: datetime) -> int:
    """Add a line under the name of the person's seat; its number, or ``Game.DoesNotExist``."""
    seat = seat_of(game_id, person.pk)
    if seat is None:
        version(game_id)  # Nobody has a seat in a game that is not there.
        raise NotSeated("Only the players can write here.")
    said = {
        "user": person,
        "seat": seat,
        "name": Seat.objects.get(pk=Seat.key(game_id, seat)).name,
        "text": clean(text),
        "said_at": now,
    }
    is_said = False
    while not is_said:
        # Two who speak at once find the same number free. The database gives it to one of them; the other
        # looks again, also at how fast they speak. So numbers are seen in their order, and none is left out.
        number = last_number(game_id) + 1
        _require_patience(game_id, person, now)
        line, is_said = ChatLine.objects.get_or_create(game_id=game_id, number=number, defaults=said)
    _tell(line, last=number)
    return number


def clean(text: str) -> str:
    """The line as it is shown, or ``BadLine``."""
    line = " ".join("".join(filter(_may_stand, unicodedata.normalize("NFC", text))).split())
    if not any(map(_is_visible, line)):
        raise BadLine("Your line is empty: please type something.")
    if len(line) > ChatLine.LONGEST_TEXT:
        most = ChatLine.LONGEST_TEXT
        raise BadLine(f"A line has {most} characters at most, and yours has {len(line)}: please shorten it.")
    return line


def _may_stand(character: str) -> bool:
    """Not what controls the reader's screen, above all the writing direction of whatever follows."""
    control = unicodedata.category(character) in ("Cc", "Cf", "Cs")
    return not control or character.isspace() or character in _JOINERS


def _is_visible(character: str) -> bool:
    """By itself, unlike spaces and marks."""
    is_blank = character in _JOINERS or character in names.BLANK_LETTERS
    return not is_blank and unicodedata.category(character)[0] not in "MZ"


def _require_patience(game_id: int, person: User, now: datetime) -> None:
    said = ChatLine.objects.filter(game=game_id, user=person).order_by("-number").values_list("said_at", flat=True)
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
    _tell(line, last=last_number(line.game_id))


def _tell(line: ChatLine, last: int) -> None:
    """Everybody at the game's page puts the line into its place, and sees by the last number what they lack."""
    frame = {"chat": {"last": last, "lines": [asdict(_shown(line))]}}
    # Should the sending fail, the line is said all the same: pages catch up with the next one.
    transaction.on_commit(lambda: broadcast.tell(line.game_id, frame), robust=True)


# Reading


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line as everybody sees it."""

    number: int
    name: str
    colour: str
    emblem: str
    text: str
    said_at: datetime
    hidden: bool


def lines(game_id: int, after: int = 0) -> list[ShownLine]:
    """The newest lines after a number, in their order; ``Game.DoesNotExist`` if there is no such game."""
    version(game_id)
    newest = ChatLine.objects.filter(game=game_id, number__gt=after).order_by("-number")[:MOST_SHOWN]
    return [_shown(line) for line in reversed(newest)]


def _shown(line: ChatLine) -> ShownLine:
    return ShownLine(
        number=line.number,
        name=line.name,
        colour=COLOURS[line.seat],
        emblem=EMBLEMS[line.seat],
        text=REMOVED if line.hidden else line.text,
        said_at=line.said_at,
        hidden=line.hidden,
    )


def last_number(game_id: int) -> int:
    """The number of the newest line; 0 before the first."""
    return ChatLine.objects.filter(game=game_id).aggregate(last=Max("number"))["last"] or 0
