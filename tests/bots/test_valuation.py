"""What positions are worth: everybody's chance to win, as one seat sees it."""

from __future__ import annotations

from random import Random

import pytest

from games.bots.economy import HORIZON, land, rolls_until
from games.bots.valuation import FEATURES, Valuation, stage_of
from games.bots.weights import WEIGHTS
from games.rules import RandomChance, State, play
from games.rules.cards import CITY_COST, RESOURCES
from tests.bots.test_sense import table_of_four
from tests.rules.strategies import eager_move, random_table
from tests.rules.table import ALICE, BOB, CHARLIE, DANA, give, lay_open, raise_cities


def chances(state: State, viewer: int = ALICE) -> list[float]:
    return Valuation(land(state.board, state.rules), viewer, stage_of(state)).chances(state)


def test_every_feature_has_its_weights() -> None:
    assert tuple(WEIGHTS) == FEATURES


def test_the_chances_of_all_seats_add_up_to_one() -> None:
    assert sum(chances(table_of_four())) == pytest.approx(1)


@pytest.mark.parametrize("seat", [ALICE, BOB, CHARLIE, DANA])
def test_a_city_more_makes_a_win_likelier_and_everybody_elses_less_likely(seat: int) -> None:
    state = table_of_four()
    before = chances(state)
    raise_cities(state, seat, min(vertex for vertex in range(54) if state.settlements[seat] >> vertex & 1))
    after = chances(state)
    assert after[seat] > before[seat]
    assert all(after[other] < before[other] for other in state.seats if other != seat)


def test_a_city_that_stands_is_better_than_one_that_could_be_paid() -> None:
    state = table_of_four()
    give(state, ALICE, ore=3, grain=2)
    could = chances(state)[ALICE]
    state.hands[ALICE] = [0] * len(RESOURCES)
    raise_cities(state, ALICE, 12)
    assert chances(state)[ALICE] > could


def test_whoever_has_won_has_won() -> None:
    state = table_of_four()
    state.winner = BOB
    assert chances(state) == [0, 1, 0, 0]


def test_the_robber_on_ones_best_hex_hurts() -> None:
    state = table_of_four()
    free = chances(state)[ALICE]
    valuation = Valuation(land(state.board, state.rules), ALICE, stage_of(state))
    state.robber = max(range(19), key=lambda h: valuation.land.share(h, state.settlements[ALICE], state.cities[ALICE]))
    assert chances(state)[ALICE] < free


@pytest.mark.slow
def test_what_was_looked_up_is_what_would_be_computed() -> None:
    """A search asks one valuation of thousands of positions; it must say what a fresh one says."""
    for seed in range(6):
        table = random_table(seed)
        state, source = table.new_game()
        chance = RandomChance(source)
        kept = Valuation(land(state.board, state.rules), 0, 0.5)
        for _ in range(300):
            if state.winner >= 0:
                break
            play(state, eager_move(state, source), chance)
            fresh = Valuation(land(state.board, state.rules), 0, 0.5)
            assert kept.describe(state) == fresh.describe(state)


def test_a_stage_goes_from_one_to_nothing_as_somebody_nears_the_win() -> None:
    state = table_of_four()
    early = stage_of(state)
    lay_open(state, BOB, *["victory_point"] * 5)
    assert early > stage_of(state) > 0


def test_rolls_until_a_city_is_paid_count_what_comes_in_and_what_the_bank_gives() -> None:
    four = (4.0,) * 5
    assert rolls_until(CITY_COST, (0, 0, 0, 1 / 3, 0.5), four) == pytest.approx(6)
    assert rolls_until(CITY_COST, (0, 0, 0, 0, 0), four) == HORIZON
    # Three ore, and four more for each of two grain: eleven in all.
    assert rolls_until(CITY_COST, (0, 0, 0, 0, 0.5), four) == pytest.approx(22)
    assert rolls_until(CITY_COST, (0, 0, 0, 0, 0.5), (4.0, 4.0, 4.0, 4.0, 2.0)) == pytest.approx(14)


def test_rolls_until_is_reached_just_then() -> None:
    """Against adding up roll by roll, for any hands, rates and prices."""
    source = Random(3)
    for _ in range(200):
        cost = [source.randrange(-3, 6) for _ in RESOURCES]
        rates = [source.choice((0.0, 0.1, 0.3)) for _ in RESOURCES]
        prices = [source.choice((2.0, 3.0, 4.0)) for _ in RESOURCES]
        when = rolls_until(cost, rates, prices)

        def missing(rolls: float) -> float:
            lacks = [cost[r] - rates[r] * rolls for r in RESOURCES]  # noqa: B023 - called in this round alone
            return sum(lack if lack > 0 else lack / prices[r] for r, lack in enumerate(lacks))  # noqa: B023

        if when < HORIZON:
            assert missing(when) <= 1e-5
            assert when == 0 or missing(when - 0.01) > 0
        else:
            assert missing(HORIZON - 0.01) > 0
