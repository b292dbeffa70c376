"""What the database itself refuses, whoever writes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games import services
from games.models import (
    Building,
    DevelopmentCard,
    Edge,
    Game,
    Hand,
    Harbor,
    Hex,
    Move,
    OfferAnswer,
    Road,
    Seat,
    TradeOffer,
    Vertex,
)
from games.rules import legal_moves
from lobby.models import User

from .playing import ALICE, BOB, new_game, time_out

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]


def refused(write: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        write()


@pytest.fixture
def game() -> Game:
    return new_game(seats=3)


def seat(game: Game, number: int) -> int:
    return Seat.key(game.pk, number)


def settlement(game: Game, number: int, vertex: int) -> Building:
    return Building(vertex_id=Vertex.key(game.pk, vertex), seat_id=seat(game, number), kind=Building.Kind.SETTLEMENT)


def move(game: Game, number: int, client_id: str | None = None) -> Move:
    values = {"kind": "roll", "payload": {}, "draws": [], "events": [], "played_at": timezone.now()}
    return Move(game=game, number=number, seat_id=seat(game, ALICE), client_id=client_id, **values)


def offer(game: Game, number: int) -> TradeOffer:
    terms = {"maker_id": seat(game, ALICE), "gives": {"ore": 1}, "gets": {"wool": 1}}
    return TradeOffer.in_game(game.pk, number, made_at=timezone.now(), **terms)


def test_a_vertex_carries_one_building(game: Game) -> None:
    settlement(game, ALICE, 7).save(force_insert=True)
    refused(lambda: settlement(game, BOB, 7).save(force_insert=True))


def test_an_edge_carries_one_road(game: Game) -> None:
    edge = Edge.key(game.pk, 7)
    Road.objects.create(edge_id=edge, seat_id=seat(game, ALICE))
    refused(lambda: Road.objects.create(edge_id=edge, seat_id=seat(game, BOB)))


def test_an_edge_has_one_harbor(game: Game) -> None:
    taken = Harbor.objects.filter(edge__game=game).first()
    assert taken
    refused(lambda: Harbor.objects.create(edge=taken.edge, kind="generic"))


@pytest.mark.parametrize("column", ["brick", "lumber", "wool", "grain", "ore", "must_discard"])
def test_a_hand_never_holds_less_than_nothing(game: Game, column: str) -> None:
    refused(lambda: Hand.objects.filter(seat__game=game).update(**{column: -1}))


@pytest.mark.parametrize("column", ["brick", "lumber", "wool", "grain", "ore"])
def test_the_bank_never_holds_less_than_nothing(game: Game, column: str) -> None:
    refused(lambda: Game.objects.filter(pk=game.pk).update(**{f"bank_{column}": -1}))


def test_a_move_has_a_number_of_its_own(game: Game) -> None:
    move(game, 1).save()
    refused(lambda: move(game, 1).save())


def test_a_client_id_stands_for_one_move_of_a_game(game: Game) -> None:
    move(game, 1, "an id").save()
    refused(lambda: move(game, 2, "an id").save())


def test_the_same_client_id_may_stand_for_moves_of_two_games(game: Game) -> None:
    move(game, 1, "an id").save()
    move(new_game(), 1, "an id").save()


def test_moves_without_a_client_id_do_not_clash(game: Game) -> None:
    move(game, 1).save()
    move(game, 2).save()


def test_there_is_no_fifth_seat() -> None:
    game = new_game(seats=4)
    refused(lambda: Seat.in_game(game.pk, 4, place=4, colour=3, name="Eve").save(force_insert=True))


def test_two_seats_do_not_share_a_place(game: Game) -> None:
    refused(lambda: Seat.in_game(game.pk, 3, place=0, colour=3, name="Dana").save(force_insert=True))


@pytest.mark.parametrize(
    "seat", [{"player": "bot"}, {"player": "bot", "strength": "harder"}, {"strength": "easy"}], ids=str
)
def test_a_bot_has_one_of_the_strengths_and_a_person_none(game: Game, seat: dict[str, str]) -> None:
    refused(lambda: Seat.objects.filter(game=game).update(**seat))


def test_a_person_has_one_seat_in_a_game(alice: User) -> None:
    refused(lambda: new_game(users=[alice, alice]))


def test_a_person_may_sit_in_two_games(alice: User) -> None:
    new_game(users=[alice])
    new_game(users=[alice])


def test_the_desert_has_no_token(game: Game) -> None:
    refused(lambda: Hex.objects.filter(game=game, terrain="desert").update(token=6))


@pytest.mark.parametrize("token", [None, 1, 7, 13])
def test_every_other_hex_has_a_token_that_dice_can_roll_and_is_no_seven(game: Game, token: int | None) -> None:
    refused(lambda: Hex.objects.filter(game=game, terrain="hills").update(token=token))


def test_an_island_has_54_vertices_and_72_edges(game: Game) -> None:
    refused(lambda: Vertex.in_game(game.pk, 54).save(force_insert=True))
    ends = {"start_id": Vertex.key(game.pk, 0), "end_id": Vertex.key(game.pk, 1)}
    refused(lambda: Edge.in_game(game.pk, 72, **ends).save(force_insert=True))


def test_a_deck_has_25_cards(game: Game) -> None:
    refused(lambda: DevelopmentCard.in_game(game.pk, 25, kind="knight").save(force_insert=True))


def test_a_card_in_the_deck_is_neither_bought_nor_played(game: Game) -> None:
    cards = DevelopmentCard.objects.filter(game=game, number=0)
    refused(lambda: cards.update(bought_on=3))
    refused(lambda: cards.update(played=True))


def test_a_card_in_a_hand_was_bought_on_some_turn(game: Game) -> None:
    refused(lambda: DevelopmentCard.objects.filter(game=game, number=0).update(holder=seat(game, ALICE)))


def test_a_seat_answers_an_offer_once(game: Game) -> None:
    offer(game, 0).save(force_insert=True)
    answer = {"offer_id": TradeOffer.key(game.pk, 0), "seat_id": seat(game, BOB)}
    OfferAnswer.objects.create(**answer)
    refused(lambda: OfferAnswer.objects.create(**answer))


def test_an_offer_has_a_number_of_its_own(game: Game) -> None:
    offer(game, 0).save(force_insert=True)
    refused(lambda: offer(game, 0).save(force_insert=True))


def test_a_die_has_six_sides(game: Game) -> None:
    refused(lambda: Game.objects.filter(pk=game.pk).update(first_die=7))
    refused(lambda: Game.objects.filter(pk=game.pk).update(second_die=7))


def test_a_road_building_card_gives_two_roads(game: Game) -> None:
    refused(lambda: Game.objects.filter(pk=game.pk).update(free_roads=3))


def test_a_game_that_is_over_has_a_winner(game: Game) -> None:
    refused(lambda: Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER, ended_at=timezone.now()))


@pytest.mark.django_db(transaction=True)
def test_a_piece_belongs_to_a_seat_and_a_place_that_exist() -> None:
    game = new_game()
    refused(lambda: settlement(game, 3, 7).save(force_insert=True))
    refused(lambda: settlement(game, ALICE, 54).save(force_insert=True))


@pytest.mark.django_db(transaction=True)
def test_rows_that_contradict_a_legal_move_set_the_game_aside() -> None:
    """Somebody wrote a road where the rules, which this process remembers, see a free path."""
    game = new_game(seed="contradiction")
    played = time_out(game.pk)
    road = legal_moves(played.state, played.state.active)[0]
    Road.objects.create(edge_id=Edge.key(game.pk, road.edge), seat_id=seat(game, BOB))
    with pytest.raises(services.SetAside):
        services.play_move(game.pk, road, version=played.version, now=timezone.now())
    assert Game.objects.get(pk=game.pk).status == Game.Status.NEEDS_ATTENTION
