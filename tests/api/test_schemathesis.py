"""Schemathesis asks whatever the document allows, and much that it does not: every answer is as the document says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, product
from random import Random
from typing import Any, Final

import hypothesis
import pytest
import schemathesis
from django.conf import LazySettings
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st
from schemathesis import GenerationMode

from api import tokens
from api.models import Token
from api.table_serializers import LONGEST_TYPED
from games import snapshots
from games.keys import GAME_DIGITS
from games.models import Game
from games.rules import RuleSet
from lobby import services as lobby
from lobby.company import Company
from lobby.models import Table, User
from tests.games.playing import new_game, play_on

pytestmark = pytest.mark.django_db

#: The stream never ends.
ENDLESS: Final = "games_stream"
#: Where guests say what to call them.
SPEAKER_NAMED: Final = ("/find/", "/join/", "/v1/tables/")
#: What people type has to show something, which no schema can say: a text of marks without letters is a 400 as well.
TYPED: Final = ("games_say", "games_say_as_watcher", "tables_say", "tables_invite")
#: Nobody; somebody who may only look; somebody who plays, with a token and as a page does.
#: Of each role, to each address.
EXAMPLES: Final = 4
#: What an address may call a table or a person.
ANY_CODE: Final = re.compile(r"[-a-zA-Z0-9_]+")
#: What an address may call a game.
ANY_GAME: Final = range(1, 10**GAME_DIGITS)
#: Nothing here would unpack it.
AS_IT_IS: Final = {"Accept-Encoding": "identity"}
ROLES: Final = ("nobody", "reader", "player")


@dataclass
class World:
    """Games in which somebody plays, with what programs need to find them."""

    games: list[int]
    tables: list[str]
    people: list[str]
    headers: dict[str, dict[str, str]]
    asked: Counter[str] = field(default_factory=Counter)
    answered: Counter[int] = field(default_factory=Counter)
    turns: Iterator[int] = field(default_factory=count)

    def find(self, case: schemathesis.Case) -> None:
        """Let every other request that names something name what is there, and move on the version that is."""
        turn = next(self.turns)
        if isinstance(case.body, dict) and case.path.endswith(SPEAKER_NAMED) and _is_name(case.body.get("name")):
            # An account goes by its own name: which of us asks, the document does not know.
            del case.body["name"]
        if turn % 4 == 0:
            return
        game, code = (case.path_parameters.get(name) for name in ("game_id", "code"))
        # What the document does not allow stays.
        if type(game) is int and game in ANY_GAME:
            case.path_parameters["game_id"] = self.games[turn % len(self.games)]
            if turn % 3 and isinstance(case.body, dict) and isinstance(case.body.get("version"), int):
                case.body["version"] = Game.objects.get(pk=case.path_parameters["game_id"]).version
        if isinstance(code, str) and ANY_CODE.fullmatch(code):
            codes = self.people if "/players/" in case.path else self.tables
            case.path_parameters["code"] = codes[turn % len(codes)]


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_TYPED and "\0" not in value


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """Each request would close the connection to the database, and this test's transaction with it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def world(alice: User, bob: User, charlie: User, settings: LazySettings) -> World:
    for limit in ("READS", "MOVES", "OFFERS"):
        setattr(settings, f"API_{limit}_A_MINUTE", 1_000_000)
    people = [alice, bob, charlie]
    games = [new_game("standard points_to_win=8", seed=name, users=people) for name in ("begun", "going on", "over")]
    play_on(games[1].pk, Random(1), 60)
    play_on(games[2].pk, Random(1), 10_000)
    kept = {scope: tokens.make(alice, scope, scope, now=timezone.now())[1] for scope in Token.Scope.values}
    bearer = {scope: {"Authorization": f"Bearer {text}"} for scope, text in kept.items()}
    headers = {"nobody": {}, "reader": bearer["read"], "player": bearer["play"]}
    tables = [open_table(host, *others) for host, *others in ([alice, bob], [bob], [bob, alice])]
    return World(
        [game.pk for game in games],
        [table.code for table in tables],
        [person.code for person in people],
        {role: AS_IT_IS | own for role, own in headers.items()},
    )


