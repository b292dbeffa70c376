"""What the game waits for, one small file a phase.

Each phase lists the moves that a seat can make in it, and the function that plays each kind of
move. Such a function asks the rules first and acts after, so that a refused move changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from .. import moves
from ..chance import Chance
from ..events import Event
from ..moves import Move
from ..state import Phase, State
from . import building, cards, discarding, main, robbery, rolling, setup, trading, turn

#: Plays one kind of move; the second argument is a move of that kind.
Act: TypeAlias = Callable[[State, Any, Chance], list[Event]]


@dataclass(frozen=True, slots=True)
class PhaseRules:
    legal_moves: Callable[[State, int], Sequence[Move]]
    acts: Mapping[type[Move], Act]


_CARDS: Final[dict[type[Move], Act]] = {
    moves.PlayKnight: cards.play_knight,
    moves.PlayRoadBuilding: cards.play_road_building,
    moves.PlayYearOfPlenty: cards.play_year_of_plenty,
    moves.PlayMonopoly: cards.play_monopoly,
    moves.PlayVictoryPoint: cards.play_victory_point,
}

#: Offers outlast a card played meanwhile, so they can be answered and withdrawn wherever that card leads.
_ANSWERS: Final[dict[type[Move], Act]] = {
    moves.AcceptOffer: trading.accept_offer,
    moves.RejectOffer: trading.reject_offer,
    moves.CounterOffer: trading.counter_offer,
    moves.WithdrawOffer: trading.withdraw_offer,
}

PHASES: Final = {
    Phase.PLACING_SETTLEMENT: PhaseRules(setup.settlement_moves, {moves.BuildSettlement: setup.place_settlement}),
    Phase.PLACING_ROAD: PhaseRules(setup.road_moves, {moves.BuildRoad: setup.place_road}),
    Phase.ROLLING: PhaseRules(
        rolling.legal_moves,
        {moves.Roll: rolling.roll, moves.SkipRoll: rolling.skip_roll, **_CARDS},
    ),
    Phase.DISCARDING: PhaseRules(discarding.legal_moves, {moves.Discard: discarding.discard}),
    Phase.MOVING_ROBBER: PhaseRules(robbery.robber_moves, {moves.MoveRobber: robbery.move_robber, **_ANSWERS}),
    Phase.STEALING: PhaseRules(robbery.steal_moves, {moves.Steal: robbery.steal, **_ANSWERS}),
    Phase.MAIN: PhaseRules(
        main.legal_moves,
        {
            moves.BuildRoad: building.build_road,
            moves.BuildSettlement: building.build_settlement,
            moves.BuildCity: building.build_city,
            moves.BuyCard: cards.buy_card,
            moves.TradeWithBank: trading.trade_with_bank,
            moves.OfferTrade: trading.offer_trade,
            moves.ConfirmTrade: trading.confirm_trade,
            moves.EndTurn: turn.end_turn,
            **_ANSWERS,
            **_CARDS,
        },
    ),
    Phase.PLACING_FREE_ROADS: PhaseRules(
        cards.free_road_moves,
        {
            moves.BuildRoad: cards.place_free_road,
            moves.StopPlacingRoads: cards.stop_placing_roads,
            **_ANSWERS,
        },
    ),
    Phase.OVER: PhaseRules(lambda _state, _seat: (), {}),
}

#: Moves that do not wait for one's own turn: discarding, and answering an offer.
OUT_OF_TURN: Final = frozenset({moves.Discard, *_ANSWERS})
