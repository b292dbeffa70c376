"""A person's page: what everybody may know of how they play."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform

from games.models import Game, Seat
from lobby import holidays, ratings
from lobby.choices import RULE_BOOKS
from lobby.models import Holiday, RatedResult, Rating, Table, User
from lobby.rating_models import Kind

MOST_RECENT: Final = 20
#: Over how many games the chart of a rating goes.
MOST_CHARTED: Final = 30

_PLACES: Final = ("First", "Second", "Third", "Fourth")


def visible_games(viewer: User) -> QuerySet[Game]:
    """The games that a visitor may be led to: their own, and those of public tables that may be watched."""
    # Asked of each game rather than joined: a list of the newest then stops where it is full.
    is_public = Exists(Table.objects.filter(game=OuterRef("pk"), visibility="public"))
    everybodys = Q(is_public, spectators_allowed=True)
    if not viewer.pk:
        return Game.objects.filter(everybodys)
    return Game.objects.filter(everybodys | Q(pk__in=Seat.objects.filter(user=viewer).values("game")))


# The page


@dataclass(frozen=True, slots=True)
class Tally:
    """Games of one kind, and how many of them were won."""

    title: str
    games: int
    wins: int

    @property
    def share(self) -> str:
        return percent(self.wins, self.games)


@dataclass(frozen=True, slots=True)
class RecentGame:
    game: Game
    may_be_seen: bool
    rule_book: str
    result: str
    #: The rating after it, and what that is more or less; nothing for a game that was not rated.
    rating: str
    change: str


@dataclass(frozen=True, slots=True)
class ShownRating:
    """A rating as people see it: a question mark until it is settled."""

    kind: Kind
    rating: Rating
    chart: "Chart | None"

    @property
    def number(self) -> str:
        return ratings.in_words(self.rating.mu, self.rating.sigma)

    @property
    def games(self) -> int:
        return self.rating.games

    @property
    def title(self) -> str:
        return str(self.kind.label)


@dataclass(frozen=True, slots=True)
class Profile:
    """Games count once they are over; those that were broken off say nothing of anybody."""

    person: User
    ratings: list[ShownRating]
    games: int
    wins: int
    finished: int
    by_place: list[Tally]
    by_book: list[Tally]
    recent: list[RecentGame]
    holiday: Holiday | None

    @property
    def left(self) -> int:
        return self.games - self.finished

    @property
    def wins_share(self) -> str:
        return percent(self.wins, self.games)

    @property
    def finished_share(self) -> str:
        return percent(self.finished, self.games)


def profile_of(person: User, viewer: User, now: datetime) -> Profile:
    tallied = _tallied(person)
    return Profile(
        person=person,
        ratings=_ratings_of(person),
        games=sum(one.games for one in tallied),
        wins=sum(one.wins for one in tallied),
        finished=sum(one.games for one in tallied if one.stayed),
        by_place=_tallies(tallied, range(len(_PLACES)), lambda one: one.place, _PLACES.__getitem__),
        by_book=_tallies(tallied, RULE_BOOKS, lambda one: one.book, lambda book: RULE_BOOKS[book].title),
        recent=_recent(person, viewer),
        holiday=holidays.current(person, now),
    )


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "–"


# Games in figures


class _Tallied(NamedTuple):
    """Games over by one rule book, from one place in the order of play, that the person played to the end or not."""

    book: str
    place: int
    stayed: bool
    games: int
    wins: int


def _tallied(person: User) -> list[_Tallied]:
    """Who left has won nothing, whatever a bot made of the seat."""
    rows = (
        Seat.objects.filter(user=person, game__status=Game.Status.OVER)
        .annotate(book=KeyTextTransform("preset", "game__rules"), stayed=Q(player=Seat.Player.PERSON))
        .values_list("book", "place", "stayed")
        .annotate(games=Count("pk"), wins=Count("pk", filter=Q(game__winner=F("pk"), player=Seat.Player.PERSON)))
        .order_by()
    )
    return [_Tallied(*row) for row in rows]


def _tallies(
    tallied: Sequence[_Tallied], keys: Iterable[Any], key_of: Callable[[_Tallied], Any], title: Callable[[Any], str]
) -> list[Tally]:
    """One for each key with games."""
    by_key = [(key, [one for one in tallied if key_of(one) == key]) for key in keys]
    return [
        Tally(title(key), sum(one.games for one in some), sum(one.wins for one in some)) for key, some in by_key if some
    ]


def _recent(person: User, viewer: User) -> list[RecentGame]:
    may_be_seen = Exists(visible_games(viewer).filter(pk=OuterRef("game")))
    seats = list(
        Seat.objects.filter(user=person, game__status=Game.Status.OVER)
        .annotate(may_be_seen=may_be_seen)
        .select_related("game")
        .order_by("-game__ended_at", "-game")[:MOST_RECENT]
    )
    results = RatedResult.objects.filter(person=person, rated_game__in=[seat.game_id for seat in seats])
    by_game = {result.rated_game_id: result for result in results}
    return [_recent_game(seat, by_game.get(seat.game_id)) for seat in seats]


def _recent_game(seat: Any, result: RatedResult | None) -> RecentGame:
    return RecentGame(
        game=seat.game,
        may_be_seen=seat.may_be_seen,
        rule_book=RULE_BOOKS[seat.game.rules["preset"]].title,
        result=_result(seat, result),
        rating=ratings.in_words(result.mu, result.sigma) if result else "",
        change=change(result) if result else "",
    )


def _result(seat: Seat, result: RatedResult | None) -> str:
    if seat.player != Seat.Player.PERSON:
        return "Left"
    if seat.game.winner_id == seat.pk:
        return "Won"
    return ordinal(result.rank) if result else "Lost"


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


# Ratings in figures


def change(result: RatedResult) -> str:
    """As the numbers on the page differ."""
    difference = ratings.shown(result.mu) - ratings.shown(result.mu_before)
    return f"{'−' if difference < 0 else '+'}{abs(difference)}" if difference else "±0"


def _ratings_of(person: User) -> list[ShownRating]:
    by_kind = {rating.kind: rating for rating in Rating.objects.filter(person=person)}
    return [ShownRating(kind, rating, _chart(person, kind)) for kind in Kind if (rating := by_kind.get(kind))]


#: The plot of a chart, and where its corner lies.
WIDTH, HEIGHT = 268.0, 100.0
LEFT, TOP = 42.0, 10.0
#: How far apart the lines of a chart may be.
STEPS: Final = (20, 50, 100, 200, 500)
MOST_LINES: Final = 5


class Line(NamedTuple):
    number: int
    y: float


class Chart(NamedTuple):
    """A rating over the last games, drawn here as numbers; the template only writes them down."""

    games: int
    lines: list[Line]
    path: str
    end: tuple[float, float]
    first: int
    last: int
    lowest: int
    highest: int


def _chart(person: User, kind: Kind) -> Chart | None:
    results = list(RatedResult.objects.filter(person=person, rated_game__kind=kind).order_by("-games")[:MOST_CHARTED])
    if not results:
        return None
    results.reverse()
    return chart([ratings.shown(results[0].mu_before), *(ratings.shown(result.mu) for result in results)])


def chart(numbers: Sequence[int]) -> Chart:
    """Of the rating before the first game and after each."""
    lowest, highest = min(numbers), max(numbers)
    step = next((step for step in STEPS if (highest - lowest) / step <= MOST_LINES - 2), STEPS[-1])
    bottom, top = lowest // step * step, -(-highest // step) * step
    if bottom == top:
        top += step

    def at(place: int, height: int) -> tuple[float, float]:
        return LEFT + WIDTH * place / (len(numbers) - 1), TOP + HEIGHT * (top - height) / (top - bottom)

    return Chart(
        games=len(numbers) - 1,
        lines=[Line(height, at(0, height)[1]) for height in range(bottom, top + 1, step)],
        path=" ".join("{:.1f},{:.1f}".format(*at(place, height)) for place, height in enumerate(numbers)),
        end=at(len(numbers) - 1, numbers[-1]),
        first=numbers[0],
        last=numbers[-1],
        lowest=lowest,
        highest=highest,
    )


# The end of a game


@dataclass(frozen=True, slots=True)
class Change:
    """What a game did to somebody's rating."""

    name: str
    address: str
    is_bot_account: bool
    rating: str
    change: str


@dataclass(frozen=True, slots=True)
class RatedEnd:
    """What the end of a rated game says of ratings: nothing yet while they are still to be computed."""

    is_computed: bool
    changes: list[Change]
    #: Moderators have taken it out of the ratings.
    is_annulled: bool = False


def rated_end(game_id: int) -> RatedEnd | None:
    """Nothing for a game that does not count."""
    counts = ratings.ended().filter(pk=game_id)
    counted = list(counts.values_list("counted__ended_at", flat=True))
    if not counted:
        is_annulled = Table.objects.filter(game=game_id, annulled_at__isnull=False).exists()
        return RatedEnd(is_computed=False, changes=[], is_annulled=True) if is_annulled else None
    results = (
        RatedResult.objects.filter(rated_game=game_id)
        .select_related("person")
        .annotate(name=Seat.objects.filter(game=game_id, user=OuterRef("person")).values("name")[:1])
        .order_by("rank", "person")
    )
    return RatedEnd(is_computed=counted[0] is not None, changes=[_change(result) for result in results])


def _change(result: Any) -> Change:
    after = ratings.in_words(result.mu, result.sigma)
    person = result.person
    return Change(result.name, person.get_absolute_url(), person.is_bot, after, change(result))
