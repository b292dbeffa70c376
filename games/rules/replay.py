"""A game played again from its record: the one loop for whoever wants to check a game, or to see an earlier version."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from .chance import Chance
from .defaults import is_default_move
from .engine import play, start
from .events import Event
from .records import Record, RecordedMove
from .refusals import IllegalMove, MalformedMove
from .state import State

C = TypeVar("C", bound=Chance)


class CannotReplay(Exception):
    """The rules do not let anybody make this move at this point of the game."""

    def __init__(self, number: int, recorded: RecordedMove, why: str) -> None:
        self.number, self.recorded, self.why = number, recorded, why
        super().__init__(f"Move {number} {why}")


@dataclass(frozen=True, slots=True)
class Step(Generic[C]):
    """One move of a game that is played again, and the game right after it."""

    #: The move's number, which is the version that it led to.
    number: int
    recorded: RecordedMove
    #: One and the same object at every step, changed from move to move: copy it to keep it.
    state: State
    events: list[Event]
    #: What the move has drawn from; whether that is what was written down is for the caller to judge.
    chance: C


def replay(record: Record, chance: Callable[[int], C]) -> Iterator[Step[C]]:
    """Play a record again: from its seed with ``record.chance``, from its written draws with ``record.written``.

    The game at version N is the state of step N; at version 0 it is ``start(record.rules, record.deal)``.
    """
    state = start(record.rules, record.deal)
    for number, recorded in enumerate(record.moves, start=1):
        drawn_from = chance(number)
        try:
            # What a timeout chooses at random is drawn first, from the numbers of the move itself.
            if recorded.timeout and not is_default_move(state, recorded.move, drawn_from):
                raise CannotReplay(number, recorded, "is not what a timeout does.")
            events = play(state, recorded.move, drawn_from)
        except IllegalMove as refusal:
            raise CannotReplay(number, recorded, f"is illegal: {refusal.sentence}") from refusal
        except MalformedMove as error:
            raise CannotReplay(number, recorded, f"is no move of this game: {error}") from error
        yield Step(number, recorded, state, events, drawn_from)
