"""When a game stops waiting: for those to act, for answers to offers, and for bots that have thought enough.

All these moments are columns of the game's row, written with the move that set them; those that
something happens at are indexed. A task is queued for a moment that is near, so that it is kept
promptly; beat's sweep finds whatever a lost task or a restart has missed.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final

from celery import current_app
from django.conf import settings
from django.db.models import Q, QuerySet

from games.models import Game, Pulse
from games.paces import Pace
from games.rules import Phase, State, to_act
from games.rules.state import Offer

#: A moment nearer than this is worth a task of its own; a later one is left to the sweep.
NEAR: Final = timedelta(seconds=60)

#: How often a web process writes down that it is alive.
PULSE_EVERY: Final = timedelta(seconds=1)

#: The clocks of a game that nobody can move in.
STOPPED: Final[dict[str, Any]] = {
    "deadline": None,
    "turn_left": None,
    "answer_clocks": {},
    "answers_due": None,
    "bots_due": None,
}


def pace_of(game: Game) -> Pace | None:
    return None if game.pace is None else Pace.from_json(game.pace)


# What the clocks show after a move


def afresh(game: Game, state: State, bots: Collection[int], now: datetime) -> dict[str, Any]:
    """The game starts, or goes on after a break: everybody has their full time."""
    stopped = Game(pk=game.pk, pace=game.pace, **STOPPED)
    return after_move(stopped, None, state, bots, now)


def after_move(game: Game, before: State | None, after: State, bots: Collection[int], now: datetime) -> dict[str, Any]:
    """The clock columns of a game that a move has just led from one state to another."""
    if after.phase is Phase.OVER:
        return STOPPED
    columns = STOPPED | {"bots_due": bots_due(after, bots, now)}
    pace = pace_of(game)
    if pace:
        columns |= _of_the_phase(game, pace, before, after, now)
        columns |= _of_answers(game, pace, after, now)
    return columns


def _of_the_phase(game: Game, pace: Pace, before: State | None, after: State, now: datetime) -> dict[str, Any]:
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


def _of_answers(game: Game, pace: Pace, state: State, now: datetime) -> dict[str, Any]:
    """A clock for each offer that somebody has not answered yet."""
    in_time = (now + timedelta(seconds=pace.answer)).isoformat()
    clocks = {
        str(offer.number): game.answer_clocks.get(str(offer.number), in_time)
        for offer in state.offers
        if unanswered(offer)
    }
    return {"answer_clocks": clocks, "answers_due": _first(clocks)}


def _first(clocks: dict[str, str]) -> datetime | None:
    return min(map(datetime.fromisoformat, clocks.values()), default=None)


def unanswered(offer: Offer) -> list[int]:
    return sorted({*offer.to} - {*offer.accepted} - {*offer.rejected})


def extended(game: Game, by: timedelta) -> dict[str, Any]:
    """The clocks of people, that much later; bots need no compensation."""
    clocks = {offer: (datetime.fromisoformat(at) + by).isoformat() for offer, at in game.answer_clocks.items()}
    return {
        "deadline": game.deadline and game.deadline + by,
        "answer_clocks": clocks,
        "answers_due": _first(clocks),
    }


# Bots


def bots_due(state: State, bots: Collection[int], now: datetime) -> datetime | None:
    """When the next bot acts: after a pause in which a person can see what was done last."""
    if not bots_to_act(state, bots):
        return None
    return now + timedelta(milliseconds=settings.BOT_PAUSE_MS)


def bots_to_act(state: State, bots: Collection[int]) -> list[int]:
    """The bots of whom something is asked: a move, or the answer to an offer."""
    asked = {*to_act(state)}.union(*(unanswered(offer) for offer in state.offers))
    return sorted(asked.intersection(bots))


# What players see of it


def shown(game: Game, state: State, seat: int) -> dict[str, Any] | None:
    """A seat's own clock: when it runs out or, while it stands still, what is left; and of how many seconds."""
    pace = pace_of(game)
    if pace is None or game.status != Game.Status.RUNNING:
        return None
    if seat in to_act(state) and game.deadline:
        return {"ends": game.deadline.isoformat(), "of": pace.seconds(state.phase)}
    asked = [
        game.answer_clocks[str(offer.number)]
        for offer in state.offers
        if seat in unanswered(offer) and str(offer.number) in game.answer_clocks
    ]
    if asked:
        return {"ends": min(asked), "of": pace.answer}
    if seat == state.active and game.turn_left is not None:
        return {"left": game.turn_left.total_seconds(), "of": pace.turn}
    return None


# What is due


def overdue(now: datetime) -> QuerySet[Game]:
    """Games in which something should have happened by now."""
    alive_at = last_alive(now)
    is_due = Q(bots_due__lte=now) | Q(deadline__lte=alive_at) | Q(answers_due__lte=alive_at)
    return Game.objects.filter(is_due, status=Game.Status.RUNNING)


def last_alive(now: datetime) -> datetime:
    """Until when people could have moved.

    Nobody is late by a moment at which the site was down: a deadline counts once a web process was
    alive after it. A site without any web process, in a command or a test, counts as alive.
    """
    return Pulse.objects.values_list("at", flat=True).first() or now


def late_seat(game: Game, state: State, now: datetime) -> tuple[int, int | None] | None:
    """A seat whose time is up at this moment, and the offer it has not answered, if it is about one."""
    for offer in state.offers:
        at = game.answer_clocks.get(str(offer.number))
        if at and datetime.fromisoformat(at) <= now and (late := unanswered(offer)):
            return late[0], offer.number
    if game.deadline and game.deadline <= now:
        return to_act(state)[0], None
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
