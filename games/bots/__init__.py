"""Players that see what a person in their seat would see, and choose a move.

A bot is a function of a view (see ``games.rules.player_view``), of what it remembers (see
``memory.Memory``) and of a source of chance. It answers with a move for the viewer's seat, or with
``None`` when nothing is asked of that seat. It keeps nothing itself, and its memory follows from the
log, so that it can be asked again at any time, after a restart too.
"""

from collections.abc import Callable
from random import Random
from typing import Final, Literal, TypeAlias

from games.rules import Move, View
from games.rules.moves import ConfirmTrade, RejectOffer, WithdrawOffer

from . import builder, easy, hard, medium, random_bot, stand_in
from .memory import Memory

Bot: TypeAlias = Callable[[View, Memory, Random], Move | None]
#: How strong a bot is that somebody chooses for a seat.
Strength = Literal["easy", "medium", "hard"]


def _forgetful(choose: Callable[[View, Random], Move | None]) -> Bot:
    """A player who goes by what lies on the table alone."""
    return lambda view, _, source: choose(view, source)


BOTS: Final[dict[str, Bot]] = {
    "easy": easy.choose,
    "medium": medium.choose,
    "hard": hard.choose,
    "builder": _forgetful(builder.choose),
    "random": _forgetful(random_bot.choose),
    "stand_in": _forgetful(stand_in.choose),
}

#: From the weakest to the strongest.
STRENGTHS: Final[tuple[Strength, ...]] = ("easy", "medium", "hard")
#: Who plays a seat for which nobody chose, as when somebody resigns.
DEFAULT: Final[Strength] = "medium"
#: Who plays a seat whose person is away.
STAND_IN: Final = "stand_in"
#: Who chooses for a bot of which nothing comes: one that needs no time.
QUICK: Final = "builder"


def choose(bot: str, view: View, memory: Memory, seed: int) -> Move | None:
    """What a bot of that name chooses; a question for `games.thinking`."""
    return BOTS[bot](view, memory, Random(seed))  # noqa: S311 - a game


def give_up_trade(view: View, agreed: ConfirmTrade) -> Move:
    """What any bot does about a trade whose partner turns out to have lost the cards."""
    is_own = any(offer["number"] == agreed.offer and offer["maker"] == agreed.seat for offer in view["offers"])
    return WithdrawOffer(agreed.seat, agreed.offer) if is_own else RejectOffer(agreed.seat, agreed.offer)


__all__ = ["BOTS", "DEFAULT", "QUICK", "STAND_IN", "STRENGTHS", "Bot", "Memory", "Strength", "choose", "give_up_trade"]
