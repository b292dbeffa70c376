"""Staff prove twice who they are: whoever has a moderator's password alone reads neither hands nor reports."""

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.http import HttpRequest


def was_given(request: HttpRequest) -> bool:
    """In this very session: one from before there was a second factor was begun with a password alone."""
    if settings.DEBUG:
        return True
    given = get_authentication_records(request, request.user)
    return any(record.get("method") == "mfa" for record in given) and is_set_up(request)


def is_set_up(request: HttpRequest) -> bool:
    return bool(Authenticator.objects.filter(user=request.user.pk, type=Authenticator.Type.TOTP).exists())
