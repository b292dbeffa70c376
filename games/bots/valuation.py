"""How good a position is: everybody's chance to win, as one player sees it.

Each seat gets a score, the sum of what :data:`FEATURES` say of it times their weights, and its chance is its share of
all scores' exponentials. So whoever leads is worth robbing, and what helps a partner costs something: nobody has to be
told. The weights were found by ``make tune`` (see ``README.md``); each has a second part that counts the more, the
further everybody is from winning.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, exp, sqrt
from operator import mul
from typing import Final, NamedTuple, TypeAlias

from games.rules import State
from games.rules.awards import SHORTEST_LONGEST_ROAD, SMALLEST_LARGEST_ARMY
from games.rules.cards import (
    CARD_COST,
    CARD_SUPPLY,
    CITIES,
    CITY_COST,
    KNIGHT,
    ROAD_COST,
    ROADS,
    SETTLEMENT_COST,
    SETTLEMENTS,
    VICTORY_POINT,
)
from games.rules.phases.trading import SETUP_SETTLEMENTS
from games.rules.state import army_size, count_kind, opponents_buildings, points, visible_points
from games.rules.topology import NEIGHBORS, TOO_CLOSE_SET, BitSet, Vertex, members

from .economy import HORIZON, Economy, Land, rolls_until
from .weights import WEIGHTS

#: What is said of a seat, in the order of the weights.
FEATURES: Final = (
    # From its buildings
    "rate",
    "road_speed",
    "settlement_speed",
    "city_speed",
    "card_speed",
    "variety",
    "blocked",
    "brick_rate",
    "lumber_rate",
    "wool_rate",
    "grain_rate",
    "ore_rate",
    # From its hand
    "road_near",
    "card_near",
    "hand",
    "too_many",
    # From the places that it can reach
    "best_site",
    "next_site",
    "ready_sites",
    # The way to the end
    "need",
    "nearly_won",
    "rolls_to_win",
    "soon_done",
    # Awards
    "longest_road",
    "road_margin",
    "largest_army",
    "army_margin",
    # Cards, and how long it is until the next turn
    "other_cards_held",
    "hidden_cards",
    "waits",
)

#: How far roads are looked ahead, and what a place is worth less for each.
FURTHEST: Final = 3
FURTHER: Final = 0.6
#: What is left of a place when somebody else is nearer, or as near.
LOST: Final = 0.35
CONTESTED: Final = 0.7
#: So many development cards make a point, awards aside.
CARDS_A_POINT: Final = 3.5
#: Awards further away than this are nobody's plan.
MOST_ROADS: Final = 3
MOST_KNIGHTS: Final = 2
#: Whoever has everything still lacks the moment to say so.
LEAST_NEED: Final = 0.3
#: What a point, or a knight, counts that is in hand and could be laid open.
IN_HAND: Final = 0.75
#: What a place to settle counts while all settlements stand.
WITHOUT_SETTLEMENT: Final = 0.25
#: How likely a roll is no seven, and what a card discarded is worth beside one kept.
NO_SEVEN: Final = 5 / 6
NEEDED_LEAST: Final = 0.85
#: What is this many rolls away counts a third.
SOON: Final = 8.0
#: Of all development cards, so many are bought for one knight.
CARDS_A_KNIGHT: Final = sum(CARD_SUPPLY) / CARD_SUPPLY[KNIGHT]


#: The corners that a seat could reach with 0, 1, 2 and 3 more roads.
Layers: TypeAlias = "tuple[BitSet, ...]"


class Reach(NamedTuple):
    """Where a seat could settle next: what that is worth, and with how many roads."""

    best: float
    second: float
    ready: int
    #: Roads to the best and to the second best place.
    roads: tuple[int, ...]


class Hand(NamedTuple):
    """What a seat holds, as far as the viewer takes it into account."""

    resources: tuple[int, ...]
    #: Its own development cards; of others it only knows how many there are.
    knights: int
    others: int
    hidden: int


class Standing(NamedTuple):
    """All that is looked at of one seat. Whatever has the same standing has the same features."""

    seat: int
    #: How many seats there are, and turns until its next one.
    seats: int
    waits: int
    need: float
    economy: Economy
    reach: Reach
    settlements: int
    cities: int
    roads_left: int
    has_longest_road: bool
    road_length: int
    longest_other: int
    has_largest_army: bool
    army: int
    largest_other: int
    hand: Hand
    has_deck: bool


class Valuation:
    """Values the positions of one game as one seat sees them, and keeps what comes up again and again."""

    def __init__(self, land: Land, viewer: int, stage: float) -> None:
        self.land = land
        self.viewer = viewer
        self.weights: Final = weights_at(stage)
        self._distances: dict[tuple[BitSet, BitSet, BitSet, BitSet], Layers] = {}
        self._reaches: dict[tuple[object, ...], Reach] = {}
        self._all_reaches: dict[tuple[object, ...], list[Reach]] = {}
        self._features: dict[tuple[object, ...], list[float]] = {}
        self._worths: dict[tuple[Vertex, int], float] = {}

    def chance(self, state: State) -> float:
        """How likely the viewer is to win."""
        return self.chances(state)[self.viewer]

    def chances(self, state: State) -> list[float]:
        if state.winner >= 0:
            return [float(seat == state.winner) for seat in state.seats]
        scores = [sum(map(mul, self.weights, features)) for features in self.describe(state)]
        most = max(scores)
        shares = [exp(score - most) for score in scores]
        total = sum(shares)
        return [share / total for share in shares]

    def describe(self, state: State) -> list[list[float]]:
        """The features of every seat. Most moves change those of one seat, so the others' are looked up."""
        hidden_points = self._hidden_points(state)
        rules = state.rules
        armies = [
            army_size(state, seat) if state.played[seat] or rules.largest_army != "knights_played" else 0
            for seat in state.seats
        ]
        lengths = state.road_lengths
        economies = [
            self.land.economy(settlements, cities, state.robber)
            for settlements, cities in zip(state.settlements, state.cities, strict=True)
        ]
        reaches = self.reaches(state, economies)
        turn = state.order.index(state.active)
        has_deck = state.dealt < len(state.deck)
        described = []
        for seat in state.seats:
            key = (
                seat,
                economies[seat].number,
                reaches[seat],
                state.settlements[seat],
                state.cities[seat],
                state.roads[seat],
                turn,
                state.longest_road,
                state.largest_army,
                has_deck,
                hidden_points,
                len(state.played[seat]),
                tuple([state.deck[card] for card in state.cards[seat]])
                if seat == self.viewer
                else len(state.cards[seat]),
                *state.hands[seat],
                *lengths,
                *armies,
            )
            features = self._features.get(key)
            if features is None:
                standing = self._standing(state, seat, economies[seat], reaches[seat], armies, hidden_points)
                features = self._features[key] = describe(
                    standing, rules.discard_limit, rules.knights != "never_played"
                )
            described.append(features)
        return described

    def _standing(
        self,
        state: State,
        seat: int,
        economy: Economy,
        reach: Reach,
        armies: Sequence[int],
        hidden_points: float,
    ) -> Standing:
        is_viewer = seat == self.viewer
        cards = state.cards[seat]
        if is_viewer:
            knights = count_kind(state, cards, KNIGHT)
            others = len(cards) - knights - count_kind(state, cards, VICTORY_POINT)
            hand = Hand(tuple(state.hands[seat]), knights, others, 0)
            score: float = points(state, seat)
        else:
            hand = Hand(tuple(state.hands[seat]), 0, 0, len(cards))
            score = visible_points(state, seat) + len(cards) * hidden_points
        order = state.order
        return Standing(
            seat,
            len(order),
            (order.index(seat) - order.index(state.active)) % len(order),
            max(LEAST_NEED, state.rules.points_to_win - score),
            economy,
            reach,
            state.settlements[seat].bit_count(),
            state.cities[seat].bit_count(),
            ROADS - state.roads[seat].bit_count(),
            state.longest_road == seat,
            state.road_lengths[seat],
            max(state.road_lengths[other] for other in state.seats if other != seat),
            state.largest_army == seat,
            armies[seat],
            max(armies[other] for other in state.seats if other != seat),
            hand,
            state.dealt < len(state.deck),
        )

    def _hidden_points(self, state: State) -> float:
        """How many points a card that nobody has seen is worth on average."""
        if state.rules.victory_point_cards != "at_once":
            return 0.0
        own = state.cards[self.viewer]
        held = count_kind(state, own, VICTORY_POINT)
        unseen = len(state.deck) - len(own) - sum(map(len, state.played))
        return (CARD_SUPPLY[VICTORY_POINT] - held) / unseen if unseen else 0.0

    # Places to settle

    def reaches(self, state: State, economies: Sequence[Economy]) -> list[Reach]:
        """Where each seat could settle next."""
        key = (
            state.open_edges,
            state.open_vertices,
            *state.reach,
            *[economy.number for economy in economies],
        )
        known = self._all_reaches.get(key)
        if known is None:
            distances = [self._distance(state, seat) for seat in state.seats]
            known = [self._reach(state, seat, distances, economies[seat]) for seat in state.seats]
            self._all_reaches[key] = known
        return known

    def _distance(self, state: State, seat: int) -> Layers:
        own = state.settlements[seat] | state.cities[seat]
        blocked = opponents_buildings(state, seat)
        key = state.reach[seat], own, state.open_edges, blocked
        known = self._distances.get(key)
        if known is None:
            known = self._distances[key] = _layers(state.reach[seat] | own, blocked, state.open_edges)
        return known

    def _reach(self, state: State, seat: int, distances: Sequence[Layers], economy: Economy) -> Reach:
        others = [0] * (FURTHEST + 1)
        for other in state.seats:
            if other != seat:
                for distance, corners in enumerate(distances[other]):
                    others[distance] |= corners
        free = state.open_vertices
        layers = [corners & free for corners in distances[seat]]
        contested = [corners & free for corners in others]
        key = (*layers, *contested, economy.number)
        known = self._reaches.get(key)
        if known is None:
            known = self._reaches[key] = self._best_sites(layers, contested, economy)
        return known

    def _best_sites(self, layers: Sequence[BitSet], others: Sequence[BitSet], economy: Economy) -> Reach:
        sites: list[tuple[float, int, int]] = []
        nearer = 0
        for distance, corners in enumerate(layers):
            as_near = nearer | others[distance]
            for vertex in members(corners):
                worth = self.worth(vertex, economy) * FURTHER**distance
                if nearer >> vertex & 1:
                    worth *= LOST
                elif as_near >> vertex & 1:
                    worth *= CONTESTED
                sites.append((worth, vertex, distance))
            nearer = as_near
        if not sites:
            return Reach(0.0, 0.0, 0, ())
        best = max(sites)
        apart = [site for site in sites if not TOO_CLOSE_SET[best[1]] >> site[1] & 1]
        ready = layers[0].bit_count()
        if not apart:
            return Reach(best[0], 0.0, ready, (best[2],))
        second = max(apart)
        return Reach(best[0], second[0], ready, (best[2], second[2]))

    def worth(self, vertex: Vertex, economy: Economy) -> float:
        """What a settlement on a corner adds: most where little comes in yet, and by its harbor."""
        key = vertex, economy.number
        known = self._worths.get(key)
        if known is None:
            known = self._worths[key] = self._worth(vertex, economy)
        return known

    def _worth(self, vertex: Vertex, economy: Economy) -> float:
        worth = 0.0
        new = self.land.corner_rates[vertex]
        for rate, more in zip(economy.rates, new, strict=True):
            if more:
                worth += sqrt(rate + more) - sqrt(rate if rate > 0 else 0.0)
        prices = self.land.corner_prices(vertex)
        if prices is not None:
            for rate, more, price, other in zip(economy.rates, new, prices, economy.prices, strict=True):
                if price < other:
                    worth += 1.5 * (rate + more) * (1 / price - 1 / other)
        return worth


