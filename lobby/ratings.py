"""Ratings out of games: who was how good in each, and what that makes of everybody.

A rating depends on all games before it, so games count in one order: by the moment of their end, then by their
number. A game that is counted late, because its task was lost or two ended at once, takes its place in that
order, and the games after it are counted again; so are those after one that moderators take out. So the figures follow
from the games alone, whenever each was counted, and `rate_all` comes to the very same ones. To wait for the order
instead would need somebody who knows that no earlier game is still to come.

One lock: the ladder's row. It is taken after no other and held for a few statements.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from openskill.models import BradleyTerryFull

from games import snapshots
from games.models import ABSENT_AFTER, Game, Seat
from games.paces import Pace
from games.rules import points
from games.store import BrokenRows
from lobby.models import Table
from lobby.rating_models import SETTLED, Kind, Ladder, RatedGame, RatedResult, Rating

log = structlog.get_logger(__name__)

#: Everybody is compared with everybody else in a game, and who ties has drawn; the figures are openskill's own.
MODEL: Final = BradleyTerryFull()

#: The number that people see. It begins at 1500, and its differences mean about what they mean in chess: who is 400
#: ahead comes out ahead ten times in eleven.
SHOWN_AT_FIRST: Final = 1500
SHOWN_PER_POINT: Final = 30

#: Games that are written at once.
AT_ONCE: Final = 500


class Figures(NamedTuple):
    mu: float
    sigma: float
    games: int


AT_FIRST: Final = Figures(MODEL.mu, MODEL.sigma, 0)


def shown(mu: float) -> int:
    """An estimate as a number for people."""
    return round(SHOWN_AT_FIRST + SHOWN_PER_POINT * (mu - MODEL.mu))


def in_words(mu: float, sigma: float) -> str:
    """That number, with a question mark until it is settled."""
    return f"{shown(mu)}{'' if sigma <= SETTLED else '?'}"


# What a game says


@dataclass(frozen=True, slots=True)
class Standing:
    """Who came where in a game, of those who have a rating: people with an account."""

    game_id: int
    kind: Kind
    ended_at: datetime
    #: By person, in the order of their ids: sums of the same figures in another order could differ in the last bit.
    ranks: Mapping[int, int]


def ended() -> QuerySet[Game]:
    """All games that count, in the order in which they do; not those that moderators have annulled."""
    counting = Game.objects.filter(status=Game.Status.OVER, table__rated=True, table__annulled_at=None)
    return counting.order_by("ended_at", "pk")


def standing_of(game_id: int) -> Standing:
    """``Game.DoesNotExist`` for a game that does not count."""
    game = ended().get(pk=game_id)
    if game.ended_at is None:
        raise BrokenRows("The game is over, but has no end.")
    state = snapshots.read(game_id)[1].state
    seats = Seat.objects.filter(game=game, user__is_guest=False).order_by("user")
    merits = {seat.user_id: _merit(seat, game, points(state, seat.number)) for seat in seats if seat.user_id}
    ranks = {person: 1 + sum(other < merit for other in merits.values()) for person, merit in merits.items()}
    return Standing(game_id, kind_of(game), game.ended_at, ranks)


def _merit(seat: Seat, game: Game, scored: int) -> tuple[bool, bool, int]:
    """The smaller, the better: the winner, then by points.

    Whoever has resigned, was removed or replaced, or has let the last three deadlines pass, is last in any case.
    """
    if seat.player != Seat.Player.PERSON or seat.late >= ABSENT_AFTER:
        return (True, False, 0)
    return (False, seat.pk != game.winner_id, -scored)


def kind_of(game: Game) -> Kind:
    """That of bot accounts, if they played it; else by the pace at which it ended, to which everybody in it has agreed.

    Without a clock nobody is hurried, and a game may well take days.
    """
    # The seats say so, and not the accounts: these may have been deleted.
    if Seat.objects.filter(game=game, is_bot_account=True).exists():
        return Kind.BOTS
    return Kind.LIVE if game.pace is not None and Pace.from_json(game.pace).is_live else Kind.DAYS


# What that makes of everybody


def rate_game(game_id: int) -> None:
    """Count a game, if it counts and has not been counted; two who do so at once count it once."""
    if RatedGame.objects.filter(pk=game_id).exists():
        return
    # A game that is over does not change: it is read before anybody has to wait.
    try:
        standing = standing_of(game_id)
    except Game.DoesNotExist:
        return
    with transaction.atomic():
        _lock(standing.kind)
        # The race: another has counted it meanwhile, or moderators have annulled it.
        if RatedGame.objects.filter(pk=game_id).exists() or not ended().filter(pk=game_id).exists():
            return
        # The other race: a game that ended later was counted earlier. It is taken back and counted again.
        later = _counted_after(standing.kind, standing.ended_at, game_id)
        again = list(later)
        figures = _figures_before(standing.kind, standing.ranks, again)
        later.delete()
        _count(standing.kind, [standing, *map(_counted, again)], figures)


@transaction.atomic
def annul(game_id: int, now: datetime) -> bool:
    """Take a game out of the ratings: they become what they would be without it. Whether it counted, or still could.

    One that is still being played is never counted.
    """
    # On which ladder a game counts is settled by its end.
    _lock_all()
    tables = Table.objects.filter(game=game_id, rated=True, annulled_at=None)
    if not tables.exclude(game__status=Game.Status.ABORTED).update(annulled_at=now):
        return False
    counted = RatedGame.objects.filter(pk=game_id).first()
    if counted is not None:
        _forget(counted)
    return True


@transaction.atomic
def count_again(game_id: int) -> None:
    """A game that was annulled takes its place among the others again."""
    _lock_all()
    Table.objects.filter(game=game_id).update(annulled_at=None)
    with _readable(game_id):
        rate_game(game_id)


def _forget(counted: RatedGame) -> None:
    """Those who were in it, and all games after it, go on from the figures before it."""
    later = list(_counted_after(counted.kind, counted.ended_at, counted.pk))
    people = counted.results.values_list("person", flat=True)
    figures = _figures_before(Kind(counted.kind), people, [counted, *later])
    newcomers = [person for person, old in figures.items() if old.games == 0]
    Rating.objects.filter(kind=counted.kind, person__in=newcomers).delete()
    RatedGame.objects.filter(pk__in=[counted.pk, *(game.pk for game in later)]).delete()
    known = {person: old for person, old in figures.items() if old.games}
    _count(Kind(counted.kind), [_counted(game) for game in later], known)


def _counted_after(kind: str, ended_at: datetime, game_id: int) -> QuerySet[RatedGame]:
    after = Q(ended_at__gt=ended_at) | Q(ended_at=ended_at, game__gt=game_id)
    return RatedGame.objects.filter(after, kind=kind).order_by("ended_at", "game").prefetch_related("results")


def rate_missed() -> None:
    """Count the games whose task was lost."""
    for game_id in list(ended().filter(counted=None).values_list("pk", flat=True)):
        with _readable(game_id):
            rate_game(game_id)


def rate_all() -> int:
    """Forget all ratings, and count all games from the first to the last; tells how many there are."""
    standings = _read(ended())
    with transaction.atomic():
        _lock_all()
        RatedGame.objects.all().delete()
        Rating.objects.all().delete()
        # One that ended since may have been counted before we had the lock: it is not to be forgotten.
        standings += _read(ended().exclude(pk__in=[standing.game_id for standing in standings]))
        # And one may have been annulled since.
        counting = set(ended().values_list("pk", flat=True))
        standings = [standing for standing in standings if standing.game_id in counting]
        standings.sort(key=lambda standing: (standing.ended_at, standing.game_id))
        for kind in Kind:
            _count(kind, [standing for standing in standings if standing.kind == kind], {})
    return len(standings)


def _read(games: QuerySet[Game]) -> list[Standing]:
    standings = []
    for game_id in list(games.values_list("pk", flat=True)):
        with _readable(game_id):
            standings.append(standing_of(game_id))
    return standings


@contextmanager
def _readable(game_id: int) -> Iterator[None]:
    """A game whose rows make no sense is told of, and keeps no other from being counted; nor does one that is annulled
    in this moment."""
    try:
        with suppress(Game.DoesNotExist):
            yield
    except BrokenRows:
        log.exception("game_cannot_be_rated", game=game_id)


def _lock(kind: Kind) -> None:
    Ladder.objects.get_or_create(kind=kind)
    Ladder.objects.select_for_update().get(kind=kind)


def _lock_all() -> None:
    for kind in Kind:
        _lock(kind)


def _counted(game: RatedGame) -> Standing:
    """The standing of a game that was counted before."""
    results = sorted(game.results.all(), key=lambda result: result.person_id)
    return Standing(game.pk, Kind(game.kind), game.ended_at, {result.person_id: result.rank for result in results})


def _figures_before(kind: Kind, people: Iterable[int], again: list[RatedGame]) -> dict[int, Figures]:
    """The figures of these people, and of all who are in these games, right before the first of them."""
    ratings = Rating.objects.filter(kind=kind, person__in=people)
    figures = {rating.person_id: Figures(rating.mu, rating.sigma, rating.games) for rating in ratings}
    for game in reversed(again):
        for result in game.results.all():
            figures[result.person_id] = Figures(result.mu_before, result.sigma_before, result.games - 1)
    return figures


def _count(kind: Kind, standings: Sequence[Standing], figures: dict[int, Figures]) -> None:
    """Write what these games, all of one kind, do one after another to the figures that people have before them."""
    for first in range(0, len(standings), AT_ONCE):
        some = standings[first : first + AT_ONCE]
        RatedGame.objects.bulk_create(
            RatedGame(game_id=standing.game_id, kind=standing.kind, ended_at=standing.ended_at) for standing in some
        )
        RatedResult.objects.bulk_create(result for standing in some for result in _results(standing, figures))
    ratings = [Rating(person_id=person, kind=kind, **figures[person]._asdict()) for person in sorted(figures)]
    Rating.objects.bulk_create(
        ratings,
        batch_size=AT_ONCE,
        update_conflicts=True,
        unique_fields=["person", "kind"],
        update_fields=["mu", "sigma", "games"],
    )


def _results(standing: Standing, figures: dict[int, Figures]) -> Iterator[RatedResult]:
    """What a game does to the figures, which are those after it from then on. Nobody learns anything of one alone."""
    if len(standing.ranks) < 2:
        return
    before = {person: figures.get(person, AT_FIRST) for person in standing.ranks}
    teams = [[MODEL.rating(mu=old.mu, sigma=old.sigma)] for old in before.values()]
    after = MODEL.rate(teams, ranks=list(standing.ranks.values()))
    for (person, old), [new] in zip(before.items(), after, strict=True):
        figures[person] = Figures(new.mu, new.sigma, old.games + 1)
        yield RatedResult(
            rated_game_id=standing.game_id,
            person_id=person,
            rank=standing.ranks[person],
            mu_before=old.mu,
            sigma_before=old.sigma,
            **figures[person]._asdict(),
        )
