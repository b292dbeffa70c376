"""Who may ask for what: reading is for everybody, changing for those who say who they are."""

from typing import Any

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from api.models import Token
from games.rules import Forbidden


class OutOfScope(Forbidden):
    code = "scope"


class MayAsk(BasePermission):
    """What somebody may see and do there is the services' to say, as for pages."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if request.method in SAFE_METHODS:
            return True
        if isinstance(request.auth, Token) and not request.auth.may_play:
            raise OutOfScope(
                "This token may only read. You can make one that may also play under Programs, in your account."
            )
        return bool(request.user and request.user.is_authenticated)
