"""Chance that can be checked.

Everything random of a game is a number below some bound, asked of a :class:`Chance`. In a real game
these numbers come from one secret seed by this public recipe, which anybody can repeat once the
seed is revealed:

1. Before the game, ``commitment = SHA-256(seed)`` is published, in hex. The seed is 32 bytes.
2. Each seat adds a nonce, a text of its own. ``key = HMAC-SHA-256(seed, JSON list of the nonces)``,
   the list written without spaces, in seat order.
3. Move number ``m`` (0 is the deal: board, turn order, deck) draws from a stream of its own. Its
   block ``c`` (0, 1, 2 ...) is ``HMAC-SHA-256(key, "m/c")``, ``m`` and ``c`` in decimal. A block is
   eight words of four bytes, big end first.
4. A draw below ``n`` takes the next word. Words at or above the greatest multiple of ``n`` that
   fits in 32 bits are thrown away, so that every outcome is equally likely; the draw is the word
   modulo ``n``.

A shuffle draws below ``i + 1`` for ``i`` from the last place down to 1 and swaps the two places.

A table may want to see its board before it plays. Then the board has a seed of its own, 32 random bytes
that nobody needs to keep secret, and draws from the stream whose block ``c`` is
``HMAC-SHA-256(board seed, "0/c")``. Move 0 of the game draws turn order and deck alone, as if the board
needed no draw: neither seed says anything of the other.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

if TYPE_CHECKING:
    from random import Random

T = TypeVar("T")

_WORDS: Final = 2**32


class Chance(Protocol):
    """A source of random numbers."""

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound - 1``, each equally likely."""


def shuffled(items: Sequence[T], chance: Chance) -> list[T]:
    result = list(items)
    for last in range(len(result) - 1, 0, -1):
        place = chance.below(last + 1)
        result[last], result[place] = result[place], result[last]
    return result


def commitment(seed: bytes) -> str:
    """What is published before the game, so that the seed cannot be changed later."""
    return hashlib.sha256(seed).hexdigest()


def stream_key(seed: bytes, nonces: Sequence[str]) -> bytes:
    """The key of all streams of a game: the seed, with every seat's nonce mixed in."""
    text = json.dumps(list(nonces), separators=(",", ":"), ensure_ascii=True)
    return hmac.digest(seed, text.encode(), "sha256")


class SeededChance:
    """The stream of one move, and a note of what was drawn from it."""

    def __init__(self, key: bytes, move_number: int) -> None:
        self.drawn: list[int] = []
        self._words = _words(key, move_number)

    def below(self, bound: int) -> int:
        limit = _WORDS - _WORDS % bound
        word = next(word for word in self._words if word < limit)
        self.drawn.append(word % bound)
        return word % bound


def _words(key: bytes, move_number: int) -> Iterator[int]:
    block_number = 0
    while True:
        block = hmac.digest(key, f"{move_number}/{block_number}".encode(), "sha256")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        block_number += 1


def of_board(board_seed: bytes) -> SeededChance:
    """The stream of a board that was seen before the game."""
    return SeededChance(board_seed, 0)


class RecordedChance:
    """Draws that were written down: for replaying a game, and for setting up a test's dice."""

    def __init__(self, draws: Sequence[int]) -> None:
        self._draws = list(draws)
        self.used = 0

    def below(self, bound: int) -> int:
        if self.used == len(self._draws):
            raise DrawsDiffer("The move draws more numbers than were written down.")
        draw = self._draws[self.used]
        self.used += 1
        if not 0 <= draw < bound:
            raise DrawsDiffer(f"A number below {bound} is drawn, {draw} was written down.")
        return draw

    def finish(self) -> None:
        """Every number that was written down must have been asked for."""
        if self.used != len(self._draws):
            raise DrawsDiffer(f"The move draws {self.used} numbers, {len(self._draws)} were written down.")


class DrawsDiffer(Exception):
    """The draws of a move are not those that were written down for it."""


class RandomChance:
    """Chance from a ``random.Random``: for simulations, where nobody needs to check it."""

    def __init__(self, random: Random) -> None:
        self._random = random.random

    def below(self, bound: int) -> int:
        return int(self._random() * bound)
