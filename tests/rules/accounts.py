"""The cards of a game as a bookkeeper sees them: everything from what was announced."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules import Event, State
from games.rules.boards import TERRAIN_NAMES
from games.rules.cards import CARD_NAMES, RESOURCE_NAMES
from games.rules.topology import HEX_VERTICES

RESOURCE_CARDS = 19
DEVELOPMENT_CARDS = {
    "knight": 14,
    "road_building": 2,
    "year_of_plenty": 2,
    "monopoly": 2,
    "victory_point": 5,
}
PRICES = {
    "built_road": {"brick": 1, "lumber": 1},
    "built_settlement": {"brick": 1, "lumber": 1, "wool": 1, "grain": 1},
    "built_city": {"grain": 2, "ore": 3},
    "bought_card": {"wool": 1, "grain": 1, "ore": 1},
}
NO_CARDS = dict.fromkeys(RESOURCE_NAMES + CARD_NAMES, 0)
PRODUCTS = {
    "hills": "brick",
    "forest": "lumber",
    "pasture": "wool",
    "fields": "grain",
    "mountains": "ore",
}


class Accounts:
    """Who holds which cards, by what was announced: the secret parts of the events included."""

    def __init__(self, seats: int) -> None:
        self.hands = [dict(NO_CARDS) for _ in range(seats)]
        self.bank = dict.fromkeys(RESOURCE_NAMES, RESOURCE_CARDS)
        #: What an unlimited bank has made.
        self.made = dict.fromkeys(RESOURCE_NAMES, 0)
        self.played = [dict.fromkeys(CARD_NAMES, 0) for _ in range(seats)]

    def pay(self, seat: int, cards: dict[str, int]) -> None:
        for name, count in cards.items():
            self.hands[seat][name] -= count
            self.bank[name] += count

    def receive(self, seat: int, cards: dict[str, int]) -> None:
        self.pay(seat, {name: -count for name, count in cards.items()})

    def hand_over(self, giver: int, taker: int, cards: dict[str, int]) -> None:
        for name, count in cards.items():
            self.hands[giver][name] -= count
            self.hands[taker][name] += count

    def enter(self, event: Event, *, is_free: bool) -> None:
        told = event.public
        match event.kind:
            case "starting_resources" | "received":
                self.receive(event.seat, told["resources"])
            case "discarded":
                self.pay(event.seat, told["resources"])
            case "built_road" | "built_settlement" | "built_city" if not is_free:
                self.pay(event.seat, PRICES[event.kind])
            case "bought_card":
                self.pay(event.seat, PRICES[event.kind])
                self.hands[event.seat][event.secret["card"]] += 1
            case "played_card":
                self.hands[event.seat][told["card"]] -= 1
                self.played[event.seat][told["card"]] += 1
            case "stole" if told["count"]:
                self.hand_over(told["victim"], event.seat, {event.secret["resource"]: 1})
            case "monopolized":
                self.hand_over(told["victim"], event.seat, {told["resource"]: told["count"]})
            case "traded":
                self.hand_over(event.seat, told["partner"], told["gives"])
                self.hand_over(told["partner"], event.seat, told["gets"])
            case "traded_with_bank":
                self.pay(event.seat, told["gives"])
                self.receive(event.seat, told["gets"])

    def make_what_is_missing(self) -> None:
        """An unlimited bank hands out a card it does not have: one is made."""
        for name, count in self.bank.items():
            if count < 0:
                self.made[name] -= count
                self.bank[name] = 0

    def check(self, state: State) -> None:
        assert dict(zip(RESOURCE_NAMES, state.bank, strict=True)) == self.bank, "the bank"
        for seat, account in enumerate(self.hands):
            held = dict(zip(RESOURCE_NAMES, state.hands[seat], strict=True))
            assert held.items() <= account.items(), f"the hand of seat {seat}"
            assert min(held.values()) >= 0, f"seat {seat} owes cards"
            kinds = [CARD_NAMES[state.deck[card]] for card in state.cards[seat]]
            shown = [CARD_NAMES[state.deck[card]] for card in state.played[seat]]
            for name in CARD_NAMES:
                assert kinds.count(name) == account[name], f"cards of seat {seat}"
                assert shown.count(name) == self.played[seat][name], f"cards played by seat {seat}"
        for resource, name in enumerate(RESOURCE_NAMES):
            total = state.bank[resource] + sum(hand[resource] for hand in state.hands)
            assert total == RESOURCE_CARDS + self.made[name], f"cards of {name} in all"
        self._check_deck(state)

    def _check_deck(self, state: State) -> None:
        taken = sorted(card for cards in state.cards + state.played for card in cards)
        assert taken == list(range(state.dealt)), "every card taken from the deck is somewhere"
        kinds = [CARD_NAMES[kind] for kind in state.deck]
        assert {name: kinds.count(name) for name in CARD_NAMES} == DEVELOPMENT_CARDS


def check_roll(state: State, before: Accounts, events: Sequence[Event]) -> None:
    """A roll pays exactly what the board says, and a seven asks for exactly what is too much."""
    rolls = [sum(event.public["dice"]) for event in events if event.kind == "rolled"]
    if not rolls:
        return
    paid = {
        (e.seat, name): count for e in events if e.kind == "received" for name, count in e.public["resources"].items()
    }
    asked = {event.seat: event.public["count"] for event in events if event.kind == "must_discard"}
    if rolls[-1] == 7:
        sizes = [sum(hand[name] for name in RESOURCE_NAMES) for hand in before.hands]
        limit = state.rules.discard_limit
        assert asked == {seat: size // 2 for seat, size in enumerate(sizes) if size > limit}, "discards"
        assert not paid, "a seven pays nothing"
    else:
        assert paid == production(state, before, rolls[-1]), f"what a {rolls[-1]} produces"
        assert not asked, f"a {rolls[-1]} takes nothing"
    assert state.discards == [asked.get(seat, 0) for seat in range(len(state.order))], "what is asked"


def production(state: State, before: Accounts, number: int) -> dict[tuple[int, str], int]:
    claims: dict[str, dict[int, int]] = {}
    for place, corners in enumerate(HEX_VERTICES):
        if state.board.tokens[place] != number or state.robber == place:
            continue
        of_product = claims.setdefault(PRODUCTS[TERRAIN_NAMES[state.board.terrains[place]]], {})
        for seat in range(len(state.order)):
            for corner in corners:
                count = (state.settlements[seat] >> corner & 1) + 2 * (state.cities[seat] >> corner & 1)
                if count:
                    of_product[seat] = of_product.get(seat, 0) + count
    paid = {}
    for name, shares in claims.items():
        left = before.bank[name]
        if sum(shares.values()) <= left:
            paid |= {(seat, name): count for seat, count in shares.items()}
        elif len(shares) == 1 and left and state.rules.bank_shortage == "sole_claimant":
            paid |= {(seat, name): left for seat in shares}
    return paid
