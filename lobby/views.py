"""Pages for people: the front page, and a table from its first option to its start."""

import json
from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import pictures
from games.models import Game
from games.paces import DEFAULT_PACE, PACES
from games.rules import Refusal
from games.rules.refusals import TooFast
from games.web import headers_of, status_of
from lobby import front as front_page
from lobby import guests, meeting, selectors, services
from lobby.choices import PACE_CHOICES, RATED, RATED_AMONG_BOTS, RULE_BOOKS, Choice, pace_tables
from lobby.company import USUAL_COMPANY, Company
from lobby.forms import BotForm, BotsForm, ChairForm, SitDownForm, TableForm, at_the_pace, by_the_book
from lobby.models import Chair, Table, User


@never_cache
@require_safe
def front(request: HttpRequest) -> HttpResponse:
    return render(request, "lobby/front.html", {"front": front_page.shown(guests.visitor(request))})


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    person = guests.visitor(request)
    form = BotsForm(request.POST)
    if not form.is_valid():
        return _say_why_not(request, form, "front")
    try:
        with guests.welcomed(request, person):
            game = services.play_now(person, form.wanted, now=timezone.now())
    except TooFast as refusal:
        return ask_for_patience(request, refusal)
    return redirect("game", game.pk)


def _say_why_not(request: HttpRequest, form: forms.Form, *back_to: str) -> HttpResponse:
    for sentences in form.errors.values():
        messages.error(request, str(sentences[0]))
    return redirect(*back_to)


def ask_for_patience(request: HttpRequest, refusal: TooFast) -> HttpResponse:
    page = render_to_string("429.html", {"sentence": refusal.sentence}, request)
    return HttpResponse(page, status=status_of(refusal), headers=headers_of(refusal))


@require_POST
def rematch(request: HttpRequest, game_id: int) -> HttpResponse:
    try:
        table = services.open_rematch(game_id, guests.visitor(request), now=timezone.now())
    except Game.DoesNotExist as error:
        raise Http404 from error
    except TooFast as refusal:
        return ask_for_patience(request, refusal)
    except Refusal as refusal:
        messages.error(request, refusal.sentence)
        return redirect("front")
    return redirect("table", table.code)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest) -> HttpResponse:
    person = guests.visitor(request)
    form = TableForm(
        request.POST or None,
        pace=PACES[DEFAULT_PACE],
        company=Company("public") if "public" in request.GET else USUAL_COMPANY,
        guest_name=person.name if person.is_guest else None,
    )
    if form.is_valid() and not _wants_to_see_options(request):
        name: str = form.cleaned_data.get("name", person.shown_name)
        try:
            with guests.welcomed(request, person):
                table = services.open_table(person, name, *form.wish, now=timezone.now())
        except TooFast as refusal:
            return ask_for_patience(request, refusal)
        except Refusal as refusal:
            form.add_error(None, refusal.sentence)
        else:
            return redirect("table", table.code)
    return _show_options(request, form)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def options(request: HttpRequest, code: str) -> HttpResponse:
    """The host changes the options of a table that is open already."""
    person = guests.visitor(request)
    table = _visible_table(code, person)
    if table.game_id is not None or table.host_id != person.pk:
        messages.error(request, "Only the host can change the options, and only before the game starts.")
        return redirect("table", code)
    form = TableForm(
        request.POST or None,
        rules=table.rule_set,
        layout=table.layout,
        pace=table.pace,
        bot_speed=table.bot_speed,
        company=table.company,
        board_seen=table.is_board_seen,
    )
    if form.is_valid() and not _wants_to_see_options(request):
        try:
            services.change_options(code, person, *form.wish)
        except Refusal as refusal:
            form.add_error(None, refusal.sentence)
        else:
            return redirect("table", code)
    return _show_options(request, form, table)


def _wants_to_see_options(request: HttpRequest) -> bool:
    """Without scripts, a button shows what comes with the rules or the pace picked, before anything is decided."""
    return "show" in request.POST


def _show_options(request: HttpRequest, form: TableForm, table: Table | None = None) -> HttpResponse:
    was_sent = form.is_bound
    if was_sent and form.is_valid():
        form = form.with_wishes()
    context = {
        "form": form,
        "table": table,
        "rated": _rated_for(guests.visitor(request)),
        "presets": [(name, choice, json.dumps(by_the_book(name))) for name, choice in RULE_BOOKS.items()],
        "paces": [(name, choice, json.dumps(at_the_pace(name))) for name, choice in PACE_CHOICES.items()],
        "pace_tables": pace_tables(),
        "shows_more": _wants_to_see_options(request) or form.is_unusual,
        "shows_house_rules": was_sent or bool(form.shown_rules.house_rules()),
    }
    return render(request, "lobby/options.html", context)


