"""What may be read of tables, and of a person's games and tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Case, Value, When

from games.models import Game, Seat
from games.page import COLOURS
from games.words import listing
from games.words_clocks import ASKS
from lobby.choices import (
    BOARDS,
    BOT_SPEED_CHOICES,
    PACE_CHOICES,
    RATED,
    RULE_BOOKS,
    AgreedClock,
    AgreedOption,
    Choice,
    agreed_clocks,
    agreed_options,
)
from lobby.models import Chair, Table, User

MOST_LISTED = 12


@dataclass(frozen=True, slots=True)
class ShownChair:
    """A chair as one visitor sees it."""

    chair: Chair
    colour: str
    is_own: bool
    is_host: bool


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table as one visitor sees it."""

    table: Table
    chairs: list[ShownChair]
    own: Chair | None
    is_host: bool
    host_name: str
    rule_book: Choice
    board: Choice
    pace: Choice
    bot_speed: Choice
    clocks: list[AgreedClock]
    different: list[AgreedOption]
    standard: list[AgreedOption]

    @property
    def rated(self) -> Choice | None:
        return RATED if self.table.rated else None

    @property
    def changed_clocks(self) -> list[AgreedClock]:
        return [clock for clock in self.clocks if clock.is_changed]

    @property
    def taken(self) -> int:
        return sum(shown.chair.is_taken for shown in self.chairs)

    @property
    def to_fill(self) -> int:
        """Chairs that bots may take: nobody's, and those kept for people who have not come; in a rated game none."""
        return 0 if self.table.rated else len(self.chairs) - self.taken

    @property
    def is_full(self) -> bool:
        return not any(shown.chair.is_free for shown in self.chairs)

    @property
    def invited(self) -> str:
        """For whom chairs are kept."""
        return _invited([shown.chair for shown in self.chairs], self.own)

    @property
    def invitation(self) -> str:
        """What is told of a link to the table."""
        if self.table.rated:
            return "Open the link and sit down: a rated game of Catan in the browser, for people with an account."
        return "Open the link and sit down: a game of Catan in the browser, without an account."

    @property
    def can_start(self) -> bool:
        return self.taken in self.table.rule_set.seats

    @property
    def state(self) -> str:
        """How far the table is, in a sentence or two."""
        sentences = [_who_is_missing([shown.chair for shown in self.chairs], self.own)]
        if not self.is_host:
            sentences.append(f"{self.host_name} starts the game.")
        else:
            more = "Send the link." if self.table.rated else "Send the link, or add bots."
            sentences.append("Start when you like." if self.can_start else more)
        return " ".join(sentences)


def _who_is_missing(chairs: Sequence[Chair], own: Chair | None) -> str:
    free = sum(chair.is_free for chair in chairs)
    invited = _invited(chairs, own)
    sentences = [f"Waiting for {invited}."] if invited else []
    if free:
        sentences.append("One chair is free." if free == 1 else f"{free} chairs are free.")
    return " ".join(sentences) or "Everybody is here."


def _invited(chairs: Sequence[Chair], own: Chair | None) -> str:
    return listing(["you" if chair == own else chair.name for chair in chairs if chair.kept])


def shown_table(table: Table, viewer: User) -> ShownTable:
    chairs = list(table.chairs.select_related("user"))
    own = next((chair for chair in chairs if viewer.pk and chair.user_id == viewer.pk), None)
    options = agreed_options(table.rule_set)
    return ShownTable(
        table=table,
        chairs=[
            ShownChair(chair, COLOURS[chair.number], chair == own, chair.user_id == table.host_id) for chair in chairs
        ],
        own=own,
        is_host=table.host_id == viewer.pk,
        host_name=_host_name(table, chairs),
        rule_book=RULE_BOOKS[table.rule_set.preset],
        board=BOARDS[table.layout],
        pace=PACE_CHOICES[table.pace.name if table.pace else ""],
        bot_speed=BOT_SPEED_CHOICES[table.bot_speed],
        clocks=agreed_clocks(table.pace),
        different=[option for option in options if not option.is_standard],
        standard=[option for option in options if option.is_standard],
    )


@dataclass(frozen=True, slots=True)
class Rematch:
    """What everybody at the page of a finished game is told once somebody has opened a rematch."""

    sentence: str
    #: What the button of those who played says then.
    join: str


def rematch_of(game_id: int) -> Rematch | None:
    """Nothing while nobody has asked for one."""
    table = Table.objects.filter(rematch_of=game_id).select_related("host").first()
    if table is None:
        return None
    return Rematch(f"{_host_name(table, table.chairs.all())} wants a rematch.", "Join the rematch")


def _host_name(table: Table, chairs: Iterable[Chair]) -> str:
    return next((chair.name for chair in chairs if chair.user_id == table.host_id), table.host.shown_name)


def version(code: str) -> int:
    """How often a table has changed; ``Table.DoesNotExist`` if there is none with this code."""
    return Table.objects.values_list("version", flat=True).get(code=code)


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A running game in the list of one of its players."""

    game: Game
    others: list[str]
    #: What the game wants of this player now, as a key and in words.
    asked: str
    asks: str


def own_games(person: User) -> list[OwnGame]:
    """The unfinished games that a person has not left: first those that wait for them, then the newest."""
    running = [Game.Status.RUNNING, Game.Status.PAUSED, Game.Status.NEEDS_ATTENTION]
    own_seats = (
        Seat.objects.filter(user=person, game__status__in=running)
        .exclude(player=Seat.Player.BOT)
        .select_related("game")
        .prefetch_related("game__seat_set")
        .order_by(Case(When(asked="", then=Value(1)), default=Value(0)), "-game__started_at")[:MOST_LISTED]
    )
    return [
        OwnGame(
            game=seat.game,
            others=[other.name for other in seat.game.seat_set.all() if other.pk != seat.pk],
            asked=seat.asked,
            asks=ASKS.get(seat.asked, ""),
        )
        for seat in own_seats
    ]


@dataclass(frozen=True, slots=True)
class OwnTable:
    """An open table in the list of somebody who has a chair there."""

    table: Table
    people: list[str]
    state: str
    is_invitation: bool


def own_tables(person: User) -> list[OwnTable]:
    """The open tables where a person has a chair, or is the host, the newest first."""
    seated = Table.objects.filter(chairs__user=person, game=None)
    hosted = Table.objects.filter(host=person, game=None)
    tables = (seated | hosted).distinct().prefetch_related("chairs").order_by("-opened_at")[:MOST_LISTED]
    return [_own_table(table, person) for table in tables]


def _own_table(table: Table, person: User) -> OwnTable:
    chairs = list(table.chairs.all())
    own = next((chair for chair in chairs if chair.user_id == person.pk), None)
    return OwnTable(
        table=table,
        people=[chair.name for chair in chairs if chair.is_person and chair.user_id != person.pk],
        state=_who_is_missing(chairs, own),
        is_invitation=own is not None and own.kept,
    )
