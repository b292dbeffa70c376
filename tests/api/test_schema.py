"""The document that describes the API says what the API does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from api import answers, problems, stream
from api.schema import codes, document, events, moves, orders
from catan_site import busy
from games import words
from games.models import Game
from games.orders import MalformedOrder
from games.orders import from_json as read_order
from games.rules import MalformedMove, Refusal
from games.rules.moves import KINDS, from_json
from tests.games.playing import new_game, play_on
from tools import openapi


def described() -> dict[str, Any]:
    return document.parsed()


def valid(name: str, value: object) -> bool:
    """Whether a value is what a component of the document says."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": described()["components"]}
    return Draft202012Validator(schema).is_valid(json.loads(json.dumps(value)))


# The file


@pytest.mark.slow
def test_the_file_is_what_the_code_says() -> None:
    assert openapi.complaint(document.made()) == ""


def test_a_file_that_is_out_of_date_is_complained_of() -> None:
    assert openapi.complaint(document.written()) == ""
    assert "make types" in openapi.complaint(document.written().replace("Online Catan", "Settlers"))


def test_the_document_is_for_everybody_and_may_be_kept(client: Client, db: None) -> None:
    answer = client.get("/api/v1/schema/")
    assert answer.json()["openapi"] == "3.1.0"
    assert "public" in answer["Cache-Control"]
    again = client.get("/api/v1/schema/", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


# Moves and orders


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_of_every_move_is_a_move(kind: str) -> None:
    example = moves.EXAMPLES[kind]
    assert from_json(example | {"seat": 0}).kind == kind
    assert valid("Move", example)


@pytest.mark.parametrize("kind", orders.EXAMPLES)
def test_the_example_of_every_order_is_an_order(kind: str) -> None:
    example = orders.EXAMPLES[kind]
    assert read_order(example).kind == kind
    assert valid("Order", example)


def _variants(example: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same with other numbers and names, many of which mean nothing."""
    for name in example.keys() - {"kind"}:
        yield {other: value for other, value in example.items() if other != name}
        others: list[Any] = [-1, 0, 1, 3, 4, 18, 19, 20, 53, 54, 71, 72, 500, 501, 999_999, 1_000_000, "wool", "knight"]
        others += ["all", "others", "gold", None, True, [], [0], [1, 0], [0, 0], [0, 1, 2, 3], ["ore"], ["ore", "ore"]]
        others += [{}, {"wool": 0}, {"wool": 500}, {"wool": 501}, {"wool": -1}, {"knight": 1}, {"gold": 1}]
        for other in others:
            yield example | {name: other}
    yield example | {"more": 1}


@pytest.mark.parametrize("kind", KINDS)
def test_a_move_is_described_as_it_is_read(kind: str) -> None:
    for variant in _variants(moves.EXAMPLES[kind]):
        try:
            from_json(variant | {"seat": 0})
            is_read = True
        except MalformedMove:
            is_read = False
        assert valid("Move", variant) == is_read, variant


@pytest.mark.parametrize("kind", orders.EXAMPLES)
def test_an_order_is_described_as_it_is_read(kind: str) -> None:
    for variant in _variants(orders.EXAMPLES[kind]):
        try:
            read_order(variant)
            is_read = True
        except MalformedOrder:
            is_read = False
        assert valid("Order", variant) == is_read, variant


# What happened


def test_every_kind_of_event_is_described() -> None:
    assert events.KINDS.keys() == words._SENTENCES.keys()


@pytest.mark.slow
@pytest.mark.django_db
def test_the_answers_of_a_whole_game_are_as_described(client: Client) -> None:
    game = new_game("standard points_to_win=8", seed="described")
    play_on(game.pk, Random(2), 10_000)
    assert Game.objects.get(pk=game.pk).status == Game.Status.OVER
    told: dict[str, Any] = {"version": 0, "moves": []}
    found: set[str] = set()
    while not told["moves"] or told["moves"][-1]["version"] < told["version"]:
        after = told["moves"][-1]["version"] if told["moves"] else 0
        told = client.get(f"/api/v1/games/{game.pk}/moves/", {"after": after}).json()
        assert valid(answers.MovesAnswer.__name__, told)
        found |= {event["kind"] for move in told["moves"] for event in move["events"]}
    assert len(found) > 15
    assert valid("Page", client.get(f"/api/v1/games/{game.pk}/").json())
    assert valid("WrittenRecord", client.get(f"/api/v1/games/{game.pk}/record/").json())


# What is refused


def _refusals(kind: type[Refusal] = Refusal) -> Iterator[type[Refusal]]:
    for each in kind.__subclasses__():
        yield each
        yield from _refusals(each)


def test_every_code_that_the_api_may_say_is_explained() -> None:
    said = {each.code for each in _refusals() if each.__module__.split(".")[0] in ("games", "lobby", "api")}
    said |= {Refusal.code, *problems._SENTENCES}
    assert said - codes.NOT_HERE - codes.CODES.keys() == set()
    assert not codes.NOT_HERE & codes.CODES.keys()


def test_every_code_has_a_place_in_the_documentation(client: Client, db: None) -> None:
    """Where the type of a problem leads, whoever has made it: a stream and a busy site too."""
    said = {end.code for end in stream.ENDS.values()} | {busy.CODE, "not_utf8", "too_long", *codes.CODES}
    anchors = set(re.findall(r'id="problem-(\w+)"', client.get("/api/docs/").content.decode()))
    assert said - anchors == set()


def test_a_problem_has_one_of_the_explained_codes() -> None:
    assert set(described()["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]) == codes.CODES.keys()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/games/1/", "/api/v1/nothing/", "/api/v1/games/?limit=x&page_size=0"])
def test_a_problem_is_as_described(client: Client, path: str) -> None:
    assert valid("Problem", client.get(path).json())


def test_whatever_changes_something_needs_a_token_that_may_play() -> None:
    for path, methods in described()["paths"].items():
        for method, operation in methods.items():
            if method != "get":
                assert operation["security"] == [{"token": ["play"]}, {"session": []}], path
                assert {"401", "403", "409", "429", "503"} <= operation["responses"].keys(), path
            for status, answer in operation["responses"].items():
                assert "$ref" in answer or answer["description"], (path, status)