def _rated_for(host: User) -> Choice | None:
    """Guests have no rating."""
    if host.is_guest:
        return None
    return RATED_AMONG_BOTS if host.is_bot else RATED


@never_cache
@require_safe
def table(request: HttpRequest, code: str) -> HttpResponse:
    try:
        found = _visible_table(code, guests.visitor(request))
    except Http404:
        return render(request, "lobby/no_table.html", status=404)
    if found.game_id is not None:
        return redirect("game", found.game_id)
    return render(request, "lobby/table.html", _table_context(request, found))


@never_cache
@require_safe
def table_now(request: HttpRequest, code: str) -> HttpResponse:
    """The table's part of its page, for a page that is open; nothing once the game has begun."""
    found = _visible_table(code, guests.visitor(request))
    if found.game_id is not None:
        return HttpResponse(status=204)
    return render(request, "lobby/_table.html", _table_context(request, found))


@require_safe
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """What the preview of the table's link shows: what its page shows a stranger, whoever asks."""
    found = _visible_table(code, User())
    if found.game_id is not None:
        return redirect("game-picture", found.game_id)
    shown = selectors.shown_table(found, User())
    context = {
        "shown": shown,
        "title": f"{shown.host_name}’s table",
        "sitters": [
            pictures.Sitter(
                seat.colour,
                _sitter(seat.chair),
                is_bot_account=seat.chair.is_bot_account,
                strength=seat.chair.strength,
            )
            for seat in shown.chairs
        ],
        "foot": "All chairs are taken." if shown.is_full else "Open the link and sit down.",
    }
    return pictures.answer(request, "lobby/picture.svg", context, timezone.now())


def _sitter(chair: Chair) -> str:
    if chair.is_free:
        return ""
    return f"Kept for {chair.name}" if chair.kept else chair.name


def _visible_table(code: str, person: User) -> Table:
    """A table that a person may see; one that they may not is answered like one that is not there."""
    try:
        return selectors.visible_table(code, person)
    except Table.DoesNotExist as error:
        raise Http404 from error


def _table_context(request: HttpRequest, found: Table) -> dict[str, object]:
    person = guests.visitor(request)
    meeting.note_seen(found.code, person, timezone.now())
    return {
        "shown": selectors.shown_table(found, person),
        "person": person,
        "looking": sum(meeting.looking().values()) if found.is_public else 0,
        "link": request.build_absolute_uri(reverse("table", args=[found.code])),
    }


@require_POST
def sit_down(request: HttpRequest, code: str) -> HttpResponse:
    person = guests.visitor(request)
    form = SitDownForm(request.POST, person)

    def act() -> None:
        with guests.welcomed(request, person):
            services.sit_down(code, person, form.shown_name, form.number)
        meeting.note_seen(code, person, timezone.now())

    return act_at_table(request, code, act, form)


@require_POST
def stand_up(request: HttpRequest, code: str) -> HttpResponse:
    person = guests.visitor(request)
    answer = act_at_table(request, code, lambda: services.stand_up(code, person, now=timezone.now()))
    found = Table.objects.prefetch_related("chairs").filter(code=code).first()
    if found is None or not selectors.may_see(found, found.chairs.all(), person):
        return redirect("front")
    return answer


@require_POST
def add_bot(request: HttpRequest, code: str) -> HttpResponse:
    form = BotForm(request.POST)
    person = guests.visitor(request)
    return act_at_table(request, code, lambda: services.add_bot(code, person, form.number, form.wanted), form)


@require_POST
def free_chair(request: HttpRequest, code: str) -> HttpResponse:
    form = ChairForm(request.POST)
    return act_at_table(request, code, lambda: services.free_chair(code, guests.visitor(request), form.number), form)


@require_POST
def start(request: HttpRequest, code: str) -> HttpResponse:
    form = BotsForm(request.POST)
    fill_with_bots = "fill_with_bots" in request.POST

    def act() -> None:
        person, board = guests.visitor(request), request.POST.get("board", "")
        services.start(
            code, person, fill_with_bots=fill_with_bots, now=timezone.now(), board=board, strength=form.wanted
        )

    return act_at_table(request, code, act, form)


def act_at_table(
    request: HttpRequest, code: str, act: Callable[[], None], form: forms.Form | None = None
) -> HttpResponse:
    """Do what a form of the table's page asks for, or say why not; then back to the table, or to its game."""
    _visible_table(code, guests.visitor(request))
    if form is not None and not form.is_valid():
        return _say_why_not(request, form, "table", code)
    try:
        act()
    except Table.DoesNotExist as error:
        raise Http404 from error
    except TooFast as refusal:
        return ask_for_patience(request, refusal)
    except Refusal as refusal:
        messages.error(request, refusal.sentence)
    return redirect("table", code)
