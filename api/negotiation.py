"""Which form an answer has. The framework looks here while it is being loaded, so nothing of ours is needed."""

from typing import Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class AlwaysJson(BaseContentNegotiation):
    """There is one form of an answer, whatever somebody says they would rather have."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return next((parser for parser in parsers if _is_of(request.content_type, parser.media_type)), None)

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


def _is_of(content_type: str, media_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() == media_type
