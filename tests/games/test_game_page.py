"""The page of a game as the server draws it, and the plain forms that play it without scripts."""

from __future__ import annotations

import html
import json
import re
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import selectors, services, snapshots, summary
from games.bots import builder
from games.models import Game, Move, Presence, Seat
from games.rules import Move as RulesMove
from games.rules import Phase, State, player_view, points
from games.rules.cards import KNIGHT, VICTORY_POINT
from games.rules.refusals import SENTENCES
from games.services import play_move
from lobby.models import User
from tests.games.playing import lay_out, look, new_game
from tests.rules.table import give, leave_in_bank

pytestmark = pytest.mark.django_db


@pytest.fixture
def users(alice: User, bob: User, charlie: User) -> list[User]:
    return [alice, bob, charlie]


def state_of(game: Game) -> State:
    return snapshots.read(game.pk)[1].state


def choose(game: Game, source: Random) -> RulesMove:
    """What somebody at the table would do now; open offers are answered first."""
    state = state_of(game)
    asked = [seat for seat in state.seats if state.offers and seat != state.active] + [*state.seats]
    return next(move for seat in asked if (move := builder.choose(player_view(state, seat), source)))


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def active_client(game: Game, users: list[User]) -> Client:
    return signed_in(users[state_of(game).active])


def get(client: Client, game: Game) -> str:
    answer = client.get(f"/games/{game.pk}/")
    assert answer.status_code == 200
    return answer.content.decode()


def post(client: Client, game: Game, **fields: Any) -> str:
    """Send a plain form, and read what the page says to it."""
    version = {"version": selectors.version(game.pk)}
    answer = client.post(f"/games/{game.pk}/move/", version | fields, follow=True)
    assert answer.status_code == 200
    return " ".join(f"{message}" for message in answer.context["messages"])


def forms_of(page: str) -> dict[str, str]:
    """The plain forms by their kind."""
    found = re.findall(r'<form class="form plain-form".*?</form>', page, re.DOTALL)
    return {str(re.search(r'name="kind" value="(\w+)"', form)[1]): form for form in found}  # type: ignore[index]


def choices_of(form: str) -> list[dict[str, Any]]:
    return [json.loads(html.unescape(value)) for value in re.findall(r'<option value="([^"]*)"', form)]


# Drawing


def test_a_player_sees_what_to_do_and_where(users: list[User]) -> None:
    game = new_game(users=users)
    page = get(active_client(game, users), game)
    assert "Choose a corner for your first settlement." in page
    assert page.count('class="place vertex legal"') == 54


def test_the_others_see_that_they_wait_and_their_page_looks_again(users: list[User]) -> None:
    game = new_game(users=users)
    waiting = next(user for user in users if user is not users[state_of(game).active])
    page = get(signed_in(waiting), game)
    assert '<noscript><meta http-equiv="refresh"' in page
    assert "legal" not in page
    assert '<meta http-equiv="refresh"' not in get(active_client(game, users), game)


def test_anybody_may_watch_but_finds_nothing_to_press(users: list[User]) -> None:
    game = new_game(users=users)
    page = get(Client(), game)
    assert "plain-form" not in page
    assert 'id="actions"' not in page


def test_a_game_that_does_not_exist_is_not_found(client: Client, db: None) -> None:
    assert client.get("/games/123456/").status_code == 404
    assert client.post("/games/123456/move/", {"kind": "roll"}, follow=True).status_code == 404


@pytest.mark.slow
def test_the_page_holds_no_hand_but_ones_own(users: list[User]) -> None:
    game = new_game(users=users, seed="secrets")
    source = Random(1)
    for _ in range(120):
        play_move(game.pk, choose(game, source), version=selectors.version(game.pk), now=timezone.now())
    for number, user in enumerate(users):
        page = get(signed_in(user), game)
        data = json.loads(html.unescape(str(re.search(r'id="page-data"[^>]*>(.*?)</script>', page)[1])))  # type: ignore[index]
        assert data["viewer"] == number
        assert [seat["seat"] for seat in data["seats"] if "hand" in seat] == [number]