def _layers(start: BitSet, blocked: BitSet, open_edges: BitSet) -> Layers:
    layers = [start]
    seen = start
    frontier = start
    for _ in range(FURTHEST):
        reached = 0
        for vertex in members(frontier & ~blocked):
            for edge, other in NEIGHBORS[vertex]:
                if open_edges >> edge & 1:
                    reached |= 1 << other
        frontier = reached & ~seen
        seen |= frontier
        layers.append(frontier)
    return tuple(layers)


def describe(standing: Standing, limit: int, has_knights: bool) -> list[float]:
    """What the features say of a standing, in their order."""
    economy, reach, hand = standing.economy, standing.reach, standing.hand
    held = _kept(standing, limit)
    rates, prices = economy.rates, economy.prices
    settlements_left = SETTLEMENTS - standing.settlements
    cities_left = CITIES - standing.cities

    def near(cost: Sequence[int]) -> float:
        rolls = rolls_until([wanted - has for wanted, has in zip(cost, held, strict=True)], rates, prices)
        return exp(-rolls / SOON)

    # A piece that can nearly be paid is nearly a point, but never as good as one that stands.
    settlement = near(SETTLEMENT_COST) if settlements_left and reach.ready else 0.0
    city = near(CITY_COST) if standing.settlements and cities_left else 0.0
    need = standing.need - IN_HAND * max(settlement, city)
    # Without a settlement left, a place has to wait for a city.
    further = 1.0 if settlements_left else WITHOUT_SETTLEMENT if cities_left else 0.0
    size = sum(hand.resources)
    to_win = _rolls_to_win(standing, held, has_knights)
    return [
        sum(rates),
        10.0 / (economy.road + 2.0),
        10.0 / (economy.settlement + 2.0),
        10.0 / (economy.city + 2.0),
        10.0 / (economy.card + 2.0),
        sum(rate > 0 for rate in rates),
        economy.blocked,
        *rates,
        near(ROAD_COST),
        near(CARD_COST) if standing.has_deck else 0.0,
        min(size, 12),
        size // 2 if size > limit else 0,
        further * reach.best,
        further * reach.second,
        min(2, reach.ready) if settlements_left else 0,
        -need,
        exp(-need / 1.5),
        -to_win / 20.0,
        exp(-to_win / 12.0),
        standing.has_longest_road,
        max(-4, min(3, standing.road_length - standing.longest_other)),
        standing.has_largest_army,
        max(-3.0, min(3.0, standing.army + IN_HAND * hand.knights - standing.largest_other)),
        hand.others,
        hand.hidden,
        standing.waits,
    ]


