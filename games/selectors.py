"""What may be read of a game. Whatever is secret is left out by the rules' `player_view`."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, cast

from django.db.models import IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from typing_extensions import TypedDict

from games import snapshots, words_orders
from games.models import Connection, Game, GameSecret, Intervention, Move, Proposal, Seat
from games.page import Happened, Mark, Page, Scene, happened, opening, page_of
from games.rules import NOBODY, Event, Forbidden, View, player_view
from games.rules.boards import Layout
from games.rules.events import Seen, Told, WrittenEvent
from games.rules.ruleset import Value as OptionValue
from games.rules.written import Json
from games.store import Snapshot

#: How far back the log of a page goes.
LOG_MOVES: Final = 60

#: A connection counts as gone if its web process has not been heard of for so long.
UNSEEN_AFTER: Final = timedelta(seconds=45)


def seat_of(game_id: int, user_id: int | None) -> int | None:
    """The number of a user's seat in a game; ``None`` for spectators and those who have left it."""
    if user_id is None:
        return None
    held = Seat.objects.filter(game=game_id, user=user_id).exclude(player=Seat.Player.BOT)
    return held.values_list("number", flat=True).first()


def addresses(game_id: int) -> dict[int, str]:
    """Where those who have a page of their own have it, by seat."""
    seats = Seat.objects.filter(game=game_id).exclude(user=None).select_related("user")
    return {seat.number: seat.user.get_absolute_url() for seat in seats if seat.user}


# Who may look on


class NoSpectators(Forbidden):
    code = "no_spectators"


def require_watchable(game: Game, seats: Iterable[Seat], user_id: int | None) -> None:
    """Who may see a game is decided here: whoever plays it, or has left it, and mostly everybody else."""
    if game.spectators_allowed:
        return
    if user_id is None or user_id not in {seat.user_id for seat in seats}:
        raise NoSpectators("This game is played behind closed doors: only those who play it can see it.")


def require_watchable_game(game_id: int, user_id: int | None) -> None:
    """The same for those who have not read the game; ``Game.DoesNotExist`` if there is no such game."""
    game = Game.objects.only("spectators_allowed").get(pk=game_id)
    require_watchable(game, game.seat_set.all(), user_id)


# Who looks on


def looked_at(seats: Iterable[int], now: datetime) -> set[int]:
    """Those of these seats whose people have the game before their eyes."""
    alive = Connection.objects.filter(seat__in=[*seats], seen_at__gte=now - UNSEEN_AFTER)
    return set(alive.filter(is_visible=True).values_list("seat", flat=True))


# The page of a game


def scene(game_id: int, *, after: Mark | None = None, whole: bool = False, now: datetime) -> Scene:
    """A game as it stands, with what happened after a mark; ``Game.DoesNotExist`` if there is no such game.

    A page shows the last of that; the whole is for those who must miss nothing, however long ago the mark was.
    Two statements if the game is at hand: the seats with the game's own row and who is there, and the log.
    """
    while True:
        seats = list(Seat.objects.filter(game=game_id).select_related("game", "presence").order_by("number"))
        if not seats:
            raise Game.DoesNotExist
        game = seats[0].game
        if snapshot := snapshots.at_row(game):
            log = _log(game, snapshot, after, whole=whole)
            mark = after or {"version": 0, "revision": 0}
            return Scene(game, snapshot, seats, log, mark, now, _proposals(game))


def scene_after(game: Game, played: Snapshot, log: Sequence[Happened], after: Mark, now: datetime) -> Scene:
    """A game right after a change, by somebody who has all of it at hand but who is there."""
    seats = list(Seat.objects.filter(game=game).select_related("presence").order_by("number"))
    return Scene(game, played, seats, log, after, now, _proposals(game))


def page_for(
    game_id: int, user_id: int | None, *, after: Mark | None = None, whole: bool = False, now: datetime
) -> Page:
    """All that a game's page shows one user."""
    found = scene(game_id, after=after, whole=whole, now=now)
    require_watchable(found.game, found.seats, user_id)
    return page_of(found, found.viewer(user_id))


def _log(game: Game, snapshot: Snapshot, after: Mark | None, *, whole: bool) -> list[Happened]:
    """What happened after a mark. Whoever has none sees the last moves, or the game from its beginning."""
    first = max(0, snapshot.version - LOG_MOVES)
    if after is not None:
        first = after["version"] if whole else max(first, after["version"])
    moves = Move.objects.filter(game=game.pk, number__gt=first, number__lte=snapshot.version)
    interventions = Intervention.objects.filter(
        Q(after_move__gte=first) if after is None else Q(revision__gt=after["revision"]),
        game=game.pk,
        revision__lte=snapshot.revision,
    )
    log = [told for _, told in _in_order(moves, interventions)]
    return [opening(game, snapshot.state.order), *log] if after is None and first == 0 else log


def log_around(game_id: int, moment: datetime, *, before: int, after: int) -> list[tuple[datetime, Happened]]:
    """So many moves before and after a moment, and what was done to the game meanwhile; when, and what it was."""
    moves = Move.objects.filter(game=game_id)
    number = moves.filter(played_at__lte=moment).order_by("-number").values_list("number", flat=True).first() or 0
    first, last = number - before, number + after
    return _in_order(
        moves.filter(number__gt=first, number__lte=last),
        Intervention.objects.filter(game=game_id, after_move__gte=first, after_move__lte=last),
    )