def knights_of(page: str, seat: int) -> str:
    badge = r'<li data-explain="(Knights \w+).*?data-field="knights">(.*?)</b>(.*?)</li>'
    found = re.search(badge, card_of(page, seat))
    assert found
    hidden = "" if " hidden>, hidden" in found[3] else " hidden"
    return f"{found[1]}: {found[2]}{hidden}"


def test_knights_that_are_held_are_counted_for_their_holder_and_hidden_from_the_others(users: list[User]) -> None:
    game = new_game("three-player", users=users, seed="army")
    state = state_of(game).copy()
    state.cards[0] = [card for card, kind in enumerate(state.deck) if kind == KNIGHT][:3]
    state.bought_on = [1] * len(state.deck)
    lay_out(game.pk, state)
    assert knights_of(get(signed_in(users[0]), game), 0) == "Knights held: 3"
    assert knights_of(get(signed_in(users[0]), game), 1) == "Knights held: – hidden"
    assert knights_of(get(signed_in(users[1]), game), 0) == "Knights held: – hidden"
    assert knights_of(get(Client(), new_game(users=users)), 0) == "Knights played: 0"


def test_what_a_card_does_is_told_by_the_rules_of_the_game(users: list[User]) -> None:
    gentle, standard = (get(signed_in(users[0]), new_game(book, users=users)) for book in ("three-player", "standard"))
    assert 'data-explain="Keep it: whoever holds the most knights' in gentle
    assert "robber and take a card" not in gentle
    assert 'data-explain="Move the robber and take a card' in standard


def about(page: str) -> str:
    """What the page tells about the game, without its tags."""
    part = str(re.search(r'<details class="about".*</details>(?=\s*</dialog>)', page, re.DOTALL)[0])  # type: ignore[index]
    named = re.sub(r'<svg class="icon" role="img" aria-label="(\w+)".*?</svg>', r"\1 ", part)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", named)).split())


def test_the_table_of_costs_is_on_the_page(users: list[User]) -> None:
    for client in (signed_in(users[0]), Client()):
        told = about(get(client, new_game(users=users)))
        assert "Road 2 points for Longest Road, from 5 in a row brick 1 lumber 1" in told
        assert "Settlement 1 point brick 1 lumber 1 wool 1 grain 1" in told
        assert "City 2 points, in place of a settlement grain 2 ore 3" in told
        assert "Development card one of the cards below wool 1 grain 1 ore 1" in told


def test_everybodys_pieces_left_are_on_the_page_and_ones_own_beside_the_buttons(users: list[User]) -> None:
    game = new_game(users=users)
    first = state_of(game).active
    client = signed_in(users[first])
    post(client, game, kind="build_settlement", choice='{"vertex": 20}')
    page = get(client, game)
    for seat, name in enumerate(["Alice", "Bob", "Charlie"]):
        assert f"{name} 15 {4 if seat == first else 5} 4" in about(page)
    assert re.findall(r'data-left="(\w+)">(\d+)</b><span> left', page) == [
        ("roads", "15"),
        ("settlements", "4"),
        ("cities", "4"),
    ]


def test_the_rule_book_the_house_rules_and_the_clocks_are_on_the_page(users: list[User]) -> None:
    game = new_game("online points_to_win=12 discard_limit=9 balanced_dice=true", users=users, pace="fast")
    told = about(get(signed_in(users[0]), game))
    assert "Rules: Endless bank The bank never runs out in a trade" in told
    assert "12 victory points win. house rule" in told
    assert "whoever holds more than 9 cards discards half of them. house rule" in told
    assert "You win the moment you have the points, on anyone's turn. On" in told
    assert "Balanced dice: Rolls are dealt from the 36 possible ones" in told
    assert told.count("house rule") == 3
    assert "When the bank is too short for a roll Nobody gets the resource." in told
    assert "Pace: Fast Placing a piece in the beginning 45 seconds" in told
    assert "Answering an offer 15 seconds" in told


