"""What the document says of the way in."""

from typing import Final

from drf_spectacular.utils import extend_schema

from api import answers
from api.schema.auto import each

_ADDRESS: Final = {"type": "string", "format": "uri"}
_ADDRESSES: Final = {
    "type": "object",
    "properties": {"leaderboards": {"type": "object", "additionalProperties": _ADDRESS}},
    "additionalProperties": _ADDRESS,
}

root: Final = each(list=extend_schema(responses={200: _ADDRESSES}))
me: Final = each(list=extend_schema(responses={200: answers.Who}))
