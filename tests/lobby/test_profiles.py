"""A person's page: how they have played, for everybody to see, and nothing that is not."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import services
from games.models import Game
from lobby import profiles, ratings
from lobby.models import RatedGame, RatedResult, Table, User
from tests.games.playing import new_game
from tests.lobby.rated import NOON, finished


@pytest.fixture
def people(db: None) -> list[User]:
    return [User.objects.create_user(name.lower(), name=name) for name in ("Alice", "Bob", "Charlie", "Dana")]


def page_of(person: User, browser: Client) -> str:
    answer = browser.get(person.get_absolute_url())
    assert answer.status_code == 200
    return answer.content.decode()


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the table below a heading, as somebody reads them."""
    table = page.split(f'id="{heading}"')[1].split("</table>")[0].split("<tbody>")[1]
    return [
        [" ".join(re.sub("<[^>]+>", " ", cell).split()) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]
        for row in table.split("</tr>")[:-1]
    ]


# The address


def test_everybody_with_an_account_has_a_page_at_an_address_of_its_own(people: list[User], client: Client) -> None:
    alice = people[0]
    address = alice.get_absolute_url()
    assert re.fullmatch(r"/players/[a-z2-9]{10}/", address)
    assert "<h1><bdi>Alice</bdi></h1>" in page_of(alice, client)
    alice.name = "עליזה / ../status"
    alice.save()
    assert alice.get_absolute_url() == address, "it outlasts a new name, whatever that is made of"
    assert "<h1><bdi>עליזה / ../status</bdi></h1>" in page_of(alice, client)


def test_guests_closed_accounts_and_nobody_have_no_page(people: list[User], client: Client) -> None:
    guest = User.guest("Zoe")
    guest.save()
    people[0].is_active = False
    people[0].save()
    for code in (guest.code, people[0].code, "nobody2222", "bob"):
        assert client.get(f"/players/{code}/").status_code == 404
    assert guest.get_absolute_url() == people[0].get_absolute_url() == ""


def test_a_page_has_neither_script_nor_style_of_its_own(people: list[User], client: Client) -> None:
    ratings.rate_game(finished(people[:3]).pk)
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page_of(people[0], client)) == []


def test_who_has_not_played_has_a_page_that_says_so(people: list[User], client: Client) -> None:
    assert "No games finished yet." in page_of(people[0], client)


# Figures


@pytest.mark.both_stacks
def test_games_wins_and_how_many_were_played_to_the_end(people: list[User], client: Client) -> None:
    alice, bob, charlie, _ = people
    finished([alice, bob, charlie], at=1)
    finished([alice, bob, charlie], at=2, rules="online", rated=False)
    finished([bob, alice, charlie], at=3, replaced=[1])
    finished([alice, bob, charlie], at=4, resigned=[0])
    services.abort(new_game(users=people[:3]).pk, now=NOON)
    new_game(users=people[:3])
    shown = profiles.profile_of(alice, User(), timezone.now())
    assert (shown.games, shown.wins, shown.finished) == (4, 2, 2), "a win of the bot after one is none"
    page = page_of(alice, client)
    assert rows(page, "by-book") == [["Standard", "3", "1 33%"], ["Endless bank", "1", "1 100%"]]
    assert rows(page, "by-place") == [["First", "3", "2 67%"], ["Second", "1", "0 0%"]]
    assert "50%" in page.split("Played to the end")[1].split("</div>")[0]
    assert "left 2" in page
    assert "never left" in page_of(bob, client)


def test_recent_games_say_how_they_ended_the_last_first(people: list[User], client: Client) -> None:
    alice, bob, charlie, dana = people
    finished([alice, bob, charlie, dana], (3, 4, 5), at=1)
    finished([bob, alice, charlie], at=2, rated=False)
    finished([bob, alice, charlie], at=3, resigned=[1])
    ratings.rate_missed()
    assert [row[1:] for row in rows(page_of(alice, client), "recent")] == [
        ["Standard", "Left", "1530? −207"],
        ["Standard", "Lost", "not rated"],
        ["Standard", "Won", "1737? +237"],
    ]
    assert rows(page_of(bob, client), "recent")[-1][2] == "4th"


def test_the_list_of_recent_games_ends_somewhere(people: list[User], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "MOST_RECENT", 2)
    games = [finished(people[:3], at=at) for at in range(3)]
    assert [one.game.pk for one in profiles.profile_of(people[0], User(), timezone.now()).recent] == [
        games[2].pk,
        games[1].pk,
    ]


# Who may be led where


def test_public_games_are_for_everybody_and_others_for_those_who_played(people: list[User], client: Client) -> None:
    public, by_link, closed = (finished(people[:3], at=at) for at in (1, 2, 3))
    Table.objects.filter(game__in=[public, closed]).update(visibility="public")
    Game.objects.filter(pk=closed.pk).update(spectators_allowed=False)
    own = {public, by_link, closed}
    guest = User.guest("Zoe")
    guest.save()
    for viewer, seen in [(User(), {public}), (guest, {public}), (people[3], {public}), (people[1], own)]:
        assert set(profiles.visible_games(viewer)) == seen
    link = 'href="/games/{}/"'.format
    page = page_of(people[0], client)
    assert [link(game.pk) in page for game in (public, by_link, closed)] == [True, False, False]
    assert len(rows(page, "recent")) == 3, "how it ended is no secret"
    client.force_login(people[1])
    page = page_of(people[0], client)
    assert all(link(game.pk) in page for game in own)