def test_a_game_without_clocks_and_house_rules_says_so(users: list[User]) -> None:
    told = about(get(Client(), new_game(users=users)))
    assert "Pace: No clock No time limit." in told
    assert "house rule" not in told
    assert "10 victory points win." in told


# Plain forms


@pytest.mark.slow
def test_a_whole_game_is_played_by_plain_forms_alone(users: list[User]) -> None:
    """Every legal move that a bot chooses stands in a form, and the form plays it."""
    game = new_game("standard points_to_win=8", users=users, seed="forms")
    clients = [signed_in(user) for user in users]
    source = Random(4)
    while state_of(game).phase is not Phase.OVER:
        move = choose(game, source).to_json()
        seat, kind = move.pop("seat"), move["kind"]
        form = forms_of(get(clients[seat], game))[kind]
        counts = {row: move.pop(row) for row in ("gives", "gets") if row in move}
        if kind == "discard":
            counts["resources"] = move.pop("resources")
        fields = {f"{row}-{name}": count for row, cards in counts.items() for name, count in cards.items()}
        assert all(f'name="{name}"' in form for name in fields)
        fields |= {"to": move.pop("to")} if "to" in move else {}
        choice = {key: move[key] for key in move if key != "kind"}
        assert not choice or choice in choices_of(form)
        version = selectors.version(game.pk)
        fields |= {"version": version, "kind": kind, "choice": json.dumps(choice)}
        clients[seat].post(f"/games/{game.pk}/move/", fields)
        assert selectors.version(game.pk) == version + 1
    assert Move.objects.filter(game=game).count() == selectors.version(game.pk)
    assert "won the game with" in get(clients[0], game)


def test_a_forgotten_number_counts_as_none(users: list[User]) -> None:
    game = new_game(users=users)
    seat = state_of(game).active
    said = post(
        signed_in(users[seat]), game, kind="offer_trade", to=[(seat + 1) % 3], **{"gives-wool": "", "gets-ore": "1"}
    )
    assert said == "That cannot be done at this point of the turn."


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"kind": "win"},
        {"kind": "roll", "version": "now"},
        {"kind": "roll", "version": "-1"},
        {"kind": "build_settlement"},
        {"kind": "build_settlement", "choice": "{"},
        {"kind": "build_settlement", "choice": "[" * 5000},
        {"kind": "build_settlement", "choice": "7"},
        {"kind": "build_settlement", "choice": '{"vertex": 54}'},
        {"kind": "build_settlement", "choice": '{"vertex": 7, "seat": 1}'},
        {"kind": "build_settlement", "choice": '{"vertex": 7, "kind": "roll"}'},
        {"kind": "discard", "resources-brick": "many"},
        {"kind": "discard", "resources-gold": "1"},
        {"kind": "offer_trade", "to": "x", "gives-wool": "1", "gets-ore": "1"},
        {"kind": "offer_trade", "gives-wool": "1", "gets-ore": "1"},
    ],
)
def test_a_forged_form_is_refused_in_a_sentence_and_changes_nothing(users: list[User], fields: dict[str, str]) -> None:
    game = new_game(users=users)
    before = state_of(game)
    said = post(active_client(game, users), game, **fields)
    assert said.endswith(".")
    assert state_of(game) == before


def test_an_illegal_place_is_refused_by_the_rule(users: list[User]) -> None:
    game = new_game(users=users)
    post(active_client(game, users), game, kind="build_settlement", choice='{"vertex": 20}')
    said = post(active_client(game, users), game, kind="build_road", choice='{"edge": 0}')
    assert said == "This place does not touch your roads or buildings."
    assert selectors.version(game.pk) == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kind": "trade_with_bank", "choice": '{"give": "ore", "paid": 3, "take": "wool"}'}, "Pay exactly your rate"),
        ({"kind": "trade_with_bank", "choice": '{"give": "ore", "paid": 4, "take": "wool"}'}, "The bank does not have"),
        (
            {"kind": "offer_trade", "to": [1], "gives-ore": "1", "gets-wool": "0"},
            "Something must be given on both sides",
        ),
        ({"kind": "offer_trade", "to": [1], "gives-ore": "1", "gets-ore": "1"}, "The same"),
    ],
)
def test_a_trade_that_cannot_be_is_refused_in_a_sentence_that_says_why(
    users: list[User], fields: dict[str, Any], said: str
) -> None:
    game = new_game("standard turn_order=seat_order", users=users)
    state = state_of(game).copy()
    state.phase, state.turn, state.placements, state.rolled = Phase.MAIN, 1, 6, True
    give(state, 0, ore=5)
    leave_in_bank(state, 1, wool=0)
    lay_out(game.pk, state)
    assert said in post(signed_in(users[0]), game, **fields)


