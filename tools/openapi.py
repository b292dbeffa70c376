"""Writes the document that describes the API, from its code: `make types`."""

from __future__ import annotations

import argparse
import os
import sys

import django


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the document that describes the API.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the file is out of date")
    is_check = parser.parse_args().check
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catan_site.settings")
    django.setup()
    # It reads the code of the API, which needs the settings.
    from api.schema import document

    try:
        text = document.made()
    except document.Undescribed as gap:
        sys.exit(str(gap))
    if is_check:
        sys.exit(complaint(text) or None)
    document.FILE.write_text(text)


def complaint(text: str) -> str:
    """What is wrong with the file, if it should hold this text."""
    from api.schema import document

    if document.FILE.exists() and document.FILE.read_text() == text:
        return ""
    return "docs/openapi.json is not what the code of the API says. Run `make types`."


if __name__ == "__main__":
    main()
