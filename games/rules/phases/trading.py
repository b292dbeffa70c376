"""Trade: with the bank and its harbors, and among players.

An offer goes from the player to move to one or more others. They accept, reject, or answer with a
counter-offer, which is an offer back to the player to move. The player to move confirms one
agreement; until then either side may withdraw. Hands are looked at when cards are offered, when an
offer is accepted and when it is confirmed. What breaks a promise in between is not told to the table:
it may have been a theft, which stays between its two.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from ..cards import RESOURCE_NAMES, RESOURCES, Bundle, named
from ..chance import Chance
from ..events import Event, Told
from ..moves import (
    MOST_SEATS,
    AcceptOffer,
    ConfirmTrade,
    CounterOffer,
    Move,
    OfferTrade,
    RejectOffer,
    TradeWithBank,
    WithdrawOffer,
)
from ..refusals import refuse
from ..state import Offer, Phase, State, held_bundle
from .cards import update_largest_army

BEST_RATE: Final = 2
MOST_OPEN_OFFERS: Final = 6
#: Pieces a player has on the board when the setup is done: two settlements and two roads.
SETUP_SETTLEMENTS: Final = 2
SETUP_ROADS: Final = 2


# With the bank


def bank_moves(state: State, seat: int) -> list[Move]:
    trade, hand = state.rules.maritime_trade, state.hands[seat]
    if trade == "none" or max(hand) < BEST_RATE:
        return []
    moves: list[Move] = []
    rates = maritime_rates(state, seat)
    for give, held in enumerate(hand):
        if held >= rates[give]:
            moves += [
                _bank_move(seat, give, rates[give], take)
                for take in RESOURCES
                if take != give and (state.bank[take] or trade == "unlimited")
            ]
    return moves


@lru_cache(maxsize=MOST_SEATS * 5 * 3 * 5)
def _bank_move(seat: int, give: int, paid: int, take: int) -> Move:
    return TradeWithBank(seat, give, paid, take)


def maritime_rates(state: State, seat: int) -> tuple[int, ...]:
    """What one card of the bank costs in each resource: 4, 3 or 2 by the harbors reached."""
    return state.board.maritime_rates(state.settlements[seat] | state.cities[seat])


def trade_with_bank(state: State, move: TradeWithBank, _: Chance) -> list[Event]:
    seat, give, take = move.seat, move.give, move.take
    if state.rules.maritime_trade == "none":
        refuse("no_maritime_trade")
    if give == take:
        refuse("same_resource")
    if move.paid != maritime_rates(state, seat)[give]:
        refuse("wrong_rate")
    if state.hands[seat][give] < move.paid:
        refuse("cards_not_held")
    if not state.bank[take] and state.rules.maritime_trade == "limited":
        refuse("bank_lacks")
    state.hands[seat][give] -= move.paid
    state.bank[give] += move.paid
    state.hands[seat][take] += 1
    # An unlimited bank makes the card it does not have.
    state.bank[take] = max(0, state.bank[take] - 1)
    public: Told = {"gives": {RESOURCE_NAMES[give]: move.paid}, "gets": {RESOURCE_NAMES[take]: 1}}
    return [Event("traded_with_bank", seat, public)]


# Offers


def has_built(state: State, seat: int) -> bool:
    """The seat has built something since the setup."""
    return (
        state.cities[seat] != 0
        or state.settlements[seat].bit_count() > SETUP_SETTLEMENTS
        or state.roads[seat].bit_count() > SETUP_ROADS
    )


def may_trade(state: State) -> bool:
    return not state.rules.trade_after_all_built or all(has_built(state, seat) for seat in state.seats)


def _exchanges_anything(state: State) -> bool:
    return state.rules.player_trades == "anything"


def has_place_for_offer(state: State, seat: int) -> bool:
    """The seat may have another offer open."""
    own = sum(offer.maker == seat for offer in state.offers)
    return own < MOST_OPEN_OFFERS or _exchanges_anything(state)


def holds(state: State, seat: int, bundle: Bundle) -> bool:
    return all(held >= count for held, count in zip(held_bundle(state, seat), bundle, strict=True))


def require_fair_terms(state: State, seat: int, gives: Bundle, gets: Bundle) -> None:
    """What any offer must meet, whoever makes it."""
    if not may_trade(state):
        refuse("no_trade_yet")
    if not any(gives) or not any(gets):
        refuse("gift")
    if not _exchanges_anything(state) and any(given and got for given, got in zip(gives, gets, strict=True)):
        refuse("same_on_both_sides")
    cards = gives[len(RESOURCE_NAMES) :] + gets[len(RESOURCE_NAMES) :]
    if any(cards) and not state.rules.cards_in_trades:
        refuse("cards_not_traded")
    if not holds(state, seat, gives):
        refuse("cards_not_held")


def _open_offer(state: State, offer: Offer) -> list[Event]:
    """Lay an offer on the table, unless the maker's place there is full."""
    terms = (offer.maker, offer.to, offer.gives, offer.gets)
    if any((other.maker, other.to, other.gives, other.gets) == terms for other in state.offers):
        refuse("same_offer_open")
    if not has_place_for_offer(state, offer.maker):
        refuse("too_many_offers")
    state.offers += (offer,)
    state.offers_made += 1
    public: Told = {
        "offer": offer.number,
        "to": list(offer.to),
        "gives": named(offer.gives),
        "gets": named(offer.gets),
        "answers": offer.answers,
    }
    return [Event("offered", offer.maker, public)]


