"""What moderators see of a game, and what they do to it.

Nobody is a judge in their own game: whoever has a seat in it, or had one, sees of it what a spectator sees and leaves
it alone until it has ended. Whatever is done needs a reason, and its line in the audit log stands or falls with it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from games import selectors, services, snapshots, verification
from games.history import LogDiffers
from games.models import Game, Seat
from games.page import Scene
from games.rules import Forbidden, Malformed, Refusal
from games.rules.views import SeatView, laid_open
from games.store import BrokenRows
from lobby import rooms
from lobby.models import ChatLine, User
from moderation import audit
from moderation.audit import Act
from moderation.models import Report

ENDED: Final = (Game.Status.OVER, Game.Status.ABORTED)
LONGEST_REASON: Final = 1000
MOST_LINES: Final = 50

#: By how much a deadline is extended.
EXTENSIONS: Final = {
    "1h": ("1 hour", timedelta(hours=1)),
    "1d": ("1 day", timedelta(days=1)),
    "3d": ("3 days", timedelta(days=3)),
}


class InThatGame(Forbidden):
    code = "in_that_game"


class NotConfirmed(Malformed):
    code = "not_confirmed"


class NoReason(Malformed):
    code = "no_reason"


class CannotBeRead(Refusal):
    code = "cannot_be_read"


# Who may


def is_in(staff: User, game: Game) -> bool:
    """Whether they have a seat in a game that goes on, or had one before they left it."""
    return game.status not in ENDED and has_seat(staff, game)


def still_played_by(staff: User) -> QuerySet[Seat]:
    """The same of all games: their seats in those that go on."""
    return Seat.objects.filter(user=staff).exclude(game__status__in=ENDED)


def has_seat(staff: User, game: Game) -> bool:
    return game.seat_set.filter(user=staff).exists()


def _require_impartial(staff: User, game: Game) -> None:
    if is_in(staff, game):
        raise InThatGame("You have a seat in this game: until it has ended, leave it to another moderator.")


def _reason(why: str) -> str:
    # Databases keep no NUL.
    reason = why.replace("\0", "").strip()
    if not reason:
        raise NoReason("Say why: it’s written down in the audit log.")
    if len(reason) > LONGEST_REASON:
        raise NoReason(f"Keep the reason under {LONGEST_REASON} characters.")
    return reason


# What they do


def pause(staff: User, game_id: int, *, why: str, now: datetime) -> str:
    _act(staff, game_id, "pause", lambda reason: services.pause(game_id, now=now, why=reason), why, now)
    return "The game is paused."


def resume(staff: User, game_id: int, *, why: str, now: datetime) -> str:
    _act(staff, game_id, "resume", lambda reason: services.resume(game_id, now=now, why=reason), why, now)
    return "The game goes on."


def extend(staff: User, game_id: int, *, by: str, why: str, now: datetime) -> str:
    if by not in EXTENSIONS:
        raise services.BadExtension("Choose how much more time they get.")
    words, more = EXTENSIONS[by]
    _act(
        staff, game_id, "extend", lambda reason: services.extend(game_id, more, now=now, why=reason), why, now, by=words
    )
    return f"Whoever is to act has {words} more."


def play_timeout_now(staff: User, game_id: int, *, version: int, why: str, now: datetime) -> str:
    """For whom, was on the page that the moderator saw; if the game has moved on since, nothing is played."""

    def play(_reason: str) -> None:
        services.play_timeout_now(game_id, version=version, now=now)

    _act(staff, game_id, "play_timeout_now", play, why, now, version=version)
    return "The clock’s move was played."


def stand_in(staff: User, game_id: int, *, seat: int, why: str, now: datetime) -> str:
    def replace(reason: str) -> None:
        services.stand_in(game_id, seat, now=now, why=reason)

    _act(staff, game_id, "stand_in", replace, why, now, seat=seat)
    return "A stand-in plays that seat until its person takes it back."


def abort(staff: User, game_id: int, *, confirmed: bool, why: str, now: datetime) -> str:
    if not confirmed:
        raise NotConfirmed("An ended game stays ended: tick the box if you mean it.")
    _act(staff, game_id, "abort", lambda reason: services.abort(game_id, now=now, why=reason), why, now)
    return "The game has ended without a winner, and counts for nobody."


def _act(
    staff: User, game_id: int, what: str, do: Callable[[str], object], why: str, now: datetime, **details: Any
) -> None:
    """Under the game's lock, which the service takes again, so that nobody comes by a seat in it meanwhile."""
    refused: Refusal | None = None
    with transaction.atomic():
        game = _locked(game_id)
        _require_impartial(staff, game)
        reason = _reason(why)
        try:
            do(reason)
        except Refusal as refusal:
            # Its own changes are undone. That a game was set aside because its rows are broken is to stay.
            refused = refusal
        else:
            audit.record(staff, Act.ACTED_ON_GAME, now=now, game=game, why=reason, what=what, **details)
    if refused:
        raise refused


