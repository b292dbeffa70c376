"""What a careful person at the table remembers of what was public, and of what they saw themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Final, NamedTuple

from games.rules.cards import (
    BUILDING_COSTS,
    BUNDLE_NAMES,
    CARD_NAMES,
    RESOURCE_NAMES,
    RESOURCES,
    ROADS,
    Bundle,
    CardKind,
    Counts,
    Resources,
    named,
)
from games.rules.events import Seen
from games.rules.phases.rolling import ALL_ROLLS, LEAST_ROLLS_LEFT
from games.rules.state import Offer

from .counting import HandCount

_COSTS: Final = {name: named(cost) for name, cost in BUILDING_COSTS.items()}
#: So many rolls are dealt of balanced dice before all are shuffled together again.
_ROLLS_DEALT: Final = len(ALL_ROLLS) - LEAST_ROLLS_LEFT


class HeldCard(NamedTuple):
    """A development card in somebody's hand."""

    #: The turn it was bought on.
    bought_on: int
    #: ``None`` while nobody but its owner knows.
    kind: CardKind | None


class Memory:
    """Kept up from the events of a game as one seat sees them; the same events make the same memory.

    It learns from the first move of the game on, and of each move once, all its events together.
    """

    def __init__(self, seat: int, seats: int) -> None:
        self.seat = seat
        self.seats = seats
        #: How many turns have begun; 0 during the setup.
        self.turn = 0
        #: Whether this turn's roll was made, or skipped.
        self.has_rolled = False
        #: Whether a knight was played this turn before the roll.
        self.has_played_knight_first = False
        #: The offers of this turn, counter-offers too, the closed ones too, as they were made.
        self.offers_this_turn: list[Offer] = []
        #: The offers of the whole game.
        self.offers_made = 0
        #: Where dice are balanced: the rolls since all 36 were shuffled, as ``State.dice_deck`` writes them.
        self.rolls: list[int] = []
        self._rejected: set[tuple[int, Bundle, Bundle]] = set()
        self._hands = HandCount(seat, seats)
        self._cards: list[list[HeldCard]] = [[] for _ in range(seats)]
        self._roads = [0] * seats
        self._free_roads = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Memory) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def learn(self, events: Iterable[Seen]) -> None:
        """Take in what a move made happen, as this seat sees it."""
        monopolized: list[Seen] = []
        for event in events:
            if event["kind"] == "monopolized":
                monopolized.append(event)
            elif event["kind"] in LESSONS:
                LESSONS[event["kind"]](self, event)
        if monopolized:
            self._learn_monopoly(monopolized)

    # Resource cards

    def hands(self, seat: int) -> list[tuple[Resources, float]]:
        """The hands that a seat may hold, and how likely each is; its own hand is certain."""
        return list(self._hands.hands(seat).items())

    def expected(self, seat: int) -> tuple[float, ...]:
        """How many cards of each resource a seat holds on average."""
        hands = self.hands(seat)
        return tuple(sum(hand[resource] * weight for hand, weight in hands) for resource in RESOURCES)

    def chance_to_hold(self, seat: int, counts: Sequence[int]) -> float:
        """How likely a seat holds at least so many cards of each resource."""
        return sum(
            weight
            for hand, weight in self.hands(seat)
            if all(held >= count for held, count in zip(hand, counts, strict=True))
        )

    def sample(self, source: Random) -> dict[int, Resources]:
        """Hands that all seats may hold at once, each such table as often as it is likely."""
        return dict(enumerate(self._hands.sample(source)))

    @property
    def has_dropped(self) -> bool:
        """Whether there was too much to keep in mind, so that the true hands may not be among those thought of."""
        return self._hands.has_dropped

    # Development cards and offers

    def cards_of(self, seat: int) -> tuple[HeldCard, ...]:
        """The development cards of a seat that are not played, the oldest first."""
        return tuple(self._cards[seat])

    def made_this_turn(self, seat: int) -> int:
        """How many offers the seat has made this turn."""
        return sum(offer.maker == seat for offer in self.offers_this_turn)

    def was_rejected(self, seat: int, gives: Bundle, gets: Bundle) -> bool:
        """Whether the seat has rejected these terms this turn, whoever offered them."""
        return (seat, gives, gets) in self._rejected

    # Turns and rolls

    def _learn_turn(self, event: Seen) -> None:
        self.turn = event["turn"]
        self.has_rolled = False
        self.has_played_knight_first = False
        self.offers_this_turn = []
        self._rejected = set()
        # Those for which there was no path.
        self._free_roads = 0

    def _learn_roll(self, event: Seen) -> None:
        self.has_rolled = True
        first, second = event["dice"]
        if len(self.rolls) == _ROLLS_DEALT:
            self.rolls = []
        self.rolls.append(6 * (first - 1) + second - 1)

    def _learn_skipped_roll(self, event: Seen) -> None:
        self.has_rolled = True

    # Resources

    def _learn_gain(self, event: Seen) -> None:
        self._hands.gain(event["seat"], event["resources"])

    def _learn_discard(self, event: Seen) -> None:
        self._hands.lose(event["seat"], event["resources"])

    def _learn_theft(self, event: Seen) -> None:
        if not event["count"]:
            return
        if "resource" in event:
            self._hands.pass_seen(event["seat"], event["victim"], RESOURCE_NAMES.index(event["resource"]))
        else:
            self._hands.pass_hidden(event["seat"], event["victim"])

    def _learn_monopoly(self, events: list[Seen]) -> None:
        counts = {event["victim"]: event["count"] for event in events}
        self._hands.monopolize(events[0]["seat"], RESOURCE_NAMES.index(events[0]["resource"]), counts)

    # Pieces

    def _learn_road(self, event: Seen) -> None:
        seat = event["seat"]
        self._roads[seat] += 1
        if self._free_roads:
            self._free_roads -= 1
        elif self.turn:
            self._hands.lose(seat, _COSTS["road"])

    def _learn_settlement(self, event: Seen) -> None:
        if self.turn:
            self._hands.lose(event["seat"], _COSTS["settlement"])

    def _learn_city(self, event: Seen) -> None:
        self._hands.lose(event["seat"], _COSTS["city"])

    def _learn_stopped_placing(self, event: Seen) -> None:
        self._free_roads = 0

    # Development cards

    def _learn_bought_card(self, event: Seen) -> None:
        self._hands.lose(event["seat"], _COSTS["development_card"])
        kind = CARD_NAMES.index(event["card"]) if "card" in event else None
        self._cards[event["seat"]].append(HeldCard(self.turn, kind))

    def _learn_played_card(self, event: Seen) -> None:
        seat, name = event["seat"], event["card"]
        self._take_card(seat, CARD_NAMES.index(name))
        if name == "road_building":
            self._free_roads = min(2, ROADS - self._roads[seat])
        elif name == "knight" and not self.has_rolled:
            self.has_played_knight_first = True

    def _take_card(self, seat: int, kind: CardKind) -> HeldCard:
        """Out of a hand: one that was known to be of this kind, else the oldest that may be.

        Whoever has not seen the whole game has missed the purchase.
        """
        cards = self._cards[seat]
        taken = next((card for card in cards if card.kind == kind), None)
        taken = taken or next((card for card in cards if card.kind is None), None)
        if taken is None:
            return HeldCard(0, kind)
        cards.remove(taken)
        return taken._replace(kind=kind)

    # Trades

    def _learn_bank_trade(self, event: Seen) -> None:
        self._hands.lose(event["seat"], event["gives"])
        self._hands.gain(event["seat"], event["gets"])

    def _learn_offer(self, event: Seen) -> None:
        gives, gets = _bundle(event["gives"]), _bundle(event["gets"])
        offer = Offer(event["offer"], event["seat"], tuple(event["to"]), gives, gets, answers=event["answers"])
        self.offers_this_turn.append(offer)
        self.offers_made += 1
        self._learn_held(event["seat"], event["gives"])

    def _learn_accepted(self, event: Seen) -> None:
        self._learn_held(event["seat"], named(self._offer(event).gets))

    def _learn_rejected(self, event: Seen) -> None:
        offer = self._offer(event)
        self._rejected.add((event["seat"], offer.gives, offer.gets))

    def _offer(self, event: Seen) -> Offer:
        return next(offer for offer in self.offers_this_turn if offer.number == event["offer"])

    def _learn_held(self, seat: int, counts: Counts) -> None:
        """The seat holds these cards, resources and development cards, or it could not promise them."""
        self._hands.show(seat, counts)
        for kind, name in enumerate(CARD_NAMES):
            if name in counts:
                taken = [self._take_card(seat, kind) for _ in range(counts[name])]
                self._put_cards(seat, taken)

    def _put_cards(self, seat: int, cards: Iterable[HeldCard]) -> None:
        self._cards[seat] = sorted([*self._cards[seat], *cards], key=lambda card: card.bought_on)

    def _learn_trade(self, event: Seen) -> None:
        maker, taker, gives, gets = event["seat"], event["partner"], event["gives"], event["gets"]
        self._learn_held(maker, gives)
        self._learn_held(taker, gets)
        given, got = self._lay_down(maker, gives), self._lay_down(taker, gets)
        self._take_up(taker, gives, given)
        self._take_up(maker, gets, got)

    def _lay_down(self, seat: int, counts: Counts) -> list[HeldCard]:
        self._hands.lose(seat, counts)
        return [self._take_card(seat, kind) for kind, name in enumerate(CARD_NAMES) for _ in range(counts.get(name, 0))]

    def _take_up(self, seat: int, counts: Counts, cards: Iterable[HeldCard]) -> None:
        self._hands.gain(seat, counts)
        self._put_cards(seat, cards)


def _bundle(counts: Counts) -> Bundle:
    return tuple([counts.get(name, 0) for name in BUNDLE_NAMES])


#: What each kind of event teaches; other kinds say nothing that is worth remembering.
LESSONS: Final[dict[str, Callable[[Memory, Seen], None]]] = {
    "turn_began": Memory._learn_turn,
    "rolled": Memory._learn_roll,
    "skipped_roll": Memory._learn_skipped_roll,
    "starting_resources": Memory._learn_gain,
    "received": Memory._learn_gain,
    "discarded": Memory._learn_discard,
    "stole": Memory._learn_theft,
    "built_road": Memory._learn_road,
    "built_settlement": Memory._learn_settlement,
    "built_city": Memory._learn_city,
    "stopped_placing_roads": Memory._learn_stopped_placing,
    "bought_card": Memory._learn_bought_card,
    "played_card": Memory._learn_played_card,
    "traded_with_bank": Memory._learn_bank_trade,
    "offered": Memory._learn_offer,
    "accepted": Memory._learn_accepted,
    "rejected": Memory._learn_rejected,
    "traded": Memory._learn_trade,
}
