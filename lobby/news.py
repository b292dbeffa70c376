"""Who hears that something has changed: all who look at the front page, one person, or those who play a game.

Only that something changed is said; what it looks like now, the page asks for. A message that fails or is missed is
no harm: a page looks whenever its socket opens.
"""

from collections.abc import Iterable
from typing import Final, Literal

from django.db import transaction

from games import broadcast

#: Everybody who looks at the front page.
FRONT: Final = "front"


class FrontChanged(broadcast.Message):
    type: Literal["front.changed"]


class GamesChanged(broadcast.Message):
    """A person has a game that they had not."""

    type: Literal["games.changed"]


class GameWaits(broadcast.Message):
    """Of some seats of a game something else is asked than before; of all, once it has ended."""

    type: Literal["game.waits"]
    game: int
    seats: list[int]


def person_group(user_id: int) -> str:
    """One person, at the front page and wherever else it is said how many games wait for them."""
    return f"front-{user_id}"


def players_group(game_id: int) -> str:
    """Those who play a game, there too."""
    return f"players-{game_id}"


def tell_everybody() -> None:
    """After the commit, that the open tables have changed."""
    _send([FRONT], {"type": "front.changed"})


def tell(people: Iterable[int]) -> None:
    """After the commit, that something of theirs has changed."""
    _send([person_group(user_id) for user_id in people], {"type": "front.changed"})


def _send(groups: list[str], message: FrontChanged) -> None:
    def send() -> None:
        for group in groups:
            broadcast.send(group, message)

    transaction.on_commit(send, robust=True)
