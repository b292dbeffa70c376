"""The state of one game: everything that can change, and the little that follows from it.

What never changes during a game (rules, board, order of play, order of the deck) is shared between
copies. The rest is flat lists of small integers and bit sets, so that a copy takes microseconds.

The last few fields follow from the others and are kept up to date by the moves, because every turn
asks for them. :func:`derive` sets them from scratch, for loading a game and for the tests.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from typing_extensions import TypedDict

from .awards import longest_road_length
from .boards import Board
from .cards import (
    BUNDLE_NAMES,
    CARD_NAMES,
    KNIGHT,
    RESOURCE_NAMES,
    RESOURCE_SUPPLY,
    VICTORY_POINT,
    Bundle,
    CardKind,
    Counts,
    named,
)
from .ruleset import RuleSet
from .topology import (
    ALL_EDGES,
    ALL_VERTICES,
    EDGE_VERTEX_SET,
    HEX_VERTEX_SET,
    TOO_CLOSE_SET,
    VERTEX_EDGE_SET,
    BitSet,
    Hex,
    Vertex,
    bit_set,
    members,
)
from .written import Json

#: Stands where no seat does: no holder of an award, no winner.
NOBODY: Final = -1
#: Stands where no vertex does.
NOWHERE: Final = -1


class Phase(Enum):
    """What the game waits for."""

    # Each member is one object, so its identity will do; the phase is looked up at every move.
    __hash__ = object.__hash__

    PLACING_SETTLEMENT = "placing_settlement"
    PLACING_ROAD = "placing_road"
    ROLLING = "rolling"
    DISCARDING = "discarding"
    MOVING_ROBBER = "moving_robber"
    STEALING = "stealing"
    MAIN = "main"
    PLACING_FREE_ROADS = "placing_free_roads"
    OVER = "over"


class OfferView(TypedDict):
    #: By which moves speak of it.
    number: int
    #: The seat that made it.
    maker: int
    #: The seats that it goes to.
    to: list[int]
    #: What its maker gives.
    gives: Counts
    #: What its maker gets.
    gets: Counts
    #: Seats that said yes.
    accepted: list[int]
    #: Seats that said no.
    rejected: list[int]
    #: The offer that this one answers, if it is a counter-offer.
    answers: int | None


@dataclass(frozen=True, slots=True)
class Offer:
    """A trade somebody proposed, and who has answered it."""

    number: int
    maker: int
    to: tuple[int, ...]
    gives: Bundle
    gets: Bundle
    accepted: tuple[int, ...] = ()
    rejected: tuple[int, ...] = ()
    #: The offer that this one answers, if it is a counter-offer.
    answers: int | None = None

    def to_json(self) -> OfferView:
        return {
            "number": self.number,
            "maker": self.maker,
            "to": list(self.to),
            "gives": named(self.gives),
            "gets": named(self.gets),
            "accepted": list(self.accepted),
            "rejected": list(self.rejected),
            "answers": self.answers,
        }

    @staticmethod
    def from_json(data: OfferView) -> Offer:
        return Offer(
            data["number"],
            data["maker"],
            tuple(data["to"]),
            tuple(data["gives"].get(name, 0) for name in BUNDLE_NAMES),
            tuple(data["gets"].get(name, 0) for name in BUNDLE_NAMES),
            tuple(data["accepted"]),
            tuple(data["rejected"]),
            data["answers"],
        )


class State:
    """One game at one moment."""

    __slots__ = (
        # fixed for the whole game
        "rules",
        "board",
        "order",
        "deck",
        # whose turn it is and what the game waits for
        "phase",
        "active",
        "turn",
        "placements",
        "placed",
        "rolled",
        "dice",
        "may_skip_roll",
        "cards_played",
        "discards",
        "free_roads",
        "winner",
        # the board
        "robber",
        "settlements",
        "cities",
        "roads",
        "longest_road",
        "largest_army",
        # the cards
        "bank",
        "hands",
        "cards",
        "played",
        "bought_on",
        "dealt",
        "dice_deck",
        # trade
        "offers",
        "offers_made",
        # what follows from the above
        "seats",
        "open_vertices",
        "open_edges",
        "reach",
        "road_sites",
        "road_lengths",
    )

    #: The options the table plays by, and its island.
    rules: RuleSet
    board: Board
    #: The seats in the order of play.
    order: tuple[int, ...]
    #: The kind of each development card, from the top of the deck at the start of the game. A card
    #: is known by its place in this tuple from then on.
    deck: tuple[CardKind, ...]

    phase: Phase
    #: The player to move.
    active: int
    #: Turns begun so far; 0 during the setup.
    turn: int
    #: Settlements placed in the setup so far, with their roads.
    placements: int
    #: The settlement just placed in the setup, where its road must begin.
    placed: Vertex
    rolled: bool
    #: The last roll, (0, 0) before the first.
    dice: tuple[int, int]
    #: A knight was played before this turn’s roll, and the table lets it replace the roll.
    may_skip_roll: bool
    #: Development cards played this turn, victory points aside.
    cards_played: int
    #: How many cards each seat has yet to discard.
    discards: list[int]
    #: Roads yet to be placed for a Road Building card.
    free_roads: int
    winner: int

    robber: Hex
    settlements: list[BitSet]
    cities: list[BitSet]
    roads: list[BitSet]
    #: The holders of the two awards.
    longest_road: int
    largest_army: int

    bank: list[int]
    hands: list[list[int]]
    #: Development cards in hand, and those played, by their places in the deck, in rising order.
    cards: list[list[int]]
    played: list[list[int]]
    #: The turn each card was bought on; 0 while it lies in the deck.
    bought_on: list[int]
    #: Cards taken from the deck so far.
    dealt: int
    #: With balanced dice, the rolls not dealt yet, each 6 * (first die - 1) + second die - 1.
    dice_deck: list[int]

    offers: tuple[Offer, ...]
    offers_made: int

    seats: range
    #: Where the distance rule allows a settlement, and the paths without a road.
    open_vertices: BitSet
    open_edges: BitSet
    #: For each seat: the vertices its roads touch.
    reach: list[BitSet]
    #: For each seat: the free paths that touch its roads or buildings.
    road_sites: list[BitSet]
    road_lengths: list[int]

    def copy(self) -> State:
        """An equal state that goes its own way. Written out for speed: searches copy a lot."""
        twin = State.__new__(State)
        twin.rules = self.rules
        twin.board = self.board
        twin.order = self.order
        twin.deck = self.deck
        twin.phase = self.phase
        twin.active = self.active
        twin.turn = self.turn
        twin.placements = self.placements
        twin.placed = self.placed
        twin.rolled = self.rolled
        twin.dice = self.dice
        twin.may_skip_roll = self.may_skip_roll
        twin.cards_played = self.cards_played
        twin.discards = self.discards[:]
        twin.free_roads = self.free_roads
        twin.winner = self.winner
        twin.robber = self.robber
        twin.settlements = self.settlements[:]
        twin.cities = self.cities[:]
        twin.roads = self.roads[:]
        twin.longest_road = self.longest_road
        twin.largest_army = self.largest_army
        twin.bank = self.bank[:]
        twin.hands = [hand[:] for hand in self.hands]
        twin.cards = [cards[:] for cards in self.cards]
        twin.played = [cards[:] for cards in self.played]
        twin.bought_on = self.bought_on[:]
        twin.dealt = self.dealt
        twin.dice_deck = self.dice_deck[:]
        twin.offers = self.offers
        twin.offers_made = self.offers_made
        twin.seats = self.seats
        twin.open_vertices = self.open_vertices
        twin.open_edges = self.open_edges
        twin.reach = self.reach[:]
        twin.road_sites = self.road_sites[:]
        twin.road_lengths = self.road_lengths[:]
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and all(getattr(self, name) == getattr(other, name) for name in State.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def to_json(self) -> dict[str, Json]:
        """The whole state, secrets too, but for what follows from the rest."""
        data = {name: getattr(self, name) for name in State.__slots__ if name not in DERIVED}
        data["rules"] = self.rules.to_json()
        data["board"] = self.board.to_json()
        data["phase"] = self.phase.value
        data["offers"] = [offer.to_json() for offer in self.offers]
        for name in ("settlements", "cities", "roads"):
            data[name] = [list(members(pieces)) for pieces in data[name]]
        # Through the text and back, so that nothing is shared with this state.
        return json.loads(json.dumps(data))  # type: ignore[no-any-return]

    @staticmethod
    def from_json(written: Mapping[str, Json]) -> State:
        # Through the text and back, so that nothing is shared with what was given.
        data = json.loads(json.dumps(written))
        state = State()
        for name in State.__slots__:
            if name not in DERIVED:
                setattr(state, name, data[name])
        state.rules = RuleSet.from_json(data["rules"])
        state.board = Board.from_json(data["board"])
        state.phase = Phase(data["phase"])
        state.order, state.deck = tuple(data["order"]), tuple(data["deck"])
        first, second = data["dice"]
        state.dice = first, second
        state.offers = tuple(Offer.from_json(offer) for offer in data["offers"])
        for name in ("settlements", "cities", "roads"):
            setattr(state, name, [bit_set(pieces) for pieces in data[name]])
        derive(state)
        return state


#: The fields that :func:`derive` sets.
DERIVED: Final = frozenset({"seats", "open_vertices", "open_edges", "reach", "road_sites", "road_lengths"})


def fresh_state(rules: RuleSet, board: Board, order: tuple[int, ...], deck: tuple[CardKind, ...]) -> State:
    """A table laid for the first settlement."""
    seats = len(order)
    state = State()
    state.rules = rules
    state.board = board
    state.order = order
    state.deck = deck
    state.phase = Phase.PLACING_SETTLEMENT
    state.active = order[0]
    state.turn = 0
    state.placements = 0
    state.placed = NOWHERE
    state.rolled = False
    state.dice = (0, 0)
    state.may_skip_roll = False
    state.cards_played = 0
    state.discards = [0] * seats
    state.free_roads = 0
    state.winner = NOBODY
    state.robber = board.desert
    state.settlements = [0] * seats
    state.cities = [0] * seats
    state.roads = [0] * seats
    state.longest_road = NOBODY
    state.largest_army = NOBODY
    state.bank = [RESOURCE_SUPPLY] * len(RESOURCE_NAMES)
    state.hands = [[0] * len(RESOURCE_NAMES) for _ in range(seats)]
    state.cards = [[] for _ in range(seats)]
    state.played = [[] for _ in range(seats)]
    state.bought_on = [0] * len(deck)
    state.dealt = 0
    state.dice_deck = []
    state.offers = ()
    state.offers_made = 0
    derive(state)
    return state


def derive(state: State) -> None:
    """Set the fields that follow from the others, from scratch."""
    derive_places(state)
    state.road_lengths = [
        longest_road_length(state.roads[seat], opponents_buildings(state, seat)) for seat in state.seats
    ]


def derive_places(state: State) -> None:
    """All of them but the road lengths, which take longest, and which everybody sees."""
    state.seats = range(len(state.order))
    built = 0
    paved = 0
    for seat in state.seats:
        built |= state.settlements[seat] | state.cities[seat]
        paved |= state.roads[seat]
    state.open_vertices = ALL_VERTICES
    for vertex in members(built):
        state.open_vertices &= ~TOO_CLOSE_SET[vertex]
    state.open_edges = ALL_EDGES & ~paved
    state.reach = []
    for roads in state.roads:
        reach = 0
        for edge in members(roads):
            reach |= EDGE_VERTEX_SET[edge]
        state.reach.append(reach)
    state.road_sites = [connected_edges(state, seat) & state.open_edges for seat in state.seats]


def connected_edges(state: State, seat: int) -> BitSet:
    """All edges that touch the seat's buildings, or its roads at a corner no opponent holds."""
    own = state.settlements[seat] | state.cities[seat]
    touching = 0
    for vertex in members((state.reach[seat] | own) & ~opponents_buildings(state, seat)):
        touching |= VERTEX_EDGE_SET[vertex]
    return touching


