"""The record of a game: everything needed to play it again, move by move, and to check it.

A record has a JSON form and a text form with one move a line. Its moves carry the numbers that
chance drew for them, so that a game can be replayed without its seed; with the seed, every draw can
be derived again (see ``replay`` and ``verify``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NotRequired

from typing_extensions import TypedDict

from . import moves
from .boards import Layout
from .chance import RecordedChance, SeededChance, commitment, of_board, stream_key
from .defaults import default_move
from .engine import Deal, WrittenDeal, deal, play, start
from .events import Event
from .moves import Move
from .ruleset import RULES_VERSION, RuleSet, Value
from .state import State, points
from .written import Json

FORMAT: Final = "catan-record-1"
#: As many bytes has every seed.
SEED_LENGTH: Final = 32


class RecordError(ValueError):
    """This is not the record of a game."""


class WrittenMove(TypedDict):
    #: The move, with its seat.
    move: Mapping[str, Json]
    #: What chance drew for it.
    draws: list[int]
    #: Whether the clock made it.
    timeout: bool


class Result(TypedDict):
    """How a game stands, in the few numbers that a replay must reach again."""

    winner: int
    #: By seat.
    points: list[int]
    #: How many there were.
    turns: int
    #: By seat: counts of brick, lumber, wool, grain and ore.
    hands: list[list[int]]


class WrittenRecord(TypedDict):
    format: str
    #: Grows when a rule changes in a way that lets a game end differently.
    rules_version: int
    rules: dict[str, Value]
    #: How many there are.
    seats: int
    layout: Layout
    #: What was told of the seed before the game: its hash.
    commitment: str
    #: Of all chance in the game, in hexadecimal digits.
    seed: str
    #: Only where the board was seen before the game.
    board_seed: NotRequired[str]
    #: What each seat has mixed in.
    nonces: list[str]
    #: How strong the bot on each seat was at the end, empty for people; only where there was a bot.
    bots: NotRequired[list[str]]
    #: What chance decided before the first move.
    deal: WrittenDeal
    #: Every move, in its order.
    moves: list[WrittenMove]
    #: Null while it is not over.
    result: Result | None


@dataclass(frozen=True, slots=True)
class RecordedMove:
    move: Move
    draws: tuple[int, ...] = ()
    #: The seat’s time was up and this is the move made for it.
    timeout: bool = False

    def to_json(self) -> WrittenMove:
        return {"move": self.move.to_json(), "draws": list(self.draws), "timeout": self.timeout}

    @staticmethod
    def from_json(data: Any) -> RecordedMove:
        return RecordedMove(moves.from_json(data["move"]), tuple(data["draws"]), bool(data["timeout"]))

    def __str__(self) -> str:
        words = [str(self.move)]
        if self.timeout:
            words.append("timeout")
        if self.draws:
            words.append("; " + " ".join(map(str, self.draws)))
        return " ".join(words)

    @staticmethod
    def from_text(line: str) -> RecordedMove:
        text, _, draws = line.partition(";")
        text = text.strip()
        timeout = text.endswith(" timeout")
        return RecordedMove(
            moves.from_text(text.removesuffix(" timeout")),
            tuple(int(draw) for draw in draws.split()),
            timeout,
        )


@dataclass(slots=True)
class Record:
    rules: RuleSet
    seats: int
    layout: Layout
    deal: Deal
    #: Known to the server alone until the game is over.
    seed: bytes
    nonces: tuple[str, ...]
    moves: list[RecordedMove] = field(default_factory=list)
    rules_version: int = RULES_VERSION
    #: The end, once the game has one.
    result: Result | None = None
    #: Of a board that was seen before the game; no secret.
    board_seed: bytes | None = None
    #: How strong the bot on each seat is, empty for people; nothing where there is none.
    bots: tuple[str, ...] = ()

    @property
    def key(self) -> bytes:
        return stream_key(self.seed, self.nonces)

    def chance(self, move_number: int) -> SeededChance:
        """The stream that a move draws from; the deal is number 0, the first move 1."""
        return SeededChance(self.key, move_number)

    def written(self, move_number: int) -> RecordedChance:
        """What was written down that a move drew, for a replay that does not know the seed."""
        return RecordedChance(self.moves[move_number - 1].draws)

    def dealt(self) -> Deal:
        """What the seeds deal, whatever the record says of it."""
        return deal_from(self.rules, self.seats, self.layout, self.seed, self.nonces, self.board_seed)

    def to_json(self) -> WrittenRecord:
        written: WrittenRecord = {
            "format": FORMAT,
            "rules_version": self.rules_version,
            "rules": self.rules.to_json(),
            "seats": self.seats,
            "layout": self.layout,
            "commitment": commitment(self.seed),
            "seed": self.seed.hex(),
            "nonces": list(self.nonces),
            "deal": self.deal.to_json(),
            "moves": [recorded.to_json() for recorded in self.moves],
            "result": self.result,
        }
        if self.board_seed is not None:
            written["board_seed"] = self.board_seed.hex()
        if self.bots:
            written["bots"] = list(self.bots)
        return written

    @staticmethod
    def from_json(data: Any) -> Record:
        try:
            record = _read_header(data)
            record.moves = [RecordedMove.from_json(recorded) for recorded in data["moves"]]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise RecordError(f"This is not the record of a game: {error}") from error
        return record

    def __str__(self) -> str:
        """The text form: the header as one line of JSON, then a numbered line for each move."""
        header = {name: value for name, value in self.to_json().items() if name != "moves"}
        lines = [json.dumps(header)]
        lines += [f"{number} {recorded}" for number, recorded in enumerate(self.moves, start=1)]
        return "\n".join(lines) + "\n"

    @staticmethod
    def from_text(text: str) -> Record:
        header, *lines = text.splitlines() or [""]
        try:
            record = _read_header(json.loads(header))
            for number, line in enumerate(lines, start=1):
                written, _, rest = line.partition(" ")
                if written != str(number):
                    raise RecordError(f"Move {number} stands where {written!r} is written.")
                record.moves.append(RecordedMove.from_text(rest))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise RecordError(f"This is not the record of a game: {error}") from error
        return record


def _read_header(data: Any) -> Record:
    if data["format"] != FORMAT:
        raise RecordError(f"The format is {data['format']!r}, not {FORMAT!r}.")
    seed = bytes.fromhex(data["seed"])
    if commitment(seed) != data["commitment"]:
        raise RecordError("The seed is not the one that was committed to before the game.")
    board_seed = bytes.fromhex(data["board_seed"]) if "board_seed" in data else None
    if board_seed is not None and len(board_seed) != SEED_LENGTH:
        raise RecordError(f"The seed of the board has {len(board_seed)} bytes, not {SEED_LENGTH}.")
    return Record(
        RuleSet.from_json(data["rules"]),
        data["seats"],
        data["layout"],
        Deal.from_json(data["deal"]),
        seed,
        tuple(data["nonces"]),
        rules_version=data["rules_version"],
        result=data["result"],
        board_seed=board_seed,
        bots=tuple(data.get("bots", ())),
    )


def deal_from(
    rules: RuleSet, seats: int, layout: Layout, seed: bytes, nonces: Sequence[str], board_seed: bytes | None = None
) -> Deal:
    """Deal a game from its seed; its board from a seed of its own, where it was seen before the game."""
    chance = SeededChance(stream_key(seed, nonces), 0)
    return deal(rules, seats, layout, chance, None if board_seed is None else of_board(board_seed))


def begin(
    rules: RuleSet, seats: int, layout: Layout, seed: bytes, nonces: Sequence[str], board_seed: bytes | None = None
) -> tuple[Record, State]:
    """Deal a new game from its seed, and open its record."""
    dealt = deal_from(rules, seats, layout, seed, nonces, board_seed)
    record = Record(rules, seats, layout, dealt, seed, tuple(nonces), board_seed=board_seed)
    return record, start(rules, dealt)


def play_recorded(record: Record, state: State, move: Move) -> list[Event]:
    """Play a player's move and write it down with what it drew."""
    chance = record.chance(len(record.moves) + 1)
    events = play(state, move, chance)
    record.moves.append(RecordedMove(move, tuple(chance.drawn)))
    return events


def play_timeout(record: Record, state: State, seat: int) -> list[Event]:
    """Play the default move of a seat whose time is up, and write it down as such."""
    chance = record.chance(len(record.moves) + 1)
    move = default_move(state, seat, chance)
    if move is None:
        raise ValueError(f"The game does not wait for seat {seat}.")
    events = play(state, move, chance)
    record.moves.append(RecordedMove(move, tuple(chance.drawn), timeout=True))
    return events


def result_of(state: State) -> Result:
    return {
        "winner": state.winner,
        "points": [points(state, seat) for seat in state.seats],
        "turns": state.turn,
        "hands": [list(hand) for hand in state.hands],
    }
