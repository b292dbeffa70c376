"""When a game stops waiting: for those to act, for answers to offers, and for bots that have thought enough.

All these moments are columns of the game's row, written with the move that set them; those that
something happens at are indexed. A task is queued for a moment that is near, so that it is kept
promptly; beat's sweep finds whatever a lost task or a restart has missed.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from celery import current_app
from django.db.models import Exists, OuterRef, Q, QuerySet
from typing_extensions import TypedDict

from games.models import Game, Presence, Pulse, Seat
from games.paces import BOT_SPEEDS, Pace
from games.rows import GameColumns
from games.rules import Phase, State, to_act
from games.rules.state import Offer
from games.store import OfferClock, Snapshot

#: A moment nearer than this is worth a task of its own; a later one is left to the sweep.
NEAR: Final = timedelta(seconds=60)

#: How often a web process writes down that it is alive.
PULSE_EVERY: Final = timedelta(seconds=1)

#: How long a bot waits for answers to its offer where no clock runs.
BOTS_PATIENCE: Final = timedelta(seconds=20)
#: People have an offer to themselves for so long, before a bot that was asked too snatches it.
PEOPLE_FIRST: Final = timedelta(seconds=5)

#: The clocks of a game that nobody can move in.
STOPPED: Final[GameColumns] = {
    "deadline": None,
    "turn_left": None,
    "answers_due": None,
    "bots_due": None,
}


def pace_of(game: Game) -> Pace | None:
    return None if game.pace is None else Pace.from_json(game.pace)


# What the clocks show after a move


@dataclass(frozen=True, slots=True)
class Clocks:
    """All clocks of a game: the columns of its row, and those of the open offers."""

    columns: GameColumns
    offers: Mapping[int, OfferClock]


def afresh(game: Game, snapshot: Snapshot, now: datetime) -> Clocks:
    """The game starts, or goes on after a break: everybody has their full time."""
    pace = pace_of(game)
    offers = {offer.number: _new_offer_clock(pace, now) for offer in snapshot.state.offers}
    phase = {} if pace is None else _of_the_phase(Game(**STOPPED), pace, None, snapshot.state, now)
    return _all(game, snapshot, snapshot.state, phase, offers, now)


def after_move(game: Game, snapshot: Snapshot, after: State, now: datetime) -> Clocks:
    """The clocks of a game that a move has just led from one state to another."""
    if after.phase is Phase.OVER:
        return Clocks(STOPPED, {})
    pace = pace_of(game)
    phase = {} if pace is None else _of_the_phase(game, pace, snapshot.state, after, now)
    return _all(game, snapshot, after, phase, _of_offers(snapshot, pace, after, now), now)


def _all(
    game: Game, snapshot: Snapshot, state: State, phase: GameColumns, offers: dict[int, OfferClock], now: datetime
) -> Clocks:
    due = (offers[offer.number].answers_due for offer in state.offers if unanswered(offer))
    columns: GameColumns = STOPPED | phase | {"answers_due": min((at for at in due if at), default=None)}
    ready = bots_ready(snapshot, state, offers, columns["deadline"])
    pause = timedelta(seconds=BOT_SPEEDS[game.bot_speed])
    columns["bots_due"] = max(now + pause, min(ready.values())) if ready else None
    return Clocks(columns, offers)


def _of_the_phase(game: Game, pace: Pace, before: State | None, after: State, now: datetime) -> GameColumns:
    """Each phase has its own time. That of the turn runs in its main phase only: it stands still while
    others discard, and while the robber or free roads, which have their own, are seen to.
    """
    is_same_turn = before is not None and before.turn == after.turn
    if before and is_same_turn and (before.phase, before.free_roads) == (after.phase, after.free_roads):
        return {"deadline": game.deadline, "turn_left": game.turn_left}
    turn_left = timedelta(seconds=pace.turn)
    if before and is_same_turn and before.phase is Phase.MAIN and game.deadline:
        turn_left = max(game.deadline - now, timedelta())
    elif is_same_turn and game.turn_left is not None:
        turn_left = game.turn_left
    if after.phase is Phase.MAIN:
        return {"deadline": now + turn_left, "turn_left": None}
    return {"deadline": now + timedelta(seconds=pace.seconds(after.phase)), "turn_left": turn_left}


def _of_offers(snapshot: Snapshot, pace: Pace | None, after: State, now: datetime) -> dict[int, OfferClock]:
    """Each offer has a clock of its own, and a new one when somebody takes back the last answer to it."""
    asking = {offer.number for offer in snapshot.state.offers if unanswered(offer)}
    return {
        offer.number: snapshot.offer_clocks[offer.number]
        if offer.number in asking or (offer.number in snapshot.offer_clocks and not unanswered(offer))
        else _new_offer_clock(pace, now)
        for offer in after.offers
    }


def _new_offer_clock(pace: Pace | None, now: datetime) -> OfferClock:
    return OfferClock(now, None if pace is None else now + timedelta(seconds=pace.answer))


def unanswered(offer: Offer) -> list[int]:
    return sorted({*offer.to} - {*offer.accepted} - {*offer.rejected})


# Bots


def bots_ready(
    snapshot: Snapshot, state: State, offers: Mapping[int, OfferClock], deadline: datetime | None
) -> dict[int, datetime]:
    """From when on each bot of which something is asked may do it: people who were asked too come first."""
    acting, bots = to_act(state), snapshot.bots
    ready = {seat: _when_answered(snapshot, seat, state, offers, deadline) for seat in acting if seat in bots}
    for offer in state.offers:
        left = unanswered(offer)
        made_at = offers[offer.number].made_at
        alone_from = made_at if bots.issuperset(left) else made_at + PEOPLE_FIRST
        for seat in bots.intersection(left):
            ready[seat] = min(ready.get(seat, alone_from), alone_from)
    return ready


def _when_answered(
    snapshot: Snapshot, seat: int, state: State, offers: Mapping[int, OfferClock], deadline: datetime | None
) -> datetime:
    """When a bot whose turn it is has waited long enough for answers to what it offered."""
    # A stand-in trades with nobody: it has nothing to wait for.
    if snapshot.sitters[seat].player == Seat.Player.STAND_IN:
        return _AT_ONCE
    waits = [
        clock.answers_due or clock.made_at + BOTS_PATIENCE
        for offer in state.offers
        if offer.maker == seat and unanswered(offer) and (clock := offers[offer.number])
    ]
    return min(max(waits, default=_AT_ONCE), deadline or _NEVER)


_AT_ONCE: Final = datetime.min.replace(tzinfo=UTC)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


# What players see of it

#: A running clock with no more than this share of its time left is short.
SHORT: Final = 0.2


class ClockView(TypedDict):
    """A clock that runs out at a moment or, while it stands still, has some seconds left."""

    ends: datetime | None
    left: float | None
    #: The seconds it had in the beginning.
    of: int
    short_at: datetime | None


def shown(game: Game, snapshot: Snapshot, seat: int) -> ClockView | None:
    """A seat's own clock."""
    pace, state = pace_of(game), snapshot.state
    if pace is None or game.status != Game.Status.RUNNING:
        return None
    if seat in to_act(state) and game.deadline:
        return _running(game.deadline, pace.seconds(state.phase))
    asked = [snapshot.offer_clocks[offer.number].answers_due for offer in state.offers if seat in unanswered(offer)]
    if due := [at for at in asked if at]:
        return _running(min(due), pace.answer)
    if seat == state.active and game.turn_left is not None:
        return {"ends": None, "left": game.turn_left.total_seconds(), "of": pace.turn, "short_at": None}
    return None