def open_table(host: User, *others: User) -> Table:
    company = Company("public", bots_allowed=True)
    rules = RuleSet()
    table = lobby.open_table(
        host, host.username, rules, "balanced", None, company=company, board_seen=True, now=timezone.now()
    )
    for person in others:
        lobby.sit_down(table.code, person, person.username)
    return table


def served() -> schemathesis.BaseSchema:
    """The document as it is served, of the whole site in this process, with all of its middleware."""
    accepted = {"positive_data_acceptance": {"expected-statuses": ["2xx", "400", "401", "403", "404", "409"]}}
    typed = [{"include-operation-id": name, "checks": accepted} for name in TYPED]
    config = schemathesis.Config.from_dict({"operations": typed})
    return schemathesis.openapi.from_wsgi("/api/v1/schema/", WSGIHandler(), config=config).exclude(operation_id=ENDLESS)


def ask_everything(world: World, *, examples: int, at_the_edges: bool) -> Iterator[str]:
    """So many requests to each address as the document allows them and as it does not; what is wrong with answers."""
    for role, found in product(ROLES, served().get_all_operations()):
        yield from _complaints(world, role, found.ok(), examples, at_the_edges=at_the_edges)


def _complaints(
    world: World,
    role: str,
    operation: Any,
    examples: int,
    *,
    at_the_edges: bool,
) -> Iterator[str]:
    def ask(case: schemathesis.Case) -> None:
        """Nothing of it stays: the next one finds all as it was."""
        world.find(case)
        snapshots._kept.clear()
        with transaction.atomic():
            answer = case.call(headers=world.headers[role])
            world.asked[operation.label] += 1
            world.answered[answer.status_code] += 1
            case.validate_response(answer, headers=world.headers[role])
            transaction.set_rollback(True)

    sent = st.one_of([operation.as_strategy(generation_mode=mode) for mode in GenerationMode])
    ways = [(sent, examples), *((written, 1) for written in operation.get_strategies_from_examples())]
    for strategy, most in ways:
        try:
            hypothesis.settings(RULES, max_examples=most)(hypothesis.given(case=strategy)(ask))()
        except (Exception, BaseExceptionGroup) as failure:
            yield f"{operation.label} as {role}: {failure}"
    for case in _edges(operation) if at_the_edges else ():
        try:
            ask(case)
        except (Exception, BaseExceptionGroup) as failure:
            yield f"{operation.label} as {role}, at the edges: {failure}"


def _edges(operation: Any) -> Iterator[schemathesis.Case]:
    """With the least, the greatest and the longest of everything, and what lies just beyond."""
    rules = operation.schema.config.generation_for(operation=operation, phase="coverage")
    return operation.schema.iter_coverage_cases(operation, generation_modes=[*GenerationMode], generation_config=rules)


RULES: Final = hypothesis.settings(
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,),
)


@pytest.mark.slow
def test_every_answer_is_as_the_document_says(world: World, record_property: Callable[[str, object], None]) -> None:
    complaints = [*ask_everything(world, examples=EXAMPLES, at_the_edges=False)]
    assert not complaints, "\n".join(complaints)
    _require_variety(world, 600)
    record_property("asked", world.asked.total())


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_thousands_of_answers_are_as_the_document_says(
    world: World, record_property: Callable[[str, object], None]
) -> None:
    complaints = [*ask_everything(world, examples=100, at_the_edges=True)]
    assert not complaints, "\n".join(complaints)
    _require_variety(world, 5_000)
    record_property("asked", world.asked.total())


def _require_variety(world: World, least: int) -> None:
    """So many that were asked for things that are there, and were answered in many ways."""
    assert world.asked.total() >= least
    assert {200, 201, 400, 401, 403, 404, 409} <= world.answered.keys()
    assert world.answered[200] > least / 10
