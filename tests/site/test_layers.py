"""What import-linter cannot see: names in templates and scripts, and who looks at the clock."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import get_template

import games
import lobby
from api import urls_programs
from lobby import urls
from moderation import urls as moderation_urls

ROOT = Path(settings.BASE_DIR)
GAMES = Path(games.__file__).parent
LOBBY = Path(lobby.__file__).parent
#: Those that turn what happens into calls: they say when it happened.
EDGES = {"views.py", "api", "consumers.py", "tasks.py", "management", "migrations"}
NOW = {"now", "utcnow", "today", "localtime", "localdate"}


def files_of_games() -> list[Path]:
    folders = (ROOT / "templates" / "games", ROOT / "static" / "games", GAMES)
    found = (path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file())
    return [path for path in found if path.suffix != ".pyc"]


def below_the_edges() -> list[Path]:
    return [path for path in sorted(GAMES.rglob("*.py")) if path.relative_to(GAMES).parts[0] not in EDGES]


def test_there_is_something_to_look_at() -> None:
    assert {path.suffix for path in files_of_games()} >= {".html", ".svg", ".js", ".css", ".py"}
    assert {"playing.py", "clocks.py", "selectors.py"} <= {path.name for path in below_the_edges()}


@pytest.mark.parametrize("path", files_of_games(), ids=lambda path: str(path.relative_to(ROOT)))
def test_games_name_nothing_of_the_lobby(path: Path) -> None:
    text = path.read_text()
    assert "lobby" not in text
    used = re.findall(r"""(?:{% url |redirect\(|reverse\()['"]([\w-]+)""", text)
    assert not {pattern.name for pattern in urls.urlpatterns}.intersection(used)


def files_of_the_lobby() -> list[Path]:
    places = (
        LOBBY,
        ROOT / "static" / "lobby",
        *(ROOT / "templates" / name for name in ("lobby", "account", "notices")),
    )
    found = (path for folder in places for path in sorted(folder.rglob("*")) if path.is_file())
    return [path for path in found if path.suffix in (".py", ".html", ".js", ".css", ".svg", ".txt")]


@pytest.mark.parametrize("path", files_of_the_lobby(), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_lobby_names_nothing_of_what_stands_above_it(path: Path) -> None:
    """What moderation and the API add to its pages is named by the settings, and hears of people by signals."""
    text = path.read_text()
    assert "moderation" not in text
    used = re.findall(r"""(?:{% url |redirect\(|reverse\()['"]([\w-]+)""", text)
    above = [*moderation_urls.urlpatterns, *urls_programs.urlpatterns]
    assert not {pattern.name for pattern in above}.intersection(used)


def test_the_page_of_a_game_is_whole_without_the_lobby() -> None:
    """Its template draws by itself; whatever stands beside it comes by a setting."""
    assert get_template("games/game.html")
    assert settings.GAME_TEMPLATE != "games/game.html"
    assert '{% extends "games/game.html" %}' in (ROOT / "templates" / settings.GAME_TEMPLATE).read_text()


def looks_at_the_clock(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and node.attr in NOW and isinstance(node.value, ast.Name):
            if node.value.id in ("timezone", "datetime", "date"):
                yield f"{node.value.id}.{node.attr} in line {node.lineno}"
        elif isinstance(node, ast.keyword) and node.arg in ("auto_now", "auto_now_add"):
            yield f"{node.arg} in line {node.value.lineno}"
        elif isinstance(node, ast.ImportFrom) and node.module == "django.utils.timezone":
            yield f"{node.module} in line {node.lineno}"
        elif isinstance(node, ast.Name | ast.alias) and getattr(node, "id", getattr(node, "name", "")) == "time":
            yield "the time module"


@pytest.mark.parametrize("path", below_the_edges(), ids=lambda path: str(path.relative_to(ROOT)))
def test_services_and_what_is_below_them_are_told_the_time(path: Path) -> None:
    assert list(looks_at_the_clock(path)) == []
