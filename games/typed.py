"""What typed dictionaries and dataclasses say about themselves, for whoever writes them down in another language.

The page's scripts read them as TypeScript (`tools/page_types.py`), programs as JSON Schema (`api/schema/types.py`).
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any, Final, NotRequired, Required, get_args, get_origin

from typing_extensions import get_type_hints, is_typeddict

LISTS: Final = (list, Sequence)
RECORDS: Final = (dict, Mapping)
#: What aliases in quotes speak of (`games.rules.written.Json`) is looked up where they are used.
_ALIASED: Final = {"Mapping": Mapping, "Sequence": Sequence}


def has_fields(hint: Any) -> bool:
    return is_typeddict(hint) or (is_dataclass(hint) and isinstance(hint, type))


def hints(shape: type) -> dict[str, Any]:
    return get_type_hints(shape, localns=_ALIASED, include_extras=True)


def is_optional(shape: Any, key: str, hint: Any) -> bool:
    """Whether a field may be left out."""
    origin = get_origin(hint)
    # Under postponed annotations, __optional_keys__ knows of `total=False` and not of NotRequired.
    return origin is NotRequired or (origin is not Required and key in getattr(shape, "__optional_keys__", ()))


def collect(hint: Any, found: dict[str, type]) -> None:
    """By name, what has fields among these types and all that they are made of."""
    if not has_fields(hint):
        for part in get_args(hint):
            collect(part, found)
        return
    if hint.__name__ not in found:
        found[hint.__name__] = hint
        for field in hints(hint).values():
            collect(field, found)
    elif found[hint.__name__] is not hint:
        raise TypeError(f"Two types are called {hint.__name__}: whoever reads them could not tell them apart.")


def docstring(shape: type) -> str:
    # A TypedDict without one has that of dict, a dataclass one that repeats its fields.
    text = shape.__dict__.get("__doc__") or ""
    return "" if text.startswith(f"{shape.__name__}(") else inspect.cleandoc(text)


def field_comments(shape: type) -> dict[str, str]:
    """The ``#:`` comments above fields, also above those of the classes that this one extends."""
    try:
        source = textwrap.dedent(inspect.getsource(shape))
    except (OSError, TypeError):
        return {}
    comments: dict[str, str] = {}
    for base in _bases(shape, source):
        comments |= field_comments(base)
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
    return (scope[name] for name in names if has_fields(scope.get(name)))
