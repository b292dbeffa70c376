"""The types that the scripts are given say what the Python types say."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, Literal, NotRequired, Optional, Required, TypedDict

import pytest

from tools.page_types import complaint, declarations, typescript


class Terrain(Enum):
    HILLS = "hills"
    DESERT = "desert"


class Piece(TypedDict):
    """A piece on the board."""

    vertex: int


class Pieces(TypedDict):
    #: The newest is the last;
    #: on an empty board there is none.
    pieces: list[Piece]
    # Not for the scripts to read.
    owner: NotRequired[str]


class Board(Pieces, total=False):
    """The island.

    It has a coast.
    """

    robber: Required[int]
    desert: int


class Move(TypedDict):
    answers: list[Move]


class Empty(TypedDict):
    pass


@dataclass(frozen=True, slots=True)
class Chair:
    number: int
    #: Nobody, if it is free.
    sitter: str | None
    taken_at: datetime


Reserved = TypedDict("Reserved", {"from": int, "to-day": int})


@pytest.mark.parametrize(
    ("hint", "written"),
    [
        (str, "string"),
        (int, "number"),
        (float, "number"),
        (bool, "boolean"),
        (Any, "unknown"),
        (datetime, "string"),
        (int | None, "number | null"),
        (Optional[Literal["red", "blue"]], '"red" | "blue" | null'),  # noqa: UP045
        (int | float, "number"),
        (Terrain, '"hills" | "desert"'),
        (list[int], "number[]"),
        (Sequence[int | None], "(number | null)[]"),
        (tuple[str, ...], "string[]"),
        (tuple[int, str], "[number, string]"),
        (dict[str, int], "Record<string, number>"),
        (Mapping[Literal["wool", "ore"], list[Piece]], 'Record<"wool" | "ore", Piece[]>'),
    ],
)
def test_a_type_is_written_as_json_brings_it(hint: Any, written: str) -> None:
    assert typescript(hint) == written


@pytest.mark.parametrize("hint", [set[int], bytes, complex, type[int]])
def test_what_json_cannot_hold_is_refused(hint: Any) -> None:
    with pytest.raises(TypeError, match="has no form in a page"):
        typescript(hint)


def test_a_type_brings_along_what_it_is_made_of_and_extends() -> None:
    assert declarations([Board]).split("\n\n", 1)[1] == (
        "/**\n"
        " * The island.\n"
        " *\n"
        " * It has a coast.\n"
        " */\n"
        "export interface Board {\n"
        "  /**\n"
        "   * The newest is the last;\n"
        "   * on an empty board there is none.\n"
        "   */\n"
        "  pieces: Piece[];\n"
        "  owner?: string;\n"
        "  robber: number;\n"
        "  desert?: number;\n"
        "}\n"
        "\n"
        "/** A piece on the board. */\n"
        "export interface Piece {\n"
        "  vertex: number;\n"
        "}\n"
    )


def test_a_dataclass_is_written_too() -> None:
    assert declarations([Chair]).split("\n\n", 1)[1] == (
        "export interface Chair {\n"
        "  number: number;\n"
        "  /** Nobody, if it is free. */\n"
        "  sitter: string | null;\n"
        "  taken_at: string;\n"
        "}\n"
    )


def test_a_type_may_hold_itself() -> None:
    assert "answers: Move[];" in declarations([Move])


def test_a_type_without_fields_lets_nothing_in() -> None:
    assert "export type Empty = Record<string, never>;" in declarations([Empty])


def test_a_name_that_is_none_in_python_is_written_all_the_same() -> None:
    assert 'from: number;\n  "to-day": number;' in declarations([Reserved])


def test_two_types_of_one_name_are_refused() -> None:
    other = TypedDict("Piece", {"edge": int})  # type: ignore[misc]  # noqa: UP013
    with pytest.raises(TypeError, match="Two types are called Piece"):
        declarations([Piece, other])


def test_a_file_that_says_something_else_is_complained_about(tmp_path: Path) -> None:
    file = tmp_path / "page.d.ts"
    assert "make types" in complaint(file, "new")
    file.write_text("old")
    assert "make types" in complaint(file, "new")
    file.write_text("new")
    assert complaint(file, "new") == ""


def test_the_lock_of_the_checkers_names_no_registry() -> None:
    """Each machine asks its own; an address in the lock would be asked instead."""
    lock = json.loads((Path(__file__).parents[2] / "package-lock.json").read_text())
    assert len(lock["packages"]) > 50
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]