def offer_trade(state: State, move: OfferTrade, _: Chance) -> list[Event]:
    if move.seat in move.to or move.to[-1] not in state.seats:
        refuse("not_to_others")
    require_fair_terms(state, move.seat, move.gives, move.gets)
    offer = Offer(state.offers_made, move.seat, move.to, move.gives, move.gets)
    return _open_offer(state, offer)


def counter_offer(state: State, move: CounterOffer, _: Chance) -> list[Event]:
    """Answer an offer with other terms; that rejects the offer as it stands."""
    if not state.rules.counter_offers:
        refuse("no_counter_offers")
    original = _offer_to(state, move.seat, move.offer)
    if move.seat == state.active:
        refuse("confirm_instead")
    require_fair_terms(state, move.seat, move.gives, move.gets)
    counter = Offer(
        state.offers_made,
        move.seat,
        (state.active,),
        move.gives,
        move.gets,
        answers=original.number,
    )
    events = _open_offer(state, counter)
    if move.seat in original.rejected:
        return events
    return events + _set_answer(state, original, move.seat, accepts=False)


def find_offer(state: State, number: int) -> Offer:
    offer = next((offer for offer in state.offers if offer.number == number), None)
    if offer is None:
        refuse("no_such_offer")
    return offer


def _offer_to(state: State, seat: int, number: int) -> Offer:
    """An open offer that this seat may answer."""
    offer = find_offer(state, number)
    if offer.maker == seat:
        refuse("your_own_offer")
    if seat not in offer.to:
        refuse("not_offered_to_you")
    return offer


# Answers


def accept_offer(state: State, move: AcceptOffer, _: Chance) -> list[Event]:
    offer = _offer_to(state, move.seat, move.offer)
    if move.seat == state.active:
        refuse("confirm_instead")
    if move.seat in offer.accepted:
        refuse("already_accepted")
    if not holds(state, move.seat, offer.gets):
        refuse("cards_not_held")
    return _set_answer(state, offer, move.seat, accepts=True)


def reject_offer(state: State, move: RejectOffer, _: Chance) -> list[Event]:
    offer = _offer_to(state, move.seat, move.offer)
    if move.seat in offer.rejected:
        refuse("already_rejected")
    return _set_answer(state, offer, move.seat, accepts=False)


def _set_answer(state: State, offer: Offer, seat: int, *, accepts: bool) -> list[Event]:
    """Note an answer; an offer that everybody has rejected is closed."""
    accepted = tuple(other for other in offer.accepted if other != seat)
    rejected = tuple(other for other in offer.rejected if other != seat)
    if accepts:
        answered = replace(offer, accepted=tuple(sorted((*accepted, seat))), rejected=rejected)
    else:
        answered = replace(offer, accepted=accepted, rejected=tuple(sorted((*rejected, seat))))
    event = Event("accepted" if accepts else "rejected", seat, {"offer": offer.number})
    if answered.rejected == answered.to:
        _close(state, offer)
    else:
        _replace(state, offer, answered)
    return [event]


def _close(state: State, offer: Offer) -> None:
    state.offers = tuple(other for other in state.offers if other is not offer)


def _replace(state: State, offer: Offer, changed: Offer) -> None:
    state.offers = tuple(changed if other is offer else other for other in state.offers)


