"""How programs and pages say who they are, for the document."""

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension


class Bearer(OpenApiAuthenticationExtension):
    target_class = "api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": (
                "A token of an account, made under Programs there: `Authorization: Bearer catan_…`. One with the scope "
                "`read` sees what its person sees; one with the scope `play` may also do what they may do."
            ),
        }

    def get_security_requirement(self, auto_schema: Any) -> dict[str, list[str]]:
        return {"token": [auto_schema.scope]}


class Session(OpenApiAuthenticationExtension):
    target_class = "rest_framework.authentication.SessionAuthentication"
    name = "session"
    priority = 1

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "What the site’s own pages use. Whatever changes something needs their header X-CSRFToken.",
        }
