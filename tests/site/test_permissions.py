"""Who may open and do what: every address of the site and every socket, asked by everybody there is.

The addresses come from the site's own configuration: one without a row here fails. So does one that takes what is sent
there, while no row says what that does.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from hashlib import sha256
from typing import Any, Final

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.apps import apps
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.cache import cache as counted
from django.db import connection, transaction
from django.db.models import Model
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from api import tokens
from api.models import Token
from catan_site.asgi import sockets
from games.models import Game
from games.rules import PRESETS
from lobby import chat, rooms, services, watching
from lobby.company import Company
from lobby.models import Chair, PushSubscription, Removal, Table, User, Webhook
from moderation import reporting
from moderation.models import AuditLine, Decision, Report
from tests.api.streaming import Reader
from tests.games.playing import new_game
from tests.notices.listening import Browser
from tests.sockets import PATIENCE, Socket

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

#: The namespace of what programs ask for.
PROGRAMS: Final = "v1"

#: nobody: has never been here. guest and stranger: play elsewhere, without and with an account. invited: a chair is
#: kept for them. spectator: has the game's page open, and talks there. player and host: sit at the table and in the
#: game. staff: looks after the place.
ROLES: Final = ("nobody", "guest", "stranger", "invited", "spectator", "player", "host", "staff")

PARTS: Final = 6

TWO_DAYS: Final = {
    name: (timezone.now() + timedelta(days=days)).date().isoformat() for days, name in enumerate(("first", "last"))
}

#: Allauth looks for its own names; each of these leads where one of ours does.
ALSO_CALLED: Final = {"account_signup": "sign-up", "account_login": "sign-in", "account_logout": "sign-out"}

#: Nobody's account is needed for what these do, nor can they change anything of anybody's.
WITHOUT_PEOPLE: Final = {
    "manifest",
    "service-worker",
    "offline",
    "healthz",
    "readyz",
    "/robots.txt",
    "nothing-here",
    "page-of-yesterday",
}


@dataclass(frozen=True)
class World:
    """Tables that wait for players, games that are being played, one that is over, and everybody there is."""

    people: dict[str, User]
    sessions: dict[str, str]
    #: By link, and for invited people alone; for everybody who looks for a game, and one whose game is rated.
    table: Table
    secret: Table
    public: Table
    rated: Table
    #: Whoever has the link may watch it; only those who play may see it; it was broken off.
    game: Game
    closed: Game
    over: Game
    #: The stranger's.
    report: Report
    #: About the player, who has read it.
    decision: Decision

    def address(self, name: str) -> str:
        name, _, where = name.partition(" ")
        pattern = dict(addresses())[name]
        if name in ("player", "v1:player-detail"):
            return reverse(name, args=[self.people["player"].code])
        if name.startswith("report"):
            return self.of_report(name, where)
        if ":kind>" in pattern:
            return reverse(name, args=["live"])
        if "decision_id" in pattern:
            return reverse(name, args=[self.decision.pk])
        if name in OLD_LINKS:
            return reverse(name, kwargs=OLD_LINKS[name])
        if ":code>" in pattern:
            return reverse(name, args=[self.table_where(where).code])
        if "game_id" in pattern:
            game = self.over if name.endswith("rematch") else self.closed if where == "closed" else self.game
            return reverse(name, args=[game.pk])
        return reverse(name)

    def of_report(self, name: str, where: str) -> str:
        """Of what the host or a watcher has said, and of the host; and what the stranger has reported."""
        if name == "report":
            return reverse(name, args=[self.report.pk])
        what: dict[str, object] = {"line": {"line": 1}, "person": {"key": "nobodys"}, "seat": {"seat": 0}}.get(
            name.rpartition("-")[2], {}
        )
        if name == "report-player":
            what = {"code": self.people["host"].code}
        elif name.startswith("report-table"):
            what |= {"code": self.table_where(where).code}
        elif name.startswith("report-"):
            what |= {"game_id": (self.closed if where == "closed" else self.game).pk}
        return reverse(name, kwargs=what)

    def table_where(self, where: str) -> Table:
        tables = {"secret": self.secret, "public": self.public, "rated": self.rated}
        return tables.get(where, self.table)

    def browser(self, role: str) -> Client:
        """One that has just been opened, by somebody who signed in long ago."""
        browser = Client()
        if role in self.sessions:
            browser.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[role]
        return browser


@dataclass(frozen=True)
class Row:
    """What an address answers, by the number of its answer, and for whom it changes anything."""

    answers: dict[int, str]
    #: What is sent; without it, the page is only looked at.
    sends: dict[str, object] | None = None
    is_json: bool = False
    changes: str = ""
    method: str = "post"
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
    "notice-link": {"token": "nobodys"},
    "notice-end": {"token": "nobodys"},
    "account_confirm_email": {"key": "old"},
    "account_reset_password_from_key": {"uidb36": "1", "key": "old-one"},
}

#: When somebody was last seen is noted whatever they do.
NOTED: Final = ("last_login", "last_visit", "seen_at", "last_used_at")

#: The host's first settlement, as a program and as a page without scripts send it.
MOVE: Final = {"move": {"kind": "build_settlement", "vertex": 20}, "version": 0}
PLAIN_MOVE: Final = {"kind": "build_settlement", "choice": '{"vertex": 20}', "version": 0}
RESIGN: Final = {"wish": "resign"}
#: The tables' board is seen beforehand, and who starts says which one it is.
BOARD_SEED: Final = bytes(32)
BOARD_MARK: Final = Table(layout="balanced", board_seed=BOARD_SEED).board_mark
STOP: Final = {"wish": "stop"}
QUESTION: Final[dict[str, object]] = {"version": 0}
ORDER: Final = {"wish": "give", "kind": "roll"}
API_ORDER: Final = {"order": {"kind": "roll"}}
SIGN_UP: Final = {"username": "Newcomer", "password1": "wool for a brick", "password2": "wool for a brick"}

#: For the device that the player has.
RENEWED: Final = Browser().said("https://push.example/2") | {"instead_of": "https://push.example/1"}

NOT_PRESSED: Final = everybody(405)
ACCOUNTS: Final = "stranger invited spectator player host staff"
OUTSIDERS: Final = "nobody guest stranger spectator staff"
WATCHERS: Final = "nobody guest stranger invited spectator staff"
INSIDERS: Final = "invited player host"
PLAYERS: Final = "player host"

#: Somebody who is not there, or no longer.
MUTE: Final = {"wish": "mute", "key": "nobodys"}

ONLY_INSIDERS: Final = Row({404: OUTSIDERS, 200: INSIDERS})
ONLY_PLAYERS: Final = Row({403: WATCHERS, 200: PLAYERS})
NO_PLAYERS: Final = Row({403: PLAYERS, 200: WATCHERS})
ONLY_ACCOUNTS: Final = Row({302: "nobody guest", 200: ACCOUNTS})
ACCOUNTS_PRESS: Final = Row({302: "nobody guest", 405: ACCOUNTS})
NO_SECOND_FACTOR: Final = Row({302: "nobody guest", 404: ACCOUNTS})
ONLY_VISITORS: Final = Row({302: ACCOUNTS, 200: "nobody guest"})


#: Somebody who has said something, and who plays, is reported by everybody but themselves and those who are nobody yet.
NOT_ONES_OWN: Final = Row({403: "nobody", 409: "host", 200: "guest stranger invited spectator player staff"})
NOBODY_THERE: Final = only("nobody", 403, 409)


def not_ones_own(whose: str, kind: str) -> Row:
    others = " ".join(role for role in SIGNED_IN.split() if role != whose)
    return Row({403: "nobody", 409: whose, 302: others}, {"kind": kind}, changes=others)


def at_table(changes: str, **sends: object) -> list[Row]:
    """What is done at a table is pressed, and leads back to it."""
    return [NOT_PRESSED, everybody(302, sends=sends, changes=changes)]


def at_secret_table(changes: str, **sends: object) -> list[Row]:
    """Whoever is not invited does not learn that there is such a table."""
    return [NOT_PRESSED, Row({404: OUTSIDERS, 302: INSIDERS}, sends, changes=changes)]


def players_press(answer: int, sends: dict[str, object], otherwise: int = 403) -> list[Row]:
    """What a program sends for somebody's seat. Without a session or a token it is told to say who it is."""
    others = WATCHERS.removeprefix("nobody ")
    answers = {401: "nobody", answer: PLAYERS, otherwise: others}
    return [NOT_PRESSED, Row(answers, sends, is_json=True, changes=PLAYERS)]


