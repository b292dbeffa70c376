"""What may be seen: the one place where secrets are taken out.

``player_view`` gives one seat, or a spectator, the whole game as a plain dict of JSON values. Other
hands and other development cards are numbers, the deck is a number, and there is no seed. When the
game is over, every hand is open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, cast

from typing_extensions import ReadOnly, TypedDict

from .boards import DESERT, HARBOR_NAMES, TERRAIN_NAMES, Board
from .cards import (
    BUILDING_COSTS,
    CARD_NAMES,
    CITIES,
    RESOURCE_NAMES,
    ROADS,
    SETTLEMENTS,
    Counts,
    named,
)
from .engine import legal_moves, require_seat, to_act
from .moves import Discard, Move
from .phases.cards import is_new
from .phases.trading import counterable_offers, maritime_rates, may_offer
from .ruleset import Value
from .state import (
    NOBODY,
    OfferView,
    Phase,
    State,
    army_size,
    hand_size,
    points,
    round_of_play,
    visible_points,
)
from .topology import DOCKS, members
from .written import Json


class HexView(TypedDict):
    terrain: str
    #: What it produces; the desert nothing.
    resource: str | None
    #: The number that makes it produce; the desert has none.
    token: int | None


class HarborView(TypedDict):
    #: The path between its two corners.
    edge: int
    kind: str


class BoardView(TypedDict):
    #: By their number.
    hexes: list[HexView]
    #: All nine.
    harbors: list[HarborView]


class HeldCard(TypedDict):
    card: str
    #: Bought on this very turn.
    new: bool


class SeatView(TypedDict):
    """A seat as one viewer sees it."""

    seat: int
    #: As far as the viewer may know: of others, without cards that are hidden.
    points: int
    #: The corners on which they stand.
    settlements: list[int]
    #: The corners on which they stand.
    cities: list[int]
    #: The paths on which they lie.
    roads: list[int]
    #: Pieces that are not on the board.
    settlements_left: int
    #: Pieces that are not on the board.
    cities_left: int
    #: Pieces that are not on the board.
    roads_left: int
    #: The longest road that is not interrupted.
    road_length: int
    #: Those that count for Largest Army; null where they lie hidden.
    knights: int | None
    #: Development cards that lie open.
    played: list[str]
    #: How many resource cards.
    hand_size: int
    #: How many development cards that are not played.
    card_count: int
    #: How many cards the seat has to discard now.
    must_discard: int
    #: The resource cards. Only in a hand that the viewer may see, as are the next two.
    hand: NotRequired[Counts]
    #: The development cards that are not played.
    cards: NotRequired[list[HeldCard]]
    #: How many cards of each resource the bank wants for one of another.
    rates: NotRequired[Counts]


class Nothing(TypedDict):
    """There is nothing to choose but the move itself."""


class DiscardChoice(TypedDict):
    #: How many cards.
    count: int


class VertexChoice(TypedDict):
    vertex: int


class EdgeChoice(TypedDict):
    edge: int


class HexChoice(TypedDict):
    hex: int


class VictimChoice(TypedDict):
    victim: int


class ResourcesChoice(TypedDict):
    resources: Counts


class ResourceChoice(TypedDict):
    resource: str


class BankChoice(TypedDict):
    #: What is paid with.
    give: str
    #: How many cards are paid.
    paid: int
    #: What one card is got of.
    take: str


class OfferChoice(TypedDict):
    offer: int


class ConfirmChoice(TypedDict):
    offer: int
    partner: int


class Choices(TypedDict, total=False):
    """The legal moves by kind, each without what the kind and the seat already say.

    The ways to discard are too many to list: there the count stands instead of them. So it is with
    offers, of which a player is only told that they may be made.
    """

    build_settlement: list[VertexChoice]
    build_road: list[EdgeChoice]
    build_city: list[VertexChoice]
    roll: list[Nothing]
    skip_roll: list[Nothing]
    discard: DiscardChoice
    move_robber: list[HexChoice]
    steal: list[VictimChoice]
    buy_card: list[Nothing]
    play_knight: list[Nothing]
    play_road_building: list[Nothing]
    stop_placing_roads: list[Nothing]
    play_year_of_plenty: list[ResourcesChoice]
    play_monopoly: list[ResourceChoice]
    play_victory_point: list[Nothing]
    trade_with_bank: list[BankChoice]
    offer_trade: list[Nothing]
    accept_offer: list[OfferChoice]
    reject_offer: list[OfferChoice]
    counter_offer: list[OfferChoice]
    confirm_trade: list[ConfirmChoice]
    withdraw_offer: list[OfferChoice]
    end_turn: list[Nothing]


PhaseName: TypeAlias = Literal[
    "placing_settlement",
    "placing_road",
    "rolling",
    "discarding",
    "moving_robber",
    "stealing",
    "main",
    "placing_free_roads",
    "over",
]


class Shown(TypedDict):
    """What a view shows beside seats and offers."""

    viewer: int | None
    #: The rules that the table has agreed on.
    rules: dict[str, Value]
    #: What each thing costs.
    costs: dict[str, Counts]
    #: What the game waits for.
    phase: PhaseName
    #: How many turns have begun.
    turn: int
    #: How many rounds of turns have begun.
    round: int
    #: The seats in the order of play.
    order: list[int]
    #: The seat whose turn it is.
    active: int
    to_act: list[int]
    #: The seat that has won.
    winner: int | None
    #: What was rolled this turn; null before that.
    dice: list[int] | None
    #: The island.
    board: BoardView
    #: The hex on which the robber stands.
    robber: int
    #: What the bank has.
    bank: Counts
    deck: int
    #: The seat that holds Longest Road.
    longest_road: int | None
    #: The seat that holds Largest Army.
    largest_army: int | None
    #: How many roads a Road Building card still gives.
    free_roads: int
    #: Development cards that were played this turn, victory points aside.
    cards_played: int
    #: What the viewer may do now.
    choices: Choices


class View(Shown):
    """The game as one viewer may see it."""

    # Whoever shows a view may say more about each of them.
    seats: ReadOnly[Sequence[SeatView]]
    offers: ReadOnly[Sequence[OfferView]]


def own_seat(view: View) -> SeatView:
    """The seat whose view it is; a spectator has none."""
    if view["viewer"] is None:
        raise ValueError("A spectator has no seat.")
    return view["seats"][view["viewer"]]


def listed(choices: Choices) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """The choices that are lists, by kind: all but the one how to discard."""
    ways = cast("Mapping[str, Sequence[Mapping[str, Any]]]", choices)
    return {kind: each for kind, each in ways.items() if kind != Discard.kind}


def player_view(state: State, viewer: int | None) -> View:
    """The game as the viewer may see it; ``None`` is a spectator."""
    if viewer is not None:
        require_seat(state, viewer)
    return {
        "viewer": viewer,
        "rules": state.rules.to_json(),
        "costs": {name: named(cost) for name, cost in BUILDING_COSTS.items()},
        "phase": state.phase.value,
        "turn": state.turn,
        "round": round_of_play(state),
        "order": list(state.order),
        "active": state.active,
        "to_act": list(to_act(state)),
        "winner": _seat_or_none(state.winner),
        "dice": list(state.dice) if state.turn and any(state.dice) else None,
        "board": board_view(state.board),
        "robber": state.robber,
        "bank": _by_resource(state.bank),
        "deck": len(state.deck) - state.dealt,
        "longest_road": _seat_or_none(state.longest_road),
        "largest_army": _seat_or_none(state.largest_army),
        "seats": [_seat(state, seat, viewer) for seat in state.seats],
        "offers": [offer.to_json() for offer in state.offers],
        "free_roads": state.free_roads,
        "cards_played": state.cards_played,
        "choices": {} if viewer is None else choices(state, viewer),
    }


def laid_open(state: State) -> list[SeatView]:
    """Every seat as its own player sees it: for those who must see everything, and for nobody who plays."""
    return [own_seat(player_view(state, seat)) for seat in state.seats]


def may_see_hand(state: State, seat: int, viewer: int | None) -> bool:
    return viewer == seat or state.phase is Phase.OVER


def _seat_or_none(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _by_resource(counts: Sequence[int]) -> Counts:
    return dict(zip(RESOURCE_NAMES, counts, strict=True))


def board_view(board: Board) -> BoardView:
    return {
        "hexes": [_hex(terrain, token) for terrain, token in zip(board.terrains, board.tokens, strict=True)],
        "harbors": [
            {"edge": dock, "kind": HARBOR_NAMES[harbor]} for dock, harbor in zip(DOCKS, board.harbors, strict=True)
        ],
    }


def _hex(terrain: int, token: int) -> HexView:
    resource = None if terrain == DESERT else RESOURCE_NAMES[terrain]
    return {"terrain": TERRAIN_NAMES[terrain], "resource": resource, "token": token or None}


def _seat(state: State, seat: int, viewer: int | None) -> SeatView:
    settlements, cities, roads = (
        list(members(pieces[seat])) for pieces in (state.settlements, state.cities, state.roads)
    )
    shown: SeatView = {
        "seat": seat,
        "points": visible_points(state, seat),
        "settlements": settlements,
        "cities": cities,
        "roads": roads,
        "settlements_left": SETTLEMENTS - len(settlements),
        "cities_left": CITIES - len(cities),
        "roads_left": ROADS - len(roads),
        "road_length": state.road_lengths[seat],
        "knights": _knights(state, seat, viewer),
        "played": [CARD_NAMES[state.deck[card]] for card in state.played[seat]],
        "hand_size": hand_size(state, seat),
        "card_count": len(state.cards[seat]),
        "must_discard": state.discards[seat],
    }
    if may_see_hand(state, seat, viewer):
        shown["points"] = points(state, seat)
        shown["hand"] = _by_resource(state.hands[seat])
        shown["cards"] = [
            {"card": CARD_NAMES[state.deck[card]], "new": is_new(state, card)} for card in state.cards[seat]
        ]
        shown["rates"] = _by_resource(maritime_rates(state, seat))
    return shown


def _knights(state: State, seat: int, viewer: int | None) -> int | None:
    """The knights that count for Largest Army; ``None`` where they lie hidden in another's hand."""
    is_secret = state.rules.largest_army == "knights_held" and not may_see_hand(state, seat, viewer)
    return None if is_secret else army_size(state, seat)


def choices(state: State, seat: int) -> Choices:
    """What a seat may do now."""
    if state.discards[seat]:
        return {"discard": {"count": state.discards[seat]}}
    by_kind: dict[str, list[dict[str, Json]]] = {}
    for move in legal_moves(state, seat):
        by_kind.setdefault(move.kind, []).append(_arguments(move))
    if state.phase is Phase.MAIN and seat == state.active and may_offer(state, seat):
        by_kind["offer_trade"] = []
    to_counter = counterable_offers(state, seat)
    if to_counter:
        by_kind["counter_offer"] = [{"offer": offer.number} for offer in to_counter]
    # Each kind's arguments are those of its move: a test compares them with the type.
    return cast("Choices", by_kind)


def _arguments(move: Move) -> dict[str, Json]:
    data = move.to_json()
    del data["kind"], data["seat"]
    return data
