"""When a game stops waiting: for those to act, for answers to offers, for bots that have thought enough, and for
standing orders.

All these moments are columns of the game's row, written with the move that set them; those that
something happens at are indexed. A task is queued for a moment that is near, so that it is kept
promptly; beat's sweep finds whatever a lost task or a restart has missed.

Holidays. In a game over days, the clock of those to act stands still while any of them is on holiday, and
`deadline` is when they will be late all the same: the end of the holiday, and then what was left. On a seven
that is one clock for all who still have to discard: the game waits for the one on holiday anyway. An offer's
clock is for those who are not on holiday; nobody waits for the others, who have its full time once they are
back, if it still lies on the table.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from celery import current_app
from django.db.models import Exists, OuterRef, Q, QuerySet
from typing_extensions import TypedDict

from games import ordered
from games.models import Game, Presence, Proposal, Pulse, Seat
from games.paces import BOT_SPEEDS, Pace
from games.rows import GameColumns
from games.rules import Phase, State, to_act
from games.rules.state import Offer
from games.store import OfferClock, Sitter, Snapshot

#: A moment nearer than this is worth a task of its own; a later one is left to the sweep.
NEAR: Final = timedelta(seconds=60)

#: The place in the queue of a game that nobody has open; 0, which others have, comes first.
LATER: Final = 9

#: How often a web process writes down that it is alive.
PULSE_EVERY: Final = timedelta(seconds=1)

#: How long a bot waits for answers to its offer where no clock runs.
BOTS_PATIENCE: Final = timedelta(seconds=20)
#: People have an offer to themselves for so long, before a bot that was asked too snatches it.
PEOPLE_FIRST: Final = timedelta(seconds=5)
#: Beyond its clock a bot has so long to think: it may have waited for answers to the end of its turn.
BOTS_RESERVE: Final = timedelta(seconds=10)
#: Between two things that are done by standing order, so that people see them, and their owner can still cancel.
ORDERS_PAUSE: Final = timedelta(seconds=2)

#: The clocks of a game that nobody can move in.
STOPPED: Final[GameColumns] = {
    "deadline": None,
    "turn_left": None,
    "answers_due": None,
    "bots_due": None,
    "orders_due": None,
}


def pace_of(game: Game) -> Pace | None:
    return None if game.pace is None else Pace.from_json(game.pace)


# Holidays


def on_holiday(game: Game, sitters: Sequence[Sitter]) -> dict[int, datetime]:
    """The seats whose people have their clocks stand still in this game, and until when.

    Somebody whose moment has passed counts until the sweep has seen to it, see `services.holidays`.
    """
    away = {
        seat: sitter.holiday_until
        for seat, sitter in enumerate(sitters)
        if sitter.holiday_until and sitter.player == Seat.Player.PERSON
    }
    pace = pace_of(game) if away else None
    return {} if pace is None or pace.is_live else away


def _runs_from(state: State, holidays: Mapping[int, datetime], now: datetime) -> datetime:
    """From when on the clock of those to act runs: from now on, or once the last of them is back."""
    return max([now, *(holidays[seat] for seat in to_act(state) if seat in holidays)])


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
    holidays = on_holiday(game, snapshot.sitters)
    phase = {} if pace is None else _of_the_phase(Game(**STOPPED), pace, None, snapshot.state, holidays, now)
    return _all(game, snapshot, snapshot.state, phase, offers, now)


def after_move(game: Game, snapshot: Snapshot, after: State, now: datetime) -> Clocks:
    """The clocks of a game that a move has just led from one state to another."""
    if after.phase is Phase.OVER:
        return Clocks(STOPPED, {})
    pace = pace_of(game)
    holidays = on_holiday(game, snapshot.sitters)
    phase = {} if pace is None else _of_the_phase(game, pace, snapshot.state, after, holidays, now)
    return _all(game, snapshot, after, phase, _of_offers(snapshot, pace, after, now), now)


def after_holiday(
    game: Game, snapshot: Snapshot, sitters: tuple[Sitter, ...], *, alive_at: datetime, now: datetime
) -> Clocks:
    """The clocks of a running game one of whose people goes on holiday, comes back, or stays away for longer or less.

    Time that has run out is not given back; time in which the site was down is not taken, see `last_alive`.
    """
    pace, state = pace_of(game), snapshot.state
    before, after = on_holiday(game, snapshot.sitters), on_holiday(game, sitters)
    deadline = game.deadline
    if deadline and deadline > alive_at:
        deadline = _runs_from(state, after, now) + (deadline - _runs_from(state, before, alive_at))
    back = before.keys() - after.keys()
    offers = {
        offer.number: replace(clock, answers_due=_new_offer_clock(pace, now).answers_due)
        if back.intersection(unanswered(offer))
        else clock
        for offer in state.offers
        if (clock := snapshot.offer_clocks[offer.number])
    }
    phase: GameColumns = {"deadline": deadline, "turn_left": game.turn_left}
    return _all(game, replace(snapshot, sitters=sitters), state, phase, offers, now)


def extended(game: Game, snapshot: Snapshot, deadline: datetime, now: datetime) -> Clocks:
    """The clocks of a running game whose people to act get more time. Offers keep theirs."""
    phase: GameColumns = {"deadline": deadline, "turn_left": game.turn_left}
    return _all(game, snapshot, snapshot.state, phase, dict(snapshot.offer_clocks), now)


def _all(
    game: Game, snapshot: Snapshot, state: State, phase: GameColumns, offers: dict[int, OfferClock], now: datetime
) -> Clocks:
    holidays = on_holiday(game, snapshot.sitters)
    due = (offers[offer.number].answers_due for offer in state.offers if expected(offer, holidays))
    columns: GameColumns = STOPPED | phase | {"answers_due": min((at for at in due if at), default=None)}
    ready = bots_ready(snapshot, state, offers, columns["deadline"], holidays)
    pause = timedelta(seconds=BOT_SPEEDS[game.bot_speed])
    columns["bots_due"] = max(now + pause, min(ready.values())) if ready else None
    columns["orders_due"] = now + ORDERS_PAUSE if ordered.decisions(snapshot.sitters, state, pace_of(game)) else None
    return Clocks(columns, offers)


def orders_due(game: Game, snapshot: Snapshot, now: datetime) -> datetime | None:
    """When orders that were given or cancelled between two moves are carried out; what was due sooner still is."""
    is_running = game.status == Game.Status.RUNNING
    if not is_running or not ordered.decisions(snapshot.sitters, snapshot.state, pace_of(game)):
        return None
    return min(game.orders_due or _NEVER, now + ORDERS_PAUSE)


def _of_the_phase(
    game: Game, pace: Pace, before: State | None, after: State, holidays: Mapping[int, datetime], now: datetime
) -> GameColumns:
    """Each phase has its own time. That of the turn runs in its main phase only: it stands still while
    others discard, and while the robber or free roads, which have their own, are seen to.
    """
    is_same_turn = before is not None and before.turn == after.turn
    runs_from = _runs_from(after, holidays, now)
    left = game.deadline - _runs_from(before, holidays, now) if before and game.deadline else None
    if before and is_same_turn and (before.phase, before.free_roads) == (after.phase, after.free_roads):
        # Of those who discard, the one on holiday may have been the last who was waited for.
        return {"deadline": None if left is None else runs_from + left, "turn_left": game.turn_left}
    turn_left = timedelta(seconds=pace.turn)
    if before and is_same_turn and before.phase is Phase.MAIN and left is not None:
        turn_left = max(left, timedelta())
    elif is_same_turn and game.turn_left is not None:
        turn_left = game.turn_left
    if after.phase is Phase.MAIN:
        return {"deadline": runs_from + turn_left, "turn_left": None}
    return {"deadline": runs_from + timedelta(seconds=pace.seconds(after.phase)), "turn_left": turn_left}


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


def expected(offer: Offer, holidays: Collection[int]) -> list[int]:
    """Whose answers are waited for: those of people on holiday are not."""
    return [seat for seat in unanswered(offer) if seat not in holidays]


# Bots


def bots_ready(
    snapshot: Snapshot,
    state: State,
    offers: Mapping[int, OfferClock],
    deadline: datetime | None,
    holidays: Collection[int],
) -> dict[int, datetime]:
    """From when on each bot of which something is asked may do it: people who were asked too come first."""
    acting, bots = to_act(state), snapshot.bots
    ready = {seat: _when_answered(snapshot, seat, state, offers, deadline, holidays) for seat in acting if seat in bots}
    for offer in state.offers:
        left = unanswered(offer)
        made_at = offers[offer.number].made_at
        alone_from = made_at if bots.issuperset(left) else made_at + PEOPLE_FIRST
        for seat in bots.intersection(left):
            ready[seat] = min(ready.get(seat, alone_from), alone_from)
    return ready


def _when_answered(
    snapshot: Snapshot,
    seat: int,
    state: State,
    offers: Mapping[int, OfferClock],
    deadline: datetime | None,
    holidays: Collection[int],
) -> datetime:
    """When a bot whose turn it is has waited long enough for answers to what it offered."""
    # A stand-in trades with nobody: it has nothing to wait for.
    if snapshot.sitters[seat].player == Seat.Player.STAND_IN:
        return _AT_ONCE
    waits = [
        clock.answers_due or clock.made_at + BOTS_PATIENCE
        for offer in state.offers
        if offer.maker == seat and expected(offer, holidays) and (clock := offers[offer.number])
    ]
    return min(max(waits, default=_AT_ONCE), deadline or _NEVER)


_AT_ONCE: Final = datetime.min.replace(tzinfo=UTC)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


# What players see of it

#: A running clock with no more than this share of its time left is short.
SHORT: Final = 0.2


class ClockView(TypedDict):
    """A clock that runs out at a moment or, while it stands still, has some seconds left."""

    #: When it runs out, if it runs.
    ends: datetime | None
    #: The seconds that are left while it stands still.
    left: float | None
    #: The seconds it had in the beginning.
    of: int
    #: When it begins to be short of time.
    short_at: datetime | None


def shown(game: Game, snapshot: Snapshot, seat: int, now: datetime) -> ClockView | None:
    """A seat's own clock. It stands still as long as somebody is on holiday, and while others than the active player
    are waited for."""
    pace, state = pace_of(game), snapshot.state
    if pace is None or game.status != Game.Status.RUNNING:
        return None
    holidays = on_holiday(game, snapshot.sitters)
    if seat in to_act(state) and game.deadline:
        runs_from = _runs_from(state, holidays, now)
        if runs_from > now:
            return _standing((game.deadline - runs_from).total_seconds(), pace.seconds(state.phase))
        return _running(game.deadline, pace.seconds(state.phase))
    if offers := shown_of_offers(game, snapshot, seat):
        return offers
    if seat == state.active and game.turn_left is not None:
        return _standing(game.turn_left.total_seconds(), pace.turn)
    return None


def to_answer(game: Game, proposal: Proposal) -> ClockView | None:
    """The time that people have to answer a proposal."""
    if game.status not in (Game.Status.RUNNING, Game.Status.RESTING):
        return None
    return _running(proposal.ends_at, int((proposal.ends_at - proposal.made_at).total_seconds()))


def shown_of_offers(game: Game, snapshot: Snapshot, seat: int) -> ClockView | None:
    """The clock by which a seat is to answer what it was offered."""
    pace, due = pace_of(game), _answers_due(snapshot, seat)
    if pace is None or not due:
        return None
    is_away = seat in on_holiday(game, snapshot.sitters)
    return _standing(pace.answer, pace.answer) if is_away else _running(min(due), pace.answer)


def short_from(game: Game, snapshot: Snapshot) -> dict[int, datetime]:
    """When the clocks of those of whom something is asked will be short, if nobody does anything: after the holidays,
    while which they stand still."""
    pace, state = pace_of(game), snapshot.state
    if pace is None or game.status != Game.Status.RUNNING:
        return {}
    holidays = on_holiday(game, snapshot.sitters)
    acting, short = to_act(state), {}
    for seat, sitter in enumerate(snapshot.sitters):
        if sitter.asked and seat in acting and game.deadline:
            short[seat] = max(
                game.deadline - _last_of(pace.seconds(state.phase)), _runs_from(state, holidays, _AT_ONCE)
            )
        elif sitter.asked and (due := _answers_due(snapshot, seat)):
            full = timedelta(seconds=pace.answer)
            short[seat] = (holidays[seat] + full if seat in holidays else min(due)) - _last_of(pace.answer)
    return short


def _answers_due(snapshot: Snapshot, seat: int) -> list[datetime]:
    """When the time to answer those offers is over that a seat has not answered."""
    asked = (snapshot.offer_clocks[offer.number] for offer in snapshot.state.offers if seat in unanswered(offer))
    return [clock.answers_due for clock in asked if clock.answers_due]


def _last_of(seconds: int) -> timedelta:
    return timedelta(seconds=SHORT * seconds)


def _standing(left: float, seconds: int) -> ClockView:
    return {"ends": None, "left": left, "of": seconds, "short_at": None}


def _running(ends: datetime, seconds: int) -> ClockView:
    return {"ends": ends, "left": None, "of": seconds, "short_at": ends - _last_of(seconds)}


# What is due


def overdue(now: datetime, alive_at: datetime | None = None) -> QuerySet[Game]:
    """Games in which something should have happened by now: first those that somebody with a seat has open.

    Whoever knows already until when people could have moved (`last_alive`) says so.
    """
    alive_at = alive_at or last_alive(now)
    is_due = Q(bots_due__lte=now) | Q(orders_due__lte=now) | Q(deadline__lte=alive_at) | Q(answers_due__lte=alive_at)
    watched = Exists(_who_is_here(OuterRef("pk")))
    return Game.objects.filter(is_due, status=Game.Status.RUNNING).order_by(watched.desc(), "started_at")


def is_watched(game_id: int) -> bool:
    """Whether somebody with a seat has it open."""
    return _who_is_here(game_id).exists()


def _who_is_here(game: int | OuterRef) -> QuerySet[Presence]:
    return Presence.objects.filter(seat__game=game, is_here=True)


def priority(*, is_watched: bool) -> int:
    """Where there is more to do than workers for it, games that somebody with a seat has open go first."""
    return 0 if is_watched else LATER


def last_alive(now: datetime) -> datetime:
    """Until when people could have moved.

    Nobody is late by a moment at which the site was down: a deadline counts once a web process was
    alive after it. A site without any web process, in a command or a test, counts as alive.
    """
    return Pulse.objects.values_list("at", flat=True).first() or now


def late_seat(game: Game, snapshot: Snapshot, now: datetime) -> tuple[int, int | None] | None:
    """A seat whose time is up at this moment, and the offer it has not answered, if it is about one."""
    holidays = on_holiday(game, snapshot.sitters)
    for offer in snapshot.state.offers:
        at = snapshot.offer_clocks[offer.number].answers_due
        if at and at <= now and (late := expected(offer, holidays)):
            return late[0], offer.number
    if game.deadline is None or game.deadline > now:
        return None
    thinking = snapshot.bots if now < game.deadline + BOTS_RESERVE else ()
    return next(((seat, None) for seat in to_act(snapshot.state) if seat not in thinking), None)


def moments(game: Game) -> set[datetime]:
    """When somebody should look at the game: a little after people's deadlines, see `last_alive`."""
    people = (at and at + PULSE_EVERY for at in (game.deadline, game.answers_due))
    return {at for at in (game.bots_due, game.orders_due, *people) if at}


def wake(game_id: int, moments: Collection[datetime], now: datetime, *, is_watched: bool) -> None:
    """Have somebody look at the game at these moments, as far as they are near."""
    place = priority(is_watched=is_watched)
    for moment in moments:
        if moment - now < NEAR:
            # By its name: the task is above us and calls the services that call us.
            current_app.send_task("games.tasks.act_when_due", [game_id], eta=moment, retry=False, priority=place)


def wake_for_lost(seat_id: int, moment: datetime) -> None:
    """Have somebody look then whether the person of a seat has come back."""
    current_app.send_task("games.tasks.note_lost", [seat_id], eta=moment, retry=False)