def in_main_phase(rules: str, users: list[User]) -> Game:
    """It is Alice's turn, and everybody holds two of each resource."""
    game = new_game(f"{rules} turn_order=seat_order", users=users)
    state = state_of(game).copy()
    state.phase, state.turn, state.placements, state.rolled = Phase.MAIN, 1, 6, True
    for seat in state.seats:
        give(state, seat, brick=2, lumber=2, wool=2, grain=2, ore=2)
    lay_out(game.pk, state)
    return game


def counts_of(form: str) -> dict[str, tuple[str, int]]:
    """The numbers that a form asks for: what each is called, and the most it may be."""
    found = re.findall(r'<label>([^<]*) <input type="number" name="([^"]+)" min="0" max="(\d+)" value="0">', form)
    return {name: (label, int(most)) for label, name, most in found}


def test_an_offer_counts_up_to_what_is_held_and_goes_to_everybody_else(users: list[User]) -> None:
    game = in_main_phase("standard", users)
    form = forms_of(get(signed_in(users[0]), game))["offer_trade"]
    resources = ("brick", "lumber", "wool", "grain", "ore")
    gives = {f"gives-{name}": (name, 2) for name in resources}
    assert counts_of(form) == gives | {f"gets-{name}": (name, 19) for name in resources}
    assert re.findall(r'name="to" value="(\d)" checked> <bdi>(\w+)<', form) == [("1", "Bob"), ("2", "Charlie")]


def test_cards_are_counted_under_their_names_where_they_are_traded(users: list[User]) -> None:
    form = forms_of(get(signed_in(users[0]), in_main_phase("three-player", users)))["offer_trade"]
    assert counts_of(form)["gets-road_building"] == ("road building", 19)


def test_whoever_must_discard_counts_up_to_what_is_held(users: list[User]) -> None:
    game = in_main_phase("standard", users)
    state = state_of(game).copy()
    state.phase, state.discards = Phase.DISCARDING, [5, 0, 0]
    lay_out(game.pk, state)
    form = forms_of(get(signed_in(users[0]), game))["discard"]
    assert "<h2>Discard 5 cards</h2>" in form
    assert counts_of(form) == {f"resources-{name}": (name, 2) for name in ("brick", "lumber", "wool", "grain", "ore")}
    counts = {"resources-brick": "2", "resources-ore": "2", "resources-wool": "1"}
    assert post(signed_in(users[0]), game, kind="discard", **counts) == ""
    assert state_of(game).hands[0] == [0, 2, 1, 2, 0]


@pytest.mark.parametrize(
    ("rules", "answers"),
    [
        ("standard", {"accept_offer", "reject_offer", "counter_offer"}),
        ("standard counter_offers=false", {"accept_offer", "reject_offer"}),
        ("definition-of-done", {"accept_offer", "reject_offer"}),
    ],
)
def test_an_offer_is_countered_only_where_the_table_plays_so(users: list[User], rules: str, answers: set[str]) -> None:
    game = in_main_phase(rules, users)
    assert post(signed_in(users[0]), game, kind="offer_trade", to=[1], **{"gives-ore": 1, "gets-wool": 1}) == ""
    assert forms_of(get(signed_in(users[1]), game)).keys() == answers
    counter = {"kind": "counter_offer", "choice": '{"offer": 0}', "gives-wool": "1", "gets-brick": "1"}
    said = post(signed_in(users[1]), game, **counter)
    assert said == (
        "" if "counter_offer" in answers else "In this game an offer is accepted or declined, nothing else."
    )


