"""What the front page shows one visitor: what waits for them first, then whom they could play with.

However much there is on the site, it is read in the same few queries.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final

from django.db.models import Exists, OuterRef, Prefetch

from games.bots import Strength
from games.models import Game, Seat, StrengthOfBot
from games.paces import LIVE
from games.page import COLOURS
from lobby import blocks, meeting, waiting
from lobby.choices import PACE_CHOICES, RULE_BOOKS, STRENGTH_CHOICES, Choice
from lobby.models import Chair, Table, User
from lobby.selectors import Named, OwnGame, OwnTable, host_name, listed, names_of, own_games, own_tables

MOST_OPEN: Final = 12
MOST_RESULTS: Final = 5
#: Among so many of the newest tables, and of one's own games, those are found that have room or are over.
MOST_LOOKED_AT: Final = 100


@dataclass(frozen=True, slots=True)
class Place:
    """A chair in the list of open tables: its colour, and who has it."""

    colour: str
    name: str
    strength: StrengthOfBot
    is_bot_account: bool


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A public table with room for somebody else."""

    table: Table
    host: Named
    places: list[Place]
    free: int
    pace: Choice
    rule_book: Choice
    has_house_rules: bool


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended for one of its players."""

    game: Game
    others: list[Named]
    is_won: bool
    sentence: str
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Front:
    games: list[OwnGame]
    #: How many of all their games wait for the visitor: more, perhaps, than are listed.
    count: int
    own: list[OwnTable]
    results: list[Result]
    open_tables: list[OpenTable]
    #: There are more open tables than are listed.
    has_more: bool
    #: Of the bots that the visitor chose last.
    bot_strength: Strength
    strengths: ClassVar[Mapping[Strength, Choice]] = STRENGTH_CHOICES

    @property
    def waiting(self) -> list[OwnGame]:
        return [own for own in self.games if own.asked]

    @property
    def going_on(self) -> list[OwnGame]:
        return [own for own in self.games if not own.asked]

    @property
    def invitations(self) -> list[OwnTable]:
        return [own for own in self.own if own.is_invitation]

    @property
    def tables(self) -> list[OwnTable]:
        return [own for own in self.own if not own.is_invitation]

    @property
    def is_a_players(self) -> bool:
        """Whoever has never played is told what this is; others know."""
        return bool(self.games or self.own or self.results)


def shown(visitor: User) -> Front:
    tables = _open_tables(visitor)
    is_known = visitor.pk is not None
    return Front(
        games=own_games(visitor) if is_known else [],
        count=waiting.count(visitor),
        own=own_tables(visitor) if is_known else [],
        results=_results(visitor) if is_known else [],
        open_tables=[_open_table(table) for table in tables[:MOST_OPEN]],
        has_more=len(tables) > MOST_OPEN,
        bot_strength=visitor.bot_strength,
    )


def _open_tables(visitor: User) -> list[Table]:
    """The newest first, and one more than is listed; none where somebody sits whom the visitor is kept apart from."""
    # Only so many are looked at: left to itself, PostgreSQL sorts all that have room.
    newest = Table.objects.filter(visibility="public", game=None).order_by("-opened_at")[:MOST_LOOKED_AT]
    free = Chair.objects.filter(table=OuterRef("pk"), user=None, bot=False)
    tables = Table.objects.filter(Exists(free), pk__in=newest.values("pk"))
    if visitor.pk is not None:
        known = {visitor.pk, *blocks.kept_apart_from(visitor)}
        tables = tables.exclude(Exists(Chair.objects.filter(table=OuterRef("pk"), user__in=known)))
    chairs = Prefetch("chairs", Chair.objects.select_related("user"))
    return list(tables.select_related("host").prefetch_related(chairs).order_by("-opened_at")[: MOST_OPEN + 1])


def _open_table(table: Table) -> OpenTable:
    chairs, rules = list(table.chairs.all()), table.rule_set
    return OpenTable(
        table=table,
        host=Named(host_name(table, chairs), table.host.is_bot),
        places=[Place(COLOURS[chair.colour], chair.name, chair.strength, chair.is_bot_account) for chair in chairs],
        free=sum(chair.is_free for chair in chairs),
        pace=PACE_CHOICES[table.clocks["name"] if table.clocks else ""],
        rule_book=RULE_BOOKS[rules.preset],
        has_house_rules=bool(rules.house_rules()),
    )


def _results(person: User) -> list[Result]:
    over = (Game.Status.OVER, Game.Status.ABORTED)
    ended = Seat.objects.filter(user=person, game__status__in=over).order_by("-game__ended_at")
    seats = listed(ended)[:MOST_RESULTS]
    return [_result(seat, seat.game.seat_set.all()) for seat in seats]


def _result(own: Seat, seats: Iterable[Seat]) -> Result:
    game = own.game
    winner = next((seat for seat in seats if seat.pk == game.winner_id), None)
    if own.player == Seat.Player.BOT:
        sentence = "You resigned."
    elif winner is None:
        sentence = "Stopped, nobody won."
    else:
        sentence = "You won." if winner.pk == own.pk else f"{winner.name} won."
    return Result(
        game=game,
        others=names_of(seat for seat in seats if seat.pk != own.pk),
        is_won=sentence == "You won.",
        sentence=sentence,
        ended_at=game.ended_at,
    )


@dataclass(frozen=True, slots=True)
class PaceToFind:
    """A pace at which one can look for a game, and how many do so now."""

    name: str
    choice: Choice
    people: int


@dataclass(frozen=True, slots=True)
class Looking:
    paces: list[PaceToFind]

    @property
    def kinds(self) -> list[tuple[str, list[PaceToFind]]]:
        live = [pace for pace in self.paces if pace.name in LIVE]
        return [("In one sitting", live), ("Over days", [pace for pace in self.paces if pace not in live])]

    @property
    def people(self) -> int:
        return sum(pace.people for pace in self.paces)


def looking() -> Looking:
    people = meeting.looking()
    return Looking([PaceToFind(name, choice, people.get(name, 0)) for name, choice in PACE_CHOICES.items() if name])
