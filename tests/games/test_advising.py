"""What a hard bot would do: told to those who play against bots alone, and to nobody else, and nothing comes of it."""

from __future__ import annotations

import html
from collections.abc import Callable
from threading import Event, Thread

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games import selectors, services, snapshots, thinking
from games.bots import Memory, hard
from games.models import Game, Move
from games.rules import Refusal, View
from games.rules.refusals import TooFast
from games.services import NoAdvice, NotRunning, NotYourSeat, StaleVersion
from games.words_advice import NOT_AMONG_BOTS, NOT_ASKED, NOT_WHEN_RATED, Advice
from lobby.models import Table, User
from tests.games.playing import ALICE, BOB, CHARLIE, lay_out, look, new_game, time_out, time_out_until
from tests.games.test_clocks import in_main_phase

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

RULES = "standard turn_order=seat_order"


@pytest.fixture
def game(alice: User) -> Game:
    """Alice plays first, against bots alone."""
    return new_game(RULES, users=[alice], bots=(BOB, CHARLIE))


def advise(game: Game, seat: int = ALICE, version: int = 0) -> Advice:
    return services.advise(game.pk, seat, version=version, now=timezone.now())


def why_not(game: Game, seat: int = ALICE, version: int = 0) -> tuple[type[Refusal], str]:
    with pytest.raises(Refusal) as refusal:
        advise(game, seat, version)
    return type(refusal.value), refusal.value.sentence


@pytest.mark.both_stacks
def test_whoever_plays_against_bots_is_told_what_a_hard_one_would_do(game: Game) -> None:
    told = advise(game)
    assert told["version"] == 0
    assert 1 <= len(told["moves"]) <= 3
    for advised in told["moves"]:
        assert advised["title"].startswith("Settle on the ")
        assert advised["reason"].endswith(".")
        assert advised["places"] == [f"vertex-{advised['move']['vertex']}"]


@pytest.mark.both_stacks
def test_what_is_advised_can_be_played_and_nothing_has_happened_before(game: Game) -> None:
    told = advise(game)
    assert (selectors.version(game.pk), Move.objects.count()) == (0, 0)
    _, snapshot = snapshots.read(game.pk)
    assert snapshot.revision == 0
    listed = [place["move"] for place in look(game, ALICE)["places"]]
    assert all(advised["move"] in listed for advised in told["moves"])


def test_the_page_says_when_one_may_ask(game: Game, bob: User) -> None:
    assert look(game, ALICE)["may_ask_advice"]
    assert not look(game, None)["may_ask_advice"]
    time_out(game.pk)
    time_out(game.pk)
    # Bob's bot is to settle.
    assert not look(game, ALICE)["may_ask_advice"]
    assert why_not(game, version=2) == (NoAdvice, NOT_ASKED)


def test_among_people_there_is_none(alice: User, bob: User) -> None:
    game = new_game(RULES, users=[alice, bob], bots=(CHARLIE,))
    assert not look(game, ALICE)["may_ask_advice"]
    assert why_not(game) == (NoAdvice, NOT_AMONG_BOTS)
    # A stand-in keeps the place of somebody who may come back.
    services.replace_by_bot(game.pk, BOB, now=timezone.now())
    assert why_not(game)[0] is NoAdvice


def test_once_all_others_have_left_there_is_advice(alice: User, bob: User) -> None:
    game = new_game(RULES, users=[alice, bob], bots=(CHARLIE,))
    services.withdraw(game.pk, BOB, now=timezone.now())
    assert advise(game)["moves"]


def test_in_a_rated_game_there_is_none_though_all_others_have_left(alice: User, bob: User, charlie: User) -> None:
    game = new_game(RULES, users=[alice, bob, charlie])
    Table.objects.create(host=alice, rules=game.rules, layout="random", rated=True, game=game)
    for seat in (BOB, CHARLIE):
        services.withdraw(game.pk, seat, now=timezone.now())
    assert why_not(game) == (NoAdvice, NOT_WHEN_RATED)


def test_a_game_that_does_not_run_has_none(game: Game) -> None:
    services.pause(game.pk, now=timezone.now())
    assert not look(game, ALICE)["may_ask_advice"]
    assert why_not(game)[0] is NotRunning


def test_whose_seat_a_stand_in_plays_takes_it_back_first(game: Game) -> None:
    services.replace_by_bot(game.pk, ALICE, now=timezone.now())
    assert not look(game, ALICE)["may_ask_advice"]
    assert why_not(game)[0] is NotYourSeat


def test_an_older_version_is_told_to_look_again(game: Game) -> None:
    time_out(game.pk)
    assert why_not(game, version=0)[0] is StaleVersion
    assert why_not(game, version=2)[0] is StaleVersion
    assert advise(game, version=1)["version"] == 1


