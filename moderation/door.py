"""The door of the site, closed to the banned: they read why, until when, and how to appeal, and nothing else.

It asks nothing that a page does not ask anyway: until when is in the row of the user, whom every address reads but for
those that are the same for everybody, and these are left alone.
"""

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers

from games.web import PROBLEM, problem, status_of
from lobby import restrictions
from lobby.models import User
from lobby.restrictions import Banned
from moderation.models import Decision

#: The names of what stays open: what the moderators have told somebody, with the appeal against it; the way out; what
#: the site keeps of them, which is theirs; and the end of mails that they no longer want.
OPEN: Final = frozenset(
    {"decisions", "decision", "appeal", "sign-out", "account_logout", "account-data", "notice-end"},
)
#: The same for everybody, and read without asking who it is.
NOBODYS: Final = frozenset(
    {"manifest", "service-worker", "offline", "healthz", "readyz", "table-picture", "game-picture"},
)

View = Callable[..., HttpResponse]


class Door:
    """The middleware. It looks once the address is known, and before anything is done there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: View, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        name = request.resolver_match.view_name if request.resolver_match else None
        if name in OPEN or name in NOBODYS:
            return None
        person = request.user
        if not isinstance(person, User) or not restrictions.is_banned(person, timezone.now()):
            return None
        answer = _page(request, person) if _is_for_eyes(request) else _refusal(person)
        add_never_cache_headers(answer)
        return answer


def _is_for_eyes(request: HttpRequest) -> bool:
    """A page that somebody opens, rather than what a script or a program asks for: these take whatever comes, and
    browsers name what they show. What they fetch for is no help, since pages come through the service worker too."""
    return "text/html" in request.headers.get("Accept", "text/html") and not request.path.startswith("/api/")


def _refusal(person: User) -> HttpResponse:
    refusal = Banned(restrictions.why_banned(person))
    status = status_of(refusal)
    return JsonResponse(problem(status, refusal.code, refusal.sentence), status=status, content_type=PROBLEM)


def _page(request: HttpRequest, person: User) -> HttpResponse:
    decisions = Decision.objects.filter(person=person, kind=Decision.Kind.BAN, undone_at=None).select_related("appeal")
    context = {
        "until": restrictions.in_words(person.banned_until or restrictions.FOR_GOOD),
        "is_for_good": person.banned_until == restrictions.FOR_GOOD,
        "decision": decisions.order_by("-at", "-pk").first(),
    }
    return render(request, "moderation/banned.html", context, status=status_of(Banned("")))