def _locked(game_id: int) -> Game:
    return Game.objects.select_for_update().get(pk=game_id)


def verify(staff: User, game_id: int, *, why: str, now: datetime) -> list[str]:
    """Replay the log and compare every row. As with the command, a game that differs is set aside."""
    _require_impartial(staff, Game.objects.get(pk=game_id))
    reason = _reason(why)
    game, found = verification.verified(game_id)
    with transaction.atomic():
        _require_impartial(staff, _locked(game_id))
        audit.record(
            staff,
            Act.ACTED_ON_GAME,
            now=now,
            game=game,
            why=reason,
            what="verify",
            version=game.version,
            found=len(found),
        )
        if verification.is_broken(game, found):
            services.set_aside(game_id, "\n".join(found), now=now)
    return found


def export(staff: User, game_id: int, *, why: str, now: datetime) -> Mapping[str, Any]:
    """The record: of a finished game all of it, of any other what a spectator may have, whoever asks."""
    reason = _reason(why)
    game = Game.objects.get(pk=game_id)
    try:
        record = verification.exported(game)
    except (BrokenRows, LogDiffers) as error:
        raise CannotBeRead("The record can’t be written: verify the game to see what’s wrong with it.") from error
    audit.record(staff, Act.EXPORTED_GAME, now=now, game=game, why=reason, format=record["format"])
    return record


# What they see


@dataclass(frozen=True)
class Chat:
    """What was said in one of a game's two rooms, the latest first; nothing, if it is not for this moderator."""

    title: str
    is_open: bool
    lines: Sequence[ChatLine]


@dataclass(frozen=True)
class Whole:
    """A game with every hand laid open."""

    version: int
    seats: Sequence[SeatView]


def look_at_whole(staff: User, game_id: int, *, why: str, now: datetime) -> Whole:
    """Every hand and card, and nothing of what is still to be drawn. Each look is written down."""
    with transaction.atomic():
        game = _locked(game_id)
        _require_impartial(staff, game)
        reason = _reason(why)
        try:
            snapshot = snapshots.of(game)
        except BrokenRows as error:
            raise CannotBeRead("The rows of this game don’t make a game: there’s nothing to lay open.") from error
        audit.record(staff, Act.LOOKED_AT_GAME, now=now, game=game, why=reason, version=snapshot.version)
    return Whole(snapshot.version, laid_open(snapshot.state))


def scene(game_id: int, now: datetime) -> Scene | None:
    """What a spectator's page is made of; nothing for a game whose rows are broken."""
    try:
        return selectors.scene(game_id, now=now)
    except BrokenRows:
        return None


def chats(staff: User, game: Game) -> list[Chat]:
    """Whoever plays reads what other players may read: those who watch talk about them."""
    is_partial = is_in(staff, game)
    found = []
    for title, room in zip(("The players’ chat", "The watchers’ chat"), rooms.of_game(game.pk), strict=True):
        is_open = not is_partial or room.may_read(staff)
        lines = room.lines().select_related("user").order_by("-number")[:MOST_LINES] if is_open else []
        found.append(Chat(title, is_open, list(lines)))
    return found


def reports(staff: User, game: Game) -> list[Report]:
    """Not for those who have played in it, not even once it has ended: they may be meant, or have reported somebody.

    Nor what is about whoever looks: one can be reported for what one has said while watching.
    """
    if has_seat(staff, game):
        return []
    others = Report.objects.filter(game=game).exclude(case__person=staff)
    return list(others.select_related("by", "case__person").order_by("-made_at"))