def test_a_page_says_nothing_of_whom_one_played_against(people: list[User], client: Client) -> None:
    finished(people[:3], rated=False)
    page = page_of(people[0], client)
    assert "Bob" not in page
    assert "alice" not in page, "nor of the name that one signs in with"


# The rating and its chart


def test_a_rating_has_a_question_mark_until_it_is_settled(people: list[User], client: Client) -> None:
    ratings.rate_game(finished(people[:3]).pk)
    page = page_of(people[0], client)
    assert '<strong class="rating-number">1658?</strong>' in page
    assert "after 1 rated game<" in page
    assert "Games over days" not in page
    assert ratings.in_words(25.0, 4.5) == "1500"
    assert ratings.in_words(25.0, 4.51) == "1500?"


def test_the_chart_begins_before_its_first_game_and_ends_at_the_rating(
    people: list[User], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(3):
        ratings.rate_game(finished(people[at:] + people[:at], at=at, pace="1 day").pk)
    results = RatedResult.objects.filter(person=people[0]).order_by("rated_game__ended_at")
    numbers = [1500, *(ratings.shown(result.mu) for result in results)]
    assert numbers[:2] == [1500, 1737]
    [shown] = profiles.profile_of(people[0], User(), timezone.now()).ratings
    assert shown.chart == profiles.chart(numbers)
    told = f"went from 1500 to {numbers[-1]}, with {min(numbers)} the lowest and 1737 the highest"
    assert told in page_of(people[0], client)
    monkeypatch.setattr(profiles, "MOST_CHARTED", 2)
    [shown] = profiles.profile_of(people[0], User(), timezone.now()).ratings
    assert shown.chart == profiles.chart(numbers[1:])


@pytest.mark.parametrize("numbers", [[1500, 1500], [1500, 1501], [1737, 1445, 1320], [-3000, 4000], [1600, 1500, 1700]])
def test_a_chart_stays_within_its_frame_and_has_few_lines(numbers: list[int]) -> None:
    drawn = profiles.chart(numbers)
    points = [tuple(map(float, point.split(","))) for point in drawn.path.split()]
    assert len(points) == len(numbers)
    assert all(
        profiles.LEFT <= x <= profiles.LEFT + profiles.WIDTH and profiles.TOP <= y <= profiles.TOP + profiles.HEIGHT
        for x, y in points
    )
    assert drawn.lines[0].number <= min(numbers) < max(numbers) + 1 <= drawn.lines[-1].number + 1
    if max(numbers) - min(numbers) < 2000:
        assert 2 <= len(drawn.lines) <= profiles.MOST_LINES
    assert drawn.end == pytest.approx(points[-1], abs=0.1)


@pytest.mark.parametrize(
    ("place", "words"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (112, "112th"), (23, "23rd")]
)
def test_places_are_written_as_people_say_them(place: int, words: str) -> None:
    assert profiles.ordinal(place) == words


def test_more_games_take_no_more_queries(people: list[User], client: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            page_of(people[0], client)
        return len(asked)

    client.force_login(people[1])
    for pace in ("normal", "1 day"):
        ratings.rate_game(finished(people, pace=pace).pk)
    queries()
    few = queries()
    assert few <= 10
    for at in range(1, 4):
        ratings.rate_game(finished(people[at:] + people[:at], at=at).pk)
    assert queries() == few


# The end of a game


def test_the_end_says_that_the_game_is_rated_and_soon_what_it_changed(
    people: list[User], client: Client, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    game = finished(people[:3])
    page = client.get(f"/games/{game.pk}/").content.decode()
    assert '<span class="badge badge-rated">rated</span>' in page
    assert "The new ratings will be here in a moment: reload the page." in page
    ratings.rate_game(game.pk)
    page = client.get(f"/games/{game.pk}/").content.decode()
    assert "The new ratings" not in page
    shown = page.split('class="rated-end"')[1].split("</ul>")[0]
    assert re.findall(r"<bdi>(\w+)</bdi>.*?<strong>(.*?)</strong>.*?>([^<]+)</span>", shown, re.DOTALL) == [
        ("Alice", "1658?", "+158"),
        ("Bob", "1500?", "±0"),
        ("Charlie", "1342?", "−158"),
    ]


def test_a_game_in_which_nobody_could_be_compared_promises_no_ratings(people: list[User], client: Client) -> None:
    guests = [User.guest("Yan"), User.guest("Zoe")]
    for guest in guests:
        guest.save()
    game = finished([people[0], *guests])
    ratings.rate_game(game.pk)
    assert RatedGame.objects.filter(game=game).exists()
    page = client.get(f"/games/{game.pk}/").content.decode()
    assert "badge-rated" in page
    assert "The new ratings" not in page


def test_the_end_of_another_game_says_nothing_of_ratings_and_links_accounts_alone(
    people: list[User], client: Client
) -> None:
    guest = User.guest("Zoe")
    guest.save()
    game = finished([people[0], guest, people[1]], rated=False)
    page = client.get(f"/games/{game.pk}/").content.decode()
    assert "rated-end" not in page
    ends = page.split('class="end-table"')[1].split("</table>")[0]
    assert re.findall(r'<a href="([^"]+)"><bdi>', ends) == [people[0].get_absolute_url(), people[1].get_absolute_url()]
