"""The game over HTTP: what is asked, what is answered, what is refused."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from api import games as api_games
from games import selectors, services, snapshots
from games.models import Game, Hand, Move, Seat
from games.rules import Record, legal_moves, player_view
from games.rules.verify import verify
from lobby import profiles
from lobby.models import User
from tests.api.programs import refusal
from tests.clock import Clock
from tests.games.playing import ALICE, lay_out, new_game, play_on, seed_of, time_out, time_out_until
from tests.games.test_clocks import in_main_phase

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(alice: User, bob: User, charlie: User) -> list[User]:
    return [alice, bob, charlie]


@pytest.fixture
def game(cast: list[User]) -> Game:
    return new_game(seed="api", users=cast)


@pytest.fixture
def clients(cast: list[User]) -> list[Client]:
    """Each of the cast at a browser of their own, where a server error is an answer too."""
    clients = [Client(raise_request_exception=False) for _ in cast]
    for client, user in zip(clients, cast, strict=True):
        client.force_login(user)
    return clients


@pytest.fixture
def outsider(dana: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(dana)
    return client


def active(game: Game) -> int:
    return snapshots.read(game.pk)[1].state.active


def first_move(game: Game) -> dict[str, Any]:
    state = snapshots.read(game.pk)[1].state
    move = legal_moves(state, state.active)[0].to_json()
    del move["seat"]
    return move


def post(client: Client, game: Game, body: Any, **extra: Any) -> Any:
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post(f"/api/v1/games/{game.pk}/moves/", text, content_type="application/json", **extra)


# Looking


@pytest.mark.both_stacks
def test_a_player_sees_the_game_from_their_seat(game: Game, clients: list[Client]) -> None:
    answer = clients[ALICE].get(f"/api/v1/games/{game.pk}/").json()
    assert (answer["game"], answer["status"], answer["version"]) == (game.pk, "running", 0)
    view = json.loads(json.dumps(player_view(snapshots.read(game.pk)[1].state, ALICE)))
    seats = view.pop("seats")
    assert {key: answer[key] for key in view} == view
    assert all(shown.items() >= seat.items() for shown, seat in zip(answer["seats"], seats, strict=True))
    assert answer["viewer"] == ALICE


@pytest.mark.parametrize("is_signed_in", [False, True])
def test_everybody_else_is_a_spectator(game: Game, outsider: Client, client: Client, is_signed_in: bool) -> None:
    answer = (outsider if is_signed_in else client).get(f"/api/v1/games/{game.pk}/").json()
    assert answer["viewer"] is None
    assert answer["choices"] == {}


@pytest.mark.both_stacks
def test_what_happened_is_told_from_a_version_on(game: Game, clients: list[Client]) -> None:
    for _ in range(3):
        time_out(game.pk)
    answer = clients[ALICE].get(f"/api/v1/games/{game.pk}/moves/?after=1").json()
    assert answer == {"version": 3, "moves": selectors.events_since(game.pk, 1, ALICE)}
    assert [move["version"] for move in answer["moves"]] == [2, 3]
    assert len(clients[ALICE].get(f"/api/v1/games/{game.pk}/moves/").json()["moves"]) == 3
    assert clients[ALICE].get(f"/api/v1/games/{game.pk}/moves/?after=999999999").json()["moves"] == []


def test_what_happened_to_ones_own_hand_is_told_to_oneself_alone(game: Game, clients: list[Client]) -> None:
    state = time_out_until(game.pk, lambda state: state.turn > 4).copy()
    in_main_phase(state)
    lay_out(game.pk, state)
    seat, version = active(game), selectors.version(game.pk)
    assert post(clients[seat], game, {"move": {"kind": "buy_card"}, "version": version}).status_code == 201
    for viewer, client in enumerate(clients):
        [move] = client.get(f"/api/v1/games/{game.pk}/moves/", {"after": version}).json()["moves"]
        assert ["card" in event for event in move["events"]] == [viewer == seat]


@pytest.mark.parametrize("after", ["-1", "x", "", "1.5", "9" * 30, "٣"])
def test_a_version_that_is_no_number_is_malformed(game: Game, clients: list[Client], after: str) -> None:
    answer = clients[ALICE].get(f"/api/v1/games/{game.pk}/moves/", {"after": after})
    assert refusal(answer) == (400, "malformed")
    assert [error["field"] for error in answer.json()["errors"]] == ["after"]


@pytest.mark.parametrize(
    ("number", "code"), [("0", "no_such_game"), ("9" * 12, "no_such_game"), ("9" * 30, "not_found")]
)
def test_a_game_that_is_not_there_is_not_found(clients: list[Client], number: str, code: str) -> None:
    for path in (f"/api/v1/games/{number}/", f"/api/v1/games/{number}/moves/"):
        assert refusal(clients[ALICE].get(path)) == (404, code)
        assert clients[ALICE].post(path, "{}", content_type="application/json").status_code in (404, 405)


@pytest.mark.both_stacks
def test_moves_come_in_pages(game: Game, clients: list[Client]) -> None:
    for _ in range(5):
        time_out(game.pk)
    address = f"/api/v1/games/{game.pk}/moves/"
    first, second, third = (clients[ALICE].get(address, {"after": n, "limit": 2}).json() for n in (0, 2, 4))
    assert [move["version"] for move in first["moves"] + second["moves"] + third["moves"]] == [1, 2, 3, 4, 5]
    assert {page["version"] for page in (first, second, third)} == {5}
    for limit in ("0", "101", "x"):
        assert refusal(clients[ALICE].get(address, {"limit": limit})) == (400, "malformed")


def test_no_answer_brings_more_moves_than_a_page_has(
    game: Game, clients: list[Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_games, "MOST_MOVES", 3)
    seat, move = active(game), first_move(game)
    for _ in range(5):
        time_out(game.pk)
    answer = clients[seat].get(f"/api/v1/games/{game.pk}/moves/").json()
    assert ([each["version"] for each in answer["moves"]], answer["version"]) == ([1, 2, 3], 5)
    stale = post(clients[seat], game, {"move": move, "version": 0}).json()
    assert ([each["version"] for each in stale["missed"]], stale["version"]) == ([1, 2, 3], 5)


def test_a_page_that_has_not_changed_is_not_sent_again(game: Game, clients: list[Client]) -> None:
    address = f"/api/v1/games/{game.pk}/"
    first = clients[ALICE].get(address)
    tag = first["ETag"]
    assert tag.startswith('W/"')
    assert clients[ALICE].get(address)["ETag"] == tag
    again = clients[ALICE].get(address, headers={"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    assert clients[ALICE].get(address, headers={"If-None-Match": "*"}).status_code == 304
    assert clients[(ALICE + 1) % 3].get(address, headers={"If-None-Match": tag}).status_code == 200
    time_out(game.pk)
    assert clients[ALICE].get(address, headers={"If-None-Match": tag}).status_code == 200


def test_nobody_on_the_way_keeps_a_page(game: Game, clients: list[Client]) -> None:
    for path in ("", "moves/", "choices/", "offers/", "orders/", "record/"):
        answer = clients[ALICE].get(f"/api/v1/games/{game.pk}/{path}")
        assert answer["Cache-Control"] == "private, no-store", path


def test_the_choices_are_the_legal_moves_as_they_are_sent(game: Game, clients: list[Client]) -> None:
    seat, state = active(game), snapshots.read(game.pk)[1].state
    answer = clients[seat].get(f"/api/v1/games/{game.pk}/choices/").json()
    legal = [
        {name: value for name, value in move.to_json().items() if name != "seat"} for move in legal_moves(state, seat)
    ]
    assert answer["moves"] == json.loads(json.dumps(legal))
    assert (answer["version"], answer["asked"], answer["to_fill_in"]) == (0, "move", {})
    waiting = clients[(seat + 1) % 3].get(f"/api/v1/games/{game.pk}/choices/").json()
    assert (waiting["moves"], waiting["asked"]) == ([], "")
    assert waiting["reasons"].keys() >= {"build_road", "trade"}
    assert post(clients[seat], game, {"move": answer["moves"][0], "version": 0}).status_code == 201


@pytest.mark.both_stacks
def test_an_offer_is_listed_with_what_can_be_answered(game: Game, clients: list[Client]) -> None:
    state = time_out_until(game.pk, lambda state: state.turn > 4).copy()
    in_main_phase(state)
    lay_out(game.pk, state)
    seat, version = active(game), selectors.version(game.pk)
    other = (seat + 1) % 3
    offer = {"kind": "offer_trade", "to": [other], "gives": {"brick": 1}, "gets": {"ore": 1}}
    assert post(clients[seat], game, {"move": offer, "version": version}).status_code == 201
    [listed] = clients[other].get(f"/api/v1/games/{game.pk}/offers/").json()["offers"]
    accept = next(button["move"] for button in listed["buttons"] if button["kind"] == "accept_offer")
    assert post(clients[other], game, {"move": accept, "version": version + 1}).status_code == 201


# Lists and records


@pytest.mark.both_stacks
def test_ones_own_games_are_listed_the_newest_first(cast: list[User], clients: list[Client], client: Client) -> None:
    games = [new_game(seed=seed, users=cast) for seed in range(25)]
    first = clients[ALICE].get("/api/v1/games/").json()
    rest = clients[ALICE].get(first["next"]).json()
    numbers = [game["game"] for game in first["results"] + rest["results"]]
    assert numbers == [game.pk for game in reversed(games)]
    assert rest["next"] is None
    shown = first["results"][0]
    assert [player["name"] for player in shown["players"]] == ["Alice", "Bob", "Charlie"]
    assert (shown["seat"], shown["status"], shown["rules"]) == (ALICE, "running", "standard")
    assert client.get("/api/v1/games/").json()["results"] == []


@pytest.mark.both_stacks
def test_lists_of_games_are_narrowed(cast: list[User], clients: list[Client]) -> None:
    running, other = (new_game(seed=seed, users=cast) for seed in ("a", "b"))
    services.abort(other.pk, why="odd", now=timezone.now())

    def found(**query: str) -> set[int]:
        return {game["game"] for game in clients[active(running)].get("/api/v1/games/", query).json()["results"]}

    assert found(status="running") == found(waiting="true") == {running.pk}
    assert found(status="aborted") == {other.pk}
    assert found(mine="true") == {running.pk, other.pk}
    assert found(mine="false") == set()
    assert found(waiting="false") == {other.pk}
    for query in ({"status": "lost"}, {"mine": "yes"}, {"waiting": "1"}):
        assert refusal(clients[ALICE].get("/api/v1/games/", query)) == (400, "malformed")


@pytest.mark.both_stacks
def test_a_list_of_games_takes_the_same_statements_however_long_it_is(
    cast: list[User], clients: list[Client], django_assert_max_num_queries: Any
) -> None:
    for seed in range(12):
        new_game(seed=seed, users=cast)
    with django_assert_max_num_queries(5):
        assert len(clients[ALICE].get("/api/v1/games/").json()["results"]) == 12


@pytest.mark.both_stacks
def test_a_list_of_games_is_read_from_the_newest_on(cast: list[User]) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # Which reads a table of a few rows as a whole, and sorts them.
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
    for viewer in (cast[ALICE], User()):
        newest = profiles.visible_games(viewer).order_by("-started_at", "-pk")[:21]
        assert "games_by_their_start" in newest.explain()


@pytest.mark.both_stacks
@pytest.mark.slow
def test_the_record_of_a_game_is_open_once_it_is_over(
    cast: list[User], clients: list[Client], outsider: Client
) -> None:
    game = new_game("standard points_to_win=8", seed="record", users=cast)
    address = f"/api/v1/games/{game.pk}/record/"
    assert refusal(clients[ALICE].get(address)) == (409, "not_over")
    play_on(game.pk, Random(1), most_moves=2_000)
    answer = outsider.get(address)
    assert answer.json()["seed"] == seed_of(game).hex()
    verify(Record.from_json(answer.json()))
    assert answer["Cache-Control"] == "private, no-cache"
    assert outsider.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304


@pytest.mark.parametrize("act", ["pause", "abort", "set_aside"])
def test_a_game_that_was_not_played_to_its_end_keeps_its_hands(game: Game, clients: list[Client], act: str) -> None:
    getattr(services, act)(game.pk, why="odd", now=timezone.now())
    assert refusal(clients[ALICE].get(f"/api/v1/games/{game.pk}/record/")) == (409, "not_over")


@pytest.mark.both_stacks
def test_a_record_that_cannot_be_read_is_a_problem_and_no_error(game: Game, cast: list[User]) -> None:
    winner = Seat.key(game.pk, ALICE)
    Game.objects.update(status=Game.Status.OVER, winner=winner, ended_at=timezone.now(), commitment="0" * 64)
    browser = Client(raise_request_exception=False)
    assert refusal(browser.get(f"/api/v1/games/{game.pk}/record/")) == (409, "needs_attention")


# How much


def test_whoever_asks_too_much_is_told_when_to_come_back(
    game: Game, clients: list[Client], clock: Clock, settings: Any
) -> None:
    settings.API_READS_A_MINUTE = 6
    address = f"/api/v1/games/{game.pk}/"
    for _ in range(6):
        assert clients[ALICE].get(address).status_code == 200
    refused = clients[ALICE].get(address)
    assert refusal(refused) == (429, "too_fast")
    assert refused["Retry-After"] == "10"
    assert clients[(ALICE + 1) % 3].get(address).status_code == 200
    clock.move(9)
    assert clients[ALICE].get(address).status_code == 429
    clock.move(1)
    assert clients[ALICE].get(address).status_code == 200
    assert clients[ALICE].get(address).status_code == 429


def test_an_address_may_ask_ten_times_as_much_as_a_person(game: Game, clock: Clock, settings: Any) -> None:
    settings.API_READS_A_MINUTE = 2
    address = f"/api/v1/games/{game.pk}/"
    for number in range(10):
        person = Client()
        person.force_login(User.objects.create_user(f"person{number}"))
        assert {person.get(address).status_code for _ in range(2)} == {200}
    late = Client()
    late.force_login(User.objects.create_user("late"))
    assert late.get(address).status_code == 429
    assert late.get(address, REMOTE_ADDR="203.0.113.7").status_code == 200
    for elsewhere in ("203.0.113.8", "203.0.113.9"):
        unknown = [Client().get(address, REMOTE_ADDR=elsewhere).status_code for _ in range(3)]
        assert unknown == [200, 200, 429], "whoever is unknown shares with those at their address alone"


def test_moves_and_offers_have_limits_of_their_own(
    game: Game, clients: list[Client], clock: Clock, settings: Any
) -> None:
    settings.API_MOVES_A_MINUTE, settings.API_OFFERS_A_MINUTE = 4, 1
    seat = active(game)
    offer = {"kind": "offer_trade", "to": [(seat + 1) % 3], "gives": {"brick": 1}, "gets": {"ore": 1}}
    body = {"move": offer, "version": 0}
    assert post(clients[seat], game, body).status_code == 409
    counter = {"kind": "counter_offer", "offer": 1, "gives": {"brick": 1}, "gets": {"ore": 1}}
    for more in (body, {"move": counter, "version": 0}):
        assert refusal(post(clients[seat], game, more)) == (429, "too_fast")
    move = {"move": first_move(game), "version": 0}
    assert post(clients[seat], game, move).status_code == 201
    too_many = post(clients[seat], game, move)
    assert refusal(too_many) == (429, "too_fast")
    assert too_many["Retry-After"] == "15"
    assert "moves" in too_many.json()["detail"]
    assert clients[seat].get(f"/api/v1/games/{game.pk}/").status_code == 200


def test_a_page_that_was_opened_before_an_update_says_that_it_must_be_loaded_again(client: Client) -> None:
    for answer in (client.get("/api/games/1/"), client.post("/api/games/1/moves/", "{}", "application/json")):
        assert (answer.status_code, answer.json()["code"]) == (410, "outdated")
        assert (
            answer.json()["sentence"]
            == answer.json()["detail"]
            == "The site has been updated. Reload the page to go on."
        )


# Moving


@pytest.mark.both_stacks
def test_a_move_is_answered_with_the_new_page_and_what_happened(game: Game, clients: list[Client]) -> None:
    seat, move = active(game), first_move(game)
    answer = post(clients[seat], game, {"move": move, "version": 0, "client_id": "an id"})
    assert answer.status_code == 201
    assert answer.json()["version"] == 1
    body = answer.json()["page"]
    assert body["version"] == 1
    assert body["after"] == {"version": 0, "revision": 0}
    built = {"kind": "built_settlement", "seat": seat, "vertex": move["vertex"]}
    assert [entry["event"] for entry in body["log"]] == [built]
    assert body["seats"][seat]["settlements"] == [move["vertex"]]
    assert body["viewer"] == seat
    assert Move.objects.get(game=game).client_id == "an id"


def test_a_move_needs_no_client_id(game: Game, clients: list[Client]) -> None:
    assert post(clients[active(game)], game, {"move": first_move(game), "version": 0}).status_code == 201


def test_a_whole_number_is_one_however_it_is_written(game: Game, clients: list[Client]) -> None:
    """JSON has one kind of numbers, and some languages write them all alike. What is none has no place in it."""
    text = json.dumps({"move": first_move(game), "version": 0})
    not_json = post(clients[active(game)], game, text.replace('"version": 0', '"version": NaN'))
    assert refusal(not_json) == (400, "parse_error")
    assert post(clients[active(game)], game, text.replace('"version": 0', '"version": 0.0')).status_code == 201


@pytest.mark.both_stacks
def test_a_resent_move_is_answered_as_the_first_time(game: Game, clients: list[Client]) -> None:
    seat, body = active(game), {"move": first_move(game), "version": 0, "client_id": "an id"}
    first = post(clients[seat], game, body).json()
    time_out(game.pk)
    again = post(clients[seat], game, body)
    assert again.status_code == 201
    assert again.json()["page"]["log"][0] == first["page"]["log"][0]
    assert again.json()["page"]["version"] == 2
    assert selectors.version(game.pk) == 2


@pytest.mark.both_stacks
def test_a_client_id_that_stands_for_another_move_is_refused(game: Game, clients: list[Client]) -> None:
    seat = active(game)
    post(clients[seat], game, {"move": first_move(game), "version": 0, "client_id": "an id"})
    body = {"move": first_move(game), "version": 1, "client_id": "an id"}
    assert refusal(post(clients[seat], game, body)) == (409, "client_id_taken")


def test_an_illegal_move_is_refused_with_the_rules_code(game: Game, clients: list[Client]) -> None:
    seat = active(game)
    assert refusal(post(clients[seat], game, {"move": {"kind": "roll"}, "version": 0})) == (409, "wrong_phase")
    other = clients[(seat + 1) % 3]
    assert refusal(post(other, game, {"move": first_move(game), "version": 0})) == (409, "not_your_turn")
    assert selectors.version(game.pk) == 0


@pytest.mark.both_stacks
def test_a_stale_move_is_refused_with_what_was_missed(game: Game, clients: list[Client]) -> None:
    seat, move = active(game), first_move(game)
    time_out(game.pk)
    time_out(game.pk)
    answer = post(clients[seat], game, {"move": move, "version": 0})
    assert refusal(answer) == (409, "stale_version")
    assert answer.json()["version"] == 2
    assert answer.json()["missed"] == selectors.events_since(game.pk, 0, seat)
    assert len(answer.json()["missed"]) == 2


@pytest.mark.parametrize(
    ("act", "code"), [("pause", "not_running"), ("abort", "not_running"), ("set_aside", "needs_attention")]
)
def test_a_game_that_does_not_run_takes_no_move(game: Game, clients: list[Client], act: str, code: str) -> None:
    getattr(services, act)(game.pk, why="odd", now=timezone.now())
    answer = post(clients[active(game)], game, {"move": first_move(game), "version": 0})
    assert refusal(answer) == (409, code)
    assert clients[ALICE].get(f"/api/v1/games/{game.pk}/").json()["status"] != "running"


def test_who_has_no_seat_cannot_move(game: Game, outsider: Client, client: Client) -> None:
    body = {"move": first_move(game), "version": 0}
    assert refusal(post(outsider, game, body)) == (403, "permission_denied")
    nobody = post(client, game, body)
    assert refusal(nobody) == (401, "not_authenticated")
    assert nobody["WWW-Authenticate"] == 'Bearer realm="catan"'
    assert selectors.version(game.pk) == 0


def test_who_has_withdrawn_can_watch_and_not_move(game: Game, clients: list[Client]) -> None:
    seat, body = active(game), {"move": first_move(game), "version": 0}
    services.withdraw(game.pk, seat, now=timezone.now())
    assert post(clients[seat], game, body).status_code == 403
    assert clients[seat].get(f"/api/v1/games/{game.pk}/").json()["viewer"] is None
    [listed] = clients[seat].get("/api/v1/games/").json()["results"]
    assert (listed["seat"], listed["asked"]) == (None, "")


def test_who_may_not_see_a_game_does_not_learn_of_it_by_asking_for_a_rematch(
    game: Game, clients: list[Client], outsider: Client
) -> None:
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABORTED, spectators_allowed=False)
    address = f"/api/v1/games/{game.pk}/rematch/"
    assert refusal(outsider.post(address)) == (404, "no_such_game")
    assert clients[ALICE].post(address).status_code == 201


def test_another_site_cannot_move_for_a_player(game: Game, cast: list[User]) -> None:
    seat = active(game)
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast[seat])
    answer = post(client, game, {"move": first_move(game), "version": 0})
    assert refusal(answer) == (403, "csrf")
    # People read it too, on a page that was open while they signed in again.
    assert answer.json()["detail"].endswith("Reload it, and try again.")
    assert selectors.version(game.pk) == 0


WELL_FORMED = {"kind": "build_settlement", "vertex": 20}
#: What is sent, and which fields the answer names.
MALFORMED: dict[str, tuple[Any, str]] = {
    "not JSON": ("{", ""),
    "no text": (b"\xff\xfe", ""),
    "nothing": ("", "move version"),
    "a list": ([], ""),
    "a number": (7, ""),
    "null": (None, ""),
    "an empty object": ({}, "move version"),
    "nested beyond sense": ("[" * 30_000, ""),
    "no move": ({"version": 0}, "move"),
    "no version": ({"move": WELL_FORMED}, "version"),
    "a version that is text": ({"move": WELL_FORMED, "version": "0"}, "version"),
    "a version that is true": ({"move": WELL_FORMED, "version": True}, "version"),
    "a negative version": ({"move": WELL_FORMED, "version": -1}, "version"),
    "half a version": ({"move": WELL_FORMED, "version": 0.5}, "version"),
    "a seat in the move": ({"move": WELL_FORMED | {"seat": 0}, "version": 0}, "move"),
    "a seat in the body": ({"move": WELL_FORMED, "version": 0, "seat": 0}, "seat"),
    "a move of no kind": ({"move": {"vertex": 20}, "version": 0}, "move.kind"),
    "a move of an unknown kind": ({"move": {"kind": "cheat"}, "version": 0}, "move.kind"),
    "a move whose kind is a list": ({"move": {"kind": []}, "version": 0}, "move.kind"),
    "a vertex off the island": ({"move": {"kind": "build_settlement", "vertex": 54}, "version": 0}, "move.vertex"),
    "a field too many": ({"move": WELL_FORMED | {"edge": 3}, "version": 0}, "move"),
    "a field too few": ({"move": {"kind": "build_settlement"}, "version": 0}, "move"),
    "a move that is text": ({"move": "roll", "version": 0}, "move"),
    "a client id that is a number": ({"move": WELL_FORMED, "version": 0, "client_id": 7}, "client_id"),
    "an empty client id": ({"move": WELL_FORMED, "version": 0, "client_id": ""}, "client_id"),
    "a client id too long": ({"move": WELL_FORMED, "version": 0, "client_id": "x" * 65}, "client_id"),
    "a client id that no database keeps": ({"move": WELL_FORMED, "version": 0, "client_id": "\x00"}, "client_id"),
    "a client id that is half a character": ({"move": WELL_FORMED, "version": 0, "client_id": "\ud800"}, "client_id"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("body", "fields"), MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_move_is_refused_and_its_field_named(
    game: Game, clients: list[Client], body: Any, fields: str
) -> None:
    answer = post(clients[active(game)], game, body)
    assert refusal(answer)[0] == 400
    named = {error["field"] for error in answer.json().get("errors", [])}
    assert named - {""} == set(fields.split())
    assert selectors.version(game.pk) == 0


def test_a_version_beyond_all_numbers_is_stale(game: Game, clients: list[Client]) -> None:
    answer = post(clients[active(game)], game, {"move": WELL_FORMED, "version": 10**30})
    assert refusal(answer) == (409, "stale_version")
    assert answer.json()["missed"] == []


def test_a_body_longer_than_any_move_is_refused(game: Game, clients: list[Client]) -> None:
    answer = post(clients[active(game)], game, {"move": WELL_FORMED, "version": 0, "client_id": "x" * 100_000})
    assert refusal(answer) == (413, "too_long")


def test_a_form_is_not_a_move(game: Game, clients: list[Client]) -> None:
    answer = clients[active(game)].post(f"/api/v1/games/{game.pk}/moves/", {"version": 0})
    assert refusal(answer) == (415, "unsupported_media_type")


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_moves_are_never_changed_whoever_asks(game: Game, clients: list[Client], client: Client, method: str) -> None:
    for each in (clients[ALICE], client):
        answer = getattr(each, method)(f"/api/v1/games/{game.pk}/moves/")
        assert refusal(answer) == (405, "method_not_allowed")


@pytest.mark.both_stacks
def test_a_game_whose_rows_make_no_sense_is_set_aside_when_it_is_looked_at(game: Game, clients: list[Client]) -> None:
    Hand.objects.filter(seat=Seat.key(game.pk, ALICE)).delete()
    answer = clients[ALICE].get(f"/api/v1/games/{game.pk}/")
    assert refusal(answer) == (409, "needs_attention")
