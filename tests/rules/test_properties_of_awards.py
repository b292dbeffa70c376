"""Longest Road and the awards, against searches and models written apart."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.awards import award_holder, longest_road_length, longest_road_through
from games.rules.topology import EDGES, NEIGHBORS, VERTICES, bit_set

from .invariants import Award, longest_trail

pytestmark = pytest.mark.slow

sizes = st.lists(st.integers(0, 9), min_size=4, max_size=4)


@settings(derandomize=True, database=None, max_examples=500)
@given(st.lists(sizes, max_size=8), st.integers(3, 5))
def test_an_award_changes_hands_as_the_rule_book_says(history: list[list[int]], least: int) -> None:
    award = Award("largest_army", least)
    holder = award.holder
    for now in history:
        award.follow(now)
        holder = award_holder(holder, now, least)
        assert holder == award.holder, f"{now} in {history}"


def some_roads(source: Random) -> list[int]:
    """Up to fifteen roads in the order of their building, most of them hanging together."""
    roads = [source.choice(EDGES)]
    while len(roads) < source.randint(1, 15):
        vertex = source.choice(VERTICES)
        touching = [edge for edge, _ in NEIGHBORS[vertex]]
        if set(touching) & set(roads) or source.random() < 0.02:
            roads.append(source.choice(touching))
    return list(dict.fromkeys(roads))


@pytest.mark.parametrize("chunk", range(4))
def test_the_longest_road_is_what_a_search_of_all_trails_finds(chunk: int) -> None:
    for seed in range(chunk * 250, chunk * 250 + 250):
        source = Random(seed)
        blocked = bit_set(source.sample(VERTICES, source.choice((0, 0, 3, 6, 12))))
        length, roads = 0, 0
        for edge in some_roads(source):
            roads |= 1 << edge
            # The length after each new road, both counted anew and only where the road has changed it.
            length = max(length, longest_road_through(edge, roads, blocked))
            assert length == longest_trail(roads, blocked), f"seed {seed}"
            assert length == longest_road_length(roads, blocked), f"seed {seed}"
