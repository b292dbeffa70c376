"""Who has a game's page open. A page that is gone for a moment, at a reload, is not missed by anybody."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from django.db import transaction

from games import broadcast, clocks, words_clocks
from games.models import Connection, Game, Presence, Seat
from games.page import Frame
from games.selectors import UNSEEN_AFTER
from games.services.playing import withdraw_promises
from games.services.uptime import GRACE
from games.store import Sitter

log = structlog.get_logger(__name__)

#: Gone for so long, and somebody has lost the connection.
LOST_AFTER: Final = timedelta(seconds=10)
#: How often a web process says that it still holds its connections, which count as gone without that.
SEEN_EVERY: Final = timedelta(seconds=10)

#: This process, among those that hold connections.
PROCESS: Final = uuid.uuid4().hex


def arrive(game_id: int, user_id: int | None, channel: str, now: datetime) -> None:
    """A page was opened. Only those who have a seat are expected, so only they are noted."""
    seat = Seat.objects.filter(game=game_id, user=user_id).first() if user_id else None
    if seat is None:
        return
    with _locked(seat.pk) as presence:
        Connection.objects.create(seat=seat, channel=channel, process=PROCESS, seen_at=now)
        _write(presence, is_here=True, gone_at=None, lost_due=None)


def leave(channel: str, now: datetime, *, for_restart: bool = False) -> None:
    """A page was closed, or its line cut. If the server closed it to restart, it takes longer to come back."""
    connection = Connection.objects.filter(channel=channel).first()
    if connection is None:
        return
    with _locked(connection.seat_id) as presence:
        Connection.objects.filter(channel=channel).delete()
        if not Connection.objects.filter(seat=connection.seat_id).exists():
            lost_due = now + LOST_AFTER + (GRACE if for_restart else timedelta())
            _write(presence, gone_at=now, lost_due=lost_due)
            transaction.on_commit(lambda: clocks.wake_for_lost(presence.pk, lost_due), robust=True)


def note_lost(seat_id: int, now: datetime) -> None:
    """Somebody has not come back in time. In a live game nobody can trade with them any more.

    Their promises go first: if that fails, the moment stays due, and the next sweep tries again.
    """
    if not Presence.objects.filter(pk=seat_id, lost_due__lte=now).exists():
        return
    game = Game.objects.get(pk=Seat.game_of(seat_id))
    pace = clocks.pace_of(game)
    if pace is None or pace.is_live:
        withdraw_promises(game.pk, Seat.number_of(seat_id), now)
    with _locked(seat_id) as presence:
        if presence.lost_due is not None and presence.lost_due <= now:
            _write(presence, is_here=False, lost_due=None)


def note_visible(channel: str, is_visible: bool) -> None:
    """A page says whether it is before somebody's eyes, or in a tab behind others."""
    Connection.objects.filter(channel=channel).update(is_visible=is_visible)


@contextmanager
def _locked(seat_id: int) -> Iterator[Presence]:
    """Two pages of one person that open and close at once: each must see what the other has done."""
    with transaction.atomic():
        yield Presence.objects.select_for_update().get(pk=seat_id)


def _write(presence: Presence, **changes: Any) -> None:
    was_here = presence.is_here
    Presence.objects.filter(pk=presence.pk).update(**changes)
    for column, value in changes.items():
        setattr(presence, column, value)
    if presence.is_here != was_here:
        # The same for everybody: a page knows by itself that its viewer is there.
        seat = presence.seat
        until = clocks.on_holiday(seat.game, [Sitter.of(seat)]).get(0) if seat.holiday_until else None
        frame: Frame = {"presence": {"seat": seat.number, "presence": words_clocks.presence(seat, None, until)}}
        game_id = seat.game_id
        transaction.on_commit(lambda: broadcast.tell(game_id, frame), robust=True)


def keep_connections(now: datetime) -> None:
    """This process is alive, and so are its connections."""
    Connection.objects.filter(process=PROCESS).update(seen_at=now)


def sweep(now: datetime) -> None:
    """What no task has seen to: connections of web processes that died, and people who are gone."""
    for channel in Connection.objects.filter(seen_at__lt=now - UNSEEN_AFTER).values_list("channel", flat=True):
        leave(channel, now)
    for seat_id in Presence.objects.filter(lost_due__lte=now).values_list("pk", flat=True):
        try:
            note_lost(seat_id, now)
        except Exception:
            # One game that cannot be played must not keep the others' people from being missed.
            log.exception("loss_not_noted", seat=seat_id)
