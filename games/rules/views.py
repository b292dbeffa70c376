"""What may be seen: the one place where secrets are taken out.

``player_view`` gives one seat, or a spectator, the whole game as a plain dict of JSON values. Other
hands and other development cards are numbers, the deck is a number, and there is no seed. When the
game is over, every hand is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .boards import HARBOR_NAMES, TERRAIN_NAMES
from .cards import (
    BUILDING_COSTS,
    CARD_NAMES,
    CITIES,
    RESOURCE_NAMES,
    ROADS,
    SETTLEMENTS,
    named,
)
from .engine import legal_moves, require_seat, to_act
from .moves import Discard, Move
from .phases.cards import is_new
from .phases.trading import counterable_offers, maritime_rates, may_offer
from .state import (
    NOBODY,
    Phase,
    State,
    army_size,
    hand_size,
    points,
    round_of_play,
    visible_points,
)
from .topology import DOCKS, HEXES, members


def player_view(state: State, viewer: int | None) -> dict[str, Any]:
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
        "board": _board(state),
        "robber": state.robber,
        "bank": _by_resource(state.bank),
        "deck": len(state.deck) - state.dealt,
        "longest_road": _seat_or_none(state.longest_road),
        "largest_army": _seat_or_none(state.largest_army),
        "seats": [_seat(state, seat, viewer) for seat in state.seats],
        "offers": [offer.to_json() for offer in state.offers],
        "free_roads": state.free_roads,
        "moves": {} if viewer is None else choices(state, viewer),
    }


def may_see_hand(state: State, seat: int, viewer: int | None) -> bool:
    return viewer == seat or state.phase is Phase.OVER


def _seat_or_none(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _by_resource(counts: Sequence[int]) -> dict[str, int]:
    return dict(zip(RESOURCE_NAMES, counts, strict=True))


def _board(state: State) -> dict[str, Any]:
    board = state.board
    return {
        "hexes": [{"terrain": TERRAIN_NAMES[board.terrains[h]], "token": board.tokens[h] or None} for h in HEXES],
        "harbors": [
            {"edge": dock, "kind": HARBOR_NAMES[harbor]} for dock, harbor in zip(DOCKS, board.harbors, strict=True)
        ],
    }


def _seat(state: State, seat: int, viewer: int | None) -> dict[str, Any]:
    settlements, cities, roads = (
        list(members(pieces[seat])) for pieces in (state.settlements, state.cities, state.roads)
    )
    shown: dict[str, Any] = {
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
        shown |= {
            "points": points(state, seat),
            "hand": _by_resource(state.hands[seat]),
            "cards": [{"card": CARD_NAMES[state.deck[card]], "new": is_new(state, card)} for card in state.cards[seat]],
            "rates": _by_resource(maritime_rates(state, seat)),
        }
    return shown


def _knights(state: State, seat: int, viewer: int | None) -> int | None:
    """The knights that count for Largest Army; ``None`` where they lie hidden in another's hand."""
    is_secret = state.rules.largest_army == "knights_held" and not may_see_hand(state, seat, viewer)
    return None if is_secret else army_size(state, seat)


def choices(state: State, seat: int) -> dict[str, Any]:
    """The legal moves by kind, each without what the kind and the seat already say.

    The ways to discard are too many to send: there the count stands instead of them. So it is with
    offers, of which a player is only told that they may be made.
    """
    by_kind: dict[str, Any] = {}
    if state.discards[seat]:
        return {Discard.kind: {"count": state.discards[seat]}}
    for move in legal_moves(state, seat):
        by_kind.setdefault(move.kind, []).append(_arguments(move))
    if state.phase is Phase.MAIN and seat == state.active and may_offer(state, seat):
        by_kind["offer_trade"] = []
    to_counter = counterable_offers(state, seat)
    if to_counter:
        by_kind["counter_offer"] = [{"offer": offer.number} for offer in to_counter]
    return by_kind


def _arguments(move: Move) -> dict[str, Any]:
    data = move.to_json()
    del data["kind"], data["seat"]
    return data
