"""What a seat's corners bring it: cards a roll, what the bank wants for them, how long until something can be paid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from games.rules.boards import DESERT, PIPS, Board
from games.rules.cards import CARD_COST, CITY_COST, RESOURCES, ROAD_COST, SETTLEMENT_COST
from games.rules.ruleset import RuleSet
from games.rules.topology import HEX_VERTEX_SET, VERTEX_HEXES, VERTICES, BitSet, Hex, Vertex, members

#: Five numbers, one for each resource.
Five: TypeAlias = tuple[float, float, float, float, float]

ROLLS: Final = 36
#: Nobody plans further ahead than this many rolls.
HORIZON: Final = 80.0
#: Nobody counts parts of a card smaller than this.
ENOUGH: Final = 1e-6
#: What the robber’s hex is worth while it stands there: it moves on with the next seven or knight.
BLOCKED: Final = 0.5
#: Without a harbor.
BANK_PRICE: Final = 4.0
#: Where the bank trades with nobody, the others do; as if it wanted this many.
RATE_WITHOUT_BANK: Final = 5


class Economy(NamedTuple):
    """What the buildings of a seat bring it, while the robber stands where it does."""

    #: Its place among those of its land: equal numbers, equal economies.
    number: int
    #: Cards a roll.
    rates: Five
    #: What one card of the bank costs in each.
    prices: Five
    #: Cards a roll that the robber withholds.
    blocked: float
    #: Rolls until each could be paid with nothing in hand: a road, a settlement, a city, a development card.
    road: float
    settlement: float
    city: float
    card: float


class Land:
    """A board, in the numbers that a player has in mind when looking at it."""

    def __init__(self, board: Board, rules: RuleSet) -> None:
        self.board = board
        self.has_bank = rules.maritime_trade != "none"
        self.pips: Final = tuple(PIPS.get(token, 0) for token in board.tokens)
        self.corner_rates: Final = tuple(self._corner_rates(vertex) for vertex in VERTICES)
        self.corner_pips: Final = tuple(sum(self.pips[h] for h in VERTEX_HEXES[vertex]) for vertex in VERTICES)
        self._corner_prices: Final = tuple(self._harbor(vertex) for vertex in VERTICES)
        self._economies: dict[tuple[BitSet, BitSet, Hex], Economy] = {}

    def _corner_rates(self, vertex: int) -> Five:
        rates = [0.0] * len(RESOURCES)
        for h in VERTEX_HEXES[vertex]:
            if self.board.terrains[h] != DESERT:
                rates[self.board.terrains[h]] += self.pips[h] / ROLLS
        return _five(rates)

    def economy(self, settlements: BitSet, cities: BitSet, robber: Hex) -> Economy:
        """Kept, since a search asks for the same few again and again."""
        key = settlements, cities, robber if (settlements | cities) & HEX_VERTEX_SET[robber] else -1
        known = self._economies.get(key)
        if known is None:
            known = self._economies[key] = self._economy(settlements, cities, robber)
        return known

    def _economy(self, settlements: BitSet, cities: BitSet, robber: Hex) -> Economy:
        rates = [0.0] * len(RESOURCES)
        for pieces, cards in ((settlements, 1), (cities, 2)):
            for vertex in members(pieces):
                for resource, rate in enumerate(self.corner_rates[vertex]):
                    rates[resource] += cards * rate
        blocked = self.share(robber, settlements, cities)
        if blocked:
            rates[self.board.terrains[robber]] -= BLOCKED * blocked
        prices = self.prices(settlements | cities)
        return Economy(
            len(self._economies),
            _five(rates),
            prices,
            blocked,
            *(rolls_until(cost, rates, prices) for cost in (ROAD_COST, SETTLEMENT_COST, CITY_COST, CARD_COST)),
        )

    def share(self, h: Hex, settlements: BitSet, cities: BitSet) -> float:
        """Cards a roll that a hex brings to some pieces."""
        corners = HEX_VERTEX_SET[h]
        cards = (settlements & corners).bit_count() + 2 * (cities & corners).bit_count()
        return cards * self.pips[h] / ROLLS

    def prices(self, buildings: BitSet) -> Five:
        if not self.has_bank:
            return _five([float(RATE_WITHOUT_BANK)] * len(RESOURCES))
        return _five([float(price) for price in self.board.maritime_rates(buildings)])

    def _harbor(self, vertex: Vertex) -> Five | None:
        prices = self.prices(1 << vertex)
        return prices if min(prices) < BANK_PRICE else None

    def corner_prices(self, vertex: Vertex) -> Five | None:
        """What the bank wants of whoever holds a corner with a harbor."""
        return self._corner_prices[vertex]


def _five(numbers: Sequence[float]) -> Five:
    first, second, third, fourth, fifth = numbers
    return first, second, third, fourth, fifth


@lru_cache(maxsize=64)
def land(board: Board, rules: RuleSet) -> Land:
    return Land(board, rules)


def rolls_until(cost: Sequence[float], rates: Sequence[float], prices: Sequence[float]) -> float:
    """Rolls until a cost can be paid by what comes in and by trading the rest with the bank.

    What is missing shrinks with every roll, and more slowly once a resource is there and only its surplus helps. So the
    way up bends down alone, and Newton's steps from below reach the moment in as many as there are bends.
    """
    # Written out for each resource, since nothing else is asked as often.
    wanted0, wanted1, wanted2, wanted3, wanted4 = cost
    rate0, rate1, rate2, rate3, rate4 = rates
    price0, price1, price2, price3, price4 = prices
    when = 0.0
    while True:
        missing = gained = 0.0
        lack = wanted0 - rate0 * when
        if lack > ENOUGH:
            missing += lack
            gained += rate0
        else:
            missing += lack / price0
            gained += rate0 / price0
        lack = wanted1 - rate1 * when
        if lack > ENOUGH:
            missing += lack
            gained += rate1
        else:
            missing += lack / price1
            gained += rate1 / price1
        lack = wanted2 - rate2 * when
        if lack > ENOUGH:
            missing += lack
            gained += rate2
        else:
            missing += lack / price2
            gained += rate2 / price2
        lack = wanted3 - rate3 * when
        if lack > ENOUGH:
            missing += lack
            gained += rate3
        else:
            missing += lack / price3
            gained += rate3 / price3
        lack = wanted4 - rate4 * when
        if lack > ENOUGH:
            missing += lack
            gained += rate4
        else:
            missing += lack / price4
            gained += rate4 / price4
        if missing <= ENOUGH:
            return when
        if gained <= 0.0:
            return HORIZON
        when += missing / gained
        if when >= HORIZON:
            return HORIZON
