"""What must hold after every move of every game, counted by code written apart from the rules.

A :class:`Witness` sits at the table. It keeps accounts of its own from the announced events, knows
who holds which award from its own small model, and looks at the state after each move.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from itertools import combinations
from operator import or_
from random import Random

from games.rules import (
    NOBODY,
    Event,
    Move,
    Phase,
    RandomChance,
    State,
    default_move,
    is_legal,
    legal_moves,
    points,
    to_act,
)
from games.rules import visible_points as visible_points_of
from games.rules.state import Offer, derive
from games.rules.topology import EDGE_VERTICES

from .accounts import Accounts, check_roll
from .agreement import check_offers, check_refusals, check_whole_list
from .referee import Referee
from .secrecy import check_events, check_views


@lru_cache(maxsize=100_000)
def bits(mask: int) -> tuple[int, ...]:
    return tuple(place for place in range(mask.bit_length()) if mask >> place & 1)


def union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


# The board


def check_pieces(state: State) -> None:
    for kind, most in ((state.roads, 15), (state.settlements, 5), (state.cities, 4)):
        assert all(mask.bit_count() <= most for mask in kind), "more pieces than the box has"
    for one, other in combinations(state.roads, 2):
        assert not one & other, "two roads on one path"
    for one, other in combinations(state.settlements + state.cities, 2):
        assert not one & other, "two buildings on one corner"
    built = union(state.settlements + state.cities)
    for a, b in EDGE_VERTICES:
        assert not (built >> a & 1 and built >> b & 1), f"buildings at {a} and {b}: too close"


def check_roads_hang_together(state: State, seat: int) -> None:
    """Every road leads along its owner's roads to one of their buildings."""
    left = {edge: EDGE_VERTICES[edge] for edge in bits(state.roads[seat])}
    reached = set(bits(state.settlements[seat] | state.cities[seat]))
    while left:
        touching = [edge for edge, ends in left.items() if reached & set(ends)]
        assert touching, f"roads {sorted(left)} of seat {seat} hang in the air"
        for edge in touching:
            reached.update(left.pop(edge))


def check_new_piece(state: State, event: Event, *, in_setup: bool) -> None:
    """A new road goes on from something of its owner; a paid settlement stands on a road."""
    own = state.settlements[event.seat] | state.cities[event.seat]
    others = union(state.settlements + state.cities) & ~own
    roads = [EDGE_VERTICES[edge] for edge in bits(state.roads[event.seat])]
    if event.kind == "built_road":
        new = EDGE_VERTICES[event.public["edge"]]
        roads.remove(new)
        on_road = {v for ends in roads for v in ends if not in_setup and not others >> v & 1}
        assert any(own >> v & 1 or v in on_road for v in new), "a road without connection"
    elif event.kind == "built_settlement" and not in_setup:
        assert any(event.public["vertex"] in ends for ends in roads), "a settlement off the road"


# Longest Road, by growing all trails one road at a time


@lru_cache(maxsize=100_000)
def longest_trail(roads: int, blocked: int) -> int:
    ways: dict[int, list[tuple[int, int]]] = {}
    for edge in bits(roads):
        a, b = EDGE_VERTICES[edge]
        ways.setdefault(a, []).append((edge, b))
        ways.setdefault(b, []).append((edge, a))
    trails = {(start, 0) for start in ways}
    length = 0
    while True:
        longer = {
            (end, used | 1 << edge)
            for vertex, used in trails
            if not used or not blocked >> vertex & 1
            for edge, end in ways[vertex]
            if not used >> edge & 1
        }
        if not longer:
            return length
        trails = longer
        length += 1


def road_lengths(state: State) -> list[int]:
    built = union(state.settlements + state.cities)
    return [
        longest_trail(roads, built & ~(state.settlements[seat] | state.cities[seat]))
        for seat, roads in enumerate(state.roads)
    ]


def is_split(state: State, seat: int, built_before: int, length: int) -> bool:
    """Whether somebody has just settled inside a trail of this length: it is one only while one may pass there."""
    built = union(state.settlements + state.cities)
    own = state.settlements[seat] | state.cities[seat]
    new = built & ~built_before & ~own
    if not new:
        return False
    blocked = built & ~own
    touching = [edge for edge in bits(state.roads[seat]) if any(new >> v & 1 for v in EDGE_VERTICES[edge])]
    if len(touching) < 2:
        return False
    # Without one of the two roads there, no trail passes; with both, it may.
    return any(
        trail_through(state.roads[seat], blocked & ~new, one, another) >= length
        for one, another in combinations(touching, 2)
    )


