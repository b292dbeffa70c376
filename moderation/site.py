"""The admin site: for staff who have proved who they are twice."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from allauth.mfa.models import Authenticator
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from moderation import dashboard, figures


def has_second_factor(request: HttpRequest) -> bool:
    """Whoever knows a moderator's password alone shall not read hands and reports."""
    if settings.DEBUG:
        return True
    return bool(Authenticator.objects.filter(user=request.user.pk, type=Authenticator.Type.TOTP).exists())


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
        return super().has_permission(request) and has_second_factor(request)

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
