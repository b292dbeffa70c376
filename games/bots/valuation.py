"""How good a position is: everybody's chance to win, as one player sees it.

Each seat gets a score, the sum of what :data:`FEATURES` say of it times their weights, and its chance is its share of
all scores' exponentials. So whoever leads is worth robbing, and what helps a partner costs something: nobody has to be
told. The weights were found by ``make tune`` (see ``README.md``); each has a second part that counts the more, the
further everybody is from winning.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from operator import mul
from typing import Final, NamedTuple

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
from games.rules.state import army_size, count_kind, opponents_buildings, points, visible_points
from games.rules.topology import NEIGHBORS, TOO_CLOSE_SET, BitSet, members

from .economy import HORIZON, Economy, Land, land, rolls_until
from .weights import EARLY, LATE, SCALES

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
    "settlement_near",
    "city_near",
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
    "road_length",
    "largest_army",
    "army_margin",
    "knights",
    # Cards and pieces
    "knights_held",
    "other_cards_held",
    "hidden_cards",
    "settlements_left",
    "cities_left",
    "is_viewer",
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
#: Of all development cards, so many are bought for one knight.
CARDS_A_KNIGHT: Final = sum(CARD_SUPPLY) / CARD_SUPPLY[KNIGHT]


class Reach(NamedTuple):
    """Where a seat could settle next: what that is worth, and with how many roads."""

    best: float
    second: float
    ready: int
    #: Roads to the best and to the second best place.
    roads: tuple[int, ...]


class Valuation:
    """Values the positions of one game as one seat sees them, and keeps what comes up again and again."""

    def __init__(self, land: Land, viewer: int) -> None:
        self.land = land
        self.viewer = viewer
        self._distances: dict[tuple[BitSet, BitSet, BitSet, BitSet], tuple[BitSet, ...]] = {}
        self._reaches: dict[tuple[object, ...], Reach] = {}
        self._hands: dict[tuple[object, ...], tuple[float, ...]] = {}
        self._described: dict[tuple[object, ...], list[float]] = {}

    def chance(self, state: State) -> float:
        """How likely the viewer is to win."""
        return self.chances(state)[self.viewer]

    def chances(self, state: State) -> list[float]:
        if state.winner >= 0:
            return [float(seat == state.winner) for seat in state.seats]
        scores = self.scores(state)
        most = max(scores)
        shares = [exp(score - most) for score in scores]
        total = sum(shares)
        return [share / total for share in shares]

    def scores(self, state: State) -> list[float]:
        described = self.describe(state)
        weights = _weights(_stage(state, described))
        return [sum(map(mul, weights, features)) for features in described]

    def describe(self, state: State) -> list[list[float]]:
        """The features of every seat. Most moves change those of one seat, so the others' are looked up."""
        hidden_points = self._hidden_points(state)
        armies = [army_size(state, seat) for seat in state.seats]
        table = (
            state.active,
            state.open_edges,
            state.open_vertices,
            state.robber,
            state.longest_road,
            state.largest_army,
            state.dealt < len(state.deck),
            hidden_points,
            *state.road_lengths,
            *armies,
        )
        described = []
        distances: list[tuple[BitSet, ...]] = []
        for seat in state.seats:
            key = (
                table,
                seat,
                state.settlements[seat],
                state.cities[seat],
                state.reach[seat],
                len(state.played[seat]),
                tuple(self._kinds_of(state)) if seat == self.viewer else len(state.cards[seat]),
                *state.hands[seat],
            )
            features = self._described.get(key)
            if features is None:
                distances = distances or [self.distance(state, other) for other in state.seats]
                features = self._described[key] = self._features(state, seat, armies, hidden_points, distances)
            described.append(features)
        return described

    def _kinds_of(self, state: State) -> list[int]:
        return [state.deck[card] for card in state.cards[self.viewer]]

    def _hidden_points(self, state: State) -> float:
        """How many points a card that nobody has seen is worth on average."""
        if state.rules.victory_point_cards != "at_once":
            return 0.0
        seen = unseen = 0
        for seat in state.seats:
            if seat == self.viewer:
                seen += count_kind(state, state.cards[seat], VICTORY_POINT)
            else:
                unseen += len(state.cards[seat])
        unseen += len(state.deck) - state.dealt
        return (CARD_SUPPLY[VICTORY_POINT] - seen) / unseen if unseen else 0.0

    def _features(
        self, state: State, seat: int, armies: list[int], hidden_points: float, distances: list[tuple[BitSet, ...]]
    ) -> list[float]:
        settlements, cities = state.settlements[seat], state.cities[seat]
        economy = self.land.economy(settlements, cities, state.robber)
        is_viewer = seat == self.viewer
        if is_viewer:
            cards = state.cards[seat]
            knights_held = count_kind(state, cards, KNIGHT)
            score: float = points(state, seat)
            other_cards = len(cards) - knights_held - count_kind(state, cards, VICTORY_POINT)
            hidden = 0
        else:
            knights_held = other_cards = 0
            hidden = len(state.cards[seat])
            score = visible_points(state, seat) + hidden * hidden_points
        need = max(0.3, state.rules.points_to_win - score)

        reach = self.reach(state, seat, distances, economy)
        lengths = state.road_lengths
        road_rival = max((lengths[other] for other in state.seats if other != seat), default=0)
        army = armies[seat]
        army_rival = max((armies[other] for other in state.seats if other != seat), default=0)
        settlements_left = SETTLEMENTS - settlements.bit_count()
        cities_left = CITIES - cities.bit_count()
        has_road_award, has_army_award = state.longest_road == seat, state.largest_army == seat
        roads_left = ROADS - state.roads[seat].bit_count()
        roads_missing = 0 if has_road_award else max(SHORTEST_LONGEST_ROAD, road_rival + 1) - lengths[seat]
        knights_missing = (
            0 if has_army_award else max(SMALLEST_LARGEST_ARMY, army_rival + 1) - army - knights_held
        )
        hand = self._hand(
            tuple(state.hands[seat]),
            economy,
            need,
            (settlements.bit_count(), settlements_left, cities_left),
            reach,
            roads_missing if roads_missing <= min(4, roads_left) else -1,
            knights_missing if knights_missing <= 4 and state.rules.knights != "never_played" else -1,
            state.dealt < len(state.deck),
            state.rules.discard_limit,
        )
        rates = economy.rates
        place = (state.order.index(seat) - state.order.index(state.active)) % len(state.order)
        return [
            sum(rates),
            10.0 / (economy.road + 2.0),
            10.0 / (economy.settlement + 2.0),
            10.0 / (economy.city + 2.0),
            10.0 / (economy.card + 2.0),
            sum(rate > 0 for rate in rates),
            economy.blocked,
            *rates,
            *hand[:6],
            reach.best,
            reach.second,
            float(min(2, reach.ready)) if settlements_left else 0.0,
            -need,
            exp(-need / 1.5),
            *hand[6:],
            float(has_road_award),
            float(max(-4, min(3, lengths[seat] - road_rival))),
            float(min(lengths[seat], 8)),
            float(has_army_award),
            float(max(-3, min(3, army - army_rival))),
            float(min(army, 5)),
            float(knights_held),
            float(other_cards),
            float(hidden),
            float(settlements_left == 0),
            float(cities_left),
            float(is_viewer),
            float(place),
        ]

    # The hand

    def _hand(
        self,
        held: tuple[int, ...],
        economy: Economy,
        need: float,
        pieces: tuple[int, int, int],
        reach: Reach,
        roads_missing: int,
        knights_missing: int,
        has_deck: bool,
        limit: int,
    ) -> tuple[float, ...]:
        key = (held, economy, need, pieces, reach.roads, reach.ready, roads_missing, knights_missing, has_deck)
        known = self._hands.get(key)
        if known is None:
            known = self._hands[key] = _hand_features(
                held, economy, need, pieces, reach, roads_missing, knights_missing, has_deck, limit
            )
        return known

    # Places to settle

    def distance(self, state: State, seat: int) -> tuple[BitSet, ...]:
        """The corners that a seat could reach with 0, 1, 2 and 3 more roads."""
        own = state.settlements[seat] | state.cities[seat]
        blocked = opponents_buildings(state, seat)
        key = state.reach[seat], own, state.open_edges, blocked
        known = self._distances.get(key)
        if known is None:
            known = self._distances[key] = _layers(state.reach[seat] | own, blocked, state.open_edges)
        return known

    def reach(self, state: State, seat: int, distances: list[tuple[BitSet, ...]], economy: Economy) -> Reach:
        layers = distances[seat]
        others = [0] * (FURTHEST + 1)
        for other in state.seats:
            if other != seat:
                for distance, corners in enumerate(distances[other]):
                    others[distance] |= corners
        open_vertices = state.open_vertices
        key = (*layers, *(corners & open_vertices for corners in others), open_vertices, economy)
        known = self._reaches.get(key)
        if known is None:
            known = self._reaches[key] = self._best_sites(layers, others, open_vertices, economy)
        return known

    def _best_sites(
        self, layers: Sequence[BitSet], others: Sequence[BitSet], open_vertices: BitSet, economy: Economy
    ) -> Reach:
        sites: list[tuple[float, int, int]] = []
        nearer = 0
        for distance, corners in enumerate(layers):
            as_near = nearer | others[distance]
            for vertex in members(corners & open_vertices):
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
        ready = (layers[0] & open_vertices).bit_count()
        if not apart:
            return Reach(best[0], 0.0, ready, (best[2],))
        second = max(apart)
        return Reach(best[0], second[0], ready, (best[2], second[2]))

    def worth(self, vertex: int, economy: Economy) -> float:
        """What a settlement on a corner adds: most where little comes in yet, and by its harbor."""
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