# The bot


def seen_by_bot(monkeypatch: pytest.MonkeyPatch) -> list[tuple[View, Memory]]:
    """What the bot was shown, each time it was asked."""
    shown: list[tuple[View, Memory]] = []
    ask = thinking.ask

    def note(question: Callable[..., object], *arguments: object, seconds: float) -> object:
        view, memory, _ = arguments
        shown.append((view, memory))  # type: ignore[arg-type]
        return ask(question, *arguments, seconds=seconds)

    monkeypatch.setattr(thinking, "ask", note)
    return shown


def test_the_bot_sees_what_its_player_sees_and_remembers_what_they_saw(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt: list[object] = []
    monkeypatch.setattr(Memory, "learn", lambda self, events: learnt.append((self.seat, [*events])))
    shown = seen_by_bot(monkeypatch)
    state = time_out_until(game.pk, lambda state: state.turn > 0 and state.active == ALICE).copy()
    in_main_phase(state)
    lay_out(game.pk, state)
    version = selectors.version(game.pk)
    advise(game, version=version)
    [(view, memory)] = shown
    assert (view["viewer"], memory.seat, memory.seats) == (ALICE, ALICE, 3)
    assert all(("hand" in seat) == (seat["seat"] == ALICE) for seat in view["seats"])
    told = selectors.events_since(game.pk, 0, ALICE)
    assert learnt == [(ALICE, move["events"]) for move in told]
    assert len(told) == version


def test_an_answer_is_kept_for_whoever_asks_again(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = seen_by_bot(monkeypatch)
    assert advise(game) == advise(game)
    assert len(shown) == 1


def test_one_question_follows_another_after_a_pause(game: Game) -> None:
    advise(game)
    time_out(game.pk)
    error, sentence = why_not(game, version=1)
    assert (error, sentence) == (TooFast, "One question at a time: ask again in a moment.")
    cache.clear()
    assert advise(game, version=1)["moves"][0]["title"].startswith("Build a road on the ")


@pytest.mark.django_db(transaction=True)
def test_nobody_asks_while_a_bot_still_thinks(game: Game, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in another game either."""
    other = new_game(RULES, seed="other", users=[alice], bots=(BOB, CHARLIE))
    is_asked, may_answer = Event(), Event()
    consider = hard.consider

    def ponder(*arguments: object) -> object:
        is_asked.set()
        may_answer.wait(10)
        return consider(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(hard, "consider", ponder)
    asking = Thread(target=advise, args=[game])
    asking.start()
    assert is_asked.wait(10)
    assert why_not(other)[0] is TooFast
    may_answer.set()
    asking.join()


def test_a_bot_that_fails_is_asked_again_later(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> object:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(hard, "consider", fail)
        error, sentence = why_not(game)
    assert error is NoAdvice
    assert "again" in sentence
    cache.clear()
    assert advise(game)["moves"]


# The page without scripts


@pytest.fixture
def player(alice: User) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def test_a_plain_form_leads_to_a_page_with_the_advice_and_back(game: Game, player: Client) -> None:
    page = player.get(f"/games/{game.pk}/").content.decode()
    assert f'action="/games/{game.pk}/advice/"' in page
    answer = player.post(f"/games/{game.pk}/advice/", {"version": 0})
    assert answer.status_code == 200
    shown = html.unescape(answer.content.decode())
    for number, advised in enumerate(advise(game)["moves"], start=1):
        assert advised["title"] in shown
        assert advised["reason"] in shown
        assert f'id="{advised["places"][0]}"' in shown
        assert f"<text>{number}</text>" in shown
    assert shown.count('class="place vertex legal"') == len(advise(game)["moves"])
    assert f'href="/games/{game.pk}/"' in shown


@pytest.mark.parametrize("sent", [{}, {"version": "x"}, {"version": 7}])
def test_a_form_that_is_refused_leads_back_with_a_sentence(game: Game, player: Client, sent: dict[str, object]) -> None:
    answer = player.post(f"/games/{game.pk}/advice/", sent, follow=True)
    assert answer.redirect_chain == [(f"/games/{game.pk}/", 302)]
    assert len([*answer.context["messages"]]) == 1


def test_in_a_game_among_people_the_form_is_hidden(alice: User, bob: User, player: Client) -> None:
    game = new_game(RULES, users=[alice, bob], bots=(CHARLIE,))
    page = player.get(f"/games/{game.pk}/").content.decode()
    assert f'id="advice-ask" method="post" action="/games/{game.pk}/advice/" hidden>' in page
