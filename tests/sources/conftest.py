"""Games in the database: the same cast and the same clock as in `tests/games`."""

from tests.games.conftest import bob, charlie, clock

__all__ = ["bob", "charlie", "clock"]
