"""Ids that are made of a game's number and a number in it: there is room for the largest board and table."""

from __future__ import annotations

from itertools import chain

import pytest

from games import keys
from games.converters import GameConverter
from games.models import DevelopmentCard, Edge, Game, Hex, Numbered, Seat, TradeOffer, Vertex
from games.rules.moves import MOST_OFFERS

#: The rows of hexes of the board for five and six, each with where it begins.
ROWS = (3, 4, 5, 6, 5, 4, 3)


def corners(row: int, place: int) -> list[tuple[int, int]]:
    """The corners of a hex, in order around it, on a grid that neighbours share."""
    x, y = 2 * place + 6 - ROWS[row], 2 * row
    return [(x, y), (x + 1, y - 1), (x + 2, y), (x + 2, y + 1), (x + 1, y + 2), (x, y + 1)]


def largest() -> dict[type[Numbered], int]:
    """How many of each there are at a table of six."""
    hexes = [corners(row, place) for row, size in enumerate(ROWS) for place in range(size)]
    edges = {frozenset(edge) for hex_ in hexes for edge in zip(hex_, [*hex_[1:], hex_[0]], strict=True)}
    return {
        Seat: 6,
        Hex: len(hexes),
        Vertex: len({*chain.from_iterable(hexes)}),
        Edge: len(edges),
        DevelopmentCard: 34,
        TradeOffer: MOST_OFFERS,
    }


def test_the_board_of_six_is_as_large_as_it_is() -> None:
    assert {model.__name__: count for model, count in largest().items()} == {
        "Seat": 6,
        "Hex": 30,
        "Vertex": 80,
        "Edge": 109,
        "DevelopmentCard": 34,
        "TradeOffer": 1_000_000,
    }


def test_everything_that_the_rules_know_by_a_number_is_looked_at_here() -> None:
    assert largest().keys() == {*Numbered.__subclasses__()}


@pytest.mark.parametrize("model", list(largest()))
def test_neighbouring_games_share_no_key_at_a_table_of_six(model: type[Numbered]) -> None:
    last = largest()[model] - 1
    for game_id in (1, 2, 7, 10**keys.GAME_DIGITS - 2):
        assert model.key(game_id, last) < model.key(game_id + 1, 0)
        for number in (0, 1, last):
            key = model.key(game_id, number)
            assert (model.game_of(key), model.number_of(key)) == (game_id, number)


@pytest.mark.parametrize("model", list(largest()))
def test_the_largest_game_that_an_address_may_name_has_keys_of_64_bits(model: type[Numbered]) -> None:
    largest_game = GameConverter().to_python("9" * keys.GAME_DIGITS)
    assert model.key(largest_game, model.ROOM - 1) < 2**63


def test_room_is_a_power_of_two_so_that_the_number_is_the_low_bits() -> None:
    assert all(model.ROOM & (model.ROOM - 1) == 0 for model in largest())


def test_the_numbers_of_games_are_drawn_so_that_nobody_finds_one_by_counting() -> None:
    drawn = [keys.new_game_number() for _ in range(1_000)]
    assert len({*drawn}) == len(drawn)
    assert {len(str(number)) for number in drawn} == {keys.GAME_DIGITS}
    assert drawn != sorted(drawn)
    assert not {number + 1 for number in drawn} & {*drawn}


def test_a_new_game_is_called_by_a_drawn_number() -> None:
    field = Game._meta.pk
    assert field.get_default() != field.get_default()
    assert len(str(field.get_default())) == keys.GAME_DIGITS
