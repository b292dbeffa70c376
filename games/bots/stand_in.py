"""A bot for somebody who is away: it keeps their game going and does nothing they might regret.

It builds roads, settlements and cities, since cards kept in hand are lost to the next seven. It trades
with nobody, and buys and plays no cards.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from games.rules import Move

from . import builder

#: What it never does.
RISKY: Final = ("offer_trade", "counter_offer", "accept_offer", "confirm_trade", "trade_with_bank", "buy_card")


def choose(view: dict[str, Any], source: Random) -> Move | None:
    """The builder's choice among the safe moves."""
    return builder.choose(view | {"moves": _safe(view["moves"])}, source)


def _safe(moves: dict[str, Any]) -> dict[str, Any]:
    return {kind: ways for kind, ways in moves.items() if kind not in RISKY and not kind.startswith("play_")}
