"""Fields of what programs send. JSON has numbers, texts and truth values of its own: none is read as another."""

from collections.abc import Sequence
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.rules import MalformedMove
from games.rules import moves as rules_moves


class Number(serializers.IntegerField):
    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


class Text(serializers.CharField):
    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Choice(serializers.ChoiceField):
    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


@extend_schema_field({"$ref": "#/components/schemas/Move"})
class MoveField(serializers.Field[dict[str, Any], dict[str, Any], Any, Any]):
    """A move without its seat: that is the sender's own, and nothing that is sent names another."""

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


class Sent(serializers.Serializer[Any]):
    """What is sent, with these fields and no others: a name that is misspelt is not passed over."""

    #: In JSON Schema, which of the fields go together, one of these ways.
    ways: ClassVar[Sequence[dict[str, Any]]] = ()

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(map(str, data.keys() - self.fields.keys()))):
            raise serializers.ValidationError({name: ["There is no such field."] for name in unknown})
        return super().to_internal_value(data)
