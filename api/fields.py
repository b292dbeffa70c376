"""Fields of what programs send. JSON has numbers, texts and truth values of its own: none is read as another."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.rules import MalformedMove
from games.rules import moves as rules_moves

#: Sentences for whoever writes a program, instead of the framework's.
_MISSING: Final = {"required": "This is missing.", "null": "This cannot be null."}


class Number(serializers.IntegerField):
    default_error_messages: ClassVar[Any] = {
        **_MISSING,
        "invalid": "This must be a whole number.",
        "min_value": "This must be {min_value} or more.",
        "max_value": "This must be {max_value} or less.",
    }

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


class Text(serializers.CharField):
    default_error_messages: ClassVar[Any] = {
        **_MISSING,
        "invalid": "This must be text.",
        "blank": "This cannot be empty.",
        "max_length": "This can have at most {max_length} characters.",
    }

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    default_error_messages: ClassVar[Any] = {**_MISSING, "invalid": "This must be true or false."}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Choice(serializers.ChoiceField):
    default_error_messages: ClassVar[Any] = _MISSING

    def __init__(self, choices: Any, **options: Any) -> None:
        super().__init__(choices, **options)
        self.error_messages["invalid_choice"] = f"This must be one of {', '.join(map(str, self.choices))}."

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


@extend_schema_field({"$ref": "#/components/schemas/Move"})
class MoveField(serializers.Field[dict[str, Any], dict[str, Any], Any, Any]):
    """A move without its seat: that is the sender's own, and nothing that is sent names another."""

    default_error_messages: ClassVar[Any] = _MISSING

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict) or "seat" in data:
            raise MalformedMove("move is an object without a seat: the seat is yours.", "move")
        try:
            rules_moves.from_json(data | {"seat": 0})
        except MalformedMove as malformed:
            field = ".".join(filter(None, ("move", malformed.field)))
            raise MalformedMove(malformed.sentence, field) from None
        return data


@extend_schema_field({"$ref": "#/components/schemas/Order"})
class OrderField(serializers.DictField):
    """A standing order, as the framework reads it; `games.orders` says what is wrong with it."""

    default_error_messages: ClassVar[Any] = {**_MISSING, "not_a_dict": "This must be an object."}


class Sent(serializers.Serializer[Any]):
    """What is sent, with these fields and no others: a name that is misspelt is not passed over."""

    default_error_messages: ClassVar[Any] = {"invalid": "This must be an object."}

    #: In JSON Schema, which of the fields go together, one of these ways.
    ways: ClassVar[Sequence[dict[str, Any]]] = ()

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(map(str, data.keys() - self.fields.keys()))):
            names = (name.encode("utf-8", "backslashreplace").decode() for name in unknown)
            raise serializers.ValidationError({name: ["There is no such field."] for name in names})
        return super().to_internal_value(data)
