"""Questions that staff and the API ask of the rows, at tables where the answers are known."""

from __future__ import annotations

import pytest
from django.db.models import Q, Sum

from games.models import Building, Game, Hand, Seat
from games.rules import State
from games.rules.topology import DOCKS, EDGE_VERTICES, HEX_VERTEX_SET, members
from tests.rules.table import BRICK_6, GRAIN_6, give, hold, lay_open, raise_cities, set_table, settle

from .playing import ALICE, BOB, CHARLIE, lay_out, new_game, stored_state

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]


def game_like(wanted: State) -> Game:
    """A game whose rows say what the test's table says."""
    game = new_game(layout="beginner")
    dealt = stored_state(game.pk)
    wanted.deck, wanted.order = dealt.deck, dealt.order
    lay_out(game.pk, wanted)
    return game


def test_all_cities_on_a_six() -> None:
    table = set_table(seats=3)
    alices, *_, charlies = members(HEX_VERTEX_SET[BRICK_6])
    bobs, *_ = members(HEX_VERTEX_SET[GRAIN_6])
    raise_cities(table, ALICE, alices)
    raise_cities(table, BOB, bobs)
    settle(table, CHARLIE, charlies)
    raise_cities(table, CHARLIE, 0)
    game_like(table)
    on_a_six = Building.objects.filter(kind=Building.Kind.CITY, vertex__hexes__token=6)
    assert {(city.seat.name, city.vertex.number) for city in on_a_six} == {("Alice", alices), ("Bob", bobs)}


def test_who_holds_more_than_seven_cards() -> None:
    table = set_table(seats=3)
    give(table, ALICE, ore=4, wool=4)
    give(table, BOB, brick=7)
    give(table, CHARLIE, lumber=2, grain=3, brick=5)
    game_like(table)
    rich = Hand.objects.filter(size__gt=7).order_by("-size")
    assert [(hand.seat.name, hand.size) for hand in rich] == [("Charlie", 10), ("Alice", 8)]


def test_who_can_trade_ore_two_for_one() -> None:
    """Whoever has built at either end of the ore harbor's edge."""
    table = set_table(seats=3)
    ore = DOCKS[table.board.harbors.index(4)]
    brick = DOCKS[table.board.harbors.index(0)]
    settle(table, BOB, EDGE_VERTICES[ore][1])
    settle(table, CHARLIE, EDGE_VERTICES[brick][0])
    game_like(table)
    docked = Seat.objects.filter(
        Q(buildings__vertex__edges_up__harbor__kind="ore") | Q(buildings__vertex__edges_down__harbor__kind="ore")
    )
    assert [seat.name for seat in docked] == ["Bob"]


def test_who_has_hidden_development_cards() -> None:
    table = set_table(seats=3)
    hold(table, ALICE, "knight", "knight")
    lay_open(table, BOB, "knight")
    game_like(table)
    assert [seat.name for seat in Seat.objects.filter(cards__played=False).distinct()] == ["Alice"]


def test_how_many_cards_of_each_kind_there_are() -> None:
    table = set_table(seats=3)
    give(table, ALICE, ore=4)
    give(table, BOB, ore=3)
    game = game_like(table)
    held = Hand.objects.filter(seat__game=game).aggregate(Sum("ore"))["ore__sum"]
    game.refresh_from_db()
    assert (held, game.bank_ore) == (7, 12)
