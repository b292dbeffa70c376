"""One word for one thing: what people read is spelt as the rules spell it."""

from __future__ import annotations

import pytest

from games.rules import boards
from tests.sites import ROOT

SOURCES = [
    path
    for folder in ("catan_site", "games", "lobby", "static", "templates")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".html", ".svg", ".txt", ".js")
]


def test_there_is_something_to_read() -> None:
    assert {"words_places.py", "choices.py", "_board.svg", "front.html"} <= {path.name for path in SOURCES}
    assert any("harbor" in name for name in dir(boards))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_harbor_is_spelt_as_in_the_rules(path: object) -> None:
    assert "harbour" not in path.read_text().lower()  # type: ignore[attr-defined]
