"""What a page tells of the rules is what the game does: every text is held against the game itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from games.paces import CLOCKS, PACES
from games.rules import NOBODY, PRESETS, Phase, RuleSet, State, legal_moves, points
from games.rules.cards import BUILDING_COSTS, CARD_NAMES
from games.rules.moves import BuyCard, PlayKnight, PlayRoadBuilding, PlayVictoryPoint
from games.rules.phases.cards import update_largest_army
from games.rules.ruleset import OPTIONS
from games.words import CARD_TITLES
from games.words_rules import PACE_CHOICES, RULE_BOOKS, agreed_rules, card_effects, clock_times, prices
from tests.rules.table import ALICE, CARD, CHARLIE, WAYS, give, hold, lay_open, make, pave, set_table, settle
from tests.rules.test_longest_road import cut


def changed(rules: RuleSet) -> Iterator[RuleSet]:
    """A rule book as it is, with each single option changed to each of its values, and with what meets in a knight."""
    yield rules
    for option in OPTIONS:
        for value in option.numbers or [value for value, _ in option.values]:
            yield rules.with_options(**{option.name: value})
    for robber in (True, False):
        for knights in ("then_roll", "may_replace_roll", "never_played"):
            for army in ("knights_played", "knights_held"):
                yield rules.with_options(robber=robber, knights=knights, largest_army=army, friendly_robber=True)


def every_game(check: Callable[[RuleSet], None]) -> Callable[[str], None]:
    """Hold a test against every rule book, however it is changed."""

    @pytest.mark.parametrize("preset", PRESETS)
    def test(preset: str) -> None:
        for rules in set(changed(PRESETS[preset])):
            try:
                check(rules)
            except AssertionError as error:
                error.add_note(f"in a game by the rules {rules}")
                raise

    return test


def table(rules: RuleSet, phase: Phase = Phase.MAIN) -> State:
    state = set_table(rules.preset, phase)
    state.rules = rules
    return state


@every_game
def test_a_knight_is_said_to_do_what_it_does(rules: RuleSet) -> None:
    effect = card_effects(rules)["knight"]
    state = table(rules, Phase.ROLLING)
    hold(state, ALICE, "knight")
    is_played = PlayKnight(ALICE) in legal_moves(state, ALICE)
    if is_played:
        make(state, PlayKnight(ALICE))
    assert ("Move the robber" in effect) == (state.phase is Phase.MOVING_ROBBER)
    assert ("stand in" in effect) == state.may_skip_roll
    assert ("play" in effect.lower()) <= is_played
    assert ("are spared" in effect) == (rules.friendly_robber and state.phase is Phase.MOVING_ROBBER)


@every_game
def test_a_knight_is_said_to_count_for_largest_army_where_it_does(rules: RuleSet) -> None:
    effect = card_effects(rules)["knight"]
    holding, playing = table(rules), table(rules)
    hold(holding, ALICE, *["knight"] * 3)
    lay_open(playing, ALICE, *["knight"] * 3)
    for state in (holding, playing):
        update_largest_army(state)
    is_played = rules.knights != "never_played"
    assert ("eep it" in effect) == (holding.largest_army == ALICE)
    assert ("once it is played" in effect) == (playing.largest_army == ALICE and is_played)


@every_game
def test_a_victory_point_is_said_to_count_when_it_does(rules: RuleSet) -> None:
    effect = card_effects(rules)["victory_point"]
    state = table(rules)
    give(state, ALICE, **CARD)
    state.deck = (CARD_NAMES.index("victory_point"), *state.deck[1:])
    make(state, BuyCard(ALICE))
    assert ("at once" in effect) == ("hidden" in effect) == (points(state, ALICE) == 1)
    plays_at_once = PlayVictoryPoint(ALICE) in legal_moves(state, ALICE)
    assert ("on the turn you bought it too" in effect) == plays_at_once
    state.turn += len(state.order)
    assert ("once you play it" in effect) == (PlayVictoryPoint(ALICE) in legal_moves(state, ALICE))


@every_game
def test_road_building_is_said_to_place_what_it_places(rules: RuleSet) -> None:
    effect = card_effects(rules)["road_building"]
    state = table(rules)
    settle(state, ALICE, 17)
    hold(state, ALICE, "road_building")
    make(state, PlayRoadBuilding(ALICE))
    assert state.free_roads == 2
    assert ("or none" in effect) == ("stop_placing_roads" in {move.kind for move in legal_moves(state, ALICE)})
    without = table(rules)
    pave(without, ALICE, *WAYS[2])
    pave(without, ALICE, *WAYS[4][:6])
    hold(without, ALICE, "road_building")
    assert ("spent for nothing" in effect) == (PlayRoadBuilding(ALICE) in legal_moves(without, ALICE))


def test_a_split_longest_road_is_said_to_go_where_it_goes() -> None:
    told = next(rule.sentence for rule in agreed_rules(PRESETS["excellent"]) if rule.name == "longest_road_cut")
    for others, holder, where in (
        ((5, 0), CHARLIE, "to a single longest road at once"),
        ((5, 5), NOBODY, "or the next one built"),
    ):
        state, settlement = cut(7, others, preset="excellent")
        make(state, settlement)
        assert state.longest_road == holder
        assert where in told


@every_game
def test_nothing_that_is_told_of_a_game_without_a_robber_has_one(rules: RuleSet) -> None:
    told = [*card_effects(rules).values(), *(f"{what}" for what, _ in clock_times(PACES["normal"], rules))]
    told += [rule.sentence for rule in agreed_rules(rules) if rule.title != "Robber"]
    assert rules.robber or not [text for text in told if "robber" in text.lower()]
    assert all(text.strip() for text in told)


@every_game
def test_every_change_of_a_rule_book_is_told_as_a_house_rule_and_nothing_else_is(rules: RuleSet) -> None:
    told = {rule.title for rule in agreed_rules(rules) if rule.is_house_rule}
    wanted = {option.title for option in OPTIONS if option.name in rules.house_rules()}
    assert told == wanted - (set() if rules.robber else {"Friendly robber"})


def test_there_are_words_for_every_rule_book_pace_card_and_piece() -> None:
    assert RULE_BOOKS.keys() == PRESETS.keys()
    assert PACE_CHOICES.keys() == {"", *PACES}
    assert card_effects(PRESETS["standard"]).keys() == CARD_TITLES.keys()
    assert [price.name for price in prices()] == list(BUILDING_COSTS)
    assert len(clock_times(PACES["fast"], PRESETS["standard"])) == len(CLOCKS)
