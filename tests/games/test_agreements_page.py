"""Proposals as people meet them: on the page, by plain forms and by the API."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import services, snapshots
from games.models import ABSENT_AFTER, Game, Proposal, Seat
from games.services.agreements import ANSWERED_LIVE
from games.services.resting import rest
from lobby.models import User

from .playing import ALICE, BOB, CHARLIE, look, new_game

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

WAYS = pytest.mark.parametrize("way", ["api", "form"])
VIEWERS = (ALICE, BOB, CHARLIE, None)


@pytest.fixture
def users(alice: User, bob: User, charlie: User) -> list[User]:
    return [alice, bob, charlie]


@pytest.fixture
def game(users: list[User]) -> Game:
    return new_game(seed="agreements", users=users, pace="normal")


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def say(browser: Client, game: Game, way: str, **said: Any) -> Any:
    if way == "api":
        return browser.post(f"/api/v1/games/{game.pk}/agreements/", said, content_type="application/json")
    return browser.post(f"/games/{game.pk}/agreements/", said, follow=True)


def drawn(user: User | None, game: Game) -> str:
    browser = browser_of(user) if user else Client()
    return browser.get(f"/games/{game.pk}/").content.decode()


def card_on(page: str) -> str:
    found = re.search(r'<article class="proposal" data-key=.*?</article>', page, re.DOTALL)
    assert found
    return found[0]


def make_away(game: Game, seat: int) -> None:
    Seat.objects.filter(pk=Seat.key(game.pk, seat)).update(late=ABSENT_AFTER, if_absent=Seat.IfAbsent.WAIT)
    snapshots.drop(game.pk)


# One way as the other


@WAYS
def test_two_agree_to_what_a_third_proposes(game: Game, users: list[User], way: str) -> None:
    alice, bob, charlie = map(browser_of, users)
    assert say(alice, game, way, wish="pace", pace="1 day").status_code == 200
    number = Proposal.objects.get().pk
    for browser in (bob, charlie):
        assert say(browser, game, way, wish="agree", proposal=number).status_code == 200
    page = look(game, ALICE)
    assert (page["pace"], page["proposals"]) == ("1 day", [])
    assert page["log"][-1]["text"] == "Everybody agreed: the game goes on over days, with 1 day for each move."


@WAYS
def test_a_declined_stop_leaves_the_game_as_it_was(game: Game, users: list[User], way: str) -> None:
    say(browser_of(users[0]), game, way, wish="stop")
    say(browser_of(users[1]), game, way, wish="decline", proposal=Proposal.objects.get().pk)
    assert Game.objects.get(pk=game.pk).status == Game.Status.RUNNING
    answer = say(browser_of(users[0]), game, way, wish="stop")
    assert "was not agreed to" in answer.content.decode()
    if way == "api":
        assert (answer.status_code, answer.json()["code"]) == (429, "too_fast")
        assert 0 < int(answer["Retry-After"]) <= 3601


@WAYS
def test_whoever_comes_back_to_a_game_that_rests_goes_on(game: Game, users: list[User], way: str) -> None:
    put_to_rest(game)
    assert say(browser_of(users[1]), game, way, wish="go_on").status_code == 200
    assert Game.objects.get(pk=game.pk).status == Game.Status.RUNNING


def put_to_rest(game: Game) -> None:
    rest(Game.objects.get(pk=game.pk), snapshots.read(game.pk)[1], timezone.now())


# Bad input


@WAYS
@pytest.mark.parametrize(
    "said",
    [
        {},
        {"wish": "everything"},
        {"wish": "pace"},
        {"wish": "pace", "pace": ""},
        {"wish": "pace", "pace": "at once"},
        {"wish": "remove"},
        {"wish": "remove", "whom": -1},
        {"wish": "remove", "whom": 4},
        {"wish": "remove", "whom": "Bob"},
        {"wish": "agree"},
        {"wish": "agree", "proposal": "9" * 5_000},
        {"wish": "decline", "proposal": 0},
    ],
)
def test_nonsense_is_refused_in_a_sentence_and_changes_nothing(
    game: Game, users: list[User], way: str, said: dict[str, Any]
) -> None:
    answer = say(browser_of(users[0]), game, way, **said)
    if way == "api":
        assert answer.status_code == 400
        assert answer.json()["code"] in ("malformed", "malformed_move")
    else:
        assert "You can propose another pace" in answer.content.decode()
    assert not Proposal.objects.exists()
    assert Game.objects.get(pk=game.pk).revision == 0


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"wish": "pace", "pace": "normal"}, "nothing_to_do"),
        ({"wish": "remove", "whom": ALICE}, "nothing_to_do"),
        ({"wish": "remove", "whom": BOB}, "not_away"),
        ({"wish": "remove", "whom": 3}, "nothing_to_do"),
        ({"wish": "agree", "proposal": 999}, "no_such_proposal"),
        ({"wish": "go_on"}, "not_running"),
    ],
)
def test_what_does_not_fit_the_game_has_a_code_and_changes_nothing(
    game: Game, users: list[User], said: dict[str, Any], code: str
) -> None:
    answer = say(browser_of(users[0]), game, "api", **said)
    assert (answer.status_code, answer.json()["code"]) == (409, code)
    assert answer.json()["detail"].endswith(".")
    assert Game.objects.get(pk=game.pk).revision == 0


@WAYS
@pytest.mark.parametrize("said", [{"wish": "stop"}, {"wish": "agree"}, {"wish": "decline"}, {"wish": "go_on"}])
def test_whoever_has_no_seat_has_no_say(
    game: Game, users: list[User], dana: User, way: str, said: dict[str, Any]
) -> None:
    say(browser_of(users[0]), game, way, wish="pace", pace="1 day")
    answer = say(browser_of(dana), game, way, **said, proposal=Proposal.objects.get().pk)
    assert "You have no seat in this game" in answer.content.decode()
    assert (answer.status_code == 403) == (way == "api")
    assert Proposal.objects.get().votes.count() == 1


def test_there_must_be_a_game_to_agree_on(users: list[User]) -> None:
    path = "/api/v1/games/999/agreements/"
    assert browser_of(users[0]).post(path, {"wish": "stop"}, content_type="application/json").status_code == 404


# What everybody sees


def test_a_proposal_is_shown_to_everybody_with_what_each_may_say_to_it(game: Game) -> None:
    services.propose_pace(game.pk, ALICE, "1 day", timezone.now())
    services.answer(game.pk, BOB, Proposal.objects.get().pk, True, timezone.now())
    cards = [look(game, viewer)["proposals"][0] for viewer in VIEWERS]
    what = "to carry on over days, with 1 day for each move."
    assert [card["words"] for card in cards] == [f"You propose {what}", *[f"Alice proposes {what}"] * 3]
    assert [[button["words"] for button in card["buttons"]] for card in cards] == [
        ["Take it back"],
        ["Decline"],
        ["Agree", "Decline"],
        [],
    ]
    assert [said["answer"] for said in cards[0]["said"]] == ["accepted", "accepted", "none"]
    assert all(card["said"] == cards[0]["said"] for card in cards)


def test_whoever_is_away_may_still_object_and_everybody_sees_until_when(game: Game) -> None:
    make_away(game, BOB)
    services.propose_stop(game.pk, ALICE, timezone.now())
    proposal = Proposal.objects.get()
    cards = [look(game, viewer)["proposals"][0] for viewer in VIEWERS]
    rest = "if the others agree, it happens when the time is up, unless"
    assert [card["objections"] for card in cards] == [
        f"Bob is away: {rest} Bob comes back and objects.",
        f"You are away: {rest} you come back and object.",
        *[f"Bob is away: {rest} Bob comes back and objects."] * 2,
    ]
    assert [card["clock"] and (card["clock"]["ends"], card["clock"]["of"]) for card in cards] == [
        (proposal.ends_at, ANSWERED_LIVE.total_seconds())
    ] * 4
    services.answer(game.pk, CHARLIE, proposal.pk, True, timezone.now())
    agreed = "The others agree. It happens when the time is up, unless"
    assert look(game, CHARLIE)["proposals"][0]["objections"] == f"{agreed} Bob comes back and objects."


def test_whoever_has_come_back_may_object_until_the_time_is_up(game: Game) -> None:
    services.replace_by_bot(game.pk, BOB, timezone.now())
    services.propose_stop(game.pk, ALICE, timezone.now())
    services.answer(game.pk, CHARLIE, Proposal.objects.get().pk, True, timezone.now())
    services.give_back(game.pk, BOB, timezone.now())
    agreed = "The others agree. It happens when the time is up, unless"
    said = [look(game, viewer)["proposals"][0]["objections"] for viewer in VIEWERS]
    assert said == [
        f"{agreed} Bob objects.",
        f"{agreed} you object.",
        f"{agreed} Bob objects.",
        f"{agreed} Bob objects.",
    ]


def test_where_all_have_a_say_nobody_is_told_of_objections(game: Game) -> None:
    services.propose_stop(game.pk, ALICE, timezone.now())
    assert look(game, BOB)["proposals"][0]["objections"] == ""
    make_away(game, BOB)
    services.propose_removal(game.pk, ALICE, BOB, timezone.now())
    assert look(game, CHARLIE)["proposals"][1]["objections"] == "", "a removal needs most, and is done at once"


def test_a_paused_game_whose_last_absent_person_resigns_can_still_be_looked_at(game: Game) -> None:
    services.replace_by_bot(game.pk, BOB, timezone.now())
    services.propose_stop(game.pk, ALICE, timezone.now())
    services.answer(game.pk, CHARLIE, Proposal.objects.get().pk, True, timezone.now())
    services.pause(game.pk, now=timezone.now())
    services.withdraw(game.pk, BOB, timezone.now())
    assert [card["objections"] for card in look(game, ALICE)["proposals"]] == [""]


def test_only_those_who_play_may_propose_to_remove_somebody_who_is_away(game: Game) -> None:
    make_away(game, BOB)
    assert [look(game, viewer)["removable"] for viewer in VIEWERS] == [[BOB], [], [BOB], []]
    services.propose_removal(game.pk, ALICE, BOB, timezone.now())
    assert [look(game, viewer)["removable"] for viewer in VIEWERS] == [[], [], [], []]
    cards = [look(game, viewer)["proposals"][0] for viewer in VIEWERS]
    assert cards[1]["words"] == "Alice proposes to remove you after three missed deadlines; a bot would play on."
    assert [[button["words"] for button in card["buttons"]] for card in cards] == [
        ["Take it back"],
        ["I’m here"],
        ["Agree", "Decline"],
        [],
    ]


def test_the_page_without_scripts_has_a_form_for_each_of_it(game: Game, users: list[User]) -> None:
    services.propose_stop(game.pk, ALICE, timezone.now())
    card = card_on(drawn(users[1], game))
    assert "Alice proposes to stop this game without a winner, so that it counts for nobody." in card
    assert "2 minutes" in card, "how long there is to answer"
    assert re.findall(r'name="wish" value="(\w+)"', card) == ["agree", "decline"]
    assert re.findall(r'name="wish"', card_on(drawn(None, game))) == []
    assert 'id="agreements"' in drawn(users[1], game)
    assert 'id="agreements"' not in drawn(None, game)


def test_a_removal_is_offered_beside_whoever_is_away_alone(game: Game, users: list[User]) -> None:
    make_away(game, BOB)
    page = drawn(users[0], game)
    assert re.findall(r'data-remove="(\d)">', page) == [str(BOB)]
    assert re.findall(r'data-remove="(\d)" hidden>', page) == [str(CHARLIE)]


def test_a_game_that_rests_says_so_and_offers_both_ways_on(game: Game, users: list[User]) -> None:
    go_on = re.compile(r'<form [^>]*id="go-on"[^>]*>')
    assert "hidden" in go_on.findall(drawn(users[0], game))[0]
    put_to_rest(game)
    page = drawn(users[0], game)
    assert "Everybody had left, so the game rests." in page
    assert "hidden" not in go_on.findall(page)[0]
    watched = drawn(None, game)
    assert "Everybody has left, so the game rests." in watched
    assert not go_on.findall(watched)


def test_the_list_of_ones_games_says_which_of_them_rest(game: Game, users: list[User]) -> None:
    put_to_rest(game)
    assert '<span class="badge">resting</span>' in browser_of(users[0]).get("/").content.decode()


def test_what_a_page_was_sent_of_a_proposal_is_told_once(game: Game) -> None:
    services.propose_stop(game.pk, ALICE, timezone.now())
    revision = look(game, BOB)["revision"]
    services.answer(game.pk, BOB, Proposal.objects.get().pk, True, timezone.now())
    news = look(game, CHARLIE, after=(0, revision))["log"]
    assert [entry["text"] for entry in news] == ["Bob agreed to stop this game without a winner."]
