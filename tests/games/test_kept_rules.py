"""Games that run keep the rules they began with, also where a rule book has been read anew since."""

from __future__ import annotations

import importlib
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from games import selectors, services
from games.models import Game, TradeOffer
from games.rules import RuleSet
from games.rules import moves as m

from .playing import ALICE, BOB, lay_out, new_game, stored_state
from .test_clocks import in_main_phase

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

migration = importlib.import_module("games.migrations.0003_offers_have_clocks")
BRICK, LUMBER = (tuple(int(place == named) for place in range(10)) for named in range(2))


def migrate(*games: Game) -> None:
    """With rows as they were before: without the new options, and with the clocks of answers in the game's row."""
    models = {"TradeOffer": TradeOffer, "Game": SimpleNamespace(objects=SimpleNamespace(only=lambda *_: games))}
    before: Any = SimpleNamespace(get_model=lambda _app, name: models[name])
    migration.keep_rules_and_clocks(before, None)


def as_it_was(game: Game, **changed: str) -> Any:
    game.rules = {name: value for name, value in game.rules.items() if name not in migration.PLAYED_BEFORE} | changed
    game.save(update_fields=["rules"])
    game.answer_clocks = {}  # type: ignore[attr-defined]
    return game


def test_counters_and_trades_stay_as_they_were_where_a_rule_book_now_says_otherwise() -> None:
    games = [as_it_was(new_game(book)) for book in ("definition-of-done", "three-player", "standard")]
    migrate(*games)
    for game in games:
        rules = RuleSet.from_json(Game.objects.get(pk=game.pk).rules)
        assert (rules.counter_offers, rules.player_trades) == (True, "fair")


def test_every_other_option_is_the_one_that_was_stored_with_the_game() -> None:
    was = {"victory_point_cards": "when_played", "longest_road_cut": "holder_loses"}
    game = as_it_was(new_game("excellent"), **was)
    migrate(game)
    rules = RuleSet.from_json(Game.objects.get(pk=game.pk).rules)
    assert {name: getattr(rules, name) for name in was} == was


def test_an_answers_clock_moves_to_its_offer_and_runs_on() -> None:
    game = new_game("standard turn_order=seat_order", seed="clocks")
    state = stored_state(game.pk).copy()
    in_main_phase(state)
    lay_out(game.pk, state)
    services.play_move(game.pk, m.OfferTrade(ALICE, (BOB,), BRICK, LUMBER), version=selectors.version(game.pk))
    due = timezone.now() + timedelta(seconds=7)
    before = as_it_was(Game.objects.get(pk=game.pk))
    before.answer_clocks = {"0": due.isoformat()}
    migrate(before)
    assert TradeOffer.objects.get(game=game).answers_due == due
