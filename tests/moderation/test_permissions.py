"""Who may open and do what in the admin: every address of it, asked by everybody there is.

The addresses come from the site's own configuration. One without a row here fails; so does a row without an address.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import pytest
from django.contrib.auth.models import Group
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from games import services
from lobby.models import Table, User
from moderation import appeals, audit, cases, pairs
from moderation.audit import Act
from moderation.models import AuditLine, Pair
from tests.games.playing import new_game
from tests.moderation.deciding_cases import case_of, decide, line_of
from tests.moderation.pairing import feeding, over
from tests.site.test_permissions import everything, noting_writes, walk
from tests.staff import browser_of, make_staff

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

#: nobody: has never been here. player: has an account, and is reported. bare: staff by name, without a group.
#: The moderators and administrators of these rows sit in none of the games.
ROLES: Final = ("nobody", "player", "bare", "moderator", "administrator")
STAFF: Final = ("moderator", "administrator")

#: What answers whoever may not: the way to the door, and a plain no.
AWAY, NO, NOT_THAT_WAY, GONE = 302, 403, 405, 404


@dataclass(frozen=True)
class Row:
    """Who may look at an address, who may send something there, and whether that changes anything."""

    looks: tuple[str, ...] = ()
    sends: tuple[str, ...] = ()
    #: What is sent there; the name of a model stands for what the address is about.
    what: Any = None
    #: What whoever may look is answered, and whoever may send.
    seen: int = 200
    done: int = 302
    #: What a member of the staff is answered who may neither.
    refused: int = NO
    changes: bool = True


def shown(*looks: str) -> Row:
    return Row(looks=looks)


def pressed(*sends: str, **what: Any) -> Row:
    done, changes = what.pop("done", 302), what.pop("changes", True)
    return Row(sends=sends, what=what, done=done, changes=changes)


WHY: Final = {"why": "somebody asked for it"}

#: By the address's name.
ROWS: Final[dict[str, Row]] = {
    "index": shown("bare", *STAFF),
    "app_list": Row(looks=STAFF, refused=GONE),
    # Reports
    "moderation_case_changelist": shown(*STAFF),
    "moderation_case_change": shown(*STAFF),
    "moderation_case_take": pressed(*STAFF),
    "moderation_case_let_go": pressed(*STAFF),
    "moderation_case_decide": pressed(*STAFF, reason="Be kind.", warn="on", seen=10**9),
    "moderation_case_dismiss": pressed(*STAFF, reason="Nothing in it.", seen=10**9),
    "moderation_decision_changelist": shown(*STAFF),
    "moderation_decision_change": shown(*STAFF),
    "moderation_decision_undo": pressed(*STAFF, **WHY),
    "moderation_appeal_changelist": shown(*STAFF),
    "moderation_appeal_change": shown(*STAFF),
    "moderation_appeal_uphold": pressed(*STAFF, answer="It stands."),
    "moderation_appeal_undo": pressed(*STAFF, answer="You are right."),
    # Games
    "games_game_changelist": shown(*STAFF),
    "games_game_change": shown(*STAFF),
    "games_game_pause": pressed(*STAFF, **WHY),
    "games_game_resume": pressed(*STAFF, **WHY),
    "games_game_extend": pressed(*STAFF, by="1h", **WHY),
    "games_game_play_timeout": pressed(*STAFF, version=0, **WHY),
    "games_game_stand_in": pressed(*STAFF, **WHY),
    "games_game_abort": pressed(*STAFF, confirmed="yes", **WHY),
    "games_game_verify": pressed(*STAFF, done=200, changes=False, **WHY),
    "games_game_export": pressed(*STAFF, done=200, changes=False, **WHY),
    "games_game_whole": pressed(*STAFF, done=200, changes=False, **WHY),
    # People, and what they say
    "lobby_user_changelist": shown(*STAFF),
    "lobby_user_change": shown(*STAFF),
    "lobby_user_appoint": pressed("administrator", groups="moderator", **WHY),
    "auth_group_changelist": shown("administrator"),
    "auth_group_change": shown("administrator"),
    "lobby_table_changelist": shown(*STAFF),
    "lobby_table_change": shown(*STAFF),
    "lobby_chatline_changelist": Row(
        looks=STAFF, sends=STAFF, what={"action": "hide", "_selected_action": "lobby_chatline"}, refused=NO
    ),
    "lobby_chatline_change": shown(*STAFF),
    # Pairs, and the audit log
    "moderation_pair_changelist": shown(*STAFF),
    "moderation_pair_change": shown(*STAFF),
    "moderation_auditline_changelist": shown("administrator"),
    "moderation_auditline_change": shown("administrator"),
    "moderation_auditline_export": pressed("administrator", done=200, changes=False),
}
#: Lists whose page takes what is sent, to no effect: nothing is offered there that could be done.
LISTS_ALONE: Final = "_changelist"

#: Django's own, which say nothing of this site's, or lead to the site's own doors.
DJANGOS: Final = {
    *("login", "logout", "password_change", "password_change_done", "autocomplete", "jsi18n", "view_on_site"),
    r"/admin/(?P<url>.*)$",
}


@cache
def addresses() -> dict[str, str]:
    return {name: path for path, name in walk(get_resolver()) if path.startswith("/admin/")}


def is_every_models(name: str) -> bool:
    """Django's pages to add, change by hand and delete, with the history of that; nobody has them."""
    return name.endswith(("_add", "_delete", "_history", "/<path:object_id>/"))


