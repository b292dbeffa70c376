"""Writes the types of what the scripts are sent, from the Python ones: `make types`.

What the browser is sent is JSON, so a moment is a string there, and a tuple a list. A type that JSON cannot hold is
refused here rather than met in a browser.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import os
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Required, Union, get_args, get_origin

import django
from django.utils.module_loading import import_string
from typing_extensions import ReadOnly, get_type_hints, is_typeddict

#: What the scripts are sent; whatever it is made of comes along. No module may have the name of such a file.
FILES = {
    "static/games/page.d.ts": ["games.page.Frame", "games.page.Phrases"],
    "static/lobby/chat_lines.d.ts": ["lobby.chat.ChatNews", "lobby.chat.Read"],
    "static/lobby/rematches.d.ts": ["lobby.selectors.Rematch"],
}
ROOT = Path(__file__).parent.parent

PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", datetime: "string"}
LISTS = (list, Sequence)
RECORDS = (dict, Mapping)


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
        _collect(root, found)
    written = "\n\n".join(_declaration(each) for each in found.values())
    return f"// Written by `make types` from the Python types. Change those.\n\n{written}\n"


def _collect(hint: Any, found: dict[str, type]) -> None:
    if not _has_fields(hint):
        for part in get_args(hint):
            _collect(part, found)
        return
    if hint.__name__ not in found:
        found[hint.__name__] = hint
        for field in _hints(hint).values():
            _collect(field, found)
    elif found[hint.__name__] is not hint:
        raise TypeError(f"Two types are called {hint.__name__}: the scripts could not tell them apart.")


def _has_fields(hint: Any) -> bool:
    return is_typeddict(hint) or is_dataclass(hint)


def _hints(shape: type) -> dict[str, Any]:
    return get_type_hints(shape, include_extras=True)


def _declaration(shape: type) -> str:
    name, hints = shape.__name__, _hints(shape)
    head = _comment(_docstring(shape), "")
    if not hints:
        # An empty interface would let anything in.
        return f"{head}export type {name} = Record<string, never>;"
    comments = _field_comments(shape)
    fields = [f"{_comment(comments.get(key, ''), '  ')}  {_field(shape, key, hint)};\n" for key, hint in hints.items()]
    return f"{head}export interface {name} {{\n{''.join(fields)}}}"


def _field(shape: Any, key: str, hint: Any) -> str:
    origin = get_origin(hint)
    # Under postponed annotations, __optional_keys__ knows of `total=False` and not of NotRequired.
    is_optional = origin is NotRequired or (origin is not Required and key in getattr(shape, "__optional_keys__", ()))
    shown = key if re.fullmatch(r"[A-Za-z_$][\w$]*", key) else json.dumps(key)
    return f"{shown}{'?' if is_optional else ''}: {typescript(hint)}"


def typescript(hint: Any) -> str:
    """A Python type as TypeScript has it, after a journey through JSON."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return PLAIN[hint]
    if _has_fields(hint):
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


# What is said about a type


def _docstring(shape: type) -> str:
    # A TypedDict without one has that of dict, a dataclass one that repeats its fields.
    text = shape.__dict__.get("__doc__") or ""
    return "" if text.startswith(f"{shape.__name__}(") else inspect.cleandoc(text)


def _comment(text: str, indent: str) -> str:
    if not text:
        return ""
    lines = text.replace("*/", "* /").splitlines()
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return "".join(
        [f"{indent}/**\n", *(f"{indent} * {line}".rstrip() + "\n" for line in lines), f"{indent} */\n"],
    )


def _field_comments(shape: type) -> dict[str, str]:
    """The ``#:`` comments above fields, also above those of the classes that this one extends."""
    try:
        source = textwrap.dedent(inspect.getsource(shape))
    except (OSError, TypeError):
        return {}
    comments: dict[str, str] = {}
    for base in _bases(shape, source):
        comments |= _field_comments(base)
    above: list[str] = []
    for line in map(str.strip, source.splitlines()):
        if line.startswith("#:"):
            above.append(line.removeprefix("#:").strip())
            continue
        if above and (field := re.match(r"(\w+):", line)):
            comments[field[1]] = "\n".join(above)
        above = []
    return comments


def _bases(shape: type, source: str) -> Iterator[type]:
    # At run time, a TypedDict has forgotten which others it extends.
    definition = ast.parse(source).body[0]
    names = [ast.unparse(base) for base in definition.bases] if isinstance(definition, ast.ClassDef) else []
    scope = vars(sys.modules[shape.__module__])
    return (scope[name] for name in names if _has_fields(scope.get(name)))


if __name__ == "__main__":
    main()