def test_a_resource_is_exchanged_for_itself_where_anything_is_exchanged_for_anything(users: list[User]) -> None:
    game = in_main_phase("three-player", users)
    for count in range(7):
        terms = {"gives-ore": 2, "gets-ore": 1, "gets-wool": count}
        assert post(signed_in(users[0]), game, kind="offer_trade", to=[1], **terms) == ""
    assert len(choices_of(forms_of(get(signed_in(users[1]), game))["accept_offer"])) == 3
    post(signed_in(users[1]), game, kind="accept_offer", choice='{"offer": 1}')
    post(signed_in(users[0]), game, kind="confirm_trade", choice='{"offer": 1, "partner": 1}')
    assert [state_of(game).hands[seat] for seat in (0, 1)] == [[2, 2, 3, 2, 1], [2, 2, 1, 2, 3]]


def test_a_victory_point_like_any_other_card_is_played_by_a_form_on_a_later_turn(users: list[User]) -> None:
    game = in_main_phase("definition-of-done", users)
    state = state_of(game).copy()
    card = state.deck.index(VICTORY_POINT)
    state.cards[0], state.dealt = list(range(card + 1)), card + 1
    state.bought_on = [1] * state.dealt + state.bought_on[state.dealt :]
    lay_out(game.pk, state)
    assert "play_victory_point" not in forms_of(get(signed_in(users[0]), game))
    assert post(signed_in(users[0]), game, kind="play_victory_point") == SENTENCES["bought_this_turn"]
    state.turn = 4
    lay_out(game.pk, state)
    before = points(state, 0)
    assert "play_victory_point" in forms_of(get(signed_in(users[0]), game))
    assert post(signed_in(users[0]), game, kind="play_victory_point") == ""
    assert points(state_of(game), 0) == before + 1
    assert not [kind for kind in forms_of(get(signed_in(users[0]), game)) if kind.startswith("play_")]


def test_nobody_moves_for_another_seat(users: list[User]) -> None:
    game = new_game(users=users)
    waiting = next(user for user in users if user is not users[state_of(game).active])
    assert post(signed_in(waiting), game, kind="build_settlement", choice='{"vertex": 20}') == "It is not your turn."
    assert "no seat" in post(Client(), game, kind="build_settlement", choice='{"vertex": 20}')
    assert selectors.version(game.pk) == 0


def test_a_form_of_an_old_page_is_refused_and_the_new_page_shown(users: list[User]) -> None:
    game = new_game(users=users)
    client = active_client(game, users)
    post(client, game, kind="build_settlement", choice='{"vertex": 20}')
    assert "moved on" in post(client, game, version=0, kind="build_settlement", choice='{"vertex": 40}')


@pytest.mark.slow
def test_a_flood_of_forms_plays_at_most_what_is_legal(users: list[User]) -> None:
    game = new_game(users=users)
    client = active_client(game, users)
    for vertex in range(200):
        fields = {"version": 0, "kind": "build_settlement", "choice": json.dumps({"vertex": vertex})}
        assert client.post(f"/games/{game.pk}/move/", fields).status_code == 302
    assert selectors.version(game.pk) == 1


# Clocks, absence, stand-ins


def card_of(page: str, seat: int) -> str:
    """What the page draws of a seat."""
    return str(re.search(rf'<li class="seat-card[^>]*id="seat-{seat}".*?</ul>', page, re.DOTALL)[0])  # type: ignore[index]


def wish(client: Client, game: Game, **fields: str) -> str:
    """Send a form about one's seat, and read what the page says to it."""
    answer = client.post(f"/games/{game.pk}/seat/", fields, follow=True)
    assert answer.status_code == 200
    return " ".join(f"{message}" for message in answer.context["messages"])


