"""The document itself: made of the code, and as it lies in the repository."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

#: Written by `make types`; `make check` sees to it that it is what the code says.
FILE: Final = Path(__file__).resolve().parent.parent.parent / "docs" / "openapi.json"


class Undescribed(Exception):
    """Something about the API that the document could not say."""


def made() -> str:
    """The document as the code has it; refuses to leave anything to guesses."""
    GENERATOR_STATS.reset()
    document = SchemaGenerator(api_version="v1").get_schema(request=None, public=True)
    if GENERATOR_STATS:
        raise Undescribed(
            "\n".join(str(told) for told in (*GENERATOR_STATS._warn_cache, *GENERATOR_STATS._error_cache))
        )
    validate_schema(document)
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


@cache
def written() -> str:
    """The document as it is served."""
    return FILE.read_text()


@cache
def parsed() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(written())
    return document