def programs_press(sends: dict[str, object], where: str = "", method: str = "post", **answers: str) -> Row:
    """What a program sends to a table or beside a game: `to_201="host"` says who is answered so. Others of those who
    may see it, as `where` says, are told that it is not for them; for the rest it is not there.
    """
    may_see = {"secret": INSIDERS, "closed": PLAYERS}.get(where, SIGNED_IN).split()
    by_role = {role: int(answer.removeprefix("to_")) for answer, roles in answers.items() for role in roles.split()}
    answered = {role: by_role.get(role, 403) if role in may_see else 404 for role in ROLES} | {"nobody": 401}
    told = {answer: " ".join(role for role in ROLES if answered[role] == answer) for answer in answered.values()}
    changes = " ".join(role for role in ROLES if answered[role] < 300)
    return Row(told, sends, True, changes, method)


#: What a program does at a table, and for whom it is done, of those who see the table.
AT_TABLES: Final[dict[str, tuple[dict[str, object], str]]] = {
    "join": ({"chair": 3}, "guest stranger invited spectator player host staff"),
    "colour": ({"colour": "black"}, PLAYERS),
    "start": ({"fill_with_bots": True, "board": BOARD_MARK}, "host"),
    "add-bot": ({"chair": 3}, "host"),
    "free-chair": ({"chair": 1}, "host"),
    "shuffle": ({}, "host"),
    "swap": ({"chair": 1, "other": 3}, "host"),
    "hand-over": ({"chair": 1}, "host"),
    "invite": ({"name": "Stranger"}, "host"),
}


