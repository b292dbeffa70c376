"""The document as a page for people: what the templates of `/api/docs/` are given.

All of it comes from the document, so that the page cannot say anything else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from api.schema import codes, document
from api.schema.auto import NOT_KEPT

#: Enough to see what something is; the document has them all.
MOST_VALUES: Final = 12


@dataclass(frozen=True)
class Field:
    """Something that has a name and a type."""

    name: str
    type: SafeString
    what: str
    #: Whether it has to be there, or where it stands.
    note: str


@dataclass(frozen=True)
class Example:
    name: str
    body: str
    curl: str


@dataclass(frozen=True)
class Answer:
    status: str
    phrase: str
    what: str
    type: SafeString
    headers: str


@dataclass(frozen=True)
class Operation:
    id: str
    method: str
    path: str
    summary: str
    description: str
    access: str
    parameters: list[Field]
    body: SafeString
    fields: list[Field]
    examples: list[Example]
    answers: list[Answer]
    refusals: list[Answer]


@dataclass(frozen=True)
class Group:
    name: str
    description: str
    operations: list[Operation]

    @property
    def anchor(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Type:
    """A component of the document."""

    name: str
    what: str
    type: SafeString
    fields: list[Field]
    example: str


def context() -> dict[str, object]:
    told = document.parsed()
    return {
        "groups": [*_groups(told)],
        "types": [_type(name, schema) for name, schema in told["components"]["schemas"].items()],
        "codes": sorted(codes.CODES.items()),
    }


def _groups(told: Mapping[str, Any]) -> Iterator[Group]:
    operations = [
        (operation["tags"][0], _operation(told, path, method, operation))
        for path, methods in told["paths"].items()
        for method, operation in methods.items()
    ]
    for tag in told["tags"]:
        yield Group(tag["name"], tag["description"], [each for name, each in operations if name == tag["name"]])


def _operation(told: Mapping[str, Any], path: str, method: str, operation: Mapping[str, Any]) -> Operation:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    answers = [_answer(told, status, answer) for status, answer in operation["responses"].items()]
    return Operation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        description=operation.get("description", ""),
        access=_access(operation),
        parameters=[*map(_parameter, operation.get("parameters", []))],
        body=type_of(body.get("schema", {})) if body else SafeString(""),
        fields=_fields(_resolved(told, body.get("schema", {}))),
        examples=[*_examples(method, path, body)],
        answers=[answer for answer in answers if int(answer.status) < HTTPStatus.BAD_REQUEST],
        refusals=[answer for answer in answers if int(answer.status) >= HTTPStatus.BAD_REQUEST],
    )


def _access(operation: Mapping[str, Any]) -> str:
    ways = operation.get("security", [])
    if not ways or {} in ways:
        return "Needs no token."
    return f"Needs a token that may {operation['x-scope']}."


def _parameter(parameter: Mapping[str, Any]) -> Field:
    where = {"path": "in the address", "query": "in the query", "header": "a header"}[parameter["in"]]
    return Field(parameter["name"], type_of(parameter["schema"]), parameter.get("description", ""), where)


def _answer(told: Mapping[str, Any], status: str, answer: Mapping[str, Any]) -> Answer:
    answer = _resolved(told, answer)
    [schema] = [kind["schema"] for kind in answer.get("content", {}).values()] or [{}]
    headers = ", ".join(sorted(answer.get("headers", {}).keys() - NOT_KEPT.keys()))
    what = type_of(schema) if schema else SafeString("")
    return Answer(status, HTTPStatus(int(status)).phrase, answer["description"], what, headers)


def _examples(method: str, path: str, body: Mapping[str, Any]) -> Iterator[Example]:
    given = {name: example["value"] for name, example in body.get("examples", {}).items()}
    address = path.replace("{", "$").replace("}", "").upper().replace("/API/V1/", "/api/v1/")
    start = f'curl "$SITE{_as_shell(path, address)}" -H "Authorization: Bearer $TOKEN"'
    if not given:
        yield Example("", "", start if method == "get" else f"{start} -X {method.upper()}")
    for value in given.values():
        text = json.dumps(value, ensure_ascii=False)
        sent = f"{start} -X {method.upper()} \\\n  -H \"Content-Type: application/json\" \\\n  -d '{text}'"
        yield Example(_kind(value), json.dumps(value, indent=2, ensure_ascii=False), sent)


def _as_shell(path: str, address: str) -> str:
    """What an address names stands as a variable of the shell."""
    parts = zip(path.split("/"), address.split("/"), strict=True)
    return "/".join(shown if part.startswith("{") else part for part, shown in parts)


def _kind(value: Mapping[str, Any]) -> str:
    inner = next((part for part in value.values() if isinstance(part, dict) and "kind" in part), value)
    return str(inner.get("kind") or inner.get("wish") or "")


def _resolved(told: Mapping[str, Any], part: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a reference leads to."""
    if "$ref" not in part:
        return part
    _, _, kind, name = part["$ref"].split("/")
    found: Mapping[str, Any] = told["components"][kind][name]
    return found


