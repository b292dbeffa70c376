"""The page of a game. It is drawn here once; static/games/ keeps it current, or without scripts the page itself."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from games import drawing, forms, selectors, services, summary, words, words_clocks, words_rules, words_trades
from games.models import Game, Seat
from games.paces import Pace
from games.rules import IllegalMove, MalformedMove, RuleSet
from games.rules.cards import CARD_SUPPLY
from games.store import BrokenRows
from games.words_places import place_names

NOT_SEATED = "You have no seat in this game: you can watch it, not play it."


@never_cache
@require_GET
def game(request: HttpRequest, game_id: int) -> HttpResponse:
    try:
        page = _page(request, game_id, timezone.now())
    except services.SetAside as set_aside:
        messages.warning(request, set_aside.sentence)
        return redirect("/")
    view, you = page["view"], page["you"]
    teller = words.Teller([seat["name"] for seat in page["seats"]], you, place_names(view["board"]))
    players = _players(page)
    own_clock = next((player["face"] for player in players if player["seat"] == you), None)
    asked = words_clocks.asked(page)
    context = {
        "page": page,
        # The log stands in the page already.
        "data": page | {"log": []},
        "view": view,
        "own": None if you is None else view["seats"][you],
        "players": players,
        "own_clock": own_clock,
        "last_call": words_clocks.last_call(view, own_clock),
        "asks": words_clocks.ASKS.get(asked),
        "if_absent": Seat.IfAbsent.choices,
        "board": drawing.board(view, selectors.COLOURS),
        "log": list(reversed(page["log"])),
        "forms": list(forms.plain_forms(page, teller)) if page["status"] == "running" else [],
        "waits_for_you": asked == "move",
        "cards": _own_cards(page),
        "effects": words_rules.card_effects(_rules(page)),
        "about": words_rules.about(_rules(page), page["pace"] and Pace.from_json(page["pace"])),
        "phrases": {
            "places": teller.places._asdict(),
            "press_again": words.PRESS_AGAIN,
            "choose_place": words.CHOOSE_PLACE,
            "connection_lost": words.CONNECTION_LOST,
            "cards": list(words.CARD_TITLES),
            "clocks": words_clocks.phrases(),
            "trades": words_trades.phrases(),
        },
        "end": summary.summary(page, selectors.events_since(game_id, 0, you)) if view["phase"] == "over" else None,
    }
    return render(request, settings.GAME_TEMPLATE, context)


def _page(request: HttpRequest, game_id: int, now: datetime) -> dict[str, Any]:
    try:
        return selectors.page(game_id, selectors.seat_of(game_id, request.user.pk), now=now)
    except Game.DoesNotExist:
        raise Http404 from None
    except BrokenRows as error:
        services.set_aside(game_id, str(error), now=now)
        raise services.SetAside(services.SET_ASIDE) from error


def _rules(page: dict[str, Any]) -> RuleSet:
    return RuleSet.from_json(page["view"]["rules"])


def _players(page: dict[str, Any]) -> list[dict[str, Any]]:
    """The seats in their order of play, with what their cards say about time and absence."""
    now = datetime.fromisoformat(page["now"])
    return [
        page["seats"][seat]
        | page["view"]["seats"][seat]
        | {
            "face": words_clocks.face(page["seats"][seat]["clock"], now),
            "state": (state := words_clocks.seat_state(page["seats"][seat], page["you"], now)),
            "state_in_words": words_clocks.SEAT_STATES.get(state, ""),
        }
        for seat in page["view"]["order"]
    ]


def _own_cards(page: dict[str, Any]) -> list[dict[str, Any]]:
    """The kinds of development card with what they do, and how many of each the viewer holds."""
    held = [] if page["you"] is None else page["view"]["seats"][page["you"]]["cards"]
    effects = words_rules.card_effects(_rules(page))
    return [
        {
            "kind": kind,
            "title": title,
            "effect": effects[kind],
            "supply": supply,
            "count": sum(card["card"] == kind for card in held),
        }
        for (kind, title), supply in zip(words.CARD_TITLES.items(), CARD_SUPPLY, strict=True)
    ]


@require_POST
def seat(request: HttpRequest, game_id: int) -> HttpResponse:
    """A player takes the seat back, resigns, or says what shall happen when they are absent."""
    own = selectors.seat_of(game_id, request.user.pk)
    if own is None:
        messages.error(request, NOT_SEATED)
        return redirect("game", game_id)
    try:
        forms.read_seat_wish(request.POST)(game_id, own, timezone.now())
    except MalformedMove as error:
        messages.error(request, str(error))
    except services.Refused as refusal:
        messages.warning(request, refusal.sentence)
    return redirect("game", game_id)


@require_POST
def move(request: HttpRequest, game_id: int) -> HttpResponse:
    """A move by a plain form. Whatever is wrong with it is said on the page."""
    seat = selectors.seat_of(game_id, request.user.pk)
    if seat is None:
        messages.error(request, NOT_SEATED)
        return redirect("game", game_id)
    version = request.POST.get("version", "")
    try:
        if not (version.isascii() and version.isdigit() and len(version) < 10):
            raise MalformedMove("This form was not made by the game’s page: reload the page and try again.")
        services.play_move(game_id, forms.read_move(request.POST, seat), version=int(version), now=timezone.now())
    except MalformedMove as error:
        messages.error(request, str(error))
    except (IllegalMove, services.Refused) as error:
        messages.warning(request, error.sentence)
    return redirect("game", game_id)
