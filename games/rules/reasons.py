"""Why a player cannot do something now: for the buttons that are on the page but not to be pressed.

Each reason is found with the predicates that the moves themselves use, and named by the same codes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from . import moves
from .cards import (
    CITY_COST,
    KNIGHT,
    MONOPOLY,
    ROAD_BUILDING,
    ROAD_COST,
    SETTLEMENT_COST,
    VICTORY_POINT,
    YEAR_OF_PLENTY,
)
from .engine import legal_moves, may_act, untimely
from .moves import Move
from .phases import PHASES, building, trading
from .phases import cards as development
from .refusals import SENTENCES
from .state import Phase, State


def why_not(state: State, seat: int) -> dict[str, tuple[str, str]]:
    """For each action that the seat cannot take now: the rule's code and its sentence."""
    possible = {move.kind for move in legal_moves(state, seat)}
    if state.phase is Phase.MAIN and seat == state.active and trading.may_offer(state, seat):
        possible.add(moves.OfferTrade.kind)
    reasons = {}
    for kind, find_reason in ACTIONS.items():
        if kind.kind not in possible:
            timely = kind in PHASES[state.phase].acts and may_act(state, seat, kind)
            code = find_reason(state, seat) if timely else untimely(state, seat, kind)
            reasons[kind.kind] = code, SENTENCES[code]
    return reasons


def _no_road(state: State, seat: int) -> str:
    if not building.has_road_left(state, seat):
        return "no_road_left"
    return "cannot_pay" if not building.can_pay(state.hands[seat], ROAD_COST) else "no_free_path"


def _no_settlement(state: State, seat: int) -> str:
    if not building.has_settlement_left(state, seat):
        return "no_settlement_left"
    return "cannot_pay" if not building.can_pay(state.hands[seat], SETTLEMENT_COST) else "no_free_corner"


def _no_city(state: State, seat: int) -> str:
    if not building.has_city_left(state, seat):
        return "no_city_left"
    return "cannot_pay" if not building.can_pay(state.hands[seat], CITY_COST) else "nothing_to_upgrade"


def _no_card(state: State, seat: int) -> str:
    return "deck_empty" if state.dealt == len(state.deck) else "cannot_pay"


def _no_knight(state: State, seat: int) -> str:
    if state.rules.knights == "never_played":
        return "knights_never_played"
    return development.card_refusal(state, seat, KNIGHT) or "wrong_phase"


def _no_road_building(state: State, seat: int) -> str:
    return (
        development.card_refusal(state, seat, ROAD_BUILDING)
        or development.road_building_refusal(state, seat)
        or "wrong_phase"
    )


def _no_plenty(state: State, seat: int) -> str:
    return development.card_refusal(state, seat, YEAR_OF_PLENTY) or "bank_lacks"


def _no_monopoly(state: State, seat: int) -> str:
    return development.card_refusal(state, seat, MONOPOLY) or "wrong_phase"


def _no_victory_point(state: State, seat: int) -> str:
    if not development.holds_card(state, seat, VICTORY_POINT):
        return "card_not_held"
    return development.victory_point_refusal(state, seat) or "wrong_phase"


def _no_bank_trade(state: State, seat: int) -> str:
    if state.rules.maritime_trade == "none":
        return "no_maritime_trade"
    rates = trading.maritime_rates(state, seat)
    if all(held < rate for held, rate in zip(state.hands[seat], rates, strict=True)):
        return "too_few_alike"
    return "bank_lacks"


def _no_offer(state: State, seat: int) -> str:
    if not trading.may_trade(state):
        return "no_trade_yet"
    return "nothing_to_offer" if trading.has_place_for_offer(state, seat) else "too_many_offers"


def _wrong_phase(_state: State, _seat: int) -> str:
    return "wrong_phase"


#: The actions a page offers, and what stands against each when the time is right for it.
ACTIONS: Final[dict[type[Move], Callable[[State, int], str]]] = {
    moves.Roll: _wrong_phase,
    moves.BuildRoad: _no_road,
    moves.BuildSettlement: _no_settlement,
    moves.BuildCity: _no_city,
    moves.BuyCard: _no_card,
    moves.PlayKnight: _no_knight,
    moves.PlayRoadBuilding: _no_road_building,
    moves.PlayYearOfPlenty: _no_plenty,
    moves.PlayMonopoly: _no_monopoly,
    moves.PlayVictoryPoint: _no_victory_point,
    moves.TradeWithBank: _no_bank_trade,
    moves.OfferTrade: _no_offer,
    moves.EndTurn: _wrong_phase,
}
