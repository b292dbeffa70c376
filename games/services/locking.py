"""What all services share: the lock, what is written under it, and what follows the commit."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

import structlog
from django.db import IntegrityError, transaction
from django.db.models import Subquery

from games import awaited, clocks, selectors, signals, snapshots, store
from games.models import Game, Intervention, Presence, Proposal, Pulse, Seat
from games.orders import Book
from games.page import Mark
from games.rows import GameColumns
from games.rules.events import Told
from games.services.news import News
from games.services.refusals import SET_ASIDE, NothingToDo, NotRunning, SetAside
from games.store import Sitter, Snapshot

log = structlog.get_logger(__name__)
Status = Game.Status
Outcome = Proposal.Outcome


@contextmanager
def locked(game_id: int) -> Iterator[Game]:
    """The game's row, ours alone until the transaction ends; ``Game.DoesNotExist`` if it is not there."""
    with transaction.atomic():
        yield Game.objects.select_for_update().get(pk=game_id)


@contextmanager
def locked_to_judge(game_id: int, now: datetime) -> Iterator[tuple[Game, datetime]]:
    """The same, and until when people could have moved (`clocks.last_alive`), in one statement."""
    alive_at = Subquery(Pulse.objects.values("at")[:1])
    with transaction.atomic():
        game = Game.objects.annotate(alive_at=alive_at).select_for_update(of=("self",)).get(pk=game_id)
        yield game, game.alive_at or now


@contextmanager
def trusted_rows(game_id: int, now: datetime) -> Iterator[None]:
    """A game whose rows make no sense, or refuse what the rules allow, is set aside, not played on."""
    try:
        yield
    except (store.BrokenRows, IntegrityError) as error:
        set_aside(game_id, f"The rows do not fit the game: {error}", now=now)
        raise SetAside(SET_ASIDE) from error


def set_aside(game_id: int, why: str, *, now: datetime) -> None:
    """Keep a game that is not as it should be from being played on, until somebody looks at it."""
    with locked(game_id) as game:
        if game.status in (Status.RUNNING, Status.PAUSED, Status.RESTING):
            halt(game, {"status": Status.NEEDS_ATTENTION, "attention": why})
            intervene(game, "set_aside", now=now, why=why)
            log.error("game_set_aside", game=game_id, why=why)
    snapshots.drop(game_id)


def require_running(game: Game) -> None:
    if game.status == Status.NEEDS_ATTENTION:
        raise SetAside(SET_ASIDE)
    if game.status == Status.PAUSED:
        raise NotRunning("The game is paused.")
    if game.status == Status.RESTING:
        raise NotRunning("Everybody had left, so the game rests: go on with it first.")
    if game.status == Status.ABORTED:
        raise NotRunning("The game was ended without a winner.")
    if game.status == Status.OVER:
        raise NotRunning("The game is over.")


def seat_row(game: Game, seat: int) -> Seat:
    row = Seat.objects.filter(pk=Seat.key(game.pk, seat), game=game).first()
    if row is None:
        raise NothingToDo(f"There is no seat {seat} in this game.")
    return row


def write_game(game: Game, changes: GameColumns) -> None:
    Game.objects.filter(pk=game.pk).update(**changes)
    for column, value in changes.items():
        setattr(game, column, value)


def write_sitters(game: Game, before: Sequence[Sitter], after: Sequence[Sitter]) -> None:
    """Who plays the seats, and what is asked of them, has changed; only this writes it once a game has started."""
    store.save_sitters(game.pk, before, after)
    tell_awaited(game, {seat: new.asked for seat, new in enumerate(after) if new.asked != before[seat].asked})


def write_orders(game: Game, snapshot: Snapshot, seat: int, book: Book, now: datetime) -> None:
    """The standing orders of a seat have changed. Nobody but its person may notice: the revision, which all pages
    show, stays, and nobody is told.
    """
    sitters = snapshot.sitters_with(seat, orders=book)
    changed = replace(snapshot, sitters=sitters, orders_revision=game.orders_revision + 1)
    write_sitters(game, snapshot.sitters, sitters)
    write_game(game, {"orders_revision": changed.orders_revision, "orders_due": clocks.orders_due(game, changed, now)})
    transaction.on_commit(lambda: snapshots.put(game.pk, changed))
    wake(game, {game.orders_due} if game.orders_due else (), now)


def halt(game: Game, changes: GameColumns) -> None:
    """The game stops: no clock runs, and nobody is waited for. Its other rows may make no sense."""
    write_game(game, changes | clocks.STOPPED)
    asked = Seat.objects.filter(game=game).exclude(asked=Seat.Asked.NOTHING)
    seats = list(asked.values_list("number", flat=True))
    asked.update(asked=Seat.Asked.NOTHING, awaited_since=None)
    tell_awaited(game, dict.fromkeys(seats, Seat.Asked.NOTHING))


def break_off(
    game: Game, what: str, *, now: datetime, seat_id: int | None = None, why: str = "", told: Told | None = None
) -> None:
    """The game ends without a winner."""
    halt(game, {"status": Status.ABORTED, "ended_at": now})
    Seat.objects.filter(game=game).update(orders={})
    intervene(game, what, now=now, seat_id=seat_id, why=why, told=told)
    tell_end(game)


