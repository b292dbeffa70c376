"""Accounts that programs play: how one comes to be, where it may sit, how it is rated, and that everybody sees it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, Seat
from games.paces import PACES
from games.rules import PRESETS, Refusal
from games.verification import differences
from lobby import arranging, bot_accounts, chat, hearing, meeting, moving, people, ratings, rooms, services
from lobby.bot_accounts import NO_BOTS, NoBots, NotToBeDeclared, RatedApart
from lobby.company import Company
from lobby.models import Chair, RatedGame, Rating, Table, User
from lobby.rating_models import Kind
from tests.games.playing import look, new_game
from tests.lobby.rated import everything, finished
from tests.staff import browser_of, make_staff

from .test_races import all_at_once

pytestmark = pytest.mark.django_db

BADGE = '<span class="badge badge-bot" title="A program plays this account.">bot'


def account(name: str, *, is_bot: bool = False) -> User:
    return User.objects.create_user(name.lower(), name=name, is_bot=is_bot)


@pytest.fixture
def robot(db: None) -> User:
    return account("Robot", is_bot=True)


@pytest.fixture
def bots(db: None) -> list[User]:
    return [account(f"Robot {number}", is_bot=True) for number in range(4)]


def lay(host: User, **company: object) -> Table:
    wanted = Company(**company)  # type: ignore[arg-type]
    pace = PACES["normal"]
    return services.open_table(
        host, host.shown_name, PRESETS["standard"], "balanced", pace, company=wanted, now=timezone.now()
    )


def sit(table: Table, person: User) -> None:
    services.sit_down(table.code, person, person.shown_name)


def change(table: Table, **company: object) -> None:
    wanted = Company(**company)  # type: ignore[arg-type]
    services.change_options(table.code, table.host, PRESETS["standard"], "balanced", None, company=wanted)


def text_of(browser: Client, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def is_bot(person: User) -> bool:
    return User.objects.get(pk=person.pk).is_bot


# How one comes to be


def test_an_owner_says_it_once_and_for_good(alice: User) -> None:
    browser, stale = browser_of(alice), User.objects.get(pk=alice.pk)
    assert "Make this a bot account" in text_of(browser, "/account/bot/")
    answer = browser.post("/account/bot/", {"is_sure": "on"}, follow=True)
    assert "A program plays this account" in answer.content.decode()
    assert is_bot(alice)
    # A form, or a task, that read the row before writes all of it.
    stale.email = "alice@catan.example"
    stale.save()
    assert is_bot(alice)
    again = browser.post("/account/bot/", {"is_sure": "on"})
    assert again.status_code == 409
    assert "Make this a bot account" not in again.content.decode()


def test_nobody_says_it_by_a_single_press(alice: User) -> None:
    answer = browser_of(alice).post("/account/bot/", {})
    assert answer.status_code == 400
    assert "Tick the box" in answer.content.decode()
    assert not is_bot(alice)


def is_staff(person: User) -> None:
    make_staff(person)


def has_played(person: User) -> None:
    new_game(users=[person])


def has_a_rating(person: User) -> None:
    Rating.objects.create(person=person, kind=Kind.LIVE, mu=25, sigma=8, games=1)


def has_a_chair(person: User) -> None:
    lay(person)


def is_invited(person: User) -> None:
    host = account("Hostess")
    User.objects.filter(pk=person.pk).update(name="Alice")
    arranging.invite(lay(host).code, host, "Alice", now=timezone.now())


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (is_staff, "looks after the site"),
        (has_played, "has already played"),
        (has_a_rating, "has already played"),
        (has_a_chair, "has a chair"),
        (is_invited, "has a chair"),
    ],
)
def test_whom_others_know_as_a_person_stays_one(alice: User, what: Callable[[User], None], why: str) -> None:
    what(alice)
    with pytest.raises(NotToBeDeclared, match=why):
        bot_accounts.declare(alice)
    page = text_of(browser_of(alice), "/account/bot/")
    assert why in page
    assert "Make this a bot account" not in page
    assert not is_bot(alice)


def test_a_guest_is_no_account() -> None:
    guest = User.guest("Wanderer")
    guest.save()
    with pytest.raises(NotToBeDeclared, match="sign up first"):
        bot_accounts.declare(guest)
    assert browser_of(guest).get("/account/bot/").headers["Location"] == "/account/"


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_of_a_chair_without_bots_and_a_bot_account_at_once_there_is_one() -> None:
    host = account("Alice")
    for number in range(6):
        person, table = account(f"Bob {number}"), lay(host, bots_allowed=False)
        other_tab = User.objects.get(pk=person.pk)
        chair, told = all_at_once([lambda: sit(table, person), lambda: bot_accounts.declare(other_tab)])  # noqa: B023
        assert is_bot(person) != table.chairs.filter(user=person).exists()
        assert [chair, told].count(None) == 1
        Table.objects.all().delete()


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_of_a_guests_seat_and_a_bot_account_at_once_none_goes_unmarked() -> None:
    for number in range(6):
        guest, person = User.guest("Wanderer"), account(f"Bob {number}")
        services.play_now(guest, now=timezone.now())
        other_tab = User.objects.get(pk=person.pk)
        now = timezone.now()
        all_at_once([lambda: moving.move(guest, person, now), lambda: bot_accounts.declare(other_tab)])  # noqa: B023
        assert Seat.objects.get(user=person).is_bot_account == is_bot(person)


# Where it sits down


def test_it_sits_where_bots_are_allowed_and_nowhere_else(alice: User, robot: User) -> None:
    sit(lay(alice), robot)
    closed = lay(alice, bots_allowed=False)
    with pytest.raises(NoBots, match=NO_BOTS):
        sit(closed, robot)
    page = text_of(browser_of(robot), f"/t/{closed.code}/")
    assert NO_BOTS in page
    assert "Sit here" not in page
    with pytest.raises(NoBots, match="let bots play before you invite"):
        arranging.invite(closed.code, alice, "Robot", now=timezone.now())
    with pytest.raises(NoBots, match="let bots play at your table"):
        lay(robot, bots_allowed=False)
    assert Table.objects.count() == 2


@pytest.mark.parametrize("is_kept", [False, True])
def test_bots_are_let_play_while_one_has_a_chair(alice: User, robot: User, is_kept: bool) -> None:
    table = lay(alice)
    if is_kept:
        arranging.invite(table.code, alice, "Robot", now=timezone.now())
    else:
        sit(table, robot)
    with pytest.raises(NoBots, match="remove them first"):
        change(table, bots_allowed=False)
    services.free_chair(table.code, alice, 1)
    change(table, bots_allowed=False)
    assert not Table.objects.get().bots_allowed


def test_who_looks_for_a_game_meets_people(alice: User, robot: User) -> None:
    lay(robot, visibility="public")
    page = browser_of(robot).post("/find/", {"pace": "normal"}).content.decode()
    assert "brings people together" in page
    assert not meeting.looking(), "a bot account waits for nobody"
    found = meeting.find_game(alice, "Alice", "normal", now=timezone.now())
    assert found.host == alice
    assert meeting.looking() == {"normal": 1}


@pytest.mark.parametrize(("is_bots_table", "is_bot", "rated"), list(product([False, True], repeat=3)))
def test_a_rated_game_is_among_people_or_among_bot_accounts(is_bots_table: bool, is_bot: bool, rated: bool) -> None:
    host, person = account("Hostess", is_bot=is_bots_table), account("Bob", is_bot=is_bot)
    table = lay(host, rated=rated)
    page = text_of(browser_of(person), f"/t/{table.code}/")
    if not rated or is_bot == is_bots_table:
        assert "Sit here" in page
        arranging.invite(table.code, host, "Bob", now=timezone.now())
        sit(table, person)
        change(table, rated=rated)
        return
    assert "Sit here" not in page
    with pytest.raises(RatedApart, match="for people" if is_bot else "for bot accounts"):
        sit(table, person)
    with pytest.raises(RatedApart, match="Bob is a"):
        arranging.invite(table.code, host, "Bob", now=timezone.now())
    assert table.chairs.filter(user=person).count() == 0
    change(table, rated=False)
    sit(table, person)
    with pytest.raises(RatedApart, match="Bob would have to leave"):
        change(table, rated=True)
    arranging.hand_over(table.code, host, 1, now=timezone.now())
    table.refresh_from_db()
    with pytest.raises(RatedApart, match="Hostess would have to leave"):
        change(table, rated=True)


def test_guests_are_not_sent_to_sign_in_for_a_game_of_bot_accounts(robot: User, client: Client) -> None:
    table = lay(robot, rated=True)
    page = text_of(client, f"/t/{table.code}/")
    assert "for bot accounts" in page
    assert "Sign in to play" not in page
    with pytest.raises(RatedApart):
        sit(table, User.guest("Wanderer"))


# In a game


def test_its_seat_is_marked_in_the_game_and_in_the_next_one(alice: User, robot: User) -> None:
    table = lay(alice)
    sit(table, robot)
    game = services.start(table.code, alice, fill_with_bots=True, now=timezone.now())
    marked = [True, False, False, False]
    assert sorted(Seat.objects.filter(game=game).values_list("is_bot_account", flat=True), reverse=True) == marked
    assert [seat["is_bot_account"] for seat in look(game)["seats"]] == [False, True, False, False]
    assert differences(game) == []
    page = text_of(browser_of(alice), f"/games/{game.pk}/")
    cards = [page.split(f'id="seat-{seat}"')[1].split('class="seat-stats"')[0] for seat in range(4)]
    assert [BADGE in card for card in cards] == [False, True, False, False]
    Game.objects.update(status=Game.Status.ABORTED)
    rematch = services.open_rematch(game.pk, alice, now=timezone.now())
    sit(rematch, robot)
    assert Chair.objects.filter(table=rematch, kept=False, user=robot).exists()


def test_a_program_that_opens_no_page_is_not_called_away(robot: User, alice: User) -> None:
    game = new_game(users=[robot, alice])
    assert [seat["presence"]["words"] for seat in look(game)["seats"]][:2] == ["", "away"]


def test_a_rematch_keeps_no_chair_for_who_has_become_unwelcome(alice: User, robot: User) -> None:
    """Bob, a guest, has signed in as a bot account after the game."""
    game = new_game(users=[alice, robot])
    lasting = lay(alice, bots_allowed=False)
    Table.objects.filter(pk=lasting.pk).update(game=game)
    Game.objects.update(status=Game.Status.ABORTED)
    with pytest.raises(NoBots):
        services.open_rematch(game.pk, robot, now=timezone.now())
    table = services.open_rematch(game.pk, alice, now=timezone.now())
    assert not table.chairs.filter(user=robot).exists()
    assert not Table.objects.filter(rematch_of=game, host=robot).exists()


def wanderer() -> User:
    guest = User.guest("Wanderer")
    guest.save()
    return guest


@pytest.mark.both_stacks
def test_what_a_guest_had_is_marked_once_they_sign_in_as_one(alice: User, robot: User) -> None:
    guest = wanderer()
    table = lay(alice)
    sit(table, guest)
    game = services.start(table.code, alice, fill_with_bots=True, now=timezone.now())
    before = game.revision
    moving.move(guest, robot, timezone.now())
    seat = Seat.objects.get(user=robot)
    assert (seat.is_bot_account, seat.player) == (True, Seat.Player.PERSON)
    game.refresh_from_db()
    assert game.revision > before, "open pages are drawn anew"
    assert not Seat.objects.filter(user=alice, is_bot_account=True).exists()


@pytest.mark.both_stacks
def test_who_signs_in_as_one_leaves_where_no_bots_play(alice: User, robot: User) -> None:
    guest, others = wanderer(), [account(f"Bob {number}") for number in range(2)]
    playing, waiting = lay(alice, bots_allowed=False), lay(alice, bots_allowed=False)
    for person in (guest, *others):
        sit(playing, person)
    sit(waiting, guest)
    own = lay(guest, bots_allowed=False)
    services.start(playing.code, alice, fill_with_bots=False, now=timezone.now())
    moving.move(guest, robot, timezone.now())
    assert Seat.objects.get(user=robot).player == Seat.Player.BOT
    assert not Chair.objects.filter(user__in=[guest, robot], table__game=None).exists()
    assert not Table.objects.filter(pk=own.pk).exists()


def test_a_table_that_closes_to_bots_while_a_guest_signs_in_as_one_takes_none(
    alice: User, robot: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, table = wanderer(), lay(alice)
    sit(table, guest)
    hand_chair_on = services.hand_chair_on

    def a_moment_later(*of: Any) -> None:
        change(table, bots_allowed=False)
        monkeypatch.undo()
        hand_chair_on(*of)

    monkeypatch.setattr(services, "hand_chair_on", a_moment_later)
    moving.move(guest, robot, timezone.now())
    assert not Chair.objects.filter(user__in=[guest, robot]).exists()


# How it is rated


@pytest.mark.parametrize("pace", ["normal", "1 day"])
def test_bot_accounts_have_one_ladder_for_every_pace(bots: list[User], pace: str) -> None:
    ratings.rate_game(finished(bots, pace=pace).pk)
    assert set(Rating.objects.values_list("kind", flat=True)) == {"bots"}
    assert Rating.objects.count() == 4


def test_the_ladders_do_not_touch_each_other_and_come_out_the_same_from_nothing(bots: list[User]) -> None:
    persons = [account(name) for name in ("Alice", "Bob", "Charlie", "Dana")]
    games = [finished(who, at=at) for at, who in enumerate([bots, persons, bots[::-1], persons])]
    for game in reversed(games):
        ratings.rate_game(game.pk)
    counted = everything()
    assert {kind for _, kind, *_ in counted[1]} == {"bots", "live"}  # type: ignore[misc]
    assert set(Rating.objects.filter(kind="bots").values_list("person", flat=True)) == {bot.pk for bot in bots}
    assert ratings.rate_all() == 4
    assert everything() == counted
    assert ratings.annul(games[0].pk, timezone.now())
    annulled = everything()
    assert annulled != counted
    ratings.rate_all()
    assert everything() == annulled
    ratings.count_again(games[0].pk)
    assert everything() == counted


def test_a_game_stays_on_the_ladder_when_those_who_played_it_have_gone(bots: list[User]) -> None:
    game = finished(bots)
    Seat.objects.filter(game=game).update(user=None)
    ratings.rate_game(game.pk)
    assert RatedGame.objects.get().kind == Kind.BOTS


def test_the_ladder_has_a_page_of_its_own(robot: User, alice: User) -> None:
    Rating.objects.create(person=robot, kind=Kind.BOTS, mu=30, sigma=2, games=12)
    Rating.objects.create(person=alice, kind=Kind.LIVE, mu=30, sigma=2, games=12)
    page = text_of(Client(), "/leaderboard/bots/").split("<h1>")[1]
    assert "Robot" in page
    assert "alice" not in page
    assert 'href="/leaderboard/bots/" aria-current="page">Bots<' in page
    assert "Robot" not in text_of(Client(), "/leaderboard/")
    profile = text_of(Client(), robot.get_absolute_url())
    assert '<h2 id="rating-bots">Bots</h2>' in profile
    assert "/leaderboard/bots/" in profile


# Everybody sees it


def test_its_name_is_labelled_on_every_page_that_shows_it(alice: User, robot: User) -> None:
    table = lay(robot, visibility="public")
    Rating.objects.create(person=robot, kind=Kind.BOTS, mu=30, sigma=2, games=12)
    for address in ("/", f"/t/{table.code}/", "/leaderboard/bots/", robot.get_absolute_url()):
        assert BADGE in text_of(Client(), address), address
    assert '<p class="lead">A program plays this account.' in text_of(Client(), robot.get_absolute_url())
    for address in ("/account/", "/account/bot/"):
        assert BADGE in text_of(browser_of(robot), address), address
    assert BADGE not in text_of(Client(), alice.get_absolute_url())


def test_an_invitation_and_a_list_of_games_say_it(robot: User) -> None:
    bob = account("Bob")
    arranging.invite(lay(robot).code, robot, "Bob", now=timezone.now())
    browser = browser_of(bob)
    assert f"<bdi>Robot</bdi> {BADGE}" in text_of(browser, "/")
    Table.objects.all().delete()
    table = lay(bob)
    sit(table, robot)
    assert f"With <bdi>Robot</bdi> {BADGE}" in text_of(browser, "/")
    services.start(table.code, bob, fill_with_bots=True, now=timezone.now())
    listed = text_of(browser, "/")
    assert f"<bdi>Robot</bdi> {BADGE}" in listed
    assert listed.count(BADGE) == 1, "the bots of the house have no account"
    Game.objects.update(status=Game.Status.ABORTED, ended_at=timezone.now())
    assert f"<bdi>Robot</bdi> {BADGE}" in text_of(browser, "/").split('id="results"')[1]


def test_what_it_says_and_who_it_is_in_a_chat_say_it(alice: User, robot: User) -> None:
    table = lay(alice)
    sit(table, robot)
    room = rooms.of_table(table.code)
    for person, text in ((robot, "Beep"), (alice, "Hello")):
        chat.say(room, person, text, now=timezone.now())
    assert [line.is_bot_account for line in chat.read(room, alice).lines] == [True, False]
    assert text_of(browser_of(alice), f"/t/{table.code}/chat/").count(BADGE) == 1
    assert [met.is_bot_account for met in people.in_room(room, alice)] == [True]
    assert [met.is_bot_account for met in people.in_room(room, robot)] == [False]
    assert BADGE in text_of(browser_of(alice), f"/t/{table.code}/chat/people/")
    hearing.mute(alice, robot, now=timezone.now())
    assert BADGE in text_of(browser_of(alice), "/people/blocked/")


def test_the_end_of_a_rated_game_says_it(bots: list[User]) -> None:
    game = finished(bots)
    ratings.rate_game(game.pk)
    page = text_of(Client(), f"/games/{game.pk}/")
    assert page.split("New ratings")[1].split("</ul>")[0].count(BADGE) == 4
    assert page.split("Points by source")[1].split("</table>")[0].count(BADGE) == 4


def test_what_is_kept_of_somebody_says_it(robot: User) -> None:
    services.play_now(robot, now=timezone.now())
    kept = browser_of(robot).get("/account/data/").json()
    assert kept["account"]["is_bot"] is True
    assert [seat["is_bot_account"] for seat in kept["seats"]] == [True]


def test_a_refusal_has_a_code_for_programs() -> None:
    kinds: list[type[Refusal]] = [NoBots, RatedApart, NotToBeDeclared, bot_accounts.ForPeople]
    assert len({kind.code for kind in kinds} - {Refusal.code}) == len(kinds)
