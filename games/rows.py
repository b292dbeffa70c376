"""A state's rows: what each table holds for a game at one moment.

`store` writes these rows, all of them when a game starts and the changed ones after a move;
`verification` compares them with what the database has.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Model
from typing_extensions import TypedDict

from games.models import (
    RESOURCE_COLUMNS,
    Building,
    DevelopmentCard,
    Edge,
    Game,
    Hand,
    Harbor,
    Hex,
    OfferAnswer,
    Road,
    Seat,
    TradeOffer,
    Vertex,
)
from games.rules import topology
from games.rules.boards import HARBOR_NAMES, TERRAIN_NAMES
from games.rules.cards import CARD_NAMES, named
from games.rules.state import NOBODY, NOWHERE, Offer, State
from games.rules.topology import DOCKS, members


class GameColumns(TypedDict, total=False):
    """Columns of the game's row: those that a game is played by."""

    status: Game.Status
    attention: str
    ended_at: datetime | None
    version: int
    revision: int
    orders_revision: int
    failures: int
    pace: dict[str, str | int]
    proposals_open: int

    # The clocks.
    deadline: datetime | None
    turn_left: timedelta | None
    answers_due: datetime | None
    bots_due: datetime | None
    orders_due: datetime | None

    # The state.
    phase: str
    turn: int
    active_id: int | None
    winner_id: int | None
    longest_road_id: int | None
    largest_army_id: int | None
    placements: int
    placed_id: int | None
    robber_id: int | None
    rolled: bool
    first_die: int
    second_die: int
    dice_deck: list[int]
    may_skip_roll: bool
    cards_played: int
    free_roads: int
    offers_made: int
    bank_brick: int
    bank_lumber: int
    bank_wool: int
    bank_grain: int
    bank_ore: int


def game_columns(game_id: int, state: State) -> GameColumns:
    """The columns of the game row that hold the state."""

    def key(model: type[Seat | Hex | Vertex], number: int) -> int | None:
        return None if number in (NOBODY, NOWHERE) else model.key(game_id, number)

    brick, lumber, wool, grain, ore = state.bank
    return {
        "phase": state.phase.value,
        "turn": state.turn,
        "active_id": key(Seat, state.active),
        "winner_id": key(Seat, state.winner),
        "longest_road_id": key(Seat, state.longest_road),
        "largest_army_id": key(Seat, state.largest_army),
        "placements": state.placements,
        "placed_id": key(Vertex, state.placed),
        "robber_id": key(Hex, state.robber),
        "rolled": state.rolled,
        "first_die": state.dice[0],
        "second_die": state.dice[1],
        "dice_deck": state.dice_deck,
        "may_skip_roll": state.may_skip_roll,
        "cards_played": state.cards_played,
        "free_roads": state.free_roads,
        "offers_made": state.offers_made,
        "bank_brick": brick,
        "bank_lumber": lumber,
        "bank_wool": wool,
        "bank_grain": grain,
        "bank_ore": ore,
    }


def board_rows(game_id: int, state: State) -> Iterator[Model]:
    """What never changes: hexes, vertices, edges, harbors, and which hexes meet at a vertex."""
    board = state.board
    for h in topology.HEXES:
        terrain, token = TERRAIN_NAMES[board.terrains[h]], board.tokens[h] or None
        yield Hex.in_game(game_id, h, terrain=terrain, token=token)
    for vertex in topology.VERTICES:
        yield Vertex.in_game(game_id, vertex)
        for h in topology.VERTEX_HEXES[vertex]:
            yield Vertex.hexes.through(vertex_id=Vertex.key(game_id, vertex), hex_id=Hex.key(game_id, h))
    for edge, (start, end) in enumerate(topology.EDGE_VERTICES):
        ends = {"start_id": Vertex.key(game_id, start), "end_id": Vertex.key(game_id, end)}
        yield Edge.in_game(game_id, edge, **ends)
    for dock, harbor in zip(DOCKS, board.harbors, strict=True):
        yield Harbor(edge_id=Edge.key(game_id, dock), kind=HARBOR_NAMES[harbor])


def hand_row(game_id: int, state: State, seat: int) -> Hand:
    counts = dict(zip(RESOURCE_COLUMNS, state.hands[seat], strict=True))
    return Hand(seat_id=Seat.key(game_id, seat), must_discard=state.discards[seat], **counts)


def building_rows(game_id: int, state: State) -> Iterator[Building]:
    for seat in state.seats:
        for kind, pieces in (
            (Building.Kind.SETTLEMENT, state.settlements[seat]),
            (Building.Kind.CITY, state.cities[seat]),
        ):
            for vertex in members(pieces):
                yield building_row(game_id, seat, vertex, kind)


def building_row(game_id: int, seat: int, vertex: int, kind: Building.Kind) -> Building:
    return Building(vertex_id=Vertex.key(game_id, vertex), seat_id=Seat.key(game_id, seat), kind=kind)


def road_row(game_id: int, seat: int, edge: int) -> Road:
    return Road(edge_id=Edge.key(game_id, edge), seat_id=Seat.key(game_id, seat))


#: Who holds a card, and whether it lies open; nobody holds one in the deck.
Holding = tuple[int | None, bool]


def holdings(state: State) -> dict[int, Holding]:
    held: dict[int, Holding] = dict.fromkeys(range(len(state.deck)), (None, False))
    for seat in state.seats:
        held |= dict.fromkeys(state.cards[seat], (seat, False))
        held |= dict.fromkeys(state.played[seat], (seat, True))
    return held


def card_row(game_id: int, state: State, card: int, holding: Holding) -> DevelopmentCard:
    holder, played = holding
    return DevelopmentCard.in_game(
        game_id,
        card,
        kind=CARD_NAMES[state.deck[card]],
        holder_id=None if holder is None else Seat.key(game_id, holder),
        bought_on=state.bought_on[card],
        played=played,
    )


def offer_row(game_id: int, offer: Offer) -> TradeOffer:
    answers_to = None if offer.answers is None else TradeOffer.key(game_id, offer.answers)
    return TradeOffer.in_game(
        game_id,
        offer.number,
        maker_id=Seat.key(game_id, offer.maker),
        gives=named(offer.gives),
        gets=named(offer.gets),
        answers_to_id=answers_to,
        is_open=True,
    )


def answer_rows(game_id: int, offer: Offer) -> Iterator[OfferAnswer]:
    """One row for each seat the offer goes to, whether it has answered or not."""
    for seat in offer.to:
        answer = OfferAnswer.Answer.NONE
        if seat in offer.accepted:
            answer = OfferAnswer.Answer.ACCEPTED
        elif seat in offer.rejected:
            answer = OfferAnswer.Answer.REJECTED
        yield OfferAnswer(
            offer_id=TradeOffer.key(game_id, offer.number),
            seat_id=Seat.key(game_id, seat),
            answer=answer,
        )


def all_rows(game_id: int, state: State) -> Iterator[Model]:
    """Every row of a game but the game's own, its seats, its log and its closed offers."""
    yield from board_rows(game_id, state)
    for seat in state.seats:
        yield hand_row(game_id, state, seat)
        for edge in members(state.roads[seat]):
            yield road_row(game_id, seat, edge)
    yield from building_rows(game_id, state)
    for card, holding in holdings(state).items():
        yield card_row(game_id, state, card, holding)
    for offer in state.offers:
        yield offer_row(game_id, offer)
        yield from answer_rows(game_id, offer)
