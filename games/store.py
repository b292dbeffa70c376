"""Rows to state, and what a move changed back to rows. Nothing else reads or writes a game's rows.

Reading takes three queries beside the game's own row, however long the game has lasted. Writing
compares the state before and after a move and touches only rows that differ: one statement for each
table concerned.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from itertools import groupby
from typing import Any, Self, cast

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import BooleanField, IntegerField, Model, OuterRef, QuerySet, Subquery, Value

from games import bots, rows
from games.models import (
    ABSENT_AFTER,
    BANK_COLUMNS,
    RESOURCE_COLUMNS,
    Building,
    DevelopmentCard,
    Edge,
    Game,
    GameSecret,
    Hand,
    Harbor,
    Hex,
    OfferAnswer,
    Road,
    Seat,
    StrengthOfBot,
    TradeOffer,
    Vertex,
)
from games.orders import EMPTY, Book
from games.rows import GameColumns
from games.rules import topology
from games.rules.boards import HARBOR_NAMES, NO_TOKEN, TERRAIN_NAMES, Board
from games.rules.cards import BUNDLE_NAMES, CARD_NAMES, DECK
from games.rules.chance import stream_key
from games.rules.ruleset import RuleSet
from games.rules.state import NOBODY, NOWHERE, Offer, Phase, State, derive
from games.rules.topology import DOCKS, members


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who plays a seat, what its person wants when absent, whether the game waits for them, until when they are on
    holiday, and how strong the bot is that plays it for good."""

    player: str
    if_absent: str
    late: int = 0
    asked: str = Seat.Asked.NOTHING
    awaited_since: datetime | None = None
    holiday_until: datetime | None = None
    strength: StrengthOfBot = ""
    #: Nothing that shows a sitter to somebody may show these: they are for their owner alone.
    orders: Book = field(default=EMPTY, repr=False)

    @classmethod
    def of(cls, seat: Seat) -> Self:
        orders = Book.from_json(seat.orders)
        return cls(
            seat.player,
            seat.if_absent,
            seat.late,
            seat.asked,
            seat.awaited_since,
            seat.holiday_until,
            seat.strength,
            orders,
        )

    def columns(self) -> dict[str, Any]:
        """Of the seat's row."""
        columns = {each.name: getattr(self, each.name) for each in fields(self)}
        return columns | {"orders": self.orders.to_json()}

    @property
    def is_away(self) -> bool:
        """A person who has let too many deadlines pass, one after another."""
        return self.player == Seat.Player.PERSON and self.late >= ABSENT_AFTER

    @property
    def has_a_say(self) -> bool:
        """Somebody who is away, or has a stand-in, must not hold the others up."""
        return self.player == Seat.Player.PERSON and not self.is_away


@dataclass(frozen=True, slots=True)
class OfferClock:
    """Since when an offer lies on the table, and when the time to answer it is over, if it has a clock."""

    made_at: datetime
    answers_due: datetime | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A game as it was at one version and both revisions. Its state is never changed, only copied."""

    version: int
    revision: int
    state: State
    sitters: tuple[Sitter, ...]
    #: The key of the game's chance, see games.rules.chance.
    key: bytes
    #: The clocks of the open offers, by their numbers.
    offer_clocks: Mapping[int, OfferClock]
    #: How often somebody has given or cancelled an order: nobody is shown that, so it is no part of the revision.
    orders_revision: int = 0

    @property
    def bots(self) -> frozenset[int]:
        """The seats that bots play, for good or for an absent person."""
        return frozenset(seat for seat, sitter in enumerate(self.sitters) if sitter.player != Seat.Player.PERSON)

    def is_last_person(self, seat: int) -> bool:
        """Whether bots have all other seats for good. Somebody with a stand-in can come back."""
        people = [number for number, sitter in enumerate(self.sitters) if sitter.player != Seat.Player.BOT]
        return people == [seat]

    def voters(self, whom: int | None) -> list[int]:
        """Who decides about a game, or about one of its people."""
        return [seat for seat, sitter in enumerate(self.sitters) if sitter.has_a_say and seat != whom]

    @property
    def without_a_say(self) -> list[int]:
        """Those who could still come back: nobody asks them meanwhile."""
        return [
            seat
            for seat, sitter in enumerate(self.sitters)
            if sitter.player != Seat.Player.BOT and not sitter.has_a_say
        ]

    def sitters_with(self, seat: int, **changes: Any) -> tuple[Sitter, ...]:
        """Its sitters, if one of them changes."""
        return tuple(
            replace(sitter, **changes) if number == seat else sitter for number, sitter in enumerate(self.sitters)
        )

    def handed_over(self, seat: int, player: str, **changes: Any) -> tuple[Sitter, ...]:
        """Its sitters, if somebody else plays a seat from now on. Nobody chose the bot that takes one over."""
        strength = bots.DEFAULT if player == Seat.Player.BOT else ""
        return self.sitters_with(seat, player=player, strength=strength, **changes)


class BrokenRows(Exception):
    """The rows of a game do not make a game: somebody changed them behind the services' back."""


