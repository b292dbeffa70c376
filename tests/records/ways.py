"""The ways in which a game is won, as one can tell them from how it ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.rules import Phase, Record, State
from games.rules.cards import VICTORY_POINT
from games.rules.records import result_of
from games.rules.replay import replay
from games.rules.state import count_kind


@dataclass(frozen=True)
class Ending:
    """A finished game: its last state, and the move that won it."""

    state: State
    #: Who was to move, and what the game waited for, before the last move.
    active: int
    phase: Phase
    kind: str
    #: The kinds of all moves and events of the game, "timeout", and "traded brick" and the like.
    seen: frozenset[str]
    result: dict[str, object]

    @property
    def winner(self) -> int:
        return self.state.winner

    def has_hidden_points(self) -> bool:
        return count_kind(self.state, self.state.cards[self.winner], VICTORY_POINT) > 0


def ending_of(record: Record) -> Ending:
    """Play a record again from its written draws, to the end."""
    active, phase = record.deal.order[0], Phase.PLACING_SETTLEMENT
    seen: set[str] = set()
    last = None
    for step in replay(record, record.written):
        step.chance.finish()
        state, recorded, events = step.state, step.recorded, step.events
        seen |= {recorded.move.kind, *(event.kind for event in events)}
        seen |= {"timeout"} if recorded.timeout else set()
        seen |= {
            f"traded {name}" for e in events if e.kind == "traded" for name in e.public["gives"] | e.public["gets"]
        }
        last = Ending(state, active, phase, recorded.move.kind, frozenset(seen), {})
        active, phase = state.active, state.phase
    assert last, "a game without moves"
    return Ending(last.state, last.active, last.phase, last.kind, last.seen, result_of(last.state))


def _is_on_own_turn(end: Ending) -> bool:
    return end.winner == end.active


WAYS: dict[str, Callable[[Ending], bool]] = {
    "by a settlement": lambda end: end.kind == "build_settlement" and _is_on_own_turn(end),
    "by a city": lambda end: end.kind == "build_city",
    "by a road that takes Longest Road": lambda end: end.kind == "build_road" and end.phase is Phase.MAIN,
    "by a free road that takes Longest Road": lambda end: end.phase is Phase.PLACING_FREE_ROADS,
    "by a knight that takes Largest Army": lambda end: end.kind == "play_knight",
    "by a victory point bought": lambda end: end.kind == "buy_card" and end.has_hidden_points(),
    "by a victory point played": lambda end: end.kind == "play_victory_point",
    "with Longest Road": lambda end: end.state.longest_road == end.winner,
    "with Largest Army": lambda end: end.state.largest_army == end.winner,
    "with both awards": lambda end: end.state.longest_road == end.state.largest_army == end.winner,
    "with neither award": lambda end: end.winner not in (end.state.longest_road, end.state.largest_army),
    "with hidden points revealed": Ending.has_hidden_points,
    "as the turn begins, under turn_begins": lambda end: (
        end.kind == "end_turn" and end.state.rules.win_declared == "turn_begins"
    ),
    "as the turn begins, by a cut on another's": lambda end: (
        end.kind == "end_turn" and end.state.rules.win_declared == "own_turn"
    ),
    "on another's turn, by a cut": lambda end: end.kind == "build_settlement" and not _is_on_own_turn(end),
}