def trail_through(roads: int, blocked: int, one: int, another: int) -> int:
    """The longest trail that uses both of two roads that meet, one right after the other."""
    (joint,) = set(EDGE_VERTICES[one]) & set(EDGE_VERTICES[another])
    left = {edge: EDGE_VERTICES[edge] for edge in bits(roads) if edge not in (one, another)}

    def onward(vertex: int, used: frozenset[int]) -> list[frozenset[int]]:
        ways = [used]
        if not blocked >> vertex & 1:
            for edge, ends in left.items():
                if vertex in ends and edge not in used:
                    ways += onward(sum(ends) - vertex, used | {edge})
        return ways

    far = [sum(EDGE_VERTICES[edge]) - joint for edge in (one, another)]
    return 2 + max(len(way) for used in onward(far[0], frozenset()) for way in onward(far[1], used))


class Award:
    """A card worth two points, and who holds it by what the table has seen."""

    def __init__(self, kind: str, least: int) -> None:
        self.kind = kind
        self.least = least
        self.holder = self.before = NOBODY

    def follow(self, sizes: Sequence[int], *, holder_keeps: bool = True) -> None:
        self.before = self.holder
        large_enough = [seat for seat, size in enumerate(sizes) if size >= self.least]
        is_exceeded = any(sizes[seat] > sizes[self.holder] for seat in large_enough)
        if self.holder in large_enough and holder_keeps and not is_exceeded:
            return
        self.holder = NOBODY
        for seat in large_enough:
            if all(sizes[seat] > sizes[other] for other in large_enough if other != seat):
                self.holder = seat

    def check_told(self, events: Sequence[Event]) -> None:
        """A change of hands is announced, and nothing else is."""
        told = [(event.public["from"], event.seat) for event in events if event.kind == self.kind]
        assert told == ([(self.before, self.holder)] if self.holder != self.before else []), self.kind


