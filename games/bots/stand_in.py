"""A bot for somebody who is away: it keeps the game moving and does nothing they might regret.

It trades with nobody, and buys and plays no cards. Points that lie on the table it takes: a settlement
or a city is never in the way of whoever comes back.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from games.rules import Move

from . import builder

#: The kinds of move it makes, beside those that a phase demands.
SAFE: Final = frozenset({"build_settlement", "build_city", "end_turn"})


def choose(view: dict[str, Any], source: Random) -> Move | None:
    """The builder's choice among the safe moves."""
    return builder.choose(view | {"moves": _safe(view)}, source)


def _safe(view: dict[str, Any]) -> dict[str, Any]:
    if view["phase"] == "rolling":
        wanted = frozenset({"roll"})
    elif view["phase"] == "main" and view["active"] == view["viewer"]:
        wanted = SAFE | {"reject_offer"}
    elif view["phase"] == "main":
        wanted = frozenset({"reject_offer"})
    else:
        return dict(view["moves"])
    return {kind: ways for kind, ways in view["moves"].items() if kind in wanted}
