"""A guest who signs in finds everything at the account; and a guest's link opens the same guest elsewhere."""

import re
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games.models import Game, Intervention, Seat
from games.rules import PRESETS
from lobby import moving, recovery, services
from lobby.models import Block, Chair, ChatLine, RecoveryLink, Table, User

from .conftest import opened, sit
from .people import is_signed_in, sign_in, sign_up, who

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _quick_and_forgetful(settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()


def guest(name: str = "Wanderer") -> User:
    person = User.guest(name)
    person.save()
    return person


def table_of(host: User, *others: User) -> Table:
    table = services.open_table(host, host.shown_name, PRESETS["standard"], "balanced", None, now=timezone.now())
    for other in others:
        services.sit_down(table.code, other, other.shown_name)
    return table


def game_of(host: User, *others: User) -> Game:
    return services.start(table_of(host, *others).code, host, fill_with_bots=True, now=timezone.now())


def sitters(table: Table) -> list[str]:
    return [chair.name for chair in Chair.objects.filter(table=table)]


# Signing in


def test_whatever_a_guest_began_is_the_accounts_after_signing_in(client: Client) -> None:
    sign_up(Client())
    account = User.objects.get()
    client.post("/play-now/")
    game = Game.objects.get()
    client.post(f"/games/{game.pk}/chat/", {"text": "Any wool?"})
    table = opened(client, preset="standard", name="Wanderer")
    before = who(client)
    assert before is not None
    answer = sign_in(client, next="/")
    assert who(client) == account
    assert "belong to your account" in client.get(answer.headers["Location"]).content.decode()
    assert Seat.objects.get(game=game, number=0).user == account
    assert ChatLine.objects.get().user == account
    assert Table.objects.filter(host=account).count() == 2
    assert Chair.objects.get(table=table, number=0).user == account
    assert sitters(table)[0] == "Alice", "at an open table, the account's own name counts"
    assert client.get(f"/games/{game.pk}/").context["page"]["viewer"] == 0
    before.refresh_from_db()
    assert not before.is_active
    assert not Seat.objects.filter(user=before).exists()


def test_a_wrong_password_moves_nothing(client: Client) -> None:
    sign_up(Client())
    client.post("/play-now/")
    before = who(client)
    sign_in(client, password="a wrong guess")
    assert who(client) == before
    assert Seat.objects.get(number=0).user == before


def test_a_guest_with_a_chair_beside_the_account_gives_it_up(alice: User) -> None:
    wanderer, other = guest(), guest("Bob")
    table = table_of(wanderer, alice, other)
    moving.move(wanderer, alice, timezone.now())
    assert [chair.user for chair in table.chairs.all()] == [None, alice, other, None]
    assert sitters(table) == ["", "alice", "Bob", ""]
    table.refresh_from_db()
    assert table.host == alice


def test_a_name_that_somebody_at_the_table_has_is_not_taken_there_twice(alice: User) -> None:
    wanderer = guest()
    table = table_of(guest("ALICE"), wanderer)
    moving.move(wanderer, alice, timezone.now())
    assert sitters(table)[:2] == ["ALICE", "Wanderer"]
    assert table.chairs.all()[1].user == alice


def test_of_two_seats_in_one_game_the_account_keeps_its_own_and_a_bot_takes_the_guests(alice: User) -> None:
    """Nobody plays two seats, and nobody is kept waiting by one whose browser is gone."""
    wanderer, other = guest(), guest("Bob")
    game = game_of(alice, wanderer, other)
    moving.move(wanderer, alice, timezone.now())
    seats = Seat.objects.filter(game=game).order_by("number")
    assert [seat.user for seat in seats] == [alice, wanderer, other, None]
    assert [seat.player for seat in seats] == ["person", "bot", "person", "bot"]
    assert Intervention.objects.get(game=game).what == "withdraw"
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING


def test_of_two_seats_in_a_finished_game_each_stays_as_it_was(alice: User) -> None:
    wanderer = guest()
    game = game_of(alice, wanderer)
    Game.objects.update(status=Game.Status.ABORTED)
    moving.move(wanderer, alice, timezone.now())
    seats = Seat.objects.filter(game=game).order_by("number")
    assert [(seat.user, seat.player) for seat in seats[:2]] == [(alice, "person"), (wanderer, "person")]


def test_blocks_come_along_and_nobody_blocks_themselves(alice: User, dana: User) -> None:
    wanderer, other, third = guest(), guest("Bob"), guest("Charlie")
    for by, whom in ((wanderer, alice), (wanderer, dana), (alice, dana), (other, wanderer), (wanderer, third)):
        Block.objects.create(by=by, whom=whom, since=timezone.now())
    moving.move(wanderer, alice, timezone.now())
    assert set(Block.objects.values_list("by", "whom")) == {
        (alice.pk, dana.pk),
        (other.pk, alice.pk),
        (alice.pk, third.pk),
    }


def test_moving_twice_is_moving_once(alice: User) -> None:
    wanderer = guest()
    game = game_of(wanderer)
    for _ in range(2):
        moving.move(wanderer, alice, timezone.now())
    assert Seat.objects.get(game=game, number=0).user == alice


# The link


def make_link(browser: Client) -> str:
    page = browser.post("/account/guest-link/").content.decode()
    [path] = re.findall(r'value="http://testserver(/account/link/guest/[^"]+)"', page)
    return str(path)


def test_a_guests_link_opens_the_same_guest_on_another_device(client: Client) -> None:
    client.post("/play-now/")
    link, elsewhere = make_link(client), Client()
    page = elsewhere.get(link).content.decode()
    assert "Continue" in page
    assert who(elsewhere) is None, "a program that looks at links uses nothing up"
    elsewhere.post(link)
    assert who(elsewhere) == who(client)
    assert f"/games/{Game.objects.get().pk}/" in elsewhere.get("/").content.decode()
    assert is_signed_in(client)


def test_the_link_is_kept_as_a_hash_and_never_shown_again(client: Client) -> None:
    client.post("/play-now/")
    token = make_link(client).split("/")[-2]
    assert len(token) >= 43
    assert RecoveryLink.objects.get().digest not in (token, "")
    assert token not in client.get("/account/").content.decode()


def test_a_new_link_ends_the_old_one(client: Client) -> None:
    client.post("/play-now/")
    old, new = make_link(client), make_link(client)
    elsewhere = Client()
    assert elsewhere.post(old).status_code == 404
    assert who(elsewhere) is None
    assert "doesn’t work" in elsewhere.get(old).content.decode()
    assert elsewhere.post(new).status_code == 302


@pytest.mark.parametrize("token", ["x", "x" * 10_000, "..", "%00", "é"])
def test_a_forged_link_opens_nothing(client: Client, token: str) -> None:
    guest()
    assert client.post(f"/account/link/guest/{token}/").status_code == 404
    assert who(client) is None


def test_an_account_has_no_such_link(client: Client) -> None:
    sign_up(client)
    assert client.post("/account/guest-link/").headers["Location"] == "/account/"
    assert not RecoveryLink.objects.exists()
    assert Client().post("/account/guest-link/").headers["Location"] == "/account/"


def test_another_guest_who_opens_a_link_brings_their_games(client: Client) -> None:
    client.post("/play-now/")
    link, elsewhere = make_link(client), Client()
    elsewhere.post("/play-now/")
    elsewhere.post(link)
    assert who(elsewhere) == who(client)
    assert Seat.objects.filter(user=who(client)).count() == 2


def test_an_account_that_opens_a_link_takes_the_guests_games(client: Client) -> None:
    client.post("/play-now/")
    link, elsewhere = make_link(client), Client()
    sign_up(elsewhere)
    assert "move to your account" in elsewhere.get(link).content.decode()
    elsewhere.post(link)
    assert (who(elsewhere) or User()).name == "Alice"
    assert Seat.objects.get(number=0).user == who(elsewhere)
    assert not is_signed_in(client), "the guest is no more"
    assert elsewhere.post(link).status_code == 404


def test_a_link_ends_when_its_guest_signs_in(client: Client) -> None:
    sign_up(Client())
    client.post("/play-now/")
    token = recovery.make(who(client) or User(), timezone.now())
    sign_in(client)
    assert recovery.guest_of(token) is None


def test_sitting_down_and_signing_in_says_nothing_about_names(client: Client, table: Table) -> None:
    """Sign-in names that nobody shows stay unknown to whoever sits down."""
    dana = User.objects.create_user("dana", is_staff=True, name="The Librarian")
    assert "Problem:" not in sit(client, table, "dana")
    assert dana.name_shape is not None


def test_everything_moves_or_nothing(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    wanderer = guest()
    game = game_of(wanderer)

    def fail(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(moving, "_move_pairs", fail)
    with pytest.raises(RuntimeError):
        moving.move(wanderer, alice, timezone.now())
    assert Seat.objects.get(game=game, number=0).user == wanderer
    assert Table.objects.get().host == wanderer