class Witness:
    """Looks on at one game and checks it after every move."""

    def __init__(self, state: State, source: Random) -> None:
        self.moves = 0
        self._source = source
        self._accounts = Accounts(len(state.order))
        self._referee = Referee()
        self._longest_road = Award("longest_road", 5)
        self._largest_army = Award("largest_army", 3)
        self._lengths = [0] * len(state.order)
        self._built = 0
        self._phase = state.phase
        self._turn_has_begun = False
        self.check(state)

    def saw(self, state: State, move: Move, events: Sequence[Event]) -> None:
        """A move was played."""
        try:
            self._referee.judge(state, self._phase, move, events, self._accounts)
            check_roll(state, self._accounts, events)
            self._follow(state, events)
            check_events(state, move, events)
            self.moves += 1
            self.check(state)
        except AssertionError as error:
            error.add_note(f"after move {self.moves}: {move}")
            raise

    def _follow(self, state: State, events: Sequence[Event]) -> None:
        in_setup = self._phase in (Phase.PLACING_SETTLEMENT, Phase.PLACING_ROAD)
        for event in events:
            is_free = in_setup or self._phase is Phase.PLACING_FREE_ROADS
            self._accounts.enter(event, is_free=is_free)
            if event.kind in ("built_road", "built_settlement"):
                check_new_piece(state, event, in_setup=in_setup)
        if state.rules.maritime_trade == "unlimited":
            self._accounts.make_what_is_missing()
        self._follow_awards(state)
        self._longest_road.check_told(events)
        self._largest_army.check_told(events)
        assert [e.seat for e in events if e.kind == "won"] == ([state.winner] if state.phase is Phase.OVER else [])
        self._phase = state.phase
        self._turn_has_begun = any(event.kind == "turn_began" for event in events)

    def _follow_awards(self, state: State) -> None:
        lengths = road_lengths(state)
        holder = self._longest_road.holder
        was_cut = holder != NOBODY and lengths[holder] < self._lengths[holder]
        if state.rules.longest_road_cut == "lost_until_built":
            self._follow_brittle_road(state, lengths)
        else:
            loses = was_cut and state.rules.longest_road_cut == "holder_loses"
            self._longest_road.follow(lengths, holder_keeps=not loses)
        self._lengths = lengths
        cards = self._accounts.hands if state.rules.largest_army == "knights_held" else self._accounts.played
        self._largest_army.follow([held["knight"] for held in cards])

    def _follow_brittle_road(self, state: State, lengths: list[int]) -> None:
        """Split, the card is lost; lying aside, it waits for whoever builds the single longest road."""
        award = self._longest_road
        award.before = award.holder
        longest = max(lengths)
        single = lengths.index(longest) if lengths.count(longest) == 1 and longest >= award.least else NOBODY
        if award.holder != NOBODY and is_split(state, award.holder, self._built, self._lengths[award.holder]):
            award.holder = NOBODY if single == award.holder else single
        elif single != NOBODY and lengths[single] > self._lengths[single]:
            award.holder = single
        self._built = union(state.settlements + state.cities)

    def check(self, state: State) -> None:
        self._accounts.check(state)
        check_pieces(state)
        for seat in range(len(state.order)):
            check_roads_hang_together(state, seat)
        assert state.road_lengths == self._lengths, "the lengths of the roads"
        assert state.longest_road == self._longest_road.holder, "the holder of Longest Road"
        assert state.largest_army == self._largest_army.holder, "the holder of Largest Army"
        self._check_points(state)
        check_somebody_can_move(state)
        check_everybody_waited_for_has_a_default(state, self._source)
        check_refusals(state, self._source, tries=12)
        check_offers(state, self._source, tries=1)
        if self.moves % 5 == 0:
            check_derived_fields(state)
            check_views(state, self._source)
        if self.moves % 7 == 0:
            check_round_trip(state)
        if self.moves % 40 == 0 or state.phase is Phase.OVER:
            check_whole_list(state, self._source)

    def _check_points(self, state: State) -> None:
        for seat in range(len(state.order)):
            seen = len(bits(state.settlements[seat])) + 2 * len(bits(state.cities[seat]))
            seen += 2 * (self._longest_road.holder == seat)
            seen += 2 * (self._largest_army.holder == seat)
            seen += self._accounts.played[seat]["victory_point"]
            hidden = self._accounts.hands[seat]["victory_point"]
            total = seen + hidden * (state.rules.victory_point_cards == "at_once")
            assert visible_points_of(state, seat) == seen, f"points that seat {seat} shows"
            assert points(state, seat) == total, f"points of seat {seat}"
            self._check_win(state, seat, total)

    def _check_win(self, state: State, seat: int, total: int) -> None:
        may_win_now = {
            "any_moment": True,
            "own_turn": seat == state.active,
            "turn_begins": seat == state.active and self._turn_has_begun,
        }[state.rules.win_declared]
        if state.winner == seat:
            assert state.phase is Phase.OVER
            assert may_win_now, f"seat {seat} cannot win now"
            assert total >= state.rules.points_to_win, f"seat {seat} has not won"
        elif state.winner == NOBODY and may_win_now:
            assert total < state.rules.points_to_win, f"seat {seat} has won"


# The whole state


def check_somebody_can_move(state: State) -> None:
    """The game is never stuck: whoever must act has a legal move."""
    waiting = to_act(state)
    if state.phase is Phase.OVER:
        assert not waiting
        assert all(not legal_moves(state, seat) for seat in range(len(state.order)))
        return
    assert waiting, f"nobody is to act in {state.phase}"
    for seat in waiting:
        assert legal_moves(state, seat), f"seat {seat} must act in {state.phase} and cannot"


def check_everybody_waited_for_has_a_default(state: State, source: Random) -> None:
    """Whoever the game waits for, for a move or an answer, has a legal move made for them when time is up.

    So has a bot without an idea that owes an answer: nothing says to which offer.
    """
    waited_for: list[tuple[int, int | None]] = [(seat, None) for seat in to_act(state)]
    for offer in state.offers:
        owing = [seat for seat in offer.to if seat not in answered(offer)]
        waited_for += [(seat, named) for seat in owing for named in (offer.number, None)]
    for seat, number in waited_for:
        move = default_move(state, seat, RandomChance(source), number)
        assert move is not None, f"nothing happens for seat {seat} in {state.phase}"
        assert is_legal(state, move), f"time is up for seat {seat} in {state.phase}, and {move} is refused"


def waits_for_answers(state: State) -> bool:
    return any(seat not in answered(offer) for offer in state.offers for seat in offer.to)


def answered(offer: Offer) -> tuple[int, ...]:
    return offer.accepted + offer.rejected


def check_derived_fields(state: State) -> None:
    twin = state.copy()
    derive(twin)
    assert twin == state, "a derived field has gone stale"


def check_round_trip(state: State) -> None:
    text = json.dumps(state.to_json())
    assert State.from_json(json.loads(text)) == state, "JSON tells another state"
