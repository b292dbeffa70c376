"""``legal_moves`` and ``play`` agree both ways: what is listed is accepted, the rest is refused.

Offers and counter-offers are too many to list; for them a predicate written apart from the rules
says what must be accepted. A trade is listed although the partner may have lost the cards: that
comes out when it is confirmed, as a broken promise and nothing else.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement, product
from random import Random
from typing import TypeGuard

from games.rules import IllegalMove, Move, Phase, RandomChance, State, is_legal, legal_moves, play
from games.rules import moves as m

#: At most so many listed moves a seat are tried out at once: there can be thousands of discards.
MOST_TRIED = 60


@lru_cache
def fixed_moves(seats: int) -> tuple[Move, ...]:
    """Every move that can be written without looking at the game, for every seat."""
    single = (
        *(m.Roll, m.SkipRoll, m.BuyCard, m.PlayKnight, m.PlayRoadBuilding),
        *(m.StopPlacingRoads, m.PlayVictoryPoint, m.EndTurn),
    )
    moves: list[Move] = []
    for seat in range(seats):
        moves += [kind(seat) for kind in single]
        moves += [m.BuildSettlement(seat, vertex) for vertex in range(54)]
        moves += [m.BuildCity(seat, vertex) for vertex in range(54)]
        moves += [m.BuildRoad(seat, edge) for edge in range(72)]
        moves += [m.MoveRobber(seat, place) for place in range(19)]
        moves += [m.Steal(seat, victim) for victim in range(seats)]
        moves += [m.PlayMonopoly(seat, resource) for resource in range(5)]
        moves += [
            m.TradeWithBank(seat, give, paid, take) for give, paid, take in product(range(5), (1, 2, 3, 4, 5), range(5))
        ]
        for count in range(4):
            for pick in combinations_with_replacement(range(5), count):
                moves.append(m.PlayYearOfPlenty(seat, counts_of(pick)))
    return tuple(moves)


def counts_of(cards: tuple[int, ...]) -> tuple[int, int, int, int, int]:
    return tuple(cards.count(resource) for resource in range(5))  # type: ignore[return-value]


def answers(state: State) -> list[Move]:
    """Every answer to the open offers, by whomever, and to offers that there are not."""
    numbers = {offer.number for offer in state.offers} | {0, state.offers_made}
    seats = range(len(state.order))
    moves: list[Move] = []
    for number, seat in product(sorted(numbers), seats):
        moves += [
            m.AcceptOffer(seat, number),
            m.RejectOffer(seat, number),
            m.WithdrawOffer(seat, number),
        ]
        moves += [m.ConfirmTrade(seat, number, partner) for partner in seats]
    return moves


def some_discard(state: State, source: Random) -> Move:
    """A discard of about the right size, of cards that may or may not be held."""
    seat = source.randrange(len(state.order))
    held = [r for r, count in enumerate(state.hands[seat]) for _ in range(count)]
    cards = held if source.random() < 0.7 else [*held, source.randrange(5)]
    size = min(len(cards), max(0, state.discards[seat] + source.choice((-1, 0, 0, 0, 1))))
    return m.Discard(seat, counts_of(tuple(source.sample(cards, size))))


class _Listed:
    """The listed moves of each seat, looked up once."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._by_seat: dict[int, set[Move]] = {}

    def __contains__(self, move: Move) -> bool:
        if move.seat not in self._by_seat:
            self._by_seat[move.seat] = set(legal_moves(self._state, move.seat))
        return move in self._by_seat[move.seat]


def refusal_of(state: State, move: Move, source: Random) -> str | None:
    try:
        play(state, move, RandomChance(source))
    except IllegalMove as refusal:
        return refusal.code
    return None


def holds(state: State, seat: int, bundle: tuple[int, ...]) -> bool:
    kinds = [state.deck[card] for card in state.cards[seat]]
    held = [*state.hands[seat], *(kinds.count(kind) for kind in range(5))]
    return all(has >= named for has, named in zip(held, bundle, strict=True))


def is_promise_broken(state: State, move: Move) -> TypeGuard[m.ConfirmTrade]:
    """Whether somebody agreed to this trade and has lost the cards since."""
    if not isinstance(move, m.ConfirmTrade):
        return False
    offer = next(offer for offer in state.offers if offer.number == move.offer)
    return not holds(state, move.partner, offer.gives if offer.maker == move.partner else offer.gets)


def playable_moves(state: State, seat: int) -> list[Move]:
    """The listed moves, but for trades with somebody who cannot keep their promise."""
    return [move for move in legal_moves(state, seat) if not is_promise_broken(state, move)]


def _check_refused(state: State, moves: list[Move], source: Random) -> None:
    listed = _Listed(state)
    twin = state.copy()
    for move in moves:
        if move not in listed:
            assert refusal_of(twin, move, source), f"not listed, but played: {move}"
    assert twin == state, "a refused move has left a trace"