# Reading


def load(game: Game) -> Snapshot:
    """The game's state from its rows. The game's own row is the caller's, who may have locked it."""
    try:
        return _load(game)
    except (ValueError, LookupError, TypeError, ObjectDoesNotExist) as error:
        raise BrokenRows(f"The rows of game {game.pk} do not make a game.") from error


def _load(game: Game) -> Snapshot:
    seats = list(
        Seat.objects.filter(game=game)
        .select_related("hand")
        .annotate(seed=_secret("seed"), nonces=_secret("nonces"))
        .order_by("number")
    )
    state = State()
    state.rules = RuleSet.from_json(game.rules)
    state.order = tuple(seat.number for seat in sorted(seats, key=lambda seat: seat.place))
    _read_game(state, game)
    _read_hands(state, [seat.hand for seat in seats])
    _read_places(state, game.pk)
    offers = dict(_read_offers(game.pk))
    state.offers = tuple(offers)
    derive(state)
    key = stream_key(bytes(seats[0].seed), seats[0].nonces)
    sitters = tuple(map(Sitter.of, seats))
    offer_clocks = {offer.number: clock for offer, clock in offers.items()}
    return Snapshot(game.version, game.revision, state, sitters, key, offer_clocks, game.orders_revision)


def _secret(column: str) -> Subquery:
    """Of the game that a seat is in: read with the seats, since no other row names it."""
    return Subquery(GameSecret.objects.filter(pk=OuterRef("game")).values(column))


def _read_game(state: State, game: Game) -> None:
    state.phase = Phase(game.phase)
    state.turn = game.turn
    state.active = _number(Seat, game.active_id, NOBODY)
    state.winner = _number(Seat, game.winner_id, NOBODY)
    state.longest_road = _number(Seat, game.longest_road_id, NOBODY)
    state.largest_army = _number(Seat, game.largest_army_id, NOBODY)
    state.placements = game.placements
    state.placed = _number(Vertex, game.placed_id, NOWHERE)
    state.robber = _number(Hex, game.robber_id, NOWHERE)
    state.rolled = game.rolled
    state.dice = game.first_die, game.second_die
    state.dice_deck = game.dice_deck
    state.may_skip_roll = game.may_skip_roll
    state.cards_played = game.cards_played
    state.free_roads = game.free_roads
    state.offers_made = game.offers_made
    state.bank = [getattr(game, column) for column in BANK_COLUMNS]


def _number(model: type[Seat | Hex | Vertex], key: int | None, absent: int) -> int:
    return absent if key is None else model.number_of(key)


def _read_hands(state: State, hands: list[Hand]) -> None:
    state.hands = [[getattr(hand, column) for column in RESOURCE_COLUMNS] for hand in hands]
    state.discards = [hand.must_discard for hand in hands]


