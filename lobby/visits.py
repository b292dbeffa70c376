"""When guests were last here. Those who do not come back are forgotten some day, see lobby/clearing.py."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from lobby.models import User


def noted(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """The middleware that notes it, once a day for each guest.

    It looks only at a user whom the request has read already, so it asks nothing of the database.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        user = getattr(request, "_cached_user", None)
        if isinstance(user, User) and user.is_guest and user.last_visit < (today := timezone.localdate()):
            User.objects.filter(pk=user.pk).update(last_visit=today)
        return response

    return answer