def test_a_clock_is_drawn_for_whom_the_game_waits_and_for_nobody_else(users: list[User]) -> None:
    game = new_game(users=users, pace="normal")
    active = state_of(game).active
    page = get(active_client(game, users), game)
    assert re.search(r"<noscript>1 minute \d+ seconds</noscript>", card_of(page, active))
    assert "<noscript></noscript>" in card_of(page, (active + 1) % 3)
    assert "<title>(1) Your move · Game" in page
    refresh = re.search(r'<noscript><meta http-equiv="refresh" content="(\d+)">', page)
    assert refresh
    assert 64 <= int(refresh[1]) <= 94


def test_a_clock_that_is_short_is_drawn_with_its_last_call(users: list[User]) -> None:
    game = new_game(users=users, pace="7 days")
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + timedelta(hours=5, seconds=30))
    page = get(active_client(game, users), game)
    assert "<noscript>5 hours</noscript>" in page
    assert "Time is running out: place your settlement." in page


def test_a_game_without_clocks_draws_none_and_asks_nothing_about_timeouts(users: list[User]) -> None:
    game = new_game(users=users)
    page = get(active_client(game, users), game)
    assert set(re.findall(r'<span class="clock.*?<noscript>(.*?)</noscript>', page)) == {""}
    assert re.search(r'<form id="if-absent"[^>]* hidden>', page)
    assert "Resign for good" in page


def test_a_seat_says_who_is_away_and_who_has_just_lost_the_connection(users: list[User]) -> None:
    game = new_game(users=users)
    here, lost, away = (Seat.key(game.pk, seat) for seat in range(3))
    Presence.objects.filter(seat=here).update(is_here=True)
    Presence.objects.filter(seat=lost).update(gone_at=timezone.now() - timedelta(seconds=30))
    Presence.objects.filter(seat=away).update(gone_at=timezone.now() - timedelta(minutes=3))
    page = get(Client(), game)
    states = [re.search(r'data-state="(\w*)" data-short=""( hidden)?', card_of(page, seat)) for seat in range(3)]
    assert [state and state[1] for state in states] == ["", "lost", "away"]
    assert [bool(state and state[2]) for state in states] == [True, False, False]
    assert 'data-state="you"' in card_of(get(signed_in(users[2]), game), 2)


def test_whoever_was_replaced_takes_the_seat_back_by_a_plain_form(users: list[User]) -> None:
    game = new_game(users=users)
    client, seat = active_client(game, users), state_of(game).active
    assert re.search(r'<form class="take-back"[^>]* hidden>', get(client, game))
    services.replace_by_bot(game.pk, seat, now=timezone.now())
    page = get(client, game)
    assert not re.search(r'<form class="take-back"[^>]* hidden>', page)
    assert "plain-form" not in page
    assert ">stand-in<" in card_of(page, seat)
    assert wish(client, game, wish="take_back") == ""
    assert "You are back: the stand-in has left." in get(client, game)
    assert "build_settlement" in forms_of(get(client, game))


def test_what_a_player_wants_when_away_stands_in_the_settings_of_that_player_alone(users: list[User]) -> None:
    game = new_game(users=users, pace="fast")
    assert wish(signed_in(users[0]), game, wish="if_absent", if_absent="resign") == ""
    chosen = re.compile(r'name="if_absent" value="(\w+)" checked')
    assert chosen.findall(get(signed_in(users[0]), game)) == ["resign"]
    assert chosen.findall(get(signed_in(users[1]), game)) == ["stand_in"]
    assert "When I am away" not in get(Client(), game)


def test_whoever_resigns_watches_a_bot_play_on(users: list[User]) -> None:
    game = new_game(users=users)
    client = signed_in(users[1])
    assert wish(client, game, wish="resign") == ""
    page = get(client, game)
    assert "Bob resigned; a bot plays on." in page
    assert ">medium bot<" in card_of(page, 1)
    assert 'id="actions"' not in page
    assert "no seat" in wish(client, game, wish="take_back")


# The end


