"""Development cards: buying them, and playing them before or after the roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..awards import SMALLEST_LARGEST_ARMY, award_holder
from ..cards import (
    CARD_COST,
    CARD_NAMES,
    KNIGHT,
    MONOPOLY,
    RESOURCE_NAMES,
    RESOURCES,
    ROAD_BUILDING,
    ROADS,
    VICTORY_POINT,
    YEAR_OF_PLENTY,
    CardKind,
    Resources,
    named,
    ways_to_take,
)
from ..chance import Chance
from ..events import Event, Told
from ..moves import (
    MOST_SEATS,
    BuildRoad,
    BuyCard,
    Move,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
    StopPlacingRoads,
)
from ..refusals import refuse
from ..state import Phase, State, army_size
from . import building
from .turn import resume_turn

_BUY: Final = [BuyCard(seat) for seat in range(MOST_SEATS)]
_KNIGHT: Final = [PlayKnight(seat) for seat in range(MOST_SEATS)]
_ROAD_BUILDING: Final = [PlayRoadBuilding(seat) for seat in range(MOST_SEATS)]
_STOP_PLACING: Final = [StopPlacingRoads(seat) for seat in range(MOST_SEATS)]
_MONOPOLY: Final = [[PlayMonopoly(seat, r) for r in RESOURCES] for seat in range(MOST_SEATS)]
_VICTORY_POINT: Final = [PlayVictoryPoint(seat) for seat in range(MOST_SEATS)]


# Buying


def buying_moves(state: State, seat: int) -> Sequence[Move]:
    if state.dealt < len(state.deck) and building.can_pay(state.hands[seat], CARD_COST):
        return (_BUY[seat],)
    return ()


def buy_card(state: State, move: BuyCard, _: Chance) -> list[Event]:
    seat, card = move.seat, state.dealt
    if card == len(state.deck):
        refuse("deck_empty")
    if not building.can_pay(state.hands[seat], CARD_COST):
        refuse("cannot_pay")
    building.pay(state, seat, CARD_COST)
    state.cards[seat].append(card)
    state.bought_on[card] = state.turn
    state.dealt += 1
    name = CARD_NAMES[state.deck[card]]
    return [
        Event("bought_card", seat, {}, {"card": name}, (seat,)),
        *update_largest_army(state),
    ]


# Which cards can be played


def legal_moves(state: State, seat: int) -> list[Move]:
    """What the cards in hand allow, before or after the roll."""
    moves: list[Move] = []
    if may_play_another(state):
        kinds = {state.deck[card] for card in state.cards[seat] if not is_new(state, card)}
        if KNIGHT in kinds and state.rules.knights != "never_played":
            moves.append(_KNIGHT[seat])
        if ROAD_BUILDING in kinds and road_building_refusal(state, seat) is None:
            moves.append(_ROAD_BUILDING[seat])
        if YEAR_OF_PLENTY in kinds:
            moves += [PlayYearOfPlenty(seat, pick) for pick in plenty_choices(state)]
        if MONOPOLY in kinds:
            moves += _MONOPOLY[seat]
    if victory_point_refusal(state, seat) is None:
        moves.append(_VICTORY_POINT[seat])
    return moves


def may_play_another(state: State) -> bool:
    return state.cards_played == 0 or state.rules.cards_a_turn == "any_number"


def is_new(state: State, card: int) -> bool:
    """A card bought this turn is played on a later one."""
    return state.bought_on[card] == state.turn


def holds_card(state: State, seat: int, kind: CardKind) -> bool:
    return any(state.deck[card] == kind for card in state.cards[seat])


def _playable_card(state: State, seat: int, kind: CardKind) -> int:
    """The card of this kind that the seat may play now; refused when there is none."""
    refusal = card_refusal(state, seat, kind)
    if refusal:
        refuse(refusal)
    return next(card for card in state.cards[seat] if state.deck[card] == kind and not is_new(state, card))


def card_refusal(state: State, seat: int, kind: CardKind) -> str | None:
    """Why the seat cannot play a card of this kind, by what it holds and has played."""
    held = [card for card in state.cards[seat] if state.deck[card] == kind]
    if not held:
        return "card_not_held"
    if all(is_new(state, card) for card in held):
        return "bought_this_turn"
    if not may_play_another(state):
        return "one_card_a_turn"
    return None


def _lay_open(state: State, seat: int, card: int) -> Event:
    state.cards[seat].remove(card)
    state.played[seat].append(card)
    state.played[seat].sort()
    return Event("played_card", seat, {"card": CARD_NAMES[state.deck[card]]})


def _play(state: State, seat: int, card: int) -> Event:
    state.cards_played += 1
    return _lay_open(state, seat, card)


# Knight


def play_knight(state: State, move: PlayKnight, _: Chance) -> list[Event]:
    """Move the robber and steal, as after a seven, but nobody discards."""
    if state.rules.knights == "never_played":
        refuse("knights_never_played")
    card = _playable_card(state, move.seat, KNIGHT)
    events = [_play(state, move.seat, card), *update_largest_army(state)]
    if not state.rolled and state.rules.knights == "may_replace_roll":
        state.may_skip_roll = True
    if state.rules.robber:
        state.phase = Phase.MOVING_ROBBER
    return events


def update_largest_army(state: State) -> list[Event]:
    before = state.largest_army
    sizes = [army_size(state, seat) for seat in state.seats]
    state.largest_army = award_holder(before, sizes, SMALLEST_LARGEST_ARMY)
    if state.largest_army == before:
        return []
    return [Event("largest_army", state.largest_army, {"from": before})]


# Road Building


def road_building_refusal(state: State, seat: int) -> str | None:
    """Why the card cannot be played, by the pieces and paths that are left."""
    if state.rules.road_building == "spent_regardless":
        return None
    if not building.has_road_left(state, seat):
        return "no_road_left"
    if state.rules.road_building == "both" and not state.road_sites[seat]:
        return "no_free_road_possible"
    return None


def play_road_building(state: State, move: PlayRoadBuilding, _: Chance) -> list[Event]:
    """Two roads as if they had been paid for."""
    seat = move.seat
    card = _playable_card(state, seat, ROAD_BUILDING)
    refusal = road_building_refusal(state, seat)
    if refusal:
        refuse(refusal)
    state.free_roads = min(2, ROADS - state.roads[seat].bit_count())
    state.phase = Phase.PLACING_FREE_ROADS
    _end_without_places(state)
    return [_play(state, seat, card)]


def _end_without_places(state: State) -> None:
    """Free roads that nobody could place are forgotten, so that the turn goes on."""
    if state.free_roads == 0 or not state.road_sites[state.active]:
        state.free_roads = 0
        resume_turn(state)


def free_road_moves(state: State, seat: int) -> Sequence[Move]:
    if seat != state.active:
        return ()
    moves = building.road_moves(seat, state.road_sites[seat])
    return (*moves, _STOP_PLACING[seat]) if may_stop_placing(state) else moves


def may_stop_placing(state: State) -> bool:
    return state.rules.road_building == "up_to_two"


def place_free_road(state: State, move: BuildRoad, _: Chance) -> list[Event]:
    building.require_road_site(state, move.seat, move.edge)
    events = building.place_road(state, move.seat, move.edge)
    state.free_roads -= 1
    _end_without_places(state)
    return events


def stop_placing_roads(state: State, move: StopPlacingRoads, _: Chance) -> list[Event]:
    if not may_stop_placing(state):
        refuse("must_place_roads")
    state.free_roads = 0
    resume_turn(state)
    return [Event("stopped_placing_roads", move.seat, {})]


# Year of Plenty


def plenty_choices(state: State) -> list[Resources]:
    """Two cards of the bank, or what is left when it has fewer; nothing from an empty one."""
    return list(ways_to_take(state.bank, plenty_count(state))) if any(state.bank) else []


def plenty_count(state: State) -> int:
    return min(2, sum(state.bank))


def play_year_of_plenty(state: State, move: PlayYearOfPlenty, _: Chance) -> list[Event]:
    seat = move.seat
    card = _playable_card(state, seat, YEAR_OF_PLENTY)
    if not any(state.bank):
        refuse("bank_lacks")
    if sum(move.resources) != plenty_count(state):
        refuse("take_two")
    if not building.can_pay(state.bank, move.resources):
        refuse("bank_lacks")
    for resource, count in enumerate(move.resources):
        state.bank[resource] -= count
        state.hands[seat][resource] += count
    return [
        _play(state, seat, card),
        Event("received", seat, {"resources": named(move.resources)}),
    ]


# Monopoly


def play_monopoly(state: State, move: PlayMonopoly, _: Chance) -> list[Event]:
    """All others hand over every card they hold of one resource."""
    seat, resource = move.seat, move.resource
    card = _playable_card(state, seat, MONOPOLY)
    events = [_play(state, seat, card)]
    for other in state.seats:
        count = state.hands[other][resource]
        if other != seat and count:
            state.hands[other][resource] = 0
            state.hands[seat][resource] += count
            public: Told = {"victim": other, "resource": RESOURCE_NAMES[resource], "count": count}
            events.append(Event("monopolized", seat, public))
    return events


# Victory points


def victory_point_refusal(state: State, seat: int) -> str | None:
    """Why the seat cannot play a victory point card now."""
    match state.rules.victory_point_cards:
        case "at_once":
            return "points_count_already"
        case "when_played":
            return None if holds_card(state, seat, VICTORY_POINT) else "card_not_held"
        case _:
            return card_refusal(state, seat, VICTORY_POINT)


def play_victory_point(state: State, move: PlayVictoryPoint, _: Chance) -> list[Event]:
    """It is kept and counts from now on."""
    refusal = victory_point_refusal(state, move.seat)
    if refusal:
        refuse(refusal)
    if state.rules.victory_point_cards == "like_any_other":
        return [_play(state, move.seat, _playable_card(state, move.seat, VICTORY_POINT))]
    card = next(c for c in state.cards[move.seat] if state.deck[c] == VICTORY_POINT)
    return [_lay_open(state, move.seat, card)]
