"""What the document says of the way in."""

from typing import Final

from drf_spectacular.utils import extend_schema

from api import answers
from api.schema.auto import each

_ADDRESSES: Final = {"type": "object", "additionalProperties": {"type": "string", "format": "uri"}}

root: Final = each(list=extend_schema(responses={200: _ADDRESSES}))
me: Final = each(list=extend_schema(responses={200: answers.Who}))