def programs_at_table(where: str = "") -> dict[str, list[Row]]:
    look = ONLY_INSIDERS if where else everybody(200)
    removal: dict[str, object] = {"removal": 2 if where else 1}
    rows = {
        **{name: [NOT_PRESSED, programs_press(sent, where, to_200=who)] for name, (sent, who) in AT_TABLES.items()},
        "detail": [look],
        # Whoever leaves one for invited people sees it no longer.
        "leave": [NOT_PRESSED, programs_press({}, where, **{"to_204" if where else "to_200": INSIDERS})],
        "ready": [NOT_PRESSED, programs_press({"board": BOARD_MARK}, where, to_409=PLAYERS)],  # Two are not enough.
        "let-back": [NOT_PRESSED, programs_press(removal, where, to_200="host")],
        "options": [
            NOT_PRESSED,
            everybody(405, sends={}, is_json=True),
            programs_press({"preset": "online"}, where, "put", to_200="host"),
        ],
        "chat": [look, programs_press({"text": "Hello"}, where, to_201=PLAYERS)],
    }
    return {f"v1:table-{name} {where}".strip(): found for name, found in rows.items()}


#: To programs, a game that they may not see is one that is not there.
NOT_THERE: Final = Row({404: WATCHERS, 200: PLAYERS})

#: What a bot would do is told in games against bots alone.
NOT_AMONG_PEOPLE: Final = Row(
    {401: "nobody", 409: PLAYERS, 403: "guest stranger invited spectator staff"}, QUESTION, is_json=True
)


