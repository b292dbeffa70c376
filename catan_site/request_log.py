"""The line that the log has for every request."""

import structlog
from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware

from catan_site import away


class RequestLog(RequestMiddleware):
    @staticmethod
    def bind_user_id(request: HttpRequest) -> None:
        """Who asked, if the request wanted to know: left alone, this reads session and user for everybody's line."""
        user = getattr(request, "_cached_user", None)
        if user is not None:
            structlog.contextvars.bind_contextvars(user_id=user.pk)

    def _process_exception(self, request: HttpRequest, exception: Exception) -> None:
        # That a part is away is said elsewhere (views.failed), and needs no traceback.
        if away.part(exception) is None:
            super()._process_exception(request, exception)
