"""Accounts by their names: who is meant, and who signs in."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest

from lobby import names
from lobby.models import User


def accounts_called(name: str) -> list[User]:
    """Those whom others would take for somebody of this name."""
    folded, shape = names.keys(name)
    return list(User.objects.filter(Q(name_folded=folded) | Q(name_shape=shape), is_guest=False).order_by("pk"))


def accounts_meant(login: str) -> list[User]:
    """Those who may sign in with this: by the name that they show, the one staff were given, or a confirmed address.

    A name may be written as anybody would write it, since no two accounts have one that looks the same.
    """
    login = login.strip()
    if not login:
        return []
    by_address = EmailAddress.objects.filter(email=login.lower(), verified=True).select_related("user")
    by_username = User.objects.filter(username=login, is_guest=False)
    found = [*by_username, *accounts_called(login), *(address.user for address in by_address)]
    return list(dict.fromkeys(found))


def counted_name(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """Under which axes counts guesses: however the name is written, they are guesses at one account."""
    typed = str((credentials or request.POST).get("username") or "")
    meant = accounts_meant(typed)
    return meant[0].username if meant else names.keys(typed)[0][:255]


class Backend(AuthenticationBackend):  # type: ignore[misc]
    """Signs accounts in. Django's own comes after it and never gets that far: it knows guests by their sessions."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> AbstractBaseUser | None:
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user is None:
            raise PermissionDenied
        return user

    def _authenticate(
        self, request: HttpRequest | None, username: str = "", password: str = "", **_: Any
    ) -> AbstractBaseUser | None:
        return next((user for user in accounts_meant(username) if self._check_password(user, password)), None)