def _kept(standing: Standing, limit: int) -> Sequence[float]:
    """What is left of a hand on average when the turn comes round again: a seven takes half of too many cards."""
    held = standing.hand.resources
    size = sum(held)
    if size <= limit:
        return held
    rolls = standing.waits or standing.seats
    lost = (1 - NO_SEVEN**rolls) * (size // 2) / size * NEEDED_LEAST
    return [count * (1 - lost) for count in held]


def _rolls_to_win(standing: Standing, held: Sequence[float], has_knights: bool) -> float:
    """Rolls until everything is paid that still lacks to the win, by the cheapest way to it."""
    economy, reach, hand = standing.economy, standing.reach, standing.hand
    settlements, settlements_left = standing.settlements, SETTLEMENTS - standing.settlements
    cities_left = CITIES - standing.cities
    missing = ceil(standing.need)
    roads_missing = max(SHORTEST_LONGEST_ROAD, standing.longest_other + 1) - standing.road_length
    knights_missing = max(SMALLEST_LARGEST_ARMY, standing.largest_other + 1) - standing.army - hand.knights
    can_pave = not standing.has_longest_road and 0 < roads_missing <= min(MOST_ROADS, standing.roads_left)
    can_march = not standing.has_largest_army and has_knights and standing.has_deck and knights_missing <= MOST_KNIGHTS
    best = HORIZON
    for roads, road_points in ((0, 0), (roads_missing, 2)) if can_pave else ((0, 0),):
        for knights, army_points in ((0, 0), (max(0, knights_missing), 2)) if can_march else ((0, 0),):
            left = missing - road_points - army_points
            most_cities = min(cities_left, settlements + settlements_left, max(0, left))
            for cities in range(most_cities, max(-1, most_cities - 3), -1):
                new = max(0, min(left - cities, settlements_left + min(cities, settlements), 3))
                by_cards = max(0, left - cities - new)
                if cities > settlements + new or (by_cards and not standing.has_deck):
                    continue
                paved = roads
                for place in range(new):
                    paved += reach.roads[place] if place < len(reach.roads) else 3
                bought = knights * CARDS_A_KNIGHT + by_cards * CARDS_A_POINT
                rolls = rolls_until(
                    (
                        paved + new - held[0],
                        paved + new - held[1],
                        new + bought - held[2],
                        new + 2 * cities + bought - held[3],
                        3 * cities + bought - held[4],
                    ),
                    economy.rates,
                    economy.prices,
                )
                best = min(best, rolls)
    return best


# Weights


def stage_of(state: State) -> float:
    """1 at the beginning, 0 when somebody is about to win. One decision is thought through at one stage."""
    goal = state.rules.points_to_win
    most = max(SETUP_SETTLEMENTS, *(visible_points(state, seat) for seat in state.seats))
    return round((goal - most) / goal, 1)


@lru_cache(maxsize=32)
def weights_at(stage: float) -> list[float]:
    """What each feature weighs, between the end and the beginning of a game."""
    return [late + stage * early for late, early in (WEIGHTS[name] for name in FEATURES)]
