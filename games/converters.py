"""What an address of the site may call a game."""

from games.keys import GAME_DIGITS


class GameConverter:
    """A game's number, as far as the ids made of it fit into a database's integers."""

    regex = f"[0-9]{{1,{GAME_DIGITS}}}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)
