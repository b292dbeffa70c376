"""Trade with sense: offers that help oneself more than the partner, and answers by the same measure.

A trade is worth what it adds to the chance to win, everybody's new hands seen, so whoever leads gets nothing cheap.
What a partner holds, nobody knows: the memory says how likely they can agree, and their own gain whether they will.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from games.rules import State
from games.rules.cards import CARD_NAMES, RESOURCES, Bundle
from games.rules.moves import AcceptOffer, ConfirmTrade, CounterOffer, OfferTrade, RejectOffer
from games.rules.phases.trading import counterable_offers, holds, may_confirm, may_offer
from games.rules.state import Offer, visible_points

from .memory import Memory
from .search import Effort, Line, Search

#: Nobody is asked more often in one turn.
MOST_OFFERS: Final = 3
#: A trade that adds less to the chance to win is not worth anybody's time.
LEAST_GAIN: Final = 0.005
#: Of what the partner gains, so much must be gained oneself; more where the partner is likelier to win.
FAIR: Final = 1.0
FAIR_WITH_LEADER: Final = 2.0
#: With whoever lacks no more than this many points, nobody trades.
NEARLY_WON: Final = 1
#: How likely somebody holds the cards at the least, to be asked for them; and to be made a counter-offer for them.
UNLIKELY: Final = 0.05
LIKELY: Final = 0.5

#: A shorter look at the turn, for the many terms that are compared.
GLANCE: Final = Effort(width=4, positions=120)

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
        self.glance = Search(self.valuation, GLANCE)

    # Offers

    def offer(self, worth: float) -> Line | None:
        """The offer that promises most, if there is one; ``worth`` is what the turn is worth without it."""
        state, seat = self.state, self.seat
        if not may_offer(state, seat) or self.memory.made_this_turn(seat) >= MOST_OFFERS:
            return None
        partners = [other for other in state.seats if other != seat and self._may_deal_with(other)]
        if not partners:
            return None
        tried = sorted(self._terms(partners), key=self._at_a_glance, reverse=True)[: self.search.effort.terms]
        best: Line | None = None
        for terms in tried:
            after = self._after(terms, None)
            gain = self.glance.lines(after)[0].worth - self._alone
            if gain < LEAST_GAIN:
                continue
            unmoved = self.valuation.chance(after)
            promises = {partner: self._promise(partner, terms, gain, unmoved) for partner in partners}
            to = tuple(partner for partner in partners if promises[partner] > 0)
            promise = max(promises.values())
            if to and (best is None or worth + promise > best.worth):
                best = Line((OfferTrade(seat, to, terms.gives, terms.gets),), worth + promise)
        return best

    @cached_property
    def _alone(self) -> float:
        """What a short look sees of the turn without any trade: a longer one would always see a little more."""
        return self.glance.lines(self.state)[0].worth

    def _terms(self, partners: Sequence[int]) -> list[Terms]:
        """One card for one, or two for one, of kinds that a partner may have; nothing said before this turn."""
        hand = self.state.hands[self.seat]
        prices = self.valuation.land.prices(self.state.settlements[self.seat] | self.state.cities[self.seat])
        said = {(offer.gives, offer.gets) for offer in self.memory.offers_this_turn if offer.maker == self.seat}
        found = []
        for get in RESOURCES:
            gets = _bundle({get: 1})
            if all(self.memory.chance_to_hold(partner, gets[: len(RESOURCES)]) < UNLIKELY for partner in partners):
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

    def _promise(self, partner: int, terms: Terms, gain: float, unmoved: float) -> float:
        """What an offer to a partner promises: the gain, as often as they can have the cards; 0 if it is not made.

        ``gain`` is what the trade adds to the turn, ``unmoved`` the chance right after it as if nobody had the cards.
        """
        can = self.memory.chance_to_hold(partner, terms.gets[: len(RESOURCES)])
        if can < UNLIKELY or self.memory.was_rejected(partner, terms.gives, terms.gets):
            return 0.0
        chances = self.valuation.chances(self._after(terms, partner))
        gain += chances[self.seat] - unmoved
        theirs = chances[partner] - self.before[partner]
        return gain * can if theirs > 0 and self._is_fair(gain, theirs, partner) else 0.0

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

    def conclude(self, worth: float) -> Line | None:
        """Confirm what is agreed if it still helps, and clear counter-offers off the table."""
        best: Line | None = None
        for offer in self.state.offers:
            if not may_confirm(self.state, self.seat, offer) or not _is_of_resources(offer):
                continue
            is_own = offer.maker == self.seat
            terms = Terms(offer.gives, offer.gets) if is_own else Terms(offer.gets, offer.gives)
            for partner in offer.accepted if is_own else (offer.maker,):
                if not self._may_deal_with(partner):
                    continue
                after = self._after(terms, partner)
                traded = self.glance.lines(after)[0].worth
                if traded - self._alone > LEAST_GAIN / 2 and (best is None or traded > best.worth):
                    best = Line((ConfirmTrade(self.seat, offer.number, partner),), traded)
        if best:
            return best
        for offer in self.state.offers:
            if offer.maker != self.seat and self.seat in offer.to and self.seat not in offer.rejected:
                return Line((RejectOffer(self.seat, offer.number),), worth)
        return None

    # Answers to others

    def answers(self) -> list[Line]:
        """What could be said to the oldest offer that waits for an answer, the best first."""
        for offer in self.state.offers:
            if self.seat in offer.to and self.seat not in (*offer.accepted, *offer.rejected):
                refused = Line((RejectOffer(self.seat, offer.number),), self.before[self.seat])
                answer = self._answer(offer)
                return [answer, refused] if answer else [refused]
        return []

    def _answer(self, offer: Offer) -> Line | None:
        """Yes, or a counter-offer, if either helps."""
        if _is_of_resources(offer) and self._may_deal_with(offer.maker):
            terms = Terms(offer.gets, offer.gives)
            if holds(self.state, self.seat, offer.gets):
                chance = self._agreed(terms, offer.maker)
                if chance is not None:
                    return Line((AcceptOffer(self.seat, offer.number),), chance)
            return self._counter(offer)
        return None

    def _agreed(self, terms: Terms, maker: int) -> float | None:
        """The chance to win after a trade in the maker's turn; ``None`` if it does not help enough."""
        chances = self.valuation.chances(self._after(terms, maker))
        own, theirs = (chances[seat] - self.before[seat] for seat in (self.seat, maker))
        return chances[self.seat] if self._is_fair(own, theirs, maker) else None

    def _counter(self, offer: Offer) -> Line | None:
        """What was asked for, or what was offered, for something that helps both."""
        if offer not in counterable_offers(self.state, self.seat) or self.memory.made_this_turn(self.seat):
            return None
        best: Line | None = None
        hand = self.state.hands[self.seat]
        for give in RESOURCES:
            if not offer.gets[give] or not hand[give]:
                continue
            for get in RESOURCES:
                gets = _bundle({get: 1})
                if get == give or offer.gives[get] or offer.gets[get]:
                    continue
                if self.memory.chance_to_hold(offer.maker, gets[: len(RESOURCES)]) < LIKELY:
                    continue
                terms = Terms(_bundle({give: 1}), gets)
                chances = self.valuation.chances(self._after(terms, offer.maker))
                own, theirs = (chances[seat] - self.before[seat] for seat in (self.seat, offer.maker))
                is_best = best is None or chances[self.seat] > best.worth
                if theirs > 0 and is_best and self._is_fair(own, theirs, offer.maker):
                    counter = CounterOffer(self.seat, offer.number, terms.gives, terms.gets)
                    best = Line((counter,), chances[self.seat])
        return best


def _bundle(counts: dict[int, int]) -> Bundle:
    return tuple(counts.get(resource, 0) for resource in RESOURCES) + _NO_CARDS


def _is_of_resources(offer: Offer) -> bool:
    """Development cards are never dealt in."""
    return not any(offer.gives[len(RESOURCES) :]) and not any(offer.gets[len(RESOURCES) :])
