"""Players that see what a person in their seat would see, and choose a move.

A bot is a function of a view (see ``games.rules.player_view``) and of a source of chance. It
answers with a move for the viewer's seat, or with ``None`` when nothing is asked of that seat.
It remembers nothing, so that it can be asked again at any time, after a restart too.
"""

from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

from games.rules import Move, View
from games.rules.moves import ConfirmTrade, RejectOffer, WithdrawOffer

from . import builder, random_bot, stand_in

Bot: TypeAlias = Callable[[View, Random], Move | None]

BOTS: Final[dict[str, Bot]] = {
    "builder": builder.choose,
    "random": random_bot.choose,
    "stand_in": stand_in.choose,
}

#: Who plays a seat that no person takes, and who plays one whose person is away.
DEFAULT: Final = "builder"
STAND_IN: Final = "stand_in"


def give_up_trade(view: View, agreed: ConfirmTrade) -> Move:
    """What any bot does about a trade whose partner turns out to have lost the cards."""
    is_own = any(offer["number"] == agreed.offer and offer["maker"] == agreed.seat for offer in view["offers"])
    return WithdrawOffer(agreed.seat, agreed.offer) if is_own else RejectOffer(agreed.seat, agreed.offer)


__all__ = ["BOTS", "DEFAULT", "STAND_IN", "Bot", "give_up_trade"]
