"""Games for moderators: to find, to look at, and to act on. Nothing here edits a row by hand."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, ClassVar, Final, TypeVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.timesince import timesince

from games.models import Game, Seat
from games.paces import LIVE, PACES
from games.rules import Malformed
from games.web import read_number
from games.words_rules import RULE_BOOKS
from lobby.models import User
from moderation import games, words
from moderation.admin.base import OwnPages, carry_out, staff_of
from moderation.admin.filters import Choice
from moderation.game_page import game_page
from moderation.games import Whole

Found = TypeVar("Found")

#: A deadline that passed so long ago should have been seen to.
OVERDUE_BY: Final = timedelta(minutes=10)


class ByPace(Choice):
    title, parameter_name = "pace", "clock"
    options: ClassVar = {"none": "No clock", "live": "Live", "days": "Over days", **{name: name for name in PACES}}

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        if chosen == "none":
            return Q(pace__isnull=True)
        names = {"live": LIVE, "days": [name for name in PACES if name not in LIVE]}
        return Q(pace__name__in=names.get(chosen, [chosen]))


class ByPreset(Choice):
    title, parameter_name = "rules", "book"
    options: ClassVar = {name: book.title for name, book in RULE_BOOKS.items()}

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        return Q(rules__preset=chosen)


class ByWait(Choice):
    title, parameter_name = "waiting", "waiting"
    options: ClassVar = {"hour": "More than an hour", "day": "More than a day", "days": "More than 3 days"}

    LONGER_THAN: ClassVar = {"hour": timedelta(hours=1), "day": timedelta(days=1), "days": timedelta(days=3)}

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        since = now - self.LONGER_THAN[chosen]
        return Q(Exists(Seat.objects.filter(game=OuterRef("pk"), awaited_since__lt=since)))


class ByNeed(Choice):
    title, parameter_name = "needs attention", "needs"
    options: ClassVar = {
        "attention": "Needs attention",
        "failing": "A task has failed on it",
        "overdue": "Its deadline has passed",
    }

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        return {
            "attention": Q(status=Game.Status.NEEDS_ATTENTION),
            "failing": Q(failures__gt=0),
            "overdue": Q(status=Game.Status.RUNNING, deadline__lt=now - OVERDUE_BY),
        }[chosen]


@admin.register(Game)
class GameAdmin(OwnPages):
    list_display = (
        *("number", "state", "why", "players", "waits", "deadline"),
        *("moment", "book", "clock", "started"),
    )
    list_filter = (ByNeed, ByWait, "status", "phase", ByPace, ByPreset)
    ordering = ("-started_at",)
    search_fields = ("=id", "seat__name")
    search_help_text = "A game’s number, or who plays in it."
    empty_value_display = "–"

    class Media:
        css: ClassVar = {"all": ["moderation/game.css"]}

    def has_act_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("moderation.act_on_games")

    def has_look_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("moderation.see_hidden")

    # The list

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        seats = Seat.objects.order_by("number").only("game", "number", "name", "awaited_since")
        own = Seat.objects.filter(game=OuterRef("pk"), user=staff_of(request))
        found: QuerySet[Game] = super().get_queryset(request)
        return found.prefetch_related(Prefetch("seat_set", seats)).annotate(is_own=Exists(own))

    @admin.display(description="game", ordering="id")
    def number(self, game: Game) -> int:
        return game.pk

    @admin.display(description="started", ordering="started_at")
    def started(self, game: Game) -> datetime:
        return game.started_at

    @admin.display(description="status", ordering="status")
    def state(self, game: Game) -> str:
        return words.STATUSES[Game.Status(game.status)]

    @admin.display(description="phase", ordering="phase")
    def moment(self, game: Game) -> str:
        return "" if game.status in games.ENDED else f"{words.phase(game.phase)}, turn {game.turn}"

    @admin.display(description="rules")
    def book(self, game: Game) -> str:
        preset = game.rules.get("preset", "")
        return RULE_BOOKS[preset].title if preset in RULE_BOOKS else str(preset)

    @admin.display(description="pace")
    def clock(self, game: Game) -> str:
        return str(game.pace["name"]) if game.pace else "no clock"

    @admin.display(description="players")
    def players(self, game: Game) -> str:
        return ", ".join(seat.name for seat in game.seat_set.all())

    @admin.display(description="waits for")
    def waits(self, game: Game) -> str:
        asked = sorted((seat.awaited_since, seat.name) for seat in game.seat_set.all() if seat.awaited_since)
        if not asked:
            return "–"
        return f"{', '.join(name for _, name in asked)}, {timesince(asked[0][0], timezone.now(), depth=1)}"

    @admin.display(description="problem")
    def why(self, game: Game) -> str:
        """What differs from the log may be a card in a hand, which nobody is told who plays."""
        if getattr(game, "is_own", False) and game.attention:
            return "for another moderator"
        return game.attention.partition("\n")[0][:200]

    # A game

    def get_urls(self) -> list[URLPattern]:
        def at(end: str, name: str, act: Callable[..., HttpResponse]) -> URLPattern:
            return path(f"<game:game_id>/{end}/", self.admin_site.admin_view(act), name=f"games_game_{name}")

        return [
            at("pause", "pause", self.pause),
            at("resume", "resume", self.resume),
            at("extend", "extend", self.extend),
            at("play-timeout", "play_timeout", self.play_timeout),
            at("stand-in/<int:seat>", "stand_in", self.stand_in),
            at("abort", "abort", self.abort),
            at("verify", "verify", self.verify),
            at("export", "export", self.export),
            at("whole", "whole", self.whole),
            *super().get_urls(),
        ]

    def show(self, request: HttpRequest, number: int) -> HttpResponse:
        """Nothing is sent here: what can be done has addresses of its own."""
        return self._page(request, number)

    def _page(
        self,
        request: HttpRequest,
        game_id: int,
        *,
        whole: Whole | None = None,
        differences: Sequence[str] | None = None,
    ) -> HttpResponse:
        now = timezone.now()
        try:
            shown = game_page(staff_of(request), game_id, now, whole)
        except Game.DoesNotExist:
            raise Http404 from None
        return self.page(
            request,
            "game",
            f"Game {game_id}",
            shown=shown,
            now=now,
            differences=differences,
            may_act=self.has_act_permission(request),
            may_look=self.has_look_permission(request),
        )

    # What is done to it. Each has an address of its own, and is asked for by its own form.

    def pause(self, request: HttpRequest, game_id: int) -> HttpResponse:
        return self._act(request, game_id, "pause", games.pause)

    def resume(self, request: HttpRequest, game_id: int) -> HttpResponse:
        return self._act(request, game_id, "resume", games.resume)

    def extend(self, request: HttpRequest, game_id: int) -> HttpResponse:
        return self._act(request, game_id, "extend", partial(games.extend, by=request.POST.get("by", "")))

    def play_timeout(self, request: HttpRequest, game_id: int) -> HttpResponse:
        def play(*who: Any, **said: Any) -> str:
            unread = Malformed("The form doesn’t say what you saw of the game: reload its page, then press again.")
            return games.play_timeout_now(*who, version=read_number(request.POST.get("version", ""), unread), **said)

        return self._act(request, game_id, "play_timeout_now", play)

    def stand_in(self, request: HttpRequest, game_id: int, seat: int) -> HttpResponse:
        return self._act(request, game_id, "stand_in", partial(games.stand_in, seat=seat))

    def abort(self, request: HttpRequest, game_id: int) -> HttpResponse:
        confirmed = request.POST.get("confirmed") == "yes"
        return self._act(request, game_id, "abort", partial(games.abort, confirmed=confirmed))

    def _act(self, request: HttpRequest, game_id: int, wanted: str, act: Callable[..., str]) -> HttpResponse:
        def then(_: object) -> HttpResponse:
            return redirect("admin:games_game_change", game_id)

        return self._ask(request, game_id, wanted, act, str, self.has_act_permission, then)

    def verify(self, request: HttpRequest, game_id: int) -> HttpResponse:
        def say(found: Sequence[str]) -> str:
            return f"{len(found)} differences from the log." if found else "Every row is what the log says."

        def then(found: Sequence[str]) -> HttpResponse:
            return self._page(request, game_id, differences=found)

        return self._ask(request, game_id, "verify", games.verify, say, self.has_act_permission, then)

    # What is looked at

    def whole(self, request: HttpRequest, game_id: int) -> HttpResponse:
        """No link leads here, only a form: what was laid open is not laid open again by going back to it."""

        def say(_: Whole) -> str:
            return "Every hand is laid open. The audit log says that you looked, and why."

        def then(whole: Whole) -> HttpResponse:
            return self._page(request, game_id, whole=whole)

        return self._ask(request, game_id, "whole", games.look_at_whole, say, self.has_look_permission, then)

    def export(self, request: HttpRequest, game_id: int) -> HttpResponse:
        def say(_: object) -> str:
            return f"The record of game {game_id} was written."

        def then(record: Mapping[str, Any]) -> HttpResponse:
            return JsonResponse(record, headers={"Content-Disposition": f'attachment; filename="game-{game_id}.json"'})

        return self._ask(request, game_id, "export", games.export, say, self.has_look_permission, then)

    def _ask(
        self,
        request: HttpRequest,
        game_id: int,
        wanted: str,
        act: Callable[..., Found],
        say: Callable[[Found], str],
        may: Callable[[HttpRequest], bool],
        then: Callable[[Found], HttpResponse],
    ) -> HttpResponse:
        """Whatever is asked of a game, with a reason; after a refusal its page says why."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not (self.has_view_permission(request) and may(request)):
            raise PermissionDenied
        if not Game.objects.filter(pk=game_id).exists():
            raise Http404
        found: list[Found] = []

        def carried() -> str:
            why = request.POST.get("why", "")
            found.append(act(staff_of(request), game_id, why=why, now=timezone.now()))
            return say(found[0])

        if carry_out(request, carried, wanted, game=game_id):
            return then(found[0])
        return redirect("admin:games_game_change", game_id)
