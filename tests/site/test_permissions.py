"""Who may open and do what: every address of the site, asked by everybody there is.

The addresses come from the site's own configuration: one without a row here fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

import pytest
from django.apps import apps
from django.core import serializers
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from games.models import Game
from games.rules import PRESETS
from lobby import services
from lobby.models import Table, User
from tests.games.playing import new_game

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

#: nobody: has never been here. guest and stranger: play elsewhere, without and with an account; so does who watches.
#: invited: a chair is kept for them. player and host: sit at the table and in the game. staff: looks after the place.
ROLES: Final = ("nobody", "guest", "stranger", "invited", "player", "host", "staff")

#: Nobody's account is needed for what these do, nor can they change anything of anybody's.
WITHOUT_PEOPLE: Final = {
    "manifest",
    "service-worker",
    "offline",
    "healthz",
    "readyz",
    "/robots.txt",
    "/api/<path:anything>",
}


@dataclass(frozen=True)
class World:
    """A table that waits for players, a game that is being played, one that is over, and everybody there is."""

    people: dict[str, User]
    table: Table
    game: Game
    over: Game

    def address(self, name: str) -> str:
        pattern = addresses()[name]
        if "code" in pattern:
            return reverse(name, args=[self.table.code])
        if name == "rematch":
            return reverse(name, args=[self.over.pk])
        return reverse(name, args=[self.game.pk] if "game_id" in pattern else [])

    def browser(self, role: str) -> Client:
        client = Client()
        if role in self.people:
            client.force_login(self.people[role], backend="django.contrib.auth.backends.ModelBackend")
        return client


@dataclass(frozen=True)
class Row:
    """What an address answers, by the number of its answer, and for whom it changes anything."""

    answers: dict[int, str]
    #: What is sent; without it, the page is only looked at.
    sends: dict[str, object] | None = None
    is_json: bool = False
    changes: str = ""
    roles: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "roles", {role: answer for answer, roles in self.answers.items() for role in roles.split()}
        )


ALL = " ".join(ROLES)
SIGNED_IN = ALL.removeprefix("nobody ")


def everybody(answer: int, **more: object) -> Row:
    return Row({answer: ALL}, **more)  # type: ignore[arg-type]


def only(roles: str, answer: int, otherwise: int, **more: object) -> Row:
    others = " ".join(role for role in ROLES if role not in roles.split())
    return Row({answer: roles, otherwise: others}, **more)  # type: ignore[arg-type]


#: The host's first settlement, as a program and as a page without scripts send it.
MOVE: Final = {"move": {"kind": "build_settlement", "vertex": 20}, "version": 0}
PLAIN_MOVE: Final = {"kind": "build_settlement", "choice": '{"vertex": 20}', "version": 0}
RESIGN: Final = {"wish": "resign"}

#: By the address's name; with more than one row, what is looked at and what is sent there.
ROWS: Final[dict[str, list[Row]]] = {
    "front": [everybody(200)],
    "play-now": [everybody(405), everybody(302, sends={}, changes=ALL)],
    "new-table": [everybody(200), everybody(302, sends={"preset": "standard", "name": "Newcomer"}, changes=ALL)],
    "rematch": [everybody(405), everybody(302, sends={}, changes="player host")],
    "table": [everybody(200)],
    "table-picture": [everybody(200)],
    "table-now": [everybody(200)],
    "table-options": [only("host", 200, 302), everybody(302, sends={"preset": "online"}, changes="host")],
    "sit-down": [everybody(405), everybody(302, sends={"name": "Newcomer", "chair": 3}, changes=ALL)],
    "stand-up": [everybody(405), everybody(302, sends={}, changes="invited player host")],
    "add-bot": [everybody(405), everybody(302, sends={"chair": 3}, changes="host")],
    "free-chair": [everybody(405), everybody(302, sends={"chair": 1}, changes="host")],
    "start-table": [everybody(405), everybody(302, sends={"fill_with_bots": "yes"}, changes="host")],
    "chat": [everybody(200), only("player host", 302, 403, sends={"text": "Hello"}, changes="player host")],
    "chat-lines": [everybody(200)],
    "sign-in": [everybody(200)],
    "sign-out": [everybody(405), everybody(302, sends={})],
    "game": [everybody(200)],
    "game-picture": [everybody(200)],
    "statistics": [everybody(200)],
    "move": [everybody(405), everybody(302, sends=PLAIN_MOVE, changes="host")],
    "seat": [everybody(405), everybody(302, sends=RESIGN, changes="player host")],
    "status": [Row({200: "staff", 302: "nobody", 403: "guest stranger invited player host"})],
    "start-round-trip": [
        only("nobody", 302, 405),
        Row({302: "nobody staff", 403: "guest stranger invited player host"}, sends={}),
    ],
    "api-game": [everybody(200)],
    "api-moves": [
        everybody(200),
        Row(
            {200: "host", 409: "player", 403: "nobody guest stranger invited staff"}, MOVE, is_json=True, changes="host"
        ),
    ],
    "api-seat": [everybody(405), only("player host", 200, 403, sends=RESIGN, is_json=True, changes="player host")],
}


@pytest.fixture
def world() -> World:
    people = {role: User.objects.create_user(role, name=role.title()) for role in SIGNED_IN.split()}
    people["staff"].is_staff = people["staff"].is_superuser = True
    people["staff"].save()
    people["guest"].is_guest = True
    people["guest"].save()
    seated = [people["host"], people["player"]]
    table = services.open_table(people["host"], "Host", PRESETS["standard"], "balanced", None, now=timezone.now())
    services.sit_down(table.code, people["player"], "Player")
    table.chairs.filter(number=2).update(user=people["invited"], name="Invited", kept=True)
    over = new_game(users=seated, bots=(2,))
    Game.objects.filter(pk=over.pk).update(status=Game.Status.ABORTED)
    return World(people, table, new_game("standard turn_order=seat_order", users=seated, bots=(2,)), over)


def addresses() -> dict[str, str]:
    """The site's own, by their names; the admin's are Django's, and asked for as one."""
    return {name: path for path, name in _walk(get_resolver()) if not path.startswith("/admin/")}


