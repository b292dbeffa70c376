"""What a careful person at the table remembers of what was public, and of what they saw themselves."""

from __future__ import annotations

from collections.abc import Iterable

from games.rules.events import Seen


class Memory:
    """Kept up from the events of a game as one seat sees them; the same events make the same memory."""

    def __init__(self, seat: int, seats: int) -> None:
        self.seat = seat
        self.seats = seats

    def learn(self, events: Iterable[Seen]) -> None:
        """Take in what a move made happen, as this seat sees it."""