def _read_places(state: State, game_id: int) -> None:
    """The board, the pieces on it and the development cards."""
    seats = len(state.order)
    terrains, tokens = [0] * len(topology.HEXES), [NO_TOKEN] * len(topology.HEXES)
    harbors = dict.fromkeys(DOCKS, 0)
    deck = [0] * len(DECK)
    state.bought_on = [0] * len(DECK)
    state.cards, state.played = [[] for _ in range(seats)], [[] for _ in range(seats)]
    state.settlements, state.cities, state.roads = [0] * seats, [0] * seats, [0] * seats
    for source, key, kind, seat, count, played in _places(game_id):
        owner: Any = None if seat is None else Seat.number_of(seat)
        if source == "hex":
            terrains[Hex.number_of(key)] = TERRAIN_NAMES.index(kind)
            tokens[Hex.number_of(key)] = count or NO_TOKEN
        elif source == "harbor":
            harbors[Edge.number_of(key)] = HARBOR_NAMES.index(kind)
        elif source == "card":
            card = DevelopmentCard.number_of(key)
            deck[card] = CARD_NAMES.index(kind)
            state.bought_on[card] = count
            if owner is not None:
                (state.played if played else state.cards)[owner].append(card)
        elif source == "road":
            state.roads[owner] |= 1 << Edge.number_of(key)
        else:
            pieces = state.cities if kind == Building.Kind.CITY else state.settlements
            pieces[owner] |= 1 << Vertex.number_of(key)
    for cards in state.cards + state.played:
        cards.sort()
    state.dealt = sum(map(len, state.cards + state.played))
    state.deck = tuple(deck)
    state.board = Board(tuple(terrains), tuple(tokens), tuple(harbors.values()))


def _places(game_id: int) -> Iterable[tuple[Any, ...]]:
    """Five tables in one query: table, key, kind, seat, a number (token or turn), played."""
    nobody = Value(None, IntegerField())
    zero, no = Value(0, IntegerField()), Value(False, BooleanField())

    def select(source: str, in_game: QuerySet[Any], *columns: Any) -> QuerySet[Any]:
        return in_game.values_list(Value(source), *columns)

    # The cards come first: their columns give the union its types.
    return select(
        "card",
        DevelopmentCard.objects.filter(game=game_id),
        *("id", "kind", "holder_id", "bought_on", "played"),
    ).union(
        select("hex", Hex.objects.filter(game=game_id), "id", "terrain", nobody, "token", no),
        select("harbor", Harbor.objects.filter(edge__game=game_id), "edge_id", "kind", nobody, zero, no),
        select(
            "building",
            Building.objects.filter(seat__game=game_id),
            *("vertex_id", "kind", "seat_id", zero, no),
        ),
        select(
            "road",
            Road.objects.filter(seat__game=game_id),
            *("edge_id", Value("road"), "seat_id", zero, no),
        ),
        all=True,
    )


def _read_offers(game_id: int) -> Iterator[tuple[Offer, OfferClock]]:
    """The open offers with their answers and clocks, in one query."""
    answered = (
        OfferAnswer.objects.filter(offer__game=game_id, offer__is_open=True)
        .select_related("offer")
        .order_by("offer_id", "seat_id")
    )
    for _, group in groupby(answered, key=lambda row: row.offer_id):
        answers = {Seat.number_of(row.seat_id): row for row in group}
        row = next(iter(answers.values())).offer
        offer = Offer(
            row.number,
            Seat.number_of(row.maker_id),
            tuple(answers),
            tuple(row.gives.get(name, 0) for name in BUNDLE_NAMES),
            tuple(row.gets.get(name, 0) for name in BUNDLE_NAMES),
            _seats_with(OfferAnswer.Answer.ACCEPTED, answers),
            _seats_with(OfferAnswer.Answer.REJECTED, answers),
            None if row.answers_to_id is None else TradeOffer.number_of(row.answers_to_id),
        )
        yield offer, OfferClock(row.made_at, row.answers_due)


def _seats_with(answer: str, answers: dict[int, OfferAnswer]) -> tuple[int, ...]:
    return tuple(seat for seat, row in answers.items() if row.answer == answer)


# Writing


def create(game_id: int, state: State) -> None:
    """Write all rows of a new game, one statement a table."""
    by_model: dict[type[Model], list[Model]] = {}
    for row in rows.all_rows(game_id, state):
        by_model.setdefault(type(row), []).append(row)
    for model, instances in by_model.items():
        model._default_manager.bulk_create(instances)


