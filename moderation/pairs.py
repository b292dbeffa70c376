"""The most unusual pairs of players: found every night in what finished games tell, and shown to moderators.

A game's log is read once, in the first night after its end; what it tells (`GameDealings`) is kept, a kilobyte a game.
So a night reads a day's moves, and of the half year before it one short row a game.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from games.models import Game, Intervention, Move, Seat
from games.rules import Forbidden
from lobby.models import User
from moderation import addresses, audit, collusion, dealings
from moderation.collusion import Figures, PairFigures, Two
from moderation.dealings import Dealings, Happened, WrittenDealings
from moderation.models import GameDealings, Pair

#: Games that count, and of how many pairs something is said.
WITHIN: Final = timedelta(days=180)
LEAST_GAMES: Final = 5
KEPT: Final = 500
#: Games whose moves are in memory at a time.
AT_ONCE: Final = 100
#: Games that are shown of a pair, the latest.
SHOWN_GAMES: Final = 50
#: Who chose a move: its person, at once or beforehand.
CHOSEN_BY: Final = frozenset({Move.By.PLAYER, Move.By.ORDER})

#: By game: its people, each on their seat.
Sitting: TypeAlias = dict[int, list[tuple[int, int]]]


class OneOfTheTwo(Forbidden):
    code = "one_of_the_two"

    def __init__(self) -> None:
        super().__init__("You are one of these two, so what is known of them is for another moderator.")


# Every night


def compute(now: datetime) -> int:
    """Tell anew which pairs are the most unusual; how many pairs were looked at."""
    games = Game.objects.filter(status=Game.Status.OVER, ended_at__gte=now - WITHIN)
    _read_new(games)
    sitting = _sitting(games)
    met: Counter[Two] = Counter()
    for seats in sitting.values():
        met.update(combinations(sorted(person for _, person in seats), 2))
    wanted = [pair for pair, count in met.items() if count >= LEAST_GAMES]
    ledger = collusion.Ledger(wanted)
    for game, told in GameDealings.objects.filter(game__in=games).values_list("game_id", "told").iterator():
        # A game that ended a moment ago is read, and its people are not.
        if game in sitting:
            ledger.add(_people(sitting[game], told), Dealings.from_json(told))
    found = ledger.figures(addresses.shared_by(wanted))
    _replace([each for each in found[:KEPT] if each.unusual > 0], now)
    return len(found)


def _people(seats: Iterable[tuple[int, int]], told: WrittenDealings) -> list[int | None]:
    people: list[int | None] = [None] * told["seats"]
    for number, person in seats:
        people[number] = person
    return people


def _sitting(games: QuerySet[Game]) -> Sitting:
    sitting: Sitting = defaultdict(list)
    seats = Seat.objects.filter(game__in=games.exclude(dealings=None), user__isnull=False)
    for game, number, person in seats.values_list("game_id", "number", "user_id").iterator():
        if person is not None:
            sitting[game].append((number, person))
    return sitting


def _read_new(games: QuerySet[Game]) -> None:
    """Games between people that have not been read yet, some at a time."""
    in_company = games.filter(dealings=None).annotate(people=Count("seat", filter=Q(seat__user__isnull=False)))
    new = list(in_company.filter(people__gte=2).order_by("pk").values_list("pk", "winner_id"))
    for begin in range(0, len(new), AT_ONCE):
        told = _read(dict(new[begin : begin + AT_ONCE]))
        GameDealings.objects.bulk_create(
            [GameDealings(game_id=game, told=each.to_json()) for game, each in told], ignore_conflicts=True
        )


def _read(winners: dict[int, int | None]) -> Iterator[tuple[int, Dealings]]:
    moves: dict[int, list[Happened]] = defaultdict(list)
    rows = Move.objects.filter(game__in=winners, kind__in=dealings.KINDS).order_by("game", "number")
    for game, seat, by, events in rows.values_list("game_id", "seat_id", "by", "events"):
        moves[game].append(Happened(Seat.number_of(seat), by in CHOSEN_BY, events))
    gave_up: dict[int, set[int]] = defaultdict(set)
    for game, seat in Intervention.objects.filter(game__in=winners, what="withdraw").values_list("game_id", "seat_id"):
        gave_up[game].add(Seat.number_of(seat))
    seats = Counter(Seat.objects.filter(game__in=winners).values_list("game_id", flat=True))
    for game, winner in winners.items():
        won_by = None if winner is None else Seat.number_of(winner)
        yield game, dealings.read(seats[game], won_by, gave_up[game], moves[game])


@transaction.atomic
def _replace(found: Sequence[PairFigures], now: datetime) -> None:
    """A pair that was there before keeps its number, and so its address."""
    people = {person for each in found for person in each.pair}
    # The race: somebody deletes their account just now. Either they wait, or they are gone.
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk")
    there = set(rows.values_list("pk", flat=True))
    Pair.objects.bulk_create(
        [_row(each, now) for each in found if there.issuperset(each.pair)],
        update_conflicts=True,
        unique_fields=["first", "second"],
        update_fields=["games", "unusual", "balance", "shared_addresses", "figures", "computed_at"],
    )
    Pair.objects.exclude(computed_at=now).delete()


def _row(each: PairFigures, now: datetime) -> Pair:
    first, second = each.pair
    return Pair(
        first_id=first,
        second_id=second,
        games=each.games,
        unusual=each.unusual,
        balance=each.balance,
        shared_addresses=each.figures["shared_addresses"],
        figures=each.figures,
        computed_at=now,
    )


# Looking at a pair


class JointGame(NamedTuple):
    """A game of the two, with what went over the table between them."""

    game: Game
    ended_at: datetime
    winner: str
    gave: tuple[int, int]
    robbed: tuple[int, int]


def are_one_of(staff: User) -> Q:
    """Pairs that somebody belongs to."""
    return Q(first=staff) | Q(second=staff)


@transaction.atomic
def look_at(pair: Pair, staff: User, now: datetime) -> list[JointGame]:
    """The latest games of the two; that somebody looked is written down."""
    if staff.pk in (pair.first_id, pair.second_id):
        raise OneOfTheTwo
    audit.record(
        staff,
        audit.Act.LOOKED_AT_PAIR,
        now=now,
        person=pair.first,
        other=pair.second_id,
        other_name=pair.second.shown_name,
        unusual=round(pair.unusual, 1),
    )
    return _joint_games(pair, now)


def _joint_games(pair: Pair, now: datetime) -> list[JointGame]:
    over = Game.objects.filter(status=Game.Status.OVER, ended_at__gte=now - WITHIN)
    together = over.filter(seat__user=pair.first).filter(seat__user=pair.second).exclude(dealings=None)
    games = together.select_related("winner", "dealings").order_by("-ended_at", "-pk")[:SHOWN_GAMES]
    seats: dict[int, dict[int, int]] = defaultdict(dict)
    rows = Seat.objects.filter(game__in=[game.pk for game in games], user__in=(pair.first_id, pair.second_id))
    for game, number, person in rows.values_list("game_id", "number", "user_id"):
        if person is not None:
            seats[game][person] = number
    return [_joint_game(game, seats[game.pk][pair.first_id], seats[game.pk][pair.second_id]) for game in games]


def _joint_game(game: Game, first: int, second: int) -> JointGame:
    told = Dealings.from_json(game.dealings.told)
    gave = Counter[int]()
    for trade in told.trades:
        if {trade.giver, trade.taker} == {first, second}:
            gave[trade.giver] += trade.given
            gave[trade.taker] += trade.got
    robbed = Counter((theft.thief, theft.victim) for theft in told.thefts)
    ended_at = game.ended_at
    assert ended_at is not None  # noqa: S101 - it is over
    return JointGame(
        game,
        ended_at,
        game.winner.name if game.winner else "",
        (gave[first], gave[second]),
        (robbed[first, second], robbed[second, first]),
    )


def figures_of(pair: Pair) -> Figures:
    figures: Figures = pair.figures
    return figures
