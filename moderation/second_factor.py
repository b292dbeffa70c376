"""Staff prove twice who they are: whoever has a moderator's password alone reads neither hands nor reports."""

from typing import Final

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.http import HttpRequest

#: A page asks several times; the answer is kept with its request.
_KEPT: Final = "_second_factor_was_given"


def was_given(request: HttpRequest) -> bool:
    """In this very session: one from before there was a second factor was begun with a password alone."""
    if not hasattr(request, _KEPT):
        setattr(request, _KEPT, settings.DEBUG or (_is_noted(request) and is_set_up(request)))
    return bool(getattr(request, _KEPT))


def _is_noted(request: HttpRequest) -> bool:
    return any(record.get("method") == "mfa" for record in get_authentication_records(request, request.user))


def is_set_up(request: HttpRequest) -> bool:
    return bool(Authenticator.objects.filter(user=request.user.pk, type=Authenticator.Type.TOTP).exists())
