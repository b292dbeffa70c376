"""The best way through the rest of a turn, found on copies of the game.

A *line* is what a player does until the turn ends. Lines grow by one move at a time, the most promising ones first, and
each is worth what the position at its end is. Where chance decides (a card from the deck, a card from somebody's hand)
a line ends in the average of what may come; once it has come, everything is thought over again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from games.rules import Move, Phase, State, legal_moves, play
from games.rules.awards import longest_road_through
from games.rules.cards import CARD_SUPPLY, RESOURCES, CardKind
from games.rules.moves import BuildRoad, BuyCard, EndTurn, MoveRobber, PlayKnight
from games.rules.phases.robbery import robber_hexes, victims
from games.rules.state import opponents_buildings
from games.rules.topology import EDGE_VERTICES, NEIGHBORS

from .valuation import FURTHER, Valuation

#: Of all roads that could be built, so many are worth a thought.
ROADS_TRIED: Final = 5


class NoChance:
    """For moves in which chance decides nothing, or nothing that matters yet."""

    def below(self, bound: int) -> int:
        return 0


NO_CHANCE: Final = NoChance()


@dataclass(slots=True)
class Line:
    """Moves of one turn, and the chance to win when it ends after them."""

    moves: tuple[Move, ...]
    worth: float


@dataclass(slots=True)
class _Node:
    state: State
    moves: tuple[Move, ...]
    worth: float


@dataclass(frozen=True, slots=True)
class Effort:
    """How much thought a turn gets."""

    #: Lines that are followed at the same time.
    width: int
    #: Positions that are looked at.
    positions: int
    #: Offers that are thought through.
    terms: int = 6


class Search:
    """Looks ahead in one seat's turn."""

    def __init__(self, valuation: Valuation, effort: Effort) -> None:
        self.valuation = valuation
        self.seat = valuation.viewer
        self.effort = effort

    def lines(self, state: State) -> list[Line]:
        """Ways through the rest of the turn, the best for each first move; to end it at once is one of them."""
        # What others may agree to is not the turn's own: see dealing.
        state = _without_offers(state)
        best: dict[Move, Line] = {}
        start = _Node(state, (), self.valuation.chance(state))
        if state.phase is Phase.MAIN:
            end = EndTurn(self.seat)
            best[end] = Line((end,), start.worth)
        frontier = [start]
        seen = {self._signature(state)}
        looked_at = 0
        while frontier and looked_at < self.effort.positions:
            grown: list[_Node] = []
            for child, is_open in (grown_one for node in frontier for grown_one in self._grow(node)):
                looked_at += 1
                first = child.moves[0]
                if first not in best or child.worth > best[first].worth:
                    best[first] = Line(child.moves, child.worth)
                if child.state.phase is Phase.OVER:
                    return _sorted(best)
                signature = self._signature(child.state)
                if is_open and signature not in seen:
                    seen.add(signature)
                    grown.append(child)
                if looked_at >= self.effort.positions:
                    break
            grown.sort(key=attrgetter("worth"), reverse=True)
            frontier = grown[: self.effort.width]
        return _sorted(best)

    def _signature(self, state: State) -> tuple[object, ...]:
        seat = self.seat
        return (
            state.phase,
            state.settlements[seat],
            state.cities[seat],
            state.roads[seat],
            state.robber,
            state.cards_played,
            state.free_roads,
            len(state.cards[seat]),
            *state.hands[seat],
        )

    def _grow(self, node: _Node) -> Iterator[tuple[_Node, bool]]:
        """Everything sensible that could be done next, and whether the line can go on after it."""
        for move in self._sensible(node.state):
            match move:
                case EndTurn():
                    continue
                case BuyCard():
                    worth = self.bought(node.state, move)
                    yield _Node(node.state, (*node.moves, move), worth), False
                case PlayKnight():
                    worth, is_won = self.knighted(node.state, move)
                    after = node.state
                    if is_won:
                        after = node.state.copy()
                        after.phase = Phase.OVER
                    yield _Node(after, (*node.moves, move), worth), False
                case _:
                    after = node.state.copy()
                    play(after, move, NO_CHANCE)
                    is_open = after.phase is not Phase.ROLLING
                    yield _Node(after, (*node.moves, move), self.valuation.chance(after)), is_open

    def _sensible(self, state: State) -> list[Move]:
        moves = list(legal_moves(state, self.seat))
        roads = [move for move in moves if isinstance(move, BuildRoad)]
        if len(roads) <= ROADS_TRIED:
            return moves
        roads.sort(key=lambda road: self._promise(state, road.edge), reverse=True)
        dropped = set(roads[ROADS_TRIED:])
        return [move for move in moves if move not in dropped]

    def _promise(self, state: State, edge: int) -> float:
        """What a road may be good for, at a glance: the places beyond it, and a longer way."""
        economy = self.valuation.land.economy(state.settlements[self.seat], state.cities[self.seat], state.robber)
        promise = 0.0
        blocked = opponents_buildings(state, self.seat)
        for end in EDGE_VERTICES[edge]:
            if state.reach[self.seat] >> end & 1:
                continue
            if state.open_vertices >> end & 1:
                promise = max(promise, self.valuation.worth(end, economy))
            if not blocked >> end & 1:
                for path, other in NEIGHBORS[end]:
                    if path != edge and state.open_edges >> path & 1 and state.open_vertices >> other & 1:
                        promise = max(promise, FURTHER * self.valuation.worth(other, economy))
        longer = longest_road_through(edge, state.roads[self.seat] | 1 << edge, blocked) - state.road_lengths[self.seat]
        return promise + 0.1 * max(0, longer)

    # Where chance decides

    def bought(self, state: State, move: BuyCard) -> float:
        """What a card from the deck is worth, on the average of those that nobody has seen."""
        unseen = self.unseen(state)
        total = sum(unseen)
        worth = 0.0
        for kind, count in enumerate(unseen):
            if count:
                after = state.copy()
                after.deck = _with_on_top(state, kind)
                play(after, move, NO_CHANCE)
                worth += count / total * self.valuation.chance(after)
        return worth

    def unseen(self, state: State) -> list[int]:
        """The development cards, by kind, that may lie on top of the deck for all that the seat knows."""
        unseen = list(CARD_SUPPLY)
        for seat in state.seats:
            for card in state.played[seat]:
                unseen[state.deck[card]] -= 1
        for card in state.cards[self.seat]:
            unseen[state.deck[card]] -= 1
        return unseen

    def knighted(self, state: State, move: PlayKnight) -> tuple[float, bool]:
        """What a knight is worth, with the robber moved to where it serves best; and whether it wins."""
        after = state.copy()
        play(after, move, NO_CHANCE)
        if after.phase is Phase.MOVING_ROBBER:
            return self.robbery(after)[0].worth, False
        return self.valuation.chance(after), after.phase is Phase.OVER

    def robbery(self, state: State) -> list[Line]:
        """Where the robber could go, the best place first."""
        gains = [self.theft(state, seat) if seat != self.seat else 0.0 for seat in state.seats]
        places = []
        for h in robber_hexes(state):
            after = state.copy()
            after.robber = h
            robbed = max((gains[victim] for victim in victims(after)), default=0.0)
            places.append(Line((MoveRobber(self.seat, h),), self.valuation.chance(after) + robbed))
        return sorted(places, key=attrgetter("worth"), reverse=True)

    def theft(self, state: State, victim: int) -> float:
        """What a card of somebody's hand adds, on average."""
        size = sum(state.hands[victim])
        if not size:
            return 0.0
        before = self.valuation.chance(state)
        worth = 0.0
        for resource in RESOURCES:
            if held := state.hands[victim][resource]:
                after = state.copy()
                after.hands[victim][resource] -= 1
                after.hands[self.seat][resource] += 1
                worth += held / size * self.valuation.chance(after)
        return worth - before


def _without_offers(state: State) -> State:
    if not state.offers:
        return state
    alone = state.copy()
    alone.offers = ()
    return alone


def _with_on_top(state: State, kind: CardKind) -> tuple[CardKind, ...]:
    """The deck with a card of one kind to be dealt next."""
    deck = list(state.deck)
    top = state.dealt
    deck[top] = kind
    return tuple(deck)


def _sorted(best: dict[Move, Line]) -> list[Line]:
    return sorted(best.values(), key=attrgetter("worth"), reverse=True)
