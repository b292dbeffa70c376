"""What staff see of people, and who makes somebody a member of the staff."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import LazySettings
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Seat
from lobby import hearing
from lobby.models import Chair, Table, User
from moderation.models import AuditLine
from tests.games.playing import new_game
from tests.staff import browser_of, make_staff

pytestmark = pytest.mark.django_db

ADDRESS = "alice@catan.example"


@pytest.fixture
def administrator(charlie: User) -> Client:
    return browser_of(make_staff(charlie, "administrator"))


@pytest.fixture
def alice(alice: User, settings: LazySettings) -> User:
    """With all that nobody shall see."""
    # To hash a password as the site does takes longer than all the rest of these tests.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    alice.email = ADDRESS
    alice.set_password("three sheep for a brick")
    alice.save()
    EmailAddress.objects.create(user=alice, email=ADDRESS, verified=True, primary=True)
    new_game(users=[alice])
    return alice


def page_of(person: User) -> str:
    return f"/admin/lobby/user/{person.pk}/change/"


def appoint(browser: Client, person: User, *groups: str, why: str = "We need more hands") -> str:
    answer = browser.post(f"/admin/lobby/user/{person.pk}/appoint/", {"groups": groups, "why": why}, follow=True)
    return answer.content.decode() if answer.status_code == 200 else f"{answer.status_code}"


def groups_of(person: User) -> set[str]:
    return set(person.groups.values_list("name", flat=True))


def test_neither_list_nor_page_shows_an_address_or_a_password(
    moderator: Client, administrator: Client, alice: User
) -> None:
    for browser in (moderator, administrator):
        for path in ("/admin/lobby/user/", page_of(alice)):
            page = browser.get(path).content.decode()
            assert "alice" in page
            assert ADDRESS not in page
            assert alice.password not in page


@pytest.mark.parametrize(
    "asked", [{"q": "alice@catan"}, {"email__startswith": "alice@"}, {"password__startswith": "p"}]
)
def test_nobody_is_found_by_their_address_or_password(moderator: Client, alice: User, asked: dict[str, str]) -> None:
    """What is right and what is wrong have the same answer."""
    right, wrong = (moderator.get("/admin/lobby/user/", each) for each in (asked, dict.fromkeys(asked, "xyz")))
    assert right.status_code == wrong.status_code
    assert right.status_code == 400 or right.context["cl"].result_count == wrong.context["cl"].result_count == 0


@pytest.mark.parametrize(
    "where",
    [
        *("mfa/authenticator", "usersessions/usersession", "account/emailaddress"),
        *("axes/accessattempt", "axes/accesslog", "axes/accessfailurelog"),
    ],
)
def test_keys_sessions_and_addresses_have_no_page(alice: User, where: str) -> None:
    User.objects.filter(pk=make_staff(alice).pk).update(is_superuser=True)
    assert browser_of(User.objects.get(pk=alice.pk)).get(f"/admin/{where}/").status_code == 404


def test_to_look_at_somebody_is_written_down(moderator: Client, dana: User, alice: User) -> None:
    moderator.get(page_of(alice))
    line = AuditLine.objects.get()
    assert (line.act, line.staff, line.person) == ("looked_at_person", dana.pk, alice.pk)


@pytest.mark.parametrize("values", [{"is_staff": "on"}, {"is_superuser": "on"}, {"name": "Mallory"}])
def test_no_row_is_edited_by_hand(
    administrator: Client, moderator: Client, alice: User, values: dict[str, str]
) -> None:
    for browser in (administrator, moderator):
        assert browser.post(page_of(alice), values).status_code == 403
    alice.refresh_from_db()
    assert (alice.is_staff, alice.is_superuser, alice.name) == (False, False, "")


def test_an_administrator_makes_somebody_a_moderator_and_takes_it_back(
    administrator: Client, charlie: User, alice: User
) -> None:
    assert "Done: alice is now a moderator." in appoint(administrator, alice, "moderator")
    alice.refresh_from_db()
    assert (groups_of(alice), alice.is_staff) == ({"moderator"}, True)
    assert "Done: alice is now not a member of the staff." in appoint(
        administrator, alice, why="Thank you for everything"
    )
    alice.refresh_from_db()
    assert (groups_of(alice), alice.is_staff) == (set(), False)
    lines = AuditLine.objects.filter(act="changed_person").order_by("pk")
    assert [(line.staff, line.person, line.why, line.details["groups"]["after"]) for line in lines] == [
        (charlie.pk, alice.pk, "We need more hands", ["moderator"]),
        (charlie.pk, alice.pk, "Thank you for everything", []),
    ]


def test_whoever_is_no_longer_staff_is_out_at_once(administrator: Client, moderator: Client, dana: User) -> None:
    assert moderator.get("/admin/games/game/").status_code == 200
    appoint(administrator, dana)
    assert moderator.get("/admin/games/game/").status_code == 302


def test_sockets_of_whoever_is_appointed_are_opened_anew(
    administrator: Client, alice: User, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    """Those that are open were let in as somebody else."""
    layer = get_channel_layer()
    async_to_sync(layer.group_add)(hearing.person_group(alice.pk), "test.sockets")
    with django_capture_on_commit_callbacks(execute=True):
        appoint(administrator, alice, "moderator")

    async def heard() -> str:
        return str((await asyncio.wait_for(layer.receive("test.sockets"), 5))["type"])

    assert async_to_sync(heard)() == "person.recalled"


def test_a_moderator_appoints_nobody(moderator: Client, alice: User) -> None:
    assert appoint(moderator, alice, "moderator") == "403"
    assert not groups_of(alice)


def test_nobody_appoints_themselves_a_guest_a_program_or_somebody_who_may_do_everything(
    administrator: Client, charlie: User, bob: User
) -> None:
    owner = User.objects.create_superuser("owner")
    guest = User.guest("Guest")
    guest.save()
    bot = User.objects.create_user("robot", is_bot=True)
    for person, sentence in (
        (charlie, "You can’t change your own role"),
        (owner, "made and unmade on the server"),
        (guest, "needs an account"),
        (bot, "A program plays this account"),
    ):
        before = groups_of(person)
        assert sentence in appoint(administrator, person, "moderator")
        assert groups_of(person) == before
        assert sentence in AuditLine.objects.filter(act="was_refused").latest("pk").why


def test_without_a_reason_nothing_changes(administrator: Client, alice: User) -> None:
    assert "Say why" in appoint(administrator, alice, "moderator", why="")
    assert not groups_of(alice)


def test_no_group_but_those_of_the_staff_is_given(administrator: Client, alice: User) -> None:
    Group.objects.create(name="others")
    assert "Say why" in appoint(administrator, alice, "others")
    assert not groups_of(alice)


@pytest.mark.slow
def test_lists_of_many_people_take_few_queries(moderator: Client, alice: User) -> None:
    User.objects.bulk_create(
        User(username=f"guest-{n}", name=f"Guest {n}", is_guest=True, code=f"code{n}") for n in range(10_000)
    )
    for path in (
        "/admin/lobby/user/",
        "/admin/lobby/user/?q=Guest+77",
        "/admin/lobby/user/?kind=guests",
        page_of(alice),
    ):
        with CaptureQueriesContext(connection) as asked:
            assert moderator.get(path).status_code == 200
        assert len(asked) < 15, path


@pytest.mark.parametrize("group", ["9" * 30, "1", "\0", "somebody"])
def test_there_are_no_other_posts(administrator: Client, alice: User, group: str) -> None:
    appoint(administrator, alice, group)
    alice.refresh_from_db()
    assert (groups_of(alice), alice.is_staff) == (set(), False)


@pytest.mark.both_stacks
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "asked",
    ["moderation/decision/?kind__exact=%00", "games/game/?status__exact=%00", "games/game/?phase__exact=%00"],
)
def test_a_nul_in_a_query_is_no_failure(charlie: User, asked: str) -> None:
    answer = browser_of(make_staff(charlie, "administrator")).get(f"/admin/{asked}", follow=True)
    assert answer.status_code == 200


def test_no_list_is_looked_through_beside_the_log(administrator: Client, alice: User) -> None:
    for model, field in (("report", "line"), ("case", "person")):
        asked = {"app_label": "moderation", "model_name": model, "field_name": field, "term": "a"}
        assert administrator.get("/admin/autocomplete/", asked).status_code == 404


def test_the_name_that_somebody_signs_in_with_and_does_not_show_is_found_by_nobody(
    moderator: Client, alice: User
) -> None:
    User.objects.filter(pk=alice.pk).update(username="backdoor", name="Alice")
    for asked, found in (("lic", 1), ("backdoor", 0)):
        assert moderator.get("/admin/lobby/user/", {"q": asked}).context["cl"].result_count == found
    table = Table.objects.create(host=alice, rules={}, layout="random")
    Chair.objects.create(table=table, number=0, user=alice, name="Alice", colour=0)
    game = Seat.objects.get(user=alice).game_id
    pages = [f"/admin/lobby/table/{table.pk}/change/", f"/admin/games/game/{game}/change/"]
    for address in ("/admin/lobby/user/", "/admin/lobby/table/", page_of(alice), *pages):
        page = moderator.get(address).content.decode()
        assert "Alice" in page, address
        assert "backdoor" not in page, address
