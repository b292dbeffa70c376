"""People without an account. A guest is a user that only the browser's session knows."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.contrib.auth import login
from django.http import HttpRequest
from django.utils import timezone

from lobby import limits, names
from lobby.models import User

#: Longer than the slowest game takes: a guest whose session ends has lost the seat.
GUEST_SESSION: Final = 365 * 24 * 3600


def address_of(request: HttpRequest) -> str:
    """Where a visitor comes from; nginx has said so where there is one, see catan_site/server.py."""
    address: str = request.META.get("REMOTE_ADDR", "")
    return address


def visitor(request: HttpRequest) -> User:
    """Who sent this request: the user signed in, or else a guest who is not saved yet."""
    return request.user if isinstance(request.user, User) else User.guest(names.for_guest())


@contextmanager
def welcomed(request: HttpRequest, person: User) -> Iterator[None]:
    """While a visitor does what saves a new guest, who is then kept signed in.

    They prove who they are by the session alone, so no password is asked.
    """
    if person.pk:
        yield
        return
    with limits.room_for_guest(address_of(request), timezone.now()):
        yield
    keep_signed_in(request, person)


def keep_signed_in(request: HttpRequest, guest: User) -> None:
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    request.session.set_expiry(GUEST_SESSION)