#: By the address's name, and at a table for invited people alone (secret), and in a game without spectators (closed).
#: With more than one row, what is looked at and what is sent there.
ROWS: Final[dict[str, list[Row]]] = {
    # The front page, and what leads to a table
    "front": [everybody(200)],
    "front-now": [everybody(200)],
    "next-game": [everybody(302)],
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
    "start-table": at_table("host", fill_with_bots="yes", board=BOARD_MARK),
    "ready": at_table("", ready="yes"),  # Two are not enough.
    "choose-colour": at_table(PLAYERS, colour=3),
    "shuffle-board": at_table("host"),
    "swap-chairs": at_table("host", chair=1, other=3),
    "hand-over": at_table("host", chair=1),
    "let-back": at_table("host", removal=1),
    "invite": at_table("host", name="Stranger"),
    "table-chat": [everybody(200), only(PLAYERS, 302, 403, sends={"text": "Hello"}, changes=PLAYERS)],
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
    "start-table secret": at_secret_table("host", fill_with_bots="yes", board=BOARD_MARK),
    "ready secret": at_secret_table("", ready="yes"),
    "choose-colour secret": at_secret_table(PLAYERS, colour=3),
    "shuffle-board secret": at_secret_table("host"),
    "swap-chairs secret": at_secret_table("host", chair=1, other=3),
    "hand-over secret": at_secret_table("host", chair=1),
    "let-back secret": at_secret_table("host", removal=2),
    "invite secret": at_secret_table("host", name="Stranger"),
    "table-chat secret": [
        ONLY_INSIDERS,
        Row({404: OUTSIDERS, 403: "invited", 302: PLAYERS}, {"text": "Hello"}, changes=PLAYERS),
    ],
    "table-people secret": [ONLY_INSIDERS, Row({404: OUTSIDERS, 409: INSIDERS}, MUTE)],
    "table public": [everybody(200)],
    "table-now public": [everybody(200)],
    "sit-down public": at_table(ALL, name="Newcomer", chair=3),
    "add-bot public": at_table("host", chair=3),
    "start-table public": at_table("", fill_with_bots="yes", board=BOARD_MARK),  # The player is not ready.
    "table rated": [everybody(200)],
    "table-now rated": [everybody(200)],
    "sit-down rated": at_table(ACCOUNTS, name="Newcomer", chair=3),
    "add-bot rated": at_table("", chair=3),
    "start-table rated": at_table("", fill_with_bots="yes", board=BOARD_MARK),
    "invite rated": at_table("host", name="Stranger"),
    # The same for programs
    "v1:table-list": [everybody(200), programs_press({}, to_201=SIGNED_IN)],
    "v1:find-list": [NOT_PRESSED, programs_press({"pace": "normal"}, to_200=SIGNED_IN)],
    "v1:play-now-list": [NOT_PRESSED, programs_press({}, to_201=SIGNED_IN)],
    **programs_at_table(),
    **programs_at_table("secret"),
    "v1:table-join rated": [NOT_PRESSED, programs_press({"chair": 3}, to_200=ACCOUNTS)],
    "v1:table-add-bot rated": [NOT_PRESSED, programs_press({"chair": 3}, to_409="host")],
    "v1:table-start public": [
        NOT_PRESSED,
        programs_press({"fill_with_bots": True, "board": BOARD_MARK}, to_409="host"),  # The player is not ready.
    ],
    # A game
    "game": [everybody(200)],
    "game-picture": [everybody(200)],
    "statistics": [everybody(200)],
    "move": [NOT_PRESSED, everybody(302, sends=PLAIN_MOVE, changes="host")],
    "seat": [NOT_PRESSED, everybody(302, sends=RESIGN, changes=PLAYERS)],
    "agreements": [NOT_PRESSED, everybody(302, sends=STOP, changes=PLAYERS)],
    "orders": [ONLY_PLAYERS, only(PLAYERS, 302, 403, sends=ORDER, changes=PLAYERS)],
    "advice": [NOT_PRESSED, everybody(302, sends=QUESTION)],  # It is for games against bots alone.
    # The same for programs
    "v1:root-list": [everybody(200)],
    "v1:me-list": [everybody(200)],
    "v1:schema": [everybody(200)],
    "api-docs": [everybody(200)],
    "v1:game-list": [everybody(200)],
    "v1:game-detail": [everybody(200)],
    "v1:game-moves": [
        everybody(200),
        Row(
            {401: "nobody", 201: "host", 409: "player", 403: "guest stranger invited spectator staff"},
            MOVE,
            is_json=True,
            changes="host",
        ),
    ],
    "v1:game-choices": [everybody(200)],
    "v1:game-offers": [everybody(200)],
    "v1:game-advice": [NOT_PRESSED, NOT_AMONG_PEOPLE],
    "v1:game-seat": players_press(200, RESIGN),
    "v1:game-agreements": players_press(200, STOP),
    "v1:game-orders": [ONLY_PLAYERS, *players_press(200, API_ORDER)[1:]],
    "v1:game-rematch": [
        NOT_PRESSED,
        Row({401: "nobody", 409: "guest stranger invited spectator staff", 201: PLAYERS}, {}, True, changes=PLAYERS),
    ],
    "v1:game-record": [everybody(409)],  # It is still being played.
    "v1:game-chat": [everybody(200), programs_press({"text": "Hello"}, to_201=PLAYERS)],
    "v1:game-watchers": [
        NO_PLAYERS,
        programs_press({"text": "Hello"}, to_201="guest stranger invited spectator staff"),
    ],
    "players-chat": [everybody(200), only(PLAYERS, 302, 403, sends={"text": "Hello"}, changes=PLAYERS)],
    "players-people": [everybody(200), only("nobody", 403, 409, sends=MUTE)],
    "watchers-chat": [NO_PLAYERS, only(PLAYERS, 403, 302, sends={"text": "Hello"}, changes=WATCHERS)],
    "watchers-people": [NO_PLAYERS, only("guest stranger invited spectator staff", 409, 403, sends=MUTE)],
    "game closed": [ONLY_PLAYERS],
    "game-picture closed": [everybody(404)],
    "statistics closed": [ONLY_PLAYERS],
    "move closed": [NOT_PRESSED, everybody(302, sends=PLAIN_MOVE, changes="host")],
    "seat closed": [NOT_PRESSED, everybody(302, sends=RESIGN, changes=PLAYERS)],
    "agreements closed": [NOT_PRESSED, everybody(302, sends=STOP, changes=PLAYERS)],
    "orders closed": [ONLY_PLAYERS, only(PLAYERS, 302, 403, sends=ORDER, changes=PLAYERS)],
    "advice closed": [NOT_PRESSED, everybody(302, sends=QUESTION)],
    "v1:game-advice closed": [
        NOT_PRESSED,
        Row({401: "nobody", 409: PLAYERS, 404: "guest stranger invited spectator staff"}, QUESTION, is_json=True),
    ],
    "v1:game-detail closed": [NOT_THERE],
    "v1:game-moves closed": [
        NOT_THERE,
        Row(
            {401: "nobody", 201: "host", 409: "player", 404: "guest stranger invited spectator staff"},
            MOVE,
            is_json=True,
            changes="host",
        ),
    ],
    "v1:game-choices closed": [NOT_THERE],
    "v1:game-offers closed": [NOT_THERE],
    "v1:game-seat closed": players_press(200, RESIGN, otherwise=404),
    "v1:game-agreements closed": players_press(200, STOP, otherwise=404),
    "v1:game-orders closed": [NOT_THERE, *players_press(200, API_ORDER, otherwise=404)[1:]],
    "v1:game-record closed": [Row({404: WATCHERS, 409: PLAYERS})],
    "v1:game-chat closed": [NOT_THERE, programs_press({"text": "Hello"}, "closed", to_201=PLAYERS)],
    "v1:game-watchers closed": [Row({404: WATCHERS, 403: PLAYERS}), programs_press({"text": "Hello"}, "closed")],
    "players-chat closed": [ONLY_PLAYERS, only(PLAYERS, 302, 403, sends={"text": "Hello"}, changes=PLAYERS)],
    "players-people closed": [ONLY_PLAYERS, only(PLAYERS, 409, 403, sends=MUTE)],
    "watchers-chat closed": [everybody(403), everybody(403, sends={"text": "Hello"})],
    "watchers-people closed": [everybody(403), everybody(403, sends=MUTE)],
    # People
    "player": [everybody(200)],
    "leaderboard-live": [everybody(200)],
    "leaderboard-days": [everybody(200)],
    "leaderboard-bots": [everybody(200)],
    "v1:player-detail": [everybody(200)],
    "v1:leaderboard-detail": [everybody(200)],
    "blocked": [everybody(200), only("nobody", 403, 409, sends=MUTE)],
    # What is reported
    "report-players-line": [NOT_ONES_OWN, not_ones_own("host", "abuse")],
    "report-players-person": [NOBODY_THERE, only("nobody", 403, 409, sends={"kind": "abuse"})],
    "report-watchers-line": [
        Row({403: "nobody player host", 409: "spectator", 200: "guest stranger invited staff"}),
        Row(
            {403: "nobody player host", 409: "spectator", 302: "guest stranger invited staff"},
            {"kind": "abuse"},
            changes="guest stranger invited staff",
        ),
    ],
    "report-watchers-person": [
        only("nobody player host", 403, 409),
        only("nobody player host", 403, 409, sends={"kind": "abuse"}),
    ],
    "report-table-line": [NOT_ONES_OWN, not_ones_own("host", "abuse")],
    "report-table-person": [NOBODY_THERE, only("nobody", 403, 409, sends={"kind": "abuse"})],
    "report-seat": [NOT_ONES_OWN, not_ones_own("host", "stalling")],
    "report-game": [only("nobody", 403, 200), only("nobody", 403, 302, sends={"kind": "collusion"}, changes=SIGNED_IN)],
    "report-player": [NOT_ONES_OWN, not_ones_own("host", "name")],
    "report-players-line closed": [
        Row({403: WATCHERS, 409: "host", 200: "player"}),
        Row({403: WATCHERS, 409: "host", 302: "player"}, {"kind": "abuse"}, changes="player"),
    ],
    "report-players-person closed": [
        only(PLAYERS, 409, 403),
        only(PLAYERS, 409, 403, sends={"kind": "abuse"}),
    ],
    "report-watchers-line closed": [everybody(403), everybody(403, sends={"kind": "abuse"})],
    "report-seat closed": [
        Row({403: WATCHERS, 409: "host", 200: "player"}),
        Row({403: WATCHERS, 409: "host", 302: "player"}, {"kind": "stalling"}, changes="player"),
    ],
    "report-game closed": [ONLY_PLAYERS, only(PLAYERS, 302, 403, sends={"kind": "collusion"}, changes=PLAYERS)],
    "report-table-line secret": [
        Row({404: OUTSIDERS, 409: "host", 200: "invited player"}),
        Row({404: OUTSIDERS, 409: "host", 302: "invited player"}, {"kind": "abuse"}, changes="invited player"),
    ],
    "reports": [everybody(200)],
    "report": [Row({403: "nobody", 404: "guest invited spectator player host staff", 200: "stranger"})],
    # What moderators have decided
    "decisions": [only("nobody", 302, 200), only("nobody", 302, 405, sends={})],
    "decision": [
        Row({302: "nobody", 200: "player", 404: "guest stranger invited spectator host staff"}),
        only("nobody", 302, 405, sends={}),
    ],
    "appeal": [
        only("nobody", 302, 405),
        Row(
            {302: "nobody player", 404: "guest stranger invited spectator host staff"},
            {"text": "It was not me."},
            changes="player",
        ),
    ],
    # Accounts
    "sign-up": [ONLY_VISITORS, everybody(302, sends=SIGN_UP, changes="nobody guest")],
    "sign-in": [ONLY_VISITORS, Row({302: ACCOUNTS, 200: "nobody guest"}, {"username": "x", "password": "y"})],
    "mfa_authenticate": [everybody(302), everybody(302, sends={"code": "123456"})],
    "account_inactive": [everybody(200)],
    "sign-out": [only("nobody", 302, 200), everybody(302, sends={})],
    "account": [only("nobody", 302, 200), only("nobody", 302, 405, sends={})],
    "account_email": [
        ONLY_ACCOUNTS,
        everybody(302, sends={"action_add": "", "email": "me@catan.example"}, changes=ACCOUNTS),
        everybody(302, sends={"action_remove": "", "email": "others@catan.example"}),
    ],
    "account_change_password": [ONLY_ACCOUNTS, Row({302: "nobody guest", 200: ACCOUNTS}, {"oldpassword": "guessed"})],
    "account_reset_password": [everybody(200), everybody(302, sends={"email": "others@catan.example"})],
    "account_reset_password_done": [everybody(200)],
    "account_reset_password_from_key_done": [everybody(200)],
    "account_reauthenticate": [ONLY_ACCOUNTS, Row({302: "nobody guest", 200: ACCOUNTS}, {"password": "guessed"})],
    "mfa_reauthenticate": [everybody(302), everybody(302, sends={"code": "123456"})],
    "mfa_index": [ONLY_ACCOUNTS, only("nobody guest", 302, 405, sends={})],
    # The password is asked for again first; nobody of them has a second factor.
    "mfa_activate_totp": [everybody(302), everybody(302, sends={"code": "123456"})],
    "mfa_deactivate_totp": [NO_SECOND_FACTOR, only("nobody guest", 302, 404, sends={})],
    "mfa_view_recovery_codes": [NO_SECOND_FACTOR, only("nobody guest", 302, 405, sends={})],
    "mfa_generate_recovery_codes": [everybody(302), everybody(302, sends={})],
    "account-sessions": [ONLY_ACCOUNTS, everybody(302, sends={"end": "others"})],
    "push": [ONLY_ACCOUNTS, only("nobody guest", 403, 400, sends={"endpoint": "https://127.0.0.1/"}, is_json=True)],
    "push-renewal": [
        only("nobody guest", 403, 200),
        Row(
            {403: "nobody guest", 409: "stranger invited spectator host staff", 201: "player"},
            RENEWED,
            is_json=True,
            changes="player",
        ),
    ],
    "push-remove": [ACCOUNTS_PRESS, everybody(302, sends={"device": 1}, changes="player")],
    "push-test": [ACCOUNTS_PRESS, everybody(302, sends={})],
    "webhook": [
        ONLY_ACCOUNTS,
        only("nobody guest", 302, 400, sends={"url": "https://127.0.0.1/"}),
        everybody(302, sends={"url": "https://hooks.example/2"}, changes=ACCOUNTS),
    ],
    "webhook-remove": [ACCOUNTS_PRESS, everybody(302, sends={}, changes="player")],
    "webhook-test": [ACCOUNTS_PRESS, everybody(302, sends={})],
    "account-holidays": [
        ONLY_ACCOUNTS,
        Row({302: "nobody guest", 400: ACCOUNTS}, {"first": "some day", "last": ""}),
        everybody(302, sends=TWO_DAYS, changes=ACCOUNTS),
    ],
    "account-bot": [
        ONLY_ACCOUNTS,
        # The others play, are invited, or look after the place.
        Row(
            {302: "nobody guest stranger spectator", 409: "invited player host staff"},
            {"is_sure": "on"},
            changes="stranger spectator",
        ),
    ],
    "account-data": [only("nobody", 302, 200), only("nobody", 302, 405, sends={})],
    "account-delete": [ONLY_ACCOUNTS, Row({302: "nobody guest", 200: ACCOUNTS}, {"password": "guessed"})],
    "account-notices": [ONLY_ACCOUNTS, everybody(302, sends={"zone": "Europe/Berlin"}, changes=ACCOUNTS)],
    "notice-link": [everybody(404)],
    "notice-end": [everybody(404), everybody(404, sends={})],
    "make-guest-link": [NOT_PRESSED, only("guest", 200, 302, sends={}, changes="guest")],
    "guest-link": [everybody(404), everybody(404, sends={})],
    "account_confirm_email": [everybody(200), everybody(404, sends={})],
    "account_reset_password_from_key": [everybody(200), everybody(200, sends={})],
    # Its token is made once the password was asked for again.
    "programs": [ONLY_ACCOUNTS, everybody(302, sends={"name": "My bot", "scope": "play"})],
    "programs-revoke": [
        ACCOUNTS_PRESS,
        everybody(302, sends={"token": 1}, changes="player"),
        everybody(302, sends={"all": ""}, changes="player"),
    ],
    # For those who look after the site
    "metrics": [everybody(404)],  # A program reads it, with a token that none of them has.
    "status": [
        Row({200: "staff", 302: "nobody", 403: "guest stranger invited spectator player host"}),
        only("nobody", 302, 405, sends={}),
    ],
    "start-round-trip": [
        only("nobody", 302, 405),
        Row({302: "nobody staff", 403: "guest stranger invited spectator player host"}, sends={}),
    ],
}


