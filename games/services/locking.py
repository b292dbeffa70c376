"""What all services share: the lock, what is written under it, and what follows the commit."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

import structlog
from django.db import IntegrityError, transaction

from games import clocks, selectors, signals, snapshots, store
from games.models import Game, Intervention, Seat
from games.page import Mark
from games.rows import GameColumns
from games.services.news import News
from games.services.refusals import SET_ASIDE, NothingToDo, NotRunning, SetAside
from games.store import Sitter, Snapshot

log = structlog.get_logger(__name__)
Status = Game.Status


@contextmanager
def locked(game_id: int) -> Iterator[Game]:
    """The game's row, ours alone until the transaction ends; ``Game.DoesNotExist`` if it is not there."""
    with transaction.atomic():
        yield Game.objects.select_for_update().get(pk=game_id)


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
        if game.status in (Status.RUNNING, Status.PAUSED):
            halt(game, {"status": Status.NEEDS_ATTENTION, "attention": why})
            intervene(game, "set_aside", now=now, why=why)
            log.error("game_set_aside", game=game_id, why=why)
    snapshots.drop(game_id)


def require_running(game: Game) -> None:
    if game.status == Status.NEEDS_ATTENTION:
        raise SetAside(SET_ASIDE)
    if game.status == Status.PAUSED:
        raise NotRunning("The game is paused.")
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


def halt(game: Game, changes: GameColumns) -> None:
    """The game stops: no clock runs, and nobody is waited for. Its other rows may make no sense."""
    write_game(game, changes | clocks.STOPPED)
    awaited = Seat.objects.filter(game=game).exclude(asked=Seat.Asked.NOTHING)
    seats = list(awaited.values_list("number", flat=True))
    awaited.update(asked=Seat.Asked.NOTHING, awaited_since=None)
    tell_awaited(game, dict.fromkeys(seats, Seat.Asked.NOTHING))


def break_off(game: Game, what: str, *, now: datetime, seat_id: int | None = None, why: str = "") -> None:
    """The game ends without a winner."""
    halt(game, {"status": Status.ABORTED, "ended_at": now})
    intervene(game, what, now=now, seat_id=seat_id, why=why)
    tell_end(game)


def resign_as_last(game: Game, snapshot: Snapshot, seat: int, now: datetime) -> None:
    """Nobody is left to play: bots do not go on among themselves."""
    bots = snapshot.sitters_with(seat, player=Seat.Player.BOT, late=0, asked=Seat.Asked.NOTHING, awaited_since=None)
    write_sitters(game, snapshot.sitters, bots)
    break_off(game, "resign_as_last", now=now, seat_id=Seat.key(game.pk, seat))


def intervene(game: Game, what: str, *, now: datetime, seat_id: int | None = None, why: str = "") -> None:
    """Write down what was done beside the moves, and let every process and player know."""
    raise_revision(game, now)
    log_intervention(game, what, now=now, seat_id=seat_id, after_move=game.version, why=why)


def raise_revision(game: Game, now: datetime) -> None:
    """Something other than a move has changed: whoever remembers the game must read it again."""
    after: Mark = {"version": game.version, "revision": game.revision}
    write_game(game, {"revision": game.revision + 1})
    announce(News(lambda: selectors.scene(game.pk, after=after, now=now)))


def log_intervention(
    game: Game, what: str, *, now: datetime, seat_id: int | None, after_move: int, why: str = ""
) -> None:
    """For a game whose revision was raised for it."""
    Intervention.objects.create(
        game=game, at=now, after_move=after_move, revision=game.revision, what=what, seat_id=seat_id, why=why
    )


def start_clocks(game: Game, snapshot: Snapshot, now: datetime) -> None:
    """Afresh: everybody has the full time."""
    started = clocks.afresh(game, snapshot, now)
    write_game(game, started.columns)
    store.set_offer_clocks(game.pk, started.offers)
    wake(game, clocks.moments(game), now)


# After the commit. Should any of it fail, what was done stands: players catch up from the database, and
# beat's sweep finds what is due.


def announce(news: News) -> None:
    transaction.on_commit(news.send, robust=True)


def wake(game: Game, moments: Collection[datetime], now: datetime) -> None:
    transaction.on_commit(lambda: clocks.wake(game.pk, moments, now), robust=True)


def tell_end(game: Game) -> None:
    signals.send_within(signals.game_ending, game=game)
    signals.send_after_commit(signals.game_ended, game_id=game.pk)


def tell_awaited(game: Game, asked: dict[int, str]) -> None:
    if asked:
        signals.send_within(signals.awaited_changing, game=game, asked=asked)
        signals.send_after_commit(signals.awaited_changed, game_id=game.pk, asked=asked)
