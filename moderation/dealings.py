"""What one game tells of who did whom a favour. It is told by seats, so it names nobody and outlasts every name.

Only what people chose themselves counts: neither what a bot does on a seat that was given up, nor what a clock does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from typing_extensions import TypedDict

from games.rules.cards import CARD_COST, RESOURCE_NAMES, Counts
from games.rules.events import WrittenEvent

#: The kinds of moves with whose events all of it is told.
KINDS: Final = (
    *("build_settlement", "build_city", "offer_trade", "counter_offer", "accept_offer", "reject_offer"),
    *("confirm_trade", "move_robber", "steal"),
)


class Happened(NamedTuple):
    """A move, as far as it matters here."""

    seat: int
    by_person: bool
    events: Sequence[WrittenEvent]


class Trade(NamedTuple):
    """Between two seats: what the one gave the other, and got, in cards."""

    giver: int
    taker: int
    given: int
    got: int


class Theft(NamedTuple):
    thief: int
    victim: int
    #: What everybody’s settlements and cities were worth then.
    points: list[int]


class WrittenDealings(TypedDict):
    seats: int
    winner: int | None
    gave_up: list[int]
    trades: list[list[int]]
    thefts: list[list[Any]]
    answers: list[list[int]]


@dataclass(slots=True)
class Dealings:
    seats: int
    winner: int | None = None
    #: Who resigned.
    gave_up: list[int] = field(default_factory=list)
    trades: list[Trade] = field(default_factory=list)
    thefts: list[Theft] = field(default_factory=list)
    #: By who was asked and who had offered: how often the answer was yes, and how often no.
    answers: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def to_json(self) -> WrittenDealings:
        return {
            "seats": self.seats,
            "winner": self.winner,
            "gave_up": self.gave_up,
            "trades": [list(trade) for trade in self.trades],
            "thefts": [list(theft) for theft in self.thefts],
            "answers": [[*pair, *counts] for pair, counts in self.answers.items()],
        }

    @staticmethod
    def from_json(data: WrittenDealings) -> Dealings:
        return Dealings(
            data["seats"],
            data["winner"],
            data["gave_up"],
            [Trade(*trade) for trade in data["trades"]],
            [Theft(*theft) for theft in data["thefts"]],
            {(asked, maker): (yes, no) for asked, maker, yes, no in data["answers"]},
        )


def read(seats: int, winner: int | None, gave_up: Iterable[int], moves: Iterable[Happened]) -> Dealings:
    """What went on in a game, out of its log."""
    reader = _Reader(Dealings(seats, winner, sorted(gave_up)))
    for move in moves:
        for event in move.events:
            reader.read(event, move)
    return reader.dealings


class _Reader:
    def __init__(self, dealings: Dealings) -> None:
        self.dealings = dealings
        self.points = [0] * dealings.seats
        #: By offer: who made it, and who agreed to it themselves, its maker first.
        self.maker: dict[int, int] = {}
        self.agreed: dict[int, set[int]] = {}

    def read(self, event: WrittenEvent, move: Happened) -> None:
        seat, told = event["seat"], event["public"]
        match event["kind"]:
            case "built_settlement" | "built_city":
                self.points[seat] += 1
            case "offered":
                self.maker[told["offer"]] = seat
                self.agreed[told["offer"]] = {seat} if move.by_person else set()
            case "accepted" if move.by_person:
                self._answer(seat, told["offer"], yes=True)
            case "rejected" if move.by_person:
                self._answer(seat, told["offer"], yes=False)
            case "traded" if move.by_person:
                other = seat if move.seat != seat else told["partner"]
                # The player to move confirms it; the other has agreed before, unless a bot or a clock did.
                if other in self.agreed[told["offer"]]:
                    trade = Trade(seat, told["partner"], worth(told["gives"]), worth(told["gets"]))
                    self.dealings.trades.append(trade)
            case "stole" if move.by_person:
                self.dealings.thefts.append(Theft(seat, told["victim"], list(self.points)))

    def _answer(self, seat: int, offer: int, *, yes: bool) -> None:
        if yes:
            self.agreed[offer].add(seat)
        pair = seat, self.maker[offer]
        accepted, declined = self.dealings.answers.get(pair, (0, 0))
        self.dealings.answers[pair] = accepted + yes, declined + (not yes)


def worth(cards: Counts) -> int:
    """A resource is a card, whichever: what is scarce is what both judged it by when they agreed. A development card
    counts as what it costs."""
    return sum(count * (1 if name in RESOURCE_NAMES else sum(CARD_COST)) for name, count in cards.items())