@pytest.fixture
def world() -> World:
    password = make_password("three sheep for a brick")
    people = {role: User(username=role, name=role.title(), password=password) for role in SIGNED_IN.split()}
    people["staff"].is_staff = people["staff"].is_superuser = people["guest"].is_guest = True
    for person in people.values():
        person.save()
    PushSubscription.objects.bulk_create(
        [Browser().subscription("https://push.example/1", pk=1, person=people["player"], added_at=timezone.now())]
    )
    Webhook.objects.create(
        person=people["player"], url="https://hooks.example/1", form="slack", added_at=timezone.now()
    )
    Token.objects.create(
        pk=1, person=people["player"], name="My bot", digest="x", hint="x", scope="play", made_at=timezone.now()
    )
    table, secret, public, rated = (
        open_table(people, Company(visibility, rated=visibility == "public" and is_rated))
        for visibility, is_rated in (("link", False), ("invited", False), ("public", False), ("public", True))
    )
    removed = User.objects.create_user("removed")
    Removal.objects.bulk_create(
        Removal(pk=number, table=one, user=removed, name="Removed") for number, one in ((1, table), (2, secret))
    )
    seated = [people["host"], people["player"]]
    game, closed, over = (new_game("standard turn_order=seat_order", users=seated, bots=(2,)) for _ in range(3))
    Game.objects.filter(pk=closed.pk).update(spectators_allowed=False)
    Game.objects.filter(pk=over.pk).update(status=Game.Status.ABORTED)
    watching.arrive(game.pk, people["spectator"].pk, "the spectator's page", timezone.now())
    chat.say(rooms.of_watchers(game.pk), people["spectator"], "Good luck to all!", now=timezone.now())
    for place in (rooms.of_players(game.pk), rooms.of_players(closed.pk), *map(rooms.TableRoom, (table, secret))):
        # Said long ago, or the host would have said too much at once.
        chat.say(place, people["host"], "Good luck!", now=timezone.now() - timedelta(hours=1))
    report = reporting.report_game(people["stranger"], over, "collusion", "", now=timezone.now())
    now = timezone.now()
    decision = Decision.objects.create(person=people["player"], kind="warn", reason="Be kind.", at=now, read_at=now)
    sessions = {role: session_of(people[role]) for role in people}
    return World(people, sessions, table, secret, public, rated, game, closed, over, report, decision)


