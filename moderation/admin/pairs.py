"""The most unusual pairs, for moderators to look into. That a number is high proves nothing yet."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from games.rules.numbers import whole_number
from games.web import MOST_DIGITS
from moderation import pairs
from moderation.admin.base import ShownAlone, carry_out, staff_of
from moderation.models import Pair
from moderation.words_pairs import said_of

Lookups = Iterable[tuple[str, str]]


class Choice(admin.SimpleListFilter):
    CHOICES: ClassVar[dict[str, tuple[str, Q]]]

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return [(key, title) for key, (title, _) in self.CHOICES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Pair]) -> QuerySet[Pair]:
        _, wanted = self.CHOICES.get(self.value() or "", ("", Q()))
        return queryset.filter(wanted)


class HowUnusual(Choice):
    title = "how unusual"
    parameter_name = "strength"
    CHOICES: ClassVar = {
        "very": ("Very: 3 and more", Q(unusual__gte=3)),
        "rather": ("Rather: 2 to 3", Q(unusual__gte=2, unusual__lt=3)),
        "hardly": ("Hardly: less than 2", Q(unusual__lt=2)),
    }


class HowManyGames(Choice):
    title = "games together"
    parameter_name = "together"
    CHOICES: ClassVar = {
        "few": ("Fewer than 10", Q(games__lt=10)),
        "some": ("10 to 29", Q(games__gte=10, games__lt=30)),
        "many": ("30 and more", Q(games__gte=30)),
    }


class SharedAddresses(Choice):
    title = "shared addresses"
    parameter_name = "shared"
    CHOICES: ClassVar = {
        "yes": ("Some", Q(shared_addresses__gt=0)),
        "no": ("None", Q(shared_addresses=0)),
    }


@admin.register(Pair)
class PairAdmin(ShownAlone):
    list_display = ("both", "how_unusual", "games", "given", "shared_addresses", "computed")
    list_display_links = ("both",)
    list_filter = (HowUnusual, HowManyGames, SharedAddresses)
    list_select_related = ("first", "second")
    search_fields = ("first__name", "first__username", "second__name", "second__username")
    search_help_text = "A player’s name."
    ordering = ("-unusual", "pk")
    list_per_page = 50
    show_full_result_count = False
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Pair]:
        found: QuerySet[Pair] = super().get_queryset(request)
        return found.exclude(pairs.are_one_of(staff_of(request)))

    @admin.display(description="players")
    def both(self, pair: Pair) -> str:
        return f"{pair.first.shown_name} and {pair.second.shown_name}"

    @admin.display(description="unusual", ordering="unusual")
    def how_unusual(self, pair: Pair) -> str:
        return f"{pair.unusual:.1f}"

    @admin.display(description="computed", ordering="computed_at")
    def computed(self, pair: Pair) -> datetime:
        return pair.computed_at

    @admin.display(description="cards given a game", ordering="balance")
    def given(self, pair: Pair) -> str:
        return f"{abs(pair.balance):.1f}"

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A pair’s page; to look at it is an act of its own."""
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        if not self.has_view_permission(request):
            raise PermissionDenied
        number = whole_number(object_id, digits=MOST_DIGITS)
        pair = Pair.objects.select_related("first", "second").filter(pk=number).first() if number is not None else None
        if pair is None:
            raise Http404
        games: list[pairs.JointGame] = []

        def look() -> str:
            games.extend(pairs.look_at(pair, staff_of(request), timezone.now()))
            return "This look was written down in the audit log."

        wanted = f"to look at {pair.first.shown_name} and {pair.second.shown_name}"
        if not carry_out(request, look, wanted, person=pair.first):
            return redirect("admin:moderation_pair_changelist")
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{pair.first.shown_name} and {pair.second.shown_name}",
            "pair": pair,
            "people": [pair.first, pair.second],
            "said": said_of(pair),
            "games": games,
            "most_games": pairs.SHOWN_GAMES,
            "days": pairs.WITHIN.days,
        }
        return TemplateResponse(
            request, "moderation/pair.html", context, headers={"Cache-Control": "private, no-store"}
        )
