"""Random legal play: whatever is played at whatever table, everything holds after every move."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import Phase as HypothesisPhase
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from games.rules import PRESETS, Move, Phase, RandomChance, State, default_move, legal_moves, play, to_act
from games.rules.boards import LAYOUTS
from games.rules.moves import KINDS

from .agreement import is_allowed, some_offer
from .invariants import Witness, check_everybody_waited_for_has_a_default, waits_for_answers
from .secrecy import PUBLIC
from .strategies import (
    MOST_MOVES,
    Table,
    bots_move,
    eager_move,
    haggling_move,
    hoarding_move,
    meddling_move,
    play_watched,
    preset_tables,
    random_table,
    single_changes,
    tables,
    uniform_move,
)
from .table import give, hold

pytestmark = pytest.mark.slow

#: The same games on every run; a failing one is printed as the table that plays it again.
REPEATABLE = settings(
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.parametrize(("preset", "seats"), preset_tables())
@pytest.mark.parametrize("choose", [eager_move, bots_move])
def test_everything_holds_in_whole_games_of_each_preset(
    preset: str, seats: int, choose: Callable[[State, Random], Move]
) -> None:
    layout = list(LAYOUTS)[len(preset + choose.__name__) % len(LAYOUTS)]
    play_watched(Table(preset, seats, layout, 1), choose)


@pytest.mark.parametrize("choose", [eager_move, uniform_move, haggling_move])
def test_everything_holds_under_any_options(choose: Callable[[State, Random], Move]) -> None:
    # A game is one seed and cannot be made smaller: the machine below finds small ones.
    @settings(REPEATABLE, max_examples=12, phases=[HypothesisPhase.generate])
    @given(tables())
    def holds(table: Table) -> None:
        play_watched(table, choose, most_moves=250)

    holds()


@pytest.mark.parametrize("shortage", ["nobody", "sole_claimant"])
def test_everything_holds_where_the_bank_runs_short(shortage: str) -> None:
    for seed in range(3):
        table = Table(f"standard discard_limit=12 bank_shortage={shortage}", 4, "random", seed)
        play_watched(table, hoarding_move, most_moves=500)


@pytest.mark.parametrize("preset", PRESETS)
def test_time_that_is_up_is_a_legal_move_for_everybody_waited_for(preset: str) -> None:
    """Under each single option, in every phase of a turn, with offers that somebody has not answered yet."""
    met: set[Phase] = set()
    for seed, rules in enumerate(single_changes(PRESETS[preset])):
        table = Table(str(rules), rules.most_seats, "random", seed)
        phases = play_with_offers_open(table, moves=300)
        assert phases, f"nobody is asked anything at {table}"
        met |= phases
    with_robber = {Phase.MOVING_ROBBER, Phase.STEALING} if PRESETS[preset].robber else set()
    assert met == {Phase.MAIN, Phase.PLACING_FREE_ROADS} | with_robber


def play_with_offers_open(table: Table, moves: int) -> set[Phase]:
    """Play on from the setup with cards in every hand; the phases in which answers were waited for."""
    state, source = table.new_game()
    chance = RandomChance(source)
    while not state.turn:
        play(state, eager_move(state, source), chance)
    for seat in state.seats:
        give(state, seat, brick=2, lumber=2, wool=2, grain=2, ore=2)
        hold(state, seat, "knight", "knight", *["road_building"] * (seat < 2))
    phases = set()
    try:
        for _ in range(moves):
            if state.phase is Phase.OVER:
                break
            play(state, meddling_move(state, source), chance)
            check_everybody_waited_for_has_a_default(state, source)
            if waits_for_answers(state):
                phases.add(state.phase)
    except AssertionError as error:
        error.add_note(f"at {table}")
        raise
    return phases


class AnyGame(RuleBasedStateMachine):
    """A game of which hypothesis chooses every single move, and shrinks the ones that fail."""

    state: State

    @initialize(table=tables())
    def deal(self, table: Table) -> None:
        self.state, self.source = table.new_game()
        self.chance = RandomChance(self.source)
        self.witness = Witness(self.state, Random(table.seed))
        while not self.state.turn:
            self.play(default_move(self.state, self.state.active, self.chance))

    def play(self, move: Move | None) -> None:
        assert move, "a timeout does nothing for a seat that is to act"
        self.witness.saw(self.state, move, play(self.state, move, self.chance))

    def is_running(self) -> bool:
        return self.state.phase is not Phase.OVER

    @precondition(is_running)
    @rule(choice=st.integers(0, 2**16), who=st.integers(0, 3))
    def somebody_moves(self, choice: int, who: int) -> None:
        waiting = to_act(self.state)
        moves = legal_moves(self.state, waiting[who % len(waiting)])
        self.play(moves[choice % len(moves)])

    @precondition(lambda self: self.state.offers)
    @rule(choice=st.integers(0, 2**16), who=st.integers(0, 3))
    def somebody_answers(self, choice: int, who: int) -> None:
        moves = legal_moves(self.state, who % len(self.state.order))
        if moves:
            self.play(moves[choice % len(moves)])

    @precondition(lambda self: self.state.phase is Phase.MAIN)
    @rule(seed=st.integers(0, 2**16), who=st.integers(0, 3))
    def somebody_offers(self, seed: int, who: int) -> None:
        offer = some_offer(self.state, who % len(self.state.order), Random(seed))
        if is_allowed(self.state, offer):
            self.play(offer)

    @precondition(is_running)
    @rule()
    def time_is_up(self) -> None:
        for seat in to_act(self.state):
            self.play(default_move(self.state, seat, self.chance))


class TestAnyGame(AnyGame.TestCase):  # type: ignore[name-defined, misc]
    settings = settings(REPEATABLE, max_examples=30, stateful_step_count=60)


def test_random_play_comes_to_an_end() -> None:
    """Most of it: players without a plan may wander about for ever."""
    ended = 0
    for seed, (preset, seats) in enumerate(preset_tables() * 3):
        state, source = Table(preset, seats, "random", seed).new_game()
        chance = RandomChance(source)
        for _ in range(MOST_MOVES):
            if state.phase is Phase.OVER:
                ended += 1
                break
            play(state, eager_move(state, source), chance)
    assert ended >= 20, f"{ended} of 27 games ended"


def test_random_play_reaches_every_kind_of_move_and_event() -> None:
    """Else the tests above would hold for want of anything to look at."""
    # Hardly any game leaves a friendly robber nowhere to go: test_house_rules.py lays that out.
    moves_left, events_left = set(KINDS), set(PUBLIC) - {"robber_stayed"}
    for seed in range(200):
        state, source = random_table(seed).new_game()
        chance = RandomChance(source)
        for _ in range(1_500):
            if state.phase is Phase.OVER:
                break
            move = haggling_move(state, source)
            moves_left.discard(move.kind)
            events_left -= {event.kind for event in play(state, move, chance)}
        if not moves_left and not events_left:
            return
    pytest.fail(f"never seen: {sorted(moves_left)}, {sorted(events_left)}")
