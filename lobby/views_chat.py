"""The chat of a game over HTTP: a plain page with a form, and the lines alone for the game's page."""

from dataclasses import asdict
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.models import Game
from games.selectors import seat_of
from lobby import chat, guests

_STATUSES: Final = {chat.BadLine: 400, chat.NotSeated: 403, chat.TooFast: 429}


@never_cache
@require_safe
def lines(request: HttpRequest, game_id: int) -> HttpResponse:
    """What was said after a line that the page has."""
    after = request.GET.get("after", "0")
    if not (after.isascii() and after.isdigit() and len(after) < 10):
        sentence = "after is the number of the last line you have seen."
        return JsonResponse({"code": "malformed", "sentence": sentence}, status=400)
    try:
        found = chat.lines(game_id, int(after))
    except Game.DoesNotExist as error:
        raise Http404 from error
    return JsonResponse({"lines": [asdict(line) for line in found]})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def talk(request: HttpRequest, game_id: int) -> HttpResponse:
    """The plain page; what its form sends is said. The game's page sends the same form and asks for JSON."""
    try:
        return _say(request, game_id) if request.method == "POST" else _draw(request, game_id)
    except Game.DoesNotExist as error:
        raise Http404 from error


def _say(request: HttpRequest, game_id: int) -> HttpResponse:
    text = request.POST.get("text", "")
    wants_page = request.accepts("text/html")
    try:
        number = chat.say(game_id, guests.visitor(request), text, now=timezone.now())
    except chat.Refused as refusal:
        status = _STATUSES[type(refusal)]
        if wants_page:
            return _draw(request, game_id, typed=text, refusal=refusal.sentence, status=status)
        return JsonResponse({"code": refusal.code, "sentence": refusal.sentence}, status=status)
    return redirect("chat", game_id) if wants_page else JsonResponse({"last": number}, status=201)


def _draw(request: HttpRequest, game_id: int, *, typed: str = "", refusal: str = "", status: int = 200) -> HttpResponse:
    context = {
        "game_id": game_id,
        "lines": chat.lines(game_id),
        "may_speak": seat_of(game_id, request.user.pk) is not None,
        "typed": typed,
        "refusal": refusal,
    }
    return render(request, "lobby/chat.html", context, status=status)
