"""The admin site: for staff who have proved who they are twice. They come in by the site's own doors."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from django.apps import apps
from django.contrib import admin
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache

from moderation import audit, dashboard, figures, second_factor


@dataclass(frozen=True)
class Place:
    """Where the staff can go, as it stands in the line below the site's header."""

    name: str
    address: str
    is_here: bool


QUEUE: Final = "moderation.case"

#: The lists that the staff work with, in the order of how often; whatever else there is stands on the first page.
LISTS: Final = {
    QUEUE: "Queue",
    "games.game": "Games",
    "lobby.user": "People",
    "lobby.chatline": "Chat",
    "moderation.pair": "Pairs",
    "moderation.auditline": "Audit log",
}


class StaffSite(admin.AdminSite):
    site_header = site_title = "Moderation"
    index_title = "Moderation"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and second_factor.was_given(request)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        context = super().each_context(request)
        if not context["has_permission"]:
            return context
        places = self._navigation(request)
        return context | {"navigation": places, "here": next((place.name for place in places if place.is_here), "")}

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """How the site is doing, for whoever may see it, and the lists that the line above does not name."""
        shown: dict[str, Any] = {"other_lists": self._other_lists(request)}
        if request.user.has_perm("moderation.see_dashboard"):
            now = timezone.now()
            # The queue's length stands in the header too: it is counted once.
            found = figures.collect(now)
            span = dashboard.span_of(request.GET.get("span"))
            board = dashboard.draw(found, figures.samples(now), span, partial(self._address_for, request), now)
            shown |= {"board": board, "open_cases": found.cases_open, "title": "How the site is doing"}
        return super().index(request, shown | (extra_context or {}))

    def _navigation(self, request: HttpRequest) -> list[Place]:
        home = reverse("admin:index")
        places = []
        for label, name in LISTS.items():
            if self._may_see(request, label):
                address = self._address(label)
                places.append(Place(name, address, request.path.startswith(address)))
        if request.user.has_perm("moderation.see_dashboard"):
            places.append(Place("How the site is doing", home, request.path == home))
        return places

    def _may_see(self, request: HttpRequest, label: str) -> bool:
        page = self._registry.get(apps.get_model(label))
        return page is not None and page.has_view_or_change_permission(request)

    def _address_for(self, request: HttpRequest, label: str) -> str:
        return self._address(label) if self._may_see(request, label) else ""

    def _address(self, label: str) -> str:
        return reverse(f"admin:{label.replace('.', '_')}_changelist")

    def _other_lists(self, request: HttpRequest) -> list[dict[str, Any]]:
        """Each with its name and address: those of them that this person may see."""
        named = {self._address(label) for label in LISTS if self._may_see(request, label)}
        models = [model for app in self.get_app_list(request) for model in app["models"]]
        return [model for model in models if model["admin_url"] and model["admin_url"] not in named]

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

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        """No form here has a field that needs it. Left alone, it would look through any list, and be written down in
        no log."""
        raise Http404

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
    # It is written down if they are refused, and databases keep no NUL.
    is_ours = "\0" not in wanted and url_has_allowed_host_and_scheme(
        wanted, {request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours else reverse("admin:index")
