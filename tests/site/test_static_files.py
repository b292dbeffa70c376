"""What a server hands out for a year must have a name that changes with its content."""

from __future__ import annotations

import re
from pathlib import Path

from tests.sites import manage

SERVER = {
    "DEBUG": "0",
    "SECRET_KEY": "a long random text that is ours alone, or long enough",
    "ALLOWED_HOSTS": "catan.example",
    "CSRF_TRUSTED_ORIGINS": "https://catan.example",
    "DATABASE_URL": "postgresql://catan:secret@127.0.0.1:5432/catan",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
}


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