def check_refusals(state: State, source: Random, *, tries: int) -> None:
    """A few moves out of all that can be written: refused where they are not listed."""
    moves = source.choices(fixed_moves(len(state.order)), k=tries)
    moves.append(some_discard(state, source))
    if state.offers:
        moves += source.choices(answers(state), k=tries)
    _check_refused(state, moves, source)


def check_whole_list(state: State, source: Random) -> None:
    """Everything that is listed is accepted; everything else that can be written is refused."""
    before = state.copy()
    for seat in range(len(state.order)):
        listed = legal_moves(state, seat)
        assert len(set(listed)) == len(listed), f"seat {seat} has a move listed twice"
        for move in source.sample(list(listed), min(len(listed), MOST_TRIED)):
            assert move.seat == seat
            expected = "promise_broken" if is_promise_broken(state, move) else None
            twin = state.copy()
            assert refusal_of(twin, move, source) == expected, f"listed, but refused: {move}"
            assert expected is None or twin == state, "a broken promise has left a trace"
            assert is_legal(state, move) == (expected is None)
    assert state == before, "trying a move on a copy has changed the original"
    every = [*fixed_moves(len(state.order)), *answers(state), some_discard(state, source)]
    _check_refused(state, every, source)


# Offers and counter-offers


def some_bundle(state: State, seat: int, source: Random) -> tuple[int, ...]:
    """One to three cards; mostly some that the seat holds."""
    held = [r for r, count in enumerate(state.hands[seat]) for _ in range(count)]
    if state.rules.cards_in_trades:
        held += [5 + state.deck[card] for card in state.cards[seat]]
    if not held or source.random() < 0.1:
        held = list(range(10))
    cards = source.sample(held, min(len(held), source.choice((1, 1, 1, 2, 3))))
    return tuple(cards.count(place) for place in range(10))


def some_offer(state: State, seat: int, source: Random) -> Move:
    """An offer or, out of turn, a counter-offer, of terms that may or may not be allowed."""
    others = [other for other in range(len(state.order)) if other != seat]
    if source.random() < 0.05:
        others.append(seat)
    to = tuple(sorted(source.sample(others, source.randint(1, len(others)))))
    gives = some_bundle(state, seat, source)
    gets = some_bundle(state, to[0], source)
    if source.random() < 0.03:
        gets = (0,) * 10
    if seat != state.active or source.random() < 0.05:
        numbers = [offer.number for offer in state.offers] or [state.offers_made]
        return m.CounterOffer(seat, source.choice(numbers), gives, gets)
    return m.OfferTrade(seat, to, gives, gets)


def is_allowed(state: State, move: m.OfferTrade | m.CounterOffer) -> bool:
    """Whether the rule book lets this offer be made."""
    if not _terms_are_fair(state, move):
        return False
    own = [offer for offer in state.offers if offer.maker == move.seat]
    if isinstance(move, m.OfferTrade):
        may_speak = state.phase is Phase.MAIN and move.seat == state.active and move.seat not in move.to
        to = move.to
    else:
        asked = [o for o in state.offers if o.number == move.offer and move.seat in o.to]
        may_speak = bool(asked) and move.seat != state.active and state.rules.counter_offers
        to = (state.active,)
    is_new = (to, move.gives, move.gets) not in [(o.to, o.gives, o.gets) for o in own]
    has_place = len(own) < 6 or state.rules.player_trades == "anything"
    return may_speak and is_new and has_place


def _terms_are_fair(state: State, move: m.OfferTrade | m.CounterOffer) -> bool:
    if state.rules.trade_after_all_built:
        for seat in range(len(state.order)):
            pieces = state.roads[seat].bit_count() + state.settlements[seat].bit_count()
            if pieces <= 4 and not state.cities[seat]:
                return False
    if not state.rules.cards_in_trades and (any(move.gives[5:]) or any(move.gets[5:])):
        return False
    is_swap = any(min(pair) for pair in zip(move.gives, move.gets, strict=True))
    return (
        sum(move.gives) > 0
        and sum(move.gets) > 0
        and (not is_swap or state.rules.player_trades == "anything")
        and holds(state, move.seat, move.gives)
    )


def check_offers(state: State, source: Random, *, tries: int) -> None:
    before = state.copy()
    for _ in range(tries):
        speaker = source.choice((state.active, source.randrange(len(state.order))))
        move = some_offer(state, speaker, source)
        allowed = is_allowed(state, move)
        twin = state.copy()
        was_refused = refusal_of(twin, move, source) is not None
        assert was_refused != allowed, f"{'refused' if was_refused else 'played'}: {move}"
        if was_refused:
            assert twin == before, "a refused offer has left a trace"
