"""The line that the log has for every request."""

import structlog
from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware


class RequestLog(RequestMiddleware):
    @staticmethod
    def bind_user_id(request: HttpRequest) -> None:
        """Who asked, if the request wanted to know: left alone, this reads session and user for everybody's line."""
        user = getattr(request, "_cached_user", None)
        if user is not None:
            structlog.contextvars.bind_contextvars(user_id=user.pk)
