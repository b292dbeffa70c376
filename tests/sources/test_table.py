"""The table in README.md is true: it names every test here, and only tests that there are."""

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
#: The bullets of each document, and the sentences of rules that stand outside of a bullet.
ROWS = {"000": 223, "001": 164, "002": 30, "003": 45, "004": 175}
CHAPTER = re.compile(r"^## (\d{3}): .*\n\nPreset `([\w-]+)`, tests in `([\w*.]+)`", re.MULTILINE)


def chapters():
    """Each document's number, preset, test files and rows of four cells."""
    text = (HERE / "README.md").read_text()
    for part in re.split(r"(?=^## )", text, flags=re.MULTILINE)[1:]:
        number, preset, files = CHAPTER.match(part).groups()
        lines = [line for line in part.splitlines() if line.startswith("| ")][2:]
        yield pytest.param(preset, files, [row_of(line) for line in lines], ROWS[number], id=number)


def row_of(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def names_in(path):
    return [node.name for node in ast.parse(path.read_text()).body if getattr(node, "name", "").startswith("test_")]


CHAPTERS = list(chapters())
every_chapter = pytest.mark.parametrize(("preset", "files", "rows", "count"), CHAPTERS)


@every_chapter
def test_no_bullet_is_lost(preset, files, rows, count):
    lines = [line for line, *_ in rows]
    assert len(lines) == len(set(lines)) == count


@every_chapter
def test_a_row_names_tests_or_says_why_there_is_none(preset, files, rows, count):
    for line, section, words, tests in rows:
        assert section
        assert words or tests == "— heading"
        named = re.fullmatch(r"`test_\w+`(, `test_\w+`)*", tests)
        assert named or re.fullmatch(r"— \S.+", tests), f"line {line}"


@every_chapter
def test_every_test_is_in_the_table_and_every_name_is_a_test(preset, files, rows, count):
    there_are = [name for path in HERE.glob(files) for name in names_in(path)]
    named = {name for *_, tests in rows for name in re.findall(r"`(test_\w+)`", tests)}
    assert set(there_are) == named


@every_chapter
def test_the_tests_of_a_document_run_under_its_preset(preset, files, rows, count):
    for path in HERE.glob(files):
        assert f'"{preset}"' in path.read_text()


def test_every_document_and_every_file_has_its_chapter():
    assert [chapter.id for chapter in CHAPTERS] == list(ROWS)
    in_chapters = {path for chapter in CHAPTERS for path in HERE.glob(chapter.values[1])}
    assert in_chapters == set(HERE.glob("test_*.py")) - {Path(__file__)}
