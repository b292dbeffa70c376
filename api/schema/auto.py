"""How the document describes an endpoint: by its docstring, its serializers or types, and what holds for all."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from django.core.validators import RegexValidator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent, is_list_serializer
from drf_spectacular.utils import OpenApiResponse
from rest_framework.permissions import SAFE_METHODS, AllowAny

from api.fields import Text
from api.schema import errors, types
from api.schema.parameters import OF_LISTS, PATHS
from games.typed import has_fields

V = TypeVar("V")

TAGS: Final = {
    "": "Start",
    "me": "Start",
    "schema": "Start",
    "games": "Games",
    "tables": "Tables",
    "find": "Tables",
    "play-now": "Tables",
    "players": "People",
    "leaderboards": "People",
}
NO_NULLS: Final = r"^[^\u0000]*$"
NOT_BLANK: Final = r"^[^\u0000]*[^\s\u0000][^\u0000]*$"
#: Whatever they belong to.
CHATS: Final = ("chat", "watchers")

NOT_KEPT: Final = {
    "Cache-Control": {
        "description": "Nobody on the way keeps an answer that is one person’s.",
        "required": True,
        "schema": {"type": "string"},
    }
}
ETAG: Final = {
    "ETag": {
        "description": "Send it as If-None-Match, and an answer that has not changed is a short 304.",
        "required": True,
        "schema": {"type": "string"},
    }
}


class Tagged:
    """An answer with an ETag, which may also be 304."""

    def __init__(self, answer: Any, kept: str = "") -> None:
        self.answer, self.kept = answer, kept


class Listed:
    """One page of a list, by a cursor."""

    def __init__(self, serializer: Any) -> None:
        self.serializer = serializer


def each(**methods: Callable[[Any], Any]) -> Callable[[type[V]], type[V]]:
    """What the document says of each method of a view, in one place beside it.

    The framework's own `extend_schema_view` does not know methods that are mapped to an action of another name.
    """

    def documented(view: type[V]) -> type[V]:
        for name, extend in methods.items():
            setattr(view, name, extend(view.__dict__[name]))
        return view

    return documented


class Documented(AutoSchema):
    """The endpoints of the API, with what they may refuse."""

    @property
    def scope(self) -> str:
        """What a token needs to be for."""
        return "read" if self.method in SAFE_METHODS else "play"

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if operation is not None:
            self._put_in_order(operation)
        return operation

    def _put_in_order(self, operation: dict[str, Any]) -> None:
        responses, parameters = operation["responses"], operation.get("parameters", [])
        may_refuse = errors.of_operation(
            is_for_all=not operation.get("security"),
            is_change=self.method not in SAFE_METHODS,
            sends="requestBody" in operation,
            asks=any(parameter["in"] == "query" for parameter in parameters),
            names=any(parameter["in"] == "path" or parameter["name"] == "cursor" for parameter in parameters),
            # A game whose rows make no sense is set aside by whoever looks at it first.
            may_refuse=any(parameter["name"] == "game_id" for parameter in parameters),
        )
        for status, answer in may_refuse:
            responses.setdefault(status, answer)
        operation["responses"] = dict(sorted(responses.items()))
        if operation.get("security"):
            operation["x-scope"] = self.scope

    # What it is called

    def get_operation_id(self) -> str:
        action = getattr(self.view, "action", None) or self.method.lower()
        return f"{self._parts[0] or 'root'}_{action}".replace("-", "_")

    def get_tags(self) -> list[str]:
        if self._parts[-1] in CHATS:
            return ["Chats"]
        return [TAGS.get(self._parts[0], "Start")]

    @property
    def _parts(self) -> list[str]:
        parts = re.sub(r"\{\w+\}/", "", self.path).removeprefix("/api/v1/").strip("/")
        return parts.split("/")

    def get_summary(self) -> str:
        return self._said.partition("\n\n")[0].replace("\n", " ").removesuffix(".")

    def get_description(self) -> str:  # type: ignore[override]  # drf-spectacular's has the view
        return self._said.partition("\n\n")[2].replace("\n", " ")

    @property
    def _said(self) -> str:
        said: str = super().get_description()
        return said

    def get_auth(self) -> list[dict[str, list[str]]]:
        if any(isinstance(permission, AllowAny) for permission in self.view.get_permissions()):
            return []
        ways: list[dict[str, list[str]]] = [way for way in super().get_auth() if way]
        return [*ways, {}] if self.method in SAFE_METHODS else ways

    # What is sent and answered

    def _get_request_body(self, direction: str = "request") -> Any:
        """A body has to be there if something in it does."""
        body = super()._get_request_body(direction)  # type: ignore[no-untyped-call]
        ways = getattr(self.get_request_serializer(), "ways", ()) if body else ()
        return body | {"required": True} if ways and all("required" in way for way in ways) else body

    def _resolve_path_parameters(self, variables: list[str]) -> list[dict[str, Any]]:
        ours = [PATHS[name].told() for name in variables if name in PATHS]
        unknown = [each for each in variables if each not in PATHS]
        others: list[dict[str, Any]] = super()._resolve_path_parameters(unknown)  # type: ignore[no-untyped-call]
        return [*ours, *others]

    def _get_response_for_code(
        self, serializer: Any, status_code: str, media_types: Any = None, direction: str = "response"
    ) -> Any:
        told = serializer.response if isinstance(serializer, OpenApiResponse) else serializer
        answer = told.answer if isinstance(told, Tagged) else told
        schema = self._schema_of(answer)
        if isinstance(serializer, OpenApiResponse):
            serializer = OpenApiResponse(schema, serializer.description, serializer.examples)
        else:
            serializer = OpenApiResponse(schema, description=_DESCRIPTIONS.get(status_code, ""))
        found = super()._get_response_for_code(  # type: ignore[no-untyped-call]
            serializer, status_code, media_types, direction
        )
        return {**found, "headers": _headers(told, status_code)}

    def _schema_of(self, answer: Any) -> Any:
        """What the framework's extension does not know: types of ours, and pages of lists."""
        if has_fields(answer):
            for name, schema in types.components([answer]).items():
                self._register(name, schema)
            return types.ref(answer.__name__)
        if is_list_serializer(answer):
            answer = Listed(type(answer.child))
        if isinstance(answer, Listed):
            name = self._get_serializer_name(answer.serializer(), "response")
            items = self.resolve_serializer(answer.serializer, "response").ref
            self._register(f"{name}List", _page_of(items))
            return types.ref(f"{name}List")
        return answer

    def _register(self, name: str, schema: dict[str, Any]) -> None:
        kind = ResolvedComponent.SCHEMA
        self.registry.register_on_missing(ResolvedComponent(name=name, type=kind, object=name, schema=schema))

    def _map_serializer_field(self, field: Any, direction: str, bypass_extensions: bool = False) -> Any:
        """Texts that are sent are not empty, unless they may be: an answer's may. None holds a null character."""
        mapped = super()._map_serializer_field(  # type: ignore[no-untyped-call]
            field, direction, bypass_extensions
        )
        if not isinstance(field, Text) or any(isinstance(rule, RegexValidator) for rule in field.validators):
            return mapped
        least = {} if field.allow_blank else {"minLength": 1}
        pattern = NOT_BLANK if field.trim_whitespace and not field.allow_blank else NO_NULLS
        return {**least, "pattern": pattern, **mapped}

    def _map_basic_serializer(self, serializer: Any, direction: str) -> Any:
        """With these fields and no others, and one of its forms where it has several."""
        mapped = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        told = {**mapped, "additionalProperties": False}
        ways = getattr(serializer, "ways", None)
        return told | ({"oneOf": [*ways]} if ways else {})

    def _is_list_view(self, serializer: Any = None) -> bool:
        """Lists come in pages, whose form is our own."""
        return False

    def _get_pagination_parameters(self) -> list[dict[str, Any]]:
        answers = self.get_response_serializers()
        answer = answers.get(200) if isinstance(answers, dict) else answers
        is_listed = isinstance(answer, Listed) or is_list_serializer(answer)
        return [parameter.told() for parameter in OF_LISTS] if is_listed else []


_DESCRIPTIONS: Final[Mapping[str, str]] = {
    "200": "As asked for.",
    "201": "Done.",
    "204": "Done: there is nothing more to say.",
    "304": "You have it already.",
}


def _headers(told: Any, status_code: str) -> dict[str, Any]:
    kept = (
        {"Cache-Control": NOT_KEPT["Cache-Control"] | {"description": told.kept}} if getattr(told, "kept", "") else {}
    )
    return {**NOT_KEPT, **kept, **(ETAG if isinstance(told, Tagged) or status_code == "304" else {})}


def _page_of(items: dict[str, Any]) -> dict[str, Any]:
    link = {"type": ["string", "null"], "format": "uri"}
    return {
        "type": "object",
        "properties": {
            "next": link | {"description": "The address of what comes after, if there is more."},
            "previous": link | {"description": "The address of what comes before."},
            "results": {"type": "array", "items": items},
        },
        "required": ["next", "previous", "results"],
        "additionalProperties": False,
    }
