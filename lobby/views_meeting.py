"""Finding a game, saying ready, what a host arranges, and the part of the front page that is kept current."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.keys import GAME_DIGITS
from games.rules import Refusal
from games.rules.numbers import whole_number
from games.rules.refusals import TooFast
from lobby import arranging, front, guests, meeting, services, waiting
from lobby.forms import ChairForm, ColourForm, FindForm, InviteForm, LetBackForm, SwapForm
from lobby.views import act_at_table, ask_for_patience


@never_cache
@require_safe
def front_now(request: HttpRequest) -> HttpResponse:
    """What lies open on the front page, for one that is open."""
    return render(request, "lobby/_front.html", {"front": front.shown(guests.visitor(request))})


@never_cache
@require_safe
def next_game(request: HttpRequest) -> HttpResponse:
    """From one game that waits to the next."""
    after = None
    if "after" in request.GET:
        after = whole_number(request.GET["after"], digits=GAME_DIGITS)
        if after is None:
            raise BadRequest("after is the number of a game.")
    found = waiting.next_game(guests.visitor(request), after)
    if found is None:
        messages.info(request, "No other game waits for you.")
        return redirect("front")
    return redirect("game", found)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def find(request: HttpRequest) -> HttpResponse:
    person = guests.visitor(request)
    form = FindForm(request.POST or None, person)
    if form.is_valid():
        name: str = form.cleaned_data.get("name", person.shown_name)
        try:
            with guests.welcomed(request, person):
                table = meeting.find_game(person, name, form.cleaned_data["pace"], now=timezone.now())
        except TooFast as refusal:
            return ask_for_patience(request, refusal)
        except Refusal as refusal:
            form.add_error(None, refusal.sentence)
        else:
            return redirect("table", table.code)
    return render(request, "lobby/find.html", {"form": form, "person": person, "looking": front.looking()})


@require_POST
def ready(request: HttpRequest, code: str) -> HttpResponse:
    is_ready, board, terms = request.POST.get("ready") != "no", request.POST.get("board", ""), request.POST.get("terms")

    def act() -> None:
        services.set_ready(code, guests.visitor(request), is_ready, now=timezone.now(), board=board, terms=terms)

    return act_at_table(request, code, act)


@require_POST
def shuffle(request: HttpRequest, code: str) -> HttpResponse:
    person = guests.visitor(request)
    return act_at_table(request, code, lambda: arranging.shuffle_board(code, person, now=timezone.now()))


@require_POST
def colour(request: HttpRequest, code: str) -> HttpResponse:
    form = ColourForm(request.POST)

    def act() -> None:
        services.choose_colour(code, guests.visitor(request), form.cleaned_data["colour"])

    return act_at_table(request, code, act, form)


@require_POST
def swap(request: HttpRequest, code: str) -> HttpResponse:
    form = SwapForm(request.POST)

    def act() -> None:
        arranging.swap_chairs(code, guests.visitor(request), form.number, form.cleaned_data["other"])

    return act_at_table(request, code, act, form)


@require_POST
def hand_over(request: HttpRequest, code: str) -> HttpResponse:
    form = ChairForm(request.POST)

    def act() -> None:
        arranging.hand_over(code, guests.visitor(request), form.number, now=timezone.now())

    return act_at_table(request, code, act, form)


@require_POST
def let_back(request: HttpRequest, code: str) -> HttpResponse:
    form = LetBackForm(request.POST)

    def act() -> None:
        arranging.let_back(code, guests.visitor(request), form.cleaned_data["removal"])

    return act_at_table(request, code, act, form)


@require_POST
def invite(request: HttpRequest, code: str) -> HttpResponse:
    form = InviteForm(request.POST)

    def act() -> None:
        arranging.invite(code, guests.visitor(request), form.cleaned_data["name"], now=timezone.now())

    return act_at_table(request, code, act, form)
