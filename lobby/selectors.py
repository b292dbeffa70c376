"""What may be read of tables, and of a person's games and tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.db.models import Case, Prefetch, QuerySet, Value, When

from games.bots import Strength
from games.drawing import Island, island
from games.models import Game, Seat
from games.page import COLOURS
from games.rules.boards import BEGINNER, lay
from games.rules.chance import of_board
from games.rules.views import BoardView, board_view
from games.words import listing
from games.words_clocks import ASKS
from games.words_places import board_words
from lobby.bot_accounts import why_unwelcome
from lobby.choices import (
    BOARDS,
    BOT_SPEED_CHOICES,
    FIRST_LOOKS,
    PACE_CHOICES,
    RATED,
    RATED_AMONG_BOTS,
    RULE_BOOKS,
    STRENGTH_CHOICES,
    AgreedClock,
    AgreedOption,
    Choice,
    agreed_clocks,
    agreed_options,
)
from lobby.company import said
from lobby.models import Chair, Removal, Table, User

MOST_LISTED = 12
#: Of so many of a person's games, the front page hears at once whether they wait for them.
MOST_HEARD_OF = 50


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody in a list of names."""

    name: str
    is_bot_account: bool = False


@dataclass(frozen=True, slots=True)
class ShownChair:
    """A chair as one visitor sees it."""

    chair: Chair
    colour: str
    is_own: bool
    is_host: bool

    @property
    def holder(self) -> str:
        if self.chair.is_free:
            return "free"
        return "you" if self.is_own else self.chair.name


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table as one visitor sees it."""

    table: Table
    chairs: list[ShownChair]
    own: Chair | None
    is_host: bool
    is_guest: bool
    #: The host has asked the visitor to leave.
    is_removed: bool
    #: Why neither the visitor nor anybody of their kind can sit here.
    why_unwelcome: str
    host_name: str
    rule_book: Choice
    board: Choice
    #: Whether the board is seen before the game; of one that is always the same, there is nothing to say.
    first_look: Choice | None
    #: The board that the game will have, if it can be seen.
    island: Island | None
    board_words: str
    pace: Choice
    bot_speed: Choice
    clocks: list[AgreedClock]
    different: list[AgreedOption]
    standard: list[AgreedOption]
    #: Of the bots that the visitor chose last.
    bot_strength: Strength
    strengths: ClassVar[Mapping[Strength, Choice]] = STRENGTH_CHOICES

    @property
    def may_sit(self) -> bool:
        """Whether the visitor, who may be a guest, can take a free chair."""
        return not self.is_removed and not self.why_unwelcome and not (self.table.rated and self.is_guest)

    @property
    def rated(self) -> Choice | None:
        if not self.table.rated:
            return None
        return RATED_AMONG_BOTS if self.table.host.is_bot else RATED

    @property
    def fill_with(self) -> str:
        """What sits down on every chair that is left."""
        return f"{self.to_fill} {self.bot_strength} bot{'' if self.to_fill == 1 else 's'}"

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
        if self.table.rated and self.table.host.is_bot:
            return "A rated game of Catan in the browser, among programs that play accounts of their own."
        if self.table.rated:
            return "Open the link and sit down: a rated game of Catan in the browser, for people with an account."
        return "Open the link and sit down: a game of Catan in the browser, no account needed."

    @property
    def can_start(self) -> bool:
        return self.taken in self.table.rule_set.seats

    @property
    def state(self) -> str:
        """How far the table is, in a sentence or two."""
        return f"{_who_is_missing([shown.chair for shown in self.chairs], self.own)} {self._what_comes_next}"

    @property
    def _what_comes_next(self) -> str:
        if self.table.is_public:
            if not self.can_start:
                return "The game can start with three."
            return f"The game is waiting for {listing(self.unready)} to be ready."
        if not self.is_host:
            return f"{self.host_name} starts the game."
        if self.can_start:
            return "Start when you like."
        company = "Invite somebody" if self.table.visibility == "invited" else "Send the link"
        return f"{company}, or add bots." if self.table.has_bots else f"{company}."

    @property
    def other_colours(self) -> list[tuple[int, str]]:
        """In which the visitor could play as well: no other person has them."""
        if self.own is None or self.own.kept:
            return []
        taken = {shown.chair.colour for shown in self.chairs if shown.chair.user_id is not None}
        return [(number, name) for number, name in enumerate(COLOURS) if number not in taken]

    @property
    def unready(self) -> list[str]:
        others = unready((shown.chair for shown in self.chairs), besides=self.own.user if self.own else None)
        return ["you", *others] if self.own and not self.own.ready else others

    @property
    def can_be_shuffled(self) -> bool:
        """Whether the table has a board that its host may exchange for another."""
        return self.table.is_board_seen and self.first_look is not None

    @property
    def ready(self) -> list[str]:
        """Those who have said that they are."""
        return ["you" if shown.is_own else shown.chair.name for shown in self.chairs if shown.chair.ready]

    @property
    def why_board_stays(self) -> str:
        return why_board_stays(self.ready)

    @property
    def others(self) -> list[Chair]:
        """To whom the host can hand the table."""
        return [shown.chair for shown in self.chairs if shown.chair.is_person and not shown.is_host]

    @property
    def removals(self) -> list[Removal]:
        """Whom the host can let back in."""
        return list(self.table.removals.order_by("pk"))

    @property
    def may_start(self) -> bool:
        """Whether the host can start, if only with bots: at a public table, nobody is made to."""
        others_ready = not unready((shown.chair for shown in self.chairs), besides=self.table.host)
        return others_ready if self.table.is_public else self.can_start or self.table.has_bots

    @property
    def is_alone(self) -> bool:
        return sum(shown.chair.is_person for shown in self.chairs) == 1


def may_see(table: Table, chairs: Iterable[Chair], person: User) -> bool:
    """Whoever has a chair, kept or taken, sees the table; others do unless it is for invited people alone."""
    return table.visibility != "invited" or any(person.pk and chair.user_id == person.pk for chair in chairs)


def visible_table(code: str, person: User) -> Table:
    """With its host, chairs and their people. For those who may not see it, it is ``Table.DoesNotExist``."""
    chairs = Prefetch("chairs", Chair.objects.select_related("user"))
    found = Table.objects.select_related("host").prefetch_related(chairs).get(code=code)
    # Where the game goes on, it decides by itself who may see it.
    if found.game_id is None and not may_see(found, found.chairs.all(), person):
        raise Table.DoesNotExist
    return found


def is_removed(table: Table, person: User) -> bool:
    """Whether the host has asked somebody to leave, and has not let them back in."""
    return person.pk is not None and Removal.objects.filter(table=table, user=person).exists()


def unready(chairs: Iterable[Chair], *, besides: User | None = None) -> list[str]:
    """Those who sit at a table and have not said yet that they are ready."""
    asked = (chair for chair in chairs if chair.is_person and (besides is None or chair.user_id != besides.pk))
    return [chair.name for chair in asked if not chair.ready]


def why_board_stays(ready: Sequence[str]) -> str:
    are = "is" if len(ready) == 1 and ready[0] != "you" else "are"
    return f"The board stays as it is: {listing(ready)} {are} ready to play on it."


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
    board = visible_board(table)
    return ShownTable(
        table=table,
        chairs=[
            ShownChair(chair, COLOURS[chair.colour], chair == own, chair.user_id == table.host_id) for chair in chairs
        ],
        own=own,
        is_host=table.host_id == viewer.pk,
        is_guest=viewer.is_guest,
        is_removed=own is None and is_removed(table, viewer),
        why_unwelcome=unwelcome.sentence if (unwelcome := why_unwelcome(viewer.is_bot, table)) else "",
        host_name=host_name(table, chairs),
        rule_book=RULE_BOOKS[table.rule_set.preset],
        board=BOARDS[table.layout],
        first_look=None if table.layout == "beginner" else FIRST_LOOKS[said(table.is_board_seen)],
        island=None if board is None else island(board, table.rule_set),
        board_words="" if board is None else board_words(board),
        pace=PACE_CHOICES[table.pace.name if table.pace else ""],
        bot_speed=BOT_SPEED_CHOICES[table.bot_speed],
        clocks=agreed_clocks(table.pace),
        different=[option for option in options if not option.is_standard],
        standard=[option for option in options if option.is_standard],
        bot_strength=viewer.bot_strength,
    )


def visible_board(table: Table) -> BoardView | None:
    if table.layout == "beginner":
        return board_view(BEGINNER)
    return None if table.board_seed is None else board_view(lay(table.layout, of_board(bytes(table.board_seed))))


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
    return Rematch(f"{host_name(table, table.chairs.all())} wants a rematch.", "Join the rematch")


def host_name(table: Table, chairs: Iterable[Chair]) -> str:
    return next((chair.name for chair in chairs if chair.user_id == table.host_id), None) or table.host.shown_name


def version(code: str, person: User) -> int:
    """How often a table has changed; ``Table.DoesNotExist`` if there is none with this code that the person may see."""
    table = Table.objects.only("version", "visibility").get(code=code)
    if table.visibility == "invited" and not may_see(table, table.chairs.all(), person):
        raise Table.DoesNotExist
    return table.version


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A running game in the list of one of its players."""

    game: Game
    others: list[Named]
    #: What the game wants of this player now, as a key and in words.
    asked: str
    asks: str


