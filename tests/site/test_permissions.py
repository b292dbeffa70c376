"""Who may open and do what: every address of the site, asked by everybody there is.

The addresses come from the site's own configuration: one without a row here fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

import pytest
from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from games.models import Game
from games.rules import PRESETS
from lobby import services
from lobby.company import Company, Visibility
from lobby.models import Chair, Table, User
from tests.games.playing import new_game

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

#: nobody: has never been here. guest and stranger: play elsewhere, without and with an account; so does who watches.
#: invited: a chair is kept for them. player and host: sit at the table and in the game. staff: looks after the place.
ROLES: Final = ("nobody", "guest", "stranger", "invited", "player", "host", "staff")

PARTS: Final = 4

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
    """Tables that wait for players, games that are being played, one that is over, and everybody there is."""

    people: dict[str, User]
    #: By link, and for invited people alone.
    table: Table
    secret: Table
    #: Whoever has the link may watch it; only those who play may see it; it was broken off.
    game: Game
    closed: Game
    over: Game

    def address(self, name: str) -> str:
        name, _, where = name.partition(" ")
        pattern = addresses()[name]
        if name == "player":
            return reverse(name, args=[self.people["player"].code])
        if name in OLD_LINKS:
            return reverse(name, kwargs=OLD_LINKS[name])
        if ":code>" in pattern:
            return reverse(name, args=[self.secret.code if where == "secret" else self.table.code])
        if "game_id" in pattern:
            game = self.over if name == "rematch" else self.closed if where == "closed" else self.game
            return reverse(name, args=[game.pk])
        return reverse(name)

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


#: Links that open nothing any more, which everybody is told in the same way.
OLD_LINKS: Final[dict[str, dict[str, str]]] = {
    "guest-link": {"token": "nobodys"},
    "account_confirm_email": {"key": "old"},
    "account_reset_password_from_key": {"uidb36": "1", "key": "old-one"},
}

#: When somebody was last seen is noted whatever they do.
NOTED: Final = ("last_login", "last_visit", "seen_at")

#: The host's first settlement, as a program and as a page without scripts send it.
MOVE: Final = {"move": {"kind": "build_settlement", "vertex": 20}, "version": 0}
PLAIN_MOVE: Final = {"kind": "build_settlement", "choice": '{"vertex": 20}', "version": 0}
RESIGN: Final = {"wish": "resign"}
SIGN_UP: Final = {"username": "Newcomer", "password1": "wool for a brick", "password2": "wool for a brick"}

NOT_PRESSED: Final = everybody(405)
ACCOUNTS: Final = "stranger invited player host staff"
OUTSIDERS: Final = "nobody guest stranger staff"
WATCHERS: Final = "nobody guest stranger invited staff"
INSIDERS: Final = "invited player host"
PLAYERS: Final = "player host"

#: Somebody who is not there, or no longer.
MUTE: Final = {"wish": "mute", "key": "nobodys"}

ONLY_INSIDERS: Final = Row({404: OUTSIDERS, 200: INSIDERS})
ONLY_PLAYERS: Final = Row({403: WATCHERS, 200: PLAYERS})
NO_PLAYERS: Final = Row({403: PLAYERS, 200: WATCHERS})
ONLY_ACCOUNTS: Final = Row({302: "nobody guest", 200: ACCOUNTS})
ONLY_VISITORS: Final = Row({302: ACCOUNTS, 200: "nobody guest"})


def at_table(changes: str, **sends: object) -> list[Row]:
    """What is done at a table is pressed, and leads back to it."""
    return [NOT_PRESSED, everybody(302, sends=sends, changes=changes)]


def at_secret_table(changes: str, **sends: object) -> list[Row]:
    """Whoever is not invited does not learn that there is such a table."""
    return [NOT_PRESSED, Row({404: OUTSIDERS, 302: INSIDERS}, sends, changes=changes)]


#: By the address's name, and at a table for invited people alone (secret), and in a game without spectators (closed).
#: With more than one row, what is looked at and what is sent there.
ROWS: Final[dict[str, list[Row]]] = {
    # The front page, and what leads to a table
    "front": [everybody(200)],
    "front-now": [everybody(200)],
    "play-now": [NOT_PRESSED, everybody(302, sends={}, changes=ALL)],
    "find": [everybody(200), everybody(302, sends={"pace": "normal", "name": "Newcomer"}, changes=ALL)],
    "new-table": [everybody(200), everybody(302, sends={"preset": "standard", "name": "Newcomer"}, changes=ALL)],
    "rematch": [NOT_PRESSED, everybody(302, sends={}, changes=PLAYERS)],
    # A table
    "table": [everybody(200)],
    "table-picture": [everybody(200)],
    "table-now": [everybody(200)],
    "table-options": [only("host", 200, 302), everybody(302, sends={"preset": "online"}, changes="host")],
    "sit-down": at_table(ALL, name="Newcomer", chair=3),
    "stand-up": at_table(INSIDERS),
    "add-bot": at_table("host", chair=3),
    "free-chair": at_table("host", chair=1),
    "start-table": at_table("host", fill_with_bots="yes"),
    "ready": at_table("", ready="yes"),  # Two are not enough.
    "choose-colour": at_table(PLAYERS, colour=3),
    "swap-chairs": at_table("host", chair=1, other=3),
    "hand-over": at_table("host", chair=1),
    "invite": at_table("host", name="Stranger"),
    "table-chat": [everybody(200), only(PLAYERS, 302, 403, sends={"text": "Hello"}, changes=PLAYERS)],
    "table-lines": [everybody(200)],
    "table-people": [everybody(200), only("nobody", 403, 409, sends=MUTE)],
    "table secret": [ONLY_INSIDERS],
    "table-picture secret": [everybody(404)],
    "table-now secret": [ONLY_INSIDERS],
    "table-options secret": [
        Row({404: OUTSIDERS, 302: "invited player", 200: "host"}),
        Row({404: OUTSIDERS, 302: INSIDERS}, {"preset": "online"}, changes="host"),
    ],
    "sit-down secret": at_secret_table(INSIDERS, name="Newcomer", chair=3),
    "stand-up secret": at_secret_table(INSIDERS),
    "add-bot secret": at_secret_table("host", chair=3),
    "free-chair secret": at_secret_table("host", chair=1),
    "start-table secret": at_secret_table("host", fill_with_bots="yes"),
    "ready secret": at_secret_table("", ready="yes"),
    "choose-colour secret": at_secret_table(PLAYERS, colour=3),
    "swap-chairs secret": at_secret_table("host", chair=1, other=3),
    "hand-over secret": at_secret_table("host", chair=1),
    "invite secret": at_secret_table("host", name="Stranger"),
    "table-chat secret": [
        ONLY_INSIDERS,
        Row({404: OUTSIDERS, 403: "invited", 302: PLAYERS}, {"text": "Hello"}, changes=PLAYERS),
    ],
    "table-lines secret": [ONLY_INSIDERS],
    "table-people secret": [ONLY_INSIDERS, Row({404: OUTSIDERS, 409: INSIDERS}, MUTE)],
    # A game
    "game": [everybody(200)],
    "game-picture": [everybody(200)],
    "statistics": [everybody(200)],
    "move": [NOT_PRESSED, everybody(302, sends=PLAIN_MOVE, changes="host")],
    "seat": [NOT_PRESSED, everybody(302, sends=RESIGN, changes=PLAYERS)],
    "api-game": [everybody(200)],
    "api-moves": [everybody(200), Row({200: "host", 409: "player", 403: WATCHERS}, MOVE, is_json=True, changes="host")],
    "api-seat": [NOT_PRESSED, only(PLAYERS, 200, 403, sends=RESIGN, is_json=True, changes=PLAYERS)],
    "players-chat": [everybody(200), only(PLAYERS, 302, 403, sends={"text": "Hello"}, changes=PLAYERS)],
    "players-lines": [everybody(200)],
    "players-people": [everybody(200), only("nobody", 403, 409, sends=MUTE)],
    "watchers-chat": [NO_PLAYERS, only(PLAYERS, 403, 302, sends={"text": "Hello"}, changes=WATCHERS)],
    "watchers-lines": [NO_PLAYERS],
    "watchers-people": [NO_PLAYERS, only("guest stranger invited staff", 409, 403, sends=MUTE)],
    "game closed": [ONLY_PLAYERS],
    "game-picture closed": [everybody(404)],
    "statistics closed": [ONLY_PLAYERS],
    "move closed": [NOT_PRESSED, everybody(302, sends=PLAIN_MOVE, changes="host")],
    "seat closed": [NOT_PRESSED, everybody(302, sends=RESIGN, changes=PLAYERS)],
    "api-game closed": [ONLY_PLAYERS],
    "api-moves closed": [
        ONLY_PLAYERS,
        Row({200: "host", 409: "player", 403: WATCHERS}, MOVE, is_json=True, changes="host"),
    ],
    "api-seat closed": [NOT_PRESSED, only(PLAYERS, 200, 403, sends=RESIGN, is_json=True, changes=PLAYERS)],
    "players-chat closed": [ONLY_PLAYERS, only(PLAYERS, 302, 403, sends={"text": "Hello"}, changes=PLAYERS)],
    "players-lines closed": [ONLY_PLAYERS],
    "players-people closed": [ONLY_PLAYERS, only(PLAYERS, 409, 403, sends=MUTE)],
    "watchers-chat closed": [everybody(403), everybody(403, sends={"text": "Hello"})],
    "watchers-lines closed": [everybody(403)],
    "watchers-people closed": [everybody(403), everybody(403, sends=MUTE)],
    # People
    "player": [everybody(200)],
    "leaderboard-live": [everybody(200)],
    "leaderboard-days": [everybody(200)],
    "blocked": [everybody(200), only("nobody", 403, 409, sends=MUTE)],
    # Accounts: allauth's pages have two names, its own and ours
    "sign-up": [ONLY_VISITORS, everybody(302, sends=SIGN_UP, changes="nobody guest")],
    "account_signup": [ONLY_VISITORS],
    "sign-in": [ONLY_VISITORS, Row({302: ACCOUNTS, 200: "nobody guest"}, {"username": "x", "password": "y"})],
    "account_login": [ONLY_VISITORS],
    "mfa_authenticate": [everybody(302)],
    "account_inactive": [everybody(200)],
    "sign-out": [only("nobody", 302, 200), everybody(302, sends={})],
    "account_logout": [only("nobody", 302, 200)],
    "account": [only("nobody", 302, 200)],
    "account_email": [ONLY_ACCOUNTS],
    "account_change_password": [ONLY_ACCOUNTS, Row({302: "nobody guest", 200: ACCOUNTS}, {"oldpassword": "guessed"})],
    "account_reset_password": [everybody(200)],
    "account_reset_password_done": [everybody(200)],
    "account_reset_password_from_key_done": [everybody(200)],
    "account_reauthenticate": [ONLY_ACCOUNTS],
    "mfa_reauthenticate": [everybody(302)],
    "mfa_index": [ONLY_ACCOUNTS],
    "mfa_activate_totp": [everybody(302)],  # The password is asked for again first.
    "mfa_deactivate_totp": [Row({302: "nobody guest", 404: ACCOUNTS})],
    "mfa_view_recovery_codes": [Row({302: "nobody guest", 404: ACCOUNTS})],
    "mfa_generate_recovery_codes": [everybody(302)],
    "account-sessions": [ONLY_ACCOUNTS, everybody(302, sends={"end": "others"})],
    "account-data": [only("nobody", 302, 200)],
    "account-delete": [ONLY_ACCOUNTS, Row({302: "nobody guest", 200: ACCOUNTS}, {"password": "guessed"})],
    "make-guest-link": [NOT_PRESSED, only("guest", 200, 302, sends={}, changes="guest")],
    "guest-link": [everybody(404), everybody(404, sends={})],
    "account_confirm_email": [everybody(200), everybody(404, sends={})],
    "account_reset_password_from_key": [everybody(200), everybody(200, sends={})],
    # For those who look after the site
    "status": [Row({200: "staff", 302: "nobody", 403: "guest stranger invited player host"})],
    "start-round-trip": [
        only("nobody", 302, 405),
        Row({302: "nobody staff", 403: "guest stranger invited player host"}, sends={}),
    ],
}


@pytest.fixture
def world() -> World:
    password = make_password("three sheep for a brick")
    people = {role: User(username=role, name=role.title(), password=password) for role in SIGNED_IN.split()}
    people["staff"].is_staff = people["staff"].is_superuser = people["guest"].is_guest = True
    for person in people.values():
        person.save()
    table, secret = (open_table(people, visibility) for visibility in ("link", "invited"))
    seated = [people["host"], people["player"]]
    game, closed, over = (new_game("standard turn_order=seat_order", users=seated, bots=(2,)) for _ in range(3))
    Game.objects.filter(pk=closed.pk).update(spectators_allowed=False)
    Game.objects.filter(pk=over.pk).update(status=Game.Status.ABORTED)
    return World(people, table, secret, game, closed, over)


def open_table(people: dict[str, User], visibility: Visibility) -> Table:
    table = services.open_table(
        *(people["host"], "Host", PRESETS["standard"], "balanced", None),
        company=Company(visibility),
        now=timezone.now(),
    )
    Chair.objects.filter(table=table, number=1).update(user=people["player"], name="Player")
    Chair.objects.filter(table=table, number=2).update(user=people["invited"], name="Invited", kept=True)
    return table


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
    assert {name.partition(" ")[0] for name in ROWS} | WITHOUT_PEOPLE == {*addresses()}


@pytest.mark.parametrize("part", range(PARTS))
def test_each_of_them_answers_everybody_as_its_row_says(part: int, world: World) -> None:
    """In a few parts, each with one world: to make a world takes longer than to ask."""
    before = everything()
    for name in list(ROWS)[part::PARTS]:
        for row in ROWS[name]:
            for role in ROLES:
                with transaction.atomic():
                    answer = ask(world, role, name, row)
                    has_changed = everything() != before
                    transaction.set_rollback(True)
                said = (name, row.sends, role, answer.status_code, has_changed)
                assert said == (name, row.sends, role, row.roles[role], role in row.changes.split())


def ask(world: World, role: str, name: str, row: Row) -> Any:
    browser, address = world.browser(role), world.address(name)
    if row.sends is None:
        return browser.get(address)
    return browser.post(address, row.sends, "application/json" if row.is_json else MULTIPART_CONTENT)


def everything() -> str:
    """All that the site keeps of people, tables and games, in short; not when somebody was last here."""
    kept = sha256()
    for model in (*apps.get_app_config("lobby").get_models(), *apps.get_app_config("games").get_models()):
        fields = [each.name for each in model._meta.fields if each.name not in NOTED]
        kept.update(repr(list(model._default_manager.order_by("pk").values_list(*fields))).encode())
    return kept.hexdigest()


def test_the_admins_pages_are_for_staff_alone(world: World) -> None:
    pages = [path for path, _ in _walk(get_resolver()) if path.startswith("/admin/")]
    assert pages
    for model in ("lobby/user", "games/game"):
        for role in ROLES:
            answer = world.browser(role).get(f"/admin/{model}/")
            assert answer.status_code == (200 if role == "staff" else 302), (model, role)
