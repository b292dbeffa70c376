"""A whole game that a seat cannot tell from the real one: what it sees, and a guess at what is hidden from it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final

from games.rules.awards import SMALLEST_LARGEST_ARMY, award_holder
from games.rules.boards import HARBOR_NAMES, NO_TOKEN, TERRAIN_NAMES, Board
from games.rules.cards import (
    CARD_NAMES,
    CARD_SUPPLY,
    DECK,
    KNIGHT,
    RESOURCE_NAMES,
    RESOURCE_SUPPLY,
    RESOURCES,
    CardKind,
)
from games.rules.phases.rolling import ALL_ROLLS
from games.rules.ruleset import RuleSet, Value
from games.rules.state import NOBODY, NOWHERE, Offer, Phase, State, army_size, derive_places, points
from games.rules.topology import VERTEX_EDGE_SET, bit_set, members
from games.rules.views import BoardView, SeatView, View

from .memory import HeldCard, Memory

#: How often the hidden cards are dealt again when they cannot lie so.
_DEALS: Final = 20

_KINDS: Final = {name: kind for kind, name in enumerate(CARD_NAMES)}


def imagine(view: View, memory: Memory, source: Random) -> State:
    """A game of which the viewer sees just this view; what the viewer does not see is drawn from its memory."""
    state = State()
    state.rules = _rules(frozenset(view["rules"].items()))
    state.board = _board(view["board"])
    state.order = tuple(view["order"])
    state.phase = Phase(view["phase"])
    state.active = view["active"]
    state.turn = view["turn"]
    first, second = view["dice"] or (0, 0)
    state.dice = first, second
    state.cards_played = view["cards_played"]
    state.free_roads = view["free_roads"]
    state.winner = _holder(view["winner"])
    state.robber = view["robber"]
    state.longest_road = _holder(view["longest_road"])
    state.largest_army = _holder(view["largest_army"])
    seats = view["seats"]
    state.discards = [shown["must_discard"] for shown in seats]
    state.settlements = [bit_set(shown["settlements"]) for shown in seats]
    state.cities = [bit_set(shown["cities"]) for shown in seats]
    state.roads = [bit_set(shown["roads"]) for shown in seats]
    derive_places(state)
    state.road_lengths = [shown["road_length"] for shown in seats]
    _place_setup(state)
    _recall_turn(state, view, memory)
    _recall_offers(state, view, memory)
    state.dice_deck = [roll for roll in ALL_ROLLS if roll not in memory.rolls] if state.rules.balanced_dice else []
    state.bank = [view["bank"][name] for name in RESOURCE_NAMES]
    state.hands = _hands(view, memory, source)
    _deal_cards(state, view, memory, source)
    return state


@lru_cache(maxsize=256)
def _rules(options: frozenset[tuple[str, Value]]) -> RuleSet:
    return RuleSet.from_json(dict(options))


def _board(shown: BoardView) -> Board:
    return _laid_board(
        tuple([(h["terrain"], h["token"]) for h in shown["hexes"]]),
        tuple([harbor["kind"] for harbor in shown["harbors"]]),
    )


@lru_cache(maxsize=256)
def _laid_board(hexes: tuple[tuple[str, int | None], ...], harbors: tuple[str, ...]) -> Board:
    """One object a board, since it keeps what was asked of it."""
    return Board(
        tuple(TERRAIN_NAMES.index(terrain) for terrain, _ in hexes),
        tuple(token or NO_TOKEN for _, token in hexes),
        tuple(HARBOR_NAMES.index(kind) for kind in harbors),
    )


def _holder(seat: int | None) -> int:
    return NOBODY if seat is None else seat


# What no view shows, but follows from it


def _place_setup(state: State) -> None:
    """How far the setup has come."""
    state.placed = NOWHERE
    if state.phase is Phase.PLACING_ROAD:
        roads = state.roads[state.active]
        (state.placed,) = (v for v in members(state.settlements[state.active]) if not VERTEX_EDGE_SET[v] & roads)
    state.placements = 2 * len(state.order) if state.turn else sum(roads.bit_count() for roads in state.roads)


def _recall_turn(state: State, view: View, memory: Memory) -> None:
    """Whether the dice were rolled this turn, and whether they need not be."""
    match state.phase:
        case Phase.PLACING_SETTLEMENT | Phase.PLACING_ROAD | Phase.ROLLING:
            state.rolled = False
        case Phase.MAIN | Phase.DISCARDING:
            state.rolled = True
        case _:
            # Without a card, only a seven brings the robber.
            state.rolled = memory.has_rolled or not state.cards_played
    if state.phase is Phase.ROLLING and state.active == view["viewer"]:
        state.may_skip_roll = "skip_roll" in view["choices"]
    else:
        state.may_skip_roll = memory.has_played_knight_first and state.rules.knights == "may_replace_roll"


def _recall_offers(state: State, view: View, memory: Memory) -> None:
    state.offers = tuple([Offer.from_json(offer) for offer in view["offers"]])
    state.offers_made = max([memory.offers_made, *(offer.number + 1 for offer in state.offers)])


# Resource cards


def _hands(view: View, memory: Memory, source: Random) -> list[list[int]]:
    """The hands that are seen, and others as the memory has them, if they are as many cards as are seen."""
    sampled = memory.sample(source)
    hands = [
        [shown["hand"][name] for name in RESOURCE_NAMES] if "hand" in shown else list(sampled[shown["seat"]])
        for shown in view["seats"]
    ]
    if not _add_up(view, hands):
        _correct(view, hands, source)
    return hands


def _left_by_bank(view: View, hands: Sequence[Sequence[int]]) -> list[int]:
    """What the bank lacks beyond these hands, of each resource."""
    return [
        RESOURCE_SUPPLY - view["bank"][name] - sum(hand[resource] for hand in hands)
        for resource, name in enumerate(RESOURCE_NAMES)
    ]


def _add_up(view: View, hands: Sequence[Sequence[int]]) -> bool:
    """As many cards in each hand as are seen; and together what the bank lacks, unless it makes cards itself."""
    if any(sum(hand) != shown["hand_size"] for hand, shown in zip(hands, view["seats"], strict=True)):
        return False
    return view["rules"]["maritime_trade"] == "unlimited" or not any(_left_by_bank(view, hands))


def _correct(view: View, hands: list[list[int]], source: Random) -> None:
    """Leave the others as much of these hands as there can be, and deal them the rest of what the bank lacks."""
    hidden = [shown for shown in view["seats"] if "hand" not in shown]
    thought = {shown["seat"]: [r for r in RESOURCES for _ in range(hands[shown["seat"]][r])] for shown in hidden}
    for shown in hidden:
        hands[shown["seat"]] = [0] * len(RESOURCES)
    pool = _left_by_bank(view, hands)
    for shown in hidden:
        cards = thought[shown["seat"]]
        source.shuffle(cards)
        for resource in cards:
            if pool[resource] > 0 and sum(hands[shown["seat"]]) < shown["hand_size"]:
                pool[resource] -= 1
                hands[shown["seat"]][resource] += 1
    rest = [resource for resource in RESOURCES for _ in range(pool[resource])]
    source.shuffle(rest)
    for shown in hidden:
        for _ in range(shown["hand_size"] - sum(hands[shown["seat"]])):
            # Only a bank that makes cards itself has given out more than it lacks.
            hands[shown["seat"]][rest.pop() if rest else source.choice(RESOURCES)] += 1


# Development cards


def _deal_cards(state: State, view: View, memory: Memory, source: Random) -> None:
    """Who holds which places of the deck, and which kinds lie there.

    Seat by seat first those played, then those in hand; the places that were not dealt yet come last.
    """
    held = [_held(view, shown, memory) for shown in view["seats"]]
    unseen = _unseen(view, held)
    if min(unseen) < 0:
        # Not a memory of this game.
        held = [_held(view, shown, None) for shown in view["seats"]]
        unseen = _unseen(view, held)
    deck: list[CardKind] = []
    state.bought_on, state.cards, state.played = [], [], []
    hidden: list[int] = []
    for shown, cards in zip(view["seats"], held, strict=True):
        start = len(deck)
        deck += [_KINDS[name] for name in shown["played"]]
        state.played.append(list(range(start, len(deck))))
        state.bought_on += [0] * (len(deck) - start)
        start = len(deck)
        for bought_on, kind in cards:
            if kind is None:
                hidden.append(len(deck))
            deck.append(KNIGHT if kind is None else kind)
            state.bought_on.append(bought_on)
        state.cards.append(list(range(start, len(deck))))
    state.dealt = len(deck)
    hidden += range(state.dealt, len(DECK))
    deck += DECK[state.dealt :]
    state.bought_on += [0] * (len(DECK) - state.dealt)
    kinds = [kind for kind, count in enumerate(unseen) for _ in range(count)]
    for _ in range(_DEALS):
        source.shuffle(kinds)
        for place, kind in zip(hidden, kinds, strict=True):
            deck[place] = kind
        state.deck = tuple(deck)
        if _may_be(state, view):
            break


def _held(view: View, shown: SeatView, memory: Memory | None) -> Sequence[HeldCard]:
    """The development cards in a hand, of which the viewer knows the kind or does not."""
    earlier = view["turn"] - 1
    if "cards" in shown:
        return [HeldCard(view["turn"] if card["new"] else earlier, _KINDS[card["card"]]) for card in shown["cards"]]
    remembered = memory.cards_of(shown["seat"]) if memory else ()
    return remembered if len(remembered) == shown["card_count"] else [HeldCard(earlier, None)] * shown["card_count"]


def _unseen(view: View, held: Sequence[Sequence[HeldCard]]) -> list[int]:
    """How many cards of each kind the viewer has not seen: in the deck, or hidden in a hand."""
    unseen = list(CARD_SUPPLY)
    for shown in view["seats"]:
        for name in shown["played"]:
            unseen[_KINDS[name]] -= 1
    for cards in held:
        for card in cards:
            if card.kind is not None:
                unseen[card.kind] -= 1
    return unseen


def _may_be(state: State, view: View) -> bool:
    """Nobody should have won already, nor somebody else hold Largest Army."""
    if state.phase is Phase.OVER:
        return True
    rules = state.rules
    if rules.largest_army == "knights_held":
        sizes = [army_size(state, seat) for seat in state.seats]
        if award_holder(state.largest_army, sizes, SMALLEST_LARGEST_ARMY) != state.largest_army:
            return False
    # Where a win is declared as a turn begins, somebody may have had the points since the last one began.
    return rules.win_declared == "turn_begins" or not any(
        shown["points"] + shown["card_count"] >= rules.points_to_win > shown["points"]
        and points(state, shown["seat"]) >= rules.points_to_win
        for shown in view["seats"]
        if "cards" not in shown
    )