# Types


def _type(name: str, schema: Mapping[str, Any]) -> Type:
    example = json.dumps(schema["examples"][0], ensure_ascii=False) if "examples" in schema else ""
    own = {key: value for key, value in schema.items() if key != "properties"}
    return Type(name, schema.get("description", ""), type_of(own), _fields(schema), example)


def _fields(schema: Mapping[str, Any]) -> list[Field]:
    required = schema.get("required", [])
    return [
        Field(name, type_of(inner), inner.get("description", ""), "" if name in required else "may be left out")
        for name, inner in schema.get("properties", {}).items()
    ]


def type_of(schema: Mapping[str, Any]) -> SafeString:
    """A type in words, with links to those that have a name."""
    match schema:
        case {"$ref": str(address)}:
            name = address.rpartition("/")[2]
            return format_html('<a href="#type-{}">{}</a>', name, name)
        case {"allOf": [inner]}:
            return type_of(inner)
        case {"anyOf": list(ways)} | {"oneOf": list(ways)} if schema.get("type") != "object":
            return _listed(map(type_of, ways), " or ")
        case {"const": value}:
            return format_html("<code>{}</code>", json.dumps(value))
        case {"enum": list(values)}:
            shown = [format_html("<code>{}</code>", json.dumps(value)) for value in values[:MOST_VALUES]]
            more = format_html(" and {} more", len(values) - MOST_VALUES) if len(values) > MOST_VALUES else ""
            return format_html("one of {}{}", _listed(shown, ", "), more)
        case {"type": ["array", *_] | "array", "items": dict(items)}:
            return format_html("list of {}{}", type_of(items), _or_null(schema))
        case {"type": ["object", *_] | "object", "additionalProperties": dict(inner)} if inner:
            return format_html("object of {}{}", type_of(inner), _or_null(schema))
        case {"type": list(kinds)}:
            return format_html("{}{}", _plain(kinds[0], schema), _or_null(schema))
        case {"type": str(kind)}:
            return format_html("{}", _plain(kind, schema))
    return SafeString("anything")


def _or_null(schema: Mapping[str, Any]) -> str:
    return " or null" if "null" in schema["type"] else ""


def _plain(kind: str, schema: Mapping[str, Any]) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and most is not None:
        return f"{kind}, {least} to {most}"
    if least is not None:
        return f"{kind}, {least} or more"
    if "maxLength" in schema:
        return f"{kind} of at most {schema['maxLength']} characters"
    return {"date-time": "moment (ISO 8601)", "date": "day (ISO 8601)", "uri": "address"}.get(
        schema.get("format", ""), kind
    )


def _listed(parts: Iterable[SafeString], between: str) -> SafeString:
    return format_html_join(between, "{}", ((part,) for part in parts))
