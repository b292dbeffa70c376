"""`make lighthouse` says whether the goal is reached, and what is in the way."""

from __future__ import annotations

from typing import Any

import pytest

from tools.lighthouse import CATEGORIES, tell


def report(performance: float, seo: float = 1.0) -> dict[str, Any]:
    """What Lighthouse writes down of one run, in short."""
    parts = [{"id": "wait", "weight": 30}, {"id": "shift", "weight": 25}, {"id": "hint", "weight": 0}]
    scores = dict.fromkeys(CATEGORIES, 1.0) | {"performance": performance, "seo": seo}
    return {
        "categories": {name: {"score": score, "auditRefs": parts} for name, score in scores.items()},
        "audits": {
            "wait": {"title": "Pages wait", "score": performance, "displayValue": "2.1 s"},
            "shift": {"title": "Pages shift", "score": 1.0},
            "hint": {"title": "Pages could be shorter", "score": 0.5},
        },
    }


def test_of_three_runs_the_one_in_the_middle_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert tell("front, phone", [report(0.2), report(0.97), report(1.0)])
    assert capsys.readouterr().out.split() == ["front,", "phone", "97", "100", "100", "100"]


def test_one_score_below_the_goal_is_enough_to_miss_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert not tell("front, phone", [report(1.0, seo=0.94)] * 3)
    assert tell("front, phone", [report(1.0, seo=0.95)] * 3)


def test_what_took_from_a_score_is_named_and_what_has_no_weight_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    tell("game, desk", [report(0.9)] * 3)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == ["    performance: Pages wait 2.1 s"]
