"""When people were last here. Guests who do not come back are forgotten some day, see lobby/clearing.py."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from lobby import signals
from lobby.guests import address_of
from lobby.models import User


def noted(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """The middleware that notes it, once a day for each person.

    It looks only at a user whom the request has read already, so it asks nothing of the database.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        user = getattr(request, "_cached_user", None)
        if isinstance(user, User) and user.last_visit < timezone.localdate():
            _note(user, request)
        return response

    return answer


def _note(person: User, request: HttpRequest) -> None:
    """Of several requests at once, one is the first of the day."""
    today = timezone.localdate()
    if User.objects.filter(pk=person.pk, last_visit__lt=today).update(last_visit=today):
        signals.visited.send_robust(User, person=person, address=address_of(request), now=timezone.now())
