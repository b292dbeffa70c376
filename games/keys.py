"""The numbers that a game's rows are known by.

Whatever the rules know by a number has an id made of the game's and that number: the number in the low
bits, the game's above them. Each kind of thing has room for the largest board and table there are, those of
five and six players (30 hexes, 80 vertices, 109 edges, 34 cards), and some more, so that games with them need no
other ids than today's; and the largest number that an address may call a game still makes ids of 64 bits.

A game's own number is drawn, not counted: it is in the game's address, and whoever has one link shall not find
other games by counting on from it.
"""

import secrets
from typing import Final

#: How many of each there can be in one game: powers of two.
SEATS: Final = 2**3
HEXES: Final = 2**6
VERTICES: Final = 2**7
EDGES: Final = 2**8
CARDS: Final = 2**6
#: More than the rules' MOST_OFFERS.
OFFERS: Final = 2**20

#: How many digits the number of a game may have.
GAME_DIGITS: Final = 12


def new_game_number() -> int:
    """Nobody else's, in all likelihood: of a million games, the next finds its number taken once in a million times."""
    least: int = 10 ** (GAME_DIGITS - 1)
    return least + secrets.randbelow(9 * least)
