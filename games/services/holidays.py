"""Holidays: somebody is away for a while, and their clocks stand still in games over days, see `games.clocks`.

A seat knows until when its person is on holiday, whatever the game's pace: it may change. Who may take one, and
when, is decided elsewhere; here it is told.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import structlog
from django.db.models import QuerySet

from games import clocks, snapshots, store
from games.models import Game, Seat
from games.rules import Refusal, to_act
from games.services.agreements import recount
from games.services.locking import (
    intervene,
    locked,
    raise_revision,
    seat_row,
    tell_clocks,
    trusted_rows,
    wake,
    write_game,
    write_sitters,
)

log = structlog.get_logger(__name__)

ENDED = (Game.Status.OVER, Game.Status.ABORTED)


def set_holiday(
    user: int, until: datetime | None, now: datetime, *, since: datetime | None = None, in_person: bool = False
) -> None:
    """Somebody is on holiday until then, or is back, in every game of theirs that lasts; told twice, it is the same.

    The time since it began, if that was before now, has not run either: whoever tells of it may have been late.
    Who says so in person, rather than having planned it, has spoken: in games over days they are not away.
    Each game has its own transaction, in the order of their numbers. What does not get to a game is told again.
    """
    wanted = until if until and until > now else None
    for seat in _lasting(Seat.objects.filter(user=user)).exclude(player=Seat.Player.BOT).order_by("game"):
        if seat.holiday_until != wanted:
            _in_game(seat, now, lambda _: wanted, since=since, in_person=in_person)


def hold_for_holiday(game: Game, seat: int, since: datetime, until: datetime, now: datetime) -> None:
    """Under the game's lock: somebody whose time seems to be up has been on holiday since before that, and the game
    had not heard of it.
    """
    _write(game, seat_row(game, seat), until, now, since=since)


def end_holidays(now: datetime) -> None:
    """Whoever's moment has come is back: their clocks run already, and an offer gives them its full time.

    Not before a web process was alive after it: what an outage took is reckoned with the holiday first.
    """
    back = clocks.last_alive(now)
    Seat.objects.filter(holiday_until__lte=back, game__status__in=ENDED).update(holiday_until=None)
    for seat in _lasting(Seat.objects.filter(holiday_until__lte=back)).order_by("game"):
        # Meanwhile it may have been made longer.
        _in_game(seat, now, lambda until: None if until and until <= back else until)


def _lasting(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    return seats.exclude(game__status__in=ENDED)


def _in_game(
    seat: Seat,
    now: datetime,
    change: Callable[[datetime | None], datetime | None],
    *,
    since: datetime | None = None,
    in_person: bool = False,
) -> None:
    try:
        with trusted_rows(seat.game_id, now), locked(seat.game_id) as game:
            row = seat_row(game, seat.number)
            until = change(row.holiday_until)
            # Since it was found, the game may have ended, and the seat may be somebody else's.
            if game.status not in ENDED and row.user_id == seat.user_id and until != row.holiday_until:
                _write(game, row, until, now, since=since, in_person=in_person)
    except (Refusal, Game.DoesNotExist):
        # A game that was set aside, or is gone, must not keep others from hearing of it.
        log.warning("holiday_not_noted", game=seat.game_id)


def _write(
    game: Game,
    row: Seat,
    until: datetime | None,
    now: datetime,
    *,
    since: datetime | None,
    in_person: bool = False,
) -> None:
    pace = clocks.pace_of(game)
    is_held = pace is not None and not pace.is_live and row.player == Seat.Player.PERSON
    late = 0 if is_held and in_person else row.late
    if game.status == Game.Status.RUNNING:
        _hold_or_release(game, row, until, late, since, now)
    else:
        Seat.objects.filter(pk=row.pk).update(holiday_until=until, late=late)
    if is_held:
        intervene(game, "go_on_holiday" if until else "come_back", now=now, seat_id=row.pk)
    else:
        raise_revision(game, now)
    recount(game, now)


def _hold_or_release(
    game: Game, row: Seat, until: datetime | None, late: int, since: datetime | None, now: datetime
) -> None:
    snapshot = snapshots.of(game)
    sitters = snapshot.sitters_with(row.number, holiday_until=until, late=late)
    write_sitters(game, snapshot.sitters, sitters)
    if clocks.on_holiday(game, snapshot.sitters) == clocks.on_holiday(game, sitters):
        return
    alive_at = clocks.last_alive(now)
    if since and row.number in to_act(snapshot.state):
        alive_at = min(alive_at, max(since, row.awaited_since or since))
    shown = clocks.after_holiday(game, snapshot, sitters, alive_at=alive_at, now=now)
    known, known_short = clocks.moments(game), clocks.short_from(game, snapshot)
    write_game(game, shown.columns)
    store.set_offer_clocks(
        game.pk,
        {number: clock for number, clock in shown.offers.items() if clock != snapshot.offer_clocks[number]},
    )
    wake(game, clocks.moments(game) - known, now)
    tell_clocks(game, replace(snapshot, sitters=sitters, offer_clocks=shown.offers), known_short, now)
