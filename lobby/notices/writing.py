"""The outbox: what somebody may have to be told is written down with what it tells of, in the same transaction.

A move that asks somebody something costs one more statement for it, and so does one after which they have another clock
for the same, or an offer beside it; no other move costs any. Who that somebody is, and whether they want to be told, is
looked at when it is due: mostly it is over by then.

Of a seat there is one notice of each kind. A reminder is written once its question has been seen to
(lobby/notices/telling.py), and stays until the next: by it one knows that the question is no news any more.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

from games.clocks import pace_of
from games.models import Game, Seat
from games.paces import Pace
from lobby.models import Chair, Notice
from lobby.notice_models import Kind, PaceKind

KIND_OF: Final[Mapping[str, Kind]] = {
    Seat.Asked.MOVE: Kind.TURN,
    Seat.Asked.DISCARD: Kind.DISCARD,
    Seat.Asked.OFFER: Kind.OFFER,
}
ASKS: Final = tuple(KIND_OF.values())

#: Whoever is asked something has so long to see it by themselves before they are told.
WAIT: Final = {PaceKind.DAYS: timedelta(minutes=1), PaceKind.LIVE: timedelta(seconds=5)}


def pace_kind(pace: Pace | None) -> PaceKind:
    """A game without clocks is one over days: nobody is hurried in it."""
    return PaceKind.LIVE if pace is not None and pace.is_live else PaceKind.DAYS


def note_asked(game: Game, asked: Mapping[int, str], now: datetime) -> None:
    """Of these seats something else is asked than before."""
    _write(game, {seat: KIND_OF[what] for seat, what in asked.items() if what}, now)


def note_offers(game: Game, seats: Iterable[int], now: datetime) -> None:
    """To these seats an offer was made while something is asked of them already."""
    _write(game, dict.fromkeys(seats, Kind.OFFER), now)


def _write(game: Game, kinds: Mapping[int, Kind], now: datetime) -> None:
    Notice.objects.bulk_create(
        _notices(game, kinds, now), update_conflicts=True, unique_fields=["seat", "kind"], update_fields=["due_at"]
    )


def _notices(game: Game, kinds: Mapping[int, Kind], now: datetime) -> list[Notice]:
    due_at = now + WAIT[pace_kind(pace_of(game))]
    return [Notice(kind=kind, seat_id=Seat.key(game.pk, seat), due_at=due_at) for seat, kind in kinds.items()]


def note_clocks(
    game: Game, asked: Mapping[int, str], short_from: Mapping[int, datetime], now: datetime, *, is_afresh: bool
) -> None:
    """Of these seats the same is asked as before, by another clock: that is what they are reminded of.

    In a live game the reminder stays as it was: it is looked at within seconds anyway.
    """
    kind_of_pace = pace_kind(pace_of(game))
    if kind_of_pace is PaceKind.LIVE:
        return
    reminders = Notice.objects.filter(kind=Kind.REMINDER)
    for moment in {*short_from.values()}:
        seats = [Seat.key(game.pk, seat) for seat, at in short_from.items() if at == moment]
        reminders.filter(seat__in=seats).update(due_at=max(moment, now + WAIT[kind_of_pace]))
    if is_afresh:
        # Somebody who was not to hear of it while the game was live is told now.
        known = {*reminders.filter(seat__game=game).values_list("seat", flat=True)}
        news = {seat: KIND_OF[what] for seat, what in asked.items() if Seat.key(game.pk, seat) not in known}
        Notice.objects.bulk_create(_notices(game, news, now), ignore_conflicts=True)


def note_end(game: Game, now: datetime) -> None:
    of_people = Seat.objects.filter(game=game, user__is_guest=False).values_list("number", flat=True)
    _write(game, dict.fromkeys(of_people, Kind.ENDED), now)


def note_invited(chairs: Iterable[Chair], now: datetime) -> None:
    """Chairs that are kept for people. Of an earlier invitation to the same table nothing is told any more."""
    kept = [chair for chair in chairs if chair.kept]
    for chair in kept:
        Notice.objects.filter(kind=Kind.INVITED, person=chair.user_id, table=chair.table_id).delete()
    Notice.objects.bulk_create(
        Notice(
            kind=Kind.INVITED,
            person_id=chair.user_id,
            table_id=chair.table_id,
            due_at=now + WAIT[pace_kind(chair.table.pace)],
        )
        for chair in kept
    )
