"""The chat of a game over HTTP: a plain page with a form, and the lines alone for the game's page."""

from dataclasses import asdict

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.models import Game
from games.rules import Malformed, Refusal
from games.selectors import NoSpectators, require_watchable_game, seat_of
from games.web import headers_of, read_number, status_of
from lobby import chat, guests


@never_cache
@require_safe
def lines(request: HttpRequest, game_id: int) -> HttpResponse:
    """What was said after a line that the page has."""
    not_a_line = Malformed("after is the number of the last line you have seen.")
    try:
        require_watchable_game(game_id, request.user.pk)
        found = chat.lines(game_id, read_number(request.GET.get("after", "0"), not_a_line))
    except Game.DoesNotExist as error:
        raise Http404 from error
    except Refusal as refusal:
        return _refusal(refusal)
    return JsonResponse({"lines": [asdict(line) for line in found]})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def talk(request: HttpRequest, game_id: int) -> HttpResponse:
    """The plain page; what its form sends is said. The game's page sends the same form and asks for JSON."""
    try:
        return _say(request, game_id) if request.method == "POST" else _draw(request, game_id)
    except Game.DoesNotExist as error:
        raise Http404 from error
    except NoSpectators as refusal:
        raise PermissionDenied(refusal.sentence) from refusal


def _say(request: HttpRequest, game_id: int) -> HttpResponse:
    text = request.POST.get("text", "")
    wants_page = request.accepts("text/html")
    try:
        number = chat.say(game_id, guests.visitor(request), text, now=timezone.now())
    except Refusal as refusal:
        if wants_page:
            return _draw(request, game_id, typed=text, refusal=refusal)
        return _refusal(refusal)
    return redirect("chat", game_id) if wants_page else JsonResponse({"last": number}, status=201)


def _refusal(refusal: Refusal) -> JsonResponse:
    body = {"code": refusal.code, "sentence": refusal.sentence}
    return JsonResponse(body, status=status_of(refusal), headers=headers_of(refusal))


def _draw(request: HttpRequest, game_id: int, *, typed: str = "", refusal: Refusal | None = None) -> HttpResponse:
    require_watchable_game(game_id, request.user.pk)
    context = {
        "game_id": game_id,
        "lines": chat.lines(game_id),
        "may_speak": seat_of(game_id, request.user.pk) is not None,
        "typed": typed,
        "refusal": refusal.sentence if refusal else "",
    }
    page = render_to_string("lobby/chat.html", context, request)
    if refusal is None:
        return HttpResponse(page)
    return HttpResponse(page, status=status_of(refusal), headers=headers_of(refusal))
