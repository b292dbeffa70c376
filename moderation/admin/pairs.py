"""The most unusual pairs, for moderators to look into. That a number is high proves nothing yet."""

from datetime import datetime
from typing import ClassVar

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone

from lobby.models import User
from moderation import pairs
from moderation.admin.base import OwnPages, carry_out, staff_of
from moderation.admin.filters import Choice
from moderation.models import Pair
from moderation.words_pairs import said_of


class HowUnusual(Choice):
    title, parameter_name = "how unusual", "strength"
    options: ClassVar = {"very": "Very: 3 and more", "rather": "Rather: 2 to 3", "hardly": "Hardly: less than 2"}

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        return {
            "very": Q(unusual__gte=3),
            "rather": Q(unusual__gte=2, unusual__lt=3),
            "hardly": Q(unusual__lt=2),
        }[chosen]


class HowManyGames(Choice):
    title, parameter_name = "games together", "together"
    options: ClassVar = {"few": "Fewer than 10", "some": "10 to 29", "many": "30 and more"}

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        return {"few": Q(games__lt=10), "some": Q(games__gte=10, games__lt=30), "many": Q(games__gte=30)}[chosen]


class SharedAddresses(Choice):
    title, parameter_name = "shared addresses", "shared"
    options: ClassVar = {"yes": "Some", "no": "None"}

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        return {"yes": Q(shared_addresses__gt=0), "no": Q(shared_addresses=0)}[chosen]


@admin.register(Pair)
class PairAdmin(OwnPages):
    list_display = ("both", "how_unusual", "games", "given", "shared_addresses", "computed")
    list_display_links = ("both",)
    list_filter = (HowUnusual, HowManyGames, SharedAddresses)
    list_select_related = ("first", "second")
    search_fields = ("first__name", "first__username", "second__name", "second__username")
    search_help_text = "A player’s name."
    ordering = ("-unusual", "pk")

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

    def show(self, request: HttpRequest, number: int) -> HttpResponse:
        """A pair’s page; to look at it is an act of its own."""
        pair = get_object_or_404(Pair.objects.select_related("first", "second"), pk=number)
        both = self.both(pair)
        games: list[pairs.JointGame] = []

        def look() -> str:
            games.extend(pairs.look_at(pair, staff_of(request), timezone.now()))
            return "This look was written down in the audit log."

        if not carry_out(request, look, f"to look at {both}", person=pair.first):
            return redirect("admin:moderation_pair_changelist")
        return self.page(
            request,
            "pair",
            both,
            pair=pair,
            people=[pair.first, pair.second],
            said=said_of(pair),
            games=games,
            most_games=pairs.SHOWN_GAMES,
            days=pairs.WITHIN.days,
        )