def _running(ends: datetime, seconds: int) -> ClockView:
    return {"ends": ends, "left": None, "of": seconds, "short_at": ends - timedelta(seconds=SHORT * seconds)}


# What is due


def overdue(now: datetime) -> QuerySet[Game]:
    """Games in which something should have happened by now: first those that somebody with a seat has open."""
    alive_at = last_alive(now)
    is_due = Q(bots_due__lte=now) | Q(deadline__lte=alive_at) | Q(answers_due__lte=alive_at)
    watched = Presence.objects.filter(seat__game=OuterRef("pk"), is_here=True)
    return Game.objects.filter(is_due, status=Game.Status.RUNNING).order_by(Exists(watched).desc(), "started_at")


def last_alive(now: datetime) -> datetime:
    """Until when people could have moved.

    Nobody is late by a moment at which the site was down: a deadline counts once a web process was
    alive after it. A site without any web process, in a command or a test, counts as alive.
    """
    return Pulse.objects.values_list("at", flat=True).first() or now


def late_seat(game: Game, snapshot: Snapshot, now: datetime) -> tuple[int, int | None] | None:
    """A seat whose time is up at this moment, and the offer it has not answered, if it is about one."""
    for offer in snapshot.state.offers:
        at = snapshot.offer_clocks[offer.number].answers_due
        if at and at <= now and (late := unanswered(offer)):
            return late[0], offer.number
    if game.deadline and game.deadline <= now:
        return to_act(snapshot.state)[0], None
    return None


def moments(game: Game) -> set[datetime]:
    """When somebody should look at the game: a little after people's deadlines, see `last_alive`."""
    people = (at and at + PULSE_EVERY for at in (game.deadline, game.answers_due))
    return {at for at in (game.bots_due, *people) if at}


def wake(game_id: int, moments: Collection[datetime], now: datetime) -> None:
    """Have somebody look at the game at these moments, as far as they are near."""
    for moment in moments:
        if moment - now < NEAR:
            # By its name: the task is above us and calls the services that call us.
            current_app.send_task("games.tasks.act_when_due", [game_id], eta=moment, retry=False)


def wake_for_lost(seat_id: int, moment: datetime) -> None:
    """Have somebody look then whether the person of a seat has come back."""
    current_app.send_task("games.tasks.note_lost", [seat_id], eta=moment, retry=False)
