"""Where people talk: at a table, in its game, and beside it those who watch. Who reads there, and who speaks."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final, Literal, NamedTuple

from django.db.models import QuerySet

from games import broadcast
from games.models import Game, Seat
from games.page import Page
from games.rules.refusals import Forbidden
from games.selectors import seat_of
from lobby.models import ChatLine, Conversation, Table, User
from lobby.refusals import NotSeated
from lobby.selectors import may_see
from lobby.services import table_group
from lobby.watching import may_watch

Audience = Conversation.Audience
RoomKind = Literal["players", "watchers", "table"]
ENDED: Final = (Game.Status.OVER, Game.Status.ABORTED)

#: Said with one press. They are lines like any other.
PHRASES: Final[dict[RoomKind, Sequence[str]]] = {
    "players": (
        "Hello, good luck!",
        "Nice roll!",
        "Anyone want to trade?",
        "No, thanks.",
        "Your turn.",
        "Well played.",
        "Thank you!",
        "Sorry!",
        "Back in a moment.",
        "Good game!",
    ),
    "watchers": ("Hello!", "Nice roll!", "What a move!", "Bad luck!", "Exciting!", "Well played.", "See you!"),
    "table": ("Hello!", "Ready when you are.", "One moment, please.", "I’m back.", "Shall we start?", "Thank you!"),
}


class NotForYou(Forbidden):
    code = "not_for_you"


class Colours(NamedTuple):
    """Of the seats of a game, by their numbers; and by people, for those who spoke before there were any."""

    by_seat: dict[int, int]
    by_person: dict[int, int]

    def of(self, line: ChatLine) -> int | None:
        return self.by_person.get(line.user_id or 0) if line.seat is None else self.by_seat.get(line.seat)


class Speaker(NamedTuple):
    name: str
    seat: int | None = None


class Room(ABC):
    kind: ClassVar[RoomKind]

    def __init__(self, group: str, game_id: int | None = None) -> None:
        #: Of the sockets that hear what is said here.
        self.group = group
        #: Empty at a table whose game has not begun.
        self.game_id = game_id

    @property
    @abstractmethod
    def place(self) -> dict[str, Any]:
        """By which its conversation is found."""

    def conversation(self) -> Conversation:
        return Conversation.objects.get_or_create(**self.place)[0]

    def lines(self) -> QuerySet[ChatLine]:
        return ChatLine.objects.filter(**{f"conversation__{field}": value for field, value in self.place.items()})

    @abstractmethod
    def require_reader(self, person: User) -> None:
        """``Forbidden`` with a sentence if this is not for them."""

    @abstractmethod
    def speaker(self, person: User) -> Speaker:
        """As whom somebody speaks here, or ``Forbidden`` with a sentence."""

    def may_read(self, person: User) -> bool:
        return not _is_forbidden(self.require_reader, person)

    def may_speak(self, person: User) -> bool:
        return not _is_forbidden(self.speaker, person)

    @abstractmethod
    def sitters(self) -> dict[int, str]:
        """The people who sit here, and what they are called."""

    def colours(self) -> Colours:
        return Colours({}, {})


def _is_forbidden(ask: Callable[[User], object], person: User) -> bool:
    try:
        ask(person)
    except Forbidden:
        return True
    return False


class Played:
    """A game as its two chats need it, read once: a room is found for one request, and not kept."""

    def __init__(self, game_id: int) -> None:
        self.game_id = game_id
        self._seats: dict[int | None, int | None] = {}

    @cached_property
    def _row(self) -> tuple[int | None, str]:
        """``Game.DoesNotExist`` if there is no such game."""
        # A game and its table come to know each other in one transaction, so nobody finds the one without the other.
        table, status = Game.objects.values_list("table", "status").get(pk=self.game_id)
        return table, status

    def require(self) -> None:
        """``Game.DoesNotExist`` if there is no such game."""
        _ = self._row

    @property
    def table_id(self) -> int | None:
        return self._row[0]

    @cached_property
    def is_over(self) -> bool:
        return self._row[1] in ENDED

    def seat_of(self, person: User) -> int | None:
        if person.pk not in self._seats:
            self._seats[person.pk] = seat_of(self.game_id, person.pk)
        return self._seats[person.pk]

    def require_watcher(self, person: User) -> None:
        if not may_watch(self.game_id, person.pk):
            raise NotForYou("Only the players can read this.")


class Shown(Played):
    """A game whose page is being drawn: whoever looks at it may, and what the page says need not be read again."""

    def __init__(self, page: Page) -> None:
        super().__init__(page["game"])
        self._seat = page["viewer"]
        self.is_over = page["status"] in ENDED

    def seat_of(self, person: User) -> int | None:
        return self._seat

    def require_watcher(self, person: User) -> None:
        """The page itself is for those who may watch alone."""


class PlayersRoom(Room):
    """Those who have a seat speak, everybody who sees the game reads."""

    kind = "players"

    def __init__(self, game: Played) -> None:
        super().__init__(broadcast.game_group(game.game_id), game.game_id)
        self._game = game

    @property
    def place(self) -> dict[str, Any]:
        own_place = {"game_id": self._game.game_id, "audience": Audience.PLAYERS}
        return {"table_id": self._game.table_id} if self._game.table_id else own_place

    def may_speak(self, person: User) -> bool:
        return self._game.seat_of(person) is not None

    def require_reader(self, person: User) -> None:
        if self._game.seat_of(person) is None:
            self._game.require_watcher(person)

    def speaker(self, person: User) -> Speaker:
        seat = self._game.seat_of(person)
        if seat is None:
            raise NotSeated("Only the players can write here.")
        return Speaker(Seat.objects.get(pk=Seat.key(self._game.game_id, seat)).name, seat)

    def sitters(self) -> dict[int, str]:
        return {seat.user_id: seat.name for seat in self._seats() if seat.user_id}

    def colours(self) -> Colours:
        seats = list(self._seats())
        by_person = {seat.user_id: seat.colour for seat in seats if seat.user_id}
        return Colours({seat.number: seat.colour for seat in seats}, by_person)

    def _seats(self) -> QuerySet[Seat]:
        return Seat.objects.filter(game=self._game.game_id).order_by("number")


class WatchersRoom(Room):
    """Those who watch talk among themselves. The players read it when the game is over, and not before."""

    kind = "watchers"

    def __init__(self, game: Played) -> None:
        group = f"{broadcast.game_group(game.game_id)}-watchers"
        super().__init__(group, game.game_id)
        self._game = game

    @property
    def place(self) -> dict[str, Any]:
        return {"game_id": self._game.game_id, "audience": Audience.WATCHERS}

    def require_reader(self, person: User) -> None:
        if self._game.seat_of(person) is None:
            self._game.require_watcher(person)
        elif not self._game.is_over:
            raise NotForYou("What the watchers say is for them alone until the game is over.")

    def speaker(self, person: User) -> Speaker:
        if self._game.seat_of(person) is not None:
            raise NotForYou("Only those who watch can write here.")
        self._game.require_watcher(person)
        return Speaker(person.shown_name)

    def sitters(self) -> dict[int, str]:
        return {}


class TableRoom(Room):
    """Those who sit at a table speak, everybody who sees it reads."""

    kind = "table"

    def __init__(self, table: Table) -> None:
        super().__init__(table_group(table.code))
        self.table = table

    @property
    def place(self) -> dict[str, Any]:
        return {"table_id": self.table.pk}

    def require_reader(self, person: User) -> None:
        if not may_see(self.table, self.table.chairs.all(), person):
            raise NotForYou("Only invited people can read this.")

    def speaker(self, person: User) -> Speaker:
        chair = self.table.chairs.filter(user=person.pk, kept=False).first() if person.pk else None
        if chair is None:
            raise NotSeated("Only those who sit at this table can write here: sit down first.")
        return Speaker(chair.name)

    def sitters(self) -> dict[int, str]:
        return {chair.user_id: chair.name for chair in self.table.chairs.all() if chair.user_id and not chair.kept}


# Finding a room


def of_game(game_id: int) -> tuple[PlayersRoom, WatchersRoom]:
    """``Game.DoesNotExist`` if there is no such game."""
    game = Played(game_id)
    game.require()
    return PlayersRoom(game), WatchersRoom(game)


def of_page(page: Page) -> tuple[PlayersRoom, WatchersRoom]:
    """Those beside a game whose page is being drawn."""
    game = Shown(page)
    return PlayersRoom(game), WatchersRoom(game)


def of_players(game_id: int) -> PlayersRoom:
    return of_game(game_id)[0]


def of_watchers(game_id: int) -> WatchersRoom:
    return of_game(game_id)[1]


def of_visible_table(code: str, person: User) -> TableRoom | PlayersRoom:
    """The same for those who may see it: whoever is not invited does not learn that there is such a table."""
    room = of_table(code)
    if isinstance(room, TableRoom) and not room.may_read(person):
        raise Table.DoesNotExist
    return room


def of_table(code: str) -> TableRoom | PlayersRoom:
    """A table whose game has begun talks on in the game; ``Table.DoesNotExist`` if there is no such table."""
    table = Table.objects.get(code=code)
    return TableRoom(table) if table.game_id is None else of_players(table.game_id)


def of_conversation(conversation: Conversation) -> Room:
    """Where those are who follow a conversation now."""
    if conversation.table is not None:
        return of_table(conversation.table.code)
    game_id = conversation.game_id or 0
    return of_watchers(game_id) if conversation.audience == Audience.WATCHERS else of_players(game_id)
