"""How what is sent is read. The framework looks here while it is being loaded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser


class Json(BaseParser):
    """JSON, as its standard has it: 3.0 is the whole number 3, and there is no NaN."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        try:
            return json.loads(_read(stream).decode(), parse_float=_number, parse_constant=_refuse)
        except ValueError as error:
            raise ParseError from error


def _read(stream: Any) -> bytes:
    """The framework reads past Django's own limit, which is for what is read as a whole."""
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    sent: bytes = stream.read(most + 1)
    if len(sent) > most:
        raise RequestDataTooBig
    return sent


def _number(text: str) -> float | int:
    number = float(text)
    return int(number) if number.is_integer() else number


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"JSON has no {name}.")