def resign_as_last(game: Game, snapshot: Snapshot, seat: int, now: datetime) -> None:
    """Nobody is left to play: bots do not go on among themselves."""
    bots = snapshot.handed_over(seat, Seat.Player.BOT, late=0, asked=Seat.Asked.NOTHING, awaited_since=None)
    write_sitters(game, snapshot.sitters, bots)
    break_off(game, "resign_as_last", now=now, seat_id=Seat.key(game.pk, seat))


def intervene(
    game: Game, what: str, *, now: datetime, seat_id: int | None = None, why: str = "", told: Told | None = None
) -> None:
    """Write down what was done beside the moves, and let every process and player know."""
    raise_revision(game, now)
    log_intervention(game, what, now=now, seat_id=seat_id, after_move=game.version, why=why, told=told)


def raise_revision(game: Game, now: datetime) -> None:
    """Something other than a move has changed: whoever remembers the game must read it again."""
    after: Mark = {"version": game.version, "revision": game.revision}
    write_game(game, {"revision": game.revision + 1})
    announce(News(lambda: selectors.scene(game.pk, after=after, now=now)))


def log_intervention(
    game: Game,
    what: str,
    *,
    now: datetime,
    seat_id: int | None,
    after_move: int,
    why: str = "",
    told: Told | None = None,
) -> None:
    """For a game whose revision was raised for it."""
    Intervention.objects.create(
        game=game,
        at=now,
        after_move=after_move,
        revision=game.revision,
        what=what,
        seat_id=seat_id,
        why=why,
        told=told or {},
    )


def start_clocks(game: Game, snapshot: Snapshot, now: datetime) -> None:
    """Afresh: everybody has the full time."""
    started = clocks.afresh(game, snapshot, now)
    write_game(game, started.columns)
    store.set_offer_clocks(game.pk, started.offers)
    wake(game, clocks.moments(game), now)
    tell_clocks(game, replace(snapshot, offer_clocks=started.offers), {}, now, afresh=True)


def run_again(game: Game, snapshot: Snapshot, sitters: Sequence[Sitter], now: datetime) -> None:
    """After a break: everybody has their full time, and whoever was lost meanwhile is to be seen to now."""
    write_game(game, {"status": Status.RUNNING, "attention": "", "failures": 0})
    seated = awaited.seated(sitters, snapshot.state, now)
    write_sitters(game, snapshot.sitters, seated)
    start_clocks(game, replace(snapshot, sitters=seated), now)
    lost = Presence.objects.filter(seat__game=game, is_here=False, gone_at__isnull=False)
    lost.update(lost_due=now)


# After the commit. Should any of it fail, what was done stands: players catch up from the database, and
# beat's sweep finds what is due.


def announce(news: News) -> None:
    transaction.on_commit(news.send, robust=True)


def wake(game: Game, moments: Collection[datetime], now: datetime, news: News | None = None) -> None:
    """Who is there, the news have read; of a game that has just been started, somebody is about to come."""
    transaction.on_commit(
        lambda: clocks.wake(game.pk, moments, now, is_watched=news is None or bool(news.here)), robust=True
    )


def tell_end(game: Game) -> None:
    if game.proposals_open:
        # Nothing is left to be decided, and no line of the log is needed to say so.
        game.proposals.filter(outcome=Outcome.OPEN).update(outcome=Outcome.VOID, closed_at=game.ended_at)
        write_game(game, {"proposals_open": 0})
    signals.send_within(signals.game_ending, game=game)
    signals.send_after_commit(signals.game_ended, game_id=game.pk)


def tell_awaited(game: Game, asked: dict[int, str]) -> None:
    if asked:
        signals.send_within(signals.awaited_changing, game=game, asked=asked)
        signals.send_after_commit(signals.awaited_changed, game_id=game.pk, asked=asked)


def tell_offers(game: Game, before: Snapshot, after: Snapshot) -> None:
    """Those whom a new offer is made while the same is asked of them as before. The others are newly asked by it."""
    known = {offer.number for offer in before.state.offers}
    made_to = {
        seat for offer in after.state.offers if offer.number not in known for seat in clocks.unanswered(offer)
    } - after.bots
    seats = [seat for seat in sorted(made_to) if after.sitters[seat].asked == before.sitters[seat].asked]
    if seats:
        signals.send_within(signals.offer_opening, game=game, seats=seats)


def tell_clocks(
    game: Game, snapshot: Snapshot, known: Mapping[int, datetime], now: datetime, *, afresh: bool = False
) -> None:
    """Those of whom the same is asked as before, but by a clock that is short at another moment than the known one."""
    changed = {
        seat: moment
        for seat, moment in clocks.short_from(game, snapshot).items()
        if snapshot.sitters[seat].awaited_since != now and known.get(seat) != moment
    }
    if changed:
        asked = {seat: snapshot.sitters[seat].asked for seat in changed}
        signals.send_within(signals.clocks_changing, game=game, asked=asked, short_from=changed, afresh=afresh)
