"""The arena tells the truth about the bots that meet in it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from games.bots import BOTS, Memory
from games.rules import Move, Phase, RuleSet, View, moves, points
from tests.rules.table import ALICE, BOB, CHARLIE, DANA, WAYS, accept, bundle, give, make, offer, set_table, settle
from tools import arena
from tools.arena import Deeds, Match, Result, play_game, play_match, summarize, wilson
from tools.bot_games import asked, bot_named, deal_game, steps

MATCH = Match(("builder", "random", "random", "random"))


def idle(view: View, memory: Memory, source: Random) -> Move | None:
    """A bot that has no idea."""
    return None


def cheating(view: View, memory: Memory, source: Random) -> Move | None:
    """A bot that builds what it cannot pay for."""
    return moves.BuildCity(memory.seat, 0)


def failing(view: View, memory: Memory, source: Random) -> Move | None:
    """A bot with an error in it."""
    raise RuntimeError("I forgot")


def without_times(result: Result) -> object:
    return [{**vars(deeds), "seconds": len(deeds.seconds)} for deeds in result.deeds], result.turns, result.seating


def test_every_arrangement_of_seats_comes_in_turn() -> None:
    assert Counter(MATCH.seating(game) for game in range(8)) == dict.fromkeys(
        [tuple("builder" if seat == place else "random" for seat in range(4)) for place in range(4)], 2
    )
    assert len({Match(("hard", "hard", "easy", "easy")).seating(game) for game in range(6)}) == 6


@pytest.mark.slow
def test_a_game_is_the_same_however_many_processes_play() -> None:
    match = Match(("builder", "easy", "random"), rules="any")
    alone, together = (list(map(without_times, play_match(match, 6, processes))) for processes in (1, 2))
    assert alone == together
    assert alone != list(map(without_times, play_match(Match(match.bots, "any", seed=2), 6, 1)))


def test_it_counts_what_was_done() -> None:
    game = play_game(MATCH, 1)
    state, players, chance = deal_game(
        RuleSet.from_text("standard"), [bot_named(name) for name in game.seating], "balanced", "1 1"
    )
    kinds: list[Counter[str]] = [Counter() for _ in players]
    traded: Counter[int] = Counter()
    for step in steps(state, players, chance):
        kinds[step.move.seat][step.move.kind] += 1
        for event in step.events:
            if event.kind == "traded":
                traded.update([event.seat, event.public["partner"]])
    assert state.phase is Phase.OVER
    assert game.turns == state.turn
    for seat, (deeds, made) in enumerate(zip(game.deeds, kinds, strict=True)):
        assert len(deeds.seconds) == made.total()
        assert deeds.wins == (state.winner == seat)
        assert deeds.points == points(state, seat)
        assert deeds.cities == made["build_city"]
        assert deeds.offers == made["offer_trade"] + made["counter_offer"]
        assert deeds.bank_trades == made["trade_with_bank"]
        assert deeds.trades == traded[seat]
    assert traded


@pytest.mark.parametrize("bot", ["idle", "cheating", "failing"])
def test_a_mistake_is_counted_and_a_timeout_moves_instead(bot: str) -> None:
    name = f"{__name__}:{bot}"
    state, players, chance = deal_game(RuleSet.from_text("standard"), [bot_named(name)] * 3, "beginner", "1")
    made = list(steps(state, players, chance, most_moves=40))
    assert all(step.mistake for step in made)
    assert state.turn > 0


def test_memories_are_taught_what_their_seat_sees() -> None:
    state, players, chance = deal_game(RuleSet.from_text("standard"), [BOTS["builder"]] * 4, "balanced", "1")
    for _ in steps(state, players, chance, most_moves=200):
        pass
    for player in players:
        assert player.memory.hands(player.seat) == [(tuple(state.hands[player.seat]), 1.0)]
        assert player.memory.turn == state.turn


def test_answers_come_first_in_the_order_of_offers_and_seats() -> None:
    state = set_table()
    settle(state, BOB, WAYS[5][0])
    give(state, ALICE, lumber=2)
    give(state, BOB, brick=2, ore=1)
    give(state, CHARLIE, brick=1)
    assert asked(state) == ALICE
    offer(state, (BOB, CHARLIE), {"lumber": 1}, {"brick": 1})
    assert asked(state) == BOB
    make(state, moves.CounterOffer(BOB, 0, bundle(ore=1), bundle(lumber=1)))
    assert asked(state) == CHARLIE
    accept_first = moves.AcceptOffer(CHARLIE, 0)
    make(state, accept_first)
    assert asked(state) == ALICE


def test_whoever_makes_an_offer_waits_for_the_answers() -> None:
    state = set_table()
    give(state, ALICE, lumber=1)
    for seat in (BOB, DANA):
        give(state, seat, brick=1)
    offer(state, (BOB, DANA), {"lumber": 1}, {"brick": 1})
    accept(state, BOB)
    assert asked(state) == DANA
    accept(state, DANA)
    assert asked(state) == ALICE


def test_the_interval_is_wilsons() -> None:
    assert wilson(100, 400) == pytest.approx((0.2101, 0.2946), abs=1e-4)
    low, high = wilson(0, 10)
    assert (low, high) == pytest.approx((0, 0.2775), abs=1e-4)


def test_a_bot_named_twice_is_judged_for_all_of_its_seats() -> None:
    deeds = [Deeds(seats=1, wins=int(seat == 2), points=seat, seconds=[0.001 * seat]) for seat in range(4)]
    result = Result("a game", ("easy", "hard", "easy", "hard"), deeds, 80, is_over=True)
    easy, hard = summarize(Match(("hard", "easy", "hard", "easy")), [result]).rows[::-1]
    assert (easy.bot, easy.wins, easy.points, easy.by_chance) == ("easy", 1, 1, 0.5)
    assert (hard.bot, hard.wins, hard.points, hard.max_ms) == ("hard", 0, 2, pytest.approx(3))


def test_the_command_prints_a_table_and_writes_the_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "numbers.json"
    words = ["arena", "builder,random", "random", "--games", "2", "--processes", "1", "--json", str(file)]
    monkeypatch.setattr("sys.argv", words)
    arena.main()
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("standard, balanced, seed 1: 2 games, ")
    assert [line.split("|")[1].strip() for line in printed[1:]] == ["bot", "-" * len("builder"), "builder", "random"]
    rows = json.loads(file.read_text())["rows"]
    assert [(row["bot"], row["games"], row["mistakes"]) for row in rows] == [("builder", 2, 0), ("random", 2, 0)]


@pytest.mark.parametrize("bots", [["builder"], ["builder", "random", "nobody"], ["builder", "random", "games:nobody"]])
def test_bots_that_cannot_meet_are_refused(
    bots: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["arena", *bots])
    with pytest.raises(SystemExit):
        arena.main()
    assert "error:" in capsys.readouterr().err
