"""Tables to play at, and players who try everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from games.bots import builder, give_up_trade
from games.rules import (
    PRESETS,
    Move,
    Phase,
    RandomChance,
    RuleSet,
    State,
    View,
    default_move,
    legal_moves,
    new_game,
    play,
    player_view,
    to_act,
)
from games.rules.boards import LAYOUTS
from games.rules.moves import EndTurn
from games.rules.ruleset import OPTIONS, Value

from .agreement import is_allowed, is_promise_broken, playable_moves, some_offer
from .invariants import Witness, waits_for_answers

#: Nobody at a real table plays so long; few random games do.
MOST_MOVES = 2_000


@dataclass(frozen=True)
class Table:
    """Everything that decides a whole game: print it and the game can be played again."""

    rules: str
    seats: int
    layout: str
    seed: int

    def new_game(self) -> tuple[State, Random]:
        source = Random(self.seed)
        rules = RuleSet.from_text(self.rules)
        return new_game(rules, self.seats, self.layout, RandomChance(source)), source


def option_values() -> dict[str, list[Value]]:
    return {option.name: list(option.numbers or [value for value, _ in option.values]) for option in OPTIONS}


def random_rules(source: Random) -> RuleSet:
    """A preset with each option changed, or not, to any of its values."""
    changes = {name: source.choice(values) for name, values in option_values().items() if source.random() < 0.5}
    return PRESETS[source.choice(list(PRESETS))].with_options(**changes)


def single_changes(rules: RuleSet) -> list[RuleSet]:
    """A rule set as it is, and with each single option changed to each of its values."""
    changes = [{name: value} for name, values in option_values().items() for value in values]
    return list(dict.fromkeys([rules, *(rules.with_options(**change) for change in changes)]))


def random_table(seed: int) -> Table:
    source = Random(f"table {seed}")
    rules = random_rules(source)
    return Table(str(rules), source.choice(rules.seats), source.choice(list(LAYOUTS)), seed)


def preset_tables() -> list[tuple[str, int]]:
    return [(name, seats) for name, rules in PRESETS.items() for seats in rules.seats]


def soak_table(number: int) -> Table:
    """Every other game is one of a preset, in all layouts; the rest have options at random."""
    if number % 2:
        return random_table(number)
    presets = preset_tables()
    preset, seats = presets[number // 2 % len(presets)]
    return Table(preset, seats, list(LAYOUTS)[number // 18 % len(LAYOUTS)], number)


# For hypothesis


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    names = draw(st.sets(st.sampled_from([option.name for option in OPTIONS])))
    values = option_values()
    changes = {name: draw(st.sampled_from(values[name])) for name in sorted(names)}
    return PRESETS[draw(st.sampled_from(list(PRESETS)))].with_options(**changes)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    rules = draw(rule_sets())
    return Table(
        str(rules),
        draw(st.sampled_from(list(rules.seats))),
        draw(st.sampled_from(list(LAYOUTS))),
        draw(st.integers(0, 2**32)),
    )


# Players

#: How eagerly a player in a hurry to win does each thing that can be done in a turn.
EAGERNESS = {
    "build_city": 60,
    "build_settlement": 60,
    "play_victory_point": 20,
    "confirm_trade": 20,
    "accept_offer": 8,
    "buy_card": 6,
    "play_knight": 6,
    "play_road_building": 6,
    "end_turn": 1,
    "trade_with_bank": 1.5,
    "build_road": 2,
    "withdraw_offer": 0.5,
}
HAGGLING = {"accept_offer": 5, "confirm_trade": 1, "reject_offer": 0.5, "withdraw_offer": 0.5}
INTERRUPTIONS = ("play_knight", "play_road_building")
SETUP = (Phase.PLACING_SETTLEMENT, Phase.PLACING_ROAD)


def eager_move(state: State, source: Random) -> Move:
    """A legal move of somebody: offers, answers out of turn and timeouts included."""
    seat = source.choice(to_act(state))
    if source.random() < (0.6 if state.phase in SETUP else 0.02):
        timeout = default_move(state, seat, RandomChance(source))
        assert timeout, f"a timeout does nothing for seat {seat}, who is to act"
        return timeout
    if state.phase is Phase.MAIN or state.offers:
        speaker = source.randrange(len(state.order)) if state.offers else seat
        if source.random() < 0.15:
            offer = some_offer(state, speaker, source)
            if is_allowed(state, offer):
                return offer
        if source.random() < 0.5 and legal_moves(state, speaker):
            seat = speaker
    by_kind: dict[str, list[Move]] = {}
    for move in playable_moves(state, seat):
        by_kind.setdefault(move.kind, []).append(move)
    weights = [EAGERNESS.get(kind, 1) for kind in by_kind]
    return source.choice(source.choices(list(by_kind.values()), weights)[0])


def haggling_move(state: State, source: Random) -> Move:
    """Players who love to trade: many offers, said yes to by many, concluded one by one."""
    if (state.phase is Phase.MAIN or state.offers) and source.random() < 0.9:
        seat = source.randrange(len(state.order))
        offer = some_offer(state, seat, source)
        if source.random() < 0.3 and is_allowed(state, offer):
            return offer
        answers = [move for move in playable_moves(state, seat) if move.kind in HAGGLING]
        if answers:
            return source.choices(answers, [HAGGLING[move.kind] for move in answers])[0]
    return eager_move(state, source)


def meddling_move(state: State, source: Random) -> Move:
    """Players who make offers, and play a card that interrupts the turn while others still ponder over them."""
    if state.phase is Phase.MAIN:
        cards = [move for move in playable_moves(state, state.active) if move.kind in INTERRUPTIONS]
        if cards and waits_for_answers(state):
            return source.choice(cards)
        offer = some_offer(state, state.active, source)
        if source.random() < 0.6 and is_allowed(state, offer):
            return offer
    return eager_move(state, source)


def hoarding_move(state: State, source: Random) -> Move:
    """Players who mostly keep what they get, until the bank runs short."""
    if state.phase is Phase.MAIN and source.random() < 0.85:
        return EndTurn(state.active)
    return eager_move(state, source)


def uniform_move(state: State, source: Random) -> Move:
    """Any listed move of anybody who has one."""
    seats = [seat for seat in range(len(state.order)) if playable_moves(state, seat)]
    return source.choice(playable_moves(state, source.choice(seats)))


def bots_move(
    state: State, source: Random, bots: Sequence[Callable[[View, Random], Move | None]] = (builder.choose,) * 4
) -> Move:
    """What the first bot that wants to act does; the player to move is asked last."""
    for seat in sorted(range(len(state.order)), key=lambda seat: seat == state.active):
        view = player_view(state, seat)
        move = bots[seat](view, source)
        if move:
            return give_up_trade(view, move) if is_promise_broken(state, move) else move
    raise AssertionError(f"no bot moves in {state.phase}")


def play_watched(
    table: Table, choose: Callable[[State, Random], Move] = eager_move, most_moves: int = MOST_MOVES
) -> tuple[State, int]:
    """Play a whole game under the eyes of a witness; the state at its end and the moves it took."""
    state, source = table.new_game()
    witness = Witness(state, Random(table.seed))
    chance = RandomChance(source)
    try:
        while state.phase is not Phase.OVER and witness.moves < most_moves:
            move = choose(state, source)
            witness.saw(state, move, play(state, move, chance))
    except Exception as error:
        error.add_note(f"at {table}, played by {choose.__name__}")
        raise
    return state, witness.moves