def session_of(person: User) -> str:
    browser = Client()
    browser.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return browser.cookies[settings.SESSION_COOKIE_NAME].value


def open_table(people: dict[str, User], company: Company) -> Table:
    table = services.open_table(
        *(people["host"], "Host", PRESETS["standard"], "balanced", None),
        company=company,
        now=timezone.now(),
    )
    Table.objects.filter(pk=table.pk).update(board_seed=BOARD_SEED)
    Chair.objects.filter(table=table, number=1).update(user=people["player"], name="Player")
    Chair.objects.filter(table=table, number=2).update(user=people["invited"], name="Invited", kept=True)
    return table


@cache
def addresses() -> list[tuple[str, str]]:
    """With their names. Those of the admin have a table of their own, in tests/moderation/test_permissions.py."""
    return [(name, path) for path, name in walk(get_resolver()) if not path.startswith("/admin/")]


def walk(resolver: URLResolver, before: str = "/", space: str = "") -> Iterator[tuple[str, str]]:
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield path, space + (pattern.name or path)
        else:
            is_programs = pattern.namespace == PROGRAMS
            yield from walk(pattern, path, f"{PROGRAMS}:" if is_programs else space)


def test_every_address_of_the_site_has_a_row() -> None:
    """And a name of its own: behind a name that two share, one of them would be asked for nothing."""
    names, paths = zip(*addresses(), strict=True)
    assert [name for name, times in Counter(names).items() if times > 1] == []
    assert {name.partition(" ")[0] for name in ROWS} | WITHOUT_PEOPLE | ALSO_CALLED.keys() == {*names}
    twice = {path for path, times in Counter(paths).items() if times > 1}
    assert twice == {dict(addresses())[name] for name in ALSO_CALLED.values()}
    assert twice == {dict(addresses())[name] for name in ALSO_CALLED}