def _layers(start: BitSet, blocked: BitSet, open_edges: BitSet) -> tuple[BitSet, ...]:
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


def _hand_features(
    held: tuple[int, ...],
    economy: Economy,
    need: float,
    pieces: tuple[int, int, int],
    reach: Reach,
    roads_missing: int,
    knights_missing: int,
    has_deck: bool,
    limit: int,
) -> tuple[float, ...]:
    settlements, settlements_left, cities_left = pieces
    rates, prices = economy.rates, economy.prices
    size = sum(held)

    def near(cost: Sequence[int]) -> float:
        rolls = rolls_until([wanted - has for wanted, has in zip(cost, held, strict=True)], rates, prices)
        return exp(-rolls / 8.0)

    to_win = _rolls_to_win(held, economy, need, pieces, reach, roads_missing, knights_missing, has_deck)
    return (
        near(ROAD_COST),
        near(SETTLEMENT_COST) if settlements_left and reach.ready else 0.0,
        near(CITY_COST) if settlements and cities_left else 0.0,
        near(CARD_COST) if has_deck else 0.0,
        float(min(size, 12)),
        float(size // 2) if size > limit else 0.0,
        -to_win / 20.0,
        exp(-to_win / 12.0),
    )


def _rolls_to_win(
    held: tuple[int, ...],
    economy: Economy,
    need: float,
    pieces: tuple[int, int, int],
    reach: Reach,
    roads_missing: int,
    knights_missing: int,
    has_deck: bool,
) -> float:
    """Rolls until everything is paid that still lacks to the win, by the cheapest way to it."""
    settlements, settlements_left, cities_left = pieces
    rates, prices = economy.rates, economy.prices
    missing = -int(-need // 1)
    best = HORIZON
    for with_road in (False, True) if roads_missing > 0 else (False,):
        for with_army in (False, True) if knights_missing > 0 and has_deck else (False,):
            left = missing - 2 * with_road - 2 * with_army
            roads = roads_missing if with_road else 0
            cards = knights_missing * CARDS_A_KNIGHT if with_army else 0.0
            most_cities = min(cities_left, settlements + settlements_left, max(0, left))
            for cities in range(most_cities, max(-1, most_cities - 4), -1):
                new = max(0, min(left - cities, settlements_left + min(cities, settlements), 3))
                if cities > settlements + new:
                    continue
                by_cards = max(0, left - cities - new)
                if by_cards and not has_deck:
                    continue
                paved = roads
                for place in range(new):
                    paved += reach.roads[place] if place < len(reach.roads) else 3
                bought = cards + CARDS_A_POINT * by_cards
                rolls = rolls_until(
                    (
                        paved + new - held[0],
                        paved + new - held[1],
                        new + bought - held[2],
                        new + 2 * cities + bought - held[3],
                        3 * cities + bought - held[4],
                    ),
                    rates,
                    prices,
                )
                if rolls < best:
                    best = rolls
    return best


# Weights


def _stage(state: State, described: list[list[float]]) -> float:
    """1 at the beginning, 0 when somebody is about to win."""
    place = FEATURES.index("need")
    nearest = -max(features[place] for features in described)
    return round(nearest / state.rules.points_to_win, 1)


_AT_STAGE: Final[dict[float, list[float]]] = {}


def _weights(stage: float) -> list[float]:
    known = _AT_STAGE.get(stage)
    if known is None:
        known = _AT_STAGE[stage] = [
            (late + stage * early) / scale for late, early, scale in zip(LATE, EARLY, SCALES, strict=True)
        ]
    return known


def valuation(state: State, viewer: int) -> Valuation:
    return Valuation(land(state.board, state.rules), viewer)
