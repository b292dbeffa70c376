"""A bot for somebody who is away: it keeps their game going and does nothing they might regret.

It builds roads, settlements and cities, since cards kept in hand are lost to the next seven. It trades
with nobody, and buys and plays no cards.
"""

from __future__ import annotations

from random import Random
from typing import Final, cast

from games.rules import Move, View
from games.rules.views import Choices

from . import builder

#: What it never does.
RISKY: Final = ("offer_trade", "counter_offer", "accept_offer", "confirm_trade", "trade_with_bank", "buy_card")


def choose(view: View, source: Random) -> Move | None:
    """The builder's choice among the safe moves."""
    return builder.choose({**view, "choices": _safe(view["choices"])}, source)


def _safe(choices: Choices) -> Choices:
    safe = {kind: ways for kind, ways in choices.items() if kind not in RISKY and not kind.startswith("play_")}
    return cast("Choices", safe)