def opponents_buildings(state: State, seat: int) -> BitSet:
    buildings = 0
    for other in state.seats:
        if other != seat:
            buildings |= state.settlements[other] | state.cities[other]
    return buildings


def owner_of_vertex(state: State, vertex: Vertex) -> int:
    for seat in state.seats:
        if (state.settlements[seat] | state.cities[seat]) >> vertex & 1:
            return seat
    return NOBODY


def seats_at_hex(state: State, h: Hex) -> list[int]:
    """The seats with a building on a hex."""
    corners = HEX_VERTEX_SET[h]
    return [seat for seat in state.seats if (state.settlements[seat] | state.cities[seat]) & corners]


# Points


def visible_points(state: State, seat: int) -> int:
    """The points everybody can see: buildings, awards, victory point cards laid open."""
    points = state.settlements[seat].bit_count() + 2 * state.cities[seat].bit_count()
    if state.longest_road == seat:
        points += 2
    if state.largest_army == seat:
        points += 2
    for card in state.played[seat]:
        if state.deck[card] == VICTORY_POINT:
            points += 1
    return points


def points(state: State, seat: int) -> int:
    """All points of a seat, those of hidden cards too where the table counts them at once."""
    total = visible_points(state, seat)
    if state.rules.victory_point_cards == "at_once":
        for card in state.cards[seat]:
            if state.deck[card] == VICTORY_POINT:
                total += 1
    return total


def count_kind(state: State, cards: Sequence[int], kind: CardKind) -> int:
    """How many of some cards are of one kind."""
    return sum(state.deck[card] == kind for card in cards)


def army_size(state: State, seat: int) -> int:
    """The knights that count for Largest Army."""
    knights = state.cards if state.rules.largest_army == "knights_held" else state.played
    return count_kind(state, knights[seat], KNIGHT)


def held_bundle(state: State, seat: int) -> list[int]:
    """Everything a seat could give in a trade: resources, then development cards by kind."""
    bundle = state.hands[seat] + [0] * len(CARD_NAMES)
    for card in state.cards[seat]:
        bundle[len(RESOURCE_NAMES) + state.deck[card]] += 1
    return bundle


def hand_size(state: State, seat: int) -> int:
    return sum(state.hands[seat])


def round_of_play(state: State) -> int:
    """1 for everybody's first turn, 2 for the second ...; 0 during the setup."""
    return (state.turn + len(state.order) - 1) // len(state.order)
