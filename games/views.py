"""The page of a game. It is drawn here once; static/games/ keeps it current, or without scripts the page itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from games import (
    drawing,
    forms,
    forms_orders,
    pictures,
    selectors,
    services,
    summary,
    words,
    words_agreements,
    words_clocks,
    words_help,
    words_rules,
)
from games.clocks import pace_of
from games.models import Game, Seat
from games.paces import PACES, USUAL_OVER_DAYS, Pace
from games.page import Page, Player, Scene, page_of, phrases
from games.rules import Forbidden, Malformed, Refusal, RuleSet, player_view
from games.rules.cards import CARD_SUPPLY
from games.store import BrokenRows
from games.web import status_of
from games.words_clocks import Face, SeatState
from games.words_places import place_names

#: While a game is one of these, whoever plays it may still want something for their seat.
GOING: Final = (Game.Status.RUNNING, Game.Status.PAUSED, Game.Status.RESTING)


@never_cache
@require_GET
def game(request: HttpRequest, game_id: int) -> HttpResponse:
    try:
        scene = _scene(game_id)
        selectors.require_watchable(scene.game, scene.seats, request.user.pk)
    except services.SetAside as set_aside:
        messages.warning(request, set_aside.sentence)
        return redirect("/")
    except selectors.NoSpectators as refusal:
        return _behind_closed_doors(request, refusal)
    page = page_of(scene, scene.viewer(request.user.pk))
    rules = RuleSet.from_json(page["rules"])
    own = None if page["viewer"] is None else page["seats"][page["viewer"]]
    teller = words.Teller([seat["name"] for seat in page["seats"]], page["viewer"], place_names(page["board"]))
    own_clock = own and words_clocks.face(own["clock"], page["now"])
    context = {
        "page": page,
        # The log stands in the page already.
        "data": page | {"log": []},
        "phrases": phrases(page),
        "own": own,
        "players": [_drawn(page, seat) for seat in page["order"]],
        "own_clock": own_clock,
        "proposals": [(card, words_clocks.face(card["clock"], page["now"])) for card in page["proposals"]],
        "last_call": page["last_call"] if own_clock and own_clock.is_short else "",
        "going": GOING,
        "paces": [(name, words_agreements.at_pace(name)) for name in PACES],
        "usual_pace": USUAL_OVER_DAYS,
        "is_over_days": _is_over_days(scene.game),
        "if_absent": Seat.IfAbsent.choices,
        "board": drawing.board(page, [player["colour"] for player in page["seats"]]),
        "forms": list(forms.plain_forms(page, teller)),
        "cards": _own_cards(page, rules),
        "effects": words_rules.card_effects(rules),
        "explained": words_help.explained(rules),
        "about": words_rules.about(rules, scene.game.pace and Pace.from_json(scene.game.pace)),
        "end": _end(page),
    }
    return render(request, settings.GAME_TEMPLATE, context)


@never_cache
@require_GET
def statistics(request: HttpRequest, game_id: int) -> HttpResponse:
    """How the dice have fallen, and what became of everybody's cards: all of it was seen by everybody."""
    try:
        page = _watchers_page(game_id, request.user.pk)
    except selectors.NoSpectators as refusal:
        return _behind_closed_doors(request, refusal)
    events = selectors.all_events(game_id, None)
    context = {"page": page, "dice": summary.dice_chart(events), "fortunes": summary.fortunes(page, events)}
    return render(request, "games/statistics.html", context)


@require_safe
def picture(request: HttpRequest, game_id: int) -> HttpResponse:
    """What the preview of a link to the game shows: what a passer-by sees, whoever asks."""
    try:
        page = _watchers_page(game_id, None)
    except selectors.NoSpectators:
        raise Http404 from None
    winner = None if page["winner"] is None else page["seats"][page["winner"]]["name"]
    context = {
        "board": drawing.board(page, [player["colour"] for player in page["seats"]]),
        "title": "A game of Catan",
        "sitters": [
            pictures.Sitter(
                player["colour"], player["name"], player["points"], player["is_bot_account"], player["strength"]
            )
            for player in (page["seats"][seat] for seat in page["order"])
        ],
        "foot": f"{winner} has won." if winner else "Open the link and watch.",
    }
    return pictures.answer(request, "games/picture.svg", context, timezone.now())


def _watchers_page(game_id: int, user_id: int | None) -> Page:
    """What everybody may know of a game, if this user may see it at all."""
    try:
        scene = selectors.scene(game_id, now=timezone.now())
    except Game.DoesNotExist:
        raise Http404 from None
    selectors.require_watchable(scene.game, scene.seats, user_id)
    return page_of(scene, None)


def _behind_closed_doors(request: HttpRequest, refusal: selectors.NoSpectators) -> HttpResponse:
    return render(request, "games/closed.html", {"sentence": refusal.sentence}, status=status_of(refusal))


