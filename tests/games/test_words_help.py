"""What a page explains is true of its own game: every topic, note and hint is held against what the game can do."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone

from games.page import phrases
from games.rules import RuleSet, legal_moves
from games.rules.awards import SHORTEST_LONGEST_ROAD, SMALLEST_LARGEST_ARMY
from games.rules.boards import TERRAIN_NAMES
from games.rules.cards import BUILDING_COSTS, RESOURCE_NAMES
from games.rules.moves import TradeWithBank
from games.rules.phases.cards import update_largest_army
from games.rules.ruleset import OPTIONS
from games.services import withdraw
from games.words import cards
from games.words_help import card_notes, explained, harbor_words, hex_words, hints, pieces, resources, topics
from tests.games.playing import look, new_game
from tests.games.test_words_rules import every_game, table
from tests.rules.table import ALICE, give, hold, lay_open

#: How long a hint may be, so that it lies over the players of a phone and leaves the island free.
MOST_OF_A_HINT = 120


def everything_told(rules: RuleSet) -> list[str]:
    told = [sentence for topic in topics(rules) for sentence in (topic.title, *topic.sentences)]
    shown = explained(rules)
    told += [*shown["actions"].values(), *map(str, shown["badges"].values()), shown["turn"], shown["dice"]]
    told += [*card_notes(rules), *pieces(rules).values(), *resources().values(), *hints(rules).values()]
    return [*told, harbor_words("generic", rules), harbor_words("ore", rules)]


def told_of(name: str, rules: RuleSet) -> str:
    return " ".join(next(topic.sentences for topic in topics(rules) if topic.name == name))


@every_game
def test_whatever_is_told_is_a_sentence_without_gaps(rules: RuleSet) -> None:
    titles = {topic.title for topic in topics(rules)}
    for text in everything_told(rules):
        assert text in titles or text.endswith((".", "?"))
        assert not {"{", "}", "_"} & set(text)
        assert "  " not in text


@every_game
def test_a_game_without_a_robber_does_not_tell_of_one(rules: RuleSet) -> None:
    of_a_robber = [text for text in everything_told(rules) if "robber" in text.lower()]
    assert bool(of_a_robber) == rules.robber
    assert ("robber" in hints(rules)) == ("robber" in pieces(rules)) == rules.robber
    assert ("moves the robber" in told_of("seven", rules)) == rules.robber
    assert ("spares" in told_of("seven", rules)) == (rules.robber and rules.friendly_robber)


@every_game
def test_largest_army_is_told_of_where_it_can_be_had_and_by_the_knights_that_count(rules: RuleSet) -> None:
    holding, playing = table(rules), table(rules)
    hold(holding, ALICE, *["knight"] * SMALLEST_LARGEST_ARMY)
    lay_open(playing, ALICE, *["knight"] * SMALLEST_LARGEST_ARMY)
    for state in (holding, playing):
        update_largest_army(state)
    by_holding = holding.largest_army == ALICE
    by_playing = playing.largest_army == ALICE and rules.knights != "never_played"
    assert any("Largest Army" in text for text in everything_told(rules)) == (by_holding or by_playing)
    assert ("to hold 3 knights" in told_of("awards", rules)) == by_holding
    assert ("to play 3 knights" in told_of("awards", rules)) == by_playing
    assert ("largest_army" in hints(rules)) == (by_holding or by_playing)
    assert ("Knights held" in explained(rules)["badges"]["knights"]) == by_holding


@every_game
def test_a_bank_that_trades_is_told_of_and_one_that_does_not_makes_harbors_useless(rules: RuleSet) -> None:
    state = table(rules)
    give(state, ALICE, ore=4)
    trades = any(isinstance(move, TradeWithBank) for move in legal_moves(state, ALICE))
    assert ("four of a kind" in told_of("trading", rules)) == trades
    assert ("3:1" in told_of("harbors", rules)) == ("2:1" in told_of("harbors", rules)) == trades
    assert ("no use" in harbor_words("ore", rules)) == (not trades)
    assert ("or the bank" in explained(rules)["actions"]["trade"]) == trades
    assert (hints(rules).keys() >= {"bank", "harbor"}) == trades


@every_game
def test_the_help_tells_a_table_its_own_numbers(rules: RuleSet) -> None:
    assert f"{rules.points_to_win} victory points" in told_of("winning", rules)
    assert f"more than {rules.discard_limit} cards" in told_of("seven", rules)
    assert f"more than {rules.discard_limit} cards" in explained(rules)["badges"]["hand"]
    assert f"more than {rules.discard_limit} cards" in hints(rules)["discard"]
    assert f"{rules.points_to_win} points" in hints(rules)["victory"]
    assert f"{SHORTEST_LONGEST_ROAD} roads in a row" in told_of("awards", rules)


@every_game
def test_the_example_of_a_discard_is_one_that_can_happen(rules: RuleSet) -> None:
    example = re.search(r"of (\d+) cards, (\d+) go", told_of("seven", rules))
    assert example
    held, lost = map(int, example.groups())
    assert held > rules.discard_limit
    assert held % 2
    assert lost == held // 2


@every_game
def test_the_help_says_what_the_options_say(rules: RuleSet) -> None:
    """Whatever a newcomer needs is there in the words in which the host has chosen it."""
    told = " ".join(everything_told(rules))
    always = {"points_to_win", "win_declared", "discard_limit", "bank_shortage", "maritime_trade", "longest_road_cut"}
    always |= {"cards_a_turn", "counter_offers", "player_trades"}
    unusual = {"cards_in_trades", "balanced_dice", "trade_after_all_built"}
    for option in OPTIONS:
        if option.name in always:
            assert option.explain(option.of(rules)) in told
        if option.name in unusual:
            assert (option.explain(option.of(rules)) in told) == bool(option.of(rules))


@every_game
def test_a_hint_is_short_enough_for_a_phone(rules: RuleSet) -> None:
    assert [hint for hint in hints(rules).values() if len(hint) > MOST_OF_A_HINT] == []


@every_game
def test_the_buttons_tell_what_is_paid(rules: RuleSet) -> None:
    actions = explained(rules)["actions"]
    kinds = {"road": "build_road", "settlement": "build_settlement", "city": "build_city"}
    for what, cost in BUILDING_COSTS.items():
        price = dict(zip(RESOURCE_NAMES, cost, strict=True))
        assert f"costs {cards(price)}" in actions[kinds.get(what, "buy_card")]


def test_each_resource_is_told_with_its_land_and_its_use() -> None:
    told = resources()
    assert told["ore"] == "Ore comes from mountains. It pays for cities and development cards."
    assert told["brick"] == "Brick comes from hills. It pays for roads and settlements."
    assert told.keys() == set(RESOURCE_NAMES)


@pytest.mark.parametrize(
    ("token", "chance"),
    [(2, "on a 2, which is 1 of 36"), (8, "on an 8, which is 5 of 36"), (11, "on an 11, which is 2")],
)
def test_a_hex_tells_what_it_brings_and_how_often(token: int, chance: str) -> None:
    assert hex_words("forest", "lumber", token).startswith(f"Forest: brings lumber {chance}")


def test_the_desert_brings_nothing() -> None:
    assert hex_words(TERRAIN_NAMES[-1], None, None) == "Desert: brings nothing."


@pytest.mark.django_db
def test_hints_are_for_those_who_play_against_bots_alone() -> None:
    game = new_game()
    for bot in (1, 2):
        assert phrases(look(game, 0))["hints"] == {}
        withdraw(game.pk, bot, now=timezone.now())
    assert phrases(look(game, 0))["hints"] == hints(RuleSet())
    assert phrases(look(game, None))["hints"] == {}