def rows_of(name: str) -> list[Row]:
    """What is looked at and what is sent; where no row says what is sent, nothing may be."""
    rows = ROWS[name]
    return rows if any(row.sends is not None for row in rows) else [*rows, everybody(405, sends={})]


@pytest.mark.parametrize("part", range(PARTS))
def test_each_of_them_answers_everybody_as_its_row_says(part: int, world: World) -> None:
    """In a few parts, each with one world: to make a world takes longer than to ask."""
    before = everything()
    for name in list(ROWS)[part::PARTS]:
        for row in rows_of(name):
            for role in ROLES:
                # What others have asked for is counted in the cache.
                counted.clear()
                with transaction.atomic():
                    browser = world.browser(role)
                    with noting_writes() as written:
                        answer = ask(browser, world.address(name), row)
                    has_changed = bool(written) and everything() != before
                    transaction.set_rollback(True)
                said = (name, row.sends, role, answer.status_code, has_changed)
                assert said == (name, row.sends, role, row.roles[role], role in row.changes.split())


#: Those of a table and a game, and somebody of neither.
WITH_TOKENS: Final = ("stranger", "player", "host")


@pytest.mark.parametrize("scope", Token.Scope.values)
def test_a_token_may_do_what_its_person_may_and_one_that_only_reads_changes_nothing(scope: str, world: World) -> None:
    bearers = {role: bearer_of(world.people[role], scope) for role in WITH_TOKENS}
    before = everything()
    for name in (name for name in ROWS if name.startswith(f"{PROGRAMS}:")):
        for row in rows_of(name):
            for role, browser in bearers.items():
                counted.clear()
                with transaction.atomic():
                    with noting_writes() as written:
                        answer = ask(browser, world.address(name), row)
                    has_changed = bool(written) and everything() != before
                    transaction.set_rollback(True)
                may_not = scope == "read" and row.sends is not None and row.roles[role] != 405
                expected = (403, False) if may_not else (row.roles[role], role in row.changes.split())
                said = (name, row.sends, role, answer.status_code, has_changed)
                assert said == (name, row.sends, role, *expected)
                if may_not:
                    assert answer.json()["code"] == "scope"


def bearer_of(person: User, scope: str) -> Client:
    _, text = tokens.make(person, scope, scope, now=timezone.now())
    return Client(headers={"Authorization": f"Bearer {text}"})


def ask(browser: Client, address: str, row: Row) -> Any:
    if row.sends is None:
        return browser.get(address)
    send = getattr(browser, row.method)
    return send(address, row.sends, "application/json" if row.is_json else MULTIPART_CONTENT)


def kept_models() -> list[type[Model]]:
    """Of people, their accounts, tables and games, of what they report and what moderators decide.

    The audit log changes whenever staff so much as look at something; it has tests of its own.
    """
    apps_of_people = ("moderation", "api", "lobby", "games", "account", "mfa")
    models = [model for app in apps_of_people for model in apps.get_app_config(app).get_models()]
    return [model for model in models if model is not AuditLine]


@contextmanager
def noting_writes() -> Iterator[list[str]]:
    """Whatever is written into rows that the site keeps. Most requests write nothing, and are seen to do so at once."""
    kept, written = {model._meta.db_table for model in kept_models()}, list[str]()

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.startswith(("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK")):
            found = re.match(r'(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) "(\w+)"', sql)
            if found is None or found[1] in kept:
                written.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield written