def _scene(game_id: int) -> Scene:
    try:
        return selectors.scene(game_id, now=timezone.now())
    except Game.DoesNotExist:
        raise Http404 from None
    except BrokenRows as error:
        services.set_aside(game_id, str(error), now=timezone.now())
        raise services.SetAside(services.SET_ASIDE) from error


def _end(page: Page) -> summary.Summary | None:
    if page["phase"] != "over":
        return None
    events = selectors.all_events(page["game"], page["viewer"])
    return summary.summary(page, events, selectors.addresses(page["game"]))


class Drawn(NamedTuple):
    """A player's card at the moment at which the page is drawn."""

    player: Player
    face: Face | None
    state: SeatState


def _drawn(page: Page, seat: int) -> Drawn:
    player = page["seats"][seat]
    face = words_clocks.face(player["clock"], page["now"])
    return Drawn(player, face, words_clocks.at(player["presence"], page["now"]))


@dataclass(frozen=True, slots=True)
class OwnCards:
    """A kind of development card, and how many of it the viewer holds."""

    kind: str
    title: str
    effect: str
    supply: int
    count: int


def _own_cards(page: Page, rules: RuleSet) -> list[OwnCards]:
    held = [] if page["viewer"] is None else page["seats"][page["viewer"]]["cards"]
    effects = words_rules.card_effects(rules)
    return [
        OwnCards(kind, title, effects[kind], supply, sum(card["card"] == kind for card in held))
        for (kind, title), supply in zip(words.CARD_TITLES.items(), CARD_SUPPLY, strict=True)
    ]


@require_POST
def seat(request: HttpRequest, game_id: int) -> HttpResponse:
    """A player takes the seat back, resigns, or says what shall happen when they are absent."""
    return _act(request, game_id, lambda seat: forms.SeatForm(request.POST).grant(game_id, seat, timezone.now()))


@never_cache
@require_http_methods(["GET", "POST"])
def orders(request: HttpRequest, game_id: int) -> HttpResponse:
    """A player's standing orders. Nobody else sees this page, nor anything of it."""
    refused: Refusal | None = None
    if request.method == "POST":
        try:
            forms_orders.grant(request.POST, game_id, _own_seat(request, game_id), timezone.now())
            return redirect("orders", game_id)
        except Refusal as refusal:
            refused = refusal
    seat = _own_seat(request, game_id)
    try:
        scene = _scene(game_id)
    except services.SetAside as set_aside:
        messages.warning(request, set_aside.sentence)
        return redirect("/")
    if scene.game.status in (Game.Status.OVER, Game.Status.ABORTED):
        if refused:
            messages.warning(request, refused.sentence)
        return redirect("game", game_id)
    page, book = page_of(scene, seat), scene.snapshot.sitters[seat].orders
    is_over_days = _is_over_days(scene.game)
    shown = player_view(scene.state, seat)
    shown["choices"] = forms_orders.places(page, book)
    context = {
        "page": page,
        "refusal": refused and refused.sentence,
        "board": drawing.board(shown, [player["colour"] for player in page["seats"]]),
        "own": page["seats"][seat],
        "offered": forms_orders.offered(page, book, is_over_days=is_over_days),
        **selectors.orders_of(game_id, seat),
    }
    return render(request, "games/orders.html", context, status=status_of(refused) if refused else 200)


def _own_seat(request: HttpRequest, game_id: int) -> int:
    seat = selectors.seat_of(game_id, request.user.pk)
    if seat is None:
        if not Game.objects.filter(pk=game_id).exists():
            raise Http404
        raise PermissionDenied(services.NOT_SEATED)
    return seat


def _is_over_days(game: Game) -> bool:
    pace = pace_of(game)
    return pace is not None and not pace.is_live


@require_POST
def agreements(request: HttpRequest, game_id: int) -> HttpResponse:
    """A player proposes something to the others, or answers them."""
    return _act(request, game_id, lambda seat: forms.AgreementForm(request.POST).grant(game_id, seat, timezone.now()))


@require_POST
def move(request: HttpRequest, game_id: int) -> HttpResponse:
    """A move by a plain form."""

    def play(seat: int) -> None:
        form = forms.sent(request.POST)
        move = form.move(seat)
        services.play_move(game_id, move, version=form.cleaned_data["version"], now=timezone.now())

    return _act(request, game_id, play)


def _act(request: HttpRequest, game_id: int, act: Callable[[int], None]) -> HttpResponse:
    """Do for the visitor's seat what a plain form asks. Whatever is wrong with it is said on the page."""
    try:
        seat = selectors.seat_of(game_id, request.user.pk)
        if seat is None:
            raise Forbidden(services.NOT_SEATED)
        act(seat)
    except (Malformed, Forbidden) as refusal:
        messages.error(request, refusal.sentence)
    except Refusal as refusal:
        messages.warning(request, refusal.sentence)
    return redirect("game", game_id)
