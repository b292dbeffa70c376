"""Rules about development cards that several rule books share."""

from collections import Counter
from itertools import product
from random import Random

from games.rules import PRESETS, Phase, RandomChance, legal_moves, new_game, player_view, points
from games.rules.cards import CARD_NAMES
from games.rules.moves import (
    BuildRoad,
    BuyCard,
    EndTurn,
    MoveRobber,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
)
from games.rules.topology import edge_between
from tests.rules.table import (
    ALICE,
    BOB,
    BRICK_6,
    CARD,
    CHARLIE,
    ORE,
    costs,
    give,
    hand,
    held_cards,
    hold,
    leave_in_bank,
    make,
    refused,
    resources,
    roll,
    set_table,
    settle,
)

#: The development cards of the box.
BOX = {"knight": 14, "victory_point": 5, "road_building": 2, "year_of_plenty": 2, "monopoly": 2}
#: The kinds that are played in every rule book but where knights are only held.
PLAYED = ("knight", "road_building", "year_of_plenty", "monopoly")


def card_move(seat, kind):
    """The move that plays a card of this kind."""
    return {
        "knight": PlayKnight(seat),
        "road_building": PlayRoadBuilding(seat),
        "year_of_plenty": PlayYearOfPlenty(seat, resources(ore=1, brick=1)),
        "monopoly": PlayMonopoly(seat, ORE),
        "victory_point": PlayVictoryPoint(seat),
    }[kind]


def play_card(state, kind):
    """The player to move plays a card, and then all that it asks for."""
    seat = state.active
    make(state, card_move(seat, kind))
    while state.phase in (Phase.MOVING_ROBBER, Phase.PLACING_FREE_ROADS):
        make(state, legal_moves(state, seat)[0])


def buy(state, kind):
    """The player to move buys a card, and this kind lies on top of the deck."""
    deck = list(state.deck)
    deck.insert(state.dealt, deck.pop(deck.index(CARD_NAMES.index(kind), state.dealt)))
    state.deck = tuple(deck)
    give(state, state.active, **CARD)
    make(state, BuyCard(state.active))


def pass_round(state):
    """Everybody rolls where they have not and ends the turn, until the player to move is to roll again."""
    for _ in state.order:
        if state.phase is Phase.ROLLING:
            roll(state, 2)
        make(state, EndTurn(state.active))


def a_knight_comes_from_the_deck_for_wool_grain_and_ore(preset):
    state = set_table(preset)
    costs(state, BuyCard(ALICE), CARD)
    assert held_cards(state, ALICE) == ["knight"]


def a_knight_moves_the_robber_and_steals_a_random_card_from_a_player_there(preset):
    state = set_table(preset)
    settle(state, BOB, 8)
    give(state, BOB, brick=1, ore=1)
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    make(state, MoveRobber(ALICE, BRICK_6), 1)
    assert state.robber == BRICK_6
    assert hand(state, ALICE) == {"ore": 1}
    assert hand(state, BOB) == {"brick": 1}


def monopoly_takes_all_cards_of_one_resource_from_all_others(preset):
    state = set_table(preset)
    give(state, ALICE, ore=1)
    give(state, BOB, ore=2, wool=1)
    give(state, CHARLIE, ore=3)
    hold(state, ALICE, "monopoly")
    make(state, PlayMonopoly(ALICE, ORE))
    assert hand(state, ALICE) == {"ore": 6}
    assert hand(state, BOB) == {"wool": 1}
    assert hand(state, CHARLIE) == {}


def road_building_places_two_roads_where_paid_ones_could_stand(preset):
    state = set_table(preset)
    settle(state, ALICE, 17)
    hold(state, ALICE, "road_building")
    make(state, PlayRoadBuilding(ALICE))
    refused(state, BuildRoad(ALICE, edge_between(30, 35)), "not_connected")
    make(state, BuildRoad(ALICE, edge_between(17, 23)))
    make(state, BuildRoad(ALICE, edge_between(23, 18)))
    assert state.roads[ALICE].bit_count() == 2
    assert state.phase is Phase.MAIN


def year_of_plenty_takes_any_two_cards_of_the_bank(preset):
    state = set_table(preset)
    hold(state, ALICE, "year_of_plenty")
    make(state, PlayYearOfPlenty(ALICE, resources(ore=1, wool=1)))
    assert hand(state, ALICE) == {"wool": 1, "ore": 1}
    assert state.bank == [19, 19, 18, 19, 18]


