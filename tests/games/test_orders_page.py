"""One's standing orders over HTTP: the page of plain forms, the API, and that nobody else learns of them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import broadcast, selectors, services
from games.models import Game, Presence, Seat
from games.orders import Book, Build, Roll, possible_plans
from games.rules import player_view
from games.snapshots import read
from lobby.leaving import kept_of
from lobby.models import User

from .conftest import Clock
from .playing import ALICE, BOB, new_game, time_out_until

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    """Over days, after the setup, Alice about to roll."""
    game = new_game("standard turn_order=seat_order", seed="page", pace="1 day", users=[alice, bob, charlie])
    time_out_until(game.pk, lambda state: state.turn > 0)
    return game


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def give(client: Client, game: Game, **fields: object) -> Any:
    return client.post(f"/games/{game.pk}/orders/", {"wish": "give", **fields})


def stored(game: Game, seat: int) -> Any:
    return Seat.objects.get(pk=Seat.key(game.pk, seat)).orders


def plannable(game: Game) -> list[Build]:
    return possible_plans(player_view(read(game.pk)[1].state, ALICE), Book())


# The page


def test_each_order_is_given_by_a_plain_form_told_as_a_sentence_and_cancelled(game: Game, alice: User) -> None:
    client = browser(alice)
    plan = plannable(game)[0]
    for fields in (
        {"kind": "roll"},
        {"kind": "end_turn"},
        {"kind": "keep_first", "keep-1": "ore", "keep-2": "grain", "keep-3": ""},
        {"kind": "decline", "asking": "brick"},
        {"kind": "accept", "most": "2", "give": "wool", "least": "1", "get": "ore"},
        {"kind": "build", "plan": f"{plan.piece}-{plan.place}"},
    ):
        assert give(client, game, **fields).status_code == 302
    page = client.get(f"/games/{game.pk}/orders/").content.decode()
    for sentence in (
        "Roll the dice for me when my turn begins",
        "End my turn when there’s nothing I can do",
        "On a seven, keep ore, then grain.",
        "Decline every offer that asks for brick.",
        "Accept any offer that asks me for at most 2 wool and nothing else, and gives me at least 1 ore: at most one a",
        f"Build a {plan.piece} when I can pay for it: ",
    ):
        assert sentence in page
    assert "6 standing orders" in client.get(f"/games/{game.pk}/").content.decode()
    for number in range(6):
        client.post(f"/games/{game.pk}/orders/", {"wish": "cancel", "number": number})
    assert stored(game, ALICE)["orders"] == []
    assert "You haven’t given any." in client.get(f"/games/{game.pk}/orders/").content.decode()


def test_what_became_of_orders_is_told_until_it_was_read(game: Game, alice: User, clock: Clock) -> None:
    client = browser(alice)
    book = Book().with_order(Build("road", 3)).without(0, "edge_taken")
    Seat.objects.filter(pk=Seat.key(game.pk, ALICE)).update(orders=book.to_json())
    Game.objects.filter(pk=game.pk).update(orders_revision=1)
    assert "Standing orders: news" in client.get(f"/games/{game.pk}/").content.decode()
    address = f"/games/{game.pk}/orders/"
    assert "There is a road on this path already." in client.get(address).content.decode()
    assert client.post(address, {"wish": "read"}).status_code == 302
    assert "There is a road on this path already." not in client.get(address).content.decode()


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 400),
        ({"wish": "dance"}, 400),
        ({"wish": "give", "kind": "dance"}, 400),
        ({"wish": "give", "kind": "keep_first"}, 400),
        ({"wish": "give", "kind": "keep_first", "keep-1": "ore", "keep-2": "ore"}, 400),
        ({"wish": "give", "kind": "decline", "asking": "gold"}, 400),
        ({"wish": "give", "kind": "accept", "most": "-1", "give": "wool", "least": "1", "get": "ore"}, 400),
        ({"wish": "give", "kind": "accept", "most": "1", "give": "wool", "least": "1", "get": "wool"}, 400),
        ({"wish": "give", "kind": "accept", "most": "9" * 99, "give": "wool", "least": "1", "get": "ore"}, 400),
        ({"wish": "give", "kind": "build", "plan": "road-72"}, 400),
        ({"wish": "give", "kind": "build", "plan": "city-54"}, 400),
        ({"wish": "give", "kind": "build", "plan": "road"}, 400),
        ({"wish": "give", "kind": "build", "plan": "city-{bobs}"}, 409),
        ({"wish": "give", "kind": "build", "plan": "settlement-{bobs}"}, 409),
        ({"wish": "cancel", "number": "7"}, 409),
        ({"wish": "cancel", "number": "x"}, 400),
        ({"wish": "cancel"}, 400),
    ],
)
def test_what_cannot_be_ordered_is_refused_in_words_and_changes_nothing(
    game: Game, alice: User, fields: dict[str, str], status: int
) -> None:
    client = browser(alice)
    bobs = read(game.pk)[1].state.settlements[BOB].bit_length() - 1
    answer = client.post(
        f"/games/{game.pk}/orders/", {name: value.replace("{bobs}", f"{bobs}") for name, value in fields.items()}
    )
    assert answer.status_code == status
    assert 'role="alert"' in answer.content.decode()
    assert stored(game, ALICE) == {}


def test_contradicting_orders_are_refused_with_both_named(game: Game, alice: User) -> None:
    client = browser(alice)
    give(client, game, kind="decline", asking="wool")
    answer = give(client, game, kind="accept", most="2", give="wool", least="1", get="ore")
    assert answer.status_code == 409
    text = answer.content.decode()
    assert "Decline every offer that asks for wool." in text
    assert "at most 2 wool and nothing else, and gives me at least 1 ore" in text


def test_after_the_end_there_is_nothing_to_order(game: Game, alice: User) -> None:
    services.abort(game.pk, now=timezone.now())
    client = browser(alice)
    assert client.get(f"/games/{game.pk}/orders/").status_code == 302
    assert give(client, game, kind="roll").status_code in (302, 409)
    assert stored(game, ALICE) == {}


def test_nobody_orders_for_a_game_that_is_not_there(alice: User) -> None:
    assert browser(alice).get("/games/123456789/orders/").status_code == 404
    assert browser(alice).get("/api/v1/games/123456789/orders/").status_code == 404


# The API


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "malformed"),
        ([], 400, "malformed"),
        ({"order": {"kind": "roll"}, "cancel": 0}, 400, "malformed"),
        ({"order": {"kind": "roll"}, "seat": 1}, 400, "malformed"),
        ({"order": {"kind": "roll", "seat": 1}}, 400, "malformed_order"),
        ({"order": {"kind": "build", "piece": "city", "place": 99}}, 400, "malformed_order"),
        ({"cancel": "0"}, 400, "malformed"),
        ({"cancel": True}, 400, "malformed"),
        ({"cancel": 5}, 409, "nothing_to_do"),
    ],
)
def test_the_api_refuses_what_makes_no_sense(game: Game, alice: User, body: Any, status: int, code: str) -> None:
    answer = browser(alice).post(f"/api/v1/games/{game.pk}/orders/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert stored(game, ALICE) == {}


def test_orders_are_given_and_cancelled_by_programs(game: Game, alice: User) -> None:
    client, address = browser(alice), f"/api/v1/games/{game.pk}/orders/"
    given = client.post(address, {"order": {"kind": "roll"}}, content_type="application/json").json()
    assert given == client.get(address).json()
    assert [(order["number"], order["order"]) for order in given["orders"]] == [(0, {"kind": "roll"})]
    assert client.post(address, {"cancel": 0}, content_type="application/json").json()["orders"] == []


# Nobody else


def test_no_other_viewer_is_shown_a_byte_more_because_of_an_order(
    game: Game, alice: User, bob: User, dana: User, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not on a page, by the API or by a frame; not when it is given, nor when it is cancelled."""
    Presence.objects.filter(seat__game=game).update(is_here=True)
    sent: list[object] = []
    monkeypatch.setattr(broadcast, "send", lambda group, message: sent.append((group, message)))
    others = [browser(bob), browser(dana), Client()]
    paths = (
        *(f"/games/{game.pk}/", f"/games/{game.pk}/statistics/", f"/api/v1/games/{game.pk}/"),
        *(f"/api/v1/games/{game.pk}/?after=0&revision=0", f"/api/v1/games/{game.pk}/moves/?after=0"),
    )

    def shown() -> list[bytes]:
        return [_without_tokens(client.get(path).content) for client in others for path in paths]

    before, record = shown(), json.dumps(selectors.spectator_record(Game.objects.get(pk=game.pk)))
    for order in (Roll(), *plannable(game)[:3]):
        services.give_order(game.pk, ALICE, order, now=clock.now)
    assert shown() == before
    services.cancel_order(game.pk, ALICE, 0, now=clock.now)
    assert shown() == before
    assert json.dumps(selectors.spectator_record(Game.objects.get(pk=game.pk))) == record
    assert sent == [], "no frame tells that something has changed"
    assert "3 standing orders" in browser(alice).get(f"/games/{game.pk}/").content.decode()


def _without_tokens(content: bytes) -> bytes:
    """A page's tokens differ each time it is drawn."""
    return re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", content)


def test_what_a_person_has_ordered_is_part_of_what_is_kept_of_them(game: Game, alice: User, clock: Clock) -> None:
    services.give_order(game.pk, ALICE, Roll(), now=clock.now)
    (seat,) = kept_of(alice)["seats"]
    assert seat["orders"]["orders"] == [{"number": 0, "answered": [], "accepted_on": 0, "kind": "roll"}]