def _in_order(
    moves: QuerySet[Move, Move], interventions: QuerySet[Intervention, Intervention]
) -> list[tuple[datetime, Happened]]:
    """One statement for both. A move comes before what was done to the game after it."""
    rows = moves.values_list("number", Value(0), "seat_id", "by", "events", "played_at").union(
        interventions.values_list("after_move", "revision", "seat_id", "what", "told", "at"), all=True
    )
    return [(row[-1], _happened(*row[:-1])) for row in sorted(rows, key=lambda row: row[:2])]


def _happened(
    version: int, revision: int, seat_id: int | None, by: str, told: list[WrittenEvent] | Told | None
) -> Happened:
    """Of a move its events are told, of an intervention what is said of it."""
    seat = NOBODY if seat_id is None else Seat.number_of(seat_id)
    if revision:
        return Happened(version, [Event(by, seat, cast("Told", told or {}))])
    return happened(version, seat, by, [Event.from_json(event) for event in cast("list[WrittenEvent]", told or [])])


def _proposals(game: Game) -> list[Proposal]:
    """Those that wait for answers: seldom any, so a game without them costs no statement."""
    if not game.proposals_open:
        return []
    waiting = game.proposals.filter(outcome=Proposal.Outcome.OPEN)
    return list(waiting.prefetch_related("votes").order_by("made_at", "pk"))


def mark_and_viewer(game_id: int, user_id: int | None) -> tuple[Mark, int | None]:
    """How far a game has got, and the seat of a user who may see it; ``Game.DoesNotExist`` if there is no such game."""
    held = Seat.objects.filter(game=OuterRef("pk"), user=user_id).exclude(player=Seat.Player.BOT)
    number = Subquery(held.values("number")) if user_id else Value(None, IntegerField())
    game = Game.objects.annotate(viewer=number).only("version", "revision", "spectators_allowed").get(pk=game_id)
    require_watchable(game, game.seat_set.all(), user_id)
    return {"version": game.version, "revision": game.revision}, game.viewer


# Standing orders


class OrderView(TypedDict):
    """A standing order, with the number by which its owner cancels it."""

    number: int
    #: The order as a sentence.
    words: str
    #: The order as it was given.
    order: dict[str, Json]


class OrdersView(TypedDict):
    #: Planned pieces in the order in which they are built.
    orders: list[OrderView]
    #: What became of orders that are gone.
    told: list[str]


def orders_of(game_id: int, seat: int) -> OrdersView:
    """What the person of a seat has ordered, and what became of it: for them alone."""
    _, snapshot = snapshots.read(game_id)
    wording = words_orders.Wording(player_view(snapshot.state, seat)["board"])
    book = snapshot.sitters[seat].orders
    return {
        "orders": [
            {"number": given.number, "words": wording.sentence(given.order), "order": given.order.to_json()}
            for given in book.orders
        ],
        "told": [wording.told(told) for told in book.told],
    }


def version(game_id: int) -> int:
    """How many moves have been played; ``Game.DoesNotExist`` if there is no such game."""
    return Game.objects.values_list("version", flat=True).get(pk=game_id)


class MoveView(TypedDict):
    """A move as a viewer may know it."""

    #: The number of the move.
    version: int
    #: The seat that moved.
    seat: int
    #: Who made the move for it.
    by: str
    #: What came of it, as the viewer may know it.
    events: list[Seen]


def events_since(game_id: int, version: int, viewer: int | None, *, most: int | None = None) -> list[MoveView]:
    """What happened after a version, move by move, as the viewer may know it; of very much, what happened first."""
    moves = Move.objects.filter(game=game_id, number__gt=version).order_by("number")[:most]
    return [
        {
            "version": move.number,
            "seat": Seat.number_of(move.seat_id),
            "by": move.by,
            "events": [Event.from_json(event).seen_by(viewer) for event in move.events],
        }
        for move in moves
    ]


def all_events(game_id: int, viewer: int | None) -> list[Seen]:
    """Everything that happened in a game's moves, as the viewer may know it."""
    return [event for move in events_since(game_id, 0, viewer) for event in move["events"]]


class SpectatorRecord(TypedDict):
    format: str
    rules: dict[str, OptionValue]
    rules_version: int
    layout: Layout
    commitment: str
    board_seed: str | None
    nonces: list[str]
    view: View
    moves: list[MoveView]


def spectator_record(game: Game) -> SpectatorRecord:
    """A running game for somebody outside: everything laid open on the table, nothing else."""
    return {
        "format": "catan-spectator-1",
        "rules": game.rules,
        "rules_version": game.rules_version,
        "layout": game.layout,
        "commitment": game.commitment,
        "board_seed": None if game.board_seed is None else bytes(game.board_seed).hex(),
        "nonces": GameSecret.objects.values_list("nonces", flat=True).get(game=game),
        "view": player_view(snapshots.read(game.pk)[1].state, None),
        "moves": events_since(game.pk, 0, None),
    }
