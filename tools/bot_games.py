"""One game among bots, asked in the order in which the site would ask them. For the arena, for tuning and for tests."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator, Sequence
from importlib import import_module
from math import inf
from random import Random
from typing import NamedTuple

from games.bots import BOTS, Bot, Memory, give_up_trade
from games.rules import (
    Chance,
    Event,
    IllegalMove,
    Move,
    Phase,
    RandomChance,
    RuleSet,
    State,
    View,
    default_move,
    new_game,
    play,
    player_view,
    to_act,
)
from games.rules.boards import Layout
from games.rules.moves import ConfirmTrade
from games.rules.state import Offer

#: A game of bots takes some 500 moves. One that takes so many has no end.
MOST_MOVES = 5_000


class Player:
    """A bot on its seat, with its own memory and its own chance."""

    def __init__(self, bot: Bot, seat: int, seats: int, source: Random) -> None:
        self.bot = bot
        self.seat = seat
        self.memory = Memory(seat, seats)
        self.source = source


class Step(NamedTuple):
    """What a bot did when it was asked."""

    move: Move
    events: list[Event]
    #: The processor's time that choosing took.
    seconds: float
    #: Why another move was made than the bot's, if the rules refused it or it had none.
    mistake: str = ""


def deal_game(rules: RuleSet, bots: Sequence[Bot], layout: Layout, seed: str) -> tuple[State, list[Player], Chance]:
    """A fresh game, with everything it takes to play it. The same seed deals and rolls the same."""
    seats = len(bots)
    chance = RandomChance(Random(seed))  # noqa: S311 - a simulation
    players = [Player(bot, seat, seats, Random(f"{seed} {seat}")) for seat, bot in enumerate(bots)]  # noqa: S311
    return new_game(rules, seats, layout, chance), players, chance


def steps(state: State, players: Sequence[Player], chance: Chance, most_moves: int = MOST_MOVES) -> Iterator[Step]:
    """Play until the game is over; whoever iterates sees each step when the state has it."""
    for _ in range(most_moves):
        if state.phase is Phase.OVER:
            return
        step = _step(state, players[asked(state)], chance)
        for player in players:
            player.memory.learn([event.seen_by(player.seat) for event in step.events])
        yield step


def asked(state: State) -> int:
    """Whom the site would ask next (``games.clocks.bots_ready``): first answers to offers, the oldest first; whoever
    made one waits for them."""
    waiting = {offer.maker for offer in state.offers if unanswered(offer)}
    ready = {seat: inf if seat in waiting else -inf for seat in to_act(state)}
    for offer in state.offers:
        for seat in unanswered(offer):
            ready[seat] = min(ready.get(seat, inf), offer.number)
    return min(ready, key=lambda seat: (ready[seat], seat))


def unanswered(offer: Offer) -> set[int]:
    return {*offer.to}.difference(offer.accepted, offer.rejected)


def _step(state: State, player: Player, chance: Chance) -> Step:
    view = player_view(state, player.seat)
    move, seconds, mistake = _chosen(player, view)
    if move is not None:
        try:
            return Step(move, play(state, move, chance), seconds)
        except IllegalMove as refusal:
            if isinstance(move, ConfirmTrade) and refusal.code == "promise_broken":
                instead: Move | None = give_up_trade(view, move)
            else:
                mistake = f"{move} is refused: {refusal.code}"
                instead = default_move(state, player.seat, chance)
    else:
        instead = default_move(state, player.seat, chance)
    if instead is None:
        raise AssertionError(f"seat {player.seat} is asked, but a timeout does nothing for it")
    return Step(instead, play(state, instead, chance), seconds, mistake)


def _chosen(player: Player, view: View) -> tuple[Move | None, float, str]:
    """The bot's move, the time it took, and why there is none: one that fails must not end a run of thousands."""
    began = time.process_time()
    try:
        move = player.bot(view, player.memory, player.source)
    except Exception as error:
        return None, time.process_time() - began, "".join(traceback.format_exception(error))
    return move, time.process_time() - began, "" if move else "it has no move"


def bot_named(name: str) -> Bot:
    """A bot of the table ``BOTS``, or any other as ``module:function``."""
    module, _, function = name.partition(":")
    if not function:
        return BOTS[name]
    bot: Bot = getattr(import_module(module), function)
    return bot