@pytest.mark.slow
def test_the_statistics_count_everybodys_cards_and_rolls_and_tell_nothing_else(users: list[User]) -> None:
    game, source = new_game(users=users, seed="statistics"), Random(3)
    for _ in range(120):
        play_move(game.pk, choose(game, source), version=look(game)["version"], now=timezone.now())
    events = selectors.all_events(game.pk, None)
    fortunes = summary.fortunes(look(game), events)
    rolls = [event for event in events if event["kind"] == "rolled"]
    assert sum(fortune.lost for fortune in fortunes) == sum(fortune.took for fortune in fortunes)
    for seat, fortune in zip(look(game)["order"], fortunes, strict=True):
        received = [event for event in events if event["kind"] in ("received", "starting_resources")]
        mine = [event["resources"] for event in received if event["seat"] == seat]
        assert fortune.got == sum(sum(cards.values()) for cards in mine) > 0
    shown = [client.get(f"/games/{game.pk}/statistics/").content.decode() for client in (signed_in(users[0]), Client())]
    assert f"{len(rolls)} rolls" in shown[0]
    player, anybody = (text.split("<main", 1)[1].split("</main>")[0] for text in shown)
    assert player == anybody


def test_bots_are_shown_with_how_strong_they_are_wherever_they_are_named(users: list[User]) -> None:
    game = new_game(users=users, bots=[2], strength="hard")
    page = get(signed_in(users[0]), game)
    assert ">hard bot<" in card_of(page, 2)
    assert page.count(">hard bot<") == 2, "among the pieces that are left, too"
    assert ">hard bot<" in Client().get(f"/games/{game.pk}/statistics/").content.decode()


def test_a_game_that_is_not_there_has_no_statistics() -> None:
    assert Client().get("/games/999/statistics/").status_code == 404


@pytest.mark.slow
def test_points_over_turns_end_where_the_rules_end(users: list[User]) -> None:
    game = new_game("standard points_to_win=8 victory_point_cards=when_played", users=users, seed="end")
    source = Random(2)
    grown: list[list[int]] = [[0, 0, 0]]
    while (state := state_of(game)).phase is not Phase.OVER:
        turn = state.turn
        play_move(game.pk, choose(game, source), version=selectors.version(game.pk), now=timezone.now())
        now = state_of(game)
        if now.turn > turn:
            grown.append([points(now, seat) for seat in now.seats])
    grown.append([points(state, seat) for seat in state.seats])
    page = look(game, 0)
    events = [event for move in selectors.events_since(game.pk, 0, 0) for event in move["events"]]
    assert summary.points_by_turn(page, events) == [list(line) for line in zip(*grown, strict=True)]
    drawn = summary.summary(page, events, {})
    winner = drawn.sources[0]
    assert winner.player["seat"] == state.winner
    assert winner.player["points"] == points(state, state.winner)
    for sources in drawn.sources:
        brought = (sources.settlements, sources.cities, sources.road, sources.army, sources.cards)
        assert sum(source.points for source in brought) == sources.player["points"]
        cities = len(sources.player["cities"])
        assert sources.cities == (2 * cities, "1 city" if cities == 1 else f"{cities} cities")
    assert drawn.dice.total == sum(bar.rolled for bar in drawn.dice.bars)
    assert round(sum(bar.expected for bar in drawn.dice.bars)) == drawn.dice.total


@pytest.mark.parametrize("version", [None, "", "-1", "1.5", "٣", "9" * 10])
def test_a_form_that_does_not_say_on_which_version_it_was_drawn_is_refused(
    users: list[User], version: str | None
) -> None:
    game = new_game(users=users)
    fields = {"kind": "build_settlement", "choice": '{"vertex": 20}'} | (
        {} if version is None else {"version": version}
    )
    answer = active_client(game, users).post(f"/games/{game.pk}/move/", fields, follow=True)
    assert "This form was not made by the game’s page" in html.unescape(answer.content.decode())
    assert selectors.version(game.pk) == 0


@pytest.mark.parametrize("choice", ["}{", "[]", "7", '{"seat": 1}', "[" * 60_000])
def test_a_choice_that_no_page_has_written_is_refused(users: list[User], choice: str) -> None:
    game = new_game(users=users)
    assert "not made by the game’s page" in post(
        active_client(game, users), game, kind="build_settlement", choice=choice
    )
    assert selectors.version(game.pk) == 0
