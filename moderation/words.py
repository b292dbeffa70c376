"""What decisions are called, and what people are told of them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from games.models import Game, Seat
from games.words import listing
from lobby.restrictions import moment
from moderation.models import Decision

Kind = Decision.Kind

# Of games, for moderators.
STATUSES: Final = {
    Game.Status.RUNNING: "running",
    Game.Status.PAUSED: "paused",
    Game.Status.RESTING: "resting",
    Game.Status.OVER: "over",
    Game.Status.ABORTED: "aborted",
    Game.Status.NEEDS_ATTENTION: "needs attention",
}
PLAYED_BY: Final = {
    Seat.Player.PERSON: "the person",
    Seat.Player.BOT: "a bot",
    Seat.Player.STAND_IN: "a stand-in",
}
ASKED: Final = {
    Seat.Asked.NOTHING: "",
    Seat.Asked.MOVE: "to move",
    Seat.Asked.DISCARD: "to discard",
    Seat.Asked.OFFER: "to answer an offer",
}

#: To those who played in a game that was annulled because of somebody else.
TO_BYSTANDERS: Final = (
    "This game wasn’t played fairly. Nothing is held against you: the ratings are as if it hadn’t been played."
)

_TITLES: Final = {
    Kind.WARN: "A warning",
    Kind.HIDE_LINES: "Your chat lines were hidden",
    Kind.MUTE: "You are muted",
    Kind.BAN: "You are banned",
    Kind.RESET_NAME: "Your name was changed",
    Kind.ANNUL_GAME: "A game no longer counts",
}
#: Once they no longer hold.
_PAST_TITLES: Final = {Kind.MUTE: "You were muted", Kind.BAN: "You were banned"}
_TO_REPORTERS: Final = {
    Kind.WARN: "the person was warned",
    Kind.HIDE_LINES: "what was said is hidden",
    Kind.MUTE: "the person can’t chat for now",
    Kind.BAN: "the person can’t play here for now",
    Kind.RESET_NAME: "the name was changed",
    Kind.ANNUL_GAME: "the game no longer counts for ratings",
}
DISMISSED: Final = "Thank you for your report. A moderator looked into it and found nothing to act on."


def phase(name: str) -> str:
    return name.replace("_", " ")


def title(decision: Decision, now: datetime) -> str:
    kind = Kind(decision.kind)
    is_past = decision.undone_at is not None or (decision.until is not None and decision.until <= now)
    return (is_past and _PAST_TITLES.get(kind)) or _TITLES[kind]


def effect(decision: Decision, now: datetime) -> str:
    """What it means for its person, in a sentence or two."""
    return {
        Kind.WARN: _warning,
        Kind.HIDE_LINES: _hidden,
        Kind.MUTE: _mute,
        Kind.BAN: _ban,
        Kind.RESET_NAME: _name,
        Kind.ANNUL_GAME: _annulled,
    }[Kind(decision.kind)](decision, now)


def _warning(decision: Decision, now: datetime) -> str:
    if decision.until is None or decision.until > now:
        return f"The moderators have warned you. {_until(decision, 'The warning counts until {}.', '')}".strip()
    return f"The moderators warned you. The warning counted until {moment(decision.until)} and has ended."


def _hidden(decision: Decision, now: datetime) -> str:
    return "Others no longer see the lines below." if decision.undone_at is None else "Others see these lines again."


def _mute(decision: Decision, now: datetime) -> str:
    if decision.until is not None and decision.until <= now:
        return f"You couldn’t write in any chat until {moment(decision.until)}. This has ended."
    return _until(
        decision, "You can’t write in any chat until {}.", "You can’t write in any chat. This doesn’t end by itself."
    )


def _ban(decision: Decision, now: datetime) -> str:
    if decision.until is not None and decision.until <= now:
        return f"The site was closed to you until {moment(decision.until)}. This has ended."
    return _until(
        decision, "The site is closed to you until {}.", "The site is closed to you. This doesn’t end by itself."
    )


def _name(decision: Decision, now: datetime) -> str:
    old, new = decision.details["old"], decision.details["new"]
    if decision.undone_at is not None:
        if decision.details.get("given_back"):
            return f"You are called “{old}” again."
        return f"Somebody else has taken the name “{old}” in the meantime, so you are still called “{new}”."
    signs_in = decision.person is not None and not decision.person.is_guest
    return f"You are now called “{new}”." + (" Sign in with that name from now on." if signs_in else "")


def _annulled(decision: Decision, now: datetime) -> str:
    if decision.undone_at is not None:
        return "The game counts for everybody’s rating again."
    return "A rated game that you played in was annulled: everybody’s rating is as if it hadn’t been played."


def _until(decision: Decision, sentence: str, otherwise: str) -> str:
    return otherwise if decision.until is None else sentence.format(moment(decision.until))


def answer_to_reporters(kinds: Sequence[str]) -> str:
    """What was done, without its details: they are the person's own affair."""
    done = [_TO_REPORTERS[Kind(kind)] for kind in dict.fromkeys(kinds) if kind != Kind.DISMISS]
    return f"Thank you for your report. A moderator looked into it: {listing(done)}." if done else DISMISSED