def save(game_id: int, before: State, after: State, offer_clocks: Mapping[int, OfferClock]) -> GameColumns:
    """Write the rows that a move changed; the game row's changed columns are the caller's to write."""
    _save_hands(game_id, before, after)
    _save_pieces(game_id, before, after)
    _save_cards(game_id, before, after)
    if before.offers != after.offers:
        _save_offers(game_id, before, after, offer_clocks)
    old, new = rows.game_columns(game_id, before), rows.game_columns(game_id, after)
    changed = {column: now for (column, now), was in zip(new.items(), old.values(), strict=True) if now != was}
    return cast("GameColumns", changed)


def _upsert(changed: list[Any], keys: list[str], columns: Iterable[str]) -> None:
    """Insert rows, or where they exist, update these columns: in one statement."""
    if changed:
        type(changed[0])._default_manager.bulk_create(
            changed, update_conflicts=True, unique_fields=keys, update_fields=list(columns)
        )


def _save_hands(game_id: int, before: State, after: State) -> None:
    changed = [
        rows.hand_row(game_id, after, seat)
        for seat in after.seats
        if (before.hands[seat], before.discards[seat]) != (after.hands[seat], after.discards[seat])
    ]
    _upsert(changed, ["seat"], [*RESOURCE_COLUMNS, "must_discard"])


def _save_pieces(game_id: int, before: State, after: State) -> None:
    """Pieces are only ever added, and settlements become cities."""
    buildings, roads = [], []
    for seat in after.seats:
        for kind, old, new in (
            (Building.Kind.SETTLEMENT, before.settlements[seat], after.settlements[seat]),
            (Building.Kind.CITY, before.cities[seat], after.cities[seat]),
        ):
            buildings += [rows.building_row(game_id, seat, vertex, kind) for vertex in members(new & ~old)]
        added = members(after.roads[seat] & ~before.roads[seat])
        roads += [rows.road_row(game_id, seat, edge) for edge in added]
    _upsert(buildings, ["vertex"], ["kind"])
    if roads:
        Road.objects.bulk_create(roads)


def _save_cards(game_id: int, before: State, after: State) -> None:
    if before.cards == after.cards and before.played == after.played:
        return
    old = rows.holdings(before)
    changed = [
        rows.card_row(game_id, after, card, holding)
        for card, holding in rows.holdings(after).items()
        if holding != old[card]
    ]
    _upsert(changed, ["id"], ["holder", "bought_on", "played"])


def _save_offers(game_id: int, before: State, after: State, clocks: Mapping[int, OfferClock]) -> None:
    old = {offer.number: offer for offer in before.offers}
    new = {offer.number: offer for offer in after.offers}
    closed = [TradeOffer.key(game_id, number) for number in old.keys() - new.keys()]
    if closed:
        TradeOffer.objects.filter(pk__in=closed).update(is_open=False)
    opened = [rows.offer_row(game_id, new[number]) for number in new.keys() - old.keys()]
    for row in opened:
        row.made_at, row.answers_due = clocks[row.number].made_at, clocks[row.number].answers_due
    if opened:
        TradeOffer.objects.bulk_create(opened)
    answers = [
        row for number, offer in new.items() if offer != old.get(number) for row in rows.answer_rows(game_id, offer)
    ]
    _upsert(answers, ["offer", "seat"], ["answer"])


def save_sitters(game_id: int, before: Sequence[Sitter], after: Sequence[Sitter]) -> None:
    """Write down who plays the seats and how strong, how late they are, what they are asked and have ordered, and for
    how long they are on holiday: in one statement."""
    # The seats are there, so nothing is inserted, and what these rows lack is not missed. `bulk_update` says
    # the same with CASE, and takes Django nine times as long to put together.
    changed = [
        Seat.in_game(game_id, seat, place=seat, colour=seat, **new.columns())
        for seat, (old, new) in enumerate(zip(before, after, strict=True))
        if new != old
    ]
    _upsert(changed, ["id"], ["player", "strength", "late", "asked", "awaited_since", "holiday_until", "orders"])


def set_offer_clocks(game_id: int, clocks: Mapping[int, OfferClock]) -> None:
    """Write other clocks for offers that are open already."""
    for number, clock in clocks.items():
        TradeOffer.objects.filter(pk=TradeOffer.key(game_id, number)).update(
            made_at=clock.made_at, answers_due=clock.answers_due
        )
