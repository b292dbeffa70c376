"""The tables in README.md are true: they name every test here, only tests that there are, and what the presets have."""

import ast
import re
from pathlib import Path

import pytest

from games.rules import PRESETS
from games.rules.ruleset import OPTIONS

HERE = Path(__file__).parent
#: The bullets of each document, and the sentences of rules that stand outside of a bullet.
ROWS = {"000": 223, "001": 164, "002": 30, "003": 45, "004": 175}
CHAPTER = re.compile(r"^## (\d{3}): .*\n\nPreset `([\w-]+)`, tests in `([\w*.]+)`", re.MULTILINE)
#: Values of an option as the table of contradictions writes them: `own_turn`: `standard`, `excellent`.
VALUE = re.compile(r"`(\w+)`: ((?:`[\w-]+`(?:, )?)+)")


def parts():
    """The text between two headings of the second order, by its heading."""
    text = (HERE / "README.md").read_text()
    return re.split(r"(?=^## )", text, flags=re.MULTILINE)[1:]


def rows_of(text):
    """The rows of a table: its cells, without the two lines of its head."""
    lines = [line for line in text.splitlines() if line.startswith("| ")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def chapters():
    """Each document's number, preset, test files and rows of four cells."""
    for part in parts():
        if chapter := CHAPTER.match(part):
            number, preset, files = chapter.groups()
            yield pytest.param(preset, files, rows_of(part), ROWS[number], id=number)


def contradictions():
    """The three tables of contradictions: by an option, alike for all, within one document."""
    part = next(part for part in parts() if not CHAPTER.match(part))
    return [rows_of(table) for table in part.split("\n### ")[1:]]


def names_in(path):
    return [node.name for node in ast.parse(path.read_text()).body if getattr(node, "name", "").startswith("test_")]


CHAPTERS = list(chapters())
BY_OPTION, ALIKE, WITHIN = contradictions()
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


# Contradictions between the documents


def in_readme(value):
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def test_every_option_in_which_the_presets_differ_settles_a_contradiction():
    differing = {
        option.name for option in OPTIONS if len({getattr(rules, option.name) for rules in PRESETS.values()}) > 1
    }
    assert sorted(option.strip("`") for _, _, option, _ in BY_OPTION) == sorted(differing)


@pytest.mark.parametrize("row", BY_OPTION, ids=lambda row: row[2].strip("`"))
def test_the_presets_have_the_values_that_settle_a_contradiction(row):
    _, _, option, values = row
    told = {}
    for value, presets in VALUE.findall(values):
        told |= dict.fromkeys(re.findall(r"`([\w-]+)`", presets), value)
    assert told == {name: in_readme(getattr(rules, option.strip("`"))) for name, rules in PRESETS.items()}


@pytest.mark.parametrize("row", [*BY_OPTION, *ALIKE, *WITHIN], ids=lambda row: row[0])
def test_a_contradiction_cites_lines_that_have_a_row(row):
    lines = {f"{chapter.id}:{line}" for chapter in CHAPTERS for line, *_ in chapter.values[2]}
    cited = set(re.findall(r"\b\d{3}:\d+", " ".join(row)))
    assert cited
    assert cited <= lines


@pytest.mark.parametrize("row", BY_OPTION + ALIKE, ids=lambda row: row[0])
def test_a_contradiction_between_documents_cites_two_of_them(row):
    assert len(set(re.findall(r"\b(\d{3}):\d+", row[1]))) > 1


@pytest.mark.parametrize("row", ALIKE + WITHIN, ids=lambda row: row[0])
def test_a_reading_for_all_is_held_by_tests_that_there_are(row):
    there_are = {name for path in HERE.glob("test_*.py") for name in names_in(path)}
    named = set(re.findall(r"`(test_\w+)`", row[3]))
    assert named
    assert named <= there_are
