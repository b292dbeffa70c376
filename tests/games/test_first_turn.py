"""How the order of play was found is kept, told at the top of the log, and can be proved."""

from __future__ import annotations

import pytest
from django.utils import timezone

from games import services
from games.history import record_of
from games.models import Game
from games.rules import moves as m
from games.words import listing
from tests.games.playing import CAST, look, new_game

pytestmark = pytest.mark.django_db


def told(game: Game, after: tuple[int, int] | None = None) -> list[str]:
    return [entry["text"] for entry in look(game, after=after)["log"]]


def game_with_a_tie() -> Game:
    """The first of many games in which those who tied for the highest rolled again."""
    return next(game for seed in range(50) if len((game := new_game(seed=seed)).rolls) > 1)


def test_the_log_begins_with_who_rolled_what_and_who_begins() -> None:
    game = game_with_a_tie()
    dealt = record_of(game).deal
    *rounds, begins = told(game)
    assert len(rounds) == len(dealt.rolls)
    for rolls, sentence in zip(dealt.rolls, rounds, strict=True):
        first, *others = [(CAST[seat], roll) for seat, roll in rolls.items()]
        assert sentence.startswith(f"{first[0]} rolled {first[1]}")
        assert all(f"{name} {roll}" in sentence for name, roll in others)
    tied = [CAST[seat] for seat in dealt.rolls[1]]
    assert rounds[0].endswith(f"{listing(tied)} roll again.")
    assert "again" not in rounds[-1]
    assert begins.startswith(f"{CAST[dealt.order[0]]} begins, followed by {CAST[dealt.order[1]]}")


@pytest.mark.parametrize("turn_order", ["random", "seat_order"])
def test_where_nobody_rolled_the_log_says_who_begins(turn_order: str) -> None:
    game = new_game(f"standard turn_order={turn_order}", seed=3)
    first, *_ = record_of(game).deal.order
    assert [sentence.split(",")[0] for sentence in told(game)] == [f"{CAST[first]} begins"]


def test_whoever_has_seen_the_beginning_is_not_told_again() -> None:
    game = game_with_a_tie()
    assert told(game, after=(0, 0)) == []
    first = record_of(game).deal.order[0]
    services.play_move(game.pk, m.BuildSettlement(first, 20), version=0, now=timezone.now())
    assert len(told(game, after=(0, 0))) == 1
    assert len(told(game)) == 1 + len(game.rolls) + 1
    assert len(told(game, after=(1, 0))) == 0
