"""What the page says about time and absence: the last call, what is asked, and whose seat is empty."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils import dateformat
from typing_extensions import TypedDict

from games.clocks import ClockView
from games.models import Presence, Seat
from games.paces import HOUR, MINUTE, in_words
from games.words_bots import BOTS

#: Gone for less than this, somebody has lost the connection; then they are away.
AWAY_AFTER: Final = timedelta(minutes=2)

#: What is said when one's own clock is short, by what it is for.
LAST_CALLS: Final = {
    "placing_settlement": "Time is running out: place your settlement.",
    "placing_road": "Time is running out: place your road.",
    "rolling": "Time is running out: roll the dice.",
    "discarding": "Time is running out: choose what to discard.",
    "moving_robber": "Time is running out: move the robber.",
    "stealing": "Time is running out: choose who to steal from.",
    "placing_free_roads": "Time is running out: place your free roads.",
    "main": "Time is running out: finish your turn.",
    "answer": "Time is running out: answer the offer.",
}
TIME_IS_UP: Final = "Time is up."

#: What the game wants of the viewer, as the window's title and the list of one's games say it.
ASKS: Final = {"move": "Your move", "discard": "Discard", "offer": "An offer for you"}

SAVED: Final = "Saved."


class TimeLeft(TypedDict):
    """What a running clock shows: of more than a day, of more than an hour, and of less."""

    days: str
    hours: str
    minutes: str


TIME_LEFT: Final[TimeLeft] = {
    "days": "{days} d {hours} h",
    "hours": "{hours} h {minutes} m",
    "minutes": "{minutes}:{seconds}",
}


class Titles(TypedDict):
    """The window's title, when something is asked, and when the time for it is short."""

    asked: str
    short: str


TITLES: Final[Titles] = {"asked": "{asks} · {title}", "short": "⏱ {left} · {title}"}


# Who is there


class SeatState(TypedDict):
    """Who plays a seat, or why nobody does; nothing about others who are there."""

    #: In one word, for programs.
    state: str
    #: The same for people.
    words: str
    #: The same where there is little room, if that is not enough of it.
    short: str


class PresenceView(SeatState):
    """The state of a seat, and what becomes of it by itself."""

    #: What it becomes by itself.
    then: SeatState | None
    #: When it does.
    then_at: datetime | None


_STATES: Final = {"": "", "you": "you", "stand_in": "stand-in", "lost": "offline", "away": "away"}


def presence(seat: Seat, viewer: int | None, holiday_until: datetime | None) -> PresenceView:
    """Whoever looks at the page is there. Whether somebody on holiday is, matters less than until when they are not
    to be waited for."""
    if seat.strength:
        words = BOTS[seat.strength].title.lower()
        return {"state": seat.player, "words": words, "short": "", "then": None, "then_at": None}
    if seat.player != Seat.Player.PERSON:
        return _for_good(seat.player)
    if holiday_until:
        return _on_holiday(holiday_until, is_you=seat.number == viewer)
    return _for_good("you") if seat.number == viewer else of_person(seat.presence)


def _on_holiday(until: datetime, *, is_you: bool) -> PresenceView:
    last_day = dateformat.format(until - timedelta.resolution, "j M")
    words = f"{'you, ' if is_you else ''}on holiday until the end of {last_day}"
    return {"state": "holiday", "words": words, "short": last_day, "then": None, "then_at": None}


def of_person(presence: Presence) -> PresenceView:
    if presence.is_here:
        return _for_good("")
    if presence.gone_at is None:
        # A program may play without ever opening a page.
        return _for_good("" if presence.seat.is_bot_account else "away")
    return {**_named("lost"), "then": _named("away"), "then_at": presence.gone_at + AWAY_AFTER}


def _named(state: str) -> SeatState:
    return {"state": state, "words": _STATES[state], "short": ""}


def _for_good(state: str) -> PresenceView:
    return {**_named(state), "then": None, "then_at": None}


def at(presence: PresenceView, now: datetime) -> SeatState:
    """The state of a seat at a moment."""
    if presence["then"] and presence["then_at"] and presence["then_at"] <= now:
        return presence["then"]
    return presence


# A page without scripts: its clocks stand still


@dataclass(frozen=True, slots=True)
class Face:
    """A clock as the page was drawn."""

    text: str
    #: Of its time, what is left.
    percent: int
    seconds: int
    stands_still: bool
    is_short: bool


def face(clock: ClockView | None, now: datetime) -> Face | None:
    if clock is None:
        return None
    left = clock["left"] if clock["ends"] is None else (clock["ends"] - now).total_seconds()
    seconds = max(0, math.ceil(left or 0))
    told = seconds if seconds < HOUR else seconds - seconds % MINUTE
    return Face(
        text=in_words(told),
        percent=round(100 * min(1.0, seconds / clock["of"])),
        seconds=seconds,
        stands_still=clock["ends"] is None,
        is_short=clock["short_at"] is not None and clock["short_at"] <= now,
    )