def everything() -> str:
    """All that the site keeps, in short; not when somebody was last here."""
    kept = sha256()
    for model in kept_models():
        fields = [each.name for each in model._meta.fields if each.name not in NOTED]
        kept.update(repr(list(model._default_manager.order_by("pk").values_list(*fields))).encode())
    return kept.hexdigest()


# Sockets

#: What a socket says first, or the number with which it closes; one that is not opened at all says nothing. By its path
#: and by where, as above.
SOCKET_ROWS: Final[dict[str, dict[str | int, str]]] = {
    "ws/status/": {"kind": "staff", "": "nobody guest stranger invited spectator player host"},
    "ws/front/": {"greeting": ALL},
    "ws/games/<game:game_id>/": {"greeting": ALL},
    "ws/games/<game:game_id>/ closed": {"greeting": PLAYERS, 4404: WATCHERS},
    "ws/tables/<slug:code>/": {"version": ALL},
    "ws/tables/<slug:code>/ secret": {"version": INSIDERS, 4404: OUTSIDERS},
    "ws/tables/<slug:code>/ public": {"version": ALL},
    "ws/tables/<slug:code>/ rated": {"version": ALL},
    "": {4404: ALL},
}


def test_every_socket_of_the_site_has_a_row() -> None:
    assert {name.partition(" ")[0] for name in SOCKET_ROWS} == {str(route.pattern) for route in sockets.routes}


@pytest.mark.django_db(transaction=True)
def test_each_socket_answers_everybody_as_its_row_says(world: World) -> None:
    """In a game, those who play hear their own chat alone, since others talk of what they see."""
    browsers = {role: world.browser(role) for role in ROLES}

    @async_to_sync
    async def scenario() -> tuple[dict[str, dict[str, str | int]], dict[str, set[str]]]:
        answers: dict[str, dict[str, str | int]] = {}
        for name in SOCKET_ROWS:
            opened = {role: Socket(browsers[role], socket_path(world, name)) for role in ROLES}
            answers[name] = {role: await first_said(socket) for role, socket in opened.items()}
            if name == "ws/games/<game:game_id>/":
                chats = await chats_heard(world, opened)
            for role, socket in opened.items():
                if isinstance(answers[name][role], str) and answers[name][role]:
                    await socket.close()
        return answers, chats

    answers, chats = scenario()
    for name, row in SOCKET_ROWS.items():
        assert (name, answers[name]) == (name, {role: said for said, roles in row.items() for role in roles.split()})
    assert chats == {role: {"players"} if role in PLAYERS.split() else {"players", "watchers"} for role in ROLES}


#: The status with which a stream answers. It comes in by the door of the game's socket, so the rows say the same.
STREAM_ROWS: Final[dict[str, dict[int, str]]] = {"": {200: ALL}, "closed": {200: PLAYERS, 404: WATCHERS}}


@pytest.mark.django_db(transaction=True)
def test_each_stream_answers_everybody_as_its_row_says(world: World) -> None:
    browsers = {role: world.browser(role) for role in ROLES}

    @async_to_sync
    async def scenario() -> dict[str, dict[str, int]]:
        statuses: dict[str, dict[str, int]] = {}
        for where in STREAM_ROWS:
            game = world.closed if where else world.game
            opened = {role: await Reader(browsers[role], game.pk).open() for role in ROLES}
            for reader in opened.values():
                await reader.line()
                await reader.leave()
            statuses[where] = {role: reader.status for role, reader in opened.items()}
        return statuses

    statuses = scenario()
    for where, row in STREAM_ROWS.items():
        assert statuses[where] == {role: status for status, roles in row.items() for role in roles.split()}


def socket_path(world: World, name: str) -> str:
    pattern, _, where = name.partition(" ")
    game = world.closed if where == "closed" else world.game
    path = pattern.replace("<game:game_id>", str(game.pk)).replace("<slug:code>", world.table_where(where).code)
    return f"/{path or 'ws/nowhere/'}"


async def first_said(socket: Socket) -> str | int:
    if not await socket.open():
        return ""
    said = await socket.line.receive_output(PATIENCE)
    return int(said["code"]) if said["type"] == "websocket.close" else str(next(iter(json.loads(said["text"]))))


async def chats_heard(world: World, opened: dict[str, Socket]) -> dict[str, set[str]]:
    """Those who watch are told first how far their chat has got; then something is said in both."""
    for role in WATCHERS.split():
        while (await opened[role].receive()).get("chat", {}).get("room") != "watchers":
            pass
    players, watchers = await database_sync_to_async(rooms.of_game)(world.game.pk)
    for room, speaker in ((watchers, "spectator"), (players, "host")):
        await database_sync_to_async(chat.say)(room, world.people[speaker], "Hello", now=timezone.now())
    heard: dict[str, set[str]] = {role: set() for role in ROLES}
    for role, socket in opened.items():
        while "players" not in heard[role]:
            frame = await socket.receive()
            heard[role] |= {frame["chat"]["room"]} if "chat" in frame else set()
    return heard
