"""The admin site: for staff who have proved who they are twice. They come in by the site's own doors."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache

from moderation import audit, second_factor


class StaffSite(admin.AdminSite):
    site_header = site_title = "Online Catan: moderation"
    index_title = "Moderation"

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and second_factor.was_given(request)

    # Django's own forms would let in whoever knows a password, and leave devices and sockets of theirs open.

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        wanted = _wanted(request)
        if not request.user.is_authenticated:
            return redirect_to_login(wanted, reverse("sign-in"))
        if not admin.AdminSite.has_permission(self, request):
            raise PermissionDenied
        if second_factor.was_given(request):
            return redirect(wanted)
        if second_factor.is_set_up(request):
            return redirect(f"{reverse('mfa_reauthenticate')}?{urlencode({REDIRECT_FIELD_NAME: wanted})}")
        audit.record(request.user, audit.Act.WAS_REFUSED, now=timezone.now(), why="No second factor.", wanted=wanted)
        return render(request, "moderation/no_second_factor.html", status=403)

    def logout(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("sign-out")

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("account_change_password")


def _wanted(request: HttpRequest) -> str:
    """Where they were on their way to, on this site."""
    wanted = request.GET.get(REDIRECT_FIELD_NAME, "")
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if is_ours else reverse("admin:index")
