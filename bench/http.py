"""How many moves a second programs can make over HTTP, and how long each takes, beside the floor.

Eight clients, each at a game of its own, send a move as soon as the one before is answered, with the tokens of those
whose turn it is. Their moves were chosen before, so that next to nothing of what is measured is the clients' own work.
The floor and the servers are those of `bench.persistence`; moves and floor take turns here too.
"""

from __future__ import annotations

from .persistence import on_both_stacks


def measure() -> None:
    on_both_stacks("HTTP on {}: 8 clients with tokens, moves of games with a minute for each", "bench.clients")
