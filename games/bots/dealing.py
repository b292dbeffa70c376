"""Trade with sense: offers that help oneself more than the partner, and answers by the same measure.

A trade is worth what it adds to the chance to win, everybody's new hands seen, so whoever leads gets nothing cheap.
What a partner holds, nobody knows: the memory says how likely they can agree, and their own gain whether they will.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.rules import Move, State
from games.rules.cards import CARD_NAMES, RESOURCES, Bundle
from games.rules.moves import AcceptOffer, ConfirmTrade, CounterOffer, OfferTrade, RejectOffer
from games.rules.phases.trading import counterable_offers, holds, may_confirm, may_offer
from games.rules.state import Offer, visible_points

from .memory import Memory
from .search import Effort, Search

#: Nobody is asked more often in one turn.
MOST_OFFERS: Final = 3
#: A trade that adds less to the chance to win is not worth anybody's time.
LEAST_GAIN: Final = 0.005
#: Of what the partner gains, so much must be gained oneself; more where the partner is likelier to win.
FAIR: Final = 1.0
FAIR_WITH_LEADER: Final = 2.0
#: So many terms are thought through to the end of the turn.
TERMS_TRIED: Final = 6
#: With whoever lacks no more than this many points, nobody trades.
NEARLY_WON: Final = 1
#: How likely somebody agrees who would not gain by it as we see it, or whose cards are hardly there.
AGREES_ANYWAY: Final = 0.15
UNLIKELY: Final = 0.05

_NO_CARDS: Final = (0,) * len(CARD_NAMES)


@dataclass(frozen=True, slots=True)
class Terms:
    gives: Bundle
    gets: Bundle


class Dealing:
    """One seat's sense for trade with the others."""

    def __init__(self, search: Search, memory: Memory, state: State) -> None:
        self.search = search
        self.valuation = search.valuation
        self.seat = search.seat
        self.memory = memory
        self.state = state
        self.before = self.valuation.chances(state)
        #: A shorter look at the turn, for the many terms that are compared.
        self.glance = Search(self.valuation, Effort(width=3, positions=60, depth=4))

    # Offers

    def offer(self, worth: float) -> OfferTrade | None:
        """The offer that promises most, if there is one; ``worth`` is what the turn is worth without it."""
        state, seat = self.state, self.seat
        if not may_offer(state, seat) or self.memory.made_this_turn(seat) >= MOST_OFFERS:
            return None
        partners = [other for other in state.seats if other != seat and self._may_deal_with(other)]
        if not partners:
            return None
        tried = sorted(self._terms(partners), key=self._at_a_glance, reverse=True)[:TERMS_TRIED]
        best: tuple[float, OfferTrade] | None = None
        for terms in tried:
            promise = 0.0
            to = []
            for partner in partners:
                gain = self._gain_with(partner, terms, worth)
                if gain > 0:
                    to.append(partner)
                    promise = max(promise, gain)
            if to and (best is None or promise > best[0]):
                best = promise, OfferTrade(seat, tuple(to), terms.gives, terms.gets)
        return best[1] if best else None

    def _terms(self, partners: Sequence[int]) -> list[Terms]:
        """One card for one, or two for one, of kinds that a partner may have; nothing said before this turn."""
        hand = self.state.hands[self.seat]
        prices = self.valuation.land.prices(self.state.settlements[self.seat] | self.state.cities[self.seat])
        said = {(offer.gives, offer.gets) for offer in self.memory.offers_this_turn if offer.maker == self.seat}
        found = []
        for get in RESOURCES:
            gets = _bundle({get: 1})
            if all(self.memory.chance_to_hold(partner, gets[:5]) < UNLIKELY for partner in partners):
                continue
            for give in RESOURCES:
                if give == get or not hand[give]:
                    continue
                counts = [1, 2] if hand[give] >= 2 and prices[give] > 2 else [1]
                for count in counts:
                    terms = Terms(_bundle({give: count}), gets)
                    if (terms.gives, terms.gets) not in said:
                        found.append(terms)
        return found

    def _at_a_glance(self, terms: Terms) -> float:
        return self.valuation.chance(self._after(terms, None))

    def _gain_with(self, partner: int, terms: Terms, worth: float) -> float:
        """What an offer to a partner promises: the gain, as often as they can and will agree. 0 if it is not to be made."""
        can = self.memory.chance_to_hold(partner, terms.gets[:5])
        if can < UNLIKELY or self.memory.was_rejected(partner, terms.gives, terms.gets):
            return 0.0
        after = self._after(terms, partner)
        gain = self.glance.lines(after)[0].worth - worth
        theirs = self.valuation.chances(after)[partner] - self.before[partner]
        if not self._is_fair(gain, theirs, partner):
            return 0.0
        return gain * can * (1.0 if theirs > 0 else AGREES_ANYWAY)

    def _is_fair(self, gain: float, theirs: float, partner: int) -> bool:
        leads = self.before[partner] > self.before[self.seat]
        return gain >= LEAST_GAIN and gain >= theirs * (FAIR_WITH_LEADER if leads else FAIR)

    def _may_deal_with(self, other: int) -> bool:
        shown = visible_points(self.state, other)
        return bool(sum(self.state.hands[other])) and shown < self.state.rules.points_to_win - NEARLY_WON

    def _after(self, terms: Terms, partner: int | None) -> State:
        """The position after a trade, as far as it changes hands of resources."""
        after = self.state.copy()
        own = after.hands[self.seat]
        for resource in RESOURCES:
            own[resource] += terms.gets[resource] - terms.gives[resource]
        if partner is not None:
            theirs = after.hands[partner]
            for resource in RESOURCES:
                theirs[resource] = max(0, theirs[resource] + terms.gives[resource] - terms.gets[resource])
        return after

    # What lies on the table in one's own turn

    def conclude(self, worth: float) -> Move | None:
        """Confirm what is agreed if it still helps, and clear counter-offers off the table."""
        best: tuple[float, Move] | None = None
        for offer in self.state.offers:
            if not may_confirm(self.state, self.seat, offer) or not _is_of_resources(offer):
                continue
            is_own = offer.maker == self.seat
            terms = Terms(offer.gives, offer.gets) if is_own else Terms(offer.gets, offer.gives)
            for partner in offer.accepted if is_own else (offer.maker,):
                if not self._may_deal_with(partner):
                    continue
                after = self._after(terms, partner)
                gain = self.glance.lines(after)[0].worth - worth
                if gain > LEAST_GAIN / 2 and (best is None or gain > best[0]):
                    best = gain, ConfirmTrade(self.seat, offer.number, partner)
        if best:
            return best[1]
        for offer in self.state.offers:
            if offer.maker != self.seat and self.seat in offer.to and self.seat not in offer.rejected:
                return RejectOffer(self.seat, offer.number)
        return None

    # Answers to others

    def answer(self) -> Move | None:
        for offer in self.state.offers:
            if self.seat in offer.to and self.seat not in (*offer.accepted, *offer.rejected):
                return self._answer(offer)
        return None

    def _answer(self, offer: Offer) -> Move:
        if _is_of_resources(offer) and self._may_deal_with(offer.maker):
            terms = Terms(offer.gets, offer.gives)
            if holds(self.state, self.seat, offer.gets) and self._is_welcome(terms, offer.maker):
                return AcceptOffer(self.seat, offer.number)
            if counter := self._counter(offer):
                return counter
        return RejectOffer(self.seat, offer.number)

    def _is_welcome(self, terms: Terms, maker: int) -> bool:
        chances = self.valuation.chances(self._after(terms, maker))
        return self._is_fair(
            chances[self.seat] - self.before[self.seat], chances[maker] - self.before[maker], maker
        )

    def _counter(self, offer: Offer) -> Move | None:
        """What was asked for, or what was offered, for something that helps both."""
        if offer not in counterable_offers(self.state, self.seat) or self.memory.made_this_turn(self.seat):
            return None
        best: tuple[float, Terms] | None = None
        hand = self.state.hands[self.seat]
        for give in RESOURCES:
            if not offer.gets[give] or hand[give] < 1:
                continue
            for get in RESOURCES:
                gets = _bundle({get: 1})
                if get == give or offer.gives[get] or offer.gets[get]:
                    continue
                if self.memory.chance_to_hold(offer.maker, gets[:5]) < 0.5:
                    continue
                terms = Terms(_bundle({give: 1}), gets)
                chances = self.valuation.chances(self._after(terms, offer.maker))
                gain = chances[self.seat] - self.before[self.seat]
                theirs = chances[offer.maker] - self.before[offer.maker]
                if theirs > 0 and self._is_fair(gain, theirs, offer.maker) and (best is None or gain > best[0]):
                    best = gain, terms
        return CounterOffer(self.seat, offer.number, best[1].gives, best[1].gets) if best else None


def _bundle(counts: dict[int, int]) -> Bundle:
    return tuple(counts.get(resource, 0) for resource in RESOURCES) + _NO_CARDS


def _is_of_resources(offer: Offer) -> bool:
    """Development cards are never dealt in."""
    return not any(offer.gives[len(RESOURCES) :]) and not any(offer.gets[len(RESOURCES) :])