def a_development_card_costs_wool_grain_and_ore_on_ones_own_turn(preset):
    state = set_table(preset)
    give(state, BOB, **CARD)
    refused(state, BuyCard(BOB), "not_your_turn")
    costs(state, BuyCard(ALICE), CARD)


def a_card_is_not_played_on_the_turn_it_was_bought(preset, kinds=PLAYED):
    for kind in kinds:
        state = set_table(preset)
        settle(state, ALICE, 40)
        buy(state, kind)
        refused(state, card_move(ALICE, kind), "bought_this_turn")
        pass_round(state)
        play_card(state, kind)


def a_played_card_is_gone_for_the_game(preset, kinds=PLAYED):
    """Everybody buys and plays, until nothing is left: each card is bought once and played once."""
    state = set_table(preset, Phase.ROLLING)
    for seat, vertex in zip(state.seats, (26, 38, 40, 42), strict=True):
        settle(state, seat, vertex)
    bought, played, idle_turns = Counter(), Counter(), 0
    while idle_turns < len(state.order):
        seat = state.active
        idle_turns += 1
        kind = next((kind for kind in BOX if card_move(seat, kind) in legal_moves(state, seat)), None)
        if kind:
            play_card(state, kind)
            played[kind] += 1
            idle_turns = 0
        roll(state, 2)
        give(state, seat, **CARD)
        if BuyCard(seat) in legal_moves(state, seat):
            event, *_ = make(state, BuyCard(seat))
            bought[event.secret["card"]] += 1
            idle_turns = 0
        else:
            refused(state, BuyCard(seat), "deck_empty")
        make(state, EndTurn(seat))
        assert bought <= Counter(BOX)
        assert played <= bought
    assert bought == BOX
    assert played == {kind: BOX[kind] for kind in kinds}


def the_deck_has_the_25_cards_of_the_box(preset):
    dealt = new_game(PRESETS[preset], 3, "random", RandomChance(Random(4)))
    assert Counter(CARD_NAMES[kind] for kind in dealt.deck) == BOX


def nothing_is_bought_from_an_empty_deck(preset):
    state = set_table(preset)
    state.dealt = 24
    give(state, ALICE, ore=2, wool=2, grain=2)
    make(state, BuyCard(ALICE))
    refused(state, BuyCard(ALICE), "deck_empty")


def one_development_card_is_played_a_turn(preset, kinds=PLAYED):
    """Whichever two they are, before the roll or after it."""
    for first, second in product(kinds, kinds):
        for begun in (Phase.ROLLING, Phase.MAIN):
            state = set_table(preset, begun)
            settle(state, ALICE, 40)
            hold(state, ALICE, first, second)
            play_card(state, first)
            refused(state, card_move(ALICE, second), "one_card_a_turn")
            if state.phase is Phase.ROLLING:
                roll(state, 2)
                refused(state, card_move(ALICE, second), "one_card_a_turn")
            pass_round(state)
            play_card(state, second)


def a_knight_makes_nobody_discard(preset):
    state = set_table(preset)
    give(state, BOB, ore=9)
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    assert state.phase is Phase.MOVING_ROBBER
    assert state.discards == [0, 0, 0, 0]


def year_of_plenty_takes_only_what_the_bank_has(preset):
    state = set_table(preset)
    hold(state, ALICE, "year_of_plenty")
    leave_in_bank(state, BOB, ore=0)
    refused(state, PlayYearOfPlenty(ALICE, resources(ore=1, wool=1)), "bank_lacks")
    make(state, PlayYearOfPlenty(ALICE, resources(wool=2)))


def a_victory_point_card_counts_at_once_and_stays_hidden(preset):
    state = set_table(preset)
    hold(state, ALICE, "victory_point", new=True)
    assert points(state, ALICE) == 1
    assert player_view(state, ALICE)["seats"][ALICE]["points"] == 1
    seen = player_view(state, BOB)["seats"][ALICE]
    assert (seen["points"], seen["card_count"]) == (0, 1)
    assert "cards" not in seen


def the_cards_of_a_year_of_plenty_build_at_once(preset):
    state = set_table(preset)
    settle(state, ALICE, 17)
    hold(state, ALICE, "year_of_plenty")
    make(state, PlayYearOfPlenty(ALICE, resources(brick=1, lumber=1)))
    make(state, BuildRoad(ALICE, edge_between(17, 23)))


def a_played_knight_stays_in_view(preset):
    state = set_table(preset)
    hold(state, ALICE, "knight")
    make(state, PlayKnight(ALICE))
    seen = player_view(state, None)["seats"][ALICE]
    assert (seen["knights"], seen["played"]) == (1, ["knight"])
