"""What looks like two who play for each other, and what does not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

import pytest

from bench import collusion as bench
from games.rules.events import Event, WrittenEvent
from moderation import collusion, dealings
from moderation.collusion import PairFigures
from moderation.dealings import Dealings, Happened, Theft, Trade

pytestmark = pytest.mark.slow

ADA, BO = 1, 2
#: Nobody in particular.
CROWD = range(100, 140)


def evening(
    *,
    trades: Iterable[tuple[int, int, int, int]] = (),
    thefts: Iterable[tuple[int, int]] = (),
    winner: int | None = 2,
    gave_up: Sequence[int] = (),
    answers: dict[tuple[int, int], tuple[int, int]] | None = None,
) -> Dealings:
    """A game of four: Ada is on seat 0, Bo on seat 1, and on the others are two of the crowd."""
    return Dealings(
        4,
        winner,
        list(gave_up),
        [Trade(*trade) for trade in trades],
        [Theft(thief, victim, [2, 2, 2, 2]) for thief, victim in thefts],
        answers or {},
    )


def usual(source: Random) -> Dealings:
    """Everybody robs whomever, anybody wins, trades are about even."""
    seats = range(4)
    trades = []
    for _ in range(3):
        giver, taker = source.sample(seats, 2)
        trades.append((giver, taker, source.choice((1, 1, 1, 2)), source.choice((1, 1, 1, 2))))
    thefts = [tuple(source.sample(seats, 2)) for _ in range(12)]
    return evening(trades=trades, thefts=thefts, winner=source.choice(seats))  # type: ignore[arg-type]


def figures_of(
    play: Callable[[Random], Dealings],
    games: int,
    *,
    apart: int = 12,
    ada_apart: Callable[[Random], Dealings] = usual,
    bo_apart: Callable[[Random], Dealings] = usual,
    shared: int = 0,
) -> PairFigures:
    """Of Ada and Bo, who met so many times; each has played without the other too, and so has everybody else."""
    source = Random(1)
    ledger = collusion.Ledger([(ADA, BO)])
    for _ in range(300):
        ledger.add(source.sample(CROWD, 4), usual(source))
    for person, play_apart in ((ADA, ada_apart), (BO, bo_apart)):
        for _ in range(apart):
            ledger.add([person, *source.sample(CROWD, 3)], play_apart(source))
    for _ in range(games):
        ledger.add([ADA, BO, *source.sample(CROWD, 2)], play(source))
    (found,) = ledger.figures({(ADA, BO): shared})
    return found


def feeding(source: Random) -> Dealings:
    """Ada gives Bo three cards for one."""
    game = usual(source)
    game.trades = [trade for trade in game.trades if {trade.giver, trade.taker} != {0, 1}]
    game.trades.append(Trade(0, 1, 3, 1))
    return game


def sparing(source: Random) -> Dealings:
    """Neither ever robs the other."""
    game = usual(source)
    game.thefts = [theft._replace(victim=source.choice((2, 3))) if theft.thief < 2 else theft for theft in game.thefts]
    return game


# What a game tells


def happened(seat: int, kind: str, *, of: int | None = None, by_person: bool = True, **told: Any) -> Happened:
    events: list[WrittenEvent] = [Event(kind, seat if of is None else of, told).to_json()]  # type: ignore[arg-type]
    return Happened(seat, by_person, events)


def offered(seat: int, number: int, *to: int, by_person: bool = True) -> Happened:
    terms = {"gives": {"ore": 2}, "gets": {"wool": 1}}
    return happened(seat, "offered", by_person=by_person, offer=number, to=list(to), answers=None, **terms)


def traded(seat: int, number: int, maker: int, partner: int, gives: Any = None) -> Happened:
    return happened(
        seat, "traded", of=maker, offer=number, partner=partner, gives=gives or {"ore": 2}, gets={"wool": 1}
    )


def read(*moves: Happened) -> Dealings:
    return dealings.read(4, None, (), moves)


def test_a_trade_is_what_its_maker_gave_and_got() -> None:
    told = read(offered(0, 0, 1, 2), happened(1, "accepted", offer=0), traded(0, 0, 0, 1))
    assert told.trades == [Trade(0, 1, 2, 1)]


def test_a_counter_offer_is_agreed_to_by_confirming_it() -> None:
    told = read(offered(0, 0, 1), offered(1, 1, 0), happened(1, "rejected", offer=0), traded(0, 1, 1, 0))
    assert told.trades == [Trade(1, 0, 2, 1)]


def test_a_development_card_counts_as_what_it_costs() -> None:
    told = read(offered(0, 0, 1), happened(1, "accepted", offer=0), traded(0, 0, 0, 1, {"knight": 1, "ore": 1}))
    assert told.trades == [Trade(0, 1, 4, 1)]


def test_answers_are_counted_by_who_offered() -> None:
    told = read(
        *(offered(0, 0, 1, 2), happened(1, "accepted", offer=0), happened(2, "rejected", offer=0)),
        *(offered(3, 1, 1), happened(1, "rejected", offer=1), offered(3, 2, 1), happened(1, "rejected", offer=2)),
    )
    assert told.answers == {(1, 0): (1, 0), (2, 0): (0, 1), (1, 3): (0, 2)}


def test_a_theft_is_told_with_how_everybody_stood() -> None:
    told = read(
        *(happened(seat, "built_settlement", vertex=seat) for seat in (0, 1, 2, 3, 2)),
        happened(2, "built_city", vertex=2),
        happened(0, "stole", victim=2, count=1),
    )
    assert told.thefts == [Theft(0, 2, [1, 1, 3, 1])]


def test_what_bots_and_clocks_do_on_a_seat_is_not_its_persons_doing() -> None:
    told = read(
        *(offered(0, 0, 1), happened(1, "accepted", by_person=False, offer=0), traded(0, 0, 0, 1)),
        *(offered(1, 1, 0, by_person=False), traded(0, 1, 1, 0)),
        happened(1, "rejected", by_person=False, offer=0),
        happened(1, "stole", by_person=False, victim=2, count=1),
    )
    assert (told.trades, told.thefts, told.answers) == ([], [], {})


def test_what_is_told_of_a_game_of_bots_is_read_again_as_it_was_written() -> None:
    town = bench.Town.of(((bench.STRONG, 2),), circles=0, strangers=0)
    told = bench.play_game(town, [0, 1, 2, 3], Random(3))
    assert told.trades
    assert told.thefts
    assert told.answers
    assert Dealings.from_json(json.loads(json.dumps(told.to_json()))) == told


# What it makes of a pair


def test_a_pair_that_plays_like_all_others_is_usual() -> None:
    assert figures_of(usual, 40).unusual < 1


def test_cards_given_away_game_after_game_are_unusual() -> None:
    found = figures_of(feeding, 20)
    assert found.unusual > 4
    assert found.balance == 2
    assert (found.figures["given"], found.figures["trades"]) == (40, 20)


def test_who_gives_and_who_gets_makes_no_difference() -> None:
    def fed(source: Random) -> Dealings:
        game = feeding(source)
        game.trades[-1] = Trade(1, 0, 3, 1)
        return game

    there, back = figures_of(feeding, 20), figures_of(fed, 20)
    assert back.balance == -there.balance
    assert back.figures["scores"]["balance"] == pytest.approx(there.figures["scores"]["balance"], rel=0.1)


@pytest.mark.parametrize("games", [1, 2, 3])
def test_a_few_games_never_look_unusual_whatever_happens_in_them(games: int) -> None:
    def everything(source: Random) -> Dealings:
        return evening(trades=[(0, 1, 9, 1)] * 9, thefts=[(0, 2), (1, 3)] * 9, winner=1, gave_up=[0])

    assert figures_of(everything, games, shared=3).unusual == 0
    assert figures_of(everything, 8, shared=3).unusual > 5


def test_the_same_game_after_game_is_ever_more_unusual() -> None:
    numbers = [figures_of(feeding, games).unusual for games in (4, 8, 16, 32)]
    assert numbers == sorted(numbers)
    assert numbers[0] < 1.5


def test_one_trade_decides_nothing_however_uneven() -> None:
    def one_gift(source: Random) -> Dealings:
        game = usual(source)
        if not gifts:
            gifts.append(Trade(0, 1, 15, 1))
            game.trades += gifts
        return game

    gifts: list[Trade] = []
    assert figures_of(one_gift, 30).unusual < 1


def test_friends_who_trade_a_lot_and_evenly_are_usual() -> None:
    def friendly(source: Random) -> Dealings:
        game = usual(source)
        for given, got in ((1, 1), (2, 1), (1, 2), (1, 1), (2, 2)):
            game.trades.append(Trade(0, 1, given, got))
        game.answers = {(0, 1): (5, 0), (1, 0): (5, 0), (0, 2): (0, 5), (1, 3): (0, 5)}
        return game

    found = figures_of(friendly, 40, apart=0, shared=2)
    assert found.unusual < 1
    # It is told nevertheless.
    assert found.figures["company"] > 0.8
    assert found.figures["answers"] == [400, 0]
    assert found.figures["answers_to_others"] == [0, 400]


def test_whoever_is_generous_with_everybody_is_usual() -> None:
    def generous(source: Random) -> Dealings:
        return evening(trades=[(0, seat, source.choice((1, 2)), 1) for seat in (1, 2, 3)])

    found = figures_of(generous, 40, apart=40, ada_apart=generous)
    assert found.figures["given"] > 10
    assert found.unusual < 1


def test_several_who_feed_the_same_person_do_not_hide_each_other() -> None:
    def also_fed(source: Random) -> Dealings:
        """By somebody else, in games without Ada. Bo is on the first seat there."""
        return evening(trades=[(1, 0, 3, 1)])

    assert (
        figures_of(feeding, 20, apart=40, bo_apart=also_fed).unusual > 0.6 * figures_of(feeding, 20, apart=40).unusual
    )


def test_two_who_never_rob_each_other_are_unusual() -> None:
    found = figures_of(sparing, 20)
    assert found.unusual > 3
    assert found.figures["robbed"] == [0, 0]
    assert all(expected > 5 for expected in found.figures["usually_robbed"])


def test_whoever_is_far_behind_is_robbed_by_nobody_and_so_spared_by_nobody() -> None:
    def rob(source: Random) -> Dealings:
        thefts = [Theft(seat, source.choice([s for s in (0, 2, 3) if s != seat]), [5, 2, 5, 5]) for seat in range(4)]
        return Dealings(4, 2, thefts=thefts)

    source = Random(2)
    ledger = collusion.Ledger([(ADA, BO)])
    for _ in range(300):
        ledger.add(source.sample(CROWD, 4), rob(source))
    for _ in range(40):
        ledger.add([ADA, BO, *source.sample(CROWD, 2)], rob(source))
    (found,) = ledger.figures({})
    assert found.figures["robbed"][1] == 0
    assert found.unusual < 1


def test_wins_tell_no_more_than_the_cards_of_who_was_fed() -> None:
    def bo_wins(source: Random) -> Dealings:
        game = usual(source)
        game.winner = 1
        return game

    def fed_and_wins(source: Random) -> Dealings:
        game = feeding(source)
        game.winner = 1
        return game

    assert figures_of(bo_wins, 30).unusual < 1
    assert figures_of(fed_and_wins, 20).unusual > figures_of(feeding, 20).unusual + 0.2


def test_resigning_when_the_other_wins_is_unusual_and_resigning_as_everywhere_is_not() -> None:
    def helping(source: Random) -> Dealings:
        game = usual(source)
        game.winner, game.gave_up = 1, [0]
        return game

    def quitting(source: Random) -> Dealings:
        game = usual(source)
        game.gave_up = [0]
        return game

    found = figures_of(helping, 12)
    assert found.figures["helped"] == 12
    assert found.unusual > 4
    assert figures_of(quitting, 12, apart=60, ada_apart=quitting).unusual < 2


def test_being_together_adds_half_at_most_to_favours_and_nothing_to_none() -> None:
    apart, together = figures_of(feeding, 20), figures_of(feeding, 20, shared=1)
    assert apart.unusual < together.unusual < 1.5 * apart.unusual
    alone = figures_of(usual, 30, apart=0, shared=5)
    assert alone.unusual == pytest.approx(figures_of(usual, 30, apart=0).unusual, abs=0.3)


def test_bots_and_people_who_are_forgotten_are_counted_for_nobody() -> None:
    ledger = collusion.Ledger([(ADA, BO)])
    for _ in range(10):
        ledger.add([ADA, None, BO, None], evening(trades=[(0, 1, 3, 1)], thefts=[(0, 1), (1, 2)]))
    (found,) = ledger.figures({})
    assert (found.games, found.balance, found.figures["trades_elsewhere"]) == (10, 0, 10)
    assert found.figures["thefts"] == [0, 10]


def test_without_a_game_there_is_nothing_to_say() -> None:
    assert collusion.Ledger([(ADA, BO)]).figures({}) == []


# Bots that cheat, and bots that do not


@pytest.mark.slow
def test_bots_that_cheat_are_all_above_bots_that_do_not() -> None:
    town = bench.Town.of(
        ((bench.STRONG, 2), (bench.SPARE, 1), (bench.FRIENDS, 1), (bench.OBLIGING, 1)), circles=1, strangers=1
    )
    found = bench.figures(bench.play_games(town, 130, seed=4))
    cheats = [pair for pair, way in town.ways.items() if not way.is_fair]
    assert len(found) > 12
    assert {each.pair for each in found[: len(cheats)]} == set(cheats)
