"""Rule sets: the presets, house rules, and their text and JSON forms."""

import json
from typing import get_args, get_type_hints

import pytest

from games.rules import PRESETS, RuleSet, RuleSetError
from games.rules.ruleset import OPTIONS, Changes

PRESET_OPTIONS = {
    "standard": {},
    "definition-of-done": {
        "win_declared": "any_moment",
        "turn_order": "random",
        "bank_shortage": "nobody",
        "victory_point_cards": "like_any_other",
        "counter_offers": False,
    },
    "online": {
        "win_declared": "any_moment",
        "turn_order": "random",
        "bank_shortage": "nobody",
        "maritime_trade": "unlimited",
        "knights": "may_replace_roll",
        "road_building": "up_to_two",
    },
    "three-player": {
        "most_seats": 3,
        "win_declared": "turn_begins",
        "turn_order": "seat_order",
        "starting_resources": "each_type_once",
        "early_sevens": "rolled_again",
        "robber": False,
        "bank_shortage": "nobody",
        "maritime_trade": "none",
        "knights": "never_played",
        "largest_army": "knights_held",
        "cards_in_trades": True,
        "player_trades": "anything",
        "cards_a_turn": "any_number",
    },
    "excellent": {
        "turn_order": "random",
        "bank_shortage": "nobody",
        "road_building": "spent_regardless",
        "longest_road_cut": "lost_until_built",
    },
}
STANDARD = {
    "most_seats": 4,
    "points_to_win": 10,
    "win_declared": "own_turn",
    "turn_order": "highest_roll",
    "starting_resources": "second_settlement",
    "early_sevens": "allowed",
    "discard_limit": 7,
    "robber": True,
    "bank_shortage": "sole_claimant",
    "maritime_trade": "limited",
    "knights": "then_roll",
    "largest_army": "knights_played",
    "road_building": "both",
    "victory_point_cards": "at_once",
    "longest_road_cut": "recount",
    "cards_in_trades": False,
    "counter_offers": True,
    "player_trades": "fair",
    "cards_a_turn": "one",
    "friendly_robber": False,
    "balanced_dice": False,
    "trade_after_all_built": False,
}


@pytest.mark.parametrize("name", PRESET_OPTIONS)
def test_a_preset_has_the_options_of_its_rule_book(name):
    assert PRESETS[name].to_json() == {"preset": name, **STANDARD, **PRESET_OPTIONS[name]}


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("house_rules", [{}, {"points_to_win": 15, "friendly_robber": True, "knights": "then_roll"}])
def test_a_rule_set_is_the_same_after_json_and_text(name, house_rules):
    rules = PRESETS[name].with_options(**house_rules)
    assert RuleSet.from_json(json.loads(json.dumps(rules.to_json()))) == rules
    assert RuleSet.from_text(str(rules)) == rules
    assert RuleSet.from_json({"preset": name, **rules.house_rules()}) == rules


def test_the_text_of_a_rule_set_names_what_differs_from_its_preset():
    rules = PRESETS["online"].with_options(points_to_win=12, balanced_dice=True)
    assert str(rules) == "online points_to_win=12 balanced_dice=true"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"points_to_win": 7}, "from 8 to 15"),
        ({"points_to_win": 16}, "from 8 to 15"),
        ({"points_to_win": True}, "from 8 to 15"),
        ({"points_to_win": "10"}, "from 8 to 15"),
        ({"discard_limit": 6}, "from 7 to 12"),
        ({"discard_limit": 13}, "from 7 to 12"),
        ({"most_seats": 5}, "one of 3, 4"),
        ({"robber": 1}, "one of true, false"),
        ({"knights": "always"}, "one of then_roll, may_replace_roll, never_played"),
        ({"knights": ["then_roll"]}, "one of then_roll, may_replace_roll, never_played"),
        ({"preset": "monopoly"}, "There is no preset 'monopoly'"),
        ({"preset": 3}, "named by a string"),
        ({"dragons": True}, "There is no option 'dragons'"),
    ],
)
def test_an_option_that_is_not_possible_is_refused_in_a_sentence(options, sentence):
    with pytest.raises(RuleSetError, match=sentence):
        RuleSet.from_json(options)


@pytest.mark.parametrize("data", [None, [], "standard", 4, {1: 2}])
def test_a_rule_set_that_is_no_object_is_refused(data):
    with pytest.raises(RuleSetError, match="A rule set is an object"):
        RuleSet.from_json(data)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_value_is_explained_in_a_sentence(option):
    values = option.numbers or [value for value, _ in option.values]
    sentences = [option.explain(value) for value in values]
    assert all(sentence.endswith(".") for sentence in sentences)
    assert len(set(sentences)) == len(sentences)


def test_the_types_know_the_very_presets_options_and_values_that_there_are():
    types = get_type_hints(RuleSet)
    assert get_args(types.pop("preset")) == tuple(PRESETS)
    assert get_type_hints(Changes) == types
    assert list(types) == [option.name for option in OPTIONS]
    for option in OPTIONS:
        values = tuple(value for value, _ in option.values)
        if set(map(type, values)) == {str}:
            assert get_args(types[option.name]) == values
        else:
            assert types[option.name] is (bool if values and type(values[0]) is bool else int)
