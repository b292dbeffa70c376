"""Writes the types of what the scripts are sent, from the Python ones: `make types`.

What the browser is sent is JSON, so a moment is a string there, and a tuple a list. A type that JSON cannot hold is
refused here rather than met in a browser.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterable
from datetime import datetime
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Required, Union, get_args, get_origin

import django
from django.utils.module_loading import import_string
from typing_extensions import ReadOnly

from games.typed import LISTS, RECORDS, collect, docstring, field_comments, has_fields, hints, is_optional

#: What the scripts are sent; whatever it is made of comes along. No module may have the name of such a file.
FILES = {
    "static/games/page.d.ts": ["games.page.Frame", "games.page.Phrases", "games.words_advice.Advice"],
    "static/lobby/chat_lines.d.ts": ["lobby.chat.ChatNews", "lobby.chat.Read"],
    "static/lobby/rematches.d.ts": ["lobby.selectors.Rematch"],
}
ROOT = Path(__file__).parent.parent

PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", datetime: "string"}


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the types of what the scripts are sent.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is out of date")
    is_check = parser.parse_args().check
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catan_site.settings")
    django.setup()
    texts = {ROOT / name: declarations(map(import_string, roots)) for name, roots in FILES.items()}
    if is_check:
        sys.exit("\n".join(filter(None, (complaint(file, text) for file, text in texts.items()))) or None)
    for file, text in texts.items():
        file.write_text(text)


def complaint(file: Path, text: str) -> str:
    """What is wrong with a file that should hold this text."""
    if file.exists() and file.read_text() == text:
        return ""
    return f"{file.name} is not what the Python types say. Run `make types`."


def declarations(roots: Iterable[type]) -> str:
    """A TypeScript declaration of each of these TypedDicts and dataclasses, and of those they are made of."""
    found: dict[str, type] = {}
    for root in roots:
        collect(root, found)
    written = "\n\n".join(_declaration(each) for each in found.values())
    return f"// Written by `make types` from the Python types. Change those.\n\n{written}\n"


def _declaration(shape: type) -> str:
    name, fields = shape.__name__, hints(shape)
    head = _comment(docstring(shape), "")
    if not fields:
        # An empty interface would let anything in.
        return f"{head}export type {name} = Record<string, never>;"
    comments = field_comments(shape)
    lines = [f"{_comment(comments.get(key, ''), '  ')}  {_field(shape, key, hint)};\n" for key, hint in fields.items()]
    return f"{head}export interface {name} {{\n{''.join(lines)}}}"


def _field(shape: Any, key: str, hint: Any) -> str:
    shown = key if re.fullmatch(r"[A-Za-z_$][\w$]*", key) else json.dumps(key)
    return f"{shown}{'?' if is_optional(shape, key, hint) else ''}: {typescript(hint)}"


def typescript(hint: Any) -> str:
    """A Python type as TypeScript has it, after a journey through JSON."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return PLAIN[hint]
    if has_fields(hint):
        return str(hint.__name__)
    if hint in (Any, object):
        return "unknown"
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _one_of(json.dumps(member.value) for member in hint)
    if origin is Literal:
        return _one_of(json.dumps(value) for value in parts)
    if origin in (Union, UnionType):
        return _one_of(typescript(part) for part in parts)
    if origin in (Required, NotRequired, ReadOnly):
        return typescript(parts[0])
    if origin in LISTS or (origin is tuple and parts[1:] == (...,)):
        return _list_of(typescript(parts[0]))
    if origin is tuple:
        return f"[{', '.join(typescript(part) for part in parts)}]"
    if origin in RECORDS:
        return f"Record<{typescript(parts[0])}, {typescript(parts[1])}>"
    raise TypeError(f"{hint} has no form in a page: JSON does not know it.")


def _one_of(types: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(types))


def _list_of(item: str) -> str:
    return f"({item})[]" if " | " in item else f"{item}[]"


def _comment(text: str, indent: str) -> str:
    if not text:
        return ""
    lines = text.replace("*/", "* /").splitlines()
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return "".join(
        [f"{indent}/**\n", *(f"{indent} * {line}".rstrip() + "\n" for line in lines), f"{indent} */\n"],
    )


if __name__ == "__main__":
    main()
