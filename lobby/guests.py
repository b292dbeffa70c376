"""People without an account. A guest is a user that only the browser's session knows."""

from typing import Final

from django.contrib.auth import login
from django.http import HttpRequest

from lobby import names
from lobby.models import User

#: Longer than the slowest game takes: a guest whose session ends has lost the seat.
GUEST_SESSION: Final = 365 * 24 * 3600


def visitor(request: HttpRequest) -> User:
    """Who sent this request: the user signed in, or else a guest who is not saved yet."""
    return request.user if isinstance(request.user, User) else User.guest(names.for_guest())


def remember(request: HttpRequest, person: User) -> None:
    """Keep a new guest signed in; they prove who they are by the session alone, so no password is asked."""
    if request.user.is_authenticated:
        return
    login(request, person, backend="django.contrib.auth.backends.ModelBackend")
    request.session.set_expiry(GUEST_SESSION)
