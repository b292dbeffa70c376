"""Games in the database: the same cast and the same clock as in `tests/games`."""

from tests.games.conftest import _forget_games, bob, charlie, clock

__all__ = ["_forget_games", "bob", "charlie", "clock"]