def test_every_address_of_the_admin_has_a_row() -> None:
    assert {name for name in addresses() if not is_every_models(name)} == ROWS.keys() | DJANGOS


@dataclass(frozen=True)
class World:
    people: dict[str, User]
    #: By the model that an address is about.
    about: dict[str, int]

    def browser(self, role: str) -> Client:
        if role == "nobody":
            return Client()
        return browser_of(self.people[role])

    def address(self, name: str) -> str:
        if name == "app_list":
            return reverse("admin:app_list", args=["moderation"])
        path = addresses()[name]
        model = name.rpartition("_")[0] if name.count("_") == 2 else "_".join(name.split("_")[:2])
        pk = self.about[model] if "<" in path else 0
        return re.sub(r"<\w+:\w+>", str(pk), path.replace("<int:seat>", "0"))


@pytest.fixture
def world() -> World:
    people = {name: User.objects.create_user(name, name=name.title()) for name in ROLES[1:]}
    make_staff(people["bare"])
    for name in STAFF:
        make_staff(people[name], name)
    other, reporter = (User.objects.create_user(name, name=name.title()) for name in ("other", "reporter"))
    make_staff(other, "moderator")
    game = new_game("standard turn_order=seat_order", users=[people["player"], reporter], pace="normal", seed="table")
    line = line_of(people["player"])
    decided = case_of(people["player"], [reporter])
    [decision] = decide(decided, other)
    appeal = appeals.appeal(people["player"], decision.pk, "It was not me.", now=timezone.now())
    case = case_of(people["player"], [reporter], line=line)
    table = Table.objects.create(host=reporter, rules={}, layout="random")
    for _ in range(9):
        over([people["player"], reporter, None], feeding())
    pairs.compute(timezone.now())
    pair = Pair.objects.get(first=people["player"], second=reporter)
    logged = audit.record(other, Act.DECIDED, now=timezone.now(), why="long ago")
    about = {
        "moderation_case": case.pk,
        "moderation_decision": decision.pk,
        "moderation_appeal": appeal.pk,
        "games_game": game.pk,
        "lobby_user": people["player"].pk,
        "lobby_table": table.pk,
        "lobby_chatline": line.pk,
        "moderation_auditline": logged.pk,
        "moderation_pair": pair.pk,
        "auth_group": Group.objects.get(name="moderator").pk,
    }
    return World(people, about)


def prepare(world: World, name: str, role: str) -> None:
    """So that whoever may do it can do it: a case is theirs before they decide it, a game pauses before it goes on."""
    now = timezone.now()
    if name in ("moderation_case_let_go", "moderation_case_decide", "moderation_case_dismiss") and role in STAFF:
        cases.take(world.about["moderation_case"], world.people[role], now=now)
    if name == "games_game_resume":
        services.pause(world.about["games_game"], now=now)


def ask(world: World, name: str, role: str, *, sends: bool) -> tuple[int, bool]:
    """The answer's number, and whether anything was changed by it."""
    with transaction.atomic():
        prepare(world, name, role)
        browser = world.browser(role)
        with transaction.atomic():
            with noting_writes() as written:
                answer = answer_of(browser, world, name, sends=sends)
            after = everything() if written else ""
            transaction.set_rollback(True)
        has_changed = bool(written) and everything() != after
        transaction.set_rollback(True)
    return answer.status_code, has_changed


def answer_of(browser: Client, world: World, name: str, *, sends: bool) -> Any:
    if not sends:
        return browser.get(world.address(name))
    what = {key: world.about.get(value, value) for key, value in (ROWS[name].what or {}).items()}
    return browser.post(world.address(name), what)


def expected(name: str, role: str, *, sends: bool) -> tuple[int, bool]:
    row = ROWS[name]
    if role in ("nobody", "player"):
        return AWAY, False
    if sends:
        if role in row.sends:
            return row.done, row.changes
        if row.sends:
            return row.refused, False
    elif role in row.looks:
        return row.seen, False
    elif row.looks:
        return row.refused, False
    return NOT_THAT_WAY, False


@pytest.mark.parametrize("role", ROLES)
def test_each_address_answers_everybody_as_its_row_says(world: World, role: str) -> None:
    wrong = []
    for name, row in ROWS.items():
        for sends in (False, True):
            if sends and not row.sends:
                continue
            said, wanted = ask(world, name, role, sends=sends), expected(name, role, sends=sends)
            if said != wanted:
                wrong.append((name, "sent" if sends else "looked", said, wanted))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("role", ROLES)
def test_what_is_only_looked_at_takes_nothing(world: World, role: str) -> None:
    """Nor does a press that came as a link."""
    for name, row in ROWS.items():
        if not row.sends:
            _, has_changed = ask(world, name, role, sends=True)
            assert not has_changed, (name, role)


@pytest.mark.parametrize("role", ROLES)
def test_nobody_adds_edits_or_deletes_a_row(world: World, role: str) -> None:
    for name, path in addresses().items():
        if name.endswith(("_add", "_delete", "_change")):
            model = name.rpartition("_")[0]
            pk = world.about.get(model, 0)
            before = everything()
            world.browser(role).post(path.replace("<path:object_id>", str(pk)), {"post": "yes", "name": "X"})
            assert everything() == before, (name, role)
    assert AuditLine.objects.filter(why="long ago").exists()
