"""What a move is good for: which parts of the valuation it improves, against leaving things as they are."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from games.rules import Move, State, play
from games.rules.cards import RESOURCES
from games.rules.moves import (
    AcceptOffer,
    BuildSettlement,
    BuyCard,
    ConfirmTrade,
    CounterOffer,
    MoveRobber,
    OfferTrade,
    PlayKnight,
    RejectOffer,
    Roll,
    Steal,
    WithdrawOffer,
)
from games.rules.state import Offer

from .considering import Gain, GainKind
from .mind import Mind
from .search import NO_CHANCE
from .valuation import FEATURES

#: Which part of the valuation each feature belongs to.
PARTS: Final[dict[str, GainKind]] = {
    "rate": "production",
    "road_speed": "production",
    "settlement_speed": "production",
    "city_speed": "production",
    "card_speed": "production",
    "variety": "variety",
    "blocked": "robber",
    "brick_rate": "production",
    "lumber_rate": "production",
    "wool_rate": "production",
    "grain_rate": "production",
    "ore_rate": "production",
    "road_near": "hand",
    "card_near": "hand",
    "hand": "hand",
    "too_many": "hand",
    "best_site": "site",
    "next_site": "site",
    "ready_sites": "site",
    "need": "points",
    "nearly_won": "points",
    "rolls_to_win": "hand",
    "soon_done": "hand",
    "longest_road": "longest_road",
    "road_margin": "longest_road",
    "largest_army": "largest_army",
    "army_margin": "largest_army",
    "other_cards_held": "cards",
    "hidden_cards": "cards",
}
#: What is said of it where the valuation only knows an average.
BY_KIND: Final[dict[type[Move], tuple[GainKind, ...]]] = {
    BuyCard: ("cards",),
    PlayKnight: ("largest_army", "robber"),
    MoveRobber: ("robber",),
    Steal: ("robber", "hand"),
    Roll: (),
    RejectOffer: (),
    WithdrawOffer: (),
}


def gains(mind: Mind, move: Move) -> tuple[Gain, ...]:
    """The parts that a move improves, the weightiest first."""
    if type(move) in BY_KIND:
        return tuple(Gain(kind, 1.0) for kind in BY_KIND[type(move)])
    state, seat = mind.state, mind.seat
    after = _after(state, move)
    before, comes_after = mind.valuation.describe(state), mind.valuation.describe(after)
    parts: defaultdict[GainKind, float] = defaultdict(float)
    for other in state.seats:
        changes = zip(FEATURES, mind.valuation.weights, before[other], comes_after[other], strict=True)
        for name, weight, was, comes in changes:
            if other == seat and name in PARTS:
                parts[PARTS[name]] += weight * (comes - was)
            elif other != seat and PARTS.get(name) == "site":
                parts["denial"] += weight * (was - comes)
    if isinstance(move, BuildSettlement) and _brings_harbor(mind, move):
        parts["harbor"] = max(parts["production"], parts["harbor"])
    weighed = sorted(parts.items(), key=lambda part: part[1], reverse=True)
    return tuple(Gain(kind, weight) for kind, weight in weighed if weight > 0)


def _brings_harbor(mind: Mind, move: BuildSettlement) -> bool:
    buildings = mind.state.settlements[mind.seat] | mind.state.cities[mind.seat]
    land = mind.valuation.land
    return land.prices(buildings | 1 << move.vertex) != land.prices(buildings)


def _after(state: State, move: Move) -> State:
    """The position after a move; after an offer, as if somebody had agreed to it."""
    after = state.copy()
    match move:
        case OfferTrade() | CounterOffer():
            _trade(after, move.seat, move.gives, move.gets)
        case AcceptOffer():
            offer = _offer(state, move.offer)
            _trade(after, move.seat, offer.gets, offer.gives)
        case ConfirmTrade():
            offer = _offer(state, move.offer)
            is_own = offer.maker == move.seat
            _trade(after, move.seat, *((offer.gives, offer.gets) if is_own else (offer.gets, offer.gives)))
        case _:
            play(after, move, NO_CHANCE)
    return after


def _offer(state: State, number: int) -> Offer:
    return next(offer for offer in state.offers if offer.number == number)


def _trade(state: State, seat: int, gives: tuple[int, ...], gets: tuple[int, ...]) -> None:
    for resource in RESOURCES:
        state.hands[seat][resource] += gets[resource] - gives[resource]