def _walk(resolver: URLResolver, before: str = "/") -> Iterator[tuple[str, str]]:
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield path, pattern.name or path
        else:
            yield from _walk(pattern, path)


def test_every_address_of_the_site_has_a_row() -> None:
    assert {*ROWS} | WITHOUT_PEOPLE == {*addresses()}


@pytest.mark.parametrize("name", ROWS)
def test_each_of_them_answers_everybody_as_its_row_says(name: str, world: World) -> None:
    for row in ROWS[name]:
        for role in ROLES:
            with transaction.atomic():
                before = everything()
                answer = ask(world, role, name, row)
                has_changed = everything() != before
                transaction.set_rollback(True)
            said = (name, "sends" if row.sends is not None else "looks", role, answer.status_code, has_changed)
            wanted = (*said[:3], row.roles[role], role in row.changes.split())
            assert said == wanted, answer.content.decode()[:2000]


def ask(world: World, role: str, name: str, row: Row) -> HttpResponse:
    browser, address = world.browser(role), world.address(name)
    if row.sends is None:
        return browser.get(address)  # type: ignore[return-value]
    return browser.post(address, row.sends, **({"content_type": "application/json"} if row.is_json else {}))  # type: ignore[return-value]


def everything() -> str:
    """All that the site keeps of people, tables and games, in short; not when somebody was last here."""
    kept = sha256()
    for model in (*apps.get_app_config("lobby").get_models(), *apps.get_app_config("games").get_models()):
        fields = [each.name for each in model._meta.fields if each.name != "last_login"]
        kept.update(serializers.serialize("json", model._default_manager.order_by("pk"), fields=fields).encode())
    return kept.hexdigest()


def test_the_admins_pages_are_for_staff_alone(world: World) -> None:
    pages = [path for path, _ in _walk(get_resolver()) if path.startswith("/admin/")]
    assert pages
    for model in ("lobby/user", "games/game"):
        for role in ROLES:
            answer = world.browser(role).get(f"/admin/{model}/")
            assert answer.status_code == (200 if role == "staff" else 302), (model, role)
