"""Weights are found from who won; a game or two will do to see that they are."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from games.bots.valuation import FEATURES
from games.bots.weights import WEIGHTS
from tools import tune

NOTHING = [0.0] * 2 * len(FEATURES)
ONES = [1.0] * len(FEATURES)


def made_up(count: int) -> list[tune.Sample]:
    """Games that whoever has the largest first feature mostly wins, whatever the others say."""
    source = Random(1)
    samples = []
    for game in range(count):
        seats = [[source.gauss() for _ in FEATURES] for _ in range(4)]
        best = max(range(4), key=lambda seat: seats[seat][0])
        samples.append(tune.Sample(game, 0.5, seats, best if source.random() < 0.8 else source.randrange(4)))
    return samples


@pytest.mark.slow
def test_what_wins_weighs_most() -> None:
    samples = made_up(1_500)
    found = tune.fit(samples, NOTHING, ONES)
    weights = [late + 0.5 * early for late, early in tune.written(found, ONES).values()]
    assert weights[0] == max(weights)
    assert weights[0] > 4 * max(map(abs, weights[1:]))
    assert tune.loss(samples, found, ONES) < tune.loss(samples, NOTHING, ONES) - 0.3


def test_knowing_nothing_each_of_four_is_as_likely() -> None:
    assert tune.loss(made_up(10), NOTHING, ONES) == pytest.approx(1.386, abs=0.001)


@pytest.mark.slow
def test_a_game_is_looked_at_after_its_setup_and_at_the_end_of_turns() -> None:
    samples = tune.play(dict(WEIGHTS), False, 3)
    assert len(samples) > 10
    assert {sample.winner for sample in samples} < set(range(4))
    assert len({sample.winner for sample in samples}) == 1
    assert all(len(seat) == len(FEATURES) for sample in samples for seat in sample.seats)
    assert all(sample.stage == 0.8 for sample in samples[:4])


def test_weights_are_written_as_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "weights.py"
    with open(tune.weights.__file__) as file:
        copy.write_text(file.read())
    monkeypatch.setattr(tune.weights, "__file__", str(copy))
    tune.write(dict(WEIGHTS))
    told: dict[str, object] = {}
    exec(copy.read_text(), told)
    assert told["WEIGHTS"] == WEIGHTS