def withdraw_offer(state: State, move: WithdrawOffer, _: Chance) -> list[Event]:
    """Take back an offer of your own, or your yes to another's."""
    offer = find_offer(state, move.offer)
    event = Event("withdrew", move.seat, {"offer": offer.number})
    if offer.maker == move.seat:
        _close(state, offer)
    elif move.seat in offer.accepted:
        accepted = tuple(seat for seat in offer.accepted if seat != move.seat)
        _replace(state, offer, replace(offer, accepted=accepted))
    else:
        refuse("nothing_to_withdraw")
    return [event]


def agreed_partners(state: State, offer: Offer) -> tuple[int, ...]:
    """Those with whom the player to move could conclude this offer now."""
    return offer.accepted if offer.maker == state.active else (offer.maker,)


def confirm_trade(state: State, move: ConfirmTrade, _: Chance) -> list[Event]:
    offer = find_offer(state, move.offer)
    if move.partner not in agreed_partners(state, offer):
        refuse("not_accepted")
    is_own = offer.maker == move.seat
    taker = move.partner if is_own else move.seat
    if not holds(state, move.seat, offer.gives if is_own else offer.gets):
        refuse("cards_not_held")
    if not holds(state, move.partner, offer.gets if is_own else offer.gives):
        refuse("promise_broken")
    # Both sides put their cards down before either takes any: the same kind may go both ways.
    given, got = _lay_down(state, offer.maker, offer.gives), _lay_down(state, taker, offer.gets)
    _take_up(state, taker, offer.gives, given)
    _take_up(state, offer.maker, offer.gets, got)
    _close(state, offer)
    public: Told = {
        "offer": offer.number,
        "partner": taker,
        "gives": named(offer.gives),
        "gets": named(offer.gets),
    }
    return [Event("traded", offer.maker, public), *update_largest_army(state)]


def _lay_down(state: State, giver: int, bundle: Bundle) -> list[int]:
    """Take what a bundle names out of a hand; tells which development cards."""
    for resource in RESOURCES:
        state.hands[giver][resource] -= bundle[resource]
    given: list[int] = []
    for kind, count in enumerate(bundle[len(RESOURCE_NAMES) :]):
        given += [card for card in state.cards[giver] if state.deck[card] == kind][:count]
    for card in given:
        state.cards[giver].remove(card)
    return given


def _take_up(state: State, taker: int, bundle: Bundle, cards: list[int]) -> None:
    for resource in RESOURCES:
        state.hands[taker][resource] += bundle[resource]
    state.cards[taker] = sorted(state.cards[taker] + cards)


# What can be done about the open offers


def offer_moves(state: State, seat: int) -> list[Move]:
    """Answers, confirmations and withdrawals. New offers are too many to list: see may_offer."""
    moves: list[Move] = []
    for offer in state.offers:
        number = offer.number
        if offer.maker == seat or seat in offer.accepted:
            moves.append(WithdrawOffer(seat, number))
        if seat in offer.to:
            if seat not in offer.rejected:
                moves.append(RejectOffer(seat, number))
            if may_accept(state, seat, offer):
                moves.append(AcceptOffer(seat, number))
        if may_confirm(state, seat, offer):
            moves += [ConfirmTrade(seat, number, partner) for partner in agreed_partners(state, offer)]
    return moves


def may_confirm(state: State, seat: int, offer: Offer) -> bool:
    """The seat can keep its own side of a trade; whether the other side can is not for it to see."""
    own_side = offer.gives if offer.maker == seat else offer.gets
    return seat == state.active and state.phase is Phase.MAIN and holds(state, seat, own_side)


def may_accept(state: State, seat: int, offer: Offer) -> bool:
    return seat != state.active and seat not in offer.accepted and holds(state, seat, offer.gets)


def may_offer(state: State, seat: int) -> bool:
    """The seat could make an offer now, of terms that it holds the cards for."""
    has_something = any(state.hands[seat]) or (state.rules.cards_in_trades and bool(state.cards[seat]))
    return may_trade(state) and has_something and has_place_for_offer(state, seat)


def counterable_offers(state: State, seat: int) -> list[Offer]:
    """The open offers that the seat could answer with one of its own."""
    if not state.offers or seat == state.active or not state.rules.counter_offers or not may_offer(state, seat):
        return []
    return [offer for offer in state.offers if seat in offer.to]
