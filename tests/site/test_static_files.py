"""What a server hands out for a year must have a name that changes with its content."""

from __future__ import annotations

import gzip
import re
import urllib.request
from pathlib import Path

import pytest

from tests.sites import ROOT, embedded, manage

SERVER = {
    "DEBUG": "0",
    "SECRET_KEY": "a long random text that is ours alone, and long enough",
    "ALLOWED_HOSTS": "catan.example",
    "CSRF_TRUSTED_ORIGINS": "https://catan.example",
    "DATABASE_URL": "postgresql://catan:secret@127.0.0.1:5432/catan",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
    "EMAIL_URL": "smtp://127.0.0.1",
    "EMAIL_FROM": "catan@catan.example",
}


@pytest.mark.slow
def test_modules_import_each_other_by_names_that_change_with_their_content(tmp_path: Path) -> None:
    collected = manage("collectstatic", "--no-input", DATA_DIR=str(tmp_path), **SERVER)
    assert collected.returncode == 0, collected.stderr
    modules = [file for folder in ("games", "lobby", "site") for file in (tmp_path / "static" / folder).glob("*.*.js")]
    imported = [
        (module.parent / name).resolve()
        for module in modules
        for name in re.findall(r'^import .* from "(.*)";$', module.read_text(), re.MULTILINE)
    ]
    assert len(imported) > 20
    assert all(re.search(r"\.[0-9a-f]{12}\.js$", file.name) and file.exists() for file in imported)


@pytest.mark.slow
def test_on_ones_own_machine_files_arrive_compressed_and_whole(tmp_path: Path) -> None:
    with embedded(tmp_path) as site:
        for name in ("site/site.css", "games/game.js", "site/icons.svg"):
            request = urllib.request.Request(f"{site.address}/static/{name}", headers={"Accept-Encoding": "gzip"})
            with urllib.request.urlopen(request, timeout=30) as answer:
                body = answer.read()
            assert answer.headers["Content-Encoding"] == "gzip"
            assert gzip.decompress(body) == (ROOT / "static" / name).read_bytes()
        with urllib.request.urlopen(f"{site.address}/static/site/site.css", timeout=30) as answer:
            assert answer.headers["Content-Encoding"] is None
            assert answer.read() == (ROOT / "static/site/site.css").read_bytes()
