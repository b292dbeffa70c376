"""Where people report something, and where they read what became of it. Plain pages with one form."""

from collections.abc import Callable
from typing import NamedTuple

import structlog
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.models import Game, Seat
from games.rules import Refusal
from games.web import headers_of, status_of
from lobby import guests
from lobby.models import User
from lobby.rooms import RoomKind
from lobby.views_chat import Door, door
from moderation import reporting
from moderation.models import Report
from moderation.reporting import Subject

log = structlog.get_logger(__name__)

#: How far back the page of one's reports goes.
MOST_SHOWN = 100


class Back(NamedTuple):
    """The way back to where somebody came from."""

    address: str
    words: str


def paths(address: str, kind: RoomKind) -> list[URLPattern]:
    """What is reported out of one kind of chat."""
    return [
        path(f"{address}<int:line>/", said, {"kind": kind}, name=f"report-{kind}-line"),
        path(f"{address}people/<slug:key>/", met, {"kind": kind}, name=f"report-{kind}-person"),
    ]


# What is reported


def said(request: HttpRequest, kind: RoomKind, line: int, **place: object) -> HttpResponse:
    """A line of a chat."""
    found = door(request, kind, **place)
    return _report(request, lambda: reporting.of_line(found.visitor, found.room, line), _back_to(found))


def met(request: HttpRequest, kind: RoomKind, key: str, **place: object) -> HttpResponse:
    """Somebody in a chat."""
    found = door(request, kind, **place)
    return _report(request, lambda: reporting.of_met(found.visitor, found.room, key), _back_to(found))


def seat(request: HttpRequest, game_id: int, seat: int) -> HttpResponse:
    """A player."""
    row = get_object_or_404(Seat.objects.select_related("game"), game=game_id, number=seat)
    by = guests.visitor(request)
    return _report(request, lambda: reporting.of_sitter(by, row.game, seat), _to_game(game_id))


def game(request: HttpRequest, game_id: int) -> HttpResponse:
    row = get_object_or_404(Game, pk=game_id)
    by = guests.visitor(request)
    return _report(request, lambda: reporting.of_game(by, row), _to_game(game_id))


def player(request: HttpRequest, code: str) -> HttpResponse:
    """Somebody whose page one looks at."""
    whom = get_object_or_404(User, code=code, is_guest=False, is_active=True)
    by = guests.visitor(request)
    return _report(request, lambda: reporting.of_person(by, whom), _to_page_of(whom))


def _back_to(found: Door) -> Back:
    return Back(found.back, found.words.back)


def _to_game(game_id: int) -> Back:
    return Back(reverse("game", args=[game_id]), "Back to the game")


def _to_page_of(person: User) -> Back:
    return Back(person.get_absolute_url(), "Back to the profile")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def _report(request: HttpRequest, find: Callable[[], Subject], back: Back) -> HttpResponse:
    """The form, or one sentence about why there is none; what the form sends is a report."""
    sent = request.POST if request.method == "POST" else None
    subject, refusal, now = None, None, timezone.now()
    try:
        found = find()
        # Whatever would be refused is refused before somebody has written it.
        reporting.require_new(found, now=now)
        subject = found
        if sent is not None:
            report = reporting.make(subject, sent.get("kind", ""), sent.get("text", ""), now=now)
            return redirect("report", report.pk)
    except Refusal as refused:
        refusal = refused
        # Looking is nobody's business; whoever tries in vain to report, again and again, is.
        if sent is not None:
            log.info("report_refused", code=refused.code, by=request.user.pk, address=request.path)
    context = {
        "subject": subject,
        "refusal": refusal and refusal.sentence,
        "back": back,
        "may_be_other": subject is not None and Report.Kind.OTHER in subject.kinds,
        "chosen": sent.get("kind") if sent else subject and subject.kinds[0],
        "typed": sent.get("text", "") if sent else "",
    }
    page = render(request, "moderation/report.html", context, status=status_of(refusal) if refusal else 200)
    for name, value in headers_of(refusal).items() if refusal else ():
        page[name] = value
    return page


# What became of it


@never_cache
@require_safe
def reports(request: HttpRequest) -> HttpResponse:
    found = reporting.of_reporter(guests.visitor(request))[:MOST_SHOWN]
    return render(request, "moderation/reports.html", {"reports": found, "outcomes": Report.Outcome})


@never_cache
@require_safe
def report(request: HttpRequest, report_id: int) -> HttpResponse:
    """One of the visitor's own; right after it was sent, this is what says so."""
    by = guests.visitor(request)
    if by.pk is None:
        raise PermissionDenied
    found = get_object_or_404(reporting.of_reporter(by), pk=report_id)
    return render(request, "moderation/report_sent.html", {"report": found, "back": _from(found)})


def _from(report: Report) -> Back:
    """Where it was that somebody reported this, as far as there is a way there."""
    if report.game_id is not None:
        return _to_game(report.game_id)
    if report.line is not None and report.line.conversation.table is not None:
        return Back(reverse("table", args=[report.line.conversation.table.code]), "Back to the table")
    if report.case.person is not None and report.case.person.get_absolute_url():
        return _to_page_of(report.case.person)
    return Back(reverse("front"), "Front page")
