"""People over HTTP: how somebody plays, and who plays best."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Game
from lobby.models import Holiday, Rating, Table, User
from lobby.rating_models import SETTLED, Kind
from lobby.ratings import rate_game
from tests.api.programs import Program, refusal, wrong_fields
from tests.clock import Clock
from tests.lobby.rated import finished

pytestmark = pytest.mark.django_db


def rated(person: User, mu: float, sigma: float = SETTLED, kind: Kind = Kind.LIVE, games: int = 12) -> Rating:
    return Rating.objects.create(person=person, kind=kind, mu=mu, sigma=sigma, games=games)


# Profiles


def test_a_profile_says_how_somebody_plays(alice: User, bob: User, charlie: User) -> None:
    rated_game = finished([alice, bob, charlie])
    rate_game(rated_game.pk)
    finished([bob, alice, charlie], at=5, rated=False, rules="online")
    told = Program().get(f"players/{alice.code}/").json()
    assert (told["code"], told["name"]) == (alice.code, "alice")
    [rating] = told["ratings"]
    assert (rating["kind"], rating["is_settled"], rating["games"]) == ("live", False, 1)
    assert rating["rating"] > 1500
    assert (told["games"], told["wins"], told["finished"]) == (2, 1, 2)
    assert [(tally["title"], tally["games"], tally["wins"]) for tally in told["by_book"]] == [
        ("Standard", 1, 1),
        ("Endless bank", 1, 0),
    ]
    assert sum(tally["games"] for tally in told["by_place"]) == 2
    newest, oldest = told["recent"]
    assert (newest["rules"], newest["result"], newest["rating"], newest["change"]) == ("online", "Lost", "", "")
    assert (oldest["rules"], oldest["result"]) == ("standard", "Won")
    assert (oldest["rating"], oldest["change"][0]) == (f"{rating['rating']}?", "+")
    assert told["holiday"] is None


def test_games_are_numbered_for_those_alone_who_may_be_led_to_them(alice: User, bob: User, charlie: User) -> None:
    game = finished([alice, bob, charlie])
    path = f"players/{alice.code}/"
    assert Program(bob).get(path).json()["recent"][0]["game"] == game.pk
    assert Program().get(path).json()["recent"][0]["game"] is None
    Table.objects.filter(game=game).update(visibility="public")
    assert Program().get(path).json()["recent"][0]["game"] == game.pk
    Game.objects.filter(pk=game.pk).update(spectators_allowed=False)
    assert Program().get(path).json()["recent"][0]["game"] is None


def test_a_holiday_is_told_while_it_lasts(alice: User, clock: Clock) -> None:
    Holiday.objects.create(person=alice, begins_at=clock.now, until=clock.now + timedelta(days=2))
    told = Program().get(f"players/{alice.code}/").json()["holiday"]
    assert told.keys() == {"first_day", "last_day"}
    assert told["first_day"] == clock.now.date().isoformat()
    clock.move(timedelta(days=2).total_seconds())
    assert Program().get(f"players/{alice.code}/").json()["holiday"] is None


def test_guests_and_closed_accounts_have_no_profile(alice: User, bob: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_guest=True)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    for code in (alice.code, bob.code, "nobodys", "x" * 100):
        assert refusal(Program().get(f"players/{code}/")) == (404, "not_found")


def test_a_profile_takes_the_same_statements_however_much_there_is(alice: User, bob: User, charlie: User) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert Program().get(f"players/{alice.code}/").status_code == 200
        return len(asked)

    finished([alice, bob, charlie])
    once = statements()
    finished([bob, alice, charlie], at=5)
    assert statements() == once


# Leaderboards


def test_a_leaderboard_lists_the_best_first_and_who_asks_beside_them(alice: User, bob: User, charlie: User) -> None:
    for person, mu in ((alice, 30.0), (bob, 25.0), (charlie, 30.0)):
        rated(person, mu)
    rated(bob, 20.0, sigma=SETTLED + 1, kind=Kind.DAYS, games=2)
    told = Program(bob).get("leaderboards/live/").json()
    assert (told["count"], told["next"], told["previous"]) == (3, None, None)
    places = [(row["place"], row["name"], row["rating"], row["is_own"]) for row in told["results"]]
    assert places == [(1, "alice", 1650, False), (1, "charlie", 1650, False), (3, "bob", 1500, True)]
    assert told["results"][0]["code"] == alice.code
    own = {"kind": "live", "rating": 1500, "is_settled": True, "games": 12, "place": 3}
    assert told["own"] == own
    days = Program(bob).get("leaderboards/days/").json()
    assert days["results"] == []
    assert days["own"] == {"kind": "days", "rating": 1350, "is_settled": False, "games": 2, "place": None}
    assert Program().get("leaderboards/live/").json()["own"] is None


def test_a_closed_account_keeps_its_place_without_a_name(alice: User) -> None:
    rated(alice, 30.0)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    [row] = Program().get("leaderboards/live/").json()["results"]
    assert (row["place"], row["name"], row["code"]) == (1, None, None)


def test_a_leaderboard_comes_in_pages(alice: User) -> None:
    people = User.objects.bulk_create(User(username=f"player {number}") for number in range(51))
    Rating.objects.bulk_create(
        Rating(person=person, kind=Kind.LIVE, mu=40 - number / 10, sigma=1, games=20)
        for number, person in enumerate(people)
    )
    rated(alice, 10.0)
    first = Program(alice).get("leaderboards/live/").json()
    assert (first["count"], len(first["results"]), first["previous"]) == (52, 50, None)
    assert first["own"]["place"] == 52
    second = Program(alice).client.get(first["next"]).json()
    assert [row["place"] for row in second["results"]] == [51, 52]
    assert second["own"] == first["own"]
    for number in (0, 3, 999_999_999):
        assert refusal(Program().get("leaderboards/live/", page=number)) == (404, "not_found")
    for nonsense in ("x", "", "-1", "1.5", "last", "\x00"):
        assert wrong_fields(Program().get("leaderboards/live/", page=nonsense)) == ["page"]


def test_there_are_as_many_leaderboards_as_ladders(db: None) -> None:
    for kind in Kind:
        assert Program().get(f"leaderboards/{kind.value}/").json()["results"] == []
    for kind in ("LIVE", "blitz", "0"):
        assert refusal(Program().get(f"leaderboards/{kind}/")) == (404, "not_found")
