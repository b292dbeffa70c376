"""Who asks, to Django REST framework: whoever a token stands for."""

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from api import tokens
from api.models import Token
from lobby.guests import address_of
from lobby.models import User


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer catan_…`. Whoever sends none may have a session.

    It comes first among the ways to be known: its header then goes with every 401, which Django REST framework would
    turn into a 403 if there were none.
    """

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        try:
            header, address = get_authorization_header(request), address_of(request._request)
            token = tokens.named_in(header, address, timezone.now())
        except tokens.BadToken as refusal:
            raise AuthenticationFailed(refusal.sentence, refusal.code) from None
        if token is None:
            return None
        # Where the middleware looks for who has asked: the day's visit and the line in the log are theirs.
        request._request._cached_user = token.person  # type: ignore[attr-defined]
        return token.person, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="catan"'