def _seats_in_running_games(person: User) -> QuerySet[Seat]:
    """Of games that the person has not left."""
    running = [Game.Status.RUNNING, Game.Status.PAUSED, Game.Status.RESTING, Game.Status.NEEDS_ATTENTION]
    return Seat.objects.filter(user=person, game__status__in=running).exclude(player=Seat.Player.BOT)


def seats_in_running_games(person: User) -> dict[int, int]:
    """The numbers of a person's seats, by the newest of their games."""
    return dict(
        _seats_in_running_games(person).order_by("-game__started_at").values_list("game_id", "number")[:MOST_HEARD_OF]
    )


def listed(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """With what a list says of their games: a game's row has many more columns."""
    told = ("player", "asked", "game__status", "game__version", "game__winner_id", "game__ended_at")
    named = Seat.objects.only("game_id", "name", "is_bot_account")
    others = Prefetch("game__seat_set", named.order_by("number"))
    return seats.select_related("game").only(*told).prefetch_related(others)


def own_games(person: User) -> list[OwnGame]:
    """The unfinished games that a person has not left: first those that wait for them, then the newest."""
    waiting_first = Case(When(asked="", then=Value(1)), default=Value(0))
    own_seats = listed(_seats_in_running_games(person).order_by(waiting_first, "-game__started_at"))[:MOST_LISTED]
    return [
        OwnGame(
            game=seat.game,
            others=names_of(other for other in seat.game.seat_set.all() if other.pk != seat.pk),
            asked=seat.asked,
            asks=ASKS.get(seat.asked, ""),
        )
        for seat in own_seats
    ]


def names_of(people: Iterable[Seat | Chair]) -> list[Named]:
    return [Named(each.name, each.is_bot_account) for each in people]


@dataclass(frozen=True, slots=True)
class OwnTable:
    """An open table in the list of somebody who has a chair there."""

    table: Table
    host: Named
    people: list[Named]
    state: str
    is_invitation: bool


def own_tables(person: User) -> list[OwnTable]:
    """The open tables where a person has a chair, the newest first."""
    seated = Table.objects.filter(pk__in=Chair.objects.filter(user=person).values("table"), game=None)
    chairs = Prefetch("chairs", Chair.objects.select_related("user"))
    tables = seated.select_related("host").prefetch_related(chairs).order_by("-opened_at")[:MOST_LISTED]
    return [_own_table(table, person) for table in tables]


def _own_table(table: Table, person: User) -> OwnTable:
    chairs = list(table.chairs.all())
    own = next((chair for chair in chairs if chair.user_id == person.pk), None)
    return OwnTable(
        table=table,
        host=Named(host_name(table, chairs), table.host.is_bot),
        people=names_of(chair for chair in chairs if chair.is_person and chair.user_id != person.pk),
        state=_who_is_missing(chairs, own),
        is_invitation=own is not None and own.kept,
    )
