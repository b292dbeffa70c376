"""A game from the deal to the win: the functions everything else plays through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from typing_extensions import TypedDict

from . import moves
from .boards import Board, Layout, WrittenBoard, lay
from .cards import CARD_NAMES, DECK, CardKind
from .chance import Chance, shuffled
from .events import Event
from .moves import EndTurn, Move
from .phases import OUT_OF_TURN, PHASES
from .phases.rolling import ALL_ROLLS
from .phases.trading import offer_moves
from .refusals import IllegalMove, MalformedMove, refuse
from .ruleset import RuleSet, RuleSetError
from .state import NOBODY, Phase, State, fresh_state, points

# The deal


class WrittenDeal(TypedDict):
    board: WrittenBoard
    #: The seats in the order of play.
    order: list[int]
    #: The development cards, from the top.
    deck: list[str]
    #: The rolls for the first turn, by seat, one round after the other.
    rolls: list[dict[str, int]]


@dataclass(frozen=True, slots=True)
class Deal:
    """All that chance decides before the first move."""

    board: Board
    #: The seats in the order of play.
    order: tuple[int, ...]
    #: The development cards, from the top.
    deck: tuple[CardKind, ...]
    #: Where the highest roll decides who begins: the seats’ rolls, then those of the tied ones ...
    rolls: tuple[dict[int, int], ...] = ()

    def to_json(self) -> WrittenDeal:
        return {
            "board": self.board.to_json(),
            "order": list(self.order),
            "deck": [CARD_NAMES[kind] for kind in self.deck],
            "rolls": [{str(seat): roll for seat, roll in rolls.items()} for rolls in self.rolls],
        }

    @staticmethod
    def from_json(data: Any) -> Deal:
        return Deal(
            Board.from_json(data["board"]),
            tuple(data["order"]),
            tuple(CARD_NAMES.index(name) for name in data["deck"]),
            tuple({int(seat): roll for seat, roll in rolls.items()} for rolls in data["rolls"]),
        )


def deal(rules: RuleSet, seats: int, layout: Layout, chance: Chance, board_chance: Chance | None = None) -> Deal:
    """Lay the board, find who begins, shuffle the development cards.

    A board that was seen before the game has a chance of its own, so that it tells nothing of the rest.
    """
    if seats not in rules.seats:
        raise RuleSetError(f"This game is for {' or '.join(map(str, rules.seats))} players, not for {seats}.")
    board = lay(layout, board_chance or chance)
    rolls: list[dict[int, int]] = []
    if rules.turn_order == "random":
        order = tuple(shuffled(range(seats), chance))
    elif rules.turn_order == "highest_roll":
        first = _highest_roller(list(range(seats)), rolls, chance)
        order = tuple((first + place) % seats for place in range(seats))
    else:
        order = tuple(range(seats))
    return Deal(board, order, tuple(shuffled(DECK, chance)), tuple(rolls))


def _highest_roller(seats: list[int], rolls: list[dict[int, int]], chance: Chance) -> int:
    """Everyone rolls both dice; those who tie for the highest roll again."""
    while len(seats) > 1:
        rolls.append({seat: chance.below(6) + chance.below(6) + 2 for seat in seats})
        highest = max(rolls[-1].values())
        seats = [seat for seat, roll in rolls[-1].items() if roll == highest]
    return seats[0]


def start(rules: RuleSet, dealt: Deal) -> State:
    """The game as it was dealt, waiting for the first settlement."""
    state = fresh_state(rules, dealt.board, dealt.order, dealt.deck)
    if rules.balanced_dice:
        state.dice_deck = list(ALL_ROLLS)
    return state


def new_game(rules: RuleSet, seats: int, layout: Layout, chance: Chance) -> State:
    return start(rules, deal(rules, seats, layout, chance))


# Moves


def legal_moves(state: State, seat: int) -> Sequence[Move]:
    """Every move the seat could make now, but for new offers and counter-offers.

    Those can be made of any cards; ``may_offer`` tells whether there is any to make. A trade that
    somebody agreed to is listed whether or not they can keep their promise: that is their secret,
    and comes out as ``promise_broken`` when the trade is confirmed.
    """
    moves = PHASES[state.phase].legal_moves(state, require_seat(state, seat))
    return [*moves, *offer_moves(state, seat)] if state.offers else moves


def play(state: State, move: Move, chance: Chance) -> list[Event]:
    """Play a move and tell what happened. A refused move leaves the state as it was."""
    require_seat(state, move.seat)
    act = PHASES[state.phase].acts.get(type(move))
    if act is None or not may_act(state, move.seat, type(move)):
        refuse(untimely(state, move.seat, type(move)))
    events = act(state, move, chance)
    winner = find_winner(state, move) if type(move) in SCORING else NOBODY
    if winner != NOBODY:
        state.phase = Phase.OVER
        state.winner = winner
        state.offers = ()
        events.append(Event("won", winner, {"points": points(state, winner)}))
    return events


def is_legal(state: State, move: Move) -> bool:
    """Whether the rules allow this move now, offers and counter-offers too."""
    try:
        play(state.copy(), move, _AnyChance())
    except IllegalMove:
        return False
    return True


class _AnyChance:
    """Whether a move is legal never depends on chance."""

    def below(self, bound: int) -> int:
        return 0


def may_act(state: State, seat: int, kind: type[Move]) -> bool:
    """Only the player to move acts, except for discarding and answering an offer."""
    return seat == state.active or kind in OUT_OF_TURN


def untimely(state: State, seat: int, kind: type[Move]) -> str:
    """The rule by which this kind of move is not for this seat now."""
    if state.phase is Phase.OVER:
        return "game_over"
    if not may_act(state, seat, kind):
        return "not_your_turn"
    if state.phase is Phase.ROLLING:
        return "roll_first"
    if kind in (moves.Roll, moves.SkipRoll) and state.rolled:
        return "already_rolled"
    return "wrong_phase"


def require_seat(state: State, seat: int) -> int:
    """A seat of this table: 0 to the number of seats less one."""
    if seat not in state.seats:
        raise MalformedMove(f"There is no seat {seat} at this table of {len(state.order)}.")
    return seat


def to_act(state: State) -> tuple[int, ...]:
    """The seats the game waits for."""
    if state.phase is Phase.OVER:
        return ()
    if state.phase is Phase.DISCARDING:
        return tuple(seat for seat in state.seats if state.discards[seat])
    return (state.active,)


# The win

#: The moves by which somebody may come to have won: all that score, and the one that begins a turn.
SCORING: Final = frozenset(
    {
        moves.BuildRoad,
        moves.BuildSettlement,
        moves.BuildCity,
        moves.BuyCard,
        moves.PlayKnight,
        moves.PlayVictoryPoint,
        moves.ConfirmTrade,
        moves.EndTurn,
    }
)


def find_winner(state: State, move: Move) -> int:
    """Who has won by this move, if anybody."""
    goal = state.rules.points_to_win
    when = state.rules.win_declared
    if when == "turn_begins" and type(move) is not EndTurn:
        return NOBODY
    if points(state, state.active) >= goal:
        return state.active
    if when == "any_moment":
        for seat in state.seats:
            if points(state, seat) >= goal:
                return seat
    return NOBODY
