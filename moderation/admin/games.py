"""Games for moderators: to look at, and to pause, resume or abort. Nothing here edits a row by hand."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from games import services
from games.models import Game, Intervention, Seat
from games.rules import Refusal
from moderation.admin.base import RowsShownAlone, ShownAlone


class SeatInline(RowsShownAlone):
    model = Seat
    fk_name = "game"
    fields = ("number", "name", "user", "player", "if_absent", "late", "asked", "awaited_since")


class InterventionInline(RowsShownAlone):
    model = Intervention
    fields = readonly_fields = ("at", "after_move", "what", "seat", "why")


@admin.register(Game)
class GameAdmin(ShownAlone):
    list_display = ("id", "status", "preset", "version", "turn", "phase", "started_at", "deadline", "attention")
    list_filter = ("status",)
    ordering = ("-started_at",)
    search_fields = ("id", "seat__name", "seat__user__username")
    # The seed, and whatever would tell a moderator at the table more than a player knows, is left out.
    fields = (
        *("status", "attention", "started_at", "ended_at", "deadline"),
        *("rules", "rules_version", "layout", "commitment", "pace"),
        *("version", "phase", "turn", "active", "longest_road", "largest_army", "winner"),
    )
    inlines = (SeatInline, InterventionInline)
    actions = ("pause", "resume", "abort")

    def has_act_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("moderation.act_on_games")

    @admin.display(description="preset")
    def preset(self, game: Game) -> str:
        return str(game.rules["preset"])

    @admin.action(description="Pause", permissions=["act"])
    def pause(self, request: HttpRequest, games: QuerySet[Game]) -> None:
        self._each(request, games, services.pause, "paused")

    @admin.action(description="Resume", permissions=["act"])
    def resume(self, request: HttpRequest, games: QuerySet[Game]) -> None:
        self._each(request, games, services.resume, "resumed")

    @admin.action(description="Abort: end without a winner", permissions=["act"])
    def abort(self, request: HttpRequest, games: QuerySet[Game]) -> None:
        self._each(request, games, services.abort, "aborted")

    def _each(self, request: HttpRequest, games: QuerySet[Game], service: Any, done: str) -> None:
        for game in games:
            try:
                service(game.pk, now=timezone.now(), why=f"by {request.user.get_username()}")
            except Refusal as refusal:
                self.message_user(request, f"{game}: {refusal.sentence}", messages.WARNING)
            else:
                self.message_user(request, f"{game} was {done}.", messages.SUCCESS)
