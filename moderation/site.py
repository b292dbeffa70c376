"""The admin site: for staff who have proved who they are twice."""

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest


def has_second_factor(request: HttpRequest) -> bool:
    """Whoever knows a moderator's password alone shall not read hands and reports."""
    if settings.DEBUG:
        return True
    return bool(Authenticator.objects.filter(user=request.user.pk, type=Authenticator.Type.TOTP).exists())


class StaffSite(admin.AdminSite):
    site_header = site_title = "Online Catan: moderation"
    index_title = "Moderation"

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and has_second_factor(request)
